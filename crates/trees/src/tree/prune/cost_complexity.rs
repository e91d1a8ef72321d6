//! Minimal cost-complexity pruning: the sequence of trees that are best for some price of a leaf.
//!
//! Reference: L. Breiman, J. H. Friedman, R. A. Olshen and C. J. Stone, Classification and
//! Regression Trees, 1984, chapters 3.3 and 3.4.

use super::cut;
use crate::tree::structure::Tree;

/// A tree of the sequence.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    /// The least price of a leaf from which on this tree is the smallest of the best; the next
    /// one's price ends it.
    pub alpha: f64,
    /// The number of its nodes.
    pub size: usize,
    /// The number of its leaves.
    pub leaves: usize,
    /// The sum of its leaves' errors.
    pub error: f64,
}

/// How wrong a tree of the sequence is on examples that it was not grown from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The error.
    pub error: f64,
    /// Its standard error.
    pub deviation: f64,
}

impl Estimate {
    /// The mean of losses, each with its weight, and the standard error of it.
    pub fn of(losses: &[(f64, f64)]) -> Self {
        let total: f64 = losses.iter().map(|loss| loss.1).sum();
        let mean = losses
            .iter()
            .map(|(loss, weight)| loss * weight)
            .sum::<f64>()
            / total.max(f64::MIN_POSITIVE);
        let squares = losses
            .iter()
            .map(|(loss, weight)| weight * (loss - mean).powi(2));
        let variance = squares.sum::<f64>() / (total - 1.0).max(1.0);
        Estimate {
            error: mean,
            deviation: (variance / total.max(1.0)).sqrt(),
        }
    }
}

/// The sequence of weakest links: each tree is the smallest that minimises error + alpha · leaves,
/// for a range of alpha, and a pruning of the one before.
///
/// At each step the inner nodes go whose leaves save least: `(R(t) - R(T_t)) / (leaves - 1)`.
#[derive(Clone, Debug)]
pub struct WeakestLinks {
    steps: Vec<Step>,
    /// The first step in which a node is a leaf; none for a node that the whole tree splits to the
    /// end.
    cut_at: Vec<Option<usize>>,
}

/// What is known of the subtree of a node as it stands.
struct Subtree {
    error: f64,
    leaves: usize,
    size: usize,
    /// The least strength of a link in it; infinite for a leaf.
    weakest: f64,
}

impl WeakestLinks {
    /// Computes the sequence; `error` is that of a node as a leaf. The first step has alpha 0 and
    /// is the smallest pruning as good as the whole tree, the last is the root alone.
    pub fn new<T, P>(tree: &Tree<T, P>, error: impl Fn(&P) -> f64) -> Self {
        let nodes = tree.nodes();
        let own: Vec<f64> = nodes.iter().map(|node| error(&node.payload)).collect();
        let mut links = Links {
            children: nodes
                .iter()
                .map(|node| node.split.as_ref().map_or(&[][..], |split| &split.children))
                .collect(),
            subtrees: own
                .iter()
                .map(|&error| Subtree {
                    error,
                    leaves: 1,
                    size: 1,
                    weakest: f64::INFINITY,
                })
                .collect(),
            own,
            cut_at: vec![None; nodes.len()],
        };
        for node in (0..nodes.len()).rev() {
            links.refresh(node);
        }
        // Sums of errors in another order differ by rounding: such links are equally weak.
        let rounding = 1e-12 * links.own[0].abs();
        let mut steps: Vec<Step> = Vec::new();
        let mut alpha = 0.0;
        loop {
            while links.subtrees[0].weakest <= alpha + rounding {
                links.cut_weakest(steps.len());
            }
            let whole = &links.subtrees[0];
            steps.push(Step {
                alpha,
                size: whole.size,
                leaves: whole.leaves,
                error: whole.error,
            });
            if whole.leaves == 1 {
                break;
            }
            alpha = whole.weakest;
        }
        Self {
            steps,
            cut_at: links.cut_at,
        }
    }

