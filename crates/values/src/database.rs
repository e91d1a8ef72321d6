//! Databases: tables connected by foreign keys. A flat file is a database of one table.

use std::collections::HashSet;
use std::sync::Arc;

use crate::column::Column;
use crate::error::Error;
use crate::link::{Link, check_distinct};
use crate::notice::{Notice, NoticeKind};
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
    /// Whether the rows that refer describe the row referred to, or only mention it; `None` if
    /// nobody has said.
    pub describes: Option<bool>,
}

/// Tables, their keys, and the foreign keys as indexes in both directions.
#[derive(Clone, Debug, PartialEq)]
pub struct Database {
    tables: Vec<Table>,
    foreign_keys: Vec<ForeignKey>,
    links: Vec<Arc<Link>>,
}

impl Database {
    /// Puts tables together: names, keys and references are checked and indexed. Keys that refer to
    /// nothing are no error, for real data have them; they are told.
    pub fn new(
        tables: Vec<Table>,
        foreign_keys: Vec<ForeignKey>,
    ) -> Result<(Self, Vec<Notice>), Error> {
        let mut names = HashSet::with_capacity(tables.len());
        for table in &tables {
            if !names.insert(table.name()) {
                return Err(Error::DuplicateTable {
                    table: table.name().to_owned(),
                });
            }
            if let Some(key) = table.key() {
                check_distinct(table, key)?;
            }
        }
        drop(names);
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
                notices.push(Notice::about(NoticeKind::Key, format!(
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
            links.push(Arc::new(link));
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

    /// Says when the rows of a table are.
    pub fn set_time(&mut self, table: usize, time: Option<crate::TableTime>) {
        self.tables[table].set_time(time);
    }

    /// The database with one more table, the last, and the keys by which it refers to others; what
    /// is there already is shared.
    pub fn with_table(&self, table: Table, keys: Vec<ForeignKey>) -> Result<Self, Error> {
        if self.tables.iter().any(|other| other.name() == table.name()) {
            return Err(Error::DuplicateTable {
                table: table.name().to_owned(),
            });
        }
        let mut larger = self.clone();
        larger.tables.push(table);
        for key in keys {
            let (from, to) = (&larger.tables[key.from], &larger.tables[key.to]);
            let link = Link::connect(from, &key.from_columns, to, &key.to_columns)?;
            larger.links.push(Arc::new(link));
            larger.foreign_keys.push(key);
        }
        Ok(larger)
    }

    /// The same database with other values in a column; all else is shared. What is linked stays
    /// so, whatever the values.
    ///
    /// # Panics
    /// If the length differs: a mistake of the caller, not of data.
    pub fn with_column(&self, table: usize, column: usize, values: Column) -> Self {
        let mut other = self.clone();
        other.tables[table].replace(column, values);
        other
    }

    /// The same database with rows linked otherwise by a foreign key: each row of the table that
    /// refers is linked to what `refers` says of it, whatever the values of its key; all else is
    /// shared.
    ///
    /// # Panics
    /// If that is no row of the table referred to: a mistake of the caller, not of data.
    pub fn with_link(&self, foreign_key: usize, refers: impl Fn(usize) -> Option<u32>) -> Self {
        let mut other = self.clone();
        other.links[foreign_key] = Arc::new(self.links[foreign_key].redirected(refers));
        other
    }

    /// Takes the database apart to put it together anew.
    pub fn into_parts(self) -> (Vec<Table>, Vec<ForeignKey>) {
        (self.tables, self.foreign_keys)
    }

    /// The tables that foreign keys connect with one, in either direction and over any number of
    /// steps, in their order; and where that one stands among them. What is not connected says
    /// nothing about its rows.
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
            describes: None,
        };
        let tables: Vec<Table> = tables.collect::<Result<_, _>>().unwrap();
        let keys = keys.iter().map(key).collect();
        Database::new(tables, keys).unwrap().0
    }

    #[test]
    fn other_values_and_links_leave_the_database_as_it_is() {
        let number = |numbers: &[f64]| Attribute::new("n", Column::numeric(numbers.to_vec()));
        let tables = vec![
            Table::new("owner", vec![number(&[1.0, 2.0])]).unwrap(),
            Table::new("owned", vec![number(&[2.0, 2.0, 1.0])]).unwrap(),
        ];
        let key = ForeignKey {
            name: "owns".to_owned(),
            from: 1,
            from_columns: vec![0],
            to: 0,
            to_columns: vec![0],
            describes: None,
        };
        let (database, _) = Database::new(tables, vec![key]).unwrap();
        let before = database.clone();
        let turned = database.with_link(0, |row| match database.link(0).forward(row) {
            Some(0) => None,
            _ => Some(0),
        });
        assert_eq!(turned.link(0).backward(0), [0, 1]);
        assert!(turned.link(0).backward(1).is_empty());
        assert_eq!(turned.link(0).forward(2), None);
        assert_eq!(turned.tables(), database.tables());
        let other = database.with_column(1, 0, Column::numeric(vec![7.0, 8.0, 9.0]));
        assert_eq!(other.table(1).attribute(0).column.number(2), Some(9.0));
        assert_eq!(other.link(0), database.link(0));
        assert_eq!(database, before);
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
