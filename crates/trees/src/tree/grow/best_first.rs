//! Best-first growth: the leaf whose division gains most is divided next, until there are as many
//! nodes as allowed.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use super::beam::EQUAL;
use super::{GrowthLimits, Position, Single, division, growth};
use crate::tree::constraint::{Shape, Sketch};
use crate::tree::language::{Further, Language};
use crate::tree::structure::{Node, Split, Tree};
use kinwood_learning::StopReason;
use kinwood_learning::context::Context;

struct Open<'s, L: Language> {
    leaf: Leaf<'s, L>,
    candidate: L::Candidate,
    gain: f64,
}

/// The gains that occurred, those apart that differ by more than rounding.
struct Gains {
    /// Rising.
    apart: Vec<f64>,
    /// Gains that differ by no more are equal.
    equal: f64,
}

impl Gains {
    /// The first gain that is equal to this one but for rounding, perhaps itself. A gain is
    /// compared with those before it and not laid on a grid: equal ones may lie on either side of
    /// a line.
    fn first_equal(&mut self, gain: f64) -> f64 {
        let place = self
            .apart
            .partition_point(|other| *other < gain - self.equal);
        match self.apart.get(place) {
            Some(&other) if other <= gain + self.equal => other,
            _ => {
                self.apart.insert(place, gain);
                gain
            }
        }
    }
}

struct Leaf<'s, L: Language> {
    region: L::Region,
    node: u32,
    position: Position,
    sketch: &'s Sketch<L::Test>,
}

/// Grows a tree leaf by leaf, the most gaining first, as far as the constraints admit; of equal
/// gains the older leaf.
pub fn best_first<L: Language>(
    language: &L,
    root: L::Region,
    limits: &GrowthLimits<'_, L::Test>,
    context: &Context,
) -> Single<L::Test> {
    let mut evaluated = 0;
    let mut stopped = None;
    let mut nodes = vec![Node {
        payload: language.answers(&root),
        split: None,
    }];
    let mut shape = Shape::leaf(language.weight(&root));
    let mut gains = Gains {
        apart: Vec::new(),
        equal: EQUAL * language.impurity(&root),
    };
    let mut open: BinaryHeap<Open<'_, L>> = BinaryHeap::new();
    let mut fresh = vec![Leaf {
        region: root,
        node: 0,
        position: Position::default(),
        sketch: limits.sketch,
    }];
    loop {
        for leaf in fresh.drain(..) {
            let Leaf {
                region,
                position,
                sketch,
                ..
            } = &leaf;
            let (found, weighed) = division(language, limits, region, position, sketch);
            evaluated += weighed;
            match found {
                Some((candidate, gain)) => open.push(Open {
                    leaf,
                    candidate,
                    gain: gains.first_equal(gain),
                }),
                None if matches!(sketch, Sketch::Split { .. }) && !limits.skips => {
                    stopped = Some(StopReason::Sketch)
                }
                None => {}
            }
        }
        stopped = stopped.or_else(|| StopReason::requested(context));
        let Some(Open {
            leaf: here,
            candidate,
            gain,
        }) = open.pop()
        else {
            break;
        };
        // What is prescribed is grown even when asked to stop: without it there is no tree to
        // return.
        if stopped.is_some() && gain.is_finite() {
            break;
        }
        let growth = growth(language, &here.region, &candidate, &here.position);
        if gain.is_finite() && !limits.constraints.admits_growth(&shape, &growth) {
            // Another leaf may still be divided where a column, its cost or a light leaf is the
            // obstacle.
            stopped = open.is_empty().then_some(StopReason::Size);
            continue;
        }
        shape = shape.grown(&growth);
        let positions = here
            .position
            .below(language, limits, &here.region, &candidate);
        let children = language.divide(here.region, &candidate, &|_| Further::Always);
        let first = nodes.len() as u32;
        nodes[here.node as usize].split = Some(Split {
            test: language.test(&candidate),
            children: (first..).take(positions.len()).collect(),
            shares: language.shares(&candidate),
        });
        let children = children.into_iter().zip(positions);
        for (branch, (node, (region, position))) in (first..).zip(children).enumerate() {
            nodes.push(Node {
                payload: language.answers(&region),
                split: None,
            });
            fresh.push(Leaf {
                region,
                node,
                position,
                sketch: here.sketch.branch(branch),
            });
        }
    }
    Single {
        tree: Tree::arranged(nodes),
        evaluated,
        stopped: stopped.unwrap_or(StopReason::Complete),
    }
}

/// The leaf that gains most is the greatest; of equals the oldest.
impl<L: Language> Ord for Open<'_, L> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.gain
            .total_cmp(&other.gain)
            .then(other.leaf.node.cmp(&self.leaf.node))
    }
}

impl<L: Language> PartialOrd for Open<'_, L> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<L: Language> PartialEq for Open<'_, L> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl<L: Language> Eq for Open<'_, L> {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gains_that_differ_by_rounding_are_equal() {
        let mut gains = Gains {
            apart: Vec::new(),
            equal: 1e-11,
        };
        assert_eq!(gains.first_equal(0.3), 0.3);
        assert_eq!(gains.first_equal(0.1 + 0.2), 0.3);
        assert_eq!(gains.first_equal(0.3 - 1e-12), 0.3);
        assert_eq!(gains.first_equal(0.3001), 0.3001);
        assert_eq!(gains.first_equal(f64::INFINITY), f64::INFINITY);
        assert_eq!(gains.first_equal(f64::INFINITY), f64::INFINITY);
        assert_eq!(gains.apart, [0.3, 0.3001, f64::INFINITY]);
    }
}
