//! Studies from their files to their tables, in one program.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a failed step is a failed test, and a skipped one says so"
)]

mod over_time;
mod own_studies;
mod reproduce;
mod results;
