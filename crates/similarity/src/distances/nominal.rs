//! Distances between labels.

use std::ops::Range;

use crate::distance::Distance;
use crate::laws::Laws;
use crate::missing::Missing;
use crate::pairs::{Pairs, Row};

/// 0 if equal, else 1.
///
/// Laws: metric. Cost: one comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Discrete;

impl Distance<u32> for Discrete {
    type Score = f64;

    fn between(&self, a: &u32, b: &u32) -> f64 {
        f64::from(u8::from(a != b))
    }

    fn laws(&self) -> Laws {
        Laws::METRIC
    }
}

/// Codes bound to codes of the same dictionary; 0 stands for missing, labels count from 1.
pub(crate) struct NominalPairs {
    pub(crate) missing: Missing,
    pub(crate) queries: Vec<u32>,
    pub(crate) references: Vec<u32>,
}

/// The code of a missing label.
pub(crate) const ABSENT: u32 = 0;

impl Pairs<f64> for NominalPairs {
    fn shape(&self) -> (usize, usize) {
        (self.queries.len(), self.references.len())
    }

    fn laws(&self) -> Laws {
        super::with_missing(Discrete.laws(), self.missing)
    }

    fn prepare(&self, query: usize) -> Box<dyn Row<f64> + '_> {
        let query = self.queries[query];
        let (to_absent, to_present) = match (self.missing, query == ABSENT) {
            (Missing::Own, true) => (0.0, 1.0),
            (Missing::Own, false) => (1.0, 1.0),
            (Missing::Max, _) => (1.0, 1.0),
            (Missing::Skip, true) => (f64::NAN, f64::NAN),
            (Missing::Skip, false) => (f64::NAN, 1.0),
        };
        Box::new(NominalRow {
            query,
            to_absent,
            to_present,
            references: &self.references,
        })
    }
}

struct NominalRow<'a> {
    query: u32,
    to_absent: f64,
    /// To a present label other than the query's.
    to_present: f64,
    references: &'a [u32],
}

impl Row<f64> for NominalRow<'_> {
    fn fill(&self, references: Range<usize>, out: &mut [f64]) {
        for (out, &reference) in out.iter_mut().zip(&self.references[references]) {
            let present = if reference == self.query {
                0.0
            } else {
                self.to_present
            };
            *out = if reference == ABSENT {
                self.to_absent
            } else {
                present
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_labels_by_policy() {
        let row = |missing, query| {
            let pairs = NominalPairs {
                missing,
                queries: vec![query],
                references: vec![ABSENT, 1, 2],
            };
            let mut out = [0.0; 3];
            pairs.prepare(0).fill(0..3, &mut out);
            out
        };
        assert_eq!(row(Missing::Own, 1), [1.0, 0.0, 1.0]);
        assert_eq!(row(Missing::Own, ABSENT), [0.0, 1.0, 1.0]);
        assert_eq!(row(Missing::Max, 1), [1.0, 0.0, 1.0]);
        assert_eq!(row(Missing::Max, ABSENT), [1.0, 1.0, 1.0]);
        assert!(row(Missing::Skip, ABSENT).iter().all(|d| d.is_nan()));
        assert!(row(Missing::Skip, 1)[0].is_nan());
        assert_eq!(row(Missing::Skip, 1)[1..], [0.0, 1.0]);
    }
}
