//! Flattening: a database as one table, for learners that look at one table only.
//!
//! A *path* starts at the target's table and follows foreign keys in either direction, each key at
//! most once. Two tables can be made of the paths of a database:
//!
//! - [`Kind::Joined`] (`p1`): all tables on all paths joined with the target's. An object has a row
//!   for every combination of linked rows, and one where nothing is linked; what is predicted of it
//!   is the average over its rows, each of which counts as much as the object does.
//! - [`Kind::Averaged`] (`p2`): a row an object. Columns on paths become aggregates of the rows
//!   that they lead to: counts, means, shares of labels, latest values and more, which
//!   [`kinwood_aggregates`] chooses and computes. As published (`aggregates=paper`), a column
//!   becomes the average of its numbers or the most frequent of its labels, and nothing else.
//!
//! Both are made through a [`kinwood_values::View`], so that hidden columns and rows outside the
//! view stay out on paths that lead back to the target's table, too.
//!
//! Reference: Appice, Ceci and Malerba, Top-down induction of relational model trees in
//! multi-instance learning, section 5, where trees of one table are given databases by the
//! transformations P1 and P2; its error MSE-G is that of the averages of P1.
//!
//! The registry gives the settings of this module to every learner whose entry says that it is
//! flat; [`Flatten`] is for learners made by hand.

mod average;
mod features;
mod flat;
mod join;
mod made;
mod model;
#[cfg(test)]
mod naive;
mod plan;
mod settings;
#[cfg(test)]
mod tests;

pub use features::Features;
pub use flat::Flat;
pub use kinwood_aggregates::Described;
pub use model::{Flattened, FlatteningLearner};
pub use plan::{Flattening, Kind};
pub use settings::Flatten;

use crate::error::Result;
use crate::settings::{Allowed, Parameter, Settings};

/// How a database becomes one table.
pub const FLATTEN: Parameter = Parameter {
    name: "flatten",
    doc: "How linked tables become columns: p1 joins them all, several rows an object, and averages the predictions; p2 has aggregates of the linked rows, one row an object.",
    allowed: Allowed::Choice(&["none", "p1", "p2"]),
    default: "none",
};

/// [`FLATTEN`], for learners that are given aggregates of a database by default.
pub const FLATTEN_BY_DEFAULT: Parameter = Parameter {
    default: "p2",
    ..FLATTEN
};

/// Settings of learners that say how linked rows are compared or followed: who states one of them
/// does not mean aggregates.
pub const OF_LINKED_ROWS: [&str; 3] = ["distance", "keys", "follow"];

/// Which aggregates there are.
pub const AGGREGATES: Parameter = Parameter {
    name: "aggregates",
    doc: "The aggregates of flatten=p2: all; paper for the published averages and most frequent labels alone; or a list of value, age, calendar, count, exists, since, sum, mean, sd, min, max, range, median, quartiles, distinct, trend, change, latest, mode, share, windows, last and conditional.",
    allowed: Allowed::Text,
    default: "all",
};

/// How many keys a path has at most.
pub const FLATTEN_DEPTH: Parameter = Parameter {
    name: "flatten_depth",
    doc: "The most foreign keys that flattening follows one after the other.",
    allowed: Allowed::Whole {
        least: 1,
        most: plan::DEEPEST as u64,
    },
    default: "3",
};

/// How many rows joined tables have at most.
pub const FLATTEN_ROWS: Parameter = Parameter {
    name: "flatten_rows",
    doc: "The most rows that flatten=p1 makes before it gives up, and the most linked rows of a path of flatten=p2.",
    allowed: Allowed::Whole {
        least: 1,
        most: u32::MAX as u64,
    },
    default: "10000000",
};

/// Spans of time that aggregates look back.
pub const FLATTEN_WINDOWS: Parameter = Parameter {
    name: "flatten_windows",
    doc: "How far back aggregates of flatten=p2 look from a cutoff, beside the whole past: a list of days, or units of a numeric time, or none.",
    allowed: Allowed::Text,
    default: "30,90,365,1095",
};

/// Numbers of latest rows that aggregates look at.
pub const FLATTEN_LAST: Parameter = Parameter {
    name: "flatten_last",
    doc: "How many of the latest rows aggregates of flatten=p2 look at, beside all: a list of numbers, or none.",
    allowed: Allowed::Text,
    default: "3,5,10",
};

/// How many labels of a column have aggregates of their own.
pub const FLATTEN_LABELS: Parameter = Parameter {
    name: "flatten_labels",
    doc: "The most frequent labels of a column that have shares and conditions of their own in flatten=p2.",
    allowed: Allowed::Whole {
        least: 0,
        most: 1000,
    },
    default: "8",
};

/// How many aggregates are kept.
pub const FLATTEN_COLUMNS: Parameter = Parameter {
    name: "flatten_columns",
    doc: "The most aggregates that flatten=p2 keeps, the nearest and plainest first.",
    allowed: Allowed::Whole {
        least: 1,
        most: 100_000,
    },
    default: "400",
};

/// The settings that every flat learner has besides its own.
pub const PARAMETERS: [Parameter; 8] = [
    FLATTEN,
    FLATTEN_DEPTH,
    FLATTEN_ROWS,
    AGGREGATES,
    FLATTEN_WINDOWS,
    FLATTEN_LAST,
    FLATTEN_LABELS,
    FLATTEN_COLUMNS,
];

/// The settings, without those of this module where nothing is flattened: they would stand in every
/// report and say nothing. Fails when one of them cannot have its value, used or not.
pub fn told(settings: Settings) -> Result<Settings> {
    Flatten::of(Kind::Averaged, &settings).check()?;
    let flatten = Flatten::read(&settings);
    Ok(
        match flatten.map(|flatten| (flatten.kind, flatten.aggregates)) {
            None => settings.without(&PARAMETERS.map(|parameter| parameter.name)),
            // Joins and the published averages have settings of their own, and no more.
            Some((kind, aggregates)) if kind == Kind::Joined || aggregates == "paper" => {
                let chosen = [AGGREGATES, FLATTEN_WINDOWS, FLATTEN_LAST, FLATTEN_LABELS];
                let chosen = chosen.into_iter().chain([FLATTEN_COLUMNS]);
                let unused: Vec<&str> = chosen
                    .map(|parameter| parameter.name)
                    .filter(|name| kind == Kind::Joined || *name != AGGREGATES.name)
                    .collect();
                settings.without(&unused)
            }
            Some(_) => settings,
        },
    )
}
