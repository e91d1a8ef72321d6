//! Fitting: trees are searched under constraints, cut back, and given models.

use crate::tree::SearchMethod;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::RelationalTree;
use super::attach::{Attach, pruned};
use super::bags::Bags;
use super::beam::Beam;
use super::grow::{Growing, Grown, Skeleton, Stop};
use super::leaf::Content;
use super::limits::{Limited, attributes};
use super::model::{Along, Member, MirtModel};
use super::propose::{Problem, Rules};
use super::pruning::MirtPruning;
use super::regress::{Banned, Regression};
use super::response::Response;
use super::smoti::Interleaved;
use super::terms::Terms;
use super::trim::{by_folds, by_held_out};
use super::values::Values;
use crate::tree::constraint::{Constraint, Constraints, Known};
use crate::tree::grow::beam::BeamSearch;
use crate::tree::prune::{C45, M5, SizeOptimal, error_within, squared_tallies};
use crate::tree::training::{error_of, training};
use crate::tree::{Answers, Combine, Report, TargetOf, Tree};
use kinwood_learning::StopReason;
use kinwood_learning::context::Context;
use kinwood_learning::error::{Error, Result};
use kinwood_learning::task::Task;

/// What the settings ask for.
#[derive(Clone)]
pub struct Plan {
    /// `greedy`, `best_first` or `beam`.
    pub search: SearchMethod,
    /// Which tests are tried.
    pub rules: Rules,
    /// A node is divided if it has more objects than this; by default the root of their number.
    pub objects: Option<f64>,
    /// And if no more than this of the spread is explained by its mean.
    pub determined: f64,
    /// How models are made.
    pub regression: Regression,
    /// What every tree must keep to.
    pub constraint: Option<Constraint>,
    /// What tests on tables and columns cost, by name.
    pub costs: BTreeMap<String, f64>,
    /// How trees are cut back.
    pub pruning: MirtPruning,
    /// How a beam searches.
    pub beam: BeamSearch,
    /// How a set of trees predicts.
    pub combine: Combine,
    /// How the models along a path answer together.
    pub along: Along,
}

/// The random numbers of pruning.
const PRUNING: u64 = 0x7472_696d;

/// A tree found, with its score.
struct Candidate {
    tree: Skeleton,
    score: Option<f64>,
}

