//! The tables `models`, `predictions`, `explanations` and `importances`: what models are and say.

use std::sync::{Arc, PoisonError};

use kinwood_evaluation::importance::importance;
use kinwood_workbench::output::settings_json;
use rusqlite::types::Value;
use serde_json::json;

use crate::cells::{cell_of, key_of};
use crate::conditions::Conditions;
use crate::created::prediction_rows;
use crate::error::{Error, Result};
use crate::functions::model;
use crate::kept::{Kept, Predicted};
use crate::source::{Field, Ready, Rows, Source};
use crate::state::State;

/// The models that an argument `model` means; without it those that were created.
fn meant(state: &Arc<State>, conditions: &Conditions) -> Result<Vec<Arc<Kept>>> {
    match conditions.text("model")? {
        Some(name) => Ok(vec![model(state, &name)?]),
        None => {
            let models = state.models.lock().unwrap_or_else(PoisonError::into_inner);
            Ok(models.values().cloned().collect())
        }
    }
}

/// The table `models`: those that were created, with where they come from.
pub(crate) struct Models;

const MODELS: &[Field] = &[
    Field::found("name", "TEXT"),
    Field::found("learner", "TEXT"),
    Field::found("target", "TEXT"),
    Field::found("settings", "TEXT"),
    Field::found("rows", "INTEGER"),
    Field::found("seed", "INTEGER"),
    Field::found("data", "TEXT"),
    Field::found("fingerprint", "TEXT"),
    Field::found("version", "TEXT"),
    Field::found("command", "TEXT"),
    Field::found("text", "TEXT"),
    Field::argument("model"),
];

impl Source for Models {
    fn fields(&self) -> &[Field] {
        MODELS
    }

    fn expected(&self, _: &[&str]) -> f64 {
        10.0
    }

    fn rows(&self, state: &Arc<State>, conditions: &Conditions) -> Result<Box<dyn Rows>> {
        let mut rows = Vec::new();
        for kept in meant(state, conditions)? {
            let trained = kept.trained(state)?;
            let made = trained.provenance();
            rows.push(vec![
                Value::Text(kept.name.clone()),
                Value::Text(trained.learner().to_owned()),
                Value::Text(trained.target_names().join(", ")),
                Value::Text(json!(settings_json(trained.settings())).to_string()),
                Value::Integer(made.rows as i64),
                Value::Integer(made.seed as i64),
                Value::Text(made.data.clone()),
                Value::Text(made.fingerprint.to_string()),
                Value::Text(made.version.clone()),
                Value::Text(made.command.clone()),
                Value::Text(trained.show().0),
            ]);
        }
        Ok(Box::new(Ready(rows)))
    }
}

/// The table `predictions(model)`: beside what is predicted what is true.
pub(crate) struct Predicting;

const PREDICTIONS: &[Field] = &[
    Field::found("name", "TEXT"),
    Field::found("row", "INTEGER"),
    Field::found("key", ""),
    Field::found("prediction", ""),
    Field::found("probability", "REAL"),
    Field::found("probabilities", "TEXT"),
    Field::found("truth", ""),
    Field::argument("model"),
];

impl Source for Predicting {
    fn fields(&self) -> &[Field] {
        PREDICTIONS
    }

    fn expected(&self, taken: &[&str]) -> f64 {
        if taken.is_empty() { 1e6 } else { 1e4 }
    }

    fn rows(&self, state: &Arc<State>, conditions: &Conditions) -> Result<Box<dyn Rows>> {
        let mut all = Vec::new();
        for kept in meant(state, conditions)? {
            let predicted = kept.predicted(state)?;
            let truth = truth(kept.trained(state)?, &predicted);
            for (mut row, truth) in prediction_rows(&predicted).into_iter().zip(truth) {
                row.insert(0, Value::Text(kept.name.clone()));
                row.push(truth);
                all.push(row);
            }
        }
        Ok(Box::new(Ready(all)))
    }
}

/// The true value of the first target, where the data has it.
fn truth(trained: &kinwood_workbench::Trained, predicted: &Predicted) -> Vec<Value> {
    let rows = &predicted.rows;
    let name = trained
        .target_names()
        .first()
        .map(|name| (*name).to_owned());
    let column = name.and_then(|name| rows.table().position(&name));
    let value = |row: u32| match column {
        Some(column) => cell_of(&rows.table().attribute(column).column.value(row as usize)),
        None => Value::Null,
    };
    rows.rows().map(value).collect()
}

/// The table `explanations(model, key)`: why a row, or each, is predicted as it is.
pub(crate) struct Explaining;

const EXPLANATIONS: &[Field] = &[
    Field::found("name", "TEXT"),
    Field::found("row", "INTEGER"),
    Field::found("key", ""),
    Field::found("text", "TEXT"),
    Field::found("json", "TEXT"),
    Field::argument("model"),
    Field::argument("of"),
];

