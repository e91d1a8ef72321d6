//! What a step costs, by measure.

use super::{Rule, Step, larger, lesser};

/// Dynamic time warping: every cell costs the squared difference of its numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Squares;

impl Rule for Squares {
    #[inline(always)]
    fn cell(&self, step: Step) -> f64 {
        let difference = step.own - step.other;
        lesser(lesser(step.first, step.both), step.second) + difference * difference
    }
}

/// Edit distance with real penalty: numbers that match cost their difference, one that is left out
/// its difference from a fixed number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct RealPenalty {
    pub(crate) gap: f64,
}

impl Rule for RealPenalty {
    #[inline(always)]
    fn cell(&self, step: Step) -> f64 {
        let both = step.both + (step.own - step.other).abs();
        let first = step.first + (step.own - self.gap).abs();
        let second = step.second + (step.other - self.gap).abs();
        lesser(lesser(first, second), both)
    }

    fn alone(&self, _: f64, own: f64) -> f64 {
        (own - self.gap).abs()
    }
}

/// Move, split and merge: a number moves at its difference; it splits into two, or two merge, at a
/// fixed cost, and at what it must move beyond its neighbours.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct MoveSplitMerge {
    pub(crate) cost: f64,
}

impl MoveSplitMerge {
    /// How far a number lies outside of two others, and the fixed cost.
    #[inline(always)]
    fn split(&self, number: f64, one: f64, other: f64) -> f64 {
        let above = number - larger(one, other);
        let below = lesser(one, other) - number;
        self.cost + larger(larger(above, below), 0.0)
    }
}

impl Rule for MoveSplitMerge {
    #[inline(always)]
    fn cell(&self, step: Step) -> f64 {
        let both = step.both + (step.own - step.other).abs();
        let first = step.first + self.split(step.own, step.own_before, step.other);
        let second = step.second + self.split(step.other, step.own, step.other_before);
        lesser(lesser(first, second), both)
    }
}

/// Time warp edit distance: a match costs the differences of two numbers and of those before them,
/// and of their places by stiffness; leaving one out costs its difference from the one before, its
/// place and a penalty.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct TimeWarpEdit {
    /// What a place of difference costs.
    pub(crate) stiffness: f64,
    /// What leaving out costs.
    pub(crate) penalty: f64,
}

impl TimeWarpEdit {
    /// The cost of a number left out.
    #[inline(always)]
    fn left_out(&self, before: f64, own: f64) -> f64 {
        (own - before).abs() + (self.stiffness + self.penalty)
    }

    /// The cost of a whole series left out.
    pub(crate) fn whole(&self, numbers: &[f64]) -> f64 {
        let mut before = 0.0;
        let mut sum = 0.0;
        for &own in numbers {
            sum += self.left_out(before, own);
            before = own;
        }
        sum
    }
}

impl Rule for TimeWarpEdit {
    #[inline(always)]
    fn cell(&self, step: Step) -> f64 {
        let now = (step.own - step.other).abs();
        let before = (step.own_before - step.other_before).abs();
        let both = step.both + (now + before + 2.0 * self.stiffness * step.apart);
        let first = step.first + self.left_out(step.own_before, step.own);
        let second = step.second + self.left_out(step.other_before, step.other);
        lesser(lesser(first, second), both)
    }
}

/// The longest common subsequence of numbers that are near enough, counted below zero.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct CommonSubsequence {
    pub(crate) near: f64,
}

impl Rule for CommonSubsequence {
    #[inline(always)]
    fn cell(&self, step: Step) -> f64 {
        let near = (step.own - step.other).abs() <= self.near;
        let both = step.both - if near { 1.0 } else { 0.0 };
        lesser(lesser(step.first, step.second), both)
    }

    fn alone(&self, _: f64, _: f64) -> f64 {
        0.0
    }
}
