//! Fitting: alternatives are searched in turn, trees are pruned, and what does not keep to the
//! constraints is left out.

use crate::tree::SearchMethod;
use std::collections::BTreeMap;
use std::sync::Arc;

use kinwood_values::View;

use super::FlatTree;
use super::amounts::by_name;
use super::columns::{Input as ColumnInput, Inputs, Looks};
use super::constraint::{Constraint, Constraints, Input, Known, Limits, Shape, Sketch};
use super::grow::beam::{BeamSearch, beam};
use super::grow::{Heuristic, Limited, Single, best_first, depth_first};
use super::model::{Combine, Member, Pooled, Report, TargetOf};
use super::pools::pooled;
use super::propose::{Problem, Prototypes, Rules};
use super::pruning::Pruning;
use super::required::requiring;
use super::respond::{Grades, Use, respond};
use super::response::Response;
use super::training::{error_of, training};
use super::training_set::TrainingSet;
use super::trim::Trim;
use crate::error::TreeError;
use kinwood_learning::StopReason;
use kinwood_learning::context::Context;
use kinwood_learning::error::{Error, Result};
use kinwood_learning::task::Task;

/// What the settings ask for.
pub struct Plan {
    /// `greedy`, `best_first` or `beam`.
    pub search: SearchMethod,
    /// What makes a test good.
    pub heuristic: Heuristic,
    /// What every tree must keep to.
    pub constraint: Option<Constraint>,
    /// The least weight of a leaf.
    pub leaf: f64,
    /// Whether labels are divided by subsets.
    pub subsets: bool,
    /// Whether thresholds lie midway.
    pub middle: bool,
    /// How inputs are looked at.
    pub looks: Looks,
    /// How prototypes are chosen.
    pub prototypes: Prototypes,
    /// Whether examples without a value go where most others go.
    pub together: bool,
    /// Whether nodes are divided even where that gains nothing.
    pub always: bool,
    /// How a beam searches.
    pub beam: BeamSearch,
    /// How trees are cut back.
    pub pruning: Pruning,
    /// Whether the first tree of a beam is the one that errs least in training, whatever its score.
    pub by_error: bool,
    /// How a set of trees predicts.
    pub combine: Combine,
}

/// What was fitted.
pub struct Fitted {
    /// The trees, the best first.
    pub trees: Vec<Member>,
    /// The prototypes that they compare values with.
    pub pools: Vec<Pooled>,
    /// What is told of the search.
    pub report: Report,
}

/// The trees for a task.
pub fn fitted(
    plan: &Plan,
    learner: &'static str,
    task: &Task,
    kinds: &[TargetOf],
    grades: &Grades<'_>,
    costs: &BTreeMap<String, f64>,
    context: &Context,
) -> Result<Fitted> {
    let view = task.view();
    let inputs = Inputs::new(view, learner, &plan.looks, context)?;
    let columns = columns(view, &inputs);
    let costs = costs_of(costs, view, &columns)?;
    let constraints = match &plan.constraint {
        Some(constraint) => Constraints::new(constraint, &columns, &costs)?,
        None => Constraints::default(),
    };
    let sketches = constraints
        .alternatives()
        .iter()
        .map(|limits| sketch(limits, &columns))
        .collect::<Result<Vec<Option<Sketch>>>>()?;
    let fit = Fit {
        plan,
        task,
        constraints,
        sketches,
        costs: &costs,
        context,
    };
    respond(task, inputs, kinds, grades, fit)
}

/// The columns that constraints and costs may speak of: those of the table, and what keys lead to.
fn columns(view: &View, inputs: &Inputs<'_>) -> Vec<Input> {
    let mut columns = Input::of(view);
    let beyond = view.table().attributes().len() as u32;
    let reached = inputs.all.iter().filter(|input| input.position >= beyond);
    columns.extend(reached.map(|input| Input {
        position: input.position,
        name: input.name.clone(),
        labels: None,
    }));
    columns
}

/// What a test on each column costs, by its position.
fn costs_of(costs: &BTreeMap<String, f64>, view: &View, columns: &[Input]) -> Result<Vec<f64>> {
    let own = view.table().attributes().iter();
    let own: Vec<&str> = own.map(|attribute| attribute.name.as_str()).collect();
    let reached = columns
        .iter()
        .filter(|column| column.position as usize >= own.len());
    let reached: Vec<&str> = reached.map(|column| column.name.as_str()).collect();
    by_name("costs", costs, &[own, reached].concat())
}

