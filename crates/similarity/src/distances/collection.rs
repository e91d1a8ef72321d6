//! What all measures between collections share: the members' distances, laid out as a matrix for
//! each pair.
//!
//! The members of consecutive references lie side by side, so a query's member is compared with
//! those of many references in one call; each reference then sees its own columns of the matrix.

use std::cell::RefCell;
use std::ops::Range;
use std::sync::Arc;

use kinwood_values::offsets::Offsets;
use kinwood_values::{Cells, Column};

use super::table::Table;
use crate::error::Error;
use crate::laws::Laws;
use crate::pairs::{Pairs, Row};

/// The members' distances of one pair of collections: a row for each member of the query, a column
/// for each of the reference. Neither is empty.
#[derive(Clone, Copy)]
pub(crate) struct Costs<'a> {
    data: &'a [f64],
    stride: usize,
    rows: usize,
    columns: usize,
}

impl<'a> Costs<'a> {
    /// Members of the query.
    pub(crate) fn rows(&self) -> usize {
        self.rows
    }

    /// Members of the reference.
    pub(crate) fn columns(&self) -> usize {
        self.columns
    }

    /// The distances of a member of the query.
    pub(crate) fn row(&self, row: usize) -> &'a [f64] {
        &self.data[row * self.stride..][..self.columns]
    }

    /// Row after row without a gap, for solvers: they subtract, so what is infinite becomes the
    /// largest number.
    pub(crate) fn packed(&self, into: &mut Vec<f64>) {
        into.clear();
        for row in 0..self.rows {
            into.extend(self.row(row).iter().map(|&cost| finite(cost)));
        }
    }

    /// The least distance of each member of the reference.
    pub(crate) fn column_minima(&self, into: &mut Vec<f64>) {
        into.clear();
        into.extend_from_slice(self.row(0));
        for row in 1..self.rows {
            for (least, &cost) in into.iter_mut().zip(self.row(row)) {
                *least = least.min(cost);
            }
        }
    }
}

/// A distance that solvers can subtract.
pub(crate) fn finite(cost: f64) -> f64 {
    cost.min(f64::MAX)
}

/// Buffers a reduction may use from pair to pair.
#[derive(Default)]
pub(crate) struct Scratch {
    pub(crate) costs: Vec<f64>,
    pub(crate) minima: Vec<f64>,
}

/// How the distances of members become the distance of collections.
pub(crate) trait Reduction: Send + Sync {
    /// What a reduction keeps from pair to pair.
    type Scratch: Default;
    /// The distance of two collections that both have members.
    fn reduce(&self, costs: Costs<'_>, scratch: &mut Self::Scratch) -> f64;
    /// The same, if it is at most the bound.
    fn reduce_within(
        &self,
        costs: Costs<'_>,
        bound: f64,
        scratch: &mut Self::Scratch,
    ) -> Option<f64> {
        Some(self.reduce(costs, scratch)).filter(|&distance| distance <= bound)
    }
    /// The distance of two collections whose members' distances are too many to be held at once, if
    /// the reduction can do with a few rows of them at a time.
    fn stream(&self, _table: &Table<'_>) -> Option<f64> {
        None
    }
    /// A bound from below by the numbers of members alone.
    fn least(&self, _rows: usize, _columns: usize) -> f64 {
        0.0
    }
    /// Whether the distances of one member of the query already exceed the bound.
    fn exceeds(&self, _row: &[f64], _bound: f64) -> bool {
        false
    }
    /// The distance of a collection with this many members from an empty one.
    fn to_empty(&self, members: usize) -> f64;
    /// The distance of collections of these sizes, one of which is empty.
    fn beside_empty(&self, rows: usize, columns: usize) -> f64 {
        self.to_empty(rows.max(columns))
    }
}

/// The child columns of two columns of collections.
pub(crate) fn children<'a>(
    queries: &'a Column,
    references: &'a Column,
    measure: &str,
) -> Result<(&'a Column, &'a Column), Error> {
    match (queries.cells(), references.cells()) {
        (Cells::Collection { members: a, .. }, Cells::Collection { members: b, .. }) => {
            Ok((&a.child, &b.child))
        }
        _ => Err(Error::Layout {
            column: measure.to_owned(),
        }),
    }
}

/// The offsets of a column of collections.
pub(crate) fn offsets(column: &Column) -> Offsets {
    match column.cells() {
        Cells::Collection { members, .. } => members.offsets.clone(),
        _ => Offsets::from_lengths(std::iter::repeat_n(0, column.len())),
    }
}

/// The first row that holds an empty collection.
pub(crate) fn first_empty(column: &Column) -> Option<usize> {
    let offsets = offsets(column);
    (0..column.len()).find(|&row| column.is_present(row) && offsets.range(row).is_empty())
}

