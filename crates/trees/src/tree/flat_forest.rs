//! Forests over columns: nodes look at columns drawn at random, and perhaps tests are drawn too.

use std::collections::BTreeMap;
use std::sync::Arc;

use rayon::prelude::*;

use super::FlatTree;
use super::attributes::{AttributeRegion, Attributes};
use super::columns::{Inputs, Layout, Looks};
use super::constraint::{Constraints, Limits, Sketches};
use super::fit::{Fitted, columns, costs_of, read_sketches, test_reach};
use super::forest::{ForestLimits, Grove, Growing, Sampled, say, usual_inputs};
use super::heuristic::Heuristic;
use super::model::{Member, TargetOf};
use super::pools::pooled;
use super::presort::{Entry, RISES, row_of};
use super::propose::{Chance, Problem, Prototypes, Rules};
use super::region::{Lists, Region};
use super::respond::{Grades, ResponseVisitor, respond};
use super::response::Answers;
use super::response::Response;
use super::terms::{BLOCK, Flat, Room, UNDECIDED};
use super::test::Test;
use kinwood_learning::context::Context;
use kinwood_learning::error::Result;
use kinwood_learning::task::Task;

/// What a forest over columns is to be.
pub struct FlatGrove {
    /// Its trees and samples.
    pub grove: Grove,
    /// How many inputs a node looks at; `None` for the root of their number, or a third of it for
    /// numbers.
    pub inputs: Option<usize>,
    /// The share of the inputs that a tree may use.
    pub space: f64,
    /// Whether tests are drawn at random.
    pub drawn: bool,
    /// What makes a test good.
    pub heuristic: Heuristic,
    /// The least weight of a leaf.
    pub leaf: f64,
    /// Whether labels are divided by subsets.
    pub subsets: bool,
    /// Whether thresholds lie midway.
    pub middle: bool,
    /// Whether examples without a value go where most others go.
    pub together: bool,
    /// How inputs are looked at.
    pub looks: Looks,
    /// How prototypes are chosen.
    pub prototypes: Prototypes,
}

/// Nodes that look at one of so many inputs put the numbers of those in order themselves: keeping
/// all in order for them costs more.
const SELDOM: usize = 3;

impl FlatGrove {
    /// How numbers are best kept for nodes that look at some of so many inputs.
    pub fn lay_out(&mut self, kinds: &[TargetOf], inputs: usize) {
        let looked_at = self.inputs.unwrap_or_else(|| usual_inputs(kinds, inputs));
        if looked_at.saturating_mul(SELDOM) <= inputs {
            self.looks.layout.few_values = Layout::MOST_CODES;
        }
    }

    /// The inputs of each tree.
    fn spaces(&self, inputs: usize, context: &Context) -> Vec<Vec<usize>> {
        if self.space >= 1.0 {
            return Vec::new();
        }
        let size = ((self.space * inputs as f64).round() as usize).clamp(1, inputs);
        let space = |tree: usize| {
            let mut random = context.generator(&[0x7370_6163, tree as u64]);
            let mut space: Vec<usize> = (0..inputs).collect();
            random.shuffle(&mut space);
            space.truncate(size);
            space
        };
        (0..self.grove.trees).map(space).collect()
    }
}

/// Grows the trees of a forest.
pub fn grown(
    grove: &FlatGrove,
    learner: &'static str,
    task: &Task,
    kinds: &[TargetOf],
    grades: &Grades<'_>,
    costs: &BTreeMap<String, f64>,
    context: &Context,
) -> Result<Fitted> {
    let view = task.view();
    let mut inputs = Inputs::new(view, learner, &grove.looks, context)?;
    let columns = columns(view, &inputs);
    let costs = costs_of(costs, view, &columns)?;
    let constraints = match &grove.grove.constraint {
        Some(constraint) => {
            let tests = test_reach(&inputs, &grove.prototypes);
            Constraints::new(constraint, &columns, &costs, tests)?
        }
        None => Constraints::default(),
    };
    let sketches = read_sketches(&constraints, &columns, &mut inputs)?;
    let gaps = inputs.gaps();
    let fit = Fit {
        grove,
        task,
        inputs,
        constraints,
        sketches,
        costs: &costs,
        kinds,
        context,
    };
    respond(task, gaps, kinds, grades, fit)
}

