//! For each symbol the references that have it: a query goes through the lists of its own symbols
//! only, however many others there are.

use super::{Profile, Profiles};
use crate::coefficient::Coefficient;

/// For each symbol the rows that have it, in ascending order.
pub(super) struct Lists {
    /// Where the list of each symbol begins, and the end of the last.
    starts: Vec<usize>,
    rows: Vec<u32>,
    /// How much of it each row has; none if of all 1.
    amounts: Option<Vec<f64>>,
}

impl Lists {
    pub(super) fn of(profiles: &Profiles) -> Self {
        let mut starts = vec![0; profiles.bound() + 1];
        for &symbol in &profiles.symbols {
            starts[symbol as usize + 1] += 1;
        }
        for symbol in 1..starts.len() {
            starts[symbol] += starts[symbol - 1];
        }
        let mut next = starts.clone();
        let mut rows = vec![0; profiles.symbols.len()];
        let mut amounts = profiles.amounts.as_ref().map(|_| vec![0.0; rows.len()]);
        for row in 0..profiles.len() {
            let profile = profiles.get(row);
            for (place, &symbol) in profile.symbols.iter().enumerate() {
                let at = &mut next[symbol as usize];
                rows[*at] = row as u32;
                if let Some(amounts) = &mut amounts {
                    amounts[*at] = profile.amount(place);
                }
                *at += 1;
            }
        }
        Self {
            starts,
            rows,
            amounts,
        }
    }

    /// How many entries the lists of a profile's symbols have.
    pub(super) fn entries(&self, query: &Profile<'_>) -> usize {
        let list = |&symbol: &u32| self.range(symbol).len();
        query.symbols.iter().map(list).sum()
    }

    fn range(&self, symbol: u32) -> std::ops::Range<usize> {
        match self.starts.get(symbol as usize + 1) {
            Some(&end) => self.starts[symbol as usize]..end,
            None => 0..0,
        }
    }

    /// Adds to `out` what the rows from `first` on have in common with a query. The places in the
    /// lists where the rows begin are looked up, unless this goes on where it stopped.
    pub(super) fn add(
        &self,
        query: &Profile<'_>,
        coefficient: Coefficient,
        first: usize,
        out: &mut [f64],
        stopped: &mut Stopped,
    ) {
        let end = first + out.len();
        let goes_on = stopped.at == first && stopped.places.len() == query.symbols.len();
        stopped.places.resize(query.symbols.len(), 0);
        for (place, &symbol) in query.symbols.iter().enumerate() {
            let range = self.range(symbol);
            let list = &self.rows[range.clone()];
            let begin = match goes_on {
                true => stopped.places[place],
                false => list.partition_point(|&row| (row as usize) < first),
            };
            let own = query.amount(place);
            let mut at = begin;
            match &self.amounts {
                None => {
                    let added = coefficient.shared(own, 1.0);
                    while let Some(&row) = list.get(at)
                        && (row as usize) < end
                    {
                        out[row as usize - first] += added;
                        at += 1;
                    }
                }
                Some(amounts) => {
                    let amounts = &amounts[range];
                    while let Some(&row) = list.get(at)
                        && (row as usize) < end
                    {
                        out[row as usize - first] += coefficient.shared(own, amounts[at]);
                        at += 1;
                    }
                }
            }
            stopped.places[place] = at;
        }
        stopped.at = end;
    }
}

/// Where a query has come to in the lists.
#[derive(Default)]
pub(super) struct Stopped {
    /// The row after the last.
    at: usize,
    /// The place in the list of each of its symbols.
    places: Vec<usize>,
}
