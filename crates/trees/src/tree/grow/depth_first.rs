//! Top-down growth: every node is divided by its best test, a branch at a time.

use rayon::prelude::*;

use super::{Heuristic, Limited, Single, Standing, answers, branch_of, divisible, division};
use crate::tree::constraint::Sketch;
use crate::tree::propose::Problem;
use crate::tree::region::{Lists, Region};
use crate::tree::response::Answers;
use crate::tree::response::Response;
use crate::tree::structure::{Node, Split, Tree};
use crate::tree::test::Test;
use kinwood_learning::StopReason;
use kinwood_learning::context::{Context, Running};

struct Pending<'s, R: Response> {
    region: Region<R>,
    lists: Lists,
    parent: Option<(u32, usize)>,
    depth: usize,
    cost: f64,
    sketch: &'s Sketch,
}

/// Grows a tree from the root down. When it is stopped, nodes not yet divided stay leaves, except
/// those of the sketch.
///
/// Threads share the inputs of large nodes, and below them whole subtrees.
pub fn depth_first<R: Response>(
    problem: &Problem<'_, R>,
    root: (Region<R>, Lists),
    heuristic: Heuristic,
    limited: &Limited<'_>,
    context: &Context,
) -> Single {
    let growing = Growing {
        problem,
        heuristic,
        limited,
        context,
        running: context.progress("growing a tree", root.0.len() as u64),
    };
    let mut below = Vec::new();
    let root = Pending {
        region: root.0,
        lists: root.1,
        parent: None,
        depth: 0,
        cost: 0.0,
        sketch: limited.sketch,
    };
    let mut top = growing.grown(root, Some(&mut below));
    let parts: Vec<_> = below
        .into_par_iter()
        .map(|pending| (pending.parent, growing.grown(pending, None)))
        .collect();
    for (parent, part) in parts {
        top.graft(parent, part);
    }
    Single {
        tree: Tree::arranged(top.nodes),
        evaluated: top.evaluated,
        stopped: top.stopped.unwrap_or(StopReason::Complete),
    }
}

/// What is the same for all of a tree.
struct Growing<'g, 'p, R: Response> {
    problem: &'g Problem<'p, R>,
    heuristic: Heuristic,
    limited: &'g Limited<'g>,
    context: &'g Context,
    running: Running,
}

/// A part of a tree: nodes of which the first is the part's root.
struct Part {
    nodes: Vec<Node<Test, Answers>>,
    evaluated: u64,
    stopped: Option<StopReason>,
}

impl Part {
    fn hang(&mut self, parent: Option<(u32, usize)>, child: u32) {
        if let Some((parent, branch)) = parent
            && let Some(split) = &mut self.nodes[parent as usize].split
        {
            split.children[branch] = child;
        }
    }

    /// Puts another part below a branch.
    fn graft(&mut self, parent: Option<(u32, usize)>, part: Part) {
        let first = self.nodes.len() as u32;
        self.hang(parent, first);
        self.nodes.extend(part.nodes.into_iter().map(|mut node| {
            if let Some(split) = &mut node.split {
                split.children.iter_mut().for_each(|child| *child += first);
            }
            node
        }));
        self.evaluated += part.evaluated;
        self.stopped = self.stopped.or(part.stopped);
    }
}

impl<R: Response> Growing<'_, '_, R> {
    /// The tree below a node; with `below`, smaller nodes are left there to be grown side by side.
    fn grown<'s>(&self, start: Pending<'s, R>, mut below: Option<&mut Vec<Pending<'s, R>>>) -> Part
    where
        Self: 's,
    {
        let Self {
            problem,
            heuristic,
            limited,
            context,
            running,
        } = self;
        let response = &problem.response;
        let mut part = Part {
            nodes: Vec::new(),
            evaluated: 0,
            stopped: None,
        };
        let mut pending = vec![Pending {
            parent: None,
            ..start
        }];
        while let Some(here) = pending.pop() {
            if let Some(below) = &mut below
                && here.parent.is_some()
                && !here.region.large(problem.inputs.all.len())
            {
                below.push(here);
                continue;
            }
            let node = part.nodes.len() as u32;
            part.hang(here.parent, node);
            part.nodes.push(Node {
                payload: answers(response, &here.region),
                split: None,
            });
            part.stopped = part.stopped.or_else(|| StopReason::requested(context));
            let mut divided = None;
            // What is prescribed is grown even when asked to stop: without it there is no tree to
            // return.
            if part.stopped.is_none() || matches!(here.sketch, Sketch::Split { .. }) {
                let standing = Standing {
                    region: &here.region,
                    lists: &here.lists,
                    depth: here.depth,
                    cost: here.cost,
                    sketch: here.sketch,
                };
                let (found, weighed) = division(problem, limited, *heuristic, &standing);
                part.evaluated += weighed;
                if found.is_none() && matches!(here.sketch, Sketch::Split { .. }) {
                    part.stopped = Some(StopReason::Sketch);
                }
                divided = found;
            }
            let Some((candidate, _)) = divided else {
                running.advance(here.region.len() as u64);
                continue;
            };
            part.nodes[node as usize].split = Some(Split {
                test: candidate.test(&problem.inputs),
                children: vec![0; candidate.shares.len()],
                shares: problem.rules.passed(&candidate.shares),
            });
            let deeper = here.depth + 1;
            let branches = here
                .region
                .branches(&here.lists, &problem.inputs, &candidate);
            let children = here.region.divide(
                here.lists,
                &branches,
                &problem.rules.passed(&candidate.shares),
                response,
                |branch, summary| match branch_of(here.sketch, branch) {
                    Sketch::Open => limited.deepens(deeper) && divisible(problem, summary),
                    Sketch::Closed => false,
                    Sketch::Split { .. } => true,
                },
            );
            let cost = here.cost + limited.cost(&problem.inputs, candidate.input);
            for (branch, (region, lists)) in children.into_iter().enumerate().rev() {
                pending.push(Pending {
                    region,
                    lists,
                    parent: Some((node, branch)),
                    depth: deeper,
                    cost,
                    sketch: branch_of(here.sketch, branch),
                });
            }
        }
        part
    }
}
