//! The best pruned tree of each size, by dynamic programming.
//!
//! Reference: M. Garofalakis, D. Hyun, R. Rastogi and K. Shim, Building decision trees with
//! constraints, Data Mining and Knowledge Discovery 7(2), 2003.

use super::cut;
use crate::tree::structure::Tree;

/// A size that is worth its nodes: no smaller pruned tree has as little error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// The number of nodes.
    pub size: usize,
    /// The least error of a pruned tree of this size.
    pub error: f64,
}

/// The best pruned tree of each size up to a bound, computed at once.
///
/// For each node and each number of nodes of its subtree the least error is that of the node as a
/// leaf, or the least over the ways to give the remaining nodes to the children. No table is longer
/// than its subtree or the bound, which makes time and memory O(nodes · bound). Sizes are counted
/// in steps of the greatest common divisor of the numbers of branches, because a tree of binary
/// splits has an odd number of nodes.
#[derive(Clone, Debug)]
pub struct SizeOptimal {
    curve: Vec<Point>,
    step: usize,
    /// For each node: of the steps that it and its elder siblings have together, how many it takes.
    /// Empty for a first child, which takes what is left.
    takes: Vec<Vec<u32>>,
}

impl SizeOptimal {
    /// Computes the best pruned trees of at most `largest` nodes; `error` is that of a node as a
    /// leaf.
    pub fn new<T, P>(tree: &Tree<T, P>, largest: Option<usize>, error: impl Fn(&P) -> f64) -> Self {
        let nodes = tree.nodes();
        let arities = nodes.iter().filter_map(|node| node.split.as_ref());
        let step = arities
            .map(|split| split.children.len())
            .fold(0, greatest_common_divisor)
            .max(1);
        let bound = largest.map_or(usize::MAX, |largest| largest.saturating_sub(1) / step);
        let mut takes = vec![Vec::new(); nodes.len()];
        let mut tables: Vec<Vec<f64>> = vec![Vec::new(); nodes.len()];
        for (place, node) in nodes.iter().enumerate().rev() {
            let mut table = vec![error(&node.payload)];
            if let Some(split) = &node.split {
                let own = split.children.len() / step;
                let mut children = split.children.iter().map(|&child| child as usize);
                let mut joined = children
                    .next()
                    .map_or(vec![0.0], |child| std::mem::take(&mut tables[child]));
                for child in children {
                    let other = std::mem::take(&mut tables[child]);
                    let (sums, taken) = join(&joined, &other, bound.saturating_sub(own));
                    joined = sums;
                    takes[child] = taken;
                }
                if own <= bound {
                    let last = (own + joined.len() - 1).min(bound);
                    table.resize(last + 1, f64::INFINITY);
                    table[own..].copy_from_slice(&joined[..=last - own]);
                }
            }
            tables[place] = table;
        }
        Self {
            curve: front(&tables[0], step),
            step,
            takes,
        }
    }

    /// The sizes worth having, ascending, with their errors, descending. The first is a leaf alone.
    pub fn curve(&self) -> &[Point] {
        &self.curve
    }

    /// The best size of at most so many nodes; `None` below one node.
    pub fn at_most(&self, size: usize) -> Option<Point> {
        let fit = self.curve.iter().take_while(|point| point.size <= size);
        fit.last().copied()
    }

    /// The smallest size whose error is at most so much; `None` if none is within the bound.
    pub fn within(&self, error: f64) -> Option<Point> {
        self.curve
            .iter()
            .find(|point| point.error <= error)
            .copied()
    }

    /// The tree of a point of the curve; `tree` is the one that the curve was computed from.
    pub fn prune<T: Clone, P: Clone>(&self, tree: &Tree<T, P>, point: Point) -> Tree<T, P> {
        let mut leaf = vec![false; tree.size()];
        let mut pending = vec![(0usize, (point.size - 1) / self.step)];
        while let Some((node, steps)) = pending.pop() {
            let split = tree.nodes()[node].split.as_ref();
            let Some(split) = split.filter(|_| steps > 0) else {
                leaf[node] = true;
                continue;
            };
            let mut left = steps - split.children.len() / self.step;
            for &child in split.children.iter().skip(1).rev() {
                let taken = self.takes[child as usize][left] as usize;
                pending.push((child as usize, taken));
                left -= taken;
            }
            pending.push((split.children[0] as usize, left));
        }
        cut(tree, &leaf)
    }
}

