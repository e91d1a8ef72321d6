//! Nienhuys-Cheng's distance of ground terms.

use std::borrow::Cow;
use std::sync::Arc;

use kinwood_values::column::{TermNode, Terms};
use kinwood_values::{Cells, Column, Type, Value};

use super::{TERMS, numbered, subterm};
use crate::account::{Detail, How, Kept, Position};
use crate::algorithms::term::{FlatTerm, Weights, differences, nienhuys_cheng};
use crate::comparison::{ComparedPairs, Comparison};
use crate::declaration::Declaration;
use crate::entry::{Build, Entry, Example, Inside, Takes, TypeKind};
use crate::error::Error;
use crate::expression::Expression;
use crate::laws::Laws;
use crate::measure::{Bound, FittedDistance};

const NAME: &str = "nienhuys_cheng";

/// The catalogue's entry.
pub(crate) const NIENHUYS_CHENG: Entry = Entry {
    name: Cow::Borrowed(NAME),
    values: Cow::Borrowed(TERMS),
    takes: Takes::Kinds(&[TypeKind::Term]),
    inside: Inside::Leaf,
    facts: None,
    summary: Cow::Borrowed(
        "1 for different functors, else half the mean of the arguments' distances; for terms without variables.",
    ),
    laws: "metric, at most 1; a difference a thousand levels deep is too small to count",
    cost: "one pass over both terms",
    reference: "Nienhuys-Cheng, Distance between Herbrand interpretations, ILP 1997; Estruch et al., section 2.1",
    parameters: &[],
    example: Some(Example {
        expression: "nienhuys_cheng",
        of: "term",
        a: "\"p(f(a),g(a,b))\"",
        b: "\"p(f(b),b)\"",
        gives: "0.375",
    }),
    build: Build::Distance(build),
};

fn build(declaration: &Declaration<'_>) -> Result<Arc<dyn FittedDistance>, Error> {
    declaration.no_parts()?;
    match declaration.of() {
        Type::Term => Ok(Arc::new(NienhuysCheng)),
        _ => Err(declaration.wrong_type()),
    }
}

struct NienhuysCheng;

/// Arguments named on the way to a difference.
const DEEPEST: usize = 12;

/// In terms of at most so many symbols no difference weighs less than the least number: n symbols
/// make room for weights down to e^(-0.736 n), at best.
const TOLD_APART: usize = 1000;

impl FittedDistance for NienhuysCheng {
    fn laws(&self) -> Laws {
        Laws::METRIC
    }

    fn expression(&self) -> Expression {
        Expression::new(NAME)
    }

    fn bind(&self, queries: &Column, references: &Column) -> Result<Bound, Error> {
        // Before symbols are numbered anew: what is new has no name in either dictionary.
        ground(queries)?;
        ground(references)?;
        let (queries, references) = numbered(queries, references, NAME)?;
        let short = |terms: &Terms| {
            (0..terms.len()).all(|row| terms.offsets.range(row).len() <= TOLD_APART)
        };
        let laws = Laws {
            separates: short(&queries) && short(&references),
            ..Laws::METRIC
        };
        Ok(Bound::real(ComparedPairs {
            comparison: GroundTerms {
                queries,
                references,
            },
            laws,
        }))
    }

    fn largest(&self) -> Option<f64> {
        Some(1.0)
    }

    fn how(&self, a: &Column, b: &Column, detail: Detail) -> Result<How, Error> {
        let (first, second) = numbered(a, b, NAME)?;
        let (left, right) = (FlatTerm::of(&first, 0), FlatTerm::of(&second, 0));
        let (Value::Term(a), Value::Term(b)) = (a.value(0), b.value(0)) else {
            return Ok(How::Plain);
        };
        let weights: Vec<f64> = differences(left, right, |_| false)
            .into_iter()
            .map(|difference| difference.weight)
            .collect();
        let kept = Kept::costliest(&weights, detail.items);
        // A second walk for the ways to those that are shown: all ways would take more memory than
        // the terms.
        let mut shown = vec![false; weights.len()];
        kept.shown().for_each(|place| shown[place] = true);
        let found = differences(left, right, |place| shown[place]);
        Ok(How::Positions {
            positions: kept.told(|place| {
                let of = &found[place];
                let innermost = of.path.len().saturating_sub(DEEPEST);
                Position {
                    path: of.path[innermost..].to_vec(),
                    depth: of.path.len(),
                    first: detail.cut(&subterm(&a, of.left.clone())),
                    second: detail.cut(&subterm(&b, of.right.clone())),
                    weight: of.weight,
                }
            }),
        })
    }
}

fn ground(column: &Column) -> Result<(), Error> {
    let Cells::Term(terms) = column.cells() else {
        return Ok(());
    };
    let Some(node) = terms
        .kinds
        .iter()
        .position(|&kind| kind == TermNode::Variable)
    else {
        return Ok(());
    };
    let variable = terms.dictionary.label(terms.symbols[node]);
    Err(Error::Undefined {
        measure: NAME.to_owned(),
        what: format!("a term with variables, such as `{variable}`: `lgg` is"),
        row: (0..terms.len()).find(|&row| terms.offsets.range(row).contains(&node)),
    })
}

struct GroundTerms {
    queries: Terms,
    references: Terms,
}

impl Comparison for GroundTerms {
    type Score = f64;
    type Scratch = Weights;

    fn shape(&self) -> (usize, usize) {
        (self.queries.len(), self.references.len())
    }

    fn between(&self, query: usize, reference: usize, weights: &mut Weights) -> f64 {
        let a = FlatTerm::of(&self.queries, query);
        nienhuys_cheng(a, FlatTerm::of(&self.references, reference), weights)
    }
}
