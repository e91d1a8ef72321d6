//! The sum of minimum distances.

use std::borrow::Cow;
use std::sync::Arc;

use super::{COLLECTIONS, EMPTY, Gathered, Opened, collected};
use crate::account::{How, Near};
use crate::declaration::Declaration;
use crate::distances::collection::{Costs, Reduction, Scratch};
use crate::entry::{Build, Entry, Example, Inside, Takes, TypeKind};
use crate::error::Error;
use crate::expression::Expression;
use crate::laws::Laws;
use crate::measure::FittedDistance;

/// The catalogue's entry.
pub(crate) const SUM_OF_MINIMA: Entry = Entry {
    name: Cow::Borrowed("sum_of_minima"),
    values: Cow::Borrowed(COLLECTIONS),
    takes: Takes::Kinds(&[TypeKind::Set, TypeKind::Bag, TypeKind::List]),
    inside: Inside::Members,
    facts: None,
    summary: Cow::Borrowed(
        "Half the sum, over the members of both collections, of the distance to the other collection.",
    ),
    laws: "zero on self, separates (sets) and symmetric, as the members' distance does; no triangle",
    cost: "|A| |B| distances of members",
    reference: "Eiter and Mannila, Distance measures for point sets and their computation, Acta Informatica 34, 1997",
    parameters: &[EMPTY],
    example: Some(Example {
        expression: "sum_of_minima(absolute)",
        of: "set<numeric>",
        a: "[1, 2, 3]",
        b: "[1, 4]",
        gives: "1.5",
    }),
    build: Build::Distance(build),
};

fn build(declaration: &Declaration<'_>) -> Result<Arc<dyn FittedDistance>, Error> {
    let rule = |empty: Option<f64>| Rule {
        empty: empty.unwrap_or(f64::NAN),
    };
    collected(declaration, "sum_of_minima", rule, false)
}

#[derive(Clone, Copy)]
struct Rule {
    empty: f64,
}

impl Gathered for Rule {
    type Reduction = Rule;

    fn reduction(&self) -> Rule {
        *self
    }

    fn settings(&self, expression: Expression) -> Expression {
        expression
    }

    fn laws(&self, members: Laws, _: Option<f64>, empty: bool) -> Laws {
        Laws {
            triangle: false,
            separates: members.separates && (!empty || self.empty > 0.0),
            ..members
        }
    }

    fn how(&self, of: &Opened<'_>) -> Result<How, Error> {
        of.told(Near::HalfSum, &of.nearest(), None)
    }
}

impl Reduction for Rule {
    type Scratch = Scratch;

    fn reduce(&self, costs: Costs<'_>, scratch: &mut Scratch) -> f64 {
        costs.column_minima(&mut scratch.minima);
        let row_minimum = |row: usize| costs.row(row).iter().copied().fold(f64::INFINITY, f64::min);
        // Each side is summed on its own, so that both directions are the same to the last bit.
        let forth: f64 = (0..costs.rows()).map(row_minimum).sum();
        let back: f64 = scratch.minima.iter().sum();
        (forth + back) / 2.0
    }

    fn to_empty(&self, _: usize) -> f64 {
        self.empty
    }
}
