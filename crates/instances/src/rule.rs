//! 1R: the one attribute that classifies best, by a rule a line long for each of its values.
//!
//! Reference: Holte, *Very simple classification rules perform well on most commonly used
//! datasets*, Machine Learning 11, 1993. Numbers are cut into intervals that each hold at least
//! `bucket` rows of their most frequent class (6 in the paper; the last may hold fewer); equal
//! numbers are never parted and neighbouring intervals that say the same are one. A missing value
//! is a value of its own. Ties go to the first attribute and the first class.

mod intervals;

use std::sync::Arc;

use kinwood_values::container::{Sections, Stored, invalid};
use kinwood_values::{Cells, Dictionary, View};
use serde::{Deserialize, Serialize};
use serde_json::json;

use intervals::intervals;
use kinwood_learning::context::Context;
use kinwood_learning::entry::{Entry, Targets};
use kinwood_learning::error::{Error, Result};
use kinwood_learning::model::{Learner, Model};
use kinwood_learning::predictions::{Output, Predictions, TargetPrediction, normalised};
use kinwood_learning::settings::{Allowed, Parameter, Settings};
use kinwood_learning::task::{Target, Task};

/// The registry's entry.
pub const ONE_R: Entry = Entry {
    name: "oner",
    summary: "1R: predicts the class from the single attribute that classifies the training rows best.",
    reference: "Holte, Very simple classification rules perform well on most commonly used datasets, Machine Learning 11, 1993",
    targets: Targets::NOMINAL,
    several_targets: false,
    follows_keys: |_| false,
    flat: true,
    parameters: &[Parameter {
        name: "bucket",
        doc: "How many rows of its most frequent class an interval of numbers holds at least.",
        allowed: Allowed::Whole {
            least: 1,
            most: u64::MAX,
        },
        default: "6",
    }],
    build: |settings| Ok(Box::new(OneR::read(settings)?)),
    load: |stored| Ok(Box::new(Rule::read(stored)?)),
};

/// 1R: the one attribute that classifies best, by a rule for each of its values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OneR {
    /// How many rows of its most frequent class an interval of numbers holds at least, from 1; 6 by
    /// default.
    pub bucket: usize,
}

impl Default for OneR {
    fn default() -> Self {
        Self::read(&ONE_R.defaults()).expect("the defaults are settings")
    }
}

impl OneR {
    /// As the settings of the registry's entry have it.
    pub fn read(settings: &Settings) -> Result<Self> {
        Ok(Self {
            bucket: settings.whole("bucket"),
        })
    }
}

/// The rows of a class each weigh something: one entry a class.
type Tally = Vec<f64>;

impl Learner for OneR {
    fn fit(&self, task: &Task, context: &Context) -> Result<Box<dyn Model>> {
        ONE_R.check("bucket", self.bucket)?;
        let target = single_target(task)?;
        let classes = Arc::clone(target.1);
        let mut best: Option<(f64, Rule)> = None;
        for column in task.view().inputs() {
            context.check()?;
            let Some(rule) = self.rule(task, target.0, &classes, column) else {
                continue;
            };
            let right = rule.right();
            // Strictly better replaces, beyond what the order of a sum can do: the first of equals
            // stays.
            if best
                .as_ref()
                .is_none_or(|(most, _)| right > most * (1.0 + 1e-12))
            {
                best = Some((right, rule));
            }
        }
        match best {
            Some((_, rule)) => Ok(Box::new(rule)),
            None => Err(Error::NoInputs {
                learner: ONE_R.name,
                table: task.view().table().name().to_owned(),
            }),
        }
    }
}

fn single_target(task: &Task) -> Result<(&Target, &Arc<Dictionary>)> {
    let wrong = |target: &Target, found: String| Error::TargetType {
        learner: ONE_R.name,
        expected: "single nominal".to_owned(),
        target: target.name().to_owned(),
        found,
        hint: "",
    };
    match task.targets() {
        [target] => match target.classes() {
            Some(classes) => Ok((target, classes)),
            None => Err(wrong(target, target.found())),
        },
        [first, ..] => Err(wrong(first, "one of several".to_owned())),
        [] => unreachable!("a task has a target"),
    }
}

