//! Distances between strings and lists, in which order counts.

mod alignment;
mod edit;
mod equality;
mod items;
mod series;

use std::ops::Range;

use kinwood_values::{Cells, Column};

use crate::account::{self, Account, Action, Detail, Kept, Listed};
use crate::algorithms::edit::{Edit, Step as Kind};
use crate::entry::Entry;
use crate::error::Error;

/// Every distance of the catalogue.
pub(crate) fn entries() -> impl Iterator<Item = Entry> {
    [edit::EDIT, alignment::SMITH_WATERMAN]
        .into_iter()
        .chain(series::ENTRIES)
}

/// What the measures are of.
pub(crate) const SEQUENCES: &str = "a string or a list";

/// The items of one sequence as an account shows them.
struct Shown {
    items: Vec<String>,
    /// Characters stand together in quotes, items are separated.
    text: bool,
}

/// Items beyond which the middle of a run is left out.
const LONGEST: usize = 30;

impl Shown {
    /// The items of the first row.
    fn of(column: &Column) -> Self {
        match column.cells() {
            Cells::String(texts) => Self {
                items: texts.get(0).chars().map(String::from).collect(),
                text: true,
            },
            Cells::Collection { members, .. } => Self {
                items: members
                    .range(0)
                    .map(|item| members.child.value(item).to_string())
                    .collect(),
                text: false,
            },
            _ => Self {
                items: Vec::new(),
                text: false,
            },
        }
    }

    /// Some consecutive items, the middle of many left out.
    fn run(&self, range: Range<usize>) -> String {
        let items = &self.items[range];
        let shown = match items.len() {
            0..=LONGEST => self.joined(items),
            count => {
                let (first, last) = (&items[..LONGEST / 3], &items[count - LONGEST / 3..]);
                format!("{} … {}", self.joined(first), self.joined(last))
            }
        };
        if self.text {
            format!("\"{shown}\"")
        } else {
            shown
        }
    }

    fn joined(&self, items: &[String]) -> String {
        items.join(if self.text { "" } else { ", " })
    }
}

/// Edits as an account tells them, runs of the same kind as one but for substitutions. `cost` is
/// that of one edit, `account` what is behind a substitution.
fn told(
    edits: &[Edit],
    first: &Shown,
    second: &Shown,
    detail: Detail,
    cost: impl Fn(&Edit) -> f64,
    account: impl Fn(&Edit) -> Result<Option<Box<Account>>, Error>,
) -> Result<Listed<account::Edit>, Error> {
    let runs: Vec<&[Edit]> = edits
        .chunk_by(|a, b| a.step == b.step && a.step != Kind::Substitute)
        .collect();
    let costs: Vec<f64> = runs.iter().map(|run| run.iter().map(&cost).sum()).collect();
    Kept::first(&costs, detail.items).listed(|place| {
        let run = runs[place];
        let left = run[0].left..run[0].left + run.len();
        let right = run[0].right..run[0].right + run.len();
        let nothing = |range: &Range<usize>| range.start..range.start;
        let (action, items, becomes) = match run[0].step {
            Kind::Keep => (Action::Keep, first.run(left.clone()), None),
            Kind::Substitute => {
                let becomes = second.run(right.clone());
                (Action::Replace, first.run(left.clone()), Some(becomes))
            }
            Kind::Insert => (Action::Insert, second.run(right.clone()), None),
            Kind::Delete => (Action::Delete, first.run(left.clone()), None),
        };
        Ok(account::Edit {
            action,
            items,
            becomes,
            cost: costs[place],
            account: match action {
                Action::Replace => account(&run[0])?,
                Action::Keep | Action::Insert | Action::Delete => None,
            },
            first: match action {
                Action::Insert => nothing(&left),
                Action::Keep | Action::Replace | Action::Delete => left,
            },
            second: match action {
                Action::Delete => nothing(&right),
                Action::Keep | Action::Replace | Action::Insert => right,
            },
        })
    })
}

/// Nothing is behind the cost of a substitution of items that are equal or not.
fn nothing_behind(_: &Edit) -> Result<Option<Box<Account>>, Error> {
    Ok(None)
}
