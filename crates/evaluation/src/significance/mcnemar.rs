//! McNemar's test: whether two classifiers err differently often on the same rows.

use serde::Serialize;

use super::tails::chi_square;
use crate::error::Error;

/// Up to this many rows on which just one of two is right, p is exact; beyond, a chi-square is
/// used.
///
/// Terms of the binomial distribution are added up from `2^-n`, which is a number of full precision
/// up to here.
pub const EXACT_DISCORDANT: usize = 1000;

/// What McNemar's test says.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct McNemar {
    /// The rows on which only the first is right.
    pub only_first: usize,
    /// The rows on which only the second is right.
    pub only_second: usize,
    /// The chi-square with continuity correction; 0 where both numbers are 0.
    pub chi_square: f64,
    /// The probability of numbers at least as unequal, were both as likely.
    pub p: f64,
    /// Whether `p` is exact or of the chi-square.
    pub exact: bool,
}

/// McNemar's test on which rows two classifiers are right, two-sided.
///
/// Only the `n = b + c` rows count on which just one is right: `b` the first, `c` the second.
/// Exact, for up to [`EXACT_DISCORDANT`] of them: `p = min(1, 2 P(B <= min(b, c)))` with `B`
/// binomial of `n` and 1/2. Beyond: `p = P(X >= x)` for one degree of freedom,
///
/// `x = max(0, |b - c| - 1)^2 / (b + c)`
///
/// No such row gives `p = 1`. The rows have to be predicted once each, by models of one training
/// set or by one cross-validation; repeats would count rows again.
///
/// Reference: Q. McNemar, Note on the sampling error of the difference between correlated
/// proportions or percentages, Psychometrika 12(2), 1947; T. Dietterich, Approximate statistical
/// tests for comparing supervised classification learning algorithms, Neural Computation 10(7),
/// 1998; A. Edwards, Note on the "correction for continuity", Psychometrika 13(3), 1948.
///
/// ```
/// use kinwood_evaluation::significance::mcnemar;
/// let test = mcnemar(&[true, true, true, false], &[false, false, true, false])?;
/// assert_eq!((test.only_first, test.only_second, test.p), (2, 0, 0.5));
/// # Ok::<(), kinwood_evaluation::Error>(())
/// ```
pub fn mcnemar(first: &[bool], second: &[bool]) -> Result<McNemar, Error> {
    if first.len() != second.len() {
        return Err(Error::Lengths {
            what: "second outcomes",
            found: second.len(),
            expected: first.len(),
        });
    }
    if first.is_empty() {
        return Err(Error::TooFewPairs {
            found: 0,
            expected: 1,
        });
    }
    let pairs = || first.iter().zip(second);
    let only_first = pairs().filter(|(a, b)| **a && !**b).count();
    let only_second = pairs().filter(|(a, b)| !**a && **b).count();
    let discordant = only_first + only_second;
    let apart = only_first.abs_diff(only_second).saturating_sub(1) as f64;
    let statistic = apart * apart / discordant.max(1) as f64;
    let exact = discordant <= EXACT_DISCORDANT;
    let p = if exact {
        (2.0 * binomial_up_to(only_first.min(only_second), discordant)).min(1.0)
    } else {
        chi_square(statistic, 1.0)
    };
    Ok(McNemar {
        only_first,
        only_second,
        chi_square: statistic,
        p,
        exact,
    })
}

/// `P(B <= most)` for `B` binomial of `n` and 1/2.
fn binomial_up_to(most: usize, n: usize) -> f64 {
    let mut term = 2.0_f64.powi(-(n as i32));
    let mut sum = term;
    for i in 1..=most {
        term *= (n - i + 1) as f64 / i as f64;
        sum += term;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn outcomes(only_first: usize, only_second: usize, both: usize) -> (Vec<bool>, Vec<bool>) {
        let first = [
            vec![true; only_first],
            vec![false; only_second],
            vec![true; both],
        ];
        let second = [
            vec![false; only_first],
            vec![true; only_second],
            vec![true; both],
        ];
        (first.concat(), second.concat())
    }

    #[test]
    fn few_are_counted() {
        // 1 + 6 of 64 at either end.
        let (a, b) = outcomes(1, 5, 9);
        let test = mcnemar(&a, &b).unwrap();
        assert_eq!(
            (test.p, test.exact, test.chi_square),
            (14.0 / 64.0, true, 1.5)
        );
        let (a, b) = outcomes(3, 3, 0);
        assert_eq!(mcnemar(&a, &b).unwrap().p, 1.0);
    }

    #[test]
    fn the_approximation_is_near_where_it_takes_over() {
        let (a, b) = outcomes(530, 470, 0);
        let exact = mcnemar(&a, &b).unwrap();
        assert!(exact.exact);
        let approximate = chi_square(exact.chi_square, 1.0);
        assert!((exact.p - approximate).abs() < 1e-4, "{exact:?}");
        let (a, b) = outcomes(531, 470, 0);
        assert!(!mcnemar(&a, &b).unwrap().exact);
        let (a, b) = outcomes(1000, 0, 0);
        assert_eq!(mcnemar(&a, &b).unwrap().p, 2.0_f64.powi(-999));
        let (a, b) = outcomes(900, 901, 0);
        assert_eq!(mcnemar(&a, &b).unwrap().p, 1.0);
    }

    #[test]
    fn what_cannot_be_tested_is_refused() {
        assert!(matches!(mcnemar(&[], &[]), Err(Error::TooFewPairs { .. })));
        assert!(matches!(mcnemar(&[true], &[]), Err(Error::Lengths { .. })));
        let same = mcnemar(&[true, false], &[true, false]).unwrap();
        assert_eq!((same.p, same.chi_square), (1.0, 0.0));
    }

    kinwood_testing::soak! { 256;
        fn soak_swapping_changes_nothing_but_the_sides(
            pairs in prop::collection::vec((any::<bool>(), any::<bool>()), 1..200),
        ) {
            let (a, b): (Vec<bool>, Vec<bool>) = pairs.into_iter().unzip();
            let (test, swapped) = (mcnemar(&a, &b).unwrap(), mcnemar(&b, &a).unwrap());
            prop_assert_eq!(test.p, swapped.p);
            prop_assert_eq!((test.only_first, test.only_second), (swapped.only_second, swapped.only_first));
            prop_assert!((0.0..=1.0).contains(&test.p));
        }
    }
}
