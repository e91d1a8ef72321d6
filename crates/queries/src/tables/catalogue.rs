//! The tables `learners`, `evaluations` and `folds`.

use std::sync::Arc;

use kinwood_workbench::Report;
use kinwood_workbench::evaluate::{Division, evaluate};
use rusqlite::types::Value;
use serde_json::{Map, json};

use crate::conditions::Conditions;
use crate::error::{Error, Result};
use crate::source::{Field, Ready, Rows, Source};
use crate::state::State;

/// The table `learners`: what there is to fit.
pub(crate) struct Learners;

const LEARNERS: &[Field] = &[
    Field::found("learner", "TEXT"),
    Field::found("summary", "TEXT"),
    Field::found("targets", "TEXT"),
    Field::found("follows_keys", "INTEGER"),
    Field::found("settings", "TEXT"),
    Field::found("reference", "TEXT"),
];

impl Source for Learners {
    fn fields(&self) -> &[Field] {
        LEARNERS
    }

    fn expected(&self, _: &[&str]) -> f64 {
        20.0
    }

    fn rows(&self, state: &Arc<State>, _: &Conditions) -> Result<Box<dyn Rows>> {
        let row = |entry: &kinwood_learners::Entry| {
            let settings: Map<String, serde_json::Value> = entry
                .all_parameters()
                .iter()
                .map(|parameter| (parameter.name.to_owned(), json!(parameter.default)))
                .collect();
            vec![
                Value::Text(entry.name.to_owned()),
                Value::Text(entry.summary.to_owned()),
                Value::Text(entry.targets.name().to_owned()),
                Value::Integer(i64::from((entry.follows_keys)(&entry.defaults()))),
                Value::Text(json!(settings).to_string()),
                Value::Text(entry.reference.to_owned()),
            ]
        };
        Ok(Box::new(Ready(
            state.registry.entries().iter().map(row).collect(),
        )))
    }
}

/// The evaluation that conditions describe.
fn report(state: &State, conditions: &Conditions) -> Result<Report> {
    let whole = |name: &str, default: usize, least: i64| -> Result<usize> {
        match conditions.whole(name)? {
            None => Ok(default),
            Some(number) if (least..=10_000).contains(&number) => Ok(number as usize),
            Some(number) => {
                let expected = format!("a whole number from {least} to 10000");
                Err(Error::argument(name, &expected, &format!("`{number}`")))
            }
        }
    };
    let learner = conditions
        .text("learner")?
        .unwrap_or_else(|| "tree".to_owned());
    let request = crate::request::Request::read(conditions)?;
    let problem = state.problem(&request.targets)?;
    let folds = Division::Folds {
        folds: whole("folds", 10, 2)?,
        repeats: whole("repeats", 1, 1)?,
    };
    let data = state.data()?;
    let context = state.context();
    let report = evaluate(
        &state.registry,
        &learner,
        &request.settings,
        &problem,
        Some(&folds),
        data.source(),
        &context,
    )?;
    context.check()?;
    report
        .notices
        .iter()
        .cloned()
        .for_each(|notice| state.note(notice));
    Ok(report)
}

fn real(number: Option<f64>) -> Value {
    number.map_or(Value::Null, Value::Real)
}

/// The table `evaluations(target, learner, settings, folds, repeats)`: a measure a row.
pub(crate) struct Evaluations;

const EVALUATIONS: &[Field] = &[
    Field::found("measure", "TEXT"),
    Field::found("mean", "REAL"),
    Field::found("sd", "REAL"),
    Field::found("pooled", "REAL"),
    Field::argument("target"),
    Field::argument("learner"),
    Field::argument("settings"),
    Field::argument("folds"),
    Field::argument("repeats"),
];

impl Source for Evaluations {
    fn fields(&self) -> &[Field] {
        EVALUATIONS
    }

    fn expected(&self, taken: &[&str]) -> f64 {
        1e6 / (1 + taken.len()) as f64
    }

    fn rows(&self, state: &Arc<State>, conditions: &Conditions) -> Result<Box<dyn Rows>> {
        let evaluation = report(state, conditions)?.evaluation;
        let row = |(place, measure): (usize, &String)| {
            let summary = &evaluation.summaries[place];
            vec![
                Value::Text(measure.clone()),
                real(summary.mean),
                real(summary.sd),
                real(evaluation.pooled[place]),
            ]
        };
        Ok(Box::new(Ready(
            evaluation.measures.iter().enumerate().map(row).collect(),
        )))
    }
}

/// The table `folds`, of the same arguments: a measure of a fold a row.
pub(crate) struct Folds;

const FOLDS: &[Field] = &[
    Field::found("repeat", "INTEGER"),
    Field::found("fold", "INTEGER"),
    Field::found("rows", "INTEGER"),
    Field::found("measure", "TEXT"),
    Field::found("value", "REAL"),
    Field::argument("target"),
    Field::argument("learner"),
    Field::argument("settings"),
    Field::argument("folds"),
    Field::argument("repeats"),
];

impl Source for Folds {
    fn fields(&self) -> &[Field] {
        FOLDS
    }

    fn expected(&self, taken: &[&str]) -> f64 {
        1e6 / (1 + taken.len()) as f64
    }

    fn rows(&self, state: &Arc<State>, conditions: &Conditions) -> Result<Box<dyn Rows>> {
        let evaluation = report(state, conditions)?.evaluation;
        let mut rows = Vec::new();
        for fold in &evaluation.folds {
            for (measure, score) in evaluation.measures.iter().zip(&fold.scores) {
                rows.push(vec![
                    Value::Integer(fold.repeat as i64),
                    Value::Integer(fold.fold as i64),
                    Value::Integer(fold.n as i64),
                    Value::Text(measure.clone()),
                    real(*score),
                ]);
            }
        }
        Ok(Box::new(Ready(rows)))
    }
}
