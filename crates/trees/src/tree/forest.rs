//! Forests: many trees, each on a sample of the rows and with tests in part left to chance, and
//! what the rows left out say of them.

use crate::tree::SearchMethod;
use std::sync::Arc;

use rayon::prelude::*;

use super::FlatTree;
use super::columns::{Inputs, Layout, Looks};
use super::constraint::{Atom, Constraint, Constraints, Sketch};
use super::fit::Fitted;
use super::grow::beam::{BeamSearch, beam};
use super::grow::{Heuristic, Limited, best_first, depth_first};
use super::model::flat::{Flat, Room, UNDECIDED};
use super::model::predict::BLOCK;
use super::model::{Importance, Member, OutOfBag, Report, TargetOf};
use super::pools::pooled;
use super::presort::{Entry, RISES, row_of};
use super::propose::{Chance, Problem, Prototypes, Rules};
use super::region::{Lists, Region};
use super::respond::{Grades, Use, respond};
use super::response::{Answers, Response};
use kinwood_learning::StopReason;
use kinwood_learning::context::Context;
use kinwood_learning::error::Result;
use kinwood_learning::random::Generator;
use kinwood_learning::task::Task;

/// What a forest is to be.
pub struct Grove {
    /// How many samples trees are grown on.
    pub trees: usize,
    /// The rows of a tree.
    pub sample: Sample,
    /// How many inputs a node looks at; `None` for the root of their number, or a third of it for
    /// numbers.
    pub inputs: Option<usize>,
    /// The share of the inputs that a tree may use.
    pub space: f64,
    /// Whether tests are drawn at random.
    pub drawn: bool,
    /// `greedy`, `best_first` or `beam`.
    pub search: SearchMethod,
    /// What makes a test good.
    pub heuristic: Heuristic,
    /// The least weight of a leaf.
    pub leaf: f64,
    /// The most nodes.
    pub size: Option<usize>,
    /// The most tests from the root to a leaf.
    pub depth: Option<usize>,
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
    /// How a beam searches.
    pub beam: BeamSearch,
}

/// The rows that a tree is grown on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sample {
    /// As many as there are, drawn with repetition.
    Bootstrap,
    /// As large a part, without repetition, as drawing with repetition reaches on average.
    Part,
    /// All.
    All,
}

kinwood_learning::named!(Sample { Bootstrap => "bootstrap", Part => "subsample", All => "all" });

/// The share of rows that drawing with repetition reaches on average.
const REACHED: f64 = 0.632;

/// Nodes that look at one of so many inputs put the numbers of those in order themselves: keeping
/// all in order for them costs more.
const SELDOM: usize = 3;

impl Grove {
    /// How numbers are best kept for nodes that look at some of so many inputs.
    pub fn lay_out(&mut self, kinds: &[TargetOf], inputs: usize) {
        let looked_at = self.inputs.unwrap_or_else(|| usual_inputs(kinds, inputs));
        if looked_at.saturating_mul(SELDOM) <= inputs {
            self.looks.layout.few_values = Layout::MOST_CODES;
        }
    }
}

/// Grows the trees of a forest.
pub fn grown(
    grove: &Grove,
    learner: &'static str,
    task: &Task,
    kinds: &[TargetOf],
    grades: &Grades<'_>,
    context: &Context,
) -> Result<Fitted> {
    let inputs = Inputs::new(task.view(), learner, &grove.looks, context)?;
    let growing = Growing {
        grove,
        task,
        kinds,
        context,
    };
    respond(task, inputs, kinds, grades, growing)
}

struct Growing<'a> {
    grove: &'a Grove,
    task: &'a Task,
    kinds: &'a [TargetOf],
    context: &'a Context,
}

/// The trees of one sample, and how often each row is in it.
struct Sampled {
    trees: Vec<FlatTree>,
    counts: Vec<u32>,
    evaluated: u64,
    stopped: StopReason,
}

