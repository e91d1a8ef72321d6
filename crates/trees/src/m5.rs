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
mod grow;
mod input;
mod model;
mod prune;
mod regress;
#[cfg(test)]
mod tests;

use self::grow::{Examples, grow};
use self::input::Inputs;
use self::model::ModelTree;
use self::prune::{Rules, finished};
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
    ],
    build: |settings| Ok(Box::new(M5::read(settings)?)),
    load: |stored| Ok(Box::new(ModelTree::read(stored)?)),
};

/// M5': a model tree, whose leaves answer by linear formulas. The registry's entry has the same
/// name, as a constant.
#[derive(Clone, Copy, Debug, PartialEq)]
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
        let numbers: Vec<f64> = counted
            .iter()
            .filter_map(|&row| target.number(row as usize))
            .collect();
        if numbers.len() != counted.len() || numbers.iter().any(|number| !number.is_finite()) {
            return Err(too_large("a target that is not finite"));
        }
        let weights: Vec<f64> = counted
            .iter()
            .map(|&row| task.weight(row as usize))
            .collect();
        let view = task.view().select(&counted);
        let inputs = Inputs::fit(&view, &numbers, &weights)?;
        let examples = Examples {
            values: inputs.values(&view)?,
            ranked: inputs.ranked(),
            numbers,
            weights,
        };
        let rules = Rules {
            pruning: self.pruning,
            smoothing: self.smoothing,
            constant: self.constant,
        };
        let grown = grow(&examples, self.leaf, context);
        let tree = finished(grown, &examples, rules, context)?;
        let finite = tree.nodes().iter().all(|node| node.payload.finite());
        if !inputs.finite() || !finite {
            return Err(too_large("the formulas are not finite"));
        }
        Ok(Box::new(ModelTree {
            target: target.name().to_owned(),
            inputs,
            tree,
        }))
    }
}
