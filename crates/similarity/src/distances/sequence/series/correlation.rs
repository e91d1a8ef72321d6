//! How little two series rise and fall together.

use std::borrow::Cow;
use std::sync::Arc;

use kinwood_values::Column;

use super::{SERIES, is_series, series};
use crate::comparison::{ComparedPairs, Comparison};
use crate::declaration::Declaration;
use crate::entry::{Build, Entry, Example, Inside, Takes};
use crate::error::Error;
use crate::expression::Expression;
use crate::laws::Laws;
use crate::measure::{Bound, FittedDistance};

const NAME: &str = "correlation";

/// One less the correlation, as the catalogue has it.
pub(super) const CORRELATED: Entry = Entry {
    name: Cow::Borrowed(NAME),
    values: Cow::Borrowed(SERIES),
    takes: Takes::Accepted(is_series),
    inside: Inside::Leaf,
    facts: None,
    summary: Cow::Borrowed(
        "1 - r, where r is Pearson's correlation of two series, whatever their level and scale; r is 0 where one series is constant or they differ in length, and 1 where they are equal.",
    ),
    laws: "zero on itself and symmetric; no triangle, and series that rise and fall alike are 0 apart",
    cost: "|a|",
    reference: "Pearson, Notes on regression and inheritance in the case of two parents, Proceedings of the Royal Society of London 58, 1895",
    parameters: &[],
    example: Some(Example {
        expression: NAME,
        of: "list<numeric>",
        a: "[1, 2, 3]",
        b: "[30, 20, 10]",
        gives: "2",
    }),
    build: Build::Distance(build),
};

fn build(declaration: &Declaration<'_>) -> Result<Arc<dyn FittedDistance>, Error> {
    declaration.no_parts()?;
    match is_series(declaration.of()) {
        true => Ok(Arc::new(Correlation)),
        false => Err(declaration.wrong_type()),
    }
}

struct Correlation;

const LAWS: Laws = Laws {
    zero_on_self: true,
    separates: false,
    symmetric: true,
    triangle: false,
};

impl FittedDistance for Correlation {
    fn laws(&self) -> Laws {
        LAWS
    }

    fn expression(&self) -> Expression {
        Expression::new(NAME)
    }

    fn bind(&self, queries: &Column, references: &Column) -> Result<Bound, Error> {
        Ok(Bound::real(ComparedPairs {
            comparison: Compared {
                queries: series(queries),
                references: series(references),
            },
            laws: LAWS,
        }))
    }

    fn largest(&self) -> Option<f64> {
        Some(2.0)
    }
}

struct Compared {
    queries: Vec<Vec<f64>>,
    references: Vec<Vec<f64>>,
}

impl Comparison for Compared {
    type Score = f64;
    type Scratch = ();

    fn shape(&self) -> (usize, usize) {
        (self.queries.len(), self.references.len())
    }

    fn between(&self, query: usize, reference: usize, (): &mut ()) -> f64 {
        1.0 - correlation(&self.queries[query], &self.references[reference])
    }
}

/// Pearson's correlation; 0 where it is not defined, 1 of equal series.
fn correlation(a: &[f64], b: &[f64]) -> f64 {
    if a == b {
        return 1.0;
    }
    if a.len() != b.len() {
        return 0.0;
    }
    let mean = |numbers: &[f64]| numbers.iter().sum::<f64>() / numbers.len() as f64;
    let (of_a, of_b) = (mean(a), mean(b));
    let (mut both, mut squares_a, mut squares_b) = (0.0, 0.0, 0.0);
    for (a, b) in a.iter().zip(b) {
        let (a, b) = (a - of_a, b - of_b);
        both += a * b;
        squares_a += a * a;
        squares_b += b * b;
    }
    match squares_a > 0.0 && squares_b > 0.0 {
        true => (both / (squares_a * squares_b).sqrt()).clamp(-1.0, 1.0),
        false => 0.0,
    }
}
