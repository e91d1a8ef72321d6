//! Views: rows of one table of a database, with hidden columns.
//!
//! Training folds, tree nodes and query sets are views. A hidden column is hidden wherever it is reached from:
//! when a path of foreign keys leads back to the target's table, the target is not there either, and neither are
//! rows of that table outside the view. Learners see data through views only, so a leak has no way in.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::column::Column;
use crate::database::Database;
use crate::role::Role;
use crate::table::Table;

/// Which way a foreign key is followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Direction {
    /// From the row that refers to the row referred to.
    Forward,
    /// From the row referred to, to all rows that refer to it.
    Backward,
}

#[derive(Clone, Debug)]
enum Rows {
    All(usize),
    Some {
        chosen: Arc<[u32]>,
        member: Arc<[bool]>,
    },
}

/// Rows of a table of a database, with hidden columns.
#[derive(Clone, Debug)]
pub struct View {
    database: Arc<Database>,
    table: usize,
    rows: Rows,
    hidden: Arc<BTreeSet<(usize, usize)>>,
}

impl View {
    /// All rows of a table, nothing hidden.
    pub fn new(database: Arc<Database>, table: usize) -> Self {
        let rows = Rows::All(database.table(table).rows());
        Self {
            database,
            table,
            rows,
            hidden: Arc::default(),
        }
    }

    /// The same rows with one more column hidden, wherever it is reached from.
    pub fn hiding(&self, table: usize, column: usize) -> Self {
        let mut hidden = BTreeSet::clone(&self.hidden);
        hidden.insert((table, column));
        Self {
            hidden: Arc::new(hidden),
            ..self.clone()
        }
    }

    /// Some of the view's rows, by their position in the view.
    pub fn select(&self, positions: &[u32]) -> Self {
        let chosen: Arc<[u32]> = positions
            .iter()
            .map(|&position| self.row(position as usize))
            .collect();
        let mut member = vec![false; self.table().rows()];
        chosen.iter().for_each(|&row| member[row as usize] = true);
        Self {
            rows: Rows::Some {
                chosen,
                member: member.into(),
            },
            ..self.clone()
        }
    }

    /// The database.
    pub fn database(&self) -> &Arc<Database> {
        &self.database
    }

    /// The position of the table whose rows these are.
    pub fn table_position(&self) -> usize {
        self.table
    }

    /// The table whose rows these are. Its columns are read through [`View::column`], which hides the hidden.
    pub fn table(&self) -> &Table {
        self.database.table(self.table)
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        match &self.rows {
            Rows::All(rows) => *rows,
            Rows::Some { chosen, .. } => chosen.len(),
        }
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The table's row at a position of the view.
    #[inline]
    pub fn row(&self, position: usize) -> u32 {
        match &self.rows {
            Rows::All(_) => position as u32,
            Rows::Some { chosen, .. } => chosen[position],
        }
    }

    /// The table's rows in the view's order.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = u32> + '_ {
        (0..self.len()).map(|position| self.row(position))
    }

    /// Whether a row of the view's own table belongs to the view.
    pub fn contains(&self, row: u32) -> bool {
        match &self.rows {
            Rows::All(rows) => (row as usize) < *rows,
            Rows::Some { member, .. } => member.get(row as usize).copied().unwrap_or(false),
        }
    }

    /// The columns hidden, as (table, column).
    pub fn hidden(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.hidden.iter().copied()
    }

    /// A column of any table of the database; `None` if it is hidden.
    pub fn column(&self, table: usize, column: usize) -> Option<&Arc<Column>> {
        (!self.hidden.contains(&(table, column)))
            .then(|| &self.database.table(table).attribute(column).column)
    }

    /// The input columns of a table that are not hidden.
    pub fn inputs_of(&self, table: usize) -> Vec<usize> {
        let attributes = self.database.table(table).attributes();
        (0..attributes.len())
            .filter(|&column| {
                attributes[column].role == Role::Input && !self.hidden.contains(&(table, column))
            })
            .collect()
    }

    /// The input columns of the view's own table that are not hidden.
    pub fn inputs(&self) -> Vec<usize> {
        self.inputs_of(self.table)
    }

    /// The rows reached from a row by a foreign key. Rows of the view's own table that are not in the view are
    /// not reached.
    pub fn linked(
        &self,
        foreign_key: usize,
        direction: Direction,
        row: u32,
    ) -> impl Iterator<Item = u32> + '_ {
        let key = &self.database.foreign_keys()[foreign_key];
        let link = self.database.link(foreign_key);
        let (one, many, reached) = match direction {
            Direction::Forward => (link.forward(row as usize), &[][..], key.to),
            Direction::Backward => (None, link.backward(row as usize), key.from),
        };
        let own = reached == self.table;
        one.into_iter()
            .chain(many.iter().copied())
            .filter(move |&row| !own || self.contains(row))
    }

    /// The view's rows of its own table as a table of their own, hidden columns left out.
    pub fn own_rows(&self) -> Table {
        let rows: Vec<u32> = self.rows().collect();
        let table = self.table().gather(&rows);
        let kept: Vec<_> = table
            .attributes()
            .iter()
            .enumerate()
            .filter(|(column, _)| !self.hidden.contains(&(self.table, *column)))
            .map(|(_, attribute)| attribute.clone())
            .collect();
        Table::new(table.name(), kept)
            .expect("columns of one table have one length and distinct names")
    }
}
