//! Friedman's test: whether any of several learners differ over data sets, by their ranks.

use serde::Serialize;

use super::tails::{chi_square, fisher};
use super::{ROUNDING, check_learners};
use crate::error::Error;
use crate::measures::Direction;

/// What Friedman's test says.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Friedman {
    /// How many data sets there are.
    pub data_sets: usize,
    /// The mean rank of each learner over data sets; 1 is the best.
    pub mean_ranks: Vec<f64>,
    /// Friedman's chi-square, corrected for ties.
    pub chi_square: f64,
    /// Its degrees of freedom: one less than learners.
    pub degrees_of_freedom: usize,
    /// The probability of a chi-square at least as large, were there no differences.
    pub p: f64,
    /// Iman and Davenport's F, which is less conservative; infinite where all data sets agree.
    pub f: f64,
    /// The degrees of freedom of F, above and below.
    pub f_degrees_of_freedom: [usize; 2],
    /// The probability of an F at least as large, were there no differences.
    pub f_p: f64,
}

/// Friedman's test on the scores of learners, a data set a row and a learner a column.
///
/// On each data set learners are ranked from 1, the best, equal scores sharing their mean rank;
/// scores that are equal up to rounding (4 machine epsilons) count as equal. With `n` data sets,
/// `k` learners, rank sums `R_j` and ranks `r_ij`:
///
/// `S = sum_j ( R_j - n(k+1)/2 )^2`, `V = sum_ij r_ij^2 - n k (k+1)^2 / 4`
///
/// `chi-square = (k-1) S / V` with `k - 1` degrees of freedom, which is Friedman's statistic
/// divided by the correction for ties `1 - sum (t^3 - t) / (n k (k^2 - 1))`; without ties
/// `V = n k (k^2 - 1) / 12`.
///
/// `F = (n-1) chi-square / ( n(k-1) - chi-square ) = (n-1) S / (n V - S)` with `k -
/// 1` and `(k-1)(n-1)` degrees of freedom. All is computed from whole numbers. Where all learners
/// tie everywhere, both statistics are 0 and both probabilities 1. Needs two data sets and two
/// learners (for two it is the sign test's chi-square).
///
/// Reference: M. Friedman, The use of ranks to avoid the assumption of normality implicit in the
/// analysis of variance, JASA 32, 1937; W. Conover, Practical Nonparametric Statistics, 3rd ed.,
/// 1999, section 5.8 (ties); R. Iman, J. Davenport, Approximations of the critical region of the
/// Friedman statistic, Communications in Statistics A9(6), 1980; J. Demsar, Statistical comparisons
/// of classifiers over multiple data sets, JMLR 7, 2006 (whose table 6 is in the tests).
///
/// ```
/// use kinwood_evaluation::measures::Direction::HigherIsBetter;
/// use kinwood_evaluation::significance::friedman;
/// let test = friedman(&[[0.9, 0.8, 0.8], [0.7, 0.6, 0.5], [0.8, 0.9, 0.7]], HigherIsBetter)?;
/// assert_eq!(test.mean_ranks[0], 4.0 / 3.0);
/// assert!(test.p > 0.05);
/// # Ok::<(), kinwood_evaluation::Error>(())
/// ```
pub fn friedman(scores: &[impl AsRef<[f64]>], direction: Direction) -> Result<Friedman, Error> {
    let k = check_scores(scores)?;
    let n = scores.len();
    let mut sums = vec![0_u64; k];
    let mut squares = 0_i128;
    for row in scores {
        for (sum, rank) in sums.iter_mut().zip(doubled_ranks(row.as_ref(), direction)) {
            *sum += rank;
            squares += i128::from(rank) * i128::from(rank);
        }
    }
    // Four times S and V, for ranks are doubled.
    let middle = (n * (k + 1)) as i128;
    let between: i128 = sums
        .iter()
        .map(|&sum| (i128::from(sum) - middle).pow(2))
        .sum();
    let within = squares - middle * ((k + 1) * k) as i128;
    let rest = n as i128 * within - between;
    let (statistic, f) = if between == 0 {
        (0.0, 0.0)
    } else {
        let f = match rest {
            0 => f64::INFINITY,
            _ => (n - 1) as f64 * between as f64 / rest as f64,
        };
        ((k - 1) as f64 * (between as f64 / within as f64), f)
    };
    let f_degrees_of_freedom = [k - 1, (k - 1) * (n - 1)];
    Ok(Friedman {
        data_sets: n,
        mean_ranks: sums
            .iter()
            .map(|&sum| sum as f64 / (2 * n) as f64)
            .collect(),
        chi_square: statistic,
        degrees_of_freedom: k - 1,
        p: chi_square(statistic, (k - 1) as f64),
        f,
        f_degrees_of_freedom,
        f_p: fisher(
            f,
            f_degrees_of_freedom[0] as f64,
            f_degrees_of_freedom[1] as f64,
        ),
    })
}

