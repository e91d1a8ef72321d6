//! Fitting: trees are searched under constraints, cut back, and given models.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::RelationalTree;
use super::attach::{Attach, pruned};
use super::bags::Bags;
use super::leaf::Content;
use super::model::MirtModel;
use super::propose::{Problem, Rules};
use super::regress::{Banned, Regression};
use super::relations::{Relations, Stop, TEST_REACH, attributes};
use super::sketch;
use super::smoti::Interleaved;
use super::terms::{Kind, Terms};
use super::values::Values;
use crate::tree::constraint::{Constraints, Input, Known, Shape};
use crate::tree::deviation::{Deviation, SpreadMeasure, TargetScales};
use crate::tree::fit::sketch_text;
use crate::tree::identifiers::{distinct, identifier_note};
use crate::tree::pruning::{Pruning, PruningMethod};
use crate::tree::tree_search::{SearchPlan, TreeSearch};
use crate::tree::{Along, Member};
use crate::tree::{Combine, Report, SearchMethod, TargetOf};
use kinwood_learning::StopReason;
use kinwood_learning::context::Context;
use kinwood_learning::error::{Error, Result};
use kinwood_learning::task::Task;

/// What the settings ask for.
#[derive(Clone)]
pub struct Plan {
    /// How trees are sought.
    pub search: SearchPlan,
    /// Which tests are tried.
    pub rules: Rules,
    /// By the fall of what tests are compared.
    pub measure: SpreadMeasure,
    /// A node is divided if it has more objects than this; by default the root of their number.
    pub objects: Option<f64>,
    /// And if no more than this of the spread is explained by its mean.
    pub determined: f64,
    /// How models are made.
    pub regression: Regression,
    /// What tests on tables and columns cost, by name.
    pub costs: BTreeMap<String, f64>,
    /// How a set of trees predicts.
    pub combine: Combine,
    /// How the models along a path answer together.
    pub along: Along,
}

