//! The model of classes: machines for pairs of classes, or the region of one class.

use kinwood_learning::facts::ModelFacts;
use std::sync::Arc;

use kinwood_machines::calibrate::Sigmoid;
use kinwood_values::container::{Sections, Stored, invalid};
use kinwood_values::{Dictionary, View};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::decide::{MARGIN, pairs, shares};
use super::expansion::{Expansion, Function};
use super::explain::{self, Query};
use super::report::Report;
use kinwood_learning::context::Context;
use kinwood_learning::error::{Error, Result};
use kinwood_learning::examples::target_name;
use kinwood_learning::explanation::Explanation;
use kinwood_learning::model::{Decisions, Model};
use kinwood_learning::predictions::{Output, Predictions, TargetPrediction};

/// What is predicted outside the region of the only class there is.
const OTHER: &str = "other";
/// The section of a file.
const MACHINE: &str = "machine";

/// What the functions decide.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// Between two classes each.
    Pairs {
        /// The classes that were learned, rising; there is a function for each pair.
        labels: Vec<u32>,
        /// The sigmoids of the pairs, where predictions are probabilities; none of those with too
        /// few objects.
        sigmoids: Option<Vec<Option<Sigmoid>>>,
    },
    /// Whether a row lies in the region of a class.
    OneClass {
        /// The class.
        class: u32,
        /// What rows outside are predicted to be; a class of its own where there is no other.
        other: Option<u32>,
        /// The usual size of decisions.
        scale: f64,
    },
}

/// Machines that decide about classes.
pub struct Classifier {
    expansion: Expansion,
    kind: Kind,
    report: Report,
    classes: Arc<Dictionary>,
    /// The sigmoids of all pairs, where predictions are probabilities.
    sigmoids: Option<Vec<Sigmoid>>,
}

/// What a file keeps beside the functions.
#[derive(Serialize, Deserialize)]
struct Description {
    decides: StoredKind,
    report: Report,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum StoredKind {
    Pairs {
        labels: Vec<u32>,
        /// Slopes and offsets.
        sigmoids: Option<Vec<Option<(f64, f64)>>>,
    },
    OneClass {
        class: u32,
        other: Option<u32>,
        scale: f64,
    },
}

impl Classifier {
    /// Functions and what they decide; there is one nominal target.
    pub fn new(expansion: Expansion, kind: Kind, report: Report) -> Self {
        let target = expansion.stored().targets().next();
        let known = target.and_then(|target| target.column.codes());
        let mut classes = known.map_or_else(Arc::default, |(_, classes)| Arc::clone(classes));
        if matches!(kind, Kind::OneClass { other: None, .. }) {
            Arc::make_mut(&mut classes).intern(OTHER);
        }
        let sigmoids = match &kind {
            Kind::Pairs { sigmoids, .. } => sigmoids.as_ref().map(|fitted| {
                let known = fitted.iter().map(|sigmoid| sigmoid.unwrap_or(MARGIN));
                known.collect()
            }),
            Kind::OneClass { .. } => None,
        };
        Self {
            expansion,
            kind,
            report,
            classes,
            sigmoids,
        }
    }

    /// The shares of all classes, from the values of the functions.
    fn shares(&self, decisions: &[f64]) -> Vec<f64> {
        let mut all = vec![0.0; self.classes.len()];
        match &self.kind {
            Kind::Pairs { labels, .. } => {
                let found = shares(labels.len(), decisions, self.sigmoids.as_deref());
                for (&label, share) in labels.iter().zip(found) {
                    all[label as usize] = share;
                }
            }
            Kind::OneClass {
                class,
                other,
                scale,
            } => {
                let inside = MARGIN.probability(decisions[0] / scale);
                let other = other.unwrap_or(self.classes.len() as u32 - 1);
                all[*class as usize] = inside;
                all[other as usize] = 1.0 - inside;
            }
        }
        all
    }

    /// The sum of the decisions for a class, as one function; none where there is nothing to
    /// decide.
    fn in_favour(&self, class: u32) -> Option<Function> {
        let signs: Vec<f64> = match &self.kind {
            Kind::OneClass { class: inside, .. } => {
                vec![if *inside == class { 1.0 } else { -1.0 }]
            }
            Kind::Pairs { labels, .. } => {
                let sign = |(first, second): (u32, u32)| match class {
                    class if class == first => 1.0,
                    class if class == second => -1.0,
                    _ => 0.0,
                };
                pairs(labels).into_iter().map(sign).collect()
            }
        };
        if signs.iter().all(|sign| *sign == 0.0) {
            return None;
        }
        let mut sum = Function {
            coefficients: vec![0.0; self.expansion.stored().len()],
            bias: 0.0,
        };
        for (sign, function) in signs.iter().zip(self.expansion.functions()) {
            let both = sum.coefficients.iter_mut().zip(&function.coefficients);
            both.for_each(|(sum, coefficient)| *sum += sign * coefficient);
            sum.bias += sign * function.bias;
        }
        Some(sum)
    }

