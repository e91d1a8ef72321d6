//! The search for trees that keep to constraints, in any language: alternatives are pursued in
//! turn, trees are pruned, and what does not meet the constraints is left out.

use super::SearchMethod;
use super::constraint::{Constraint, Constraints, Known, Limits, Shape, Sketch, Sketches};
use super::grow::beam::{BeamSearch, beam};
use super::grow::exhaustive::{MOST, Refused, every_tree};
use super::grow::{GrowthLimits, Single, best_first, depth_first};
use super::language::{Language, Vocabulary};
use super::model::Report;
use super::pruning::Pruning;
use super::required::requiring;
use super::response::Answers;
use super::structure::Tree;
use super::training::{error_of, training};
use super::trim::PruneDriver;
use super::watch::Watch;
use crate::error::TreeError;
use kinwood_learning::StopReason;
use kinwood_learning::context::Context;
use kinwood_learning::error::{Error, Result};

/// How trees are sought, whatever their tests are.
#[derive(Clone, Debug)]
pub struct SearchPlan {
    /// `greedy`, `best_first` or `beam`.
    pub method: SearchMethod,
    /// What every tree must keep to.
    pub constraint: Option<Constraint>,
    /// How a beam searches.
    pub beam: BeamSearch,
    /// How trees are cut back.
    pub pruning: Pruning,
    /// Which tree of a beam comes first.
    pub ranking: Ranking,
}

/// Which tree of a beam comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ranking {
    /// That of the best score.
    Score,
    /// That of the best score where a size is given, else the one that errs least in training:
    /// pruned trees were not scored by the search.
    ScoreIfSized,
    /// The one that errs least in training.
    Error,
}

/// A tree that was found, and how good it is, lower being better.
pub type Scored<T> = (Tree<T, Answers>, f64);

/// A tree with what its nodes say.
type Answering<L> = Tree<<L as Vocabulary>::Test, Answers>;

/// The search for trees under constraints.
pub struct TreeSearch<'a, L: Language> {
    plan: &'a SearchPlan,
    language: &'a L,
    constraints: &'a Constraints,
    /// What the trees of each alternative begin with; `None` where its files contradict each
    /// other.
    sketches: Sketches<L::Test>,
    /// What is watched in the trees of each alternative.
    watches: Vec<Watch>,
    context: &'a Context,
}

impl<'a, L: Language> TreeSearch<'a, L> {
    /// A search from the sketches of the constraints' alternatives.
    pub fn new(
        plan: &'a SearchPlan,
        language: &'a L,
        constraints: &'a Constraints,
        sketches: Sketches<L::Test>,
        context: &'a Context,
    ) -> Result<Self> {
        let alternatives = || constraints.alternatives().iter();
        let watch = |limits| Watch::new(limits, language, &|column| constraints.name(column));
        Ok(Self {
            plan,
            language,
            constraints,
            sketches,
            watches: alternatives().map(watch).collect::<Result<_>>()?,
            context,
        })
    }

    /// The trees that keep to the constraints, best first, and how they were found.
    pub fn run(&self) -> Result<(Vec<Scored<L::Test>>, Report)> {
        match self.plan.method {
            SearchMethod::Beam => self.searched(),
            SearchMethod::Exhaustive => self.enumerated(),
            _ => self.grown(),
        }
    }
}

/// A tree that keeps to the constraints, or the nearest to one.
struct Grown<T> {
    tree: Tree<T, Answers>,
    score: f64,
    error: f64,
}

