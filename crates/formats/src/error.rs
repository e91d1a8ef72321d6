//! What can be wrong with a file: what, where, what was expected, and the nearest valid name.

mod clus;
mod facts;

use std::path::PathBuf;

use kinwood_values::Remedy;
use kinwood_values::container::reason;
use kinwood_values::notice::counted;
use kinwood_values::suggest::did_you_mean;

use crate::allowance::Halted;
pub use clus::ClusFault;
pub use facts::FactsFault;

/// What can be wrong with a file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The file cannot be opened or read.
    #[error("cannot read `{}`: {}", path.display(), reason(source))]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// Reading was stopped, or would have taken more memory than is allowed.
    #[error("cannot read `{file}`: {halted}")]
    Halted {
        /// The file.
        file: String,
        /// Why.
        halted: Halted,
    },
    /// More columns than anybody has.
    #[error(
        "{file}:{line}: the row has more than {limit} cells; perhaps another character separates cells, or lines"
    )]
    ManyColumns {
        /// The file.
        file: String,
        /// The line, from 1.
        line: u64,
        /// The most columns a table may have.
        limit: usize,
    },
    /// The file cannot be written.
    #[error("cannot write `{}`: {}", path.display(), reason(source))]
    Write {
        /// The file or folder.
        path: PathBuf,
        /// What the system or the database said.
        source: std::io::Error,
    },
    /// Something else stands where the format expects something.
    #[error(
        "{file}:{line}:{column}: expected {expected}, found {found}{}",
        did_you_mean(nearest)
    )]
    Syntax {
        /// The file.
        file: String,
        /// The line, from 1.
        line: u64,
        /// The character in the line, from 1.
        column: u64,
        /// What could have stood there.
        expected: String,
        /// What stands there.
        found: String,
        /// The nearest valid name, where a name was expected.
        nearest: Option<String>,
    },
    /// A line of a CLUS settings file is not right.
    #[error("{file}:{line}: {fault}")]
    ClusSettings {
        /// The file.
        file: String,
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        fault: ClusFault,
    },
    /// A statement of a schema's `[facts]` that the facts do not fit.
    #[error("{file}: `{statement}`: {fault}")]
    Facts {
        /// The schema.
        file: String,
        /// The pattern or rule.
        statement: String,
        /// What is wrong.
        fault: FactsFault,
    },
    /// A schema's `[facts]` for something else than Prolog facts.
    #[error("{file}: [facts] is about Prolog facts, `{found}` holds none")]
    NoFacts {
        /// The schema.
        file: String,
        /// The file that was to be read.
        found: String,
    },
    /// A row with another number of cells than there are columns.
    #[error("{file}:{line}: the row has {}, expected {expected}{hint}", counted(*found, "cell"))]
    Ragged {
        /// The file.
        file: String,
        /// The line, from 1.
        line: u64,
        /// Its cells.
        found: usize,
        /// The columns.
        expected: usize,
        /// What to look at, as the end of a sentence; may be empty.
        hint: String,
    },
    /// A quote that opens a cell and is closed nowhere.
    #[error("{file}:{line}:{column}: the quote {quote} opened here is never closed{hint}")]
    UnclosedQuote {
        /// The file.
        file: String,
        /// The line it opens in, from 1.
        line: u64,
        /// The character in the line, from 1.
        column: u64,
        /// The mark.
        quote: char,
        /// What to look at, as the end of a sentence; may be empty.
        hint: String,
    },
    /// A row that is longer than any row may be.
    #[error("{file}:{line}: the row is longer than {} MB; perhaps a quote in it is never closed, or the file has no lines", limit / 1_000_000)]
    LongRow {
        /// The file.
        file: String,
        /// The line it begins in, from 1.
        line: u64,
        /// The most bytes a row may have.
        limit: usize,
    },
    /// Two columns of one name in a header.
    #[error("{file}:{line}: columns {first} and {second} are both named `{name}`")]
    DuplicateName {
        /// The file.
        file: String,
        /// The header's line, from 1.
        line: u64,
        /// The name.
        name: String,
        /// The first column of that name, from 1.
        first: usize,
        /// The second column of that name, from 1.
        second: usize,
    },
    /// A schema that names more or fewer columns than a file without header has.
    #[error(
        "{file}: the schema names {expected} columns, but the rows have {found} cells and there is no header"
    )]
    ColumnCount {
        /// The file.
        file: String,
        /// Cells of its rows.
        found: usize,
        /// Columns of the schema.
        expected: usize,
    },
    /// A schema that states another type than the file itself.
    #[error(
        "{file}: the schema says that column `{column}` is `{stated}`, the file says `{found}`"
    )]
    OtherType {
        /// The file.
        file: String,
        /// The column.
        column: String,
        /// The schema's type.
        stated: kinwood_values::Type,
        /// The file's type.
        found: kinwood_values::Type,
    },
    /// A column that is stated to say when rows are, and holds no times.
    #[error(
        "{file}: the schema says that `{table}.{column}` says when rows are, and it is `{found}`: times are dates or numbers"
    )]
    TimeType {
        /// The file.
        file: String,
        /// The table.
        table: String,
        /// The column.
        column: String,
        /// Its type.
        found: kinwood_values::Type,
    },
    /// A type stated for a column that its values cannot have.
    #[error("{file}: column `{column}` is `{found}`, and not all of its values can be `{stated}`")]
    StatedType {
        /// The file.
        file: String,
        /// The column, as it was named.
        column: String,
        /// The stated type.
        stated: kinwood_values::Type,
        /// The type that the column has.
        found: kinwood_values::Type,
    },
    /// A column whose name several tables have.
    #[error("{file}: the tables {} each have a column `{column}`; put the table before it, as in `{}.{column}`", tables.join(", "), tables[0])]
    ManyColumnsNamed {
        /// The file.
        file: String,
        /// The column, as it was named.
        column: String,
        /// The tables.
        tables: Vec<String>,
    },
    /// A file that is no text.
    #[error("`{file}` is not a text file: byte {position} is {byte:#04x}{hint}")]
    Binary {
        /// The file.
        file: String,
        /// Where the first telling byte stands, from 1.
        position: u64,
        /// The byte.
        byte: u8,
        /// What it looks like, as the end of a sentence; may be empty.
        hint: String,
    },
    /// A file or folder in which nothing is.
    #[error("`{file}` is empty: {expected}")]
    Empty {
        /// The file.
        file: String,
        /// What was expected.
        expected: String,
    },
    /// A file that is cut off, damaged or not what it seems.
    #[error("`{file}` is no whole {format} file: {reason}")]
    Broken {
        /// The file.
        file: String,
        /// What it seems to be.
        format: &'static str,
        /// What is wrong with it.
        reason: String,
    },
    /// A file or folder that is there already.
    #[error("`{}` is already there", path.display())]
    Exists {
        /// The file or folder.
        path: PathBuf,
    },
    /// Data that a form cannot hold, or an ending that names no form.
    #[error("cannot write `{}`: {reason}", path.display())]
    NotHeld {
        /// The file or folder.
        path: PathBuf,
        /// Why, and what can.
        reason: String,
    },
    /// A file whose format is not known.
    #[error("cannot tell the format of `{file}`: {reason}")]
    UnknownFormat {
        /// The file.
        file: String,
        /// Why, and what is read.
        reason: String,
    },
    /// What a format of somebody's own says about a file.
    #[error("{file}: {source}")]
    Own {
        /// The file.
        file: String,
        /// What is wrong, in the format's words.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// A format whose name or ending another one has.
    #[error("the format `{name}` cannot have {what}, which `{by}` has")]
    FormatTaken {
        /// The new format.
        name: &'static str,
        /// What it would take.
        what: String,
        /// The format that has it.
        by: &'static str,
    },
    /// Values, tables or keys that do not hold together.
    #[error("{file}: {source}")]
    Values {
        /// The file or folder.
        file: String,
        /// What does not hold together.
        source: kinwood_values::Error,
    },
    /// A file that is no SQLite database.
    #[error("`{file}` is not an SQLite database{hint}")]
    NotSqlite {
        /// The file.
        file: String,
        /// What it looks like, as the end of a sentence; may be empty.
        hint: String,
    },
    /// Data that is no database, while tables, schemas or views of one are chosen.
    #[error("`{file}` is no database, of which tables, schemas or views could be chosen")]
    NoDatabase {
        /// The file or folder.
        file: String,
    },
    /// A URL that names no database; the URL itself is not repeated, for it may hold a password.
    #[error(
        "the URL does not name a PostgreSQL database: {reason}; expected `postgresql://user:password@host:port/database`"
    )]
    DatabaseUrl {
        /// What is wrong with it.
        reason: String,
    },
    /// A database server that cannot be reached or lets nobody in.
    #[error("cannot connect to `{place}`: {reason}{hint}")]
    Connect {
        /// The URL, without password.
        place: String,
        /// What happened.
        reason: String,
        /// What to do, as the end of a sentence; may be empty.
        hint: String,
    },
    /// A database, or one table of it, that cannot be read.
    #[error("`{place}`: cannot read {}: {reason}{hint}", what(table))]
    Database {
        /// The file, or the URL without password.
        place: String,
        /// The table; none while the catalogue is read.
        table: Option<String>,
        /// What happened.
        reason: String,
        /// What to do, as the end of a sentence; may be empty.
        hint: String,
    },
    /// A table that is there, in a schema that is not read.
    #[error(
        "`{place}`: table `{table}` is not in the schemas that are read but in `{schemas}`: name it `{first}.{table}`, or read the schema"
    )]
    OtherSchema {
        /// The URL without password.
        place: String,
        /// The table.
        table: String,
        /// The first of the schemas that have it.
        first: String,
        /// All of them.
        schemas: String,
    },
    /// SQL statements that cannot be run.
    #[error("the SQL statements fail: {reason}")]
    Statements {
        /// What SQLite says.
        reason: String,
    },
    /// Columns that are declared to name rows, but name several at once.
    #[error("`{place}`: {source}, but {declared}; {advice}")]
    NotUnique {
        /// The file, or the URL without password.
        place: String,
        /// Where the value repeats.
        source: Box<kinwood_values::Error>,
        /// Who says that it does not.
        declared: String,
        /// What to do.
        advice: String,
    },
}

impl Error {
    /// What the user can do about it, for an interface to word.
    pub fn remedy(&self) -> Option<Remedy> {
        match self {
            Error::OtherSchema { first, .. } => Some(Remedy::ReadSchema {
                schema: first.clone(),
            }),
            _ => None,
        }
    }
}

/// The part of a database that could not be read.
fn what(table: &Option<String>) -> String {
    match table {
        Some(table) => format!("table `{table}`"),
        None => "the catalogue".to_owned(),
    }
}

/// What this crate's functions return.
pub type Result<T, E = Error> = std::result::Result<T, E>;
