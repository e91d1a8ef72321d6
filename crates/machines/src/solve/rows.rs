//! Rows of the matrix in the order the solver keeps its coefficients in, as many as memory allows.
//!
//! The solver's active coefficients come first, so that its loops run over the beginning of a row.
//! A matrix in memory is lent as it is while the order is its own; otherwise rows are picked into
//! a cache that forgets the row used longest ago. Rows that had to be computed are kept whole and
//! follow every change of order; rows picked from memory are cheaper to pick again. Entries keep
//! their 64 bits: 32 were measured on 5,000 objects and were no faster.

use std::ops::Range;

use rayon::prelude::*;

use crate::matrix::first_fault;
use crate::{Error, Matrix};

/// No slot, no neighbour.
const NONE: usize = usize::MAX;

/// A leader in each of two groups and a partner are needed at once.
const LEAST_SLOTS: usize = 3;

/// How many rows are computed at once where many are needed.
const BATCH: usize = 64;

/// Rows by position, the cached ones linked from the most to the least recently used.
pub(super) struct Rows<'a> {
    /// The matrix that all parts are of.
    matrix: &'a dyn Matrix,
    /// The row in that matrix of each object.
    objects: Vec<usize>,
    /// Whether the matrix is in memory.
    resident: bool,
    /// Whether rows are lent by the matrix: it is in memory, all is active, the order its own.
    lent: bool,
    /// The object at each position, and its row in the matrix.
    order: Vec<usize>,
    columns: Vec<usize>,
    active: usize,
    capacity: usize,
    /// The slot of each object's row.
    slot_of: Vec<usize>,
    slots: Vec<Slot>,
    /// Memory of rows that were forgotten, to be used again.
    spare: Vec<Vec<f64>>,
    newest: usize,
    oldest: usize,
    scratch: Vec<f64>,
}

struct Slot {
    object: usize,
    entries: Vec<f64>,
    newer: usize,
    older: usize,
}

