//! Databases: tables connected by foreign keys. A flat file is a database of one table.

use crate::error::Error;
use crate::link::{Link, check_distinct};
use crate::notice::Notice;
use crate::suggest::nearest;
use crate::table::Table;

/// Columns of one table whose values name rows of another, or of the same.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ForeignKey {
    /// What it is called; unique in the database.
    pub name: String,
    /// The table that refers, by position.
    pub from: usize,
    /// Its columns.
    pub from_columns: Vec<usize>,
    /// The table referred to, by position.
    pub to: usize,
    /// The columns referred to, usually its primary key.
    pub to_columns: Vec<usize>,
}

/// Tables, their keys, and the foreign keys as indexes in both directions.
#[derive(Clone, Debug, PartialEq)]
pub struct Database {
    tables: Vec<Table>,
    foreign_keys: Vec<ForeignKey>,
    links: Vec<Link>,
}

impl Database {
    /// Puts tables together: names, keys and references are checked and indexed. Keys that refer to nothing
    /// are no error, for real data have them; they are told.
    pub fn new(
        tables: Vec<Table>,
        foreign_keys: Vec<ForeignKey>,
    ) -> Result<(Self, Vec<Notice>), Error> {
        for (position, table) in tables.iter().enumerate() {
            if tables[..position]
                .iter()
                .any(|other| other.name() == table.name())
            {
                return Err(Error::DuplicateTable {
                    table: table.name().to_owned(),
                });
            }
            if let Some(key) = table.key() {
                check_distinct(table, key)?;
            }
        }
        let mut notices = Vec::new();
        let mut links = Vec::with_capacity(foreign_keys.len());
        for key in &foreign_keys {
            let (from, to) = (&tables[key.from], &tables[key.to]);
            if key.from_columns.len() != key.to_columns.len() {
                return Err(Error::KeyWidth {
                    key: key.name.clone(),
                    found: key.from_columns.len(),
                    expected: key.to_columns.len(),
                    table: to.name().to_owned(),
                });
            }
            let link = Link::connect(from, &key.from_columns, to, &key.to_columns)?;
            if let Some(dangling) = link.dangling() {
                let values: Vec<String> = key
                    .from_columns
                    .iter()
                    .map(|&column| {
                        from.attribute(column)
                            .column
                            .value(dangling.first)
                            .to_string()
                    })
                    .collect();
                notices.push(Notice::new(format!(
                    "{} of {} rows of `{}` refer by `{}` to rows that `{}` does not have (first: row {}, {})",
                    dangling.rows,
                    from.rows(),
                    from.name(),
                    key.name,
                    to.name(),
                    dangling.first + 1,
                    values.join(", "),
                )));
            }
            links.push(link);
        }
        Ok((
            Self {
                tables,
                foreign_keys,
                links,
            },
            notices,
        ))
    }

    /// A database of one table.
    pub fn single(table: Table) -> Result<Self, Error> {
        Self::new(vec![table], Vec::new()).map(|(database, _)| database)
    }

    /// The tables.
    pub fn tables(&self) -> &[Table] {
        &self.tables
    }

    /// A table by position.
    pub fn table(&self, table: usize) -> &Table {
        &self.tables[table]
    }

    /// Where the table of that name stands; the error names the nearest.
    pub fn find(&self, table: &str) -> Result<usize, Error> {
        self.tables
            .iter()
            .position(|candidate| candidate.name() == table)
            .ok_or_else(|| {
                let valid: Vec<String> = self
                    .tables
                    .iter()
                    .map(|table| table.name().to_owned())
                    .collect();
                Error::UnknownTable {
                    table: table.to_owned(),
                    nearest: nearest(table, &valid),
                    valid,
                }
            })
    }

    /// The foreign keys.
    pub fn foreign_keys(&self) -> &[ForeignKey] {
        &self.foreign_keys
    }

    /// A foreign key's index.
    pub fn link(&self, foreign_key: usize) -> &Link {
        &self.links[foreign_key]
    }

    /// Says what a column is for.
    pub fn set_role(&mut self, table: usize, column: usize, role: crate::Role) {
        self.tables[table].set_role(column, role);
    }

    /// Takes the database apart to put it together anew.
    pub fn into_parts(self) -> (Vec<Table>, Vec<ForeignKey>) {
        (self.tables, self.foreign_keys)
    }

    /// Bytes held by the columns of all tables.
    pub fn memory(&self) -> usize {
        self.tables.iter().map(Table::memory).sum()
    }
}
