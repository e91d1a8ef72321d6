//! A learner of one's own: an entry in the registry, and it can be evaluated, kept in files and
//! compared like any other.
#![allow(clippy::print_stdout, reason = "an example shows what it does")]

use kinwood::container::{Sections, Stored};
use kinwood::learners::{Allowed, Entry, Output, Parameter, Settings, TargetPrediction, Targets};
use kinwood::learners::{Error as LearnerError, Result as Learned};
use kinwood::prelude::*;
use serde_json::json;

/// All that the library needs to know: command line, manual and model loader are derived from such
/// entries.
const QUANTILE: Entry = Entry {
    name: "quantile",
    summary: "Predicts a quantile of the training rows, whatever the inputs say.",
    reference: "an example",
    targets: Targets::NUMERIC,
    several_targets: false,
    follows_keys: |_| false,
    flat: true,
    parameters: &[Parameter {
        name: "share",
        doc: "the share of training rows that lie below",
        allowed: Allowed::Real {
            least: 0.0,
            most: 1.0,
        },
        default: "0.5",
    }],
    build: |settings: &Settings| {
        Ok(Box::new(Quantile {
            share: settings.real("share"),
        }))
    },
    load: |stored| Ok(Box::new(Constant::read(stored)?)),
};

/// The method with its settings.
struct Quantile {
    share: f64,
}

impl Learner for Quantile {
    fn fit(&self, task: &Task, _: &Context) -> Learned<Box<dyn Model>> {
        // A task hides the targets from the rows and has them apart; entries that say so are given
        // one number.
        let target = &task.targets()[0];
        let mut numbers: Vec<f64> = (0..task.view().len())
            .filter_map(|position| target.number(position))
            .collect();
        numbers.sort_by(f64::total_cmp);
        let place = (numbers.len().saturating_sub(1) as f64 * self.share).round() as usize;
        Ok(Box::new(Constant {
            target: target.name().to_owned(),
            number: numbers.get(place).copied().unwrap_or_default(),
        }))
    }
}

/// What was learned.
struct Constant {
    target: String,
    number: f64,
}

impl Constant {
    fn read(stored: &Stored) -> Learned<Self> {
        Ok(Self {
            target: stored.json("target")?,
            number: stored.f64s_len("number", 1)?[0],
        })
    }
}

impl Model for Constant {
    fn predict(&self, data: &View, _: &Context) -> Learned<Predictions> {
        let targets = vec![TargetPrediction {
            name: self.target.clone(),
            output: Output::of_numbers(vec![self.number; data.len()]),
        }];
        Ok(Predictions { targets })
    }

    fn write(&self, sections: &mut Sections) -> Learned<()> {
        sections.put_json("target", &self.target)?;
        Ok(sections.put_f64("number", &[self.number])?)
    }

    fn show(&self) -> String {
        format!("{} = {}\n", self.target, self.number)
    }

    fn to_json(&self) -> serde_json::Value {
        json!({"target": self.target, "number": self.number})
    }
}

/// Runs the example.
pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut learners = Registry::new();
    learners.register(QUANTILE);

    let data = gather(Tables {
        source: "apples".to_owned(),
        tables: vec![sample::table(200, 0.1, 1)],
        ..Tables::default()
    })?;
    let choices = Choices {
        targets: vec!["price".to_owned()],
        ..Choices::default()
    };
    let (problem, _) = data.problem(&choices)?;
    let context = Context::new();
    for learner in ["mean", "quantile"] {
        let report = evaluate(
            &learners,
            learner,
            &[],
            &problem,
            None,
            data.source(),
            &context,
        )?;
        println!("{}", report.to_text());
    }

    // Settings are text, checked against the entry.
    let wrong = [("share".to_owned(), "2".to_owned())];
    let refused = learners.find("quantile")?.settings(&wrong);
    assert!(refused.is_err_and(|error: LearnerError| error.to_string().contains("share")));

    // Its models are kept in files, and found again by the name of the learner.
    let given = [("share".to_owned(), "0.9".to_owned())];
    let origin = Origin::default();
    let (model, _) = Trained::fit(&learners, "quantile", &given, &problem, &origin, &context)?;
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("prices.kin");
    model.save(&file)?;
    let loaded = Trained::load(&file, &learners)?;
    println!("{}", loaded.model().show());
    assert_eq!(loaded.model().show(), model.model().show());
    Ok(())
}
