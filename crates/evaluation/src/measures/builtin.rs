//! The built-in measures, each an entry with its name, its words and its function, in the order in
//! which they are shown: the most usual of a kind first. To add one, write its function, its entry
//! and one line of [`BUILTIN`].

use super::entry::{Compute, Direction, Measure, MeasureEntry};
use super::{censored, class, labels, number, ordered, series};

/// All built-in measures, in the order in which they are shown.
pub const BUILTIN: [Measure; 28] = [
    ACCURACY,
    BALANCED_ACCURACY,
    F1,
    AUC,
    BRIER,
    LOG_LOSS,
    CALIBRATION_ERROR,
    RMSE,
    MAE,
    RELATIVE_RMSE,
    R2,
    CORRELATION,
    SPEARMAN,
    HAMMING_LOSS,
    SUBSET_ACCURACY,
    MICRO_F1,
    MACRO_F1,
    AVERAGE_PRECISION_RECALL,
    MACRO_PRECISION_RECALL,
    RANKING_LOSS,
    ordered::RANK_ERROR,
    ordered::ORDERED_ACCURACY,
    ordered::RANKED_PROBABILITY,
    censored::CONCORDANCE,
    censored::INTEGRATED_BRIER,
    censored::TIME_ERROR,
    series::SERIES_RMSE,
    series::SERIES_DTW,
];

/// See [`class::accuracy`].
pub const ACCURACY: Measure = Measure::new(&MeasureEntry {
    key: "accuracy",
    title: "accuracy",
    doc: "the share of rows whose class is predicted correctly, from 0 to 1",
    formula: "sum w [p = y] / W",
    direction: Direction::HigherIsBetter,
    compute: Compute::Classes(&|a, w| class::accuracy(a.truth, a.predicted, w)),
});

/// See [`class::balanced_accuracy`].
pub const BALANCED_ACCURACY: Measure = Measure::new(&MeasureEntry {
    key: "balanced_accuracy",
    title: "balanced accuracy",
    doc: "the mean over the classes that occur of the share of their rows that is predicted \
          correctly, from 0 to 1",
    formula: "mean over c of sum w [p = c, y = c] / sum w [y = c]",
    direction: Direction::HigherIsBetter,
    compute: Compute::Classes(&|a, w| {
        class::balanced_accuracy(a.truth, a.predicted, a.classes.len(), w)
    }),
});

/// See [`class::f1`].
pub const F1: Measure = Measure::new(&MeasureEntry {
    key: "f1",
    title: "F1",
    doc: "the mean over the classes that are predicted or true of the harmonic mean of precision \
          and recall, from 0 to 1",
    formula: "mean over c of 2 TP / (2 TP + FP + FN)",
    direction: Direction::HigherIsBetter,
    compute: Compute::Classes(&|a, w| class::f1(a.truth, a.predicted, a.classes.len(), w)),
});

/// See [`class::auc`].
pub const AUC: Measure = Measure::new(&MeasureEntry {
    key: "auc",
    title: "AUC",
    doc: "the area under the ROC curve, of several classes the mean over pairs of classes, from 0 \
          to 1; undefined where fewer than two classes occur",
    formula: "mean over pairs of c, d of P(p(c) of a row of c > p(c) of a row of d)",
    direction: Direction::HigherIsBetter,
    compute: Compute::Classes(&|a, w| class::auc(a.truth, a.probabilities, a.classes.len(), w)),
});

/// See [`class::brier`].
pub const BRIER: Measure = Measure::new(&MeasureEntry {
    key: "brier",
    title: "Brier score",
    doc: "the mean squared difference of probabilities and truth, summed over classes, from 0 to 2",
    formula: "sum w sum over c (p(c) - [y = c])^2 / W",
    direction: Direction::LowerIsBetter,
    compute: Compute::Classes(&|a, w| class::brier(a.truth, a.probabilities, a.classes.len(), w)),
});

