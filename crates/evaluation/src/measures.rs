//! How good predictions are: the measures, and one table of what is said about them.
//!
//! Names, JSON keys, explanations and directions are all taken from [`DESCRIPTIONS`]. The
//! formulas are in [`class`] for classes, in [`number`] for numbers and in [`labels`] for sets of labels. In all of them rows
//! whose true value is missing are left out, rows may be weighted, shares are fractions (not
//! percentages), and a measure that the rows do not define is `None`, never a stand-in number.

pub mod class;
mod confusion;
pub mod curves;
mod descriptions;
pub mod labels;
pub mod number;
mod rows;

use std::fmt;
use std::str::FromStr;

pub use descriptions::DESCRIPTIONS;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use kinwood_values::suggest::nearest;

use crate::error::Error;
use crate::truth::Truth;

/// A measure of the quality of predictions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Measure {
    /// See [`class::accuracy`].
    Accuracy,
    /// See [`class::balanced_accuracy`].
    BalancedAccuracy,
    /// See [`class::f1`].
    F1,
    /// See [`class::auc`].
    Auc,
    /// See [`class::brier`].
    Brier,
    /// See [`class::log_loss`].
    LogLoss,
    /// See [`class::calibration_error`].
    CalibrationError,
    /// See [`number::rmse`].
    Rmse,
    /// See [`number::mae`].
    Mae,
    /// See [`number::relative_rmse`].
    RelativeRmse,
    /// See [`number::r2`].
    R2,
    /// See [`number::correlation`].
    Correlation,
    /// See [`number::spearman`].
    Spearman,
    /// See [`labels::hamming_loss`].
    HammingLoss,
    /// See [`labels::subset_accuracy`].
    SubsetAccuracy,
    /// See [`labels::micro_f1`].
    MicroF1,
    /// See [`labels::macro_f1`].
    MacroF1,
    /// See [`labels::average_precision_recall`].
    AveragePrecisionRecall,
    /// See [`labels::macro_precision_recall`].
    MacroPrecisionRecall,
    /// See [`labels::ranking_loss`].
    RankingLoss,
}

/// Which of two values of a measure is better.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    /// The higher one.
    HigherIsBetter,
    /// The lower one.
    LowerIsBetter,
}

/// What is predicted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Target {
    /// One of several classes.
    Classes,
    /// A number.
    Numbers,
    /// A set of labels.
    Labels,
}

impl fmt::Display for Target {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Target::Classes => "classes",
            Target::Numbers => "numbers",
            Target::Labels => "sets of labels",
        })
    }
}

/// What is said about a measure.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Description {
    /// The measure.
    #[serde(skip)]
    pub measure: Measure,
    /// Its name in commands, queries and JSON.
    pub key: &'static str,
    /// Its heading in tables.
    pub title: &'static str,
    /// What it is, in one sentence without a full stop.
    pub doc: &'static str,
    /// Its formula, with weights `w` summing to `W`, truths `y` and predictions `p`.
    pub formula: &'static str,
    /// Which values are better.
    pub direction: Direction,
    /// What it can be asked of.
    pub target: Target,
}

/// Truth and prediction for the same rows, in order.
#[derive(Debug, Clone, Copy)]
pub enum Answers<'a> {
    /// Predicted classes.
    Classes {
        /// The true class code of each row.
        truth: &'a [Option<u32>],
        /// The predicted class code of each row.
        predicted: &'a [u32],
        /// The probability of each class, row after row.
        probabilities: &'a [f64],
        /// How many classes, hence probabilities per row, there are.
        classes: usize,
    },
    /// Predicted numbers.
    Numbers {
        /// The true number of each row.
        truth: &'a [Option<f64>],
        /// The predicted number of each row.
        predicted: &'a [f64],
    },
    /// Predicted sets of labels.
    Labels {
        /// The true labels of each row, ascending.
        truth: &'a [Option<Vec<u32>>],
        /// The share of each label, row after row.
        shares: &'a [f64],
        /// How many labels, hence shares per row, there are.
        labels: usize,
    },
}

impl Answers<'_> {
    /// What is predicted.
    pub fn target(&self) -> Target {
        match self {
            Answers::Classes { .. } => Target::Classes,
            Answers::Numbers { .. } => Target::Numbers,
            Answers::Labels { .. } => Target::Labels,
        }
    }
}

