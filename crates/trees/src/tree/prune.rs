//! Pruning: functions from a grown tree to a smaller one.
//!
//! A pruning asks of a node only how wrong it would be as a leaf, so it is given that as a function
//! of the payload and knows nothing of targets. Rows are needed in two places: raising a subtree
//! sends the rows of its parent down the raised branch, and a held-out set is sent through the
//! whole tree. All of it runs over the preorder or an explicit stack, because a tree can be as deep
//! as it has rows.

pub mod c45;
pub mod cost_complexity;
mod left_out;
pub mod m5;
mod own;
pub mod reduced_error;
pub mod size_optimal;

pub use c45::{C45, Deviate, Training};
pub use cost_complexity::WeakestLinks;
pub use left_out::{error_left_out, left_out, left_out_units, mean_left_out};
pub use m5::M5;
pub use own::{Outline, OutlineNode, PruningEntry};
pub use reduced_error::reduced_error;
pub use size_optimal::SizeOptimal;

use super::language::Routed;
pub use super::language::Weighted;
use super::response::{Answer, Answers};
use super::structure::{Standing, Tree};

/// The weight that a node has seen of a target, and how much of it the node gets wrong.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tally {
    /// The weight of the examples whose target is known.
    pub weight: f64,
    /// The wrong ones' weight for classes and labels, the sum of squared deviations for numbers.
    pub error: f64,
}

/// The tallies of a node: one for each target, and for a target of labels one for each label.
pub fn tallies(answers: &Answers) -> Vec<Tally> {
    let each = answers.targets.iter();
    let each = each.flat_map(|answer| answer.leaf().tallies(answer.numbers()));
    each.map(|[weight, error]| Tally { weight, error })
        .collect()
}

/// The tallies of a node with squared errors for every kind of target: one each. Classes and labels
/// are numbers then, 1 where an example has them; their wrong ones would hardly fall by a split
/// that tells much.
pub fn squared_tallies(answers: &Answers) -> Vec<Tally> {
    let squared = |answer: &Answer| Tally {
        weight: answer.weight(),
        error: answer.squares(),
    };
    answers.targets.iter().map(squared).collect()
}

/// How wrong a node is on its training examples, summed over the targets; numbers count in units of
/// their variance in `whole`, the payload of the root, so that the scale of a target does not
/// matter.
pub fn error_within(whole: &Answers) -> impl Fn(&Answers) -> f64 + use<> {
    let scales: Vec<f64> = whole.targets.iter().map(Answer::unit).collect();
    move |answers| {
        let errors = answers.targets.iter().zip(&scales);
        errors.map(|(answer, scale)| answer.error() / scale).sum()
    }
}

/// The tree in which the nodes marked become leaves.
fn cut<T: Clone, P: Clone>(tree: &Tree<T, P>, leaf: &[bool]) -> Tree<T, P> {
    tree.rebuilt(0, &|node| match leaf[node as usize] {
        true => Standing::Leaf,
        false => Standing::Kept,
    })
}

/// Sends rows down a tree by the branch that each test gives them; what it does not decide on is
/// divided by the shares of its branches, or `anew` by those of the rows that are decided.
pub(crate) fn routed_by<T, P>(
    tree: &Tree<T, P>,
    rows: Vec<Weighted>,
    anew: bool,
    branch: &dyn Fn(&T, u32) -> Option<usize>,
) -> Routed {
    let mut routed = Routed {
        rows: vec![Vec::new(); tree.size()],
        shares: vec![Vec::new(); tree.size()],
    };
    routed.rows[0] = rows;
    for (node, at) in tree.nodes().iter().enumerate() {
        let Some(split) = &at.split else {
            continue;
        };
        let divided = divide(&split.test, &split.shares, anew, &routed.rows[node], branch);
        for (&child, part) in split.children.iter().zip(divided.parts) {
            routed.rows[child as usize] = part;
        }
        routed.shares[node] = divided.shares;
    }
    routed
}

/// The rows of each branch and the shares by which the undecided ones were divided.
pub(super) struct Divided {
    pub parts: Vec<Vec<Weighted>>,
    pub shares: Vec<f64>,
}