    /// The name of the target.
    fn target(&self) -> &str {
        self.expansion
            .stored()
            .targets()
            .next()
            .map_or("", target_name)
    }

    /// How many stored rows each class has.
    fn support(&self) -> Vec<(&str, usize)> {
        let stored = self.expansion.stored();
        let mut counts = vec![0; self.classes.len()];
        if let Some(target) = stored.targets().next() {
            let codes = (0..stored.len()).filter_map(|row| target.column.code(row));
            codes.for_each(|code| counts[code as usize] += 1);
        }
        let named = self.classes.labels().zip(counts);
        named.filter(|(_, count)| *count > 0).collect()
    }

    /// Reads a model, trusting nothing.
    pub fn read(stored: &Stored) -> Result<Self> {
        let wrong = |reason: &str| -> Error { invalid(stored.full_name(MACHINE), reason).into() };
        let description: Description = stored.json(MACHINE)?;
        let expansion = Expansion::read(stored)?;
        let targets: Vec<_> = expansion.stored().targets().collect();
        let [target] = targets.as_slice() else {
            return Err(wrong("another number of targets than one"));
        };
        let Some((_, classes)) = target.column.codes() else {
            return Err(wrong("a target that is not nominal"));
        };
        let known = |class: u32| (class as usize) < classes.len();
        let functions = expansion.functions().len();
        let kind = match description.decides {
            StoredKind::Pairs { labels, sigmoids } => {
                let rising = labels.windows(2).all(|pair| pair[0] < pair[1]);
                let count = labels.len() * labels.len().saturating_sub(1) / 2;
                if labels.is_empty() || !rising || !labels.iter().all(|&label| known(label)) {
                    return Err(wrong("classes that the target does not have"));
                }
                let finite = |sigmoid: &(f64, f64)| sigmoid.0.is_finite() && sigmoid.1.is_finite();
                let sound = |sigmoids: &Vec<Option<(f64, f64)>>| {
                    sigmoids.len() == count && sigmoids.iter().flatten().all(finite)
                };
                if functions != count || !sigmoids.as_ref().is_none_or(sound) {
                    return Err(wrong("another number of machines than pairs of classes"));
                }
                let sigmoid = |(slope, offset)| Sigmoid { slope, offset };
                let sigmoids = sigmoids.map(|sigmoids| {
                    let sigmoids = sigmoids.into_iter();
                    sigmoids.map(|stored| stored.map(sigmoid)).collect()
                });
                Kind::Pairs { labels, sigmoids }
            }
            StoredKind::OneClass {
                class,
                other,
                scale,
            } => {
                let apart = other.is_none_or(|other| known(other) && other != class);
                let sound = scale.is_finite() && scale > 0.0;
                if functions != 1 || !known(class) || !apart || !sound {
                    return Err(wrong("a region of no class"));
                }
                Kind::OneClass {
                    class,
                    other,
                    scale,
                }
            }
        };
        if !description.report.sound() || description.report.machines.len() != functions {
            return Err(wrong("a report of other machines"));
        }
        Ok(Self::new(expansion, kind, description.report))
    }
}

impl Model for Classifier {
    fn predict(&self, data: &View, context: &Context) -> Result<Predictions> {
        let values = self.expansion.values(data, context)?;
        let width = self.expansion.functions().len();
        let decisions = |row: usize| &values[row * width..(row + 1) * width];
        let shares = (0..data.len()).flat_map(|row| self.shares(decisions(row)));
        Ok(Predictions {
            targets: vec![TargetPrediction {
                name: self.target().to_owned(),
                output: Output::of_classes(Arc::clone(&self.classes), shares.collect()),
            }],
        })
    }

    fn decisions(&self, data: &View, context: &Context) -> Option<Result<Decisions>> {
        let label = |class: u32| self.classes.label(class).to_owned();
        let between = match &self.kind {
            Kind::Pairs { labels, .. } => pairs(labels)
                .into_iter()
                .map(|(first, second)| [label(first), label(second)])
                .collect(),
            Kind::OneClass { class, other, .. } => {
                let other = other.unwrap_or(self.classes.len() as u32 - 1);
                vec![[label(*class), label(other)]]
            }
        };
        let values = self.expansion.values(data, context);
        Some(values.map(|values| Decisions { between, values }))
    }

