//! Kernels on numbers: the product, and the Gaussian of the difference.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use kinwood_values::{Column, Type};

use crate::distances::real::numbers;
use crate::entry::{Build, Entry, Example, Inside, Takes, TypeKind};
use crate::error::Error;
use crate::expression::Expression;
use crate::gram::{Gram, KernelLaws};
use crate::measure::FittedKernel;
use crate::pairs::Row;

/// The catalogue's entry.
pub(crate) const PRODUCT: Entry = Entry {
    name: Cow::Borrowed("product"),
    values: Cow::Borrowed("a number"),
    takes: Takes::Kinds(&[TypeKind::Numeric]),
    inside: Inside::Leaf,
    facts: None,
    summary: Cow::Borrowed("The product of two numbers."),
    laws: "positive semi-definite",
    cost: "one multiplication",
    reference: "Estruch, Ferri, Hernández-Orallo and Ramírez-Quintana, section 2.2",
    parameters: &[],
    example: Some(Example {
        expression: "product",
        of: "numeric",
        a: "3",
        b: "-2",
        gives: "-6",
    }),
    build: Build::Kernel(|declaration| {
        declaration.no_parts()?;
        match declaration.of() {
            Type::Numeric => Ok(Arc::new(OfNumbers::Product)),
            _ => Err(declaration.wrong_type()),
        }
    }),
};

/// A kernel on numbers.
#[derive(Clone, Copy)]
pub(super) enum OfNumbers {
    Product,
    /// `exp(-g (x - y)^2)`
    Gaussian(f64),
}

impl FittedKernel for OfNumbers {
    fn laws(&self) -> KernelLaws {
        KernelLaws::INNER_PRODUCT
    }

    fn expression(&self) -> Expression {
        match self {
            OfNumbers::Product => Expression::new("product"),
            OfNumbers::Gaussian(g) => Expression::new("gaussian").number("g", *g),
        }
    }

    fn is_infinitely_divisible(&self) -> bool {
        matches!(self, OfNumbers::Gaussian(_))
    }

    fn bind(&self, queries: &Column, references: &Column) -> Result<Arc<dyn Gram>, Error> {
        Ok(Arc::new(NumberGram {
            kernel: *self,
            queries: numbers(queries),
            references: numbers(references),
        }))
    }
}

struct NumberGram {
    kernel: OfNumbers,
    queries: Vec<f64>,
    references: Vec<f64>,
}

impl Gram for NumberGram {
    fn shape(&self) -> (usize, usize) {
        (self.queries.len(), self.references.len())
    }

    fn prepare(&self, query: usize) -> Box<dyn Row<f64> + '_> {
        Box::new(NumberRow {
            kernel: self.kernel,
            query: self.queries[query],
            references: &self.references,
        })
    }
}

struct NumberRow<'a> {
    kernel: OfNumbers,
    query: f64,
    references: &'a [f64],
}

impl Row<f64> for NumberRow<'_> {
    fn fill(&self, references: Range<usize>, out: &mut [f64]) {
        let pairs = out.iter_mut().zip(&self.references[references]);
        match self.kernel {
            OfNumbers::Product => pairs.for_each(|(out, other)| *out = self.query * other),
            OfNumbers::Gaussian(g) => pairs.for_each(|(out, other)| {
                let difference = self.query - other;
                *out = (-g * difference * difference).exp();
            }),
        }
    }
}
