//! M5's pruning: a subtree must pay for its nodes.
//!
//! Reference: J. R. Quinlan, Learning with continuous classes, Proceedings of the 5th Australian
//! Joint Conference on Artificial Intelligence, 1992; the factor 2 is that of Y. Wang and I. H.
//! Witten, Induction of model trees for predicting continuous classes, 1997.

use super::{Tally, cut};
use crate::tree::structure::Tree;

/// M5's pruning, bottom up: a node becomes a leaf if its error, so adjusted, is not above that of
/// its subtree.
///
/// The adjusted error is the root of the mean squared error times `(n + factor p) / (n - p)`, where
/// n is the weight of the examples and p the number of parameters: 1 for a leaf, the number of
/// nodes for a subtree. It is times 10 where n is not above p.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct M5 {
    /// How much a parameter costs.
    pub factor: f64,
    /// Of several targets: whether the leaf must be no worse for each of them, not only in the mean
    /// of their errors, each in units of its variance in the root.
    pub every_target: bool,
}

impl Default for M5 {
    fn default() -> Self {
        Self {
            factor: 2.0,
            every_target: false,
        }
    }
}

impl M5 {
    /// The pruned tree; `tallies` are the weight and the squared error of a node for each target.
    pub fn prune<T: Clone, P: Clone>(
        &self,
        tree: &Tree<T, P>,
        tallies: impl Fn(&P) -> Vec<Tally>,
    ) -> Tree<T, P> {
        let own: Vec<Vec<Tally>> = tree.nodes().iter().map(|n| tallies(&n.payload)).collect();
        let scales: Vec<f64> = own[0].iter().map(mean).collect();
        let mut squares: Vec<Vec<f64>> = own
            .iter()
            .map(|tallies| tallies.iter().map(|tally| tally.error).collect())
            .collect();
        let mut sizes = vec![1usize; tree.size()];
        let mut leaf = vec![false; tree.size()];
        for node in (0..tree.size()).rev() {
            let Some(split) = &tree.nodes()[node].split else {
                continue;
            };
            let children = || split.children.iter().map(|&child| child as usize);
            let size = 1 + children().map(|child| sizes[child]).sum::<usize>();
            let below: Vec<Tally> = own[node]
                .iter()
                .enumerate()
                .map(|(target, tally)| Tally {
                    weight: tally.weight,
                    error: children().map(|child| squares[child][target]).sum(),
                })
                .collect();
            if self.prefers_leaf(&own[node], &below, size, &scales) {
                leaf[node] = true;
            } else {
                sizes[node] = size;
                squares[node] = below.iter().map(|tally| tally.error).collect();
            }
        }
        cut(tree, &leaf)
    }

    fn prefers_leaf(&self, own: &[Tally], below: &[Tally], size: usize, scales: &[f64]) -> bool {
        if self.every_target {
            return own.iter().zip(below).all(|(own, below)| {
                mean(own).sqrt() * self.penalty(own.weight, 1)
                    <= mean(below).sqrt() * self.penalty(own.weight, size)
            });
        }
        let targets = own.len().max(1) as f64;
        let weight = own.iter().map(|tally| tally.weight).sum::<f64>() / targets;
        let rms = |tallies: &[Tally]| {
            let scaled = tallies
                .iter()
                .zip(scales)
                .filter(|(_, scale)| **scale > 0.0);
            let mean = scaled
                .map(|(tally, scale)| mean(tally) / scale)
                .sum::<f64>()
                / targets;
            mean.sqrt()
        };
        rms(own) * self.penalty(weight, 1) <= rms(below) * self.penalty(weight, size)
    }

    /// By how much the error on training rows is raised for there being so many parameters.
    pub(crate) fn penalty(&self, weight: f64, parameters: usize) -> f64 {
        let parameters = parameters as f64;
        if weight <= parameters {
            10.0
        } else {
            (weight + self.factor * parameters) / (weight - parameters)
        }
    }
}

