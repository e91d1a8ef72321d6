//! The Bayesian signed rank test: how likely each of two methods is the better one, and how likely
//! they are as good as equal.

use kinwood_learning::Generator;
use rayon::prelude::*;
use serde::Serialize;

use super::{ROUNDING, check_pairs};
use crate::error::Error;

/// How many samples are drawn unless told otherwise.
pub const SAMPLES: usize = 50_000;

/// Where the weights are drawn from.
const STREAM: u64 = 0x6261_7965;
/// Samples share a generator by so many, whatever the number of threads.
const BLOCK: usize = 1024;

/// What the Bayesian signed rank test says.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct BayesianSignedRank {
    /// The probability that the first scores are lower by more than the region.
    pub left: f64,
    /// The probability that both are practically equal.
    pub rope: f64,
    /// The probability that the first scores are higher by more than the region.
    pub right: f64,
    /// Differences up to this size do not matter.
    pub region: f64,
    /// How many samples the probabilities are counted on.
    pub samples: usize,
}

/// The Bayesian signed rank test on paired scores, with a region of practical equivalence.
///
/// The differences `z_i = a_i - b_i` and one more, `z_0 = 0`, which is the Dirichlet process prior
/// of strength 1, get weights `w` of a Dirichlet distribution with all parameters 1. Sums of two
/// differences are left, in or right of the region `-2 rope` to `2 rope`:
///
/// `left = sum of w_i w_j where z_i + z_j < -2 rope`, `right = ... > 2 rope`, `rope =` the rest
///
/// The probability of each is how often it is the largest of the three over samples of the weights;
/// equal ones share a sample. Sums that reach an end of the region up to rounding are in it. The
/// same seed gives the same result on any number of threads; the error of a probability is at most
/// `1 / (2 sqrt samples)`, 0.0022 for [`SAMPLES`].
///
/// Cost: samples times pairs. Needs one pair.
///
/// Reference: A. Benavoli, F. Mangili, G. Corani, M. Zaffalon, F. Ruggeri, A Bayesian Wilcoxon
/// signed-rank test based on the Dirichlet process, ICML 2014; A. Benavoli, G. Corani, J. Demsar,
/// M. Zaffalon, Time for a change: a tutorial for comparing multiple classifiers through Bayesian
/// analysis, JMLR 18, 2017, section 4.2.
///
/// ```
/// use kinwood_evaluation::significance::{SAMPLES, bayesian_signed_rank};
/// let (a, b) = ([0.9, 0.8, 0.7, 0.8, 0.9], [0.5, 0.6, 0.4, 0.5, 0.5]);
/// let test = bayesian_signed_rank(&a, &b, 0.01, SAMPLES, 1)?;
/// assert!(test.right > 0.95 && test.left == 0.0);
/// # Ok::<(), kinwood_evaluation::Error>(())
/// ```
pub fn bayesian_signed_rank(
    a: &[f64],
    b: &[f64],
    rope: f64,
    samples: usize,
    seed: u64,
) -> Result<BayesianSignedRank, Error> {
    check_pairs(a, b)?;
    if a.is_empty() {
        return Err(Error::TooFewPairs {
            found: 0,
            expected: 1,
        });
    }
    if !(rope >= 0.0 && rope.is_finite()) {
        return Err(Error::Region { found: rope });
    }
    if samples == 0 {
        return Err(Error::NoSamples);
    }
    let sums = Sums::of(a, b, rope);
    // Counted in sixths, which two or three that are equal can share: whole numbers add up the same
    // in any order.
    let counts = (0..samples.div_ceil(BLOCK))
        .into_par_iter()
        .map(|block| {
            let mut generator = Generator::new(seed, &[STREAM, block as u64]);
            let mut weights = vec![0.0; sums.ends.len()];
            let mut counts = [0_u64; 3];
            for _ in 0..BLOCK.min(samples - block * BLOCK) {
                for weight in &mut weights {
                    *weight = -(1.0 - generator.unit()).ln();
                }
                let shares = sums.shares(&weights);
                let largest = shares.iter().copied().fold(0.0, f64::max);
                let winners = shares.map(|share| u64::from(share == largest));
                let each = 6 / winners.iter().sum::<u64>();
                for (count, winner) in counts.iter_mut().zip(winners) {
                    *count += winner * each;
                }
            }
            counts
        })
        .reduce(|| [0; 3], |a, b| [a[0] + b[0], a[1] + b[1], a[2] + b[2]]);
    let [left, rope_wins, right] = counts.map(|count| count as f64 / (6.0 * samples as f64));
    Ok(BayesianSignedRank {
        left,
        rope: rope_wins,
        right,
        region: rope,
        samples,
    })
}

/// Which sums of two differences are left and right of the region.
struct Sums {
    /// Of each difference in ascending order: how many of the lowest make a sum left of the region
    /// with it, and from which on they make one right of it.
    ends: Vec<(usize, usize)>,
}

impl Sums {
    fn of(a: &[f64], b: &[f64], rope: f64) -> Sums {
        // Halved, so that sums of differences near the limits of f64 stay finite.
        let half = |(a, b): (&f64, &f64)| a / 4.0 - b / 4.0;
        let mut differences: Vec<f64> = a.iter().zip(b).map(half).chain([0.0]).collect();
        differences.sort_by(f64::total_cmp);
        let size = a
            .iter()
            .chain(b)
            .map(|score| score.abs())
            .fold(0.0, f64::max);
        let end = rope / 2.0 + ROUNDING * size;
        let ends = differences
            .iter()
            .map(|one| {
                (
                    differences.partition_point(|other| one + other < -end),
                    differences.partition_point(|other| one + other <= end),
                )
            })
            .collect();
        Sums { ends }
    }

