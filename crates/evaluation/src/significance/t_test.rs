//! Student's t-test on paired scores.

use serde::Serialize;

use super::check_pairs;
use super::tails::student_both;
use crate::error::Error;
use crate::summary::Moments;

/// What the paired t-test says.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct TTest {
    /// The mean of first minus second score.
    pub mean_difference: f64,
    /// Student's t; infinite if all differences are equal and not 0.
    pub t: f64,
    /// Degrees of freedom: one less than pairs.
    pub degrees_of_freedom: usize,
    /// The probability of a t at least as far from 0 on either side, were there no difference.
    pub p: f64,
}

/// Student's t-test on the differences of paired scores, two-sided.
///
/// `t = m / (s / sqrt n)` with mean `m` and standard deviation `s` (n - 1) of the `n` differences
/// `a - b`; `p = 2 P(T >= |t|)` for `n - 1` degrees of freedom. Where the differences do not vary
/// the limits are taken: `t = 0, p = 1` if all are 0, `t` infinite and `p = 0` if all are equal
/// and not 0. Needs two pairs.
///
/// Reference: Student, The probable error of a mean, Biometrika 6(1), 1908 (whose sleep
/// data are in the tests).
///
/// ```
/// use kinwood_evaluation::significance::paired_t_test;
/// let test = paired_t_test(&[0.9, 0.8, 0.7], &[0.8, 0.8, 0.6])?;
/// assert!((test.t - 2.0).abs() < 1e-9 && test.p > 0.05);
/// # Ok::<(), kinwood_evaluation::Error>(())
/// ```
pub fn paired_t_test(a: &[f64], b: &[f64]) -> Result<TTest, Error> {
    let Differences { moments, sd, scale } = Differences::of(a, b)?;
    let degrees_of_freedom = moments.count - 1;
    let (t, p) = if moments.mean == 0.0 {
        (0.0, 1.0)
    } else if sd == 0.0 {
        (f64::INFINITY.copysign(moments.mean), 0.0)
    } else {
        let t = moments.mean / (sd / (moments.count as f64).sqrt());
        (t, student_both(t, degrees_of_freedom as f64))
    };
    Ok(TTest {
        mean_difference: moments.mean * scale,
        t,
        degrees_of_freedom,
        p,
    })
}

/// The differences of paired scores, condensed.
pub(super) struct Differences {
    /// Of the differences divided by `scale`.
    pub(super) moments: Moments,
    /// The standard deviation of the same.
    pub(super) sd: f64,
    /// A power of two near the largest: dividing by it changes t in no digit, and keeps squares
    /// within f64.
    pub(super) scale: f64,
}

impl Differences {
    /// Of two or more pairs of finite scores.
    pub(super) fn of(a: &[f64], b: &[f64]) -> Result<Differences, Error> {
        check_pairs(a, b)?;
        let differences: Vec<f64> = a.iter().zip(b).map(|(a, b)| a - b).collect();
        let infinite = |difference: &f64| !difference.is_finite();
        if let Some(row) = differences.iter().position(infinite) {
            return Err(Error::NotFinite {
                what: "difference",
                row,
                found: differences[row],
            });
        }
        let sizes = differences.iter().copied().map(f64::abs);
        let scale = power_of_two_near(sizes.fold(0.0, f64::max));
        let scaled: Vec<f64> = differences
            .iter()
            .map(|difference| difference / scale)
            .collect();
        let Some((moments, sd)) = Moments::of(&scaled).and_then(|m| Some((m, m.sd()?))) else {
            return Err(Error::TooFewPairs {
                found: a.len(),
                expected: 2,
            });
        };
        Ok(Differences { moments, sd, scale })
    }
}

