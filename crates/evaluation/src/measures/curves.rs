//! What stands behind the measures of classes, for pages and tables: who is taken for whom, what a
//! threshold on a probability would find, and whether probabilities hold.
//!
//! Curves have one point per distinct probability; a page needs no more of them than the eye can
//! tell apart, so they can be thinned.

mod thin;

use serde::Serialize;

pub use super::confusion::{Confusion, confusion};
use super::probabilities::checked;
use super::rows::{Row, same_length};
use crate::error::Error;

/// How many bins of equal width the calibration error has.
pub const CALIBRATION_BINS: usize = 10;

/// A point of a receiver operating characteristic: what rows at or above a threshold are found, and
/// found wrongly.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct RocPoint {
    /// The least probability that counts as the class; none where no row does.
    pub threshold: Option<f64>,
    /// The share of the other rows that are said to be of the class.
    pub false_positive_rate: f64,
    /// The share of the rows of the class that are said to be.
    pub true_positive_rate: f64,
}

/// A point of a curve of precision and recall.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct PrecisionRecallPoint {
    /// The least probability that counts as the class.
    pub threshold: f64,
    /// The share of the rows of the class that are said to be.
    pub recall: f64,
    /// The share of the rows said to be of the class that are.
    pub precision: f64,
}

/// Rows whose probability is in one interval, and how often what it is the probability of is the
/// case.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Bin {
    /// The interval's lower end, which is in the bin below; 0 is in the first.
    pub from: f64,
    /// The interval's upper end, which is in the bin.
    pub to: f64,
    /// The mean probability of the rows.
    pub predicted: f64,
    /// The share of the rows where it is the case.
    pub observed: f64,
    /// The number of rows, or the sum of their weights relative to the largest of all.
    pub weight: f64,
}

/// The receiver operating characteristic of one class against the rest, by falling threshold on its
/// probability.
///
/// From (0, 0) to (1, 1). Rows of equal probability make one step, a straight line. The curve has
/// at most `most` points (2 at least): those left out are within 1e-3 of the lines between the
/// others, or as near as so few points allow. `None` where the class or all others do not occur.
/// `probabilities` has `classes` numbers for each row, row after row.
///
/// Reference: T. Fawcett, An introduction to ROC analysis, Pattern Recognition Letters 27, 2006,
/// algorithm 1.
///
/// ```
/// use kinwood_evaluation::measures::curves::roc;
/// let truth = [Some(0), Some(1), Some(0), Some(1)];
/// let probabilities = [0.9, 0.1, 0.6, 0.4, 0.3, 0.7, 0.2, 0.8];
/// let points = roc(&truth, &probabilities, 2, 1, None, 100)?.expect("both classes occur");
/// let rates = points.iter().map(|p| (p.false_positive_rate, p.true_positive_rate));
/// let rates: Vec<_> = rates.collect();
/// assert_eq!(rates, [(0.0, 0.0), (0.0, 0.5), (0.5, 0.5), (0.5, 1.0), (1.0, 1.0)]);
/// # Ok::<(), kinwood_evaluation::Error>(())
/// ```
pub fn roc(
    truth: &[Option<u32>],
    probabilities: &[f64],
    classes: usize,
    class: usize,
    weights: Option<&[f64]>,
    most: usize,
) -> Result<Option<Vec<RocPoint>>, Error> {
    let rows = checked(truth, probabilities, classes, weights)?;
    let steps = steps(&rows, probabilities, classes, class)?;
    let Some(last) = steps.last().copied() else {
        return Ok(None);
    };
    if last.right <= 0.0 || last.wrong <= 0.0 {
        return Ok(None);
    }
    let start = RocPoint {
        threshold: None,
        false_positive_rate: 0.0,
        true_positive_rate: 0.0,
    };
    let point = |step: &Step| RocPoint {
        threshold: Some(step.threshold),
        false_positive_rate: step.wrong / last.wrong,
        true_positive_rate: step.right / last.right,
    };
    let points: Vec<RocPoint> = std::iter::once(start)
        .chain(steps.iter().map(point))
        .collect();
    let place = |point: &RocPoint| (point.false_positive_rate, point.true_positive_rate);
    Ok(Some(thin::thinned(points, place, most)))
}

/// Precision and recall of one class against the rest, by falling threshold on its probability.
///
/// The first point has the highest probability as threshold, the last takes every row. Thinned like
/// [`roc`]. `None` where the class does not occur.
///
/// Reference: J. Davis, M. Goadrich, The relationship between precision-recall and ROC curves, ICML
/// 2006.
pub fn precision_recall(
    truth: &[Option<u32>],
    probabilities: &[f64],
    classes: usize,
    class: usize,
    weights: Option<&[f64]>,
    most: usize,
) -> Result<Option<Vec<PrecisionRecallPoint>>, Error> {
    let rows = checked(truth, probabilities, classes, weights)?;
    let steps = steps(&rows, probabilities, classes, class)?;
    let total = steps.last().map_or(0.0, |last| last.right);
    if total <= 0.0 {
        return Ok(None);
    }
    let point = |step: &Step| PrecisionRecallPoint {
        threshold: step.threshold,
        recall: step.right / total,
        precision: step.right / (step.right + step.wrong),
    };
    let points: Vec<PrecisionRecallPoint> = steps.iter().map(point).collect();
    let place = |point: &PrecisionRecallPoint| (point.recall, point.precision);
    Ok(Some(thin::thinned(points, place, most)))
}