impl Measure {
    /// What is said about this measure.
    pub fn description(self) -> &'static Description {
        // The table is in the order of the variants; a test holds it to that.
        &DESCRIPTIONS[self as usize]
    }

    /// The name in commands, queries and JSON.
    pub fn key(self) -> &'static str {
        self.description().key
    }

    /// The measures for a kind of target, in the order of the table.
    pub fn for_target(target: Target) -> impl Iterator<Item = Measure> {
        DESCRIPTIONS
            .iter()
            .filter(move |row| row.target == target)
            .map(|row| row.measure)
    }

    /// What people look at first for a kind of target.
    pub fn usual(target: Target) -> Measure {
        match target {
            Target::Classes => Measure::Accuracy,
            Target::Numbers => Measure::Rmse,
            Target::Labels => Measure::AveragePrecisionRecall,
        }
    }

    /// The measure of each target: the first asked for that is for such a target, or else another. Each that is asked for must be for one of them.
    pub(crate) fn chosen(
        truths: &[Truth],
        asked: &[Measure],
        otherwise: impl Fn(Target) -> Measure,
    ) -> Result<Vec<Measure>, Error> {
        let fits = |measure: Measure, truth: &Truth| measure.description().target == truth.target();
        for &measure in asked {
            if let (Some(first), false) = (
                truths.first(),
                truths.iter().any(|truth| fits(measure, truth)),
            ) {
                return Err(Error::WrongTarget {
                    measure: measure.key(),
                    expected: measure.description().target,
                    found: first.target(),
                });
            }
        }
        let of_target = |truth: &Truth| {
            let asked = asked.iter().copied().find(|&measure| fits(measure, truth));
            asked.unwrap_or_else(|| otherwise(truth.target()))
        };
        Ok(truths.iter().map(of_target).collect())
    }

    /// Whether value `a` is strictly better than value `b`.
    pub fn better(self, a: f64, b: f64) -> bool {
        match self.description().direction {
            Direction::HigherIsBetter => a > b,
            Direction::LowerIsBetter => a < b,
        }
    }

    /// The value of this measure; none where the rows do not define it.
    ///
    /// ```
    /// use kinwood_evaluation::measures::{Answers, Measure};
    /// let answers = Answers::Numbers { truth: &[Some(1.0), None], predicted: &[3.0, 9.0] };
    /// assert_eq!(Measure::Mae.of(&answers, None)?, Some(2.0));
    /// assert_eq!(Measure::Correlation.of(&answers, None)?, None);
    /// # Ok::<(), kinwood_evaluation::Error>(())
    /// ```
    pub fn of(self, answers: &Answers<'_>, weights: Option<&[f64]>) -> Result<Option<f64>, Error> {
        match *answers {
            Answers::Classes {
                truth,
                predicted,
                probabilities,
                classes,
            } => match self {
                Measure::Accuracy => class::accuracy(truth, predicted, weights),
                Measure::BalancedAccuracy => {
                    class::balanced_accuracy(truth, predicted, classes, weights)
                }
                Measure::F1 => class::f1(truth, predicted, classes, weights),
                Measure::Auc => class::auc(truth, probabilities, classes, weights),
                Measure::Brier => class::brier(truth, probabilities, classes, weights),
                Measure::LogLoss => class::log_loss(truth, probabilities, classes, weights),
                Measure::CalibrationError => {
                    class::calibration_error(truth, predicted, probabilities, classes, weights)
                }
                _ => Err(self.wrong_for(answers)),
            },
            Answers::Numbers { truth, predicted } => match self {
                Measure::Rmse => number::rmse(truth, predicted, weights),
                Measure::Mae => number::mae(truth, predicted, weights),
                Measure::RelativeRmse => number::relative_rmse(truth, predicted, weights),
                Measure::R2 => number::r2(truth, predicted, weights),
                Measure::Correlation => number::correlation(truth, predicted, weights),
                Measure::Spearman => number::spearman(truth, predicted, weights),
                _ => Err(self.wrong_for(answers)),
            },
            Answers::Labels {
                truth,
                shares,
                labels,
            } => {
                let measure = match self {
                    Measure::HammingLoss => labels::hamming_loss,
                    Measure::SubsetAccuracy => labels::subset_accuracy,
                    Measure::MicroF1 => labels::micro_f1,
                    Measure::MacroF1 => labels::macro_f1,
                    Measure::AveragePrecisionRecall => labels::average_precision_recall,
                    Measure::MacroPrecisionRecall => labels::macro_precision_recall,
                    Measure::RankingLoss => labels::ranking_loss,
                    _ => return Err(self.wrong_for(answers)),
                };
                measure(truth, shares, labels, weights)
            }
        }
    }

    fn wrong_for(self, answers: &Answers<'_>) -> Error {
        Error::WrongTarget {
            measure: self.key(),
            expected: self.description().target,
            found: answers.target(),
        }
    }
}

