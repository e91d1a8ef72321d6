//! C4.5's pessimistic pruning: the errors of a leaf are taken to be the upper limit of what its
//! examples allow.
//!
//! Reference: J. R. Quinlan, C4.5: Programs for Machine Learning, 1993, chapter 4; the worked
//! example of pages 40 to 42 is in the tests.

mod raising;

use super::{Tally, Weighted, cut};
use crate::tree::structure::Tree;
use raising::{Raising, in_preorder};
use statrs::distribution::{ContinuousCDF, Normal};

/// A subtree or branch must be better than a leaf by this many errors to stay.
const TOLERANCE: f64 = 0.1;

/// A subtree must make this many training errors fewer than a leaf, or it collapses before the
/// estimates are made.
const WORTHLESS: f64 = 1e-3;

/// C4.5's pessimistic pruning.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct C45 {
    /// The confidence CF of the upper limit, above 0 and at most 1: the smaller, the more is
    /// pruned.
    pub confidence: f64,
    /// How the confidence becomes a number of standard deviations.
    pub deviate: Deviate,
}

/// How a confidence becomes a number of standard deviations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Deviate {
    /// Straight lines between the nine values that C4.5 has in a table: 0.6925 at 0.25.
    #[default]
    Table,
    /// The quantile of the normal distribution, as later systems compute it: 0.6745 at 0.25.
    Normal,
}

/// The training examples of a tree, needed to see what a raised branch would do with those of its
/// siblings.
pub struct Training<'a, T, P> {
    /// The rows in the root, with their weights.
    pub rows: Vec<Weighted>,
    /// The branch into which a test sends a row; `None` where it cannot decide.
    pub branch: &'a dyn Fn(&T, u32) -> Option<usize>,
    /// The payload of a node that these rows reach.
    pub payload: &'a dyn Fn(&[Weighted]) -> P,
}

impl Default for C45 {
    fn default() -> Self {
        Self {
            confidence: 0.25,
            deviate: Deviate::Table,
        }
    }
}

impl C45 {
    /// How many errors more than the `errors` seen among `weight` examples are to be expected.
    ///
    /// Without errors the limit is exact; from one error on it is that of the normal approximation
    /// with continuity correction, in between it lies on a line; where nearly all examples are
    /// errors, it is 0.67 of the rest.
    pub fn extra_errors(&self, weight: f64, errors: f64) -> f64 {
        if weight <= 0.0 {
            return 0.0;
        }
        let none = weight * (1.0 - (self.confidence.ln() / weight).exp());
        let extra = if errors < 1e-6 {
            none
        } else if errors < 0.9999 {
            none + errors * (self.beyond_one(weight, 1.0) - none)
        } else {
            self.beyond_one(weight, errors)
        };
        extra.max(0.0)
    }

    fn beyond_one(&self, weight: f64, errors: f64) -> f64 {
        let corrected = errors + 0.5;
        if corrected >= weight {
            return 0.67 * (weight - errors);
        }
        let squared = self.deviations().powi(2);
        let spread = squared * (corrected * (1.0 - corrected / weight) + squared / 4.0);
        let limit = (corrected + squared / 2.0 + spread.sqrt()) / (weight + squared);
        weight * limit - errors
    }

    fn deviations(&self) -> f64 {
        const CONFIDENCES: [f64; 9] = [0.0, 0.001, 0.005, 0.01, 0.05, 0.10, 0.20, 0.40, 1.00];
        const DEVIATIONS: [f64; 9] = [4.0, 3.09, 2.58, 2.33, 1.65, 1.28, 0.84, 0.25, 0.00];
        match self.deviate {
            Deviate::Normal => Normal::standard()
                .inverse_cdf(1.0 - self.confidence)
                .max(0.0),
            Deviate::Table => {
                let above = CONFIDENCES.partition_point(|given| *given < self.confidence);
                let above = above.clamp(1, CONFIDENCES.len() - 1);
                let (low, high) = (CONFIDENCES[above - 1], CONFIDENCES[above]);
                let way = (self.confidence - low) / (high - low);
                DEVIATIONS[above - 1] + way * (DEVIATIONS[above] - DEVIATIONS[above - 1])
            }
        }
    }

    /// The errors to be expected of a leaf, summed over its tallies.
    fn expected(&self, tallies: &[Tally]) -> f64 {
        let each = tallies.iter();
        each.map(|tally| tally.error + self.extra_errors(tally.weight, tally.error))
            .sum()
    }

    /// Collapses what is worthless and makes leaves of nodes that are expected to err no more than
    /// their subtrees; raises none. `tallies` are the weight and the errors of a node for each
    /// target.
    pub fn prune<T: Clone, P: Clone>(
        &self,
        tree: &Tree<T, P>,
        tallies: impl Fn(&P) -> Vec<Tally>,
    ) -> Tree<T, P> {
        let tree = collapse(tree, &tallies);
        let mut least = vec![0.0; tree.size()];
        let mut leaf = vec![false; tree.size()];
        for (place, node) in tree.nodes().iter().enumerate().rev() {
            least[place] = self.expected(&tallies(&node.payload));
            if let Some(split) = &node.split {
                let below: f64 = split.children.iter().map(|&c| least[c as usize]).sum();
                leaf[place] = least[place] <= below + TOLERANCE;
                if !leaf[place] {
                    least[place] = below;
                }
            }
        }
        cut(&tree, &leaf)
    }

