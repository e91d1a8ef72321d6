//! Baselines: the class shares, or the mean, of the training rows, whatever the inputs say.

use std::sync::Arc;

use kinwood_values::container::{Sections, Stored, invalid};
use kinwood_values::{Dictionary, View};
use serde::{Deserialize, Serialize};
use serde_json::json;

use kinwood_learning::context::Context;
use kinwood_learning::entry::{Entry, Targets};
use kinwood_learning::error::{Error, Result};
use kinwood_learning::model::{Learner, Model};
use kinwood_learning::predictions::{Output, Predictions, TargetPrediction, normalised};
use kinwood_learning::task::{Target, Task};

/// The registry's entry for the most frequent class.
pub const MAJORITY: Entry = Entry {
    name: "majority",
    summary: "Predicts the class shares of the training rows: what every other learner has to beat.",
    reference: "the default rule; e.g. Holte 1993",
    targets: Targets::NOMINAL,
    several_targets: true,
    follows_keys: |_| false,
    flat: true,
    parameters: &[],
    build: |_| Ok(Box::new(Majority)),
    load: |stored| Ok(Box::new(Constant::read(stored, Targets::NOMINAL)?)),
};

/// The registry's entry for the mean.
pub const MEAN: Entry = Entry {
    name: "mean",
    summary: "Predicts the mean of the training rows: what every other learner of numbers has to beat.",
    reference: "the default rule for numbers",
    targets: Targets::NUMERIC,
    several_targets: true,
    follows_keys: |_| false,
    flat: true,
    parameters: &[],
    build: |_| Ok(Box::new(Mean)),
    load: |stored| Ok(Box::new(Constant::read(stored, Targets::NUMERIC)?)),
};

/// The class shares of the training rows, whatever is asked about. It has no settings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Majority;

impl Learner for Majority {
    fn fit(&self, task: &Task, _: &Context) -> Result<Box<dyn Model>> {
        Ok(Box::new(Constant::of(task, Targets::NOMINAL)?))
    }
}

/// The mean of the training rows, whatever is asked about. It has no settings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mean;

impl Learner for Mean {
    fn fit(&self, task: &Task, _: &Context) -> Result<Box<dyn Model>> {
        Ok(Box::new(Constant::of(task, Targets::NUMERIC)?))
    }
}

/// What is known of each target, and nothing else.
struct Constant {
    expects: Targets,
    parts: Vec<Part>,
}

struct Part {
    name: String,
    tally: Tally,
}

enum Tally {
    Classes {
        classes: Arc<Dictionary>,
        weights: Vec<f64>,
    },
    Numbers {
        weight: f64,
        sum: f64,
    },
}

impl Part {
    fn new(target: &Target, expects: Targets) -> Result<Self> {
        let tally = match target.classes().filter(|_| expects == Targets::NOMINAL) {
            Some(classes) => Tally::Classes {
                classes: Arc::clone(classes),
                weights: vec![0.0; classes.len()],
            },
            None if expects == Targets::NUMERIC && target.is_number() => Tally::Numbers {
                weight: 0.0,
                sum: 0.0,
            },
            None => {
                let (learner, hint) = match expects == Targets::NUMERIC {
                    true => ("mean", "; `majority` is the baseline for classes"),
                    false => ("majority", "; `mean` is the baseline for numbers"),
                };
                return Err(Error::TargetType {
                    learner,
                    expected: expects.name(),
                    target: target.name().to_owned(),
                    found: target.found(),
                    hint,
                });
            }
        };
        Ok(Self {
            name: target.name().to_owned(),
            tally,
        })
    }
}

impl Constant {
    fn of(task: &Task, expects: Targets) -> Result<Self> {
        let parts = task
            .targets()
            .iter()
            .map(|target| Part::new(target, expects))
            .collect::<Result<_>>()?;
        let mut constant = Self { expects, parts };
        constant.count(task)?;
        Ok(constant)
    }

    fn count(&mut self, task: &Task) -> Result<()> {
        for (part, target) in self.parts.iter_mut().zip(task.targets()) {
            match &mut part.tally {
                Tally::Classes { classes, weights } => {
                    let known = target.classes().ok_or_else(|| other_kind(target))?;
                    if known.len() > classes.len() {
                        *classes = Arc::clone(known);
                        weights.resize(known.len(), 0.0);
                    }
                    for position in 0..task.view().len() {
                        if let Some(class) = target.class(position) {
                            weights[class as usize] += task.weight(position);
                        }
                    }
                }
                Tally::Numbers { weight, sum } => {
                    for position in 0..task.view().len() {
                        if let Some(number) = target.number(position) {
                            *weight += task.weight(position);
                            *sum += task.weight(position) * number;
                        }
                    }
                }
            }
        }
        Ok(())
    }

