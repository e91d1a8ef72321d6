//! Measures that take two whole values at a time, whatever those are made of: what is left when a
//! measure has been bound and only pairs are to be computed.

use std::cell::RefCell;
use std::ops::Range;

use crate::gram::Gram;
use crate::laws::Laws;
use crate::pairs::{Pairs, Row};
use crate::score::Score;

/// Values made ready for comparison, by row.
pub(crate) trait Comparison: Send + Sync {
    /// What comes out.
    type Score: Score;
    /// Memory used again from pair to pair.
    type Scratch: Default;
    /// Numbers of queries and references.
    fn shape(&self) -> (usize, usize);
    /// What one pair gives.
    fn between(&self, query: usize, reference: usize, scratch: &mut Self::Scratch) -> Self::Score;
    /// The same, if it is at most the bound.
    fn within(
        &self,
        query: usize,
        reference: usize,
        bound: Self::Score,
        scratch: &mut Self::Scratch,
    ) -> Option<Self::Score> {
        Some(self.between(query, reference, scratch))
            .filter(|distance| distance.compare(&bound).is_le())
    }
}

/// A distance by comparisons.
pub(crate) struct ComparedPairs<C> {
    pub(crate) comparison: C,
    pub(crate) laws: Laws,
}

impl<C: Comparison> Pairs<C::Score> for ComparedPairs<C> {
    fn shape(&self) -> (usize, usize) {
        self.comparison.shape()
    }

    fn laws(&self) -> Laws {
        self.laws
    }

    fn prepare(&self, query: usize) -> Box<dyn Row<C::Score> + '_> {
        Box::new(ComparedRow::new(&self.comparison, query))
    }
}

/// A kernel by comparisons.
pub(crate) struct ComparedGram<C>(pub(crate) C);

impl<C: Comparison<Score = f64>> Gram for ComparedGram<C> {
    fn shape(&self) -> (usize, usize) {
        self.0.shape()
    }

    fn prepare(&self, query: usize) -> Box<dyn Row<f64> + '_> {
        Box::new(ComparedRow::new(&self.0, query))
    }
}

struct ComparedRow<'a, C: Comparison> {
    comparison: &'a C,
    query: usize,
    scratch: RefCell<C::Scratch>,
}

impl<'a, C: Comparison> ComparedRow<'a, C> {
    fn new(comparison: &'a C, query: usize) -> Self {
        Self {
            comparison,
            query,
            scratch: RefCell::default(),
        }
    }
}

impl<C: Comparison> Row<C::Score> for ComparedRow<'_, C> {
    fn fill(&self, references: Range<usize>, out: &mut [C::Score]) {
        let scratch = &mut *self.scratch.borrow_mut();
        for (out, reference) in out.iter_mut().zip(references) {
            *out = self.comparison.between(self.query, reference, scratch);
        }
    }

    fn within(&self, reference: usize, bound: C::Score) -> Option<C::Score> {
        let scratch = &mut *self.scratch.borrow_mut();
        self.comparison
            .within(self.query, reference, bound, scratch)
    }
}