    /// As [`prune`](Self::prune), and a node may also be replaced by its heaviest branch, which
    /// then answers for all the rows of the node: its payloads and shares are made anew from the
    /// rows that now reach them.
    pub fn prune_raising<T: Clone, P: Clone>(
        &self,
        tree: &Tree<T, P>,
        tallies: impl Fn(&P) -> Vec<Tally>,
        training: Training<'_, T, P>,
    ) -> Tree<T, P> {
        let tree = collapse(tree, &tallies);
        let rows = training.rows;
        let mut raising = Raising {
            nodes: tree.nodes().to_vec(),
            expected: &|payload| self.expected(&tallies(payload)),
            branch: training.branch,
            payload: training.payload,
        };
        raising.run(rows);
        in_preorder(raising.nodes)
    }
}

/// Makes leaves of nodes whose subtrees make no fewer training errors.
fn collapse<T: Clone, P: Clone>(
    tree: &Tree<T, P>,
    tallies: &impl Fn(&P) -> Vec<Tally>,
) -> Tree<T, P> {
    let mut errors = vec![0.0; tree.size()];
    let mut leaf = vec![false; tree.size()];
    for (place, node) in tree.nodes().iter().enumerate().rev() {
        let own: f64 = tallies(&node.payload).iter().map(|tally| tally.error).sum();
        errors[place] = own;
        if let Some(split) = &node.split {
            errors[place] = split.children.iter().map(|&c| errors[c as usize]).sum();
            leaf[place] = own <= errors[place] + WORTHLESS;
        }
    }
    cut(tree, &leaf)
}

#[cfg(test)]
mod tests {
    use super::super::testing::path;
    use super::*;
    use crate::tree::structure::{Node, Split};

    type Counts = Vec<f64>;

    fn tallies(counts: &Counts) -> Vec<Tally> {
        let weight: f64 = counts.iter().sum();
        let most = counts.iter().copied().fold(0.0, f64::max);
        vec![Tally {
            weight,
            error: weight - most,
        }]
    }

    fn limit(settings: C45, errors: f64, weight: f64) -> f64 {
        (errors + settings.extra_errors(weight, errors)) / weight
    }

    #[test]
    fn upper_limits_are_those_of_the_book() {
        // Quinlan 1993, pages 41 and 42.
        let rounded = |errors, weight| {
            let limit = limit(C45::default(), errors, weight);
            (limit * 1000.0).round() / 1000.0
        };
        assert_eq!(rounded(0.0, 6.0), 0.206);
        assert_eq!(rounded(0.0, 9.0), 0.143);
        assert_eq!(rounded(0.0, 1.0), 0.750);
        assert_eq!(rounded(1.0, 16.0), 0.157);
        let normal = C45 {
            deviate: Deviate::Normal,
            ..C45::default()
        };
        assert!((normal.deviations() - 0.674_489_75).abs() < 1e-8);
        assert!((C45::default().deviations() - 0.6925).abs() < 1e-12);
        assert!((limit(normal, 1.0, 16.0) - 0.1547).abs() < 1e-4);
    }

    #[test]
    fn limits_grow_with_the_errors_seen() {
        let settings = C45::default();
        assert_eq!(settings.extra_errors(0.0, 0.0), 0.0);
        assert_eq!(settings.extra_errors(4.0, 4.0), 0.0);
        assert!((settings.extra_errors(4.0, 3.6) - 0.268).abs() < 1e-12);
        let between = settings.extra_errors(10.0, 0.5);
        let ends = [
            settings.extra_errors(10.0, 0.0),
            settings.extra_errors(10.0, 1.0),
        ];
        assert!((between - f64::midpoint(ends[0], ends[1])).abs() < 1e-12);
        let surer = C45 {
            confidence: 0.05,
            ..settings
        };
        for errors in 0..8 {
            let errors = f64::from(errors);
            assert!(limit(settings, errors, 20.0) < limit(settings, errors + 1.0, 20.0));
            assert!(limit(settings, errors, 20.0) < limit(surer, errors, 20.0));
        }
    }

    #[test]
    fn the_books_subtree_becomes_a_leaf() {
        // Education spending: leaves of 6, 9 and 1 of one class expect 3.273 errors, the leaf of 16
        // with one error 2.512. The three branches differ in what they say, or the subtree would
        // collapse at once.
        let leaf = |payload: Counts| Node {
            payload,
            split: None,
        };
        let root = Node {
            payload: vec![15.0, 1.0],
            split: Some(Split {
                test: (),
                children: vec![1, 2, 3],
                shares: vec![6.0 / 16.0, 9.0 / 16.0, 1.0 / 16.0],
            }),
        };
        let leaves = [vec![6.0, 0.0], vec![9.0, 0.0], vec![0.0, 1.0]];
        let nodes = std::iter::once(root).chain(leaves.map(leaf)).collect();
        let tree = Tree::new(nodes).unwrap();
        let expected = |counts: &Counts| C45::default().expected(&tallies(counts));
        let below: f64 = (1..4).map(|node| expected(&tree.node(node).payload)).sum();
        assert!((below - 3.273).abs() < 2e-3, "{below}");
        assert!((expected(&vec![15.0, 1.0]) - 2.512).abs() < 6e-3);
        assert_eq!(C45::default().prune(&tree, tallies).size(), 1);
        let trusting = C45 {
            confidence: 0.9,
            ..C45::default()
        };
        assert_eq!(trusting.prune(&tree, tallies).size(), 4);
    }

    #[test]
    fn long_paths_are_pruned_without_recursion() {
        let tree = path(10_000).map(|error| vec![50.0, error]);
        assert!(C45::default().prune(&tree, tallies).size() < tree.size());
    }
}