    fn read(stored: &Stored, expects: Targets) -> Result<Self> {
        let described: Vec<StoredPart> = stored.json("targets")?;
        let parts = described
            .into_iter()
            .enumerate()
            .map(|(position, described)| {
                let scope = stored.scope(&position.to_string());
                let wrong = |section: &str, reason: &str| -> Error {
                    invalid(scope.full_name(section), reason).into()
                };
                let tally = if expects == Targets::NOMINAL {
                    let labels = scope.text("classes")?;
                    let classes = Dictionary::from_labels(&labels);
                    if classes.len() != labels.len() {
                        return Err(wrong("classes", "a class stands twice"));
                    }
                    let weights = scope.f64s_len("weights", labels.len())?;
                    if !weights
                        .iter()
                        .all(|weight| weight.is_finite() && *weight >= 0.0)
                    {
                        return Err(wrong("weights", "a weight that is none"));
                    }
                    Tally::Classes {
                        classes: Arc::new(classes),
                        weights,
                    }
                } else {
                    let numbers = scope.f64s_len("numbers", 2)?;
                    if !numbers.iter().all(|number| number.is_finite()) {
                        return Err(wrong("numbers", "a number that is none"));
                    }
                    Tally::Numbers {
                        weight: numbers[0],
                        sum: numbers[1],
                    }
                };
                Ok(Part {
                    name: described.name,
                    tally,
                })
            })
            .collect::<Result<_>>()?;
        Ok(Self { expects, parts })
    }
}

fn other_kind(target: &Target) -> Error {
    Error::AppendedData {
        reason: format!(
            "target `{}` is a `{}` now",
            target.name(),
            target.values().type_of()
        ),
    }
}

#[derive(Serialize, Deserialize)]
struct StoredPart {
    name: String,
}

impl Tally {
    fn mean(weight: f64, sum: f64) -> f64 {
        if weight > 0.0 { sum / weight } else { 0.0 }
    }
}

impl Model for Constant {
    fn predict(&self, data: &View, _: &Context) -> Result<Predictions> {
        let targets = self
            .parts
            .iter()
            .map(|part| {
                let output = match &part.tally {
                    Tally::Classes { classes, weights } => Output::of_classes(
                        Arc::clone(classes),
                        normalised(weights.clone()).repeat(data.len()),
                    ),
                    Tally::Numbers { weight, sum } => {
                        Output::of_numbers(vec![Tally::mean(*weight, *sum); data.len()])
                    }
                };
                TargetPrediction {
                    name: part.name.clone(),
                    output,
                }
            })
            .collect();
        Ok(Predictions { targets })
    }

    fn write(&self, sections: &mut Sections) -> Result<()> {
        let names: Vec<StoredPart> = self
            .parts
            .iter()
            .map(|part| StoredPart {
                name: part.name.clone(),
            })
            .collect();
        sections.put_json("targets", &names)?;
        for (position, part) in self.parts.iter().enumerate() {
            let mut scope = sections.scope(&position.to_string());
            match &part.tally {
                Tally::Classes { classes, weights } => {
                    scope.put_text("classes", &classes.labels().collect::<Vec<_>>())?;
                    scope.put_f64("weights", weights)?;
                }
                Tally::Numbers { weight, sum } => scope.put_f64("numbers", &[*weight, *sum])?,
            }
        }
        Ok(())
    }

    fn show(&self) -> String {
        let lines = self.parts.iter().map(|part| match &part.tally {
            Tally::Classes { classes, weights } => {
                let shares = normalised(weights.clone());
                let list = classes
                    .labels()
                    .zip(shares)
                    .map(|(class, share)| format!("{class} {:.1}%", 100.0 * share));
                format!("{}: {}\n", part.name, list.collect::<Vec<_>>().join(", "))
            }
            Tally::Numbers { weight, sum } => {
                format!("{} = {}\n", part.name, Tally::mean(*weight, *sum))
            }
        });
        lines.collect()
    }

    fn to_json(&self) -> serde_json::Value {
        let targets = self.parts.iter().map(|part| match &part.tally {
            Tally::Classes { classes, weights } => {
                let shares: serde_json::Map<String, serde_json::Value> = classes
                    .labels()
                    .zip(normalised(weights.clone()))
                    .map(|(class, share)| (class.to_owned(), share.into()))
                    .collect();
                json!({"target": part.name, "shares": shares})
            }
            Tally::Numbers { weight, sum } => {
                json!({"target": part.name, "mean": Tally::mean(*weight, *sum)})
            }
        });
        json!({"targets": targets.collect::<Vec<_>>()})
    }

    fn append(&mut self, task: &Task) -> Option<Result<()>> {
        let fits = task.targets().iter().all(|target| {
            if self.expects == Targets::NOMINAL {
                target.classes().is_some()
            } else {
                target.is_number()
            }
        });
        Some(if fits {
            self.count(task)
        } else {
            Err(Error::AppendedData {
                reason: "a target is of another type".to_owned(),
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kinwood_learning::testing::{self, check_learner};

    #[test]
    fn majority_and_mean_keep_the_rules_of_learners() {
        check_learner(&MAJORITY, &testing::mixed_view(60), &[testing::CLASS]);
        check_learner(&MEAN, &testing::mixed_view(60), &[testing::NUMBER]);
    }

    #[test]
    fn a_number_is_no_class() {
        let task = Task::new(&testing::mixed_view(20), &[testing::NUMBER]).unwrap();
        let learner = (MAJORITY.build)(&Default::default()).unwrap();
        let message = learner
            .fit(&task, &Context::new())
            .err()
            .unwrap()
            .to_string();
        assert_eq!(
            message,
            "`majority` predicts nominal targets, and `amount` is numeric; `mean` is the baseline for numbers"
        );
    }
}
