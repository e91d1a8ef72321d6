//! Measures of series. Rows whose truth is missing are left out; `weights` are those of all rows.

use kinwood_learning::target::{SERIES, Warping};

use super::answers::KindAnswers;
use super::entry::{Compute, Direction, Measure, MeasureEntry, Score};

/// The root of the mean squared difference of numbers at the same place.
pub const SERIES_RMSE: Measure = Measure::new(&MeasureEntry {
    key: "series_rmse",
    title: "RMSE of series",
    doc: "the root of the mean over rows and places of the squared difference of series; undefined \
          where a series has another length than what is predicted",
    formula: "sqrt( sum w mean over k (p(k) - y(k))^2 / W )",
    direction: Direction::LowerIsBetter,
    compute: Compute::Of(&SERIES, &series_rmse),
});

/// The mean distance by dynamic time warping.
pub const SERIES_DTW: Measure = Measure::new(&MeasureEntry {
    key: "series_dtw",
    title: "warping distance",
    doc: "the mean distance of series by dynamic time warping",
    formula: "sum w dtw(p, y) / W",
    direction: Direction::LowerIsBetter,
    compute: Compute::Of(&SERIES, &series_dtw),
});

/// The mean over rows of a number for each; `None` where one row has none.
fn mean(
    answers: &KindAnswers<'_>,
    weights: Option<&[f64]>,
    mut of: impl FnMut(&[f64], &[f64]) -> Option<f64>,
) -> Option<f64> {
    let (mut sum, mut total) = (0.0, 0.0);
    for (row, predicted) in answers.predicted.iter().enumerate() {
        if let Some(truth) = answers.truth.row(row) {
            let weight = weights.map_or(1.0, |weights| weights[row]);
            sum += weight * of(truth, predicted)?;
            total += weight;
        }
    }
    (total > 0.0).then(|| sum / total)
}

fn series_rmse(answers: &KindAnswers<'_>, weights: Option<&[f64]>) -> Score {
    let squared = |truth: &[f64], predicted: &[f64]| {
        let pairs = truth.iter().zip(predicted);
        let sum: f64 = pairs.map(|(a, b)| (a - b).powi(2)).sum();
        (truth.len() == predicted.len()).then(|| sum / truth.len().max(1) as f64)
    };
    Ok(mean(answers, weights, squared).map(f64::sqrt))
}

fn series_dtw(answers: &KindAnswers<'_>, weights: Option<&[f64]>) -> Score {
    let mut warping = Warping::default();
    let distance = |truth: &[f64], predicted: &[f64]| Some(warping.distance(truth, predicted));
    Ok(mean(answers, weights, distance))
}

#[cfg(test)]
mod tests {
    use kinwood_learning::target::{Series, TargetKind};

    use super::*;
    use crate::true_values::TrueValues;

    #[test]
    fn places_and_warping() {
        let kind = TargetKind::new(Series::Mean { length: 3 });
        let truth = TrueValues::new(kind, [Some([1.0, 2.0, 3.0]), Some([0.0, 0.0, 0.0])]);
        let predicted = [vec![1.0, 1.0, 2.0], vec![0.0, 3.0, 0.0]];
        let answers = KindAnswers {
            truth: &truth,
            predicted: &predicted,
        };
        let expected = ((2.0 / 3.0 + 3.0) / 2.0_f64).sqrt();
        assert_eq!(series_rmse(&answers, None), Ok(Some(expected)));
        // 1 1 2 warps to 1 2 3 but for the last step; a peak cannot be warped away.
        assert_eq!(series_dtw(&answers, None), Ok(Some(2.0)));
        let longer = [vec![1.0, 2.0, 3.0, 4.0], vec![0.0; 3]];
        let answers = KindAnswers {
            truth: &truth,
            predicted: &longer,
        };
        assert_eq!(series_rmse(&answers, None), Ok(None));
    }
}
