//! A tree cut back as the settings have it, with what that needs of the data.

use super::constraint::{Bound, Limits, Sketch};
use super::grow::Single;
use super::language::{Language, Weighted};
use super::prune::cost_complexity::{Estimate, choose};
use super::prune::{
    C45, Deviate, M5, SizeOptimal, Training, WeakestLinks, error_left_out, error_within, left_out,
    left_out_units, reduced_error, squared_tallies, tallies,
};
use super::pruning::{Pruning, PruningMethod};
use super::structure::Tree;
use super::training::training;
use super::{Answer, Answers};
use kinwood_learning::context::Context;
use kinwood_learning::random::Generator;

/// A tree with what its nodes say.
type Answering<L> = Tree<<L as super::language::Vocabulary>::Test, Answers>;

/// The same with a mark on each node that a sketch prescribes a test for.
type Marked<L> = Tree<<L as super::language::Vocabulary>::Test, (Answers, bool)>;

/// A tree to be cut back, and what that may need.
pub struct PruneDriver<'a, L: Language> {
    /// How.
    pub pruning: &'a Pruning,
    /// What the tree must keep to.
    pub limits: &'a Limits,
    /// What it begins with, which stays.
    pub sketch: &'a Sketch<L::Test>,
    /// The language of its tests, and the rows it was grown from.
    pub language: &'a L,
    /// Threads, time and seed.
    pub context: &'a Context,
    /// Grows another from other rows.
    pub grow: &'a dyn Fn(L::Region) -> Single<L::Test>,
}

/// Folds by which cost-complexity pruning chooses.
const FOLDS: usize = 5;

