//! Subtree raising: a walk over the tree with its training rows, in which a node may be replaced by
//! its heaviest branch.
//!
//! Only the rows of the nodes on the way from the root are held, and what was raised is walked
//! again.

use super::TOLERANCE;
use crate::tree::prune::{Weighted, divide};
use crate::tree::structure::{Node, Split, Tree};

/// Pruning in progress: nodes that change where they stand; what is cut off stays behind,
/// unreachable.
pub(super) struct Raising<'a, T, P> {
    pub(super) nodes: Vec<Node<T, P>>,
    pub(super) expected: &'a dyn Fn(&P) -> f64,
    pub(super) branch: &'a dyn Fn(&T, u32) -> Option<usize>,
    pub(super) payload: &'a dyn Fn(&[Weighted]) -> P,
}

/// A node whose children are being pruned.
struct Visit {
    node: usize,
    rows: Vec<Weighted>,
    /// Whether the node, or one above it, was raised, so that rows reach it that did not before.
    raised: bool,
    /// The children yet to be visited, with their rows, the last first.
    pending: Vec<(usize, Vec<Weighted>)>,
    heaviest: Option<usize>,
    /// The errors expected of the children visited.
    below: f64,
}

impl<T: Clone, P: Clone> Raising<'_, T, P> {
    pub(super) fn run(&mut self, rows: Vec<Weighted>) {
        let mut visits = vec![self.enter(0, rows, false)];
        while let Some(visit) = visits.last_mut() {
            if let Some((child, rows)) = visit.pending.pop() {
                let raised = visit.raised;
                visits.push(self.enter(child, rows, raised));
                continue;
            }
            let Some(errors) = self.leave(visit) else {
                let raised = self.enter(visit.node, std::mem::take(&mut visit.rows), true);
                *visit = raised;
                continue;
            };
            visits.pop();
            if let Some(above) = visits.last_mut() {
                above.below += errors;
            }
        }
    }

    fn enter(&mut self, node: usize, rows: Vec<Weighted>, raised: bool) -> Visit {
        let mut visit = Visit {
            node,
            raised,
            pending: Vec::new(),
            heaviest: None,
            below: 0.0,
            rows,
        };
        let here = &mut self.nodes[node];
        if raised {
            here.payload = (self.payload)(&visit.rows);
        }
        if let Some(split) = &mut here.split {
            let divided = divide(&split.test, &split.shares, raised, &visit.rows, self.branch);
            split.shares = divided.shares;
            let children = split.children.iter().map(|&child| child as usize);
            visit.pending = children
                .zip(divided.parts)
                .filter(|(_, rows)| !rows.is_empty())
                .collect();
            let mut most = f64::NEG_INFINITY;
            for (child, rows) in &visit.pending {
                let weight: f64 = rows.iter().map(|(_, weight)| weight).sum();
                if weight > most {
                    most = weight;
                    visit.heaviest = Some(*child);
                }
            }
            visit.pending.reverse();
        }
        visit
    }

    /// Decides on a node whose children are pruned: the errors expected of what stands there now,
    /// or `None` if a branch was raised and is to be pruned again.
    fn leave(&mut self, visit: &Visit) -> Option<f64> {
        let as_leaf = (self.expected)(&self.nodes[visit.node].payload);
        if self.nodes[visit.node].split.is_none() {
            return Some(as_leaf);
        }
        let branch = visit
            .heaviest
            .filter(|&child| self.nodes[child].split.is_some());
        let as_branch = branch.map_or(f64::INFINITY, |child| self.routed(child, &visit.rows));
        if as_leaf <= as_branch + TOLERANCE && as_leaf <= visit.below + TOLERANCE {
            self.nodes[visit.node].split = None;
            return Some(as_leaf);
        }
        match branch {
            Some(child) if as_branch <= visit.below + TOLERANCE => {
                self.nodes[visit.node].split = self.nodes[child].split.clone();
                None
            }
            _ => Some(visit.below),
        }
    }

    /// The errors to be expected of a subtree if all these rows went down it.
    fn routed(&self, node: usize, rows: &[Weighted]) -> f64 {
        let mut errors = 0.0;
        let mut pending = vec![(node, rows.to_vec())];
        while let Some((node, rows)) = pending.pop() {
            if let Some(split) = &self.nodes[node].split {
                let divided = divide(&split.test, &split.shares, true, &rows, self.branch);
                let children = split.children.iter().map(|&child| child as usize);
                let reached = children.zip(divided.parts);
                pending.extend(reached.filter(|(_, rows)| !rows.is_empty()));
            } else {
                errors += (self.expected)(&(self.payload)(&rows));
            }
        }
        errors
    }
}