/// The model of a task.
pub fn fitted(
    plan: &Plan,
    task: &Task,
    terms: Terms,
    kinds: &[TargetOf],
    context: &Context,
) -> Result<MirtModel> {
    let view = task.view();
    let objects = view.len();
    let weights: Vec<f64> = task
        .weights()
        .map_or_else(|| vec![1.0; objects], <[f64]>::to_vec);
    if weights.iter().sum::<f64>() <= 0.0 {
        return Err(Error::NoWeight {
            table: view.table().name().to_owned(),
        });
    }
    let values = Values::new(view, &terms.pools)?;
    let response = Response::new(task, kinds, &weights)?;
    let problem = Problem {
        terms: &terms,
        values: &values,
        response: &response,
        weights: &weights,
        rules: &plan.rules,
        left_out: &AtomicU64::new(0),
    };
    let named = attributes(&terms);
    let costs = costs(&plan.costs, &named)?;
    let constraints = match &plan.constraint {
        Some(constraint) => {
            let least: Vec<f64> = costs.iter().map(|cost| cost.unwrap_or(0.0)).collect();
            Constraints::new(constraint, &named, &least)?
        }
        None => Constraints::default(),
    };
    if constraints
        .alternatives()
        .iter()
        .any(|limits| !limits.like.is_empty())
    {
        return Err(Error::SettingValue {
            name: "constraints".to_owned(),
            value: "like".to_owned(),
            expected: "no partial tree: there is no way to write relational tests into a file yet"
                .to_owned(),
            nearest: None,
        });
    }
    let fit = Fit {
        plan,
        problem: &problem,
        constraints: &constraints,
        costs: &costs,
        all: (0..objects as u32).collect(),
        stop: Stop {
            objects: plan.objects.unwrap_or_else(|| (objects as f64).sqrt()),
            determined: plan.determined,
        },
        context,
    };
    if plan.along == Along::Summed {
        let (tree, mut report) = fit.interleaved(task, &banned(&constraints, &named, &terms))?;
        tell_left_out(&problem, &mut report);
        let members = vec![Member {
            tree: Arc::new(tree),
            score: None,
        }];
        return Ok(MirtModel::new(
            terms,
            members,
            plan.combine,
            plan.along,
            report,
        ));
    }
    let (found, mut report) = fit.search()?;
    let mut stopped = Some(report.stopped).filter(|why| *why != StopReason::Complete);
    tell_left_out(&problem, &mut report);
    let regression = Regression {
        banned: banned(&constraints, &named, &terms),
        ..plan.regression.clone()
    };
    let attach = Attach {
        problem: &problem,
        task,
        regression: &regression,
        everywhere: plan.pruning == MirtPruning::Models || matches!(plan.along, Along::Smoothed(_)),
        context,
    };
    let mut members = Vec::with_capacity(found.len());
    for candidate in found {
        let root = Bags::new(view, fit.all.clone());
        let mut tree: RelationalTree = attach.run(&candidate.tree, root, &mut stopped);
        if plan.pruning == MirtPruning::Models {
            tree = pruned(&tree);
        }
        if !matches!(plan.along, Along::Smoothed(_)) {
            tree = leaves_only(tree);
        }
        let score = candidate.score;
        if members.iter().all(|other: &Member| *other.tree != tree) {
            members.push(Member {
                tree: Arc::new(tree),
                score,
            });
        }
    }
    if let Some(why) = stopped {
        report.stopped = why;
    }
    Ok(MirtModel::new(
        terms,
        members,
        plan.combine,
        plan.along,
        report,
    ))
}

/// The tables and columns that no leaf may speak of either: those that every alternative of the
/// constraints leaves out.
fn banned(
    constraints: &Constraints,
    named: &[crate::tree::constraint::Input],
    terms: &Terms,
) -> Banned {
    let alternatives = constraints.alternatives();
    let everywhere = |place: u32| {
        alternatives
            .iter()
            .all(|limits| limits.banned.contains(place))
    };
    let tables = terms.tables.len();
    let mut banned = Banned::default();
    let mut place = tables as u32;
    for (table, of) in terms.tables.iter().enumerate() {
        if everywhere(table as u32) {
            banned.tables.push(table);
        }
        for column in 0..of.columns.len() as u32 {
            if everywhere(place) {
                banned.columns.push((table, column));
            }
            place += 1;
        }
    }
    debug_assert!(
        named.len() >= place as usize,
        "every table and column has a name"
    );
    banned
}

/// Says how often a key was not followed.
fn tell_left_out(problem: &Problem<'_>, report: &mut Report) {
    let times = problem.left_out.load(Ordering::Relaxed);
    if times > 0 {
        report.notes.push(format!(
            "{times} times keys were not followed, since they lead to more than bindings={} rows",
            problem.rules.most
        ));
    }
}

/// The tree without the models of inner nodes.
fn leaves_only(tree: RelationalTree) -> RelationalTree {
    let inner: Vec<bool> = tree
        .nodes()
        .iter()
        .map(|node| node.split.is_some())
        .collect();
    let mut inner = inner.into_iter();
    tree.map(|content| match inner.next() {
        Some(true) => Content::constant(content.answers),
        _ => content,
    })
}

fn costs(
    costs: &BTreeMap<String, f64>,
    named: &[crate::tree::constraint::Input],
) -> Result<Vec<Option<f64>>> {
    let count = named
        .iter()
        .map(|input| input.position as usize + 1)
        .max()
        .unwrap_or(0);
    let mut by_place = vec![None; count];
    for (name, &cost) in costs {
        let found = named.iter().find(|input| input.name == *name);
        let Some(found) = found else {
            let names: Vec<&str> = named.iter().map(|input| input.name.as_str()).collect();
            return Err(Error::SettingValue {
                name: "costs".to_owned(),
                value: name.clone(),
                expected: "a table or a column, as `table.column`".to_owned(),
                nearest: kinwood_values::suggest::nearest(name, &names),
            });
        };
        by_place[found.position as usize] = Some(cost);
    }
    Ok(by_place)
}

