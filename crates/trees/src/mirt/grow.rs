//! Growing one tree: node by node, or the most gaining leaf first.

use std::cmp::Ordering;

use super::bags::Bags;
use super::limits::{Limited, Standing};
use super::propose::{Candidate, Problem};
use super::test::Test;
use crate::tree::{Answers, Node, Split, Tree};
use kinwood_learning::StopReason;
use kinwood_learning::context::Context;

/// A tree before its leaves have models.
pub type Skeleton = Tree<Test, Answers>;

/// When a node is not divided.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stop {
    /// It has no more objects than this.
    pub objects: f64,
    /// More than this of the spread is explained by its mean.
    pub determined: f64,
}

/// A tree and what is told of its growth.
pub struct Grown {
    /// The tree.
    pub tree: Skeleton,
    /// How many tests were compared.
    pub evaluated: u64,
    /// Why it ended.
    pub stopped: StopReason,
}

/// A leaf that may be divided.
struct Open {
    node: usize,
    bags: Bags,
    standing: Standing,
    candidate: Candidate,
    gain: f64,
}

/// How a tree is grown.
pub struct Growing<'a> {
    /// Inputs, targets and rules.
    pub problem: &'a Problem<'a>,
    /// When to stop.
    pub stop: Stop,
    /// What the tree must keep to.
    pub limited: &'a Limited<'a>,
    /// Whether tests on what is still to be used come first.
    pub forced: bool,
    /// Threads and time.
    pub context: &'a Context,
}

impl Growing<'_> {
    /// Whether a node may be divided at all.
    pub fn divisible(&self, bags: &Bags) -> bool {
        let whole = self
            .problem
            .response
            .sums(&bags.objects, self.problem.weights);
        bags.objects.len() as f64 > self.stop.objects
            && whole.determined() <= self.stop.determined
            && whole.spread()
                > 1e-12 * self.problem.response.whole.spread() / self.problem.response.whole.weight
    }

    /// The candidates of a node that gain something.
    pub fn gaining(&self, bags: &Bags) -> Vec<(Candidate, f64)> {
        let whole = self
            .problem
            .response
            .sums(&bags.objects, self.problem.weights);
        let before = whole.deviation(self.problem.rules.variance);
        let candidates = self.problem.candidates(bags).into_iter();
        let gaining = candidates.map(|candidate| {
            let gain = before - candidate.score;
            (candidate, gain)
        });
        gaining.filter(|(_, gain)| *gain > 1e-9 * before).collect()
    }

    /// Grows a tree; with `most` nodes at most, the most gaining leaf first.
    pub fn grow(&self, root: Bags, most: Option<usize>) -> Grown {
        let answers = self
            .problem
            .response
            .answers(&root.objects, self.problem.weights);
        let mut nodes: Vec<Node<Test, Answers>> = vec![Node {
            payload: answers,
            split: None,
        }];
        let mut grown = (0, StopReason::Complete);
        let mut open: Vec<Open> = Vec::new();
        let standing = self.limited.standing();
        self.open(0, root, standing, &mut open, &mut grown);
        let progress = self.context.progress("growing", 0);
        while let Some(place) = next(&open, most.is_some()) {
            if let Some(most) = most
                && nodes.len() + 2 > most
            {
                break;
            }
            if let Some(stopped) = StopReason::requested(self.context) {
                grown.1 = stopped;
                break;
            }
            let leaf = open.remove(place);
            let standing = |holds| {
                leaf.standing
                    .after(self.limited, &leaf.candidate.test, holds)
            };
            let standing = [standing(true), standing(false)];
            let view = self.problem.values.view();
            let (yes, no) = leaf
                .bags
                .divide(view, self.problem.values, &leaf.candidate.test);
            drop(leaf.bags);
            let weight = |bags: &Bags| -> f64 {
                bags.objects
                    .iter()
                    .map(|&object| self.problem.weights[object as usize])
                    .sum()
            };
            let weights = [weight(&yes), weight(&no)];
            let total = weights[0] + weights[1];
            let children = [nodes.len() as u32, nodes.len() as u32 + 1];
            nodes[leaf.node].split = Some(Split {
                test: leaf.candidate.test,
                children: children.to_vec(),
                shares: weights.iter().map(|weight| weight / total).collect(),
            });
            for bags in [&yes, &no] {
                nodes.push(Node {
                    payload: self
                        .problem
                        .response
                        .answers(&bags.objects, self.problem.weights),
                    split: None,
                });
            }
            progress.advance(1);
            // The last is taken first: the branch where the test holds.
            let [held, failed] = standing;
            self.open(children[1] as usize, no, failed, &mut open, &mut grown);
            self.open(children[0] as usize, yes, held, &mut open, &mut grown);
        }
        Grown {
            tree: Tree::arranged(nodes),
            evaluated: grown.0,
            stopped: grown.1,
        }
    }

    fn open(
        &self,
        node: usize,
        bags: Bags,
        standing: Standing,
        open: &mut Vec<Open>,
        grown: &mut (u64, StopReason),
    ) {
        if !self.divisible(&bags) || !standing.may_grow(self.limited) {
            return;
        }
        let found = self.gaining(&bags);
        grown.0 += found.len() as u64;
        let allowed: Vec<(Candidate, f64)> = found
            .into_iter()
            .filter(|(candidate, _)| standing.allows(self.limited, candidate))
            .collect();
        let wanted = |test: &Test| standing.wanted(self.limited, test);
        let forced = self.forced && allowed.iter().any(|(candidate, _)| wanted(&candidate.test));
        let tried: Vec<Candidate> = allowed
            .iter()
            .filter(|(candidate, _)| !forced || wanted(&candidate.test))
            .map(|(candidate, _)| candidate.clone())
            .collect();
        let Some(candidate) = Problem::best(tried) else {
            return;
        };
        let gain = allowed
            .iter()
            .find(|(other, _)| *other == candidate)
            .map_or(0.0, |found| found.1);
        open.push(Open {
            node,
            bags,
            standing,
            candidate,
            gain,
        });
    }
}

/// Which leaf is divided next: the last, or the one that gains most, the earliest of equals.
fn next(open: &[Open], best: bool) -> Option<usize> {
    match best {
        false => open.len().checked_sub(1),
        true => (0..open.len()).max_by(|&a, &b| {
            let gains = open[a]
                .gain
                .partial_cmp(&open[b].gain)
                .unwrap_or(Ordering::Equal);
            gains.then(open[b].node.cmp(&open[a].node))
        }),
    }
}
