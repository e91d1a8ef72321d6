//! How often intervals and sets of classes hold the truth, and how wide they are.
//!
//! They stand behind the measures of predictions where a model was fitted to say them: `coverage`,
//! and `width`, the mean difference of their ends or number of their classes.

use kinwood_learning::Predictions;

use super::Fold;
use crate::splits::Split;
use crate::truth::Truth;

/// The share of rows whose truth is held, and the mean width; `None` without rows.
#[derive(Clone, Copy, Default)]
struct Sums {
    rows: f64,
    held: f64,
    width: f64,
}

impl Sums {
    fn scores(self) -> [Option<f64>; 2] {
        match self.rows > 0.0 {
            true => [
                Some(self.held / self.rows),
                Some(self.width / self.rows).filter(|width| width.is_finite()),
            ],
            false => [None, None],
        }
    }
}

/// Adds coverage and width of the targets that have ranges in all folds.
pub(super) fn add(
    truths: &[Truth],
    splits: &[Split],
    predictions: &[Predictions],
    measures: &mut Vec<String>,
    folds: &mut [Fold],
    pooled: &mut Vec<Option<f64>>,
) {
    for (place, truth) in truths.iter().enumerate() {
        let mut all = Sums::default();
        let of_fold = |split: &Split, predicted: &Predictions| -> Option<Sums> {
            let ranges = predicted.targets.get(place)?.output.ranges()?;
            let mut sums = Sums::default();
            for (at, &row) in split.test.iter().enumerate() {
                let Some(known) = truth.values.row(row as usize) else {
                    continue;
                };
                sums.rows += 1.0;
                sums.held += f64::from(u8::from(ranges.has(at, known)));
                sums.width += ranges.size(at);
            }
            Some(sums)
        };
        let each = splits.iter().zip(predictions);
        let each: Option<Vec<Sums>> = each
            .map(|(split, predicted)| of_fold(split, predicted))
            .collect();
        let Some(each) = each.filter(|each| !each.is_empty()) else {
            continue;
        };
        let name = |measure: &str| match truths.len() {
            1 => measure.to_owned(),
            _ => format!("{measure}({})", truth.name),
        };
        measures.extend([name("coverage"), name("width")]);
        for (fold, own) in folds.iter_mut().zip(&each) {
            fold.scores.extend(own.scores());
            all.rows += own.rows;
            all.held += own.held;
            all.width += own.width;
        }
        pooled.extend(all.scores());
    }
}
