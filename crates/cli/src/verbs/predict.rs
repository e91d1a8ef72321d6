//! `kinwood predict`: what a model says of rows.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::{Args, ValueHint};
use kinwood::Trained;
use kinwood::learners::{Explanation, Output, Predictions};
use kinwood::output::{is_csv, key_columns, predictions_table, save, write_predictions};
use kinwood_values::View;
use serde_json::{Map, Value, json};

use crate::arguments::Reading;
use crate::error::{Error, Result};
use crate::loading::{load_member, load_rows};
use crate::session::Session;
use crate::verbs::evaluate::{check_ending, save as save_by_ending};

/// The arguments of `kinwood predict`.
#[derive(Args, Debug)]
pub struct Predict {
    /// The model file
    #[arg(value_name = "MODEL", value_hint = ValueHint::FilePath)]
    model: PathBuf,
    #[command(flatten)]
    reading: Reading,
    /// Write the predictions to this file, by its ending: CSV, Parquet, Arrow, JSON, SQLite …
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    output: Option<PathBuf>,
    /// Predict by this one of a set of models alone, from 1
    #[arg(long, value_name = "N")]
    member: Option<usize>,
    /// Say for each row which training rows count most, 5 unless said otherwise, and why; of a
    /// tree, which tests led to the prediction
    #[arg(long, value_name = "ROWS", num_args = 0..=1, require_equals = true, default_missing_value = "5")]
    explain: Option<usize>,
}

impl Predict {
    /// Runs the verb.
    pub fn run(&self, session: &mut Session<'_>) -> Result<()> {
        if let Some(path) = &self.output {
            let mut sources = self.reading.sources();
            sources.push(&self.model);
            session.check_output(path, &sources)?;
            if self.as_table(session) {
                check_ending(path, session)?;
            }
        }
        let trained = load_member(&self.model, self.member, session)?;
        let (data, conformed) = load_rows(&self.reading, &trained, session)?;
        let predictions = trained.predict(&conformed, &session.context)?;
        session.check()?;
        session.note(&session.context.counted());
        let explanations = self.explanations(&trained, &conformed, session)?;
        let json = session.json;
        let write = |out: &mut dyn Write| match (json, &explanations) {
            (true, explanations) => {
                let explanations = explanations.as_deref();
                write_json(
                    out,
                    &trained,
                    data.source(),
                    &conformed,
                    &predictions,
                    explanations,
                )
            }
            (false, Some(explanations)) => write_explanations(out, &conformed, explanations),
            (false, None) => write_predictions(out, &conformed, &predictions),
        };
        match &self.output {
            Some(path) if self.as_table(session) => {
                let table = predictions_table(&conformed, &predictions)?;
                save_by_ending(path, table, session)
            }
            Some(path) => Ok(save(path, write)?),
            None => write(&mut *session.out).map_err(Error::Output),
        }
    }
}

impl Predict {
    /// Whether predictions are written as a table in the form that the ending names: JSON and
    /// explanations have forms of their own.
    fn as_table(&self, session: &Session<'_>) -> bool {
        let ending = self.output.as_deref().is_some_and(|path| !is_csv(path));
        ending && !session.json && self.explain.is_none()
    }

    /// An explanation a row, if they were asked for.
    fn explanations(
        &self,
        trained: &Trained,
        rows: &View,
        session: &Session<'_>,
    ) -> Result<Option<Vec<Explanation>>> {
        let Some(most) = self.explain else {
            return Ok(None);
        };
        let explain = |row: usize| {
            session.check()?;
            Ok(trained.explain(rows, row, most)?)
        };
        (0..rows.len())
            .map(explain)
            .collect::<Result<_>>()
            .map(Some)
    }
}

/// The explanations for people, a row after the other.
fn write_explanations(
    out: &mut dyn Write,
    rows: &View,
    explanations: &[Explanation],
) -> io::Result<()> {
    let keys = key_columns(rows);
    for (position, (row, explanation)) in rows.rows().zip(explanations).enumerate() {
        let key = keys.iter().map(|&column| {
            let named = rows.table().attribute(column);
            format!(", {} {}", named.name, named.column.value(row as usize))
        });
        let separator = if position == 0 { "" } else { "\n" };
        let key: String = key.collect();
        write!(
            out,
            "{separator}row {}{key}\n{}",
            row + 1,
            explanation.to_text()
        )?;
    }
    Ok(())
}

/// The predictions for programs, a row a line: there may be millions.
fn write_json(
    out: &mut dyn Write,
    trained: &Trained,
    data: &str,
    rows: &View,
    predictions: &Predictions,
    explanations: Option<&[Explanation]>,
) -> io::Result<()> {
    let targets = json!(trained.target_names());
    let (learner, data) = (json!(trained.learner()), json!(data));
    write!(
        out,
        "{{\"learner\": {learner}, \"data\": {data}, \"targets\": {targets}, \"predictions\": ["
    )?;
    let keys = key_columns(rows);
    for (position, row) in rows.rows().enumerate() {
        let key: Map<String, Value> = keys
            .iter()
            .map(|&column| rows.table().attribute(column))
            .map(|named| {
                (
                    named.name.clone(),
                    named.column.value(row as usize).to_json(),
                )
            })
            .collect();
        let said: Map<String, Value> = predictions
            .targets
            .iter()
            .map(|target| (target.name.clone(), prediction(&target.output, position)))
            .collect();
        let separator = if position == 0 { "\n" } else { ",\n" };
        let mut answer = json!({"row": row + 1});
        if !key.is_empty() {
            answer["key"] = key.into();
        }
        answer["targets"] = said.into();
        if let Some(explanations) = explanations {
            answer["explanation"] = explanations[position].to_json();
        }
        write!(out, "{separator}{answer}")?;
    }
    writeln!(out, "\n]}}")
}

/// What is said of a target in a row: the prediction and, for classes and labels, the probability
/// of each.
fn prediction(output: &Output, position: usize) -> Value {
    let (kind, numbers) = (output.kind(), output.row(position));
    let said = match (output.labels(position), kind.dictionary()) {
        _ if kind.is_number() => json!(numbers[0]),
        // In the order of the labels, as they stand beside their probabilities.
        (Some(present), Some(labels)) => present.iter().map(|&at| labels.label(at)).collect(),
        _ => kind.value(numbers).to_json(),
    };
    let mut shown = json!({"prediction": said});
    if let Some(ranges) = output.ranges() {
        shown["level"] = json!(ranges.level);
        match (ranges.interval(position), ranges.classes(position)) {
            (Some(ends), _) => shown["interval"] = json!(ends),
            (_, Some(classes)) => {
                let labels = kind.dictionary();
                let labels = classes.iter().filter_map(|at| Some(labels?.label(*at)));
                shown["among"] = labels.collect::<Vec<_>>().into();
            }
            _ => {}
        }
    }
    if !kind.entry().probabilities {
        return shown;
    }
    let probabilities: Map<String, Value> = kind
        .parts()
        .into_iter()
        .zip(numbers)
        .map(|(part, probability)| (part, (*probability).into()))
        .collect();
    shown["p"] = probabilities.into();
    shown
}
