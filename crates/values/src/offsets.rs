//! Offsets: where each row's items lie in buffers that hold the items of all rows end to end.

use std::ops::Range;

/// `len() + 1` positions, the first 0, never falling.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offsets(Vec<u32>);

impl Default for Offsets {
    fn default() -> Self {
        Self(vec![0])
    }
}

impl Offsets {
    /// Positions read from elsewhere; `None` unless they begin at 0, never fall and end at `items`.
    pub fn from_positions(positions: Vec<u32>, items: usize) -> Option<Self> {
        let whole = positions.first() == Some(&0)
            && positions.last().map(|&end| end as usize) == Some(items);
        (whole && positions.is_sorted()).then_some(Self(positions))
    }

    /// Offsets of rows with these numbers of items.
    pub fn from_lengths(lengths: impl IntoIterator<Item = usize>) -> Self {
        let mut offsets = Self::default();
        for length in lengths {
            offsets.push(length);
        }
        offsets
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.0.len() - 1
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Number of items of all rows.
    pub fn items(&self) -> usize {
        self.0[self.0.len() - 1] as usize
    }

    /// The items of a row.
    #[inline]
    pub fn range(&self, row: usize) -> Range<usize> {
        self.0[row] as usize..self.0[row + 1] as usize
    }

    /// Adds a row of so many items.
    ///
    /// # Panics
    /// Beyond 2^32 - 1 items in one column, more than the memory such a column would need allows
    /// for.
    pub fn push(&mut self, length: usize) {
        let end = u32::try_from(self.items() + length)
            .expect("a nested column holds fewer than 2^32 items");
        self.0.push(end);
    }

    /// The positions themselves.
    pub fn positions(&self) -> &[u32] {
        &self.0
    }

    /// The chosen rows' offsets, and the items they take along.
    pub fn gather(&self, rows: &[u32]) -> (Offsets, Vec<u32>) {
        let mut gathered = Offsets::default();
        let mut items = Vec::new();
        for &row in rows {
            let range = self.range(row as usize);
            gathered.push(range.len());
            items.extend(range.start as u32..range.end as u32);
        }
        (gathered, items)
    }

    /// Bytes held.
    pub fn memory(&self) -> usize {
        self.0.len() * 4
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_and_gathered_rows() {
        let offsets = Offsets::from_lengths([2, 0, 3]);
        assert_eq!(offsets.items(), 5);
        assert_eq!(offsets.range(2), 2..5);
        let (gathered, items) = offsets.gather(&[2, 1, 0]);
        assert_eq!(gathered, Offsets::from_lengths([3, 0, 2]));
        assert_eq!(items, [2, 3, 4, 0, 1]);
    }

    #[test]
    fn positions_that_are_none_are_refused() {
        assert!(Offsets::from_positions(vec![0, 2, 2], 2).is_some());
        for (positions, items) in [
            (vec![], 0),
            (vec![1, 2], 2),
            (vec![0, 3, 2], 2),
            (vec![0, 2], 3),
        ] {
            assert_eq!(Offsets::from_positions(positions, items), None);
        }
    }
}
