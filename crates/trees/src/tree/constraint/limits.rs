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
}

impl Limits {
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
            && !self.banned.contains(growth.column)
    }

    /// Whether a tree of this shape may stand in a search: every condition holds that growth cannot
    /// mend.
    pub fn admits(&self, shape: &Shape) -> bool {
        self.bounds(shape) && self.has_room(shape.size, self.required.missing_from(&shape.columns))
    }

    /// Whether the tree may stand once one of its leaves is split: `admits(&shape.grown(growth))`,
    /// without making that shape.
    pub fn admits_growth(&self, shape: &Shape, growth: &Growth) -> bool {
        let fresh = self.required.contains(growth.column) && !shape.columns.contains(growth.column);
        let missing = self.required.missing_from(&shape.columns) - usize::from(fresh);
        self.bounds(shape)
            && self.allows(growth)
            && self.has_room(shape.size + growth.branches, missing)
    }

    /// Whether so many columns can still come into a tree of that size.
    fn has_room(&self, size: usize, missing: usize) -> bool {
        self.size.is_none_or(|most| size + 2 * missing <= most)
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
    }
}
