//! The corrected resampled t-test: a t-test for scores of folds or repeats that share their rows.

use serde::Serialize;

use super::t_test::Differences;
use super::tails::{student_both, student_both_quantile};
use crate::error::Error;

/// What the corrected resampled t-test says.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct CorrectedT {
    /// The mean of first minus second score.
    pub mean_difference: f64,
    /// The corrected t; infinite if all differences are equal and not 0.
    pub t: f64,
    /// Degrees of freedom: one less than pairs.
    pub degrees_of_freedom: usize,
    /// The probability of a t at least as far from 0 on either side, were there no difference.
    pub p: f64,
    /// Test rows for each training row, by which the variance was corrected.
    pub test_to_train: f64,
    /// How confident the interval is.
    pub confidence: f64,
    /// The confidence interval of the mean difference: its lower and its upper end.
    pub interval: [f64; 2],
}

/// The corrected resampled t-test on the differences of paired scores, two-sided.
///
/// `t = m / ( s sqrt( 1/n + r ) )` with mean `m` and standard deviation `s` (n - 1) of the `n`
/// differences `a - b`, and `r` the number of test rows divided by that of training rows
/// ([`test_to_train`]); `p = 2 P(T >= |t|)` for `n - 1` degrees of freedom. Training sets of
/// different folds and repeats overlap, so that the differences are correlated; `r` estimates by
/// how much, where the plain test takes 0. The interval is `m -+ q s sqrt( 1/n + r )` with
/// `P(|T| >= q) = 1 - confidence`.
///
/// Where the differences do not vary the limits are taken: `t = 0, p = 1` if all are 0, `t`
/// infinite and `p = 0` if all are equal and not 0. Needs two pairs.
///
/// Reference: C. Nadeau, Y. Bengio, Inference for the generalization error, Machine Learning 52(3),
/// 2003, section 4; for repeated cross-validation R. Bouckaert, E. Frank, Evaluating the
/// replicability of significance tests for comparing learning algorithms, PAKDD 2004.
///
/// ```
/// use kinwood_evaluation::significance::{corrected_t_test, paired_t_test};
/// let (a, b) = ([0.9, 0.8, 0.7, 0.9], [0.8, 0.8, 0.6, 0.7]);
/// let corrected = corrected_t_test(&a, &b, 1.0 / 3.0, 0.95)?;
/// assert!(corrected.p > paired_t_test(&a, &b)?.p);
/// assert!(corrected.interval[0] < 0.1 && 0.1 < corrected.interval[1]);
/// # Ok::<(), kinwood_evaluation::Error>(())
/// ```
pub fn corrected_t_test(
    a: &[f64],
    b: &[f64],
    test_to_train: f64,
    confidence: f64,
) -> Result<CorrectedT, Error> {
    check_ratio(test_to_train)?;
    super::check_level(confidence)?;
    let Differences { moments, sd, scale } = Differences::of(a, b)?;
    let degrees_of_freedom = moments.count - 1;
    let error = sd * (1.0 / moments.count as f64 + test_to_train).sqrt();
    let (t, p) = if moments.mean == 0.0 {
        (0.0, 1.0)
    } else if error == 0.0 {
        (f64::INFINITY.copysign(moments.mean), 0.0)
    } else {
        let t = moments.mean / error;
        (t, student_both(t, degrees_of_freedom as f64))
    };
    let beside = if error == 0.0 {
        0.0
    } else {
        error * student_both_quantile(1.0 - confidence, degrees_of_freedom as f64)
    };
    // Differences near the limits of f64 have intervals that end at them.
    let end = |end: f64| (end * scale).clamp(f64::MIN, f64::MAX);
    Ok(CorrectedT {
        mean_difference: moments.mean * scale,
        t,
        degrees_of_freedom,
        p,
        test_to_train,
        confidence,
        interval: [end(moments.mean - beside), end(moments.mean + beside)],
    })
}

