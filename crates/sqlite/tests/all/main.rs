//! The extension, loaded into another SQLite: the one that is linked into these tests, and Debian's
//! program.

#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "helpers of tests may fail the test, and say what is skipped"
)]

mod loaded;
mod program;
mod same;
