//! How targets are graded, from settings: what each target, class and label counts.

use std::collections::BTreeMap;

use super::super::amounts::{amounts, by_name, listed};
use super::super::model::{TargetKind, TargetOf};
use super::super::respond::Grades;
use super::super::response::Impurity;
use kinwood_learning::entry::Entry;
use kinwood_learning::error::{Error, Result};
use kinwood_learning::settings::Settings;
use kinwood_learning::task::Task;

/// How targets are graded.
pub struct Grading {
    impurity: Option<Impurity>,
    class_weights: BTreeMap<String, f64>,
    target_weights: TargetWeights,
    hierarchy_weight: f64,
}

impl Grading {
    /// Reads the settings of it.
    pub fn read(settings: &Settings) -> Result<Self> {
        Ok(Self {
            impurity: match settings.text("heuristic") {
                "auto" => None,
                "gini" | "variance" => Some(Impurity::Gini),
                _ => Some(Impurity::Entropy),
            },
            class_weights: amounts(settings, "class_weights")?,
            target_weights: targets(settings)?,
            hierarchy_weight: settings.real("hierarchy_weight"),
        })
    }

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
                    found: target.values().type_of().to_string(),
                    hint: "",
                })
            })
            .collect::<Result<_>>()?;
        if let Some(labels) = kinds
            .iter()
            .find(|target| matches!(target.kind, TargetKind::Labels { .. }))
            && kinds.len() > 1
        {
            return Err(Error::TargetType {
                learner: entry.name,
                expected: "several nominal and numeric",
                target: labels.name.clone(),
                found: "a set of labels".to_owned(),
                hint: ": a set of labels is predicted alone",
            });
        }
        Ok(kinds)
    }

    /// The grades of targets.
    pub fn grades(&self, kinds: &[TargetOf]) -> Result<Grades<'_>> {
        let names: Vec<&str> = kinds.iter().map(|target| target.name.as_str()).collect();
        let classes: Vec<&str> = kinds
            .iter()
            .flat_map(|target| match &target.kind {
                TargetKind::Classes(classes) => classes.labels().collect::<Vec<_>>(),
                _ => Vec::new(),
            })
            .collect();
        if !self.class_weights.is_empty()
            && !matches!(kinds, [one] if matches!(one.kind, TargetKind::Classes(_)))
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

/// How much each target counts.
enum TargetWeights {
    Named(BTreeMap<String, f64>),
    /// In the order of the targets.
    Listed(Vec<f64>),
}

fn targets(settings: &Settings) -> Result<TargetWeights> {
    let text = settings.text("target_weights");
    let numbers: Option<Vec<f64>> = text
        .split(',')
        .map(|part| part.trim().parse().ok())
        .collect();
    match numbers.filter(|numbers| {
        numbers
            .iter()
            .all(|number| number.is_finite() && *number >= 0.0)
    }) {
        Some(numbers) => Ok(TargetWeights::Listed(numbers)),
        None => Ok(TargetWeights::Named(amounts(settings, "target_weights")?)),
    }
}

impl TargetWeights {
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
