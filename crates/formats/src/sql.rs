//! Databases that speak SQL: a SQLite file, a PostgreSQL server.
//!
//! Keys are read from the catalogue, not guessed. Rows stream straight into columns, in one
//! snapshot of the database, so memory stays near the size of the columns. A column whose values
//! contradict what it is declared to be is read again as text: declared types are hints in SQLite,
//! and keys must stay exact everywhere.

#[cfg(any(feature = "sqlite", feature = "postgres"))]
#[cfg_attr(
    not(all(feature = "sqlite", feature = "postgres")),
    allow(dead_code, reason = "each database has values that the other has not")
)]
mod builder;
#[cfg(any(feature = "sqlite", feature = "postgres"))]
mod catalogue;
#[cfg(any(feature = "sqlite", feature = "postgres"))]
mod declared;
#[cfg(any(feature = "sqlite", feature = "postgres"))]
mod finish;
#[cfg(any(feature = "sqlite", feature = "postgres"))]
#[cfg_attr(
    not(all(feature = "sqlite", feature = "postgres")),
    allow(dead_code, reason = "each database has values that the other has not")
)]
mod label;
#[cfg(feature = "postgres")]
mod postgres;
#[cfg(feature = "sqlite")]
pub(crate) mod sqlite;

use std::path::Path;

use crate::allowance::Allowance;
use crate::dataset::Dataset;
use crate::draft::Draft;
#[cfg(not(feature = "postgres"))]
use crate::error::Error;
use crate::error::Result;
pub use crate::format::SqlOptions;

/// What the URLs of PostgreSQL databases begin with.
const SCHEMES: [&str; 2] = ["postgresql://", "postgres://"];

/// The URL of a database, if the path is one: on a command line it stands where files do.
pub fn url(path: &Path) -> Option<&str> {
    let text = path.to_str()?;
    SCHEMES
        .iter()
        .any(|scheme| text.starts_with(scheme))
        .then_some(text)
}

/// What a URL is called in messages and reports: never by its password.
pub fn place(url: &str) -> String {
    #[cfg(feature = "postgres")]
    if let Some(place) = postgres::place(url) {
        return place;
    }
    let scheme = SCHEMES.iter().find(|scheme| url.starts_with(**scheme));
    format!("{}…", scheme.unwrap_or(&SCHEMES[0]))
}

/// Writes a database as a SQLite file, keys and all, wholly or not at all; a file that is there is
/// replaced.
#[cfg(feature = "sqlite")]
pub fn write_sqlite(database: &kinwood_values::Database, path: &Path) -> Result<()> {
    sqlite::write::write(database, path)
}

/// Reads a SQLite file.
///
/// Primary and foreign keys are the declared ones; the implicit row number is no key. Columns have
/// the type that their declaration and their values agree on: numbers, ISO dates in columns
/// declared as dates, labels or free text. Binary columns are left out, unless they are keys.
#[cfg(feature = "sqlite")]
pub fn read_sqlite(path: &Path, options: &SqlOptions) -> Result<Dataset> {
    let name = path.display().to_string();
    sqlite::read(path, &name, options, &Allowance::default())?.assemble(None, &name)
}

/// The same from a source: standard input, or bytes in memory.
#[cfg(feature = "sqlite")]
pub fn read_sqlite_source(source: &crate::source::Source, options: &SqlOptions) -> Result<Dataset> {
    sqlite::read_source(source, options)?.assemble(None, source.name())
}

/// Reads a PostgreSQL database, named by a URL such as
/// `postgresql://user:password@host:port/database`.
///
/// The URL may state `sslmode` (`disable`, `prefer`, `require`, `verify-ca`, `verify-full`) and
/// `sslrootcert` (a file of certificates, or `system`); a password that it does not state is taken
/// from `PGPASSWORD`. Without `sslrootcert` certificates are checked against those that the system
/// trusts.
#[cfg(feature = "postgres")]
pub fn read_postgres(url: &str, options: &SqlOptions) -> Result<Dataset> {
    postgres_draft(url, options, &Allowance::default())?.assemble(None, &place(url))
}

/// The tables of a PostgreSQL database.
#[cfg(feature = "postgres")]
pub(crate) fn postgres_draft(
    url: &str,
    options: &SqlOptions,
    allowance: &Allowance,
) -> Result<Draft> {
    postgres::read(url, options, allowance)
}

/// Refuses: this program was built without PostgreSQL.
#[cfg(not(feature = "postgres"))]
pub fn read_postgres(url: &str, options: &SqlOptions) -> Result<Dataset> {
    postgres_draft(url, options, &Allowance::default())?.assemble(None, &place(url))
}

#[cfg(not(feature = "postgres"))]
pub(crate) fn postgres_draft(url: &str, _: &SqlOptions, _: &Allowance) -> Result<Draft> {
    Err(Error::Connect {
        place: place(url),
        reason: "this program was built without PostgreSQL".to_owned(),
        hint: String::new(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_are_told_from_paths_and_shown_without_password() {
        for (path, expected) in [
            ("postgresql://u@h/d", true),
            ("postgres://u@h/d", true),
            ("postgresql:/u@h/d", false),
            ("data/postgresql://u", false),
            ("x.sqlite", false),
        ] {
            assert_eq!(url(Path::new(path)).is_some(), expected, "{path}");
        }
        assert!(!place("postgresql://u:secret@h:port/d").contains("secret"));
        assert!(!place("postgresql://u:secret@h/d").contains("secret"));
    }
}
