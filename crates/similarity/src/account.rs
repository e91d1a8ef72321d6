//! Accounts of distances: why two values are as far apart as they are, as a small tree for people.
//!
//! A measure says [how](crate::measure::FittedDistance::how) its number comes about; the driver here adds the number of
//! the fast path and the values as text, and goes on into the parts. The law, tested for every distance of the
//! catalogue: the parts recombine to the distance ([`Account::recombined`]). Long lists are cut, and what was cut is
//! counted and summed up, so that the law holds for cut accounts too.

mod how;
mod listed;
mod nearer;
mod recombined;
#[cfg(test)]
mod tests;
mod text;

use kinwood_values::Column;
use serde::Serialize;

use crate::error::Error;
use crate::measure::{Bound, FittedDistance, Measured};
use crate::score::{Score, TermSize};

pub use crate::distances::tuple::Combination;
pub use how::{
    Absent, Action, Alone, Contribution, Edit, FeatureCount, FieldShare, How, MemberPair, Near,
    NearestMember, NodePair, Position, Related, Side, StandsFor, Vertex,
};
pub(crate) use listed::Kept;
pub use listed::Listed;
pub use nearer::{Nearer, RunnerUp, nearer};
pub use text::Line;

/// How two values come to be as far apart as they are.
///
/// ```
/// use kinwood_similarity::Registry;
/// use kinwood_similarity::account::Detail;
/// use kinwood_values::Value;
/// let distance = Registry::builtin().distance(&"edit".parse()?, &"string".parse()?, None, "the values")?;
/// let text = |text: &str| Value::Text(text.to_owned());
/// let account = distance.account(&text("kin"), &text("king"), Detail::default())?;
/// assert_eq!(account.to_string(), "1\n  a cheapest way from the first to the second:\n    keep \"kin\": 0\n    insert \"g\": 1\n");
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
    fn inside(self) -> Self {
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
    /// The account that a measure gives of the first rows of two columns. For authors of distances: this goes into
    /// their parts.
    pub fn of(
        measure: &dyn FittedDistance,
        a: &Column,
        b: &Column,
        detail: Detail,
    ) -> Result<Account, Error> {
        let shown = |column: &Column| detail.cut(&column.value(0).to_string());
        Ok(Account {
            measure: measure.expression().name,
            distance: first_distance(measure, a, b)?,
            first: shown(a),
            second: shown(b),
            how: match detail.depth {
                0 => How::Plain,
                _ => measure.how(a, b, detail.inside())?,
            },
        })
    }

    /// The same of chosen rows.
    pub(crate) fn of_rows(
        measure: &dyn FittedDistance,
        (a, row): (&Column, usize),
        (b, other): (&Column, usize),
        detail: Detail,
    ) -> Result<Account, Error> {
        let one = |column: &Column, row: usize| column.gather(&[row as u32]);
        Account::of(measure, &one(a, row), &one(b, other), detail)
    }

    /// The distance, if it is a number.
    pub fn number(&self) -> Option<f64> {
        match self.distance {
            Measured::Number(number) => Some(number),
            Measured::Pair(_) => None,
        }
    }
}

/// The distance of the first rows, by the fast path.
fn first_distance(measure: &dyn FittedDistance, a: &Column, b: &Column) -> Result<Measured, Error> {
    Ok(match measure.bind(a, b)? {
        Bound::Real(pairs) => {
            let mut out = [0.0];
            pairs.prepare(0).fill(0..1, &mut out);
            Measured::Number(out[0])
        }
        Bound::Term(pairs) => {
            let mut out = [TermSize::zero()];
            pairs.prepare(0).fill(0..1, &mut out);
            Measured::Pair(out[0])
        }
    })
}
