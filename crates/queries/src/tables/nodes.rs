//! The tables `nodes` and `tests`: what trees are made of.

use std::sync::Arc;

use kinwood_learners::drawing::{Drawing, Mark, TreeDrawn};
use rusqlite::types::Value;
use serde_json::{Map, json};

use crate::conditions::{Comparison as Is, Conditions};
use crate::error::{Error, Result};
use crate::search::Found;
use crate::source::{Field, Known, Ready, Rows, Source};
use crate::state::State;

/// The trees that a condition on `tree` or `target` means; without one all that the connection has
/// found.
pub(super) fn meant(state: &Arc<State>, conditions: &Conditions) -> Result<Vec<Found>> {
    if let Some(given) = conditions.on("tree").next() {
        let numbers = given.values.iter().filter_map(|value| match value {
            Value::Integer(number) => Some(*number),
            Value::Real(number) if number.fract() == 0.0 => Some(*number as i64),
            // To an INTEGER column a number in quotes is that number.
            Value::Text(text) => {
                let number: f64 = text.trim().parse().ok()?;
                (number.fract() == 0.0).then_some(number as i64)
            }
            _ => None,
        });
        return Ok(numbers.filter_map(|id| state.searches.tree(id)).collect());
    }
    let mut argument = Conditions::default();
    argument.0.extend(conditions.on("target").cloned());
    if conditions.text("target")?.is_some() {
        let request = crate::request::Request::read(&argument)?;
        let search = state.searches.answer(state, &request)?;
        let each = (0..search.len()).map(|place| Found {
            search: Arc::clone(&search),
            place,
        });
        return Ok(each.collect());
    }
    let known = (1..=state.searches.count()).filter_map(|id| state.searches.tree(id));
    Ok(known.collect())
}

/// How many rows there are of one tree, or of all.
pub(super) fn expected(taken: &[&str], each: f64) -> f64 {
    match (taken.contains(&"tree"), taken.contains(&"target")) {
        (true, _) => each,
        (false, true) => 100.0 * each,
        (false, false) => 1e9,
    }
}

