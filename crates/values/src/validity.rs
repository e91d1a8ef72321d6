//! Which cells of a column hold a value: one bit a row, kept only where something is missing.

/// One bit a row: set where the cell holds a value.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Validity {
    words: Vec<u64>,
    rows: usize,
    missing: usize,
}

impl Validity {
    /// No rows yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// So many rows, none missing.
    pub fn all_present(rows: usize) -> Self {
        let mut words = vec![u64::MAX; rows.div_ceil(64)];
        if let (Some(last), used @ 1..) = (words.last_mut(), rows % 64) {
            *last = (1 << used) - 1;
        }
        Self {
            words,
            rows,
            missing: 0,
        }
    }

    /// The bits in row order.
    pub fn from_bits(bits: impl IntoIterator<Item = bool>) -> Self {
        let mut validity = Self::new();
        for present in bits {
            validity.push(present);
        }
        validity
    }

    /// Words of 64 rows each, lowest bit first; `None` when the words do not fit the number of
    /// rows.
    pub fn from_words(words: Vec<u64>, rows: usize) -> Option<Self> {
        let tail = rows % 64;
        let clean = tail == 0 || words.last().is_some_and(|last| last >> tail == 0);
        (words.len() == rows.div_ceil(64) && clean).then(|| {
            let present: usize = words.iter().map(|word| word.count_ones() as usize).sum();
            Self {
                words,
                rows,
                missing: rows - present,
            }
        })
    }

    /// The bits as words of 64 rows, lowest bit first, unused bits zero.
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// Adds a row.
    pub fn push(&mut self, present: bool) {
        let bit = self.rows % 64;
        if bit == 0 {
            self.words.push(0);
        }
        if present {
            *self
                .words
                .last_mut()
                .expect("a word was pushed for this row") |= 1 << bit;
        } else {
            self.missing += 1;
        }
        self.rows += 1;
    }

    /// Marks a present row as missing.
    pub fn clear(&mut self, row: usize) {
        let (word, bit) = (row / 64, 1u64 << (row % 64));
        self.missing += usize::from(self.words[word] & bit != 0);
        self.words[word] &= !bit;
    }

    /// Whether the row holds a value.
    #[inline]
    pub fn is_present(&self, row: usize) -> bool {
        self.words[row / 64] >> (row % 64) & 1 == 1
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.rows
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.rows == 0
    }

    /// Number of rows without a value.
    pub fn missing(&self) -> usize {
        self.missing
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_count_and_survive_their_words() {
        let bits: Vec<bool> = (0..130).map(|i| i % 3 != 0).collect();
        let validity = Validity::from_bits(bits.iter().copied());
        assert_eq!(validity.missing(), bits.iter().filter(|b| !**b).count());
        assert!((0..130).all(|i| validity.is_present(i) == bits[i]));
        let again = Validity::from_words(validity.words().to_vec(), 130).unwrap();
        assert_eq!(again, validity);
    }

    #[test]
    fn clearing_equals_pushing() {
        let mut cleared = Validity::all_present(70);
        cleared.clear(3);
        cleared.clear(69);
        cleared.clear(69);
        assert_eq!(
            cleared,
            Validity::from_bits((0..70).map(|i| i != 3 && i != 69))
        );
    }

    #[test]
    fn words_that_do_not_fit_are_refused() {
        assert_eq!(Validity::from_words(vec![0], 65), None);
        assert_eq!(Validity::from_words(vec![8], 3), None);
        assert!(Validity::from_words(vec![], 0).is_some());
    }
}