    /// The trees of the sequence, the largest first.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// The tree of a step; `tree` is the one that the sequence was computed from.
    pub fn prune<T: Clone, P: Clone>(&self, tree: &Tree<T, P>, step: usize) -> Tree<T, P> {
        let leaf: Vec<bool> = self
            .cut_at
            .iter()
            .map(|cut| cut.is_some_and(|cut| cut <= step))
            .collect();
        cut(tree, &leaf)
    }

    /// The step that is best when a leaf costs `alpha`.
    pub fn at(&self, alpha: f64) -> usize {
        let within = self.steps.partition_point(|step| step.alpha <= alpha);
        within.saturating_sub(1)
    }

    /// The largest step of at most so many nodes: the last is always small enough for one.
    pub fn at_most(&self, size: usize) -> Option<usize> {
        self.steps.iter().position(|step| step.size <= size)
    }

    /// A price from inside each step's range, the geometric mean of its ends: at these the trees of
    /// the folds of a cross-validation are pruned, to estimate the error of the step. The last
    /// range has no end: infinity.
    pub fn typical_alphas(&self) -> Vec<f64> {
        let ends = self.steps.iter().skip(1).map(|step| step.alpha);
        let ends = ends.chain([f64::INFINITY]);
        self.steps
            .iter()
            .zip(ends)
            .map(|(step, end)| (step.alpha * end).sqrt())
            // The root alone, grown as such, has a range from 0 to infinity.
            .map(|alpha| if alpha.is_nan() { f64::INFINITY } else { alpha })
            .collect()
    }
}

/// The step of least error, by an estimate for each; of equals the smallest tree.
///
/// With `one_se` the smallest tree whose error is within one standard error of the least (Breiman
/// et al., 3.4.3). `None` if there are no estimates.
pub fn choose(estimates: &[Estimate], one_se: bool) -> Option<usize> {
    let least = estimates
        .iter()
        .rev()
        .min_by(|a, b| a.error.total_cmp(&b.error))?;
    let tolerated = if one_se {
        least.error + least.deviation
    } else {
        least.error
    };
    estimates
        .iter()
        .rposition(|estimate| estimate.error <= tolerated)
}

struct Links<'a> {
    children: Vec<&'a [u32]>,
    own: Vec<f64>,
    subtrees: Vec<Subtree>,
    cut_at: Vec<Option<usize>>,
}

