//! Reduced-error pruning: a held-out set decides.
//!
//! Reference: J. R. Quinlan, Simplifying decision trees, International Journal of Man-Machine
//! Studies 27, 1987.

use super::{Weighted, cut, divide};
use crate::tree::structure::Tree;

/// The smallest pruned tree with least error on a held-out set.
///
/// `held_out` is the error of each node, as a leaf, on the held-out rows that reach it (see
/// [`held_out`]). Bottom up, a node becomes a leaf if that is no worse than its pruned subtree; so
/// a node that no held-out row reaches becomes one.
pub fn reduced_error<T: Clone, P: Clone>(tree: &Tree<T, P>, held_out: &[f64]) -> Tree<T, P> {
    let mut least = held_out.to_vec();
    let mut leaf = vec![false; tree.size()];
    for node in (0..tree.size()).rev() {
        if let Some(split) = &tree.nodes()[node].split {
            let below: f64 = split.children.iter().map(|&c| least[c as usize]).sum();
            leaf[node] = held_out[node] <= below;
            least[node] = below.min(held_out[node]);
        }
    }
    cut(tree, &leaf)
}

/// The error of each node, as a leaf, on the rows that reach it: the sum of `loss(payload, row)`
/// times the weight.
///
/// A row whose branch is not known is divided by the shares of the training examples.
pub fn held_out<T, P>(
    tree: &Tree<T, P>,
    rows: Vec<Weighted>,
    branch: &dyn Fn(&T, u32) -> Option<usize>,
    loss: impl Fn(&P, u32) -> f64,
) -> Vec<f64> {
    let mut errors = vec![0.0; tree.size()];
    let mut pending = vec![(0u32, rows)];
    while let Some((node, rows)) = pending.pop() {
        let here = tree.node(node);
        errors[node as usize] = rows
            .iter()
            .map(|&(row, weight)| weight * loss(&here.payload, row))
            .sum();
        if let Some(split) = here.split.as_ref().filter(|_| !rows.is_empty()) {
            let divided = divide(&split.test, &split.shares, false, &rows, branch);
            pending.extend(split.children.iter().copied().zip(divided.parts));
        }
    }
    errors
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Errors, error, grown, path, prunings, trees};
    use super::*;
    use proptest::prelude::*;

    fn errors(tree: &Errors) -> Vec<f64> {
        tree.nodes().iter().map(|node| node.payload).collect()
    }

    proptest! {
        #[test]
        fn no_pruning_is_better_and_none_as_good_is_smaller(
            tree in trees(),
            noise in proptest::collection::vec(0u8..20, 64),
        ) {
            // Errors on a held-out set need not fall from a node to its children.
            let noisy: Errors = {
                let mut noise = noise.into_iter().cycle();
                tree.map(|error| error + f64::from(noise.next().unwrap_or(0)))
            };
            let pruned = reduced_error(&noisy, &errors(&noisy));
            let all = prunings(&noisy, 0);
            let least = all.iter().map(|p| p.2).fold(f64::INFINITY, f64::min);
            let smallest = all.iter().filter(|p| p.2 == least).map(|p| p.0).min();
            prop_assert_eq!(error(&pruned), least);
            prop_assert_eq!(Some(pruned.size()), smallest);
        }
    }

    #[test]
    fn held_out_rows_are_divided_like_training_rows() {
        let tree = grown(&[(10, 2), (0, 0), (0, 0)]);
        // Rows 0 and 1 are decided, row 2 is not and goes down both branches with half its weight.
        let branch = |_: &u32, row: u32| (row < 2).then_some(row as usize);
        let rows = vec![(0, 1.0), (1, 2.0), (2, 4.0)];
        let reached = held_out(&tree, rows, &branch, |_, _| 1.0);
        assert_eq!(reached, [7.0, 3.0, 4.0]);
        let missed = held_out(&tree, vec![], &branch, |_, _| 1.0);
        assert_eq!(missed, [0.0; 3]);
        assert_eq!(reduced_error(&tree, &missed).size(), 1);
    }

    #[test]
    fn long_paths_are_pruned_without_recursion() {
        let tree = path(20_000);
        let pruned = reduced_error(&tree, &vec![0.0; tree.size()]);
        assert_eq!(pruned.size(), 1);
    }
}
