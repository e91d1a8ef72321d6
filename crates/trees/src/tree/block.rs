//! Values of rows, a row after the other, as flat trees read them.

use kinwood_values::{Cells, Column};

use super::test::measure;

/// The values of some rows.
pub struct Block {
    /// Numbers, dates in milliseconds, codes of labels; NaN where there is none.
    pub values: Vec<f64>,
    slots: usize,
}

impl Block {
    /// So many rows of so many values, none of which is known.
    pub fn new(rows: usize, slots: usize) -> Self {
        Self {
            values: vec![f64::NAN; rows * slots],
            slots,
        }
    }

    /// Takes the values of some rows of a column; labels from the `known`-th on are not known.
    pub fn fill(&mut self, slot: usize, column: &Column, rows: &[u32], known: u32) {
        let places = self.values[slot..].iter_mut().step_by(self.slots);
        let places = places.zip(rows.iter().map(|&row| row as usize));
        match (column.cells(), column.validity()) {
            // Nearly all data is like that, and a prediction is little more than reading it.
            (Cells::Numeric(numbers), None) => {
                places.for_each(|(value, row)| *value = numbers[row]);
            }
            (Cells::Nominal { .. }, _) => places.for_each(|(value, row)| {
                let code = column.code(row).filter(|code| *code < known);
                *value = code.map_or(f64::NAN, f64::from);
            }),
            _ => places.for_each(|(value, row)| {
                *value = measure(column, row).unwrap_or(f64::NAN);
            }),
        }
    }
}