/// The tree that the first of the nodes leads to.
pub(super) fn in_preorder<T: Clone, P: Clone>(nodes: Vec<Node<T, P>>) -> Tree<T, P> {
    let mut ordered: Vec<Node<T, P>> = Vec::new();
    let mut pending = vec![(0usize, None::<(usize, usize)>)];
    while let Some((node, parent)) = pending.pop() {
        let place = ordered.len();
        if let Some((parent, branch)) = parent
            && let Some(Split { children, .. }) = &mut ordered[parent].split
        {
            children[branch] = place as u32;
        }
        let node = nodes[node].clone();
        let children = node.split.iter().flat_map(|split| &split.children);
        let children: Vec<usize> = children.map(|&child| child as usize).collect();
        ordered.push(node);
        let places = children.into_iter().enumerate().rev();
        pending.extend(places.map(|(branch, child)| (child, Some((place, branch)))));
    }
    Tree::new(ordered).expect("a depth-first walk over a tree is a preorder")
}

#[cfg(test)]
mod tests {
    use super::super::{C45, Training};
    use super::*;
    use crate::tree::prune::testing::path;
    use crate::tree::prune::{Divided, Tally};
    use proptest::prelude::*;

    type Counts = Vec<f64>;

    fn tallies(counts: &Counts) -> Vec<Tally> {
        let weight: f64 = counts.iter().sum();
        let most = counts.iter().copied().fold(0.0, f64::max);
        vec![Tally {
            weight,
            error: weight - most,
        }]
    }

    /// Rows of three attributes, some unknown, with a class.
    type Rows = Vec<([Option<u8>; 3], usize)>;

    /// A test: attribute and threshold.
    type Above = (usize, u8);

    /// The naive reading: nested nodes, recursion, everything counted anew.
    #[derive(Clone, Debug)]
    enum Naive {
        Leaf,
        Split(Above, Box<[Naive; 2]>),
    }

    struct Data(Rows);

    impl Data {
        fn branch(&self, test: &Above, row: u32) -> Option<usize> {
            let value = self.0[row as usize].0[test.0]?;
            Some(usize::from(value <= test.1))
        }

        fn counts(&self, rows: &[Weighted]) -> Counts {
            let mut counts = vec![0.0; 3];
            for &(row, weight) in rows {
                counts[self.0[row as usize].1] += weight;
            }
            counts
        }

        fn all(&self) -> Vec<Weighted> {
            (0..self.0.len() as u32).map(|row| (row, 1.0)).collect()
        }

        fn halves(&self, test: &Above, rows: &[Weighted]) -> Divided {
            divide(test, &[0.5, 0.5], true, rows, &|test, row| {
                self.branch(test, row)
            })
        }

        /// A tree whose tests are drawn from `tests`, each used where it divides the known rows.
        fn grow(&self, rows: &[Weighted], tests: &mut impl Iterator<Item = Above>) -> Naive {
            let Some(test) = tests.next() else {
                return Naive::Leaf;
            };
            let divided = self.halves(&test, rows);
            if divided.shares.contains(&0.0) || divided.parts.iter().any(Vec::is_empty) {
                return Naive::Leaf;
            }
            let mut grown = divided.parts.iter().map(|part| self.grow(part, tests));
            let (yes, no) = (grown.next().unwrap(), grown.next().unwrap());
            Naive::Split(test, Box::new([yes, no]))
        }

        fn flat(&self, naive: &Naive, rows: &[Weighted], into: &mut Vec<Node<Above, Counts>>) {
            let place = into.len();
            into.push(Node {
                payload: self.counts(rows),
                split: None,
            });
            if let Naive::Split(test, below) = naive {
                let divided = self.halves(test, rows);
                let mut children = Vec::new();
                for (naive, part) in below.iter().zip(&divided.parts) {
                    children.push(into.len() as u32);
                    self.flat(naive, part, into);
                }
                into[place].split = Some(Split {
                    test: *test,
                    children,
                    shares: divided.shares,
                });
            }
        }

        fn tree(&self, naive: &Naive) -> Tree<Above, Counts> {
            let mut nodes = Vec::new();
            self.flat(naive, &self.all(), &mut nodes);
            Tree::new(nodes).unwrap()
        }

        fn training_errors(&self, naive: &Naive, rows: &[Weighted]) -> f64 {
            match naive {
                Naive::Leaf => tallies(&self.counts(rows))[0].error,
                Naive::Split(test, below) => {
                    let parts = self.halves(test, rows).parts;
                    let each = below.iter().zip(&parts);
                    each.map(|(naive, part)| self.training_errors(naive, part))
                        .sum()
                }
            }
        }

