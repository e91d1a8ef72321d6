//! Paths of foreign keys and what they are called.

use std::collections::{BTreeMap, BTreeSet};

use kinwood_values::{Database, Direction, View};
use serde::{Deserialize, Serialize};

/// More places than this are not visited: nobody could read their columns.
const MOST_PLACES: usize = 400;

/// The last key of a path.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// The place the key starts at.
    pub from: usize,
    /// The foreign key.
    pub key: usize,
    /// Whether it is followed to the rows that refer.
    pub backward: bool,
    /// Whether of these rows the latest alone is taken.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub latest: bool,
    /// The table it leads to.
    pub table: usize,
    /// The path in words.
    pub name: String,
}

impl Step {
    /// Which way the key is followed.
    pub fn direction(&self) -> Direction {
        match self.backward {
            true => Direction::Backward,
            false => Direction::Forward,
        }
    }

    /// Whether it leads from a row to one row at most.
    pub fn to_one(&self) -> bool {
        !self.backward || self.latest
    }
}

/// Places that paths from a table lead to, each before those behind it. Place 0 is the table
/// itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Paths {
    pub(crate) table: usize,
    pub(crate) steps: Vec<Step>,
}

impl Paths {
    /// The paths of at most so many keys from the view's table, a key at most once in each. Keys
    /// followed forward from the table itself, which tell whose row it is, do not count.
    pub fn new(view: &View, depth: usize) -> Self {
        let mut paths = Self {
            table: view.table_position(),
            steps: Vec::new(),
        };
        // Places near the start come first, so that a limit leaves out the farthest.
        let mut open = vec![(0, depth)];
        while !open.is_empty() {
            let mut next = Vec::new();
            for (place, left) in open {
                paths.extend(view, place, left, &mut next);
            }
            open = next;
        }
        paths
    }

    fn extend(&mut self, view: &View, place: usize, left: usize, next: &mut Vec<(usize, usize)>) {
        let database = view.database();
        let used = self.keys_to(place);
        let path = match place {
            0 => String::new(),
            place => format!("{}.", self.steps[place - 1].name),
        };
        let owner = self.is_owner(place);
        for way in ways(database, self.table_of(place), &used) {
            let left = match owner && !way.backward {
                true => left,
                false => match left.checked_sub(1) {
                    Some(left) => left,
                    None => continue,
                },
            };
            // Of the rows that refer to one row, the latest may lead on by itself.
            let latest = way.backward
                && left > 0
                && self.to_one(place)
                && database.table(way.table).time().is_some();
            for latest in [false, true].into_iter().take(1 + usize::from(latest)) {
                if self.steps.len() == MOST_PLACES {
                    return;
                }
                let word = if latest { "latest " } else { "" };
                self.steps.push(Step {
                    from: place,
                    key: way.key,
                    backward: way.backward,
                    latest,
                    table: way.table,
                    name: format!("{path}{word}{}", way.name),
                });
                next.push((self.steps.len(), left));
            }
        }
    }

    /// The keys on the way to a place.
    fn keys_to(&self, mut place: usize) -> BTreeSet<usize> {
        let mut used = BTreeSet::new();
        while place > 0 {
            used.insert(self.steps[place - 1].key);
            place = self.steps[place - 1].from;
        }
        used
    }

    /// How many places there are besides the table itself.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Whether no key leads anywhere.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// The step to a place, from 1.
    pub fn step(&self, place: usize) -> &Step {
        &self.steps[place - 1]
    }

    /// The table of a place.
    pub fn table_of(&self, place: usize) -> usize {
        match place {
            0 => self.table,
            place => self.step(place).table,
        }
    }

    /// The name of the path to a place; empty for the table itself.
    pub fn name(&self, place: usize) -> &str {
        match place {
            0 => "",
            place => &self.step(place).name,
        }
    }

    /// Whether a path leads to one row at most.
    pub fn to_one(&self, place: usize) -> bool {
        place == 0 || self.step(place).to_one() && self.to_one(self.step(place).from)
    }

