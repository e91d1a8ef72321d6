//! The averaged table (`p2`): for each column on each path the average of its numbers or the most
//! frequent of its labels.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use kinwood_values::{Cells, Column, Validity, View};

use super::join::gathered;
use super::plan::Flattening;

/// Rows that a path leads to, ascending, and how often it leads there.
type Reached = Vec<(u32, f64)>;

/// A column being made.
enum Made {
    Numbers(Vec<f64>),
    Labels(Vec<Option<u32>>),
    /// The one row that the path leads to, or none.
    Rows(Vec<u32>),
}

/// The columns of a plan for some objects of a view.
pub(super) fn averaged(plan: &Flattening, view: &View, objects: Range<usize>) -> Vec<Column> {
    let source = |place: usize, column: usize| {
        let table = view.database().table(plan.table_of(place));
        &table.attribute(column).column
    };
    let mut made: Vec<Made> = plan
        .columns
        .iter()
        .map(|taken| match source(taken.place, taken.column).cells() {
            Cells::Numeric(_) => Made::Numbers(Vec::with_capacity(objects.len())),
            Cells::Nominal { .. } => Made::Labels(Vec::with_capacity(objects.len())),
            _ => Made::Rows(Vec::with_capacity(objects.len())),
        })
        .collect();
    for object in objects {
        let reached = reached(plan, view, view.row(object));
        for (taken, made) in plan.columns.iter().zip(&mut made) {
            let (rows, column) = (&reached[taken.place], source(taken.place, taken.column));
            match made {
                Made::Numbers(numbers) => numbers.push(mean(column, rows)),
                Made::Labels(labels) => labels.push(mode(column, rows)),
                Made::Rows(of) => of.push(rows.first().map_or(u32::MAX, |first| first.0)),
            }
        }
    }
    let finished = plan.columns.iter().zip(made);
    finished
        .map(|(taken, made)| {
            let column = source(taken.place, taken.column);
            match made {
                Made::Numbers(numbers) => Column::numeric(numbers),
                Made::Labels(labels) => labelled(column, &labels),
                Made::Rows(rows) => gathered(column, &rows),
            }
        })
        .collect()
}

/// The rows that every path leads to from a row. A row met by several ways counts as often, but is
/// followed only once: no path costs more than the links of the tables it passes.
fn reached(plan: &Flattening, view: &View, origin: u32) -> Vec<Reached> {
    let mut reached: Vec<Reached> = Vec::with_capacity(plan.steps.len() + 1);
    reached.push(vec![(origin, 1.0)]);
    for step in &plan.steps {
        let mut here: BTreeMap<u32, f64> = BTreeMap::new();
        for &(row, times) in &reached[step.from] {
            for linked in view.linked(origin, step.key, step.direction(), row) {
                *here.entry(linked).or_default() += times;
            }
        }
        reached.push(here.into_iter().collect());
    }
    reached
}

/// The average of the known numbers; NaN, which stands for missing, where there are none.
fn mean(column: &Column, rows: &Reached) -> f64 {
    let known = || {
        let rows = rows.iter();
        rows.filter_map(|&(row, times)| Some((column.number(row as usize)?, times)))
    };
    let total: f64 = known().map(|(_, times)| times).sum();
    let sum: f64 = known().map(|(number, times)| number * times).sum();
    if sum.is_finite() {
        return sum / total;
    }
    // Numbers whose sum no double holds still have an average.
    known()
        .map(|(number, times)| number * (times / total))
        .sum::<f64>()
}

/// The most frequent of the known labels, the first of equals.
fn mode(column: &Column, rows: &Reached) -> Option<u32> {
    let mut counts: BTreeMap<u32, f64> = BTreeMap::new();
    for &(row, times) in rows {
        if let Some(code) = column.code(row as usize) {
            *counts.entry(code).or_default() += times;
        }
    }
    let mut best: Option<(u32, f64)> = None;
    for (code, count) in counts {
        if best.is_none_or(|(_, most)| count > most) {
            best = Some((code, count));
        }
    }
    best.map(|(code, _)| code)
}

/// A column of codes in another column's terms.
fn labelled(column: &Column, labels: &[Option<u32>]) -> Column {
    let dictionary = column.codes().map(|(_, dictionary)| Arc::clone(dictionary));
    let cells = Cells::Nominal {
        codes: labels.iter().map(|label| label.unwrap_or(0)).collect(),
        dictionary: dictionary.unwrap_or_default(),
    };
    let present = Validity::from_bits(labels.iter().map(Option::is_some));
    Column::new(cells, Some(present))
}
