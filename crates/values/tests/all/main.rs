//! The integration tests of the crate, in one program.

#![allow(clippy::unwrap_used, reason = "helpers of tests may fail the test")]

mod keys_of_public_data;
mod text_forms;
mod values;
