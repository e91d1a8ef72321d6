//! The matching distance: members paired as cheaply as can be, at a fixed price for those left
//! over.
//!
//! Why it is a metric with one price M for all pairs: give every collection as many stand-ins as
//! needed, at M/2 from every member and at 0 from each other. Members at a distance above M are as
//! well left over, so a distance is cut at M, and the stand-ins then keep its triangle: by way of
//! one it is M. The matching distance is the least bijection between collections so extended, and
//! bijections can be followed by one another. It is 0 only if nothing is left over and all pairs
//! are at 0, so bags are told apart as well.

use std::borrow::Cow;
use std::sync::Arc;

use super::{COLLECTIONS, Gathered, Opened, collected};
use crate::account::{How, Related};
use crate::algorithms::matching::Matcher;
use crate::declaration::Declaration;
use crate::distances::collection::{Costs, Reduction, finite};
use crate::entry::{Build, Entry, Example, Inside, Takes, TypeKind};
use crate::error::Error;
use crate::expression::Expression;
use crate::laws::Laws;
use crate::measure::FittedDistance;
use kinwood_values::parameter::{Allowed, Parameter};

/// The catalogue's entry.
pub(crate) const MATCHING: Entry = Entry {
    name: Cow::Borrowed("matching"),
    values: Cow::Borrowed(COLLECTIONS),
    takes: Takes::Kinds(&[TypeKind::Set, TypeKind::Bag, TypeKind::List]),
    inside: Inside::Members,
    facts: None,
    summary: Cow::Borrowed(
        "The least total distance of members paired one to one, and M/2 for each member left over.",
    ),
    laws: "those of the members' distance on sets and bags, the empty one included, whether or not M is its largest; a list is compared as a bag, so its order is not told apart",
    cost: "|A| |B| distances of members and an assignment, at worst cubic",
    reference: "Ramon and Bruynooghe, A polynomial time computable metric between point sets, Acta Informatica 37, 2001; Estruch et al., section 2.1",
    parameters: &[Parameter {
        name: "M",
        doc: "What two members cost that are not paired, half each; members further apart than that are left over. An empty collection leaves all of the other over.",
        allowed: Allowed::Positive,
        default: "1",
    }],
    example: Some(Example {
        expression: "matching(absolute, M=3)",
        of: "set<numeric>",
        a: "[1, 2, 3]",
        b: "[1, 4]",
        gives: "2.5",
    }),
    build: Build::Distance(build),
};

fn build(declaration: &Declaration<'_>) -> Result<Arc<dyn FittedDistance>, Error> {
    let most = declaration.number("M");
    collected(declaration, "matching", |_| Rule { most }, true)
}

#[derive(Clone, Copy)]
struct Rule {
    /// M.
    most: f64,
}

impl Gathered for Rule {
    const TELLS_REPEATS: bool = true;

    type Reduction = Rule;

    fn reduction(&self) -> Rule {
        *self
    }

    fn settings(&self, expression: Expression) -> Expression {
        expression.number("M", self.most)
    }

    fn laws(&self, members: Laws, _: Option<f64>, _: bool) -> Laws {
        members
    }

    fn how(&self, of: &Opened<'_>) -> Result<How, Error> {
        let costs: Vec<f64> = of.costs.iter().map(|&cost| finite(cost)).collect();
        let mut matcher = Matcher::default();
        let matching = matcher.solve(&costs, of.rows(), of.columns(), self.most);
        of.related(Related::Matching, matching.pairs, self.most / 2.0)
    }
}

/// Buffers used from pair to pair.
#[derive(Default)]
pub(crate) struct MatchingScratch {
    costs: Vec<f64>,
    matcher: Matcher,
}

/// Rounding may lift a bound from below over what it bounds.
const SAFELY: f64 = 1.0 - 1e-12;

impl Reduction for Rule {
    type Scratch = MatchingScratch;

    fn reduce(&self, costs: Costs<'_>, scratch: &mut MatchingScratch) -> f64 {
        costs.packed(&mut scratch.costs);
        let matcher = &mut scratch.matcher;
        matcher
            .solve(&scratch.costs, costs.rows(), costs.columns(), self.most)
            .total
    }

    fn reduce_within(
        &self,
        costs: Costs<'_>,
        bound: f64,
        scratch: &mut MatchingScratch,
    ) -> Option<f64> {
        costs.packed(&mut scratch.costs);
        let (rows, columns) = (costs.rows(), costs.columns());
        let matcher = &mut scratch.matcher;
        matcher
            .within(&scratch.costs, rows, columns, self.most, bound)
            .map(|matching| matching.total)
    }

    fn least(&self, rows: usize, columns: usize) -> f64 {
        rows.abs_diff(columns) as f64 * (self.most / 2.0) * SAFELY
    }

    fn exceeds(&self, row: &[f64], bound: f64) -> bool {
        // A member is paired with one of these or left over.
        let left_over = self.most / 2.0;
        let cheap = |&distance: &f64| distance.min(left_over) * SAFELY <= bound;
        !row.iter().any(cheap)
    }

    fn to_empty(&self, members: usize) -> f64 {
        members as f64 * (self.most / 2.0)
    }
}
