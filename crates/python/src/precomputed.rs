//! Distances and kernel values that are given as a matrix.
//!
//! A row is a place and a list: the values between it and all training rows, in their order, and
//! its own place among those, if it has one. The value of two rows is looked up in the list of one
//! at the place of the other.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use kinwood::similarity::declaration::Declaration;
use kinwood::similarity::gram::{Gram, KernelLaws};
use kinwood::similarity::measure::{Bound, FittedDistance, FittedKernel};
use kinwood::similarity::registry::{Build, Entry, Inside, Registry, Takes};
use kinwood::similarity::{Error, Expression, Laws, Pairs, Row};
use kinwood_values::offsets::Offsets;
use kinwood_values::{Cells, Column, Type};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

/// The name of the distance.
const DISTANCE: &str = "precomputed";
/// The name of the kernel.
const KERNEL: &str = "precomputed_kernel";
/// What a row is.
const OF: &str = "tuple<at: numeric, row: list<numeric>>";

/// Makes both known, once.
pub(crate) fn register() -> PyResult<()> {
    let known = Registry::known();
    for (name, build) in [
        (DISTANCE, Build::Distance(distance)),
        (KERNEL, Build::Kernel(kernel)),
    ] {
        if known.find(name).is_none() {
            Registry::extend(entry(name, build))
                .map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
        }
    }
    Ok(())
}

fn entry(name: &'static str, build: Build) -> Entry {
    Entry {
        name: Cow::Borrowed(name),
        values: Cow::Borrowed("a place and the values with all training rows"),
        takes: OF.parse().map_or(Takes::Any, Takes::Exactly),
        inside: Inside::Leaf,
        facts: None,
        summary: Cow::Borrowed("Looked up in a matrix that was given."),
        laws: "those of the matrix: none is relied on",
        cost: "one look",
        reference: "scikit-learn's `precomputed`",
        parameters: &[],
        example: None,
        build,
    }
}

fn distance(declaration: &Declaration<'_>) -> Result<Arc<dyn FittedDistance>, Error> {
    declaration.no_parts()?;
    match is_row(declaration.of()) {
        true => Ok(Arc::new(Given)),
        false => Err(declaration.wrong_type()),
    }
}

fn kernel(declaration: &Declaration<'_>) -> Result<Arc<dyn FittedKernel>, Error> {
    declaration.no_parts()?;
    match is_row(declaration.of()) {
        true => Ok(Arc::new(Given)),
        false => Err(declaration.wrong_type()),
    }
}

fn is_row(of: &Type) -> bool {
    OF.parse::<Type>().is_ok_and(|row| row == *of)
}

struct Given;

impl FittedDistance for Given {
    fn laws(&self) -> Laws {
        NO_LAWS
    }

    fn expression(&self) -> Expression {
        Expression::new(DISTANCE)
    }

    fn bind(&self, queries: &Column, references: &Column) -> Result<Bound, Error> {
        Ok(Bound::real(Looked::new(queries, references)?))
    }
}

impl FittedKernel for Given {
    fn laws(&self) -> KernelLaws {
        KernelLaws {
            positive_semidefinite: false,
            symmetric: true,
        }
    }

    fn expression(&self) -> Expression {
        Expression::new(KERNEL)
    }

    fn bind(&self, queries: &Column, references: &Column) -> Result<Arc<dyn Gram>, Error> {
        Ok(Arc::new(Looked::new(queries, references)?))
    }
}

/// Nothing is promised of a matrix that somebody gives.
const NO_LAWS: Laws = Laws {
    zero_on_self: false,
    separates: false,
    symmetric: false,
    triangle: false,
};

/// Rows of a matrix, side by side.
struct Rows {
    at: Vec<Option<usize>>,
    offsets: Offsets,
    values: Vec<f64>,
}

impl Rows {
    fn of(column: &Column) -> Option<Self> {
        let Cells::Tuple { fields, .. } = column.cells() else {
            return None;
        };
        let [at, row] = fields.as_slice() else {
            return None;
        };
        let Cells::Collection { members, .. } = row.cells() else {
            return None;
        };
        let places = at.numbers()?;
        let place = |place: usize| {
            let number = places[place];
            (at.is_present(place) && number >= 0.0).then_some(number as usize)
        };
        Some(Self {
            at: (0..column.len()).map(place).collect(),
            offsets: members.offsets.clone(),
            values: members.child.numbers()?.to_vec(),
        })
    }

    fn list(&self, row: usize) -> &[f64] {
        &self.values[self.offsets.range(row)]
    }
}

struct Looked {
    queries: Rows,
    references: Rows,
}

impl Looked {
    fn new(queries: &Column, references: &Column) -> Result<Self, Error> {
        let undefined = || Error::Undefined {
            measure: DISTANCE.to_owned(),
            what: "rows that are no rows of a matrix".to_owned(),
            row: None,
        };
        Ok(Self {
            queries: Rows::of(queries).ok_or_else(undefined)?,
            references: Rows::of(references).ok_or_else(undefined)?,
        })
    }

    fn value(&self, query: usize, reference: usize) -> f64 {
        let found = match (self.references.at[reference], self.queries.at[query]) {
            (Some(at), _) => self.queries.list(query).get(at),
            (None, Some(at)) => self.references.list(reference).get(at),
            (None, None) => None,
        };
        found.copied().unwrap_or(f64::NAN)
    }
}

impl Pairs<f64> for Looked {
    fn shape(&self) -> (usize, usize) {
        (self.queries.at.len(), self.references.at.len())
    }

    fn laws(&self) -> Laws {
        NO_LAWS
    }

    fn prepare(&self, query: usize) -> Box<dyn Row<f64> + '_> {
        Box::new(LookedRow { of: self, query })
    }
}

impl Gram for Looked {
    fn shape(&self) -> (usize, usize) {
        Pairs::shape(self)
    }

    fn prepare(&self, query: usize) -> Box<dyn Row<f64> + '_> {
        Pairs::prepare(self, query)
    }
}

struct LookedRow<'a> {
    of: &'a Looked,
    query: usize,
}

impl Row<f64> for LookedRow<'_> {
    fn fill(&self, references: Range<usize>, out: &mut [f64]) {
        for (out, reference) in out.iter_mut().zip(references) {
            *out = self.of.value(self.query, reference);
        }
    }
}
