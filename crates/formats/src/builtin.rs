//! The list of this crate's formats, one file each: a new one is a file beside these and a line
//! here.

mod arff;
mod arrays;
mod csv;
mod json;
mod prolog;
mod sqlite;

use std::sync::{OnceLock, PoisonError, RwLock};

use crate::error::Result;
use crate::format::{FormatEntry, Formats};

/// The formats of this crate, in the order in which messages list them.
fn entries() -> Vec<FormatEntry> {
    vec![
        csv::entry(),
        arff::entry(),
        json::entry(),
        json::lines_entry(),
        prolog::entry(),
        arrays::parquet_entry(),
        arrays::arrow_entry(),
        sqlite::entry(),
    ]
}

/// The formats of the program: those of this crate, then those that are registered.
fn program() -> &'static RwLock<Formats> {
    static PROGRAM: OnceLock<RwLock<Formats>> = OnceLock::new();
    PROGRAM.get_or_init(|| RwLock::new(Formats::new(entries())))
}

impl Default for Formats {
    fn default() -> Self {
        let program = program().read().unwrap_or_else(PoisonError::into_inner);
        program.clone()
    }
}

/// Adds a format for the whole program: whatever reads or writes data by default takes it from then
/// on.
///
/// A single reading or writing takes other formats by
/// [`ReadOptions::formats`](crate::ReadOptions::formats) and
/// [`WriteOptions::formats`](crate::WriteOptions::formats).
pub fn register(entry: FormatEntry) -> Result<()> {
    let mut program = program().write().unwrap_or_else(PoisonError::into_inner);
    *program = program.clone().with(entry)?;
    Ok(())
}

/// A format that this program was built without: its files are known, so that reading and writing
/// say why not, but no list of what is read names it.
#[cfg(not(all(feature = "arrow", feature = "sqlite")))]
fn absent(entry: FormatEntry, what: &'static str) -> FormatEntry {
    let reason = move || format!("this program was built without {what}");
    let entry = FormatEntry {
        listed: None,
        ..entry
    };
    entry
        .read_by(move |reading| Err(reading.failed(reason())))
        .written_by(move |writing| Err(writing.refused(reason())))
}
