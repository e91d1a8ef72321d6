//! Measures for predicted classes.

use super::rows::{counted, same_length};
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn accuracy_by_hand() {
        let truth = [Some(0), Some(1), Some(2), None];
        assert_eq!(accuracy(&truth, &[0, 1, 1, 0], None), Ok(Some(2.0 / 3.0)));
        assert_eq!(accuracy(&[None], &[0], None), Ok(None));
        assert_eq!(accuracy(&[Some(1)], &[1], Some(&[0.0])), Ok(None));
        assert!(matches!(
            accuracy(&truth, &[0], None),
            Err(Error::Lengths { found: 1, .. })
        ));
    }

    #[test]
    fn weighted_extremes_are_exact() {
        let weights = [0.1; 7];
        assert_eq!(
            accuracy(&[Some(1); 7], &[1; 7], Some(&weights)),
            Ok(Some(1.0))
        );
        assert_eq!(
            accuracy(&[Some(1); 7], &[0; 7], Some(&weights)),
            Ok(Some(0.0))
        );
    }

    #[test]
    fn log_loss_by_hand() {
        let truth = [Some(0), Some(1), None];
        let probabilities = [0.5, 0.5, 0.75, 0.25, 1.0, 0.0];
        let value = log_loss(&truth, &probabilities, 2, Some(&[2.0, 1.0, 9.0]))
            .unwrap()
            .unwrap();
        assert!((value - 4.0 / 3.0 * 2.0_f64.ln()).abs() < 1e-15);
        assert_eq!(log_loss(&[Some(0)], &[1.0, 0.0], 2, None), Ok(Some(0.0)));
        assert_eq!(log_loss(&[None], &[0.5, 0.5], 2, None), Ok(None));
    }

    #[test]
    fn confident_errors_cost_the_logarithm_of_the_least_probability() {
        let value = log_loss(&[Some(1)], &[1.0, 0.0], 2, None).unwrap().unwrap();
        assert!((value - 34.538_776_394_910_684).abs() < 1e-12);
    }

    #[test]
    fn log_loss_refuses_what_is_no_distribution() {
        for bad in [-0.1, 1.1, f64::NAN] {
            let error = log_loss(&[Some(1)], &[0.5, bad], 2, None).unwrap_err();
            assert!(matches!(
                error,
                Error::Probability {
                    row: 0,
                    code: 1,
                    ..
                }
            ));
        }
        assert_eq!(
            log_loss(&[Some(2)], &[0.5, 0.5], 2, None),
            Err(Error::UnknownClass {
                row: 0,
                code: 2,
                classes: 2
            })
        );
        assert!(matches!(
            log_loss(&[Some(0)], &[0.5], 2, None),
            Err(Error::Lengths { .. })
        ));
    }

    proptest! {
        #[test]
        fn weights_equal_repetition(
            rows in prop::collection::vec(
                (prop::option::of(0..3_u32), 0..3_u32, 0.0..1.0_f64, 0..4_usize), 1..20),
        ) {
            let truth: Vec<_> = rows.iter().map(|row| row.0).collect();
            let predicted: Vec<_> = rows.iter().map(|row| row.1).collect();
            let spread = |p: f64| [p, (1.0 - p) / 2.0, (1.0 - p) / 2.0];
            let probabilities: Vec<f64> = rows.iter().flat_map(|row| spread(row.2)).collect();
            let weights: Vec<f64> = rows.iter().map(|row| row.3 as f64).collect();
            let copies: Vec<_> =
                rows.iter().flat_map(|row| std::iter::repeat_n(*row, row.3)).collect();
            let truths: Vec<_> = copies.iter().map(|row| row.0).collect();
            let predictions: Vec<_> = copies.iter().map(|row| row.1).collect();
            let spreads: Vec<f64> = copies.iter().flat_map(|row| spread(row.2)).collect();
            let pairs = [
                (
                    accuracy(&truth, &predicted, Some(&weights)).unwrap(),
                    accuracy(&truths, &predictions, None).unwrap(),
                ),
                (
                    log_loss(&truth, &probabilities, 3, Some(&weights)).unwrap(),
                    log_loss(&truths, &spreads, 3, None).unwrap(),
                ),
            ];
            for (weighted, repeated) in pairs {
                prop_assert_eq!(weighted.is_some(), repeated.is_some());
                prop_assert!((weighted.unwrap_or(0.0) - repeated.unwrap_or(0.0)).abs() < 1e-12);
            }
        }
    }
}
