//! The integration tests of the crate, in one program.

#![allow(clippy::unwrap_used, reason = "helpers of tests may fail the test")]

mod oracle;
mod properties;
mod sklearn;
