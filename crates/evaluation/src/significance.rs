//! Whether two methods differ by more than chance: tests on paired scores.
//!
//! The pairs are the scores of two methods on the same folds, or on the same data sets. Both
//! tests take pairs to be independent. Folds of one cross-validation share training rows, and
//! repeats of it share all rows, so that the t-test on them finds differences too easily
//! (C. Nadeau, Y. Bengio, Inference for the generalization error, Machine Learning 52(3), 2003);
//! over data sets the signed rank test is to be preferred (J. Demsar, Statistical comparisons of
//! classifiers over multiple data sets, JMLR 7, 2006).

mod t_test;
mod wilcoxon;

pub use t_test::{TTest, paired_t_test};
pub use wilcoxon::{EXACT_UP_TO, SignedRank, wilcoxon_signed_rank};

use crate::error::Error;

/// Checks that there are as many scores on either side and all are finite.
fn check_pairs(a: &[f64], b: &[f64]) -> Result<(), Error> {
    if a.len() != b.len() {
        return Err(Error::Lengths {
            what: "second scores",
            found: b.len(),
            expected: a.len(),
        });
    }
    for (what, scores) in [("first score", a), ("second score", b)] {
        if let Some(row) = scores.iter().position(|score| !score.is_finite()) {
            return Err(Error::NotFinite {
                what,
                row,
                found: scores[row],
            });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    //! Samples shared by the tests of both tests.

    /// Hours of sleep gained by two drugs: Student, 1908.
    pub(super) const SLEEP: ([f64; 10], [f64; 10]) = (
        [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0],
        [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4],
    );

    /// Differences in height of Darwin's cross- and self-fertilised maize, in eighths of an inch.
    pub(super) const MAIZE: [f64; 15] = [
        6.0, 8.0, 14.0, 16.0, 23.0, 24.0, 28.0, 29.0, 41.0, -48.0, 49.0, 56.0, 60.0, -67.0, 75.0,
    ];

    /// Accuracies without ties.
    pub(super) const ACCURACIES: ([f64; 8], [f64; 8]) = (
        [0.91, 0.85, 0.78, 0.93, 0.66, 0.81, 0.74, 0.88],
        [0.87, 0.86, 0.71, 0.95, 0.55, 0.78, 0.69, 0.79],
    );

    /// As many pairs as wanted up to 60, whose differences are all of different size.
    pub(super) fn untied(pairs: u32) -> (Vec<f64>, Vec<f64>) {
        (0..pairs)
            .map(|k| {
                (
                    f64::from(k * 29 % 61) + f64::from(k) / 1024.0,
                    f64::from((k * 17 + 5) % 59),
                )
            })
            .unzip()
    }

    /// 120 pairs, many of equal difference, one without.
    pub(super) fn tied() -> (Vec<f64>, Vec<f64>) {
        (0..120_u32)
            .map(|k| {
                let first = f64::from((k * k * 7 + 3 * k) % 127) / 4.0;
                (first, f64::from((k * k * 5 + 11 * k) % 113) / 4.0)
            })
            .unzip()
    }
}
