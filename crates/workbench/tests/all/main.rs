//! Files, learners and models together, in one program: it links once what takes long to link.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a failed step is a failed test, and a skipped one says so"
)]

mod all_data_files;
mod beam_golden;
#[cfg(unix)]
mod boost_sql;
mod clus;
#[cfg(unix)]
mod contents_sql;
mod convert;
mod data;
mod degenerate;
mod kstar_weka;
mod leaks;
mod leaks_in_time;
mod m5_weka;
mod members;
#[cfg(unix)]
mod mirt_sql;
mod model_files;
#[cfg(unix)]
mod prototype_sql;
mod relational;
#[cfg(unix)]
#[path = "../../../formats/tests/support/mod.rs"]
#[allow(dead_code, reason = "the server can do more than is asked of it here")]
mod support;
#[cfg(feature = "sqlite")]
mod tasks;
mod time;
mod time_warnings;
#[cfg(unix)]
mod tree_sql;
mod views;
