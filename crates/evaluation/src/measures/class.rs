//! Measures for predicted classes, and for the probabilities given to them.

mod auc;
#[cfg(test)]
mod tests;

pub use auc::auc;

use super::confusion::Tally;
use super::curves::{CALIBRATION_BINS, confidence};
use super::probabilities::checked;
use super::rows::{counted, relative, same_length};
use crate::error::Error;

/// The least probability the log loss knows: without it one confident error would be infinite.
pub const LEAST_PROBABILITY: f64 = 1e-15;

/// Accuracy: the share of rows whose class is predicted correctly.
///
/// `sum w [p = y] / sum w`, from 0 to 1; none if no row counts.
///
/// ```
/// use kinwood_evaluation::measures::class::accuracy;
/// let truth = [Some(0), Some(1), None, Some(1)];
/// assert_eq!(accuracy(&truth, &[0, 1, 1, 0], Some(&[1.0, 2.0, 5.0, 1.0]))?, Some(0.75));
/// # Ok::<(), kinwood_evaluation::Error>(())
/// ```
pub fn accuracy(
    truth: &[Option<u32>],
    predicted: &[u32],
    weights: Option<&[f64]>,
) -> Result<Option<f64>, Error> {
    same_length("predicted classes", predicted.len(), truth.len())?;
    if weights.is_none() {
        // Counting gives the fraction itself; the sum of rounded shares would only be near it.
        let rows = truth.iter().flatten().count();
        let hits = truth
            .iter()
            .zip(predicted)
            .filter(|(truth, p)| **truth == Some(**p))
            .count();
        return Ok((rows > 0).then(|| hits as f64 / rows as f64));
    }
    let rows = counted(truth, weights)?;
    if rows.is_empty() {
        return Ok(None);
    }
    let correct = |position: usize, truth| predicted[position] == truth;
    let (mut right, mut wrong) = (0.0, 0.0);
    for row in rows {
        *if correct(row.position, row.truth) {
            &mut right
        } else {
            &mut wrong
        } += row.share;
    }
    // Relative to both sums, all right is exactly 1 and all wrong exactly 0.
    Ok(Some(right / (right + wrong)))
}

/// Balanced accuracy: the mean over classes that occur of the share of their rows that is predicted
/// correctly.
///
/// `mean over c of sum w [p = c, y = c] / sum w [y = c]`, from 0 to 1; none if no row counts. A
/// class that does not occur in the truth of the rows measured has no recall and is left out.
///
/// Reference: K. Brodersen, C. S. Ong, K. Stephan, J. Buhmann, The balanced accuracy and its
/// posterior distribution, ICPR 2010.
///
/// ```
/// use kinwood_evaluation::measures::class::balanced_accuracy;
/// let truth = [Some(0), Some(0), Some(0), Some(1)];
/// assert_eq!(balanced_accuracy(&truth, &[0, 0, 0, 0], 2, None)?, Some(0.5));
/// # Ok::<(), kinwood_evaluation::Error>(())
/// ```
pub fn balanced_accuracy(
    truth: &[Option<u32>],
    predicted: &[u32],
    classes: usize,
    weights: Option<&[f64]>,
) -> Result<Option<f64>, Error> {
    mean_over_classes(truth, predicted, classes, weights, Tally::recall)
}

/// Macro-averaged F1: the mean over classes that are true or predicted in any row of the harmonic
/// mean of precision and recall.
///
/// `mean over c of 2 TP(c) / (2 TP(c) + FP(c) + FN(c))`, from 0 to 1; none if no row counts.
///
/// Reference: D. Lewis, Evaluating text categorization, Workshop on Speech and Natural Language,
/// 1991 (macro-averages).
pub fn f1(
    truth: &[Option<u32>],
    predicted: &[u32],
    classes: usize,
    weights: Option<&[f64]>,
) -> Result<Option<f64>, Error> {
    mean_over_classes(truth, predicted, classes, weights, Tally::f1)
}

fn mean_over_classes(
    truth: &[Option<u32>],
    predicted: &[u32],
    classes: usize,
    weights: Option<&[f64]>,
    figure: impl Fn(Tally) -> Option<f64>,
) -> Result<Option<f64>, Error> {
    same_length("predicted classes", predicted.len(), truth.len())?;
    let tallies = Tally::of(&relative(truth, weights)?, predicted, classes)?;
    let defined: Vec<f64> = tallies.into_iter().filter_map(figure).collect();
    Ok((!defined.is_empty()).then(|| defined.iter().sum::<f64>() / defined.len() as f64))
}

