//! A database that is written: where to, and what the file cannot say.

use std::io;
use std::path::Path;

use kinwood_values::{Database, Notice, Table};

use super::registry::Formats;
use crate::error::{Error, Result};
use crate::schema::Schema;

/// What writes a file's bytes.
pub type Content<'a> = Box<dyn FnOnce(&mut (dyn io::Write + Send)) -> io::Result<()> + 'a>;

/// A database that is written.
pub struct Writing<'a> {
    /// The database.
    pub database: &'a Database,
    /// Where it is written to.
    pub path: &'a Path,
    /// All that is known about it; what reading the file again needs besides is stated here.
    pub schema: Schema,
    /// What the file cannot hold.
    pub notices: Vec<Notice>,
    pub(crate) formats: &'a Formats,
}

impl<'a> Writing<'a> {
    /// The table, if it is the only one; else the error says what holds several.
    pub fn only_table(&self) -> Result<&'a Table> {
        match self.database.tables() {
            [table] => Ok(table),
            tables => {
                let names: Vec<&str> = tables.iter().map(Table::name).collect();
                Err(self.refused(format!(
                    "such a file holds one table, and there are {}: {}; {} holds them all",
                    tables.len(),
                    names.join(", "),
                    self.formats.of_several_tables()
                )))
            }
        }
    }

    /// The error that the format cannot hold the database.
    pub fn refused(&self, reason: impl Into<String>) -> Error {
        Error::NotHeld {
            path: self.path.to_owned(),
            reason: reason.into(),
        }
    }
}
