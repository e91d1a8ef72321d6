//! How a database is flattened, as a value.

use std::collections::BTreeSet;

use kinwood_aggregates::{Choice, Family};

use super::plan::Kind;
use super::{
    AGGREGATES, FLATTEN, FLATTEN_COLUMNS, FLATTEN_DEPTH, FLATTEN_LABELS, FLATTEN_LAST,
    FLATTEN_ROWS, FLATTEN_WINDOWS,
};
use crate::error::{Error, Result};
use crate::settings::{Parameter, Settings};

/// How a database becomes one table for a learner of one table:
/// `Flatten { kind, depth, rows, ..Flatten::default() }.around(learner)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flatten {
    /// Which table is made: the joined one by default.
    pub kind: Kind,
    /// The most foreign keys that are followed one after the other, from 1; 3 by default.
    pub depth: usize,
    /// The most rows that [`Kind::Joined`] makes before it gives up, and the most linked rows that
    /// a path of [`Kind::Averaged`] leads to; ten million by default.
    pub rows: u64,
    /// The kinds of aggregates of [`Kind::Averaged`]: `all` by default, `paper` for the published
    /// averages and most frequent labels, or a list.
    pub aggregates: String,
    /// Spans of time in days, or units of a numeric time, as a list.
    pub windows: String,
    /// Numbers of latest rows, as a list.
    pub last: String,
    /// The most labels of a column that have shares and conditions of their own.
    pub labels: usize,
    /// The most aggregates that are kept.
    pub columns: usize,
}

impl Default for Flatten {
    fn default() -> Self {
        let whole = |of: Parameter| -> u64 { of.default.parse().expect("the default is a number") };
        Self {
            kind: Kind::Joined,
            depth: whole(FLATTEN_DEPTH) as usize,
            rows: whole(FLATTEN_ROWS),
            aggregates: AGGREGATES.default.to_owned(),
            windows: FLATTEN_WINDOWS.default.to_owned(),
            last: FLATTEN_LAST.default.to_owned(),
            labels: whole(FLATTEN_LABELS) as usize,
            columns: whole(FLATTEN_COLUMNS) as usize,
        }
    }
}

impl Flatten {
    /// As the settings have it; `None` if nothing is flattened.
    pub fn read(settings: &Settings) -> Option<Self> {
        let kind = Kind::named(settings.get(FLATTEN.name)?)?;
        Some(Self::of(kind, settings))
    }

    /// As the settings have it for a kind, whichever they name.
    pub(super) fn of(kind: Kind, settings: &Settings) -> Self {
        // Those that the kind has no use for are left out of settings.
        let text = |of: Parameter| settings.get(of.name).unwrap_or(of.default).to_owned();
        let whole = |of: Parameter| -> u64 {
            let text = text(of);
            text.parse().expect("checked when the settings were read")
        };
        Self {
            kind,
            depth: whole(FLATTEN_DEPTH) as usize,
            rows: whole(FLATTEN_ROWS),
            aggregates: text(AGGREGATES),
            windows: text(FLATTEN_WINDOWS),
            last: text(FLATTEN_LAST),
            labels: whole(FLATTEN_LABELS) as usize,
            columns: whole(FLATTEN_COLUMNS) as usize,
        }
    }

    /// Fails when a setting is out of its range.
    pub(crate) fn check(&self) -> Result<()> {
        FLATTEN_DEPTH.check(&self.depth.to_string())?;
        FLATTEN_ROWS.check(&self.rows.to_string())?;
        FLATTEN_LABELS.check(&self.labels.to_string())?;
        FLATTEN_COLUMNS.check(&self.columns.to_string())?;
        self.choice().map(drop)
    }

    /// Which aggregates are tried; `None` for those of the paper.
    pub(super) fn choice(&self) -> Result<Option<Choice>> {
        let windows = Choice::windows(&self.windows)
            .map_err(|error| refused(FLATTEN_WINDOWS, &self.windows, error))?;
        let last =
            Choice::last(&self.last).map_err(|error| refused(FLATTEN_LAST, &self.last, error))?;
        if self.aggregates == "paper" {
            return Ok(None);
        }
        let families: BTreeSet<Family> = Choice::families(&self.aggregates)
            .map_err(|error| refused(AGGREGATES, &self.aggregates, error))?;
        Ok(Some(Choice {
            depth: self.depth,
            rows: self.rows,
            families,
            windows,
            last,
            labels: self.labels,
            columns: self.columns,
        }))
    }
}

fn refused(of: Parameter, value: &str, error: kinwood_aggregates::Error) -> Error {
    let (expected, nearest) = match error {
        kinwood_aggregates::Error::Family { valid, nearest, .. } => (valid, nearest),
        kinwood_aggregates::Error::List { of, example, .. } => (
            format!("a list of {of}, such as `{example}`, or none"),
            None,
        ),
        other => (other.to_string(), None),
    };
    Error::SettingValue {
        name: of.name.to_owned(),
        value: value.to_owned(),
        expected,
        nearest,
    }
}
