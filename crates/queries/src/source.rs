//! What a virtual table is, whichever SQLite holds it: its columns, the conditions that they take,
//! and what computes its rows.

use std::sync::Arc;

use rusqlite::types::Value;

use crate::conditions::{Comparison, Conditions};
use crate::error::Result;
use crate::state::State;

/// A column of a virtual table.
#[derive(Clone, Debug)]
pub(crate) struct Field {
    /// Its name.
    pub name: &'static str,
    /// How it is declared: its type, and `HIDDEN` where `SELECT *` leaves it out.
    pub declared: &'static str,
    /// The conditions that it takes.
    pub takes: &'static [Comparison],
    /// Whether it is an argument: given by `=`, not found.
    pub argument: bool,
    /// Whether the table alone finds the rows that one of the values of an `IN` means: SQLite looks
    /// values up in an order, which a comparison of lists with names is not.
    pub finds_in: bool,
}

impl Field {
    /// A column of what is found.
    pub(crate) const fn found(name: &'static str, declared: &'static str) -> Self {
        Self {
            name,
            declared,
            takes: &[],
            argument: false,
            finds_in: false,
        }
    }

    /// A column whose conditions steer.
    pub(crate) const fn steering(
        name: &'static str,
        declared: &'static str,
        takes: &'static [Comparison],
    ) -> Self {
        Self {
            name,
            declared,
            takes,
            argument: false,
            finds_in: false,
        }
    }

    /// The same, where the table alone finds what an `IN` means.
    pub(crate) const fn finding_in(self) -> Self {
        Self {
            finds_in: true,
            ..self
        }
    }

    /// An argument, in the order in which a call gives them.
    pub(crate) const fn argument(name: &'static str) -> Self {
        Self {
            name,
            declared: "HIDDEN",
            takes: &[Comparison::Equal],
            argument: true,
            finds_in: false,
        }
    }
}

/// What a query found, row by row.
pub(crate) trait Rows: Send {
    /// How many there are.
    fn len(&self) -> usize;
    /// The number by which the connection knows what a row is about, however the row was found;
    /// without one a row is told from others by its cells.
    fn number(&self, _: usize) -> Option<i64> {
        None
    }
    /// The value of a column, by its place among the fields.
    fn cell(&self, row: usize, column: usize) -> Result<Value>;
}

/// Rows whose cells are all there.
pub(crate) struct Ready(pub Vec<Vec<Value>>);

impl Rows for Ready {
    fn len(&self) -> usize {
        self.0.len()
    }

    fn cell(&self, row: usize, column: usize) -> Result<Value> {
        Ok(self.0[row].get(column).cloned().unwrap_or(Value::Null))
    }
}

/// A condition that a table takes, as far as it is known before the query runs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Known<'a> {
    /// The column.
    pub name: &'static str,
    /// With what it is compared, where the query says so itself.
    pub value: Option<&'a Value>,
}

/// What computes the rows of a virtual table.
pub(crate) trait Source: Send + Sync + 'static {
    /// The columns; arguments in the order in which a call gives them.
    fn fields(&self) -> &[Field];

    /// Whether the table uses how many rows are wanted.
    fn takes_limit(&self) -> bool {
        false
    }

    /// What people should know of the rows under these conditions, beside what steers them: that a
    /// search may miss some.
    fn remark(&self, _: &[Known<'_>]) -> Option<&'static str> {
        None
    }

    /// About how many rows there are under conditions on these columns. Of a table with arguments
    /// a condition that steers is to make no difference: SQLite would then walk for each side of an
    /// `OR`, where it loses the arguments that are subqueries.
    fn expected(&self, taken: &[&str]) -> f64;

    /// The rows that meet the conditions taken; more do no harm.
    fn rows(&self, state: &Arc<State>, conditions: &Conditions) -> Result<Box<dyn Rows>>;
}

/// What makes tables by `CREATE VIRTUAL TABLE`.
pub(crate) trait Maker: Send + Sync + 'static {
    /// Makes one; `fresh` where it is created rather than found again.
    fn make(
        &self,
        state: &Arc<State>,
        name: &str,
        arguments: &[String],
        fresh: bool,
    ) -> Result<Arc<dyn Source>>;

    /// Forgets one that is dropped.
    fn drop_table(&self, state: &Arc<State>, name: &str) -> Result<()>;
}

/// The table as a statement that declares its columns.
pub(crate) fn declared(source: &dyn Source) -> String {
    let fields = source.fields().iter();
    let columns: Vec<String> = fields
        .map(|field| format!("\"{}\" {}", field.name, field.declared))
        .collect();
    format!("CREATE TABLE x({})", columns.join(", "))
}
