//! Boosting: round after round a tree for each score, until rows that were held back stop gaining.

use rayon::prelude::*;

use kinwood_learning::context::Context;
use kinwood_learning::error::Result;
use kinwood_learning::facts::StopReason;

use super::gradients::{Objective, Slopes};
use super::grow::{Growth, Leaf};
use super::histogram::{Quantised, Sums};
use super::rows::add;
use super::split::Bounds;
use super::tree::Tree;

/// How boosting goes on.
pub struct Plan<'a> {
    /// How trees grow.
    pub growth: Growth<'a>,
    /// The part of each answer that is taken.
    pub rate: f64,
    /// The share of the rows that a tree is grown on.
    pub rows: f64,
    /// The share of the features that a tree may test.
    pub columns: f64,
    /// The most rounds.
    pub trees: usize,
    /// After so many rounds without gain it ends.
    pub patience: usize,
    /// Names what is drawn.
    pub stream: u64,
}

/// Where boosting stands.
struct Run<'a> {
    plan: &'a Plan<'a>,
    objective: &'a Objective,
    /// The scores that rows begin with.
    base: Vec<f64>,
    /// By row; 0 for rows that are held back.
    weights: Vec<f64>,
    /// The rows that count, rising.
    rows: Vec<u32>,
    /// The rows that are held back, rising.
    held: Vec<u32>,
    /// By output and row.
    scores: Vec<Vec<f64>>,
    open: Vec<bool>,
    slopes: Slopes,
    order: Vec<u32>,
    room: Vec<u32>,
}

/// The trees of a target.
pub struct Boosted {
    /// The scores that rows begin with.
    pub base: Vec<f64>,
    /// A tree an output, round after round; of several models, those of the same round are next to
    /// each other.
    pub trees: Vec<Tree>,
    /// How many models were boosted apart, whose mean this is.
    pub models: usize,
    /// The scores of all rows; none of several models.
    pub scores: Vec<Vec<f64>>,
    /// Why it ended.
    pub stopped: StopReason,
    /// The least loss of the rows held back.
    pub loss: Option<f64>,
    /// The part of what trees add to a score that is left, for classes.
    pub scale: f64,
}

impl Boosted {
    /// How many rounds each model has.
    pub fn rounds(&self) -> usize {
        self.trees.len() / (self.base.len() * self.models).max(1)
    }

    /// Leaves a part of what trees add.
    fn scaled(mut self, scale: f64) -> Self {
        if scale != 1.0 {
            for value in self.trees.iter_mut().flat_map(|tree| &mut tree.values) {
                *value *= scale;
            }
            for (own, base) in self.scores.iter_mut().zip(&self.base) {
                own.iter_mut()
                    .for_each(|score| *score = base + scale * (*score - base));
            }
            self.scale = scale;
        }
        self
    }
}

impl<'a> Run<'a> {
    fn new(plan: &'a Plan<'a>, objective: &'a Objective, weights: &[f64], held: &[u32]) -> Self {
        let mut own = weights.to_vec();
        held.iter().for_each(|&row| own[row as usize] = 0.0);
        let rows: Vec<u32> = (0..own.len() as u32)
            .filter(|&row| own[row as usize] > 0.0)
            .collect();
        let base = objective.base(&own);
        let open = (0..objective.outputs)
            .map(|output| objective.is_open(output, &own))
            .collect();
        Self {
            plan,
            objective,
            scores: base.iter().map(|base| vec![*base; own.len()]).collect(),
            base,
            open,
            room: vec![0; rows.len()],
            order: Vec::with_capacity(rows.len()),
            held: held.to_vec(),
            weights: own,
            rows,
            slopes: Slopes::default(),
        }
    }

    /// A tree for each output; none where nothing gains any more.
    fn round(&mut self, round: u64) -> Option<Vec<Tree>> {
        let probabilities = match self.objective.loss {
            super::loss::Loss::Softmax => self.objective.probabilities(&self.scores),
            _ => Vec::new(),
        };
        let mut trees = Vec::with_capacity(self.objective.outputs);
        for output in 0..self.objective.outputs {
            let tree = match self.open[output] {
                true => self.tree(output, &probabilities, round),
                false => {
                    let mut tree = Tree::default();
                    tree.push(0.0, 0.0);
                    tree
                }
            };
            trees.push(tree);
        }
        let moved = |tree: &Tree| tree.len() > 1 || tree.values[0] != 0.0;
        trees.iter().any(moved).then_some(trees)
    }

