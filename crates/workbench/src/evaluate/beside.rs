//! What stands beside the measures of an evaluation: a baseline on the same folds, and which
//! classes were taken for which.

use kinwood_evaluation::measures::curves::{Confusion, confusion};
use kinwood_evaluation::run::{Evaluation, evaluate};
use kinwood_evaluation::splits::Plan;
use kinwood_evaluation::truth::Truth;
use kinwood_learners::{Context, Registry};
use kinwood_text::{Align, TextTable};
use serde_json::{Map, Value, json};

use crate::data::Problem;

/// The learners that look at no input, in the order they are tried.
const BASELINES: [(&str, &str); 2] = [
    ("majority", "always answers the most frequent class"),
    ("mean", "always answers the mean"),
];

/// More classes than this make a table that nobody reads on a terminal.
const CLASSES_SHOWN: usize = 20;

/// A learner that looks at no input, evaluated on the same folds.
#[derive(Clone, Debug)]
pub struct Baseline {
    /// The learner.
    pub learner: &'static str,
    /// What it does, after its name.
    pub does: &'static str,
    /// What came of it.
    pub evaluation: Evaluation,
}

impl Baseline {
    /// The baseline of a problem; `None` where the learner is one itself, or where there is none
    /// for the targets.
    pub fn of(
        registry: &Registry,
        learner: &str,
        problem: &Problem,
        plan: &Plan,
        context: &Context,
    ) -> Option<Self> {
        if BASELINES.iter().any(|(name, _)| *name == learner) {
            return None;
        }
        let none: [(&str, &str); 0] = [];
        BASELINES.iter().find_map(|&(name, does)| {
            let entry = registry.find(name).ok()?;
            let settings = entry.settings(&none).ok()?;
            let learner = entry.learner(&settings).ok()?;
            // A learner that does not predict such targets says so at once.
            let evaluation =
                evaluate(&*learner, &problem.view, &problem.targets, plan, context).ok()?;
            Some(Self {
                learner: name,
                does,
                evaluation,
            })
        })
    }

    /// As programs read it.
    pub fn to_json(&self) -> Value {
        let by_measure = |values: Vec<Option<f64>>| -> Map<String, Value> {
            let names = self.evaluation.measures.iter().cloned();
            names.zip(values.into_iter().map(Value::from)).collect()
        };
        let means = self.evaluation.summaries.iter();
        json!({
            "learner": self.learner,
            "mean": by_measure(means.map(|summary| summary.mean).collect()),
            "pooled": by_measure(self.evaluation.pooled.clone()),
        })
    }
}

/// The target at a position, and which of its classes were taken for which over the test rows of
/// all folds; `None` where it is no class.
pub fn confusion_of(evaluation: &Evaluation, target: usize) -> Option<Confused> {
    let truth: &Truth = &evaluation.truths[target];
    let classes: Vec<String> = truth
        .values
        .kind()
        .dictionary()
        .map(|_| truth.values.kind().parts())?;
    truth.values.classes()?;
    let (mut true_classes, mut answers) = (Vec::new(), Vec::new());
    for (split, predictions) in evaluation.splits.iter().zip(&evaluation.predictions) {
        let output = &predictions.targets[target].output;
        for (position, &row) in split.test.iter().enumerate() {
            true_classes.push(truth.values.class(row as usize));
            answers.push(output.class(position)?);
        }
    }
    let counts = confusion(&true_classes, &answers, classes.len(), None).ok()?;
    Some(Confused {
        target: truth.name.clone(),
        classes,
        counts,
    })
}

/// Which classes of a target were taken for which.
#[derive(Clone, Debug)]
pub struct Confused {
    /// The target.
    pub target: String,
    /// The names of the classes.
    pub classes: Vec<String>,
    /// How often each true class was answered by each.
    pub counts: Confusion,
}

impl Confused {
    /// As people read it; nothing where there are too many classes.
    pub fn to_text(&self, several: bool) -> String {
        let count = self.classes.len();
        if count > CLASSES_SHOWN {
            return String::new();
        }
        let corner = match several {
            true => format!("true {} \\ predicted", self.target),
            false => "true \\ predicted".to_owned(),
        };
        let aligns = (0..=count).map(|column| match column {
            0 => Align::Left,
            _ => Align::Right,
        });
        let mut table = TextTable::new(aligns.collect::<Vec<Align>>());
        table.line(std::iter::once(corner).chain(self.classes.iter().cloned()));
        for (truth, class) in self.classes.iter().enumerate() {
            let counts = (0..count).map(|answer| format!("{}", self.counts.count(truth, answer)));
            table.line(std::iter::once(class.clone()).chain(counts));
        }
        format!("\n{table}")
    }

    /// As programs read it: a row a true class, a column an answer.
    pub fn to_json(&self) -> Value {
        let count = self.classes.len();
        let row = |truth: usize| -> Vec<u64> {
            let counts = (0..count).map(|answer| self.counts.count(truth, answer) as u64);
            counts.collect()
        };
        let rows: Vec<Vec<u64>> = (0..count).map(row).collect();
        json!({"target": self.target, "classes": self.classes, "counts": rows})
    }
}
