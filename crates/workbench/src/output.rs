//! What programs read: predictions as CSV (keys, predictions, probabilities), settings and targets
//! as JSON, files written whole.

mod answers;

use std::io::{self, Write};
use std::path::Path;

pub use answers::{folds_table, is_csv, predictions_table, save_answers};
pub use kinwood_formats::write::csv::{record, text, write_table};
use kinwood_learners::{Output, Predictions, RangesOf};
use kinwood_values::{Role, Table, Value as Cell, View};
use serde_json::{Map, Value};

use crate::error::{Error, Result};

/// Writes predictions as CSV: the key columns under their names, else `row` from 1; then
/// `prediction` and `p(CLASS)`, or `p(LABEL)` of a set of labels; with several targets
/// `prediction(T)` and `p(T=CLASS)`. Models that were fitted to say where the truth lies add `low`
/// and `high`, or `among`.
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
        let kind = target.output.kind();
        if kind.entry().probabilities {
            header.extend(kind.parts().into_iter().map(|part| {
                if several {
                    format!("p({}={part})", target.name)
                } else {
                    format!("p({part})")
                }
            }));
        }
        let ranges = range_names(&target.output);
        header.extend(ranges.iter().map(|name| match several {
            true => format!("{name}({})", target.name),
            false => (*name).to_owned(),
        }));
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
            cells.push(match target.output.number(position) {
                Some(number) => number.to_string(),
                None => text(&target.output.value(position)),
            });
            if target.output.kind().entry().probabilities {
                cells.extend(target.output.row(position).iter().map(f64::to_string));
            }
            cells.extend(range_cells(&target.output, position));
        }
        record(out, &cells)?;
    }
    Ok(())
}

/// What the columns of a target's ranges are called; none where it has no ranges.
fn range_names(output: &Output) -> &'static [&'static str] {
    match output.ranges().map(|ranges| &ranges.of) {
        None => &[],
        Some(RangesOf::Numbers(_)) => &["low", "high"],
        Some(RangesOf::Classes(_)) => &["among"],
    }
}

/// The ranges of a row as texts.
fn range_cells(output: &Output, position: usize) -> Vec<String> {
    let Some(ranges) = output.ranges() else {
        return Vec::new();
    };
    match ranges.interval(position) {
        Some(ends) => ends.iter().map(f64::to_string).collect(),
        None => vec![text(&among(output, position))],
    }
}

/// The classes that the truth of a row is among.
fn among(output: &Output, position: usize) -> Cell {
    let classes = output.ranges().and_then(|ranges| ranges.classes(position));
    let dictionary = output.kind().dictionary();
    let labels = classes.unwrap_or_default().iter().filter_map(|&class| {
        let dictionary = dictionary.filter(|own| (class as usize) < own.len())?;
        Some(Cell::Symbol(dictionary.label(class).to_owned()))
    });
    Cell::set(labels.collect())
}

/// The columns that name the rows: the primary key, else columns with the role `id` that refer to
/// no other table. A column without any value names nothing.
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

/// Records as the text of a CSV file.
pub fn csv_text(records: impl IntoIterator<Item = Vec<String>>) -> String {
    let mut bytes = Vec::new();
    for cells in records {
        record(&mut bytes, &cells).expect("memory takes all that is written to it");
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Settings as a JSON object, in their order.
pub fn settings_json(settings: &[(String, String)]) -> Map<String, Value> {
    let pairs = settings.iter().cloned();
    pairs.map(|(name, value)| (name, value.into())).collect()
}

/// The names of targets in JSON: one as text, several as a list.
pub fn targets_json(targets: &[String]) -> Value {
    match targets {
        [one] => one.clone().into(),
        several => several.to_vec().into(),
    }
}