struct Fit<'a> {
    grove: &'a FlatGrove,
    task: &'a Task,
    inputs: Inputs<'a>,
    constraints: Constraints,
    sketches: Sketches<Test>,
    costs: &'a [f64],
    kinds: &'a [TargetOf],
    context: &'a Context,
}

impl ResponseVisitor for Fit<'_> {
    type Output = Fitted;

    fn visit<R: Response>(mut self, response: R, weights: Option<Vec<f64>>) -> Result<Fitted> {
        let grove = self.grove;
        let lists = std::mem::take(&mut self.inputs.lists);
        let count = self.inputs.all.len();
        let alternatives = self.constraints.alternatives().iter();
        let least = alternatives
            .map(Limits::least_leaf)
            .fold(f64::INFINITY, f64::min);
        let problem = Problem {
            rules: Rules {
                least: (1.0 - 1e-10) * grove.leaf.max(least),
                subsets: grove.subsets,
                middle: grove.middle,
                together: grove.together,
                always: false,
                prototypes: grove.prototypes.clone(),
                corrected: grove.looks.corrected,
                items: grove.looks.structured.items(),
                seed: self.context.seed(),
                chance: Some(Chance {
                    inputs: grove
                        .inputs
                        .unwrap_or_else(|| usual_inputs(self.kinds, count)),
                    spaces: grove.spaces(count, self.context),
                    tests: grove.drawn,
                }),
            },
            inputs: self.inputs,
            response,
        };
        let root = |tree: usize, counts: &[u32]| {
            let (mut region, lists) = root(&problem, &lists, weights.as_deref(), counts);
            region.tree = tree as u32;
            AttributeRegion::new(region, lists)
        };
        let none = Lists::new();
        let language = Attributes::new(
            &problem,
            self.task,
            weights.clone(),
            none,
            grove.heuristic,
            self.costs,
        );
        let limits = ForestLimits::new(self.constraints, self.sketches, &language)?;
        let width = self.kinds.iter().map(TargetOf::width).sum();
        let unseen = |all: &[Sampled<Test>]| unseen(&problem.inputs, all, width);
        let inputs = problem.inputs.all.iter();
        let inputs: Vec<(u32, String)> = inputs
            .map(|input| (input.position, input.name.clone()))
            .collect();
        let growing = Growing {
            grove: &grove.grove,
            limits: &limits,
            language: &language,
            kinds: self.kinds,
            root: &root,
            unseen: &unseen,
            inputs: &inputs,
            context: self.context,
        };
        let (trees, mut report) = growing.run()?;
        let naming = problem.inputs.identifier_note();
        report
            .notes
            .extend(naming.filter(|_| problem.rules.corrected));
        let members = trees.into_iter().map(|tree| Member {
            tree: Arc::new(tree),
            score: None,
        });
        let looks = &grove.looks;
        let (trees, pools) = pooled(members.collect(), &problem.inputs, self.task.view(), looks);
        Ok(Fitted {
            trees,
            pools,
            report,
        })
    }
}

