//! From objects to leaves, in batches: bags go down the tree as they do when it is grown.

use std::collections::BTreeMap;

use kinwood_values::View;
use rayon::prelude::*;

use super::{Along, Member, MirtModel};
use crate::mirt::bags::Bags;
use crate::mirt::evaluate::{Asked, Said};
use crate::mirt::terms::Terms;
use crate::mirt::values::Values;
use crate::tree::{Answer, Combine};
use kinwood_learning::context::Context;
use kinwood_learning::error::Result;
use kinwood_learning::predictions::{Output, Predictions, TargetPrediction};

/// Objects that go down together: their bags are in memory at the same time.
const BATCH: usize = 2048;

/// A tree ready to be asked.
pub(in crate::mirt) struct Walk<'a> {
    terms: &'a Terms,
    values: &'a Values<'a>,
    along: Along,
    member: &'a Member,
    /// The models by node and target.
    models: BTreeMap<(u32, usize), Asked<'a>>,
    /// By node and target: the node that answers where this one knows nothing of the target.
    standing: Vec<u32>,
}

/// What a node says of objects on their way down.
pub(in crate::mirt) struct Visit<'v> {
    /// The node.
    pub node: u32,
    /// The objects and their bags.
    pub bags: &'v Bags,
    /// By target: what its model says of each, if it has one.
    pub said: Vec<Option<Vec<Said>>>,
}

impl<'a> Walk<'a> {
    /// A tree of a model over the values of a view.
    pub fn new(model: &'a MirtModel, member: &'a Member, values: &'a Values<'a>) -> Self {
        let targets = model.terms.targets.len();
        let tree = &member.tree;
        let mut models = BTreeMap::new();
        let mut standing = vec![0u32; tree.size() * targets];
        for (place, node) in tree.nodes().iter().enumerate() {
            for target in 0..targets {
                if let Some(linear) = node.payload.model(target) {
                    models.insert((place as u32, target), Asked::new(linear));
                }
                if node.payload.answers.targets[target].weight() > 0.0 {
                    standing[place * targets + target] = place as u32;
                }
            }
            // What a child does not know it has from here: children stand after their parents.
            for &child in node.split.iter().flat_map(|split| &split.children) {
                let (own, below) = (place * targets, child as usize * targets);
                standing.copy_within(own..own + targets, below);
            }
        }
        Self {
            terms: &model.terms,
            values,
            along: model.along,
            member,
            models,
            standing,
        }
    }

    /// Sends objects down and tells of every node that some reach, parents first.
    pub fn visit(&self, objects: Vec<u32>, visit: &mut dyn FnMut(Visit<'_>)) {
        let view = self.values.view();
        let targets = self.terms.targets.len();
        let mut pending = vec![(0u32, Bags::new(view, objects))];
        while let Some((node, bags)) = pending.pop() {
            if bags.objects.is_empty() {
                continue;
            }
            let said = (0..targets).map(|target| {
                let asked = self.models.get(&(node, target))?;
                Some(asked.say(self.terms, self.values, &bags))
            });
            let said = said.collect();
            visit(Visit {
                node,
                bags: &bags,
                said,
            });
            if let Some(split) = &self.member.tree.node(node).split {
                let (yes, no) = bags.divide(view, self.values, &split.test);
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
    pub fn batch(&self, objects: std::ops::Range<u32>) -> Vec<Vec<f64>> {
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
        self.visit(objects.collect(), &mut |visit| {
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

/// Predicts every target of every object of a view.
pub fn predict(model: &MirtModel, data: &View, context: &Context) -> Result<Predictions> {
    model.terms.check(data)?;
    let values = Values::new(data, &model.terms.pools)?;
    let objects = data.len() as u32;
    let starts: Vec<u32> = (0..objects).step_by(BATCH).collect();
    let members = model.answering();
    let walks: Vec<Walk<'_>> = members
        .iter()
        .map(|member| Walk::new(model, member, &values))
        .collect();
    let batch = |&start: &u32| -> Result<Vec<Vec<f64>>> {
        let end = objects.min(start + BATCH as u32);
        let of_tree = |walk: &Walk<'_>| {
            context.check()?;
            let mut numbers = walk.batch(start..end);
            if model.combine == Combine::Vote {
                for (numbers, target) in numbers.iter_mut().zip(&model.terms.targets) {
                    let rows = numbers.chunks_mut(target.width().max(1));
                    rows.for_each(|own| target.kind.vote(own));
                }
            }
            Ok(numbers)
        };
        // A tree after the other in the sum, whichever was asked first.
        let each: Vec<Vec<Vec<f64>>> = walks.par_iter().map(of_tree).collect::<Result<_>>()?;
        let sums = each.into_iter().reduce(|mut sums, own| {
            let parts = sums.iter_mut().flatten().zip(own.iter().flatten());
            parts.for_each(|(sum, own)| *sum += own);
            sums
        });
        Ok(sums.unwrap_or_default())
    };
    let parts: Vec<Vec<Vec<f64>>> =
        context.install(|| starts.par_iter().map(batch).collect::<Result<_>>())?;
    let mut sums: Vec<Vec<f64>> = vec![Vec::new(); model.terms.targets.len()];
    for part in parts {
        for (sum, part) in sums.iter_mut().zip(part) {
            sum.extend(part);
        }
    }
    let count = members.len() as f64;
    if count > 1.0 {
        sums.iter_mut().flatten().for_each(|sum| *sum /= count);
    }
    let targets = model
        .terms
        .targets
        .iter()
        .zip(sums)
        .map(|(target, numbers)| TargetPrediction {
            name: target.name.clone(),
            output: Output::new(target.kind.clone(), numbers),
        });
    Ok(Predictions {
        targets: targets.collect(),
    })
}
