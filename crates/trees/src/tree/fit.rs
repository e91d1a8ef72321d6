//! Fitting trees over columns: the problem is put together for the targets at hand, and trees are
//! sought in it.

use std::collections::BTreeMap;
use std::sync::Arc;

use kinwood_values::View;

use super::amounts::by_name;
use super::attributes::Attributes;
use super::columns::{Inputs, Looks};
use super::constraint::{Constraints, Input, Limits, Sketch, Sketches, TestReach};
use super::heuristic::Heuristic;
use super::model::{Along, Combine, Member, Report, TargetOf};
use super::pools::pooled;
use super::propose::{Problem, Prototypes, Rules};
use super::respond::{Grades, ResponseVisitor, respond};
use super::response::Response;
use super::terms::{Pooled, Terms};
use super::test::Test;
use super::tree_search::{SearchPlan, TreeSearch};
use crate::error::TreeError;
use kinwood_learning::context::Context;
use kinwood_learning::error::Result;
use kinwood_learning::task::Task;

/// What the settings ask for.
pub struct Plan {
    /// How trees are sought.
    pub search: SearchPlan,
    /// What makes a test good.
    pub heuristic: Heuristic,
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
    /// How a set of trees predicts.
    pub combine: Combine,
    /// How the nodes of a path predict together.
    pub along: Along,
}

/// What was fitted.
pub struct Fitted {
    /// The trees, the best first.
    pub trees: Vec<Member<Terms>>,
    /// The prototypes that they compare values with.
    pub pools: Vec<Pooled>,
    /// How they were found.
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
    let constraints = match &plan.search.constraint {
        Some(constraint) => {
            let tests = test_reach(&inputs, &plan.prototypes);
            Constraints::new(constraint, &columns, &costs, tests)?
        }
        None => Constraints::default(),
    };
    let gaps = inputs.gaps();
    let fit = Fit {
        plan,
        task,
        inputs,
        columns,
        constraints,
        costs: &costs,
        context,
    };
    respond(task, gaps, kinds, grades, fit)
}

/// What tests on such inputs can be.
pub(super) fn test_reach(inputs: &Inputs<'_>, prototypes: &Prototypes) -> TestReach {
    TestReach {
        several: false,
        branches: match inputs.all.iter().any(|input| input.by_prototypes()) {
            true => prototypes.most,
            false => 2,
        },
    }
}

/// The columns that constraints and costs may speak of: those of the table, and what keys lead to;
/// where rows are compared as a whole, the row by the name of its table.
pub(super) fn columns(view: &View, inputs: &Inputs<'_>) -> Vec<Input> {
    let mut columns = Input::of(view);
    if let ([row], true) = (inputs.all.as_slice(), inputs.whole) {
        columns.iter_mut().for_each(|column| column.tested = false);
        let row = Input {
            position: row.position,
            name: row.name.clone(),
            labels: None,
            tested: true,
        };
        columns.insert(0, row);
        return columns;
    }
    let beyond = view.table().attributes().len() as u32;
    let reached = inputs.all.iter().filter(|input| input.position >= beyond);
    columns.extend(reached.map(|input| Input {
        position: input.position,
        name: input.name.clone(),
        labels: None,
        tested: true,
    }));
    columns
}

/// What a test on each column costs, by its position.
pub(crate) fn costs_of(
    costs: &BTreeMap<String, f64>,
    view: &View,
    columns: &[Input],
) -> Result<Vec<f64>> {
    let own = view.table().attributes().iter();
    let own: Vec<&str> = own.map(|attribute| attribute.name.as_str()).collect();
    let reached = columns
        .iter()
        .filter(|column| column.position as usize >= own.len());
    let reached: Vec<&str> = reached.map(|column| column.name.as_str()).collect();
    by_name("costs", costs, &[own, reached].concat())
}

/// What the trees of each alternative of the constraints begin with.
pub(super) fn read_sketches(
    constraints: &Constraints,
    columns: &[Input],
    inputs: &mut Inputs<'_>,
) -> Result<Sketches<Test>> {
    constraints.sketches(|file| Sketch::parse(&sketch_text(file)?, file, columns, inputs))
}

/// The text of a file that `like` names.
pub(crate) fn sketch_text(file: &str) -> Result<String> {
    let unread = |error: std::io::Error| TreeError::SketchFile {
        file: file.to_owned(),
        reason: error.to_string(),
    };
    Ok(std::fs::read_to_string(file).map_err(unread)?)
}

struct Fit<'a> {
    plan: &'a Plan,
    task: &'a Task,
    inputs: Inputs<'a>,
    columns: Vec<Input>,
    constraints: Constraints,
    costs: &'a [f64],
    context: &'a Context,
}

impl ResponseVisitor for Fit<'_> {
    type Output = Fitted;

    fn visit<R: Response>(
        mut self,
        response: R,
        weights: Option<Vec<f64>>,
    ) -> Result<Self::Output> {
        let lists = std::mem::take(&mut self.inputs.lists);
        let sketches = read_sketches(&self.constraints, &self.columns, &mut self.inputs)?;
        let least = self
            .constraints
            .alternatives()
            .iter()
            .map(Limits::least_leaf);
        let problem = Problem {
            rules: Rules {
                // Parts of examples may add up to a hair less than what they are.
                least: (1.0 - 1e-10) * self.plan.leaf.max(least.fold(f64::INFINITY, f64::min)),
                subsets: self.plan.subsets,
                middle: self.plan.middle,
                together: self.plan.together,
                always: self.plan.always,
                prototypes: self.plan.prototypes.clone(),
                corrected: self.plan.looks.corrected,
                items: self.plan.looks.structured.items(),
                seed: self.context.seed(),
                chance: None,
            },
            inputs: self.inputs,
            response,
        };
        let language = Attributes::new(
            &problem,
            self.task,
            weights,
            lists,
            self.plan.heuristic,
            self.costs,
        );
        let plan = &self.plan.search;
        let search = TreeSearch::new(plan, &language, &self.constraints, sketches, self.context)?;
        let (trees, mut report) = search.run()?;
        let naming = problem.inputs.identifier_note();
        report
            .notes
            .extend(naming.filter(|_| problem.rules.corrected));
        let members = trees.into_iter().map(|(tree, score)| Member {
            tree: Arc::new(tree),
            score: Some(score),
        });
        let looks = &self.plan.looks;
        let (trees, pools) = pooled(members.collect(), &problem.inputs, self.task.view(), looks);
        Ok(Fitted {
            trees,
            pools,
            report,
        })
    }
}
