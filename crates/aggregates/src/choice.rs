//! Which aggregates are tried.

use std::collections::BTreeSet;

use kinwood_values::suggest::nearest;

use crate::error::{Error, Result};

/// A kind of aggregates, as a user names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Family {
    /// Values of rows that a path leads to one of.
    Value,
    /// How long before the cutoff an instant is.
    Age,
    /// Year, month and day of the week of the cutoff.
    Calendar,
    /// How many rows.
    Count,
    /// Whether there are rows.
    Exists,
    /// Time since the latest and the first row.
    Since,
    /// Sums.
    Sum,
    /// Means.
    Mean,
    /// Standard deviations.
    Sd,
    /// Least numbers.
    Min,
    /// Most numbers.
    Max,
    /// The most less the least.
    Range,
    /// Medians.
    Median,
    /// Lower and upper quartiles.
    Quartiles,
    /// How many different values.
    Distinct,
    /// Slopes over time.
    Trend,
    /// A span of time against the one before.
    Change,
    /// Latest values.
    Latest,
    /// Most frequent labels.
    Mode,
    /// Shares of frequent labels.
    Share,
    /// Any of the above within the last days.
    Windows,
    /// Means and shares of the last rows.
    Last,
    /// Counts, means and sums of rows with a frequent label.
    Conditional,
}

impl Family {
    /// All of them with their names, in order.
    pub const ALL: [(&'static str, Family); 23] = [
        ("value", Family::Value),
        ("age", Family::Age),
        ("calendar", Family::Calendar),
        ("count", Family::Count),
        ("exists", Family::Exists),
        ("since", Family::Since),
        ("sum", Family::Sum),
        ("mean", Family::Mean),
        ("sd", Family::Sd),
        ("min", Family::Min),
        ("max", Family::Max),
        ("range", Family::Range),
        ("median", Family::Median),
        ("quartiles", Family::Quartiles),
        ("distinct", Family::Distinct),
        ("trend", Family::Trend),
        ("change", Family::Change),
        ("latest", Family::Latest),
        ("mode", Family::Mode),
        ("share", Family::Share),
        ("windows", Family::Windows),
        ("last", Family::Last),
        ("conditional", Family::Conditional),
    ];
}

/// Which aggregates are tried, and how many are kept.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// The most foreign keys one after the other.
    pub depth: usize,
    /// The most linked rows of a path, over all objects: longer ones are left out.
    pub rows: u64,
    /// The kinds of aggregates.
    pub families: BTreeSet<Family>,
    /// Spans of time, in days or units of a numeric time.
    pub windows: Vec<f64>,
    /// Numbers of latest rows.
    pub last: Vec<u32>,
    /// The most labels of a column that have shares and conditions of their own.
    pub labels: usize,
    /// The most aggregates that are kept.
    pub columns: usize,
}

impl Choice {
    /// The kinds of aggregates in a list of their names, or `all`.
    pub fn families(text: &str) -> Result<BTreeSet<Family>> {
        if text.trim() == "all" {
            return Ok(Family::ALL.iter().map(|&(_, family)| family).collect());
        }
        text.split(',')
            .map(|word| {
                let word = word.trim();
                let known = Family::ALL.iter().find(|(name, _)| *name == word);
                known.map(|&(_, family)| family).ok_or_else(|| {
                    let names = Family::ALL.map(|(name, _)| name);
                    Error::Family {
                        word: word.to_owned(),
                        valid: format!("all, paper, or some of {}", names.join(", ")),
                        nearest: nearest(word, names),
                    }
                })
            })
            .collect()
    }

    /// The spans of time in a list of numbers above zero, or `none`.
    pub fn windows(text: &str) -> Result<Vec<f64>> {
        list(text, "days", "30,90,365,1095", |number: &f64| {
            number.is_finite() && *number > 0.0
        })
    }

    /// The numbers of rows in a list of whole numbers from 1, or `none`.
    pub fn last(text: &str) -> Result<Vec<u32>> {
        list(text, "numbers of rows", "3,5,10", |number: &u32| {
            *number > 0
        })
    }

    /// Whether a kind of aggregates is tried.
    pub(crate) fn tries(&self, family: Family) -> bool {
        self.families.contains(&family)
    }
}

fn list<T: std::str::FromStr>(
    text: &str,
    of: &'static str,
    example: &'static str,
    valid: impl Fn(&T) -> bool,
) -> Result<Vec<T>> {
    if text.trim() == "none" {
        return Ok(Vec::new());
    }
    let numbers: Option<Vec<T>> = text
        .split(',')
        .map(|word| word.trim().parse().ok().filter(&valid))
        .collect();
    numbers.ok_or_else(|| Error::List {
        text: text.to_owned(),
        of,
        example,
    })
}
