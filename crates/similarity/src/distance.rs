//! For authors: how unlike two values are.

use crate::laws::Laws;
use crate::score::Score;

/// How unlike two values are.
pub trait Distance<T: ?Sized>: Send + Sync {
    /// What it returns.
    type Score: Score;
    /// The distance between two values.
    fn between(&self, a: &T, b: &T) -> Self::Score;
    /// What it guarantees.
    fn laws(&self) -> Laws;
    /// The distance, if it is at most the bound. Distances that can give up early do so here.
    fn within(&self, a: &T, b: &T, bound: Self::Score) -> Option<Self::Score> {
        Some(self.between(a, b)).filter(|distance| distance.compare(&bound).is_le())
    }
}