/// The power of two with the exponent of `number`, within the range whose inverse is finite.
fn power_of_two_near(number: f64) -> f64 {
    if number == 0.0 {
        1.0
    } else {
        number.log2().floor().clamp(-1000.0, 1000.0).exp2()
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{ACCURACIES, MAIZE, SLEEP, tied, untied};
    use super::*;

    /// t, degrees of freedom and p as recorded from `scipy.stats.ttest_rel` (SciPy 1.17.1).
    #[test]
    fn agrees_with_scipy() {
        let check = |a: &[f64], b: &[f64], t: f64, degrees_of_freedom: usize, p: f64| {
            let test = paired_t_test(a, b).unwrap();
            assert!((test.t / t - 1.0).abs() < 1e-9, "{test:?}");
            assert!((test.p / p - 1.0).abs() < 1e-9, "{test:?}");
            assert_eq!(test.degrees_of_freedom, degrees_of_freedom);
        };
        check(
            &SLEEP.0,
            &SLEEP.1,
            -4.062127683382037,
            9,
            0.002832890197384273,
        );
        check(
            &MAIZE,
            &[0.0; 15],
            2.14798746133112,
            14,
            0.049702944021800866,
        );
        check(
            &ACCURACIES.0,
            &ACCURACIES.1,
            2.806243040080459,
            7,
            0.02628739236991861,
        );
        check(
            &[1.0, 2.5],
            &[0.5, 0.25],
            1.5714285714285714,
            1,
            0.36079102545387215,
        );
        let close = [1.1, 1.8, 3.15, 3.95, 5.01];
        check(
            &[1.0, 2.0, 3.0, 4.0, 5.0],
            &close,
            -0.0326424585658826,
            4,
            0.9755235891687921,
        );
        let far = [1.0, 2.1, 2.9, 4.05, 5.0, 6.4];
        let (t, p) = (275.46430697203715, 1.1965087362701645e-11);
        check(&[10.0, 11.0, 12.0, 13.0, 14.0, 15.5], &far, t, 5, p);
        let (a, b) = untied(60);
        check(&a, &b, 0.4375215266079, 59, 0.6633306263776346);
        let (a, b) = tied();
        check(&a, &b, 2.851531447892223, 119, 0.005131017384140715);
    }

    #[test]
    fn differences_that_do_not_vary_are_the_limits() {
        let same = paired_t_test(&[0.5, 0.7, 0.1], &[0.5, 0.7, 0.1]).unwrap();
        assert_eq!((same.mean_difference, same.t, same.p), (0.0, 0.0, 1.0));
        let less = paired_t_test(&[1.0, 2.0, 3.0], &[2.0, 3.0, 4.0]).unwrap();
        assert_eq!(
            (less.mean_difference, less.t, less.p),
            (-1.0, f64::NEG_INFINITY, 0.0)
        );
    }

    #[test]
    fn size_of_the_unit_does_not_matter() {
        let test = paired_t_test(&SLEEP.0, &SLEEP.1).unwrap();
        for unit in [2.0_f64.powi(-900), 2.0_f64.powi(900)] {
            let scaled = |scores: &[f64]| scores.iter().map(|s| s * unit).collect::<Vec<f64>>();
            let other = paired_t_test(&scaled(&SLEEP.0), &scaled(&SLEEP.1)).unwrap();
            assert_eq!((other.t, other.p), (test.t, test.p));
            assert_eq!(other.mean_difference, test.mean_difference * unit);
        }
    }

    #[test]
    fn what_cannot_be_tested_is_refused() {
        for pairs in [0, 1] {
            let error = paired_t_test(&[1.0][..pairs], &[2.0][..pairs]).unwrap_err();
            assert_eq!(
                error,
                Error::TooFewPairs {
                    found: pairs,
                    expected: 2
                }
            );
        }
        assert!(matches!(
            paired_t_test(&[1.0, 2.0], &[1.0]),
            Err(Error::Lengths { .. })
        ));
        let error = paired_t_test(&[1.0, 2.0], &[1.0, f64::INFINITY]).unwrap_err();
        assert_eq!(
            error.to_string(),
            "row 1 has second score inf, expected a finite number"
        );
        let error = paired_t_test(&[0.0, f64::MAX], &[0.0, -f64::MAX]).unwrap_err();
        assert_eq!(
            error.to_string(),
            "row 1 has difference inf, expected a finite number"
        );
    }
}
