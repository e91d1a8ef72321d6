//! Dynamic time warping: how far two series are apart where either may stand still while the other
//! goes on.

use super::elastic::rules::Squares;
use super::elastic::{Backward, Elastic, Onward, Ways};

/// The dynamic time warping distance of two series: the root of the least sum of squared
/// differences over all ways to go through both, from the first numbers to the last, a step in one
/// or in both at a time. An empty series is compared as zeros.
///
/// ```
/// # use kinwood_similarity::algorithms::warping::Warping;
/// let mut warping = Warping::default();
/// assert_eq!(warping.distance(&[1.0, 2.0, 3.0], &[1.0, 1.0, 2.0, 2.0, 3.0]), 0.0);
/// assert_eq!(warping.distance(&[0.0, 0.0], &[3.0, 4.0]), 5.0);
/// ```
///
/// Cost: `|a| * |b|`, memory linear. Reference: H. Sakoe and S. Chiba, Dynamic programming
/// algorithm optimization for spoken word recognition, IEEE Transactions on Acoustics, Speech and
/// Signal Processing 26, 1978; without its window and slope weights.
#[derive(Clone, Debug, Default)]
pub struct Warping {
    elastic: Elastic,
}

impl Warping {
    /// The distance of two series.
    pub fn distance(&mut self, a: &[f64], b: &[f64]) -> f64 {
        if a.is_empty() || b.is_empty() {
            return beside_nothing(a.iter().chain(b).copied());
        }
        let ways = Ways {
            first: &Onward::new(a),
            second: &Backward::new(b),
            window: None,
            limit: f64::INFINITY,
        };
        self.elastic.least(Squares, ways).sqrt()
    }
}

/// The distance of a series from the empty one, which is compared as zeros.
pub(crate) fn beside_nothing(numbers: impl Iterator<Item = f64>) -> f64 {
    numbers.map(|number| number * number).sum::<f64>().sqrt()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    kinwood_testing::soak! { 256;
        fn soak_warping_never_puts_series_further_apart(pairs in prop::collection::vec((-8i8..8, -8i8..8), 1..9)) {
            let a: Vec<f64> = pairs.iter().map(|pair| f64::from(pair.0)).collect();
            let b: Vec<f64> = pairs.iter().map(|pair| f64::from(pair.1)).collect();
            let squares: f64 = a.iter().zip(&b).map(|(a, b)| (a - b).powi(2)).sum();
            let found = Warping::default().distance(&a, &b);
            prop_assert!(found <= squares.sqrt() + 1e-12);
            prop_assert_eq!(found, Warping::default().distance(&b, &a));
        }
    }

    #[test]
    fn an_empty_series_is_zeros() {
        assert_eq!(Warping::default().distance(&[], &[3.0, 4.0]), 5.0);
        assert_eq!(Warping::default().distance(&[], &[]), 0.0);
    }
}
