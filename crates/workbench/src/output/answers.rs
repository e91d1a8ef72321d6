//! Predictions as tables, which are written by the ending of their file.

use std::path::Path;

use kinwood_evaluation::run::Evaluation;
use kinwood_formats::{WriteOptions, Written, write};
use kinwood_learners::{Output, Predictions};
use kinwood_values::{Attribute, Column, Database, Table, Type, View};

use super::{among, key_columns, range_names, text};
use crate::error::Result;

/// The name of the table.
const NAME: &str = "predictions";

/// Whether predictions are written to the file as CSV: by its ending, or because it has none.
pub fn is_csv(path: &Path) -> bool {
    let ending = path.extension().and_then(|ending| ending.to_str());
    ending.is_none_or(|ending| ending.eq_ignore_ascii_case("csv"))
}

/// Predictions of the rows of a view: their keys, the predictions and the probabilities, under the
/// names that the CSV file has.
pub fn predictions_table(rows: &View, predictions: &Predictions) -> Result<Table> {
    let places: Vec<u32> = rows.rows().collect();
    let mut columns = named_rows(rows, &places);
    add_answers(&mut columns, predictions)?;
    Ok(Table::new(NAME, columns)?)
}

/// What an evaluation predicted of its test rows, all folds below each other: the keys, repeat and
/// fold, the true values, the predictions and the probabilities.
pub fn folds_table(view: &View, targets: &[usize], evaluation: &Evaluation) -> Result<Table> {
    let rows: Vec<u32> = view.rows().collect();
    let splits = evaluation.splits.iter();
    let tested = splits.clone().flat_map(|split| split.test.iter());
    let places: Vec<u32> = tested.map(|&position| rows[position as usize]).collect();
    let mut columns = named_rows(view, &places);
    let of_split = |number: fn(&kinwood_evaluation::splits::Split) -> usize| -> Column {
        let numbers = evaluation.splits.iter();
        let numbers = numbers.flat_map(|split| vec![number(split) as f64; split.test.len()]);
        Column::numeric(numbers.collect())
    };
    columns.push(Attribute::new("repeat", of_split(|split| split.repeat)));
    columns.push(Attribute::new("fold", of_split(|split| split.fold)));
    for &target in targets {
        let attribute = view.table().attribute(target);
        columns.push(Attribute::new(
            &attribute.name,
            attribute.column.gather(&places),
        ));
    }
    let mut all: Option<Predictions> = None;
    for predictions in &evaluation.predictions {
        match &mut all {
            None => all = Some(predictions.clone()),
            Some(all) => {
                for (target, more) in all.targets.iter_mut().zip(&predictions.targets) {
                    target.output.extend(more.output.clone());
                }
            }
        }
    }
    if let Some(all) = &all {
        add_answers(&mut columns, all)?;
    }
    Ok(Table::new(NAME, columns)?)
}

/// Writes a table of predictions in the form that the ending names.
pub fn save_answers(path: &Path, table: Table, overwrite: bool) -> Result<Written> {
    let database = Database::single(table)?;
    let options = WriteOptions {
        overwrite,
        ..WriteOptions::default()
    };
    Ok(write(&database, path, &options)?)
}

/// The keys of rows, or their numbers from 1.
fn named_rows(view: &View, places: &[u32]) -> Vec<Attribute> {
    let keys = key_columns(view);
    if keys.is_empty() {
        let numbers = places.iter().map(|&row| f64::from(row) + 1.0).collect();
        return vec![Attribute::new("row", Column::numeric(numbers))];
    }
    let of_key = |column: usize| {
        let attribute = view.table().attribute(column);
        Attribute::new(&attribute.name, attribute.column.gather(places))
    };
    keys.into_iter().map(of_key).collect()
}

fn add_answers(columns: &mut Vec<Attribute>, predictions: &Predictions) -> Result<()> {
    let several = predictions.targets.len() > 1;
    for target in &predictions.targets {
        let (name, of) = match several {
            true => (
                format!("prediction({})", target.name),
                format!("{}=", target.name),
            ),
            false => ("prediction".to_owned(), String::new()),
        };
        columns.push(Attribute::new(name, answers(&target.output)?));
        let kind = target.output.kind();
        if kind.entry().probabilities {
            for (place, part) in kind.parts().into_iter().enumerate() {
                let shares = (0..target.output.len()).map(|row| target.output.row(row)[place]);
                let shares = Column::numeric(shares.collect());
                columns.push(Attribute::new(format!("p({of}{part})"), shares));
            }
        }
        for (place, name) in range_names(&target.output).iter().enumerate() {
            let name = match several {
                true => format!("{name}({})", target.name),
                false => (*name).to_owned(),
            };
            columns.push(Attribute::new(name, range_column(&target.output, place)?));
        }
    }
    Ok(())
}

/// The lower or the upper ends of intervals, or sets of classes.
fn range_column(output: &Output, place: usize) -> Result<Column> {
    let rows = 0..output.len();
    let ends: Option<Vec<f64>> = rows
        .clone()
        .map(|row| Some(output.ranges()?.interval(row)?[place]))
        .collect();
    match ends {
        Some(ends) => Ok(Column::numeric(ends)),
        None => {
            let sets: Vec<_> = rows.map(|row| among(output, row)).collect();
            Ok(Column::from_values(
                &Type::Set(Type::Nominal.into()),
                &sets,
            )?)
        }
    }
}

/// The predictions as a column: numbers, classes or sets of labels as they are, all else as text.
fn answers(output: &Output) -> Result<Column> {
    let numbers: Option<Vec<f64>> = (0..output.len()).map(|row| output.number(row)).collect();
    if let Some(numbers) = numbers {
        return Ok(Column::numeric(numbers));
    }
    let values: Vec<_> = (0..output.len()).map(|row| output.value(row)).collect();
    let typed = output.kind().entry().of.parse::<Type>().ok();
    if let Some(column) = typed.and_then(|of| Column::from_values(&of, &values).ok()) {
        return Ok(column);
    }
    let texts: Vec<String> = values.iter().map(text).collect();
    Ok(Column::nominal(
        texts.iter().map(|text| Some(text.as_str())),
    ))
}