    fn tree(&mut self, output: usize, probabilities: &[Vec<f64>], round: u64) -> Tree {
        let (plan, objective) = (self.plan, self.objective);
        let name = (plan.stream << 40) ^ (round << 8) ^ output as u64;
        objective.slopes(
            output,
            &self.scores,
            probabilities,
            &self.weights,
            &mut self.slopes,
        );
        self.order.clear();
        match plan.rows < 1.0 {
            true => {
                let drawn = |row: &&u32| unit(u64::from(**row), name) < plan.rows;
                self.order.extend(self.rows.iter().filter(drawn));
                if self.order.is_empty() {
                    self.order.extend_from_slice(&self.rows);
                }
            }
            false => self.order.extend_from_slice(&self.rows),
        }
        let slopes = &self.slopes;
        let quantised = Quantised::new(&slopes.gradients, &slopes.curvatures, &self.weights, name);
        let weight = self
            .order
            .iter()
            .map(|&row| self.weights[row as usize])
            .sum();
        let columns = columns(plan, name);
        let room = &mut self.room[..self.order.len()];
        let mut grown = plan
            .growth
            .tree(&quantised, &mut self.order, room, weight, &columns);
        let scores = &self.scores[output];
        let (order, weights) = (&self.order, &self.weights);
        let answer = |leaf: &Leaf| -> (f64, f64) {
            let rows = &order[leaf.rows.clone()];
            let mut sums = Sums::default();
            for &row in rows {
                let row = row as usize;
                sums.gradient += slopes.gradients[row];
                sums.curvature += slopes.curvatures[row];
                sums.weight += weights[row];
            }
            let Bounds { least, most } = leaf.bounds;
            let answer = match objective.loss.by_quantile() {
                true => objective.left(rows, scores, weights).clamp(least, most),
                false => plan.growth.rules.answer(&sums, leaf.bounds),
            };
            (plan.rate * answer, sums.weight)
        };
        let answers: Vec<(f64, f64)> = grown.leaves.par_iter().map(answer).collect();
        let tree = &mut grown.tree;
        for (leaf, (value, weight)) in grown.leaves.iter().zip(&answers) {
            tree.values[leaf.node] = *value;
            tree.weights[leaf.node] = *weight;
        }
        // Branches stand behind their node: its weight is theirs together.
        for node in (0..tree.len()).rev() {
            if !tree.is_leaf(node) {
                let [yes, no] = tree.branches[node].map(|branch| branch as usize);
                tree.weights[node] = tree.weights[yes] + tree.weights[no];
            }
        }
        let leaves: Vec<(&[u32], f64)> = grown
            .leaves
            .iter()
            .zip(&answers)
            .map(|(leaf, (value, _))| (&order[leaf.rows.clone()], *value))
            .collect();
        add(&mut self.scores[output], &leaves);
        let reached = Reached::new(tree, plan);
        if plan.rows < 1.0 {
            let own = &self.rows;
            let mut drawn = order.clone();
            drawn.sort_unstable();
            let others: Vec<u32> = own
                .iter()
                .copied()
                .filter(|row| drawn.binary_search(row).is_err())
                .collect();
            reached.add(&others, &mut self.scores[output]);
        }
        reached.add(&self.held, &mut self.scores[output]);
        grown.tree
    }

    /// The loss of the rows held back with a part of what trees add, and its first and second
    /// derivatives by that part.
    fn held_loss(&self, weights: &[f64], scale: f64) -> [f64; 3] {
        self.objective
            .scaled_loss(&self.scores, &self.base, &self.held, weights, scale)
    }
}

/// The least part of what trees add that is left.
const LEAST_SCALE: f64 = 0.02;
/// So many steps are made towards the best part.
const STEPS: usize = 12;

/// The part of what trees add that the rows held back are predicted best with, and their loss: 1
/// for what has no probabilities of classes.
///
/// Trees go on telling classes apart when their probabilities are too certain already. So what is
/// looked at is the loss that is left when this is put right, and the trees of the best round are
/// taken with that part (E. Berta and others, *Rethinking early stopping: refine, then calibrate*,
/// 2025).
fn best_scale(objective: &Objective, begins: f64, loss: impl Fn(f64) -> [f64; 3]) -> (f64, f64) {
    if !objective.loss.is_of_classes() {
        return (1.0, loss(1.0)[0]);
    }
    let mut scale = begins;
    let mut now = loss(scale);
    for _ in 0..STEPS {
        let [_, first, second] = now;
        let step = first / second.max(1e-12);
        let next = (scale - step).clamp(LEAST_SCALE.max(scale / 4.0), 1.0);
        if !next.is_finite() || (next - scale).abs() < 1e-6 {
            break;
        }
        let then = loss(next);
        // The loss is convex: a step that went too far is halved.
        let (next, then) = match then[0] <= now[0] {
            true => (next, then),
            false => {
                let middle = f64::midpoint(scale, next);
                (middle, loss(middle))
            }
        };
        if then[0] > now[0] {
            break;
        }
        (scale, now) = (next, then);
    }
    (scale, now[0])
}

