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

    /// The tables that foreign keys connect with one, in either direction and over any number of steps, in their
    /// order; and where that one stands among them. What is not connected says nothing about its rows.
    pub fn connected(self, table: usize) -> (Self, usize) {
        let mut reached = vec![false; self.tables.len()];
        reached[table] = true;
        let mut grown = true;
        while grown {
            grown = false;
            for key in &self.foreign_keys {
                if reached[key.from] != reached[key.to] {
                    (reached[key.from], reached[key.to]) = (true, true);
                    grown = true;
                }
            }
        }
        let place = |table: usize| reached[..table].iter().filter(|&&kept| kept).count();
        let (mut foreign_keys, mut links) = (Vec::new(), Vec::new());
        for (mut key, link) in self.foreign_keys.into_iter().zip(self.links) {
            if reached[key.from] {
                (key.from, key.to) = (place(key.from), place(key.to));
                foreign_keys.push(key);
                links.push(link);
            }
        }
        let at = place(table);
        let mut kept = reached.into_iter();
        let mut tables = self.tables;
        tables.retain(|_| kept.next().unwrap_or_default());
        let connected = Self {
            tables,
            foreign_keys,
            links,
        };
        (connected, at)
    }

    /// Bytes held by the columns of all tables.
    pub fn memory(&self) -> usize {
        self.tables.iter().map(Table::memory).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Attribute, Column};

    /// Tables of one column `a`, and foreign keys between them by position.
    fn database(tables: &[&str], keys: &[(usize, usize)]) -> Database {
        let column = || Attribute::new("a", Column::nominal([Some("x")]));
        let tables = tables.iter().map(|name| Table::new(*name, vec![column()]));
        let key = |&(from, to): &(usize, usize)| ForeignKey {
            name: format!("{from}-{to}"),
            from,
            from_columns: vec![0],
            to,
            to_columns: vec![0],
        };
        let tables: Vec<Table> = tables.collect::<Result<_, _>>().unwrap();
        let keys = keys.iter().map(key).collect();
        Database::new(tables, keys).unwrap().0
    }

    #[test]
    fn connected_tables_keep_their_order_and_keys() {
        let names = ["far", "island", "near", "start", "other"];
        let whole = database(&names, &[(4, 4), (0, 2), (3, 2), (3, 3)]);
        let (connected, start) = whole.clone().connected(3);
        let expected = database(&["far", "near", "start"], &[(0, 1), (2, 1), (2, 2)]);
        assert_eq!(start, 2);
        assert_eq!(connected.tables(), expected.tables());
        let ends = |database: &Database| -> Vec<(usize, usize)> {
            let keys = database.foreign_keys().iter();
            keys.map(|key| (key.from, key.to)).collect()
        };
        assert_eq!(ends(&connected), ends(&expected));
        assert_eq!(connected.link(1), expected.link(1));
        let (alone, at) = whole.connected(1);
        assert_eq!((alone.tables().len(), at), (1, 0));
    }
}
