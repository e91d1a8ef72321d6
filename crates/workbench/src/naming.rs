//! Finding columns by what users write: `column`, `table.column`, or quoted where names hold dots.

use kinwood_values::resolve::{self, Unresolved};
use kinwood_values::{Database, Role, Table};

use crate::error::{Error, Result};

/// The table and column that a name means.
///
/// A bare name is looked up in every table; where several have it, or where it has dots, the table
/// goes before it. Quotes (`'a.b'`, `"molecule"."log p"`) make a part literal.
pub fn find_column(database: &Database, written: &str) -> Result<(usize, usize)> {
    resolve::find_column(database, written).map_err(|unresolved| match unresolved {
        Unresolved::Unknown { nearest } => {
            let tables = database.tables().iter();
            Error::UnknownColumn {
                column: written.to_owned(),
                nearest,
                tables: tables.map(|table| table.name().to_owned()).collect(),
            }
        }
        Unresolved::Ambiguous(places) => {
            let choice = |place| format!("`{}`", resolve::full_name(database, place));
            Error::AmbiguousColumn {
                column: written.to_owned(),
                choices: places.into_iter().map(choice).collect(),
            }
        }
    })
}

/// A column's name for people: with its table where there are several.
pub fn display_name(database: &Database, table: usize, column: usize) -> String {
    let owner = database.table(table);
    let name = &owner.attribute(column).name;
    if database.tables().len() == 1 {
        name.clone()
    } else {
        format!("{}.{name}", owner.name())
    }
}

/// The column with a role that only one can have, if any has it.
pub fn single(table: &Table, role: Role) -> Result<Option<usize>> {
    let named = |column: usize| table.attribute(column).name.clone();
    let columns = 0..table.attributes().len();
    let mut having = columns.filter(|&column| table.attribute(column).role == role);
    match (having.next(), having.next()) {
        (Some(first), Some(second)) => Err(Error::RepeatedRole {
            role,
            first: named(first),
            second: named(second),
        }),
        (one, _) => Ok(one),
    }
}

#[cfg(test)]
mod tests {
    use kinwood_values::{Attribute, Column};

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
