//! How data leaves: a database as a folder of CSV files, or as one file in any form that can hold it.
//!
//! A form rarely says everything: CSV has no types, JSON no sets, ARFF no keys. What it leaves out stands in a schema,
//! beside the file or in its metadata, so that reading gives the same database again. What is lost even so is told.
//! Files and folders appear whole or not at all, and nothing is replaced unless that is asked for.

pub mod arff;
#[cfg(feature = "arrow")]
pub mod arrow;
pub mod csv;
mod folder;
pub mod json;
pub mod prolog;

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use kinwood_values::container::replace;
use kinwood_values::suggest::{did_you_mean, nearest};
use kinwood_values::{Database, Notice, Table};

use crate::dataset::{Dataset, Origin};
use crate::error::{Error, Result};
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
}

/// What was written.
#[derive(Clone, Debug, Default)]
pub struct Written {
    /// The files; for a folder, the folder alone.
    pub files: Vec<PathBuf>,
    /// What could not be held.
    pub notices: Vec<Notice>,
}

/// The endings of what is written, and their forms.
const ENDINGS: [(&str, Form); 14] = [
    ("csv", Form::Csv),
    ("arff", Form::Arff),
    ("json", Form::Json),
    ("jsonl", Form::JsonLines),
    ("ndjson", Form::JsonLines),
    ("pl", Form::Prolog),
    ("pro", Form::Prolog),
    ("parquet", Form::Parquet),
    ("arrow", Form::Arrow),
    ("feather", Form::Arrow),
    ("ipc", Form::Arrow),
    ("sqlite", Form::Sqlite),
    ("sqlite3", Form::Sqlite),
    ("db", Form::Sqlite),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Folder,
    Csv,
    Arff,
    Json,
    JsonLines,
    Prolog,
    Parquet,
    Arrow,
    Sqlite,
}

/// What writes a file's bytes.
type Content<'a> = Box<dyn FnOnce(&mut (dyn Write + Send)) -> io::Result<()> + 'a>;

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
    let form = form_of(path)?;
    let mut schema = described(database, options);
    if form == Form::Folder {
        return folder::write(database, schema, path, options.overwrite);
    }
    let tables = database.tables();
    let mut notices = Vec::new();
    let holds_schema = form.holds_schema();
    let content: Content<'_> = match form {
        Form::Folder | Form::Json => Box::new(|out| json::write(out, tables)),
        Form::JsonLines => {
            let table = only(tables, path, "a folder or a .sqlite, .json or .pl file")?;
            Box::new(|out| json::write_lines(out, table))
        }
        Form::Csv => {
            let table = only(tables, path, "a folder or a .sqlite, .json or .pl file")?;
            let dialect = csv::Dialect::of(table);
            notices = csv::losses(table);
            dialect.state(table, &mut schema.tables[0].options);
            Box::new(move |out| csv::write(out, table, &dialect))
        }
        Form::Arff => {
            let table = only(tables, path, "a folder or a .sqlite, .json or .pl file")?;
            let document = arff::Document::of(table);
            document.state(&mut schema.tables[0].options);
            notices = document.notices();
            Box::new(move |out| document.write(out))
        }
        Form::Prolog => {
            let facts = prolog::Facts::of(tables).ok_or_else(|| Error::NotHeld {
                path: path.to_owned(),
                reason: "there are no rows, and a table without facts is none".to_owned(),
            })?;
            facts.state(&mut schema);
            notices = facts.notices();
            Box::new(move |out| facts.write(out))
        }
        Form::Parquet | Form::Arrow => {
            let table = only(tables, path, "a folder or a .sqlite, .json or .pl file")?;
            arrays(table, &schema, form, path)?
        }
        Form::Sqlite => rows(database, path)?,
    };
    let files = files(path, form);
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
    let had_schema = beside.exists();
    if !holds_schema {
        let text = schema.to_toml();
        replace(&beside, |out| out.write_all(text.as_bytes()))
            .map_err(|source| failed(&beside, source))?;
    }
    if let Err(source) = replace(path, |out| content(out)) {
        if !holds_schema && !had_schema {
            // Its removal is a courtesy; the failure to be told is the other one.
            let _ = std::fs::remove_file(&beside);
        }
        return Err(failed(path, source));
    }
    Ok(Written { files, notices })
}

