//! Pruning by what nodes err on examples left out: a node is a leaf unless its subtree errs less.

use super::cut;
use crate::tree::response::{Answer, Answers};
use crate::tree::structure::Tree;

/// The unit of each target: what the root errs by itself.
pub fn left_out_units(root: &Answers) -> Vec<f64> {
    let each = root.targets.iter();
    each.map(|answer| answer.error().max(f64::MIN_POSITIVE))
        .collect()
}

/// The squared errors of the mean, each example left out in turn.
pub fn mean_left_out(squares: f64, weight: f64) -> f64 {
    match weight > 1.0 {
        true => squares * (weight / (weight - 1.0)).powi(2),
        false => f64::INFINITY,
    }
}

/// How wrong an answer would be on its examples if each were left out of it in turn; of what is no
/// number half an error more, for it has no squares to leave out of.
pub fn error_left_out(answer: &Answer) -> f64 {
    match answer.as_number() {
        Some(own) => mean_left_out(own.squares, own.weight),
        None => answer.error() + 0.5,
    }
}

/// The tree in which a node is a leaf unless its subtree is less wrong, each by errors of examples
/// left out in turn. `error` is that of a node for a target; targets count in units of what the
/// root says by itself.
pub fn left_out<T: Clone, P: Clone>(
    tree: &Tree<T, P>,
    units: &[f64],
    error: impl Fn(&P, usize) -> f64,
) -> Tree<T, P> {
    let wrong = |payload: &P| -> f64 {
        let each = units.iter().enumerate();
        each.map(|(place, unit)| error(payload, place) / unit).sum()
    };
    let mut best: Vec<f64> = tree
        .nodes()
        .iter()
        .map(|node| wrong(&node.payload))
        .collect();
    let mut leaf = vec![true; tree.size()];
    for (place, node) in tree.nodes().iter().enumerate().rev() {
        if let Some(split) = &node.split {
            let below: f64 = split
                .children
                .iter()
                .map(|&child| best[child as usize])
                .sum();
            if below < best[place] * (1.0 - 1e-12) {
                best[place] = below;
                leaf[place] = false;
            }
        }
    }
    cut(tree, &leaf)
}