impl fmt::Display for Measure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.key())
    }
}

impl FromStr for Measure {
    type Err = Error;

    fn from_str(name: &str) -> Result<Measure, Error> {
        if let Some(row) = DESCRIPTIONS.iter().find(|row| row.key == name) {
            return Ok(row.measure);
        }
        let nearest = nearest(name, DESCRIPTIONS.map(|row| row.key));
        Err(Error::UnknownMeasure {
            found: name.to_owned(),
            nearest,
        })
    }
}

impl Serialize for Measure {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.key())
    }
}

impl<'de> Deserialize<'de> for Measure {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Measure, D::Error> {
        String::deserialize(deserializer)?
            .parse()
            .map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_in_order_and_keys_lead_back() {
        for (position, row) in DESCRIPTIONS.iter().enumerate() {
            assert_eq!(row.measure as usize, position);
            assert_eq!(row.key.parse(), Ok(row.measure));
            assert!(!row.doc.is_empty() && !row.doc.ends_with('.') && !row.doc.contains("  "));
            let json = serde_json::to_string(&row.measure).unwrap();
            assert_eq!(json, format!("\"{}\"", row.key));
            assert_eq!(serde_json::from_str::<Measure>(&json).unwrap(), row.measure);
        }
        let keys = DESCRIPTIONS.map(|row| row.key);
        assert_eq!(
            keys,
            [
                "accuracy",
                "balanced_accuracy",
                "f1",
                "auc",
                "brier",
                "log_loss",
                "calibration_error",
                "rmse",
                "mae",
                "relative_rmse",
                "r2",
                "correlation",
                "spearman",
                "hamming_loss",
                "subset_accuracy",
                "micro_f1",
                "macro_f1",
                "auprc",
                "macro_auprc",
                "ranking_loss",
            ]
        );
    }

    #[test]
    fn unknown_names_are_answered_with_the_nearest() {
        let message = |name: &str| name.parse::<Measure>().unwrap_err().to_string();
        assert_eq!(
            message("log-loss"),
            "unknown measure `log-loss`; did you mean `log_loss`?"
        );
        assert_eq!(
            message("rsme"),
            "unknown measure `rsme`; did you mean `rmse`?"
        );
        assert_eq!(message("kappa"), "unknown measure `kappa`");
    }

    #[test]
    fn every_measure_answers_for_its_target_only() {
        let classes = Answers::Classes {
            truth: &[Some(0), Some(1)],
            predicted: &[0, 1],
            probabilities: &[1.0, 0.0, 0.5, 0.5],
            classes: 2,
        };
        let numbers = Answers::Numbers {
            truth: &[Some(1.0), Some(3.0)],
            predicted: &[1.0, 2.0],
        };
        let sets = Answers::Labels {
            truth: &[Some(vec![0]), Some(vec![0, 1])],
            shares: &[1.0, 0.0, 1.0, 0.25],
            labels: 2,
        };
        let ln2 = 2.0_f64.ln();
        let of_classes = [1.0, 1.0, 1.0, 1.0, 0.25, ln2 / 2.0, 0.25];
        let half = 0.5_f64.sqrt();
        let of_numbers = [half, 0.5, half, 0.5, 1.0, 1.0];
        let of_sets = [0.25, 0.5, 0.8, 0.5, 1.0, 1.0, 0.0];
        let expected: Vec<f64> = of_classes
            .into_iter()
            .chain(of_numbers)
            .chain(of_sets)
            .collect();
        assert_eq!(expected.len(), DESCRIPTIONS.len());
        for (row, expected) in DESCRIPTIONS.iter().zip(expected) {
            let (own, other) = match row.target {
                Target::Classes => (classes, numbers),
                Target::Numbers => (numbers, classes),
                Target::Labels => (sets, numbers),
            };
            let value = row.measure.of(&own, None).unwrap().unwrap();
            assert!((value - expected).abs() < 1e-15, "{} {value}", row.key);
            assert!(matches!(
                row.measure.of(&other, None),
                Err(Error::WrongTarget { .. })
            ));
        }
        assert_eq!(
            Measure::Mae.of(&classes, None).unwrap_err().to_string(),
            "`mae` is a measure for numbers, not for classes"
        );
    }

    #[test]
    fn better_follows_the_direction() {
        assert!(Measure::Accuracy.better(0.9, 0.8) && !Measure::Accuracy.better(0.8, 0.8));
        assert!(Measure::Rmse.better(0.8, 0.9) && !Measure::Rmse.better(0.8, 0.8));
    }
}
