//! Everything that is known about a dataset, as a schema that reads it the same way again.

use std::path::Path;

use kinwood_values::{Cells, Column, Role, TableTime};

use crate::dataset::Dataset;
use crate::folder::holds_a_table;
use crate::format::Formats;
use crate::schema::{CsvOptions, ForeignKeySchema, Schema, StatedColumn, TableSchema, TimeSchema};
use crate::source::table_name;

impl Schema {
    /// Everything that is known about a dataset, as a schema that reads it the same way again.
    pub fn of(dataset: &Dataset) -> Self {
        let database = &dataset.database;
        let single = database.tables().len() == 1;
        let column_name = |&(table, column): &(usize, usize)| {
            let table = database.table(table);
            let column = &table.attribute(column).name;
            if single {
                column.clone()
            } else {
                format!("{}.{column}", table.name())
            }
        };
        let mut tables: Vec<TableSchema> = (0..database.tables().len())
            .map(|table| table_of(dataset, table))
            .collect();
        if dataset.facts.is_some() {
            // Patterns say what refers to what.
            for table in &mut tables {
                table.key.clear();
                table.foreign_keys.clear();
            }
        }
        Self {
            targets: dataset.targets.iter().map(column_name).collect(),
            keys_declared: dataset.keys_declared && dataset.facts.is_none(),
            tables,
            facts: dataset.facts.as_ref().map(|read| read.declared.clone()),
        }
    }
}

fn table_of(dataset: &Dataset, position: usize) -> TableSchema {
    let database = &dataset.database;
    let table = database.table(position);
    let names = |columns: &[usize]| -> Vec<String> {
        let name = |&column: &usize| table.attribute(column).name.clone();
        columns.iter().map(name).collect()
    };
    let columns = table
        .attributes()
        .iter()
        .enumerate()
        .map(|(column, attribute)| {
            let here = (position, column);
            let is_target = dataset.targets.contains(&here);
            let stated = dataset.stated_roles.contains(&here) || attribute.role != Role::Input;
            StatedColumn {
                name: attribute.name.clone(),
                of: Some(attribute.type_of()),
                role: Some(attribute.role).filter(|_| stated && !is_target),
                values: match attribute.ordered {
                    // An order is worth reading even where the rows happen to have it.
                    true => all_labels(&attribute.column),
                    false => labels_to_state(&attribute.column),
                },
                hierarchy: attribute.hierarchy,
                distance: attribute.distance.clone(),
                ordered: attribute.ordered,
                notation: attribute.notation,
            }
        });
    let origin = dataset.origins.get(position).cloned().unwrap_or_default();
    let foreign_keys = database
        .foreign_keys()
        .iter()
        .filter(|key| key.from == position);
    TableSchema {
        name: table.name().to_owned(),
        file: Some(origin.file)
            .filter(|file| !file.is_empty() && !found_by_name(file, table.name())),
        key: table.key().map(names).unwrap_or_default(),
        time: table.time().map(|time| {
            let name = |column: usize| table.attribute(column).name.clone();
            match time {
                TableTime::Instant { column } => TimeSchema::Instant(name(column)),
                TableTime::Valid { from, to } => TimeSchema::Valid {
                    from: name(from),
                    to: name(to),
                },
            }
        }),
        options: CsvOptions {
            columns: columns.collect(),
            ..origin.options
        },
        foreign_keys: foreign_keys
            .map(|key| ForeignKeySchema {
                columns: names(&key.from_columns),
                references: database.table(key.to).name().to_owned(),
                to: key
                    .to_columns
                    .iter()
                    .map(|&column| database.table(key.to).attribute(column).name.clone())
                    .collect(),
                name: Some(key.name.clone()),
                describes: key.describes,
            })
            .collect(),
        evidence: dataset.evidence.get(position).cloned().unwrap_or_default(),
    }
}

/// Whether a table without stated file would be read from this one.
fn found_by_name(file: &str, table: &str) -> bool {
    let path = Path::new(file);
    path.parent()
        .is_none_or(|folder| folder.as_os_str().is_empty())
        && holds_a_table(&Formats::default(), file)
        && table_name(path) == table
}

/// The labels of a nominal column.
fn all_labels(column: &Column) -> Option<Vec<String>> {
    let (_, dictionary) = column.codes()?;
    Some(dictionary.labels().map(str::to_owned).collect())
}

/// The labels of a nominal column, where reading it again would not find them in this order.
fn labels_to_state(column: &Column) -> Option<Vec<String>> {
    let Cells::Nominal { codes, dictionary } = column.cells() else {
        return None;
    };
    let mut expected = 0;
    for (row, &code) in codes.iter().enumerate() {
        if column.is_present(row) {
            if code > expected {
                break;
            }
            expected += u32::from(code == expected);
        }
    }
    (expected as usize != dictionary.len())
        .then(|| dictionary.labels().map(str::to_owned).collect())
}
