//! Studies: a published table as data, so that it can be computed again and compared.
//!
//! A study names learners with settings (columns), data sets (rows), how rows are divided, a seed, and the published
//! figures. It says nothing about where files are: whoever runs it brings the data.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::measures::{Direction, Measure};
use crate::splits::Plan;

/// A published table to be computed again.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Study {
    /// The name, as in `kinwood reproduce NAME`.
    pub name: String,
    /// What the table shows.
    pub title: String,
    /// The paper.
    pub reference: String,
    /// The measure whose mean over splits is compared.
    pub measure: Measure,
    /// What the measure is multiplied by to be in the paper's unit: 100 for percentages.
    #[serde(default = "one")]
    pub scale: f64,
    /// The digits after the point that the paper prints.
    #[serde(default)]
    pub decimals: usize,
    /// The seed of the splits.
    pub seed: u64,
    /// How rows are divided.
    pub split: Split,
    /// The learners.
    pub columns: Vec<Column>,
    /// The data sets.
    pub rows: Vec<Row>,
}

fn one() -> f64 {
    1.0
}

/// How rows are divided.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
pub enum Split {
    /// Random splits.
    Random {
        /// The share of training rows.
        train_share: f64,
        /// How often anew.
        repeats: usize,
    },
    /// Stratified folds.
    Folds {
        /// How many.
        folds: usize,
        /// How often anew.
        repeats: usize,
    },
}

/// A learner with its settings.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Column {
    /// The heading.
    pub name: String,
    /// The learner.
    pub learner: String,
    /// Settings that differ from its defaults.
    #[serde(default)]
    pub settings: BTreeMap<String, String>,
    /// A setting whose best value on the test rows is reported, for papers that did so.
    #[serde(default)]
    pub best: Option<Best>,
}

/// A setting tried at several values, of which the one with the best mean over the test rows is reported.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Best {
    /// The setting.
    pub setting: String,
    /// Its values.
    pub values: Vec<String>,
}

/// A data set, and what the paper has for it.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Row {
    /// The heading.
    pub name: String,
    /// Where the rows come from; none where they cannot be had.
    pub data: Option<DataSource>,
    /// What differs from the paper's data, or why there is none.
    #[serde(default)]
    pub note: Option<String>,
    /// The paper's figure by column.
    pub paper: BTreeMap<String, f64>,
}

/// A file and what is done to it.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DataSource {
    /// The file, relative to the data folder.
    pub file: String,
    /// Where it can be had publicly.
    pub source: String,
    /// Its SHA-256.
    pub sha256: String,
    /// The column to predict.
    pub target: String,
    /// Columns left out.
    #[serde(default)]
    pub ignore: Vec<String>,
    /// A condition on the rows.
    #[serde(default)]
    pub rows: Option<String>,
    /// Columns of numbers that are labels.
    #[serde(default)]
    pub nominal: Vec<String>,
    /// Labels that become one.
    #[serde(default)]
    pub merge: Vec<Merge>,
    /// The column of a flat table that says which bag a row belongs to.
    #[serde(default)]
    pub bag: Option<String>,
}

/// Labels of a column that become one.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Merge {
    /// The column.
    pub column: String,
    /// The labels.
    pub labels: Vec<String>,
    /// What they become.
    pub into: String,
}

impl Study {
    /// The plan by which rows are divided.
    pub fn plan(&self) -> Plan {
        match self.split {
            Split::Random {
                train_share,
                repeats,
            } => Plan::Holdout {
                train_share,
                repeats,
            },
            Split::Folds { folds, repeats } => Plan::CrossValidation { folds, repeats },
        }
    }

    /// How many scores stand behind a mean.
    pub fn scores(&self) -> usize {
        match self.split {
            Split::Random { repeats, .. } => repeats,
            Split::Folds { folds, repeats } => folds * repeats,
        }
    }

    /// What is wrong with the study, if anything: figures for columns it does not have, names that stand twice.
    pub fn fault(&self) -> Option<String> {
        for (position, column) in self.columns.iter().enumerate() {
            if self.columns[..position]
                .iter()
                .any(|other| other.name == column.name)
            {
                return Some(format!("column `{}` stands twice", column.name));
            }
            if let Some(best) = &column.best
                && (best.values.is_empty() || column.settings.contains_key(&best.setting))
            {
                return Some(format!(
                    "column `{}` seeks the best `{}` among none, or sets it besides",
                    column.name, best.setting
                ));
            }
        }
        for (position, row) in self.rows.iter().enumerate() {
            if self.rows[..position]
                .iter()
                .any(|other| other.name == row.name)
            {
                return Some(format!("row `{}` stands twice", row.name));
            }
            if let Some(column) = row
                .paper
                .keys()
                .find(|name| self.columns.iter().all(|c| c.name != **name))
            {
                return Some(format!(
                    "row `{}` has a figure for column `{column}`, which there is not",
                    row.name
                ));
            }
            if row.data.is_none() && row.note.is_none() {
                return Some(format!(
                    "row `{}` has neither data nor a reason why not",
                    row.name
                ));
            }
        }
        None
    }

