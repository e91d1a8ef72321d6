//! When the rows of tables are.

use kinwood_values::as_of::instant;
use kinwood_values::{Column, Table, TableTime, View};

/// When the rows of a table are, in the terms of [`instant`]; NaN where nobody knows.
#[derive(Clone, Copy)]
pub(crate) enum Clock<'a> {
    /// Always.
    Always,
    /// From an instant on.
    From(Instants<'a>),
    /// From an instant on until another.
    Valid(Instants<'a>, Instants<'a>),
}

/// A column of instants.
#[derive(Clone, Copy)]
pub(crate) struct Instants<'a>(&'a Column);

impl Instants<'_> {
    /// The instant of a row; NaN where nobody knows.
    #[inline]
    pub fn at(self, row: u32) -> f64 {
        instant(self.0, row as usize).unwrap_or(f64::NAN)
    }
}

impl<'a> Clock<'a> {
    fn new(table: &'a Table) -> Self {
        let instants = |column: usize| Instants(&table.attribute(column).column);
        match table.time() {
            None => Clock::Always,
            Some(TableTime::Instant { column }) => Clock::From(instants(column)),
            Some(TableTime::Valid { from, to }) => Clock::Valid(instants(from), instants(to)),
        }
    }

    /// Whether rows have a time at all.
    pub fn ticks(&self) -> bool {
        !matches!(self, Clock::Always)
    }
}

/// The clocks of all tables.
pub(crate) fn clocks(view: &View) -> Vec<Clock<'_>> {
    view.database().tables().iter().map(Clock::new).collect()
}