/// Test rows for each training row over splits, of each of which the numbers of training and of
/// test rows are given.
///
/// All test rows divided by all training rows: `1 / (k - 1)` for a cross-validation of `k` folds,
/// however the rows divide.
///
/// ```
/// use kinwood_evaluation::significance::test_to_train;
/// assert_eq!(test_to_train([(6, 4), (7, 3), (7, 3)])?, 0.5);
/// # Ok::<(), kinwood_evaluation::Error>(())
/// ```
pub fn test_to_train(sizes: impl IntoIterator<Item = (usize, usize)>) -> Result<f64, Error> {
    let (train, test) =
        sizes
            .into_iter()
            .fold((0.0, 0.0), |(train, test), (more_train, more_test)| {
                (train + more_train as f64, test + more_test as f64)
            });
    let ratio = test / train;
    check_ratio(ratio)?;
    Ok(ratio)
}

fn check_ratio(ratio: f64) -> Result<(), Error> {
    if ratio > 0.0 && ratio.is_finite() {
        Ok(())
    } else {
        Err(Error::TestToTrain { found: ratio })
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::SLEEP;
    use super::*;
    use crate::significance::paired_t_test;
    use proptest::prelude::*;

    #[test]
    fn the_correction_widens_the_error_by_the_ratio() {
        let plain = paired_t_test(&SLEEP.0, &SLEEP.1).unwrap();
        let corrected = corrected_t_test(&SLEEP.0, &SLEEP.1, 1.0 / 9.0, 0.95).unwrap();
        // sqrt( 1/10 ) against sqrt( 1/10 + 1/9 ).
        let wider = (1.0_f64 + 10.0 / 9.0).sqrt();
        assert!((plain.t / corrected.t - wider).abs() < 1e-12);
        assert_eq!(plain.mean_difference, corrected.mean_difference);
    }

    #[test]
    fn the_interval_ends_at_0_where_p_is_its_level() {
        let test = corrected_t_test(&SLEEP.0, &SLEEP.1, 0.25, 0.9).unwrap();
        let edge = corrected_t_test(&SLEEP.0, &SLEEP.1, 0.25, 1.0 - test.p).unwrap();
        assert!(edge.interval[1].abs() < 1e-9, "{edge:?}");
    }

    #[test]
    fn differences_that_do_not_vary_are_the_limits() {
        let same = corrected_t_test(&[0.5, 0.7], &[0.5, 0.7], 0.1, 0.95).unwrap();
        assert_eq!((same.t, same.p, same.interval), (0.0, 1.0, [0.0, 0.0]));
        let less = corrected_t_test(&[1.0, 2.0], &[2.0, 3.0], 0.1, 0.95).unwrap();
        assert_eq!((less.t, less.p), (f64::NEG_INFINITY, 0.0));
        assert_eq!(less.interval, [-1.0, -1.0]);
    }

    #[test]
    fn what_cannot_be_tested_is_refused() {
        let pair = [1.0, 2.0];
        for ratio in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            let error = corrected_t_test(&pair, &pair, ratio, 0.95).unwrap_err();
            assert!(matches!(error, Error::TestToTrain { .. }));
        }
        for level in [0.0, 1.0, f64::NAN] {
            let error = corrected_t_test(&pair, &pair, 0.1, level).unwrap_err();
            assert!(matches!(error, Error::LevelOutside { .. }));
        }
        assert!(corrected_t_test(&pair[..1], &pair[..1], 0.1, 0.95).is_err());
        assert!(corrected_t_test(&pair, &[f64::NAN, 1.0], 0.1, 0.95).is_err());
        for sizes in [vec![], vec![(0, 3)], vec![(3, 0)]] {
            assert!(test_to_train(sizes).is_err());
        }
        assert_eq!(test_to_train(vec![(9, 1); 10]), Ok(1.0 / 9.0));
    }

    kinwood_testing::soak! { 256;
        fn soak_swapping_turns_the_sign(
            pairs in prop::collection::vec((-1e3..1e3_f64, -1e3..1e3_f64), 2..30),
            ratio in 0.01..2.0_f64,
        ) {
            let (a, b): (Vec<f64>, Vec<f64>) = pairs.into_iter().unzip();
            let test = corrected_t_test(&a, &b, ratio, 0.95).unwrap();
            let swapped = corrected_t_test(&b, &a, ratio, 0.95).unwrap();
            prop_assert!((0.0..=1.0).contains(&test.p));
            prop_assert_eq!((test.t, test.p), (-swapped.t, swapped.p));
            prop_assert_eq!(test.interval, [-swapped.interval[1], -swapped.interval[0]]);
            prop_assert!(test.interval[0] <= test.mean_difference && test.mean_difference <= test.interval[1]);
        }
    }
}
