//! Best-first growth: the leaf whose division gains most is divided next, until there are as many nodes as allowed.

use super::{Bounds, Heuristic, Single, Stopped, answers, chosen, divisible};
use crate::context::Context;
use crate::tree::propose::{Candidate, Problem};
use crate::tree::region::{Lists, Region};
use crate::tree::response::Response;
use crate::tree::structure::{Node, Split, Tree};

struct Open<R: Response> {
    region: Region<R>,
    lists: Lists,
    node: u32,
    depth: usize,
    cost: f64,
    candidate: Candidate,
    gain: f64,
}

/// Grows a tree leaf by leaf, the most gaining first; of equal gains the older leaf.
pub fn best_first<R: Response>(
    problem: &Problem<'_, R>,
    root: (Region<R>, Lists),
    heuristic: Heuristic,
    bounds: &Bounds,
    context: &Context,
) -> Single {
    let response = &problem.response;
    let mut evaluated = 0;
    let mut stopped = None;
    let mut nodes = vec![Node {
        payload: answers(response, &root.0),
        split: None,
    }];
    let mut open: Vec<Open<R>> = Vec::new();
    let mut consider = |open: &mut Vec<Open<R>>,
                        (region, lists): (Region<R>, Lists),
                        node: u32,
                        depth: usize,
                        cost: f64| {
        if depth >= bounds.depth || !divisible(problem, &region.whole) {
            return;
        }
        let mut candidates = problem.candidates(&region, &lists);
        candidates.retain(|candidate| cost + bounds.costs[candidate.input] <= bounds.cost);
        evaluated += candidates.len() as u64;
        if let Some((best, gain)) = chosen(problem, &region, &candidates, heuristic) {
            open.push(Open {
                region,
                lists,
                node,
                depth,
                cost,
                candidate: candidates.swap_remove(best),
                gain,
            });
        }
    };
    consider(&mut open, root, 0, 0, 0.0);
    while !open.is_empty() {
        stopped = Stopped::asked(context);
        if stopped.is_none() && nodes.len() + 2 > bounds.size {
            stopped = Some(Stopped::Size);
        }
        if stopped.is_some() {
            break;
        }
        // Strictly greater replaces: the first of equals, which is the older node, stays.
        let best = (1..open.len()).fold(0, |best, place| {
            let (a, b) = (&open[place], &open[best]);
            if a.gain > b.gain + response.slack()
                || (a.gain >= b.gain - response.slack() && a.node < b.node)
            {
                place
            } else {
                best
            }
        });
        let here = open.swap_remove(best);
        let branches = here
            .region
            .branches(&here.lists, &problem.inputs, &here.candidate);
        let deeper = here.depth + 1;
        let children = here.region.divide(
            here.lists,
            &branches,
            here.candidate.shares,
            response,
            |summary| deeper < bounds.depth && divisible(problem, summary),
        );
        let first = nodes.len() as u32;
        nodes[here.node as usize].split = Some(Split {
            test: here.candidate.test(&problem.inputs),
            children: vec![first, first + 1],
            shares: here.candidate.shares.to_vec(),
        });
        let cost = here.cost + bounds.costs[here.candidate.input];
        for child in &children {
            nodes.push(Node {
                payload: answers(response, &child.0),
                split: None,
            });
        }
        for (node, region) in (first..).zip(children) {
            consider(&mut open, region, node, deeper, cost);
        }
    }
    Single {
        tree: Tree::arranged(nodes),
        evaluated,
        stopped: stopped.unwrap_or(Stopped::Complete),
    }
}
