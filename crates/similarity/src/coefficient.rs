//! Coefficients of what two collections have in common: shared by distances, kernels and the
//! accounts of them.
//!
//! Each collection has a total, and both together a common part; a coefficient is the ratio of the
//! common part to a mean of the totals.

use serde::Serialize;

/// How much of two collections is common to both, as a share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Coefficient {
    /// Of what at least one has: Jaccard's, with repeats Ružička's.
    Jaccard,
    /// Of the mean of what either has: Dice's and Sørensen's, with repeats Bray and Curtis's.
    Dice,
    /// The cosine of the angle between the collections as vectors: Ochiai's on sets.
    Cosine,
    /// Of what the smaller has: Simpson's.
    Overlap,
}

impl Coefficient {
    /// The name of its distance in expressions.
    pub fn name(self) -> &'static str {
        match self {
            Coefficient::Jaccard => "jaccard",
            Coefficient::Dice => "dice",
            Coefficient::Cosine => "cosine",
            Coefficient::Overlap => "overlap",
        }
    }

    /// The name of its kernel, if it is an inner product.
    pub(crate) fn kernel_name(self) -> Option<&'static str> {
        match self {
            Coefficient::Jaccard => Some("tanimoto"),
            Coefficient::Dice => Some("sorensen"),
            Coefficient::Cosine => Some("ochiai"),
            Coefficient::Overlap => None,
        }
    }

    /// What a member that counts so much adds to the total of its collection.
    #[inline]
    pub(crate) fn own(self, amount: f64) -> f64 {
        match self {
            Coefficient::Cosine => amount * amount,
            Coefficient::Jaccard | Coefficient::Dice | Coefficient::Overlap => amount,
        }
    }

    /// What a member that counts so much in either collection adds to the common part.
    #[inline]
    pub(crate) fn shared(self, first: f64, second: f64) -> f64 {
        match self {
            Coefficient::Cosine => first * second,
            Coefficient::Jaccard | Coefficient::Dice | Coefficient::Overlap => first.min(second),
        }
    }

    /// What the common part is a share of, given the totals; it is above 0 if they are.
    #[inline(always)]
    fn whole(self, first: f64, second: f64, both: f64) -> f64 {
        match self {
            Coefficient::Jaccard => first + second - both,
            Coefficient::Dice => (first + second) / 2.0,
            Coefficient::Cosine => (first * second).sqrt(),
            Coefficient::Overlap => {
                if first < second {
                    first
                } else {
                    second
                }
            }
        }
    }

    /// The coefficient, from totals above 0 and the common part.
    #[inline(always)]
    pub(crate) fn similarity(self, first: f64, second: f64, both: f64) -> f64 {
        let share = both / self.whole(first, second, both);
        // Rounding may lift the common part over the whole.
        if share < 1.0 { share } else { 1.0 }
    }

    /// One less the coefficient, from totals above 0 and the common part: exact to the last bit for
    /// numbers of members.
    #[inline(always)]
    pub(crate) fn distance(self, first: f64, second: f64, both: f64) -> f64 {
        let whole = self.whole(first, second, both);
        let apart = (whole - both) / whole;
        if apart > 0.0 { apart } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_of_two_and_three_members_with_one_in_common() {
        let of = |coefficient: Coefficient| coefficient.distance(2.0, 3.0, 1.0);
        assert_eq!(of(Coefficient::Jaccard), 0.75);
        assert_eq!(of(Coefficient::Dice), 0.6);
        assert_eq!(of(Coefficient::Overlap), 0.5);
        assert!((of(Coefficient::Cosine) - (1.0 - 1.0 / 6f64.sqrt())).abs() < 1e-15);
    }

    #[test]
    fn equals_share_all() {
        for coefficient in [
            Coefficient::Jaccard,
            Coefficient::Dice,
            Coefficient::Cosine,
            Coefficient::Overlap,
        ] {
            for total in [1.0, 3.0, 0.1, 7.3, 1e-9, 1e20] {
                assert_eq!(coefficient.distance(total, total, total), 0.0);
                assert_eq!(coefficient.similarity(total, total, total), 1.0);
            }
        }
    }
}
