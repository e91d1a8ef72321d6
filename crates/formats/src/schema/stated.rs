//! What is stated about the cells and columns of a file.

use kinwood_values::notation::Notation;
use kinwood_values::{Role, Type};

use super::dialect::{Delimiter, Header, Quote};

/// What is stated about a file; the rest is decided from what stands in it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CsvOptions {
    /// What stands between cells.
    pub delimiter: Option<Delimiter>,
    /// What encloses cells.
    pub quote: Option<Quote>,
    /// Whether the first row names the columns.
    pub header: Header,
    /// The texts that stand for a missing value, besides nothing at all.
    pub missing: Option<Vec<String>>,
    /// What is stated about columns: by name, or by position when there is no header.
    pub columns: Vec<StatedColumn>,
    /// Types by `column` or `table.column`, for those columns that there are; they overrule.
    pub types: Vec<(String, Type)>,
    /// Columns that stay text even where all cells are numbers or dates, if they are there.
    pub texts: Vec<String>,
}

/// What is stated about a column.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StatedColumn {
    /// Its name.
    pub name: String,
    /// What it holds.
    pub of: Option<Type>,
    /// What it is for.
    pub role: Option<Role>,
    /// All values it can have, in order; then it is nominal.
    pub values: Option<Vec<String>>,
    /// For a set of class paths: the mark between the levels.
    pub hierarchy: Option<char>,
    /// How its values are compared, as an expression.
    pub distance: Option<String>,
    /// Whether its labels are in order, the least first; then it is nominal.
    pub ordered: bool,
    /// How its dates or numbers are written, where one alone does not tell.
    pub notation: Option<Notation>,
}

impl StatedColumn {
    /// The stated type; stated values make a column nominal.
    pub fn type_of(&self) -> Option<Type> {
        self.of
            .clone()
            .or_else(|| (self.ordered || self.values.is_some()).then_some(Type::Nominal))
    }
}

/// The column that `column` or `table.column` means in this table.
pub(crate) fn in_table<'a>(name: &'a str, table: &str) -> &'a str {
    name.strip_prefix(table)
        .and_then(|rest| rest.strip_prefix('.'))
        .unwrap_or(name)
}
