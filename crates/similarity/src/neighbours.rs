//! The nearest references of a query, exactly, ties by index.

use std::cmp::Ordering;

use crate::pairs::Row;
use crate::score::Score;

/// A reference and how far it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Neighbour<S> {
    /// Its index.
    pub reference: usize,
    /// Its distance.
    pub distance: S,
}

/// References compared at a time.
const BLOCK: usize = 4096;

/// The `count` nearest of the references, nearest first, ties by index.
pub fn nearest<S: Score>(row: &dyn Row<S>, references: usize, count: usize) -> Vec<Neighbour<S>> {
    let mut kept: Vec<Neighbour<S>> = Vec::with_capacity(count.min(references) + 1);
    let mut block = vec![S::zero(); BLOCK.min(references)];
    let mut start = 0;
    while start < references && count > 0 {
        let distances = &mut block[..BLOCK.min(references - start)];
        row.fill(start..start + distances.len(), distances);
        for (offset, &distance) in distances.iter().enumerate() {
            let full = kept.len() == count;
            // Later indices lose ties, so only what is strictly nearer than the last enters a full list.
            if full
                && kept
                    .last()
                    .is_some_and(|last| distance.compare(&last.distance) != Ordering::Less)
            {
                continue;
            }
            let place = kept.partition_point(|other| other.distance.compare(&distance).is_le());
            if full {
                kept.pop();
            }
            kept.insert(
                place,
                Neighbour {
                    reference: start + offset,
                    distance,
                },
            );
        }
        start += distances.len();
    }
    kept
}

#[cfg(test)]
mod tests {
    use std::ops::Range;

    use super::*;

    struct Fixed(Vec<f64>);

    impl Row<f64> for Fixed {
        fn fill(&self, references: Range<usize>, out: &mut [f64]) {
            out.copy_from_slice(&self.0[references]);
        }
    }

    fn oracle(distances: &[f64], count: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..distances.len()).collect();
        order.sort_by(|&a, &b| distances[a].total_cmp(&distances[b]).then(a.cmp(&b)));
        order.truncate(count);
        order
    }

    #[test]
    fn equals_a_stable_sort() {
        let distances: Vec<f64> = (0..10_000).map(|i| f64::from((i * 7919) % 257)).collect();
        for count in [0, 1, 2, 40, 300] {
            let found = nearest(&Fixed(distances.clone()), distances.len(), count);
            let found: Vec<usize> = found.iter().map(|neighbour| neighbour.reference).collect();
            assert_eq!(found, oracle(&distances, count));
        }
        assert_eq!(nearest(&Fixed(vec![2.0, 1.0]), 2, 5).len(), 2);
    }
}
