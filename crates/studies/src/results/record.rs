//! Predictions and truth as they are kept: JSON that reads back to the last bit.

use std::sync::Arc;

use kinwood_evaluation::run::Known;
use kinwood_evaluation::splits::Split;
use kinwood_evaluation::truth::{Truth, Values};
use kinwood_learners::labels::Labels;
use kinwood_learners::{Output, Predictions, TargetPrediction};
use kinwood_values::Dictionary;
use serde::{Deserialize, Serialize};

/// What is predicted of a target, or true of it.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum Kept {
    Classes {
        classes: Vec<String>,
        shares: Vec<f64>,
    },
    Numbers(Vec<f64>),
    Labels {
        labels: Vec<String>,
        shares: Vec<f64>,
    },
}

/// The predictions of the test rows of a split.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FoldKept {
    targets: Vec<(String, Kept)>,
    /// How long fitting and predicting took, on that machine and as busy as it was.
    pub seconds: f64,
    /// The settings that a learner which chooses has chosen on the training rows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chosen: Option<String>,
}

fn labels(dictionary: &Dictionary) -> Vec<String> {
    dictionary.labels().map(str::to_owned).collect()
}

impl FoldKept {
    /// What is kept of predictions; none of those that are no finite numbers, which JSON cannot
    /// hold.
    pub fn of(predictions: &Predictions, seconds: f64) -> Option<Self> {
        let targets = predictions.targets.iter().map(|target| {
            let (kept, numbers) = match &target.output {
                Output::Classes { classes, shares } => {
                    let classes = labels(classes);
                    let kept = Kept::Classes {
                        classes,
                        shares: shares.clone(),
                    };
                    (kept, shares)
                }
                Output::Numbers(numbers) => (Kept::Numbers(numbers.clone()), numbers),
                Output::Labels {
                    labels: known,
                    shares,
                } => {
                    let labels = labels(known);
                    let kept = Kept::Labels {
                        labels,
                        shares: shares.clone(),
                    };
                    (kept, shares)
                }
                _ => return None,
            };
            let finite = numbers.iter().all(|number| number.is_finite());
            finite.then(|| (target.name.clone(), kept))
        });
        let targets = targets.collect::<Option<_>>()?;
        Some(Self {
            targets,
            seconds,
            chosen: None,
        })
    }

    /// The predictions, if they are of so many rows.
    pub fn predictions(self, rows: usize) -> Option<Predictions> {
        let targets = self.targets.into_iter().map(|(name, kept)| {
            let output = match kept {
                Kept::Classes { classes, shares } => Output::Classes {
                    classes: Arc::new(Dictionary::from_labels(classes.iter().map(String::as_str))),
                    shares,
                },
                Kept::Numbers(numbers) => Output::Numbers(numbers),
                Kept::Labels { labels, shares } => Output::Labels {
                    labels: Arc::new(Dictionary::from_labels(labels.iter().map(String::as_str))),
                    shares,
                },
            };
            (output.len() == rows).then_some(TargetPrediction { name, output })
        });
        let targets = targets.collect::<Option<_>>()?;
        Some(Predictions { targets })
    }
}

