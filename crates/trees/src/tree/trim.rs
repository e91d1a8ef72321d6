//! A tree cut back as the settings have it, with what that needs of the data.

use super::constraint::{Bound, Limits, Sketch};
use super::grow::{Single, branch_of};
use super::prune::cost_complexity::{Estimate, choose};
use super::prune::{
    C45, Deviate, M5, SizeOptimal, Training, WeakestLinks, Weighted, error_within, held_out,
    reduced_error, squared_tallies, tallies,
};
use super::pruning::{Pruning, PruningMethod};
use super::region::{Lists, Region};
use super::response::Response;
use super::structure::Tree;
use super::training::training;
use super::training_set::TrainingSet;
use super::{Answer, Answers, FlatTree, Test};
use kinwood_learning::random::Generator;

/// A tree to be cut back, and what that may need.
pub struct Trim<'a, 'g, 'p, R: Response> {
    /// How.
    pub pruning: &'a Pruning,
    /// What the tree must keep to.
    pub limits: &'a Limits,
    /// What it begins with, which stays.
    pub sketch: &'a Sketch,
    /// What it was grown from.
    pub set: &'a TrainingSet<'g, 'p, R>,
    /// Grows another from other rows.
    pub grow: &'a dyn Fn((Region<R>, Lists)) -> Single,
}

/// Folds by which cost-complexity pruning chooses.
const FOLDS: usize = 5;

