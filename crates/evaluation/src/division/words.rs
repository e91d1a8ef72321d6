//! The words that state a division, in a study file, in JSON, on a command line or in one line of
//! text: one parser for all of them.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer};
use serde_json::Value;

use super::Division;
use crate::error::Error;

/// Folds by default.
pub const FOLDS: usize = 10;
/// Repeats of random splits by default; folds are made once.
pub const SPLITS: usize = 25;

/// The words that state a division, as far as they are given.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Words {
    /// The number of folds.
    pub folds: Option<usize>,
    /// How often rows are divided anew.
    pub repeats: Option<usize>,
    /// The share of training rows of random splits.
    pub train_share: Option<f64>,
    /// The column that has the folds.
    pub column: Option<String>,
    /// The columns whose values are kept apart.
    pub apart: Vec<String>,
    /// The column that has the times.
    pub by_time: Option<String>,
    /// How old training rows may be beside the rows that are tested.
    pub train_window: Option<f64>,
    /// Whether each row is left out by itself.
    pub leave_one_out: bool,
    /// The registered splitter.
    pub splitter: Option<String>,
    /// The settings of the registered splitter.
    pub settings: Vec<(String, String)>,
}

impl Words {
    /// The division that is stated, numbers by default where none is given; none where nothing is.
    pub fn division(&self) -> Result<Option<Division>, Error> {
        if *self == Words::default() {
            return Ok(None);
        }
        let folds = self.folds.unwrap_or(FOLDS);
        let division = if let Some(splitter) = &self.splitter {
            Division::Custom {
                splitter: splitter.clone(),
                settings: self.settings.clone(),
            }
        } else if self.leave_one_out {
            Division::LeaveOneOut
        } else if let Some(column) = &self.column {
            Division::Column(column.clone())
        } else if let Some(column) = &self.by_time {
            Division::ByTime {
                column: column.clone(),
                folds,
                train_window: self.train_window,
            }
        } else if !self.apart.is_empty() {
            Division::Apart {
                folds,
                repeats: self.repeats.unwrap_or(1),
                columns: self.apart.clone(),
            }
        } else if let Some(share) = self.train_share {
            Division::Splits {
                share,
                repeats: self.repeats.unwrap_or(SPLITS),
            }
        } else {
            Division::Folds {
                folds,
                repeats: self.repeats.unwrap_or(1),
            }
        };
        // What the division does not say again was said in vain.
        let said = division.words();
        let unused = |given: bool, said: bool| given && !said;
        let contradicts = unused(self.folds.is_some(), said.folds.is_some())
            || unused(self.repeats.is_some(), said.repeats.is_some())
            || unused(self.train_share.is_some(), said.train_share.is_some())
            || unused(self.column.is_some(), said.column.is_some())
            || unused(!self.apart.is_empty(), !said.apart.is_empty())
            || unused(self.by_time.is_some(), said.by_time.is_some())
            || unused(self.train_window.is_some(), said.train_window.is_some())
            || self
                .train_window
                .is_some_and(|days| !(days.is_finite() && days > 0.0))
            || unused(self.leave_one_out, said.leave_one_out)
            || unused(!self.settings.is_empty(), !said.settings.is_empty());
        match contradicts {
            true => Err(Error::Division),
            false => Ok(Some(division)),
        }
    }

    /// The division that is stated in full: no number is left to a default but a single repeat of
    /// folds.
    pub(super) fn stated(&self) -> Result<Division, Error> {
        let division = self.division()?.ok_or(Error::Division)?;
        let open = match &division {
            Division::Folds { .. } | Division::Apart { .. } | Division::ByTime { .. } => {
                self.folds.is_none()
            }
            Division::Splits { .. } => self.repeats.is_none(),
            _ => false,
        };
        match open {
            true => Err(Error::Division),
            false => Ok(division),
        }
    }

