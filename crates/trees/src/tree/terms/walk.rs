//! From rows to leaves: which leaves a row reaches, how much of it reaches each, and what they say
//! together.
//!
//! A row goes down one branch of every test that can be decided. Where a value is missing, or a
//! label that training never had, it goes down all branches, divided as the training rows were, and
//! the leaves are mixed (Quinlan, C4.5, 1993, chapter 3). Nothing here recurses: a tree can be as
//! deep as it had rows.

use std::sync::Arc;

use super::{Input, InputKind, Pool, Source, Terms, TreeModel};
use crate::contents::{Found, find};
use crate::tree::model::{Along, Combine, Member, TargetOf, say, settle, standing};
use crate::tree::test::Nearest;
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
    /// Structured values, by row of the view.
    Kin {
        /// The values.
        column: Arc<Column>,
        /// Their distances to the prototypes by each measure, where there are any.
        pairs: Vec<Arc<dyn Pairs<f64>>>,
        /// What they contain.
        found: Arc<Found>,
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
    pub fn distances(&self, at: At, nearest: &Nearest) -> Option<Vec<f64>> {
        let Tested::Kin { column, pairs, .. } = self else {
            return None;
        };
        let (pairs, prototypes) = (pairs.get(nearest.measure as usize)?, &nearest.prototypes);
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
                Some(nearest.nearest(&self.distances(at, nearest)?))
            }
            (Tested::Kin { found, .. }, test) => test.branch_by_contents(found, at.position),
        }
    }

    /// The items of a test that a row has, by their places; none where its value is missing.
    pub fn found(&self, test: &Test, at: At) -> Vec<u32> {
        match (self, test) {
            (Tested::Kin { found, .. }, Test::Has { items, .. }) => {
                let own = found.items(at.position).iter().copied();
                own.filter(|item| items.binary_search(item).is_ok())
                    .collect()
            }
            _ => Vec::new(),
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
    let pairs = match pool.values.is_empty() {
        true => Vec::new(),
        false => {
            let compared = "a prototype test";
            let measures = std::iter::once(&pool.measure).chain(&pool.more);
            let bound = measures.map(|own| own.bind_real(&column, &pool.values, compared));
            bound.collect::<std::result::Result<_, _>>()?
        }
    };
    Ok(Tested::Kin {
        found: Arc::new(find(&pool.items, &column)),
        column: Arc::new(column),
        pairs,
    })
}

/// The tested columns, by their place in the table that was learned from.
pub(in crate::tree) type Columns<'a> = [Option<Tested<'a>>];

/// A tree that rows walk down.
pub(in crate::tree) struct Walk<'a> {
    tree: &'a FlatTree,
    targets: usize,
    /// By node and target: the node that answers.
    standing: Vec<u32>,
    /// By node and target: the number that is said there, where those above are mixed in.
    smoothed: Option<Vec<f64>>,
}

impl<'a> Walk<'a> {
    /// A tree of a model.
    pub fn new(member: &'a Member<Terms>, model: &TreeModel) -> Self {
        let terms = &*model.terms;
        let mut walk = Self {
            tree: &member.tree,
            targets: terms.targets.len(),
            standing: standing(terms, &member.tree),
            smoothed: None,
        };
        if let Along::Smoothed(by) = model.along {
            walk.smoothed = Some(walk.mixed_with_those_above(by));
        }
        walk
    }

    /// By node and target: the mean there, mixed with those above, which count as much as so many
    /// rows.
    fn mixed_with_those_above(&self, by: f64) -> Vec<f64> {
        let nodes = self.tree.nodes();
        let mut parents = vec![None; nodes.len()];
        for (place, node) in nodes.iter().enumerate() {
            for &child in node.split.iter().flat_map(|split| &split.children) {
                parents[child as usize] = Some(place);
            }
        }
        let mean = |node: usize, target: usize| {
            let standing = self.standing[node * self.targets + target];
            let number = nodes[standing as usize].payload.targets[target].as_number();
            number.map_or(0.0, |number| number.mean)
        };
        let mut mixed = vec![0.0; nodes.len() * self.targets];
        // Only leaves answer, and the way up from each is short.
        for leaf in (0..nodes.len()).filter(|&node| nodes[node].split.is_none()) {
            for target in 0..self.targets {
                let mut number = mean(leaf, target);
                let mut node = leaf;
                while let Some(above) = parents[node] {
                    let weight = nodes[node].payload.weight;
                    number = (weight * number + by * mean(above, target)) / (weight + by);
                    node = above;
                }
                mixed[leaf * self.targets + target] = number;
            }
        }
        mixed
    }

    /// The branch of a row at a node; `None` where it cannot be decided, and for a leaf.
    pub fn branch(&self, columns: &Columns<'_>, node: u32, at: At) -> Option<usize> {
        let test = &self.tree.node(node).split.as_ref()?.test;
        columns[test.column() as usize].as_ref()?.branch(test, at)
    }

    /// The leaves that a row reaches and how much of it reaches each, in the order of the tree.
    pub fn reach(&self, columns: &Columns<'_>, at: At, leaves: &mut Vec<(u32, f64)>) {
        leaves.clear();
        self.visit(columns, at, |node, share, _| {
            if self.tree.node(node).split.is_none() {
                leaves.push((node, share));
            }
        });
    }

    /// Calls `seen` with every node that a row reaches, the share that reaches it and the branch it
    /// takes, parents first.
    pub fn visit(
        &self,
        columns: &Columns<'_>,
        at: At,
        mut seen: impl FnMut(u32, f64, Option<usize>),
    ) {
        let mut node = 0;
        // Where all is known there is one way, and no stack.
        let mut pending: Vec<(u32, f64)> = Vec::new();
        let mut share = 1.0;
        loop {
            let branch = self.branch(columns, node, at);
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
            let place = leaf as usize * self.targets + target;
            let answer = &self.tree.node(self.standing[place]).payload.targets[target];
            match (&self.smoothed, answer.as_number()) {
                (Some(smoothed), Some(_)) => out[0] += share * smoothed[place],
                _ => answer.say(share, out),
            }
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

/// What the model says of a row: each target's numbers, one after the other.
pub(super) fn answer(
    model: &TreeModel,
    walks: &[Walk<'_>],
    columns: &Columns<'_>,
    at: At,
) -> Vec<f64> {
    let mut leaves = Vec::new();
    let mut out = vec![0.0; model.width()];
    let mut one = out.clone();
    for walk in walks {
        walk.reach(columns, at, &mut leaves);
        walk.say(&model.terms.targets, model.joined(), &leaves, &mut one);
        out.iter_mut()
            .zip(&one)
            .for_each(|(sum, part)| *sum += part);
    }
    settle(
        &model.terms.targets,
        walks.len(),
        model.report.prior,
        &mut out,
    );
    out
}
