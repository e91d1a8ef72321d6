//! How targets are graded, from settings: what each target, class and label counts.

use std::collections::BTreeMap;

use crate::tree::amounts::{amounts, by_name, check_amounts, listed, no_amount};
use crate::tree::model::TargetOf;
use crate::tree::respond::Grades;
use crate::tree::response::Impurity;
use kinwood_learning::entry::Entry;
use kinwood_learning::error::{Error, Result};
use kinwood_learning::settings::Settings;
use kinwood_learning::task::Task;

const SETTING: &str = "target_weights";

/// Whether a number can be a weight.
fn counts(number: &f64) -> bool {
    number.is_finite() && *number >= 0.0
}

/// How targets are graded.
pub struct Grading {
    /// How unlike classes are measured, where that is said.
    pub impurity: Option<Impurity>,
    /// How much the examples of a class count, by label.
    pub class_weights: BTreeMap<String, f64>,
    /// How much each target counts.
    pub target_weights: TargetWeights,
    /// What a label counts relative to the one above it.
    pub hierarchy_weight: f64,
}

impl Grading {
    /// The targets of a task in the terms of trees, all of which the learner predicts.
    pub fn kinds(&self, entry: &Entry, task: &Task) -> Result<Vec<TargetOf>> {
        let kinds: Vec<TargetOf> = task
            .targets()
            .iter()
            .map(|target| {
                TargetOf::of(target).ok_or_else(|| Error::TargetType {
                    learner: entry.name,
                    expected: entry.targets.name(),
                    target: target.name().to_owned(),
                    found: target.found(),
                    hint: "",
                })
            })
            .collect::<Result<_>>()?;
        for target in kinds.iter().filter(|_| kinds.len() > 1) {
            let listed = target.kind.entry();
            if let Some(hint) = listed.alone {
                return Err(Error::TargetType {
                    learner: entry.name,
                    expected: "several nominal and numeric".to_owned(),
                    target: target.name.clone(),
                    found: listed.one.to_owned(),
                    hint,
                });
            }
        }
        Ok(kinds)
    }

    /// The grades of targets.
    pub fn grades(&self, kinds: &[TargetOf]) -> Result<Grades<'_>> {
        let names: Vec<&str> = kinds.iter().map(|target| target.name.as_str()).collect();
        let classes: Vec<&str> = kinds
            .iter()
            .filter_map(|target| target.kind.as_classes())
            .flat_map(|classes| classes.labels())
            .collect();
        if !self.class_weights.is_empty()
            && !matches!(kinds, [one] if one.kind.as_classes().is_some())
        {
            let given: Vec<&str> = self.class_weights.keys().map(String::as_str).collect();
            return Err(Error::SettingValue {
                name: "class_weights".to_owned(),
                value: listed(&given),
                expected: "nothing unless the only target is a class".to_owned(),
                nearest: None,
            });
        }
        by_name("class_weights", &self.class_weights, &classes)?;
        Ok(Grades {
            impurity: self.impurity,
            class_weights: &self.class_weights,
            target_weights: self.target_weights.of(&names)?,
            hierarchy_weight: self.hierarchy_weight,
        })
    }
}

/// How much each of several targets counts.
#[derive(Clone, Debug, PartialEq)]
pub enum TargetWeights {
    /// By name, 1 for those that are not there.
    Named(BTreeMap<String, f64>),
    /// In the order of the targets, a number for each.
    Listed(Vec<f64>),
}

impl Default for TargetWeights {
    fn default() -> Self {
        TargetWeights::Named(BTreeMap::new())
    }
}

impl TargetWeights {
    /// As the setting `target_weights` has it.
    pub(super) fn read(settings: &Settings) -> Result<Self> {
        let text = settings.text(SETTING);
        let numbers: Option<Vec<f64>> = text
            .split(',')
            .map(|part| part.trim().parse().ok())
            .collect();
        match numbers.filter(|numbers| numbers.iter().all(counts)) {
            Some(numbers) => Ok(TargetWeights::Listed(numbers)),
            None => Ok(TargetWeights::Named(amounts(settings, SETTING)?)),
        }
    }

    /// Fails on a weight that is negative or no number, as reading it does.
    pub(super) fn check(&self) -> Result<()> {
        match self {
            TargetWeights::Named(amounts) => check_amounts(SETTING, amounts),
            TargetWeights::Listed(numbers) if numbers.iter().all(counts) => Ok(()),
            // A list that is none of numbers is read as names, and there is none in its first part.
            TargetWeights::Listed(numbers) => Err(no_amount(SETTING, &numbers[0].to_string())),
        }
    }

    fn of(&self, names: &[&str]) -> Result<Vec<f64>> {
        match self {
            TargetWeights::Named(amounts) => by_name("target_weights", amounts, names),
            TargetWeights::Listed(numbers) if numbers.len() == names.len() => Ok(numbers.clone()),
            TargetWeights::Listed(numbers) => Err(Error::SettingValue {
                name: "target_weights".to_owned(),
                value: numbers
                    .iter()
                    .map(f64::to_string)
                    .collect::<Vec<_>>()
                    .join(", "),
                expected: format!("a number for each of {}", listed(names)),
                nearest: None,
            }),
        }
    }
}
