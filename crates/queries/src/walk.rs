//! A walk over the rows of a table, whichever SQLite makes it.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use rusqlite::types::Value;

use crate::conditions::Conditions;
use crate::error::{Error, Result};
use crate::plan::Planned;
use crate::source::{Ready, Rows, Source};
use crate::state::State;

/// What a table is made from.
#[derive(Clone)]
pub(crate) struct Entry {
    /// What all tables of a connection share.
    pub state: Arc<State>,
    /// What computes its rows.
    pub source: Arc<dyn Source>,
}

/// A walk over the rows of a table.
pub(crate) struct Walk {
    entry: Entry,
    arguments: Vec<(usize, Value)>,
    rows: Box<dyn Rows>,
    at: usize,
}

impl Walk {
    /// A walk that has not begun.
    pub(crate) fn new(entry: Entry) -> Self {
        Self {
            entry,
            arguments: Vec::new(),
            rows: Box::new(Ready(Vec::new())),
            at: 0,
        }
    }

    /// What all tables of the connection share.
    pub(crate) fn state(&self) -> &State {
        &self.entry.state
    }

    /// Begins: finds the rows that meet the conditions of a plan, with these values.
    pub(crate) fn find(&mut self, plan: &str, values: Vec<Vec<Value>>) -> Result<()> {
        let planned = Planned::read(plan).into_iter().zip(values);
        let conditions = planned.map(|(planned, values)| planned.given(values));
        let conditions = Conditions(conditions.collect());
        let Entry { state, source } = &self.entry;
        let fields = source.fields().iter().enumerate();
        self.arguments = fields
            .filter(|(_, field)| field.argument)
            .filter_map(|(place, field)| Some((place, conditions.equal(field.name)?.clone())))
            .collect();
        self.at = 0;
        self.rows = caught(|| source.rows(state, &conditions))?;
        Ok(())
    }

    /// Goes on to the next row.
    pub(crate) fn next(&mut self) {
        self.at += 1;
    }

    /// Whether there are no more rows.
    pub(crate) fn is_over(&self) -> bool {
        self.at >= self.rows.len()
    }

    /// A value of the row.
    pub(crate) fn cell(&self, column: usize) -> Result<Value> {
        let given = self.arguments.iter().find(|(place, _)| *place == column);
        match given {
            Some((_, value)) => Ok(value.clone()),
            None => caught(|| self.rows.cell(self.at, column)),
        }
    }

    /// The number by which SQLite tells the row from others: where it answers `OR` by a walk for
    /// each side, a row that two of them find has one number, and no two rows share one.
    pub(crate) fn id(&self) -> Result<i64> {
        let mut hash = DefaultHasher::new();
        for (place, value) in &self.arguments {
            place.hash(&mut hash);
            hash_value(value, &mut hash);
        }
        match self.rows.number(self.at) {
            Some(number) => number.hash(&mut hash),
            None => {
                let fields = self.entry.source.fields().iter().enumerate();
                // What is computed in numbers tells no rows apart, and another way to it may end
                // in other digits.
                let told = fields.filter(|(_, field)| !field.argument && field.declared != "REAL");
                for (place, _) in told {
                    hash_value(&caught(|| self.rows.cell(self.at, place))?, &mut hash);
                }
            }
        }
        Ok(hash.finish().cast_signed())
    }
}

fn hash_value(value: &Value, hash: &mut impl Hasher) {
    std::mem::discriminant(value).hash(hash);
    match value {
        Value::Null => {}
        Value::Integer(number) => number.hash(hash),
        Value::Real(number) => number.to_bits().hash(hash),
        Value::Text(text) => text.hash(hash),
        Value::Blob(bytes) => bytes.hash(hash),
    }
}

/// Work whose panic is an error: SQLite's frames must not be unwound through.
pub(crate) fn caught<T>(work: impl FnOnce() -> Result<T>) -> Result<T> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| Err(Error::Panicked))
}
