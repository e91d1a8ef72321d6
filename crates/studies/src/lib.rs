//! Learners beside each other and beside published figures: comparisons, the folders that keep
//! their results, the choice of settings, and tables of papers made again.

pub mod compare;
pub mod over_time;
mod report_of_results;
pub mod reproduce;
pub mod results;
pub mod tune;

pub use report_of_results::of_results;