impl OneR {
    /// The rule on one column; `None` for a type that it cannot look at.
    fn rule(
        &self,
        task: &Task,
        target: &Target,
        classes: &Arc<Dictionary>,
        column: usize,
    ) -> Option<Rule> {
        let view = task.view();
        let attribute = view.table().attribute(column);
        let values = view.column(view.table_position(), column)?;
        let mut missing = vec![0.0; classes.len()];
        let mut known: Vec<(usize, u32, f64)> = Vec::with_capacity(view.len());
        for position in 0..view.len() {
            let Some(class) = target.class(position) else {
                continue;
            };
            let row = view.row(position) as usize;
            if values.is_present(row) {
                known.push((row, class, task.weight(position)));
            } else {
                missing[class as usize] += task.weight(position);
            }
        }
        let choice = match values.cells() {
            Cells::Nominal { codes, dictionary } => {
                let mut tallies = vec![vec![0.0; classes.len()]; dictionary.len()];
                for &(row, class, weight) in &known {
                    tallies[codes[row] as usize][class as usize] += weight;
                }
                Choice::Label {
                    labels: Arc::clone(dictionary),
                    tallies,
                }
            }
            Cells::Numeric(numbers) => self.cut(&known, classes.len(), false, |row| numbers[row]),
            Cells::DateTime(instants) => {
                self.cut(&known, classes.len(), true, |row| instants[row] as f64)
            }
            _ => return None,
        };
        let mut all = missing.clone();
        for &(_, class, weight) in &known {
            all[class as usize] += weight;
        }
        Some(Rule {
            attribute: attribute.name.clone(),
            target: target.name().to_owned(),
            classes: Arc::clone(classes),
            choice,
            missing,
            all,
        })
    }

    fn cut(
        &self,
        known: &[(usize, u32, f64)],
        classes: usize,
        times: bool,
        number: impl Fn(usize) -> f64,
    ) -> Choice {
        let examples: Vec<(f64, u32, f64)> = known
            .iter()
            .map(|&(row, class, weight)| (number(row), class, weight))
            .collect();
        let (cuts, tallies) = intervals(examples, classes, self.bucket as f64);
        Choice::Interval {
            times,
            cuts,
            tallies,
        }
    }
}

/// The rule learned.
struct Rule {
    attribute: String,
    target: String,
    classes: Arc<Dictionary>,
    choice: Choice,
    /// Training rows without a value of the attribute.
    missing: Tally,
    /// All training rows: what is said of a value that none of them has.
    all: Tally,
}

enum Choice {
    Label {
        labels: Arc<Dictionary>,
        tallies: Vec<Tally>,
    },
    /// Interval `i` ends at cut `i`, which belongs to the next one.
    Interval {
        times: bool,
        cuts: Vec<f64>,
        tallies: Vec<Tally>,
    },
}

/// The most frequent class, the first of equals.
fn most(tally: &[f64]) -> usize {
    (1..tally.len()).fold(0, |best, class| {
        if tally[class] > tally[best] {
            class
        } else {
            best
        }
    })
}

impl Rule {
    fn tallies(&self) -> &[Tally] {
        match &self.choice {
            Choice::Label { tallies, .. } | Choice::Interval { tallies, .. } => tallies,
        }
    }

    /// How much of the training rows the rule gets right.
    fn right(&self) -> f64 {
        self.tallies()
            .iter()
            .chain([&self.missing])
            .map(|tally| tally[most(tally)])
            .sum()
    }

    /// What the rule says where nothing is known: of a label never seen, of missing where none was
    /// in training.
    fn or_all<'a>(&'a self, tally: Option<&'a Tally>) -> &'a Tally {
        tally
            .filter(|tally| tally.iter().any(|weight| *weight > 0.0))
            .unwrap_or(&self.all)
    }

    fn tally(&self, view: &View, column: usize, row: usize) -> &Tally {
        let values = view
            .column(view.table_position(), column)
            .filter(|values| values.is_present(row));
        let Some(values) = values else {
            return self.or_all(Some(&self.missing));
        };
        self.or_all(match (&self.choice, values.cells()) {
            (Choice::Label { tallies, .. }, Cells::Nominal { codes, .. }) => {
                tallies.get(codes[row] as usize)
            }
            (Choice::Interval { cuts, tallies, .. }, Cells::Numeric(numbers)) => {
                tallies.get(cuts.partition_point(|cut| *cut <= numbers[row]))
            }
            (Choice::Interval { cuts, tallies, .. }, Cells::DateTime(instants)) => {
                tallies.get(cuts.partition_point(|cut| *cut <= instants[row] as f64))
            }
            _ => None,
        })
    }

