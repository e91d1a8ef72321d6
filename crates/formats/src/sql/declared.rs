//! What a database declares: tables, columns, keys, in its own words.

use super::builder::Plan;

/// A table, or a view, as declared.
#[derive(Clone, Debug)]
pub(super) struct DeclaredTable {
    pub name: String,
    pub columns: Vec<DeclaredColumn>,
    /// Positions of the primary key's columns.
    pub key: Vec<usize>,
    pub foreign_keys: Vec<DeclaredKey>,
    pub view: bool,
    /// Whether it was asked for by name.
    pub by_name: bool,
}

/// A column as declared.
#[derive(Clone, Debug)]
pub(super) struct DeclaredColumn {
    pub name: String,
    /// The type in the database's words.
    pub declared: String,
    pub plan: Plan,
}

/// A foreign key as declared.
#[derive(Clone, Debug)]
pub(super) struct DeclaredKey {
    /// What it is called, where the database says.
    pub name: Option<String>,
    pub columns: Vec<String>,
    /// The table referred to.
    pub table: String,
    /// The columns referred to; the primary key if none are named.
    pub to: Vec<String>,
}

/// A table or view that there is.
#[derive(Clone, Debug)]
pub(super) struct Listed {
    pub schema: Option<String>,
    pub name: String,
    pub view: bool,
}

impl Listed {
    /// Its name with its schema.
    pub fn full_name(&self) -> String {
        match &self.schema {
            Some(schema) => format!("{schema}.{}", self.name),
            None => self.name.clone(),
        }
    }
}