/// A number from 0 to 1 of a place in a stream.
fn unit(place: u64, stream: u64) -> f64 {
    let mut mixed =
        (place ^ stream.wrapping_mul(0x9E37_79B9_7F4A_7C15)).wrapping_add(0x9E37_79B9_7F4A_7C15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    ((mixed ^ (mixed >> 31)) >> 11) as f64 / (1u64 << 53) as f64
}

/// The features that a tree may test.
fn columns(plan: &Plan<'_>, name: u64) -> Vec<u32> {
    let count = plan.growth.features.all.len();
    let mut all: Vec<u32> = (0..count as u32).collect();
    if plan.columns < 1.0 {
        let wanted = ((count as f64 * plan.columns).round() as usize).clamp(1, count);
        let key = |feature: &u32| unit(u64::from(*feature), name ^ 0x5EED);
        all.sort_by(|a, b| key(a).total_cmp(&key(b)));
        all.truncate(wanted);
        all.sort_unstable();
    }
    all
}

/// A tree that rows in bins go down.
struct Reached<'a> {
    tree: &'a Tree,
    columns: Vec<&'a [u8]>,
    first: Vec<[bool; 256]>,
}

impl<'a> Reached<'a> {
    fn new(tree: &'a Tree, plan: &Plan<'a>) -> Self {
        let binned = plan.growth.binned;
        let first = |node: usize| -> [bool; 256] {
            let mut first = [false; 256];
            if tree.is_leaf(node) {
                return first;
            }
            let feature = tree.features[node] as usize;
            match (&binned.cuts[feature], tree.set(node)) {
                (super::bins::Cuts::Numbers(cuts), _) => {
                    // A bin lies above the cut that it begins with.
                    let below = cuts.partition_point(|cut| *cut <= tree.thresholds[node]);
                    first[below..=cuts.len()].fill(true);
                }
                (super::bins::Cuts::Labels(_), set) => {
                    for (bin, label) in binned.labels[feature].iter().enumerate() {
                        first[bin] = set.is_some_and(|set| set.binary_search(label).is_ok());
                    }
                }
            }
            first[binned.cuts[feature].bins()] = tree.missing[node];
            first
        };
        Self {
            columns: tree
                .features
                .iter()
                .map(|feature| {
                    binned
                        .columns
                        .get(*feature as usize)
                        .map_or(&[][..], Vec::as_slice)
                })
                .collect(),
            first: (0..tree.len()).map(first).collect(),
            tree,
        }
    }

    fn add(&self, rows: &[u32], scores: &mut [f64]) {
        let leaf = |&row: &u32| {
            let mut node = 0;
            while !self.tree.is_leaf(node) {
                let bin = self.columns[node][row as usize] as usize;
                let branch = usize::from(!self.first[node][bin]);
                node = self.tree.branches[node][branch] as usize;
            }
            self.tree.values[node]
        };
        let values: Vec<f64> = rows.par_iter().with_min_len(4096).map(leaf).collect();
        for (row, value) in rows.iter().zip(values) {
            scores[*row as usize] += value;
        }
    }
}

/// The best number of rounds so far.
struct Best {
    round: usize,
    loss: f64,
    scale: f64,
    patience: usize,
}

impl Best {
    /// Takes the loss after so many rounds; whether to go on.
    fn take(&mut self, round: usize, (scale, loss): (f64, f64)) -> bool {
        // Gains that are lost in rounding are none.
        if loss < self.loss - 1e-9 * self.loss.abs() {
            (self.round, self.loss, self.scale) = (round, loss, scale);
        }
        round - self.round < self.patience
    }
}

/// Boosts with a fixed number of rounds, or until the rows held back stop gaining.
pub fn boost(
    plan: &Plan<'_>,
    objective: &Objective,
    weights: &[f64],
    held: &[u32],
    rounds: usize,
    context: &Context,
) -> Result<Boosted> {
    let mut run = Run::new(plan, objective, weights, held);
    let mut trees: Vec<Tree> = Vec::new();
    let mut best = Best {
        round: 0,
        loss: match held.is_empty() {
            true => f64::INFINITY,
            false => run.held_loss(weights, 1.0)[0],
        },
        scale: 1.0,
        patience: plan.patience,
    };
    let mut scale = 1.0;
    let mut stopped = StopReason::Complete;
    let progress = context.progress("boosting", rounds as u64);
    for round in 0..rounds {
        if let Some(reason) = StopReason::requested(context) {
            if trees.is_empty() {
                context.check()?;
            }
            stopped = reason;
            break;
        }
        let Some(grown) = run.round(round as u64) else {
            break;
        };
        trees.extend(grown);
        progress.advance(1);
        if !held.is_empty() {
            let found = best_scale(objective, scale, |scale| run.held_loss(weights, scale));
            scale = found.0;
            if !best.take(round + 1, found) {
                break;
            }
        }
    }
    if !held.is_empty() {
        trees.truncate(best.round * objective.outputs);
    }
    let boosted = Boosted {
        base: run.base,
        trees,
        models: 1,
        scores: run.scores,
        stopped,
        loss: (!held.is_empty()).then_some(best.loss),
        scale: 1.0,
    };
    Ok(boosted.scaled(best.scale))
}

