//! Predictions and truth as they are kept: JSON that reads back to the last bit.

use std::sync::Arc;

use kinwood_evaluation::run::Known;
use kinwood_evaluation::splits::Split;
use kinwood_evaluation::truth::{TrueValues, Truth};
use kinwood_learners::target::{CLASSES, KindEntry, KindTerms, LABELS, NUMBERS, TargetKind};
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
    /// Any other kind, by its name.
    Other {
        kind: String,
        terms: KindTerms,
        numbers: Vec<f64>,
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

impl FoldKept {
    /// What is kept of predictions; none of those that are no finite numbers, which JSON cannot
    /// hold.
    pub fn of(predictions: &Predictions, seconds: f64) -> Option<Self> {
        let targets = predictions.targets.iter().map(|target| {
            let numbers = target.output.numbers();
            let kind = target.output.kind();
            let terms = kind.terms();
            let kept = match kind.entry() {
                entry if *entry == CLASSES => Kept::Classes {
                    classes: terms.labels,
                    shares: numbers.to_vec(),
                },
                entry if *entry == NUMBERS => Kept::Numbers(numbers.to_vec()),
                entry if *entry == LABELS => Kept::Labels {
                    labels: terms.labels,
                    shares: numbers.to_vec(),
                },
                entry => Kept::Other {
                    kind: entry.name.to_owned(),
                    terms,
                    numbers: numbers.to_vec(),
                },
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
                Kept::Classes { classes, shares } => {
                    let classes = Dictionary::from_labels(classes.iter().map(String::as_str));
                    Output::of_classes(Arc::new(classes), shares)
                }
                Kept::Numbers(numbers) => Output::of_numbers(numbers),
                Kept::Labels { labels, shares } => {
                    let labels = Dictionary::from_labels(labels.iter().map(String::as_str));
                    Output::of_labels(&labels, shares)
                }
                Kept::Other {
                    kind,
                    terms,
                    numbers,
                } => Output::new((KindEntry::named(&kind)?.read)(terms).ok()?, numbers),
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
    /// Any other kind, by its name.
    Other {
        kind: String,
        terms: KindTerms,
        rows: Vec<Option<Vec<f64>>>,
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
            let (own, rows) = (&truth.values, 0..truth.values.len());
            let terms = own.kind().terms();
            let values = match truth.target() {
                target if *target == CLASSES => TrueKept::Classes {
                    classes: terms.labels,
                    codes: rows.map(|row| own.class(row)).collect(),
                },
                target if *target == NUMBERS => {
                    TrueKept::Numbers(rows.map(|row| own.number(row)).collect())
                }
                target if *target == LABELS => TrueKept::Labels {
                    labels: terms.labels,
                    sets: rows.map(|row| own.labels(row)).collect(),
                },
                target => TrueKept::Other {
                    kind: target.name.to_owned(),
                    terms,
                    rows: rows.map(|row| Some(own.row(row)?.to_vec())).collect(),
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
            let of = |entry: &KindEntry, labels: Vec<String>| {
                let terms = KindTerms {
                    labels,
                    ..KindTerms::default()
                };
                (entry.read)(terms).ok()
            };
            let values = match kept {
                TrueKept::Classes { classes, codes } => {
                    let codes = codes.into_iter().map(|code| Some([f64::from(code?)]));
                    TrueValues::new(of(&CLASSES, classes)?, codes)
                }
                TrueKept::Numbers(numbers) => {
                    let numbers = numbers.into_iter().map(|number| Some([number?]));
                    TrueValues::new(TargetKind::number(), numbers)
                }
                TrueKept::Labels { labels, sets } => {
                    // The sets have the labels above them already.
                    let sets = sets.into_iter().map(|set| {
                        let set = set?.into_iter().map(f64::from);
                        Some(set.collect::<Vec<_>>())
                    });
                    TrueValues::new(of(&LABELS, labels)?, sets)
                }
                TrueKept::Other { kind, terms, rows } => {
                    TrueValues::new((KindEntry::named(&kind)?.read)(terms).ok()?, rows)
                }
            };
            let fits = (0..values.len())
                .filter_map(|row| values.row(row))
                .all(|row| values.kind().fits(row));
            (fits && values.len() == rows).then_some(Truth { name, values })
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
                    output: Output::of_classes(classes, shares),
                },
                TargetPrediction {
                    name: "number".into(),
                    output: Output::of_numbers(vec![1.0 / 3.0, -0.0]),
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
