//! M5' model trees: a tree of tests whose leaves answer by linear formulas.
//!
//! A tree is grown as regression trees are, each node gets a linear formula over what is tested
//! below it, subtrees that do not predict better than the formula of their node are cut, and the
//! formula of a leaf is blended with those above it, so that predictions do not jump where regions
//! meet.
//!
//! The answers are those of M5P in Weka 3.9.7, whose measures were followed and checked by
//! comparing numbers: a spread is the fifth root of a variance; at least a fifth of the rows and
//! one more go either way; errors are raised by `(n + 2v) / (n - v)`; of formulas that are too
//! long, the weakest attribute goes first. Where rounding alone decides in Weka, which of two tests
//! that divide a node alike is taken and what is left of a perfect fit, the first test and the
//! shorter formula are taken here.
//!
//! Reference: J. R. Quinlan, *Learning with Continuous Classes*, AI '92, 343-348; Y. Wang and I. H.
//! Witten, *Induction of Model Trees for Predicting Continuous Classes*, poster papers of ECML,
//! 1997.

mod cut;
mod formula;
mod input;
mod language;
mod model;
mod prune;
mod regress;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use self::formula::{Feature, Test};
use self::input::Inputs;
use self::language::{Examples, ModelTests};
use self::model::ModelTree;
use self::prune::{Region, Rules, finished};
use crate::error::TreeError;
use crate::learners::parameters::{CONSTRAINTS, DEPTH, SEARCH, SIZE};
use crate::learners::{check_limits, constraint, written};
use crate::tree::constraint::sketch::NoPrototypes;
use crate::tree::constraint::{Constraint, Constraints, Input, Sketch, TestReach};
use crate::tree::fit::{costs_of, sketch_text};
use crate::tree::language::Language;
use crate::tree::pruning::{Pruning, PruningMethod};
use crate::tree::tree_search::{Ranking, SearchPlan, TreeSearch};
use crate::tree::{BeamSearch, SearchMethod, Test as ColumnTest, Tree};
use kinwood_learning::context::Context;
use kinwood_learning::entry::{Entry, Targets};
use kinwood_learning::error::{Error, Result};
use kinwood_learning::model::{Learner, Model};
use kinwood_learning::settings::{Allowed, Parameter, Settings};
use kinwood_learning::task::{Target, Task};

/// The registry's entry.
pub const M5: Entry = Entry {
    name: "m5",
    summary: "M5': a model tree, whose leaves answer by linear formulas.",
    reference: "Quinlan, Learning with continuous classes, AI 1992; Wang and Witten, Induction of model trees for predicting continuous classes, ECML 1997",
    targets: Targets::NUMERIC,
    several_targets: false,
    follows_keys: |_| false,
    flat: true,
    parameters: &[
        Parameter {
            name: "leaf",
            doc: "A node whose rows weigh less is not divided.",
            allowed: Allowed::Real {
                least: 1.0,
                most: f64::MAX,
            },
            default: "4",
        },
        Parameter {
            name: "pruning",
            doc: "Whether subtrees are cut that do not predict better than the formula of their node.",
            allowed: Allowed::Flag,
            default: "true",
        },
        Parameter {
            name: "smoothing",
            doc: "Whether the formula of a leaf is blended with those above it.",
            allowed: Allowed::Flag,
            default: "true",
        },
        Parameter {
            name: "constant",
            doc: "Whether leaves answer by means instead of formulas: a regression tree.",
            allowed: Allowed::Flag,
            default: "false",
        },
        Parameter {
            doc: "How the tree is grown: node by node (greedy), or the most gaining leaf first (best_first).",
            allowed: Allowed::Choice(&["greedy", "best_first"]),
            ..SEARCH
        },
        Parameter {
            doc: "The most nodes of the tree, leaves included, or `none`; it is pruned to it.",
            ..SIZE
        },
        DEPTH,
        CONSTRAINTS,
    ],
    build: |settings| Ok(Box::new(M5::read(settings)?)),
    load: |stored| Ok(Box::new(ModelTree::read(stored)?)),
};

/// M5': a model tree, whose leaves answer by linear formulas. The registry's entry has the same
/// name, as a constant.
#[derive(Clone, Debug, PartialEq)]
pub struct M5 {
    /// A node whose rows weigh less is not divided, from 1: 4 by default.
    pub leaf: f64,
    /// Whether subtrees are cut that do not predict better than the formula of their node: they are
    /// by default.
    pub pruning: bool,
    /// Whether the formula of a leaf is blended with those above it: it is by default.
    pub smoothing: bool,
    /// Whether leaves answer by means instead of formulas: a regression tree.
    pub constant: bool,
    /// How the tree is grown: node by node by default, or best first.
    pub search: SearchMethod,
    /// The most nodes of the tree, leaves included; it is pruned to it.
    pub size: Option<usize>,
    /// The most tests from the root to a leaf.
    pub depth: Option<usize>,
    /// What the tree must keep to besides.
    pub constraints: Option<Constraint>,
}

impl Default for M5 {
    fn default() -> Self {
        Self::read(&M5.defaults()).expect("the defaults are settings")
    }
}

impl M5 {
    /// As the settings of the registry's entry have it.
    pub fn read(settings: &Settings) -> Result<Self> {
        Ok(Self {
            leaf: settings.real("leaf"),
            pruning: settings.flag("pruning"),
            smoothing: settings.flag("smoothing"),
            constant: settings.flag("constant"),
            search: SearchMethod::read(settings),
            size: settings.number("size"),
            depth: settings.number("depth"),
            constraints: written(settings)?,
        })
    }

