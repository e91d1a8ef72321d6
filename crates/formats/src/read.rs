//! The one way in: a path to a file, a folder or a schema, or the URL of a database, gives a
//! dataset.

mod declared;
mod detect;

use std::path::{Path, PathBuf};

use kinwood_values::Type;

use crate::allowance::Allowance;
use crate::cells;
use crate::dataset::Dataset;
use crate::draft::Draft;
use crate::error::{Error, Result};
use crate::folder::{self, SCHEMA_FILE};
use crate::format::{Formats, Holds, Reading, SqlOptions, Stated};
use crate::prolog;
use crate::prolog::stated::{draft, predicates};
use crate::schema::{CsvOptions, Delimiter, Header, Quote, Schema};
use crate::source::{Source, table_name};
use crate::sql;
pub use declared::read_facts;
use detect::detect;

/// What is stated about how to read; it overrules what a schema states, as the command line
/// overrules files.
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
    /// The formats that there are.
    pub formats: Formats,
    /// What reading may take.
    pub allowance: Allowance,
    /// Types by `column` or `table.column`; they overrule a schema's.
    pub types: Vec<(String, Type)>,
    /// Whether text stays as it is written, because what it means is known elsewhere: from a model,
    /// for instance.
    pub as_written: bool,
    /// Columns of text formats that stay text even where all cells are numbers or dates: how they
    /// are written is known elsewhere.
    pub texts: Vec<String>,
}

impl ReadOptions {
    /// What is stated about cells.
    fn cells(&self) -> CsvOptions {
        CsvOptions {
            delimiter: self.delimiter,
            quote: self.quote,
            header: self.header,
            missing: self.missing.clone(),
            columns: Vec::new(),
            types: self.types.clone(),
            texts: self.texts.clone(),
        }
    }
}

/// What data is called in messages and reports: its path, or its URL without password.
pub fn source_name(path: &Path) -> String {
    match sql::url(path) {
        Some(url) => sql::place(url),
        None if path == Path::new("-") => "standard input".to_owned(),
        None => path.display().to_string(),
    }
}

/// Reads a file, a folder of files, a schema and the files it lists, a PostgreSQL database by its
/// URL, or (`-`) standard input.
///
/// A folder may hold a `schema.toml`; beside a file `iris.csv` may lie an `iris.schema.toml`.
pub fn read(path: &Path, options: &ReadOptions) -> Result<Dataset> {
    if let Some(url) = sql::url(path) {
        return read_url(url, options);
    }
    if path.is_dir() {
        refuse(path, options)?;
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
    let (draft, place) = (
        sql::postgres_draft(url, &options.sql, &options.allowance)?,
        sql::place(url),
    );
    match (&schema, &options.schema) {
        (Some(schema), Some(path)) => {
            let stated = Stated::Schema(schema, path).of_database(draft, &place)?;
            let stated = settle(stated, &place, options)?;
            stated.assemble(Some(schema), &path.display().to_string())
        }
        _ => settle(draft, &place, options)?.assemble(None, &place),
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
        return declared::of_schema(folder, schema, declared, path, &options.allowance);
    }
    let file = stated
        .map_or(folder, |(_, path)| path)
        .display()
        .to_string();
    if others && folder::holds_facts_only(&options.formats, folder, schema)? {
        let stated = match stated {
            Some((schema, path)) => Stated::Schema(schema, path),
            None => Stated::Nothing,
        };
        let read = prolog::read_folder_within(folder, &predicates(stated), &options.allowance)?;
        return settle(draft(read, stated)?, &file, options)?.assemble(schema, &file);
    }
    let (members, notices) = folder::members(&options.formats, folder, schema, others)?;
    if let (Some((_, path)), true) = (stated, members.is_empty()) {
        return Err(Error::Empty {
            file: path.display().to_string(),
            expected: "expected tables".to_owned(),
        });
    }
    let mut all = Draft::new(Vec::new());
    all.notices = notices;
    for member in members {
        let stated = member.schema.map_or(Stated::Nothing, Stated::Table);
        all.join(read_draft(&member.path, &member.file, stated, options)?);
    }
    settle(all, &file, options)?.assemble(schema, &file)
}

/// Refuses options about databases where there is none: what is asked for must not be passed over.
fn refuse(path: &Path, options: &ReadOptions) -> Result<()> {
    match options.sql == SqlOptions::default() {
        true => Ok(()),
        false => Err(Error::NoDatabase {
            file: path.display().to_string(),
        }),
    }
}

/// Reads a file by its format. `file` is its name as a schema would write it.
fn read_draft(path: &Path, file: &str, stated: Stated<'_>, options: &ReadOptions) -> Result<Draft> {
    let source = Source::open_within(path, &options.allowance)?;
    let entry = detect(&options.formats, &source, path)?;
    if entry.holds != Holds::Database {
        refuse(path, options)?;
    }
    let read = entry.read.as_ref().expect("what is found can be read");
    read(&Reading {
        source: &source,
        path,
        file,
        format: entry.name,
        cells: &options.cells(),
        sql: &options.sql,
        stated,
    })
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
        refuse(path, options)?;
        let within = (&options.formats, &options.allowance);
        return declared::of_file(within, path, schema, declared, by);
    }
    let mut draft = read_draft(path, &file, stated, options)?;
    let named = schema_path.as_deref().unwrap_or(path);
    let within = draft.schema.take();
    let schema = schema.as_ref().or(within.as_ref());
    let named = named.display().to_string();
    settle(draft, &named, options)?.assemble(schema, &named)
}

/// Settles the types of columns: those that are stated for this reading, then those that text
/// tells of itself.
fn settle(mut draft: Draft, file: &str, options: &ReadOptions) -> Result<Draft> {
    draft.state_types(&options.types, file)?;
    if !options.as_written {
        cells::understand(&mut draft, &options.types);
    }
    Ok(draft)
}
