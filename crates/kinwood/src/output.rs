//! Predictions as a table for people and programs: keys, predictions, probabilities.

use std::io::{self, Write};
use std::path::Path;

use kinwood_learners::{Output, Predictions};
use kinwood_values::{Role, Table, Value, View};

use crate::error::{Error, Result};

/// Writes predictions as CSV: the key columns under their names, else `row` from 1; then `prediction` and `p(CLASS)`;
/// with several targets `prediction(T)` and `p(T=CLASS)`.
pub fn write_predictions(
    out: &mut dyn Write,
    rows: &View,
    predictions: &Predictions,
) -> io::Result<()> {
    let keys = key_columns(rows);
    let several = predictions.targets.len() > 1;
    let mut header: Vec<String> = match keys.as_slice() {
        [] => vec!["row".to_owned()],
        keys => keys
            .iter()
            .map(|&column| rows.table().attribute(column).name.clone())
            .collect(),
    };
    for target in &predictions.targets {
        header.push(if several {
            format!("prediction({})", target.name)
        } else {
            "prediction".to_owned()
        });
        if let Output::Classes { classes, .. } = &target.output {
            header.extend(classes.labels().map(|class| {
                if several {
                    format!("p({}={class})", target.name)
                } else {
                    format!("p({class})")
                }
            }));
        }
    }
    record(out, &header)?;
    let mut cells = Vec::with_capacity(header.len());
    for (position, row) in rows.rows().enumerate() {
        cells.clear();
        if keys.is_empty() {
            cells.push((row + 1).to_string());
        }
        for &column in &keys {
            cells.push(text(
                &rows.table().attribute(column).column.value(row as usize),
            ));
        }
        for target in &predictions.targets {
            match &target.output {
                Output::Classes { classes, shares } => {
                    let class = target.output.class(position).unwrap_or(0);
                    cells.push(classes.label(class).to_owned());
                    let count = classes.len();
                    let shares = &shares[position * count..(position + 1) * count];
                    cells.extend(shares.iter().map(f64::to_string));
                }
                Output::Numbers(numbers) => cells.push(numbers[position].to_string()),
                _ => cells.push(String::new()),
            }
        }
        record(out, &cells)?;
    }
    Ok(())
}

/// The columns that name the rows: the primary key, else columns with the role `id` that refer to no other table.
/// A column without any value names nothing.
pub fn key_columns(rows: &View) -> Vec<usize> {
    let table = rows.table();
    let refers = |column: usize| {
        let keys = rows.database().foreign_keys();
        keys.iter()
            .any(|key| key.from == rows.table_position() && key.from_columns.contains(&column))
    };
    let named = |column: &usize| {
        let values = &table.attribute(*column).column;
        values.missing() < values.len()
    };
    let chosen: Vec<usize> = match table.key() {
        Some(key) => key.to_vec(),
        None => (0..table.attributes().len())
            .filter(|&column| table.attribute(column).role == Role::Id && !refers(column))
            .collect(),
    };
    chosen.into_iter().filter(named).collect()
}

/// A value as a CSV cell: plain text for scalars, the JSON form for structures, nothing for missing.
pub fn text(value: &Value) -> String {
    match value {
        Value::Missing => String::new(),
        Value::Symbol(text) | Value::Text(text) => text.clone(),
        Value::Number(_) | Value::DateTime(_) | Value::Tree(_) | Value::Term(_) => {
            value.to_string()
        }
        structured => structured.to_json().to_string(),
    }
}

/// Writes a table as CSV: a header, commas, quotes where needed, nothing for a missing value.
pub fn write_table(out: &mut dyn Write, table: &Table) -> io::Result<()> {
    let header: Vec<&str> = table
        .attributes()
        .iter()
        .map(|attribute| attribute.name.as_str())
        .collect();
    record(out, &header)?;
    for row in 0..table.rows() {
        let cells = table
            .attributes()
            .iter()
            .map(|attribute| match attribute.column.value(row) {
                // A line without a character would be skipped: alone, a missing value needs a mark.
                Value::Missing if header.len() == 1 => "?".to_owned(),
                // An empty string in quotes is a string; without, it is missing.
                Value::Symbol(text) | Value::Text(text) if text.is_empty() => "\"\"".to_owned(),
                value => quoted(&text(&value)),
            });
        line(out, cells)?;
    }
    Ok(())
}

/// Writes a table as a CSV file, wholly or not at all.
pub fn save_table(path: &Path, table: &Table) -> Result<()> {
    save(path, |out| write_table(out, table))
}

/// Writes a file, wholly or not at all.
pub fn save(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<()> {
    kinwood_container::replace(path, |out| write(out)).map_err(|source| Error::Write {
        file: path.display().to_string(),
        source,
    })
}

/// Writes one record, quoting where needed.
pub fn record<S: AsRef<str>>(out: &mut dyn Write, cells: &[S]) -> io::Result<()> {
    line(out, cells.iter().map(|cell| quoted(cell.as_ref())))
}

fn line(out: &mut dyn Write, cells: impl Iterator<Item = String>) -> io::Result<()> {
    for (position, cell) in cells.enumerate() {
        if position > 0 {
            out.write_all(b",")?;
        }
        out.write_all(cell.as_bytes())?;
    }
    out.write_all(b"\n")
}

/// A cell as it stands in the file: in quotes if it could be misread.
fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) || text.trim() != text {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}
