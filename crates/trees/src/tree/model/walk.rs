//! From rows to leaves: which leaves a row reaches, how much of it reaches each, and what they say
//! together.
//!
//! A row goes down one branch of every test that can be decided. Where a value is missing, or a
//! label that training never had, it goes down all branches, divided as the training rows were, and
//! the leaves are mixed (Quinlan, C4.5, 1993, chapter 3). Nothing here recurses: a tree can be as
//! deep as it had rows.

use std::sync::Arc;

use super::{Combine, Input, InputKind, Member, Pool, Source, TargetOf, Terms, TreeModel};
use crate::tree::{FlatTree, Test};
use kinwood_learning::error::Result;
use kinwood_similarity::Pairs;
use kinwood_similarity::rows::{column as own_column, fitting, nested};
use kinwood_values::{Cells, Column, View};

/// A column that tests look at.
pub(in crate::tree) enum Tested<'a> {
    /// Numbers or labels, by row of the table.
    Flat {
        /// `None` where it is hidden: nothing can be decided then.
        column: Option<&'a Column>,
        /// How many labels training had.
        known: u32,
    },
    /// Values compared with prototypes, by row of the view.
    Kin {
        /// The values.
        column: Arc<Column>,
        /// Their distances to the prototypes.
        pairs: Arc<dyn Pairs<f64>>,
    },
}

/// A row of a view: which one of the view, and which of its table.
#[derive(Clone, Copy, Debug)]
pub(in crate::tree) struct At {
    pub position: usize,
    pub row: usize,
}

impl At {
    /// A row of a view by its position.
    pub fn new(data: &View, position: usize) -> Self {
        Self {
            position,
            row: data.row(position) as usize,
        }
    }
}

impl Tested<'_> {
    /// The value of a row in words.
    pub fn value(&self, at: At) -> String {
        match self {
            Tested::Flat { column, .. } => {
                column.map_or_else(|| "?".to_owned(), |column| column.value(at.row).to_string())
            }
            Tested::Kin { column, .. } => column.value(at.position).to_string(),
        }
    }

    /// How far a row is from prototypes; `None` where it has no value.
    pub fn distances(&self, at: At, prototypes: &[u32]) -> Option<Vec<f64>> {
        let Tested::Kin { column, pairs } = self else {
            return None;
        };
        column.is_present(at.position).then(|| {
            let row = pairs.prepare(at.position);
            let mut one = [0.0];
            let each = prototypes.iter().map(|&place| {
                row.fill(place as usize..place as usize + 1, &mut one);
                one[0]
            });
            each.collect()
        })
    }

    fn branch(&self, test: &Test, at: At) -> Option<usize> {
        match (self, test) {
            (Tested::Flat { column, known }, test) => test.branch((*column)?, at.row, *known),
            (Tested::Kin { .. }, Test::Nearest { nearest, .. }) => {
                Some(nearest.nearest(&self.distances(at, &nearest.prototypes)?))
            }
            (Tested::Kin { .. }, _) => None,
        }
    }
}

/// The tested columns of a view, by their place in the table that was learned from.
pub(super) fn tested<'a>(terms: &Terms, data: &'a View) -> Result<Vec<Option<Tested<'a>>>> {
    let places = terms
        .inputs
        .last()
        .map_or(0, |last| last.column as usize + 1);
    let mut all: Vec<Option<Tested<'a>>> = (0..places).map(|_| None).collect();
    for input in &terms.inputs {
        if let InputKind::Kin(pool) = &input.kind {
            all[input.column as usize] = Some(kin(input, pool, data)?);
            continue;
        }
        let place = data.table().find(&input.name)?;
        let column = data.column(data.table_position(), place);
        all[input.column as usize] = Some(Tested::Flat {
            column: column.map(|column| &**column),
            known: input.labels(),
        });
    }
    Ok(all)
}

/// The values of a view that are compared with prototypes.
fn kin<'a>(input: &Input, pool: &Pool, data: &View) -> Result<Tested<'a>> {
    let of = pool.measure.of();
    let layout = |column: String| kinwood_similarity::Error::Layout {
        column: match column.is_empty() {
            true => input.name.clone(),
            false => column,
        },
    };
    let column = match pool.source {
        Source::Column => {
            let place = data.table().find(&input.name)?;
            match own_column(data, place) {
                Some(column) => fitting(&column, of).map_err(layout)?,
                // Hidden: nothing is known of it.
                None => {
                    let mut column = Column::empty(of);
                    (0..data.len()).for_each(|_| column.push_missing());
                    column
                }
            }
        }
        Source::Row(reading) => fitting(&reading.rows(data)?, of).map_err(layout)?,
        Source::Linked(depth) => {
            let rows = nested(data, depth);
            let field = match rows.cells() {
                Cells::Tuple { names, fields, .. } => names
                    .iter()
                    .position(|name| name.as_deref() == Some(&*input.name))
                    .map(|place| &fields[place]),
                _ => None,
            };
            let field = field.ok_or_else(|| layout(input.name.clone()))?;
            fitting(field, of).map_err(layout)?
        }
    };
    let pairs = pool
        .measure
        .bind_real(&column, &pool.values, "a prototype test")?;
    Ok(Tested::Kin {
        column: Arc::new(column),
        pairs,
    })
}