    /// Whether only keys forward lead to a place: it tells whose row the start is.
    pub fn is_owner(&self, place: usize) -> bool {
        place == 0 || !self.step(place).backward && self.is_owner(self.step(place).from)
    }

    /// The last place on the way that one row at most leads to.
    pub fn anchor(&self, mut place: usize) -> usize {
        while !self.to_one(place) {
            place = self.step(place).from;
        }
        place
    }

    /// The steps from the anchor of a place to the place.
    pub fn hops(&self, mut place: usize) -> Vec<&Step> {
        let anchor = self.anchor(place);
        let mut hops = Vec::new();
        while place != anchor {
            hops.push(self.step(place));
            place = self.step(place).from;
        }
        hops.reverse();
        hops
    }

    /// How far a place is: the keys on the way but for those that tell whose row the start is.
    pub fn depth(&self, place: usize) -> usize {
        match self.is_owner(place) {
            true => 0,
            false => 1 + self.depth(self.step(place).from),
        }
    }

    /// The steps in order.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }
}

/// A way on from a table.
pub struct Way {
    /// The foreign key.
    pub key: usize,
    /// Whether it is followed to the rows that refer.
    pub backward: bool,
    /// The table it leads to.
    pub table: usize,
    /// What the way is called.
    pub name: String,
}

/// The ways on from a table by keys that are not used already.
///
/// They are called like the table they lead to, with the columns of the key where several keys lead
/// there, with the name of the key where those do not tell them apart.
pub fn ways(database: &Database, table: usize, used: &BTreeSet<usize>) -> Vec<Way> {
    let mut ways = Vec::new();
    for (key, foreign) in database.foreign_keys().iter().enumerate() {
        if used.contains(&key) {
            continue;
        }
        if foreign.from == table {
            ways.push((key, false, foreign.to));
        }
        if foreign.to == table {
            ways.push((key, true, foreign.from));
        }
    }
    let names = labels(database, table, &ways);
    ways.into_iter()
        .zip(names)
        .map(|((key, backward, table), name)| Way {
            key,
            backward,
            table,
            name,
        })
        .collect()
}

fn labels(database: &Database, table: usize, ways: &[(usize, bool, usize)]) -> Vec<String> {
    let keys = database.foreign_keys();
    let joins = |reached: usize| {
        let between = |from: usize, to: usize| (from, to) == (table, reached);
        let keys = keys.iter();
        keys.filter(|key| between(key.from, key.to) || between(key.to, key.from))
            .count()
    };
    let by = |backward: bool, reached: usize| match backward && reached == table {
        true => "by ",
        false => "",
    };
    let labels: Vec<String> = ways
        .iter()
        .map(|&(key, backward, reached)| {
            let name = database.table(reached).name();
            if reached != table && joins(reached) == 1 {
                return name.to_owned();
            }
            let from = database.table(keys[key].from);
            let columns = keys[key].from_columns.iter();
            let columns: Vec<&str> = columns.map(|&c| from.attribute(c).name.as_str()).collect();
            format!("{name}({}{})", by(backward, reached), columns.join(","))
        })
        .collect();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for label in &labels {
        *counts.entry(label).or_default() += 1;
    }
    let named = ways.iter().zip(&labels);
    named
        .map(|(&(key, backward, reached), label)| {
            if counts[label.as_str()] == 1 {
                return label.clone();
            }
            let name = database.table(reached).name();
            format!("{name}({}{})", by(backward, reached), keys[key].name)
        })
        .collect()
}

/// The name, with a number where it is there already: columns may have points and parentheses in
/// their names.
pub fn unique(name: String, names: &mut BTreeSet<String>) -> String {
    let mut candidate = name.clone();
    let mut number = 2;
    while !names.insert(candidate.clone()) {
        candidate = format!("{name}#{number}");
        number += 1;
    }
    candidate
}
