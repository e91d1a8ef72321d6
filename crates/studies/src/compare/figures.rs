//! How scores and test results are written into a table.

use std::cmp::Ordering;

use kinwood_pages::sheet::Mark;

/// A score with as many digits as tables have.
pub(super) fn figure(value: f64) -> String {
    match value.abs() {
        size if size >= 10_000.0 => format!("{value:.0}"),
        size if size >= 100.0 => format!("{value:.2}"),
        _ => format!("{value:.4}"),
    }
}

/// A mark for how an entry compares.
pub(super) fn mark(found: Ordering) -> Mark {
    match found {
        Ordering::Greater => Mark::Better,
        Ordering::Less => Mark::Worse,
        Ordering::Equal => Mark::None,
    }
}
