//! Tails of the distributions that tests refer to.
//!
//! Each is a regularised incomplete gamma or beta function, written in the tail's own terms: one
//! minus the other side would lose the digits of small probabilities. What `statrs` computes is
//! within 1e-9 of SciPy on these terms up to a million degrees of freedom; its own tails of t and F
//! are not where the statistic is near 0, and its quantile of t is not used either.

use statrs::function::beta::beta_reg;
use statrs::function::erf::erfc;
use statrs::function::gamma::gamma_ur;

/// `P(|Z| >= |z|)` for a standard normal `Z`.
pub(super) fn normal_both(z: f64) -> f64 {
    erfc(z.abs() / std::f64::consts::SQRT_2).clamp(0.0, 1.0)
}

/// `P(X >= x)` for a chi-square of so many degrees of freedom.
pub(super) fn chi_square(x: f64, degrees_of_freedom: f64) -> f64 {
    if x <= 0.0 {
        1.0
    } else if x.is_infinite() {
        0.0
    } else {
        gamma_ur(degrees_of_freedom / 2.0, x / 2.0).clamp(0.0, 1.0)
    }
}

/// `P(|T| >= |t|)` for Student's t of so many degrees of freedom.
pub(super) fn student_both(t: f64, degrees_of_freedom: f64) -> f64 {
    fisher(t * t, 1.0, degrees_of_freedom)
}

/// `P(F >= f)` for Fisher's F of so many degrees of freedom above and below.
pub(super) fn fisher(f: f64, above: f64, below: f64) -> f64 {
    if f <= 0.0 {
        return 1.0;
    }
    if f.is_infinite() {
        return 0.0;
    }
    let (share, rest) = (below / (below + above * f), above * f / (below + above * f));
    // The smaller of the two is the one that has all its digits.
    let tail = if share <= rest {
        beta_reg(below / 2.0, above / 2.0, share)
    } else {
        1.0 - beta_reg(above / 2.0, below / 2.0, rest)
    };
    tail.clamp(0.0, 1.0)
}

/// The `t` above 0 with `P(|T| >= t)` equal to `probability`, which is above 0 and at most 1.
///
/// Bisection of what [`student_both`] gives, until neighbouring numbers are reached: as exact as
/// the tail is.
pub(super) fn student_both_quantile(probability: f64, degrees_of_freedom: f64) -> f64 {
    let exceeds = |t: f64| student_both(t, degrees_of_freedom) > probability;
    let mut high = 1.0;
    while exceeds(high) && high < f64::MAX / 2.0 {
        high *= 2.0;
    }
    let mut low = if high > 1.0 { high / 2.0 } else { 0.0 };
    loop {
        let middle = low + (high - low) / 2.0;
        if middle <= low || middle >= high {
            return high;
        }
        if exceeds(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn closed_forms_are_met() {
        // One degree of freedom is Cauchy's distribution, a chi-square of two the exponential.
        for t in [1e-9_f64, 0.01, 0.5, 1.0, 7.0, 1e4] {
            let cauchy = 2.0 / std::f64::consts::PI * (1.0 / t).atan();
            assert!((student_both(t, 1.0) / cauchy - 1.0).abs() < 1e-12, "{t}");
            assert!(
                (student_both_quantile(cauchy, 1.0) / t - 1.0).abs() < 1e-6,
                "{t}"
            );
            assert!((chi_square(t, 2.0) - (-t / 2.0).exp()).abs() < 1e-14, "{t}");
        }
    }

    #[test]
    fn ends_are_defined() {
        for end in [
            chi_square(0.0, 3.0),
            fisher(0.0, 2.0, 3.0),
            student_both(0.0, 4.0),
        ] {
            assert_eq!(end, 1.0);
        }
        let far = f64::INFINITY;
        for end in [
            chi_square(far, 3.0),
            fisher(far, 2.0, 3.0),
            student_both(far, 4.0),
        ] {
            assert_eq!(end, 0.0);
        }
        assert_eq!((normal_both(0.0), normal_both(far)), (1.0, 0.0));
        assert_eq!(student_both_quantile(1.0, 5.0), f64::from_bits(1));
    }
}
