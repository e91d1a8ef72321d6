//! Kernels that count common substructures: numbers that grow exponentially with the values, so
//! that they may exceed every `f64`, while the kernel of directions made of them does not.

use std::ops::Range;
use std::sync::Arc;

use kinwood_values::Column;
use rayon::prelude::*;

use crate::algorithms::scaled::Scaled;
use crate::error::Error;
use crate::expression::Expression;
use crate::gram::{Gram, KernelLaws};
use crate::measure::FittedKernel;
use crate::pairs::Row;

/// Values made ready to be counted in pairs.
pub(super) trait Counts: Send + Sync {
    /// A query made ready for many references.
    type Query<'a>
    where
        Self: 'a;
    /// Numbers of queries and references.
    fn shape(&self) -> (usize, usize);
    /// Makes a query ready.
    fn prepare(&self, query: usize) -> Self::Query<'_>;
    /// The kernel of a query and a reference.
    fn count(&self, query: &Self::Query<'_>, reference: usize) -> Scaled;
}

/// A kernel by counts.
pub(super) trait CountingKernel: Send + Sync {
    /// What it is bound to.
    type Counts: Counts + 'static;
    /// What it guarantees.
    fn laws(&self) -> KernelLaws {
        KernelLaws::INNER_PRODUCT
    }
    /// The expression that builds it again.
    fn expression(&self) -> Expression;
    /// Binds it to two columns of its type.
    fn counts(&self, queries: &Column, references: &Column) -> Result<Self::Counts, Error>;
}

/// A counting kernel as a kernel: infinite where a count exceeds every number, but for its
/// directions.
pub(super) struct Counting<K>(pub(super) K);

impl<K: CountingKernel> Counting<K> {
    fn own(&self, column: &Column) -> Result<Vec<Scaled>, Error> {
        let counts = self.0.counts(column, column)?;
        let own = |row: usize| counts.count(&counts.prepare(row), row);
        Ok((0..column.len()).into_par_iter().map(own).collect())
    }
}

impl<K: CountingKernel> FittedKernel for Counting<K> {
    fn laws(&self) -> KernelLaws {
        self.0.laws()
    }

    fn expression(&self) -> Expression {
        self.0.expression()
    }

    fn bind(&self, queries: &Column, references: &Column) -> Result<Arc<dyn Gram>, Error> {
        Ok(Arc::new(CountedGram(self.0.counts(queries, references)?)))
    }

    fn diagonal(&self, column: &Column) -> Result<Vec<f64>, Error> {
        Ok(self.own(column)?.into_iter().map(Scaled::value).collect())
    }

    fn directed(&self, column: &Column) -> Result<Vec<bool>, Error> {
        let own = self.own(column)?;
        Ok(own.into_iter().map(Scaled::is_positive).collect())
    }

    fn bind_normalised(
        &self,
        queries: &Column,
        references: &Column,
    ) -> Result<Arc<dyn Gram>, Error> {
        let own = self.own(queries)?;
        Ok(Arc::new(NormalisedCounts {
            counts: self.0.counts(queries, references)?,
            references: match std::ptr::eq(queries, references) {
                true => own.clone(),
                false => self.own(references)?,
            },
            queries: own,
        }))
    }
}

struct CountedGram<C>(C);

impl<C: Counts> Gram for CountedGram<C> {
    fn shape(&self) -> (usize, usize) {
        self.0.shape()
    }

    fn prepare(&self, query: usize) -> Box<dyn Row<f64> + '_> {
        Box::new(CountedRow {
            of: &self.0,
            query: self.0.prepare(query),
        })
    }
}

struct CountedRow<'a, C: Counts + 'a> {
    of: &'a C,
    query: C::Query<'a>,
}

impl<C: Counts> Row<f64> for CountedRow<'_, C> {
    fn fill(&self, references: Range<usize>, out: &mut [f64]) {
        for (out, reference) in out.iter_mut().zip(references) {
            *out = self.of.count(&self.query, reference).value();
        }
    }
}

struct NormalisedCounts<C> {
    counts: C,
    /// Each value's count with itself.
    queries: Vec<Scaled>,
    references: Vec<Scaled>,
}

impl<C: Counts> Gram for NormalisedCounts<C> {
    fn shape(&self) -> (usize, usize) {
        self.counts.shape()
    }

    fn prepare(&self, query: usize) -> Box<dyn Row<f64> + '_> {
        Box::new(NormalisedRow {
            of: self,
            query: self.counts.prepare(query),
            own: self.queries[query],
        })
    }
}

struct NormalisedRow<'a, C: Counts + 'a> {
    of: &'a NormalisedCounts<C>,
    query: C::Query<'a>,
    own: Scaled,
}

impl<C: Counts> Row<f64> for NormalisedRow<'_, C> {
    fn fill(&self, references: Range<usize>, out: &mut [f64]) {
        for (out, reference) in out.iter_mut().zip(references) {
            let count = self.of.counts.count(&self.query, reference);
            *out = Scaled::normalised(count, self.own, self.of.references[reference]);
        }
    }
}