/// What folds found: how many rounds are best for rows that were held back, and the models of the
/// folds.
pub struct ByFolds {
    /// The best number of rounds.
    pub rounds: usize,
    /// The part of what trees add that is left.
    pub scale: f64,
    /// The loss of the rows held back.
    pub loss: f64,
    /// By fold: where scores begin, and the trees of the best rounds.
    models: Vec<(Vec<f64>, Vec<Tree>)>,
}

impl ByFolds {
    /// A model of all rows, boosted as long, with the part of what trees add that is left.
    pub fn applied(&self, boosted: Boosted) -> Boosted {
        Boosted {
            loss: Some(self.loss),
            ..boosted.scaled(self.scale)
        }
    }

    /// The mean of the models of the folds.
    pub fn together(self, outputs: usize) -> Boosted {
        let models = self.models.len();
        let share = 1.0 / models as f64;
        let mut base = vec![0.0; outputs];
        for (own, _) in &self.models {
            base.iter_mut()
                .zip(own)
                .for_each(|(sum, own)| *sum += share * own);
        }
        let mut rest: Vec<_> = self
            .models
            .into_iter()
            .map(|(_, trees)| trees.into_iter())
            .collect();
        let mut trees = Vec::new();
        for _ in 0..self.rounds {
            for own in &mut rest {
                // A model that had nothing more to gain has fewer rounds.
                let empty = || {
                    let mut tree = Tree::default();
                    tree.push(0.0, 0.0);
                    tree
                };
                trees.extend((0..outputs).map(|_| own.next().unwrap_or_else(empty)));
            }
        }
        let boosted = Boosted {
            base,
            trees,
            models,
            scores: Vec::new(),
            stopped: StopReason::Complete,
            loss: Some(self.loss),
            scale: 1.0,
        };
        let mut boosted = boosted.scaled(self.scale);
        for value in boosted.trees.iter_mut().flat_map(|tree| &mut tree.values) {
            *value *= share;
        }
        boosted
    }
}

/// Boosts all parts side by side, each without the rows that are held back from it, until their
/// loss stops falling.
pub fn by_folds(
    plan: &Plan<'_>,
    objective: &Objective,
    weights: &[f64],
    folds: &[Vec<u32>],
    context: &Context,
) -> Result<ByFolds> {
    let mut runs: Vec<(Run<'_>, Vec<Tree>)> = folds
        .iter()
        .map(|held| (Run::new(plan, objective, weights, held), Vec::new()))
        .collect();
    let shares: Vec<f64> = folds
        .iter()
        .map(|held| held.iter().map(|&row| weights[row as usize]).sum())
        .collect();
    let total: f64 = shares.iter().sum();
    let loss = |runs: &[(Run<'_>, Vec<Tree>)], scale: f64| -> [f64; 3] {
        let mut sums = [0.0; 3];
        for ((run, _), share) in runs.iter().zip(&shares) {
            let own = run.held_loss(weights, scale);
            for (sum, own) in sums.iter_mut().zip(own) {
                *sum += share * own / total;
            }
        }
        sums
    };
    let mut best = Best {
        round: 0,
        loss: loss(&runs, 1.0)[0],
        scale: 1.0,
        patience: plan.patience,
    };
    let mut scale = 1.0;
    let progress = context.progress("choosing the number of trees", plan.trees as u64);
    for round in 0..plan.trees {
        context.check()?;
        let moved: Vec<bool> = runs
            .par_iter_mut()
            .map(|(run, trees)| match run.round(round as u64) {
                Some(grown) => {
                    trees.extend(grown);
                    true
                }
                None => false,
            })
            .collect();
        progress.advance(1);
        let found = best_scale(objective, scale, |scale| loss(&runs, scale));
        scale = found.0;
        if !best.take(round + 1, found) || !moved.contains(&true) {
            break;
        }
    }
    let models = runs.into_iter().map(|(run, mut trees)| {
        trees.truncate(best.round * objective.outputs);
        (run.base, trees)
    });
    let models = models.collect();
    Ok(ByFolds {
        rounds: best.round,
        scale: best.scale,
        loss: best.loss,
        models,
    })
}