/// Whether the probability of one class holds: the rows in bins of equal width by it, with the
/// share of each bin that is of the class.
///
/// Bins without rows are left out; a bin of no width cannot be, so that `bins` is 1 at least.
///
/// Reference: M. DeGroot, S. Fienberg, The comparison and evaluation of forecasters, The
/// Statistician 32, 1983 (reliability diagrams).
pub fn calibration(
    truth: &[Option<u32>],
    probabilities: &[f64],
    classes: usize,
    class: usize,
    bins: usize,
    weights: Option<&[f64]>,
) -> Result<Vec<Bin>, Error> {
    let rows = checked(truth, probabilities, classes, weights)?;
    known(class, classes)?;
    let sample = |row: &Row<u32>| {
        let p = probabilities[row.position * classes + class];
        (p, row.truth as usize == class, row.share)
    };
    Ok(binned(rows.iter().map(sample), bins))
}

/// Whether the probability of the predicted class holds: the rows in bins of equal width by it,
/// with the share of each bin that is right.
///
/// See [`calibration`]; this is what [`calibration_error`](super::class::calibration_error) sums
/// up.
pub fn confidence(
    truth: &[Option<u32>],
    predicted: &[u32],
    probabilities: &[f64],
    classes: usize,
    bins: usize,
    weights: Option<&[f64]>,
) -> Result<Vec<Bin>, Error> {
    same_length("predicted classes", predicted.len(), truth.len())?;
    let rows = checked(truth, probabilities, classes, weights)?;
    let samples: Vec<(f64, bool, f64)> = rows
        .iter()
        .map(|row| {
            let said = predicted[row.position];
            if said as usize >= classes {
                return Err(Error::UnknownClass {
                    row: row.position,
                    code: said,
                    classes,
                });
            }
            let p = probabilities[row.position * classes + said as usize];
            Ok((p, said == row.truth, row.share))
        })
        .collect::<Result<_, _>>()?;
    Ok(binned(samples.into_iter(), bins))
}

/// Samples of a probability, whether it was so, and a weight, in bins.
fn binned(samples: impl Iterator<Item = (f64, bool, f64)>, bins: usize) -> Vec<Bin> {
    let bins = bins.max(1);
    let mut sums = vec![(0.0, 0.0, 0.0); bins];
    for (p, so, weight) in samples {
        // Upper ends belong to their bins; what rounding puts above 1 is in the last.
        let place = ((p * bins as f64).ceil() as usize).clamp(1, bins) - 1;
        let (all, probability, observed) = &mut sums[place];
        *all += weight;
        *probability += weight * p;
        *observed += if so { weight } else { 0.0 };
    }
    let bin = |(place, (weight, probability, observed)): (usize, (f64, f64, f64))| Bin {
        from: place as f64 / bins as f64,
        to: (place + 1) as f64 / bins as f64,
        predicted: probability / weight,
        observed: observed / weight,
        weight,
    };
    let filled = sums.into_iter().enumerate().filter(|(_, sum)| sum.0 > 0.0);
    filled.map(bin).collect()
}

/// How much is found at or above a threshold.
#[derive(Clone, Copy)]
struct Step {
    threshold: f64,
    right: f64,
    wrong: f64,
}

/// One step per distinct probability of the class, the highest first, with everything found so far.
fn steps(
    rows: &[Row<u32>],
    probabilities: &[f64],
    classes: usize,
    class: usize,
) -> Result<Vec<Step>, Error> {
    known(class, classes)?;
    let mut order: Vec<(f64, bool, f64)> = rows
        .iter()
        .map(|row| {
            let p = probabilities[row.position * classes + class];
            (p, row.truth as usize == class, row.share)
        })
        .collect();
    // A stable sort keeps rows in their order, hence the sums the same.
    order.sort_by(|a, b| b.0.total_cmp(&a.0));
    let (mut right, mut wrong) = (0.0, 0.0);
    let steps = order.chunk_by(|a, b| a.0 == b.0).map(|equal| {
        for &(_, is, weight) in equal {
            *if is { &mut right } else { &mut wrong } += weight;
        }
        Step {
            threshold: equal[0].0,
            right,
            wrong,
        }
    });
    Ok(steps.collect())
}

fn known(class: usize, classes: usize) -> Result<(), Error> {
    if class < classes {
        Ok(())
    } else {
        Err(Error::NoSuchClass { class, classes })
    }
}

#[cfg(test)]
mod tests;