/// The ranks of scores from 1, the best; equal scores (up to rounding) share their mean rank.
///
/// ```
/// use kinwood_evaluation::measures::Direction::LowerIsBetter;
/// use kinwood_evaluation::significance::ranks;
/// assert_eq!(ranks(&[0.3, 0.1, 0.3], LowerIsBetter), [2.5, 1.0, 2.5]);
/// ```
pub fn ranks(scores: &[f64], direction: Direction) -> Vec<f64> {
    let doubled = doubled_ranks(scores, direction).into_iter();
    doubled.map(|rank| rank as f64 / 2.0).collect()
}

/// Twice the ranks, so that mean ranks are whole.
fn doubled_ranks(scores: &[f64], direction: Direction) -> Vec<u64> {
    let mut order: Vec<usize> = (0..scores.len()).collect();
    order.sort_by(|&a, &b| match direction {
        Direction::HigherIsBetter => scores[b].total_cmp(&scores[a]),
        Direction::LowerIsBetter => scores[a].total_cmp(&scores[b]),
    });
    let tied = |&a: &usize, &b: &usize| {
        let (a, b) = (scores[a] / 2.0, scores[b] / 2.0);
        (a - b).abs() <= ROUNDING * a.abs().max(b.abs())
    };
    let mut ranks = vec![0; scores.len()];
    let mut before = 0;
    for group in order.chunk_by(tied) {
        for &learner in group {
            ranks[learner] = (2 * before + group.len() + 1) as u64;
        }
        before += group.len();
    }
    ranks
}

