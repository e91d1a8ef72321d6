//! Parts of the training rows, each within the next larger one, for learning curves.
//!
//! The training rows of a split are put in a random order in which every beginning has about the
//! shares of the classes that the whole has: the i-th of m rows of a class stands at a random place
//! of the i-th of m equal parts. Rows of one group stay together.

use std::collections::BTreeMap;

use kinwood_learning::Generator;

use crate::run::Trial;
use crate::splits::Split;

/// Where the orders of training rows are drawn from.
const ORDERS: u64 = u64::from_le_bytes(*b"portions");

/// How much of the training rows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Portion {
    /// A share of them, above 0 and at most 1.
    Share(f64),
    /// So many of them, or all where there are fewer.
    Rows(usize),
}

/// The training rows of each split, in the order in which they are added.
#[derive(Clone, Debug, Default)]
pub struct Orders {
    /// Rows that are added together, by split.
    blocks: Vec<Vec<Vec<u32>>>,
}

impl Orders {
    /// Draws an order for each split of a trial.
    pub fn of(trial: &Trial, seed: u64) -> Self {
        let known = trial.known();
        let class_of = |row: u32| known.truths.first()?.values.class(row as usize);
        let groups = trial.groups();
        let of_split = |split: &Split| {
            let stream = [ORDERS, split.repeat as u64, split.fold as u64];
            let mut generator = Generator::new(seed, &stream);
            match &groups {
                Some(groups) => {
                    let mut members: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
                    for &row in &split.train {
                        members.entry(groups[row as usize]).or_default().push(row);
                    }
                    let mut blocks: Vec<Vec<u32>> = members.into_values().collect();
                    generator.shuffle(&mut blocks);
                    blocks
                }
                None => stratified(&split.train, class_of, &mut generator),
            }
        };
        Self {
            blocks: known.splits.iter().map(of_split).collect(),
        }
    }

    /// The rows that come first, ascending: at least one, and whole groups.
    pub fn first(&self, split: usize, portion: Portion) -> Vec<u32> {
        let blocks = &self.blocks[split];
        let all: usize = blocks.iter().map(Vec::len).sum();
        let wanted = match portion {
            Portion::Share(share) => (share * all as f64).round() as usize,
            Portion::Rows(rows) => rows,
        };
        let wanted = wanted.clamp(1, all.max(1));
        let mut rows = Vec::with_capacity(wanted);
        for block in blocks {
            if rows.len() >= wanted {
                break;
            }
            rows.extend_from_slice(block);
        }
        rows.sort_unstable();
        rows
    }
}

fn stratified(
    rows: &[u32],
    class_of: impl Fn(u32) -> Option<u32>,
    generator: &mut Generator,
) -> Vec<Vec<u32>> {
    let mut classes: BTreeMap<Option<u32>, Vec<u32>> = BTreeMap::new();
    for &row in rows {
        classes.entry(class_of(row)).or_default().push(row);
    }
    let mut placed: Vec<(f64, u32)> = Vec::with_capacity(rows.len());
    for mut members in classes.into_values() {
        generator.shuffle(&mut members);
        let parts = members.len() as f64;
        let place = |(part, row): (usize, u32)| ((part as f64 + generator.unit()) / parts, row);
        placed.extend(members.into_iter().enumerate().map(place));
    }
    placed.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    placed.into_iter().map(|(_, row)| vec![row]).collect()
}
