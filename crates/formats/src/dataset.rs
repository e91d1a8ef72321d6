//! What a reader gives: a database, and what the reader knows beyond it.

use std::collections::BTreeSet;

use kinwood_values::{Database, Notice};

use crate::schema::{CsvOptions, FactsSchema, ForeignKeySchema};

/// A database as read, with the evidence behind it.
#[derive(Clone, Debug)]
pub struct Dataset {
    /// The tables and their keys.
    pub database: Database,
    /// What each table was read from (`ARFF`, `CSV`, or `view` for one of a database), by table.
    pub formats: Vec<String>,
    /// Where each table was read from, by table.
    pub origins: Vec<Origin>,
    /// Why each column has its type, one sentence a column, by table and column.
    pub evidence: Vec<Vec<String>>,
    /// Columns whose role somebody has stated, as (table, column): no default overrules it.
    pub stated_roles: BTreeSet<(usize, usize)>,
    /// Whether the keys the database has are all there are: a schema says so, or a database system
    /// keeps them.
    pub keys_declared: bool,
    /// The targets a schema names, as (table, column).
    pub targets: Vec<(usize, usize)>,
    /// The column that is customarily the target: an ARFF file's last attribute, if it is nominal.
    pub customary_target: Option<(usize, usize)>,
    /// What a schema declares about facts, and what was understood by it.
    pub facts: Option<FactsRead>,
    /// What was decided without being asked.
    pub notices: Vec<Notice>,
}

/// Facts that were read by what a schema declares.
#[derive(Clone, Debug, PartialEq)]
pub struct FactsRead {
    /// What the schema declares.
    pub declared: FactsSchema,
    /// What was understood, a sentence each.
    pub understood: Vec<String>,
}

/// Where a table was read from, and what was stated about how: enough to read it again.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Origin {
    /// The file, relative to the folder or schema it was found by.
    pub file: String,
    /// What was stated about its cells; nothing about its columns.
    pub options: CsvOptions,
}

/// One table as read.
#[derive(Clone, Debug)]
pub struct TableRead {
    /// The table, with its key if the file states one.
    pub table: kinwood_values::Table,
    /// Why each column has its type.
    pub evidence: Vec<String>,
    /// Columns whose role the file or schema states.
    pub stated_roles: BTreeSet<usize>,
    /// The column that is customarily the target.
    pub customary_target: Option<usize>,
    /// References to other tables that the file itself states.
    pub foreign_keys: Vec<ForeignKeySchema>,
    /// What was decided without being asked.
    pub notices: Vec<Notice>,
}

impl TableRead {
    /// A table of which nothing more is known than it holds.
    pub fn new(table: kinwood_values::Table) -> Self {
        Self {
            evidence: vec![String::new(); table.attributes().len()],
            table,
            stated_roles: BTreeSet::new(),
            customary_target: None,
            foreign_keys: Vec::new(),
            notices: Vec::new(),
        }
    }
}
