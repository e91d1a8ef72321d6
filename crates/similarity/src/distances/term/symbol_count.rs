//! Pairs as numbers: the first component of a pair-valued distance, so that it can enter what needs
//! numbers.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use kinwood_values::Column;

use super::TERMS;
use crate::account::{Account, Detail, How};
use crate::entry::{Build, Entry, Example, Inside, Takes, TypeKind};
use crate::error::Error;
use crate::expression::Expression;
use crate::laws::Laws;
use crate::measure::{Bound, FittedDistance};
use crate::pairs::{Pairs, Row};
use crate::score::{Score, TermSize};

/// The catalogue's entry.
pub(crate) const SYMBOLS: Entry = Entry {
    name: Cow::Borrowed("symbols"),
    values: Cow::Borrowed(TERMS),
    takes: Takes::Kinds(&[TypeKind::Term]),
    inside: Inside::Same,
    facts: None,
    summary: Cow::Borrowed(
        "The first component of a distance that gives pairs: of `lgg`, how many symbols are not in the generalisation.",
    ),
    laws: "those of the pairs but separation: pairs are ordered by the first component, so it keeps the triangle; terms that differ in variables only, p(X,X) and p(X,Y) for instance, are at 0",
    cost: "that of the distance",
    reference: "Kinwood's own, so that pairs can be joined with numbers",
    parameters: &[],
    example: Some(Example {
        expression: "symbols(lgg)",
        of: "term",
        a: "\"p(a,a)\"",
        b: "\"p(b,b)\"",
        gives: "4",
    }),
    build: Build::Distance(|declaration| {
        Ok(Arc::new(SymbolCount {
            pairs: declaration.pair_distance("lgg")?,
        }))
    }),
};

struct SymbolCount {
    pairs: Arc<dyn FittedDistance>,
}

fn without_variables(laws: Laws) -> Laws {
    Laws {
        separates: false,
        ..laws
    }
}

impl FittedDistance for SymbolCount {
    fn laws(&self) -> Laws {
        without_variables(self.pairs.laws())
    }

    fn expression(&self) -> Expression {
        Expression::new("symbols").part(self.pairs.expression())
    }

    fn bind(&self, queries: &Column, references: &Column) -> Result<Bound, Error> {
        Ok(match self.pairs.bind(queries, references)? {
            Bound::Term(pairs) => Bound::real(FirstComponents { pairs }),
            numbers => numbers,
        })
    }

    fn how(&self, a: &Column, b: &Column, detail: Detail) -> Result<How, Error> {
        Ok(How::FirstComponent {
            of: Box::new(Account::of(&*self.pairs, a, b, detail)?),
        })
    }
}

struct FirstComponents {
    pairs: Arc<dyn Pairs<TermSize>>,
}

impl Pairs<f64> for FirstComponents {
    fn shape(&self) -> (usize, usize) {
        self.pairs.shape()
    }

    fn laws(&self) -> Laws {
        without_variables(self.pairs.laws())
    }

    fn prepare(&self, query: usize) -> Box<dyn Row<f64> + '_> {
        Box::new(FirstComponentRow(self.pairs.prepare(query)))
    }
}

struct FirstComponentRow<'a>(Box<dyn Row<TermSize> + 'a>);

impl Row<f64> for FirstComponentRow<'_> {
    fn fill(&self, references: Range<usize>, out: &mut [f64]) {
        let mut pairs = vec![TermSize::zero(); out.len()];
        self.0.fill(references, &mut pairs);
        for (out, pair) in out.iter_mut().zip(pairs) {
            *out = pair.functors as f64;
        }
    }
}
