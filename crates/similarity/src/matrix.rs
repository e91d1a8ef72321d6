//! Matrices of distances: computed in blocks of rows, in parallel, the same for any number of
//! threads.
//!
//! Every row is one prepared query, written by one thread into its own place; nothing is summed
//! across threads.

use std::ops::Range;

use rayon::prelude::*;

use crate::laws::Laws;
use crate::pairs::{Pairs, Row};
use crate::score::Score;

/// Told how many pairs are done; answers whether to go on.
pub type Advance<'a> = &'a (dyn Fn(u64) -> bool + Sync);

/// Why there is no matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Refused {
    /// Whoever watches said stop.
    #[error("stopped")]
    Stopped,
    /// Half a matrix says nothing of the other half.
    #[error("only a distance that is symmetric and zero on self has a condensed matrix")]
    Laws,
}

/// Fills rows of the matrix, row after row. Of each row `part` says which references are wanted,
/// `None` for all; the rest is left as it is.
pub fn fill_rows<S: Score>(
    pairs: &dyn Pairs<S>,
    queries: Range<usize>,
    part: Option<&(dyn Fn(usize) -> Range<usize> + Sync)>,
    out: &mut [S],
    advance: Advance<'_>,
) -> Result<(), Refused> {
    let width = pairs.shape().1;
    if width == 0 {
        return Ok(());
    }
    let together = if pairs.heavy() { 1 } else { TOGETHER };
    let first = queries.start;
    out.par_chunks_mut(width * together)
        .enumerate()
        .try_for_each(|(chunk, out)| {
            let start = first + chunk * together;
            let rows: Vec<_> = out
                .chunks_mut(width)
                .zip(start..)
                .map(|(out, query)| {
                    let wanted = part.map_or(0..width, |part| part(query));
                    (pairs.prepare(query), wanted, out)
                })
                .collect();
            let count: u64 = rows.iter().map(|(_, wanted, _)| wanted.len() as u64).sum();
            fill_together(rows, if together == 1 { width } else { BLOCK });
            if advance(count) {
                Ok(())
            } else {
                Err(Refused::Stopped)
            }
        })
}

/// Completes a square matrix of which only the diagonal and what lies right of it is there: what
/// lies left is the same.
pub fn mirror<S: Score>(out: &mut [S], side: usize) {
    /// Rows that are completed one after the other, and those of them that one thread takes: as
    /// many as share lines of the cache.
    const ROWS: usize = 64;
    const SHARE: usize = 16;
    for top in (0..side).step_by(ROWS) {
        let (above, below) = out.split_at_mut(top * side);
        let rows = ROWS.min(side - top);
        let block = &mut below[..rows * side];
        block
            .par_chunks_mut(SHARE * side)
            .enumerate()
            .for_each(|(share, lines)| {
                let first = top + share * SHARE;
                for column in 0..top {
                    let values = &above[column * side + first..(column + 1) * side];
                    for (line, &value) in lines.chunks_exact_mut(side).zip(values) {
                        line[column] = value;
                    }
                }
            });
        for row in 1..rows {
            for column in 0..row {
                block[row * side + top + column] = block[column * side + top + row];
            }
        }
    }
}

/// Queries that go through the references together, so that references stay in the cache from one
/// to the next.
const TOGETHER: usize = 16;
/// References at a time.
const BLOCK: usize = 512;

type Wanted<'a, 'b, S> = (Box<dyn Row<S> + 'a>, Range<usize>, &'b mut [S]);

fn fill_together<S: Score>(mut rows: Vec<Wanted<'_, '_, S>>, block: usize) {
    let end = rows.iter().map(|(_, wanted, _)| wanted.end).max();
    let end = end.unwrap_or(0);
    for start in (0..end).step_by(block.max(1)) {
        for (row, wanted, out) in &mut rows {
            let now = wanted.start.max(start)..wanted.end.min(start + block);
            if !now.is_empty() {
                row.fill(now.clone(), &mut out[now]);
            }
        }
    }
}

/// The distances between all of a number of things, each pair once.
#[derive(Clone, Debug, PartialEq)]
pub struct Condensed {
    count: usize,
    laws: Laws,
    /// Row after row, of each the columns after the diagonal.
    distances: Vec<f64>,
}

impl Condensed {
    /// Bytes for so many things; `None` if no machine has as many.
    pub fn memory(count: usize) -> Option<usize> {
        count
            .checked_mul(count.saturating_sub(1))
            .map(|pairs| pairs / 2)
            .and_then(|pairs| pairs.checked_mul(8))
    }

