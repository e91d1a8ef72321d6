//! Time: which rows were known at an instant.
//!
//! A table may say when its rows are: from an instant on, or while they are valid. Each row of a
//! view's own table may have a cutoff, and then reaches only what was known by then.

use std::sync::Arc;

use crate::column::{Cells, Column};
use crate::table::{Table, TableTime};

/// The instant of a row: milliseconds of a date, or a number as it is; `None` where it is missing
/// or the column holds something else.
pub fn instant(column: &Column, row: usize) -> Option<f64> {
    if !column.is_present(row) {
        return None;
    }
    match column.cells() {
        // Milliseconds of any date there is are below 2^53, hence exact.
        Cells::DateTime(instants) => Some(instants[row] as f64),
        Cells::Numeric(numbers) => Some(numbers[row]),
        _ => None,
    }
}

/// What the rows of a table see of other rows: what was known by a cutoff of their own.
#[derive(Clone, Debug, PartialEq)]
pub struct AsOf {
    /// By row of the table, in the terms of [`instant`].
    cutoffs: Arc<[f64]>,
    /// Nothing of this long before the cutoff is seen.
    gap: f64,
    /// Nothing older than this, counted back from the cutoff, is seen.
    window: Option<f64>,
}

impl AsOf {
    /// Rows see what was known at their cutoff. A cutoff that is NaN sees nothing that has a time.
    pub fn new(cutoffs: impl Into<Arc<[f64]>>) -> Self {
        Self {
            cutoffs: cutoffs.into(),
            gap: 0.0,
            window: None,
        }
    }

    /// Nothing of the last so many milliseconds, or units of a numeric time, is seen.
    pub fn with_gap(mut self, gap: f64) -> Self {
        self.gap = gap;
        self
    }

    /// Nothing older than so many milliseconds, or units of a numeric time, is seen.
    pub fn with_window(mut self, window: Option<f64>) -> Self {
        self.window = window;
        self
    }

    /// Some rows see nothing later than an instant, however much later their cutoff is.
    pub fn frozen(&self, rows: impl IntoIterator<Item = u32>, at: f64) -> Self {
        let mut cutoffs = self.cutoffs.to_vec();
        for row in rows {
            let cutoff = &mut cutoffs[row as usize];
            // A cutoff that is missing stays so.
            if *cutoff > at {
                *cutoff = at;
            }
        }
        Self {
            cutoffs: cutoffs.into(),
            ..self.clone()
        }
    }

    /// Whether a row sees all that one with an earlier cutoff does: nothing is forgotten.
    pub fn grows(&self) -> bool {
        self.window.is_none()
    }

    /// The cutoff of a row.
    pub fn cutoff(&self, row: u32) -> f64 {
        self.cutoffs[row as usize]
    }

    /// How many rows have a cutoff.
    pub fn len(&self) -> usize {
        self.cutoffs.len()
    }

    /// Whether no row has a cutoff.
    pub fn is_empty(&self) -> bool {
        self.cutoffs.is_empty()
    }

    /// The gap.
    pub fn gap(&self) -> f64 {
        self.gap
    }

    /// The window.
    pub fn window(&self) -> Option<f64> {
        self.window
    }

    /// The earliest and latest instants that a row sees.
    pub fn interval(&self, row: u32) -> (f64, f64) {
        let cutoff = self.cutoff(row);
        let earliest = self
            .window
            .map_or(f64::NEG_INFINITY, |window| cutoff - window);
        (earliest, cutoff - self.gap)
    }

    /// Whether a row sees a row of a table. One without an instant, in a table that has instants,
    /// is not seen: nobody knows since when it was there. One that is valid is seen while it is.
    pub fn sees(&self, row: u32, table: &Table, other: u32) -> bool {
        let Some(time) = table.time() else {
            return true;
        };
        let (earliest, latest) = self.interval(row);
        let at = |column: usize| instant(&table.attribute(column).column, other as usize);
        match time {
            TableTime::Instant { column } => {
                at(column).is_some_and(|instant| earliest <= instant && instant <= latest)
            }
            TableTime::Valid { from, to } => {
                at(from).is_some_and(|from| from <= latest)
                    && at(to).is_none_or(|to| to > latest && to >= earliest)
            }
        }
    }
}
