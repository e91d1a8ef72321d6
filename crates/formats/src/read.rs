//! The one way in: a path to a file, a folder or a schema, or the URL of a database, gives a dataset.

mod database;
mod declared;
mod format;
mod part;

use std::path::{Path, PathBuf};

use crate::assemble::assemble;
use crate::csv::{Delimiter, Header, Quote};
use crate::dataset::Dataset;
use crate::error::{Error, Result};
use crate::folder::{self, SCHEMA_FILE};
use crate::prolog;
use crate::schema::Schema;
use crate::source::table_name;
use crate::sql::{self, SqlOptions};
pub use declared::read_facts;
use part::{Stated, facts, predicates, read_parts};

/// What is stated about how to read; it overrules what a schema states, as the command line overrules files.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReadOptions {
    /// A schema file, instead of the one beside the data.
    pub schema: Option<PathBuf>,
    /// Whether first rows name columns.
    pub header: Header,
    /// What stands between cells.
    pub delimiter: Option<Delimiter>,
    /// What encloses cells.
    pub quote: Option<Quote>,
    /// The texts that stand for a missing value.
    pub missing: Option<Vec<String>>,
    /// What is read of a database.
    pub sql: SqlOptions,
}

/// What data is called in messages and reports: its path, or its URL without password.
pub fn source_name(path: &Path) -> String {
    match sql::url(path) {
        Some(url) => sql::place(url),
        None if path == Path::new("-") => "standard input".to_owned(),
        None => path.display().to_string(),
    }
}

/// Reads a file, a folder of files, a schema and the files it lists, a PostgreSQL database by its URL, or (`-`)
/// standard input.
///
/// A folder may hold a `schema.toml`; beside a file `iris.csv` may lie an `iris.schema.toml`.
pub fn read(path: &Path, options: &ReadOptions) -> Result<Dataset> {
    if let Some(url) = sql::url(path) {
        return read_url(url, options);
    }
    if path.is_dir() {
        database::refuse(path, options)?;
        return read_folder(path, options);
    }
    if is_schema(path) {
        let folder = match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        let schema = Schema::read(path)?;
        return read_members(folder, Some((&schema, path)), false, options);
    }
    read_file(path, options)
}

fn read_url(url: &str, options: &ReadOptions) -> Result<Dataset> {
    let schema = options.schema.as_deref().map(Schema::read).transpose()?;
    let dataset = sql::read_postgres(url, &options.sql)?;
    match (&schema, &options.schema) {
        (Some(schema), Some(path)) => {
            let stated = Stated::Schema(schema, path);
            database::parts(dataset, stated, &sql::place(url))?.assemble(Some(schema), path)
        }
        _ => Ok(dataset),
    }
}

fn is_schema(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name == SCHEMA_FILE || name.ends_with(".schema.toml")
}

fn read_folder(folder: &Path, options: &ReadOptions) -> Result<Dataset> {
    let beside = folder.join(SCHEMA_FILE);
    let path = options
        .schema
        .clone()
        .or_else(|| beside.is_file().then_some(beside));
    let schema = path.as_deref().map(Schema::read).transpose()?;
    let stated = schema.as_ref().zip(path.as_deref());
    read_members(folder, stated, true, options)
}

fn read_members(
    folder: &Path,
    stated: Option<(&Schema, &Path)>,
    others: bool,
    options: &ReadOptions,
) -> Result<Dataset> {
    let schema = stated.map(|(schema, _)| schema);
    if let Some((schema, path)) = stated
        && let Some(declared) = &schema.facts
    {
        return declared::of_schema(folder, schema, declared, path);
    }
    let file = stated
        .map_or(folder, |(_, path)| path)
        .display()
        .to_string();
    if others && folder::holds_facts_only(folder, schema)? {
        let stated = match stated {
            Some((schema, path)) => Stated::Schema(schema, path),
            None => Stated::Nothing,
        };
        let read = facts(prolog::read_folder(folder, &predicates(stated))?, stated)?;
        return assemble(read.parts, schema, &file, read.notices);
    }
    let (members, mut notices) = folder::members(folder, schema, others)?;
    if let (Some((_, path)), true) = (stated, members.is_empty()) {
        return Err(Error::Empty {
            file: path.display().to_string(),
            expected: "expected tables".to_owned(),
        });
    }
    let mut parts = Vec::with_capacity(members.len());
    let mut keys_declared = false;
    for member in members {
        let stated = member.schema.map_or(Stated::Nothing, Stated::Table);
        let read = read_parts(&member.path, member.file, stated, options)?;
        parts.extend(read.parts);
        notices.extend(read.notices);
        keys_declared |= read.keys_declared;
    }
    let mut dataset = assemble(parts, schema, &file, notices)?;
    dataset.keys_declared |= keys_declared;
    Ok(dataset)
}

fn read_file(path: &Path, options: &ReadOptions) -> Result<Dataset> {
    let beside = path.with_file_name(format!("{}.schema.toml", table_name(path)));
    let schema_path = options
        .schema
        .clone()
        .or_else(|| beside.is_file().then_some(beside));
    let schema = schema_path.as_deref().map(Schema::read).transpose()?;
    let file = path
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let stated = match (&schema, &schema_path) {
        (Some(schema), Some(path)) => Stated::Schema(schema, path),
        _ => Stated::Nothing,
    };
    if let Stated::Schema(schema, by) = stated
        && let Some(declared) = &schema.facts
    {
        database::refuse(path, options)?;
        return declared::of_file(path, schema, declared, by);
    }
    let mut read = read_parts(path, file, stated, options)?;
    let named = schema_path.as_deref().unwrap_or(path);
    let within = read.schema.take();
    read.assemble(schema.as_ref().or(within.as_ref()), named)
}