/// Fails when nothing can be written at the path, as far as that can be told before there is anything to write.
pub fn check(path: &Path, overwrite: bool) -> Result<()> {
    match form_of(path)? {
        Form::Folder => folder::standing(path, overwrite).map(drop),
        _ if overwrite => Ok(()),
        form => absent(&files(path, form)),
    }
}

impl Form {
    /// Whether the file itself takes the schema.
    fn holds_schema(self) -> bool {
        matches!(self, Form::Parquet | Form::Arrow)
    }
}

/// The files that a form writes.
fn files(path: &Path, form: Form) -> Vec<PathBuf> {
    let beside = Some(schema_beside(path)).filter(|_| !form.holds_schema());
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

/// The form that an ending names.
fn form_of(path: &Path) -> Result<Form> {
    let written = path.as_os_str().to_string_lossy();
    if path.is_dir() || written.ends_with(['/', std::path::MAIN_SEPARATOR]) {
        return Ok(Form::Folder);
    }
    let Some(ending) = path.extension() else {
        return Ok(Form::Folder);
    };
    let ending = ending.to_string_lossy().to_lowercase();
    let known = ENDINGS.iter().find(|(known, _)| *known == ending);
    known.map(|(_, form)| *form).ok_or_else(|| {
        let names = ENDINGS.map(|(name, _)| name);
        Error::NotHeld {
            path: path.to_owned(),
            reason: format!(
                "`.{ending}` is no form that is written; those are .{} and a folder, which has no ending{}",
                names.join(", ."),
                did_you_mean(&nearest(&ending, names))
            ),
        }
    })
}

/// The table, if it is the only one.
fn only<'a>(tables: &'a [Table], path: &Path, instead: &str) -> Result<&'a Table> {
    match tables {
        [table] => Ok(table),
        tables => {
            let names: Vec<&str> = tables.iter().map(Table::name).collect();
            Err(Error::NotHeld {
                path: path.to_owned(),
                reason: format!(
                    "such a file holds one table, and there are {}: {}; {instead} holds them all",
                    tables.len(),
                    names.join(", ")
                ),
            })
        }
    }
}

#[cfg(feature = "arrow")]
fn arrays<'a>(table: &'a Table, schema: &Schema, form: Form, path: &Path) -> Result<Content<'a>> {
    let batch = arrow::batch(table, &schema.to_toml()).map_err(|reason| Error::NotHeld {
        path: path.to_owned(),
        reason,
    })?;
    Ok(match form {
        Form::Parquet => Box::new(move |out| arrow::write_parquet(out, &batch)),
        _ => Box::new(move |out| arrow::write_ipc(out, &batch)),
    })
}

#[cfg(not(feature = "arrow"))]
fn arrays<'a>(_: &'a Table, _: &Schema, _: Form, path: &Path) -> Result<Content<'a>> {
    Err(Error::NotHeld {
        path: path.to_owned(),
        reason: "this program was built without Parquet and Arrow".to_owned(),
    })
}

#[cfg(feature = "sqlite")]
fn rows<'a>(database: &'a Database, path: &'a Path) -> Result<Content<'a>> {
    Ok(Box::new(move |out| {
        crate::sql::sqlite::write::content(database, path, out)
    }))
}

#[cfg(not(feature = "sqlite"))]
fn rows<'a>(_: &'a Database, path: &'a Path) -> Result<Content<'a>> {
    Err(Error::NotHeld {
        path: path.to_owned(),
        reason: "this program was built without SQLite".to_owned(),
    })
}

/// All that is known about the database, as a schema.
fn described(database: &Database, options: &WriteOptions) -> Schema {
    Schema::of(&Dataset {
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
    })
}

#[cfg(test)]
mod tests;