/// The least sum for each total number of steps, and how many of them the second table provides. Of
/// equals it provides the fewest.
fn join(first: &[f64], second: &[f64], bound: usize) -> (Vec<f64>, Vec<u32>) {
    let length = (first.len() + second.len() - 2).min(bound) + 1;
    let mut sums = vec![f64::INFINITY; length];
    let mut taken = vec![0; length];
    for (b, &error) in second.iter().enumerate().take(length) {
        for (a, &other) in first.iter().enumerate().take(length - b) {
            if other + error < sums[a + b] {
                sums[a + b] = other + error;
                taken[a + b] = b as u32;
            }
        }
    }
    (sums, taken)
}

/// The sizes whose error is below that of every smaller one, by more than the rounding of sums.
fn front(table: &[f64], step: usize) -> Vec<Point> {
    let margin = 1e-12 * table[0].abs();
    let mut curve = vec![Point {
        size: 1,
        error: table[0],
    }];
    let mut least = table[0];
    for (steps, &error) in table.iter().enumerate().skip(1) {
        if error < least - margin {
            least = error;
            curve.push(Point {
                size: 1 + steps * step,
                error,
            });
        }
    }
    curve
}

fn greatest_common_divisor(a: usize, b: usize) -> usize {
    if b == 0 {
        a
    } else {
        greatest_common_divisor(b, a % b)
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{error, grown, path, prunings, trees};
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_best_of_five_nodes_need_not_hold_the_best_of_three() {
        // The root gains nothing alone; its second child gains more than its first.
        let tree = grown(&[(0, 2), (4, 2), (0, 0), (0, 0), (9, 2), (0, 0), (0, 0)]);
        let sizes = SizeOptimal::new(&tree, None, |error| *error);
        let curve: Vec<_> = sizes.curve().iter().map(|p| (p.size, p.error)).collect();
        assert_eq!(curve, [(1, 40.0), (5, 31.0), (7, 27.0)]);
        let five = sizes.prune(&tree, sizes.at_most(6).unwrap());
        assert_eq!((five.size(), error(&five)), (5, 31.0));
        assert!(five.node(1).split.is_none());
        assert_eq!(sizes.within(30.0).map(|p| p.size), Some(7));
        assert_eq!(sizes.within(26.9), None);
        assert_eq!(sizes.at_most(0), None);
    }

    kinwood_testing::soak! { 256;
        fn soak_no_pruning_of_the_size_is_better(tree in trees(), largest in 1usize..30) {
            let sizes = SizeOptimal::new(&tree, Some(largest), |error| *error);
            let all = prunings(&tree, 0);
            for size in 1..=largest {
                let least = all
                    .iter()
                    .filter(|p| p.0 <= size)
                    .map(|p| p.2)
                    .fold(f64::INFINITY, f64::min);
                let point = sizes.at_most(size).unwrap();
                prop_assert_eq!(point.error, least);
                let smallest = all.iter().filter(|p| p.2 <= least).map(|p| p.0).min();
                prop_assert_eq!(Some(point.size), smallest);
                let pruned = sizes.prune(&tree, point);
                prop_assert_eq!((pruned.size(), error(&pruned)), (point.size, point.error));
            }
            prop_assert!(sizes.curve().iter().all(|point| point.size <= largest));
        }
    }

    #[test]
    fn long_paths_are_pruned_without_recursion() {
        let tree = path(5_000);
        let sizes = SizeOptimal::new(&tree, Some(101), |error| *error);
        let best = sizes.curve().last().copied().unwrap();
        assert_eq!((best.size, best.error), (101, 4_950.0 * 4_950.0));
        assert_eq!(sizes.prune(&tree, best).size(), 101);
        let all = SizeOptimal::new(&path(2_000), None, |error| *error);
        assert_eq!(all.curve().len(), 2_001);
    }
}
