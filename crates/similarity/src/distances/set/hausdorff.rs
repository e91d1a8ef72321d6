//! Hausdorff distances: how far the members are that are far from the other collection.

use std::borrow::Cow;
use std::ops::Range;
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
use kinwood_values::parameter::{Allowed, Parameter};

/// The catalogue's entries.
pub(crate) const ENTRIES: [Entry; 3] = [
    Entry {
        name: Cow::Borrowed("hausdorff"),
        values: Cow::Borrowed(COLLECTIONS),
        takes: Takes::Kinds(&[TypeKind::Set, TypeKind::Bag, TypeKind::List]),
        inside: Inside::Members,
        facts: None,
        summary: Cow::Borrowed(
            "The largest distance from a member of either collection to the other collection.",
        ),
        laws: "those of the members' distance on sets; on bags and lists a pseudo-metric; with an empty set the triangle needs twice `empty` to be at least the largest distance of members",
        cost: "|A| |B| distances of members",
        reference: "Hausdorff, Grundzüge der Mengenlehre, 1914; Estruch et al., section 2.1",
        parameters: &[Parameter {
            default: "1",
            doc: "How far an empty collection is from one with members; two empty ones are at 0.",
            ..EMPTY
        }],
        example: Some(Example {
            expression: "hausdorff(absolute)",
            of: "set<numeric>",
            a: "[1, 2, 3]",
            b: "[4, 5, 20]",
            gives: "17",
        }),
        build: Build::Distance(hausdorff),
    },
    Entry {
        name: Cow::Borrowed("min_hausdorff"),
        values: Cow::Borrowed(COLLECTIONS),
        takes: Takes::Kinds(&[TypeKind::Set, TypeKind::Bag, TypeKind::List]),
        inside: Inside::Members,
        facts: None,
        summary: Cow::Borrowed("The distance of the two nearest members."),
        laws: "zero on self and symmetric, as the members' distance is; no triangle, does not separate",
        cost: "|A| |B| distances of members",
        reference: "Wang and Zucker, Solving the multiple-instance problem: a lazy learning approach, ICML 2000",
        parameters: &[EMPTY],
        example: Some(Example {
            expression: "min_hausdorff(absolute)",
            of: "bag<numeric>",
            a: "[1, 2, 3]",
            b: "[4, 5, 20]",
            gives: "1",
        }),
        build: Build::Distance(minimal),
    },
    Entry {
        name: Cow::Borrowed("ranked_hausdorff"),
        values: Cow::Borrowed(COLLECTIONS),
        takes: Takes::Kinds(&[TypeKind::Set, TypeKind::Bag, TypeKind::List]),
        inside: Inside::Members,
        facts: None,
        summary: Cow::Borrowed(
            "The larger of the k-th smallest distances from the members of either collection to the other.",
        ),
        laws: "zero on self and symmetric, as the members' distance is; no triangle, does not separate; with k above the numbers of members it is `hausdorff`",
        cost: "|A| |B| distances of members",
        reference: "Wang and Zucker, Solving the multiple-instance problem: a lazy learning approach, ICML 2000",
        parameters: &[
            Parameter {
                name: "k",
                doc: "Which rank, from the nearest; the last of a collection with fewer members.",
                allowed: Allowed::Whole {
                    least: 1,
                    most: u64::MAX,
                },
                default: "1",
            },
            EMPTY,
        ],
        example: Some(Example {
            expression: "ranked_hausdorff(absolute, k=2)",
            of: "bag<numeric>",
            a: "[1, 2, 3]",
            b: "[4, 5, 20]",
            gives: "2",
        }),
        build: Build::Distance(ranked),
    },
];

fn hausdorff(declaration: &Declaration<'_>) -> Result<Arc<dyn FittedDistance>, Error> {
    collected(declaration, "hausdorff", Rule::of(Rank::Last), false)
}

fn minimal(declaration: &Declaration<'_>) -> Result<Arc<dyn FittedDistance>, Error> {
    collected(declaration, "min_hausdorff", Rule::of(Rank::First), false)
}