impl Use for Growing<'_> {
    type Output = Fitted;

    fn with<R: Response>(
        self,
        mut inputs: Inputs<'_>,
        response: R,
        weights: Option<Vec<f64>>,
    ) -> Result<Fitted> {
        let grove = self.grove;
        let lists = std::mem::take(&mut inputs.lists);
        let count = inputs.all.len();
        let problem = Problem {
            rules: Rules {
                least: (1.0 - 1e-10) * grove.leaf,
                subsets: grove.subsets,
                middle: grove.middle,
                together: grove.together,
                always: false,
                prototypes: grove.prototypes.clone(),
                seed: self.context.seed(),
                chance: Some(Chance {
                    inputs: grove
                        .inputs
                        .unwrap_or_else(|| usual_inputs(self.kinds, count)),
                    spaces: self.spaces(count),
                    tests: grove.drawn,
                }),
            },
            inputs,
            response,
        };
        let limits = [grove.size.map(Atom::Size), grove.depth.map(Atom::Depth)];
        let limits: Vec<Constraint> = limits.into_iter().flatten().map(Constraint::Atom).collect();
        let constraints = match limits.is_empty() {
            true => Constraints::default(),
            false => Constraints::new(&Constraint::all(limits), &[], &[])?,
        };
        let running = self
            .context
            .progress("growing a forest", grove.trees as u64);
        let sampled = |tree: usize| -> Option<Sampled> {
            // The first tree is grown whatever the time: without it there is nothing to return.
            if tree > 0 && self.context.check().is_err() {
                return None;
            }
            let sampled = self.sampled(&problem, &lists, weights.as_deref(), tree, &constraints);
            running.advance(1);
            Some(sampled)
        };
        let all: Vec<Sampled> = (0..grove.trees)
            .into_par_iter()
            .filter_map(sampled)
            .collect();
        let cut_short =
            all.len() < grove.trees || all.iter().any(|sampled| sampled.stopped.cut_short());
        if cut_short {
            self.context.cut_short();
        }
        let report = self.report(&problem, &all, weights.as_deref(), cut_short);
        let trees = all.into_iter().flat_map(|sampled| sampled.trees);
        let trees: Vec<Member> = trees
            .map(|tree| Member {
                tree: Arc::new(tree),
                score: None,
            })
            .collect();
        let (trees, pools) = pooled(trees, &problem.inputs, self.task.view(), &grove.looks);
        Ok(Fitted {
            trees,
            pools,
            report,
        })
    }
}

impl Growing<'_> {
    /// The inputs of each tree.
    fn spaces(&self, inputs: usize) -> Vec<Vec<usize>> {
        if self.grove.space >= 1.0 {
            return Vec::new();
        }
        let size = ((self.grove.space * inputs as f64).round() as usize).clamp(1, inputs);
        let space = |tree: usize| {
            let mut random = self.random(tree, 0x7370_6163);
            let mut space: Vec<usize> = (0..inputs).collect();
            random.shuffle(&mut space);
            space.truncate(size);
            space
        };
        (0..self.grove.trees).map(space).collect()
    }

    fn random(&self, tree: usize, purpose: u64) -> Generator {
        self.context.generator(&[purpose, tree as u64])
    }

    /// How often each row is in the sample of a tree.
    fn counts(&self, tree: usize) -> Vec<u32> {
        let rows = self.task.view().len();
        let mut random = self.random(tree, 0x726f_7773);
        match self.grove.sample {
            Sample::All => vec![1; rows],
            Sample::Bootstrap => {
                let mut counts = vec![0; rows];
                (0..rows).for_each(|_| counts[random.below(rows)] += 1);
                counts
            }
            Sample::Part => {
                let mut order: Vec<usize> = (0..rows).collect();
                random.shuffle(&mut order);
                let size = ((REACHED * rows as f64).round() as usize).max(1);
                let mut counts = vec![0; rows];
                order[..size].iter().for_each(|&row| counts[row] = 1);
                counts
            }
        }
    }

    fn sampled<R: Response>(
        &self,
        problem: &Problem<'_, R>,
        lists: &Lists,
        weights: Option<&[f64]>,
        tree: usize,
        constraints: &Constraints,
    ) -> Sampled {
        let counts = self.counts(tree);
        let (mut region, lists) = root(problem, lists, weights, &counts);
        region.tree = tree as u32;
        let limited = Limited {
            constraints,
            costs: &[],
            sketch: &Sketch::Open,
        };
        let heuristic = self.grove.heuristic;
        let root = (region, lists);
        let single = match self.grove.search {
            SearchMethod::Beam => {
                let found = beam(problem, root, &self.grove.beam, &limited, self.context)
                    .expect("an open sketch divides everything");
                let trees = found.trees.into_iter().map(|(tree, _)| tree);
                return Sampled {
                    trees: trees.collect(),
                    counts,
                    evaluated: found.evaluated,
                    stopped: found.stopped,
                };
            }
            SearchMethod::BestFirst => best_first(problem, root, heuristic, &limited, self.context),
            _ => depth_first(problem, root, heuristic, &limited, self.context),
        };
        Sampled {
            trees: vec![single.tree],
            counts,
            evaluated: single.evaluated,
            stopped: single.stopped,
        }
    }

    fn report<R: Response>(
        &self,
        problem: &Problem<'_, R>,
        all: &[Sampled],
        weights: Option<&[f64]>,
        cut_short: bool,
    ) -> Report {
        let stopped = match cut_short {
            true => all
                .iter()
                .map(|sampled| sampled.stopped)
                .find(|stopped| stopped.cut_short())
                .unwrap_or(StopReason::Time),
            false => StopReason::Complete,
        };
        Report {
            search: self.grove.search,
            evaluated: all.iter().map(|sampled| sampled.evaluated).sum(),
            stopped,
            notes: Vec::new(),
            out_of_bag: match self.grove.sample {
                Sample::All => Vec::new(),
                _ => self.out_of_bag(&problem.inputs, all, weights),
            },
            importances: importances(problem, all),
        }
    }

    /// What the trees that did not see a row say of it together, over all rows that some tree did
    /// not see.
    fn out_of_bag(
        &self,
        inputs: &Inputs<'_>,
        all: &[Sampled],
        weights: Option<&[f64]>,
    ) -> Vec<OutOfBag> {
        let said = self.said_out_of_bag(inputs, all);
        let weight = |row: usize| weights.map_or(1.0, |weights| weights[row]);
        let mut measured = Vec::new();
        let mut from = 0;
        for (target, kind) in self.kinds.iter().enumerate() {
            let (mut error, mut total, mut count) = (0.0, 0.0, 0);
            for (row, said) in said.iter().enumerate() {
                let Some(said) = said else {
                    continue;
                };
                let own = &said[from..from + kind.width()];
                if let Some(loss) = self.loss(target, row, own) {
                    error += weight(row) * loss;
                    total += weight(row);
                    count += 1;
                }
            }
            from += kind.width();
            let mean = error / f64::max(total, f64::MIN_POSITIVE);
            let (measure, value) = kind.leaf().measured(mean);
            if count > 0 {
                measured.push(OutOfBag {
                    target: kind.name.clone(),
                    measure: measure.to_owned(),
                    value,
                    rows: count,
                });
            }
        }
        measured
    }

    /// What the trees that did not see a row say of it together, one target after the other;
    /// `None` where all trees saw it.
    fn said_out_of_bag(&self, inputs: &Inputs<'_>, all: &[Sampled]) -> Vec<Option<Vec<f64>>> {
        let width: usize = self.kinds.iter().map(TargetOf::width).sum();
        let slots = inputs.all.len();
        let trees: Vec<(&[u32], &FlatTree, Option<Flat>)> = all
            .par_iter()
            .flat_map_iter(|sampled| {
                sampled.trees.iter().map(|tree| {
                    let answer = |leaf: u32, out: &mut [f64]| {
                        said(&tree.node(leaf).payload, 1.0, out);
                    };
                    let flat = Flat::new(tree, width, |column| inputs.place(column), answer);
                    (&*sampled.counts, tree, flat)
                })
            })
            .collect();
        let block = |first: usize| {
            let rows = first..self.task.view().len().min(first + BLOCK);
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
                            said(answers, share, sums);
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
        let starts: Vec<usize> = (0..self.task.view().len()).step_by(BLOCK).collect();
        starts.into_par_iter().flat_map_iter(block).collect()
    }

    /// How wrong an answer is for a row, if its target is known.
    fn loss(&self, target: usize, row: usize, said: &[f64]) -> Option<f64> {
        let (known, of) = (&self.task.targets()[target], &self.kinds[target]);
        of.leaf().loss_of(&of.kind, known, row, said)
    }
}

