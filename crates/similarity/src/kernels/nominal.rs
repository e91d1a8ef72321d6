//! The kernel of equality.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use kinwood_values::Column;

use crate::entry::{Build, Entry, Example, Inside, Takes};
use crate::error::Error;
use crate::expression::Expression;
use crate::gram::{Gram, KernelLaws};
use crate::measure::FittedKernel;
use crate::pairs::Row;
use crate::symbols::Symbols;

/// The catalogue's entry.
pub(crate) const DELTA: Entry = Entry {
    name: Cow::Borrowed("delta"),
    values: Cow::Borrowed("values of any type"),
    takes: Takes::Any,
    inside: Inside::Leaf,
    facts: None,
    summary: Cow::Borrowed("1 if equal, else 0."),
    laws: "positive semi-definite",
    cost: "one comparison",
    reference: "Estruch, Ferri, Hernández-Orallo and Ramírez-Quintana, section 2.2",
    parameters: &[],
    example: Some(Example {
        expression: "delta",
        of: "nominal",
        a: "\"red\"",
        b: "\"red\"",
        gives: "1",
    }),
    build: Build::Kernel(|declaration| {
        declaration.no_parts()?;
        Ok(Arc::new(Delta))
    }),
};

struct Delta;

impl FittedKernel for Delta {
    fn laws(&self) -> KernelLaws {
        KernelLaws::INNER_PRODUCT
    }

    fn expression(&self) -> Expression {
        Expression::new("delta")
    }

    fn is_infinitely_divisible(&self) -> bool {
        true
    }

    fn bind(&self, queries: &Column, references: &Column) -> Result<Arc<dyn Gram>, Error> {
        Ok(Arc::new(DeltaGram(Symbols::of(queries, references))))
    }
}

struct DeltaGram(Symbols);

impl Gram for DeltaGram {
    fn shape(&self) -> (usize, usize) {
        (self.0.queries.len(), self.0.references.len())
    }

    fn prepare(&self, query: usize) -> Box<dyn Row<f64> + '_> {
        Box::new(DeltaRow {
            query: self.0.queries[query],
            references: &self.0.references,
        })
    }
}

struct DeltaRow<'a> {
    query: u32,
    references: &'a [u32],
}

impl Row<f64> for DeltaRow<'_> {
    fn fill(&self, references: Range<usize>, out: &mut [f64]) {
        for (out, &reference) in out.iter_mut().zip(&self.references[references]) {
            *out = f64::from(u8::from(reference == self.query));
        }
    }
}
