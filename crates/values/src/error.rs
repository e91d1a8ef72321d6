//! What can be wrong with values, tables and their keys.

use crate::suggest::did_you_mean;
use crate::types::Type;

/// What can be wrong with values, tables and their keys.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A text or JSON form that does not read as what it should be.
    #[error(transparent)]
    Text(#[from] crate::text::ParseError),
    /// A value that is not of its column's type.
    #[error("the value {value} is not of type `{expected}`")]
    ValueType {
        /// The value as text.
        value: String,
        /// The column's type.
        expected: Type,
    },
    /// A role that does not exist.
    #[error(
        "unknown role `{role}`{}; expected one of {valid}",
        did_you_mean(nearest)
    )]
    UnknownRole {
        /// What was written.
        role: String,
        /// What was perhaps meant.
        nearest: Option<String>,
        /// All roles.
        valid: String,
    },
    /// A table that does not exist.
    #[error(
        "unknown table `{table}`{}; the tables are {}",
        did_you_mean(nearest),
        list(valid)
    )]
    UnknownTable {
        /// What was written.
        table: String,
        /// What was perhaps meant.
        nearest: Option<String>,
        /// All tables.
        valid: Vec<String>,
    },
    /// A column that does not exist.
    #[error(
        "unknown column `{column}` in table `{table}`{}{}",
        did_you_mean(nearest),
        columns(nearest, valid)
    )]
    UnknownColumn {
        /// The table looked in.
        table: String,
        /// What was written.
        column: String,
        /// What was perhaps meant.
        nearest: Option<String>,
        /// All columns.
        valid: Vec<String>,
    },
    /// Columns of different lengths in one table.
    #[error("column `{column}` of table `{table}` has {found} rows, expected {expected}")]
    ColumnLength {
        /// The table.
        table: String,
        /// The odd column.
        column: String,
        /// Its rows.
        found: usize,
        /// The first column's rows.
        expected: usize,
    },
    /// Two columns of one name.
    #[error("table `{table}` has two columns named `{column}`")]
    DuplicateColumn {
        /// The table.
        table: String,
        /// The name.
        column: String,
    },
    /// Two tables of one name.
    #[error("there are two tables named `{table}`")]
    DuplicateTable {
        /// The name.
        table: String,
    },
    /// A key whose values repeat.
    #[error("the key ({}) of table `{table}` is not unique: {value} stands in rows {first} and {second}", key.join(", "))]
    DuplicateKey {
        /// The table.
        table: String,
        /// The key's columns.
        key: Vec<String>,
        /// The repeated value.
        value: String,
        /// Its first row, from 1.
        first: usize,
        /// Its second row, from 1.
        second: usize,
    },
    /// A foreign key with another number of columns than what it points to.
    #[error(
        "foreign key `{key}` has {found} columns but refers to {expected} columns of table `{table}`"
    )]
    KeyWidth {
        /// The foreign key's name.
        key: String,
        /// Its columns.
        found: usize,
        /// The columns referred to.
        expected: usize,
        /// The table referred to.
        table: String,
    },
    /// A column in a key that cannot be compared.
    #[error(
        "column `{column}` of table `{table}` is a `{found}`; a key needs nominal, numeric, datetime or string columns"
    )]
    KeyType {
        /// The table.
        table: String,
        /// The column.
        column: String,
        /// Its type.
        found: Type,
    },
    /// A row that belongs to no bag.
    #[error("row {row} has no value in the bag column `{column}`")]
    NoBag {
        /// The column.
        column: String,
        /// The row, from 1.
        row: usize,
    },
    /// A column that holds no collections.
    #[error("column `{column}` is a `{found}`; lists, sets and bags can be split out")]
    NotNested {
        /// The column.
        column: String,
        /// Its type.
        found: Type,
    },
    /// A table that others refer to, or that refers elsewhere, cannot become a column.
    #[error("table `{table}` cannot become a column of another: foreign key `{key}` is in the way")]
    KeyInTheWay {
        /// The table.
        table: String,
        /// The key.
        key: String,
    },
    /// A condition on rows that cannot be read or does not fit the table.
    #[error("in the condition at column {at}: {reason}")]
    Condition {
        /// Where, from 1.
        at: usize,
        /// What is wrong.
        reason: String,
    },
    /// A column that the model needs and the data lacks.
    #[error(
        "the data lacks column `{column}` of table `{table}`, which the model needs; it has {}{}",
        list(found),
        did_you_mean(nearest)
    )]
    LacksColumn {
        /// The table.
        table: String,
        /// The lacking column.
        column: String,
        /// The most similar column there is.
        nearest: Option<String>,
        /// The columns there are.
        found: Vec<String>,
    },
    /// Data without a table that the model looks at.
    #[error(
        "the data lacks table `{table}`, which the model needs; it has {}",
        list(found)
    )]
    LacksTable {
        /// The lacking table.
        table: String,
        /// The tables there are.
        found: Vec<String>,
    },
    /// A column of another type than the model was fitted on, with a value that cannot be
    /// converted.
    #[error(
        "column `{column}` of table `{table}` is `{found}` but the model was fitted on `{expected}`, and row {row} holds `{value}`, which cannot be read so"
    )]
    OtherType {
        /// The table.
        table: String,
        /// The column.
        column: String,
        /// Its type in the data.
        found: Type,
        /// Its type in the model.
        expected: Type,
        /// The first row that cannot be converted, from 1.
        row: usize,
        /// What stands there.
        value: String,
    },
    /// A stored column, table or database that is not one.
    #[error(transparent)]
    Container(#[from] crate::container::Error),
}

/// A list of names, cut when it grows long.
pub(crate) fn list(names: &[String]) -> String {
    const SHOWN: usize = 12;
    let shown: Vec<String> = names
        .iter()
        .take(SHOWN)
        .map(|name| format!("`{name}`"))
        .collect();
    match names.len().checked_sub(SHOWN) {
        Some(more @ 1..) => format!("{} and {more} more", shown.join(", ")),
        _ if names.is_empty() => "none".to_owned(),
        _ => shown.join(", "),
    }
}

fn columns(nearest: &Option<String>, valid: &[String]) -> String {
    match nearest {
        Some(_) => String::new(),
        None => format!("; its columns are {}", list(valid)),
    }
}
