//! Truth beside prediction: the true values of targets, and the test rows of splits gathered for
//! the measures.

use kinwood_learning::Output;
use kinwood_learning::labels::Labels;
use kinwood_values::View;

use crate::error::Error;
use crate::measures::{Answers, ClassAnswers, LabelAnswers, Measure, NumberAnswers};
use crate::splits::Split;
use crate::target::Target;

/// The true values of one target, by position in the view.
#[derive(Clone, Debug)]
pub struct Truth {
    /// The target.
    pub name: String,
    /// Its values.
    pub values: Values,
}

/// The values of a target; none where they are missing.
#[derive(Clone, Debug)]
pub enum Values {
    /// One of several classes.
    Classes {
        /// Each by its place among the classes.
        codes: Vec<Option<u32>>,
        /// The classes.
        classes: Vec<String>,
    },
    /// Numbers.
    Numbers(Vec<Option<f64>>),
    /// Sets of labels.
    Labels {
        /// Each with the labels above, ascending.
        sets: Vec<Option<Vec<u32>>>,
        /// The labels.
        labels: Labels,
    },
}

impl Truth {
    /// The true values of targets.
    pub fn of(view: &View, targets: &[usize]) -> Result<Vec<Truth>, Error> {
        let truths = targets.iter().map(|&target| {
            let attribute = view.table().attribute(target);
            let column = &attribute.column;
            let rows = || view.rows().map(|row| row as usize);
            let values = if let Some((_, classes)) = column.codes() {
                Values::Classes {
                    codes: rows().map(|row| column.code(row)).collect(),
                    classes: classes.labels().map(str::to_owned).collect(),
                }
            } else if column.numbers().is_some() {
                Values::Numbers(rows().map(|row| column.number(row)).collect())
            } else if let Some(labels) = Labels::of(attribute) {
                Values::Labels {
                    sets: rows().map(|row| labels.of_row(column, row)).collect(),
                    labels,
                }
            } else {
                return Err(Error::TargetType {
                    target: attribute.name.clone(),
                    found: attribute.type_of().to_string(),
                });
            };
            Ok(Truth {
                name: attribute.name.clone(),
                values,
            })
        });
        truths.collect()
    }

    /// What is predicted.
    pub fn target(&self) -> Target {
        match self.values {
            Values::Classes { .. } => Target::Classes,
            Values::Numbers(_) => Target::Numbers,
            Values::Labels { .. } => Target::Labels,
        }
    }
}

/// Truth, prediction and weight of the test rows of one or more splits.
#[derive(Default)]
pub struct Gathered {
    true_codes: Vec<Option<u32>>,
    codes: Vec<u32>,
    shares: Vec<f64>,
    true_numbers: Vec<Option<f64>>,
    numbers: Vec<f64>,
    true_sets: Vec<Option<Vec<u32>>>,
    weights: Option<Vec<f64>>,
}

