//! The joined table (`p1`): a row for every combination of linked rows.

use std::ops::Range;
use std::sync::Arc;

use kinwood_values::{Cells, Column, Role, Validity, Value, View};

use super::plan::Flattening;
use crate::error::{Error, Result};

/// Where nothing is linked.
const NOTHING: u32 = u32::MAX;

/// The rows joined, and which of them are whose.
pub(super) struct Joined {
    /// By place, the row of its table in each joined row, or [`NOTHING`].
    rows: Vec<Vec<u32>>,
    pub offsets: Vec<usize>,
}

/// Joins the linked rows of some objects of a view; fails when that makes more rows than the limit.
pub(super) fn joined(
    plan: &Flattening,
    view: &View,
    objects: Range<usize>,
    limit: u64,
) -> Result<Joined> {
    let counts = counts(plan, view, objects.clone());
    let total = counts.iter().fold(0, |sum: u64, &n| sum.saturating_add(n));
    if total > limit {
        // The first of equals.
        let most = (0..counts.len()).rev().max_by_key(|&place| counts[place]);
        let most = most.unwrap_or_default();
        return Err(Error::FlattenedRows {
            rows: total,
            limit,
            object: object_name(view, objects.start + most),
            most: counts[most],
        });
    }
    let places = plan.steps.len() + 1;
    let mut children = vec![Vec::new(); places];
    let mut widths = vec![1; places];
    for (step, of) in plan.steps.iter().enumerate().rev() {
        children[of.from].push(step + 1);
        widths[of.from] += widths[step + 1];
    }
    children.iter_mut().for_each(|children| children.reverse());
    let expansion = Expansion {
        plan,
        view,
        children,
        widths,
    };
    let mut rows = vec![Vec::with_capacity(total as usize); places];
    let mut offsets = Vec::with_capacity(objects.len() + 1);
    offsets.push(0);
    let mut block = Vec::new();
    for object in objects {
        block.clear();
        let origin = view.row(object);
        expansion.expand(origin, 0, origin, &mut block);
        for row in block.chunks_exact(places) {
            for (column, &linked) in rows.iter_mut().zip(row) {
                column.push(linked);
            }
        }
        offsets.push(rows[0].len());
    }
    Ok(Joined { rows, offsets })
}

/// How many rows each object has when joined: by dynamic programming from the ends of the paths, so
/// that the answer is there however many they are.
pub(super) fn counts(plan: &Flattening, view: &View, objects: Range<usize>) -> Vec<u64> {
    if view.as_of().is_some() {
        // What is linked with a row depends on whose cutoff it is seen by.
        let own = |object| rows_of(plan, view, view.row(object));
        return objects.map(own).collect();
    }
    let rows = |place: usize| view.database().table(plan.table_of(place)).rows();
    let mut below: Vec<Vec<u64>> = Vec::new();
    below.resize_with(plan.steps.len() + 1, Vec::new);
    for (place, step) in plan.steps.iter().enumerate().rev() {
        let mut reached = std::mem::take(&mut below[place + 1]);
        if reached.is_empty() {
            reached = vec![1; rows(place + 1)];
        }
        let from = &mut below[step.from];
        if from.is_empty() {
            *from = vec![1; rows(step.from)];
        }
        for (row, count) in from.iter_mut().enumerate() {
            let linked = view.linked(row as u32, step.key, step.direction(), row as u32);
            let sum = linked.fold(0, |sum: u64, row| sum.saturating_add(reached[row as usize]));
            *count = count.saturating_mul(sum.max(1));
        }
    }
    let own = &below[0];
    let of = |object| own.get(view.row(object) as usize).copied().unwrap_or(1);
    objects.map(of).collect()
}

