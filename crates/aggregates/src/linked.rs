//! The rows that a path leads to from one row, in order of time.

use kinwood_values::{Direction, View};

use crate::clocks::Clock;
use crate::paths::Step;

/// A row at the end of a path, and since when the whole path has been known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Linked {
    /// The latest instant on the path; minus infinity where nothing on it has one.
    pub known: f64,
    /// The first instant on it, which a window must reach back to.
    oldest: f64,
    /// When a row on it stops to hold.
    ends: f64,
    /// The row.
    pub row: u32,
}

/// What a row of the view's table sees of the past.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Sight {
    pub earliest: f64,
    pub latest: f64,
}

impl Linked {
    /// Whether it is seen; a path on which nothing has a time always is.
    fn is_seen(&self, sight: Sight) -> bool {
        self.known <= sight.latest
            && self.oldest >= sight.earliest
            && self.ends > sight.latest
            && self.ends >= sight.earliest
    }
}

/// How the rows that an example sees are found among those that its entity is linked with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Visibility {
    /// Every example sees all of them.
    All,
    /// It sees the first ones, in order of time.
    UpTo,
    /// Each row is looked at.
    Each,
    /// What is seen depends on the example itself, not on its cutoff alone: its own row is always
    /// seen.
    ByOrigin,
}

/// A path from an entity to many rows.
pub(crate) struct Reach<'a> {
    view: &'a View,
    hops: Vec<&'a Step>,
    clocks: &'a [Clock<'a>],
    pub visibility: Visibility,
}

impl<'a> Reach<'a> {
    pub fn new(view: &'a View, hops: Vec<&'a Step>, clocks: &'a [Clock<'a>]) -> Self {
        let own = view.table_position();
        let ticking = |step: &&Step| clocks[step.table].ticks();
        let visibility = match view.as_of() {
            Some(_) if !hops.iter().any(ticking) => Visibility::All,
            None => Visibility::All,
            Some(_) if hops.iter().any(|step| step.table == own && ticking(step)) => {
                Visibility::ByOrigin
            }
            Some(as_of) => {
                let valid = |step: &&Step| matches!(clocks[step.table], Clock::Valid(..));
                match as_of.window().is_some() || hops.iter().any(valid) {
                    true => Visibility::Each,
                    false => Visibility::UpTo,
                }
            }
        };
        Self {
            view,
            hops,
            clocks,
            visibility,
        }
    }

    /// All rows that an entity is linked with, whenever they are, in order of time.
    pub fn rows_of(&self, entity: u32, found: &mut Vec<Linked>) {
        found.clear();
        self.walk(None, 0, start(entity), found);
        sort(found);
    }

    /// The rows that one row of the view's table sees from an entity.
    pub fn seen_by(&self, origin: u32, entity: u32, found: &mut Vec<Linked>) {
        found.clear();
        self.walk(Some(origin), 0, start(entity), found);
        sort(found);
    }

    /// How many of the rows found are seen, if those are the first.
    pub fn up_to(&self, found: &[Linked], sight: Sight) -> usize {
        match self.visibility {
            Visibility::UpTo => found.partition_point(|linked| linked.known <= sight.latest),
            _ => found.len(),
        }
    }

    /// Those of the rows found that are seen.
    pub fn seen(&self, found: &[Linked], sight: Sight, seen: &mut Vec<Linked>) {
        seen.clear();
        seen.extend(found.iter().filter(|linked| linked.is_seen(sight)));
    }

    fn walk(&self, origin: Option<u32>, hop: usize, at: Linked, found: &mut Vec<Linked>) {
        let Some(step) = self.hops.get(hop) else {
            found.push(at);
            return;
        };
        let mut go_on = |row: u32| {
            if let Some(next) = self.step(step.table, row, at, origin) {
                self.walk(origin, hop + 1, next, found);
            }
        };
        match origin {
            Some(origin) => {
                let linked = self.view.linked(origin, step.key, step.direction(), at.row);
                linked.for_each(&mut go_on);
            }
            None => {
                let link = self.view.database().link(step.key);
                match step.direction() {
                    Direction::Forward => {
                        link.forward(at.row as usize).into_iter().for_each(go_on);
                    }
                    Direction::Backward => {
                        let rows = link.backward(at.row as usize).iter();
                        rows.copied().for_each(go_on);
                    }
                }
            }
        }
    }

    /// The path with one row more; `None` if nobody sees that row.
    fn step(&self, table: usize, row: u32, at: Linked, origin: Option<u32>) -> Option<Linked> {
        if origin.is_none() && !self.view.may_see(table, row) {
            return None;
        }
        let mut next = Linked { row, ..at };
        match &self.clocks[table] {
            Clock::Always => {}
            Clock::From(instants) => {
                let instant = instants.at(row);
                if instant.is_nan() {
                    // Without cutoffs it counts, but nobody knows when.
                    return (origin.is_some() || self.view.as_of().is_none()).then_some(next);
                }
                next.known = next.known.max(instant);
                next.oldest = next.oldest.min(instant);
            }
            Clock::Valid(from, to) => {
                let (from, to) = (from.at(row), to.at(row));
                if from.is_nan() {
                    return (origin.is_some() || self.view.as_of().is_none()).then_some(next);
                }
                next.known = next.known.max(from);
                if !to.is_nan() {
                    next.ends = next.ends.min(to);
                }
            }
        }
        Some(next)
    }
}

fn start(entity: u32) -> Linked {
    Linked {
        known: f64::NEG_INFINITY,
        oldest: f64::INFINITY,
        ends: f64::INFINITY,
        row: entity,
    }
}

/// In order of time; rows of one time, and those without, in the order in which keys lead to them.
fn sort(found: &mut [Linked]) {
    let sorted = found.is_sorted_by(|a, b| a.known <= b.known);
    if !sorted {
        found.sort_by(|a, b| a.known.total_cmp(&b.known));
    }
}