/// The weights of a task's objects; fails where none counts.
pub fn weights(task: &Task) -> Result<Vec<f64>> {
    let view = task.view();
    let weights = task
        .weights()
        .map_or_else(|| vec![1.0; view.len()], <[f64]>::to_vec);
    match weights.iter().sum::<f64>() > 0.0 {
        true => Ok(weights),
        false => Err(Error::NoWeight {
            table: view.table().name().to_owned(),
        }),
    }
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
    let weights = weights(task)?;
    let values = Values::new(view, &terms.pools)?;
    let counts = TargetScales::default();
    let response = Deviation::new(task, kinds, &weights, plan.measure, &counts)?;
    let problem = Problem {
        terms: &terms,
        values: &values,
        response: &response,
        rules: &plan.rules,
        left_out: &AtomicU64::new(0),
    };
    let named = attributes(&terms);
    let costs = costs(&plan.costs, &named)?;
    let constraints = match &plan.search.constraint {
        Some(constraint) => {
            let least: Vec<f64> = costs.iter().map(|cost| cost.unwrap_or(0.0)).collect();
            Constraints::new(constraint, &named, &least, TEST_REACH)?
        }
        None => Constraints::default(),
    };
    let language = Relations {
        problem: &problem,
        task,
        weights: &weights,
        stop: Stop {
            objects: plan.objects.unwrap_or_else(|| (objects as f64).sqrt()),
            determined: plan.determined,
        },
        heuristic: None,
        costs: &costs,
    };
    let banned = banned(&constraints, &named, &terms);
    if plan.along == Along::Summed {
        let (tree, mut report) = interleaved(plan, &language, &constraints, &banned, context)?;
        note_left_out(&problem, &mut report);
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
    let by_models = plan.search.pruning.method == PruningMethod::Models;
    let search = match by_models {
        // The models are made first.
        true => SearchPlan {
            pruning: Pruning {
                method: PruningMethod::None,
                ..plan.search.pruning.clone()
            },
            ..plan.search.clone()
        },
        false => plan.search.clone(),
    };
    let read = |file: &str| sketch::read(&sketch_text(file)?, file, &terms);
    let sketches = constraints.sketches(read)?;
    let search = TreeSearch::new(&search, &language, &constraints, sketches, context)?;
    let (found, mut report) = search.run()?;
    let mut stopped = Some(report.stopped).filter(|why| *why != StopReason::Complete);
    note_left_out(&problem, &mut report);
    let regression = Regression {
        banned,
        ..plan.regression.clone()
    };
    let attach = Attach {
        problem: &problem,
        task,
        weights: &weights,
        regression: &regression,
        everywhere: by_models || matches!(plan.along, Along::Smoothed(_)),
        context,
    };
    let every = plan.search.method == SearchMethod::Exhaustive;
    let scored = every || plan.search.method == SearchMethod::Beam;
    let mut members = Vec::with_capacity(found.len());
    for (tree, score) in found {
        let root = Bags::new(view, (0..objects as u32).collect());
        let mut tree: RelationalTree = attach.run(&tree, root, &mut stopped);
        if by_models {
            tree = pruned(&tree);
        }
        if !matches!(plan.along, Along::Smoothed(_)) {
            tree = leaves_only(tree);
        }
        let mut others = members.iter();
        // An enumeration makes no tree twice, and comparing all of them takes long.
        if every || others.all(|other: &Member<Terms>| *other.tree != tree) {
            members.push(Member {
                tree: Arc::new(tree),
                score: scored.then_some(score),
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
fn banned(constraints: &Constraints, named: &[Input], terms: &Terms) -> Banned {
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

/// Notes how often a key was not followed, and which columns name rows.
pub fn note_left_out<R>(problem: &Problem<'_, R>, report: &mut Report) {
    let times = problem.left_out.load(Ordering::Relaxed);
    if times > 0 {
        report.notes.push(format!(
            "{times} times keys were not followed, since they lead to more than bindings={} rows",
            problem.rules.most
        ));
    }
    if problem.rules.corrected {
        report.notes.extend(naming(problem));
    }
}

/// A note on the columns whose labels name rows.
fn naming<R>(problem: &Problem<'_, R>) -> Option<String> {
    let (terms, values) = (problem.terms, problem.values);
    let view = values.view();
    let tables = (0..terms.tables.len()).flat_map(|table| {
        let inputs = terms.inputs(table);
        let labelled = inputs.filter(|(_, of)| matches!(of.kind, Kind::Labels(_)));
        labelled.map(move |(column, of)| (table, column, of))
    });
    identifier_note(tables.map(|(table, column, of)| {
        let codes = values.codes(table, column);
        let rows = 0..view.database().table(table).rows() as u32;
        let rows = rows.filter(|&row| table != terms.root || view.contains(row));
        let (labels, rows) = distinct(rows.filter_map(|row| codes.get(row)));
        let name = format!("{}.{}", terms.tables[table].name, of.name);
        (name, labels, rows)
    }))
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

/// What is stated that tests cost, by position.
pub fn costs(costs: &BTreeMap<String, f64>, named: &[Input]) -> Result<Vec<Option<f64>>> {
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

/// A tree whose nodes divide and regress. Of the constraints, depth and what may not be used are
/// kept to as it grows.
fn interleaved(
    plan: &Plan,
    language: &Relations<'_, Deviation<'_>>,
    constraints: &Constraints,
    banned: &Banned,
    context: &Context,
) -> Result<(RelationalTree, Report)> {
    let alternatives = || constraints.alternatives().iter();
    let most = |a: Option<usize>, b: Option<usize>| a.zip(b).map(|(a, b)| a.max(b));
    let depth = alternatives().map(|limits| limits.depth);
    let size = alternatives().map(|limits| limits.size);
    let interleaved = Interleaved {
        language,
        constraints,
        significance: plan.regression.stepwise.significance,
        depth: depth.reduce(most).flatten(),
        size: size.reduce(most).flatten(),
        banned,
        context,
    };
    let task = language.task;
    let target = &task.targets()[0];
    let numbers = (0..task.view().len()).map(|object| target.number(object).unwrap_or_default());
    let root = Bags::new(task.view(), (0..task.view().len() as u32).collect());
    let (tree, stopped) = interleaved.grow(root, numbers.collect());
    let shape = Shape::of(language, &tree, |content: &Content| content.answers.weight);
    if !constraints.met(&shape, &Known::default()) {
        return Err(constraints.unmet(&shape, &Known::default()));
    }
    let report = Report {
        search: plan.search.method,
        stopped,
        ..Report::default()
    };
    Ok((tree, report))
}

/// Whether any target is a class or a set of labels, of which nothing is linear.
pub fn any_classes(kinds: &[TargetOf]) -> bool {
    kinds.iter().any(|kind| !kind.kind.is_number())
}
