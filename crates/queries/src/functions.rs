//! Functions of SQL: what models say of a row, and how far values are apart.

use std::sync::Arc;

use kinwood_evaluation::members::distance_over_targets;
use kinwood_similarity::{Expression, Measured, Registry, suggested::suggested_type};
use kinwood_values::Value as Cell;
use kinwood_workbench::evaluate::{Division, evaluate};
use rusqlite::Connection;
use rusqlite::functions::{Context, FunctionFlags};
use rusqlite::types::Value;
use serde_json::Value as Json;

use crate::error::{Error, Result};
use crate::kept::{Kept, Predicted};
use crate::search::Found;
use crate::state::State;
use crate::walk::caught;

/// Registers all functions.
pub(crate) fn register(connection: &Connection, state: &Arc<State>) -> rusqlite::Result<()> {
    for &(name, arguments, function) in ALL {
        let state = Arc::clone(state);
        let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DIRECTONLY;
        connection.create_scalar_function(name, arguments, flags, move |context| {
            let values = values(context)?;
            caught(|| function(&state, &values)).map_err(|error| {
                let words = error.to_string();
                state.failed(error);
                rusqlite::Error::UserFunctionError(words.into())
            })
        })?;
    }
    // The SQL of boosted models wants it, and the SQLite that is linked here has no mathematics.
    let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC;
    connection.create_scalar_function("exp", 1, flags, |context| {
        let number: Option<f64> = context.get(0)?;
        Ok(number.map(f64::exp))
    })
}

/// Every function: its name, how many arguments it has, and what it does.
pub(crate) const ALL: &[(&str, i32, Function)] = &[
    ("predict", 2, predict),
    ("probability", 3, probability),
    ("explain", 2, explain),
    ("evaluate", 1, evaluated),
    ("distance", 3, distance),
    ("similar_to", 1, similar),
    ("similar_to", 2, similar_to),
];

/// What a function does.
pub(crate) type Function = fn(&Arc<State>, &[Value]) -> Result<Value>;

fn values(context: &Context<'_>) -> rusqlite::Result<Vec<Value>> {
    (0..context.len()).map(|place| context.get(place)).collect()
}

/// The text of an argument; nothing where it is `NULL`.
fn text(value: &Value) -> Option<String> {
    match value {
        Value::Null | Value::Blob(_) => None,
        Value::Text(text) => Some(text.clone()),
        Value::Integer(number) => Some(number.to_string()),
        Value::Real(number) => Some(number.to_string()),
    }
}

/// The model that a name or the `model` of a tree means.
pub(crate) fn model(state: &Arc<State>, name: &str) -> Result<Arc<Kept>> {
    match tree(state, name) {
        Some(found) => state.handle(name, || Ok(Kept::of(name, found.trained()?))),
        None => state.model(name),
    }
}

/// The tree that a handle means.
fn tree(state: &State, handle: &str) -> Option<Found> {
    let (id, number) = handle.strip_prefix("tree ")?.split_once(" of search ")?;
    state.searches.found(number.parse().ok()?, id.parse().ok()?)
}

/// The row of a key.
fn row(predicted: &Predicted, key: &str) -> Result<usize> {
    predicted.place(key).ok_or_else(|| Error::Argument {
        name: "key".to_owned(),
        expected: format!(
            "a key of `{}`, or the number of a row that has none",
            predicted.rows.table().name()
        ),
        found: format!("`{key}`"),
        nearest: kinwood_values::suggest::nearest(key, predicted.names())
            .filter(|_| key.parse::<f64>().is_err()),
    })
}

fn predict(state: &Arc<State>, values: &[Value]) -> Result<Value> {
    let (Some(name), Some(key)) = (text(&values[0]), text(&values[1])) else {
        return Ok(Value::Null);
    };
    let predicted = model(state, &name)?.predicted(state)?;
    Ok(predicted.values[0][row(&predicted, &key)?].clone())
}

fn probability(state: &Arc<State>, values: &[Value]) -> Result<Value> {
    let (Some(name), Some(key)) = (text(&values[0]), text(&values[1])) else {
        return Ok(Value::Null);
    };
    let Some(class) = text(&values[2]) else {
        return Ok(Value::Null);
    };
    let predicted = model(state, &name)?.predicted(state)?;
    let row = row(&predicted, &key)?;
    let (parts, shares) = &predicted.probabilities[0];
    let part = parts.iter().position(|part| *part == class);
    match part {
        Some(part) => Ok(Value::Real(shares[row][part])),
        None => Err(Error::Argument {
            name: "probability".to_owned(),
            expected: match parts.is_empty() {
                true => "a model of classes".to_owned(),
                false => format!("one of {}", parts.join(", ")),
            },
            found: format!("`{class}`"),
            nearest: kinwood_values::suggest::nearest(&class, parts),
        }),
    }
}

