//! Pruning that other objects decide: some that were held out, or each fold in turn.

use super::bags::Bags;
use super::grow::{Growing, Skeleton};
use super::response::Response;
use crate::tree::prune::cost_complexity::{Estimate, choose};
use crate::tree::prune::{WeakestLinks, error_within, reduced_error};
use kinwood_learning::random::Generator;

/// Folds by which cost-complexity pruning chooses.
const FOLDS: usize = 5;
/// Of so many objects one is held out for reduced-error pruning.
const HELD_OUT: usize = 3;

/// A tree grown on some of the objects and cut back by the others; its structure alone is meant.
pub fn by_held_out(growing: &Growing<'_>, objects: &[u32], mut generator: Generator) -> Skeleton {
    let (rest, held) = divided(objects, HELD_OUT, 0, &mut generator);
    let tree = growing.grow(root(growing, rest.clone()), None).tree;
    let errors = losses(growing, &tree, &rest, &held);
    let sums: Vec<f64> = errors
        .iter()
        .map(|each| each.iter().map(|(loss, weight)| loss * weight).sum())
        .collect();
    reduced_error(&tree, &sums)
}

/// The tree cut back as far as folds find best, or with `one_se` as far as is within one standard
/// error of that.
pub fn by_folds(
    growing: &Growing<'_>,
    tree: &Skeleton,
    objects: &[u32],
    one_se: bool,
    generator: &Generator,
) -> Skeleton {
    let links = WeakestLinks::new(tree, error_within(&tree.nodes()[0].payload));
    let alphas = links.typical_alphas();
    let mut found: Vec<Vec<(f64, f64)>> = vec![Vec::new(); alphas.len()];
    let folds = FOLDS.min(objects.len());
    for fold in 0..folds {
        let (rest, held) = divided(objects, folds, fold, &mut generator.clone());
        if rest.is_empty() {
            continue;
        }
        let grown = growing.grow(root(growing, rest.clone()), None).tree;
        let links = WeakestLinks::new(&grown, error_within(&grown.nodes()[0].payload));
        for (alpha, found) in alphas.iter().zip(&mut found) {
            let cut = links.prune(&grown, links.at(*alpha));
            let each = losses(growing, &cut, &rest, &held)
                .into_iter()
                .zip(cut.nodes());
            let leaves = each.filter(|(_, node)| node.split.is_none());
            found.extend(leaves.flat_map(|(losses, _)| losses));
        }
    }
    let estimates: Vec<Estimate> = found.iter().map(|losses| Estimate::of(losses)).collect();
    match choose(&estimates, one_se) {
        Some(step) => links.prune(tree, step),
        None => tree.clone(),
    }
}

fn root(growing: &Growing<'_>, objects: Vec<u32>) -> Bags {
    Bags::new(growing.problem.values.view(), objects)
}

/// The objects apart from every so-manieth of a random order, and those; both rise.
fn divided(
    objects: &[u32],
    by: usize,
    which: usize,
    generator: &mut Generator,
) -> (Vec<u32>, Vec<u32>) {
    let mut order = objects.to_vec();
    generator.shuffle(&mut order);
    let (mut rest, mut held) = (Vec::new(), Vec::new());
    for (place, object) in order.into_iter().enumerate() {
        match place % by == which {
            true => held.push(object),
            false => rest.push(object),
        }
    }
    rest.sort_unstable();
    held.sort_unstable();
    (rest, held)
}

/// By node: how far each held-out object that reaches it is from the mean of the others there, and
/// its weight.
fn losses(
    growing: &Growing<'_>,
    tree: &Skeleton,
    rest: &[u32],
    held: &[u32],
) -> Vec<Vec<(f64, f64)>> {
    let problem = growing.problem;
    let values = problem.values;
    let mut found: Vec<Vec<(f64, f64)>> = vec![Vec::new(); tree.size()];
    let mut pending = vec![(
        0u32,
        root(growing, rest.to_vec()),
        root(growing, held.to_vec()),
    )];
    while let Some((node, rest, held)) = pending.pop() {
        let mean = mean(problem.response, &rest.objects, problem.weights);
        found[node as usize] = held
            .objects
            .iter()
            .map(|&object| {
                let own = problem.response.of(object).iter().zip(&mean);
                let far: f64 = own.map(|(own, mean)| (own - mean).powi(2)).sum();
                (far, problem.weights[object as usize])
            })
            .collect();
        if let Some(split) = &tree.node(node).split {
            let (rest_yes, rest_no) = rest.divide(values.view(), values, &split.test);
            let (held_yes, held_no) = held.divide(values.view(), values, &split.test);
            pending.push((split.children[0], rest_yes, held_yes));
            pending.push((split.children[1], rest_no, held_no));
        }
    }
    found
}

fn mean(response: &Response<'_>, objects: &[u32], weights: &[f64]) -> Vec<f64> {
    let mut sums = vec![0.0; response.width()];
    let mut total = 0.0;
    for &object in objects {
        let weight = weights[object as usize];
        total += weight;
        for (sum, own) in sums.iter_mut().zip(response.of(object)) {
            *sum += weight * own;
        }
    }
    sums.iter()
        .map(|sum| sum / f64::max(total, f64::MIN_POSITIVE))
        .collect()
}
