//! Writing a database as a SQLite file, keys and all.
//!
//! Numbers are INTEGER where all of a column are whole, else REAL; labels and strings TEXT; times
//! TIMESTAMP in ISO 8601; structured values their JSON or text form.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use kinwood_values::container::replace;
use kinwood_values::{Cells, Column, Database, Table, Value};
use rusqlite::types::Null;
use rusqlite::{Connection, Statement};

use super::catalogue::quoted;
use crate::error::{Error, Result};

/// Whole numbers beyond this are not told apart by a double.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// Writes the database, wholly or not at all; a file that is there is replaced.
pub(crate) fn write(database: &Database, path: &Path) -> Result<()> {
    replace(path, |out| content(database, path, out)).map_err(|source| Error::Write {
        path: path.to_owned(),
        source,
    })
}

/// The bytes of the database's file. SQLite writes in its own order, so that they are made beside
/// their place first.
pub(crate) fn content(
    database: &Database,
    path: &Path,
    out: &mut (impl io::Write + ?Sized),
) -> io::Result<()> {
    let device = fs::metadata(path).is_ok_and(|found| !found.is_file());
    let folder = match path.parent() {
        _ if device => std::env::temp_dir(),
        Some(folder) if !folder.as_os_str().is_empty() => folder.to_owned(),
        _ => PathBuf::from("."),
    };
    // A folder of our own, so that the files SQLite makes beside its own go with it.
    let mut builder = tempfile::Builder::new();
    let beside = builder.prefix(".").suffix(".tmp").tempdir_in(folder)?;
    let unfinished = beside.path().join("database");
    fill(database, &unfinished).map_err(io::Error::other)?;
    io::copy(&mut fs::File::open(&unfinished)?, out)?;
    Ok(())
}

/// Writes the database to a new file.
fn fill(database: &Database, file: &Path) -> Result<(), String> {
    let failed = |error: rusqlite::Error| error.to_string();
    let mut connection = Connection::open(file).map_err(failed)?;
    // The file is thrown away if anything fails, so a journal would protect nothing.
    connection
        .execute_batch(
            "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA foreign_keys = OFF;",
        )
        .map_err(failed)?;
    let transaction = connection.transaction().map_err(failed)?;
    for (position, table) in database.tables().iter().enumerate() {
        let name = table.name();
        let in_table = |error: rusqlite::Error| format!("table `{name}`: {error}");
        transaction
            .execute_batch(&declaration(database, position))
            .map_err(in_table)?;
        if table.attributes().is_empty() {
            continue;
        }
        let marks = vec!["?"; table.attributes().len()].join(", ");
        let insert = format!("INSERT INTO {} VALUES ({marks})", quoted(name));
        let mut statement = transaction.prepare(&insert).map_err(in_table)?;
        for row in 0..table.rows() {
            for (column, attribute) in table.attributes().iter().enumerate() {
                bind(&mut statement, column + 1, &attribute.column, row).map_err(in_table)?;
            }
            statement.raw_execute().map_err(in_table)?;
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
        .enumerate()
        .map(|(column, attribute)| {
            format!("{} {}", quoted(&attribute.name), affinity(table, column))
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

/// Whether a column can be the number of SQLite's rows, by which they are ordered.
fn ascending(column: &Column) -> bool {
    column.missing() == 0
        && column
            .numbers()
            .is_some_and(|numbers| numbers.is_sorted_by(|a, b| a < b))
}

fn affinity(table: &Table, position: usize) -> &'static str {
    let column = &table.attribute(position).column;
    match column.cells() {
        // An INTEGER that is the key alone would be the number of the row, and order the rows by
        // it.
        Cells::Numeric(_) if whole(column) => match table.key() {
            Some(key) if *key == [position] && !ascending(column) => "INT",
            _ => "INTEGER",
        },
        Cells::Numeric(_) => "REAL",
        Cells::DateTime(_) => "TIMESTAMP",
        Cells::Collection { members, .. } => match members.child.cells() {
            Cells::Numeric(_) | Cells::Nominal { .. } | Cells::String(_) => "JSON",
            _ => "TEXT",
        },
        _ => "TEXT",
    }
}

/// Binds a cell; what is stored in a text of its own is bound without being copied.
fn bind(
    statement: &mut Statement<'_>,
    place: usize,
    column: &Column,
    row: usize,
) -> rusqlite::Result<()> {
    if !column.is_present(row) {
        return statement.raw_bind_parameter(place, Null);
    }
    match column.cells() {
        Cells::Numeric(numbers) => {
            let number = numbers[row];
            match number.fract() == 0.0 && number.abs() <= EXACT {
                true => statement.raw_bind_parameter(place, number as i64),
                false => statement.raw_bind_parameter(place, number),
            }
        }
        Cells::Nominal { codes, dictionary } => {
            statement.raw_bind_parameter(place, dictionary.label(codes[row]))
        }
        Cells::String(texts) => statement.raw_bind_parameter(place, texts.get(row)),
        _ => match column.value(row) {
            value @ (Value::DateTime(_) | Value::Tree(_) | Value::Term(_)) => {
                statement.raw_bind_parameter(place, value.to_string())
            }
            value => statement.raw_bind_parameter(place, value.to_json().to_string()),
        },
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
            describes: None,
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
