//! Holm's correction: probabilities of a family of tests, made larger so that they stand for the
//! whole family.

use serde::Serialize;

use super::error_of_rank_difference;
use super::tails::normal_both;
use crate::error::Error;

/// Two learners compared by their mean ranks.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct RankComparison {
    /// The first learner, from 0.
    pub first: usize,
    /// The second learner, from 0.
    pub second: usize,
    /// The difference of their mean ranks in standard errors; below 0 if the first ranks better.
    pub z: f64,
    /// The probability of a difference at least as large, were there none.
    pub p: f64,
    /// The same after Holm's correction for all comparisons made.
    pub adjusted: f64,
}

/// Holm's step-down adjusted probabilities, in the order given.
///
/// With `p_(1) <= p_(2) <= ...` of `m` tests: `max over i <= j of min(1, (m - i + 1) p_(i))` for
/// the `j`-th. Rejecting where these are at most the level keeps the probability of any false
/// rejection at most the level.
///
/// Reference: S. Holm, A simple sequentially rejective multiple test procedure, Scandinavian
/// Journal of Statistics 6(2), 1979.
///
/// ```
/// use kinwood_evaluation::significance::holm;
/// assert_eq!(holm(&[0.25, 0.125, 0.5])?, [0.5, 0.375, 0.5]);
/// # Ok::<(), kinwood_evaluation::Error>(())
/// ```
pub fn holm(probabilities: &[f64]) -> Result<Vec<f64>, Error> {
    let outside = |p: &f64| !(0.0..=1.0).contains(p);
    if let Some(test) = probabilities.iter().position(outside) {
        return Err(Error::ProbabilityOfTest {
            test,
            found: probabilities[test],
        });
    }
    let mut order: Vec<usize> = (0..probabilities.len()).collect();
    order.sort_by(|&a, &b| probabilities[a].total_cmp(&probabilities[b]));
    let mut adjusted = vec![0.0; probabilities.len()];
    let mut largest = 0.0_f64;
    for (position, &test) in order.iter().enumerate() {
        let left = (probabilities.len() - position) as f64;
        largest = largest.max((left * probabilities[test]).min(1.0));
        adjusted[test] = largest;
    }
    Ok(adjusted)
}

/// All pairs of learners compared by their mean ranks over data sets, with Holm's correction.
///
/// `z = (R_i - R_j) / sqrt( k (k+1) / (6 n) )`, `p = P(|Z| >= |z|)`. Pairs come in the order 0-1,
/// 0-2, ..., 1-2, ...
///
/// Reference: J. Demsar, Statistical comparisons of classifiers over multiple data sets, JMLR 7,
/// 2006, section 3.2.2; S. Garcia, F. Herrera, An extension on "Statistical comparisons", JMLR 9,
/// 2008 (all pairs).
pub fn all_pairs(mean_ranks: &[f64], data_sets: usize) -> Result<Vec<RankComparison>, Error> {
    let k = mean_ranks.len();
    let pairs = (0..k).flat_map(|i| (i + 1..k).map(move |j| (i, j)));
    compare(mean_ranks, data_sets, pairs)
}

/// All other learners compared with one, the control, by their mean ranks over data sets, with
/// Holm's correction.
///
/// As [`all_pairs`], with fewer comparisons to correct for; the control stands first in each.
pub fn against_control(
    mean_ranks: &[f64],
    data_sets: usize,
    control: usize,
) -> Result<Vec<RankComparison>, Error> {
    if control >= mean_ranks.len() {
        return Err(Error::UnknownControl {
            control,
            learners: mean_ranks.len(),
        });
    }
    let others = (0..mean_ranks.len()).filter(|&other| other != control);
    compare(mean_ranks, data_sets, others.map(|other| (control, other)))
}

fn compare(
    mean_ranks: &[f64],
    data_sets: usize,
    pairs: impl Iterator<Item = (usize, usize)>,
) -> Result<Vec<RankComparison>, Error> {
    let error = error_of_rank_difference(mean_ranks, data_sets)?;
    let compared = |(first, second): (usize, usize)| {
        let z = (mean_ranks[first] - mean_ranks[second]) / error;
        RankComparison {
            first,
            second,
            z,
            p: normal_both(z),
            adjusted: 1.0,
        }
    };
    let mut comparisons: Vec<RankComparison> = pairs.map(compared).collect();
    let probabilities: Vec<f64> = comparisons.iter().map(|c| c.p).collect();
    for (comparison, adjusted) in comparisons.iter_mut().zip(holm(&probabilities)?) {
        comparison.adjusted = adjusted;
    }
    Ok(comparisons)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Demsar 2006, section 3.2.2: C4.5 as control against three variants; p of 0.016, 0.019,
    /// 0.607, of which Holm's procedure rejects the first two at 0.05 (against 0.017 and 0.025).
    #[test]
    fn the_example_of_the_paper() {
        let ranks = [3.143, 2.000, 2.893, 1.964];
        let compared = against_control(&ranks, 14, 0).unwrap();
        let p: Vec<i64> = compared
            .iter()
            .map(|c| (c.p * 1000.0).round() as i64)
            .collect();
        assert_eq!(p, [19, 608, 16]);
        let rejected: Vec<bool> = compared.iter().map(|c| c.adjusted <= 0.05).collect();
        assert_eq!(rejected, [true, false, true]);
        // Twice 0.019 is less than three times 0.016, and adjusted probabilities keep the order.
        assert_eq!(compared[2].adjusted, compared[2].p * 3.0);
        assert_eq!(compared[0].adjusted, compared[2].adjusted);
        let pairs = all_pairs(&ranks, 14).unwrap();
        assert_eq!(pairs.len(), 6);
        assert_eq!((pairs[5].first, pairs[5].second), (2, 3));
        assert!(pairs.iter().all(|pair| pair.adjusted > 0.05));
    }

    #[test]
    fn what_cannot_be_tested_is_refused() {
        assert_eq!(holm(&[]), Ok(vec![]));
        for p in [-0.1, 1.1, f64::NAN] {
            assert!(matches!(
                holm(&[0.5, p]),
                Err(Error::ProbabilityOfTest { test: 1, .. })
            ));
        }
        let error = against_control(&[1.0, 2.0], 3, 2).unwrap_err();
        assert!(matches!(
            error,
            Error::UnknownControl {
                control: 2,
                learners: 2
            }
        ));
        assert!(all_pairs(&[1.0], 3).is_err());
    }

    kinwood_testing::soak! { 256;
        fn soak_adjusted_are_larger_and_in_the_same_order(p in prop::collection::vec(0.0..=1.0_f64, 1..20)) {
            let adjusted = holm(&p).unwrap();
            for i in 0..p.len() {
                prop_assert!(p[i] <= adjusted[i] && adjusted[i] <= 1.0);
                prop_assert!(adjusted[i] <= (p[i] * p.len() as f64).max(adjusted[i].min(1.0)));
                for j in 0..p.len() {
                    prop_assert!(p[i] > p[j] || adjusted[i] <= adjusted[j]);
                }
            }
            let smallest = p.iter().copied().fold(1.0, f64::min);
            let least = adjusted.iter().copied().fold(1.0, f64::min);
            prop_assert_eq!(least, (smallest * p.len() as f64).min(1.0));
        }
    }
}