/// Brier score: the squared difference of the probabilities and the truth, summed over classes.
///
/// `sum w sum over c (p(c) - [y = c])^2 / sum w`, from 0 to 2 as first published: twice the score
/// that looks at one of two classes only. None if no row counts. `probabilities` has `classes`
/// numbers for each row, row after row.
///
/// Reference: G. Brier, Verification of forecasts expressed in terms of probability, Monthly
/// Weather Review 78(1), 1950, equation 2.
pub fn brier(
    truth: &[Option<u32>],
    probabilities: &[f64],
    classes: usize,
    weights: Option<&[f64]>,
) -> Result<Option<f64>, Error> {
    let rows = checked(truth, probabilities, classes, weights)?;
    let (mut sum, mut weight) = (0.0, 0.0);
    for row in &rows {
        let own = &probabilities[row.position * classes..(row.position + 1) * classes];
        let square = |(class, p): (usize, &f64)| {
            (p - f64::from(u8::from(class == row.truth as usize))).powi(2)
        };
        sum += row.share * own.iter().enumerate().map(square).sum::<f64>();
        weight += row.share;
    }
    Ok((!rows.is_empty()).then(|| sum / weight))
}

/// Expected calibration error: how far the probability of the predicted class is from the share of
/// rows where it is right.
///
/// `sum over bins of W(b) / W |right(b) - p(b)|` over ten bins `((b - 1) / 10, b / 10]` of the
/// predicted class' probability, with the weight `W(b)`, the share of right predictions and the
/// mean probability of the rows of a bin; from 0 to 1; none if no row counts. Few rows in a bin
/// differ from their probability by chance: a small test fold has an error above 0 however good the
/// probabilities are, and that of all folds together says more.
///
/// Reference: M. P. Naeini, G. Cooper, M. Hauskrecht, Obtaining well calibrated probabilities using
/// Bayesian binning, AAAI 2015; of the predicted class: C. Guo, G. Pleiss, Y. Sun, K. Weinberger,
/// On calibration of modern neural networks, ICML 2017, equation 3.
pub fn calibration_error(
    truth: &[Option<u32>],
    predicted: &[u32],
    probabilities: &[f64],
    classes: usize,
    weights: Option<&[f64]>,
) -> Result<Option<f64>, Error> {
    let bins = confidence(
        truth,
        predicted,
        probabilities,
        classes,
        CALIBRATION_BINS,
        weights,
    )?;
    let weight: f64 = bins.iter().map(|bin| bin.weight).sum();
    let apart: f64 = bins
        .iter()
        .map(|bin| bin.weight / weight * (bin.observed - bin.predicted).abs())
        .sum();
    Ok((!bins.is_empty()).then_some(apart))
}

/// Log loss: the mean negative natural logarithm of the probability given to the true class.
///
/// `- sum w ln max(p(y), 1e-15) / sum w`, at least 0; none if no row counts. A probability below
/// [`LEAST_PROBABILITY`] is taken as that; distributions are not rescaled to sum to 1.
/// `probabilities` has `classes` numbers for each row, row after row.
///
/// Reference: I. J. Good, Rational decisions, Journal of the Royal Statistical Society B 14(1),
/// 1952 (the logarithmic score).
pub fn log_loss(
    truth: &[Option<u32>],
    probabilities: &[f64],
    classes: usize,
    weights: Option<&[f64]>,
) -> Result<Option<f64>, Error> {
    let expected = truth.len().saturating_mul(classes);
    same_length("probabilities", probabilities.len(), expected)?;
    let rows = counted(truth, weights)?;
    let mut loss = 0.0;
    for row in &rows {
        let (position, code) = (row.position, row.truth);
        if code as usize >= classes {
            return Err(Error::UnknownClass {
                row: position,
                code,
                classes,
            });
        }
        let found = probabilities[position * classes + code as usize];
        // Averages of distributions may exceed 1 by rounding.
        if !(0.0..=1.0 + 1e-9).contains(&found) {
            return Err(Error::Probability {
                row: position,
                code,
                found,
            });
        }
        loss -= row.share * found.clamp(LEAST_PROBABILITY, 1.0).ln();
    }
    Ok((!rows.is_empty()).then_some(loss))
}
