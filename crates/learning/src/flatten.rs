//! Flattening: a database as one table, for learners that look at one table only.
//!
//! A *path* starts at the target's table and follows foreign keys in either direction, each key at
//! most once. Two tables can be made of the paths of a database:
//!
//! - [`Kind::Joined`] (`p1`): all tables on all paths joined with the target's. An object has a row
//!   for every combination of linked rows, and one where nothing is linked; what is predicted of it
//!   is the average over its rows, each of which counts as much as the object does.
//! - [`Kind::Averaged`] (`p2`): a row an object. A column on a path becomes the average of its
//!   numbers, or the most frequent of its labels, over the rows that the path leads to.
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
mod flat;
mod join;
mod model;
#[cfg(test)]
mod naive;
mod plan;
mod settings;
#[cfg(test)]
mod tests;

pub use flat::Flat;
pub use model::{Flattened, FlatteningLearner};
pub use plan::{Flattening, Kind};
pub use settings::Flatten;

use crate::settings::{Allowed, Parameter, Settings};

/// How a database becomes one table.
pub const FLATTEN: Parameter = Parameter {
    name: "flatten",
    doc: "How linked tables become columns: p1 joins them all, several rows an object, and averages the predictions; p2 has the average or most frequent value of each linked column, one row an object.",
    allowed: Allowed::Choice(&["none", "p1", "p2"]),
    default: "none",
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
    doc: "The most rows that flatten=p1 makes before it gives up.",
    allowed: Allowed::Whole {
        least: 1,
        most: u32::MAX as u64,
    },
    default: "10000000",
};

/// The settings that every flat learner has besides its own.
pub const PARAMETERS: [Parameter; 3] = [FLATTEN, FLATTEN_DEPTH, FLATTEN_ROWS];

/// The settings, without those of this module where nothing is flattened: they would stand in every
/// report and say nothing.
pub fn told(settings: Settings) -> Settings {
    match Flatten::read(&settings) {
        Some(_) => settings,
        None => settings.without(&PARAMETERS.map(|parameter| parameter.name)),
    }
}
