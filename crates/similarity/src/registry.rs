//! The registry: distances and kernels by name.

use std::collections::BTreeMap;

use kinwood_values::suggest::nearest;

use crate::error::Error;
use crate::expression::Expression;

pub use crate::entry::{Build, Complete, Entry, Example, Facts, Inside, Takes, TypeKind};
pub use kinwood_values::parameter::{Allowed, Parameter};

/// The distances and kernels known by name.
#[derive(Clone, Default)]
pub struct Registry {
    entries: BTreeMap<String, Entry>,
}

impl Registry {
    /// Adds a measure under a name that is free.
    pub fn register(&mut self, entry: Entry) -> Result<(), Error> {
        let name = entry.name.to_string();
        if self.entries.contains_key(&name) || name == "default" {
            return Err(Error::NameTaken { name });
        }
        self.entries.insert(name, entry);
        Ok(())
    }

    /// Puts a measure in the place of the one that has its name.
    pub(crate) fn replace(&mut self, entry: Entry) {
        self.entries.insert(entry.name.to_string(), entry);
    }

    /// The measures, by name.
    pub fn entries(&self) -> impl Iterator<Item = &Entry> {
        self.entries.values()
    }

    /// The measure of that name.
    pub fn find(&self, name: &str) -> Option<&Entry> {
        self.entries.get(name)
    }

    /// The measure an expression names.
    pub(crate) fn named(&self, expression: &Expression) -> Result<&Entry, Error> {
        self.find(&expression.name)
            .ok_or_else(|| self.unknown(&expression.name, expression.at.0))
    }

    /// Whether an expression is a distance that joins the distances of fields.
    pub fn joins_fields(&self, expression: &Expression) -> bool {
        self.find(&expression.name).is_some_and(Entry::joins_fields)
    }

    /// What the measures inside an expression are about; nothing of a name that is not known.
    pub fn inside(&self, expression: &Expression) -> Option<Inside> {
        self.find(&expression.name).map(|entry| entry.inside)
    }

    /// That there is no measure of that name, and which is most like it.
    pub fn unknown(&self, name: &str, column: usize) -> Error {
        Error::UnknownMeasure {
            name: name.to_owned(),
            column,
            nearest: nearest(name, self.entries.keys()),
        }
    }
}
