//! How good it is: splits, measures, tests, studies.
//!
//! [`splits`] divides rows into training and test, [`measures`] scores predictions against the
//! truth, [`summary`] condenses the scores of many folds, [`significance`] says whether two methods
//! differ. All of these work on plain slices; [`run`] brings them together with learners,
//! [`parts`] does so where rows are divided once for all,
//! [`members`] looks at every model of a set, [`whole`] at what is fitted on all rows,
//! [`importance`] at what a model predicts by. [`attempts`] tries many learners on the same splits,
//! [`tune`] chooses among them without seeing the rows they are tested on.
#![forbid(unsafe_code)]

pub mod attempts;
pub mod division;
pub mod error;
pub mod importance;
pub mod measures;
pub mod members;
pub mod parts;
pub mod pooled;
pub mod run;
mod scorer;
pub mod significance;
pub mod splits;
pub mod study;
pub mod summary;
pub mod target;
pub mod true_values;
pub mod truth;
pub mod tune;
pub mod whole;

pub use error::Error;