fn ranked(declaration: &Declaration<'_>) -> Result<Arc<dyn FittedDistance>, Error> {
    let rank = Rank::Kth(declaration.number("k") as usize);
    collected(declaration, "ranked_hausdorff", Rule::of(rank), false)
}

/// Which of the members' distances to the other collection counts.
#[derive(Clone, Copy)]
enum Rank {
    First,
    Kth(usize),
    Last,
}

#[derive(Clone, Copy)]
struct Rule {
    rank: Rank,
    empty: f64,
}

impl Rule {
    fn of(rank: Rank) -> impl FnOnce(Option<f64>) -> Rule {
        move |empty| Rule {
            rank,
            empty: empty.unwrap_or(f64::NAN),
        }
    }
}

impl Gathered for Rule {
    type Reduction = Rule;

    fn reduction(&self) -> Rule {
        *self
    }

    fn settings(&self, expression: Expression) -> Expression {
        match self.rank {
            Rank::Kth(k) => expression.number("k", k as f64),
            Rank::First | Rank::Last => expression,
        }
    }

    fn laws(&self, members: Laws, largest: Option<f64>, empty: bool) -> Laws {
        match self.rank {
            Rank::Last => {
                // With members on both sides the empty set is a detour of twice its distance.
                let detour = !empty || largest.is_some_and(|largest| largest <= 2.0 * self.empty);
                Laws {
                    triangle: members.triangle && members.zero_on_self && detour,
                    separates: members.separates && (!empty || self.empty > 0.0),
                    ..members
                }
            }
            Rank::First | Rank::Kth(_) => Laws {
                triangle: false,
                separates: false,
                ..members
            },
        }
    }

    fn largest(&self, members: f64) -> Option<f64> {
        Some(members)
    }

    fn how(&self, of: &Opened<'_>) -> Result<How, Error> {
        let all = of.nearest();
        let distance = |place: &usize| all[*place].distance;
        // The first of the largest, and the first of the least.
        let places = |range: Range<usize>| {
            let mut places: Vec<usize> = range.collect();
            places.sort_by(|i, j| distance(i).total_cmp(&distance(j)));
            places
        };
        let (near, decides) = match self.rank {
            Rank::First => (Near::Least, places(0..all.len()).first().copied()),
            Rank::Last => {
                let places = places(0..all.len());
                let largest = places.last().map(distance);
                let first = places
                    .iter()
                    .find(|&place| Some(distance(place)) == largest);
                (Near::Largest, first.copied())
            }
            Rank::Kth(k) => {
                let kth = |range: Range<usize>| {
                    let places = places(range);
                    places[(k - 1).min(places.len() - 1)]
                };
                let (forth, back) = (kth(0..of.rows()), kth(of.rows()..all.len()));
                let decides = match distance(&back) > distance(&forth) {
                    true => back,
                    false => forth,
                };
                (Near::Ranked(k), Some(decides))
            }
        };
        of.told(near, &all, decides)
    }
}

impl Reduction for Rule {
    type Scratch = Scratch;

    fn reduce(&self, costs: Costs<'_>, scratch: &mut Scratch) -> f64 {
        costs.column_minima(&mut scratch.minima);
        let row_minimum = |row: usize| costs.row(row).iter().copied().fold(f64::INFINITY, f64::min);
        match self.rank {
            Rank::Last => {
                let forth = (0..costs.rows()).map(row_minimum).fold(0.0, f64::max);
                scratch.minima.iter().copied().fold(forth, f64::max)
            }
            Rank::First => scratch.minima.iter().copied().fold(f64::INFINITY, f64::min),
            Rank::Kth(k) => {
                scratch.costs.clear();
                scratch.costs.extend((0..costs.rows()).map(row_minimum));
                let kth = |minima: &mut Vec<f64>| {
                    let place = (k - 1).min(minima.len() - 1);
                    *minima.select_nth_unstable_by(place, f64::total_cmp).1
                };
                kth(&mut scratch.costs).max(kth(&mut scratch.minima))
            }
        }
    }

    fn exceeds(&self, row: &[f64], bound: f64) -> bool {
        matches!(self.rank, Rank::Last) && row.iter().all(|&distance| distance > bound)
    }

    fn to_empty(&self, _: usize) -> f64 {
        self.empty
    }
}
