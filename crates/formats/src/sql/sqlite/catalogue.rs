//! What a SQLite file declares: tables, columns, keys.

use rusqlite::{Connection, Result, Row};

use crate::sql::builder::Plan;
use crate::sql::declared::{DeclaredColumn, DeclaredKey, DeclaredTable, Listed};

/// A table or view.
#[derive(Clone, Debug)]
pub(super) struct Relation {
    pub name: String,
    pub view: bool,
    /// Whether a module computes its rows, as for full-text indexes.
    pub computed: bool,
    pub has_rowid: bool,
}

impl Relation {
    /// Whether it is a table that holds its rows itself.
    pub fn is_plain(&self) -> bool {
        !self.view && !self.computed
    }

    pub fn listed(&self) -> Listed {
        Listed {
            schema: None,
            name: self.name.clone(),
            view: self.view,
        }
    }
}

/// The tables and views by name, without those that belong to SQLite or to a computed table.
pub(super) fn relations(connection: &Connection) -> Result<Vec<Relation>> {
    let mut relations = Vec::new();
    connection.pragma_query(Some("main"), "table_list", |row| {
        let schema: String = row.get("schema")?;
        let name: String = row.get("name")?;
        let kind: String = row.get("type")?;
        let without_rowid: bool = row.get("wr")?;
        let own = name.to_ascii_lowercase().starts_with("sqlite_");
        if schema == "main" && !own && matches!(kind.as_str(), "table" | "view" | "virtual") {
            relations.push(Relation {
                view: kind == "view",
                computed: kind == "virtual",
                has_rowid: kind == "table" && !without_rowid,
                name,
            });
        }
        Ok(())
    })?;
    relations.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(relations)
}

/// The rows of a pragma about a table.
fn about<T>(
    connection: &Connection,
    pragma: &str,
    table: &str,
    mut read: impl FnMut(&Row<'_>) -> Result<T>,
) -> Result<Vec<T>> {
    let mut rows = Vec::new();
    connection.pragma(Some("main"), pragma, table, |row| {
        rows.push(read(row)?);
        Ok(())
    })?;
    Ok(rows)
}

/// What is declared about a table.
pub(super) fn declaration(
    connection: &Connection,
    relation: &Relation,
    by_name: bool,
) -> Result<DeclaredTable> {
    let mut columns = Vec::new();
    let mut key: Vec<(i64, usize)> = Vec::new();
    // Unlike `table_info` this also tells columns that are computed from others.
    about(connection, "table_xinfo", &relation.name, |row| {
        // Columns that a computed table hides are its commands, not its data.
        if row.get::<_, i64>("hidden")? == 1 {
            return Ok(());
        }
        let declared: Option<String> = row.get("type")?;
        let declared = declared.unwrap_or_default();
        let place_in_key: i64 = row.get("pk")?;
        if place_in_key > 0 {
            key.push((place_in_key, columns.len()));
        }
        columns.push(DeclaredColumn {
            name: row.get("name")?,
            plan: plan(&declared),
            declared,
        });
        Ok(())
    })?;
    key.sort_unstable();
    Ok(DeclaredTable {
        name: relation.name.clone(),
        columns,
        key: key.into_iter().map(|(_, column)| column).collect(),
        foreign_keys: foreign_keys(connection, &relation.name)?,
        view: relation.view,
        by_name,
    })
}

/// The foreign keys in the order of their declaration, which SQLite lists backwards.
fn foreign_keys(connection: &Connection, table: &str) -> Result<Vec<DeclaredKey>> {
    let parts = about(connection, "foreign_key_list", table, |row| {
        let position: (i64, i64) = (row.get("id")?, row.get("seq")?);
        let refers: (String, String) = (row.get("table")?, row.get("from")?);
        Ok((position, refers, row.get::<_, Option<String>>("to")?))
    })?;
    let mut parts = parts;
    parts.sort_by_key(|((id, sequence), ..)| (std::cmp::Reverse(*id), *sequence));
    let mut keys: Vec<DeclaredKey> = Vec::new();
    for ((_, sequence), (table, from), to) in parts {
        if sequence == 0 {
            keys.push(DeclaredKey {
                name: None,
                columns: Vec::new(),
                table,
                to: Vec::new(),
            });
        }
        if let Some(key) = keys.last_mut() {
            key.columns.push(from);
            key.to.extend(to);
        }
    }
    Ok(keys)
}

/// What a declared type promises. SQLite takes any word and derives from it what it would rather
/// store.
fn plan(declared: &str) -> Plan {
    let declared = declared.to_ascii_uppercase();
    let has = |words: &[&str]| words.iter().any(|word| declared.contains(word));
    if has(&["BOOL"]) {
        Plan::Truth
    } else if has(&["DATE", "TIMESTAMP"]) {
        Plan::Date
    } else if has(&["JSON"]) {
        Plan::Json
    } else if has(&["INT"]) {
        Plan::Number
    } else if has(&["CHAR", "CLOB", "TEXT"]) {
        Plan::Text
    } else if has(&["REAL", "FLOA", "DOUB", "NUM", "DEC"]) {
        Plan::Number
    } else {
        Plan::Any
    }
}

/// A name as SQL writes it.
pub(super) fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declared_types_are_read_as_sqlite_reads_them() {
        for (declared, expected) in [
            ("INTEGER", Plan::Number),
            ("unsigned big int", Plan::Number),
            ("VARCHAR(20)", Plan::Text),
            ("DECIMAL(10,5)", Plan::Number),
            ("double precision", Plan::Number),
            ("BOOLEAN", Plan::Truth),
            ("DATETIME", Plan::Date),
            ("timestamp with time zone", Plan::Date),
            ("json", Plan::Json),
            ("BLOB", Plan::Any),
            ("", Plan::Any),
            ("STRING", Plan::Any),
        ] {
            assert_eq!(plan(declared), expected, "{declared}");
        }
    }

    #[test]
    fn names_are_quoted() {
        assert_eq!(quoted("a\"b"), "\"a\"\"b\"");
    }
}