/// What trees under these limits begin with; `None` if two files contradict each other.
fn sketch(limits: &Limits, columns: &[Input]) -> Result<Option<Sketch>> {
    let mut joined = Some(Sketch::Open);
    for file in &limits.like {
        let text = std::fs::read_to_string(file).map_err(|error| TreeError::SketchFile {
            file: file.clone(),
            reason: error.to_string(),
        })?;
        let read = Sketch::parse(&text, file, columns)?;
        joined = joined.and_then(|sketch| sketch.both(&read));
    }
    Ok(joined)
}

struct Fit<'a> {
    plan: &'a Plan,
    task: &'a Task,
    constraints: Constraints,
    /// What the trees of each alternative begin with.
    sketches: Vec<Option<Sketch>>,
    costs: &'a [f64],
    context: &'a Context,
}

impl Use for Fit<'_> {
    type Output = Fitted;

    fn with<R: Response>(
        self,
        mut inputs: Inputs<'_>,
        response: R,
        weights: Option<Vec<f64>>,
    ) -> Result<Self::Output> {
        let lists = std::mem::take(&mut inputs.lists);
        let least = self
            .constraints
            .alternatives()
            .iter()
            .map(Limits::least_leaf);
        let problem = Problem {
            inputs,
            response,
            rules: Rules {
                // Parts of examples may add up to a hair less than what they are.
                least: (1.0 - 1e-10) * self.plan.leaf.max(least.fold(f64::INFINITY, f64::min)),
                subsets: self.plan.subsets,
                middle: self.plan.middle,
                together: self.plan.together,
                always: self.plan.always,
                prototypes: self.plan.prototypes.clone(),
                seed: self.context.seed(),
                chance: None,
            },
        };
        let set = TrainingSet::new(&problem, self.task, weights, lists, self.context);
        let (trees, report) = if self.plan.search == SearchMethod::Beam {
            self.searched(&set)?
        } else {
            self.grown(&set)?
        };
        let (trees, pools) = pooled(trees, &problem.inputs, self.task.view(), &self.plan.looks);
        Ok(Fitted {
            trees,
            pools,
            report,
        })
    }
}

/// A tree that keeps to the constraints, or the nearest to one.
struct Grown {
    tree: FlatTree,
    score: f64,
    error: f64,
}

