//! One file into its tables, by what is stated about them.

use std::path::{Path, PathBuf};

use kinwood_values::suggest::nearest;
use kinwood_values::{Notice, Type};

use super::format::{Format, format_of};
use super::{ReadOptions, database};
use crate::arff;
use crate::assemble::{Part, assemble, overrule};
use crate::csv::{self, CsvOptions, Delimiter, Header};
use crate::dataset::{Dataset, Origin, TableRead};
use crate::error::{Error, Result};
use crate::json::{self, StatedTable};
use crate::prolog::{self, StatedPredicate};
use crate::schema::{Schema, TableSchema};
use crate::source::Source;

/// What is stated about the tables of a file.
#[derive(Clone, Copy)]
pub(super) enum Stated<'a> {
    /// Nothing.
    Nothing,
    /// It is this table.
    Table(&'a TableSchema),
    /// Its tables are some of these; the path is the schema's.
    Schema(&'a Schema, &'a Path),
}

/// The tables of a file.
pub(super) struct FileRead {
    pub parts: Vec<Part>,
    /// The schema that stands in the file itself.
    pub schema: Option<Schema>,
    pub notices: Vec<Notice>,
    /// Whether the keys of the tables are all there are.
    pub keys_declared: bool,
}

impl FileRead {
    /// Puts the tables together; `named` is what messages about keys and targets name.
    pub fn assemble(self, schema: Option<&Schema>, named: &Path) -> Result<Dataset> {
        let mut dataset = assemble(
            self.parts,
            schema,
            &named.display().to_string(),
            self.notices,
        )?;
        dataset.keys_declared |= self.keys_declared;
        Ok(dataset)
    }
}

impl<'a> Stated<'a> {
    /// What is stated about the only table of a file.
    fn only(self, source: &Source, file: &str) -> Result<Option<&'a TableSchema>> {
        let (schema, path) = match self {
            Stated::Nothing => return Ok(None),
            Stated::Table(table) => return Ok(Some(table)),
            Stated::Schema(schema, path) => (schema, path),
        };
        let name = source.table_name();
        match schema.tables.as_slice() {
            [] => Ok(None),
            [only] => Ok(Some(only)),
            several => {
                let about = |table: &&TableSchema| {
                    table.name == name || table.file.as_deref() == Some(file)
                };
                let found = several.iter().find(about);
                found.map(Some).ok_or_else(|| lacking(several, &name, path))
            }
        }
    }

    /// What is stated about one of the tables of a file.
    pub fn about(self, table: &TableRead, alone: bool) -> Option<&'a TableSchema> {
        let name = table.table.name();
        match self {
            Stated::Nothing => None,
            Stated::Table(stated) => Some(stated).filter(|stated| alone || stated.name == name),
            Stated::Schema(schema, _) => match schema.tables.as_slice() {
                [only] if alone => Some(only),
                _ => schema.table(name),
            },
        }
    }

    /// Every table that is stated.
    pub fn tables(self) -> &'a [TableSchema] {
        match self {
            Stated::Nothing => &[],
            Stated::Table(table) => std::slice::from_ref(table),
            Stated::Schema(schema, _) => &schema.tables,
        }
    }

    /// A schema may state no table that the file does not have.
    pub fn check(self, tables: &[TableRead]) -> Result<()> {
        let Stated::Schema(schema, path) = self else {
            return Ok(());
        };
        let names: Vec<String> = tables.iter().map(|of| of.table.name().to_owned()).collect();
        match schema
            .tables
            .iter()
            .find(|stated| !names.contains(&stated.name))
        {
            Some(unknown) if tables.len() > 1 || schema.tables.len() > 1 => Err(Error::Values {
                file: path.display().to_string(),
                source: kinwood_values::Error::UnknownTable {
                    table: unknown.name.clone(),
                    nearest: nearest(&unknown.name, &names),
                    valid: names,
                },
            }),
            _ => Ok(()),
        }
    }
}

fn lacking(tables: &[TableSchema], name: &str, path: &Path) -> Error {
    Error::Values {
        file: path.display().to_string(),
        source: kinwood_values::Error::UnknownTable {
            table: name.to_owned(),
            nearest: None,
            valid: tables.iter().map(|table| table.name.clone()).collect(),
        },
    }
}

