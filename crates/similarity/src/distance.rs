//! For authors: how unlike two values are.

use crate::laws::Laws;
use crate::score::Score;
use crate::sql::Operand;

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
    /// The distance of a value of a row to a constant as SQL that SQLite and PostgreSQL understand,
    /// a double, if it can be written: then trees that ask for it can be. The value is not missing.
    fn sql(&self, _value: &Operand, _constant: &T) -> Option<String> {
        None
    }
}
