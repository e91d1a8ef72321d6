//! Predicting: blocks of rows, by one tree after another, on all threads.

use std::cell::OnceCell;
use std::sync::OnceLock;

use kinwood_values::View;
use rayon::prelude::*;

use super::flat::{Flat, Room, UNDECIDED};
use super::walk::{At, Tested, Walk, say, settle, tested};
use super::{Member, TargetOf, TreeModel};
use crate::tree::block::Block;
use kinwood_learning::context::Context;
use kinwood_learning::error::Result;
use kinwood_learning::predictions::{Output, Predictions, TargetPrediction};

/// Rows that a thread takes at a time: their values stay in its cache.
pub(in crate::tree) const BLOCK: usize = 256;

/// Predicts every target for every row.
pub(super) fn predict(model: &TreeModel, data: &View, context: &Context) -> Result<Predictions> {
    let columns = tested(&model.terms, data)?;
    let width: usize = model.terms.targets.iter().map(TargetOf::width).sum();
    let trees = Trees {
        model,
        columns: &columns,
        walks: model.answering().iter().map(|_| OnceLock::new()).collect(),
    };
    let mut answers = vec![0.0; data.len() * width];
    let block = |(block, out): (usize, &mut [f64])| -> Result<()> {
        context.check()?;
        trees.answer(data, block * BLOCK, width, out);
        Ok(())
    };
    context.install(|| {
        let blocks = answers.par_chunks_mut(BLOCK * width.max(1));
        blocks.enumerate().try_for_each(block)
    })?;
    let mut from = 0;
    let targets = model.terms.targets.iter().map(|target| {
        let own = target.width();
        let numbers = match own == width {
            true => std::mem::take(&mut answers),
            false => {
                let rows = answers.chunks(width.max(1));
                rows.flat_map(|row| &row[from..from + own])
                    .copied()
                    .collect()
            }
        };
        from += own;
        TargetPrediction {
            name: target.name.clone(),
            output: Output::new(target.kind.clone(), numbers),
        }
    });
    Ok(Predictions {
        targets: targets.collect(),
    })
}

/// The trees of a model in flat form, where they have one.
pub(super) fn flat(model: &TreeModel) -> Vec<Option<Flat>> {
    let terms = &model.terms;
    let width = terms.targets.iter().map(TargetOf::width).sum();
    let place = |column: u32| {
        let input = terms
            .inputs
            .binary_search_by_key(&column, |input| input.column);
        let slot = input.ok()?;
        Some((slot as u32, terms.inputs[slot].labels()))
    };
    let (targets, joined) = (&terms.targets, model.joined());
    let member = |member: &Member| {
        let walk = OnceCell::new();
        Flat::new(&member.tree, width, place, |leaf, out| {
            let answers = &member.tree.node(leaf).payload.targets;
            if answers.iter().all(|answer| answer.weight() > 0.0) {
                let alone = |target: usize, own: &mut [f64]| {
                    own.fill(0.0);
                    answers[target].say(1.0, own);
                };
                return say(targets, joined, alone, out);
            }
            // A leaf that knows nothing of a target has the answer of a node above it.
            let walk = walk.get_or_init(|| Walk::new(member, terms, &[]));
            walk.say(targets, joined, &[(leaf, 1.0)], out);
        })
    };
    model.answering().iter().map(member).collect()
}

/// The trees of a model over the rows of a view.
struct Trees<'a> {
    model: &'a TreeModel,
    columns: &'a [Option<Tested<'a>>],
    /// The trees as they are, for what their flat form leaves undecided; made when needed.
    walks: Vec<OnceLock<Walk<'a>>>,
}

impl<'a> Trees<'a> {
    /// What the trees say of a block of rows, the first of which is the view's `from`-th.
    fn answer(&self, data: &View, from: usize, width: usize, out: &mut [f64]) {
        let count = out.len() / width.max(1);
        let rows = self.values(data, from..from + count);
        let slots = self.model.terms.inputs.len();
        let all: Vec<u32> = (0..count as u32).collect();
        let mut room = Room::default();
        let (mut mixed, mut one) = (Vec::new(), vec![0.0; width]);
        let trees = self.model.flat();
        for (tree, flat) in trees.iter().enumerate() {
            match flat {
                Some(flat) => flat.reach(&rows, slots, &all, &mut room),
                None => room.reached = vec![UNDECIDED; count],
            }
            for (place, out) in out.chunks_mut(width.max(1)).enumerate() {
                let said = match (flat, room.reached[place]) {
                    (Some(flat), leaf) if leaf != UNDECIDED => flat.answer(leaf),
                    _ => {
                        let walk = self.walk(tree);
                        walk.reach(At::new(data, from + place), &mut mixed);
                        let targets = &self.model.terms.targets;
                        walk.say(targets, self.model.joined(), &mixed, &mut one);
                        &one
                    }
                };
                out.iter_mut()
                    .zip(said)
                    .for_each(|(sum, part)| *sum += part);
            }
        }
        for row in out.chunks_mut(width.max(1)) {
            settle(&self.model.terms.targets, trees.len(), row);
        }
    }

    fn walk(&self, tree: usize) -> &Walk<'a> {
        let member = &self.model.answering()[tree];
        self.walks[tree].get_or_init(|| Walk::new(member, &self.model.terms, self.columns))
    }

    /// The tested values of rows, a row after the other: numbers, dates in milliseconds, codes of
    /// labels that training had; NaN for all else.
    fn values(&self, data: &View, rows: std::ops::Range<usize>) -> Vec<f64> {
        let inputs = &self.model.terms.inputs;
        let rows: Vec<u32> = rows.map(|position| data.row(position)).collect();
        let mut block = Block::new(rows.len(), inputs.len());
        for (slot, input) in inputs.iter().enumerate() {
            let column = self.columns[input.column as usize].as_ref();
            if let Some(Tested::Flat {
                column: Some(column),
                known,
            }) = column
            {
                block.fill(slot, column, &rows, *known);
            }
        }
        block.values
    }
}
