//! Top-down growth: every node is divided by its best test, a branch at a time.

use super::{Bounds, Heuristic, Single, Stopped, answers, chosen, divisible};
use crate::context::Context;
use crate::tree::propose::Problem;
use crate::tree::region::{Lists, Region};
use crate::tree::response::Response;
use crate::tree::structure::{Node, Split, Tree};

struct Pending<R: Response> {
    region: Region<R>,
    lists: Lists,
    parent: Option<(u32, usize)>,
    depth: usize,
    cost: f64,
}

/// Grows a tree from the root down. When it is stopped, nodes not yet divided stay leaves.
pub fn depth_first<R: Response>(
    problem: &Problem<'_, R>,
    root: (Region<R>, Lists),
    heuristic: Heuristic,
    bounds: &Bounds,
    context: &Context,
) -> Single {
    let response = &problem.response;
    let mut nodes: Vec<Node<_, _>> = Vec::new();
    let mut evaluated = 0;
    let mut stopped = None;
    let running = context.progress("growing a tree", root.0.len() as u64);
    let mut pending = vec![Pending {
        region: root.0,
        lists: root.1,
        parent: None,
        depth: 0,
        cost: 0.0,
    }];
    while let Some(here) = pending.pop() {
        let node = nodes.len() as u32;
        if let Some((parent, branch)) = here.parent {
            let parent: &mut Node<_, _> = &mut nodes[parent as usize];
            let split: &mut Split<_> = parent.split.as_mut().expect("a parent has a split");
            split.children[branch] = node;
        }
        nodes.push(Node {
            payload: answers(response, &here.region),
            split: None,
        });
        stopped = stopped.or_else(|| Stopped::asked(context));
        let mut division = None;
        if stopped.is_none() && here.depth < bounds.depth && divisible(problem, &here.region.whole)
        {
            let mut candidates = problem.candidates(&here.region, &here.lists);
            if bounds.cost.is_finite() {
                candidates
                    .retain(|candidate| here.cost + bounds.costs[candidate.input] <= bounds.cost);
            }
            evaluated += candidates.len() as u64;
            division = chosen(problem, &here.region, &candidates, heuristic)
                .map(|(best, _)| candidates.swap_remove(best));
        }
        let Some(candidate) = division else {
            running.advance(here.region.len() as u64);
            continue;
        };
        nodes[node as usize].split = Some(Split {
            test: candidate.test(&problem.inputs),
            children: vec![0, 0],
            shares: candidate.shares.to_vec(),
        });
        let deeper = here.depth + 1;
        let branches = here
            .region
            .branches(&here.lists, &problem.inputs, &candidate);
        let [yes, no] = here.region.divide(
            here.lists,
            &branches,
            candidate.shares,
            response,
            |summary| deeper < bounds.depth && divisible(problem, summary),
        );
        let cost = here.cost + bounds.costs[candidate.input];
        for (branch, (region, lists)) in [(1, no), (0, yes)] {
            pending.push(Pending {
                region,
                lists,
                parent: Some((node, branch)),
                depth: deeper,
                cost,
            });
        }
    }
    Single {
        tree: Tree::new(nodes).expect("grown in preorder"),
        evaluated,
        stopped: stopped.unwrap_or(Stopped::Complete),
    }
}
