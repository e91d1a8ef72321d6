//! Top-down growth: every node is divided by its best test, a branch at a time.

use super::{
    Heuristic, Limited, Single, Standing, Stopped, answers, branches_of, divisible, division,
};
use crate::context::Context;
use crate::tree::constraint::Sketch;
use crate::tree::propose::Problem;
use crate::tree::region::{Lists, Region};
use crate::tree::response::Response;
use crate::tree::structure::{Node, Split, Tree};

struct Pending<'s, R: Response> {
    region: Region<R>,
    lists: Lists,
    parent: Option<(u32, usize)>,
    depth: usize,
    cost: f64,
    sketch: &'s Sketch,
}

/// Grows a tree from the root down. When it is stopped, nodes not yet divided stay leaves, except those of the sketch.
pub fn depth_first<R: Response>(
    problem: &Problem<'_, R>,
    root: (Region<R>, Lists),
    heuristic: Heuristic,
    limited: &Limited<'_>,
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
        sketch: limited.sketch,
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
        let mut divided = None;
        // What is prescribed is grown even when asked to stop: without it there is no tree to return.
        if stopped.is_none() || matches!(here.sketch, Sketch::Split { .. }) {
            let standing = Standing {
                region: &here.region,
                lists: &here.lists,
                depth: here.depth,
                cost: here.cost,
                sketch: here.sketch,
            };
            let (found, weighed) = division(problem, limited, heuristic, &standing);
            evaluated += weighed;
            if found.is_none() && matches!(here.sketch, Sketch::Split { .. }) {
                stopped = Some(Stopped::Sketch);
            }
            divided = found;
        }
        let Some((candidate, _)) = divided else {
            running.advance(here.region.len() as u64);
            continue;
        };
        nodes[node as usize].split = Some(Split {
            test: candidate.test(&problem.inputs),
            children: vec![0, 0],
            shares: candidate.shares.to_vec(),
        });
        let deeper = here.depth + 1;
        let sketches = branches_of(here.sketch);
        let branches = here
            .region
            .branches(&here.lists, &problem.inputs, &candidate);
        let [yes, no] = here.region.divide(
            here.lists,
            &branches,
            candidate.shares,
            response,
            |branch, summary| match sketches[branch] {
                Sketch::Open => limited.deepens(deeper) && divisible(problem, summary),
                Sketch::Closed => false,
                Sketch::Split { .. } => true,
            },
        );
        let cost = here.cost + limited.cost(&problem.inputs, candidate.input);
        for (branch, (region, lists)) in [(1, no), (0, yes)] {
            pending.push(Pending {
                region,
                lists,
                parent: Some((node, branch)),
                depth: deeper,
                cost,
                sketch: sketches[branch],
            });
        }
    }
    Single {
        tree: Tree::new(nodes).expect("grown in preorder"),
        evaluated,
        stopped: stopped.unwrap_or(Stopped::Complete),
    }
}