/// A tree over the columns of a view.
pub(in crate::tree) struct Walk<'a> {
    tree: &'a FlatTree,
    columns: &'a [Option<Tested<'a>>],
    targets: usize,
    /// By node and target: the node that answers, itself or, where it knows nothing of the target,
    /// the nearest above that does.
    standing: Vec<u32>,
}

impl<'a> Walk<'a> {
    pub fn new(member: &'a Member, terms: &Terms, columns: &'a [Option<Tested<'a>>]) -> Self {
        let tree: &FlatTree = &member.tree;
        let targets = terms.targets.len();
        let mut standing = vec![0; tree.size() * targets];
        for (place, node) in tree.nodes().iter().enumerate() {
            for (target, answer) in node.payload.targets.iter().enumerate() {
                if answer.weight() > 0.0 {
                    standing[place * targets + target] = place as u32;
                }
            }
            // What a child does not know it has from here: children stand after their parents.
            for &child in node.split.iter().flat_map(|split| &split.children) {
                let (own, below) = (place * targets, child as usize * targets);
                standing.copy_within(own..own + targets, below);
            }
        }
        Self {
            tree,
            columns,
            targets,
            standing,
        }
    }

    /// The branch of a row at a node; `None` where it cannot be decided, and for a leaf.
    pub fn branch(&self, node: u32, at: At) -> Option<usize> {
        let test = &self.tree.node(node).split.as_ref()?.test;
        self.columns[test.column() as usize]
            .as_ref()?
            .branch(test, at)
    }

    /// The leaves that a row reaches and how much of it reaches each, in the order of the tree.
    pub fn reach(&self, at: At, leaves: &mut Vec<(u32, f64)>) {
        leaves.clear();
        self.visit(at, |node, share, _| {
            if self.tree.node(node).split.is_none() {
                leaves.push((node, share));
            }
        });
    }

    /// Calls `seen` with every node that a row reaches, the share that reaches it and the branch it
    /// takes, parents first.
    pub fn visit(&self, at: At, mut seen: impl FnMut(u32, f64, Option<usize>)) {
        let mut node = 0;
        // Where all is known there is one way, and no stack.
        let mut pending: Vec<(u32, f64)> = Vec::new();
        let mut share = 1.0;
        loop {
            let branch = self.branch(node, at);
            seen(node, share, branch);
            match (&self.tree.node(node).split, branch) {
                (Some(split), Some(branch)) => {
                    node = split.children[branch];
                    continue;
                }
                (Some(split), None) => {
                    let branches = split.children.iter().zip(&split.shares).rev();
                    pending.extend(
                        branches
                            .map(|(&child, part)| (child, share * part))
                            .filter(|(_, share)| *share > 0.0),
                    );
                }
                (None, _) => {}
            }
            match pending.pop() {
                Some((next, part)) => (node, share) = (next, part),
                None => break,
            }
        }
    }

    /// What the leaves reached say of a target together.
    pub fn mix(&self, target: usize, leaves: &[(u32, f64)], out: &mut [f64]) {
        out.fill(0.0);
        for &(leaf, share) in leaves {
            let standing = self.standing[leaf as usize * self.targets + target];
            let answer = &self.tree.node(standing).payload.targets[target];
            answer.say(share, out);
        }
    }

    /// What the leaves reached say of every target, one target after the other, as a part of what
    /// a set of trees says.
    pub fn say(
        &self,
        targets: &[TargetOf],
        combine: Combine,
        leaves: &[(u32, f64)],
        out: &mut [f64],
    ) {
        let mix = |target: usize, own: &mut [f64]| self.mix(target, leaves, own);
        say(targets, combine, mix, out);
    }

    /// What a leaf says of a target alone.
    pub fn answer(&self, target: usize, leaf: u32, width: usize) -> Vec<f64> {
        let mut out = vec![0.0; width];
        self.mix(target, &[(leaf, 1.0)], &mut out);
        out
    }
}

/// What is said of every target, one target after the other, as a part of what a set of trees says:
/// `answer` gives it of the target of that place.
pub(super) fn say(
    targets: &[TargetOf],
    combine: Combine,
    answer: impl Fn(usize, &mut [f64]),
    out: &mut [f64],
) {
    let mut from = 0;
    for (place, target) in targets.iter().enumerate() {
        let own = &mut out[from..from + target.width()];
        answer(place, own);
        if combine == Combine::Vote {
            target.kind.vote(own);
        }
        from += own.len();
    }
}

/// What the model says of a row: each target's numbers, one after the other.
pub(super) fn answer(
    model: &TreeModel,
    walks: &[Walk<'_>],
    at: At,
    leaves: &mut Vec<(u32, f64)>,
    out: &mut [f64],
) {
    out.fill(0.0);
    let mut one = vec![0.0; out.len()];
    for walk in walks {
        walk.reach(at, leaves);
        walk.say(&model.terms.targets, model.joined(), leaves, &mut one);
        out.iter_mut()
            .zip(&one)
            .for_each(|(sum, part)| *sum += part);
    }
    settle(&model.terms.targets, walks.len(), out);
}

/// From the sum of what trees say of a row to what they say together.
pub(super) fn settle(targets: &[TargetOf], trees: usize, row: &mut [f64]) {
    let count = trees as f64;
    row.iter_mut().for_each(|sum| *sum /= count);
    let mut from = 0;
    for target in targets {
        let to = from + target.width();
        target.kind.settle(&mut row[from..to]);
        from = to;
    }
}
