//! The model of bags: a function of members, and the highest value of it as the decision on a bag.

use kinwood_learning::facts::ModelFacts;
use std::sync::Arc;

use kinwood_machines::calibrate::Sigmoid;
use kinwood_values::container::{Sections, Stored, invalid};
use kinwood_values::{Column, Dictionary, View, column};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::train::EMPTY;
use crate::decide::MARGIN;
use crate::expansion::Expansion;
use crate::explain::{self, Query};
use crate::report::Report;
use crate::source::Source;
use kinwood_learning::context::Context;
use kinwood_learning::error::{Error, Result};
use kinwood_learning::examples::target_name;
use kinwood_learning::explanation::{Explanation, Step};
use kinwood_learning::model::Model;
use kinwood_learning::predictions::{Output, Predictions, TargetPrediction};

/// The section of a file.
const BAGS: &str = "bags";

/// What is decided, and what is known of the fitting.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Decided {
    /// The class of bags with a positive member.
    pub positive: u32,
    /// The class of the others.
    pub negative: u32,
    /// Whether predictions are probabilities.
    pub probabilities: bool,
    /// Slope and offset of the sigmoid, where there were enough bags to fit one.
    pub sigmoid: Option<(f64, f64)>,
    /// How often the machine was fitted.
    pub rounds: usize,
    /// Whether the last guess of positive members was the one before.
    pub settled: bool,
    /// What is known of the last fitting.
    pub report: Report,
}

/// A function of members that decides about bags.
pub struct BagClassifier {
    expansion: Expansion,
    decided: Decided,
    classes: Arc<Dictionary>,
}

impl BagClassifier {
    /// A function and what it decides; there is one nominal target.
    pub fn new(expansion: Expansion, decided: Decided) -> Self {
        let target = expansion.stored().targets().next();
        let known = target.and_then(|target| target.column.codes());
        let classes = known.map_or_else(Arc::default, |(_, classes)| Arc::clone(classes));
        Self {
            expansion,
            decided,
            classes,
        }
    }

    /// Whether a file holds one.
    pub fn is_in(stored: &Stored) -> bool {
        stored.has(BAGS)
    }

    /// Reads a model, trusting nothing.
    pub fn read(stored: &Stored) -> Result<Self> {
        let wrong = |reason: &str| -> Error { invalid(stored.full_name(BAGS), reason).into() };
        let decided: Decided = stored.json(BAGS)?;
        let expansion = Expansion::read(stored)?;
        let targets: Vec<_> = expansion.stored().targets().collect();
        let classes = match targets.as_slice() {
            [target] => target
                .column
                .codes()
                .map_or(0, |(_, classes)| classes.len()),
            _ => 0,
        };
        let known = |class: u32| (class as usize) < classes;
        let apart = decided.positive != decided.negative;
        if !known(decided.positive) || !known(decided.negative) || !apart {
            return Err(wrong("classes that the target does not have"));
        }
        let one = expansion.functions().len() == 1;
        if !one || !matches!(expansion.source(), Source::Members(_)) {
            return Err(wrong("no function of members"));
        }
        let finite = |(slope, offset): (f64, f64)| slope.is_finite() && offset.is_finite();
        if !decided.sigmoid.is_none_or(finite) || !decided.report.sound() {
            return Err(wrong("a number that is none"));
        }
        Ok(Self::new(expansion, decided))
    }

    /// The bags of a view.
    fn bags(&self, data: &View) -> Result<column::Members> {
        match self.expansion.source() {
            Source::Members(members) => members.bags(data),
            _ => unreachable!("checked when the model was made or read"),
        }
    }

    /// The shares of all classes, from the decision on a bag.
    fn shares(&self, decision: f64) -> Vec<f64> {
        let share = match (self.decided.probabilities, self.decided.sigmoid) {
            (false, _) => f64::from(u8::from(decision > 0.0)),
            (true, Some((slope, offset))) => Sigmoid { slope, offset }.probability(decision),
            (true, None) => MARGIN.probability(decision),
        };
        let mut shares = vec![0.0; self.classes.len()];
        shares[self.decided.positive as usize] = share;
        shares[self.decided.negative as usize] = 1.0 - share;
        shares
    }

