//! Which aggregates a plan has: all that are tried, less those that training rows do not tell
//! apart.

mod candidates;
mod frequent;

use std::collections::{BTreeMap, BTreeSet};

use kinwood_values::{Attribute, Cells, Column, Role, View};

use crate::choice::Choice;
use crate::compute::Work;
use crate::error::Result;
use crate::paths::{Paths, unique};
use crate::plan::{Plan, attribute};
use crate::sql::sql;
use candidates::{Candidate, candidates};
use frequent::Frequent;

/// A plan, and its columns for the rows that it was chosen on.
pub struct Fitted {
    /// The plan.
    pub plan: Plan,
    /// Its columns.
    pub columns: Vec<Attribute>,
}

impl Plan {
    /// Chooses aggregates on the rows of a view; `stop` is looked at between pieces of the work.
    ///
    /// Labels that have shares of their own are the most frequent of those that the rows see.
    /// Columns that are the same in all rows, or the same as another, are left out; of more than
    /// are wanted, those remain that are near and plain.
    pub fn fit(view: &View, choice: &Choice, stop: &(dyn Fn() -> bool + Sync)) -> Result<Fitted> {
        let paths = Paths::new(view, choice.depth);
        let mut work = Work::new(view, &paths, 0..view.len(), stop);
        let mut left_out = Vec::new();
        let mut tried: Vec<Candidate> = Vec::new();
        let mut far: BTreeSet<usize> = BTreeSet::new();
        for place in 0..=paths.len() {
            if place > 0 && far.contains(&paths.step(place).from) {
                far.insert(place);
                continue;
            }
            let mut frequent = Frequent::default();
            if !paths.to_one(place) {
                if work.count(place, choice.rows)? > choice.rows {
                    far.insert(place);
                    left_out.push(paths.name(place).to_owned());
                    continue;
                }
                frequent = Frequent::find(&mut work, place, choice.labels)?;
            }
            tried.extend(candidates(view, &paths, place, &frequent, choice));
        }
        tried.sort_by_key(|candidate| candidate.rank);
        // Some of them turn out to say nothing.
        tried.truncate(choice.columns + choice.columns / 4);
        let aggregates: Vec<_> = tried.iter().map(|tried| tried.aggregate.clone()).collect();
        let columns = work.columns(&aggregates)?;
        let kept = telling(&columns, choice.columns);
        let mut chosen: Vec<_> = tried
            .into_iter()
            .zip(columns)
            .zip(kept)
            .filter_map(|(tried, kept)| kept.then_some(tried))
            .collect();
        chosen.sort_by_key(|(candidate, _)| candidate.order);
        let own = view.table().attributes().iter();
        let mut names: BTreeSet<String> = own.map(|attribute| attribute.name.clone()).collect();
        let (mut aggregates, mut columns) = (Vec::new(), Vec::new());
        for (candidate, column) in chosen {
            let mut aggregate = candidate.aggregate;
            aggregate.name = unique(aggregate.named(view, &paths), &mut names);
            aggregate.words = aggregate.in_words(view, &paths);
            aggregate.sql = sql(view, &paths, &aggregate);
            columns.push(attribute(view, &paths, &aggregate, column));
            aggregates.push(aggregate);
        }
        let plan = Plan {
            as_of: view.as_of().is_some(),
            table: view.table().name().to_owned(),
            keys: keys(view),
            paths,
            aggregates,
            left_out,
        };
        Ok(Fitted { plan, columns })
    }
}

/// The columns that tell the rows of a view's table apart: its key, or its ids.
fn keys(view: &View) -> Vec<String> {
    let attributes = view.table().attributes();
    let ids = || (0..attributes.len()).filter(|&at| attributes[at].role == Role::Id);
    let key = view.table().key().map(<[usize]>::to_vec);
    let columns = key.unwrap_or_else(|| ids().collect()).into_iter();
    let cutoff = (0..attributes.len()).filter(|&at| attributes[at].role == Role::Cutoff);
    let mut columns: Vec<usize> = columns.chain(cutoff).collect();
    columns.dedup();
    let names = columns
        .into_iter()
        .map(|column| attributes[column].name.clone());
    names.collect()
}

/// Which columns say something that those before do not; so many at most.
fn telling(columns: &[Column], most: usize) -> Vec<bool> {
    let mut seen: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
    let mut kept = 0;
    let tell = |(at, column): (usize, &Column)| {
        if kept == most || is_constant(column) || names_rows(column) {
            return false;
        }
        if let Some(digest) = digest(column) {
            let same = seen.entry(digest).or_default();
            if same.iter().any(|&other| columns[other] == *column) {
                return false;
            }
            same.push(at);
        }
        kept += 1;
        true
    };
    columns.iter().enumerate().map(tell).collect()
}

/// Whether a column of numbers or labels is the same in every row.
fn is_constant(column: &Column) -> bool {
    let rows = column.len();
    if column.missing() == rows {
        return true;
    }
    if column.missing() > 0 {
        return false;
    }
    match column.cells() {
        Cells::Numeric(numbers) => numbers.iter().all(|&number| number == numbers[0]),
        Cells::Nominal { codes, .. } => codes.iter().all(|&code| code == codes[0]),
        Cells::DateTime(instants) => instants.iter().all(|&instant| instant == instants[0]),
        _ => false,
    }
}

/// Whether the labels of a column name its rows rather than say what they are like: the mode of a
/// key is the key again.
fn names_rows(column: &Column) -> bool {
    let Cells::Nominal { codes, .. } = column.cells() else {
        return false;
    };
    let present = codes
        .iter()
        .enumerate()
        .filter(|(row, _)| column.is_present(*row));
    let present: Vec<u32> = present.map(|(_, code)| *code).collect();
    let distinct: BTreeSet<u32> = present.iter().copied().collect();
    present.len() >= FEWEST_NAMED && distinct.len() * 2 > present.len()
}

/// Of fewer rows it cannot be seen whether labels name them.
const FEWEST_NAMED: usize = 20;

/// A number that equal columns share (FNV's hash), for those of numbers and labels.
fn digest(column: &Column) -> Option<u64> {
    let mix = |hash: u64, word: u64| (hash ^ word).wrapping_mul(0x0000_0100_0000_01b3);
    let start = 0xcbf2_9ce4_8422_2325;
    match column.cells() {
        Cells::Numeric(numbers) => Some(numbers.iter().fold(start, |hash, number| {
            // What stands for a missing number does not count, nor does the sign of zero.
            mix(
                hash,
                if number.is_nan() {
                    1
                } else {
                    (number + 0.0).to_bits()
                },
            )
        })),
        Cells::Nominal { codes, .. } => Some(
            codes
                .iter()
                .fold(start, |hash, &code| mix(hash, u64::from(code))),
        ),
        _ => None,
    }
}
