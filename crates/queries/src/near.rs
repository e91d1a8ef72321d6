//! The tables `neighbours`, `distances`, `clusters` and `prototypes`: rows compared with each
//! other.

use std::sync::{Arc, Mutex, PoisonError};

use kinwood_learners::Context;
use kinwood_similarity::neighbours::index::Index;
use kinwood_similarity::{Neighbour, Pairs, nearest};
use kinwood_workbench::clusters::{Grouping, Method, group};
use kinwood_workbench::objects::{Compared, Objects};
use kinwood_workbench::output::key_columns;
use rusqlite::types::Value;

use crate::cells::key_of;
use crate::conditions::{Comparison as Is, Conditions};
use crate::error::{Error, Result};
use crate::source::{Field, Ready, Rows, Source};
use crate::state::State;

/// What is compared: the rows of a table, or one of its columns, by a distance.
fn objects(state: &State, conditions: &Conditions) -> Result<Objects> {
    let keys = conditions.whole("keys")?.unwrap_or(0);
    let depth = usize::try_from(keys).ok().filter(|depth| *depth <= 8);
    let depth = depth.ok_or_else(|| {
        Error::argument("keys", "a whole number from 0 to 8", &format!("`{keys}`"))
    })?;
    let compared = Compared {
        table: conditions.text("table")?,
        column: conditions.text("column")?,
        distance: conditions.text("by")?,
        depth,
        ..Compared::default()
    };
    let (objects, notices) = Objects::of(&*state.data()?, &compared)?;
    notices.into_iter().for_each(|notice| state.note(notice));
    Ok(objects)
}

fn count(conditions: &Conditions, name: &str, default: usize) -> Result<usize> {
    let given = conditions.whole(name)?;
    match given {
        None => Ok(default),
        Some(number) => usize::try_from(number)
            .ok()
            .filter(|number| *number > 0)
            .ok_or_else(|| Error::argument(name, "a whole number from 1", &format!("`{number}`"))),
    }
}

/// How an object is named: its number, and its key.
fn named(objects: &Objects, keys: &[usize], position: usize) -> [Value; 2] {
    let view = objects.view();
    [
        key_of(view, keys, position),
        Value::Integer(i64::from(view.row(position)) + 1),
    ]
}

/// The table `neighbours(table, key, k, distance)`.
pub(crate) struct Neighbours;

const NEIGHBOURS: &[Field] = &[
    Field::found("key", ""),
    Field::found("row", "INTEGER"),
    Field::found("rank", "INTEGER"),
    Field::found("distance", "REAL"),
    Field::argument("table"),
    Field::argument("of"),
    Field::argument("k"),
    Field::argument("by"),
    Field::argument("column"),
    Field::argument("keys"),
];

impl Source for Neighbours {
    fn fields(&self) -> &[Field] {
        NEIGHBOURS
    }

    fn expected(&self, taken: &[&str]) -> f64 {
        if taken.contains(&"of") { 5.0 } else { 1e12 }
    }

    fn rows(&self, state: &Arc<State>, conditions: &Conditions) -> Result<Box<dyn Rows>> {
        let missing = || Error::argument("neighbours", "a table and a key", "no key");
        let of = conditions.text("of")?.ok_or_else(missing)?;
        let k = count(conditions, "k", 5)?;
        let objects = objects(state, conditions)?;
        let position = objects.find(&of)?;
        let pairs = objects.pairs("neighbours")?;
        let wanted = k.saturating_add(1).min(objects.len());
        let found = nearest(&*pairs.prepare(position), objects.len(), wanted);
        let keys = key_columns(objects.view());
        let others = found
            .into_iter()
            .filter(|other| other.reference != position)
            .take(k);
        let row = |(rank, other): (usize, Neighbour<f64>)| {
            let [key, row] = named(&objects, &keys, other.reference);
            vec![
                key,
                row,
                Value::Integer(rank as i64 + 1),
                Value::Real(other.distance),
            ]
        };
        Ok(Box::new(Ready(others.enumerate().map(row).collect())))
    }
}

/// The table `distances(table, distance)`: every row with every other.
pub(crate) struct Distances;