/// Training rows that an explanation by rows names.
const REASONS: usize = 5;

impl Source for Explaining {
    fn fields(&self) -> &[Field] {
        EXPLANATIONS
    }

    fn expected(&self, taken: &[&str]) -> f64 {
        match (taken.contains(&"model"), taken.contains(&"of")) {
            (true, true) => 1.0,
            (true, false) => 1e4,
            _ => 1e6,
        }
    }

    fn rows(&self, state: &Arc<State>, conditions: &Conditions) -> Result<Box<dyn Rows>> {
        let of = conditions.text("of")?;
        let mut explained = Vec::new();
        for kept in meant(state, conditions)? {
            let predicted = kept.predicted(state)?;
            let rows = match &of {
                None => (0..predicted.rows.len()).collect(),
                Some(key) => {
                    let unknown = || Error::argument("of", "the key of a row", &format!("`{key}`"));
                    vec![predicted.place(key).ok_or_else(unknown)?]
                }
            };
            for row in rows {
                explained.push((Arc::clone(&kept), Arc::clone(&predicted), row));
            }
        }
        Ok(Box::new(Explanations {
            state: Arc::clone(state),
            explained,
        }))
    }
}

struct Explanations {
    state: Arc<State>,
    explained: Vec<(Arc<Kept>, Arc<Predicted>, usize)>,
}

impl Rows for Explanations {
    fn len(&self) -> usize {
        self.explained.len()
    }

    fn cell(&self, row: usize, column: usize) -> Result<Value> {
        let (kept, predicted, position) = &self.explained[row];
        let rows = &predicted.rows;
        let explained = || -> Result<_> {
            let trained = kept.trained(&self.state)?;
            Ok(trained.explain(&predicted.conformed, *position, REASONS)?)
        };
        Ok(match EXPLANATIONS[column].name {
            "name" => Value::Text(kept.name.clone()),
            "row" => Value::Integer(i64::from(rows.row(*position)) + 1),
            "key" => key_of(rows, &predicted.keys, *position),
            "text" => Value::Text(explained()?.to_text()),
            _ => Value::Text(explained()?.to_json().to_string()),
        })
    }
}

/// The table `importances(model, repeats)`: how much worse a model predicts without a part of the
/// data.
pub(crate) struct Importances;

const IMPORTANCES: &[Field] = &[
    Field::found("name", "TEXT"),
    Field::found("part", "TEXT"),
    Field::found("measure", "TEXT"),
    Field::found("importance", "REAL"),
    Field::found("sd", "REAL"),
    Field::argument("model"),
    Field::argument("repeats"),
];

impl Source for Importances {
    fn fields(&self) -> &[Field] {
        IMPORTANCES
    }

    fn expected(&self, taken: &[&str]) -> f64 {
        if taken.is_empty() { 1e6 } else { 1e5 }
    }

    fn rows(&self, state: &Arc<State>, conditions: &Conditions) -> Result<Box<dyn Rows>> {
        let repeats = conditions.whole("repeats")?.unwrap_or(10);
        let repeats = usize::try_from(repeats)
            .ok()
            .filter(|repeats| (1..=10_000).contains(repeats));
        let wrong = || Error::argument("repeats", "a whole number from 1 to 10000", "another");
        let repeats = repeats.ok_or_else(wrong)?;
        let context = state.context();
        let mut rows = Vec::new();
        for kept in meant(state, conditions)? {
            let trained = kept.trained(state)?;
            let predicted = kept.predicted(state)?;
            let view = &predicted.conformed;
            let found = importance(
                trained.model(),
                view,
                trained.targets(),
                &[],
                repeats,
                &context,
            )?;
            for (part, summary) in found.iter().take(1).flat_map(|target| &target.parts) {
                rows.push(vec![
                    Value::Text(kept.name.clone()),
                    Value::Text(part_name(*part, view)),
                    Value::Text(found[0].measure.description().key.to_owned()),
                    summary.mean.map_or(Value::Null, Value::Real),
                    summary.sd.map_or(Value::Null, Value::Real),
                ]);
            }
        }
        Ok(Box::new(Ready(rows)))
    }
}

/// A column by its name, with its table where that is another than the predicted one; of a key the
/// rows that it leads to.
fn part_name(part: kinwood_evaluation::importance::Part, view: &kinwood_values::View) -> String {
    use kinwood_evaluation::importance::Part;
    let database = view.database();
    match part {
        Part::Column { table, column } if table == view.table_position() => {
            database.table(table).attribute(column).name.clone()
        }
        Part::Column { table, column } => {
            let table = database.table(table);
            format!("{}.{}", table.name(), table.attribute(column).name)
        }
        Part::Link { .. } => format!("rows of {}", database.table(part.table(database)).name()),
    }
}
