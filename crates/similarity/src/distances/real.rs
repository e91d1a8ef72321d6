//! Distances between numbers.

use std::ops::Range;

use crate::distance::Distance;
use crate::laws::Laws;
use crate::missing::Missing;
use crate::pairs::{Pairs, Row};

/// Absolute difference, divided by a range.
///
/// `|x - y| / range`; with a range of 0 (a column that is constant in training) 0 if equal, else 1.
///
/// Laws: metric. Cost: one subtraction.
/// Reference: Aha, Kibler and Albert, *Instance-based learning algorithms*, Machine Learning 6, 1991 (the range).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Absolute {
    /// The least value in training.
    pub least: f64,
    /// The greatest value in training.
    pub greatest: f64,
}

impl Absolute {
    /// The distance over the range of these numbers; with none, over the range from 0 to 1.
    pub fn over(numbers: impl IntoIterator<Item = f64>) -> Self {
        let (least, greatest) = numbers
            .into_iter()
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| {
                (low.min(x), high.max(x))
            });
        if least <= greatest {
            Self { least, greatest }
        } else {
            Self {
                least: 0.0,
                greatest: 1.0,
            }
        }
    }

    fn scale(&self) -> Option<f64> {
        // Ends of opposite sign and great magnitude overflow their difference: halve first.
        let range = self.greatest / 2.0 - self.least / 2.0;
        (range > 0.0).then_some(0.5 / range)
    }

    /// The furthest a value of the training range can be from `x`.
    fn furthest(&self, x: f64) -> f64 {
        match self.scale() {
            Some(scale) => ((x - self.least).abs()).max((self.greatest - x).abs()) * scale,
            None => 1.0,
        }
    }
}

impl Distance<f64> for Absolute {
    type Score = f64;

    fn between(&self, a: &f64, b: &f64) -> f64 {
        match self.scale() {
            Some(scale) => (a - b).abs() * scale,
            None => f64::from(u8::from(a != b)),
        }
    }

    fn laws(&self) -> Laws {
        Laws::METRIC
    }
}

/// Numbers bound to numbers; NaN stands for missing.
pub(crate) struct RealPairs {
    pub(crate) distance: Absolute,
    pub(crate) missing: Missing,
    pub(crate) queries: Vec<f64>,
    pub(crate) references: Vec<f64>,
}

impl Pairs<f64> for RealPairs {
    fn shape(&self) -> (usize, usize) {
        (self.queries.len(), self.references.len())
    }

    fn laws(&self) -> Laws {
        super::with_missing(self.distance.laws(), self.missing)
    }

    fn prepare(&self, query: usize) -> Box<dyn Row<f64> + '_> {
        let query = self.queries[query];
        if query.is_nan() {
            return Box::new(AbsentReal { pairs: self });
        }
        let absent = match self.missing {
            Missing::Own => 1.0,
            Missing::Max => self.distance.furthest(query),
            Missing::Skip => f64::NAN,
        };
        Box::new(RealRow {
            query,
            scale: self.distance.scale(),
            absent,
            references: &self.references,
        })
    }
}

/// A query whose number is missing.
struct AbsentReal<'a> {
    pairs: &'a RealPairs,
}

impl Row<f64> for AbsentReal<'_> {
    fn fill(&self, references: Range<usize>, out: &mut [f64]) {
        for (out, &reference) in out.iter_mut().zip(&self.pairs.references[references]) {
            *out = match (self.pairs.missing, reference.is_nan()) {
                (Missing::Own, true) => 0.0,
                (Missing::Own, false) | (Missing::Max, true) => 1.0,
                (Missing::Max, false) => self.pairs.distance.furthest(reference),
                (Missing::Skip, _) => f64::NAN,
            };
        }
    }
}

struct RealRow<'a> {
    query: f64,
    scale: Option<f64>,
    absent: f64,
    references: &'a [f64],
}

impl Row<f64> for RealRow<'_> {
    fn fill(&self, references: Range<usize>, out: &mut [f64]) {
        let references = &self.references[references];
        match self.scale {
            Some(scale) => {
                for (out, &reference) in out.iter_mut().zip(references) {
                    let distance = (self.query - reference).abs() * scale;
                    *out = if reference.is_nan() {
                        self.absent
                    } else {
                        distance
                    };
                }
            }
            None => {
                for (out, &reference) in out.iter_mut().zip(references) {
                    let differs = f64::from(u8::from(self.query != reference));
                    *out = if reference.is_nan() {
                        self.absent
                    } else {
                        differs
                    };
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_are_shares_of_the_range() {
        let distance = Absolute::over([2.0, 6.0, 4.0]);
        assert_eq!(distance.between(&2.0, &6.0), 1.0);
        assert_eq!(distance.between(&3.0, &4.0), 0.25);
        assert_eq!(distance.furthest(3.0), 0.75);
    }

    #[test]
    fn a_zero_range_tells_equal_from_unequal() {
        let distance = Absolute::over([2.0, 2.0]);
        assert_eq!(
            (distance.between(&2.0, &2.0), distance.between(&2.0, &3.0)),
            (0.0, 1.0)
        );
    }

    #[test]
    fn the_range_of_huge_numbers_does_not_overflow() {
        let distance = Absolute::over([-1e308, 1e308]);
        assert_eq!(distance.between(&-1e308, &-1e308), 0.0);
        assert!(distance.between(&0.0, &1e308) <= 0.5 + 1e-12);
    }

    #[test]
    fn missing_numbers_by_policy() {
        let row = |missing, query: f64| {
            let references = vec![0.0, 1.0, f64::NAN];
            let distance = Absolute {
                least: 0.0,
                greatest: 4.0,
            };
            let pairs = RealPairs {
                distance,
                missing,
                queries: vec![query],
                references,
            };
            let mut out = [0.0; 3];
            pairs.prepare(0).fill(0..3, &mut out);
            out
        };
        assert_eq!(row(Missing::Own, 1.0), [0.25, 0.0, 1.0]);
        assert_eq!(row(Missing::Own, f64::NAN), [1.0, 1.0, 0.0]);
        assert_eq!(row(Missing::Max, 1.0), [0.25, 0.0, 0.75]);
        assert_eq!(row(Missing::Max, f64::NAN), [1.0, 0.75, 1.0]);
        assert!(row(Missing::Skip, f64::NAN).iter().all(|d| d.is_nan()));
    }
}