impl Gathered {
    /// Gathers the test rows of splits with what was predicted for them; `weights` are those of all
    /// rows of the view.
    pub fn of<'a>(
        truth: &Truth,
        parts: impl IntoIterator<Item = (&'a Split, &'a Output)>,
        weights: Option<&[f64]>,
    ) -> Self {
        let mut gathered = Gathered {
            weights: weights.map(|_| Vec::new()),
            ..Gathered::default()
        };
        for (split, output) in parts {
            for (position, &row) in split.test.iter().enumerate() {
                match &truth.values {
                    Values::Classes { codes, .. } => {
                        gathered.true_codes.push(codes[row as usize]);
                        gathered.codes.extend(output.class(position));
                    }
                    Values::Numbers(numbers) => {
                        gathered.true_numbers.push(numbers[row as usize]);
                        gathered.numbers.extend(output.number(position));
                    }
                    Values::Labels { sets, .. } => {
                        gathered.true_sets.push(sets[row as usize].clone());
                    }
                }
                if let (Some(into), Some(from)) = (&mut gathered.weights, weights) {
                    into.push(from[row as usize]);
                }
            }
            match (&truth.values, output) {
                (Values::Classes { classes, .. }, Output::Classes { classes: known, .. })
                    if known.len() < classes.len() =>
                {
                    // Classes that a model has never seen stand behind those it knows.
                    for row in 0..split.test.len() {
                        gathered.shares.extend_from_slice(output.row(row));
                        let wanted = gathered.shares.len() + classes.len() - known.len();
                        gathered.shares.resize(wanted, 0.0);
                    }
                }
                (_, Output::Classes { shares, .. }) => gathered.shares.extend_from_slice(shares),
                (Values::Labels { labels, .. }, Output::Labels { .. }) => {
                    gathered.add_labels(labels, output, split.test.len());
                }
                _ => {}
            }
        }
        gathered
    }

    /// The shares of the labels that there are, whichever of them a model knows and in which order.
    fn add_labels(&mut self, labels: &Labels, output: &Output, rows: usize) {
        let Output::Labels { labels: known, .. } = output else {
            return;
        };
        let places: Vec<Option<u32>> = labels
            .dictionary()
            .labels()
            .map(|label| known.code(label))
            .collect();
        for row in 0..rows {
            let own = output.row(row);
            let share = |place: &Option<u32>| place.map_or(0.0, |place| own[place as usize]);
            self.shares.extend(places.iter().map(share));
        }
    }

    /// The values of measures for such a target, in their order.
    pub fn scores(&self, truth: &Truth, measures: &[Measure]) -> Result<Vec<Option<f64>>, Error> {
        let measures = measures.iter();
        measures
            .map(|&measure| self.score(truth, measure))
            .collect()
    }

    /// The value of one measure.
    pub fn score(&self, truth: &Truth, measure: Measure) -> Result<Option<f64>, Error> {
        measure.of(&self.answers(truth), self.weights())
    }

    /// Truth and prediction side by side, as measures and curves take them.
    pub fn answers<'a>(&'a self, truth: &'a Truth) -> Answers<'a> {
        match &truth.values {
            Values::Classes { classes, .. } => Answers::Classes(ClassAnswers {
                truth: &self.true_codes,
                predicted: &self.codes,
                probabilities: &self.shares,
                classes,
            }),
            Values::Numbers(_) => Answers::Numbers(NumberAnswers {
                truth: &self.true_numbers,
                predicted: &self.numbers,
            }),
            Values::Labels { labels, .. } => Answers::Labels(LabelAnswers {
                truth: &self.true_sets,
                shares: &self.shares,
                labels: labels.dictionary().len(),
            }),
        }
    }

    /// The weights of the rows, where they have any.
    pub fn weights(&self) -> Option<&[f64]> {
        self.weights.as_deref()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use kinwood_learners::{Context, Learner, Model, Predictions, Result, TargetPrediction, Task};
    use kinwood_values::container::Sections;
    use kinwood_values::{Attribute, Column, Database, Dictionary, Table, Type, Value};

    use super::*;
    use crate::run::evaluate;
    use crate::splits::Plan;

    /// Says of every row what share of the training rows has each label; in another order of labels
    /// than the data's.
    struct Shares;

    struct Constant {
        labels: Arc<Dictionary>,
        shares: Vec<f64>,
    }

    impl Learner for Shares {
        fn fit(&self, task: &Task, _: &Context) -> Result<Box<dyn Model>> {
            let values = task.targets()[0].values();
            let labels = Labels::of(values).unwrap();
            let mut shares = vec![0.0; labels.dictionary().len()];
            for row in 0..values.column.len() {
                for label in labels.of_row(&values.column, row).unwrap() {
                    shares[label as usize] += 1.0 / values.column.len() as f64;
                }
            }
            shares.reverse();
            let names: Vec<&str> = labels.dictionary().labels().collect();
            Ok(Box::new(Constant {
                labels: Arc::new(Dictionary::from_labels(names.into_iter().rev())),
                shares,
            }))
        }
    }

    impl Model for Constant {
        fn predict(&self, data: &View, _: &Context) -> Result<Predictions> {
            let output = Output::Labels {
                labels: Arc::clone(&self.labels),
                shares: self.shares.repeat(data.len()),
            };
            let name = "labels".to_owned();
            Ok(Predictions {
                targets: vec![TargetPrediction { name, output }],
            })
        }

        fn write(&self, _: &mut Sections) -> Result<()> {
            Ok(())
        }

        fn show(&self) -> String {
            "\n".to_owned()
        }

        fn to_json(&self) -> serde_json::Value {
            serde_json::json!({})
        }
    }

    #[test]
    fn sets_of_labels_are_evaluated_with_those_above_them() {
        // Every row has a/b, hence a; every third has c.
        let symbol = |label: &str| Value::Symbol(label.to_owned());
        let sets: Vec<Value> = (0..30)
            .map(|row| match row % 3 {
                0 => Value::set(vec![symbol("a/b"), symbol("c")]),
                _ => Value::set(vec![symbol("a/b")]),
            })
            .collect();
        let of = Type::Set(Box::new(Type::Nominal));
        let mut labels = Attribute::new("labels", Column::from_values(&of, &sets).unwrap());
        labels.hierarchy = Some('/');
        let x = Attribute::new("x", Column::numeric((0..30).map(f64::from).collect()));
        let table = Table::new("t", vec![x, labels]).unwrap();
        let view = View::new(Arc::new(Database::single(table).unwrap()), 0);
        let plan = Plan::CrossValidation {
            folds: 3,
            repeats: 1,
        };
        let evaluation = evaluate(&Shares, &view, &[1], &plan, &Context::new()).unwrap();
        assert_eq!(
            evaluation.measures,
            [
                "hamming_loss",
                "subset_accuracy",
                "micro_f1",
                "macro_f1",
                "auprc",
                "macro_auprc",
                "ranking_loss"
            ]
        );
        // Of three labels c is missed in a third of the rows; it is never said.
        let expected = [1.0 / 9.0, 2.0 / 3.0, 120.0 / 130.0, 2.0 / 3.0];
        for (found, expected) in evaluation.pooled.iter().zip(expected) {
            assert!(
                (found.unwrap() - expected).abs() < 1e-9,
                "{found:?} {expected}"
            );
        }
        let area = evaluation.pooled[4].unwrap();
        assert!(area > 60.0 / 70.0 && area < 1.0, "{area}");
        // Labels a/b and a are in every row; the constant share of c finds a third, fold by fold:
        // shares of folds differ a little.
        let each = evaluation.pooled[5].unwrap();
        assert!(each > 2.0 / 3.0 && each < 8.0 / 9.0, "{each}");
        assert_eq!(evaluation.pooled[6], Some(0.0));
    }
}
