//! What trees say of a block of rows: by their flat form, one tree after another, and by walking
//! where that does not decide.

use std::cell::OnceCell;
use std::ops::Range;
use std::sync::OnceLock;

use kinwood_values::View;

use super::flat::{Flat, Room, UNDECIDED};
use super::walk::{At, Tested, Walk, tested};
use super::{Terms, TreeModel};
use crate::tree::block::Block;
use crate::tree::model::{Answering, Member, say};
use kinwood_learning::context::Context;
use kinwood_learning::error::Result;

/// Rows that a thread takes at a time: their values stay in its cache.
pub(in crate::tree) const BLOCK: usize = 256;

/// The trees of a model in flat form, where they have one.
pub(super) fn flat(model: &TreeModel) -> Vec<Option<Flat>> {
    let terms = &model.terms;
    let width = model.width();
    let place = |column: u32| {
        let input = terms
            .inputs
            .binary_search_by_key(&column, |input| input.column);
        let slot = input.ok()?;
        Some((slot as u32, terms.inputs[slot].labels()))
    };
    let (targets, joined) = (&terms.targets, model.joined());
    let member = |member: &Member<Terms>| {
        let walk = OnceCell::new();
        Flat::new(&member.tree, width, place, |leaf, out| {
            let answers = &member.tree.node(leaf).payload.targets;
            let known = answers.iter().all(|answer| answer.weight() > 0.0);
            if known && model.along.is_leaf() {
                let alone = |target: usize, own: &mut [f64]| {
                    own.fill(0.0);
                    answers[target].say(1.0, own);
                };
                return say(targets, joined, alone, out);
            }
            // A leaf that knows nothing of a target has the answer of a node above it.
            let walk = walk.get_or_init(|| Walk::new(member, model));
            walk.say(targets, joined, &[(leaf, 1.0)], out);
        })
    };
    model.answering().iter().map(member).collect()
}

/// The trees of a model over the rows of a view.
pub struct Trees<'a> {
    model: &'a TreeModel,
    data: &'a View,
    columns: Vec<Option<Tested<'a>>>,
    /// The trees as they are, for what their flat form leaves undecided; made when needed.
    walks: Vec<OnceLock<Walk<'a>>>,
}

impl<'a> Trees<'a> {
    /// Finds the columns that the trees test.
    pub fn new(model: &'a TreeModel, data: &'a View) -> Result<Self> {
        Ok(Self {
            model,
            data,
            columns: tested(&model.terms, data)?,
            walks: model.answering().iter().map(|_| OnceLock::new()).collect(),
        })
    }

    fn walk(&self, tree: usize) -> &Walk<'a> {
        let member = &self.model.answering()[tree];
        self.walks[tree].get_or_init(|| Walk::new(member, self.model))
    }

    /// The tested values of rows, a row after the other: numbers, dates in milliseconds, codes of
    /// labels that training had; NaN for all else.
    fn values(&self, rows: Range<usize>) -> Vec<f64> {
        let inputs = &self.model.terms.inputs;
        let rows: Vec<u32> = rows.map(|position| self.data.row(position)).collect();
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

impl Answering for Trees<'_> {
    fn add(&self, rows: Range<usize>, _: &Context, out: &mut [f64]) -> Result<()> {
        let (from, count) = (rows.start, rows.len());
        let width = out.len() / count.max(1);
        let targets = &self.model.terms.targets;
        let joined = self.model.joined();
        let slots = self.model.terms.inputs.len();
        let values = self.values(rows);
        let all: Vec<u32> = (0..count as u32).collect();
        let mut room = Room::default();
        let (mut mixed, mut one) = (Vec::new(), vec![0.0; width]);
        for (tree, flat) in self.model.flat().iter().enumerate() {
            match flat {
                Some(flat) => flat.reach(&values, slots, &all, &mut room),
                None => room.reached = vec![UNDECIDED; count],
            }
            for (place, out) in out.chunks_mut(width.max(1)).enumerate() {
                let said = match (flat, room.reached[place]) {
                    (Some(flat), leaf) if leaf != UNDECIDED => flat.answer(leaf),
                    _ => {
                        let walk = self.walk(tree);
                        let at = At::new(self.data, from + place);
                        walk.reach(&self.columns, at, &mut mixed);
                        walk.say(targets, joined, &mixed, &mut one);
                        &one
                    }
                };
                out.iter_mut()
                    .zip(said)
                    .for_each(|(sum, part)| *sum += part);
            }
        }
        Ok(())
    }
}
