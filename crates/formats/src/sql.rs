//! Databases that speak SQL: a SQLite file, a PostgreSQL server.
//!
//! Keys are read from the catalogue, not guessed. Rows stream straight into columns, in one snapshot of the
//! database, so memory stays near the size of the columns. A column whose values contradict what it is declared
//! to be is read again as text: declared types are hints in SQLite, and keys must stay exact everywhere.

#[cfg_attr(
    not(all(feature = "sqlite", feature = "postgres")),
    allow(dead_code, reason = "each database has values that the other has not")
)]
mod builder;
mod catalogue;
mod finish;
#[cfg_attr(
    not(all(feature = "sqlite", feature = "postgres")),
    allow(dead_code, reason = "each database has values that the other has not")
)]
mod label;
#[cfg(feature = "postgres")]
mod postgres;
#[cfg(feature = "sqlite")]
mod sqlite;

#[cfg(feature = "sqlite")]
use std::path::Path;

use crate::dataset::Dataset;
use crate::error::Result;

/// What is read of a database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SqlOptions {
    /// The tables and views to read, `schema.table` where a PostgreSQL schema must be told; all if none are named.
    pub tables: Option<Vec<String>>,
    /// The PostgreSQL schemas whose tables are read; those of the search path (usually `public`) if none are named.
    pub schemas: Vec<String>,
    /// Whether views are read too, as tables without keys.
    pub views: bool,
}

impl Default for SqlOptions {
    fn default() -> Self {
        Self {
            tables: None,
            schemas: Vec::new(),
            views: true,
        }
    }
}

/// Writes a database as a SQLite file, keys and all, wholly or not at all; a file that is there is replaced.
#[cfg(feature = "sqlite")]
pub fn write_sqlite(database: &kinwood_values::Database, path: &Path) -> Result<()> {
    sqlite::write::write(database, path)
}

/// Reads a SQLite file.
///
/// Primary and foreign keys are the declared ones; the implicit row number is no key. Columns have the type that
/// their declaration and their values agree on: numbers, ISO dates in columns declared as dates, labels or free
/// text. Binary columns are left out, unless they are keys.
#[cfg(feature = "sqlite")]
pub fn read_sqlite(path: &Path, options: &SqlOptions) -> Result<Dataset> {
    sqlite::read(path, options)
}

/// Reads a PostgreSQL database, named by a URL such as `postgresql://user:password@host:port/database`.
///
/// The URL may state `sslmode` (`disable`, `prefer`, `require`, `verify-ca`, `verify-full`) and `sslrootcert` (a file
/// of certificates, or `system`); a password that it does not state is taken from `PGPASSWORD`. Without
/// `sslrootcert` certificates are checked against those that the system trusts.
#[cfg(feature = "postgres")]
pub fn read_postgres(url: &str, options: &SqlOptions) -> Result<Dataset> {
    postgres::read(url, options)
}
