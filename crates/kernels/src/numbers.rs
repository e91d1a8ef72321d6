//! The model of numbers: a weighted sum of kernel values for each target, whichever way its weights
//! were found.

use kinwood_learning::facts::ModelFacts;
use kinwood_values::container::{Sections, Stored, invalid};
use kinwood_values::{Attribute, View};
use serde_json::json;

use super::expansion::Expansion;
use super::explain::{self, Query};
use super::report::Report;
use kinwood_learning::context::Context;
use kinwood_learning::error::{Error, Result};
use kinwood_learning::examples::target_name;
use kinwood_learning::explanation::Explanation;
use kinwood_learning::model::Model;
use kinwood_learning::predictions::{Output, Predictions, TargetPrediction};

/// The section of a file.
const MACHINE: &str = "machine";

/// A function for each numeric target.
pub struct Numbers {
    expansion: Expansion,
    report: Report,
    /// What the method is called.
    method: &'static str,
}

impl Numbers {
    /// Functions, one for each target.
    pub fn new(expansion: Expansion, report: Report, method: &'static str) -> Self {
        Self {
            expansion,
            report,
            method,
        }
    }

    /// Reads a model, trusting nothing.
    pub fn read(stored: &Stored, method: &'static str) -> Result<Self> {
        let wrong = |reason: &str| -> Error { invalid(stored.full_name(MACHINE), reason).into() };
        let report: Report = stored.json(MACHINE)?;
        let expansion = Expansion::read(stored)?;
        let is_number = |target: &Attribute| target.column.numbers().is_some();
        if !expansion.stored().targets().all(is_number) {
            return Err(wrong("a target that is no number"));
        }
        let functions = expansion.functions().len();
        if functions == 0 || functions != expansion.stored().targets().count() {
            return Err(wrong("another number of functions than targets"));
        }
        if !report.sound() {
            return Err(wrong("a report that holds what is no number"));
        }
        Ok(Self::new(expansion, report, method))
    }

    fn told(&self, data: &View, row: usize, most: usize) -> Result<Explanation> {
        let (asked, kernel) = self.expansion.asked(data, row)?;
        let query = Query {
            asked: &asked,
            kernel: &kernel,
        };
        let names = self.expansion.stored().target_names();
        let mut targets = Vec::with_capacity(names.len());
        for (name, function) in names.into_iter().zip(self.expansion.functions()) {
            let value = function.of(&kernel);
            let said = (format!("{name} above the constant"), value - function.bias);
            let terms = explain::terms(&self.expansion, function, &query, most);
            let path = explain::nearest(&self.expansion, function, &query, said)?;
            targets.push(explain::of_target(
                name,
                vec![(String::new(), value)],
                self.expansion.stored().len(),
                terms,
                path.into_iter().collect(),
            ));
        }
        Ok(explain::of_row(&asked, targets))
    }
}

impl Model for Numbers {
    fn predict(&self, data: &View, context: &Context) -> Result<Predictions> {
        let values = self.expansion.values(data, context)?;
        let width = self.expansion.functions().len();
        let targets = self.expansion.stored().targets().enumerate();
        let targets = targets.map(|(place, target)| TargetPrediction {
            name: target_name(target).to_owned(),
            output: Output::of_numbers(values.iter().skip(place).step_by(width).copied().collect()),
        });
        Ok(Predictions {
            targets: targets.collect(),
        })
    }

    fn write(&self, sections: &mut Sections) -> Result<()> {
        sections.put_json(MACHINE, &self.report)?;
        self.expansion.write(sections)
    }

    fn show(&self) -> String {
        let mut text = format!(
            "{}, {}\nkernel: {}\n{}stored rows: {}\n",
            self.method,
            self.report.settings(),
            self.expansion.source().name(),
            self.report.to_text(),
            self.expansion.stored().len(),
        );
        let names = self.expansion.stored().target_names();
        for (name, machine) in names.iter().zip(&self.report.machines) {
            text += &format!("{name}: {}\n", machine.to_text());
        }
        text
    }

    fn to_json(&self) -> serde_json::Value {
        json!({
            "targets": self.expansion.stored().target_names(),
            "kernel": self.expansion.source().stored(),
            "rows": self.expansion.stored().len(),
            "report": self.report,
        })
    }

    fn facts(&self) -> ModelFacts {
        ModelFacts {
            compares: self.expansion.source().comparison(),
            ..ModelFacts::default()
        }
    }

    fn explain(&self, data: &View, row: usize, most: usize) -> Option<Result<Explanation>> {
        Some(self.told(data, row, most))
    }
}