fn mean(tally: &Tally) -> f64 {
    if tally.weight > 0.0 {
        tally.error / tally.weight
    } else {
        0.0
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::path;
    use super::*;
    use crate::tree::structure::{Node, Split};
    use proptest::prelude::*;

    type Squares = Tree<(), Vec<Tally>>;

    fn tally(weight: f64, error: f64) -> Tally {
        Tally { weight, error }
    }

    fn stump(own: Vec<Tally>, left: Vec<Tally>, right: Vec<Tally>) -> Squares {
        let leaf = |payload| Node {
            payload,
            split: None,
        };
        let split = Split {
            test: (),
            children: vec![1, 2],
            shares: vec![0.5, 0.5],
        };
        let root = Node {
            payload: own,
            split: Some(split),
        };
        Tree::new(vec![root, leaf(left), leaf(right)]).unwrap()
    }

    fn one(weight: f64, own: f64, left: f64, right: f64) -> Squares {
        let half = weight / 2.0;
        stump(
            vec![tally(weight, own)],
            vec![tally(half, left)],
            vec![tally(half, right)],
        )
    }

    #[test]
    fn a_split_must_pay_for_three_parameters() {
        // n = 20: a leaf costs 22/19, three nodes 26/17. The subtree pays if its squared error is
        // below (22/19 · 17/26)² = 0.57321 of the leaf's.
        let m5 = M5::default();
        let size = |below: f64| m5.prune(&one(20.0, 100.0, below, 0.0), Clone::clone).size();
        assert_eq!((size(57.3), size(57.4)), (3, 1));
    }

    #[test]
    fn few_examples_cost_ten_times() {
        // n = 3 is not above p = 3: 10 for the subtree, (3 + 2) / (3 - 1) = 2.5 for the leaf.
        let size = |below: f64| {
            let tree = one(3.0, 100.0, below, 0.0);
            M5::default().prune(&tree, Clone::clone).size()
        };
        assert_eq!((size(6.2), size(6.3)), (3, 1));
        let nothing = one(3.0, 0.0, 0.0, 0.0);
        assert_eq!(M5::default().prune(&nothing, Clone::clone).size(), 1);
    }

    #[test]
    fn several_targets_count_in_units_of_their_variance() {
        // The first target gains much, the second nothing: on average the squared error halves.
        let two = |scale: f64| {
            stump(
                vec![tally(20.0, 100.0), tally(20.0, 100.0 * scale)],
                vec![tally(10.0, 0.0), tally(10.0, 50.0 * scale)],
                vec![tally(10.0, 0.0), tally(10.0, 50.0 * scale)],
            )
        };
        for scale in [1e-6, 1.0, 1e6] {
            assert_eq!(M5::default().prune(&two(scale), Clone::clone).size(), 3);
            let every = M5 {
                every_target: true,
                ..M5::default()
            };
            // The leaf is worse for the first target, so the split stays there too.
            assert_eq!(every.prune(&two(scale), Clone::clone).size(), 3);
        }
        // On average the leaf wins; for the first target it does not.
        let uneven = stump(
            vec![tally(20.0, 100.0), tally(20.0, 100.0)],
            vec![tally(10.0, 25.0), tally(10.0, 50.0)],
            vec![tally(10.0, 25.0), tally(10.0, 50.0)],
        );
        let every = M5 {
            every_target: true,
            ..M5::default()
        };
        assert_eq!(M5::default().prune(&uneven, Clone::clone).size(), 1);
        assert_eq!(every.prune(&uneven, Clone::clone).size(), 3);
    }

    kinwood_testing::soak! { 256;
        fn soak_what_is_left_is_a_pruning_that_pays_everywhere(
            tree in super::super::testing::trees(),
            weight in 1.0..200.0f64,
        ) {
            let tallies = |error: &f64| vec![tally(weight, *error)];
            let m5 = M5::default();
            let pruned = m5.prune(&tree, tallies);
            prop_assert!(pruned.size() <= tree.size());
            // Pruning again changes nothing: every decision was made on the pruned subtree.
            prop_assert_eq!(m5.prune(&pruned, tallies), pruned.clone());
        }
    }

    #[test]
    fn long_paths_are_pruned_without_recursion() {
        let tree = path(20_000);
        let pruned = M5::default().prune(&tree, |error| vec![tally(9.0, error + 1.0)]);
        assert_eq!(pruned.size(), 1);
    }
}
