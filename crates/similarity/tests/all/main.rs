//! The integration tests of the crate, in one program.

#![allow(clippy::unwrap_used, reason = "helpers of tests may fail the test")]

mod catalogue;
mod dates;
mod differential;
mod door;
mod fourlayer;
mod golden;
mod laws;
mod naive;
mod oracles;
mod sequence_and_tree_oracles;
mod sequences_and_trees;
mod series;
mod shares;
mod texts;
