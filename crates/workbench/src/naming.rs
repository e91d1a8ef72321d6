//! Finding columns by what users write: `column`, `table.column`, or quoted where names hold dots.

use kinwood_values::Database;
use kinwood_values::suggest::nearest;

use crate::error::{Error, Result};

/// The table and column that a name means.
///
/// A bare name is looked up in every table; where several have it, or where it has dots, the table goes before it.
/// Quotes (`'a.b'`, `"molecule"."log p"`) make a part literal.
pub fn find_column(database: &Database, written: &str) -> Result<(usize, usize)> {
    let in_tables = |column: &str| -> Vec<(usize, usize)> {
        let tables = database.tables().iter().enumerate();
        tables
            .filter_map(|(table, owner)| Some((table, owner.position(column)?)))
            .collect()
    };
    let qualified = |table: &str, column: &str| -> Option<(usize, usize)> {
        let table = database
            .tables()
            .iter()
            .position(|owner| owner.name() == table)?;
        Some((table, database.table(table).position(column)?))
    };
    let found = match parts(written).as_deref() {
        Some([column]) => in_tables(column),
        Some([table, column]) => qualified(table, column).into_iter().collect(),
        _ => {
            let bare = in_tables(written);
            if bare.is_empty() {
                // Both tables and columns may have dots in their names: every dot may be the one.
                let dots = written.match_indices('.').map(|(at, _)| at);
                dots.filter_map(|at| qualified(&written[..at], &written[at + 1..]))
                    .take(1)
                    .collect()
            } else {
                bare
            }
        }
    };
    match found.as_slice() {
        [one] => Ok(*one),
        [] => Err(unknown(database, written)),
        several => Err(Error::AmbiguousColumn {
            column: written.to_owned(),
            choices: several
                .iter()
                .map(|&(table, column)| {
                    let owner = database.table(table);
                    format!("`{}.{}`", owner.name(), owner.attribute(column).name)
                })
                .collect(),
        }),
    }
}

fn unknown(database: &Database, written: &str) -> Error {
    let tables = database.tables();
    let single = tables.len() == 1;
    let names = tables.iter().flat_map(|table| {
        table.attributes().iter().map(move |attribute| {
            if single {
                attribute.name.clone()
            } else {
                format!("{}.{}", table.name(), attribute.name)
            }
        })
    });
    Error::UnknownColumn {
        column: written.to_owned(),
        nearest: nearest(written, names.collect::<Vec<_>>()),
        tables: tables.iter().map(|table| table.name().to_owned()).collect(),
    }
}

/// The parts of a name of which one at least is in quotes; `None` for one without.
fn parts(written: &str) -> Option<Vec<String>> {
    const QUOTES: [char; 3] = ['"', '\'', '`'];
    let mut rest = written;
    let mut parts = Vec::new();
    // A table before a quoted column may go without: every dot that is not before the quote is its own.
    let plain = written
        .match_indices('.')
        .find(|&(at, _)| written[at + 1..].starts_with(QUOTES));
    if let Some((at, _)) = plain
        && !written.starts_with(QUOTES)
    {
        parts.push(written[..at].to_owned());
        rest = &written[at + 1..];
    }
    while let Some(quote @ ('"' | '\'' | '`')) = rest.chars().next() {
        let mut part = String::new();
        let mut characters = rest.char_indices().skip(1).peekable();
        loop {
            match characters.next()? {
                (_, c)
                    if c == quote && characters.peek().is_some_and(|(_, next)| *next == quote) =>
                {
                    part.push(quote);
                    characters.next();
                }
                (at, c) if c == quote => {
                    rest = &rest[at + 1..];
                    break;
                }
                (_, c) => part.push(c),
            }
        }
        parts.push(part);
        match rest.strip_prefix('.') {
            Some(more) if parts.len() == 1 && !more.starts_with(QUOTES) => {
                parts.push(more.to_owned());
                rest = "";
            }
            Some(more) => rest = more,
            None => break,
        }
    }
    (!parts.is_empty() && rest.is_empty()).then_some(parts)
}

#[cfg(test)]
mod tests {
    use kinwood_values::{Attribute, Column, Table};

    use super::*;

    fn database() -> Database {
        let column = |name: &str| Attribute::new(name, Column::numeric(vec![1.0]));
        let tables = vec![
            Table::new("kr.vs", vec![column("class"), column("log p")]).unwrap(),
            Table::new("atom", vec![column("class"), column("sepal.length")]).unwrap(),
        ];
        Database::new(tables, vec![]).unwrap().0
    }

    #[test]
    fn names_with_dots_and_quotes_are_found() {
        let find = |written: &str| find_column(&database(), written).unwrap();
        assert_eq!(find("kr.vs.class"), (0, 0));
        assert_eq!(find("sepal.length"), (1, 1));
        assert_eq!(find("atom.sepal.length"), (1, 1));
        assert_eq!(find("'log p'"), (0, 1));
        assert_eq!(find("\"kr.vs\".\"log p\""), (0, 1));
        assert_eq!(find("kr.vs.\"log p\""), (0, 1));
        assert_eq!(find("'atom'.sepal.length"), (1, 1));
    }

    #[test]
    fn what_is_not_found_is_said() {
        let message = |written: &str| find_column(&database(), written).unwrap_err().to_string();
        assert_eq!(
            message("class"),
            "column `class` is in several tables: say `kr.vs.class` or `atom.class`"
        );
        assert!(message("atom.clas").contains("did you mean `atom.class`?"));
        assert!(message("zzz").contains("(tables: kr.vs, atom)"));
    }
}
