//! Symmetric matrices of inner products, by rows.
//!
//! A matrix may be in memory or computed when asked: what fits is faster in memory, what does not
//! is computed row by row and kept in a cache by those who need rows again. Symmetry is the
//! caller's promise; entries are checked to be numbers when they are first seen.

use rayon::prelude::*;

use crate::Error;

/// A symmetric matrix of inner products between objects.
pub trait Matrix: Sync {
    /// How many objects there are.
    fn len(&self) -> usize;

    /// Whether there are no objects.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The inner product of an object with itself.
    fn diagonal(&self, row: usize) -> f64;

    /// Writes the inner products of one object with all objects; `out` is as long as the matrix.
    fn fill(&self, row: usize, out: &mut [f64]);

    /// The same row where it is in memory already, and known to hold finite numbers only.
    fn row(&self, row: usize) -> Option<&[f64]> {
        let _ = row;
        None
    }

    /// The matrix that this one is a part of, and which of its objects these are.
    fn within(&self) -> Option<(&dyn Matrix, &[usize])> {
        None
    }
}

/// A full matrix in memory, row after row, of finite numbers.
#[derive(Debug, Clone, PartialEq)]
pub struct Dense {
    len: usize,
    entries: Vec<f64>,
}

impl Dense {
    /// Takes `len` rows of `len` entries each; an entry that is not a finite number is an error.
    ///
    /// ```
    /// use kinwood_machines::{Dense, Matrix};
    /// let matrix = Dense::new(2, vec![2.0, 0.5, 0.5, 1.0])?;
    /// assert_eq!(matrix.row(1), Some(&[0.5, 1.0][..]));
    /// assert!(Dense::new(1, vec![f64::NAN]).is_err());
    /// # Ok::<(), kinwood_machines::Error>(())
    /// ```
    pub fn new(len: usize, entries: Vec<f64>) -> Result<Dense, Error> {
        if len == 0 {
            return Err(Error::Empty);
        }
        if len.checked_mul(len) != Some(entries.len()) {
            return Err(Error::NotSquare {
                found: entries.len(),
                len,
            });
        }
        let fault = entries
            .par_chunks(len)
            // Waking a thread costs more than looking through a small matrix.
            .with_min_len(1 + 16_384 / len)
            .enumerate()
            .find_map_first(|(row, entries)| first_fault(row, entries));
        match fault {
            Some(fault) => Err(fault),
            None => Ok(Dense { len, entries }),
        }
    }

    /// Computes all rows of a matrix, on all threads.
    pub fn of(matrix: &dyn Matrix) -> Result<Dense, Error> {
        let len = matrix.len();
        let mut entries = vec![0.0; len * len];
        entries
            .par_chunks_mut(len.max(1))
            .enumerate()
            .for_each(|(row, out)| matrix.fill(row, out));
        Dense::new(len, entries)
    }

    /// How many objects there are.
    #[expect(clippy::len_without_is_empty, reason = "a dense matrix is never empty")]
    pub fn len(&self) -> usize {
        self.len
    }

    /// All entries, row after row.
    pub fn entries(&self) -> &[f64] {
        &self.entries
    }

    /// Gives the entries back, row after row.
    pub fn into_entries(self) -> Vec<f64> {
        self.entries
    }

    /// One row.
    pub fn at(&self, row: usize) -> &[f64] {
        &self.entries[row * self.len..][..self.len]
    }

    /// All entries, for those who keep them finite.
    pub(crate) fn entries_mut(&mut self) -> &mut [f64] {
        &mut self.entries
    }
}

impl Matrix for Dense {
    fn len(&self) -> usize {
        self.len
    }

    fn diagonal(&self, row: usize) -> f64 {
        self.entries[row * self.len + row]
    }

    fn fill(&self, row: usize, out: &mut [f64]) {
        out.copy_from_slice(self.at(row));
    }

    fn row(&self, row: usize) -> Option<&[f64]> {
        Some(self.at(row))
    }
}

/// Some of the objects of a matrix, in an order of their own: two classes of several, or a fold.
/// An object may be in it more than once.
#[derive(Clone, Copy)]
pub struct Part<'a> {
    whole: &'a dyn Matrix,
    objects: &'a [usize],
}

impl<'a> Part<'a> {
    /// The part of these objects, given by their rows in the whole matrix.
    ///
    /// # Panics
    /// Where an object is not in the matrix.
    pub fn new(whole: &'a dyn Matrix, objects: &'a [usize]) -> Part<'a> {
        assert!(
            objects.iter().all(|&object| object < whole.len()),
            "an object of the part is not in the whole"
        );
        Part { whole, objects }
    }
}

impl Matrix for Part<'_> {
    fn len(&self) -> usize {
        self.objects.len()
    }

    fn diagonal(&self, row: usize) -> f64 {
        self.whole.diagonal(self.objects[row])
    }

    fn fill(&self, row: usize, out: &mut [f64]) {
        let mut pick = |entries: &[f64]| {
            for (out, &object) in out.iter_mut().zip(self.objects) {
                *out = entries[object];
            }
        };
        match self.whole.row(self.objects[row]) {
            Some(entries) => pick(entries),
            None => {
                let mut entries = vec![0.0; self.whole.len()];
                self.whole.fill(self.objects[row], &mut entries);
                pick(&entries);
            }
        }
    }

    fn within(&self) -> Option<(&dyn Matrix, &[usize])> {
        Some((self.whole, self.objects))
    }
}

/// The first entry of a row that is not a finite number.
pub(crate) fn first_fault(row: usize, entries: &[f64]) -> Option<Error> {
    // Whole blocks are judged by sums: a number times zero is zero, anything else is not.
    const BLOCK: usize = 512;
    const LANES: usize = 8;
    for (position, entries) in entries.chunks(BLOCK).enumerate() {
        let mut sums = [0.0; LANES];
        let (lanes, rest) = entries.as_chunks::<LANES>();
        for numbers in lanes {
            for (sum, number) in sums.iter_mut().zip(numbers) {
                *sum += number * 0.0;
            }
        }
        let rest: f64 = rest.iter().map(|number| number * 0.0).sum();
        if sums.iter().sum::<f64>() + rest != 0.0 {
            let within = entries.iter().position(|entry| !entry.is_finite())?;
            return Some(Error::Entry {
                row,
                column: position * BLOCK + within,
                found: entries[within],
            });
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_are_named_by_row_and_column() {
        let mut entries = vec![1.0; 600 * 600];
        entries[3 * 600 + 577] = f64::INFINITY;
        entries[4 * 600] = f64::NAN;
        let fault = Dense::new(600, entries).unwrap_err();
        assert_eq!(
            fault.to_string(),
            "the entry at row 3, column 577 is inf, a finite number is needed"
        );
    }

    #[test]
    fn shapes_are_checked() {
        assert_eq!(Dense::new(0, Vec::new()), Err(Error::Empty));
        let fault = Dense::new(2, vec![1.0; 3]).unwrap_err();
        assert_eq!(
            fault.to_string(),
            "3 entries found, a matrix of 2 rows has 4"
        );
        assert!(Dense::new(usize::MAX, vec![1.0]).is_err());
    }

    #[test]
    fn a_part_of_a_part_is_a_part() {
        let whole = Dense::new(4, (0..16).map(f64::from).collect()).unwrap();
        let outer = Part::new(&whole, &[3, 1, 0]);
        let inner = Part::new(&outer, &[2, 0]);
        let dense = Dense::of(&inner).unwrap();
        assert_eq!(dense.entries(), [0.0, 3.0, 12.0, 15.0]);
        assert_eq!(inner.diagonal(1), 15.0);
    }
}
