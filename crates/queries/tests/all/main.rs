//! Queries over data in memory and in files, against fitting and filtering by hand.
#![cfg(feature = "sqlite")]
#![allow(clippy::unwrap_used, reason = "helpers of tests may fail the test")]

mod constrained;
mod data;
mod hostile;
mod kept;
mod near;
mod paper;
mod random;
mod tables;
