//! Tables: named columns of one length, each with a role.

use std::sync::Arc;

use crate::column::Column;
use crate::error::Error;
use crate::notation::Notation;
use crate::role::Role;
use crate::suggest::nearest;
use crate::types::Type;

/// A column of a table: its name, what it is for, and its values.
#[derive(Clone, Debug, PartialEq)]
pub struct Attribute {
    /// The name, unique in the table.
    pub name: String,
    /// What it is for.
    pub role: Role,
    /// The values.
    pub column: Arc<Column>,
    /// For a set of class paths (`1/2/4`): the mark between the levels.
    pub hierarchy: Option<char>,
    /// How values are compared, as an expression, where somebody has said so.
    pub distance: Option<String>,
    /// Whether the labels of a nominal column are in order, the least first.
    pub ordered: bool,
    /// How its values were written, where new values in the same form could be read otherwise.
    pub notation: Option<Notation>,
}

impl Attribute {
    /// An input column.
    pub fn new(name: impl Into<String>, column: Column) -> Self {
        Self {
            name: name.into(),
            role: Role::Input,
            column: Arc::new(column),
            hierarchy: None,
            distance: None,
            ordered: false,
            notation: None,
        }
    }

    /// The same column for another purpose.
    pub fn with_role(mut self, role: Role) -> Self {
        self.role = role;
        self
    }

    /// What the column holds.
    pub fn type_of(&self) -> Type {
        self.column.type_of()
    }
}

/// The columns that say when the rows of a table are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableTime {
    /// Rows are known from this instant on.
    Instant {
        /// The column of the instant.
        column: usize,
    },
    /// Rows are known from one instant on and stop to hold at another.
    Valid {
        /// The column of the first instant.
        from: usize,
        /// The column of the instant at which they hold no longer; missing while they hold.
        to: usize,
    },
}

impl TableTime {
    /// The column of the instant from which a row is known.
    pub fn begin(self) -> usize {
        match self {
            TableTime::Instant { column } => column,
            TableTime::Valid { from, .. } => from,
        }
    }

    /// The column of the instant at which a row holds no longer, if there is one.
    pub fn end(self) -> Option<usize> {
        match self {
            TableTime::Instant { .. } => None,
            TableTime::Valid { to, .. } => Some(to),
        }
    }
}

/// Named columns of one length, with an optional primary key.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    name: String,
    attributes: Vec<Attribute>,
    rows: usize,
    key: Option<Vec<usize>>,
    time: Option<TableTime>,
}

impl Table {
    /// A table of these columns.
    pub fn new(name: impl Into<String>, attributes: Vec<Attribute>) -> Result<Self, Error> {
        let name = name.into();
        let rows = attributes
            .first()
            .map_or(0, |attribute| attribute.column.len());
        let mut seen = std::collections::HashSet::new();
        for attribute in &attributes {
            if attribute.column.len() != rows {
                return Err(Error::ColumnLength {
                    table: name,
                    column: attribute.name.clone(),
                    found: attribute.column.len(),
                    expected: rows,
                });
            }
            if !seen.insert(attribute.name.as_str()) {
                return Err(Error::DuplicateColumn {
                    table: name,
                    column: attribute.name.clone(),
                });
            }
        }
        Ok(Self {
            name,
            attributes,
            rows,
            key: None,
            time: None,
        })
    }

    /// The name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The same table under another name.
    pub fn renamed(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The columns.
    pub fn attributes(&self) -> &[Attribute] {
        &self.attributes
    }

    /// A column by position.
    pub fn attribute(&self, column: usize) -> &Attribute {
        &self.attributes[column]
    }

    /// Where the column of that name stands.
    pub fn position(&self, column: &str) -> Option<usize> {
        self.attributes
            .iter()
            .position(|attribute| attribute.name == column)
    }

    /// Where the column of that name stands; the error names the nearest.
    pub fn find(&self, column: &str) -> Result<usize, Error> {
        self.position(column).ok_or_else(|| Error::UnknownColumn {
            table: self.name.clone(),
            column: column.to_owned(),
            nearest: nearest(
                column,
                self.attributes.iter().map(|attribute| &attribute.name),
            ),
            valid: self
                .attributes
                .iter()
                .map(|attribute| attribute.name.clone())
                .collect(),
        })
    }

    /// Says what a column is for.
    pub fn set_role(&mut self, column: usize, role: Role) {
        self.attributes[column].role = role;
    }

    /// Puts other values of the same length in a column's place.
    ///
    /// # Panics
    /// If the length differs: a mistake of the caller, not of data.
    pub fn replace(&mut self, column: usize, values: Column) {
        assert_eq!(
            values.len(),
            self.rows,
            "the new values must have as many rows as the table"
        );
        self.attributes[column].column = Arc::new(values);
    }

    /// The columns of the primary key, if there is one.
    pub fn key(&self) -> Option<&[usize]> {
        self.key.as_deref()
    }

    /// Declares the primary key; that its values are distinct is checked when the database is put
    /// together.
    pub fn set_key(&mut self, columns: Option<Vec<usize>>) {
        self.key = columns.filter(|columns| !columns.is_empty());
    }

    /// When its rows are, if that is known.
    pub fn time(&self) -> Option<TableTime> {
        self.time
    }

    /// Says when its rows are.
    pub fn set_time(&mut self, time: Option<TableTime>) {
        self.time = time;
    }

    /// The chosen rows.
    pub fn gather(&self, rows: &[u32]) -> Table {
        let attributes = self
            .attributes
            .iter()
            .map(|attribute| Attribute {
                column: Arc::new(attribute.column.gather(rows)),
                ..attribute.clone()
            })
            .collect();
        Table {
            name: self.name.clone(),
            attributes,
            rows: rows.len(),
            key: self.key.clone(),
            time: self.time,
        }
    }

    /// Bytes held by the columns.
    pub fn memory(&self) -> usize {
        self.attributes
            .iter()
            .map(|attribute| attribute.column.memory())
            .sum()
    }
}
