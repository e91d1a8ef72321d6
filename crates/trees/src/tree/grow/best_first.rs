//! Best-first growth: the leaf whose division gains most is divided next, until there are as many
//! nodes as allowed.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use super::{Heuristic, Limited, Single, Standing, answers, branch_of, division};
use crate::tree::constraint::{Shape, Sketch};
use crate::tree::propose::{Candidate, Problem};
use crate::tree::region::{Lists, Region};
use crate::tree::response::Response;
use crate::tree::structure::{Node, Split, Tree};
use kinwood_learning::StopReason;
use kinwood_learning::context::Context;

struct Open<'s, R: Response> {
    region: Region<R>,
    lists: Lists,
    node: u32,
    depth: usize,
    cost: f64,
    candidate: Candidate,
    gain: f64,
    sketch: &'s Sketch,
}

/// Grows a tree leaf by leaf, the most gaining first, as far as the constraints admit; of equal
/// gains the older leaf.
pub fn best_first<R: Response>(
    problem: &Problem<'_, R>,
    root: (Region<R>, Lists),
    heuristic: Heuristic,
    limited: &Limited<'_>,
    context: &Context,
) -> Single {
    let response = &problem.response;
    let mut evaluated = 0;
    let mut stopped = None;
    let mut nodes = vec![Node {
        payload: answers(response, &root.0),
        split: None,
    }];
    let mut shape = Shape::leaf(response.weight(&root.0.whole));
    let mut open: BinaryHeap<Open<'_, R>> = BinaryHeap::new();
    let mut fresh = vec![(root, 0u32, 0usize, 0.0f64, limited.sketch)];
    loop {
        for ((region, lists), node, depth, cost, sketch) in fresh.drain(..) {
            let standing = Standing {
                region: &region,
                lists: &lists,
                depth,
                cost,
                sketch,
            };
            let (found, weighed) = division(problem, limited, heuristic, &standing);
            evaluated += weighed;
            match found {
                Some((candidate, gain)) => open.push(Open {
                    region,
                    lists,
                    node,
                    depth,
                    cost,
                    candidate,
                    gain,
                    sketch,
                }),
                None if matches!(sketch, Sketch::Split { .. }) => {
                    stopped = Some(StopReason::Sketch)
                }
                None => {}
            }
        }
        stopped = stopped.or_else(|| StopReason::requested(context));
        let Some(here) = open.pop() else {
            break;
        };
        // What is prescribed is grown even when asked to stop: without it there is no tree to
        // return.
        if stopped.is_some() && here.gain.is_finite() {
            break;
        }
        let weight = response.weight(&here.region.whole);
        let growth = limited.growth(
            &problem.inputs,
            &here.candidate,
            (here.depth, here.cost, weight),
        );
        if here.gain.is_finite() && !limited.constraints.admits_growth(&shape, &growth) {
            // Another leaf may still be divided where a column, its cost or a light leaf is the
            // obstacle.
            stopped = open.is_empty().then_some(StopReason::Size);
            continue;
        }
        shape = shape.grown(&growth);
        let branches = here
            .region
            .branches(&here.lists, &problem.inputs, &here.candidate);
        let shares = problem.rules.passed(&here.candidate.shares);
        let children = here
            .region
            .divide(here.lists, &branches, &shares, response, |_, _| true);
        let first = nodes.len() as u32;
        nodes[here.node as usize].split = Some(Split {
            test: here.candidate.test(&problem.inputs),
            children: (first..).take(children.len()).collect(),
            shares,
        });
        let cost = growth.cost;
        for (branch, (node, child)) in (first..).zip(children).enumerate() {
            let sketch = branch_of(here.sketch, branch);
            nodes.push(Node {
                payload: answers(response, &child.0),
                split: None,
            });
            fresh.push((child, node, here.depth + 1, cost, sketch));
        }
    }
    Single {
        tree: Tree::arranged(nodes),
        evaluated,
        stopped: stopped.unwrap_or(StopReason::Complete),
    }
}

/// The leaf that gains most is the greatest; of equals the oldest.
impl<R: Response> Ord for Open<'_, R> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.gain
            .total_cmp(&other.gain)
            .then(other.node.cmp(&self.node))
    }
}

impl<R: Response> PartialOrd for Open<'_, R> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<R: Response> PartialEq for Open<'_, R> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl<R: Response> Eq for Open<'_, R> {}
