//! What a tree is known to be without any rows: its shape, what it looks at, and how good it is by
//! the examples that its leaves were made from.

use kinwood_learning::facts::{TrainingScore, TreeFacts};

use super::{Member, TargetOf, Terms};
use crate::tree::Answers;
use crate::tree::structure::Tree;

/// The facts of a tree of a set.
pub(super) fn facts(terms: &Terms, member: &Member) -> TreeFacts {
    let tree = &member.tree;
    let mut tested: Vec<u32> = tree
        .nodes()
        .iter()
        .filter_map(|node| Some(node.split.as_ref()?.test.column()))
        .collect();
    tested.sort_unstable();
    tested.dedup();
    let inputs = tested.iter().filter_map(|&column| terms.input(column));
    let leaves = tree.nodes().iter().filter(|node| node.split.is_none());
    TreeFacts {
        score: member.score,
        columns: inputs.map(|input| input.name.clone()).collect(),
        training: training(&terms.targets, leaves.map(|leaf| &leaf.payload)),
        ..shape(tree)
    }
}

/// The shape of a tree.
pub(crate) fn shape<T, P>(tree: &Tree<T, P>) -> TreeFacts {
    TreeFacts {
        size: tree.size(),
        leaves: tree.leaves(),
        depth: tree.depth(),
        ..TreeFacts::default()
    }
}

/// How good leaves are by the examples that they were made from, a target each.
pub(crate) fn training<'a>(
    targets: &[TargetOf],
    leaves: impl Iterator<Item = &'a Answers> + Clone,
) -> Vec<TrainingScore> {
    let score = |(place, target): (usize, &TargetOf)| {
        let answers = leaves.clone().filter_map(|leaf| leaf.targets.get(place));
        let (mut error, mut weight) = (0.0, 0.0);
        for answer in answers.clone() {
            error += answer.error();
            weight += answer.weight();
        }
        let mean = (weight > 0.0).then(|| error / weight)?;
        let first = answers.clone().next()?;
        // A set of labels has an error for each of them.
        let parts = first.leaf().tallies(first.numbers()).len().max(1);
        let (measure, value) = first.leaf().measured(mean / parts as f64);
        Some(TrainingScore {
            target: target.name.clone(),
            measure,
            value,
        })
    };
    targets.iter().enumerate().filter_map(score).collect()
}
