//! The studentized range: how far apart the largest and the smallest of several normal numbers lie,
//! in standard deviations.

use statrs::function::erf::erfc;
use statrs::function::gamma::ln_gamma;

use crate::error::Error;

/// The distribution of the range of `k` independent normal numbers divided by an independent
/// estimate of their standard deviation.
///
/// With the standard deviation known (degrees of freedom infinite), `phi` the normal density and
/// `Q` its upper tail:
///
/// `P(R > q) = k integral phi(z) ( Q(z)^(k-1) - (Q(z) - Q(z + q))^(k-1) ) dz`
///
/// and with an estimate of `v` degrees of freedom the mean of `P(R > q s)` over
/// `s = chi_v / sqrt v`. Both integrals are sums over equidistant points, `z` itself and `log s`,
/// which for such integrands converge faster than any power of the distance. All terms are
/// positive, so that small probabilities keep their digits. Within 1e-9 of SciPy's
/// `studentized_range`.
///
/// Reference: J. Tukey, The problem of multiple comparisons, 1953; H. Harter, Tables of range and
/// studentized range, Annals of Mathematical Statistics 31(4), 1960; L. Trefethen, J. Weideman, The
/// exponentially convergent trapezoidal rule, SIAM Review 56(3), 2014.
///
/// ```
/// use kinwood_evaluation::significance::StudentizedRange;
/// let range = StudentizedRange::new(4, f64::INFINITY)?;
/// // Demsar 2006, table 5: 2.569 for four learners at 0.05.
/// assert!((range.upper_quantile(0.05)? / 2.0_f64.sqrt() - 2.569).abs() < 1e-3);
/// # Ok::<(), kinwood_evaluation::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StudentizedRange {
    k: f64,
    degrees_of_freedom: f64,
    /// The distance of points of `z`.
    step: f64,
}

/// Beyond so many standard deviations the normal density is below 1e-20.
const FAR: f64 = 9.5;
/// Ranges beyond this have a probability of about `k^2 exp( -q^2 / 4 )`, which no number can tell
/// from 0.
const NEVER: f64 = 60.0;
/// Sums stop at terms below this share of a whole.
const NEGLIGIBLE: f64 = 1e-18;

impl StudentizedRange {
    /// Of `k` numbers, with the degrees of freedom of the estimated standard deviation, which may
    /// be infinite.
    ///
    /// At least 2 and at most 10,000 numbers, at least 1 degree of freedom.
    pub fn new(k: usize, degrees_of_freedom: f64) -> Result<Self, Error> {
        if !(2..=10_000).contains(&k) {
            return Err(Error::StudentizedRange {
                what: "number of samples",
                found: k as f64,
                expected: "2 to 10000",
            });
        }
        if degrees_of_freedom.is_nan() || degrees_of_freedom < 1.0 {
            return Err(Error::StudentizedRange {
                what: "degrees of freedom",
                found: degrees_of_freedom,
                expected: "a number of at least 1",
            });
        }
        // The error of the sum is about exp( -2 pi^2 / (k step^2) ): e^-40 for this step.
        let widest = (2.0 * std::f64::consts::PI.powi(2) / (40.0 * k as f64)).sqrt();
        Ok(Self {
            k: k as f64,
            degrees_of_freedom,
            step: widest.min(0.125),
        })
    }

    /// `P(R > q)`.
    pub fn upper(&self, q: f64) -> Result<f64, Error> {
        if q.is_nan() {
            return Err(Error::StudentizedRange {
                what: "range",
                found: q,
                expected: "a number",
            });
        }
        if q <= 0.0 {
            return Ok(1.0);
        }
        let p = if self.degrees_of_freedom.is_infinite() {
            self.upper_of_known(q)
        } else {
            self.upper_of_estimated(q)
        };
        Ok(p.clamp(0.0, 1.0))
    }

    /// The `q` with `P(R > q) = level`.
    pub fn upper_quantile(&self, level: f64) -> Result<f64, Error> {
        super::check_level(level)?;
        let (mut low, mut high) = (0.0, 4.0);
        while self.upper(high)? > level && high < 1e150 {
            (low, high) = (high, high * 2.0);
        }
        // False position on the logarithm of the tail, halving the weight of an end that stays (the
        // Illinois rule): a dozen tails instead of the fifty of bisection.
        let height = |q: f64| -> Result<f64, Error> {
            Ok(self.upper(q)?.max(f64::MIN_POSITIVE).ln() - level.ln())
        };
        let (mut above, mut below) = (height(low)?, height(high)?);
        let mut last = low;
        for _ in 0..200 {
            let next = (low * below - high * above) / (below - above);
            let here = height(next)?;
            if here == 0.0 || (next - last).abs() <= 1e-14 * next {
                return Ok(next);
            }
            last = next;
            if here > 0.0 {
                (low, above, below) = (next, here, below / 2.0);
            } else {
                (high, below, above) = (next, here, above / 2.0);
            }
        }
        Ok(last)
    }