    /// Adds a word with its value as text. Words may come twice where several values are meant.
    fn add(&mut self, word: &str, value: &str) -> Result<(), Error> {
        fn read<T: FromStr>(into: &mut Option<T>, value: &str) -> Result<(), Error> {
            let value = value.parse().map_err(|_| Error::Division)?;
            match into.replace(value) {
                Some(_) => Err(Error::Division),
                None => Ok(()),
            }
        }
        match word {
            "folds" => read(&mut self.folds, value),
            "repeats" => read(&mut self.repeats, value),
            "train_share" => read(&mut self.train_share, value),
            "column" => read(&mut self.column, value),
            "by_time" => read(&mut self.by_time, value),
            "train_window" => read(&mut self.train_window, value),
            "splitter" => read(&mut self.splitter, value),
            "apart" => {
                self.apart.push(value.to_owned());
                Ok(())
            }
            "leave_one_out" if value == "true" && !self.leave_one_out => {
                self.leave_one_out = true;
                Ok(())
            }
            "leave_one_out" => Err(Error::Division),
            setting => {
                self.settings.push((setting.to_owned(), value.to_owned()));
                Ok(())
            }
        }
    }

    /// Whether a word has a number, a truth value or a list as its value, not text.
    fn takes(word: &str, value: &Value) -> bool {
        match word {
            "folds" | "repeats" | "train_share" | "train_window" => value.is_number(),
            "leave_one_out" => value.is_boolean(),
            "column" | "by_time" | "splitter" => value.is_string(),
            "apart" => value
                .as_array()
                .is_some_and(|all| all.iter().all(Value::is_string)),
            _ => !value.is_array() && !value.is_object(),
        }
    }

    /// Settings without a splitter are words that there are not.
    fn checked(self) -> Result<Self, Error> {
        match self.splitter.is_none() && !self.settings.is_empty() {
            true => Err(Error::Division),
            false => Ok(self),
        }
    }
}

/// A value as it is written alone.
fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

impl<'de> Deserialize<'de> for Words {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let given = BTreeMap::<String, Value>::deserialize(deserializer)?;
        let read = || {
            let mut words = Words::default();
            for (word, value) in &given {
                if !Words::takes(word, value) {
                    return Err(Error::Division);
                }
                match value {
                    Value::Array(all) => {
                        for one in all {
                            words.add(word, &text(one))?;
                        }
                    }
                    one => words.add(word, &text(one))?,
                }
            }
            words.checked()
        };
        read().map_err(serde::de::Error::custom)
    }
}

impl FromStr for Words {
    type Err = Error;

    /// Reads `word=value` pairs with commas between them; a word of several values comes several
    /// times.
    fn from_str(text: &str) -> Result<Self, Error> {
        let mut words = Words::default();
        for pair in text.split(',') {
            let (word, value) = pair.split_once('=').ok_or(Error::Division)?;
            words.add(word.trim(), value.trim())?;
        }
        words.checked()
    }
}

impl fmt::Display for Words {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut pairs: Vec<String> = Vec::new();
        let mut pair = |word: &str, value: Option<&dyn fmt::Display>| {
            pairs.extend(value.map(|value| format!("{word}={value}")));
        };
        fn shown<T: fmt::Display>(value: &Option<T>) -> Option<&dyn fmt::Display> {
            value.as_ref().map(|value| value as &dyn fmt::Display)
        }
        pair("splitter", shown(&self.splitter));
        pair("folds", shown(&self.folds));
        pair("train_share", shown(&self.train_share));
        pair("repeats", shown(&self.repeats));
        pair("column", shown(&self.column));
        for column in &self.apart {
            pair("apart", Some(column));
        }
        pair("by_time", shown(&self.by_time));
        pair("train_window", shown(&self.train_window));
        pair(
            "leave_one_out",
            self.leave_one_out.then_some(&true as &dyn fmt::Display),
        );
        for (name, value) in &self.settings {
            pair(name, Some(value));
        }
        formatter.write_str(&pairs.join(","))
    }
}
