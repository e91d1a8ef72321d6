//! The crate as its users see it: what they add through its public names alone.

#![allow(clippy::unwrap_used, reason = "helpers of tests may fail the test")]

mod definitions;
mod own_measure;
mod own_splitter;
mod rows;