    /// `P(R > q)` where the standard deviation is known.
    fn upper_of_known(&self, q: f64) -> f64 {
        if q > NEVER {
            return 0.0;
        }
        let others = self.k - 1.0;
        let term = |z: f64| {
            let (from, to) = (upper_tail(z), upper_tail(z + q));
            // Q(z)^(k-1) (1 - (1 - Q(z+q) / Q(z))^(k-1)), without the difference of near equals.
            let missing = -(others * (-to / from).ln_1p()).exp_m1();
            (-z * z / 2.0 + others * from.ln()).exp() * missing
        };
        let density = self.k * self.step / std::f64::consts::TAU.sqrt();
        // The largest term of a far range is at -q/2, where both ends share the distance.
        let first = ((-q / 2.0 - FAR) / self.step).floor() as i64;
        let last = (FAR / self.step).ceil() as i64;
        let points = (first..=last).map(|point| term(point as f64 * self.step));
        density * points.sum::<f64>()
    }

    /// `P(R > q)` where the standard deviation is estimated: the mean over the estimates.
    fn upper_of_estimated(&self, q: f64) -> f64 {
        let v = self.degrees_of_freedom;
        // The density of log s: c exp( v u - v e^(2u) / 2 ), largest at u = 0.
        let constant =
            (2.0_f64.ln() + v / 2.0 * (v / 2.0).ln() - ln_gamma(v / 2.0) - v / 2.0).exp();
        let weight = |u: f64| (v * (u - (2.0 * u).exp_m1() / 2.0)).exp();
        let step = (0.4 / v.sqrt()).min(0.1);
        let mut sum = 0.0;
        for (side, start) in [(1.0, 0), (-1.0, 1)] {
            for point in start.. {
                let u = side * f64::from(point) * step;
                let weight = weight(u);
                if weight < NEGLIGIBLE {
                    break;
                }
                sum += weight * self.upper_of_known(q * u.exp());
            }
        }
        constant * step * sum
    }
}

fn upper_tail(z: f64) -> f64 {
    erfc(z / std::f64::consts::SQRT_2) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two numbers differ by a normal number of twice the variance. The sum is exact to 1e-13; the
    /// error function of `statrs`, which both sides use at different places, is exact to 1e-10
    /// only.
    #[test]
    fn two_are_normal() {
        let range = StudentizedRange::new(2, f64::INFINITY).unwrap();
        for q in [1e-6, 0.1, 1.0, 2.0, 2.77, 5.0, 10.0, 20.0, 40.0] {
            let expected = erfc(q / 2.0);
            let off = range.upper(q).unwrap() / expected - 1.0;
            assert!(off.abs() < 2e-10, "{q}: {off}");
        }
    }

    /// And with an estimate of one degree of freedom by Cauchy's distribution.
    #[test]
    fn two_with_one_degree_of_freedom_are_cauchy() {
        let range = StudentizedRange::new(2, 1.0).unwrap();
        for q in [0.01_f64, 1.0, 10.0, 1e4] {
            let expected = 2.0 / std::f64::consts::PI * (2.0_f64.sqrt() / q).atan();
            assert!(
                (range.upper(q).unwrap() / expected - 1.0).abs() < 1e-10,
                "{q}"
            );
        }
    }

    #[test]
    fn many_degrees_of_freedom_are_as_good_as_infinite() {
        for k in [2, 7, 30] {
            let tail = |v| StudentizedRange::new(k, v).unwrap().upper(3.5).unwrap();
            assert!((tail(1e6) - tail(f64::INFINITY)).abs() < 1e-5);
        }
    }

    #[test]
    fn quantiles_turn_tails_around() {
        for k in [2, 3, 10, 50, 1000] {
            let range = StudentizedRange::new(k, f64::INFINITY).unwrap();
            for level in [1e-12, 0.001, 0.05, 0.1, 0.5, 0.9, 0.999] {
                let q = range.upper_quantile(level).unwrap();
                let back = range.upper(q).unwrap();
                assert!((back / level - 1.0).abs() < 1e-10, "{k} {level} {q} {back}");
            }
        }
        let range = StudentizedRange::new(3, 4.0).unwrap();
        let q = range.upper_quantile(0.01).unwrap();
        assert!((range.upper(q).unwrap() - 0.01).abs() < 1e-12);
    }

    #[test]
    fn ends_are_defined_and_the_rest_is_refused() {
        let range = StudentizedRange::new(3, f64::INFINITY).unwrap();
        assert_eq!(range.upper(0.0), Ok(1.0));
        assert_eq!(range.upper(-1.0), Ok(1.0));
        assert_eq!(range.upper(f64::INFINITY), Ok(0.0));
        assert!(range.upper(f64::NAN).is_err());
        assert!(range.upper_quantile(0.0).is_err());
        assert!(StudentizedRange::new(1, 3.0).is_err());
        assert!(StudentizedRange::new(10_001, 3.0).is_err());
        for v in [0.0, -1.0, f64::NAN] {
            assert!(StudentizedRange::new(3, v).is_err());
        }
    }
}