const DISTANCES: &[Field] = &[
    Field::steering("a", "", &[Is::Equal]),
    Field::found("b", ""),
    Field::found("a_row", "INTEGER"),
    Field::found("b_row", "INTEGER"),
    Field::steering("distance", "REAL", &[Is::Below, Is::AtMost]),
    Field::argument("table"),
    Field::argument("by"),
    Field::argument("column"),
    Field::argument("keys"),
];

impl Source for Distances {
    fn fields(&self) -> &[Field] {
        DISTANCES
    }

    fn expected(&self, _: &[&str]) -> f64 {
        1e6
    }

    fn rows(&self, state: &Arc<State>, conditions: &Conditions) -> Result<Box<dyn Rows>> {
        let objects = objects(state, conditions)?;
        let keys = key_columns(objects.view());
        let names: Vec<[Value; 2]> = (0..objects.len())
            .map(|position| named(&objects, &keys, position))
            .collect();
        let wanted = |position: &usize| {
            let mut given = conditions.on("a");
            given.all(|given| {
                given
                    .values
                    .iter()
                    .any(|value| same(value, &names[*position][0]))
            })
        };
        let from: Vec<usize> = (0..objects.len()).filter(wanted).collect();
        let pairs = objects.pairs("distances")?;
        let most = conditions
            .on("distance")
            .filter_map(|given| match given.values.first() {
                Some(Value::Real(most)) => Some(*most),
                Some(Value::Integer(most)) => Some(*most as f64),
                _ => None,
            });
        match most.reduce(f64::min) {
            Some(most) => {
                let near = within(&*pairs, &from, objects.len(), most, &state.context())?;
                let row = |(a, other): (usize, Neighbour<f64>)| {
                    let ([one, one_row], [two, two_row]) = (&names[a], &names[other.reference]);
                    vec![
                        one.clone(),
                        two.clone(),
                        one_row.clone(),
                        two_row.clone(),
                        Value::Real(other.distance),
                    ]
                };
                Ok(Box::new(Ready(near.into_iter().map(row).collect())))
            }
            None => Ok(Box::new(AllPairs {
                pairs,
                names,
                from,
                last: Mutex::default(),
            })),
        }
    }
}

/// Whether two keys are one, as SQLite compares numbers and texts.
fn same(a: &Value, b: &Value) -> bool {
    let number = |value: &Value| match value {
        Value::Integer(number) => Some(*number as f64),
        Value::Real(number) => Some(*number),
        Value::Text(text) => text.parse().ok(),
        _ => None,
    };
    a == b || matches!((number(a), number(b)), (Some(a), Some(b)) if a == b)
}

/// The others within a distance of some objects, the nearest first: by the index of the metric
/// where the distance is one, for as many neighbours as it takes.
fn within(
    pairs: &dyn Pairs<f64>,
    from: &[usize],
    objects: usize,
    most: f64,
    context: &Context,
) -> Result<Vec<(usize, Neighbour<f64>)>> {
    let index = (from.len() > 16).then(|| Index::build(pairs)).flatten();
    let mut near = Vec::new();
    for &a in from {
        context.check()?;
        let row = pairs.prepare(a);
        let mut wanted = 16.min(objects);
        let found = loop {
            let found = match &index {
                Some(index) => index.nearest(&*row, wanted),
                None => nearest(&*row, objects, wanted),
            };
            let beyond = found.last().is_none_or(|last| last.distance > most);
            if beyond || wanted >= objects {
                break found;
            }
            wanted = (4 * wanted).min(objects);
        };
        let close = found
            .into_iter()
            .filter(|other| other.reference != a && other.distance <= most);
        near.extend(close.map(|other| (a, other)));
    }
    Ok(near)
}

/// Every object with every other, computed row by row.
struct AllPairs {
    pairs: Arc<dyn Pairs<f64>>,
    names: Vec<[Value; 2]>,
    from: Vec<usize>,
    /// The distances from the object that was asked for last.
    last: Mutex<Option<(usize, Vec<f64>)>>,
}

impl AllPairs {
    fn place(&self, row: usize) -> (usize, usize) {
        let others = self.names.len() - 1;
        let (a, other) = (self.from[row / others], row % others);
        (a, other + usize::from(other >= a))
    }
}

impl Rows for AllPairs {
    fn len(&self) -> usize {
        self.from.len() * self.names.len().saturating_sub(1)
    }

