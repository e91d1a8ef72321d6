//! Dynamic time warping: how far two series are apart where either may stand still while the other
//! goes on.

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
    row: Vec<f64>,
}

impl Warping {
    /// The distance of two series.
    pub fn distance(&mut self, a: &[f64], b: &[f64]) -> f64 {
        if a.is_empty() || b.is_empty() {
            let squares = a.iter().chain(b).map(|number| number * number);
            return squares.sum::<f64>().sqrt();
        }
        // The row before the first is infinite but where both begin.
        self.row.clear();
        self.row.resize(b.len() + 1, f64::INFINITY);
        let mut corner = 0.0;
        for own in a {
            let mut left = f64::INFINITY;
            for (place, other) in b.iter().enumerate() {
                let above = self.row[place + 1];
                let least = left.min(above).min(corner);
                corner = above;
                left = least + (own - other).powi(2);
                self.row[place + 1] = left;
            }
            corner = f64::INFINITY;
        }
        self.row[b.len()].sqrt()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The whole table, as the definition has it.
    fn naive(a: &[f64], b: &[f64]) -> f64 {
        let mut table = vec![vec![f64::INFINITY; b.len() + 1]; a.len() + 1];
        table[0][0] = 0.0;
        for i in 1..=a.len() {
            for j in 1..=b.len() {
                let before = table[i - 1][j - 1]
                    .min(table[i - 1][j])
                    .min(table[i][j - 1]);
                table[i][j] = before + (a[i - 1] - b[j - 1]).powi(2);
            }
        }
        table[a.len()][b.len()].sqrt()
    }

    fn series() -> impl Strategy<Value = Vec<f64>> {
        prop::collection::vec((-8i8..8).prop_map(f64::from), 1..9)
    }

    kinwood_testing::soak! { 256;
        fn soak_one_row_gives_what_the_table_gives(a in series(), b in series()) {
            let mut warping = Warping::default();
            prop_assert_eq!(warping.distance(&a, &b), naive(&a, &b));
            prop_assert_eq!(warping.distance(&b, &a), naive(&a, &b));
            prop_assert_eq!(warping.distance(&a, &a), 0.0);
        }

        fn soak_warping_never_puts_series_further_apart(pairs in prop::collection::vec((-8i8..8, -8i8..8), 1..9)) {
            let a: Vec<f64> = pairs.iter().map(|pair| f64::from(pair.0)).collect();
            let b: Vec<f64> = pairs.iter().map(|pair| f64::from(pair.1)).collect();
            let squares: f64 = a.iter().zip(&b).map(|(a, b)| (a - b).powi(2)).sum();
            prop_assert!(Warping::default().distance(&a, &b) <= squares.sqrt() + 1e-12);
        }
    }
}
