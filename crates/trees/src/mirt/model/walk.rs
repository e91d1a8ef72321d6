//! From objects to leaves, in batches: bags go down the tree as they do when it is grown.

use std::collections::BTreeMap;
use std::ops::Range;

use kinwood_values::View;

use super::MirtModel;
use crate::mirt::bags::Bags;
use crate::mirt::evaluate::{Asked, Said};
use crate::mirt::terms::Terms;
use crate::mirt::values::Values;
use crate::tree::Answer;
use crate::tree::model::{Along, Answering, Member, TargetOf, say, standing};
use kinwood_learning::context::Context;
use kinwood_learning::error::Result;

/// Objects that go down together: their bags are in memory at the same time.
pub(super) const BATCH: usize = 2048;

/// A tree ready to be asked.
pub(super) struct Walk<'a> {
    terms: &'a Terms,
    along: Along,
    member: &'a Member<Terms>,
    /// The models by node and target.
    models: BTreeMap<(u32, usize), Asked<'a>>,
    /// By node and target: the node that answers where this one knows nothing of the target.
    standing: Vec<u32>,
}

/// What a node says of objects on their way down.
pub(super) struct Visit<'v> {
    /// The node.
    pub node: u32,
    /// The objects and their bags.
    pub bags: &'v Bags,
    /// By target: what its model says of each, if it has one.
    pub said: Vec<Option<Vec<Said>>>,
}

impl<'a> Walk<'a> {
    /// A tree of a model.
    pub fn new(model: &'a MirtModel, member: &'a Member<Terms>) -> Self {
        let terms = &*model.terms;
        let mut models = BTreeMap::new();
        for (place, node) in member.tree.nodes().iter().enumerate() {
            for target in 0..terms.targets.len() {
                if let Some(linear) = node.payload.model(target) {
                    models.insert((place as u32, target), Asked::new(linear));
                }
            }
        }
        Self {
            terms,
            along: model.along,
            member,
            models,
            standing: standing(terms, &member.tree),
        }
    }