    /// How much weight is left of, in and right of the region; weights of differences in ascending
    /// order, not normed.
    fn shares(&self, weights: &[f64]) -> [f64; 3] {
        let mut up_to = Vec::with_capacity(weights.len() + 1);
        let mut sum = 0.0;
        up_to.push(0.0);
        up_to.extend(weights.iter().map(|weight| {
            sum += weight;
            sum
        }));
        let mut shares = [0.0; 3];
        for (weight, &(left, right)) in weights.iter().zip(&self.ends) {
            shares[0] += weight * up_to[left];
            shares[1] += weight * (up_to[right] - up_to[left]);
            shares[2] += weight * (sum - up_to[right]);
        }
        shares
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn test(differences: &[f64], rope: f64) -> BayesianSignedRank {
        let zeros = vec![0.0; differences.len()];
        bayesian_signed_rank(differences, &zeros, rope, SAMPLES, 7).unwrap()
    }

    #[test]
    fn symmetric_differences_give_symmetric_probabilities() {
        let found = test(&[-3.0, -2.0, -1.0, 1.0, 2.0, 3.0, -0.5, 0.5], 0.1);
        assert!((found.left - found.right).abs() < 0.01, "{found:?}");
        assert!((found.left + found.rope + found.right - 1.0).abs() < 1e-12);
    }

    #[test]
    fn large_differences_one_way_decide() {
        let found = test(&[5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0], 0.5);
        assert!(found.right > 0.99 && found.left == 0.0, "{found:?}");
        let equal = test(&[0.0; 6], 0.0);
        assert_eq!((equal.left, equal.rope, equal.right), (0.0, 1.0, 0.0));
        let small = test(&[0.01, -0.01, 0.005], 0.01);
        assert_eq!((small.left, small.rope, small.right), (0.0, 1.0, 0.0));
    }

    #[test]
    fn one_pair_is_solved_by_hand() {
        // With weight w on the difference and 1 - w on 0: right is 1 - (1 - w)^2 against (1 - w)^2
        // in the region, so that it is larger where w > 1 - sqrt(1/2), and w is uniform.
        let found = test(&[1.0], 0.1);
        assert!((found.right - 0.5_f64.sqrt()).abs() < 0.01, "{found:?}");
    }

    #[test]
    fn a_difference_of_the_region_is_in_it_whatever_rounding_does() {
        let (first, second, rope) = ([0.9], [0.89], 0.01);
        assert!(first[0] - second[0] > rope);
        let found = bayesian_signed_rank(&first, &second, rope, 1000, 1).unwrap();
        assert_eq!(found.rope, 1.0);
    }

    #[test]
    fn threads_do_not_matter_and_seeds_do() {
        let differences = [1.0, -0.5, 0.3, 0.8, -0.1];
        let with = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .build()
                .unwrap();
            pool.install(|| test(&differences, 0.2))
        };
        assert_eq!(with(1), with(3));
        let other = bayesian_signed_rank(&differences, &[0.0; 5], 0.2, SAMPLES, 8).unwrap();
        assert_ne!(other, with(1));
    }

    #[test]
    fn what_cannot_be_tested_is_refused() {
        let run =
            |a: &[f64], b: &[f64], rope, samples| bayesian_signed_rank(a, b, rope, samples, 1);
        assert!(matches!(
            run(&[], &[], 0.1, 9),
            Err(Error::TooFewPairs { .. })
        ));
        assert!(matches!(
            run(&[1.0], &[], 0.1, 9),
            Err(Error::Lengths { .. })
        ));
        assert!(matches!(
            run(&[f64::NAN], &[1.0], 0.1, 9),
            Err(Error::NotFinite { .. })
        ));
        assert!(matches!(
            run(&[1.0], &[1.0], -0.1, 9),
            Err(Error::Region { .. })
        ));
        assert!(matches!(
            run(&[1.0], &[1.0], f64::NAN, 9),
            Err(Error::Region { .. })
        ));
        assert_eq!(run(&[1.0], &[1.0], 0.1, 0), Err(Error::NoSamples));
        assert!(run(&[f64::MAX, f64::MAX], &[f64::MIN, f64::MIN], f64::MAX, 9).is_ok());
    }

    kinwood_testing::soak! { 256;
        fn soak_shares_are_those_of_all_pairs(
            differences in prop::collection::vec(-9..10_i32, 1..12),
            rope in 0..4_i32,
            weights in prop::collection::vec(0.01..1.0_f64, 13),
        ) {
            let a: Vec<f64> = differences.iter().map(|&d| f64::from(d)).collect();
            let sums = Sums::of(&a, &vec![0.0; a.len()], f64::from(rope));
            let mut sorted = [differences, vec![0]].concat();
            sorted.sort_unstable();
            let weights = &weights[..sorted.len()];
            let mut expected = [0.0; 3];
            for (first, w) in sorted.iter().zip(weights) {
                for (second, v) in sorted.iter().zip(weights) {
                    let sum = first + second;
                    let place = if sum < -2 * rope { 0 } else if sum > 2 * rope { 2 } else { 1 };
                    expected[place] += w * v;
                }
            }
            for (found, expected) in sums.shares(weights).iter().zip(expected) {
                prop_assert!((found - expected).abs() < 1e-9);
            }
        }
    }
}