    /// Whether a mean is better than another.
    pub fn better(&self, a: f64, b: f64) -> bool {
        match self.measure.description().direction {
            Direction::HigherIsBetter => a > b,
            Direction::LowerIsBetter => a < b,
        }
    }

    /// A cell of the table from what was measured, in the paper's unit.
    pub fn cell(&self, row: &Row, column: &Column, ours: Option<(f64, f64)>) -> Cell {
        let paper = row.paper.get(&column.name).copied();
        let verdict = match (ours, paper) {
            (None, _) => Verdict::NoData,
            (Some(_), None) => Verdict::NoFigure,
            (Some((mean, sd)), Some(paper)) => self.verdict(mean, sd, paper),
        };
        Cell {
            row: row.name.clone(),
            column: column.name.clone(),
            ours: ours.map(|(mean, _)| mean),
            sd: ours.map(|(_, sd)| sd),
            paper,
            verdict,
        }
    }

    /// Whether our mean and the paper's differ by more than the choice of splits explains.
    ///
    /// Given the data, splits are drawn independently: the mean of `n` scores varies by `sd / sqrt(n)`, the
    /// difference of two such means by `sd sqrt(2 / n)`. Beyond 2.576 of that (99 of 100 pairs are within), plus what
    /// the paper's rounding hides, it is a difference.
    fn verdict(&self, mean: f64, sd: f64, paper: f64) -> Verdict {
        let rounding = 0.5 * 0.1f64.powi(self.decimals as i32);
        let noise = 2.576 * sd * (2.0 / self.scores().max(1) as f64).sqrt() + rounding;
        let gain = match self.measure.description().direction {
            Direction::HigherIsBetter => mean - paper,
            Direction::LowerIsBetter => paper - mean,
        };
        match gain {
            gain if gain.abs() <= noise => Verdict::WithinNoise,
            gain if gain > 0.0 => Verdict::Better,
            _ => Verdict::Worse,
        }
    }
}

/// One figure of ours beside the paper's.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Cell {
    /// The row's heading.
    pub row: String,
    /// The column's heading.
    pub column: String,
    /// Our mean, in the paper's unit.
    pub ours: Option<f64>,
    /// Our standard deviation over splits (n-1).
    pub sd: Option<f64>,
    /// The paper's figure.
    pub paper: Option<f64>,
    /// How they compare.
    pub verdict: Verdict,
}

/// How our figure and the paper's compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Verdict {
    /// No further apart than the choice of splits explains.
    #[serde(rename = "within noise")]
    WithinNoise,
    /// Ours is better.
    #[serde(rename = "better")]
    Better,
    /// Ours is worse.
    #[serde(rename = "worse")]
    Worse,
    /// The data cannot be had.
    #[serde(rename = "no data")]
    NoData,
    /// The paper has no figure.
    #[serde(rename = "no figure")]
    NoFigure,
}

impl std::fmt::Display for Verdict {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.pad(match self {
            Verdict::WithinNoise => "within noise",
            Verdict::Better => "better",
            Verdict::Worse => "worse",
            Verdict::NoData => "no data",
            Verdict::NoFigure => "no figure",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn study(measure: Measure) -> Study {
        let column = Column {
            name: "1R".into(),
            learner: "oner".into(),
            settings: BTreeMap::new(),
            best: None,
        };
        let row = Row {
            name: "IR".into(),
            data: None,
            note: Some("no data".into()),
            paper: BTreeMap::from([("1R".into(), 90.0)]),
        };
        Study {
            name: "s".into(),
            title: String::new(),
            reference: String::new(),
            measure,
            scale: 100.0,
            decimals: 1,
            seed: 1,
            split: Split::Random {
                train_share: 0.67,
                repeats: 25,
            },
            columns: vec![column],
            rows: vec![row],
        }
    }

    fn verdict(measure: Measure, mean: f64) -> Verdict {
        let study = study(measure);
        study
            .cell(&study.rows[0], &study.columns[0], Some((mean, 2.0)))
            .verdict
    }

    #[test]
    fn verdicts_follow_the_noise_of_splits_and_the_direction() {
        // 2.576 * 2 * sqrt(2 / 25) + 0.05 = 1.507
        assert_eq!(verdict(Measure::Accuracy, 91.5), Verdict::WithinNoise);
        assert_eq!(verdict(Measure::Accuracy, 91.6), Verdict::Better);
        assert_eq!(verdict(Measure::Accuracy, 88.4), Verdict::Worse);
        assert_eq!(verdict(Measure::Rmse, 88.4), Verdict::Better);
        let study = study(Measure::Rmse);
        assert_eq!(
            study.cell(&study.rows[0], &study.columns[0], None).verdict,
            Verdict::NoData
        );
    }

    #[test]
    fn faults_are_found() {
        let mut wrong = study(Measure::Accuracy);
        assert_eq!(wrong.fault(), None);
        wrong.rows[0].paper.insert("2R".into(), 1.0);
        assert!(wrong.fault().unwrap().contains("`2R`"));
        let mut wrong = study(Measure::Accuracy);
        wrong.columns[0].best = Some(Best {
            setting: "blend".into(),
            values: Vec::new(),
        });
        assert!(wrong.fault().unwrap().contains("`blend`"));
    }
}
