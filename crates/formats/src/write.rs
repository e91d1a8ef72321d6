//! How data leaves: a database as a folder of CSV files, or as one file in any form that can hold
//! it.
//!
//! A form rarely says everything: CSV has no types, JSON no sets, ARFF no keys. What it leaves out
//! stands in a schema, beside the file or in its metadata, so that reading gives the same database
//! again. What is lost even so is told. Files and folders appear whole or not at all, and nothing
//! is replaced unless that is asked for.

mod folder;

pub use crate::arff::write as arff;
#[cfg(feature = "arrow")]
pub use crate::arrow::write as arrow;
pub use crate::csv::write as csv;
pub use crate::json::write as json;
pub use crate::prolog::write as prolog;

use std::collections::BTreeSet;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use kinwood_values::container::replace;
use kinwood_values::suggest::{did_you_mean, nearest};
use kinwood_values::{Database, Notice};

use crate::dataset::{Dataset, Origin};
use crate::error::{Error, Result};
use crate::format::{FormatEntry, Formats, Writing};
use crate::schema::Schema;
use crate::source::table_name;

/// What is said about data beyond the data itself, and whether it may take another's place.
#[derive(Clone, Debug, Default)]
pub struct WriteOptions {
    /// What is to be predicted, as (table, column).
    pub targets: Vec<(usize, usize)>,
    /// Columns whose role somebody has stated, also where it is `input`.
    pub stated_roles: BTreeSet<(usize, usize)>,
    /// Whether a file or folder that is there is replaced.
    pub overwrite: bool,
    /// The formats that there are.
    pub formats: Formats,
}

/// What was written.
#[derive(Clone, Debug, Default)]
pub struct Written {
    /// The files; for a folder, the folder alone.
    pub files: Vec<PathBuf>,
    /// What could not be held.
    pub notices: Vec<Notice>,
}

/// Writes a database in the form that the path's ending names; without ending, as a folder.
///
/// ```
/// use kinwood_formats::{ReadOptions, WriteOptions, read, write};
/// use kinwood_values::{Attribute, Column, Database, Table};
/// let weights = Attribute::new("weight", Column::numeric(vec![4.5, f64::NAN]));
/// let database = Database::single(Table::new("pets", vec![weights])?)?;
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("pets.json");
/// write(&database, &path, &WriteOptions::default())?;
/// assert_eq!(read(&path, &ReadOptions::default())?.database, database);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write(database: &Database, path: &Path, options: &WriteOptions) -> Result<Written> {
    let schema = described(database, options);
    let Some(entry) = format_of(&options.formats, path)? else {
        return folder::write(database, schema, path, options.overwrite);
    };
    let write = entry.write.as_ref().expect("what is found can be written");
    let mut writing = Writing {
        database,
        path,
        schema,
        notices: Vec::new(),
        formats: &options.formats,
    };
    let content = write(&mut writing)?;
    let Writing {
        schema, notices, ..
    } = writing;
    let files = files(path, entry);
    if !options.overwrite {
        absent(&files)?;
    }
    let beside = schema_beside(path);
    let failed = |path: &Path, source| Error::Write {
        path: path.to_owned(),
        source,
    };
    if path.is_dir() {
        return Err(failed(path, io::Error::other("it is a folder")));
    }
    // The schema comes first: whoever finds the file finds what it means.
    let old_schema = std::fs::read(&beside).ok();
    if !entry.keeps_schema {
        let text = schema.to_toml();
        replace(&beside, |out| out.write_all(text.as_bytes()))
            .map_err(|source| failed(&beside, source))?;
    }
    if let Err(source) = replace(path, |out| content(out)) {
        if !entry.keeps_schema {
            // The file that is there keeps the schema that it had. This is a courtesy: the failure
            // to be told is the other one.
            let _ = match old_schema {
                Some(old) => replace(&beside, |out| out.write_all(&old)),
                None => std::fs::remove_file(&beside),
            };
        }
        return Err(failed(path, source));
    }
    Ok(Written { files, notices })
}

/// Fails when nothing can be written at the path, as far as that can be told before there is
/// anything to write.
pub fn check(path: &Path, overwrite: bool) -> Result<()> {
    match format_of(&Formats::default(), path)? {
        None => folder::standing(path, overwrite).map(drop),
        _ if overwrite => Ok(()),
        Some(entry) => absent(&files(path, entry)),
    }
}

/// The files that a format writes.
fn files(path: &Path, entry: &FormatEntry) -> Vec<PathBuf> {
    let beside = Some(schema_beside(path)).filter(|_| !entry.keeps_schema);
    std::iter::once(path.to_owned()).chain(beside).collect()
}

fn schema_beside(path: &Path) -> PathBuf {
    path.with_file_name(format!("{}.schema.toml", table_name(path)))
}

fn absent(files: &[PathBuf]) -> Result<()> {
    match files.iter().find(|file| file.exists()) {
        Some(there) => Err(Error::Exists {
            path: there.clone(),
        }),
        None => Ok(()),
    }
}

/// The format that an ending names; none for a folder.
fn format_of<'f>(formats: &'f Formats, path: &Path) -> Result<Option<&'f FormatEntry>> {
    let written = path.as_os_str().to_string_lossy();
    if path.is_dir() || written.ends_with(['/', std::path::MAIN_SEPARATOR]) {
        return Ok(None);
    }
    let Some(ending) = path.extension() else {
        return Ok(None);
    };
    let ending = ending.to_string_lossy().to_lowercase();
    let names = formats.written_endings();
    match formats
        .by_ending(&ending)
        .filter(|_| names.contains(&ending.as_str()))
    {
        Some(entry) => Ok(Some(entry)),
        None => Err(Error::NotHeld {
            path: path.to_owned(),
            reason: format!(
                "`.{ending}` is no form that is written; those are .{} and a folder, which has no ending{}",
                names.join(", ."),
                did_you_mean(&nearest(&ending, &names))
            ),
        }),
    }
}

/// All that is known about the database, as a schema.
fn described(database: &Database, options: &WriteOptions) -> Schema {
    let mut schema = Schema::of(&Dataset {
        database: database.clone(),
        formats: Vec::new(),
        origins: vec![Origin::default(); database.tables().len()],
        evidence: Vec::new(),
        // What is written is known: nothing is to be looked for when it is read again.
        keys_declared: database.tables().len() > 1,
        stated_roles: options.stated_roles.clone(),
        targets: options.targets.clone(),
        customary_target: None,
        facts: None,
        notices: Vec::new(),
    });
    // Dates and numbers are written in the usual forms, whatever they were read from.
    let columns = schema
        .tables
        .iter_mut()
        .flat_map(|table| &mut table.options.columns);
    columns.for_each(|column| column.notation = None);
    schema
}

// Every form is written and read again, so that all have to be there.
#[cfg(test)]
#[cfg(all(feature = "arrow", feature = "sqlite"))]
mod tests;
