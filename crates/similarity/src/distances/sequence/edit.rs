//! The edit distance by equality: characters of strings, and items of lists that are equal or not.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use kinwood_values::{Column, Type};

use super::items::EditByItems;
use super::{SEQUENCES, Shown, nothing_behind, told};
use crate::account::{Detail, How};
use crate::algorithms::edit::{Costs, Edit, Query, Step, script};
use crate::declaration::Declaration;
use crate::error::Error;
use crate::expression::Expression;
use crate::laws::Laws;
use crate::measure::{Bound, FittedDistance};
use crate::missing::Missing;
use crate::pairs::{Pairs, Row};
use crate::registry::{Allowed, Build, Default, Entry, Example, Parameter};
use crate::symbols::Sequences;

pub(super) const NAME: &str = "edit";

const fn cost(name: &'static str, doc: &'static str) -> Parameter {
    Parameter {
        name,
        doc,
        allowed: Allowed::NotNegative,
        default: Default::Number(1.0),
    }
}

/// The catalogue's entry.
pub(crate) const EDIT: Entry = Entry {
    name: Cow::Borrowed(NAME),
    values: Cow::Borrowed(SEQUENCES),
    summary: Cow::Borrowed(
        "The least cost of insertions, deletions and substitutions that turn one sequence into the other; the characters of strings and the items of lists are equal or not, or as far apart as an item distance says: `edit(d)`.",
    ),
    laws: "metric if an insertion costs what a deletion does and nothing is free; symmetric only in the former case, separates only in the latter; the triangle holds for any costs; `edit(d)` has of these what its item distance has",
    cost: "|a| |b| / 64 steps for unit costs and wherever a substitution costs half an insertion and a deletion or at least both, else |a| |b|; memory linear",
    reference: "Levenshtein, Binary codes capable of correcting deletions, insertions, and reversals, 1966; Wagner and Fischer, The string-to-string correction problem, JACM 21(1), 1974",
    parameters: &[
        cost(
            "insert",
            "The cost of an item that only the second sequence has.",
        ),
        cost(
            "delete",
            "The cost of an item that only the first sequence has.",
        ),
        cost(
            "substitute",
            "The cost of an item that becomes another; it multiplies the item distance, if there is one.",
        ),
    ],
    example: Some(Example {
        expression: NAME,
        of: "string",
        a: "\"kitten\"",
        b: "\"sitting\"",
        gives: "3",
    }),
    build: Build::Distance(build),
};

fn build(declaration: &Declaration<'_>) -> Result<Arc<dyn FittedDistance>, Error> {
    let costs = Costs {
        insert: declaration.number("insert"),
        delete: declaration.number("delete"),
        substitute: declaration.number("substitute"),
    };
    match declaration.of() {
        Type::String => declaration.no_parts()?,
        Type::List(_) if declaration.only_part()?.is_some() => {
            return Ok(Arc::new(EditByItems {
                costs,
                items: declaration.member_distance()?,
                missing_is_a_value: declaration.missing() == Missing::Own,
            }));
        }
        Type::List(_) => {}
        _ => return Err(declaration.wrong_type()),
    }
    Ok(Arc::new(EditByEquality { costs }))
}

/// What holds, given the laws of the item distance.
///
/// Two scripts in a row are a script: an item goes where it goes in the first and then in the second, and as all
/// items cost the same to insert and to delete, no way round is cheaper than what is left of it.
pub(super) fn laws(costs: Costs, items: Laws) -> Laws {
    let nothing_free = costs.insert > 0.0 && costs.delete > 0.0 && costs.substitute > 0.0;
    Laws {
        separates: items.separates && nothing_free,
        symmetric: items.symmetric && costs.insert == costs.delete,
        ..items
    }
}

pub(super) fn settings(expression: Expression, costs: Costs) -> Expression {
    expression
        .number("insert", costs.insert)
        .number("delete", costs.delete)
        .number("substitute", costs.substitute)
}

/// By characters, or by items that are equal or not; a missing item is an item.
pub(super) struct EditByEquality {
    pub(super) costs: Costs,
}

impl FittedDistance for EditByEquality {
    fn laws(&self) -> Laws {
        laws(self.costs, Laws::METRIC)
    }

    fn expression(&self) -> Expression {
        settings(Expression::new(NAME), self.costs)
    }

    fn bind(&self, queries: &Column, references: &Column) -> Result<Bound, Error> {
        Ok(Bound::real(EditPairs {
            costs: self.costs,
            laws: self.laws(),
            sequences: Sequences::of(queries, references, NAME)?,
        }))
    }

    fn how(&self, a: &Column, b: &Column, detail: Detail) -> Result<How, Error> {
        let sequences = Sequences::of(a, b, NAME)?;
        let (first, second) = (sequences.queries.get(0), sequences.references.get(0));
        let edits = script(self.costs, first, second);
        let costs = self.costs;
        let cost = |edit: &Edit| match edit.step {
            Step::Keep => 0.0,
            Step::Substitute => costs.substitute,
            Step::Insert => costs.insert,
            Step::Delete => costs.delete,
        };
        let (first, second) = (Shown::of(a), Shown::of(b));
        Ok(How::Edits {
            edits: told(&edits, &first, &second, detail, cost, nothing_behind)?,
        })
    }
}

struct EditPairs {
    costs: Costs,
    laws: Laws,
    sequences: Sequences,
}

impl Pairs<f64> for EditPairs {
    fn shape(&self) -> (usize, usize) {
        self.sequences.shape()
    }

    fn laws(&self) -> Laws {
        self.laws
    }

    fn prepare(&self, query: usize) -> Box<dyn Row<f64> + '_> {
        Box::new(EditRow {
            query: Query::new(self.costs, self.sequences.queries.get(query)),
            of: &self.sequences,
        })
    }
}

struct EditRow<'a> {
    query: Query,
    of: &'a Sequences,
}

impl Row<f64> for EditRow<'_> {
    fn fill(&self, references: Range<usize>, out: &mut [f64]) {
        let texts = references.map(|reference| self.of.references.get(reference));
        self.query.distances(texts, out);
    }

    fn within(&self, reference: usize, bound: f64) -> Option<f64> {
        self.query.within(self.of.references.get(reference), bound)
    }
}