    /// Sends objects down and tells of every node that some reach, parents first.
    pub fn visit(&self, values: &Values<'_>, objects: Vec<u32>, visit: &mut dyn FnMut(Visit<'_>)) {
        let view = values.view();
        let targets = self.terms.targets.len();
        let mut pending = vec![(0u32, Bags::new(view, objects))];
        while let Some((node, bags)) = pending.pop() {
            if bags.objects.is_empty() {
                continue;
            }
            let said = (0..targets).map(|target| {
                let asked = self.models.get(&(node, target))?;
                Some(asked.say(self.terms, values, &bags))
            });
            let said = said.collect();
            visit(Visit {
                node,
                bags: &bags,
                said,
            });
            if let Some(split) = &self.member.tree.node(node).split {
                let (yes, no) = bags.divide(view, values, &split.test);
                pending.push((split.children[1], no));
                pending.push((split.children[0], yes));
            }
        }
    }

    /// The answer of a node to a target, or of the nearest above that knows.
    pub fn answer(&self, node: u32, target: usize) -> &'a Answer {
        let targets = self.terms.targets.len();
        let standing = self.standing[node as usize * targets + target];
        &self.member.tree.node(standing).payload.answers.targets[target]
    }

    /// What a target's numbers are for objects: shares of classes or labels, or the number.
    pub fn batch(&self, values: &Values<'_>, objects: Range<u32>) -> Vec<Vec<f64>> {
        let start = objects.start;
        let count = objects.len();
        let tree = &self.member.tree;
        let mut depths = vec![0usize; tree.size()];
        let mut out: Vec<Vec<f64>> = self
            .terms
            .targets
            .iter()
            .map(|target| vec![0.0; count * target.width()])
            .collect();
        // By target and depth: what the node at that depth says of each object, and how much it
        // weighs.
        let mut levels: Vec<Vec<(Vec<f64>, Vec<f64>)>> = vec![Vec::new(); self.terms.targets.len()];
        self.visit(values, objects.collect(), &mut |visit| {
            let split = &tree.node(visit.node).split;
            let depth = depths[visit.node as usize];
            for &child in split.iter().flat_map(|split| &split.children) {
                depths[child as usize] = depth + 1;
            }
            for (target, of) in self.terms.targets.iter().enumerate() {
                let answer = self.answer(visit.node, target);
                if !of.kind.is_number() {
                    if split.is_none() {
                        let shares = answer.said();
                        for &object in &visit.bags.objects {
                            let place = (object - start) as usize * of.width();
                            out[target][place..place + of.width()].copy_from_slice(&shares);
                        }
                    }
                    continue;
                }
                let constant = match self.along {
                    // Where models are added up, an inner node that has none adds nothing.
                    Along::Summed if split.is_some() => 0.0,
                    _ => answer.as_number().map_or(0.0, |number| number.mean),
                };
                let said = visit.said[target].as_ref();
                let number = |place: usize| said.map_or(constant, |said| said[place].number);
                let levels = &mut levels[target];
                if self.along != Along::Leaf {
                    while levels.len() <= depth {
                        levels.push((vec![0.0; count], vec![0.0; count]));
                    }
                    let weight = tree.node(visit.node).payload.answers.weight;
                    for (place, &object) in visit.bags.objects.iter().enumerate() {
                        levels[depth].0[(object - start) as usize] = number(place);
                        levels[depth].1[(object - start) as usize] = weight;
                    }
                }
                if split.is_some() {
                    continue;
                }
                for (place, &object) in visit.bags.objects.iter().enumerate() {
                    let at = (object - start) as usize;
                    out[target][at] = match self.along {
                        Along::Leaf => number(place),
                        Along::Summed => levels[..=depth].iter().map(|level| level.0[at]).sum(),
                        Along::Smoothed(by) => smoothed(&levels[..=depth], at, by),
                    };
                }
            }
        });
        out
    }
}

/// What the leaf says, mixed with what the nodes above it say, the nearest first.
fn smoothed(levels: &[(Vec<f64>, Vec<f64>)], at: usize, by: f64) -> f64 {
    let Some(((own, weights), above)) = levels.split_last() else {
        return 0.0;
    };
    let mut number = own[at];
    let mut weight = weights[at];
    for (said, weights) in above.iter().rev() {
        number = (weight * number + by * said[at]) / (weight + by);
        weight = weights[at];
    }
    number
}

/// The trees of a model over the objects of a view.
pub struct Trees<'a> {
    model: &'a MirtModel,
    values: Values<'a>,
    walks: Vec<Walk<'a>>,
}

impl<'a> Trees<'a> {
    /// Fails where the view is not in the model's terms.
    pub fn new(model: &'a MirtModel, data: &'a View) -> Result<Self> {
        model.terms.check(data)?;
        let members = model.answering().iter();
        Ok(Self {
            model,
            values: Values::new(data, &model.terms.pools)?,
            walks: members.map(|member| Walk::new(model, member)).collect(),
        })
    }
}

impl Answering for Trees<'_> {
    fn add(&self, rows: Range<usize>, context: &Context, out: &mut [f64]) -> Result<()> {
        let targets = &self.model.terms.targets;
        let width = self.model.width().max(1);
        let mut one = vec![0.0; width];
        for walk in &self.walks {
            context.check()?;
            let numbers = walk.batch(&self.values, rows.start as u32..rows.end as u32);
            for (row, out) in out.chunks_mut(width).enumerate() {
                let own = |target: usize, own: &mut [f64]| {
                    let width = TargetOf::width(&targets[target]);
                    own.copy_from_slice(&numbers[target][row * width..(row + 1) * width]);
                };
                say(targets, self.model.joined(), own, &mut one);
                out.iter_mut()
                    .zip(&one)
                    .for_each(|(sum, part)| *sum += part);
            }
        }
        Ok(())
    }
}