impl Links<'_> {
    /// How much error each leaf below an inner node saves.
    fn strength(&self, node: usize) -> f64 {
        let subtree = &self.subtrees[node];
        (self.own[node] - subtree.error) / (subtree.leaves - 1) as f64
    }

    /// Computes a node's subtree from those of its children.
    fn refresh(&mut self, node: usize) {
        if self.children[node].is_empty() {
            return;
        }
        let mut joined = Subtree {
            error: 0.0,
            leaves: 0,
            size: 1,
            weakest: f64::INFINITY,
        };
        for &child in self.children[node] {
            let child = &self.subtrees[child as usize];
            joined.error += child.error;
            joined.leaves += child.leaves;
            joined.size += child.size;
            joined.weakest = joined.weakest.min(child.weakest);
        }
        self.subtrees[node] = joined;
        let strength = self.strength(node);
        let subtree = &mut self.subtrees[node];
        subtree.weakest = subtree.weakest.min(strength);
    }

    /// Makes a leaf of the topmost weakest link, the first of equals.
    fn cut_weakest(&mut self, step: usize) {
        let weakest = self.subtrees[0].weakest;
        let mut path = vec![0usize];
        let mut node = 0;
        while self.strength(node) > weakest {
            let children = self.children[node].iter().map(|&child| child as usize);
            let mut children = children.filter(|&child| self.subtrees[child].weakest <= weakest);
            node = children
                .next()
                .expect("the least strength of a subtree is found in it or in a child's");
            path.push(node);
        }
        self.children[node] = &[];
        self.cut_at[node] = Some(step);
        self.subtrees[node] = Subtree {
            error: self.own[node],
            leaves: 1,
            size: 1,
            weakest: f64::INFINITY,
        };
        path.pop();
        for &above in path.iter().rev() {
            self.refresh(above);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{error, grown, path, prunings, trees};
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_weakest_link_goes_first() {
        // Strengths: root (40 - 27) / 3, first child (20 - 16) / 1, second (20 - 11) / 1.
        let tree = grown(&[(0, 2), (4, 2), (0, 0), (0, 0), (9, 2), (0, 0), (0, 0)]);
        let links = WeakestLinks::new(&tree, |error| *error);
        let steps: Vec<_> = links
            .steps()
            .iter()
            .map(|s| (s.alpha, s.size, s.leaves, s.error))
            .collect();
        assert_eq!(
            steps,
            [(0.0, 7, 4, 27.0), (4.0, 5, 3, 31.0), (4.5, 1, 1, 40.0)]
        );
        assert_eq!((links.at(3.9), links.at(4.0), links.at(9.0)), (0, 1, 2));
        assert_eq!((links.at_most(6), links.at_most(0)), (Some(1), None));
        assert_eq!(links.typical_alphas(), [0.0, 18.0f64.sqrt(), f64::INFINITY]);
        assert_eq!(links.prune(&tree, 1).size(), 5);
    }

    #[test]
    fn the_smallest_of_the_best_or_nearly_best_is_chosen() {
        let estimates: Vec<_> = [(10.0, 1.0), (8.0, 1.5), (8.0, 1.0), (8.9, 1.0), (9.1, 1.0)]
            .map(|(error, deviation)| Estimate { error, deviation })
            .to_vec();
        assert_eq!(choose(&estimates, false), Some(2));
        assert_eq!(choose(&estimates, true), Some(3));
        assert_eq!(choose(&[], true), None);
    }

    #[test]
    fn a_leaf_alone_is_a_sequence_of_one() {
        let links = WeakestLinks::new(&grown(&[]), |error| *error);
        assert_eq!(links.steps().len(), 1);
        assert_eq!(links.typical_alphas(), [f64::INFINITY]);
    }

    kinwood_testing::soak! { 256;
        fn soak_each_step_is_the_smallest_of_the_best_for_its_prices(tree in trees()) {
            let links = WeakestLinks::new(&tree, |error| *error);
            let all = prunings(&tree, 0);
            let steps = links.steps();
            for (place, step) in steps.iter().enumerate() {
                let pruned = links.prune(&tree, place);
                prop_assert_eq!(pruned.size(), step.size);
                prop_assert_eq!(pruned.leaves(), step.leaves);
                prop_assert_eq!(error(&pruned), step.error);
                let end = steps.get(place + 1).map_or(step.alpha + 10.0, |next| next.alpha);
                prop_assert!(end > step.alpha);
                // Inside the range it is the only one of its cost and size; at its start the
                // smallest.
                for alpha in [step.alpha, f64::midpoint(step.alpha, end)] {
                    let cost = |p: &(usize, usize, f64)| p.2 + alpha * p.1 as f64;
                    let least = all.iter().map(cost).fold(f64::INFINITY, f64::min);
                    let smallest = all
                        .iter()
                        .filter(|p| cost(p) <= least + 1e-9)
                        .map(|p| p.1)
                        .min();
                    prop_assert_eq!(Some(step.leaves), smallest);
                }
            }
        }
    }

    #[test]
    fn long_paths_are_pruned_without_recursion() {
        let tree = path(3_000);
        let links = WeakestLinks::new(&tree, |error| *error);
        assert_eq!(links.steps().len(), 3_001);
        // The lowest split saves 1, the next 3, then 5, 7 and 9.
        assert_eq!((links.steps()[3_000].size, links.at(10.5)), (1, 5));
    }
}