/// Checks that each data set has a finite score of each learner, and returns how many learners
/// there are.
fn check_scores(scores: &[impl AsRef<[f64]>]) -> Result<usize, Error> {
    if scores.len() < 2 {
        return Err(Error::TooFewDataSets {
            found: scores.len(),
            expected: 2,
        });
    }
    let expected = scores[0].as_ref().len();
    check_learners(expected)?;
    for (data_set, row) in scores.iter().enumerate() {
        let row = row.as_ref();
        if row.len() != expected {
            return Err(Error::LearnersOfDataSet {
                data_set,
                found: row.len(),
                expected,
            });
        }
        if let Some(learner) = row.iter().position(|score| !score.is_finite()) {
            return Err(Error::ScoreOnDataSet {
                data_set,
                learner,
                found: row[learner],
            });
        }
    }
    Ok(expected)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measures::Direction::{HigherIsBetter, LowerIsBetter};
    use proptest::prelude::*;

    /// Demsar 2006, table 6: AUC of C4.5, with m, with cf, with both, on 14 data sets. On the last
    /// but one the paper ranks cf before both by digits that it does not show.
    const DEMSAR: [[f64; 4]; 14] = [
        [0.763, 0.768, 0.771, 0.798],
        [0.599, 0.591, 0.590, 0.569],
        [0.954, 0.971, 0.968, 0.967],
        [0.628, 0.661, 0.654, 0.657],
        [0.882, 0.888, 0.886, 0.898],
        [0.936, 0.931, 0.916, 0.931],
        [0.661, 0.668, 0.609, 0.685],
        [0.583, 0.583, 0.563, 0.625],
        [0.775, 0.838, 0.866, 0.875],
        [1.000, 1.000, 1.000, 1.000],
        [0.940, 0.962, 0.965, 0.962],
        [0.619, 0.666, 0.614, 0.669],
        [0.972, 0.981, 0.9751, 0.975],
        [0.957, 0.978, 0.946, 0.970],
    ];

    #[test]
    fn the_example_of_the_paper() {
        let test = friedman(&DEMSAR, HigherIsBetter).unwrap();
        let rounded: Vec<i64> = test
            .mean_ranks
            .iter()
            .map(|rank| (rank * 1000.0).round() as i64)
            .collect();
        assert_eq!(rounded, [3143, 2000, 2893, 1964]);
        // The paper has 9.28 without the correction for ties: three pairs and four at once, 78
        // of 840.
        assert!(
            (test.chi_square * (1.0 - 78.0 / 840.0) - 9.28).abs() < 0.005,
            "{test:?}"
        );
        assert_eq!(test.f_degrees_of_freedom, [3, 39]);
        assert!(test.p < 0.05 && test.f_p < test.p);
    }

    #[test]
    fn agreement_of_all_and_of_none() {
        let all = friedman(&[[3.0, 2.0, 1.0]; 4], HigherIsBetter).unwrap();
        assert_eq!((all.mean_ranks, all.chi_square), (vec![1.0, 2.0, 3.0], 8.0));
        assert_eq!((all.f, all.f_p), (f64::INFINITY, 0.0));
        let none = friedman(&[[1.0, 1.0], [2.0, 2.0]], HigherIsBetter).unwrap();
        assert_eq!(
            (none.chi_square, none.p, none.f, none.f_p),
            (0.0, 1.0, 0.0, 1.0)
        );
        let even = friedman(&[[1.0, 2.0], [2.0, 1.0]], HigherIsBetter).unwrap();
        assert_eq!(
            (even.chi_square, even.p, even.f, even.f_p),
            (0.0, 1.0, 0.0, 1.0)
        );
    }

    #[test]
    fn rounding_does_not_break_ties() {
        assert_eq!(
            ranks(&[0.8, 0.1 + 0.7, 0.9], HigherIsBetter),
            [2.5, 2.5, 1.0]
        );
        assert_eq!(ranks(&[0.0, -0.0], HigherIsBetter), [1.5, 1.5]);
        assert_eq!(ranks(&[f64::MAX, -f64::MAX], LowerIsBetter), [2.0, 1.0]);
    }

    #[test]
    fn what_cannot_be_tested_is_refused() {
        let none: [[f64; 2]; 0] = [];
        assert!(matches!(
            friedman(&none, HigherIsBetter),
            Err(Error::TooFewDataSets { .. })
        ));
        assert!(matches!(
            friedman(&[[1.0]; 3], HigherIsBetter),
            Err(Error::TooFewLearners { .. })
        ));
        let uneven = [vec![1.0, 2.0], vec![1.0]];
        assert!(matches!(
            friedman(&uneven, HigherIsBetter),
            Err(Error::LearnersOfDataSet { .. })
        ));
        let error = friedman(&[[1.0, 2.0], [1.0, f64::NAN]], HigherIsBetter).unwrap_err();
        assert_eq!(
            error.to_string(),
            "learner 1 has score NaN on data set 1, expected a finite number"
        );
    }

    kinwood_testing::soak! { 256;
        fn soak_ranks_are_all_that_counts(
            scores in (2..7_usize).prop_flat_map(|k| {
                prop::collection::vec(prop::collection::vec(-20..20_i32, k), 2..12)
            }),
        ) {
            let with = |to: &dyn Fn(f64) -> f64| -> Vec<Vec<f64>> {
                let row = |row: &Vec<i32>| row.iter().map(|&score| to(f64::from(score))).collect();
                scores.iter().map(row).collect()
            };
            let test = friedman(&with(&|score| score), HigherIsBetter).unwrap();
            let grown = friedman(&with(&|score| (score / 5.0).exp()), HigherIsBetter).unwrap();
            prop_assert_eq!(&test, &grown);
            let turned = friedman(&with(&|score| -score), LowerIsBetter).unwrap();
            prop_assert_eq!(&test, &turned);
            prop_assert!((0.0..=1.0).contains(&test.p) && (0.0..=1.0).contains(&test.f_p));
            let k = test.mean_ranks.len() as f64;
            let sum: f64 = test.mean_ranks.iter().sum();
            prop_assert!((sum - k * (k + 1.0) / 2.0).abs() < 1e-9);
        }
    }
}
