//! The table `trees`: a row for each tree that a search finds under the conditions of the query.
//!
//! Conditions on size, depth, error, accuracy and on what a tree uses are constraints of the
//! search; `LIMIT`, where nothing else is left to filter, is the width of its beam. SQLite checks
//! all of them again, so that the rows are those that meet the query whoever applied it.

use std::sync::Arc;

use kinwood_learners::sql::Asked;
use rusqlite::types::Value;
use serde_json::json;

use crate::conditions::{Comparison as Is, Conditions};
use crate::error::Result;
use crate::request::Request;
use crate::search::{Found, Search};
use crate::source::{Field, Known, Rows, Source};
use crate::state::State;

/// The table `trees`.
pub(crate) struct Trees;

/// The columns: what is found, then arguments in the order of a call, then what can be demanded.
const FIELDS: &[Field] = &[
    Field::steering("tree", "INTEGER", &[Is::Equal]),
    Field::steering("size", "INTEGER", &[Is::Equal, Is::Below, Is::AtMost]),
    Field::steering("depth", "INTEGER", &[Is::Equal, Is::Below, Is::AtMost]),
    Field::found("leaves", "INTEGER"),
    Field::steering("training_error", "REAL", &[Is::Below, Is::AtMost]),
    Field::found("score", "REAL"),
    Field::found("columns_used", "TEXT"),
    Field::found("text", "TEXT"),
    Field::found("json", "TEXT"),
    Field::found("sql", "TEXT"),
    Field::found("model", "TEXT"),
    // Not hidden: SQLite loses the collation of a hidden column.
    Field::steering(
        "uses",
        "TEXT COLLATE kinwood_uses",
        &[Is::Equal, Is::Unequal],
    )
    .finding_in(),
    Field::argument("target"),
    Field::argument("learner"),
    Field::argument("complete"),
    Field::argument("width"),
    Field::argument("completes"),
    Field::argument("constraints"),
    Field::argument("settings"),
    Field::steering("error", "REAL HIDDEN", &[Is::Below, Is::AtMost]),
    Field::steering("accuracy", "REAL HIDDEN", &[Is::Above, Is::AtLeast]),
    Field::steering("similarity", "REAL HIDDEN", &[Is::Below, Is::AtMost]),
];

impl Source for Trees {
    fn fields(&self) -> &[Field] {
        FIELDS
    }

    fn takes_limit(&self) -> bool {
        true
    }

    fn remark(&self, known: &[Known<'_>]) -> Option<&'static str> {
        let complete = known.iter().find(|known| known.name == "complete");
        let whole = complete.map(|known| known.value);
        Some(match whole {
            Some(Some(Value::Integer(1..))) => "all trees are made",
            Some(None) => "a beam, which may miss trees, unless `complete` is 1",
            _ => "a beam, which may miss trees",
        })
    }

    fn expected(&self, taken: &[&str]) -> f64 {
        // A search comes first; only a tree that is known already is found sooner by its number.
        match taken.contains(&"tree") {
            true => 50.0,
            false => {
                let given = FIELDS
                    .iter()
                    .filter(|field| field.argument && taken.contains(&field.name));
                10_000.0 / (1 + given.count()) as f64
            }
        }
    }

    fn rows(&self, state: &Arc<State>, conditions: &Conditions) -> Result<Box<dyn Rows>> {
        let request = Request::read(conditions)?;
        let search = state.searches.answer(state, &request)?;
        let mut places = Vec::with_capacity(search.len());
        for place in 0..search.len() {
            let found = Found {
                search: Arc::clone(&search),
                place,
            };
            // SQLite leaves `IN` to the table.
            if request.uses.is_empty() || request.use_one_each(found.facts()?) {
                places.push(place);
            }
        }
        Ok(Box::new(TreeRows {
            state: Arc::clone(state),
            search,
            places,
        }))
    }
}

struct TreeRows {
    state: Arc<State>,
    search: Arc<Search>,
    places: Vec<usize>,
}

impl TreeRows {
    fn found(&self, row: usize) -> Found {
        Found {
            search: Arc::clone(&self.search),
            place: self.places[row],
        }
    }
}

impl Rows for TreeRows {
    fn len(&self) -> usize {
        self.places.len()
    }

    fn number(&self, row: usize) -> Option<i64> {
        // Some cells are of the search: how alike the others are, and the handle.
        Some(self.search.ids[self.places[row]])
    }

    fn cell(&self, row: usize, column: usize) -> Result<Value> {
        let found = self.found(row);
        let number = |number: usize| Value::Integer(number as i64);
        let real = |number: Option<f64>| number.map_or(Value::Null, Value::Real);
        Ok(match FIELDS[column].name {
            "tree" => Value::Integer(found.id()),
            "size" => number(found.facts()?.size),
            "depth" => number(found.facts()?.depth),
            "leaves" => number(found.facts()?.leaves),
            "training_error" | "error" => real(found.facts()?.error),
            "accuracy" => real(found.facts()?.accuracy),
            "score" => real(found.facts()?.score),
            "columns_used" => Value::Text(json!(found.facts()?.columns).to_string()),
            "uses" => Value::Text(json!(found.facts()?.uses).to_string()),
            "text" => Value::Text(text(&found)?),
            "json" => Value::Text(json_of(&found)?),
            "sql" => sql(&found)?,
            "model" => Value::Text(found.handle()),
            "similarity" => Value::Real(found.similarity(&self.state.context())?),
            _ => Value::Null,
        })
    }
}

/// The tree in words, without how it was found: the same tree reads the same whichever search
/// found it.
fn text(found: &Found) -> Result<String> {
    let shown = found.model()?.show();
    let search = found.model()?.facts().evaluated.is_some();
    Ok(match shown.split_once('\n') {
        Some((first, rest)) if search && first.contains(" search, ") => rest.to_owned(),
        _ => shown,
    })
}

/// The tree for programs, without how it was found.
fn json_of(found: &Found) -> Result<String> {
    let mut json = found.model()?.to_json();
    if let Some(fields) = json.as_object_mut() {
        for about in ["search", "models_evaluated", "stopped", "notes", "combine"] {
            fields.remove(about);
        }
    }
    Ok(json.to_string())
}

/// The tree as SQL: an expression, or the statement that creates a view; nothing where it cannot be
/// written so.
fn sql(found: &Found) -> Result<Value> {
    let trained = found.trained()?;
    if let Ok(Some(view)) = trained.view("prediction", Asked::Answers) {
        return Ok(Value::Text(view));
    }
    Ok(match trained.sql(Asked::Answers) {
        Ok(expressions) => {
            let each: Vec<String> = expressions.into_iter().map(|each| each.sql).collect();
            Value::Text(each.join(",\n"))
        }
        Err(_) => Value::Null,
    })
}