        fn collapsed(&self, naive: &Naive, rows: &[Weighted]) -> Naive {
            let Naive::Split(test, below) = naive else {
                return Naive::Leaf;
            };
            let own = self.training_errors(&Naive::Leaf, rows);
            if own <= self.training_errors(naive, rows) + 1e-3 {
                return Naive::Leaf;
            }
            let parts = self.halves(test, rows).parts;
            let [yes, no] = [0, 1].map(|branch| self.collapsed(&below[branch], &parts[branch]));
            Naive::Split(*test, Box::new([yes, no]))
        }

        fn expected(&self, naive: &Naive, rows: &[Weighted]) -> f64 {
            match naive {
                Naive::Leaf => C45::default().expected(&tallies(&self.counts(rows))),
                Naive::Split(test, below) => {
                    let parts = self.halves(test, rows).parts;
                    let each = below.iter().zip(&parts).rev();
                    each.map(|(naive, part)| self.expected(naive, part)).sum()
                }
            }
        }

        fn pruned(&self, naive: &Naive, rows: &[Weighted]) -> Naive {
            let Naive::Split(test, below) = naive else {
                return Naive::Leaf;
            };
            let parts = self.halves(test, rows).parts;
            let below = [0, 1].map(|branch| self.pruned(&below[branch], &parts[branch]));
            let weight = |branch: usize| parts[branch].iter().map(|row| row.1).sum::<f64>();
            let heaviest = usize::from(weight(1) > weight(0));
            let as_branch = self.expected(&below[heaviest], rows);
            let raised = below[heaviest].clone();
            let whole = Naive::Split(*test, Box::new(below));
            let as_tree = self.expected(&whole, rows);
            let as_leaf = self.expected(&Naive::Leaf, rows);
            if as_leaf <= as_branch + 0.1 && as_leaf <= as_tree + 0.1 {
                Naive::Leaf
            } else if as_branch <= as_tree + 0.1 {
                self.pruned(&raised, rows)
            } else {
                whole
            }
        }
    }

    fn rows() -> impl Strategy<Value = Rows> {
        let value = prop_oneof![8 => (0u8..5).prop_map(Some), 1 => Just(None)];
        // The class follows the first attribute, with noise: what is split first has reason to be
        // raised over.
        let row = (proptest::array::uniform3(value), 0u8..10).prop_map(|(values, noise)| {
            let signal = values[0].map_or(0, |value| usize::from(value > 2));
            let class = if noise < 2 {
                noise as usize + 1
            } else {
                signal
            };
            (values, class)
        });
        proptest::collection::vec(row, 1..60)
    }

    kinwood_testing::soak! { 256;
        fn soak_pruning_equals_the_naive_reading(
            rows in rows(),
            tests in proptest::collection::vec((0usize..3, 0u8..4), 0..20),
        ) {
            let data = Data(rows);
            let naive = data.grow(&data.all(), &mut tests.into_iter());
            let tree = data.tree(&naive);
            let pruned = C45::default().prune_raising(&tree, tallies, Training {
                rows: data.all(),
                branch: &|test, row| data.branch(test, row),
                payload: &|rows| data.counts(rows),
            });
            let expected = data.pruned(&data.collapsed(&naive, &data.all()), &data.all());
            prop_assert_eq!(&pruned, &data.tree(&expected));
            prop_assert!(pruned.size() <= tree.size());
            let unraised = C45::default().prune(&tree, tallies);
            prop_assert!(unraised.size() <= tree.size());
        }
    }

    #[test]
    fn a_branch_that_serves_all_rows_is_raised() {
        // The first test divides at random; below its heavier branch stands the test that explains
        // the class.
        let mut rows: Rows = Vec::new();
        for k in 0..40u8 {
            let noise = if k % 10 < 6 { 3 } else { 1 };
            rows.push(([Some(k % 2), Some(noise), None], usize::from(k % 2 == 1)));
        }
        let data = Data(rows);
        let below = |test| Naive::Split(test, Box::new([Naive::Leaf, Naive::Leaf]));
        let naive = Naive::Split((1, 2), Box::new([below((0, 0)), below((0, 0))]));
        let pruned = C45::default().prune_raising(
            &data.tree(&naive),
            tallies,
            Training {
                rows: data.all(),
                branch: &|test, row| data.branch(test, row),
                payload: &|rows| data.counts(rows),
            },
        );
        assert_eq!(pruned, data.tree(&below((0, 0))));
        assert_eq!(pruned.node(1).payload, [0.0, 20.0, 0.0]);
    }

    #[test]
    fn long_paths_are_pruned_without_recursion() {
        let tree = path(10_000).map(|error| vec![50.0, error]);
        let training = Training {
            rows: vec![(0, 1.0)],
            branch: &|_, _| Some(0),
            payload: &|_| vec![50.0, 0.0],
        };
        let raised = C45::default().prune_raising(&tree, tallies, training);
        assert!(raised.size() < tree.size());
    }
}