/// Reads a file. `file` is its name as a schema would write it.
pub(super) fn read_parts(
    path: &Path,
    file: String,
    stated: Stated<'_>,
    options: &ReadOptions,
) -> Result<FileRead> {
    let source = Source::open(path)?;
    let one = |read: TableRead, format, origin, schema: Option<&TableSchema>| FileRead {
        parts: vec![Part {
            read,
            format,
            origin,
            schema: schema.cloned(),
        }],
        schema: None,
        notices: Vec::new(),
        keys_declared: false,
    };
    let plain = |file: String| Origin {
        file,
        options: CsvOptions::default(),
    };
    let format = format_of(&source, path)?;
    if !format.is_database() {
        database::refuse(path, options)?;
    }
    match format {
        #[cfg(feature = "sqlite")]
        Format::Sqlite => {
            let dataset = crate::sql::sqlite::read_source(&source, &options.sql)?;
            database::parts(dataset, stated, source.name())
        }
        Format::Arff => {
            let schema = stated.only(&source, &file)?;
            let read = overruled(arff::read(&source)?, schema, &source)?;
            Ok(one(read, "ARFF", plain(file), schema))
        }
        #[cfg(feature = "arrow")]
        Format::Arrow(form) => {
            let schema = stated.only(&source, &file)?;
            let found = crate::arrow::read(&source, form)?;
            let within = found.schema.filter(|_| schema.is_none());
            let own = within.as_ref().and_then(|schema| schema.tables.first());
            let read = overruled(found.read, schema.or(own), &source)?;
            let named = match schema {
                Some(schema) => one(read, form.name(), plain(file), Some(schema)),
                None => one(read, form.name(), plain(file), own),
            };
            Ok(FileRead {
                schema: within,
                ..named
            })
        }
        format @ (Format::Csv | Format::Tsv) => {
            let schema = stated.only(&source, &file)?;
            let (read, origin) = read_cells(&source, file, schema, format, options)?;
            let name = if format == Format::Tsv { "TSV" } else { "CSV" };
            Ok(one(read, name, origin, schema))
        }
        Format::JsonLines => {
            let schema = stated.only(&source, &file)?;
            let types = schema.map(types).unwrap_or_default();
            let read = overruled(json::read_typed(&source, &types)?, schema, &source)?;
            Ok(one(read, "JSON", plain(file), schema))
        }
        Format::Json => {
            let read = json::read_database_typed(&source, &stated_types(stated, &source))?;
            stated.check(&read.tables)?;
            let alone = read.tables.len() == 1;
            let mut parts = Vec::with_capacity(read.tables.len());
            for table in read.tables {
                let schema = stated.about(&table, alone);
                parts.push(Part {
                    read: overruled(table, schema, &source)?,
                    format: "JSON",
                    origin: plain(if alone { file.clone() } else { String::new() }),
                    schema: schema.cloned(),
                });
            }
            Ok(FileRead {
                parts,
                schema: None,
                notices: read.notices,
                keys_declared: false,
            })
        }
        Format::Prolog => {
            let (sources, notices) = with_examples(source, path)?;
            let read = prolog::read_stated(&sources, &predicates(stated))?;
            let mut parts = facts(read, stated)?;
            parts.notices.extend(notices);
            Ok(parts)
        }
    }
}

/// The tables of facts.
pub(super) fn facts(read: prolog::PrologRead, stated: Stated<'_>) -> Result<FileRead> {
    stated.check(&read.tables)?;
    let part = |table: TableRead| {
        // A predicate is known by its name alone, so that a schema may state some of many.
        let schema = stated.about(&table, false);
        Part {
            format: "Prolog",
            origin: Origin::default(),
            schema: schema.cloned(),
            read: table,
        }
    };
    Ok(FileRead {
        parts: read.tables.into_iter().map(part).collect(),
        schema: None,
        notices: read.notices,
        keys_declared: false,
    })
}

/// What is stated about predicates.
pub(super) fn predicates(stated: Stated<'_>) -> Vec<StatedPredicate> {
    let predicate = |table: &TableSchema| StatedPredicate {
        name: table.name.clone(),
        columns: table.options.columns.clone(),
    };
    stated.tables().iter().map(predicate).collect()
}

/// Examples lie beside the background knowledge `x.b`, in `x.f` and `x.n`.
pub(super) fn with_examples(source: Source, path: &Path) -> Result<(Vec<Source>, Vec<Notice>)> {
    let mut sources = vec![source];
    let mut notices = Vec::new();
    if path.extension().is_some_and(|ending| ending == "b") {
        for ending in ["f", "n"] {
            let beside: PathBuf = path.with_extension(ending);
            if beside.is_file() {
                notices.push(Notice::new(format!(
                    "the examples of `{}` are read too",
                    beside.display()
                )));
                sources.push(Source::open(&beside)?);
            }
        }
    }
    Ok((sources, notices))
}

/// Takes over what a schema states about a table that has types of its own.
fn overruled(read: TableRead, schema: Option<&TableSchema>, source: &Source) -> Result<TableRead> {
    overruled_by(read, schema, source.name())
}

/// The same, where several files are one to messages.
pub(super) fn overruled_by(
    read: TableRead,
    schema: Option<&TableSchema>,
    file: &str,
) -> Result<TableRead> {
    match schema {
        Some(schema) => overrule(read, schema, file),
        None => Ok(read),
    }
}

/// The types that are stated, by table; the only table of a file goes by the file's name too.
fn stated_types(stated: Stated<'_>, source: &Source) -> Vec<StatedTable> {
    let tables = stated.tables();
    let mut stated: Vec<StatedTable> = tables
        .iter()
        .map(|table| StatedTable {
            name: table.name.clone(),
            columns: types(table),
        })
        .collect();
    if let [only] = tables {
        stated.push(StatedTable {
            name: source.table_name(),
            columns: types(only),
        });
    }
    stated
}

fn types(table: &TableSchema) -> Vec<(String, Type)> {
    let columns = table.options.columns.iter();
    columns
        .filter_map(|column| Some((column.name.clone(), column.type_of()?)))
        .collect()
}

fn read_cells(
    source: &Source,
    file: String,
    schema: Option<&TableSchema>,
    format: Format,
    options: &ReadOptions,
) -> Result<(TableRead, Origin)> {
    let mut stated = schema
        .map(|schema| schema.options.clone())
        .unwrap_or_default();
    if options.header != Header::Detect {
        stated.header = options.header;
    }
    stated.delimiter = options.delimiter.or(stated.delimiter);
    stated.quote = options.quote.or(stated.quote);
    stated.missing = options.missing.clone().or(stated.missing);
    let origin = Origin {
        file,
        options: CsvOptions {
            columns: Vec::new(),
            ..stated.clone()
        },
    };
    if format == Format::Tsv {
        stated.delimiter = stated.delimiter.or(Some(Delimiter::Tab));
    }
    Ok((csv::read(source, &stated)?, origin))
}