    /// The tree, and the rows of each of its nodes.
    fn grown(
        &self,
        task: &Task,
        inputs: &Inputs,
        examples: &Examples,
        context: &Context,
    ) -> Result<Tree<Test, Region>> {
        let columns = Input::of(task.view());
        let costs = costs_of(&BTreeMap::new(), task.view(), &columns)?;
        let plan = SearchPlan {
            method: self.search,
            constraint: constraint(self.size, self.depth, self.constraints.as_ref()),
            beam: BeamSearch::default(),
            // What formulas make needless is cut once they are there.
            pruning: Pruning {
                method: PruningMethod::None,
                confidence: 1.0,
                one_se: false,
            },
            ranking: Ranking::Score,
        };
        let constraints = match &plan.constraint {
            Some(constraint) => {
                Constraints::new(constraint, &columns, &costs, TestReach::default())?
            }
            None => Constraints::default(),
        };
        let language = ModelTests::new(examples, task, self.leaf, &costs, self.constant);
        let read = |file: &str| -> Result<Sketch<Test>> {
            let text = sketch_text(file)?;
            let sketch = Sketch::parse(&text, file, &columns, &mut NoPrototypes)?;
            let test = |test: &ColumnTest| inputs.own_test(examples, test);
            sketch.translated(&test).ok_or_else(|| {
                let reason = "m5 orders labels by its target: name their column alone".to_owned();
                let file = file.to_owned();
                TreeError::SketchFile { file, reason }.into()
            })
        };
        let sketches = constraints.sketches(read)?;
        let search = TreeSearch::new(&plan, &language, &constraints, sketches, context)?;
        let (trees, report) = search.run()?;
        if report.stopped.cut_short() {
            context.cut_short();
        }
        let (tree, _) = trees.into_iter().next().expect("a search finds a tree");
        let rows = examples.counted().into_iter();
        let rows = rows.map(|row| (row, language.row_weight(row))).collect();
        let routed = language.route(&tree, rows, false);
        Ok(Region::of_nodes(tree, routed.rows, examples))
    }
}

impl Inputs {
    /// A threshold on a number; sets of labels are none of m5's tests.
    fn own_test(&self, examples: &Examples, test: &ColumnTest) -> Option<Test> {
        let ColumnTest::Above { column, threshold } = test else {
            return None;
        };
        let mut positions = examples.positions.iter();
        let input = positions.position(|position| position == column)? as u32;
        let feature = Feature { input, from: None };
        Some(Test {
            feature,
            threshold: *threshold,
        })
    }
}

/// The only target there may be, and its numbers.
fn single_target(task: &Task) -> Result<&Target> {
    let wrong = |target: &Target, found: String| Error::TargetType {
        learner: M5.name,
        expected: "single numeric".to_owned(),
        target: target.name().to_owned(),
        found,
        hint: "",
    };
    match task.targets() {
        [target] if target.is_number() => Ok(target),
        [target] => Err(wrong(target, target.found())),
        [first, ..] => Err(wrong(first, "one of several".to_owned())),
        [] => Err(Error::NoResponse {
            target: String::new(),
            rows: task.view().len(),
        }),
    }
}

impl Learner for M5 {
    fn fit(&self, task: &Task, context: &Context) -> Result<Box<dyn Model>> {
        M5.check("leaf", self.leaf)?;
        M5.check("search", self.search)?;
        check_limits(&M5, self.size, self.depth, self.constraints.as_ref())?;
        let target = single_target(task)?;
        let table = task.view().table().name();
        let too_large = |reason: &str| Error::TooLarge {
            table: table.to_owned(),
            reason: reason.to_owned(),
        };
        // Rows that do not count are as if they were not there.
        let counted: Vec<u32> = (0..task.view().len() as u32)
            .filter(|&row| task.weight(row as usize) > 0.0)
            .collect();
        if counted.is_empty() {
            return Err(Error::NoWeight {
                table: table.to_owned(),
            });
        }
        let number = |row: usize| target.number(row).unwrap_or(f64::NAN);
        let finite = |&row: &u32| number(row as usize).is_finite();
        if !counted.iter().all(finite) {
            return Err(too_large("a target that is not finite"));
        }
        let view = task.view();
        let of_counted = |all: &dyn Fn(usize) -> f64| -> Vec<f64> {
            counted.iter().map(|&row| all(row as usize)).collect()
        };
        let inputs = Inputs::fit(
            &view.select(&counted),
            &of_counted(&number),
            &of_counted(&|row| task.weight(row)),
        )?;
        let positions = view.inputs().into_iter();
        let examples = Examples {
            values: inputs.values(view)?,
            ranked: inputs.ranked(),
            positions: positions.map(|position| position as u32).collect(),
            numbers: (0..view.len()).map(number).collect(),
            weights: (0..view.len()).map(|row| task.weight(row)).collect(),
        };
        let rules = Rules {
            pruning: self.pruning,
            smoothing: self.smoothing,
            constant: self.constant,
        };
        let grown = context.install(|| self.grown(task, &inputs, &examples, context))?;
        let tree = finished(grown, &examples, rules, context)?;
        let finite = tree.nodes().iter().all(|node| node.payload.finite());
        if !inputs.finite() || !finite {
            return Err(too_large("the formulas are not finite"));
        }
        let name = target.name().to_owned();
        Ok(Box::new(ModelTree::new(name, inputs, tree)))
    }
}
