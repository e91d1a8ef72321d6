//! One alternative of the constraints: a conjunction of conditions, resolved to columns.

use super::Bound;
use super::columns::ColumnSet;
use super::shape::{Growth, Shape};

/// A conjunction of conditions; by default none.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Limits {
    /// The most nodes.
    pub size: Option<usize>,
    /// The least weight of a leaf.
    pub leaf: Option<Bound>,
    /// The most tests from the root to a leaf.
    pub depth: Option<usize>,
    /// The most that they cost.
    pub cost: Option<Bound>,
    /// Columns that no test is on.
    pub banned: ColumnSet,
    /// Columns that a test is on.
    pub required: ColumnSet,
    /// The least accuracy.
    pub accuracy: Option<Bound>,
    /// The most error.
    pub error: Option<Bound>,
    /// The files of partial trees to complete, all of them.
    pub like: Vec<String>,
    /// Columns with which predictions only rise, or only fall.
    pub monotone: Vec<Monotone>,
    /// Columns between whose groups predictions differ by little.
    pub fair: Vec<Fair>,
    /// What tests can be.
    pub tests: TestReach,
}

/// What tests of a language can be, as far as it decides which trees there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TestReach {
    /// Whether one test may look at several columns: a key that is followed, and a value there.
    pub several: bool,
    /// The most branches of a test.
    pub branches: usize,
}

impl Default for TestReach {
    fn default() -> Self {
        Self {
            several: false,
            branches: 2,
        }
    }
}

impl TestReach {
    /// The fewest tests that look at so many columns.
    pub fn fewest(self, columns: usize) -> usize {
        match self.several {
            true => columns.min(1),
            false => columns,
        }
    }

    /// The most tests of a tree of this depth.
    pub fn most(self, depth: usize) -> usize {
        let branches = self.branches.max(2);
        (0..depth).fold(0usize, |below, _| {
            below.saturating_mul(branches).saturating_add(1)
        })
    }
}

/// A column with which predictions only rise, or only fall.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Monotone {
    /// The column.
    pub column: u32,
    /// Whether they rise.
    pub up: bool,
    /// The class whose probability is meant, where it is written.
    pub class: Option<String>,
}

/// A column between whose groups predictions differ by little.
#[derive(Clone, Debug, PartialEq)]
pub struct Fair {
    /// The column.
    pub column: u32,
    /// The positive class, where it is written.
    pub class: Option<String>,
    /// The most difference.
    pub most: Bound,
}

/// What is known of a tree beside its shape; by default nothing, and what is not known does not
/// hold.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Known {
    /// The share of examples it gets right.
    pub accuracy: Option<f64>,
    /// Its error.
    pub error: Option<f64>,
    /// The files whose partial trees it completes.
    pub like: Vec<String>,
    /// What predictions only rise or fall with.
    pub monotone: Vec<Monotone>,
    /// By how much predictions differ between the groups of columns.
    pub fair: Vec<(Fair, f64)>,
}

impl Known {
    /// The difference of rates that a condition speaks of.
    pub fn difference(&self, fair: &Fair) -> Option<f64> {
        let known = self.fair.iter().find(|(known, _)| known == fair);
        known.map(|(_, difference)| *difference)
    }
}

impl Limits {
    /// Whether trees are watched as they grow: then the alternative is pursued alone.
    pub fn is_watched(&self) -> bool {
        !self.monotone.is_empty() || !self.fair.is_empty()
    }

    /// The least weight of a leaf as a number: 0 if any will do.
    pub fn least_leaf(&self) -> f64 {
        match self.leaf {
            None => 0.0,
            Some(bound) if bound.strict => bound.value + bound.slack(),
            Some(bound) => bound.value,
        }
    }

    /// Whether a leaf may be split so, as far as can be said without the rest of the tree: the view
    /// of a top-down search.
    pub fn allows(&self, growth: &Growth) -> bool {
        self.depth.is_none_or(|most| growth.depth < most)
            && self.cost.is_none_or(|most| most.at_most(growth.cost))
            && self.leaf.is_none_or(|least| least.at_least(growth.leaf))
            && !growth
                .columns
                .iter()
                .any(|&column| self.banned.contains(column))
    }

    /// Whether a tree of this shape may stand in a search: every condition holds that growth cannot
    /// mend.
    pub fn admits(&self, shape: &Shape) -> bool {
        self.bounds(shape) && self.has_room(shape.size, self.required.missing_from(&shape.columns))
    }

    /// Whether the tree may stand once one of its leaves is split: `admits(&shape.grown(growth))`,
    /// without making that shape.
    pub fn admits_growth(&self, shape: &Shape, growth: &Growth) -> bool {
        let fresh = growth
            .columns
            .iter()
            .filter(|&&column| self.required.contains(column) && !shape.columns.contains(column));
        let missing = self.required.missing_from(&shape.columns) - fresh.count();
        self.bounds(shape)
            && self.allows(growth)
            && self.has_room(shape.size + growth.branches, missing)
    }

    /// Whether so many columns can still come into a tree of that size.
    fn has_room(&self, size: usize, missing: usize) -> bool {
        let tests = self.tests.fewest(missing);
        self.size.is_none_or(|most| size + 2 * tests <= most)
    }

    /// Whether depth, cost, leaves and columns are within their bounds.
    fn bounds(&self, shape: &Shape) -> bool {
        self.depth.is_none_or(|most| shape.depth <= most)
            && self.cost.is_none_or(|most| most.at_most(shape.cost))
            && self.leaf.is_none_or(|least| least.at_least(shape.leaf))
            && !self.banned.intersects(&shape.columns)
    }

    /// Whether everything holds.
    pub fn met(&self, shape: &Shape, known: &Known) -> bool {
        let reached = |least: Bound| known.accuracy.is_some_and(|found| least.at_least(found));
        let kept = |most: Bound| known.error.is_some_and(|found| most.at_most(found));
        self.admits(shape)
            && self.required.missing_from(&shape.columns) == 0
            && self.accuracy.is_none_or(reached)
            && self.error.is_none_or(kept)
            && self.like.iter().all(|file| known.like.contains(file))
            && self
                .monotone
                .iter()
                .all(|rule| known.monotone.contains(rule))
            && self.fair.iter().all(|fair| {
                let found = known.difference(fair);
                found.is_some_and(|found| fair.most.at_most(found))
            })
    }
}