impl<R: Response> Trim<'_, '_, '_, R> {
    /// The tree cut back, to the size and error asked for if there are such; only to those where
    /// `met` says that what pruning leaves does not keep to the constraints.
    pub fn pruned(&self, tree: FlatTree, met: &dyn Fn(&FlatTree) -> bool) -> FlatTree {
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

    /// Whether an accuracy or an error is asked for.
    fn graded(&self) -> bool {
        self.limits.accuracy.is_some() || self.limits.error.is_some()
    }

    /// The smallest tree that meets the error asked for, of at most the size asked for; the best of
    /// the size if none does.
    fn fitted(&self, tree: FlatTree) -> FlatTree {
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
                !self.good_enough(&unmarked(optimal.prune(&marked, point)))
            });
            optimal.curve().get(place).copied()
        });
        let point = smallest
            .flatten()
            .or_else(|| optimal.at_most(self.limits.size.unwrap_or(usize::MAX)));
        match point {
            Some(point) => unmarked(optimal.prune(&marked, point)),
            None => unmarked(marked),
        }
    }

    fn good_enough(&self, tree: &FlatTree) -> bool {
        let (accuracy, error) = training(tree);
        let accurate = |least: Bound| accuracy.is_some_and(|accuracy| least.at_least(accuracy));
        let close = |most: Bound| error.is_some_and(|error| most.at_most(error));
        self.limits.accuracy.is_none_or(accurate) && self.limits.error.is_none_or(close)
    }

    /// The error of a node by which trees of a size are compared: of several targets that which is
    /// asked for, so that the smallest tree that meets it is found.
    fn graded_error(
        &self,
        tree: &Tree<Test, (Answers, bool)>,
    ) -> impl Fn(&(Answers, bool)) -> f64 + use<R> {
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
    pub fn pruned_as_found(&self, tree: FlatTree) -> FlatTree {
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
            PruningMethod::C45 if free && classes => {
                let branch = |test: &Test, row: u32| self.branch(test, row);
                let payload = |rows: &[Weighted]| self.answers(rows);
                let training = Training {
                    rows: self.rows(),
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
                unmarked(cut)
            }
            PruningMethod::Own(entry) => {
                let marked = self.marked(tree);
                unmarked(entry.prune(&marked, |(answers, kept)| (answers, *kept)))
            }
            _ => tree,
        }
    }

    /// A tree grown on two thirds of the rows and pruned by the others; its answers come from all
    /// rows.
    fn held_out(&self) -> FlatTree {
        let total = self.set.task.view().len();
        let mut order: Vec<u32> = (0..total as u32).collect();
        self.generator(0).shuffle(&mut order);
        let (held, grown) = order.split_at(total / 3);
        let mut rows = grown.to_vec();
        rows.sort_unstable();
        let tree = (self.grow)(self.set.root_of(rows)).tree;
        let held: Vec<Weighted> = held.iter().map(|&row| (row, self.weight(row))).collect();
        let branch = |test: &Test, row: u32| self.branch(test, row);
        let loss = self.loss(&tree.nodes()[0].payload);
        let marked = self.marked(tree);
        let mut errors = held_out(
            &marked,
            held,
            &branch,
            |(answers, _): &(Answers, bool), row| loss(answers, row),
        );
        for (error, node) in errors.iter_mut().zip(marked.nodes()) {
            if node.payload.1 {
                *error = f64::MAX.sqrt();
            }
        }
        let tree = unmarked(reduced_error(&marked, &errors));
        self.refilled(tree)
    }

    /// The tree pruned by the complexity that cross-validation finds best.
    fn cross_validated(&self, tree: FlatTree) -> FlatTree {
        let marked = self.marked(tree);
        let links = WeakestLinks::new(&marked, self.protected_error(&marked));
        let alphas = links.typical_alphas();
        let total = self.set.task.view().len();
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
            rows.sort_unstable();
            let grown = (self.grow)(self.set.root_of(rows)).tree;
            let loss = self.loss(&grown.nodes()[0].payload);
            let grown = self.marked(grown);
            let links = WeakestLinks::new(&grown, self.protected_error(&grown));
            for (alpha, losses) in alphas.iter().zip(&mut losses) {
                let cut = unmarked(links.prune(&grown, links.at(*alpha)));
                let each = held.iter();
                losses.extend(each.map(|&row| (self.loss_of(&cut, row, &loss), self.weight(row))));
            }
        }
        let estimates: Vec<Estimate> = losses.iter().map(|losses| Estimate::of(losses)).collect();
        let step = choose(&estimates, self.pruning.one_se).unwrap_or(0);
        unmarked(links.prune(&marked, step))
    }

    fn generator(&self, stream: u64) -> Generator {
        self.set.context.generator(&[0x7072_756e, stream])
    }

    /// What a tree loses on a row: the loss of its leaves, by the shares in which the row reaches
    /// them.
    fn loss_of(&self, tree: &FlatTree, row: u32, loss: &dyn Fn(&Answers, u32) -> f64) -> f64 {
        let mut pending = vec![(0u32, 1.0)];
        let mut lost = 0.0;
        while let Some((node, share)) = pending.pop() {
            let here = tree.node(node);
            match &here.split {
                None => lost += share * loss(&here.payload, row),
                Some(split) => match self.branch(&split.test, row) {
                    Some(branch) => pending.push((split.children[branch], share)),
                    None => pending.extend(
                        split
                            .children
                            .iter()
                            .zip(&split.shares)
                            .map(|(&child, part)| (child, share * part)),
                    ),
                },
            }
        }
        lost
    }

    fn weight(&self, row: u32) -> f64 {
        self.set
            .weights
            .as_ref()
            .map_or(1.0, |weights| weights[row as usize])
    }

    fn rows(&self) -> Vec<Weighted> {
        (0..self.set.task.view().len() as u32)
            .map(|row| (row, self.weight(row)))
            .collect()
    }

    fn branch(&self, test: &Test, row: u32) -> Option<usize> {
        self.set.problem.inputs.branch(test, row)
    }

    fn answers(&self, rows: &[Weighted]) -> Answers {
        let response = &self.set.problem.response;
        let weights = rows.iter().map(|row| row.1).collect();
        let region = Region::new(
            rows.iter().map(|row| row.0).collect(),
            Some(weights),
            response,
            self.set.problem.inputs.layout,
        );
        Answers {
            weight: response.weight(&region.whole),
            targets: response.answers(&region.whole),
        }
    }

    /// The same tree with answers from all rows.
    fn refilled(&self, tree: FlatTree) -> FlatTree {
        let mut reached: Vec<Vec<Weighted>> = vec![Vec::new(); tree.size()];
        reached[0] = self.rows();
        let mut nodes = tree.nodes().to_vec();
        for node in 0..nodes.len() {
            let rows = std::mem::take(&mut reached[node]);
            // Rows that took no part in growing can leave no node empty: those that did are among
            // these.
            nodes[node].payload = self.answers(&rows);
            let Some(split) = &mut nodes[node].split else {
                continue;
            };
            let branches: Vec<Option<usize>> = rows
                .iter()
                .map(|row| self.branch(&split.test, row.0))
                .collect();
            let mut known = vec![0.0; split.children.len()];
            for (row, branch) in rows.iter().zip(&branches) {
                if let Some(branch) = branch {
                    known[*branch] += row.1;
                }
            }
            let total: f64 = known.iter().sum();
            if total > 0.0 {
                split.shares = known.iter().map(|weight| weight / total).collect();
            }
            for (row, branch) in rows.into_iter().zip(branches) {
                match branch {
                    Some(branch) => reached[split.children[branch] as usize].push(row),
                    None => {
                        for (&child, share) in split.children.iter().zip(&split.shares) {
                            reached[child as usize].push((row.0, row.1 * share));
                        }
                    }
                }
            }
        }
        Tree::new(nodes).expect("the structure is the same")
    }

    /// How wrong answers are for a row; numbers in units of their variance.
    fn loss(&self, whole: &Answers) -> impl Fn(&Answers, u32) -> f64 + use<'_, R> {
        let scales: Vec<f64> = whole.targets.iter().map(Answer::unit).collect();
        let targets = self.set.task.targets();
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
    fn marked(&self, tree: FlatTree) -> Tree<Test, (Answers, bool)> {
        let mut kept = vec![false; tree.size()];
        let mut pending = vec![(0u32, self.sketch)];
        while let Some((node, sketch)) = pending.pop() {
            if let (Sketch::Split { .. }, Some(split)) = (sketch, &tree.node(node).split) {
                kept[node as usize] = true;
                let below = split.children.iter().enumerate();
                pending.extend(below.map(|(branch, &child)| (child, branch_of(sketch, branch))));
            }
        }
        let mut kept = kept.into_iter();
        tree.map(|answers| (answers, kept.next().unwrap_or(false)))
    }

    fn protected_error(
        &self,
        tree: &Tree<Test, (Answers, bool)>,
    ) -> impl Fn(&(Answers, bool)) -> f64 + use<R> {
        let whole = &tree.nodes()[0].payload.0;
        let error = error_within(whole);
        // More than any tree without the cut has, and not so much that beside it those of other
        // trees are lost in rounding.
        let forbidden = 1e3 * (1.0 + error(whole));
        move |(answers, kept)| if *kept { forbidden } else { error(answers) }
    }
}

fn unmarked(tree: Tree<Test, (Answers, bool)>) -> FlatTree {
    tree.map(|(answers, _)| answers)
}
