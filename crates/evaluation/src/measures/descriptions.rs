//! One row of what is said about each measure, in the order in which they are shown: the most usual of a kind first.

use super::{Description, Direction, Measure, Target};

/// All measures, in the order in which they are shown.
pub const DESCRIPTIONS: [Description; 20] = [
    Description {
        measure: Measure::Accuracy,
        key: "accuracy",
        title: "accuracy",
        doc: "the share of rows whose class is predicted correctly, from 0 to 1",
        formula: "sum w [p = y] / W",
        direction: Direction::HigherIsBetter,
        target: Target::Classes,
    },
    Description {
        measure: Measure::BalancedAccuracy,
        key: "balanced_accuracy",
        title: "balanced accuracy",
        doc: "the mean over the classes that occur of the share of their rows that is predicted \
              correctly, from 0 to 1",
        formula: "mean over c of sum w [p = c, y = c] / sum w [y = c]",
        direction: Direction::HigherIsBetter,
        target: Target::Classes,
    },
    Description {
        measure: Measure::F1,
        key: "f1",
        title: "F1",
        doc: "the mean over the classes that are predicted or true of the harmonic mean of precision \
              and recall, from 0 to 1",
        formula: "mean over c of 2 TP / (2 TP + FP + FN)",
        direction: Direction::HigherIsBetter,
        target: Target::Classes,
    },
    Description {
        measure: Measure::Auc,
        key: "auc",
        title: "AUC",
        doc: "the area under the ROC curve, of several classes the mean over pairs of classes, from 0 \
              to 1; undefined where fewer than two classes occur",
        formula: "mean over pairs of c, d of P(p(c) of a row of c > p(c) of a row of d)",
        direction: Direction::HigherIsBetter,
        target: Target::Classes,
    },
    Description {
        measure: Measure::Brier,
        key: "brier",
        title: "Brier score",
        doc: "the mean squared difference of probabilities and truth, summed over classes, from 0 to 2",
        formula: "sum w sum over c (p(c) - [y = c])^2 / W",
        direction: Direction::LowerIsBetter,
        target: Target::Classes,
    },
    Description {
        measure: Measure::LogLoss,
        key: "log_loss",
        title: "log loss",
        doc: "the mean negative natural logarithm of the probability given to the true class, \
              with probabilities below 1e-15 taken as 1e-15",
        formula: "- sum w ln max(p(y), 1e-15) / W",
        direction: Direction::LowerIsBetter,
        target: Target::Classes,
    },
    Description {
        measure: Measure::CalibrationError,
        key: "calibration_error",
        title: "calibration error",
        doc: "how far the probability of the predicted class is from the share of rows where it is \
              right, in ten bins of equal width, from 0 to 1",
        formula: "sum over bins b of W(b) / W |right(b) - p(b)|",
        direction: Direction::LowerIsBetter,
        target: Target::Classes,
    },
    Description {
        measure: Measure::Rmse,
        key: "rmse",
        title: "RMSE",
        doc: "the root of the mean squared error, in the unit of the target",
        formula: "sqrt( sum w (p - y)^2 / W )",
        direction: Direction::LowerIsBetter,
        target: Target::Numbers,
    },
    Description {
        measure: Measure::Mae,
        key: "mae",
        title: "MAE",
        doc: "the mean absolute error, in the unit of the target",
        formula: "sum w |p - y| / W",
        direction: Direction::LowerIsBetter,
        target: Target::Numbers,
    },
    Description {
        measure: Measure::RelativeRmse,
        key: "relative_rmse",
        title: "relative RMSE",
        doc: "the root mean squared error over that of the mean of the true values; undefined if they \
              are constant",
        formula: "sqrt( sum w (p - y)^2 / sum w (y - m(y))^2 )",
        direction: Direction::LowerIsBetter,
        target: Target::Numbers,
    },
    Description {
        measure: Measure::R2,
        key: "r2",
        title: "R2",
        doc: "the share of the variance of the true values that is explained, at most 1; undefined if \
              they are constant",
        formula: "1 - sum w (p - y)^2 / sum w (y - m(y))^2",
        direction: Direction::HigherIsBetter,
        target: Target::Numbers,
    },
    Description {
        measure: Measure::Correlation,
        key: "correlation",
        title: "correlation",
        doc: "Pearson's correlation of truth and prediction, from -1 to 1; undefined if either \
              is constant",
        formula: "sum w (y - m(y)) (p - m(p)) / sqrt( sum w (y - m(y))^2 sum w (p - m(p))^2 )",
        direction: Direction::HigherIsBetter,
        target: Target::Numbers,
    },
    Description {
        measure: Measure::Spearman,
        key: "spearman",
        title: "Spearman",
        doc: "Spearman's correlation of the ranks of truth and prediction, from -1 to 1; undefined if \
              either is constant",
        formula: "the correlation of ranks, equal values having their mean rank",
        direction: Direction::HigherIsBetter,
        target: Target::Numbers,
    },
    Description {
        measure: Measure::HammingLoss,
        key: "hamming_loss",
        title: "Hamming loss",
        doc: "the share of labels wrongly said to be present or absent, from 0 to 1",
        formula: "sum w |p xor y| / (L W) for L labels",
        direction: Direction::LowerIsBetter,
        target: Target::Labels,
    },
    Description {
        measure: Measure::SubsetAccuracy,
        key: "subset_accuracy",
        title: "subset accuracy",
        doc: "the share of rows whose set of labels is predicted exactly, from 0 to 1",
        formula: "sum w [p = y] / W",
        direction: Direction::HigherIsBetter,
        target: Target::Labels,
    },
    Description {
        measure: Measure::MicroF1,
        key: "micro_f1",
        title: "micro F1",
        doc: "the harmonic mean of precision and recall over all labels taken together, from 0 \
              to 1; undefined where no label is predicted or true",
        formula: "2 TP / (2 TP + FP + FN)",
        direction: Direction::HigherIsBetter,
        target: Target::Labels,
    },
    Description {
        measure: Measure::MacroF1,
        key: "macro_f1",
        title: "macro F1",
        doc: "the mean of the F1 of each label that is predicted or true in any row, from 0 to 1",
        formula: "mean over labels of 2 TP / (2 TP + FP + FN)",
        direction: Direction::HigherIsBetter,
        target: Target::Labels,
    },
    Description {
        measure: Measure::AveragePrecisionRecall,
        key: "auprc",
        title: "AU(PRC)",
        doc: "the area under the curve of precision and recall over all labels and rows taken \
              together, from 0 to 1; undefined where no label is true",
        formula: "integral of sum TP / (sum TP + sum FP) over recall",
        direction: Direction::HigherIsBetter,
        target: Target::Labels,
    },
    Description {
        measure: Measure::MacroPrecisionRecall,
        key: "macro_auprc",
        title: "macro AU(PRC)",
        doc: "the mean over the labels that occur of the area under the label's curve of precision and \
              recall, from 0 to 1",
        formula: "mean over labels of the integral of TP / (TP + FP) over recall",
        direction: Direction::HigherIsBetter,
        target: Target::Labels,
    },
    Description {
        measure: Measure::RankingLoss,
        key: "ranking_loss",
        title: "ranking loss",
        doc: "how often a label that is absent has at least the share of one that is present, from 0 to 1",
        formula: "sum w |{(a, b): a in y, b not in y, p(a) <= p(b)}| / (|y| (L - |y|)) / W",
        direction: Direction::LowerIsBetter,
        target: Target::Labels,
    },
];
