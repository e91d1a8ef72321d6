//! A set of columns, as bits: small enough to be compared for every candidate of a search.

/// A set of columns by their positions in a table.
#[derive(Clone, Debug, Default)]
pub struct ColumnSet {
    words: Vec<u64>,
}

impl ColumnSet {
    /// The empty set.
    pub fn new() -> Self {
        Self::default()
    }

    /// Puts a column in.
    pub fn insert(&mut self, column: u32) {
        let word = column as usize / 64;
        if self.words.len() <= word {
            self.words.resize(word + 1, 0);
        }
        self.words[word] |= 1 << (column % 64);
    }

    /// Whether a column is in.
    pub fn contains(&self, column: u32) -> bool {
        let word = self.words.get(column as usize / 64);
        word.is_some_and(|word| word >> (column % 64) & 1 == 1)
    }

    /// How many columns are in.
    pub fn len(&self) -> usize {
        self.words
            .iter()
            .map(|word| word.count_ones() as usize)
            .sum()
    }

    /// Whether no column is in.
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|word| *word == 0)
    }

    /// Whether a column is in both.
    pub fn intersects(&self, other: &Self) -> bool {
        self.words.iter().zip(&other.words).any(|(a, b)| a & b != 0)
    }

    /// How many of its columns are not in the other.
    pub fn missing_from(&self, other: &Self) -> usize {
        let others = other.words.iter().copied().chain(std::iter::repeat(0));
        let missing = self.words.iter().zip(others).map(|(a, b)| a & !b);
        missing.map(|word| word.count_ones() as usize).sum()
    }

    /// The columns, ascending.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.words.len() as u32 * 64).filter(|&column| self.contains(column))
    }

    /// Puts all columns of another set in.
    pub fn extend(&mut self, other: &Self) {
        for column in other.iter() {
            self.insert(column);
        }
    }
}

impl FromIterator<u32> for ColumnSet {
    fn from_iter<I: IntoIterator<Item = u32>>(columns: I) -> Self {
        let mut set = Self::new();
        for column in columns {
            set.insert(column);
        }
        set
    }
}

impl PartialEq for ColumnSet {
    fn eq(&self, other: &Self) -> bool {
        self.missing_from(other) == 0 && other.missing_from(self) == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    kinwood_testing::soak! { 256;
        fn soak_bits_are_a_set(
            a in proptest::collection::btree_set(0u32..200, 0..12),
            b in proptest::collection::btree_set(0u32..200, 0..12),
        ) {
            let (x, y): (ColumnSet, ColumnSet) = (a.iter().copied().collect(), b.iter().copied().collect());
            prop_assert_eq!(x.iter().collect::<BTreeSet<_>>(), a.clone());
            prop_assert_eq!((x.len(), x.is_empty()), (a.len(), a.is_empty()));
            prop_assert_eq!(x.intersects(&y), !a.is_disjoint(&b));
            prop_assert_eq!(x.missing_from(&y), a.difference(&b).count());
            prop_assert_eq!(x == y, a == b);
            let mut both = x.clone();
            both.extend(&y);
            prop_assert_eq!(both.iter().collect::<BTreeSet<_>>(), &a | &b);
        }
    }
}