/// The usual number of inputs that a node looks at, of so many.
fn usual_inputs(kinds: &[TargetOf], inputs: usize) -> usize {
    let numbers = kinds.iter().all(|kind| kind.kind.is_number());
    match numbers {
        true => inputs.div_ceil(3),
        false => (inputs as f64).sqrt().round().max(1.0) as usize,
    }
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

/// Adds a share of what a node says of every target, one target after the other.
fn said(answers: &Answers, share: f64, mut out: &mut [f64]) {
    for answer in &answers.targets {
        let (own, others) = out.split_at_mut(answer.width());
        answer.say(share, own);
        out = others;
    }
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

/// How much each input lets the spread fall, over all trees; they add up to one.
fn importances<R: Response>(problem: &Problem<'_, R>, all: &[Sampled]) -> Vec<Importance> {
    let mut falls = vec![0.0; problem.inputs.all.len()];
    for tree in all.iter().flat_map(|sampled| &sampled.trees) {
        let spread = |node: u32| problem.response.spread_behind(&tree.node(node).payload);
        let whole = tree.nodes()[0].payload.weight.max(f64::MIN_POSITIVE);
        for (node, at) in tree.nodes().iter().enumerate() {
            let Some(split) = &at.split else {
                continue;
            };
            let position = split.test.column();
            let inputs = &problem.inputs.all;
            if let Ok(input) = inputs.binary_search_by_key(&position, |input| input.position) {
                let below: f64 = split.children.iter().map(|&child| spread(child)).sum();
                falls[input] += (spread(node as u32) - below).max(0.0) / whole;
            }
        }
    }
    let total: f64 = falls.iter().sum();
    let named = problem.inputs.all.iter().zip(falls);
    let mut all: Vec<Importance> = named
        .map(|(input, fall)| Importance {
            input: input.name.clone(),
            share: if total > 0.0 { fall / total } else { 0.0 },
        })
        .collect();
    all.sort_by(|a, b| b.share.total_cmp(&a.share));
    all
}