/// How many rows an explanation by rows names.
const REASONS: usize = 5;

fn explain(state: &Arc<State>, values: &[Value]) -> Result<Value> {
    let (Some(name), Some(key)) = (text(&values[0]), text(&values[1])) else {
        return Ok(Value::Null);
    };
    let kept = model(state, &name)?;
    let predicted = kept.predicted(state)?;
    let row = row(&predicted, &key)?;
    let explanation = kept
        .trained(state)?
        .explain(&predicted.conformed, row, REASONS)?;
    Ok(Value::Text(explanation.to_text()))
}

/// The mean of each measure over ten folds, as JSON: of the model's learner and settings, fitted
/// anew on each.
fn evaluated(state: &Arc<State>, values: &[Value]) -> Result<Value> {
    let Some(name) = text(&values[0]) else {
        return Ok(Value::Null);
    };
    let kept = model(state, &name)?;
    let trained = kept.trained(state)?;
    let targets: Vec<String> = trained
        .target_names()
        .into_iter()
        .map(str::to_owned)
        .collect();
    let table = trained.schema().table(trained.table()).name();
    let data = state.data()?;
    let several = data.database().tables().len() > 1;
    let qualified = |name: &String| match several {
        true => format!("{table}.{name}"),
        false => name.clone(),
    };
    let targets: Vec<String> = targets.iter().map(qualified).collect();
    let problem = state.problem(&targets)?;
    let context = state.context();
    let folds = Division::Folds {
        folds: 10,
        repeats: 1,
    };
    let report = evaluate(
        &state.registry,
        trained.learner(),
        trained.settings(),
        &problem,
        Some(&folds),
        data.source(),
        &context,
    )?;
    context.check()?;
    Ok(Value::Text(report.to_json()["mean"].to_string()))
}

/// As `kinwood distance` has it: values are JSON, and what is no JSON is text.
fn distance(_: &Arc<State>, values: &[Value]) -> Result<Value> {
    let Some(expression) = text(&values[0]) else {
        return Ok(Value::Null);
    };
    let json = |value: &Value| match value {
        Value::Text(text) => {
            serde_json::from_str(text).unwrap_or_else(|_| Json::String(text.clone()))
        }
        Value::Integer(number) => Json::from(*number),
        Value::Real(number) => Json::from(*number),
        Value::Null | Value::Blob(_) => Json::Null,
    };
    let (a, b) = (json(&values[1]), json(&values[2]));
    let expression: Expression = expression.parse()?;
    let wrong = |error: &dyn std::fmt::Display| {
        Error::argument("distance", "two values of one type", &error.to_string())
    };
    let of = suggested_type(&expression, &[&a, &b]).map_err(|error| wrong(&error))?;
    let measure = Registry::known().distance(&expression, &of, None, "the value")?;
    let value = |json: &Json| Cell::from_json(&of, json).map_err(|error| wrong(&error));
    Ok(match measure.between(&value(&a)?, &value(&b)?)? {
        Measured::Number(number) => Value::Real(number),
        pair => Value::Text(pair.to_string()),
    })
}

/// How alike a tree is to the others of its search.
fn similar(state: &Arc<State>, values: &[Value]) -> Result<Value> {
    let Some(handle) = text(&values[0]) else {
        return Ok(Value::Null);
    };
    let wrong = || {
        Error::argument(
            "similar_to",
            "the `model` of a tree",
            &format!("`{handle}`"),
        )
    };
    let found = tree(state, &handle).ok_or_else(wrong)?;
    Ok(Value::Real(found.similarity(&state.context())?))
}

/// How alike two models predict: one less the distance of their predictions.
fn similar_to(state: &Arc<State>, values: &[Value]) -> Result<Value> {
    let (Some(one), Some(other)) = (text(&values[0]), text(&values[1])) else {
        return Ok(Value::Null);
    };
    let context = state.context();
    if let (Some(one), Some(other)) = (tree(state, &one), tree(state, &other)) {
        let apart = distance_over_targets(one.predictions(&context)?, other.predictions(&context)?);
        return Ok(Value::Real(1.0 - apart));
    }
    let predictions = |name: &str| -> Result<kinwood_learners::Predictions> {
        let kept = model(state, name)?;
        let predicted = kept.predicted(state)?;
        Ok(kept
            .trained(state)?
            .predict(&predicted.conformed, &context)?)
    };
    let apart = distance_over_targets(&predictions(&one)?, &predictions(&other)?);
    Ok(Value::Real(1.0 - apart))
}
