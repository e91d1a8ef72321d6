//! Wilcoxon's signed rank test on paired scores.

use serde::Serialize;
use statrs::function::erf::erfc;

use super::{ROUNDING, check_pairs};
use crate::error::Error;

/// Up to this many pairs that differ, p is exact; beyond, the normal distribution is used.
///
/// The limit keeps all counts of sign assignments, at most 2^50, exact in 64 bits.
pub const EXACT_UP_TO: usize = 50;

/// What the signed rank test says.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct SignedRank {
    /// The sum of the ranks of pairs whose first score is higher.
    pub w_plus: f64,
    /// The sum of the ranks of pairs whose second score is higher.
    pub w_minus: f64,
    /// How many pairs differ; only these are ranked.
    pub pairs_used: usize,
    /// The probability of rank sums at least as unequal, were there no difference.
    pub p: f64,
    /// Whether `p` is exact or from the normal approximation.
    pub exact: bool,
}

/// Wilcoxon's signed rank test on paired scores, two-sided.
///
/// Pairs without a difference are dropped (Wilcoxon's own rule). The others are ranked by the
/// size of their difference, equal sizes sharing their mean rank; W+ and W- are the sums of the
/// ranks of positive and negative differences `a - b`. Differences that are equal up to the
/// rounding of their scores (4 machine epsilons) count as equal.
///
/// Exact, for up to [`EXACT_UP_TO`] pairs: `p = min(1, 2 P(W <= min(W+, W-)))` over all 2^n
/// equally likely signs of the ranks at hand, ties included. Beyond: `p = 2 P(Z >= z)`,
///
/// `z = max(0, |W+ - n(n+1)/4| - 1/2) / sqrt( n(n+1)(2n+1)/24 - sum (t^3 - t)/48 )`
///
/// with `t` the sizes of the groups of ties. No pair that differs gives `p = 1`.
///
/// Cost: n sums of length n(n+1) if exact, else sorting.
/// Reference: F. Wilcoxon, Individual comparisons by ranking methods, Biometrics Bulletin 1(6),
/// 1945; W. Conover, On methods of handling ties in the Wilcoxon signed-rank test, Journal of
/// the American Statistical Association 68, 1973.
///
/// ```
/// use kinwood_evaluation::significance::wilcoxon_signed_rank;
/// let test = wilcoxon_signed_rank(&[5.0, 4.0, 3.0, 2.0], &[1.0, 1.0, 1.0, 2.0])?;
/// assert_eq!((test.w_plus, test.w_minus, test.pairs_used), (6.0, 0.0, 3));
/// assert_eq!((test.p, test.exact), (0.25, true));
/// # Ok::<(), kinwood_evaluation::Error>(())
/// ```
pub fn wilcoxon_signed_rank(a: &[f64], b: &[f64]) -> Result<SignedRank, Error> {
    check_pairs(a, b)?;
    if a.is_empty() {
        return Err(Error::TooFewPairs {
            found: 0,
            expected: 1,
        });
    }
    let ranks = SignedRanks::of(a, b);
    let pairs_used = ranks.doubled.len();
    let exact = pairs_used <= EXACT_UP_TO;
    let p = if exact {
        ranks.exact_p()
    } else {
        ranks.normal_p()
    };
    let (plus, minus) = ranks.doubled_sums();
    let (w_plus, w_minus) = (plus as f64 / 2.0, minus as f64 / 2.0);
    Ok(SignedRank {
        w_plus,
        w_minus,
        pairs_used,
        p,
        exact,
    })
}

/// Ranks of the differences that are not 0, twice their value so that mean ranks are whole.
struct SignedRanks {
    /// Twice the rank, with whether the difference is positive.
    doubled: Vec<(u64, bool)>,
    /// The sum of `t^3 - t` over groups of ties.
    ties: f64,
}

impl SignedRanks {
    fn of(a: &[f64], b: &[f64]) -> SignedRanks {
        // Halved, so that a difference of numbers near the limits of f64 is finite.
        let difference = |(a, b): (&f64, &f64)| {
            let (a, b) = (a / 2.0, b / 2.0);
            (a - b, ROUNDING * a.abs().max(b.abs()))
        };
        let mut differences: Vec<(f64, f64)> = a
            .iter()
            .zip(b)
            .map(difference)
            .filter(|(difference, tolerance)| difference.abs() > *tolerance)
            .collect();
        differences.sort_by(|x, y| x.0.abs().total_cmp(&y.0.abs()));
        let tied = |x: &(f64, f64), y: &(f64, f64)| y.0.abs() - x.0.abs() <= x.1.max(y.1);

        let mut ranks = SignedRanks {
            doubled: Vec::with_capacity(differences.len()),
            ties: 0.0,
        };
        for group in differences.chunk_by(tied) {
            let (before, size) = (ranks.doubled.len() as u64, group.len() as u64);
            let mean_doubled = 2 * before + size + 1;
            ranks
                .doubled
                .extend(group.iter().map(|pair| (mean_doubled, pair.0 > 0.0)));
            ranks.ties += (size as f64).powi(3) - size as f64;
        }
        ranks
    }

