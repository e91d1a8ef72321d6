//! Nemenyi's test: which of several learners differ, after Friedman's test found that some do.

use serde::Serialize;

use super::studentized_range::StudentizedRange;
use super::{check_level, error_of_rank_difference};
use crate::error::Error;

/// What Nemenyi's test says.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Nemenyi {
    /// The level of significance.
    pub level: f64,
    /// Learners whose mean ranks differ by at least this much differ at the level.
    pub critical_difference: f64,
    /// The probability of mean ranks at least as far apart among as many learners, were there no
    /// differences: learner by learner, 1 on the diagonal.
    pub p: Vec<Vec<f64>>,
}

/// Nemenyi's test on the mean ranks of `k` learners over `n` data sets, all pairs.
///
/// `CD = q / sqrt 2 * sqrt( k (k+1) / (6 n) )` with `P(R > q) = level` for the studentized range
/// `R` of `k` and infinite degrees of freedom; `p = P(R > sqrt 2 |R_i - R_j| / sqrt( k (k+1) / (6
/// n) ))`.
///
/// Reference: P. Nemenyi, Distribution-free multiple comparisons, thesis, Princeton University,
/// 1963; J. Demsar, Statistical comparisons of classifiers over multiple data sets, JMLR 7, 2006,
/// section 3.2.2 (whose example is in the tests).
///
/// ```
/// use kinwood_evaluation::significance::nemenyi;
/// let test = nemenyi(&[3.143, 2.000, 2.893, 1.964], 14, 0.05)?;
/// assert!((test.critical_difference - 1.25).abs() < 0.005);
/// assert!(test.p[0][3] > 0.05);
/// # Ok::<(), kinwood_evaluation::Error>(())
/// ```
pub fn nemenyi(mean_ranks: &[f64], data_sets: usize, level: f64) -> Result<Nemenyi, Error> {
    check_level(level)?;
    let error = error_of_rank_difference(mean_ranks, data_sets)? / 2.0_f64.sqrt();
    let range = StudentizedRange::new(mean_ranks.len(), f64::INFINITY)?;
    let mut p = vec![vec![1.0; mean_ranks.len()]; mean_ranks.len()];
    for (i, first) in mean_ranks.iter().enumerate() {
        for (j, second) in mean_ranks[..i].iter().enumerate() {
            p[i][j] = range.upper((first - second).abs() / error)?;
            p[j][i] = p[i][j];
        }
    }
    Ok(Nemenyi {
        level,
        critical_difference: range.upper_quantile(level)? * error,
        p,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Demsar 2006, table 5(a): critical values for the two-tailed test, 2 to 10 learners.
    #[test]
    fn the_table_of_the_paper() {
        let at_05 = [
            1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164,
        ];
        let at_10 = [
            1.645, 2.052, 2.291, 2.459, 2.589, 2.693, 2.780, 2.855, 2.920,
        ];
        for (level, table) in [(0.05, at_05), (0.10, at_10)] {
            for (k, q) in (2..).zip(table) {
                let ranks = vec![(k + 1) as f64 / 2.0; k];
                let test = nemenyi(&ranks, 10, level).unwrap();
                let unit = (k as f64 * (k + 1) as f64 / 60.0).sqrt();
                assert!(
                    (test.critical_difference / unit - q).abs() < 1.1e-3,
                    "{k} {level}"
                );
            }
        }
    }

    #[test]
    fn p_is_the_level_at_the_critical_difference() {
        let cd = nemenyi(&[1.0, 2.0, 3.0], 20, 0.05)
            .unwrap()
            .critical_difference;
        let test = nemenyi(&[1.5, 1.5 + cd, 2.0], 20, 0.05).unwrap();
        assert!((test.p[0][1] - 0.05).abs() < 1e-10, "{test:?}");
        assert_eq!((test.p[0][0], test.p[0][1]), (1.0, test.p[1][0]));
    }

    #[test]
    fn what_cannot_be_tested_is_refused() {
        assert!(matches!(
            nemenyi(&[1.0], 5, 0.05),
            Err(Error::TooFewLearners { .. })
        ));
        assert!(matches!(
            nemenyi(&[1.0, 2.0], 0, 0.05),
            Err(Error::TooFewDataSets { .. })
        ));
        assert!(matches!(
            nemenyi(&[1.0, 2.0], 5, 1.5),
            Err(Error::LevelOutside { .. })
        ));
        for rank in [0.5, 2.5, f64::NAN] {
            assert!(matches!(
                nemenyi(&[1.0, rank], 5, 0.05),
                Err(Error::MeanRank { .. })
            ));
        }
    }

    kinwood_testing::soak! { 256;
        fn soak_probabilities_fall_with_the_distance(
            ranks in prop::collection::vec(0.0..1.0_f64, 2..8),
            data_sets in 1..60_usize,
        ) {
            let k = ranks.len() as f64;
            let ranks: Vec<f64> = ranks.iter().map(|rank| 1.0 + rank * (k - 1.0)).collect();
            let test = nemenyi(&ranks, data_sets, 0.05).unwrap();
            for (i, a) in ranks.iter().enumerate() {
                for (j, b) in ranks.iter().enumerate() {
                    let p = test.p[i][j];
                    prop_assert!((0.0..=1.0).contains(&p));
                    let far = (a - b).abs();
                    prop_assert!((far - test.critical_difference).abs() < 1e-9
                        || (far > test.critical_difference) == (p < 0.05));
                }
            }
        }
    }
}