    fn read(stored: &Stored) -> Result<Self> {
        let description: Description = stored.json("rule")?;
        let dictionary = |name: &str| -> Result<Arc<Dictionary>> {
            let labels = stored.text(name)?;
            let dictionary = Dictionary::from_labels(&labels);
            if dictionary.len() == labels.len() {
                Ok(Arc::new(dictionary))
            } else {
                Err(invalid(stored.full_name(name), "a label stands twice").into())
            }
        };
        let classes = dictionary("classes")?;
        if classes.is_empty() {
            return Err(invalid(stored.full_name("classes"), "no class").into());
        }
        let tallies = |name: &str, count: usize| -> Result<Vec<Tally>> {
            let weights = stored.f64s(name)?;
            let fits = count.checked_mul(classes.len()) == Some(weights.len());
            if !fits
                || !weights
                    .iter()
                    .all(|weight| weight.is_finite() && *weight >= 0.0)
            {
                return Err(invalid(stored.full_name(name), "no weights of classes").into());
            }
            Ok(weights.chunks(classes.len()).map(<[f64]>::to_vec).collect())
        };
        let choice = match description.reads {
            Reads::Labels => {
                let labels = dictionary("labels")?;
                let tallies = tallies("tallies", labels.len())?;
                Choice::Label { labels, tallies }
            }
            Reads::Numbers | Reads::Times => {
                let cuts = stored.f64s("cuts")?;
                if !cuts.iter().all(|cut| cut.is_finite()) || !cuts.is_sorted() {
                    return Err(invalid(stored.full_name("cuts"), "cuts that do not rise").into());
                }
                let tallies = tallies("tallies", cuts.len() + 1)?;
                Choice::Interval {
                    times: matches!(description.reads, Reads::Times),
                    cuts,
                    tallies,
                }
            }
        };
        let mut others = tallies("others", 2)?;
        let all = others.pop().unwrap_or_default();
        let missing = others.pop().unwrap_or_default();
        Ok(Self {
            attribute: description.attribute,
            target: description.target,
            classes,
            choice,
            missing,
            all,
        })
    }

    /// Each case of the rule in words, with its tally.
    fn cases(&self) -> Vec<(String, &Tally)> {
        let mut cases: Vec<(String, &Tally)> = match &self.choice {
            Choice::Label { labels, tallies } => labels
                .labels()
                .zip(tallies)
                .filter(|(_, tally)| tally.iter().any(|weight| *weight > 0.0))
                .map(|(label, tally)| (format!("= {label}"), tally))
                .collect(),
            Choice::Interval {
                times,
                cuts,
                tallies,
            } => {
                let text = |cut: f64| match times {
                    true => kinwood_values::datetime::print(cut as i64),
                    false => cut.to_string(),
                };
                let case = |interval: usize| match (interval.checked_sub(1), cuts.get(interval)) {
                    (None, None) => "is known".to_owned(),
                    (None, Some(cut)) => format!("< {}", text(*cut)),
                    (Some(before), None) => format!(">= {}", text(cuts[before])),
                    (Some(before), Some(cut)) => {
                        format!(">= {} and < {}", text(cuts[before]), text(*cut))
                    }
                };
                tallies
                    .iter()
                    .enumerate()
                    .map(|(interval, tally)| (case(interval), tally))
                    .collect()
            }
        };
        if self.missing.iter().any(|weight| *weight > 0.0) {
            cases.push(("is missing".to_owned(), &self.missing));
        }
        cases
    }
}

#[derive(Serialize, Deserialize)]
struct Description {
    attribute: String,
    target: String,
    reads: Reads,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Reads {
    Labels,
    Numbers,
    Times,
}

impl Model for Rule {
    fn predict(&self, data: &View, _: &Context) -> Result<Predictions> {
        let column = data.table().find(&self.attribute)?;
        let mut shares = Vec::with_capacity(data.len() * self.classes.len());
        for row in data.rows() {
            shares.extend(normalised(self.tally(data, column, row as usize).clone()));
        }
        let output = Output::of_classes(Arc::clone(&self.classes), shares);
        Ok(Predictions {
            targets: vec![TargetPrediction {
                name: self.target.clone(),
                output,
            }],
        })
    }

    fn write(&self, sections: &mut Sections) -> Result<()> {
        let reads = match &self.choice {
            Choice::Label { .. } => Reads::Labels,
            Choice::Interval { times: false, .. } => Reads::Numbers,
            Choice::Interval { times: true, .. } => Reads::Times,
        };
        let description = Description {
            attribute: self.attribute.clone(),
            target: self.target.clone(),
            reads,
        };
        sections.put_json("rule", &description)?;
        sections.put_text("classes", &self.classes.labels().collect::<Vec<_>>())?;
        match &self.choice {
            Choice::Label { labels, .. } => {
                sections.put_text("labels", &labels.labels().collect::<Vec<_>>())?;
            }
            Choice::Interval { cuts, .. } => sections.put_f64("cuts", cuts)?,
        }
        sections.put_f64("tallies", &self.tallies().concat())?;
        sections.put_f64("others", &[self.missing.as_slice(), &self.all].concat())?;
        Ok(())
    }

