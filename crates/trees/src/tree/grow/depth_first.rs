//! Top-down growth: every node is divided by its best test, a branch at a time.

use rayon::prelude::*;

use super::{GrowthLimits, Position, Single, division};
use crate::tree::constraint::Sketch;
use crate::tree::language::{Further, Language};
use crate::tree::response::Answers;
use crate::tree::structure::{Node, Split, Tree};
use kinwood_learning::StopReason;
use kinwood_learning::context::{Context, Running};

struct Pending<'s, L: Language> {
    region: L::Region,
    parent: Option<(u32, usize)>,
    position: Position,
    sketch: &'s Sketch<L::Test>,
}

/// Grows a tree from the root down. When it is stopped, nodes not yet divided stay leaves, except
/// those of the sketch.
///
/// Threads share the inputs of large nodes, and below them whole subtrees.
pub fn depth_first<L: Language>(
    language: &L,
    root: L::Region,
    limits: &GrowthLimits<'_, L::Test>,
    context: &Context,
) -> Single<L::Test> {
    let growing = Growing {
        language,
        limits,
        context,
        running: context.progress("growing a tree", language.rows(&root).len() as u64),
    };
    let mut below = Vec::new();
    let root = Pending {
        region: root,
        parent: None,
        position: Position::default(),
        sketch: limits.sketch,
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
struct Growing<'g, L: Language> {
    language: &'g L,
    limits: &'g GrowthLimits<'g, L::Test>,
    context: &'g Context,
    running: Running,
}

/// A part of a tree: nodes of which the first is the part's root.
struct Part<T> {
    nodes: Vec<Node<T, Answers>>,
    evaluated: u64,
    stopped: Option<StopReason>,
}

impl<T> Part<T> {
    fn hang(&mut self, parent: Option<(u32, usize)>, child: u32) {
        if let Some((parent, branch)) = parent
            && let Some(split) = &mut self.nodes[parent as usize].split
        {
            split.children[branch] = child;
        }
    }

    /// Puts another part below a branch.
    fn graft(&mut self, parent: Option<(u32, usize)>, part: Part<T>) {
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

impl<L: Language> Growing<'_, L> {
    /// The tree below a node; with `below`, smaller nodes are left there to be grown side by side.
    fn grown<'s>(
        &self,
        start: Pending<'s, L>,
        mut below: Option<&mut Vec<Pending<'s, L>>>,
    ) -> Part<L::Test>
    where
        Self: 's,
    {
        let Self {
            language,
            limits,
            context,
            running,
        } = self;
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
                && !language.large(&here.region)
            {
                below.push(here);
                continue;
            }
            let node = part.nodes.len() as u32;
            part.hang(here.parent, node);
            part.nodes.push(Node {
                payload: language.answers(&here.region),
                split: None,
            });
            part.stopped = part.stopped.or_else(|| StopReason::requested(context));
            let mut divided = None;
            // What is prescribed is grown even when asked to stop: without it there is no tree to
            // return.
            let prescribed = matches!(here.sketch, Sketch::Split { .. });
            if part.stopped.is_none() || prescribed {
                let Pending {
                    region,
                    position,
                    sketch,
                    ..
                } = &here;
                let (found, weighed) = division(*language, limits, region, position, sketch);
                part.evaluated += weighed;
                if found.is_none() && prescribed && !limits.skips {
                    part.stopped = Some(StopReason::Sketch);
                }
                divided = found;
            }
            let Some((candidate, _)) = divided else {
                running.advance(language.rows(&here.region).len() as u64);
                continue;
            };
            part.nodes[node as usize].split = Some(Split {
                test: language.test(&candidate),
                children: vec![0; language.branches(&candidate)],
                shares: language.shares(&candidate),
            });
            let positions = here
                .position
                .below(*language, limits, &here.region, &candidate);
            let (sketch, depth) = (here.sketch, here.position.depth + 1);
            let further = |branch: usize| match sketch.branch(branch) {
                Sketch::Open if limits.deepens(depth) => Further::IfDivisible,
                Sketch::Open | Sketch::Closed => Further::Never,
                Sketch::Split { .. } => Further::Always,
            };
            let children = language.divide(here.region, &candidate, &further);
            let children = children.into_iter().zip(positions).enumerate();
            for (branch, (region, position)) in children.rev() {
                pending.push(Pending {
                    region,
                    parent: Some((node, branch)),
                    position,
                    sketch: sketch.branch(branch),
                });
            }
        }
        part
    }
}
