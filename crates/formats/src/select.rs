//! Rows that a query finds in tables: in a SQLite database that is gone afterwards.

use std::io;

use kinwood_values::sql::identifier as quoted;
use kinwood_values::{Cells, Database};
use rusqlite::Connection;
use rusqlite::types::ValueRef;

use crate::error::{Error, Result};
use crate::sql::write_sqlite;

/// A cell of what a query finds.
#[derive(Clone, Debug, PartialEq)]
pub enum Found {
    /// Nothing.
    Missing,
    /// A whole number.
    Whole(i64),
    /// A number.
    Number(f64),
    /// A text.
    Text(String),
}

/// The rows that a query (of SQLite) finds in the tables of a database, in its order. Times are
/// texts there, such as `2008-03-16 04:30:00`; `indexed` are columns of tables by which rows are
/// looked up, so that the query need not look at all of them.
pub fn select(
    database: &Database,
    indexed: &[(usize, Vec<usize>)],
    query: &str,
) -> Result<Vec<Vec<Found>>> {
    let no_room = |source: io::Error| Error::Write {
        path: std::env::temp_dir(),
        source,
    };
    let folder = tempfile::tempdir().map_err(no_room)?;
    let file = folder.path().join("select.sqlite");
    write_sqlite(database, &file)?;
    let failed = |error: rusqlite::Error| Error::Statements {
        reason: error.to_string(),
    };
    let connection = Connection::open(&file).map_err(failed)?;
    connection
        .execute_batch("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;")
        .map_err(failed)?;
    connection
        .execute_batch(&preparation(database, indexed))
        .map_err(failed)?;
    let mut statement = connection.prepare(query).map_err(failed)?;
    let width = statement.column_count();
    let mut found = Vec::new();
    let mut rows = statement.query([]).map_err(failed)?;
    while let Some(row) = rows.next().map_err(failed)? {
        let cell = |column: usize| match row.get_ref(column)? {
            ValueRef::Null => Ok(Found::Missing),
            ValueRef::Integer(number) => Ok(Found::Whole(number)),
            ValueRef::Real(number) => Ok(Found::Number(number)),
            ValueRef::Text(text) | ValueRef::Blob(text) => {
                Ok(Found::Text(String::from_utf8_lossy(text).into_owned()))
            }
        };
        let cells: rusqlite::Result<Vec<Found>> = (0..width).map(cell).collect();
        found.push(cells.map_err(failed)?);
    }
    Ok(found)
}

/// Statements that write times as queries compare them, and make indexes.
fn preparation(database: &Database, indexed: &[(usize, Vec<usize>)]) -> String {
    let mut statements = String::new();
    for table in database.tables() {
        let times = table.attributes().iter();
        let times =
            times.filter(|attribute| matches!(attribute.column.cells(), Cells::DateTime(_)));
        let set: Vec<String> = times
            .map(|attribute| {
                let column = quoted(&attribute.name);
                format!("{column} = REPLACE(REPLACE({column}, 'T', ' '), 'Z', '')")
            })
            .collect();
        if !set.is_empty() {
            let (table, set) = (quoted(table.name()), set.join(", "));
            statements += &format!("UPDATE {table} SET {set};\n");
        }
    }
    for (number, (table, columns)) in indexed.iter().enumerate() {
        let table = database.table(*table);
        let names = columns
            .iter()
            .map(|&column| quoted(&table.attribute(column).name));
        let names: Vec<String> = names.collect();
        let (on, names) = (quoted(table.name()), names.join(", "));
        statements += &format!("CREATE INDEX \"looked up {number}\" ON {on} ({names});\n");
    }
    statements + "ANALYZE;\n"
}

#[cfg(test)]
mod tests {
    use kinwood_values::{Attribute, Column, Table, Type, Value};

    use super::*;

    #[test]
    fn rows_are_found_and_times_have_a_blank() {
        let instants = [
            Value::DateTime(0),
            Value::Missing,
            Value::DateTime(5_400_000),
        ];
        let when = Column::from_values(&Type::DateTime, &instants).unwrap();
        let table = vec![
            Attribute::new("when", when),
            Attribute::new("size", Column::numeric(vec![1.5, 2.0, 3.0])),
        ];
        let table = Table::new("event", table).unwrap();
        let database = Database::single(table).unwrap();
        let query = "SELECT \"when\", size FROM event ORDER BY size";
        let found = select(&database, &[(0, vec![0])], query).unwrap();
        let text = |text: &str| Found::Text(text.to_owned());
        let expected = vec![
            vec![text("1970-01-01"), Found::Number(1.5)],
            vec![Found::Missing, Found::Number(2.0)],
            vec![text("1970-01-01 01:30:00"), Found::Number(3.0)],
        ];
        assert_eq!(found, expected);
        let message = select(&database, &[], "SELECT absent FROM event").unwrap_err();
        let message = message.to_string();
        assert!(message.contains("no such column: absent"), "{message}");
    }
}
