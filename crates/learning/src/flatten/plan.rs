//! Which paths there are, and what their columns are called.

use std::collections::BTreeSet;

use kinwood_aggregates::paths::{unique, ways};
use kinwood_values::container::invalid;
use kinwood_values::{Direction, Type, View};
use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};

/// More paths than this are refused: nobody could read their columns.
const MOST_PATHS: usize = 10_000;

/// As many keys as a path can have.
pub(super) const DEEPEST: usize = 32;

/// The section of a model that holds a plan.
pub(super) const SECTION: &str = "flattening";

/// Which table is made of the paths.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Kind {
    /// A row for every combination of linked rows.
    #[serde(rename = "p1")]
    Joined,
    /// A row an object.
    #[serde(rename = "p2")]
    Averaged,
}

impl Kind {
    /// The kind of that name.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "p1" => Some(Kind::Joined),
            "p2" => Some(Kind::Averaged),
            _ => None,
        }
    }

    /// The name in `--set flatten=NAME`.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Joined => "p1",
            Kind::Averaged => "p2",
        }
    }
}

/// How a database becomes one table: its paths and the columns taken from them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Flattening {
    pub(super) kind: Kind,
    /// The target's table.
    pub(super) table: usize,
    /// Places that paths lead to, each before those behind it. Place 0 is the target's table
    /// itself; this is place 1 and on.
    pub(super) steps: Vec<Step>,
    pub(super) columns: Vec<Taken>,
    /// Columns of types that have no average, by name.
    left_out: Vec<String>,
}

/// The last key of a path.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Step {
    /// The place the key starts at.
    pub from: usize,
    pub key: usize,
    pub backward: bool,
    /// The table it leads to.
    pub table: usize,
    /// The path in words.
    pub name: String,
}

/// A column taken from a path.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Taken {
    /// The place it is taken from, from 1.
    pub place: usize,
    pub column: usize,
    pub name: String,
}

impl Step {
    pub fn direction(&self) -> Direction {
        match self.backward {
            true => Direction::Backward,
            false => Direction::Forward,
        }
    }
}

impl Flattening {
    /// The paths of at most so many keys from the view's table, and the inputs on them that are not
    /// hidden.
    pub fn plan(view: &View, kind: Kind, depth: usize) -> Result<Self> {
        let mut steps = Vec::new();
        extend(view, 0, depth, &mut steps)?;
        let own = view.table().attributes().iter();
        let mut names: BTreeSet<String> = own.map(|attribute| attribute.name.clone()).collect();
        let mut plan = Self {
            kind,
            table: view.table_position(),
            steps,
            columns: Vec::new(),
            left_out: Vec::new(),
        };
        for place in 1..=plan.steps.len() {
            let (table, path) = (plan.table_of(place), &plan.steps[place - 1].name);
            let one = plan.leads_to_one(place);
            for column in view.inputs_of(table) {
                let attribute = view.database().table(table).attribute(column);
                let name = unique(format!("{path}.{}", attribute.name), &mut names);
                let averages = matches!(attribute.type_of(), Type::Numeric | Type::Nominal);
                if kind == Kind::Joined || one || averages {
                    plan.columns.push(Taken {
                        place,
                        column,
                        name,
                    });
                } else {
                    plan.left_out.push(name);
                }
            }
        }
        Ok(plan)
    }

    /// Which table is made.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// The names of the columns that paths add to the target's table, in order.
    pub fn columns(&self) -> impl ExactSizeIterator<Item = &str> {
        self.columns.iter().map(|taken| taken.name.as_str())
    }

    /// The paths in words.
    pub fn paths(&self) -> impl ExactSizeIterator<Item = &str> {
        self.steps.iter().map(|step| step.name.as_str())
    }

    /// Linked columns that have no average and are not in the flat table.
    pub fn left_out(&self) -> &[String] {
        &self.left_out
    }

    /// The table of a place.
    pub(super) fn table_of(&self, place: usize) -> usize {
        match place {
            0 => self.table,
            place => self.steps[place - 1].table,
        }
    }

    /// Whether a path leads to one row at most, whatever the data.
    pub(super) fn leads_to_one(&self, place: usize) -> bool {
        let mut place = place;
        while place > 0 {
            let step = &self.steps[place - 1];
            if step.backward {
                return false;
            }
            place = step.from;
        }
        true
    }

    /// Fails unless the tables and keys of a view are those of the plan, which may come from a file
    /// that holds anything.
    pub(super) fn check(&self, view: &View) -> Result<()> {
        let database = view.database();
        let wrong = |reason: String| -> Error { invalid(SECTION, reason).into() };
        if self.table != view.table_position() {
            return Err(wrong("another table is the target's".to_owned()));
        }
        let mut depths = vec![0];
        for (place, step) in self.steps.iter().enumerate() {
            let depth = depths.get(step.from).map_or(0, |depth| depth + 1);
            depths.push(depth);
            if depth > DEEPEST || place >= MOST_PATHS {
                return Err(wrong("paths longer or more than there can be".to_owned()));
            }
            let key = database.foreign_keys().get(step.key);
            let ends = key.map(|key| match step.backward {
                true => (key.to, key.from),
                false => (key.from, key.to),
            });
            let fits = step.from <= place
                && ends.is_some_and(|ends| ends == (self.table_of(step.from), step.table));
            if !fits {
                return Err(wrong(format!(
                    "path `{}` follows no key of the data",
                    step.name
                )));
            }
        }
        for taken in &self.columns {
            let fits = (1..=self.steps.len()).contains(&taken.place) && {
                let table = self.table_of(taken.place);
                let attributes = database.table(table).attributes();
                attributes.get(taken.column).is_some_and(|attribute| {
                    view.column(table, taken.column).is_some()
                        && (self.kind == Kind::Joined
                            || self.leads_to_one(taken.place)
                            || matches!(attribute.type_of(), Type::Numeric | Type::Nominal))
                })
            };
            if !fits {
                return Err(wrong(format!(
                    "column `{}` is none of the data",
                    taken.name
                )));
            }
        }
        Ok(())
    }
}

/// Adds the paths that go on from a place.
fn extend(view: &View, place: usize, depth: usize, steps: &mut Vec<Step>) -> Result<()> {
    if depth == 0 {
        return Ok(());
    }
    let database = view.database();
    let (table, path) = match place {
        0 => (view.table_position(), String::new()),
        place => (
            steps[place - 1].table,
            format!("{}.", steps[place - 1].name),
        ),
    };
    let mut used = BTreeSet::new();
    let mut above = place;
    while above > 0 {
        used.insert(steps[above - 1].key);
        above = steps[above - 1].from;
    }
    for way in ways(database, table, &used) {
        if steps.len() == MOST_PATHS {
            return Err(Error::FlattenedPaths { limit: MOST_PATHS });
        }
        steps.push(Step {
            from: place,
            key: way.key,
            backward: way.backward,
            table: way.table,
            name: format!("{path}{}", way.name),
        });
        extend(view, steps.len(), depth - 1, steps)?;
    }
    Ok(())
}