/// What the trees that did not see a row say of it together, one target after the other; `None`
/// where all trees saw it.
fn unseen(inputs: &Inputs<'_>, all: &[Sampled<Test>], width: usize) -> Vec<Option<Vec<f64>>> {
    let (slots, total) = (inputs.all.len(), inputs.rows.len());
    let trees: Vec<(&[u32], &FlatTree, Option<Flat>)> = all
        .par_iter()
        .flat_map_iter(|sampled| {
            sampled.trees.iter().map(|tree| {
                let answer = |leaf: u32, out: &mut [f64]| {
                    say(&tree.node(leaf).payload, 1.0, out);
                };
                let flat = Flat::new(tree, width, |column| inputs.place(column), answer);
                (&*sampled.counts, tree, flat)
            })
        })
        .collect();
    let block = |first: usize| {
        let rows = first..total.min(first + BLOCK);
        let values = inputs.block(rows.clone()).values;
        let mut sums = vec![0.0; rows.len() * width];
        let mut answered = vec![0u32; rows.len()];
        let (mut unseen, mut room) = (Vec::new(), Room::default());
        for (counts, tree, flat) in &trees {
            unseen.clear();
            let places = 0..rows.len() as u32;
            unseen.extend(places.filter(|&place| counts[first + place as usize] == 0));
            match flat {
                Some(flat) => flat.reach(&values, slots, &unseen, &mut room),
                None => room.reached = vec![UNDECIDED; unseen.len()],
            }
            for (&place, &leaf) in unseen.iter().zip(&room.reached) {
                let place = place as usize;
                let sums = &mut sums[place * width..(place + 1) * width];
                answered[place] += 1;
                match flat {
                    Some(flat) if leaf != UNDECIDED => {
                        let parts = flat.answer(leaf);
                        sums.iter_mut()
                            .zip(parts)
                            .for_each(|(sum, part)| *sum += part);
                    }
                    _ => reach(tree, inputs, (first + place) as u32, |share, answers| {
                        say(answers, share, sums);
                    }),
                }
            }
        }
        let rows = sums.chunks(width.max(1)).zip(answered);
        let mean = |(sums, trees): (&[f64], u32)| {
            let trees = f64::from(trees);
            (trees > 0.0).then(|| sums.iter().map(|sum| sum / trees).collect())
        };
        rows.map(mean).collect::<Vec<Option<Vec<f64>>>>()
    };
    let starts: Vec<usize> = (0..total).step_by(BLOCK).collect();
    starts.into_par_iter().flat_map_iter(block).collect()
}

/// The root of a sample: a row stands in it as often as it was drawn.
fn root<R: Response>(
    problem: &Problem<'_, R>,
    lists: &Lists,
    weights: Option<&[f64]>,
    counts: &[u32],
) -> (Region<R>, Lists) {
    let mut starts = Vec::with_capacity(counts.len());
    let mut rows: Vec<u32> = Vec::with_capacity(counts.len());
    for (row, &count) in counts.iter().enumerate() {
        starts.push(rows.len() as u32);
        rows.extend(std::iter::repeat_n(row as u32, count as usize));
    }
    let drawn = |list: &Vec<Entry>| {
        let mut entries: Vec<Entry> = Vec::with_capacity(list.len());
        let mut risen = 0;
        for &entry in list {
            risen |= entry & RISES;
            let row = row_of(entry);
            for copy in 0..counts[row] {
                entries.push((starts[row] + copy) | std::mem::take(&mut risen));
            }
        }
        entries
    };
    let lists = lists.iter().map(drawn).collect();
    let weights = weights.map(|weights| rows.iter().map(|&row| weights[row as usize]).collect());
    let region = Region::new(rows, weights, &problem.response, problem.inputs.layout);
    (region, lists)
}

/// Calls `seen` with the leaves that a row of the task reaches, and how much of it reaches each.
fn reach(tree: &FlatTree, inputs: &Inputs<'_>, row: u32, mut seen: impl FnMut(f64, &Answers)) {
    let mut pending = vec![(0u32, 1.0)];
    while let Some((node, share)) = pending.pop() {
        let here = tree.node(node);
        let Some(split) = &here.split else {
            seen(share, &here.payload);
            continue;
        };
        match inputs.branch(&split.test, row) {
            Some(branch) => pending.push((split.children[branch], share)),
            None => {
                let branches = split.children.iter().zip(&split.shares);
                let branches = branches.filter(|(_, part)| **part > 0.0);
                pending.extend(branches.map(|(&child, part)| (child, share * part)));
            }
        }
    }
}
