//! For learners: a distance bound to queries and references, by index.
//!
//! A query is prepared once, then compared with many references in one call: one virtual call a
//! row, none a pair.

use std::ops::Range;

use crate::laws::Laws;
use crate::score::Score;

/// A distance bound to queries and references.
pub trait Pairs<S: Score>: Send + Sync {
    /// How many queries and references there are.
    fn shape(&self) -> (usize, usize);
    /// What the distance guarantees.
    fn laws(&self) -> Laws;
    /// Whether one pair costs much more than a look at it: an index that spares pairs pays sooner
    /// then.
    fn heavy(&self) -> bool {
        true
    }
    /// Makes a query ready to be compared with many references.
    fn prepare(&self, query: usize) -> Box<dyn Row<S> + '_>;
}

/// A prepared query.
pub trait Row<S: Score> {
    /// The distances to a range of references.
    fn fill(&self, references: Range<usize>, out: &mut [S]);
    /// The distance to one reference, if it is at most the bound.
    fn within(&self, reference: usize, bound: S) -> Option<S> {
        let mut out = [S::zero()];
        self.fill(reference..reference + 1, &mut out);
        Some(out[0]).filter(|distance| distance.compare(&bound).is_le())
    }
    /// Whether a bound spares much of the work: then [`Row::least`] and [`Row::within`] find the
    /// nearest references sooner than all distances do.
    fn bounded(&self) -> bool {
        false
    }
    /// No more than the distance to a reference, at far less work than it.
    fn least(&self, _reference: usize) -> S {
        S::zero()
    }
}
