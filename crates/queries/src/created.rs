//! Models that a query creates: `CREATE VIRTUAL TABLE risk USING kinwood(target='…', …)`.
//!
//! The rows of such a table are the predictions of the rows that the data has now. The model is
//! kept beside the data, with its provenance, and is there again when the data is next opened.

use std::sync::{Arc, PoisonError};

use kinwood_values::Notice;
use kinwood_workbench::{Origin, Trained};
use rusqlite::Connection;
use rusqlite::types::Value;

use crate::cells::key_of;
use crate::conditions::{Comparison as Is, Conditions};
use crate::error::{Error, Result};
use crate::kept::{Kept, Predicted};
use crate::place::plain;
use crate::rewrite::{Kind, tokens};
use crate::source::{Field, Maker, Ready, Rows, Source};
use crate::state::State;

/// What makes the tables of models.
pub(crate) struct Models;

/// How a table of a model that is kept already is made.
const KEPT: &str = "kept";

impl Maker for Models {
    fn make(
        &self,
        state: &Arc<State>,
        name: &str,
        arguments: &[String],
        fresh: bool,
    ) -> Result<Arc<dyn Source>> {
        let known = state
            .models
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .get(name)
            .cloned();
        if let (Some(kept), false) = (known, fresh) {
            return Ok(Arc::new(ModelTable { kept }));
        }
        if state.is_table(name) {
            let expected = "a name that no table of the data has";
            return Err(Error::argument(
                "CREATE VIRTUAL TABLE",
                expected,
                &format!("`{name}`"),
            ));
        }
        let kept = match arguments {
            // One that was created before is read when it is needed.
            _ if !fresh => Kept::unread(name),
            [only] if only.trim() == KEPT => Kept::unread(name),
            arguments => Kept::of(name, fit(state, name, arguments)?),
        };
        let kept = Arc::new(kept);
        let mut models = state.models.lock().unwrap_or_else(PoisonError::into_inner);
        models.insert(name.to_owned(), Arc::clone(&kept));
        Ok(Arc::new(ModelTable { kept }))
    }

    fn drop_table(&self, state: &Arc<State>, name: &str) -> Result<()> {
        let mut models = state.models.lock().unwrap_or_else(PoisonError::into_inner);
        models.remove(name);
        state.side.remove(name)
    }
}

/// Fits the model that arguments describe, and keeps it.
fn fit(state: &State, name: &str, arguments: &[String]) -> Result<Trained> {
    let mut learner = "tree".to_owned();
    let mut targets = Vec::new();
    let mut settings = Vec::new();
    for argument in arguments {
        let (own, value) = pair(argument)?;
        match own.as_str() {
            "learner" => learner = value,
            "target" => targets.push(value),
            _ => {
                if names_files(&own, &value) {
                    let found = format!("`{}`", argument.trim());
                    return Err(Error::argument(&own, "a value that names no file", &found));
                }
                settings.push((own, value));
            }
        }
    }
    let context = state.context();
    let problem = state.problem(&targets)?;
    let origin = Origin {
        command: format!(
            "CREATE VIRTUAL TABLE {name} USING kinwood({})",
            arguments.join(",")
        ),
        data: state.data()?.source().to_owned(),
    };
    let fitted = Trained::fit(
        &state.registry,
        &learner,
        &settings,
        &problem,
        &origin,
        &context,
    );
    let (trained, notices) = fitted?;
    context.check()?;
    notices.into_iter().for_each(|notice| state.note(notice));
    context
        .counted()
        .into_iter()
        .for_each(|notice| state.note(notice));
    state.side.save(name, &trained)?;
    Ok(trained)
}

/// Whether a setting would read a file: a query reads none.
fn names_files(name: &str, value: &str) -> bool {
    let parsed = || kinwood_learners::trees::tree::constraint::Constraint::parse(value);
    name == "constraints" && parsed().is_ok_and(|constraint| !constraint.files().is_empty())
}

/// An argument `name = 'value'`.
fn pair(argument: &str) -> Result<(String, String)> {
    let wrong = || {
        let found = format!("`{}`", argument.trim());
        Error::argument("USING kinwood(…)", "`name='value', …`", &found)
    };
    let (name, value) = argument.split_once('=').ok_or_else(wrong)?;
    let (name, value) = (name.trim(), value.trim());
    if name.is_empty() || value.is_empty() {
        return Err(wrong());
    }
    let (pieces, open) = tokens(value);
    let text = match pieces.as_slice() {
        [one] if !open && one.kind == Kind::Text => value[1..value.len() - 1].replace("''", "'"),
        [one] if !open && value.starts_with('"') && one.kind == Kind::Word => {
            value[1..value.len() - 1].replace("\"\"", "\"")
        }
        _ if value.contains(['\'', '"']) => return Err(wrong()),
        _ => value.to_owned(),
    };
    Ok((name.to_ascii_lowercase(), text))
}

/// Makes the tables of the models that are kept beside the data.
pub(crate) fn restore(connection: &Connection, state: &Arc<State>) -> Result<()> {
    for name in state.side.models() {
        let quoted = format!("\"{}\"", name.replace('"', "\"\""));
        let sql = format!("CREATE VIRTUAL TABLE temp.{quoted} USING kinwood({KEPT})");
        if let Err(error) = connection.execute_batch(&sql) {
            let reason = state.take_failure().unwrap_or_else(|| plain(&error));
            state.note(Notice::new(format!(
                "the kept model `{name}` is left out: {reason}"
            )));
        }
    }
    Ok(())
}

/// The table of a model.
struct ModelTable {
    kept: Arc<Kept>,
}

const FIELDS: &[Field] = &[
    Field::found("row", "INTEGER"),
    Field::steering("key", "", &[Is::Equal]),
    Field::found("prediction", ""),
    Field::found("probability", "REAL"),
    Field::found("probabilities", "TEXT"),
];

impl Source for ModelTable {
    fn fields(&self) -> &[Field] {
        FIELDS
    }

    fn expected(&self, taken: &[&str]) -> f64 {
        if taken.is_empty() { 10_000.0 } else { 1.0 }
    }

    fn rows(&self, state: &Arc<State>, _: &Conditions) -> Result<Box<dyn Rows>> {
        let predicted = self.kept.predicted(state)?;
        Ok(Box::new(Ready(prediction_rows(&predicted))))
    }
}

/// The rows of the first target: number, key, prediction and its probability.
pub(crate) fn prediction_rows(predicted: &Predicted) -> Vec<Vec<Value>> {
    let rows = &predicted.rows;
    let row = |position: usize| {
        vec![
            Value::Integer(i64::from(rows.row(position)) + 1),
            key_of(rows, &predicted.keys, position),
            predicted.values[0][position].clone(),
            predicted.probability(0, position),
            predicted.all_probabilities(0, position),
        ]
    };
    (0..rows.len()).map(row).collect()
}
