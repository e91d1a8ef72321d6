//! Truth beside prediction: the true values of targets, and the test rows of splits gathered for
//! the measures.

use kinwood_learning::Output;
use kinwood_learning::target::TargetColumns;
use kinwood_values::View;

use crate::error::Error;
use crate::measures::{Answers, ClassAnswers, KindAnswers, LabelAnswers, Measure, NumberAnswers};
use crate::splits::Split;
use crate::target::{CLASSES, LABELS, NUMBERS, Target};
pub use crate::true_values::TrueValues;

/// The true values of one target, by position in the view.
#[derive(Clone, Debug)]
pub struct Truth {
    /// The target.
    pub name: String,
    /// Its values.
    pub values: TrueValues,
}

impl Truth {
    /// The true values of targets.
    pub fn of(view: &View, targets: &[usize]) -> Result<Vec<Truth>, Error> {
        let truths = targets.iter().map(|&target| {
            let columns = TargetColumns::new(view.table(), target);
            let kind = columns.kind().ok_or_else(|| Error::TargetType {
                target: columns.values.name.clone(),
                found: columns.found(),
            })?;
            let rows = view.rows().map(|row| kind.truth(&columns, row as usize));
            Ok(Truth {
                name: columns.values.name.clone(),
                values: TrueValues::new(kind.clone(), rows),
            })
        });
        truths.collect()
    }

    /// What is predicted.
    pub fn target(&self) -> Target {
        self.values.kind().entry()
    }
}

/// Truth, prediction and weight of the test rows of one or more splits.
#[derive(Default)]
pub struct Gathered {
    true_codes: Vec<Option<u32>>,
    codes: Vec<u32>,
    /// Probabilities of classes or labels, in the terms of the truth.
    shares: Vec<f64>,
    /// The names of the classes.
    names: Vec<String>,
    true_numbers: Vec<Option<f64>>,
    numbers: Vec<f64>,
    true_sets: Vec<Option<Vec<u32>>>,
    /// Of all other kinds.
    others: Option<(TrueValues, Vec<Vec<f64>>)>,
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
        let values = &truth.values;
        let kind = values.kind();
        let mut gathered = Gathered {
            weights: weights.map(|_| Vec::new()),
            names: kind.parts(),
            ..Gathered::default()
        };
        let (mut true_rows, mut said) = (Vec::new(), Vec::new());
        for (split, output) in parts {
            for (position, &row) in split.test.iter().enumerate() {
                let (row, numbers) = (row as usize, output.row(position));
                match truth.target() {
                    target if *target == CLASSES => {
                        gathered.true_codes.push(values.class(row));
                        gathered.codes.extend(output.class(position));
                        let shares = kind.aligned(output.kind(), numbers);
                        gathered.shares.extend(shares);
                    }
                    target if *target == NUMBERS => {
                        gathered.true_numbers.push(values.number(row));
                        gathered.numbers.extend(output.number(position));
                    }
                    target if *target == LABELS => {
                        gathered.true_sets.push(values.labels(row));
                        let shares = kind.aligned(output.kind(), numbers);
                        gathered.shares.extend(shares);
                    }
                    _ => {
                        true_rows.push(values.row(row));
                        said.push(kind.aligned(output.kind(), numbers));
                    }
                }
                if let (Some(into), Some(from)) = (&mut gathered.weights, weights) {
                    into.push(from[row]);
                }
            }
        }
        gathered.others = Some((TrueValues::new(kind.clone(), true_rows), said));
        gathered
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
        match (truth.target(), &self.others) {
            (target, _) if *target == CLASSES => Answers::Classes(ClassAnswers {
                truth: &self.true_codes,
                predicted: &self.codes,
                probabilities: &self.shares,
                classes: &self.names,
            }),
            (target, _) if *target == LABELS => Answers::Labels(LabelAnswers {
                truth: &self.true_sets,
                shares: &self.shares,
                labels: truth.values.kind().width(),
            }),
            (target, Some((truth, predicted))) if *target != NUMBERS => {
                Answers::Of(KindAnswers { truth, predicted })
            }
            _ => Answers::Numbers(NumberAnswers {
                truth: &self.true_numbers,
                predicted: &self.numbers,
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

    use kinwood_learners::labels::Labels;
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
            let output = Output::of_labels(&self.labels, self.shares.repeat(data.len()));
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
