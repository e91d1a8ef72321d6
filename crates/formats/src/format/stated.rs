//! What a schema states about the tables of a file.

use std::path::Path;

use kinwood_values::suggest::nearest;

use crate::dataset::TableRead;
use crate::draft::{Draft, Part, overrule};
use crate::error::{Error, Result};
use crate::schema::{Schema, TableSchema};
use crate::source::Source;

/// What is stated about the tables of a file.
#[derive(Clone, Copy)]
pub(crate) enum Stated<'a> {
    /// Nothing.
    Nothing,
    /// It is this table.
    Table(&'a TableSchema),
    /// Its tables are some of these; the path is the schema's.
    Schema(&'a Schema, &'a Path),
}

impl<'a> Stated<'a> {
    /// What is stated about the only table of a file.
    pub fn only(self, source: &Source, file: &str) -> Result<Option<&'a TableSchema>> {
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

    /// The tables of a database, in the order of the schema, with what it states about them. Keys
    /// of the database hold until the schema states others for a table, or says that it states them
    /// all.
    pub fn of_database(self, draft: Draft, name: &str) -> Result<Draft> {
        let all = matches!(self, Stated::Schema(schema, _) if schema.keys_declared);
        let alone = draft.parts.len() == 1;
        let mut parts = draft.parts;
        for part in &mut parts {
            let named = |of: &TableSchema| of.name == part.read.table.name();
            if all && (alone || self.tables().iter().any(named)) {
                part.read.table.set_key(None);
            }
            if all {
                part.read.foreign_keys.clear();
            }
        }
        self.check_names(parts.iter().map(|part| part.read.table.name()))?;
        parts.sort_by_key(|part| {
            let name = part.read.table.name();
            let position = self.tables().iter().position(|of| of.name == name);
            position.unwrap_or(usize::MAX)
        });
        let mut stated = Vec::with_capacity(parts.len());
        for part in parts {
            let schema = self.about(&part.read, alone);
            stated.push(Part {
                read: match schema {
                    Some(schema) => overrule(part.read, schema, name)?,
                    None => part.read,
                },
                schema: schema.cloned(),
                ..part
            });
        }
        Ok(Draft {
            parts: stated,
            ..draft
        })
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
        self.check_names(tables.iter().map(|of| of.table.name()))
    }

    fn check_names<'t>(self, tables: impl Iterator<Item = &'t str>) -> Result<()> {
        let Stated::Schema(schema, path) = self else {
            return Ok(());
        };
        let names: Vec<String> = tables.map(str::to_owned).collect();
        match schema
            .tables
            .iter()
            .find(|stated| !names.contains(&stated.name))
        {
            Some(unknown) if names.len() > 1 || schema.tables.len() > 1 => Err(Error::Values {
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