/// See [`class::log_loss`].
pub const LOG_LOSS: Measure = Measure::new(&MeasureEntry {
    key: "log_loss",
    title: "log loss",
    doc: "the mean negative natural logarithm of the probability given to the true class, \
          with probabilities below 1e-15 taken as 1e-15",
    formula: "- sum w ln max(p(y), 1e-15) / W",
    direction: Direction::LowerIsBetter,
    compute: Compute::Classes(&|a, w| {
        class::log_loss(a.truth, a.probabilities, a.classes.len(), w)
    }),
});

/// See [`class::calibration_error`].
pub const CALIBRATION_ERROR: Measure = Measure::new(&MeasureEntry {
    key: "calibration_error",
    title: "calibration error",
    doc: "how far the probability of the predicted class is from the share of rows where it is \
          right, in ten bins of equal width, from 0 to 1",
    formula: "sum over bins b of W(b) / W |right(b) - p(b)|",
    direction: Direction::LowerIsBetter,
    compute: Compute::Classes(&|a, w| {
        class::calibration_error(a.truth, a.predicted, a.probabilities, a.classes.len(), w)
    }),
});

/// See [`number::rmse`].
pub const RMSE: Measure = Measure::new(&MeasureEntry {
    key: "rmse",
    title: "RMSE",
    doc: "the root of the mean squared error, in the unit of the target",
    formula: "sqrt( sum w (p - y)^2 / W )",
    direction: Direction::LowerIsBetter,
    compute: Compute::Numbers(&|a, w| number::rmse(a.truth, a.predicted, w)),
});

/// See [`number::mae`].
pub const MAE: Measure = Measure::new(&MeasureEntry {
    key: "mae",
    title: "MAE",
    doc: "the mean absolute error, in the unit of the target",
    formula: "sum w |p - y| / W",
    direction: Direction::LowerIsBetter,
    compute: Compute::Numbers(&|a, w| number::mae(a.truth, a.predicted, w)),
});

/// See [`number::relative_rmse`].
pub const RELATIVE_RMSE: Measure = Measure::new(&MeasureEntry {
    key: "relative_rmse",
    title: "relative RMSE",
    doc: "the root mean squared error over that of the mean of the true values; undefined if they \
          are constant",
    formula: "sqrt( sum w (p - y)^2 / sum w (y - m(y))^2 )",
    direction: Direction::LowerIsBetter,
    compute: Compute::Numbers(&|a, w| number::relative_rmse(a.truth, a.predicted, w)),
});

/// See [`number::r2`].
pub const R2: Measure = Measure::new(&MeasureEntry {
    key: "r2",
    title: "R2",
    doc: "the share of the variance of the true values that is explained, at most 1; undefined if \
          they are constant",
    formula: "1 - sum w (p - y)^2 / sum w (y - m(y))^2",
    direction: Direction::HigherIsBetter,
    compute: Compute::Numbers(&|a, w| number::r2(a.truth, a.predicted, w)),
});

/// See [`number::correlation`].
pub const CORRELATION: Measure = Measure::new(&MeasureEntry {
    key: "correlation",
    title: "correlation",
    doc: "Pearson's correlation of truth and prediction, from -1 to 1; undefined if either \
          is constant",
    formula: "sum w (y - m(y)) (p - m(p)) / sqrt( sum w (y - m(y))^2 sum w (p - m(p))^2 )",
    direction: Direction::HigherIsBetter,
    compute: Compute::Numbers(&|a, w| number::correlation(a.truth, a.predicted, w)),
});

/// See [`number::spearman`].
pub const SPEARMAN: Measure = Measure::new(&MeasureEntry {
    key: "spearman",
    title: "Spearman",
    doc: "Spearman's correlation of the ranks of truth and prediction, from -1 to 1; undefined if \
          either is constant",
    formula: "the correlation of ranks, equal values having their mean rank",
    direction: Direction::HigherIsBetter,
    compute: Compute::Numbers(&|a, w| number::spearman(a.truth, a.predicted, w)),
});

