//! Where in a query something is wrong, and what was perhaps meant.

use kinwood_values::suggest::nearest;
use rusqlite::Connection;

use crate::error::Error;

/// The error of SQLite, with its place where it says one and the nearest name where it names one.
pub(crate) fn locate(
    error: &rusqlite::Error,
    sql: &str,
    connection: &Connection,
    columns: Vec<String>,
) -> Error {
    let (message, offset) = match error {
        rusqlite::Error::SqlInputError { msg, offset, .. } => {
            (msg.clone(), usize::try_from(*offset).ok())
        }
        other => (words(other), None),
    };
    let near = suggestion(&message, connection, columns);
    match offset.filter(|offset| *offset <= sql.len()) {
        Some(offset) => at(&message, sql, offset, near),
        None => Error::Sqlite {
            message,
            nearest: near,
        },
    }
}

/// The error of SQLite where there is no query.
pub(crate) fn plain(error: &rusqlite::Error) -> Error {
    Error::Sqlite {
        message: words(error),
        nearest: None,
    }
}

/// What SQLite says, without what it stands in.
fn words(error: &rusqlite::Error) -> String {
    match error {
        rusqlite::Error::SqliteFailure(_, Some(message)) => message.clone(),
        rusqlite::Error::SqlInputError { msg, .. } => msg.clone(),
        rusqlite::Error::ModuleError(message) => message.clone(),
        other => other.to_string(),
    }
}

/// An error at a byte of the query.
pub(crate) fn at(message: &str, sql: &str, offset: usize, near: Option<String>) -> Error {
    let mut offset = offset.min(sql.len());
    while !sql.is_char_boundary(offset) {
        offset -= 1;
    }
    let before = &sql[..offset];
    let line = before.matches('\n').count();
    let begin = before.rfind('\n').map_or(0, |at| at + 1);
    let column = sql[begin..offset].chars().count();
    let text: String = sql.lines().nth(line).unwrap_or("").replace('\t', " ");
    // A long line is shown around the place.
    const SHOWN: usize = 80;
    let first = column.saturating_sub(SHOWN / 2);
    let cut: String = text.chars().skip(first).take(SHOWN).collect();
    Error::Sql {
        line: line + 1,
        column: column + 1,
        message: message.to_owned(),
        nearest: near,
        excerpt: format!("  {cut}\n  {}^", " ".repeat(column - first)),
    }
}

/// The nearest name to the one that SQLite does not know.
fn suggestion(message: &str, connection: &Connection, columns: Vec<String>) -> Option<String> {
    let named = |start: &str| message.strip_prefix(start).map(str::trim);
    if let Some(table) = named("no such table: ") {
        let names = names(
            connection,
            "SELECT name FROM pragma_table_list WHERE name NOT LIKE 'sqlite_%' UNION SELECT name FROM pragma_module_list WHERE name NOT LIKE 'pragma_%' AND name NOT LIKE 'json_%' AND name NOT LIKE 'fts%'",
        );
        return nearest(bare(table), names);
    }
    if let Some(column) = named("no such column: ") {
        let found = names(
            connection,
            "SELECT DISTINCT i.name FROM pragma_table_list t, pragma_table_xinfo(t.name) i WHERE t.name NOT LIKE 'sqlite_%'",
        );
        let name = bare(
            column
                .split(" - ")
                .next()
                .unwrap_or(column)
                .trim_matches('"'),
        );
        return nearest(name, found.into_iter().chain(columns));
    }
    let function = named("no such function: ")?;
    let names = names(connection, "SELECT DISTINCT name FROM pragma_function_list");
    nearest(function, names)
}

/// A name without the table or schema before it.
fn bare(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}

fn names(connection: &Connection, sql: &str) -> Vec<String> {
    let read = |sql: &str| -> rusqlite::Result<Vec<String>> {
        let mut statement = connection.prepare(sql)?;
        let names = statement.query_map([], |row| row.get(0))?;
        names.collect()
    };
    read(sql).unwrap_or_default()
}
