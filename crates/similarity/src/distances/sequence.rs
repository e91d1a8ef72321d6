//! Distances between strings and lists, in which order counts.

mod alignment;
mod edit;
mod items;

use std::ops::Range;

use kinwood_values::{Cells, Column};

use crate::algorithms::edit::{Edit, Step as Kind};
use crate::measure::Step;
use crate::registry::Entry;

/// Every distance of the catalogue.
pub(crate) const ENTRIES: [Entry; 2] = [edit::EDIT, alignment::SMITH_WATERMAN];

/// What the measures are of.
pub(crate) const SEQUENCES: &str = "a string or a list";

/// The items of one sequence as an explanation shows them.
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

/// Edits as steps, runs of the same kind as one but for substitutions; `cost` is that of one edit.
fn steps(edits: &[Edit], first: &Shown, second: &Shown, cost: impl Fn(&Edit) -> f64) -> Vec<Step> {
    let runs = edits.chunk_by(|a, b| a.step == b.step && a.step != Kind::Substitute);
    let step = |run: &[Edit]| {
        let left = run[0].left..run[0].left + run.len();
        let right = run[0].right..run[0].right + run.len();
        let text = match run[0].step {
            Kind::Keep => format!("keep {}", first.run(left)),
            Kind::Substitute => format!("replace {} by {}", first.run(left), second.run(right)),
            Kind::Insert => format!("insert {}", second.run(right)),
            Kind::Delete => format!("delete {}", first.run(left)),
        };
        let amount = run.iter().map(&cost).sum();
        Step {
            text,
            amount: Some(amount),
        }
    };
    runs.map(step).collect()
}