/// See [`labels::hamming_loss`].
pub const HAMMING_LOSS: Measure = Measure::new(&MeasureEntry {
    key: "hamming_loss",
    title: "Hamming loss",
    doc: "the share of labels wrongly said to be present or absent, from 0 to 1",
    formula: "sum w |p xor y| / (L W) for L labels",
    direction: Direction::LowerIsBetter,
    compute: Compute::Labels(&|a, w| labels::hamming_loss(a.truth, a.shares, a.labels, w)),
});

/// See [`labels::subset_accuracy`].
pub const SUBSET_ACCURACY: Measure = Measure::new(&MeasureEntry {
    key: "subset_accuracy",
    title: "subset accuracy",
    doc: "the share of rows whose set of labels is predicted exactly, from 0 to 1",
    formula: "sum w [p = y] / W",
    direction: Direction::HigherIsBetter,
    compute: Compute::Labels(&|a, w| labels::subset_accuracy(a.truth, a.shares, a.labels, w)),
});

/// See [`labels::micro_f1`].
pub const MICRO_F1: Measure = Measure::new(&MeasureEntry {
    key: "micro_f1",
    title: "micro F1",
    doc: "the harmonic mean of precision and recall over all labels taken together, from 0 \
          to 1; undefined where no label is predicted or true",
    formula: "2 TP / (2 TP + FP + FN)",
    direction: Direction::HigherIsBetter,
    compute: Compute::Labels(&|a, w| labels::micro_f1(a.truth, a.shares, a.labels, w)),
});

/// See [`labels::macro_f1`].
pub const MACRO_F1: Measure = Measure::new(&MeasureEntry {
    key: "macro_f1",
    title: "macro F1",
    doc: "the mean of the F1 of each label that is predicted or true in any row, from 0 to 1",
    formula: "mean over labels of 2 TP / (2 TP + FP + FN)",
    direction: Direction::HigherIsBetter,
    compute: Compute::Labels(&|a, w| labels::macro_f1(a.truth, a.shares, a.labels, w)),
});

/// See [`labels::average_precision_recall`].
pub const AVERAGE_PRECISION_RECALL: Measure = Measure::new(&MeasureEntry {
    key: "auprc",
    title: "AU(PRC)",
    doc: "the area under the curve of precision and recall over all labels and rows taken \
          together, from 0 to 1; undefined where no label is true",
    formula: "integral of sum TP / (sum TP + sum FP) over recall",
    direction: Direction::HigherIsBetter,
    compute: Compute::Labels(&|a, w| {
        labels::average_precision_recall(a.truth, a.shares, a.labels, w)
    }),
});

/// See [`labels::macro_precision_recall`].
pub const MACRO_PRECISION_RECALL: Measure = Measure::new(&MeasureEntry {
    key: "macro_auprc",
    title: "macro AU(PRC)",
    doc: "the mean over the labels that occur of the area under the label's curve of precision and \
          recall, from 0 to 1",
    formula: "mean over labels of the integral of TP / (TP + FP) over recall",
    direction: Direction::HigherIsBetter,
    compute: Compute::Labels(&|a, w| {
        labels::macro_precision_recall(a.truth, a.shares, a.labels, w)
    }),
});

/// See [`labels::ranking_loss`].
pub const RANKING_LOSS: Measure = Measure::new(&MeasureEntry {
    key: "ranking_loss",
    title: "ranking loss",
    doc: "how often a label that is absent has at least the share of one that is present, from 0 to 1",
    formula: "sum w |{(a, b): a in y, b not in y, p(a) <= p(b)}| / (|y| (L - |y|)) / W",
    direction: Direction::LowerIsBetter,
    compute: Compute::Labels(&|a, w| labels::ranking_loss(a.truth, a.shares, a.labels, w)),
});
