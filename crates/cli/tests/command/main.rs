//! The command as users meet it: the built program, run on small data.

#![allow(clippy::unwrap_used, reason = "helpers of tests may fail the test")]

mod compare;
mod configuration;
mod data_errors;
mod documents;
mod everyday;
mod external;
mod facts;
mod held_out;
mod help;
mod importance;
mod json;
mod kinds;
mod manual;
mod members;
mod models;
mod pictures;
#[cfg(feature = "sqlite")]
mod queries;
mod report;
mod sandbox;
mod settings;
mod shells;
mod similarity;
mod stateful;
mod stopped;
mod terminal;
mod tree_errors;
mod tune;
mod usage_errors;
mod verbs;
