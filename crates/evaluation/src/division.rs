//! How rows are to be divided, as users state it: by name and numbers, before any data is there.
//!
//! A [`Division`] is what commands, study files and programs state. Bound to rows, whose columns it
//! may name, it becomes a [`crate::splits::Plan`], which makes the splits. However it is stated, it
//! is read from the same words: see [`Words`].

mod words;

pub use words::Words;

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer};

use crate::error::Error;

/// How rows are to be divided into training and test.
#[derive(Clone, Debug, PartialEq)]
pub enum Division {
    /// Folds, each tested once a repeat.
    Folds {
        /// How many.
        folds: usize,
        /// How often anew.
        repeats: usize,
    },
    /// Random splits.
    Splits {
        /// The share of training rows.
        share: f64,
        /// How often anew.
        repeats: usize,
    },
    /// Folds that a column of the target's table gives; no learner looks at it.
    Column(String),
    /// Folds of objects: no test row has a value that a training row has in one of the columns.
    Apart {
        /// How many.
        folds: usize,
        /// How often anew.
        repeats: usize,
        /// The columns of the target's table whose values are the objects of a row.
        columns: Vec<String>,
    },
    /// Each row, or where there are groups each group, by itself.
    LeaveOneOut,
    /// Folds in the order of time: what is tested is never earlier than what is trained on.
    ByTime {
        /// The column of the target's table that has the times: numbers or dates.
        column: String,
        /// How many.
        folds: usize,
        /// Rows older than so many days, or units of times that are numbers, before a block are not
        /// trained on: the window of training slides instead of growing.
        train_window: Option<f64>,
    },
    /// As a registered splitter divides them.
    Custom {
        /// The name of a [`crate::splits::SplitterEntry`].
        splitter: String,
        /// Settings that differ from its defaults.
        settings: Vec<(String, String)>,
    },
}

impl Division {
    /// The words that state this division.
    pub fn words(&self) -> Words {
        let mut words = Words::default();
        match self.clone() {
            Division::Folds { folds, repeats } => {
                (words.folds, words.repeats) = (Some(folds), Some(repeats));
            }
            Division::Splits { share, repeats } => {
                (words.train_share, words.repeats) = (Some(share), Some(repeats));
            }
            Division::Column(column) => words.column = Some(column),
            Division::Apart {
                folds,
                repeats,
                columns,
            } => {
                (words.folds, words.repeats) = (Some(folds), Some(repeats));
                words.apart = columns;
            }
            Division::LeaveOneOut => words.leave_one_out = true,
            Division::ByTime {
                column,
                folds,
                train_window,
            } => {
                (words.by_time, words.folds) = (Some(column), Some(folds));
                words.train_window = train_window;
            }
            Division::Custom { splitter, settings } => {
                (words.splitter, words.settings) = (Some(splitter), settings);
            }
        }
        words
    }
}

impl FromStr for Division {
    type Err = Error;

    /// Reads a division as it is written on one line.
    ///
    /// ```
    /// use kinwood_evaluation::division::Division;
    /// let division: Division = "folds=5,repeats=2".parse()?;
    /// assert_eq!(division, Division::Folds { folds: 5, repeats: 2 });
    /// assert_eq!("leave_one_out=true".parse(), Ok(Division::LeaveOneOut));
    /// # Ok::<(), kinwood_evaluation::Error>(())
    /// ```
    fn from_str(text: &str) -> Result<Self, Error> {
        text.parse::<Words>()?.stated()
    }
}

impl fmt::Display for Division {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.words().fmt(formatter)
    }
}

impl<'de> Deserialize<'de> for Division {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let words = Words::deserialize(deserializer);
        let stated = words
            .map_err(|_| Error::Division)
            .and_then(|words| words.stated());
        stated.map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests;
