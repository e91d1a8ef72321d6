//! A metric tree: finds the same neighbours as brute force, with fewer distances, where the
//! triangle holds.
//!
//! Each node holds a reference and divides the rest by their distance from it (Yianilos 1993;
//! Uhlmann 1991). Whether it pays depends on the data, not on the clock: some references are looked
//! up, and if that takes more than half of all distances (a small part, where a distance costs next
//! to nothing) there is no tree. Rounding is allowed for, so what is found is what brute force
//! finds, ties included.

use std::ops::Range;

use crate::laws::Laws;
use crate::neighbours::{Nearest, Neighbour};
use crate::pairs::{Pairs, Row};

/// References from which on a tree is tried.
const WORTH: usize = 256;
/// References in a leaf.
const LEAF: usize = 16;
/// References looked up to see whether the tree pays.
const TRIALS: usize = 12;
/// What rounding may do to a distance, relative to it.
const SLACK: f64 = 1e-9;

/// A metric tree over references.
pub struct Index {
    /// The references in the order of the tree: a node's own first, then the near ones, then the
    /// far ones.
    order: Vec<u32>,
    nodes: Vec<Node>,
}

/// The first of its range is the vantage point; the others follow, the near ones up to `middle`.
struct Node {
    range: Range<usize>,
    middle: usize,
    /// Least and greatest distance from the vantage point, of the near and of the far ones.
    near: (f64, f64),
    far: (f64, f64),
    /// Positions of the children, where they are divided further.
    children: Option<[usize; 2]>,
}

/// Whether the laws allow a metric tree.
pub fn allowed(laws: Laws) -> bool {
    laws.symmetric && laws.triangle && laws.zero_on_self
}

impl Index {
    /// The tree over the references of a distance bound to them on both sides; none where the laws
    /// forbid it, there are few, or it does not pay.
    pub fn build(references: &dyn Pairs<f64>) -> Option<Self> {
        let (count, same) = references.shape();
        if !allowed(references.laws()) || count != same || count < WORTH {
            return None;
        }
        let index = Self::always(references);
        let mut evaluated = 0;
        for trial in 0..TRIALS {
            let query = trial * count / TRIALS;
            let row = references.prepare(query);
            let mut found = Nearest::new(4);
            evaluated += index.search(&*row, &mut found);
        }
        let spared = if references.heavy() { 2 } else { 32 };
        (evaluated * spared <= TRIALS * count).then_some(index)
    }

    /// The tree, whether it pays or not.
    fn always(references: &dyn Pairs<f64>) -> Self {
        let count = references.shape().0;
        let mut index = Self {
            order: (0..count as u32).collect(),
            nodes: Vec::new(),
        };
        // Breadth first, without recursion: a chain of equal distances must not exhaust the stack.
        let mut waiting = vec![(0..count, None)];
        let mut distances: Vec<(f64, u32)> = Vec::new();
        while let Some((range, parent)) = waiting.pop() {
            let vantage = index.order[range.start] as usize;
            let row = references.prepare(vantage);
            let others = range.start + 1..range.end;
            distances.clear();
            for &other in &index.order[others.clone()] {
                let mut out = [0.0];
                row.fill(other as usize..other as usize + 1, &mut out);
                distances.push((out[0], other));
            }
            let half = distances.len() / 2;
            distances.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            for (place, &(_, other)) in others.clone().zip(&distances) {
                index.order[place] = other;
            }
            let ends = |part: &[(f64, u32)]| match (part.first(), part.last()) {
                (Some(first), Some(last)) => (first.0, last.0),
                _ => (f64::INFINITY, f64::NEG_INFINITY),
            };
            let (near, far) = distances.split_at(half);
            let node = Node {
                middle: others.start + half,
                near: ends(near),
                far: ends(far),
                range: range.clone(),
                children: None,
            };
            let position = index.nodes.len();
            if let Some((parent, side)) = parent {
                let parent: &mut Node = &mut index.nodes[parent];
                parent.children.get_or_insert([usize::MAX; 2])[side] = position;
            }
            let (near, far) = (others.start..node.middle, node.middle..range.end);
            index.nodes.push(node);
            if others.len() > LEAF {
                waiting.push((far, Some((position, 1))));
                waiting.push((near, Some((position, 0))));
            }
        }
        index
    }

