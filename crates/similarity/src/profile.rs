//! Profiles: what a collection has and how much of it, as sorted symbols with amounts. What two
//! profiles have in common is found by merging them or, for many references at once, symbol by
//! symbol through lists of the references that have it, or word by word over bitmaps.
//!
//! Each way adds up in the order of the symbols, so that all give the same to the last bit.

mod lists;
mod pairs;
mod words;

use kinwood_values::offsets::Offsets;

use crate::coefficient::Coefficient;

pub(crate) use pairs::{ProfileGram, ProfilePairs};

/// A profile a row.
#[derive(Clone, Debug)]
pub(crate) struct Profiles {
    /// Where the symbols of each row end.
    ends: Vec<usize>,
    /// Of each row in ascending order, each once.
    symbols: Vec<u32>,
    /// How much of each symbol there is; none if of all 1.
    amounts: Option<Vec<f64>>,
    /// What each row has in all, by a coefficient.
    totals: Vec<f64>,
}

/// How repeats and weights become amounts.
#[derive(Clone, Copy)]
pub(crate) struct Counting<'a> {
    /// Whether a repeat counts.
    pub(crate) repeats: bool,
    /// The weight of each symbol; none if all have 1.
    pub(crate) weights: Option<&'a [f64]>,
}

impl Profiles {
    /// The profiles of rows of symbols in any order.
    pub(crate) fn of(
        offsets: &Offsets,
        rows: &[u32],
        counting: Counting<'_>,
        coefficient: Coefficient,
    ) -> Self {
        let mut sorted: Vec<u32> = Vec::new();
        let mut ends = Vec::with_capacity(offsets.len());
        let mut symbols: Vec<u32> = Vec::with_capacity(rows.len());
        let mut amounts: Vec<f64> = Vec::new();
        let mut totals = Vec::with_capacity(offsets.len());
        let mut plain = true;
        for row in 0..offsets.len() {
            sorted.clear();
            sorted.extend_from_slice(&rows[offsets.range(row)]);
            sorted.sort_unstable();
            let mut total = 0.0;
            for run in sorted.chunk_by(|a, b| a == b) {
                let count = if counting.repeats { run.len() } else { 1 };
                let weight = counting.weights.map_or(1.0, |of| of[run[0] as usize]);
                let amount = count as f64 * weight;
                if amount == 0.0 {
                    continue;
                }
                symbols.push(run[0]);
                amounts.push(amount);
                total += coefficient.own(amount);
                plain &= amount == 1.0;
            }
            ends.push(symbols.len());
            totals.push(total);
        }
        Self {
            ends,
            symbols,
            amounts: Some(amounts).filter(|_| !plain),
            totals,
        }
    }

    /// Number of rows.
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether a row has nothing that counts.
    pub(crate) fn has_empty(&self) -> bool {
        self.totals.contains(&0.0)
    }

    /// What each row has in all.
    pub(crate) fn totals(&self) -> &[f64] {
        &self.totals
    }

    /// A row's profile.
    pub(crate) fn get(&self, row: usize) -> Profile<'_> {
        let start = row.checked_sub(1).map_or(0, |before| self.ends[before]);
        let range = start..self.ends[row];
        Profile {
            symbols: &self.symbols[range.clone()],
            amounts: self.amounts.as_deref().map(|amounts| &amounts[range]),
        }
    }

    /// All symbols are below.
    fn bound(&self) -> usize {
        let largest = self.symbols.iter().max();
        largest.map_or(0, |&largest| largest as usize + 1)
    }
}

/// What one row has.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Profile<'a> {
    /// In ascending order, each once.
    pub(crate) symbols: &'a [u32],
    amounts: Option<&'a [f64]>,
}

impl Profile<'_> {
    /// How much of the symbol at a place there is.
    #[inline]
    pub(crate) fn amount(&self, place: usize) -> f64 {
        self.amounts.map_or(1.0, |amounts| amounts[place])
    }

    /// The places of the symbols that both have, with what each adds to the common part.
    pub(crate) fn common(
        &self,
        other: &Profile<'_>,
        coefficient: Coefficient,
        mut found: impl FnMut(usize, usize, f64),
    ) {
        let (mut i, mut j) = (0, 0);
        while let (Some(&x), Some(&y)) = (self.symbols.get(i), other.symbols.get(j)) {
            if x == y {
                found(i, j, coefficient.shared(self.amount(i), other.amount(j)));
            }
            // Without a branch that cannot be foreseen.
            i += usize::from(x <= y);
            j += usize::from(y <= x);
        }
    }

    /// The common part.
    pub(crate) fn both(&self, other: &Profile<'_>, coefficient: Coefficient) -> f64 {
        let mut sum = 0.0;
        self.common(other, coefficient, |_, _, added| sum += added);
        sum
    }
}