struct Fit<'a> {
    plan: &'a Plan,
    problem: &'a Problem<'a>,
    constraints: &'a Constraints,
    costs: &'a [Option<f64>],
    all: Vec<u32>,
    stop: Stop,
    context: &'a Context,
}

impl Fit<'_> {
    fn root(&self) -> Bags {
        Bags::new(self.problem.values.view(), self.all.clone())
    }

    fn limited<'s>(&'s self, constraints: &'s Constraints) -> Limited<'s> {
        Limited {
            constraints,
            costs: self.costs,
            terms: self.problem.terms,
        }
    }

    /// A tree whose nodes divide and regress. Of the constraints, depth and what may not be used
    /// are kept to as it grows.
    fn interleaved(&self, task: &Task, banned: &Banned) -> Result<(RelationalTree, Report)> {
        let limited = self.limited(self.constraints);
        let growing = Growing {
            problem: self.problem,
            stop: self.stop,
            limited: &limited,
            forced: false,
            context: self.context,
        };
        let alternatives = || self.constraints.alternatives().iter();
        let most = |a: Option<usize>, b: Option<usize>| a.zip(b).map(|(a, b)| a.max(b));
        let depth = alternatives().map(|limits| limits.depth);
        let size = alternatives().map(|limits| limits.size);
        let interleaved = Interleaved {
            growing: &growing,
            significance: self.plan.regression.stepwise.significance,
            depth: depth.reduce(most).flatten(),
            size: size.reduce(most).flatten(),
            banned,
            context: self.context,
        };
        let target = &task.targets()[0];
        let numbers =
            (0..task.view().len()).map(|object| target.number(object).unwrap_or_default());
        let (tree, stopped) = interleaved.grow(self.root(), numbers.collect());
        let shape = limited.shape(&tree, |content: &Content| content.answers.weight);
        if !self.constraints.met(&shape, &Known::default()) {
            return Err(self.constraints.unmet(&shape, &Known::default()));
        }
        let report = Report {
            search: self.plan.search,
            stopped,
            ..Report::default()
        };
        Ok((tree, report))
    }

    /// Trees that keep to the constraints, best first.
    fn search(&self) -> Result<(Vec<Candidate>, Report)> {
        let mut report = Report {
            search: self.plan.search,
            stopped: StopReason::Complete,
            ..Report::default()
        };
        let mut found: Vec<(Candidate, f64)> = Vec::new();
        let mut nearest: Option<Skeleton> = None;
        for place in 0..self.constraints.alternatives().len() {
            let only = self.constraints.only(place);
            let limited = self.limited(&only);
            let required = !only.alternatives()[0].required.is_empty();
            let ways: &[bool] = if required && self.plan.search != SearchMethod::Beam {
                &[false, true]
            } else {
                &[false]
            };
            for &forced in ways {
                let growing = Growing {
                    problem: self.problem,
                    stop: self.stop,
                    limited: &limited,
                    forced,
                    context: self.context,
                };
                let trees = self.trees(&growing, &only, &mut report);
                let met: Vec<Candidate> = trees
                    .into_iter()
                    .filter_map(
                        |candidate| match self.met(&limited, &only, &candidate.tree) {
                            true => Some(candidate),
                            false => {
                                nearest.get_or_insert(candidate.tree);
                                None
                            }
                        },
                    )
                    .collect();
                let any = !met.is_empty();
                found.extend(met.into_iter().map(|candidate| {
                    let error = error_of(&candidate.tree);
                    (candidate, error)
                }));
                if any {
                    break;
                }
            }
        }
        if found.is_empty() {
            self.context.check()?;
            let limited = self.limited(self.constraints);
            let tree = nearest.unwrap_or_else(|| {
                Tree::leaf(
                    self.problem
                        .response
                        .answers(&self.all, self.problem.weights),
                )
            });
            let shape = limited.shape(&tree, |answers: &Answers| answers.weight);
            return Err(self.constraints.unmet(&shape, &self.known(&tree)));
        }
        if self.constraints.alternatives().len() > 1 {
            found.sort_by(|a, b| {
                a.1.total_cmp(&b.1)
                    .then(a.0.tree.size().cmp(&b.0.tree.size()))
            });
        }
        let most = if self.plan.search == SearchMethod::Beam {
            self.plan.beam.width
        } else {
            1
        };
        found.truncate(most);
        Ok((
            found.into_iter().map(|(candidate, _)| candidate).collect(),
            report,
        ))
    }

    fn trees(
        &self,
        growing: &Growing<'_>,
        only: &Constraints,
        report: &mut Report,
    ) -> Vec<Candidate> {
        let limits = &only.alternatives()[0];
        let tell = |report: &mut Report, evaluated: u64, stopped: StopReason| {
            report.evaluated += evaluated;
            if report.stopped == StopReason::Complete {
                report.stopped = stopped;
            }
        };
        match self.plan.search {
            SearchMethod::Beam => {
                let beam = Beam {
                    growing,
                    search: &self.plan.beam,
                    most: limits.size,
                };
                let found = beam.search(self.all.clone());
                tell(report, found.evaluated, found.stopped);
                let each = found.trees.into_iter();
                each.map(|(tree, score)| Candidate {
                    tree: self.cut(tree, None),
                    score: Some(score),
                })
                .collect()
            }
            search => {
                let most =
                    (search == SearchMethod::BestFirst).then(|| limits.size.unwrap_or(usize::MAX));
                let Grown {
                    tree,
                    evaluated,
                    stopped,
                } = growing.grow(self.root(), most);
                tell(report, evaluated, stopped);
                let generator = self.context.generator(&[PRUNING]);
                let tree = match self.plan.pruning {
                    MirtPruning::ReducedError => by_held_out(growing, &self.all, generator),
                    MirtPruning::CostComplexity { one_se } => {
                        by_folds(growing, &tree, &self.all, one_se, &generator)
                    }
                    _ => tree,
                };
                vec![Candidate {
                    tree: self.cut(tree, limits.size),
                    score: None,
                }]
            }
        }
    }

    /// A tree cut back by what its constants say, and to a size.
    fn cut(&self, tree: Skeleton, size: Option<usize>) -> Skeleton {
        let numbers = tree.nodes()[0]
            .payload
            .targets
            .iter()
            .any(|answer| !answer.leaf().counts_wrong());
        let cut = match self.plan.pruning {
            MirtPruning::M5 => M5::default().prune(&tree, squared_tallies),
            MirtPruning::C45 if !numbers => {
                C45::default().prune(&tree, crate::tree::prune::tallies)
            }
            MirtPruning::Own(entry) => entry.prune(&tree, |answers| (answers, false)),
            _ => tree,
        };
        match size.filter(|size| cut.size() > *size) {
            Some(size) => {
                let optimal =
                    SizeOptimal::new(&cut, Some(size), error_within(&cut.nodes()[0].payload));
                match optimal.at_most(size) {
                    Some(point) => optimal.prune(&cut, point),
                    None => cut,
                }
            }
            None => cut,
        }
    }

    fn known(&self, tree: &Skeleton) -> Known {
        let (accuracy, error) = training(tree);
        Known {
            accuracy,
            error,
            like: Vec::new(),
        }
    }

    fn met(&self, limited: &Limited<'_>, only: &Constraints, tree: &Skeleton) -> bool {
        let shape = limited.shape(tree, |answers: &Answers| answers.weight);
        only.met(&shape, &self.known(tree))
    }
}

/// Whether any target is a class or a set of labels, of which nothing is linear.
pub fn any_classes(kinds: &[TargetOf]) -> bool {
    kinds.iter().any(|kind| !kind.kind.is_number())
}
