//! What a schema states about the tables of a database, which has keys and types of its own.

use std::path::Path;

use kinwood_values::Database;

use super::ReadOptions;
use super::part::{FileRead, Stated};
use crate::assemble::{Part, overrule};
use crate::dataset::{Dataset, Origin, TableRead};
use crate::error::{Error, Result};
use crate::schema::{ForeignKeySchema, TableSchema};
use crate::sql::SqlOptions;

/// Refuses options about databases where there is none: what is asked for must not be passed over.
pub(super) fn refuse(path: &Path, options: &ReadOptions) -> Result<()> {
    match options.sql == SqlOptions::default() {
        true => Ok(()),
        false => Err(Error::NoDatabase {
            file: path.display().to_string(),
        }),
    }
}

/// The tables of a database, in the order of the schema, with what it states about them. Keys of the database hold
/// until the schema states others for a table, or says that it states them all.
pub(super) fn parts(dataset: Dataset, stated: Stated<'_>, name: &str) -> Result<FileRead> {
    let all = matches!(stated, Stated::Schema(schema, _) if schema.keys_declared);
    let format = dataset.formats.first().cloned().unwrap_or_default();
    let (tables, keys) = dataset.database.into_parts();
    let mut notices = dataset.notices;
    if !notices.is_empty() {
        // Keys that lead nowhere are told when the tables are put together again.
        let again = Database::new(tables.clone(), keys.clone());
        let (_, dangling) = again.map_err(|source| Error::Values {
            file: name.to_owned(),
            source,
        })?;
        notices.retain(|notice| !dangling.contains(notice));
    }
    let mut evidence = dataset.evidence.into_iter();
    let mut read: Vec<TableRead> = Vec::with_capacity(tables.len());
    let references = |position: usize| {
        let columns = |table: usize, columns: &[usize]| {
            let name = |&column: &usize| tables[table].attribute(column).name.clone();
            columns.iter().map(name).collect::<Vec<String>>()
        };
        let own = keys.iter().filter(|key| key.from == position && !all);
        own.map(|key| ForeignKeySchema {
            columns: columns(key.from, &key.from_columns),
            references: tables[key.to].name().to_owned(),
            to: columns(key.to, &key.to_columns),
            name: Some(key.name.clone()),
            describes: key.describes,
        })
        .collect()
    };
    for (position, table) in tables.iter().enumerate() {
        let mut table = table.clone();
        let named = |of: &TableSchema| of.name == table.name();
        if all && (tables.len() == 1 || stated.tables().iter().any(named)) {
            table.set_key(None);
        }
        read.push(TableRead {
            table,
            evidence: evidence.next().unwrap_or_default(),
            stated_roles: Default::default(),
            customary_target: None,
            foreign_keys: references(position),
            notices: Vec::new(),
        });
    }
    stated.check(&read)?;
    let place = |table: &TableRead| {
        let name = table.table.name();
        let position = stated.tables().iter().position(|of| of.name == name);
        position.unwrap_or(usize::MAX)
    };
    read.sort_by_key(place);
    let alone = read.len() == 1;
    let mut parts = Vec::with_capacity(read.len());
    for table in read {
        let schema = stated.about(&table, alone);
        parts.push(Part {
            read: match schema {
                Some(schema) => overrule(table, schema, name)?,
                None => table,
            },
            format: if format == "SQLite" {
                "SQLite"
            } else {
                "PostgreSQL"
            },
            origin: Origin::default(),
            schema: schema.cloned(),
        });
    }
    Ok(FileRead {
        parts,
        schema: None,
        notices,
        keys_declared: dataset.keys_declared,
    })
}