impl<L: Language> TreeSearch<'_, L> {
    fn score(&self, tree: &Tree<L::Test, Answers>) -> f64 {
        let leaves = tree.nodes().iter().filter(|node| node.split.is_none());
        let spread: f64 = leaves
            .map(|leaf| self.language.impurity_behind(&leaf.payload))
            .sum();
        let alpha = match self.plan.method {
            SearchMethod::Beam | SearchMethod::Exhaustive => self.plan.beam.alpha,
            _ => 0.0,
        };
        spread / tree.nodes()[0].payload.weight.max(f64::MIN_POSITIVE) + alpha * tree.size() as f64
    }

    fn known(&self, tree: &Tree<L::Test, Answers>, alternative: usize) -> Known {
        let (accuracy, error) = training(tree);
        let follows = self.sketches[alternative]
            .as_ref()
            .is_some_and(|sketch| sketch.matches(self.language, tree));
        Known {
            accuracy,
            error,
            like: match follows {
                true => self.constraints.alternatives()[alternative].like.clone(),
                false => Vec::new(),
            },
            monotone: self.watches[alternative].kept(self.language, tree),
            fair: self.watches[alternative].differences(self.language, tree),
        }
    }

    fn shape(&self, tree: &Tree<L::Test, Answers>) -> Shape {
        Shape::of(self.language, tree, |answers| answers.weight)
    }

    fn met(&self, tree: &Tree<L::Test, Answers>) -> bool {
        (0..self.sketches.len()).any(|alternative| self.met_in(alternative, tree))
    }

    fn met_in(&self, alternative: usize, tree: &Tree<L::Test, Answers>) -> bool {
        let shape = self.shape(tree);
        self.constraints.alternatives()[alternative].met(&shape, &self.known(tree, alternative))
    }

    /// Fails naming what the tree nearest to the constraints violates, or because the search was
    /// stopped before it found one.
    fn infeasible(&self, nearest: Option<&Tree<L::Test, Answers>>) -> Error {
        if let Err(stopped) = self.context.check() {
            return stopped;
        }
        match nearest {
            Some(tree) => self
                .constraints
                .unmet(&self.shape(tree), &self.known(tree, 0)),
            None => self.constraints.unmet(&Shape::leaf(0.0), &Known::default()),
        }
    }

    /// What the trees of an alternative may begin with: as it says, and where it requires columns
    /// also with those.
    fn beginnings(&self, alternative: usize) -> Vec<Beginning<L::Test>> {
        let Some(sketch) = &self.sketches[alternative] else {
            return Vec::new();
        };
        let required = &self.constraints.alternatives()[alternative].required;
        let beginning = |sketch: Sketch<L::Test>, required_first: bool| Beginning {
            sketch,
            required_first,
        };
        let mut beginnings = vec![beginning(sketch.clone(), false)];
        if required.is_empty() {
            return beginnings;
        }
        if L::ANYWHERE {
            let required: Vec<u32> = required.iter().collect();
            let sketches = requiring(sketch, &required).into_iter();
            beginnings.extend(sketches.map(|sketch| beginning(sketch, false)));
        } else {
            beginnings.push(beginning(sketch.clone(), true));
        }
        beginnings
    }

    /// One tree, top down or best first.
    fn grown(&self) -> Result<(Vec<Scored<L::Test>>, Report)> {
        let mut best: Option<Grown<L::Test>> = None;
        let mut nearest: Option<Tree<L::Test, Answers>> = None;
        let mut report = self.report();
        for alternative in 0..self.sketches.len() {
            let constraints = self.constraints.only(alternative);
            let met = |tree: &Tree<L::Test, Answers>| self.met_in(alternative, tree);
            for (place, beginning) in self.beginnings(alternative).iter().enumerate() {
                let grow = |root| {
                    let limits = beginning.limits(&constraints, &self.watches[alternative]);
                    match self.plan.method {
                        SearchMethod::BestFirst => {
                            best_first(self.language, root, &limits, self.context)
                        }
                        _ => depth_first(self.language, root, &limits, self.context),
                    }
                };
                let Single {
                    tree,
                    evaluated,
                    stopped,
                } = grow(self.language.root(None));
                add(&mut report, evaluated, stopped);
                if stopped == StopReason::Sketch {
                    continue;
                }
                let driver = PruneDriver {
                    pruning: &self.plan.pruning,
                    limits: &constraints.alternatives()[0],
                    sketch: &beginning.sketch,
                    language: self.language,
                    context: self.context,
                    grow: &grow,
                };
                let mut tree = driver.pruned(tree, &met);
                if !met(&tree) && self.watches[alternative].compares_groups() {
                    tree = driver.largest(tree, &met);
                }
                if !met(&tree) {
                    nearest.get_or_insert(tree);
                    continue;
                }
                let grown = self.found(tree);
                if best.as_ref().is_none_or(|best| {
                    (grown.error, grown.tree.size()) < (best.error, best.tree.size())
                }) {
                    best = Some(grown);
                }
                // Columns are put into the tree by force only where the best tree does without
                // them.
                if place == 0 {
                    break;
                }
            }
        }
        let Some(best) = best else {
            return Err(self.infeasible(nearest.as_ref()));
        };
        Ok((vec![(best.tree, best.score)], report))
    }

    /// The trees of a beam.
    fn searched(&self) -> Result<(Vec<Scored<L::Test>>, Report)> {
        let mut report = self.report();
        let alternatives = self.constraints.alternatives();
        let graded = |place: &usize| {
            let limits = &alternatives[*place];
            limits.accuracy.is_some() || limits.error.is_some()
        };
        let (graded, plain): (Vec<usize>, Vec<usize>) =
            (0..alternatives.len()).partition(|place| graded(place));
        let sized = alternatives.iter().any(|limits| limits.size.is_some());
        let mut found: Vec<Grown<L::Test>> = Vec::new();
        let mut nearest = None;
        let mut enter = |tree: Tree<L::Test, Answers>, found: &mut Vec<Grown<L::Test>>| {
            if !self.met(&tree) {
                nearest = Some(tree);
            } else if found.iter().all(|other| other.tree != tree) {
                found.push(self.found(tree));
            }
        };
        for (tree, sketch) in self.beams(&plain, None, &mut report) {
            // A size asked for is what the search has kept to already.
            let tree = match sized && !self.plan.pruning.explicit() {
                true => tree,
                false => self.trimmed(tree, &sketch),
            };
            enter(tree, &mut found);
        }
        // A bound on the error is met by the smallest trees that do: the size is raised step by
        // step.
        let mut size = 1;
        let mut good: Vec<Grown<L::Test>> = Vec::new();
        while !graded.is_empty() {
            let trees = self.beams(&graded, Some(size), &mut report);
            let largest = trees.iter().map(|(tree, _)| tree.size()).max().unwrap_or(0);
            trees
                .into_iter()
                .for_each(|(tree, _)| enter(tree, &mut good));
            // A test that makes more leaves than there is room for ends a search before the size is
            // reached.
            let branches = self.language.most_branches();
            let larger = largest + branches > size + 1 || size < self.least_size(&graded);
            if !good.is_empty() || !larger || report.stopped != StopReason::Complete {
                break;
            }
            size += 2;
        }
        found.extend(good);
        if found.is_empty() {
            return Err(self.infeasible(nearest.as_ref()));
        }
        // Pruned trees were not scored by the search; and the paper reports the tree that is best
        // on the training data.
        found.sort_by(|a, b| {
            let errors = a.error.total_cmp(&b.error);
            let scores = a.score.total_cmp(&b.score);
            let sizes = a.tree.size().cmp(&b.tree.size());
            match (sized, self.plan.ranking) {
                (_, Ranking::Score) | (true, Ranking::ScoreIfSized) => scores.then(sizes),
                (true, Ranking::Error) => errors.then(scores).then(sizes),
                (false, _) => errors.then(sizes),
            }
        });
        match self.plan.beam.epsilon > 0.0 {
            true => self.keep_near_best(&mut found, &mut report),
            false => found.truncate(self.plan.beam.width),
        }
        let scored = found.into_iter().map(|grown| (grown.tree, grown.score));
        Ok((scored.collect(), report))
    }

    /// Every tree up to the size that the constraints allow, best first.
    fn enumerated(&self) -> Result<(Vec<Scored<L::Test>>, Report)> {
        let size = self.most_nodes()?;
        let watch = Watch::default();
        let limits = GrowthLimits {
            constraints: self.constraints,
            sketch: &Sketch::Open,
            skips: false,
            required_first: false,
            watch: &watch,
        };
        let root = self.language.root(None);
        let trees = every_tree(self.language, root, size, &limits, self.context);
        let trees = trees.map_err(|refused| match (refused, self.context.check()) {
            (Refused::TooMany(estimate), _) => TreeError::TooManyTrees {
                estimate,
                most: MOST,
                size,
            }
            .into(),
            (Refused::Stopped, Err(stopped)) => stopped,
            (Refused::Stopped, Ok(())) => Error::Interrupted,
        })?;
        let mut report = self.report();
        report.evaluated = trees.len() as u64;
        let met = trees.into_iter().filter(|tree| self.met(tree));
        let mut found: Vec<Grown<L::Test>> = met.map(|tree| self.found(tree)).collect();
        if found.is_empty() {
            return Err(self.infeasible(None));
        }
        found.sort_by(|a, b| {
            let scores = a.score.total_cmp(&b.score);
            scores.then(a.tree.size().cmp(&b.tree.size()))
        });
        if self.plan.beam.epsilon > 0.0 {
            self.keep_near_best(&mut found, &mut report);
        }
        let scored = found.into_iter().map(|grown| (grown.tree, grown.score));
        Ok((scored.collect(), report))
    }

    /// The most nodes of a tree under the constraints, which must bound its size or depth.
    fn most_nodes(&self) -> Result<usize> {
        let branches = self.language.most_branches().max(2);
        let of_depth = |depth: usize| {
            let levels = (0..depth).try_fold((1usize, 1usize), |(all, level), _| {
                let level = level.checked_mul(branches)?;
                Some((all.checked_add(level)?, level))
            });
            levels.map_or(usize::MAX, |(all, _)| all)
        };
        let of = |limits: &Limits| match (limits.size, limits.depth.map(of_depth)) {
            (Some(size), Some(depth)) => Some(size.min(depth)),
            (size, depth) => size.or(depth),
        };
        let each: Option<Vec<usize>> = self.constraints.alternatives().iter().map(of).collect();
        let most = each.and_then(|each| each.into_iter().max());
        most.ok_or_else(|| TreeError::UnboundedTrees.into())
    }

    /// Keeps the trees whose error is at most `epsilon` above the least.
    fn keep_near_best(&self, found: &mut Vec<Grown<L::Test>>, report: &mut Report) {
        let least = found.iter().map(|grown| grown.error);
        let least = least.fold(f64::INFINITY, f64::min);
        let unit = found.first().map_or(0.0, |grown| {
            let root = &grown.tree.nodes()[0].payload;
            match root.targets.as_slice() {
                [answer] if answer.leaf().counts_wrong() => {
                    let tallies = answer.leaf().tallies(answer.numbers());
                    tallies.iter().map(|[weight, _]| weight).sum()
                }
                _ => error_of(&Tree::<L::Test, Answers>::leaf(root.clone())),
            }
        });
        let epsilon = self.plan.beam.epsilon;
        let most = least + epsilon * unit * (1.0 + 1e-9);
        found.retain(|grown| grown.error <= most);
        report.epsilon = Some(epsilon);
    }

    /// A tree of a beam cut back, unless what is left does not keep to the constraints.
    fn trimmed(
        &self,
        tree: Tree<L::Test, Answers>,
        sketch: &Sketch<L::Test>,
    ) -> Tree<L::Test, Answers> {
        let driver = PruneDriver {
            pruning: &self.plan.pruning,
            limits: &Limits::default(),
            sketch,
            language: self.language,
            context: self.context,
            grow: &|_| unreachable!("trees of a beam are pruned without growing others"),
        };
        let cut = driver.pruned_as_found(tree.clone());
        if self.met(&cut) { cut } else { tree }
    }

    /// The nodes that every beginning of these alternatives fits into, with the columns that are
    /// still to be used.
    fn least_size(&self, alternatives: &[usize]) -> usize {
        let each = alternatives.iter().flat_map(|&alternative| {
            let required = &self.constraints.alternatives()[alternative].required;
            let beginnings = self.beginnings(alternative);
            let size = |beginning: &Beginning<L::Test>| {
                let shape = beginning.sketch.shape(self.language);
                shape.size + 2 * required.missing_from(&shape.columns)
            };
            beginnings.iter().map(size).collect::<Vec<_>>()
        });
        each.max().unwrap_or(1)
    }

    /// The trees of the beams from every beginning of these alternatives, best first, each with
    /// what it began with.
    fn beams(
        &self,
        pursued: &[usize],
        most: Option<usize>,
        report: &mut Report,
    ) -> Vec<(Answering<L>, Sketch<L::Test>)> {
        let alternatives = self.constraints.alternatives();
        let apart = pursued.iter().any(|&alternative| {
            let limits = &alternatives[alternative];
            !limits.like.is_empty() || !limits.required.is_empty() || limits.is_watched()
        });
        let open = Watch::default();
        type Group<'w, T> = (Constraints, Vec<Beginning<T>>, &'w Watch);
        let groups: Vec<Group<'_, L::Test>> = if pursued.is_empty() {
            Vec::new()
        } else if apart {
            let each = pursued.iter().map(|&alternative| {
                (
                    self.constraints.only(alternative),
                    self.beginnings(alternative),
                    &self.watches[alternative],
                )
            });
            each.collect()
        } else {
            let anything = Beginning {
                sketch: Sketch::Open,
                required_first: false,
            };
            vec![(self.constraints.those(pursued), vec![anything], &open)]
        };
        let mut trees: Vec<(Answering<L>, f64, Sketch<L::Test>)> = Vec::new();
        for (constraints, beginnings, watch) in groups {
            let constraints = most.map_or(constraints.clone(), |size| constraints.capped(size));
            for beginning in beginnings {
                let Beginning {
                    sketch,
                    required_first,
                } = &beginning;
                // A beam tries every test anyway.
                if *required_first || !constraints.admits(&sketch.shape(self.language)) {
                    continue;
                }
                let limits = beginning.limits(&constraints, watch);
                let root = self.language.root(None);
                let found = beam(self.language, root, &self.plan.beam, &limits, self.context);
                let Some(found) = found else {
                    continue;
                };
                add(report, found.evaluated, found.stopped);
                let begun = found.trees.into_iter();
                trees.extend(begun.map(|(tree, score)| (tree, score, sketch.clone())));
            }
        }
        trees.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.0.size().cmp(&b.0.size())));
        let each = trees.into_iter();
        each.map(|(tree, _, sketch)| (tree, sketch)).collect()
    }

    fn report(&self) -> Report {
        Report {
            search: self.plan.method,
            stopped: StopReason::Complete,
            ..Report::default()
        }
    }

    fn found(&self, tree: Tree<L::Test, Answers>) -> Grown<L::Test> {
        Grown {
            score: self.score(&tree),
            error: error_of(&tree),
            tree,
        }
    }
}

/// What trees begin with.
struct Beginning<T> {
    sketch: Sketch<T>,
    /// Whether tests on what must be used come first.
    required_first: bool,
}

impl<T> Beginning<T> {
    fn limits<'s>(&'s self, constraints: &'s Constraints, watch: &'s Watch) -> GrowthLimits<'s, T> {
        GrowthLimits {
            constraints,
            sketch: &self.sketch,
            skips: false,
            required_first: self.required_first,
            watch,
        }
    }
}

/// Adds a search to the report of all of them: of several reasons to stop the first that is more
/// than that nothing improved.
fn add(report: &mut Report, evaluated: u64, stopped: StopReason) {
    report.evaluated += evaluated;
    if report.stopped == StopReason::Complete && stopped != StopReason::Sketch {
        report.stopped = stopped;
    }
}
