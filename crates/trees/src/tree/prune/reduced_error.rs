//! Reduced-error pruning: a held-out set decides.
//!
//! Reference: J. R. Quinlan, Simplifying decision trees, International Journal of Man-Machine
//! Studies 27, 1987.

use super::cut;
use crate::tree::structure::Tree;

/// The smallest pruned tree with least error on a held-out set.
///
/// `held_out` is the error of each node, as a leaf, on the held-out rows that reach it. Bottom up,
/// a node becomes a leaf if that is no worse than its pruned subtree; so a node that no held-out
/// row reaches becomes one.
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

#[cfg(test)]
mod tests {
    use super::super::testing::{Errors, error, grown, path, prunings, trees};
    use super::*;
    use proptest::prelude::*;

    fn errors(tree: &Errors) -> Vec<f64> {
        tree.nodes().iter().map(|node| node.payload).collect()
    }

    kinwood_testing::soak! { 256;
        fn soak_no_pruning_is_better_and_none_as_good_is_smaller(
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
    fn a_node_that_no_held_out_row_reaches_becomes_a_leaf() {
        let tree = grown(&[(10, 2), (0, 0), (0, 0)]);
        assert_eq!(reduced_error(&tree, &[0.0; 3]).size(), 1);
        assert_eq!(reduced_error(&tree, &[7.0, 3.0, 3.0]).size(), 3);
    }

    #[test]
    fn long_paths_are_pruned_without_recursion() {
        let tree = path(20_000);
        let pruned = reduced_error(&tree, &vec![0.0; tree.size()]);
        assert_eq!(pruned.size(), 1);
    }
}
