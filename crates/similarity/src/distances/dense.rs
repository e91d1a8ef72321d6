//! Rows of numbers: Euclidean and Manhattan distances, several references at a time.
//!
//! References lie in tiles of [`LANES`] with the same field side by side, so that one instruction
//! works on as many of them as the processor's registers hold. Every lane adds its fields in their
//! order: the result does not depend on the width of the registers.

use std::ops::Range;

use crate::laws::Laws;
use crate::pairs::{Pairs, Row};

/// Which distance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Norm {
    /// The root of the sum of squares.
    Euclidean,
    /// The sum.
    Manhattan,
}

/// References in a tile.
const LANES: usize = 16;

type Tile = [f64; LANES];

pub(crate) struct DensePairs {
    norm: Norm,
    /// What the sum is divided by, for means.
    divisor: Option<f64>,
    laws: Laws,
    shape: (usize, usize),
    fields: usize,
    /// What each difference is multiplied by; none if by 1.
    factors: Option<Vec<f64>>,
    /// Row after row.
    queries: Vec<f64>,
    /// Tile after tile, a field after the other.
    references: Vec<Tile>,
}

impl DensePairs {
    /// From columns of numbers, with a factor for the differences of each.
    pub(crate) fn new(
        norm: Norm,
        divisor: Option<f64>,
        laws: Laws,
        factors: Vec<f64>,
        queries: &[Vec<f64>],
        references: &[Vec<f64>],
    ) -> Self {
        let rows = |of: &[Vec<f64>]| of.first().map_or(0, Vec::len);
        let shape = (rows(queries), rows(references));
        let fields = queries.len();
        let mut rows = vec![0.0; fields * shape.0];
        for (field, column) in queries.iter().enumerate() {
            for (row, &number) in column.iter().enumerate() {
                rows[row * fields + field] = number;
            }
        }
        let tiles = shape.1.div_ceil(LANES);
        let mut tiled = vec![[0.0; LANES]; tiles * fields];
        for (field, column) in references.iter().enumerate() {
            for (row, &number) in column.iter().enumerate() {
                tiled[row / LANES * fields + field][row % LANES] = number;
            }
        }
        Self {
            norm,
            divisor,
            laws,
            shape,
            fields,
            // Differences are scaled rather than numbers: what is close stays exact.
            factors: Some(factors).filter(|factors| factors.iter().any(|&factor| factor != 1.0)),
            queries: rows,
            references: tiled,
        }
    }
}

impl Pairs<f64> for DensePairs {
    fn shape(&self) -> (usize, usize) {
        self.shape
    }

    fn laws(&self) -> Laws {
        self.laws
    }

    fn heavy(&self) -> bool {
        false
    }

    fn prepare(&self, query: usize) -> Box<dyn Row<f64> + '_> {
        Box::new(DenseRow {
            of: self,
            query: &self.queries[query * self.fields..][..self.fields],
        })
    }
}

struct DenseRow<'a> {
    of: &'a DensePairs,
    query: &'a [f64],
}

impl Row<f64> for DenseRow<'_> {
    fn fill(&self, references: Range<usize>, out: &mut [f64]) {
        let fields = self.of.fields;
        let (mut reference, mut out) = (references.start, out);
        while !out.is_empty() {
            let tile = &self.of.references[reference / LANES * fields..][..fields];
            let lane = reference % LANES;
            let taken = (LANES - lane).min(out.len());
            let sums = wide::sums(self.of.norm, self.of.factors.as_deref(), self.query, tile);
            let (now, later) = out.split_at_mut(taken);
            now.copy_from_slice(&sums[lane..lane + taken]);
            if let Some(divisor) = self.of.divisor {
                for out in &mut *now {
                    *out /= divisor;
                }
            }
            if self.of.norm == Norm::Euclidean {
                for out in &mut *now {
                    *out = out.sqrt();
                }
            }
            out = later;
            reference += taken;
        }
    }
}

mod wide {
    //! The one inner loop, compiled for wider registers where the processor has them.

    use super::{LANES, Norm, Tile};

    #[inline(always)]
    fn plain(query: &[f64], tile: &[Tile], term: impl Fn(f64) -> f64) -> Tile {
        let mut sums = [0.0; LANES];
        for (&own, others) in query.iter().zip(tile) {
            for (sum, other) in sums.iter_mut().zip(others) {
                *sum += term(own - other);
            }
        }
        sums
    }

    #[inline(always)]
    fn scaled(factors: &[f64], query: &[f64], tile: &[Tile], term: impl Fn(f64) -> f64) -> Tile {
        let mut sums = [0.0; LANES];
        for ((&own, others), factor) in query.iter().zip(tile).zip(factors) {
            for (sum, other) in sums.iter_mut().zip(others) {
                *sum += term((own - other) * factor);
            }
        }
        sums
    }

    #[inline(always)]
    fn any(norm: Norm, factors: Option<&[f64]>, query: &[f64], tile: &[Tile]) -> Tile {
        let square = |difference: f64| difference * difference;
        match (norm, factors) {
            (Norm::Euclidean, None) => plain(query, tile, square),
            (Norm::Euclidean, Some(factors)) => scaled(factors, query, tile, square),
            (Norm::Manhattan, None) => plain(query, tile, f64::abs),
            (Norm::Manhattan, Some(factors)) => scaled(factors, query, tile, f64::abs),
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn avx2(norm: Norm, factors: Option<&[f64]>, query: &[f64], tile: &[Tile]) -> Tile {
        any(norm, factors, query, tile)
    }

    /// For each reference of the tile the sum over the fields.
    #[inline]
    pub(super) fn sums(norm: Norm, factors: Option<&[f64]>, query: &[f64], tile: &[Tile]) -> Tile {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") {
            #[allow(unsafe_code)]
            // SAFETY: the processor has the feature; the function is otherwise the same safe code.
            return unsafe { avx2(norm, factors, query, tile) };
        }
        any(norm, factors, query, tile)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equals_the_definition_across_tiles_and_ranges() {
        let numbers = |rows: usize, seed: usize| -> Vec<Vec<f64>> {
            (0..5)
                .map(|field| {
                    (0..rows)
                        .map(|row| ((row * 31 + field * 17 + seed) % 23) as f64 / 7.0)
                        .collect()
                })
                .collect()
        };
        let (queries, references) = (numbers(3, 1), numbers(41, 5));
        for norm in [Norm::Euclidean, Norm::Manhattan] {
            let factors = vec![1.0, 2.0, 0.5, 1.0, 3.0];
            let pairs = DensePairs::new(
                norm,
                None,
                Laws::METRIC,
                factors.clone(),
                &queries,
                &references,
            );
            for query in 0..3 {
                for range in [0..41, 3..7, 15..33, 40..41, 7..7] {
                    let mut out = vec![0.0; range.len()];
                    pairs.prepare(query).fill(range.clone(), &mut out);
                    for (found, reference) in out.iter().zip(range) {
                        let fields = queries.iter().zip(&references).zip(&factors);
                        let gaps = fields
                            .map(|((one, other), factor)| (one[query] - other[reference]) * factor);
                        let expected = match norm {
                            Norm::Euclidean => gaps.map(|gap| gap * gap).sum::<f64>().sqrt(),
                            Norm::Manhattan => gaps.map(f64::abs).sum(),
                        };
                        assert!((found - expected).abs() < 1e-12);
                    }
                }
            }
        }
    }
}
