//! Accounts of distances: why two values are as far apart as they are, as a small tree for people.
//!
//! A measure says [how](crate::measure::FittedDistance::how) its number comes about; the driver
//! here adds the number of the fast path and the values as text, and goes on into the parts. The
//! law, tested for every distance of the catalogue: the parts recombine to the distance
//! ([`Account::recombined`]). Long lists are cut, and what was cut is counted and summed up, so
//! that the law holds for cut accounts too.

mod how;
mod listed;
mod recombined;
#[cfg(test)]
mod tests;
mod text;

use serde::Serialize;

pub use crate::coefficient::Coefficient;
pub use crate::combination::Combination;
use crate::score::Measured;
pub use how::{
    Absent, Action, Alone, Contribution, Edit, FeatureCount, FieldShare, How, MemberPair, Near,
    NearestMember, NodePair, Position, Related, Side, StandsFor, Vertex,
};
pub(crate) use listed::Kept;
pub use listed::Listed;
pub use text::Line;

/// How two values come to be as far apart as they are.
///
/// ```
/// use kinwood_similarity::Registry;
/// use kinwood_similarity::account::Detail;
/// use kinwood_values::Value;
/// let registry = Registry::builtin();
/// let distance = registry.distance(&"edit".parse()?, &"string".parse()?, None, "the values")?;
/// let text = |text: &str| Value::Text(text.to_owned());
/// let account = distance.account(&text("kin"), &text("king"), Detail::default())?;
/// assert!(account.to_string().ends_with("    keep \"kin\": 0\n    insert \"g\": 1\n"));
/// assert_eq!(account.recombined(), account.distance);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Account {
    /// The name of the measure.
    pub measure: String,
    /// What it gives: not a number where a field is left out.
    pub distance: Measured,
    /// One value as text, cut where it is long.
    pub first: String,
    /// The other.
    pub second: String,
    /// How the distance comes about.
    pub how: How,
}

/// How much an account tells: it is for people.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Detail {
    /// The longest list; of a longer one the rest is counted.
    pub items: usize,
    /// How many levels of parts are gone into.
    pub depth: usize,
    /// The longest value or label as text, in characters.
    pub text: usize,
}

impl Default for Detail {
    fn default() -> Self {
        Self {
            items: 20,
            depth: 6,
            text: 60,
        }
    }
}

impl Detail {
    /// All there is, for pictures.
    pub const ALL: Detail = Detail {
        items: usize::MAX,
        depth: usize::MAX,
        text: usize::MAX,
    };

    /// The same one level further in.
    pub(crate) fn inside(self) -> Self {
        Self {
            depth: self.depth.saturating_sub(1),
            ..self
        }
    }

    /// A text, its end left out where it is too long.
    pub fn cut(self, text: &str) -> String {
        match text.char_indices().nth(self.text) {
            Some((end, _)) => format!("{}…", &text[..end]),
            None => text.to_owned(),
        }
    }
}

impl Account {
    /// The distance, if it is a number.
    pub fn number(&self) -> Option<f64> {
        match self.distance {
            Measured::Number(number) => Some(number),
            Measured::Pair(_) => None,
        }
    }
}