    /// The `count` nearest of the references, nearest first, ties by index.
    pub fn nearest(&self, row: &dyn Row<f64>, count: usize) -> Vec<Neighbour<f64>> {
        let mut found = Nearest::new(count);
        if count > 0 {
            self.search(row, &mut found);
        }
        found.into_sorted()
    }

    /// How many distances it took.
    fn search(&self, row: &dyn Row<f64>, found: &mut Nearest<f64>) -> usize {
        let mut evaluated = 0;
        let mut offer = |reference: u32, found: &mut Nearest<f64>| {
            let mut out = [0.0];
            let reference = reference as usize;
            row.fill(reference..reference + 1, &mut out);
            evaluated += 1;
            found.offer(reference, out[0]);
            out[0]
        };
        // Nodes with a bound from below on what is in them; the last is looked at first.
        let mut waiting = vec![(0usize, 0.0)];
        while let Some((position, least)) = waiting.pop() {
            if found.excludes(least) {
                continue;
            }
            let node = &self.nodes[position];
            let distance = offer(self.order[node.range.start], found);
            let bound = |ends: (f64, f64)| {
                let slack = SLACK * (distance.abs() + ends.1.abs());
                (ends.0 - distance).max(distance - ends.1).max(0.0) - slack
            };
            let parts = [
                (bound(node.near), node.range.start + 1..node.middle),
                (bound(node.far), node.middle..node.range.end),
            ];
            // The nearer part is pushed last, so that it is looked at first.
            let order = if parts[0].0 <= parts[1].0 {
                [1, 0]
            } else {
                [0, 1]
            };
            for side in order {
                let (least, range) = &parts[side];
                match node.children {
                    Some(children) => waiting.push((children[side], *least)),
                    None if found.excludes(*least) => {}
                    None => {
                        for &reference in &self.order[range.clone()] {
                            offer(reference, found);
                        }
                    }
                }
            }
        }
        evaluated
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::neighbours::nearest;

    struct Points(Vec<[f64; 2]>);

    impl Pairs<f64> for Points {
        fn shape(&self) -> (usize, usize) {
            (self.0.len(), self.0.len())
        }

        fn laws(&self) -> Laws {
            Laws::PSEUDO_METRIC
        }

        fn prepare(&self, query: usize) -> Box<dyn Row<f64> + '_> {
            Box::new(From(self, self.0[query]))
        }
    }

    struct From<'a>(&'a Points, [f64; 2]);

    impl Row<f64> for From<'_> {
        fn fill(&self, references: Range<usize>, out: &mut [f64]) {
            for (out, other) in out.iter_mut().zip(&self.0.0[references]) {
                *out = (self.1[0] - other[0]).hypot(self.1[1] - other[1]);
            }
        }
    }

    kinwood_testing::soak! { 256;
        fn soak_finds_what_brute_force_finds(
            grid in prop::collection::vec((0u8..9, 0u8..9), 1..400),
            query in (0u8..12, 0u8..12),
            count in 0usize..12,
        ) {
            // A coarse grid: most distances occur many times, and most points too.
            let points = Points(grid.iter().map(|&(x, y)| [f64::from(x) / 7.0, f64::from(y) / 7.0]).collect());
            let index = Index::always(&points);
            let from = From(&points, [f64::from(query.0) / 7.0, f64::from(query.1) / 7.0]);
            prop_assert_eq!(index.nearest(&from, count), nearest(&from, points.0.len(), count));
        }
    }

    #[test]
    fn pays_in_the_plane_and_not_among_equals() {
        let spread = |i: u32| f64::from(i.wrapping_mul(2_654_435_761) >> 8) / f64::from(1 << 24);
        let plane = Points((0..2000).map(|i| [spread(i), spread(i + 7919)]).collect());
        assert!(Index::build(&plane).is_some());
        let equals = Points(vec![[1.0, 1.0]; 2000]);
        assert!(Index::build(&equals).is_none());
    }
}