impl<L: Language> PruneDriver<'_, L> {
    /// The tree cut back, to the size and error asked for if there are such; only to those where
    /// `met` says that what pruning leaves does not keep to the constraints.
    pub fn pruned(&self, tree: Answering<L>, met: &dyn Fn(&Answering<L>) -> bool) -> Answering<L> {
        let cut = match self.pruning.method {
            // A size or an error asked for is what is cut to.
            PruningMethod::Auto if self.graded() || self.limits.size.is_some() => {
                return self.fitted(tree);
            }
            PruningMethod::None | PruningMethod::Size => return self.fitted(tree),
            PruningMethod::ReducedError => self.held_out(),
            PruningMethod::CostComplexity => self.cross_validated(tree.clone()),
            _ => self.pruned_as_found(tree.clone()),
        };
        let cut = self.fitted(cut);
        if met(&cut) { cut } else { self.fitted(tree) }
    }

    /// The largest tree within a tree, each the best of its size, that is as it must be; the tree
    /// itself if none is.
    pub fn largest(&self, tree: Answering<L>, met: &dyn Fn(&Answering<L>) -> bool) -> Answering<L> {
        let marked = self.marked(tree);
        let optimal = SizeOptimal::new(&marked, None, self.protected_error(&marked));
        let mut points = optimal.curve().iter().rev();
        let found = points.find_map(|&point| {
            let cut = unmarked::<L>(optimal.prune(&marked, point));
            met(&cut).then_some(cut)
        });
        found.unwrap_or_else(|| unmarked::<L>(marked))
    }

    /// Whether an accuracy or an error is asked for.
    fn graded(&self) -> bool {
        self.limits.accuracy.is_some() || self.limits.error.is_some()
    }

    /// The smallest tree that meets the error asked for, of at most the size asked for; the best of
    /// the size if none does.
    fn fitted(&self, tree: Answering<L>) -> Answering<L> {
        let graded = self.graded();
        if !graded && self.limits.size.is_none_or(|most| tree.size() <= most) {
            return tree;
        }
        let marked = self.marked(tree);
        let optimal = SizeOptimal::new(&marked, self.limits.size, self.graded_error(&marked));
        let smallest = graded.then(|| {
            // The larger, the better: the first good enough is between those that are not and those
            // that are.
            let place = optimal.curve().partition_point(|&point| {
                !self.good_enough(&unmarked::<L>(optimal.prune(&marked, point)))
            });
            optimal.curve().get(place).copied()
        });
        let point = smallest
            .flatten()
            .or_else(|| optimal.at_most(self.limits.size.unwrap_or(usize::MAX)));
        match point {
            Some(point) => unmarked::<L>(optimal.prune(&marked, point)),
            None => unmarked::<L>(marked),
        }
    }

    fn good_enough(&self, tree: &Answering<L>) -> bool {
        let (accuracy, error) = training(tree);
        let accurate = |least: Bound| accuracy.is_some_and(|accuracy| least.at_least(accuracy));
        let close = |most: Bound| error.is_some_and(|error| most.at_most(error));
        self.limits.accuracy.is_none_or(accurate) && self.limits.error.is_none_or(close)
    }

    /// The error of a node by which trees of a size are compared: of several targets that which is
    /// asked for, so that the smallest tree that meets it is found.
    fn graded_error(&self, tree: &Marked<L>) -> impl Fn(&(Answers, bool)) -> f64 + use<L> {
        let whole = &tree.nodes()[0].payload.0;
        let several = self.graded() && whole.targets.len() > 1;
        let by_error = self.limits.error.is_some();
        let units: Vec<f64> = whole
            .targets
            .iter()
            .map(|answer| {
                if by_error {
                    answer.error()
                } else {
                    answer.weight()
                }
            })
            .collect();
        let protected = self.protected_error(tree);
        move |node| {
            if !several || node.1 {
                return protected(node);
            }
            let targets = node.0.targets.iter().zip(&units);
            targets
                .filter(|(_, unit)| **unit > 0.0)
                .map(|(answer, unit)| answer.error() / unit)
                .sum()
        }
    }

    /// The tree cut back by what it was grown from alone.
    pub fn pruned_as_found(&self, tree: Answering<L>) -> Answering<L> {
        let targets = &tree.nodes()[0].payload.targets;
        let classes = targets.iter().all(|answer| answer.leaf().counts_wrong());
        let method = match self.pruning.method {
            PruningMethod::Auto if classes => PruningMethod::C45,
            PruningMethod::Auto => PruningMethod::M5,
            method => method,
        };
        let c45 = C45 {
            confidence: self.pruning.confidence,
            // The quantile, not C4.5's table: it is what gives the sizes of the beam-search paper.
            deviate: Deviate::Normal,
        };
        let free = matches!(self.sketch, Sketch::Open);
        match method {
            PruningMethod::C45 if free && classes && L::RAISES => {
                let branch = |test: &L::Test, row: u32| self.language.branch(test, row);
                let payload = |rows: &[Weighted]| self.language.answers_of(rows);
                let training = Training {
                    rows: self.weighted_rows(),
                    branch: &branch,
                    payload: &payload,
                };
                c45.prune_raising(&tree, tallies, training)
            }
            PruningMethod::C45 | PruningMethod::M5 => {
                let marked = self.marked(tree);
                let guarded = |(answers, kept): &(Answers, bool)| {
                    let mut own = match method {
                        PruningMethod::C45 => tallies(answers),
                        _ => squared_tallies(answers),
                    };
                    if *kept {
                        own.iter_mut()
                            .for_each(|tally| tally.error = f64::MAX.sqrt());
                    }
                    own
                };
                let cut = if method == PruningMethod::C45 {
                    c45.prune(&marked, guarded)
                } else {
                    M5::default().prune(&marked, guarded)
                };
                unmarked::<L>(cut)
            }
            PruningMethod::Models => {
                let units = left_out_units(&tree.nodes()[0].payload);
                let marked = self.marked(tree);
                let error = |(answers, kept): &(Answers, bool), place: usize| match kept {
                    true => f64::MAX.sqrt(),
                    false => error_left_out(&answers.targets[place]),
                };
                unmarked::<L>(left_out(&marked, &units, error))
            }
            PruningMethod::Own(entry) => {
                let marked = self.marked(tree);
                unmarked::<L>(entry.prune(&marked, |(answers, kept)| (answers, *kept)))
            }
            _ => tree,
        }
    }

    /// A tree grown on two thirds of the rows and pruned by the others; its answers come from all
    /// rows.
    fn held_out(&self) -> Answering<L> {
        let total = self.rows();
        let mut order: Vec<u32> = (0..total as u32).collect();
        self.generator(0).shuffle(&mut order);
        let (held, grown) = order.split_at(total / 3);
        let mut rows = grown.to_vec();
        rows.sort_unstable();
        let tree = (self.grow)(self.language.root(Some(rows))).tree;
        let held = held.iter().map(|&row| (row, self.language.row_weight(row)));
        let reached = self.language.route(&tree, held.collect(), false).rows;
        let loss = self.loss(&tree.nodes()[0].payload);
        let marked = self.marked(tree);
        let each = reached.iter().zip(marked.nodes());
        let errors = each.map(|(rows, node)| match &node.payload {
            (_, true) => f64::MAX.sqrt(),
            (answers, false) => {
                let lost = |&(row, weight): &Weighted| weight * loss(answers, row);
                rows.iter().map(lost).sum()
            }
        });
        let errors: Vec<f64> = errors.collect();
        self.refilled(unmarked::<L>(reduced_error(&marked, &errors)))
    }

    /// The tree pruned by the complexity that cross-validation finds best.
    fn cross_validated(&self, tree: Answering<L>) -> Answering<L> {
        let marked = self.marked(tree);
        let links = WeakestLinks::new(&marked, self.protected_error(&marked));
        let alphas = links.typical_alphas();
        let total = self.rows();
        let mut order: Vec<u32> = (0..total as u32).collect();
        self.generator(1).shuffle(&mut order);
        let folds = FOLDS.min(total);
        let mut losses: Vec<Vec<(f64, f64)>> = vec![Vec::with_capacity(total); alphas.len()];
        for fold in 0..folds {
            let (mut rows, mut held) = (Vec::new(), Vec::new());
            for (place, &row) in order.iter().enumerate() {
                if place % folds == fold {
                    held.push(row);
                } else {
                    rows.push(row);
                }
            }
            if rows.is_empty() {
                continue;
            }
            rows.sort_unstable();
            let grown = (self.grow)(self.language.root(Some(rows))).tree;
            let loss = self.loss(&grown.nodes()[0].payload);
            let grown = self.marked(grown);
            let links = WeakestLinks::new(&grown, self.protected_error(&grown));
            for (alpha, losses) in alphas.iter().zip(&mut losses) {
                let cut = unmarked::<L>(links.prune(&grown, links.at(*alpha)));
                losses.extend(self.losses_of(&cut, &held, &loss));
            }
        }
        let estimates: Vec<Estimate> = losses.iter().map(|losses| Estimate::of(losses)).collect();
        let step = choose(&estimates, self.pruning.one_se).unwrap_or(0);
        unmarked::<L>(links.prune(&marked, step))
    }

    fn generator(&self, stream: u64) -> Generator {
        self.context.generator(&[0x7072_756e, stream])
    }

    /// What a tree loses on each of some rows, the loss of its leaves by the shares in which the
    /// row reaches them, and how much the row counts.
    fn losses_of(
        &self,
        tree: &Answering<L>,
        rows: &[u32],
        loss: &dyn Fn(&Answers, u32) -> f64,
    ) -> Vec<(f64, f64)> {
        let mut lost = vec![0.0; self.rows()];
        let whole = rows.iter().map(|&row| (row, 1.0)).collect();
        let reached = self.language.route(tree, whole, false).rows;
        for (rows, node) in reached.iter().zip(tree.nodes()) {
            if node.split.is_none() {
                for &(row, share) in rows {
                    lost[row as usize] += share * loss(&node.payload, row);
                }
            }
        }
        let each = rows.iter();
        each.map(|&row| (lost[row as usize], self.language.row_weight(row)))
            .collect()
    }

    fn rows(&self) -> usize {
        self.language.task().view().len()
    }

    fn weighted_rows(&self) -> Vec<Weighted> {
        (0..self.rows() as u32)
            .map(|row| (row, self.language.row_weight(row)))
            .collect()
    }

    /// The same tree with answers from all rows.
    fn refilled(&self, tree: Answering<L>) -> Answering<L> {
        let routed = self.language.route(&tree, self.weighted_rows(), true);
        let mut nodes = tree.nodes().to_vec();
        // Rows that took no part in growing can leave no node empty: those that did are among
        // these.
        for (node, (rows, shares)) in nodes.iter_mut().zip(routed.rows.iter().zip(routed.shares)) {
            node.payload = self.language.answers_of(rows);
            if let Some(split) = &mut node.split {
                split.shares = shares;
            }
        }
        Tree::new(nodes).expect("the structure is the same")
    }

    /// How wrong answers are for a row; numbers in units of their variance.
    fn loss(&self, whole: &Answers) -> impl Fn(&Answers, u32) -> f64 + use<'_, L> {
        let scales: Vec<f64> = whole.targets.iter().map(Answer::unit).collect();
        let targets = self.language.task().targets();
        move |answers, row| {
            let each = answers.targets.iter().zip(targets).zip(&scales);
            let each = each.map(|((answer, target), scale)| {
                let loss = |kind| {
                    let (leaf, numbers) = (answer.leaf(), answer.numbers());
                    leaf.loss(kind, target, row as usize, numbers)
                };
                target.kind().map_or(0.0, loss) / scale
            });
            each.sum()
        }
    }

    /// The tree with a mark on each node that the sketch prescribes a test for.
    fn marked(&self, tree: Answering<L>) -> Marked<L> {
        let mut kept = vec![false; tree.size()];
        let mut pending = vec![(0u32, self.sketch)];
        while let Some((node, sketch)) = pending.pop() {
            if let (Sketch::Split { .. }, Some(split)) = (sketch, &tree.node(node).split) {
                kept[node as usize] = true;
                let below = split.children.iter().enumerate();
                pending.extend(below.map(|(branch, &child)| (child, sketch.branch(branch))));
            }
        }
        let mut kept = kept.into_iter();
        tree.map(|answers| (answers, kept.next().unwrap_or(false)))
    }

    fn protected_error(&self, tree: &Marked<L>) -> impl Fn(&(Answers, bool)) -> f64 + use<L> {
        let whole = &tree.nodes()[0].payload.0;
        let error = error_within(whole);
        // More than any tree without the cut has, and not so much that beside it those of other
        // trees are lost in rounding.
        let forbidden = 1e3 * (1.0 + error(whole));
        move |(answers, kept)| if *kept { forbidden } else { error(answers) }
    }
}

fn unmarked<L: Language>(tree: Marked<L>) -> Answering<L> {
    tree.map(|(answers, _)| answers)
}
