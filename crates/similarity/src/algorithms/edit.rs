//! Edit distances of sequences: unit costs by bits, other costs by rows, and the scripts behind
//! them.
//!
//! A sequence is a slice of symbols: characters or interned items. The query is prepared once
//! ([`Pattern`] for unit costs, [`Query`] for any), then compared with many. Costs are meant to be
//! finite and not negative; others give some number, never a panic.

mod pattern;
mod script;
mod short;
mod strip;
mod weighted;

pub use pattern::Pattern;
pub use script::{Edit, Step, script, script_with};
pub(crate) use short::{ShortQuery, Shorts};
pub use weighted::{Query, distance_with, within_with};

/// What each edit costs, on the way from the first sequence to the second.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Costs {
    /// Of a symbol that only the second sequence has.
    pub insert: f64,
    /// Of a symbol that only the first sequence has.
    pub delete: f64,
    /// Of a symbol that becomes another.
    pub substitute: f64,
}

impl Default for Costs {
    /// Levenshtein's: each edit costs one.
    fn default() -> Self {
        Self {
            insert: 1.0,
            delete: 1.0,
            substitute: 1.0,
        }
    }
}

/// How many symbols two sequences share at their starts, and then at their ends.
///
/// Both may be left aside: no costs make it dearer to keep equal symbols at either end.
fn shared_ends(a: &[u32], b: &[u32]) -> (usize, usize) {
    let start = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let (a, b) = (a[start..].iter().rev(), b[start..].iter().rev());
    (start, a.zip(b).take_while(|(a, b)| a == b).count())
}

/// Levenshtein distance of two sequences that meet once; prepare a [`Pattern`] to compare one with
/// many.
///
/// ```
/// # use kinwood_similarity::algorithms::edit::levenshtein;
/// assert_eq!(levenshtein(&[1, 2, 3], &[1, 3, 3, 4]), 2);
/// ```
pub fn levenshtein(a: &[u32], b: &[u32]) -> usize {
    let (start, end) = shared_ends(a, b);
    let (a, b) = (&a[start..a.len() - end], &b[start..b.len() - end]);
    // The shorter one is prepared, for its masks take less time and memory.
    let (rows, columns) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    Pattern::new(rows).distance(columns)
}

#[cfg(test)]
mod tests;
