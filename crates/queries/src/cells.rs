//! Values and keys of the data as SQLite has them.

use kinwood_values::{Value as Cell, View};
use kinwood_workbench::output::text;
use rusqlite::types::Value;

/// A value of the data as SQLite has it.
pub(crate) fn cell_of(cell: &Cell) -> Value {
    match cell {
        Cell::Missing => Value::Null,
        Cell::Number(number) if number.fract() == 0.0 && number.abs() < 9e15 => {
            Value::Integer(*number as i64)
        }
        Cell::Number(number) => Value::Real(*number),
        other => Value::Text(text(other)),
    }
}

/// The key of a row: its value where one column names rows, their texts where several do, else its
/// number from 1.
pub(crate) fn key_of(view: &View, keys: &[usize], position: usize) -> Value {
    let row = view.row(position) as usize;
    let value = |column: usize| view.table().attribute(column).column.value(row);
    match keys {
        [] => Value::Integer(row as i64 + 1),
        [only] => cell_of(&value(*only)),
        several => {
            let texts: Vec<String> = several.iter().map(|&column| text(&value(column))).collect();
            Value::Text(texts.join(" "))
        }
    }
}
