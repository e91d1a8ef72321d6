//! Equal or not: the distance between labels, and between any values of which no more is known.

use std::ops::Range;
use std::sync::Arc;

use kinwood_values::sql::double;
use kinwood_values::{Column, Value};

use crate::account::{Detail, How};
use crate::declaration::Declaration;
use crate::distance::Distance;
use crate::entry::{Build, Entry, Example, Inside, Takes};
use crate::error::Error;
use crate::expression::Expression;
use crate::laws::Laws;
use crate::measure::{Bound, FittedDistance};
use crate::pairs::{Pairs, Row};
use crate::sql::{self, Cell, Operand, Refused, Written};
use crate::symbols::Symbols;

/// The catalogue's entry.
pub const DISCRETE: Entry = Entry {
    name: std::borrow::Cow::Borrowed("discrete"),
    values: std::borrow::Cow::Borrowed("values of any type"),
    takes: Takes::Any,
    inside: Inside::Leaf,
    facts: None,
    summary: std::borrow::Cow::Borrowed("0 if equal, else 1."),
    laws: "metric",
    cost: "one comparison",
    reference: "Estruch, Ferri, Hernández-Orallo and Ramírez-Quintana, section 2.1",
    parameters: &[],
    example: Some(Example {
        expression: "discrete",
        of: "nominal",
        a: "\"red\"",
        b: "\"green\"",
        gives: "1",
    }),
    build: Build::Distance(build),
};

fn build(declaration: &Declaration<'_>) -> Result<Arc<dyn FittedDistance>, Error> {
    declaration.no_parts()?;
    Ok(Arc::new(Discrete))
}

/// 0 if equal, else 1.
///
/// Laws: metric. Cost: one comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Discrete;

impl<T: PartialEq + ?Sized> Distance<T> for Discrete {
    type Score = f64;

    fn between(&self, a: &T, b: &T) -> f64 {
        f64::from(u8::from(a != b))
    }

    fn laws(&self) -> Laws {
        Laws::METRIC
    }
}

impl FittedDistance for Discrete {
    fn laws(&self) -> Laws {
        Laws::METRIC
    }

    fn expression(&self) -> Expression {
        Expression::new("discrete")
    }

    fn is_equality(&self) -> bool {
        true
    }

    fn is_euclidean(&self) -> bool {
        true
    }

    fn bind(&self, queries: &Column, references: &Column) -> Result<Bound, Error> {
        let Symbols {
            queries,
            references,
        } = Symbols::of(queries, references);
        Ok(Bound::real(SymbolPairs {
            queries,
            references,
        }))
    }

    fn largest(&self) -> Option<f64> {
        Some(1.0)
    }

    fn sql(&self, value: &Operand, constant: &Value) -> Result<Written, Refused> {
        match (value, sql::constant(constant)?) {
            (Operand::Number(cell) | Operand::Text(cell), Some(other)) => {
                Ok(Written::new(equal(cell, &other)))
            }
            _ => Err(Refused::measure("discrete")),
        }
    }

    fn how(&self, a: &Column, b: &Column, _: Detail) -> Result<How, Error> {
        let symbols = Symbols::of(a, b);
        Ok(How::Equality {
            equal: symbols.queries[0] == symbols.references[0],
        })
    }
}

/// 0 where a cell is a constant, else 1.
pub(super) fn equal(cell: &Cell, other: &str) -> String {
    let (same, apart) = (double(0.0), double(1.0));
    format!(
        "CASE WHEN {} = {other} THEN {same} ELSE {apart} END",
        cell.sql
    )
}

struct SymbolPairs {
    queries: Vec<u32>,
    references: Vec<u32>,
}

impl Pairs<f64> for SymbolPairs {
    fn shape(&self) -> (usize, usize) {
        (self.queries.len(), self.references.len())
    }

    fn laws(&self) -> Laws {
        Laws::METRIC
    }

    fn heavy(&self) -> bool {
        false
    }

    fn prepare(&self, query: usize) -> Box<dyn Row<f64> + '_> {
        Box::new(SymbolRow {
            query: self.queries[query],
            references: &self.references,
        })
    }
}

struct SymbolRow<'a> {
    query: u32,
    references: &'a [u32],
}

impl Row<f64> for SymbolRow<'_> {
    fn fill(&self, references: Range<usize>, out: &mut [f64]) {
        for (out, &reference) in out.iter_mut().zip(&self.references[references]) {
            *out = f64::from(u8::from(reference != self.query));
        }
    }
}
