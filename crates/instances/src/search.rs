//! The nearest stored rows of queries: one after the other, or by a metric tree where it pays. Both
//! find the same.

use kinwood_similarity::neighbours::index::Index;
use kinwood_similarity::{Bound, FittedRow, Measured, Neighbour, Pairs, nearest};
use kinwood_values::Column;

use kinwood_learning::error::Result;

/// Queries for each halving of the references from which on a tree is tried: building it takes as
/// many distances as there are references, for each halving; light ones cost more one by one than
/// in a row.
const HEAVY: usize = 4;
const LIGHT: usize = 64;

/// A distance bound to queries and references, with a tree over the references where that pays.
pub struct Search {
    bound: Bound,
    index: Option<Index>,
}

impl Search {
    /// Binds the distance.
    pub fn new(distance: &FittedRow, queries: &Column, references: &Column) -> Result<Self> {
        let bound = distance.bind(queries, references)?;
        let index = match &bound {
            Bound::Real(pairs) if worth_trying(&**pairs) => {
                match distance.bind(references, references)? {
                    Bound::Real(references) => Index::build(&*references),
                    Bound::Term(_) => None,
                }
            }
            _ => None,
        };
        Ok(Self { bound, index })
    }

    /// The `count` nearest references of a query, nearest first, ties by index.
    pub fn nearest(&self, query: usize, count: usize) -> Vec<Neighbour<Measured>> {
        match &self.bound {
            Bound::Real(pairs) => {
                let row = pairs.prepare(query);
                let found = match &self.index {
                    Some(index) => index.nearest(&*row, count),
                    None => nearest(&*row, pairs.shape().1, count),
                };
                measured(found, Measured::Number)
            }
            Bound::Term(pairs) => {
                let found = nearest(&*pairs.prepare(query), pairs.shape().1, count);
                measured(found, Measured::Pair)
            }
        }
    }

    /// Whether a tree is used.
    #[cfg(test)]
    pub fn indexed(&self) -> bool {
        self.index.is_some()
    }
}

fn worth_trying(pairs: &dyn Pairs<f64>) -> bool {
    let (queries, references) = pairs.shape();
    let halvings = references.max(2).ilog2() as usize;
    queries >= halvings * if pairs.heavy() { HEAVY } else { LIGHT }
}

fn measured<S>(found: Vec<Neighbour<S>>, of: impl Fn(S) -> Measured) -> Vec<Neighbour<Measured>> {
    let measured = |neighbour: Neighbour<S>| Neighbour {
        reference: neighbour.reference,
        distance: of(neighbour.distance),
    };
    found.into_iter().map(measured).collect()
}
