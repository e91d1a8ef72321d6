//! Numbers of all pairs of items of two sequences, computed a few rows at a time as they are asked
//! for, so that long sequences need no matrix.

use std::cell::RefCell;
use std::ops::Range;

use crate::pairs::Row;

/// Numbers held at a time, unless a few rows have more.
const HELD: usize = 1 << 20;

/// Rows that are computed together at least: as many as algorithms go through together, and a
/// divisor of any larger number that is chosen.
const LEAST: usize = 4;

/// The measure of each item of a prepared query with the items of one reference.
pub(crate) struct Table<'a> {
    rows: &'a [Box<dyn Row<f64> + 'a>],
    columns: Range<usize>,
    together: usize,
    held: RefCell<Held>,
}

struct Held {
    rows: Range<usize>,
    cells: Vec<f64>,
}

impl<'a> Table<'a> {
    /// The items of a query, and where the items of the reference lie in their column.
    pub(crate) fn new(rows: &'a [Box<dyn Row<f64> + 'a>], columns: Range<usize>) -> Self {
        let fitting = HELD / columns.len().max(1) / LEAST * LEAST;
        Self {
            rows,
            columns,
            together: fitting.max(LEAST),
            held: RefCell::new(Held {
                rows: 0..0,
                cells: Vec::new(),
            }),
        }
    }

    /// Items of the query.
    pub(crate) fn rows(&self) -> usize {
        self.rows.len()
    }

    /// Items of the reference.
    pub(crate) fn columns(&self) -> usize {
        self.columns.len()
    }

    /// The number of an item of the query and an item of the reference. Quick where rows come in
    /// order, forth or back.
    #[inline]
    pub(crate) fn at(&self, row: usize, column: usize) -> f64 {
        let mut held = self.held.borrow_mut();
        if !held.rows.contains(&row) {
            self.compute(row, &mut held);
        }
        held.cells[(row - held.rows.start) * self.columns.len() + column]
    }

    #[cold]
    fn compute(&self, row: usize, held: &mut Held) {
        let first = row / self.together * self.together;
        held.rows = first..(first + self.together).min(self.rows.len());
        let width = self.columns.len();
        held.cells.resize(held.rows.len() * width, 0.0);
        let cells = held.cells.chunks_exact_mut(width.max(1));
        for (row, cells) in self.rows[held.rows.clone()].iter().zip(cells) {
            row.fill(self.columns.clone(), cells);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The row's number and the column's.
    struct Places(usize);

    impl Row<f64> for Places {
        fn fill(&self, references: Range<usize>, out: &mut [f64]) {
            for (out, reference) in out.iter_mut().zip(references) {
                *out = (self.0 * 10_000_000 + reference) as f64;
            }
        }
    }

    #[test]
    fn rows_come_and_go() {
        let rows: Vec<Box<dyn Row<f64>>> = (0..11)
            .map(|row| Box::new(Places(row)) as Box<dyn Row<f64>>)
            .collect();
        for width in [1, 150_000, 2_000_000] {
            let table = Table::new(&rows, 7..7 + width);
            assert_eq!((table.rows(), table.columns()), (11, width));
            for row in [0, 3, 10, 4, 9, 0] {
                for column in [0, width - 1] {
                    let expected = (row * 10_000_000 + 7 + column) as f64;
                    assert_eq!(table.at(row, column), expected);
                }
            }
        }
    }
}
