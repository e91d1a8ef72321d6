//! From a tree of tests to one that answers: every node gets what its objects say, and models where
//! they are wanted.

use super::RelationalTree;
use super::bags::Bags;
use super::leaf::{Content, Linear};
use super::propose::Problem;
use super::regress::{Ground, Regression};
use super::test::Test;
use crate::tree::deviation::Deviation;
use crate::tree::prune::{error_left_out, left_out, left_out_units};
use crate::tree::{Answers, Node, Split, Tree};
use kinwood_learning::StopReason;
use kinwood_learning::context::Context;
use kinwood_learning::task::Task;

/// What nodes get.
pub struct Attach<'a> {
    /// Inputs and targets.
    pub problem: &'a Problem<'a, Deviation<'a>>,
    /// The task.
    pub task: &'a Task,
    /// How much each object counts.
    pub weights: &'a [f64],
    /// How models are made.
    pub regression: &'a Regression,
    /// Whether inner nodes get models too.
    pub everywhere: bool,
    /// Threads, time and seed.
    pub context: &'a Context,
}

impl Attach<'_> {
    /// The tree with what its nodes say of these objects. Once the work is `stopped`, here or
    /// before, nodes get means alone.
    pub fn run(
        &self,
        skeleton: &Tree<Test, Answers>,
        root: Bags,
        stopped: &mut Option<StopReason>,
    ) -> RelationalTree {
        let mut contents: Vec<Option<(Content, Vec<f64>)>> = vec![None; skeleton.size()];
        let mut pending = vec![(0u32, root)];
        let progress = self
            .context
            .progress("fitting leaves", skeleton.size() as u64);
        while let Some((node, bags)) = pending.pop() {
            *stopped = stopped.or_else(|| StopReason::requested(self.context));
            let split = &skeleton.node(node).split;
            let answers = self
                .problem
                .response
                .answers_of(&bags.objects, self.weights);
            let models = match stopped.is_none() && (split.is_none() || self.everywhere) {
                true => self.models(node, &bags, &answers),
                false => Vec::new(),
            };
            let mut shares = Vec::new();
            if let Some(split) = split {
                let values = self.problem.values;
                let (yes, no) = bags.divide(values.view(), values, &split.test);
                let weight = |bags: &Bags| -> f64 {
                    let each = bags.objects.iter();
                    each.map(|&object| self.weights[object as usize]).sum()
                };
                let weights = [weight(&yes), weight(&no)];
                let total = (weights[0] + weights[1]).max(f64::MIN_POSITIVE);
                shares = weights.iter().map(|weight| weight / total).collect();
                pending.push((split.children[1], no));
                pending.push((split.children[0], yes));
            }
            contents[node as usize] = Some((Content { answers, models }, shares));
            progress.advance(1);
        }
        let nodes = skeleton
            .nodes()
            .iter()
            .zip(contents)
            .map(|(node, content)| {
                let (payload, shares) = content.expect("every node is visited");
                Node {
                    payload,
                    split: node.split.as_ref().map(|split| Split {
                        shares,
                        ..split.clone()
                    }),
                }
            });
        Tree::new(nodes.collect()).expect("the structure is the same")
    }

    fn models(&self, node: u32, bags: &Bags, answers: &Answers) -> Vec<Option<Linear>> {
        let ground = Ground {
            terms: self.problem.terms,
            values: self.problem.values,
            weights: self.weights,
        };
        let targets = self.task.targets().iter().enumerate();
        let models: Vec<Option<Linear>> = targets
            .map(|(place, target)| {
                let answer = &answers.targets[place];
                if !target.is_number() {
                    return None;
                }
                let number = |object: u32| target.number(object as usize);
                let mut generator =
                    self.context
                        .generator(&[STREAM, u64::from(node), place as u64]);
                self.regression
                    .fit(&ground, bags, &number, answer, &mut generator)
            })
            .collect();
        match models.iter().any(Option::is_some) {
            true => models,
            false => Vec::new(),
        }
    }
}

/// The random numbers of leaf models.
const STREAM: u64 = 0x6d69_7274;

/// The tree in which a node is a leaf unless its subtree is less wrong, each by errors of objects
/// left out.
pub fn pruned(tree: &RelationalTree) -> RelationalTree {
    let units = left_out_units(&tree.nodes()[0].payload.answers);
    left_out(tree, &units, |content, place| match content.model(place) {
        Some(model) => model.squares,
        None => error_left_out(&content.answers.targets[place]),
    })
}
