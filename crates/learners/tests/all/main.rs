//! Rules that all learners keep, with the list of learners at hand.

#![allow(clippy::unwrap_used, reason = "helpers of tests may fail the test")]

mod adjust;
mod auto;
mod facts;
mod flatten;
mod kinds;
mod members;
mod pruning;
mod settings;
