//! Distances by relations that leave no member out: surjections, fair surjections, links.
//!
//! All three are exact at every size. None keeps the triangle: one member in between that is near
//! to all is a detour that costs little.

use std::borrow::Cow;
use std::sync::Arc;

use super::{COLLECTIONS, EMPTY, Gathered, Opened, collected};
use crate::account::{How, Related};
use crate::algorithms::cover::{Cover, Relation};
use crate::declaration::Declaration;
use crate::distances::collection::{Costs, Reduction, finite};
use crate::entry::{Build, Entry, Example, Inside, Takes, TypeKind};
use crate::error::Error;
use crate::expression::Expression;
use crate::laws::Laws;
use crate::measure::FittedDistance;

type Built = Result<Arc<dyn FittedDistance>, Error>;

/// The catalogue's entries.
pub(crate) const ENTRIES: [Entry; 3] = [
    entry(
        "surjection",
        "The least total distance over the maps of the larger collection onto the smaller.",
        "surjection(absolute)",
        "8",
        |declaration| build(declaration, Family::Surjection),
    ),
    entry(
        "fair_surjection",
        "The least total distance over the maps of the larger collection onto the smaller in which no member stands for two more than another.",
        "fair_surjection(absolute)",
        "12",
        |declaration| build(declaration, Family::Fair),
    ),
    entry(
        "link",
        "The least total distance over the relations in which every member of both collections occurs.",
        "link(absolute)",
        "7",
        |declaration| build(declaration, Family::Link),
    ),
];

const fn entry(
    name: &'static str,
    summary: &'static str,
    expression: &'static str,
    gives: &'static str,
    build: fn(&Declaration<'_>) -> Built,
) -> Entry {
    Entry {
        name: Cow::Borrowed(name),
        values: Cow::Borrowed(COLLECTIONS),
        takes: Takes::Kinds(&[TypeKind::Set, TypeKind::Bag, TypeKind::List]),
        inside: Inside::Members,
        facts: None,
        summary: Cow::Borrowed(summary),
        laws: "zero on self, separates (sets) and symmetric, as the members' distance does; no triangle",
        cost: "|A| |B| distances of members and an assignment, at worst cubic",
        reference: "Eiter and Mannila, Distance measures for point sets and their computation, Acta Informatica 34, 1997",
        parameters: &[EMPTY],
        example: Some(Example {
            expression,
            of: "set<numeric>",
            a: "[0, 1, 2, 3, 9]",
            b: "[0, 8, 9]",
            gives,
        }),
        build: Build::Distance(build),
    }
}

fn build(declaration: &Declaration<'_>, family: Family) -> Built {
    let rule = |empty: Option<f64>| Rule {
        family,
        empty: empty.unwrap_or(f64::NAN),
    };
    collected(declaration, family.name(), rule, false)
}

/// Which relations are allowed.
#[derive(Clone, Copy)]
enum Family {
    Surjection,
    Fair,
    Link,
}

impl Family {
    fn name(self) -> &'static str {
        match self {
            Family::Surjection => "surjection",
            Family::Fair => "fair_surjection",
            Family::Link => "link",
        }
    }

    fn solve(self, cover: &mut Cover, costs: &[f64], rows: usize, columns: usize) -> f64 {
        self.relation(cover, costs, rows, columns).total
    }

    fn relation<'a>(
        self,
        cover: &'a mut Cover,
        costs: &[f64],
        rows: usize,
        columns: usize,
    ) -> Relation<'a> {
        match self {
            Family::Surjection => cover.surjection(costs, rows, columns),
            Family::Fair => cover.fair_surjection(costs, rows, columns),
            Family::Link => cover.link(costs, rows, columns),
        }
    }
}

#[derive(Clone, Copy)]
struct Rule {
    family: Family,
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
        let costs: Vec<f64> = of.costs.iter().map(|&cost| finite(cost)).collect();
        let mut cover = Cover::default();
        let pairs = self
            .family
            .relation(&mut cover, &costs, of.rows(), of.columns())
            .pairs;
        let related = match self.family {
            Family::Surjection => Related::Surjection,
            Family::Fair => Related::FairSurjection,
            Family::Link => Related::Link,
        };
        of.related(related, pairs, 0.0)
    }
}

/// Buffers used from pair to pair.
#[derive(Default)]
pub(crate) struct CoverScratch {
    costs: Vec<f64>,
    minima: Vec<f64>,
    cover: Cover,
}

/// Rounding may lift a bound from below over what it bounds.
const SAFELY: f64 = 1.0 - 1e-12;

impl Reduction for Rule {
    type Scratch = CoverScratch;

    fn reduce(&self, costs: Costs<'_>, scratch: &mut CoverScratch) -> f64 {
        costs.packed(&mut scratch.costs);
        let (rows, columns) = (costs.rows(), costs.columns());
        self.family
            .solve(&mut scratch.cover, &scratch.costs, rows, columns)
    }

    fn reduce_within(
        &self,
        costs: Costs<'_>,
        bound: f64,
        scratch: &mut CoverScratch,
    ) -> Option<f64> {
        // The members of one side are in pairs of their own, none nearer than the nearest.
        costs.column_minima(&mut scratch.minima);
        let back: f64 = scratch.minima.iter().sum();
        let nearest = |row: usize| costs.row(row).iter().copied().fold(f64::INFINITY, f64::min);
        let forth: f64 = (0..costs.rows()).map(nearest).sum();
        if forth.max(back) * SAFELY > bound {
            return None;
        }
        Some(self.reduce(costs, scratch)).filter(|&distance| distance <= bound)
    }

    fn exceeds(&self, row: &[f64], bound: f64) -> bool {
        row.iter().all(|&distance| distance * SAFELY > bound)
    }

    fn to_empty(&self, _: usize) -> f64 {
        self.empty
    }
}
