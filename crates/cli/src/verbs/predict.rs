//! `kinwood predict`: what a model says of rows.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::{Args, ValueHint};
use kinwood::Trained;
use kinwood::learners::{Output, Predictions};
use kinwood::output::{key_columns, save, write_predictions};
use kinwood_values::View;
use serde_json::{Map, Value, json};

use crate::arguments::Reading;
use crate::error::{Error, Result};
use crate::loading::{load_model, load_rows};
use crate::session::Session;
use crate::writing;

/// The arguments of `kinwood predict`.
#[derive(Args, Debug)]
pub struct Predict {
    /// The model file
    #[arg(value_name = "MODEL", value_hint = ValueHint::FilePath)]
    model: PathBuf,
    #[command(flatten)]
    reading: Reading,
    /// Write the predictions to this file
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    output: Option<PathBuf>,
}

impl Predict {
    /// Runs the verb.
    pub fn run(&self, session: &mut Session<'_>) -> Result<()> {
        if let Some(path) = &self.output {
            let mut sources = self.reading.sources();
            sources.push(&self.model);
            writing::check(path, &sources)?;
        }
        let trained = load_model(&self.model, session)?;
        let (data, conformed) = load_rows(&self.reading, &trained, session)?;
        let predictions = trained.predict(&conformed, &session.context)?;
        session.check()?;
        let json = session.json;
        let write = |out: &mut dyn Write| match json {
            true => write_json(out, &trained, data.source(), &conformed, &predictions),
            false => write_predictions(out, &conformed, &predictions),
        };
        match &self.output {
            Some(path) => Ok(save(path, write)?),
            None => write(&mut *session.out).map_err(Error::Output),
        }
    }
}

/// The predictions for programs, a row a line: there may be millions.
fn write_json(
    out: &mut dyn Write,
    trained: &Trained,
    data: &str,
    rows: &View,
    predictions: &Predictions,
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
        write!(out, "{separator}{answer}")?;
    }
    writeln!(out, "\n]}}")
}

/// What is said of a target in a row: the prediction and, for classes, the probability of each.
fn prediction(output: &Output, position: usize) -> Value {
    let (Output::Classes { classes, shares }, Some(class)) = (output, output.class(position))
    else {
        return json!({"prediction": output.number(position)});
    };
    let shares = &shares[position * classes.len()..];
    let shares: Map<String, Value> = classes
        .labels()
        .zip(shares)
        .map(|(label, share)| (label.to_owned(), (*share).into()))
        .collect();
    json!({"prediction": classes.label(class), "p": shares})
}