    /// Twice W+ and twice W-.
    fn doubled_sums(&self) -> (u64, u64) {
        self.doubled
            .iter()
            .fold((0, 0), |(plus, minus), &(rank, positive)| {
                if positive {
                    (plus + rank, minus)
                } else {
                    (plus, minus + rank)
                }
            })
    }

    /// Counts, rank by rank, the sets of ranks with each sum.
    fn exact_p(&self) -> f64 {
        let (plus, minus) = self.doubled_sums();
        let mut sets = vec![0_u64; (plus + minus) as usize + 1];
        sets[0] = 1;
        let mut highest = 0;
        for &(rank, _) in &self.doubled {
            let rank = rank as usize;
            for sum in (0..=highest).rev() {
                sets[sum + rank] += sets[sum];
            }
            highest += rank;
        }
        let tail: u64 = sets[..=plus.min(minus) as usize].iter().sum();
        let all = 2.0_f64.powi(self.doubled.len() as i32);
        (2.0 * tail as f64 / all).min(1.0)
    }

    fn normal_p(&self) -> f64 {
        let (plus, minus) = self.doubled_sums();
        let n = self.doubled.len() as f64;
        // Half the difference of W+ and W- is how far either is from their common mean.
        let distance = (plus.abs_diff(minus) as f64 / 4.0 - 0.5).max(0.0);
        let variance = n * (n + 1.0) * (2.0 * n + 1.0) / 24.0 - self.ties / 48.0;
        erfc(distance / (2.0 * variance).sqrt()).min(1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{ACCURACIES, MAIZE, SLEEP, tied, untied};
    use super::*;
    use proptest::prelude::*;

    fn check(a: &[f64], b: &[f64], sums: (f64, f64), p: f64, exact: bool) {
        let test = wilcoxon_signed_rank(a, b).unwrap();
        assert_eq!((test.w_plus, test.w_minus), sums);
        assert!((test.p - p).abs() < 1e-9, "{test:?}");
        assert_eq!(test.exact, exact);
    }

    /// Recorded from `scipy.stats.wilcoxon` (SciPy 1.17.1) with `method="exact"`, no ties.
    #[test]
    fn exact_agrees_with_scipy() {
        check(&MAIZE, &[0.0; 15], (96.0, 24.0), 0.041259765625, true);
        check(&ACCURACIES.0, &ACCURACIES.1, (33.0, 3.0), 0.0390625, true);
        check(&[1.0, 2.5], &[0.5, 0.25], (3.0, 0.0), 0.5, true);
        let close = [1.1, 1.8, 3.15, 3.95, 5.01];
        check(&[1.0, 2.0, 3.0, 4.0, 5.0], &close, (7.0, 8.0), 1.0, true);
        let (a, b) = untied(25);
        check(&a, &b, (173.0, 152.0), 0.7914759516716003, true);
        let (a, b) = untied(50);
        check(&a, &b, (707.0, 568.0), 0.5086300594933544, true);
    }

    /// Recorded from the same with `method="asymptotic", correction=True`, zeros dropped.
    #[test]
    fn approximation_agrees_with_scipy() {
        let (a, b) = untied(60);
        check(&a, &b, (971.0, 859.0), 0.6828560088301464, false);
        let (a, b) = tied();
        check(&a, &b, (4586.5, 2553.5), 0.007052704430347883, false);
        assert_eq!(wilcoxon_signed_rank(&a, &b).unwrap().pairs_used, 119);
        let approximate =
            |a: &[f64], b: &[f64], p: f64| (SignedRanks::of(a, b).normal_p() - p).abs() < 1e-9;
        assert!(approximate(&SLEEP.0, &SLEEP.1, 0.009090698015925044));
        assert!(approximate(&MAIZE, &[0.0; 15], 0.043772323763041174));
        assert!(approximate(
            &ACCURACIES.0,
            &ACCURACIES.1,
            0.04231527490571396
        ));
    }

    #[test]
    fn approximation_is_near_the_exact_value_at_the_limit() {
        let (a, b) = untied(50);
        let ranks = SignedRanks::of(&a, &b);
        // The distribution's excess kurtosis is about -18 / (5 n); by Edgeworth's next term that
        // moves p by 0.003 here.
        assert!((ranks.normal_p() - ranks.exact_p()).abs() < 4e-3);
        let highest = wilcoxon_signed_rank(&[1.0; 50], &[0.0; 50]).unwrap();
        assert_eq!((highest.w_plus, highest.p), (1275.0, 2.0_f64.powi(-49)));
    }

    #[test]
    fn equal_pairs_are_dropped() {
        let sleep = wilcoxon_signed_rank(&SLEEP.0, &SLEEP.1).unwrap();
        assert_eq!(
            (sleep.w_plus, sleep.w_minus, sleep.pairs_used),
            (0.0, 45.0, 9)
        );
        assert_eq!(sleep.p, 2.0 / 512.0);
        let none = wilcoxon_signed_rank(&[0.3, 0.4], &[0.3, 0.4]).unwrap();
        assert_eq!((none.w_plus, none.w_minus, none.pairs_used), (0.0, 0.0, 0));
        assert_eq!((none.p, none.exact), (1.0, true));
    }

    #[test]
    fn rounding_does_not_break_ties() {
        let test =
            wilcoxon_signed_rank(&[0.9, 0.7, 0.5, 0.8], &[0.8, 0.8, 0.4, 0.1 + 0.7]).unwrap();
        assert_ne!(0.9 - 0.8, 0.8 - 0.7);
        assert_ne!(0.8, 0.1 + 0.7);
        assert_eq!((test.w_plus, test.w_minus, test.pairs_used), (4.0, 2.0, 3));
    }

    #[test]
    fn what_cannot_be_tested_is_refused() {
        assert!(matches!(
            wilcoxon_signed_rank(&[], &[]),
            Err(Error::TooFewPairs { .. })
        ));
        assert!(matches!(
            wilcoxon_signed_rank(&[1.0], &[]),
            Err(Error::Lengths { .. })
        ));
        let error = wilcoxon_signed_rank(&[f64::NAN], &[1.0]).unwrap_err();
        assert_eq!(
            error.to_string(),
            "row 0 has first score NaN, expected a finite number"
        );
        let wide = wilcoxon_signed_rank(&[f64::MAX, 1.0], &[-f64::MAX, 0.0]).unwrap();
        assert_eq!((wide.w_plus, wide.pairs_used), (3.0, 2));
    }

    /// All sign assignments, counting those whose sum is as far from the middle.
    fn brute_force(differences: &[i32]) -> f64 {
        let sizes: Vec<i32> = differences
            .iter()
            .filter(|d| **d != 0)
            .map(|d| d.abs())
            .collect();
        let rank = |size: &i32| {
            let lower = sizes.iter().filter(|other| *other < size).count();
            2 * lower + sizes.iter().filter(|other| *other == size).count() + 1
        };
        let ranks: Vec<usize> = sizes.iter().map(rank).collect();
        let signs = differences.iter().filter(|d| **d != 0).map(|d| *d > 0);
        let observed: usize = ranks
            .iter()
            .zip(signs)
            .filter(|(_, plus)| *plus)
            .map(|r| r.0)
            .sum();
        let all: usize = ranks.iter().sum();
        let off = |sum: usize| (2 * sum).abs_diff(all);
        let sum = |signs: u32| -> usize {
            ranks
                .iter()
                .enumerate()
                .filter(|(i, _)| signs >> i & 1 == 1)
                .map(|(_, r)| r)
                .sum()
        };
        let assignments = 1_u32 << ranks.len();
        let extreme = (0..assignments)
            .filter(|&signs| off(sum(signs)) >= off(observed))
            .count();
        extreme as f64 / f64::from(assignments)
    }

    kinwood_testing::soak! { 256;
        fn soak_exact_with_ties_agrees_with_brute_force(
            differences in prop::collection::vec(-5..6_i32, 1..13),
        ) {
            let a: Vec<f64> = differences.iter().copied().map(f64::from).collect();
            let test = wilcoxon_signed_rank(&a, &vec![0.0; a.len()]).unwrap();
            prop_assert!(test.exact);
            prop_assert!((test.p - brute_force(&differences)).abs() < 1e-12, "{:?}", test);
            let swapped = wilcoxon_signed_rank(&vec![0.0; a.len()], &a).unwrap();
            prop_assert_eq!((swapped.w_plus, swapped.w_minus), (test.w_minus, test.w_plus));
            prop_assert_eq!(swapped.p, test.p);
        }
    }
}
