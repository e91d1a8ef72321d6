//! Aggregates: what the rows that foreign keys link with an object say of it.
//!
//! A *path* starts at the table of a view and follows foreign keys in either direction. Where it
//! leads to one row at most, the values of that row are taken; where it leads to many, numbers are
//! made of them: how many there are, their mean, the share of a label, the latest value, what they
//! were within the last year. If the rows of the view have cutoffs, each is described by what it
//! could see at its own.
//!
//! [`Plan::fit`] chooses aggregates on training rows, [`Plan::columns`] computes them for the rows
//! of any view of the same tables. Each has a name, words and a path, which [`Plan::catalogue`]
//! lists.
//!
//! Rows are never counted through once for each example. For each path the linked rows of an
//! entity are put in order of time once, and all examples of that entity are answered in one walk
//! along them (`sweep`). `naive`, in tests, has the definitions.

mod aggregate;
mod catalogue;
mod choice;
mod clocks;
mod compute;
mod error;
mod fit;
mod linked;
#[cfg(test)]
mod naive;
mod numbers;
pub mod paths;
mod plan;
mod queries;
mod ranks;
mod sql;
mod sweep;

pub use aggregate::{Aggregate, Condition, Operation, Span};
pub use catalogue::Described;
pub use choice::{Choice, Family};
pub use error::Error;
pub use fit::Fitted;
pub use paths::{Paths, Step};
pub use plan::Plan;
