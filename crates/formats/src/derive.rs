//! Tables made of tables by SQL statements: in a SQLite database that is gone afterwards.

use std::fs;
use std::io;

use kinwood_values::Database;
use rusqlite::Connection;

use crate::dataset::Dataset;
use crate::error::{Error, Result};
use crate::read::{ReadOptions, read};
use crate::sql::write_sqlite;

/// Makes tables of tables: runs SQL statements (of SQLite) on those of a database, and reads the
/// tables that are there then, by a schema in the form of `schema.toml`. Structured values are made
/// as JSON, by SQLite's own functions.
///
/// Statements are trusted: they are the caller's, not the data's.
pub fn derive(database: &Database, statements: &str, schema: &str) -> Result<Dataset> {
    let no_room = |source: io::Error| Error::Write {
        path: std::env::temp_dir(),
        source,
    };
    let folder = tempfile::tempdir().map_err(no_room)?;
    let file = folder.path().join("derived.sqlite");
    write_sqlite(database, &file)?;
    let failed = |error: rusqlite::Error| Error::Statements {
        reason: error.to_string(),
    };
    let connection = Connection::open(&file).map_err(failed)?;
    connection.execute_batch(statements).map_err(failed)?;
    connection.close().map_err(|(_, error)| failed(error))?;
    let stated = folder.path().join("derived.schema.toml");
    fs::write(&stated, schema).map_err(no_room)?;
    let options = ReadOptions {
        schema: Some(stated),
        ..ReadOptions::default()
    };
    read(&file, &options)
}

#[cfg(test)]
mod tests {
    use kinwood_values::{Attribute, Column, Table};

    use super::*;

    fn database() -> Database {
        let column =
            |name: &str, numbers: &[f64]| Attribute::new(name, Column::numeric(numbers.to_vec()));
        let owners = Table::new("owner", vec![column("id", &[1.0, 2.0])]).unwrap();
        let things = vec![
            column("owner", &[1.0, 2.0, 1.0]),
            column("size", &[7.0, 8.0, 7.0]),
        ];
        let things = Table::new("thing", things).unwrap();
        Database::new(vec![owners, things], Vec::new()).unwrap().0
    }

    #[test]
    fn sets_are_made_of_linked_rows() {
        let statements = "create table made as select id, (
              select json_group_array(json_array(size)) from (
                select distinct size from thing where thing.owner = owner.id)) as things
            from owner;
            drop table owner; drop table thing;";
        let schema = "[tables.made.columns]\nthings = \"set<tuple<size: numeric>>\"\n";
        let made = derive(&database(), statements, schema).unwrap().database;
        assert_eq!(made.tables().len(), 1);
        let things = &made.table(0).attribute(1);
        assert_eq!(things.type_of().to_string(), "set<tuple<size: numeric>>");
        let of_owner = |row| things.column.value(row).to_json().to_string();
        assert_eq!(of_owner(0), "[[7]]");
        assert_eq!(of_owner(1), "[[8]]");
    }

    #[test]
    fn statements_that_fail_are_told() {
        let failing = |statements| derive(&database(), statements, "").unwrap_err().to_string();
        assert_eq!(
            failing("drop table absent"),
            "the SQL statements fail: no such table: absent"
        );
    }
}
