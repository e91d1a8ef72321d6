//! `schema.toml`: what somebody states about tables, in a file to write by hand or to edit.
//!
//! Everything in it is optional; what it states overrules what would be decided from the data.
//! [`Schema::of`] makes one of data that were read, which reads them the same way again.

mod dialect;
mod parse;
mod print;
mod stated;

use std::path::Path;

use crate::error::{Error, Result};
use crate::prolog_syntax::pattern::Pattern;
use crate::source::Source;
pub use dialect::{Delimiter, Header, Quote};
pub(crate) use stated::in_table;
pub use stated::{CsvOptions, StatedColumn};

/// What is stated about a database.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Schema {
    /// What is to be predicted: `table.column`, or `column` alone when there is one table.
    pub targets: Vec<String>,
    /// Whether the keys stated are all there are, so that none is looked for.
    pub keys_declared: bool,
    /// What is stated about tables, in the order of the file.
    pub tables: Vec<TableSchema>,
    /// What is declared about Prolog facts.
    pub facts: Option<FactsSchema>,
}

/// What is declared about Prolog facts: which are examples, which describe them, and by which
/// arguments.
#[derive(Clone, Debug, PartialEq)]
pub struct FactsSchema {
    /// The files, relative to the schema; those that are read anyway if empty.
    pub files: Vec<String>,
    /// The predicate of the examples.
    pub example: Pattern,
    /// The predicates that describe.
    pub describe: Vec<Pattern>,
    /// Rules of one condition that make facts of facts, in the order in which they are applied.
    pub rules: Vec<String>,
    /// Whether examples may have IDs that no fact describes.
    pub allows_undescribed: bool,
}

/// What is stated about a table.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TableSchema {
    /// The table's name.
    pub name: String,
    /// The file to read it from, relative to the schema; else the one named like the table.
    pub file: Option<String>,
    /// The columns of the primary key.
    pub key: Vec<String>,
    /// When the rows are.
    pub time: Option<TimeSchema>,
    /// How the file is to be read, and what is stated about its columns.
    pub options: CsvOptions,
    /// References to other tables.
    pub foreign_keys: Vec<ForeignKeySchema>,
    /// Why each column has its type: written as comments, never read.
    pub evidence: Vec<String>,
}

/// What is stated about when the rows of a table are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TimeSchema {
    /// The column of the instant from which a row is known.
    Instant(String),
    /// The columns of the instants between which a row holds.
    Valid {
        /// From when on.
        from: String,
        /// Until when; a missing value stands for a row that still holds.
        to: String,
    },
}

impl TimeSchema {
    /// The columns it names.
    pub fn columns(&self) -> Vec<&str> {
        match self {
            TimeSchema::Instant(column) => vec![column],
            TimeSchema::Valid { from, to } => vec![from, to],
        }
    }
}

/// What is stated about a foreign key.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ForeignKeySchema {
    /// The columns that refer.
    pub columns: Vec<String>,
    /// The table referred to.
    pub references: String,
    /// The columns referred to; the other table's key if empty.
    pub to: Vec<String>,
    /// What it is called; made from table and columns if absent.
    pub name: Option<String>,
    /// Whether the rows that refer describe what they refer to, or only mention it.
    pub describes: Option<bool>,
}

impl Schema {
    /// Reads a schema file.
    pub fn read(path: &Path) -> Result<Self> {
        let source = Source::open(path)?;
        let text = String::from_utf8(source.read_text()?).map_err(|error| Error::Binary {
            file: source.name().to_owned(),
            position: error.utf8_error().valid_up_to() as u64 + 1,
            byte: error.as_bytes()[error.utf8_error().valid_up_to()],
            hint: "; a schema is UTF-8 text".to_owned(),
        })?;
        Self::parse(&text, source.name())
    }

    /// Reads a schema; `file` is its name in messages.
    ///
    /// ```
    /// use kinwood_formats::Schema;
    /// let text = "target = 'class'\n[tables.iris.columns]\nclass = 'nominal'\n";
    /// let schema = Schema::parse(text, "iris.schema.toml")?;
    /// assert_eq!(schema.tables[0].name, "iris");
    /// # Ok::<(), kinwood_formats::Error>(())
    /// ```
    pub fn parse(text: &str, file: &str) -> Result<Self> {
        parse::schema(text, file)
    }

    /// The text of a schema file, with the evidence as comments.
    pub fn to_toml(&self) -> String {
        print::schema(self)
    }

    /// What is stated about the table of that name.
    pub fn table(&self, name: &str) -> Option<&TableSchema> {
        self.tables.iter().find(|table| table.name == name)
    }
}

impl TableSchema {
    /// What is stated about the column of that name.
    pub fn column(&self, name: &str) -> Option<&StatedColumn> {
        self.options
            .columns
            .iter()
            .find(|column| column.name == name)
    }
}
