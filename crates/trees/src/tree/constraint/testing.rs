//! Tests on columns and what they cost, for tests of constraints.

use crate::tree::Test;
use crate::tree::language::{Mentions, Vocabulary};

/// What a test on each column costs, by position; nothing past the end.
pub struct Costs<'a>(pub &'a [f64]);

impl Vocabulary for Costs<'_> {
    type Test = Test;
    type Path = ();

    fn after(&self, _: &(), _: &Test, _: usize) {}

    fn mentioned(&self, _: &(), test: &Test) -> Mentions {
        smallvec::smallvec![test.column()]
    }

    fn cost(&self, mentions: &[u32]) -> f64 {
        let cost = |&column: &u32| self.0.get(column as usize).copied().unwrap_or(0.0);
        mentions.iter().map(cost).sum()
    }
}