impl Fit<'_> {
    fn limited<'s>(&'s self, constraints: &'s Constraints, sketch: &'s Sketch) -> Limited<'s> {
        Limited {
            constraints,
            costs: self.costs,
            sketch,
        }
    }

    fn score<R: Response>(&self, set: &TrainingSet<'_, '_, R>, tree: &FlatTree) -> f64 {
        let leaves = tree.nodes().iter().filter(|node| node.split.is_none());
        let spread: f64 = leaves
            .map(|leaf| set.problem.response.spread_behind(&leaf.payload))
            .sum();
        let alpha = if self.plan.search == SearchMethod::Beam {
            self.plan.beam.alpha
        } else {
            0.0
        };
        spread / tree.nodes()[0].payload.weight.max(f64::MIN_POSITIVE) + alpha * tree.size() as f64
    }

    fn known(&self, tree: &FlatTree, alternative: usize) -> Known {
        let (accuracy, error) = training(tree);
        let follows = self.sketches[alternative]
            .as_ref()
            .is_some_and(|sketch| sketch.matches(tree));
        Known {
            accuracy,
            error,
            like: match follows {
                true => self.constraints.alternatives()[alternative].like.clone(),
                false => Vec::new(),
            },
        }
    }

    fn met(&self, tree: &FlatTree) -> bool {
        (0..self.sketches.len()).any(|alternative| self.met_in(alternative, tree))
    }

    fn met_in(&self, alternative: usize, tree: &FlatTree) -> bool {
        let shape = Shape::of(tree, self.costs);
        self.constraints.alternatives()[alternative].met(&shape, &self.known(tree, alternative))
    }

    /// Fails naming what the tree nearest to the constraints violates, or because the search was
    /// stopped before it found one.
    fn infeasible(&self, nearest: Option<&FlatTree>) -> Error {
        if let Err(stopped) = self.context.check() {
            return stopped;
        }
        match nearest {
            Some(tree) => self
                .constraints
                .unmet(&Shape::of(tree, self.costs), &self.known(tree, 0)),
            None => self.constraints.unmet(&Shape::leaf(0.0), &Known::default()),
        }
    }

    /// What the trees of an alternative may begin with: as it says, and where it requires columns
    /// also with those.
    fn beginnings(&self, alternative: usize) -> Vec<Sketch> {
        let Some(sketch) = &self.sketches[alternative] else {
            return Vec::new();
        };
        let required = &self.constraints.alternatives()[alternative].required;
        let mut beginnings = vec![sketch.clone()];
        if !required.is_empty() {
            beginnings.extend(requiring(sketch, &required.iter().collect::<Vec<_>>()));
        }
        beginnings
    }

    /// One tree, top down or best first.
    fn grown<R: Response>(&self, set: &TrainingSet<'_, '_, R>) -> Result<(Vec<Member>, Report)> {
        let mut best: Option<Grown> = None;
        let mut nearest: Option<FlatTree> = None;
        let mut report = self.report();
        for alternative in 0..self.sketches.len() {
            let constraints = self.constraints.only(alternative);
            let met = |tree: &FlatTree| self.met_in(alternative, tree);
            for (place, sketch) in self.beginnings(alternative).iter().enumerate() {
                let grow = |root| {
                    let limited = self.limited(&constraints, sketch);
                    let (problem, heuristic) = (set.problem, self.plan.heuristic);
                    match self.plan.search {
                        SearchMethod::BestFirst => {
                            best_first(problem, root, heuristic, &limited, self.context)
                        }
                        _ => depth_first(problem, root, heuristic, &limited, self.context),
                    }
                };
                let Single {
                    tree,
                    evaluated,
                    stopped,
                } = grow(set.root());
                tell(&mut report, evaluated, stopped);
                if stopped == StopReason::Sketch {
                    continue;
                }
                let trim = Trim {
                    pruning: &self.plan.pruning,
                    limits: &constraints.alternatives()[0],
                    sketch,
                    set,
                    grow: &grow,
                };
                let tree = trim.pruned(tree, &met);
                if !met(&tree) {
                    nearest.get_or_insert(tree);
                    continue;
                }
                let grown = self.found(set, tree);
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
        let member = Member {
            tree: Arc::new(best.tree),
            score: Some(best.score),
        };
        Ok((vec![member], report))
    }

    /// The trees of a beam.
    fn searched<R: Response>(&self, set: &TrainingSet<'_, '_, R>) -> Result<(Vec<Member>, Report)> {
        let mut report = self.report();
        let alternatives = self.constraints.alternatives();
        let graded = |place: &usize| {
            let limits = &alternatives[*place];
            limits.accuracy.is_some() || limits.error.is_some()
        };
        let (graded, plain): (Vec<usize>, Vec<usize>) =
            (0..alternatives.len()).partition(|place| graded(place));
        let sized = alternatives.iter().any(|limits| limits.size.is_some());
        let mut found: Vec<Grown> = Vec::new();
        let mut nearest = None;
        let mut enter = |tree: FlatTree, found: &mut Vec<Grown>| {
            if !self.met(&tree) {
                nearest = Some(tree);
            } else if found.iter().all(|other| other.tree != tree) {
                found.push(self.found(set, tree));
            }
        };
        for (tree, sketch) in self.beams(set, &plain, None, &mut report) {
            // A size asked for is what the search has kept to already.
            let tree = match sized && !self.plan.pruning.explicit() {
                true => tree,
                false => self.trimmed(set, tree, &sketch),
            };
            enter(tree, &mut found);
        }
        // A bound on the error is met by the smallest trees that do: the size is raised step by
        // step.
        let mut size = 1;
        let mut good: Vec<Grown> = Vec::new();
        while !graded.is_empty() {
            let trees = self.beams(set, &graded, Some(size), &mut report);
            let largest = trees.iter().map(|(tree, _)| tree.size()).max().unwrap_or(0);
            trees
                .into_iter()
                .for_each(|(tree, _)| enter(tree, &mut good));
            // A test that makes more leaves than there is room for ends a search before the size is
            // reached.
            let prototypes = set
                .problem
                .inputs
                .all
                .iter()
                .any(ColumnInput::by_prototypes);
            let branches = match prototypes {
                true => self.plan.prototypes.most,
                false => 2,
            };
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
            match (sized, self.plan.by_error) {
                (true, false) => scores.then(sizes),
                (true, true) => errors.then(scores).then(sizes),
                (false, _) => errors.then(sizes),
            }
        });
        found.truncate(self.plan.beam.width);
        let members = found.into_iter().map(|grown| Member {
            tree: Arc::new(grown.tree),
            score: Some(grown.score),
        });
        Ok((members.collect(), report))
    }

    /// A tree of a beam cut back, unless what is left does not keep to the constraints.
    fn trimmed<R: Response>(
        &self,
        set: &TrainingSet<'_, '_, R>,
        tree: FlatTree,
        sketch: &Sketch,
    ) -> FlatTree {
        let trim = Trim {
            pruning: &self.plan.pruning,
            limits: &Limits::default(),
            sketch,
            set,
            grow: &|_| unreachable!("trees of a beam are pruned without growing others"),
        };
        let cut = trim.pruned_as_found(tree.clone());
        if self.met(&cut) { cut } else { tree }
    }

    /// The nodes that every beginning of these alternatives fits into, with the columns that are
    /// still to be used.
    fn least_size(&self, alternatives: &[usize]) -> usize {
        let each = alternatives.iter().flat_map(|&alternative| {
            let required = &self.constraints.alternatives()[alternative].required;
            let beginnings = self.beginnings(alternative);
            let size = |sketch: &Sketch| {
                let shape = sketch.shape(self.costs);
                shape.size + 2 * required.missing_from(&shape.columns)
            };
            beginnings.iter().map(size).collect::<Vec<_>>()
        });
        each.max().unwrap_or(1)
    }

    /// The trees of the beams from every beginning of these alternatives, best first, each with
    /// what it began with.
    fn beams<R: Response>(
        &self,
        set: &TrainingSet<'_, '_, R>,
        pursued: &[usize],
        most: Option<usize>,
        report: &mut Report,
    ) -> Vec<(FlatTree, Sketch)> {
        let alternatives = self.constraints.alternatives();
        let apart = pursued.iter().any(|&alternative| {
            let limits = &alternatives[alternative];
            !limits.like.is_empty() || !limits.required.is_empty()
        });
        let groups: Vec<(Constraints, Vec<Sketch>)> = if pursued.is_empty() {
            Vec::new()
        } else if apart {
            let each = pursued.iter().map(|&alternative| {
                (
                    self.constraints.only(alternative),
                    self.beginnings(alternative),
                )
            });
            each.collect()
        } else {
            vec![(self.constraints.those(pursued), vec![Sketch::Open])]
        };
        let mut trees: Vec<(FlatTree, f64, Sketch)> = Vec::new();
        for (constraints, beginnings) in groups {
            let constraints = most.map_or(constraints.clone(), |size| constraints.capped(size));
            for sketch in beginnings {
                if !constraints.admits(&sketch.shape(self.costs)) {
                    continue;
                }
                let limited = self.limited(&constraints, &sketch);
                let Some(found) = beam(
                    set.problem,
                    set.root(),
                    &self.plan.beam,
                    &limited,
                    self.context,
                ) else {
                    continue;
                };
                tell(report, found.evaluated, found.stopped);
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
            search: self.plan.search,
            stopped: StopReason::Complete,
            ..Report::default()
        }
    }

    fn found<R: Response>(&self, set: &TrainingSet<'_, '_, R>, tree: FlatTree) -> Grown {
        Grown {
            score: self.score(set, &tree),
            error: error_of(&tree),
            tree,
        }
    }
}

/// Adds a search to what is told of all of them: of several reasons to stop the first that is more
/// than that nothing improved.
fn tell(report: &mut Report, evaluated: u64, stopped: StopReason) {
    report.evaluated += evaluated;
    if report.stopped == StopReason::Complete && stopped != StopReason::Sketch {
        report.stopped = stopped;
    }
}