/// Sends rows into branches. A row that the test does not decide on goes into each with its share:
/// the shares given, or with `anew` those of the rows that are decided.
pub(super) fn divide<T>(
    test: &T,
    shares: &[f64],
    anew: bool,
    rows: &[Weighted],
    branch: &dyn Fn(&T, u32) -> Option<usize>,
) -> Divided {
    let branches: Vec<Option<usize>> = rows.iter().map(|&(row, _)| branch(test, row)).collect();
    let mut shares = shares.to_vec();
    if anew {
        let mut known = vec![0.0; shares.len()];
        for (&(_, weight), branch) in rows.iter().zip(&branches) {
            if let Some(branch) = branch {
                known[*branch] += weight;
            }
        }
        let all: f64 = known.iter().sum();
        if all > 0.0 {
            shares = known.into_iter().map(|weight| weight / all).collect();
        }
    }
    let mut parts = vec![Vec::new(); shares.len()];
    for (&(row, weight), branch) in rows.iter().zip(branches) {
        match branch {
            Some(branch) => parts[branch].push((row, weight)),
            None => {
                for (part, share) in parts.iter_mut().zip(&shares) {
                    if *share > 0.0 {
                        part.push((row, weight * share));
                    }
                }
            }
        }
    }
    Divided { parts, shares }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_count_in_units_of_the_roots_variance() {
        let number = |weight, squares| Answer::number(weight, 0.0, squares);
        let labels = Answer::labels(4.0, vec![0.25, 1.0]);
        let answers = |squares| Answers {
            weight: 10.0,
            targets: vec![
                Answer::classes(vec![7.0, 3.0]),
                number(10.0, squares),
                number(10.0, 0.0),
                labels.clone(),
            ],
        };
        let whole = answers(50.0);
        let error = error_within(&whole);
        assert_eq!(error(&whole), 3.0 + 10.0 + 0.0 + 1.0);
        assert_eq!(error(&answers(5.0)), 3.0 + 1.0 + 0.0 + 1.0);
        let tally = |weight, error| Tally { weight, error };
        let expected = [
            tally(10.0, 3.0),
            tally(10.0, 50.0),
            tally(10.0, 0.0),
            tally(4.0, 1.0),
            tally(4.0, 0.0),
        ];
        assert_eq!(tallies(&whole), expected);
    }
}

#[cfg(test)]
mod testing {
    //! Random small trees and all their prunings, for the oracles of the tests.

    use super::super::structure::{Node, Split, Tree};
    use proptest::prelude::*;

    /// A tree whose payload is the error of the node as a leaf.
    pub type Errors = Tree<u32, f64>;

    /// A tree from a list of choices: each open node takes the next one, an error saved by
    /// splitting and a number of branches (below two: a leaf).
    pub fn grown(choices: &[(u8, u8)]) -> Errors {
        let mut nodes: Vec<Node<u32, f64>> = Vec::new();
        let mut choices = choices.iter().copied();
        let mut pending = vec![(None::<(usize, usize)>, 40.0)];
        while let Some((parent, error)) = pending.pop() {
            let place = nodes.len();
            if let Some((parent, branch)) = parent
                && let Some(split) = &mut nodes[parent].split
            {
                split.children[branch] = place as u32;
            }
            let (saved, arity) = choices.next().unwrap_or((0, 0));
            let arity = arity as usize;
            let split = (arity >= 2).then(|| Split {
                test: place as u32,
                children: vec![0; arity],
                shares: vec![1.0 / arity as f64; arity],
            });
            if split.is_some() {
                let left: f64 = error - f64::from(saved).min(error);
                let each = (left / arity as f64).floor();
                for branch in (0..arity).rev() {
                    let error = if branch == 0 {
                        left - each * (arity - 1) as f64
                    } else {
                        each
                    };
                    pending.push((Some((place, branch)), error));
                }
            }
            nodes.push(Node {
                payload: error,
                split,
            });
        }
        Tree::new(nodes).unwrap()
    }

    /// Trees of at most a dozen splits, some of three branches.
    pub fn trees() -> impl Strategy<Value = Errors> {
        let choice = (0u8..12, prop_oneof![Just(0u8), Just(2), Just(2), Just(3)]);
        proptest::collection::vec(choice, 0..10).prop_map(|choices| grown(&choices))
    }

    /// All prunings of a node's subtree, as (size, leaves, error).
    pub fn prunings(tree: &Errors, node: u32) -> Vec<(usize, usize, f64)> {
        let here = tree.node(node);
        let mut all = vec![(1, 1, here.payload)];
        if let Some(split) = &here.split {
            let mut joined = vec![(1, 0, 0.0)];
            for &child in &split.children {
                let below = prunings(tree, child);
                joined = joined
                    .iter()
                    .flat_map(|a| below.iter().map(|b| (a.0 + b.0, a.1 + b.1, a.2 + b.2)))
                    .collect();
            }
            all.extend(joined);
        }
        all
    }

    /// The error of a tree: that of its leaves.
    pub fn error(tree: &Errors) -> f64 {
        let leaves = tree.nodes().iter().filter(|node| node.split.is_none());
        leaves.map(|node| node.payload).sum()
    }

    /// A tree that is one long path of that many splits, each of which saves less than the one
    /// above.
    pub fn path(splits: usize) -> Errors {
        // The branch that is split on is the first one, which the choices reach first.
        let mut choices = vec![(1u8, 2u8); splits];
        choices.extend(vec![(0, 0); splits + 1]);
        let mut place = 0;
        grown(&choices).map(|_| {
            let below = splits.saturating_sub(place) as f64;
            place += 1;
            below * below
        })
    }
}
