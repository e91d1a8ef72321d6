//! The edit distance by equality: characters of strings, and items of lists that are equal or not.

use std::ops::Range;
use std::sync::OnceLock;

use kinwood_values::Column;

use super::{Shown, nothing_behind, told};
use crate::account::{Detail, How};
use crate::algorithms::edit::{Costs, Edit, Query, ShortQuery, Shorts, Step, script};
use crate::error::Error;
use crate::expression::Expression;
use crate::laws::Laws;
use crate::measure::{Bound, FittedDistance};
use crate::pairs::{Pairs, Row};
use crate::symbols::Sequences;

pub(super) const NAME: &str = "edit";

/// What holds, given the laws of the item distance.
///
/// Two scripts in a row are a script: an item goes where it goes in the first and then in the
/// second, and as all items cost the same to insert and to delete, no way round is cheaper than
/// what is left of it.
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
            shorts: OnceLock::new(),
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
    /// The references in lanes, made when first needed.
    shorts: OnceLock<Option<Shorts>>,
}

/// Queries that are worth preparing the references for.
const WORTH: usize = 8;

impl EditPairs {
    fn shorts(&self) -> Option<&Shorts> {
        let (queries, count) = self.sequences.shape();
        if queries < WORTH {
            return None;
        }
        let prepared = || Shorts::new(|place| self.sequences.references.get(place), count);
        self.shorts.get_or_init(prepared).as_ref()
    }
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
            of: self,
        })
    }
}

struct EditRow<'a> {
    query: Query,
    of: &'a EditPairs,
}

impl Row<f64> for EditRow<'_> {
    fn fill(&self, references: Range<usize>, out: &mut [f64]) {
        let reference = |place: usize| self.of.sequences.references.get(place);
        let short = self.query.by_unit_edits().and_then(|long| {
            let short = ShortQuery::new(self.of.shorts()?, self.query.symbols())?;
            Some((long, short))
        });
        let Some((long, short)) = short else {
            return self.query.distances(references.map(reference), out);
        };
        let first = references.start;
        short.distances(references, long, reference, |place, edits| {
            let length = self.of.sequences.references.length(place);
            out[place - first] = self.query.cost_of(edits as usize, length);
        });
    }

    fn within(&self, reference: usize, bound: f64) -> Option<f64> {
        let text = self.of.sequences.references.get(reference);
        self.query.within(text, bound)
    }
}