    fn show(&self) -> String {
        let mut text = String::new();
        for (case, tally) in self.cases() {
            let class = most(tally);
            let total: f64 = tally.iter().sum();
            let says = self.classes.label(class as u32);
            text += &format!(
                "if {} {case} then {} = {says}   ({} of {total} rows)\n",
                self.attribute, self.target, tally[class]
            );
        }
        let total: f64 = self.all.iter().sum();
        text + &format!(
            "right on {:.1}% of {total} training rows\n",
            100.0 * self.right() / total
        )
    }

    fn to_json(&self) -> serde_json::Value {
        let rules: Vec<serde_json::Value> = self
            .cases()
            .into_iter()
            .map(|(case, tally)| {
                let class = self.classes.label(most(tally) as u32);
                json!({"if": format!("{} {case}", self.attribute), "then": class, "rows": tally.iter().sum::<f64>()})
            })
            .collect();
        let total: f64 = self.all.iter().sum();
        json!({
            "target": self.target,
            "attribute": self.attribute,
            "rules": rules,
            "training_accuracy": self.right() / total,
        })
    }
}

#[cfg(test)]
mod tests {
    use kinwood_values::{Attribute, Column, Database, Table};

    use super::*;
    use kinwood_learning::testing::{self, check_learner};

    #[test]
    fn oner_keeps_the_rules_of_learners() {
        check_learner(&ONE_R, &testing::mixed_view(80), &[testing::CLASS]);
    }

    fn fit(attributes: Vec<Attribute>, target: usize, bucket: &str) -> (Box<dyn Model>, View) {
        let view = View::new(
            Arc::new(Database::single(Table::new("t", attributes).unwrap()).unwrap()),
            0,
        );
        let learner = (ONE_R.build)(&ONE_R.settings(&[("bucket", bucket)]).unwrap()).unwrap();
        (
            learner
                .fit(&Task::new(&view, &[target]).unwrap(), &Context::new())
                .unwrap(),
            view,
        )
    }

    fn says(model: &dyn Model, view: &View) -> Vec<u32> {
        let output = &model.predict(view, &Context::new()).unwrap().targets[0].output;
        (0..view.len())
            .map(|row| output.class(row).unwrap())
            .collect()
    }

    #[test]
    fn the_better_of_two_attributes_is_chosen() {
        // Nominal outlook and windy of fourteen days: windy gets 9 right, outlook 10.
        let outlook = "ssoorrrosrsooror".chars().take(14).map(|c| {
            Some(if c == 's' {
                "sunny"
            } else if c == 'o' {
                "overcast"
            } else {
                "rainy"
            })
        });
        let outlook: Vec<_> = outlook.collect();
        let play: Vec<_> = outlook
            .iter()
            .enumerate()
            .map(|(i, label)| {
                Some(if *label == Some("overcast") || i % 3 == 0 {
                    "yes"
                } else {
                    "no"
                })
            })
            .collect();
        let noise: Vec<_> = (0..14)
            .map(|i| Some(if i % 2 == 0 { "t" } else { "f" }))
            .collect();
        let (model, view) = fit(
            vec![
                Attribute::new("windy", Column::nominal(noise)),
                Attribute::new("outlook", Column::nominal(outlook)),
                Attribute::new("play", Column::nominal(play)),
            ],
            2,
            "6",
        );
        assert!(
            model.show().starts_with("if outlook = sunny then play = "),
            "{}",
            model.show()
        );
        assert_eq!(says(&*model, &view).len(), 14);
    }

    #[test]
    fn missing_is_a_value_and_an_unseen_label_gets_everybodys_class() {
        let labels = [
            Some("a"),
            Some("a"),
            Some("b"),
            None,
            None,
            Some("b"),
            Some("b"),
        ];
        let class = [
            Some("x"),
            Some("x"),
            Some("y"),
            Some("x"),
            Some("x"),
            Some("y"),
            Some("y"),
        ];
        let attributes = vec![
            Attribute::new("label", Column::nominal(labels)),
            Attribute::new("class", Column::nominal(class)),
        ];
        let (model, view) = fit(attributes, 1, "6");
        assert_eq!(says(&*model, &view), [0, 0, 1, 0, 0, 1, 1]);
        assert!(
            model
                .show()
                .contains("if label is missing then class = x   (2 of 2 rows)"),
            "{}",
            model.show()
        );
    }

    #[test]
    fn several_targets_are_refused() {
        let view = testing::mixed_view(20);
        let task = Task::new(&view, &[testing::CLASS, testing::NUMBER]).unwrap();
        let none: [(&str, &str); 0] = [];
        let learner = (ONE_R.build)(&ONE_R.settings(&none).unwrap()).unwrap();
        let message = learner
            .fit(&task, &Context::new())
            .err()
            .unwrap()
            .to_string();
        assert!(
            message.starts_with("`oner` predicts single nominal targets"),
            "{message}"
        );
    }
}