/// Collections bound to collections.
pub(crate) struct CollectionPairs<R> {
    pub(crate) reduction: R,
    pub(crate) members: Arc<dyn Pairs<f64>>,
    pub(crate) queries: Offsets,
    pub(crate) references: Offsets,
    pub(crate) laws: Laws,
}

impl<R: Reduction> Pairs<f64> for CollectionPairs<R> {
    fn shape(&self) -> (usize, usize) {
        (self.queries.len(), self.references.len())
    }

    fn laws(&self) -> Laws {
        self.laws
    }

    fn prepare(&self, query: usize) -> Box<dyn Row<f64> + '_> {
        let rows = self
            .queries
            .range(query)
            .map(|member| self.members.prepare(member))
            .collect();
        Box::new(CollectionRow {
            of: self,
            rows,
            work: RefCell::default(),
        })
    }
}

struct CollectionRow<'a, R: Reduction> {
    of: &'a CollectionPairs<R>,
    rows: Vec<Box<dyn Row<f64> + 'a>>,
    work: RefCell<Work<R::Scratch>>,
}

/// Memory used again from reference to reference.
#[derive(Default)]
struct Work<S> {
    cells: Vec<f64>,
    scratch: S,
}

/// Distances of members held at a time, unless one pair has more.
const CELLS: usize = 1 << 14;

/// Distances of members above which they are not held at once, if that can be.
const LARGE: usize = 1 << 22;

impl<R: Reduction> CollectionRow<'_, R> {
    /// The distance to the reference with these members, if it is large and need not be held.
    fn streamed(&self, columns: Range<usize>) -> Option<f64> {
        let cells = self.rows.len().saturating_mul(columns.len());
        if cells <= LARGE {
            return None;
        }
        let table = Table::new(&self.rows, columns);
        self.of.reduction.stream(&table)
    }

    fn pair(&self, costs: Costs<'_>, scratch: &mut R::Scratch) -> f64 {
        match (costs.rows, costs.columns) {
            (0, 0) => 0.0,
            (rows, columns) if rows == 0 || columns == 0 => {
                self.of.reduction.beside_empty(rows, columns)
            }
            _ => self.of.reduction.reduce(costs, scratch),
        }
    }
}

impl<R: Reduction> Row<f64> for CollectionRow<'_, R> {
    fn fill(&self, references: Range<usize>, out: &mut [f64]) {
        let offsets = &self.of.references;
        let Work { cells, scratch } = &mut *self.work.borrow_mut();
        let mut next = references.start;
        let mut out = out.iter_mut();
        while next < references.end {
            // As many references as fit, at least one.
            let first = offsets.range(next).start;
            let mut end = next + 1;
            while end < references.end
                && (offsets.range(end).end - first) * self.rows.len().max(1) <= CELLS
            {
                end += 1;
            }
            let last = offsets.range(end - 1).end;
            let stride = last - first;
            if let Some(distance) = self.streamed(first..last) {
                // More than a block holds: a reference of its own.
                out.next().into_iter().for_each(|out| *out = distance);
                next = end;
                continue;
            }
            cells.resize(stride * self.rows.len(), 0.0);
            if stride > 0 {
                for (row, cells) in self.rows.iter().zip(cells.chunks_exact_mut(stride)) {
                    row.fill(first..last, cells);
                }
            }
            for (reference, out) in (next..end).zip(&mut out) {
                let columns = offsets.range(reference);
                let costs = Costs {
                    data: cells.get(columns.start - first..).unwrap_or_default(),
                    stride,
                    rows: self.rows.len(),
                    columns: columns.len(),
                };
                *out = self.pair(costs, scratch);
            }
            next = end;
        }
    }

    fn within(&self, reference: usize, bound: f64) -> Option<f64> {
        let columns = self.of.references.range(reference);
        let (rows, width) = (self.rows.len(), columns.len());
        let reduction = &self.of.reduction;
        if rows == 0 || width == 0 || reduction.least(rows, width) > bound {
            let mut out = [0.0];
            if rows == 0 || width == 0 {
                self.fill(reference..reference + 1, &mut out);
                return Some(out[0]).filter(|&distance| distance <= bound);
            }
            return None;
        }
        if let Some(distance) = self.streamed(columns.clone()) {
            return Some(distance).filter(|&distance| distance <= bound);
        }
        let Work { cells, scratch } = &mut *self.work.borrow_mut();
        cells.resize(rows * width, 0.0);
        for (row, cells) in self.rows.iter().zip(cells.chunks_exact_mut(width)) {
            row.fill(columns.clone(), cells);
            if reduction.exceeds(cells, bound) {
                return None;
            }
        }
        let costs = Costs {
            data: cells,
            stride: width,
            rows,
            columns: width,
        };
        reduction.reduce_within(costs, bound, scratch)
    }
}
