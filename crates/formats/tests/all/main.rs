//! The tests of formats as one program: what is read, what is refused, what public data hold.

#[cfg(not(all(feature = "arrow", feature = "sqlite", feature = "postgres")))]
mod absent;
mod arff_public;
#[cfg(all(feature = "arrow", feature = "sqlite"))]
mod bad_input;
mod facts;
mod formats;
mod json_properties;
mod limits;
mod own_format;
mod prolog_properties;
mod prolog_public;
mod public_data;
mod schemas;
mod sources;
#[cfg(all(unix, feature = "postgres"))]
mod sql_postgres;
#[cfg(feature = "sqlite")]
mod sql_sqlite;
// Tests of other crates use the same server.
#[cfg(all(unix, feature = "postgres"))]
#[allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a failed step is a failed test, and a skipped one is told"
)]
#[path = "../support/mod.rs"]
mod support;
