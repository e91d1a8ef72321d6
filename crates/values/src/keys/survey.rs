//! Everything the search for keys looks at, gathered once: names in words and the distinct values
//! of columns.

use super::names::Name;
use super::profile::{CodeBook, Profile};
use crate::database::Database;
use crate::role::Role;

/// A database as the search for keys sees it.
pub(super) struct Survey<'a> {
    pub database: &'a Database,
    pub tables: Vec<TableFacts>,
}

/// A table's name and columns.
pub(super) struct TableFacts {
    pub name: Name,
    pub columns: Vec<ColumnFacts>,
}

/// A column's name and, if it may be in a key, its values.
pub(super) struct ColumnFacts {
    pub name: Name,
    pub profile: Option<Profile>,
}

impl<'a> Survey<'a> {
    /// Looks at every column once.
    pub fn of(database: &'a Database) -> Self {
        let mut book = CodeBook::default();
        let tables = database
            .tables()
            .iter()
            .map(|table| TableFacts {
                name: Name::of_table(table.name()),
                columns: table
                    .attributes()
                    .iter()
                    .map(|attribute| {
                        let name = Name::of_column(&attribute.name);
                        let purpose =
                            !matches!(attribute.role, Role::Target | Role::Weight | Role::Fold);
                        let profile = (purpose && !name.to_predict())
                            .then(|| Profile::of(&attribute.column, &mut book))
                            .flatten();
                        ColumnFacts { name, profile }
                    })
                    .collect(),
            })
            .collect();
        Self { database, tables }
    }

    /// The table that the column is most clearly called after, and how clearly.
    pub fn called_after(&self, column: &Name) -> Option<(usize, f64)> {
        let mut best: Option<(usize, f64)> = None;
        for (table, facts) in self.tables.iter().enumerate() {
            let called = column.called_after(&facts.name);
            if called > best.map_or(0.0, |(_, best)| best) {
                best = Some((table, called));
            }
        }
        best
    }
}
