//! Tests on one column of a flat row: a threshold for numbers, a subset for labels.

use kinwood_values::{Cells, Column};
use serde::{Deserialize, Serialize};

/// A test on a column of the row's own table. It holds (branch 0), does not hold (branch 1), or cannot be decided.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Test {
    /// The number or date is greater than the threshold.
    Above {
        /// Where the column stands in its table.
        column: u32,
        /// The threshold: a value of the data, the largest of the lower side, or one between.
        threshold: f64,
    },
    /// The label is one of these.
    Among {
        /// Where the column stands in its table.
        column: u32,
        /// The codes of the labels, ascending.
        values: Vec<u32>,
    },
}

impl Test {
    /// Where the tested column stands in its table.
    pub fn column(&self) -> u32 {
        match self {
            Test::Above { column, .. } | Test::Among { column, .. } => *column,
        }
    }

    /// Whether the test holds for a row of the tested column; `None` where the value is missing or a label that training did not
    /// have (`known` is how many labels it had).
    pub fn holds(&self, column: &Column, row: usize, known: u32) -> Option<bool> {
        match self {
            Test::Above { threshold, .. } => Some(measure(column, row)? > *threshold),
            Test::Among { values, .. } => {
                let code = column.code(row).filter(|code| *code < known)?;
                Some(values.binary_search(&code).is_ok())
            }
        }
    }
}

/// The number of a row, or its date in milliseconds; `None` where it is missing or neither.
pub fn measure(column: &Column, row: usize) -> Option<f64> {
    match column.cells() {
        Cells::DateTime(moments) if column.is_present(row) => Some(moments[row] as f64),
        _ => column.number(row),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_and_unseen_values_decide_nothing() {
        let numbers = Column::numeric(vec![1.0, 2.0, f64::NAN]);
        let above = Test::Above {
            column: 0,
            threshold: 1.0,
        };
        let held: Vec<_> = (0..3).map(|row| above.holds(&numbers, row, 0)).collect();
        assert_eq!(held, [Some(false), Some(true), None]);
        let labels = Column::nominal([Some("a"), Some("b"), None, Some("new")]);
        let among = Test::Among {
            column: 0,
            values: vec![1],
        };
        let held: Vec<_> = (0..4).map(|row| among.holds(&labels, row, 2)).collect();
        assert_eq!(held, [Some(false), Some(true), None, None]);
    }
}
