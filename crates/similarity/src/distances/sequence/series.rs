//! Distances of series of numbers: by correlation, and elastic ones, which let time run faster in
//! one than in the other.

mod correlation;
mod derivative;
mod elastic;
mod methods;
mod pairs;
mod window;

use kinwood_values::{Cells, Column, Type};

use crate::entry::Entry;

/// Every distance of the catalogue.
pub(super) const ENTRIES: [Entry; 6] = [
    elastic::DTW,
    elastic::ERP,
    elastic::MSM,
    elastic::TWE,
    elastic::LCSS,
    correlation::CORRELATED,
];

/// What the measures are of.
const SERIES: &str = "a list of numbers";

fn is_series(of: &Type) -> bool {
    matches!(of, Type::List(members) if **members == Type::Numeric)
}

/// The known numbers of each row.
fn series(column: &Column) -> Vec<Vec<f64>> {
    let Cells::Collection { members, .. } = column.cells() else {
        return vec![Vec::new(); column.len()];
    };
    let numbers = |row: usize| {
        let range = members.range(row);
        range
            .filter_map(|item| members.child.number(item))
            .collect()
    };
    (0..column.len()).map(numbers).collect()
}

/// Whether a series lacks a number, which is left out.
fn lacks_numbers(column: &Column) -> bool {
    match column.cells() {
        Cells::Collection { members, .. } => members.child.missing() > 0,
        _ => false,
    }
}