/// What is known of the rows of a data set without looking at their inputs.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KnownKept {
    rows: usize,
    targets: Vec<(String, TrueKept)>,
    weights: Option<Vec<f64>>,
    splits: Vec<SplitKept>,
    /// What was told of the splits.
    pub notices: Vec<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum TrueKept {
    Classes {
        classes: Vec<String>,
        codes: Vec<Option<u32>>,
    },
    Numbers(Vec<Option<f64>>),
    Labels {
        labels: Vec<String>,
        sets: Vec<Option<Vec<u32>>>,
    },
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SplitKept {
    repeat: usize,
    fold: usize,
    test: Vec<u32>,
    /// All other rows, where nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    train: Option<Vec<u32>>,
}

impl KnownKept {
    /// What is kept of it.
    pub fn of(known: &Known, rows: usize) -> Self {
        let targets = known.truths.iter().map(|truth| {
            let values = match &truth.values {
                Values::Classes { codes, classes } => TrueKept::Classes {
                    classes: classes.clone(),
                    codes: codes.clone(),
                },
                Values::Numbers(numbers) => TrueKept::Numbers(numbers.clone()),
                Values::Labels {
                    sets,
                    labels: known,
                } => TrueKept::Labels {
                    labels: labels(known.dictionary()),
                    sets: sets.clone(),
                },
            };
            (truth.name.clone(), values)
        });
        let splits = known.splits.iter().map(|split| SplitKept {
            repeat: split.repeat,
            fold: split.fold,
            test: split.test.clone(),
            train: (others(&split.test, rows) != split.train).then(|| split.train.clone()),
        });
        Self {
            rows,
            targets: targets.collect(),
            weights: known.weights.clone(),
            splits: splits.collect(),
            notices: known.notices.iter().map(ToString::to_string).collect(),
        }
    }

    /// What is known, if it holds together.
    pub fn known(self) -> Option<Known> {
        let rows = self.rows;
        let inside = |all: &[u32]| all.iter().all(|&row| (row as usize) < rows);
        let truths = self.targets.into_iter().map(|(name, kept)| {
            let (values, length) = match kept {
                TrueKept::Classes { classes, codes } => {
                    let known = |code: &u32| (*code as usize) < classes.len();
                    codes.iter().flatten().all(known).then_some(())?;
                    let length = codes.len();
                    (Values::Classes { codes, classes }, length)
                }
                TrueKept::Numbers(numbers) => {
                    let length = numbers.len();
                    (Values::Numbers(numbers), length)
                }
                TrueKept::Labels { labels, sets } => {
                    let known = |code: &u32| (*code as usize) < labels.len();
                    sets.iter().flatten().flatten().all(known).then_some(())?;
                    let length = sets.len();
                    // The sets have the labels above them already.
                    let dictionary = Dictionary::from_labels(labels.iter().map(String::as_str));
                    let labels = Labels::new(&dictionary, None);
                    (Values::Labels { sets, labels }, length)
                }
            };
            (length == rows).then_some(Truth { name, values })
        });
        let truths = truths.collect::<Option<Vec<_>>>()?;
        let fits = |weights: &Vec<f64>| weights.len() == rows;
        if truths.is_empty() || !self.weights.as_ref().is_none_or(fits) {
            return None;
        }
        let splits = self.splits.into_iter().map(|split| {
            let train = split.train.unwrap_or_else(|| others(&split.test, rows));
            (inside(&split.test) && inside(&train)).then_some(Split {
                repeat: split.repeat,
                fold: split.fold,
                train,
                test: split.test,
            })
        });
        Some(Known {
            truths: Arc::new(truths),
            weights: self.weights,
            splits: Arc::new(splits.collect::<Option<_>>()?),
            notices: Vec::new(),
        })
    }
}

/// The rows that are not among some, which ascend.
fn others(some: &[u32], rows: usize) -> Vec<u32> {
    let mut named = some.iter().copied().peekable();
    (0..rows as u32)
        .filter(|row| named.next_if_eq(row).is_none())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn predictions_read_back_to_the_last_bit() {
        let classes = Arc::new(Dictionary::from_labels(["a", "b"]));
        let shares = vec![0.1 + 0.2, 1.0 - (0.1 + 0.2), f64::MIN_POSITIVE, 1.0];
        let predictions = Predictions {
            targets: vec![
                TargetPrediction {
                    name: "class".into(),
                    output: Output::Classes { classes, shares },
                },
                TargetPrediction {
                    name: "number".into(),
                    output: Output::Numbers(vec![1.0 / 3.0, -0.0]),
                },
            ],
        };
        let text = serde_json::to_string(&FoldKept::of(&predictions, 0.5).unwrap()).unwrap();
        let read = |rows| {
            serde_json::from_str::<FoldKept>(&text)
                .unwrap()
                .predictions(rows)
        };
        assert_eq!(read(2).unwrap(), predictions);
        assert_eq!(read(3), None);
    }

    #[test]
    fn rows_that_are_not_there_are_refused() {
        let text = r#"{"rows":3,"targets":[["c",{"classes":{"classes":["a"],"codes":[0,null,0]}}]],
            "weights":null,"splits":[{"repeat":1,"fold":1,"test":[1]}],"notices":[]}"#;
        let known = |text: &str| serde_json::from_str::<KnownKept>(text).unwrap().known();
        assert_eq!(known(text).unwrap().splits[0].train, [0, 2]);
        for (from, to) in [
            ("\"test\":[1]", "\"test\":[3]"),
            ("[0,null,0]", "[1,null,0]"),
            ("\"rows\":3", "\"rows\":4"),
        ] {
            assert!(known(&text.replace(from, to)).is_none(), "{to}");
        }
    }
}
