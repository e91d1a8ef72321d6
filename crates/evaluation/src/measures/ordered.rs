//! Measures of ordered classes, by ranks. Rows whose truth is missing are left out; `weights` are
//! those of all rows.

use kinwood_learning::target::{ORDERED, OrderedClasses};

use super::answers::KindAnswers;
use super::entry::{Compute, Direction, Measure, MeasureEntry, Score};

/// See [`rank_error`].
pub const RANK_ERROR: Measure = Measure::new(&MeasureEntry {
    key: "rank_error",
    title: "rank error",
    doc: "the mean number of ranks between the predicted and the true class, from 0 to one less \
          than there are classes",
    formula: "sum w |rank(p) - rank(y)| / W",
    direction: Direction::LowerIsBetter,
    compute: Compute::Of(&ORDERED, &rank_error),
});

/// See [`ordered_accuracy`].
pub const ORDERED_ACCURACY: Measure = Measure::new(&MeasureEntry {
    key: "ordered_accuracy",
    title: "accuracy",
    doc: "the share of rows whose ordered class is predicted correctly, from 0 to 1",
    formula: "sum w [p = y] / W",
    direction: Direction::HigherIsBetter,
    compute: Compute::Of(&ORDERED, &ordered_accuracy),
});

/// See [`ranked_probability`].
pub const RANKED_PROBABILITY: Measure = Measure::new(&MeasureEntry {
    key: "ranked_probability",
    title: "ranked probability score",
    doc: "the mean squared difference of cumulative probabilities and truth, summed over the \
          classes but the last",
    formula: "sum w sum over c (P(y <= c) - [y <= c])^2 / W",
    direction: Direction::LowerIsBetter,
    compute: Compute::Of(&ORDERED, &ranked_probability),
});

/// The mean over rows of a function of rank and cumulative probabilities.
fn mean(
    answers: &KindAnswers<'_>,
    weights: Option<&[f64]>,
    of: impl Fn(usize, &[f64]) -> f64,
) -> Score {
    let (mut sum, mut total) = (0.0, 0.0);
    for (row, predicted) in answers.predicted.iter().enumerate() {
        if let Some(rank) = answers.truth.class(row) {
            let weight = weights.map_or(1.0, |weights| weights[row]);
            sum += weight * of(rank as usize, predicted);
            total += weight;
        }
    }
    Ok((total > 0.0).then(|| sum / total))
}

/// The mean number of ranks between the predicted and the true class.
pub fn rank_error(answers: &KindAnswers<'_>, weights: Option<&[f64]>) -> Score {
    mean(answers, weights, |rank, predicted| {
        rank.abs_diff(OrderedClasses::median(predicted)) as f64
    })
}

/// The share of rows whose class is predicted correctly.
pub fn ordered_accuracy(answers: &KindAnswers<'_>, weights: Option<&[f64]>) -> Score {
    mean(answers, weights, |rank, predicted| {
        f64::from(u8::from(rank == OrderedClasses::median(predicted)))
    })
}

/// The ranked probability score.
///
/// Reference: E. S. Epstein, A scoring system for probability forecasts of ranked categories,
/// Journal of Applied Meteorology 8, 1969; without its division by the number of classes.
pub fn ranked_probability(answers: &KindAnswers<'_>, weights: Option<&[f64]>) -> Score {
    mean(answers, weights, |rank, predicted| {
        let before_last = predicted.len().saturating_sub(1);
        let classes = predicted[..before_last].iter().enumerate();
        classes
            .map(|(class, probability)| (probability - f64::from(u8::from(rank <= class))).powi(2))
            .sum()
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use kinwood_learning::target::TargetKind;
    use kinwood_values::Dictionary;

    use super::*;
    use crate::true_values::TrueValues;

    #[test]
    fn neighbours_cost_less_than_ends() {
        let classes = Arc::new(Dictionary::from_labels(["low", "middle", "high"]));
        let kind = TargetKind::new(OrderedClasses(classes));
        let truth = TrueValues::new(kind, [Some([0.0]), Some([2.0]), None, Some([2.0])]);
        let predicted = [
            vec![0.2, 0.7, 1.0],
            vec![0.6, 0.7, 1.0],
            vec![1.0, 1.0, 1.0],
            vec![0.0, 0.25, 1.0],
        ];
        let answers = KindAnswers {
            truth: &truth,
            predicted: &predicted,
        };
        assert_eq!(rank_error(&answers, None), Ok(Some(1.0)));
        let weights = [1.0, 0.0, 5.0, 1.0];
        assert_eq!(rank_error(&answers, Some(&weights)), Ok(Some(0.5)));
        assert_eq!(ordered_accuracy(&answers, Some(&weights)), Ok(Some(0.5)));
        let expected = (0.64 + 0.09 + 0.36 + 0.49 + 0.0 + 0.0625) / 3.0;
        let found = ranked_probability(&answers, None).unwrap().unwrap();
        assert!((found - expected).abs() < 1e-12, "{found}");
    }
}
