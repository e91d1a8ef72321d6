//! Comparisons: two columns tested against each other on the scores of the same folds, data set by
//! data set, wins counted.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Column, Group, Source, Study};
use crate::error::Error;
use crate::significance::{corrected_t_test, paired_t_test, wilcoxon_signed_rank};

/// Two columns whose scores are tested against each other.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Comparison {
    /// The columns.
    pub columns: [String; 2],
    /// The test.
    #[serde(default)]
    pub test: Tests,
    /// A difference with a probability of at most this is a win.
    #[serde(default = "one_in_twenty")]
    pub level: f64,
    /// How many wins the paper has for each of the two, by heading.
    #[serde(default)]
    pub paper: BTreeMap<String, [usize; 2]>,
}

/// Of the interval of a corrected t-test, which studies do not show.
const CONFIDENCE: f64 = 0.95;

fn one_in_twenty() -> f64 {
    0.05
}

/// A test on paired scores.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Tests {
    /// The paired t-test.
    #[default]
    PairedT,
    /// Wilcoxon's signed rank test.
    Wilcoxon,
    /// The corrected resampled t-test.
    CorrectedT,
}

impl Tests {
    /// What such tests are called.
    pub fn name(self) -> &'static str {
        match self {
            Tests::PairedT => "paired t-tests",
            Tests::Wilcoxon => "Wilcoxon signed rank tests",
            Tests::CorrectedT => "corrected resampled t-tests",
        }
    }

    /// Whether it knows that repeats of folds share all rows; others take them for new ones, and
    /// are to see one repeat.
    pub fn takes_repeats(self) -> bool {
        match self {
            Tests::PairedT | Tests::Wilcoxon => false,
            Tests::CorrectedT => true,
        }
    }

    /// The probability of such a difference, were there none, and a number whose sign is that of
    /// the difference.
    fn of(self, first: &[f64], second: &[f64], test_to_train: f64) -> Result<(f64, f64), Error> {
        Ok(match self {
            Tests::PairedT => {
                let test = paired_t_test(first, second)?;
                (test.p, test.mean_difference)
            }
            Tests::Wilcoxon => {
                let test = wilcoxon_signed_rank(first, second)?;
                (test.p, test.w_plus - test.w_minus)
            }
            Tests::CorrectedT => {
                let test = corrected_t_test(first, second, test_to_train, CONFIDENCE)?;
                (test.p, test.mean_difference)
            }
        })
    }
}

/// What came of a comparison under one heading.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Compared {
    /// The heading, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    /// The columns.
    pub columns: [String; 2],
    /// The test.
    pub test: Tests,
    /// A difference with a probability of at most this is a win.
    pub level: f64,
    /// How often each of the two wins.
    pub wins: [usize; 2],
    /// How often each wins in the paper.
    pub paper: Option<[usize; 2]>,
    /// The tests, row by row.
    pub tests: Vec<Tested>,
}

/// A test on one row.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Tested {
    /// The row's heading.
    pub row: String,
    /// The folds on which both scores are defined.
    pub pairs: usize,
    /// The probability of such a difference, were there none; none for fewer than two pairs.
    pub p: Option<f64>,
    /// The column that wins, if one does.
    pub winner: Option<String>,
}

impl Comparison {
    /// What is wrong with it in a study, if anything.
    pub(super) fn fault(&self, study: &Study) -> Option<String> {
        for name in &self.columns {
            match study.columns.iter().find(|column| column.name == *name) {
                None => {
                    return Some(format!(
                        "a comparison names column `{name}`, which there is not"
                    ));
                }
                Some(column) if column.best.is_some() => {
                    return Some(format!(
                        "a comparison names column `{name}`, whose settings were chosen on the test rows"
                    ));
                }
                Some(_) => {}
            }
        }
        let heading = self.paper.keys().find(|name| {
            let group = study.groups.iter().find(|group| group.name == **name);
            group.is_none_or(|group| self.contenders(study, group).is_none())
        })?;
        Some(format!(
            "a comparison has wins under heading `{heading}`, where nothing is tested"
        ))
    }

    /// The two columns under a heading; none where one is not there, or figures do not come from
    /// scores of folds.
    pub fn contenders<'a>(&self, study: &'a Study, group: &'a Group) -> Option<[&'a Column; 2]> {
        let [first, second] = &self.columns;
        let named = |name: &String| study.columns_of(group).find(|c| c.name == *name);
        match study.figure_of(group).source() {
            Source::Splits => Some([named(first)?, named(second)?]),
            Source::Members | Source::Whole => None,
        }
    }

    /// Tests the scores of the two columns on the same folds of one row; folds where either is not
    /// defined are left out.
    ///
    /// The corrected t-test needs to know how many test rows there are for each training row
    /// ([`test_to_train`](crate::significance::test_to_train)); the others do not look at it.
    pub fn test(
        &self,
        study: &Study,
        row: &str,
        first: &[Option<f64>],
        second: &[Option<f64>],
        test_to_train: f64,
    ) -> Result<Tested, Error> {
        let (a, b): (Vec<f64>, Vec<f64>) = first
            .iter()
            .zip(second)
            .filter_map(|(a, b)| a.zip(*b))
            .unzip();
        let test = match a.len() {
            0 | 1 => None,
            _ => Some(self.test.of(&a, &b, test_to_train)?),
        };
        let winner = test
            .filter(|(p, _)| *p <= self.level)
            .map(|(_, difference)| {
                let place = usize::from(!study.better(difference, 0.0));
                self.columns[place].clone()
            });
        Ok(Tested {
            row: row.to_owned(),
            pairs: a.len(),
            p: test.map(|(p, _)| p),
            winner,
        })
    }

    /// What came of the tests under a heading.
    pub fn compared(&self, study: &Study, group: &Group, tests: Vec<Tested>) -> Compared {
        let won = |name: &String| {
            let by = |test: &&Tested| test.winner.as_ref() == Some(name);
            tests.iter().filter(by).count()
        };
        Compared {
            group: (!study.groups.is_empty()).then(|| group.name.clone()),
            columns: self.columns.clone(),
            test: self.test,
            level: self.level,
            wins: [won(&self.columns[0]), won(&self.columns[1])],
            paper: self.paper.get(&group.name).copied(),
            tests,
        }
    }
}
