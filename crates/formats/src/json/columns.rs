//! The second pass: values into columns whose types are known.

use std::collections::HashMap;
use std::sync::Arc;

use kinwood_values::{Cells, Column, Dictionary, Type, Validity, Value};
use serde_json::{Map, Value as Json};

use super::place::Place;
use super::rows::Take;
use crate::error::{Error, Result};
use crate::source::Source;

/// A table while it is being filled.
pub(super) struct Filling {
    pub positions: HashMap<String, usize>,
    pub columns: Vec<Builder>,
    pub rows: usize,
}

/// A column while it is being filled.
pub(super) struct Builder {
    name: String,
    of: Type,
    values: Values,
}

enum Values {
    /// NaN where missing.
    Numbers(Vec<f64>),
    Labels {
        codes: Vec<u32>,
        present: Validity,
        dictionary: Dictionary,
    },
    Others(Column),
}

/// All tables, filled one after the other.
pub(super) struct Fill<'a> {
    pub source: &'a Source,
    pub tables: Vec<Filling>,
    /// The number of the table that is being filled, from 1; 0 before the first.
    pub current: usize,
}

impl Take for Fill<'_> {
    fn table(&mut self, _name: &str) -> Result<()> {
        self.current += 1;
        Ok(())
    }

    fn row(&mut self, place: Place, row: Map<String, Json>) -> Result<()> {
        let changed = || {
            let changed = std::io::Error::other("it changed while it was read");
            self.source.failed(changed)
        };
        let position = self.current.checked_sub(1);
        let Some(table) = position.and_then(|at| self.tables.get_mut(at)) else {
            return Err(changed());
        };
        for (key, value) in &row {
            let Some(&position) = table.positions.get(key) else {
                return Err(changed());
            };
            if value.is_null() {
                continue;
            }
            let column = &mut table.columns[position];
            column.pad(table.rows);
            if let Err(reason) = column.push(value) {
                return Err(Error::Syntax {
                    file: self.source.name().to_owned(),
                    line: place.line,
                    column: place.column,
                    expected: format!("a `{}` for `{key}` ({reason})", column.of),
                    found: format!("{} in row {}", excerpt(value), table.rows + 1),
                    nearest: None,
                });
            }
        }
        table.rows += 1;
        Ok(())
    }
}

impl Builder {
    pub fn new(name: &str, of: Type) -> Self {
        let values = match &of {
            Type::Numeric => Values::Numbers(Vec::new()),
            Type::Nominal => Values::Labels {
                codes: Vec::new(),
                present: Validity::new(),
                dictionary: Dictionary::new(),
            },
            other => Values::Others(Column::empty(other)),
        };
        Self {
            name: name.to_owned(),
            of,
            values,
        }
    }

    /// Adds missing values up to so many rows.
    fn pad(&mut self, rows: usize) {
        match &mut self.values {
            Values::Numbers(numbers) => numbers.resize(rows, f64::NAN),
            Values::Labels { codes, present, .. } => {
                (codes.len()..rows).for_each(|_| present.push(false));
                codes.resize(rows, 0);
            }
            Values::Others(column) => {
                (column.len()..rows).for_each(|_| column.push_missing());
            }
        }
    }

    /// Adds a value, or says why it is none of the column's type.
    fn push(&mut self, json: &Json) -> Result<(), String> {
        match (&mut self.values, json) {
            (Values::Numbers(numbers), Json::Number(number)) => {
                let number = number.as_f64().ok_or("it is no finite number")?;
                numbers.push(number + 0.0);
            }
            (
                Values::Labels {
                    codes,
                    present,
                    dictionary,
                },
                Json::String(text),
            ) => {
                codes.push(dictionary.intern(text));
                present.push(true);
            }
            (values, json) => {
                let value = Value::from_json(&self.of, json).map_err(|error| error.to_string())?;
                match (values, value) {
                    (
                        Values::Labels {
                            codes,
                            present,
                            dictionary,
                        },
                        Value::Symbol(label),
                    ) => {
                        codes.push(dictionary.intern(&label));
                        present.push(true);
                    }
                    (Values::Numbers(numbers), Value::Number(number)) => numbers.push(number),
                    (Values::Others(column), value) => {
                        column.push(&value).map_err(|error| error.to_string())?;
                    }
                    (_, value) => return Err(format!("`{value}` is of another type")),
                }
            }
        }
        Ok(())
    }

    /// The name, and the values of so many rows.
    pub fn finish(mut self, rows: usize) -> (String, Column) {
        self.pad(rows);
        let column = match self.values {
            Values::Numbers(numbers) => Column::numeric(numbers),
            Values::Labels {
                codes,
                present,
                dictionary,
            } => {
                let dictionary = Arc::new(dictionary);
                Column::new(Cells::Nominal { codes, dictionary }, Some(present))
            }
            Values::Others(column) => column,
        };
        (self.name, column)
    }
}

/// The beginning of a value, for messages.
fn excerpt(json: &Json) -> String {
    const SHOWN: usize = 60;
    let text = json.to_string();
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("`{}…`", &text[..end]),
        None => format!("`{text}`"),
    }
}