    fn target(&self) -> &str {
        let target = self.expansion.stored().targets().next();
        target.map_or("", target_name)
    }

    fn told(&self, data: &View, row: usize, most: usize) -> Result<Explanation> {
        let one = data.select(&[row as u32]);
        let members: Column = *self.bags(&one)?.child;
        let function = &self.expansion.functions()[0];
        let values = self.expansion.values(&one, &Context::new())?;
        let (witness, decision) = highest(&values);
        let asked = members.gather(&[witness as u32][..members.len().min(1)]);
        let kernel = self.expansion.compared(&asked, 0)?;
        let (mut terms, mut path) = (Vec::new(), Vec::new());
        if !members.is_empty() {
            let query = Query {
                asked: &asked,
                kernel: &kernel,
            };
            let said = format!(
                "witness for {}: member {} of {}",
                self.classes.label(self.decided.positive),
                witness + 1,
                members.len()
            );
            terms = explain::terms(&self.expansion, function, &query, most);
            let near =
                explain::nearest(&self.expansion, function, &query, (said.clone(), decision))?;
            path.push(near.unwrap_or_else(|| Step {
                tree: 1,
                depth: 0,
                share: 1.0,
                test: said,
                value: format!("{decision:.6}"),
                holds: Some(decision > 0.0),
                near: None,
            }));
        }
        let labels = self.classes.labels().map(str::to_owned);
        let target = explain::of_target(
            self.target(),
            labels.zip(self.shares(decision)).collect(),
            self.expansion.stored().len(),
            terms,
            path,
        );
        Ok(explain::of_row(&asked, vec![target]))
    }
}

/// The member with the highest value, the first of equals, and the decision on the bag.
fn highest(values: &[f64]) -> (usize, f64) {
    let best = (1..values.len()).fold(0, |best, member| match values[member] > values[best] {
        true => member,
        false => best,
    });
    (best, values.get(best).copied().unwrap_or(EMPTY))
}

impl Model for BagClassifier {
    fn predict(&self, data: &View, context: &Context) -> Result<Predictions> {
        let values = self.expansion.values(data, context)?;
        let bags = self.bags(data)?;
        let shares = (0..data.len()).flat_map(|row| {
            let (_, decision) = highest(&values[bags.range(row)]);
            self.shares(decision)
        });
        Ok(Predictions {
            targets: vec![TargetPrediction {
                name: self.target().to_owned(),
                output: Output::of_classes(Arc::clone(&self.classes), shares.collect()),
            }],
        })
    }

    fn write(&self, sections: &mut Sections) -> Result<()> {
        sections.put_json(BAGS, &self.decided)?;
        self.expansion.write(sections)
    }

    fn show(&self) -> String {
        let decided = &self.decided;
        let settled = match decided.settled {
            true => "nothing changed in the last",
            false => "the last changed something",
        };
        let mut text = format!(
            "support vector machine on members of bags, {}\nkernel of members: {}\n{}positive: {}, by {} rounds, {settled}\nstored members: {}\n",
            decided.report.settings(),
            self.expansion.source().name(),
            decided.report.to_text(),
            self.classes.label(decided.positive),
            decided.rounds,
            self.expansion.stored().len(),
        );
        for machine in &decided.report.machines {
            text += &format!("the last machine: {}\n", machine.to_text());
        }
        text += &match decided.sigmoid {
            Some((slope, offset)) => {
                format!("probability 1 / (1 + exp({slope:.6} d {offset:+.6}))\n")
            }
            None if decided.probabilities => {
                "probabilities not calibrated, too few bags\n".to_owned()
            }
            None => String::new(),
        };
        text
    }

    fn to_json(&self) -> serde_json::Value {
        json!({
            "target": self.target(),
            "kernel": self.expansion.source().stored(),
            "members": self.expansion.stored().len(),
            "positive": self.classes.label(self.decided.positive),
            "negative": self.classes.label(self.decided.negative),
            "rounds": self.decided.rounds,
            "settled": self.decided.settled,
            "report": self.decided.report,
            "calibration": self.decided.sigmoid.map(|(slope, offset)| json!({"slope": slope, "offset": offset})),
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