    fn cell(&self, row: usize, column: usize) -> Result<Value> {
        let (a, b) = self.place(row);
        Ok(match DISTANCES[column].name {
            "a" => self.names[a][0].clone(),
            "b" => self.names[b][0].clone(),
            "a_row" => self.names[a][1].clone(),
            "b_row" => self.names[b][1].clone(),
            _ => {
                let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
                if last.as_ref().is_none_or(|(known, _)| *known != a) {
                    let mut all = vec![0.0; self.names.len()];
                    self.pairs.prepare(a).fill(0..self.names.len(), &mut all);
                    *last = Some((a, all));
                }
                Value::Real(last.as_ref().map_or(f64::NAN, |(_, all)| all[b]))
            }
        })
    }
}

/// The table `clusters(table, k, distance)`.
pub(crate) struct Clusters;

const CLUSTERS: &[Field] = &[
    Field::found("key", ""),
    Field::found("row", "INTEGER"),
    Field::found("cluster", "INTEGER"),
    Field::found("outlier_score", "REAL"),
    Field::argument("table"),
    Field::argument("k"),
    Field::argument("by"),
    Field::argument("method"),
    Field::argument("column"),
    Field::argument("keys"),
];

impl Source for Clusters {
    fn fields(&self) -> &[Field] {
        CLUSTERS
    }

    fn expected(&self, _: &[&str]) -> f64 {
        1e5
    }

    fn rows(&self, state: &Arc<State>, conditions: &Conditions) -> Result<Box<dyn Rows>> {
        let objects = objects(state, conditions)?;
        let found = grouped(state, conditions, &objects)?;
        let keys = key_columns(objects.view());
        let row = |position: usize| {
            let [key, row] = named(&objects, &keys, position);
            vec![
                key,
                row,
                Value::Integer(found.clusters[position] as i64 + 1),
                found
                    .outliers
                    .get(position)
                    .map_or(Value::Null, |score| Value::Real(*score)),
            ]
        };
        Ok(Box::new(Ready((0..objects.len()).map(row).collect())))
    }
}

/// Neighbours whose mean distance is the outlier score.
const NEAR: usize = 5;

fn grouped(state: &State, conditions: &Conditions, objects: &Objects) -> Result<Grouping> {
    let k = count(conditions, "k", 3)?;
    let name = conditions
        .text("method")?
        .unwrap_or_else(|| "medoids".to_owned());
    let method = Method::named(&name).ok_or_else(|| Error::Argument {
        name: "method".to_owned(),
        expected: format!("one of {}", Method::NAMES.join(", ")),
        found: format!("`{name}`"),
        nearest: kinwood_values::suggest::nearest(&name, Method::NAMES),
    })?;
    Ok(group(objects, method, k, NEAR, &state.context())?)
}

/// The table `prototypes(table, k, distance)`: the row in the middle of each cluster.
pub(crate) struct Prototypes;

const PROTOTYPES: &[Field] = &[
    Field::found("cluster", "INTEGER"),
    Field::found("key", ""),
    Field::found("row", "INTEGER"),
    Field::found("size", "INTEGER"),
    Field::argument("table"),
    Field::argument("k"),
    Field::argument("by"),
    Field::argument("column"),
    Field::argument("keys"),
];

impl Source for Prototypes {
    fn fields(&self) -> &[Field] {
        PROTOTYPES
    }

    fn expected(&self, _: &[&str]) -> f64 {
        1e5
    }

    fn rows(&self, state: &Arc<State>, conditions: &Conditions) -> Result<Box<dyn Rows>> {
        let objects = objects(state, conditions)?;
        let found = grouped(state, conditions, &objects)?;
        let keys = key_columns(objects.view());
        let sizes = found.sizes();
        let medoids = found.medoids.unwrap_or_default();
        let row = |(cluster, &position): (usize, &usize)| {
            let [key, row] = named(&objects, &keys, position);
            vec![
                Value::Integer(cluster as i64 + 1),
                key,
                row,
                Value::Integer(sizes.get(cluster).copied().unwrap_or(0) as i64),
            ]
        };
        Ok(Box::new(Ready(
            medoids.iter().enumerate().map(row).collect(),
        )))
    }
}
