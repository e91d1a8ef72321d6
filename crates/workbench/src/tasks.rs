//! Tasks over time, stated rather than programmed: for each row of a table, every so many days,
//! what happens within the days that follow?
//!
//! A [`TaskDefinition`] is bound to data ([`TaskDefinition::bind`]), which finds the tables, the
//! keys between them and the times. What comes out, a [`BoundTask`], is one SQL query that SQLite
//! and PostgreSQL answer alike, and can be answered here whatever the data was read from.
//!
//! Cutoffs of test rows start at the test date, those of validation rows at the validation date;
//! training rows go back from there, and no window reaches into the part that follows.

mod beside;
mod bind;
mod calendar;
mod expression;
mod made;
mod query;

use serde::{Deserialize, Deserializer};

use crate::error::{Error, Result};

pub use bind::BoundTask;
pub use calendar::days;
pub use expression::{Aggregate, TargetExpression};
pub use made::MadeTask;

/// A task over time, as it is stated.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TaskDefinition {
    /// The table whose rows it is about.
    pub entity: String,
    /// A cutoff every so many days; units of times that are numbers.
    #[serde(deserialize_with = "length")]
    pub every: f64,
    /// How many days after a cutoff are looked at.
    #[serde(deserialize_with = "length")]
    pub horizon: f64,
    /// What is to be predicted, such as `any(results.statusId != 1)`.
    pub target: String,
    /// What the target's column is called; by default after what it is made of.
    #[serde(default)]
    pub name: Option<String>,
    /// No cutoff is earlier; by default that is the first time there is.
    #[serde(default, deserialize_with = "optional_text")]
    pub from: Option<String>,
    /// No window reaches beyond; by default that is the last time there is.
    #[serde(default, deserialize_with = "optional_text")]
    pub to: Option<String>,
    /// The first cutoff of validation rows.
    #[serde(default, deserialize_with = "optional_text")]
    pub validation: Option<String>,
    /// The first cutoff of test rows.
    #[serde(default, deserialize_with = "optional_text")]
    pub test: Option<String>,
    /// At most so many cutoffs of validation rows, and of test rows.
    #[serde(default)]
    pub cutoffs: Option<usize>,
    /// Only linked rows that satisfy this.
    #[serde(default, rename = "where")]
    pub condition: Option<String>,
    /// Only rows of the entity's table that satisfy this.
    #[serde(default)]
    pub who: Option<String>,
    /// Only who has a linked row within so many days up to the cutoff.
    #[serde(default, deserialize_with = "optional_length")]
    pub active: Option<f64>,
    /// The table of those rows; by default that of the target.
    #[serde(default)]
    pub active_in: Option<String>,
    /// What becomes of those without a linked row after the cutoff.
    #[serde(default)]
    pub empty: Option<Empty>,
    /// The column that leads to the entity's table, where several do.
    #[serde(default)]
    pub via: Option<String>,
    /// The column with the times of linked rows, where there are several of dates.
    #[serde(default)]
    pub time: Option<String>,
}

/// What becomes of those without a linked row after the cutoff.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Empty {
    /// They are no examples.
    Drop,
    /// They are examples, of which nothing is counted: 0 of a count, a sum or `any`, 1 of `none`.
    Zero,
}

/// A file with a task.
#[derive(Deserialize)]
struct TaskFile {
    task: TaskDefinition,
}

impl TaskDefinition {
    /// Reads the part `[task]` of a file in TOML, such as a study. `file` is what messages call it.
    pub fn from_toml(text: &str, file: &str) -> Result<Self> {
        let wrong = |reason: String| Error::Task {
            reason: format!("{file}: {}", reason.trim_end()),
        };
        let read: TaskFile = toml::from_str(text).map_err(|error| wrong(error.to_string()))?;
        Ok(read.task)
    }
}

fn wrong(reason: impl Into<String>) -> Error {
    Error::Task {
        reason: reason.into(),
    }
}

/// A number of days, or a text such as `30 days`, `4 weeks` or `1 year`.
#[derive(Deserialize)]
#[serde(untagged)]
enum Length {
    Number(f64),
    Text(String),
}

impl Length {
    fn days<E: serde::de::Error>(self) -> std::result::Result<f64, E> {
        match self {
            Length::Number(days) => Ok(days),
            Length::Text(text) => days(&text).map_err(E::custom),
        }
    }
}

fn length<'de, D: Deserializer<'de>>(from: D) -> std::result::Result<f64, D::Error> {
    Length::deserialize(from)?.days()
}

fn optional_length<'de, D: Deserializer<'de>>(
    from: D,
) -> std::result::Result<Option<f64>, D::Error> {
    length(from).map(Some)
}

/// A date as text, or as TOML has dates and numbers.
fn optional_text<'de, D: Deserializer<'de>>(
    from: D,
) -> std::result::Result<Option<String>, D::Error> {
    let text = match toml::Value::deserialize(from)? {
        toml::Value::String(text) => text,
        other => other.to_string(),
    };
    Ok(Some(text))
}
