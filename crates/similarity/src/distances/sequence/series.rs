//! Distances of series of numbers: by warping, and by correlation.

use std::borrow::Cow;
use std::sync::Arc;

use kinwood_values::{Cells, Column, Type};

use crate::algorithms::warping::Warping;
use crate::comparison::{ComparedPairs, Comparison};
use crate::declaration::Declaration;
use crate::entry::{Build, Entry, Example, Inside, Takes};
use crate::error::Error;
use crate::expression::Expression;
use crate::laws::Laws;
use crate::measure::{Bound, FittedDistance};

const WARPING: &str = "dtw";
const CORRELATION: &str = "correlation";

/// What the measures are of.
const SERIES: &str = "a list of numbers";

fn is_series(of: &Type) -> bool {
    matches!(of, Type::List(members) if **members == Type::Numeric)
}

/// Dynamic time warping, as the catalogue has it.
pub(crate) const DTW: Entry = Entry {
    name: Cow::Borrowed(WARPING),
    values: Cow::Borrowed(SERIES),
    takes: Takes::Accepted(is_series),
    inside: Inside::Leaf,
    facts: None,
    summary: Cow::Borrowed(
        "Dynamic time warping: the root of the least sum of squared differences over all ways to go through both series at the same time, where either may stand still; missing numbers are left out, and an empty series is compared as zeros.",
    ),
    laws: "zero on itself and symmetric; no triangle, and series that differ in how long they stand still are 0 apart",
    cost: "|a| |b|, memory linear",
    reference: "Sakoe and Chiba, Dynamic programming algorithm optimization for spoken word recognition, IEEE Transactions on Acoustics, Speech and Signal Processing 26, 1978",
    parameters: &[],
    example: Some(Example {
        expression: WARPING,
        of: "list<numeric>",
        a: "[1, 2, 3, 3]",
        b: "[1, 1, 2, 5]",
        gives: "2.23606797749979",
    }),
    build: Build::Distance(|declaration| build(declaration, Compare::Warping)),
};

/// One less the correlation, as the catalogue has it.
pub(crate) const CORRELATED: Entry = Entry {
    name: Cow::Borrowed(CORRELATION),
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
        expression: CORRELATION,
        of: "list<numeric>",
        a: "[1, 2, 3]",
        b: "[30, 20, 10]",
        gives: "2",
    }),
    build: Build::Distance(|declaration| build(declaration, Compare::Correlation)),
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Compare {
    Warping,
    Correlation,
}

fn build(
    declaration: &Declaration<'_>,
    compare: Compare,
) -> Result<Arc<dyn FittedDistance>, Error> {
    declaration.no_parts()?;
    match is_series(declaration.of()) {
        true => Ok(Arc::new(SeriesDistance { compare })),
        false => Err(declaration.wrong_type()),
    }
}

struct SeriesDistance {
    compare: Compare,
}

const LAWS: Laws = Laws {
    zero_on_self: true,
    separates: false,
    symmetric: true,
    triangle: false,
};

impl FittedDistance for SeriesDistance {
    fn laws(&self) -> Laws {
        LAWS
    }

    fn expression(&self) -> Expression {
        Expression::new(match self.compare {
            Compare::Warping => WARPING,
            Compare::Correlation => CORRELATION,
        })
    }

    fn bind(&self, queries: &Column, references: &Column) -> Result<Bound, Error> {
        Ok(Bound::real(ComparedPairs {
            comparison: Compared {
                compare: self.compare,
                queries: series(queries),
                references: series(references),
            },
            laws: LAWS,
        }))
    }

    fn largest(&self) -> Option<f64> {
        match self.compare {
            Compare::Warping => None,
            Compare::Correlation => Some(2.0),
        }
    }
}

/// The known numbers of each row.
fn series(column: &Column) -> Vec<Vec<f64>> {
    let Cells::Collection { members, .. } = column.cells() else {
        return vec![Vec::new(); column.len()];
    };
    let numbers = |row: usize| {
        let range = members.range(row);
        range
            .filter_map(|item| members.child.number(item))
            .collect()
    };
    (0..column.len()).map(numbers).collect()
}

struct Compared {
    compare: Compare,
    queries: Vec<Vec<f64>>,
    references: Vec<Vec<f64>>,
}

impl Comparison for Compared {
    type Score = f64;
    type Scratch = Warping;

    fn shape(&self) -> (usize, usize) {
        (self.queries.len(), self.references.len())
    }

    fn between(&self, query: usize, reference: usize, scratch: &mut Warping) -> f64 {
        let (a, b) = (&self.queries[query], &self.references[reference]);
        match self.compare {
            Compare::Warping => scratch.distance(a, b),
            Compare::Correlation => 1.0 - correlation(a, b),
        }
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