/// How many rows an object has when joined, by its own links.
fn rows_of(plan: &Flattening, view: &View, origin: u32) -> u64 {
    fn below(plan: &Flattening, view: &View, origin: u32, place: usize, row: u32) -> u64 {
        let steps = plan.steps.iter().enumerate();
        let behind = steps.filter(|(_, step)| step.from == place);
        behind.fold(1, |product: u64, (at, step)| {
            let linked = view.linked(origin, step.key, step.direction(), row);
            let sum = linked.fold(0, |sum: u64, row| {
                sum.saturating_add(below(plan, view, origin, at + 1, row))
            });
            product.saturating_mul(sum.max(1))
        })
    }
    below(plan, view, origin, 0, origin)
}

/// What an object is called: its table and row, and what identifies it.
fn object_name(view: &View, object: usize) -> String {
    let row = view.row(object) as usize;
    let table = view.table();
    let ids = table.attributes().iter();
    let ids: Vec<String> = ids
        .filter(|attribute| attribute.role == Role::Id)
        .map(|attribute| attribute.column.value(row).to_string())
        .collect();
    let ids = match ids.is_empty() {
        true => String::new(),
        false => format!(" ({})", ids.join(", ")),
    };
    format!("row {} of `{}`{ids}", row + 1, table.name())
}

struct Expansion<'a> {
    plan: &'a Flattening,
    view: &'a View,
    /// The places behind each place.
    children: Vec<Vec<usize>>,
    /// How many places a path has from here on, in all its branches.
    widths: Vec<usize>,
}

impl Expansion<'_> {
    /// Adds the joined rows of a row at a place: a number for the place and each place behind it.
    /// Places stand in the order in which a walk meets them, so that the numbers of a branch stand
    /// together.
    fn expand(&self, origin: u32, place: usize, row: u32, out: &mut Vec<u32>) {
        let mut rows = vec![row];
        let mut width = 1;
        for &child in &self.children[place] {
            let step = &self.plan.steps[child - 1];
            let mut block = Vec::new();
            for linked in self.view.linked(origin, step.key, step.direction(), row) {
                self.expand(origin, child, linked, &mut block);
            }
            let more = self.widths[child];
            if block.is_empty() {
                block.resize(more, NOTHING);
            }
            let mut product = Vec::with_capacity(rows.len() / width * block.len() / more);
            for left in rows.chunks_exact(width) {
                for right in block.chunks_exact(more) {
                    product.extend_from_slice(left);
                    product.extend_from_slice(right);
                }
            }
            rows = product;
            width += more;
        }
        out.extend(rows);
    }
}

impl Joined {
    /// The columns that the plan takes.
    pub fn columns(&self, plan: &Flattening, view: &View) -> Vec<Column> {
        let taken = plan.columns.iter();
        taken
            .map(|taken| {
                let table = view.database().table(plan.table_of(taken.place));
                gathered(
                    &table.attribute(taken.column).column,
                    &self.rows[taken.place],
                )
            })
            .collect()
    }
}

/// The rows of a column, missing where there is none.
pub(super) fn gathered(column: &Column, rows: &[u32]) -> Column {
    if rows.iter().all(|&row| row != NOTHING) {
        return column.gather(rows);
    }
    // What stands where nothing is comes from a row that is reached: models store it, and any other
    // may belong to test objects only.
    let Some(&filler) = rows.iter().find(|&&row| row != NOTHING) else {
        return missing(column, rows.len());
    };
    let there: Vec<u32> = rows
        .iter()
        .map(|&row| if row == NOTHING { filler } else { row })
        .collect();
    let filled = column.gather(&there);
    let present = rows
        .iter()
        .map(|&row| row != NOTHING && column.is_present(row as usize));
    Column::new(filled.cells().clone(), Some(Validity::from_bits(present)))
}

/// A column of the same kind without a value in any row.
fn missing(column: &Column, rows: usize) -> Column {
    if let Some((_, dictionary)) = column.codes() {
        let cells = Cells::Nominal {
            codes: vec![0; rows],
            dictionary: Arc::clone(dictionary),
        };
        let nowhere = Validity::from_bits(std::iter::repeat_n(false, rows));
        return Column::new(cells, Some(nowhere));
    }
    let values = vec![Value::Missing; rows];
    Column::from_values(&column.type_of(), &values).expect("a missing value is of every type")
}
