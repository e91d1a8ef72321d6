//! How wrong a tree is on the rows it was grown on.

use super::Tree;
use super::prune::error_within;
use super::response::Answers;

/// The share of training examples that a tree gets right, of a single target that is a class; and
/// its error: the share of wrong classes or labels, the root of the mean squared error of a single
/// number, or the mean over several targets of the error relative to that of the root.
pub fn training<T>(tree: &Tree<T, Answers>) -> (Option<f64>, Option<f64>) {
    let leaves = tree.nodes().iter().filter(|node| node.split.is_none());
    let leaves: Vec<&Answers> = leaves.map(|leaf| &leaf.payload).collect();
    training_of(&tree.nodes()[0].payload, &leaves)
}

/// The same of the answers of a root and of leaves.
pub fn training_of(root: &Answers, leaves: &[&Answers]) -> (Option<f64>, Option<f64>) {
    let leaf_error = |target: usize| leaves.iter().map(|leaf| leaf.targets[target].error()).sum();
    let sums: Vec<f64> = (0..root.targets.len()).map(leaf_error).collect();
    let share = |target: usize| sums[target] / root.targets[target].weight().max(f64::MIN_POSITIVE);
    let counts_wrong = root
        .targets
        .iter()
        .all(|answer| answer.leaf().counts_wrong());
    let right = || {
        let each = (0..root.targets.len()).map(|target| 1.0 - share(target));
        each.sum::<f64>() / root.targets.len() as f64
    };
    let error = match root.targets.as_slice() {
        [only] => only.leaf().mean_error(only.numbers(), share(0)),
        several => {
            let relative = several.iter().zip(&sums).map(|(answer, sum)| {
                let whole = answer.error();
                if whole > 0.0 { sum / whole } else { 0.0 }
            });
            relative.sum::<f64>() / several.len().max(1) as f64
        }
    };
    (counts_wrong.then(right), Some(error))
}

/// By what trees are compared that the search did not: the training error.
pub fn error_of<T>(tree: &Tree<T, Answers>) -> f64 {
    let whole: &Answers = &tree.nodes()[0].payload;
    let error = error_within(whole);
    let leaves = tree.nodes().iter().filter(|node| node.split.is_none());
    leaves.map(|leaf| error(&leaf.payload)).sum()
}