impl<'a> Rows<'a> {
    /// Rows in this order of the objects, all active.
    pub fn new(mut matrix: &'a dyn Matrix, order: Vec<usize>, cache_bytes: usize) -> Rows<'a> {
        let len = matrix.len();
        let mut objects: Vec<usize> = (0..len).collect();
        while let Some((whole, part)) = matrix.within() {
            objects
                .iter_mut()
                .for_each(|object| *object = part[*object]);
            matrix = whole;
        }
        let mut rows = Rows {
            resident: !matrix.is_empty() && matrix.row(0).is_some(),
            scratch: vec![0.0; matrix.len()],
            matrix,
            objects,
            lent: false,
            active: len,
            capacity: (cache_bytes / (len.max(1) * size_of::<f64>())).max(LEAST_SLOTS),
            slot_of: vec![NONE; len],
            slots: Vec::new(),
            spare: Vec::new(),
            newest: NONE,
            oldest: NONE,
            columns: Vec::new(),
            order,
        };
        rows.settle();
        rows
    }

    /// The object at each position.
    pub fn order(&self) -> &[usize] {
        &self.order
    }

    /// The inner product of each position's object with itself.
    pub fn diagonal(&self) -> Result<Vec<f64>, Error> {
        let check = |&row: &usize| {
            let found = self.matrix.diagonal(row);
            let column = row;
            if found.is_finite() {
                Ok(found)
            } else {
                Err(Error::Entry { row, column, found })
            }
        };
        self.columns.iter().map(check).collect()
    }

    /// Changes the order: what is at `from[p]` comes to `p`; the first `active` are active.
    pub fn rearrange(&mut self, from: &[usize], active: usize) {
        self.order = from.iter().map(|&position| self.order[position]).collect();
        self.active = active;
        if self.resident {
            self.forget();
        } else {
            let mut moved = Vec::with_capacity(from.len());
            for slot in &mut self.slots {
                moved.clear();
                moved.extend(from.iter().map(|&position| slot.entries[position]));
                std::mem::swap(&mut moved, &mut slot.entries);
            }
        }
        self.settle();
    }

    /// Makes sure that the row of a position can be [read](Self::get), as those of the last two.
    pub fn load(&mut self, position: usize) -> Result<(), Error> {
        if self.lent {
            return Ok(());
        }
        let object = self.order[position];
        let slot = self.slot_of[object];
        if slot != NONE {
            if slot != self.newest {
                self.unlink(slot);
                self.link_newest(slot);
            }
            return Ok(());
        }
        let slot = if self.slots.len() < self.capacity {
            self.slots.push(Slot {
                object,
                entries: self.spare.pop().unwrap_or_default(),
                newer: NONE,
                older: NONE,
            });
            self.slots.len() - 1
        } else {
            let slot = self.oldest;
            self.unlink(slot);
            self.slot_of[self.slots[slot].object] = NONE;
            slot
        };
        let entries = &mut self.slots[slot].entries;
        let row = self.objects[object];
        if let Some(whole) = self.matrix.row(row) {
            pick(whole, &self.columns[..self.active], entries);
        } else {
            self.matrix.fill(row, &mut self.scratch);
            pick_checked(row, &self.scratch, &self.columns, entries)?;
        }
        self.slots[slot].object = object;
        self.slot_of[object] = slot;
        self.link_newest(slot);
        Ok(())
    }

    /// The row of a position that was loaded, in the order of positions, active ones first.
    pub fn get(&self, position: usize) -> &[f64] {
        if self.lent
            && let Some(row) = self.matrix.row(position)
        {
            return row;
        }
        &self.slots[self.slot_of[self.order[position]]].entries
    }

    /// The sum of all rows times their objects' coefficients, at a range of positions.
    pub fn products(&self, coefficients: &[f64], at: Range<usize>) -> Result<Vec<f64>, Error> {
        let columns = &self.columns[at.clone()];
        let mut sums = vec![0.0; columns.len()];
        let support: Vec<usize> = (0..coefficients.len())
            .filter(|&object| coefficients[object] != 0.0)
            .collect();
        if self.resident {
            for &object in &support {
                if let Some(row) = self.matrix.row(self.objects[object]) {
                    let coefficient = coefficients[object];
                    for (sum, &column) in sums.iter_mut().zip(columns) {
                        *sum += coefficient * row[column];
                    }
                }
            }
            return Ok(sums);
        }
        // Rows take long to compute, so missing ones are computed on all threads.
        for batch in support.chunks(BATCH) {
            let computed: Vec<Option<Vec<f64>>> = batch
                .par_iter()
                .map(|&object| match self.slot_of[object] {
                    NONE => self.compute(self.objects[object]).map(Some),
                    _ => Ok(None),
                })
                .collect::<Result<_, Error>>()?;
            for (&object, computed) in batch.iter().zip(&computed) {
                let row = match computed {
                    Some(row) => row,
                    None => &self.slots[self.slot_of[object]].entries,
                };
                let coefficient = coefficients[object];
                for (sum, entry) in sums.iter_mut().zip(&row[at.clone()]) {
                    *sum += coefficient * entry;
                }
            }
        }
        Ok(sums)
    }

    /// A row of the matrix in the order of positions.
    fn compute(&self, row: usize) -> Result<Vec<f64>, Error> {
        let mut whole = vec![0.0; self.matrix.len()];
        self.matrix.fill(row, &mut whole);
        let mut entries = Vec::new();
        pick_checked(row, &whole, &self.columns, &mut entries)?;
        Ok(entries)
    }

    /// Finds the column of each position, and decides whether rows can be lent.
    fn settle(&mut self) {
        let len = self.order.len();
        let objects = &self.objects;
        self.columns = self.order.iter().map(|&object| objects[object]).collect();
        let own = self.columns.iter().copied().eq(0..self.matrix.len());
        self.lent = self.resident && self.active == len && own;
    }

    fn forget(&mut self) {
        for slot in self.slots.drain(..) {
            self.slot_of[slot.object] = NONE;
            self.spare.push(slot.entries);
        }
        (self.newest, self.oldest) = (NONE, NONE);
    }

    fn unlink(&mut self, slot: usize) {
        let Slot { newer, older, .. } = self.slots[slot];
        match newer {
            NONE => self.newest = older,
            newer => self.slots[newer].older = older,
        }
        match older {
            NONE => self.oldest = newer,
            older => self.slots[older].newer = newer,
        }
    }

    fn link_newest(&mut self, slot: usize) {
        self.slots[slot].newer = NONE;
        self.slots[slot].older = self.newest;
        match self.newest {
            NONE => self.oldest = slot,
            newest => self.slots[newest].newer = slot,
        }
        self.newest = slot;
    }
}

fn pick(whole: &[f64], columns: &[usize], entries: &mut Vec<f64>) {
    entries.clear();
    entries.extend(columns.iter().map(|&column| whole[column]));
}

/// Picks entries of a row that was computed; an error where one is no number.
fn pick_checked(
    row: usize,
    whole: &[f64],
    columns: &[usize],
    entries: &mut Vec<f64>,
) -> Result<(), Error> {
    pick(whole, columns, entries);
    match first_fault(row, entries) {
        Some(Error::Entry { row, column, found }) => Err(Error::Entry {
            row,
            column: columns[column],
            found,
        }),
        Some(fault) => Err(fault),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::Dense;

    /// Counts how often a row is computed.
    struct Counted(AtomicUsize);

    impl Matrix for Counted {
        fn len(&self) -> usize {
            6
        }
        fn diagonal(&self, row: usize) -> f64 {
            11.0 * row as f64
        }
        fn fill(&self, row: usize, out: &mut [f64]) {
            self.0.fetch_add(1, Ordering::Relaxed);
            for (column, out) in out.iter_mut().enumerate() {
                *out = (10 * row.min(column) + row.max(column)) as f64;
            }
        }
    }

    fn row_of(rows: &mut Rows<'_>, position: usize) -> Vec<f64> {
        rows.load(position).unwrap();
        rows.get(position)[..rows.active].to_vec()
    }

    #[test]
    fn the_row_used_longest_ago_is_forgotten() {
        let matrix = Counted(AtomicUsize::new(0));
        let mut rows = Rows::new(&matrix, (0..6).collect(), 3 * 6 * 8);
        let asked = [0, 1, 2, 0, 3, 0, 2, 1];
        let computed = [1, 2, 3, 3, 4, 4, 4, 5];
        for (position, computed) in asked.into_iter().zip(computed) {
            let row = row_of(&mut rows, position);
            assert_eq!(row[5], (10 * position + 5) as f64);
            assert_eq!(matrix.0.load(Ordering::Relaxed), computed);
        }
    }

    #[test]
    fn computed_and_resident_rows_follow_the_order_alike() {
        let computed = Counted(AtomicUsize::new(0));
        let resident = Dense::of(&computed).unwrap();
        for cache_bytes in [0, 1 << 20] {
            let mut one = Rows::new(&computed, (0..6).collect(), cache_bytes);
            let mut two = Rows::new(&resident, (0..6).collect(), cache_bytes);
            assert!(two.lent);
            let orders: [(&[usize], usize); 4] = [
                (&[1, 4, 5, 0, 2, 3], 3),
                (&[0, 2, 1, 3, 4, 5], 2),
                (&[3, 0, 4, 5, 2, 1], 6),
                (&[0, 1, 2, 3, 4, 5], 6),
            ];
            for (from, active) in orders {
                for position in 0..one.active {
                    assert_eq!(row_of(&mut one, position), row_of(&mut two, position));
                }
                one.rearrange(from, active);
                two.rearrange(from, active);
                assert_eq!(one.order(), two.order());
            }
        }
    }

    #[test]
    fn a_fault_is_named_when_its_row_is_computed() {
        struct Broken;
        impl Matrix for Broken {
            fn len(&self) -> usize {
                2
            }
            fn diagonal(&self, _: usize) -> f64 {
                1.0
            }
            fn fill(&self, _: usize, out: &mut [f64]) {
                out.copy_from_slice(&[1.0, f64::NEG_INFINITY]);
            }
        }
        let mut rows = Rows::new(&Broken, vec![1, 0], 100);
        let fault = rows.load(1).unwrap_err();
        assert_eq!(
            fault,
            Error::Entry {
                row: 0,
                column: 1,
                found: f64::NEG_INFINITY
            }
        );
    }
}
