//! Writing a database as a SQLite file, keys and all.
//!
//! Numbers are INTEGER where all of a column are whole, else REAL; labels and strings TEXT; times TIMESTAMP in ISO 8601;
//! structured values their JSON or text form, as TEXT. The file is written beside its place and renamed.

use std::path::Path;

use kinwood_values::{Cells, Column, Database, Table, Value};
use rusqlite::types::Value as Stored;
use rusqlite::{Connection, params_from_iter};

use super::catalogue::quoted;
use crate::error::{Error, Result};

/// Whole numbers beyond this are not told apart by a double.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// Writes the database, wholly or not at all; a file that is there is replaced.
pub(crate) fn write(database: &Database, path: &Path) -> Result<()> {
    let failed = |source| Error::Write {
        path: path.to_owned(),
        source,
    };
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty())
        .unwrap_or(Path::new("."));
    // A folder of our own, so that the files SQLite makes beside its own go with it.
    let beside = tempfile::Builder::new()
        .prefix(".")
        .suffix(".tmp")
        .tempdir_in(folder)
        .map_err(failed)?;
    let unfinished = beside.path().join("database");
    fill(database, &unfinished, path)?;
    std::fs::rename(&unfinished, path).map_err(failed)
}

/// Writes the database to a new file; messages name the place it will have.
fn fill(database: &Database, file: &Path, path: &Path) -> Result<()> {
    let wrong = |table: Option<&str>, reason: String| Error::Write {
        path: path.to_owned(),
        source: std::io::Error::other(match table {
            Some(table) => format!("table `{table}`: {reason}"),
            None => reason,
        }),
    };
    let failed = |error: rusqlite::Error| wrong(None, error.to_string());
    let mut connection = Connection::open(file).map_err(failed)?;
    // The file is thrown away if anything fails, so a journal would protect nothing.
    connection
        .execute_batch(
            "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA foreign_keys = OFF;",
        )
        .map_err(failed)?;
    let transaction = connection.transaction().map_err(failed)?;
    for (position, table) in database.tables().iter().enumerate() {
        let in_table = |error: rusqlite::Error| wrong(Some(table.name()), error.to_string());
        transaction
            .execute_batch(&declaration(database, position))
            .map_err(in_table)?;
        if table.attributes().is_empty() {
            continue;
        }
        let marks = vec!["?"; table.attributes().len()].join(", ");
        let insert = format!("INSERT INTO {} VALUES ({marks})", quoted(table.name()));
        let mut statement = transaction.prepare(&insert).map_err(in_table)?;
        for row in 0..table.rows() {
            let cells = table
                .attributes()
                .iter()
                .map(|attribute| stored(&attribute.column, row));
            statement
                .execute(params_from_iter(cells))
                .map_err(in_table)?;
        }
    }
    transaction.commit().map_err(failed)?;
    connection.close().map_err(|(_, error)| failed(error))
}

fn declaration(database: &Database, position: usize) -> String {
    let table = database.table(position);
    let names = |table: &Table, columns: &[usize]| -> String {
        columns
            .iter()
            .map(|&column| quoted(&table.attribute(column).name))
            .collect::<Vec<_>>()
            .join(", ")
    };
    let mut parts: Vec<String> = table
        .attributes()
        .iter()
        .map(|attribute| {
            format!(
                "{} {}",
                quoted(&attribute.name),
                affinity(&attribute.column)
            )
        })
        .collect();
    if let Some(key) = table.key() {
        parts.push(format!("PRIMARY KEY ({})", names(table, key)));
    }
    for key in database
        .foreign_keys()
        .iter()
        .filter(|key| key.from == position)
    {
        let to = database.table(key.to);
        parts.push(format!(
            "FOREIGN KEY ({}) REFERENCES {} ({})",
            names(table, &key.from_columns),
            quoted(to.name()),
            names(to, &key.to_columns)
        ));
    }
    if parts.is_empty() {
        // A table has a column at least.
        parts.push("\"nothing\" TEXT".to_owned());
    }
    format!(
        "CREATE TABLE {} ({})",
        quoted(table.name()),
        parts.join(", ")
    )
}

fn whole(column: &Column) -> bool {
    column.numbers().is_some_and(|numbers| {
        let fits = |number: f64| number.fract() == 0.0 && number.abs() <= EXACT;
        numbers
            .iter()
            .enumerate()
            .all(|(row, &number)| !column.is_present(row) || fits(number))
    })
}

fn affinity(column: &Column) -> &'static str {
    match column.cells() {
        Cells::Numeric(_) if whole(column) => "INTEGER",
        Cells::Numeric(_) => "REAL",
        Cells::DateTime(_) => "TIMESTAMP",
        _ => "TEXT",
    }
}

fn stored(column: &Column, row: usize) -> Stored {
    match column.value(row) {
        Value::Missing => Stored::Null,
        Value::Number(number) if number.fract() == 0.0 && number.abs() <= EXACT => {
            Stored::Integer(number as i64)
        }
        Value::Number(number) => Stored::Real(number),
        Value::Symbol(text) | Value::Text(text) => Stored::Text(text),
        value @ (Value::DateTime(_) | Value::Tree(_) | Value::Term(_)) => {
            Stored::Text(value.to_string())
        }
        value => Stored::Text(value.to_json().to_string()),
    }
}

#[cfg(test)]
mod tests {
    use kinwood_values::{Attribute, ForeignKey};

    use super::*;
    use crate::sql::{SqlOptions, read_sqlite};

    #[test]
    fn what_is_written_is_read_with_its_keys() {
        let mut molecule = Table::new(
            "molecule",
            vec![
                Attribute::new("id", Column::numeric(vec![1.0, 2.0])),
                Attribute::new("log \"p\"", Column::numeric(vec![0.5, f64::NAN])),
                Attribute::new("class", Column::nominal([Some("yes"), Some("it's")])),
            ],
        )
        .unwrap();
        molecule.set_key(Some(vec![0]));
        let atom = Table::new(
            "atom",
            vec![Attribute::new(
                "molecule",
                Column::numeric(vec![2.0, 2.0, 1.0]),
            )],
        )
        .unwrap();
        let key = ForeignKey {
            name: "atom_molecule".into(),
            from: 1,
            from_columns: vec![0],
            to: 0,
            to_columns: vec![0],
        };
        let (database, _) = Database::new(vec![molecule, atom], vec![key]).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("m.sqlite");
        write(&database, &path).unwrap();
        let read = read_sqlite(&path, &SqlOptions::default()).unwrap().database;
        let find = |name: &str| read.table(read.find(name).unwrap());
        for table in database.tables() {
            for (column, attribute) in table.attributes().iter().enumerate() {
                for row in 0..table.rows() {
                    assert_eq!(
                        find(table.name()).attribute(column).column.value(row),
                        attribute.column.value(row)
                    );
                }
            }
        }
        assert_eq!(find("molecule").key(), Some(&[0][..]));
        assert_eq!(read.foreign_keys().len(), 1);
    }
}