    /// Computes the distances between all things a distance is bound to on both sides.
    pub fn of(pairs: &dyn Pairs<f64>, advance: Advance<'_>) -> Result<Self, Refused> {
        let laws = pairs.laws();
        let (count, same) = pairs.shape();
        if !(laws.symmetric && laws.zero_on_self) || count != same {
            return Err(Refused::Laws);
        }
        let mut distances = vec![0.0; count * count.saturating_sub(1) / 2];
        let mut rows: Vec<(usize, &mut [f64])> = Vec::with_capacity(count);
        let mut rest = distances.as_mut_slice();
        for query in 0..count {
            let (row, later) = rest.split_at_mut(count - query - 1);
            rows.push((query, row));
            rest = later;
        }
        rows.into_par_iter().try_for_each(|(query, row)| {
            let wanted = row.len() as u64;
            pairs.prepare(query).fill(query + 1..count, row);
            if advance(wanted) {
                Ok(())
            } else {
                Err(Refused::Stopped)
            }
        })?;
        Ok(Self {
            count,
            laws,
            distances,
        })
    }

    /// How many things.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The distance of two things.
    #[inline]
    pub fn get(&self, a: usize, b: usize) -> f64 {
        if a == b {
            return 0.0;
        }
        let (first, second) = if a < b { (a, b) } else { (b, a) };
        self.distances[self.place(first) + second - first - 1]
    }

    /// Where the row of a thing begins.
    fn place(&self, first: usize) -> usize {
        first * self.count - first * (first + 1) / 2
    }

    /// Row after row, of each the columns after the diagonal: the order that SciPy calls condensed.
    pub fn distances(&self) -> &[f64] {
        &self.distances
    }
}

/// A matrix is a distance by index.
impl Pairs<f64> for Condensed {
    fn shape(&self) -> (usize, usize) {
        (self.count, self.count)
    }

    fn laws(&self) -> Laws {
        self.laws
    }

    fn heavy(&self) -> bool {
        false
    }

    fn prepare(&self, query: usize) -> Box<dyn Row<f64> + '_> {
        Box::new(CondensedRow { of: self, query })
    }
}

struct CondensedRow<'a> {
    of: &'a Condensed,
    query: usize,
}

impl Row<f64> for CondensedRow<'_> {
    fn fill(&self, references: Range<usize>, out: &mut [f64]) {
        for (out, reference) in out.iter_mut().zip(references) {
            *out = self.of.get(self.query, reference);
        }
    }
}

#[cfg(test)]
mod tests {
    use kinwood_values::{Column, Type};

    use super::*;
    use crate::Registry;

    fn pairs(numbers: Vec<f64>) -> std::sync::Arc<dyn Pairs<f64>> {
        let column = Column::numeric(numbers);
        let distance = Registry::builtin()
            .distance(&"absolute".parse().unwrap(), &Type::Numeric, None, "x")
            .unwrap();
        distance.bind_real(&column, &column, "a test").unwrap()
    }

    #[test]
    fn what_lies_left_of_the_diagonal_is_what_lies_right_of_it() {
        for side in [0, 1, 2, 15, 16, 17, 63, 64, 65, 131, 200] {
            let right = |row: usize, column: usize| (row * 1000 + column) as f64;
            let mut out: Vec<f64> = (0..side * side)
                .map(|place| match (place / side, place % side) {
                    (row, column) if row <= column => right(row, column),
                    _ => -1.0,
                })
                .collect();
            mirror(&mut out, side);
            for (place, &found) in out.iter().enumerate() {
                let (row, column) = (place / side, place % side);
                assert_eq!(found, right(row.min(column), row.max(column)), "{side}");
            }
        }
    }

    #[test]
    fn condensed_and_full_agree_for_any_number_of_threads() {
        let numbers: Vec<f64> = (0..97).map(|i| f64::from(i * i % 31)).collect();
        let pairs = pairs(numbers.clone());
        let go_on = |_: u64| true;
        let mut seen = Vec::new();
        for threads in [1, 3] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            let matrices = pool.unwrap().install(|| {
                let mut full = vec![0.0; 97 * 97];
                fill_rows(&*pairs, 0..97, None, &mut full, &go_on).unwrap();
                (full, Condensed::of(&*pairs, &go_on).unwrap())
            });
            seen.push(matrices);
        }
        assert_eq!(seen[0], seen[1]);
        let (full, condensed) = &seen[0];
        for a in 0..97 {
            for b in 0..97 {
                assert_eq!(full[a * 97 + b], (numbers[a] - numbers[b]).abs());
                assert_eq!(condensed.get(a, b), full[a * 97 + b]);
            }
        }
    }

    #[test]
    fn stops_when_told_to() {
        let pairs = pairs(vec![1.0; 50]);
        assert_eq!(Condensed::of(&*pairs, &|_| false), Err(Refused::Stopped));
    }
}