/// What people should know of the trees of a target: they are those of a search.
pub(super) fn remark(known: &[Known<'_>]) -> Option<&'static str> {
    let given = |name: &str| known.iter().any(|known| known.name == name);
    let sought = given("target") && !given("tree");
    sought.then_some("of the trees of a beam, which may miss some")
}

/// What a node says of the first target.
pub(super) struct Says {
    /// The prediction.
    pub prediction: Value,
    /// How probable it is, of classes and labels.
    pub probability: Value,
    /// The probability of each class or label, as JSON.
    pub probabilities: Value,
}

/// What a node says of the first target.
pub(super) fn says(drawing: &Drawing, answers: &[Mark]) -> Says {
    let nothing = || Says {
        prediction: Value::Null,
        probability: Value::Null,
        probabilities: Value::Null,
    };
    let (Some(target), Some(mark)) = (drawing.targets.first(), answers.first()) else {
        return nothing();
    };
    let of_labels = |shares: &[f64]| {
        let pairs = target
            .labels
            .iter()
            .cloned()
            .zip(shares.iter().map(|share| json!(share)));
        Value::Text(json!(pairs.collect::<Map<_, _>>()).to_string())
    };
    let label = |place: usize| target.labels.get(place).cloned().unwrap_or_default();
    match mark {
        Mark::Stack { weights, chosen } => {
            let total: f64 = weights.iter().sum();
            let shares: Vec<f64> = weights
                .iter()
                .map(|weight| weight / total.max(f64::MIN_POSITIVE))
                .collect();
            let chosen = *chosen;
            Says {
                prediction: chosen.map_or(Value::Null, |place| Value::Text(label(place))),
                probability: chosen.map_or(Value::Null, |place| Value::Real(shares[place])),
                probabilities: of_labels(&shares),
            }
        }
        Mark::Number { mean, .. } => Says {
            prediction: Value::Real(*mean),
            ..nothing()
        },
        Mark::Shares(shares) => {
            let likely = shares
                .iter()
                .enumerate()
                .filter(|(_, share)| **share >= 0.5);
            let labels: Vec<String> = likely.map(|(place, _)| label(place)).collect();
            Says {
                prediction: Value::Text(json!(labels).to_string()),
                probability: Value::Null,
                probabilities: of_labels(shares),
            }
        }
        Mark::Line { said, .. } => Says {
            prediction: Value::Text(said.clone()),
            ..nothing()
        },
    }
}

/// Each tree with its drawing.
pub(super) fn over(
    found: &[Found],
    each: &mut dyn FnMut(&Found, &Drawing, &TreeDrawn) -> Result<()>,
) -> Result<()> {
    for found in found {
        let drawing = found.drawing()?;
        each(found, &drawing, Found::drawn(&drawing)?)?;
    }
    Ok(())
}

/// The table `nodes`.
pub(crate) struct Nodes;

const NODES: &[Field] = &[
    Field::steering("tree", "INTEGER", &[Is::Equal]),
    Field::found("node", "INTEGER"),
    Field::found("parent", "INTEGER"),
    Field::found("branch", "TEXT"),
    Field::found("depth", "INTEGER"),
    Field::found("kind", "TEXT"),
    Field::found("test", "TEXT"),
    Field::found("column", "TEXT"),
    Field::found("weight", "REAL"),
    Field::found("prediction", ""),
    Field::found("probability", "REAL"),
    Field::found("probabilities", "TEXT"),
    Field::argument("target"),
];

impl Source for Nodes {
    fn fields(&self) -> &[Field] {
        NODES
    }

    fn remark(&self, known: &[Known<'_>]) -> Option<&'static str> {
        remark(known)
    }

    fn expected(&self, taken: &[&str]) -> f64 {
        expected(taken, 15.0)
    }

    fn rows(&self, state: &Arc<State>, conditions: &Conditions) -> Result<Box<dyn Rows>> {
        let mut rows = Vec::new();
        over(&meant(state, conditions)?, &mut |found, drawing, tree| {
            let depths = tree.depths();
            for (place, node) in tree.nodes.iter().enumerate() {
                let branch = node.parent.and_then(|(parent, branch)| {
                    let test = tree.nodes[parent as usize].test.as_ref()?;
                    Some(test.branches.get(branch)?.words.clone())
                });
                let says = says(drawing, &node.answers);
                let text = |text: Option<String>| text.map_or(Value::Null, Value::Text);
                rows.push(vec![
                    Value::Integer(found.id()),
                    Value::Integer(place as i64 + 1),
                    node.parent.map_or(Value::Null, |(parent, _)| {
                        Value::Integer(i64::from(parent) + 1)
                    }),
                    text(branch),
                    Value::Integer(depths[place] as i64),
                    Value::Text(if node.test.is_some() { "test" } else { "leaf" }.to_owned()),
                    text(node.test.as_ref().map(|test| test.words.clone())),
                    text(node.test.as_ref().map(|test| test.column.clone())),
                    Value::Real(node.weight),
                    says.prediction,
                    says.probability,
                    says.probabilities,
                ]);
            }
            Ok(())
        })?;
        Ok(Box::new(Ready(rows)))
    }
}

/// The table `tests`.
pub(crate) struct Tests;

const TESTS: &[Field] = &[
    Field::steering("tree", "INTEGER", &[Is::Equal]),
    Field::found("node", "INTEGER"),
    Field::found("depth", "INTEGER"),
    Field::found("test", "TEXT"),
    Field::found("column", "TEXT"),
    Field::found("distance", "TEXT"),
    Field::found("branches", "INTEGER"),
    Field::found("weight", "REAL"),
    Field::argument("target"),
];

impl Source for Tests {
    fn fields(&self) -> &[Field] {
        TESTS
    }

    fn remark(&self, known: &[Known<'_>]) -> Option<&'static str> {
        remark(known)
    }

    fn expected(&self, taken: &[&str]) -> f64 {
        expected(taken, 7.0)
    }

    fn rows(&self, state: &Arc<State>, conditions: &Conditions) -> Result<Box<dyn Rows>> {
        let mut rows = Vec::new();
        over(&meant(state, conditions)?, &mut |found, _, tree| {
            let depths = tree.depths();
            let nodes = tree.nodes.iter().enumerate();
            rows.extend(nodes.filter_map(|(place, node)| {
                let test = node.test.as_ref()?;
                Some(vec![
                    Value::Integer(found.id()),
                    Value::Integer(place as i64 + 1),
                    Value::Integer(depths[place] as i64),
                    Value::Text(test.words.clone()),
                    Value::Text(test.column.clone()),
                    test.distance.clone().map_or(Value::Null, Value::Text),
                    Value::Integer(test.branches.len() as i64),
                    Value::Real(node.weight),
                ])
            }));
            Ok(())
        })?;
        Ok(Box::new(Ready(rows)))
    }
}

impl From<std::num::TryFromIntError> for Error {
    fn from(error: std::num::TryFromIntError) -> Self {
        Error::Side(error.to_string())
    }
}
