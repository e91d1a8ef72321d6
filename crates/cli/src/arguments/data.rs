//! What is said about data: how it is read, which rows, which columns for what.

use std::path::{Path, PathBuf};

use clap::{Args, ValueHint};
use kinwood::formats::ReadOptions;
use kinwood::formats::csv::{Delimiter, Header, Quote};
use kinwood::formats::read::source_name;
use kinwood::formats::sql::{SqlOptions, url};
use kinwood_values::{Role, Type};

use super::Seeing;
use super::pairs::{column_type, role};
use crate::provenance::Words;

/// How data is read, and which rows of it.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Data")]
pub struct Reading {
    /// The data: a file (CSV, ARFF, JSON, Parquet, Arrow, Prolog, SQLite, also .gz), a folder of
    /// tables, a URL such as postgresql://user@host/database, or - for standard input
    #[arg(value_name = "DATA", value_hint = ValueHint::AnyPath, help_heading = None)]
    pub data: PathBuf,
    /// Only rows that satisfy this, such as "subset = 188"
    #[arg(long, value_name = "CONDITION")]
    pub rows: Option<String>,
    #[command(flatten)]
    pub stated: StatedReading,
    #[command(flatten)]
    pub seeing: Seeing,
}

/// What is stated about how data is read, on every verb that reads some.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Data")]
pub struct StatedReading {
    /// Names, types, roles, keys and targets from this schema.toml
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub with_schema: Option<PathBuf>,
    /// Rows of a flat table with the same value in this column are one bag
    #[arg(long, value_name = "COLUMN")]
    pub bag: Option<String>,
    /// What a column holds, such as basket=set<nominal> or zip=nominal; may be repeated
    #[arg(long = "type", value_name = "[TABLE.]COLUMN=TYPE", value_parser = column_type)]
    pub types: Vec<(String, Type)>,
    /// Whether the first row of a CSV file names the columns: detect, yes or none
    #[arg(long, value_name = "CHOICE", value_parser = header)]
    pub header: Option<Header>,
    /// What separates the cells of a CSV file: , ; | tab or blank
    #[arg(long, value_name = "MARK", value_parser = delimiter)]
    pub delimiter: Option<Delimiter>,
    /// What encloses the cells of a CSV file: ", ' or none
    #[arg(long, value_name = "MARK", value_parser = quote)]
    pub quote: Option<Quote>,
    /// What stands for a missing value in a CSV file; may be repeated
    #[arg(long, value_name = "MARKER")]
    pub missing: Vec<String>,
    /// Only these tables and views of a database, separated by commas; may be repeated
    #[arg(long, value_name = "A,B", value_delimiter = ',')]
    pub tables: Vec<String>,
    /// The schemas of a PostgreSQL database, instead of those of its search path; may be repeated
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub database_schema: Vec<String>,
    /// Leave out the views of a database
    #[arg(long)]
    pub no_views: bool,
}

/// Which columns are for what.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Data")]
pub struct Roles {
    /// The column to predict, with its table where several have it; may be repeated
    #[arg(long = "target", value_name = "[TABLE.]COLUMN")]
    pub targets: Vec<String>,
    /// What a column is for: input, id, ignore, weight, group, fold, target, event or cutoff;
    /// may be repeated
    #[arg(long = "role", value_name = "COLUMN=ROLE", value_parser = role)]
    pub roles: Vec<(String, Role)>,
    /// Columns to leave out, separated by commas; may be repeated
    #[arg(long, value_name = "A,B", value_delimiter = ',')]
    pub ignore: Vec<String>,
}

fn header(text: &str) -> Result<Header, String> {
    Header::from_name(text).ok_or_else(|| format!("expected {}", Header::NAMES))
}

fn delimiter(text: &str) -> Result<Delimiter, String> {
    Delimiter::from_name(text).ok_or_else(|| format!("expected {}", Delimiter::NAMES))
}

fn quote(text: &str) -> Result<Quote, String> {
    Quote::from_name(text).ok_or_else(|| format!("expected {}", Quote::NAMES))
}

impl Reading {
    /// The file or folder as the user wrote it, for messages and reports.
    pub fn name(&self) -> String {
        source_name(&self.data)
    }

    /// The data as a command would name it again; a URL without its password.
    pub fn word(&self) -> String {
        match url(&self.data) {
            Some(_) => self.name(),
            None => self.data.display().to_string(),
        }
    }

    /// The files and folders that are read.
    pub fn sources(&self) -> Vec<&Path> {
        let schema = self.stated.with_schema.as_deref();
        [self.data.as_path()].into_iter().chain(schema).collect()
    }

    /// What decides the result, in a fixed order.
    pub fn write_options(&self, words: &mut Words) {
        words.option("--rows", &self.rows);
        self.stated.write_options(words);
        self.seeing.write_options(words);
    }
}

impl StatedReading {
    /// The same as options of a reader.
    pub fn options(&self) -> ReadOptions {
        ReadOptions {
            schema: self.with_schema.clone(),
            header: self.header.unwrap_or_default(),
            delimiter: self.delimiter,
            quote: self.quote,
            missing: Some(self.missing.clone()).filter(|markers| !markers.is_empty()),
            sql: SqlOptions {
                tables: Some(self.tables.clone()).filter(|tables| !tables.is_empty()),
                schemas: self.database_schema.clone(),
                views: !self.no_views,
            },
            types: self.types.clone(),
            ..ReadOptions::default()
        }
    }

    /// What decides the result, in a fixed order.
    pub fn write_options(&self, words: &mut Words) {
        let schema = self.with_schema.as_ref().map(|path| path.display());
        words.option("--with-schema", &schema);
        for (column, of) in &self.types {
            words.option("--type", &Some(format!("{column}={of}")));
        }
        words.option("--header", &self.header.map(Header::name));
        words.option("--delimiter", &self.delimiter.map(Delimiter::name));
        words.option("--quote", &self.quote.map(Quote::name));
        self.missing
            .iter()
            .for_each(|marker| words.option("--missing", &Some(marker)));
        words.option("--bag", &self.bag);
        for table in &self.tables {
            words.option("--tables", &Some(table));
        }
        for schema in &self.database_schema {
            words.option("--database-schema", &Some(schema));
        }
        if self.no_views {
            words.word("--no-views");
        }
    }
}

impl Roles {
    /// Every role stated, in the order they apply.
    pub fn stated(&self) -> Vec<(String, Role)> {
        let ignored = self
            .ignore
            .iter()
            .map(|column| (column.clone(), Role::Ignore));
        self.roles.iter().cloned().chain(ignored).collect()
    }

    /// What decides the result, in a fixed order.
    pub fn write_options(&self, words: &mut Words) {
        for target in &self.targets {
            words.option("--target", &Some(target));
        }
        for (column, role) in &self.roles {
            words.option("--role", &Some(format!("{column}={role}")));
        }
        for column in &self.ignore {
            words.option("--ignore", &Some(column));
        }
    }
}
