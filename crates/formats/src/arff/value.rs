//! From the text of a cell to a value of its attribute's domain.

use std::sync::Arc;

use kinwood_values::column::Members;
use kinwood_values::offsets::Offsets;
use kinwood_values::{Cells, Column, Dictionary, Kind, Type, Value};

use super::date::Pattern;
use super::document::{Line, Place, nearest, quote};
use super::header::{Declaration, Domain};
use super::row::{self, Cell, Sink};
use crate::error::Result;

/// A finite number.
pub(super) fn number(cell: &Cell<'_>, line: &Line<'_>) -> Result<f64> {
    match fast_float2::parse::<f64, _>(cell.text.as_bytes()) {
        // Zero has one sign.
        Ok(number) if number.is_finite() => Ok(number + 0.0),
        Ok(_) => Err(line.fail(cell.at, "a finite number", quote(&cell.text))),
        Err(_) => Err(line.fail(
            cell.at,
            "a number, or `?` for a missing one",
            quote(&cell.text),
        )),
    }
}

/// The code of a declared value.
pub(super) fn code(
    dictionary: &Dictionary,
    name: &str,
    cell: &Cell<'_>,
    line: &Line<'_>,
) -> Result<u32> {
    dictionary.code(&cell.text).ok_or_else(|| {
        let expected = format!("a value of `{name}` ({})", some_labels(dictionary));
        let near = nearest(&cell.text, dictionary.labels());
        line.fail_near(cell.at, expected, quote(&cell.text), near)
    })
}

/// The first labels, for a message.
fn some_labels(dictionary: &Dictionary) -> String {
    const SHOWN: usize = 5;
    if dictionary.is_empty() {
        return "it declares none".to_owned();
    }
    let shown: Vec<String> = dictionary.labels().take(SHOWN).map(quote).collect();
    let more = if dictionary.len() > SHOWN {
        ", …"
    } else {
        ""
    };
    format!("{}{more}", shown.join(", "))
}

/// Milliseconds since 1970-01-01 UTC.
pub(super) fn instant(pattern: &Pattern, cell: &Cell<'_>, line: &Line<'_>) -> Result<i64> {
    pattern.read(&cell.text).ok_or_else(|| {
        let expected = format!("a date by the pattern `{}`", pattern.text());
        line.fail(cell.at, expected, quote(&cell.text))
    })
}

/// The value of a cell, whatever its domain.
pub(super) fn value(of: &Declaration, cell: &Cell<'_>, line: &Line<'_>) -> Result<Value> {
    if cell.is_missing() {
        return Ok(Value::Missing);
    }
    Ok(match &of.domain {
        Domain::Numeric => Value::Number(number(cell, line)?),
        Domain::Nominal(dictionary) => {
            let code = code(dictionary, &of.name, cell, line)?;
            Value::Symbol(dictionary.label(code).to_owned())
        }
        Domain::Key => Value::Symbol(cell.text.clone().into_owned()),
        Domain::Text => Value::Text(cell.text.clone().into_owned()),
        Domain::Date(pattern) => Value::DateTime(instant(pattern, cell, line)?),
        Domain::Hierarchy(dictionary) => classes(dictionary, &of.name, cell, line)?,
        Domain::Bag(attributes) => bag(attributes, &of.name, cell, line)?,
    })
}

/// The value of a column that a sparse row leaves out: zero, or the first declared value.
pub(super) fn left_out(domain: &Domain) -> Value {
    match domain {
        Domain::Numeric => Value::Number(0.0),
        Domain::Nominal(dictionary) => dictionary
            .labels()
            .next()
            .map_or(Value::Missing, |label| Value::Symbol(label.to_owned())),
        Domain::Key => Value::Missing,
        Domain::Text => Value::Text(String::new()),
        Domain::Date(_) => Value::DateTime(0),
        Domain::Hierarchy(_) => Value::Set(Vec::new()),
        Domain::Bag(_) => Value::Bag(Vec::new()),
    }
}

/// `1/2@3`, or `none` or `[]` for no class at all.
fn classes(dictionary: &Dictionary, name: &str, cell: &Cell<'_>, line: &Line<'_>) -> Result<Value> {
    let text: &str = &cell.text;
    if matches!(text, "none" | "[]" | "") && dictionary.code(text).is_none() {
        return Ok(Value::Set(Vec::new()));
    }
    let paths = text.split('@').map(|path| match dictionary.code(path) {
        Some(code) => Ok(Value::Symbol(dictionary.label(code).to_owned())),
        None => {
            let expected = format!("a class of `{name}` ({})", some_labels(dictionary));
            let near = nearest(path, dictionary.labels());
            Err(line.fail_near(cell.at, expected, quote(path), near))
        }
    });
    Ok(Value::set(paths.collect::<Result<_>>()?))
}

/// The rows in the text of a cell.
fn bag(attributes: &[Declaration], name: &str, cell: &Cell<'_>, outer: &Line<'_>) -> Result<Value> {
    let mut rows = Vec::new();
    for text in cell.text.lines() {
        if row::is_blank(text) {
            continue;
        }
        let line = Line {
            text,
            place: Place::Bag {
                outer,
                at: cell.at,
                bag: name,
                row: rows.len() + 1,
            },
        };
        let mut tuple = Tuple {
            attributes,
            values: vec![Value::Missing; attributes.len()],
        };
        if let Some(weight) = row::read(&line, attributes.len(), &mut tuple)? {
            let found = format!("the weight `{weight}`");
            return Err(line.fail(0, "no weight", found));
        }
        rows.push(Value::Tuple(tuple.values));
    }
    Ok(Value::bag(rows))
}

/// A row of a bag.
struct Tuple<'a> {
    attributes: &'a [Declaration],
    values: Vec<Value>,
}

impl Sink for Tuple<'_> {
    fn put(&mut self, column: usize, cell: &Cell<'_>, line: &Line<'_>) -> Result<()> {
        self.values[column] = value(&self.attributes[column], cell, line)?;
        Ok(())
    }

    fn leave_out(&mut self, column: usize) {
        self.values[column] = left_out(&self.attributes[column].domain);
    }
}

/// A column without rows that knows the declared values, those of inner attributes included.
pub(super) fn empty_column(domain: &Domain) -> Column {
    let nominal = |dictionary: &Arc<Dictionary>| {
        let cells = Cells::Nominal {
            codes: Vec::new(),
            dictionary: Arc::clone(dictionary),
        };
        Column::new(cells, None)
    };
    let collection = |kind: Kind, child: Column| {
        let members = Members {
            offsets: Offsets::default(),
            child: Box::new(child),
        };
        Column::new(Cells::Collection { kind, members }, None)
    };
    match domain {
        Domain::Numeric => Column::empty(&Type::Numeric),
        Domain::Nominal(dictionary) => nominal(dictionary),
        Domain::Key => Column::empty(&Type::Nominal),
        Domain::Text => Column::empty(&Type::String),
        Domain::Date(_) => Column::empty(&Type::DateTime),
        Domain::Hierarchy(dictionary) => collection(Kind::Set, nominal(dictionary)),
        Domain::Bag(attributes) => {
            let tuple = Cells::Tuple {
                names: attributes.iter().map(|of| Some(of.name.clone())).collect(),
                fields: attributes
                    .iter()
                    .map(|of| empty_column(&of.domain))
                    .collect(),
                rows: 0,
            };
            collection(Kind::Bag, Column::new(tuple, None))
        }
    }
}
