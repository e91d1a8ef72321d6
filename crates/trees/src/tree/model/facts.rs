//! What a tree is known to be without any rows: its shape, what it looks at, and how good it is by
//! the examples that its leaves were made from.

use std::borrow::Cow;

use kinwood_learning::facts::{ModelFacts, TrainingScore, TreeFacts};

use crate::tree::training::training_of;

use super::{Answers, Member, ModelTerms, Outline, TargetOf, TermsTree, TreeSet};
use kinwood_learning::model::Model;

/// The facts of a model.
pub(super) fn model_facts<T: ModelTerms>(model: &TreeSet<T>) -> ModelFacts {
    let searched = T::SEARCHED;
    ModelFacts {
        size: Some(model.trees[0].tree.size() as u64),
        members: Model::members(model).map(<[_]>::len),
        evaluated: searched.then_some(model.report.evaluated),
        stopped: searched.then_some(model.report.stopped),
        tree: match model.trees.as_slice() {
            [one] => Some(facts(model, one)),
            _ => None,
        },
        ..ModelFacts::default()
    }
}

fn facts<T: ModelTerms>(model: &TreeSet<T>, member: &Member<T>) -> TreeFacts {
    let tree = &member.tree;
    let outline = Outline::new(&*model.terms, tree);
    let (accuracy, error) = constrained(&*model.terms, tree);
    TreeFacts {
        size: tree.size(),
        leaves: tree.leaves(),
        depth: tree.depth(),
        score: member.score,
        columns: model.terms.columns(&outline),
        tables: model.terms.tables(&outline),
        uses: model.terms.uses(&outline),
        error,
        accuracy,
        // What formulas and smoothing make of the examples is not known without them.
        training: match model.along.is_leaf() {
            true => training(&*model.terms, tree),
            false => Vec::new(),
        },
    }
}

/// Accuracy and error as constraints have them.
fn constrained<T: ModelTerms>(terms: &T, tree: &TermsTree<T>) -> (Option<f64>, Option<f64>) {
    let root = terms.answers(&tree.nodes()[0].payload);
    let leaves = tree.nodes().iter().filter(|node| node.split.is_none());
    let leaves: Vec<Cow<'_, Answers>> = leaves.map(|leaf| terms.answers(&leaf.payload)).collect();
    let leaves: Vec<&Answers> = leaves.iter().map(AsRef::as_ref).collect();
    training_of(&root, &leaves)
}

/// How good leaves are by the examples that they were made from, a target each.
fn training<T: ModelTerms>(terms: &T, tree: &TermsTree<T>) -> Vec<TrainingScore> {
    let leaves = tree.nodes().iter().filter(|node| node.split.is_none());
    let said: Vec<Cow<'_, Answers>> = leaves
        .clone()
        .map(|leaf| terms.answers(&leaf.payload))
        .collect();
    let score = |(place, target): (usize, &TargetOf)| {
        let constant = |leaf: &_| terms.is_constant(leaf, place);
        if !leaves.clone().all(|leaf| constant(&leaf.payload)) {
            return None;
        }
        let answers = said.iter().filter_map(|leaf| leaf.targets.get(place));
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
    terms
        .targets()
        .iter()
        .enumerate()
        .filter_map(score)
        .collect()
}
