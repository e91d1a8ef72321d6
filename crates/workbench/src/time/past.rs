//! Past targets as data: one more table that holds what was known of earlier rows.
//!
//! It has a row for each row of the target's table, with the keys and the targets of that row, and
//! is known from the day on which the target is: its cutoff and the horizon. All else is what views
//! do with any table that has a time.

use std::sync::Arc;

use kinwood_values::{
    Attribute, Cells, Column, Database, ForeignKey, Role, Table, TableTime, Validity,
};

use crate::error::{Error, Result};

/// The name of the table with the past targets of a table.
pub fn past_name(table: &str) -> String {
    format!("past {table}")
}

/// The database with one more table: the past targets of a table, known so long after the instants
/// of a column.
pub(super) fn with_past(
    database: Database,
    table: usize,
    targets: &[usize],
    cutoffs: usize,
    after: f64,
) -> Result<Database> {
    let own = database.table(table);
    let keys: Vec<&ForeignKey> = database
        .foreign_keys()
        .iter()
        .filter(|key| key.from == table)
        .collect();
    if keys.is_empty() {
        return Err(Error::NothingPast {
            table: own.name().to_owned(),
        });
    }
    let mut columns: Vec<usize> = keys
        .iter()
        .flat_map(|key| key.from_columns.iter().copied())
        .collect();
    columns.sort_unstable();
    columns.dedup();
    let place = |column: &usize| {
        let found = columns.iter().position(|other| other == column);
        found.expect("columns of keys are taken")
    };
    let position = database.tables().len();
    let name = past_name(own.name());
    let links: Vec<ForeignKey> = keys
        .iter()
        .map(|key| ForeignKey {
            name: format!("past {}", key.name),
            from: position,
            from_columns: key.from_columns.iter().map(place).collect(),
            ..(*key).clone()
        })
        .collect();
    let past = rows(own, &columns, targets, cutoffs, after)?.renamed(&name);
    Ok(database.with_table(past, links)?)
}

/// The rows of a past table: columns of keys, then targets, then since when they are known.
fn rows(
    own: &Table,
    keys: &[usize],
    targets: &[usize],
    cutoffs: usize,
    after: f64,
) -> Result<Table> {
    let taken = |column: usize, role: Role| Attribute {
        role,
        ..own.attribute(column).clone()
    };
    let mut attributes: Vec<Attribute> =
        keys.iter().map(|&column| taken(column, Role::Id)).collect();
    let others = targets.iter().filter(|column| !keys.contains(column));
    attributes.extend(others.map(|&column| taken(column, Role::Input)));
    let known = |row: usize| {
        let mut targets = targets.iter();
        targets.any(|&column| own.attribute(column).column.is_present(row))
    };
    let when = own.attribute(cutoffs);
    attributes.push(Attribute {
        name: free_name(&attributes, "known"),
        role: Role::Ignore,
        column: Arc::new(shifted(&when.column, after, known)),
        notation: None,
        ..when.clone()
    });
    let column = attributes.len() - 1;
    let mut table = Table::new(own.name(), attributes)?;
    table.set_time(Some(TableTime::Instant { column }));
    Ok(table)
}

/// A name that no column has yet.
fn free_name(attributes: &[Attribute], wanted: &str) -> String {
    let taken = |name: &String| attributes.iter().any(|attribute| attribute.name == *name);
    let mut name = wanted.to_owned();
    while taken(&name) {
        name.push('\'');
    }
    name
}

/// The instants of a column so much later; missing where nothing is known.
fn shifted(column: &Column, after: f64, known: impl Fn(usize) -> bool) -> Column {
    let present = |row: usize| column.is_present(row) && known(row);
    let validity = Validity::from_bits((0..column.len()).map(present));
    let cells = match column.cells() {
        Cells::DateTime(instants) => Cells::DateTime(
            instants
                .iter()
                .map(|&instant| instant.saturating_add(after as i64))
                .collect(),
        ),
        Cells::Numeric(numbers) => {
            let later = |(row, number): (usize, &f64)| match present(row) {
                true => number + after,
                false => f64::NAN,
            };
            return Column::numeric(numbers.iter().enumerate().map(later).collect());
        }
        other => other.clone(),
    };
    Column::new(cells, Some(validity))
}

/// The past targets of the rows of new data, in the terms of a schema's table of them.
pub(crate) fn past_like(
    wanted: &Table,
    found: &Table,
    cutoffs: Option<usize>,
    after: f64,
) -> Result<Table> {
    let last = wanted.attributes().len().saturating_sub(1);
    let mut attributes: Vec<Attribute> = Vec::with_capacity(last + 1);
    let mut targets = Vec::new();
    for attribute in &wanted.attributes()[..last] {
        let place = found.position(&attribute.name);
        if attribute.role == Role::Input {
            targets.extend(place);
        }
        attributes.push(match place {
            Some(place) => Attribute {
                column: Arc::clone(&found.attribute(place).column),
                ..attribute.clone()
            },
            None => missing(attribute, found.rows()),
        });
    }
    let known = |row: usize| {
        let mut targets = targets.iter();
        targets.any(|&column| found.attribute(column).column.is_present(row))
    };
    let when = &wanted.attributes()[last];
    attributes.push(match cutoffs {
        Some(column) => Attribute {
            column: Arc::new(shifted(&found.attribute(column).column, after, known)),
            ..when.clone()
        },
        None => missing(when, found.rows()),
    });
    let mut table = Table::new(wanted.name(), attributes)?;
    table.set_time(wanted.time());
    Ok(table)
}

/// The same column without any value.
fn missing(attribute: &Attribute, rows: usize) -> Attribute {
    let mut column = Column::empty(&attribute.type_of());
    (0..rows).for_each(|_| column.push_missing());
    Attribute {
        column: Arc::new(column),
        ..attribute.clone()
    }
}
