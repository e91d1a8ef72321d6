//! Scores: what a distance returns. Order and sums are enough for neighbours, prototypes and the
//! triangle.

use std::cmp::Ordering;
use std::fmt;
use std::fmt::Debug;

use serde::{Serialize, Serializer};

/// Something that can be added and compared, with a zero.
pub trait Score: Copy + Debug + Send + Sync + 'static {
    /// How far a thing is from itself.
    fn zero() -> Self;
    /// The sum.
    fn plus(self, other: Self) -> Self;
    /// The order.
    fn compare(&self, other: &Self) -> Ordering;
}

impl Score for f64 {
    fn zero() -> Self {
        0.0
    }

    fn plus(self, other: Self) -> Self {
        self + other
    }

    fn compare(&self, other: &Self) -> Ordering {
        self.total_cmp(other)
    }
}

/// The size of a first-order term, and differences of sizes: symbols first, then variables.
///
/// Reference: Ramon, Bruynooghe and Van Laer, *Distance measures between atoms*, 1998.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TermSize {
    /// Predicate and function symbols, constants included.
    pub functors: i64,
    /// Sum of the squared numbers of occurrences of each variable.
    pub variables: i64,
}

/// As a list of two.
impl Serialize for TermSize {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        [self.functors, self.variables].serialize(serializer)
    }
}

impl Score for TermSize {
    fn zero() -> Self {
        Self {
            functors: 0,
            variables: 0,
        }
    }

    fn plus(self, other: Self) -> Self {
        Self {
            functors: self.functors + other.functors,
            variables: self.variables + other.variables,
        }
    }

    fn compare(&self, other: &Self) -> Ordering {
        self.cmp(other)
    }
}

/// What a distance between two values is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Measured {
    /// A number.
    Number(f64),
    /// A pair, of a pair-valued distance.
    Pair(TermSize),
}

/// Numbers as they are, pairs as `(2, -2)`.
impl fmt::Display for Measured {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Measured::Number(number) => write!(f, "{number}"),
            Measured::Pair(size) => write!(f, "({}, {})", size.functors, size.variables),
        }
    }
}

/// Numbers as they are, pairs as lists of two; what is no number is nothing.
impl Serialize for Measured {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Measured::Number(number) if number.is_finite() => number.serialize(serializer),
            Measured::Number(_) => serializer.serialize_none(),
            Measured::Pair(size) => size.serialize(serializer),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn term_sizes_are_ordered_by_symbols_then_variables() {
        let size = |functors, variables| TermSize {
            functors,
            variables,
        };
        assert!(size(2, -2) < size(4, -8));
        assert!(size(2, -8) < size(2, -2));
        assert_eq!(size(1, 2).plus(size(1, -4)), size(2, -2));
    }
}
