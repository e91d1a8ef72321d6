//! The nearest references of a query, exactly, ties by index.

pub mod index;

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

/// The nearest so far, ties by index.
pub(crate) struct Nearest<S> {
    count: usize,
    kept: Vec<Neighbour<S>>,
}

impl<S: Score> Nearest<S> {
    pub(crate) fn new(count: usize) -> Self {
        Self {
            count,
            kept: Vec::with_capacity(count.min(1024) + 1),
        }
    }

    /// Takes a reference if it is among the nearest.
    pub(crate) fn offer(&mut self, reference: usize, distance: S) {
        let later = |other: &Neighbour<S>| {
            let order = other.distance.compare(&distance);
            order.then(other.reference.cmp(&reference)) == Ordering::Greater
        };
        let full = self.kept.len() == self.count;
        if full && !self.kept.last().is_some_and(later) {
            return;
        }
        let place = self.kept.partition_point(|other| !later(other));
        if full {
            self.kept.pop();
        }
        self.kept.insert(
            place,
            Neighbour {
                reference,
                distance,
            },
        );
    }

    /// Whether nothing at this distance or further can enter, whatever its index.
    pub(crate) fn excludes(&self, distance: S) -> bool {
        self.kept.len() == self.count
            && self
                .kept
                .last()
                .is_none_or(|last| last.distance.compare(&distance) == Ordering::Less)
    }

    /// What nothing further than can enter; none while anything can.
    fn bound(&self) -> Option<S> {
        let last = self.kept.last().filter(|_| self.kept.len() == self.count);
        last.map(|last| last.distance)
    }

    pub(crate) fn into_sorted(self) -> Vec<Neighbour<S>> {
        self.kept
    }
}

/// References compared at a time.
const BLOCK: usize = 4096;

/// The `count` nearest of the references, nearest first, ties by index.
pub fn nearest<S: Score>(row: &dyn Row<S>, references: usize, count: usize) -> Vec<Neighbour<S>> {
    if row.bounded() && count < references && count > 0 {
        return nearest_within(row, references, count);
    }
    let mut found = Nearest::new(count);
    let mut block = vec![S::zero(); BLOCK.min(references)];
    let mut start = 0;
    while start < references && count > 0 {
        let distances = &mut block[..BLOCK.min(references - start)];
        row.fill(start..start + distances.len(), distances);
        for (offset, &distance) in distances.iter().enumerate() {
            found.offer(start + offset, distance);
        }
        start += distances.len();
    }
    found.into_sorted()
}

/// The same by bounds: those that may be nearest come first, and each is given up as soon as it is
/// further than the furthest of the nearest so far.
fn nearest_within<S: Score>(
    row: &dyn Row<S>,
    references: usize,
    count: usize,
) -> Vec<Neighbour<S>> {
    let mut order: Vec<(S, usize)> = (0..references)
        .map(|reference| (row.least(reference), reference))
        .collect();
    order.sort_unstable_by(|a, b| a.0.compare(&b.0).then(a.1.cmp(&b.1)));
    let mut found = Nearest::new(count);
    let mut one = [S::zero()];
    for (least, reference) in order {
        if found.excludes(least) {
            break;
        }
        match found.bound() {
            Some(bound) => {
                if let Some(distance) = row.within(reference, bound) {
                    found.offer(reference, distance);
                }
            }
            None => {
                row.fill(reference..reference + 1, &mut one);
                found.offer(reference, one[0]);
            }
        }
    }
    found.into_sorted()
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

    /// The same with bounds from below.
    struct Bounded(Vec<f64>);

    impl Row<f64> for Bounded {
        fn fill(&self, references: Range<usize>, out: &mut [f64]) {
            out.copy_from_slice(&self.0[references]);
        }

        fn bounded(&self) -> bool {
            true
        }

        fn least(&self, reference: usize) -> f64 {
            self.0[reference] * ((reference % 5) as f64 / 4.0)
        }
    }

    #[test]
    fn bounds_change_nothing() {
        let distances: Vec<f64> = (0..1_000).map(|i| f64::from((i * 7919) % 57)).collect();
        for count in [0, 1, 2, 40, 300, 1_000, 2_000] {
            let found = nearest(&Bounded(distances.clone()), distances.len(), count);
            assert_eq!(
                found,
                nearest(&Fixed(distances.clone()), distances.len(), count)
            );
        }
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