    fn write(&self, sections: &mut Sections) -> Result<()> {
        let decides = match &self.kind {
            Kind::Pairs { labels, sigmoids } => StoredKind::Pairs {
                labels: labels.clone(),
                sigmoids: sigmoids.as_ref().map(|sigmoids| {
                    let parts = |sigmoid: Sigmoid| (sigmoid.slope, sigmoid.offset);
                    sigmoids.iter().map(|sigmoid| sigmoid.map(parts)).collect()
                }),
            },
            Kind::OneClass {
                class,
                other,
                scale,
            } => StoredKind::OneClass {
                class: *class,
                other: *other,
                scale: *scale,
            },
        };
        let description = Description {
            decides,
            report: self.report.clone(),
        };
        sections.put_json(MACHINE, &description)?;
        self.expansion.write(sections)
    }

    fn show(&self) -> String {
        let support: Vec<String> = self
            .support()
            .iter()
            .map(|(label, count)| format!("{count} of {label}"))
            .collect();
        let mut text = format!(
            "support vector machine, {}\nkernel: {}\n{}stored rows: {}\n",
            self.report.settings(),
            self.expansion.source().name(),
            self.report.to_text(),
            support.join(", "),
        );
        for (name, machine) in self.names().iter().zip(&self.report.machines) {
            text += &format!("{name}: {}\n", machine.to_text());
        }
        if let Kind::Pairs {
            sigmoids: Some(sigmoids),
            ..
        } = &self.kind
        {
            for (name, sigmoid) in self.names().iter().zip(sigmoids) {
                text += &match sigmoid {
                    Some(Sigmoid { slope, offset }) => {
                        format!("{name}: probability 1 / (1 + exp({slope:.6} d {offset:+.6}))\n")
                    }
                    None => format!("{name}: probabilities not calibrated, too few rows\n"),
                };
            }
        }
        text
    }

    fn to_json(&self) -> serde_json::Value {
        let mut json = json!({
            "target": self.target(),
            "kernel": self.expansion.source().stored(),
            "support": self.support().into_iter().collect::<std::collections::BTreeMap<_, _>>(),
            "rows": self.expansion.stored().len(),
            "report": self.report,
            "machines": self.names(),
        });
        match &self.kind {
            Kind::Pairs {
                sigmoids: Some(sigmoids),
                ..
            } => {
                let told = |sigmoid: &Option<Sigmoid>| {
                    sigmoid.map(|found| json!({"slope": found.slope, "offset": found.offset}))
                };
                json["calibration"] = sigmoids.iter().map(told).collect();
            }
            Kind::Pairs { sigmoids: None, .. } => {}
            Kind::OneClass { scale, .. } => json["scale"] = json!(scale),
        }
        json
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

impl Classifier {
    /// What each machine decides.
    fn names(&self) -> Vec<String> {
        let label = |class: u32| self.classes.label(class);
        match &self.kind {
            Kind::Pairs { labels, .. } => pairs(labels)
                .into_iter()
                .map(|(first, second)| format!("{} or {}", label(first), label(second)))
                .collect(),
            Kind::OneClass { class, .. } => vec![format!("{} or not", label(*class))],
        }
    }

    fn told(&self, data: &View, row: usize, most: usize) -> Result<Explanation> {
        let (asked, kernel) = self.expansion.asked(data, row)?;
        let functions = self.expansion.functions().iter();
        let decisions: Vec<f64> = functions.map(|function| function.of(&kernel)).collect();
        let shares = self.shares(&decisions);
        let best = (1..shares.len()).fold(0, |best, class| match shares[class] > shares[best] {
            true => class,
            false => best,
        });
        let (mut terms, mut path) = (Vec::new(), Vec::new());
        if let Some(function) = self.in_favour(best as u32) {
            let query = Query {
                asked: &asked,
                kernel: &kernel,
            };
            let said = format!("for {}", self.classes.label(best as u32));
            let value = function.of(&kernel);
            terms = explain::terms(&self.expansion, &function, &query, most);
            path.extend(explain::nearest(
                &self.expansion,
                &function,
                &query,
                (said, value),
            )?);
        }
        let labels = self.classes.labels().map(str::to_owned);
        let target = explain::of_target(
            self.target(),
            labels.zip(shares).collect(),
            self.expansion.stored().len(),
            terms,
            path,
        );
        Ok(explain::of_row(&asked, vec![target]))
    }
}
