//! Why a row is predicted as it is: what each column adds to a score.
//!
//! The parts are Shapley values of the game whose players are the features: with some of them
//! known, a tree is worth its mean answer where tests of the others take both branches, in shares
//! of the training rows (path-dependent). They add up to the score exactly, and are computed in
//! time that grows with the leaves and the square of the depth.
//!
//! Reference: S. Lundberg and others, *From local explanations to global understanding with
//! explainable AI for trees*, Nature Machine Intelligence 2, 2020.

use kinwood_learning::context::Context;
use kinwood_learning::error::Result;
use kinwood_learning::explanation::{
    Explanation, Others, Reasons, ScorePart, ScoreReasons, TargetExplanation,
};
use kinwood_learning::model::Contributions;
use kinwood_learning::target::{CLASSES, first_greatest};
use kinwood_values::View;
use rayon::prelude::*;

use super::{Block, BoostedModel, BoostedTarget};
use crate::features::Reader;
use crate::tree::Tree;

/// Explains a row of a view.
pub fn explain(model: &BoostedModel, data: &View, position: usize) -> Result<Explanation> {
    let reader = Reader::new(&model.features, data)?;
    let block = Block::new(&model.features, &reader, position..position + 1);
    let values = block.rows().next().unwrap_or_default();
    let target = |target: &BoostedTarget| {
        let scores = target.scores(&block);
        let mut predicted = vec![0.0; target.kind.width()];
        target.predicted(&scores, &mut predicted);
        let chosen = first_greatest(&predicted);
        let reasons = (0..target.outputs()).map(|output| {
            let (begins, parts) = shapley_values(target, output, values, model.features.all.len());
            let parts = parts
                .into_iter()
                .enumerate()
                .filter(|(_, adds)| *adds != 0.0);
            let mut parts: Vec<ScorePart> = parts
                .map(|(feature, adds)| ScorePart {
                    column: model.features.input(feature).name.clone(),
                    term: model.features.words(feature),
                    value: reader.value(feature, position),
                    adds,
                })
                .collect();
            parts.sort_by(|a, b| b.adds.abs().total_cmp(&a.adds.abs()));
            ScoreReasons {
                of: target.scale(output),
                begins,
                parts,
                score: scores[output],
                // Of several classes the one that is predicted is told of.
                told: !target.kind.is(&CLASSES) || target.outputs() == 1 || output == chosen,
            }
        });
        TargetExplanation {
            name: target.name.clone(),
            reasons: Reasons::Scores(reasons.collect()),
            prediction: target
                .kind
                .parts()
                .into_iter()
                .zip(predicted.iter().copied())
                .collect(),
            others: Others {
                rows: target.weight.round() as usize,
                share: 1.0,
                parts: predicted,
            },
        }
    };
    let targets = model.targets.iter().map(target).collect();
    let inputs = model.features.inputs.iter();
    let firsts = (0..model.features.inputs.len() as u32)
        .filter_map(|input| model.features.all.iter().position(|own| own.input == input));
    Ok(Explanation {
        attributes: inputs.map(|input| input.name.clone()).collect(),
        values: firsts
            .map(|feature| reader.value(feature, position))
            .collect(),
        targets,
    })
}

/// What each column adds to each score of each row: the sum of what its features add.
pub fn contributions(
    model: &BoostedModel,
    data: &View,
    context: &Context,
) -> Result<Vec<Contributions>> {
    let reader = Reader::new(&model.features, data)?;
    let columns: Vec<String> = model
        .features
        .inputs
        .iter()
        .map(|input| input.name.clone())
        .collect();
    let features = &model.features.all;
    let mut all = Vec::new();
    for target in &model.targets {
        for output in 0..target.outputs() {
            let of_row = |row: usize| -> Result<(f64, Vec<f64>)> {
                context.check()?;
                let block = Block::new(&model.features, &reader, row..row + 1);
                let values = block.rows().next().unwrap_or_default();
                let (begins, parts) = shapley_values(target, output, values, features.len());
                let mut adds = vec![0.0; columns.len()];
                for (feature, part) in features.iter().zip(parts) {
                    adds[feature.input as usize] += part;
                }
                Ok((begins, adds))
            };
            let rows: Vec<(f64, Vec<f64>)> = context.install(|| {
                (0..data.len())
                    .into_par_iter()
                    .map(of_row)
                    .collect::<Result<_>>()
            })?;
            let begins = match rows.first() {
                Some((begins, _)) => *begins,
                None => target.base[output],
            };
            all.push(Contributions {
                of: target.scale(output),
                begins,
                columns: columns.clone(),
                adds: rows.into_iter().flat_map(|(_, adds)| adds).collect(),
            });
        }
    }
    Ok(all)
}

/// The mean score, and what each of so many features adds to it for a row.
pub fn shapley_values(
    target: &BoostedTarget,
    output: usize,
    values: &[f64],
    features: usize,
) -> (f64, Vec<f64>) {
    let mut begins = target.base[output];
    let mut parts = vec![0.0; features];
    for tree in target.trees_of(output) {
        begins += tree.means()[0];
        add_tree(tree, values, &mut parts);
    }
    (begins, parts)
}

/// A feature on the way to a node.
#[derive(Clone, Copy)]
struct Passed {
    feature: u32,
    /// The share of rows that come by where the feature is not known.
    without: f64,
    /// The share of the row that comes by where it is known: 1 or 0.
    with: f64,
    /// The weight of the sets of as many features as stand before it.
    weight: f64,
}

fn extend(path: &mut Vec<Passed>, feature: u32, without: f64, with: f64) {
    let last = path.len();
    path.push(Passed {
        feature,
        without,
        with,
        weight: if last == 0 { 1.0 } else { 0.0 },
    });
    let all = last as f64 + 1.0;
    for place in (0..last).rev() {
        path[place + 1].weight += with * path[place].weight * (place as f64 + 1.0) / all;
        path[place].weight *= without * (last - place) as f64 / all;
    }
}

/// The weights as they were before a feature came.
fn unwound(path: &[Passed], gone: usize, mut each: impl FnMut(usize, f64)) {
    let last = path.len() - 1;
    let all = last as f64 + 1.0;
    let Passed { with, without, .. } = path[gone];
    let mut next = path[last].weight;
    for place in (0..last).rev() {
        let weight = match with != 0.0 {
            true => {
                let weight = next * all / ((place as f64 + 1.0) * with);
                next = path[place].weight - weight * without * (last - place) as f64 / all;
                weight
            }
            false => path[place].weight * all / (without * (last - place) as f64),
        };
        each(place, weight);
    }
}

fn unwind(path: &mut Vec<Passed>, gone: usize) {
    let mut weights = vec![0.0; path.len() - 1];
    unwound(path, gone, |place, weight| weights[place] = weight);
    path.remove(gone);
    for (passed, weight) in path.iter_mut().zip(weights) {
        passed.weight = weight;
    }
}

/// A feature that no test looks at: the root's.
const NONE: u32 = u32::MAX;

/// Adds what each feature adds by a tree.
fn add_tree(tree: &Tree, values: &[f64], parts: &mut [f64]) {
    let mut root = Vec::new();
    extend(&mut root, NONE, 1.0, 1.0);
    // Not by recursion: a tree may be as deep as it has leaves.
    let mut pending = vec![(0_usize, root)];
    while let Some((node, mut path)) = pending.pop() {
        if tree.is_leaf(node) {
            for place in 1..path.len() {
                let mut sum = 0.0;
                unwound(&path, place, |_, weight| sum += weight);
                let passed = path[place];
                parts[passed.feature as usize] +=
                    sum * (passed.with - passed.without) * tree.values[node];
            }
            continue;
        }
        let feature = tree.features[node];
        let (mut without, mut with) = (1.0, 1.0);
        if let Some(place) = path.iter().position(|passed| passed.feature == feature) {
            (without, with) = (path[place].without, path[place].with);
            unwind(&mut path, place);
        }
        let first = tree.takes_first(node, values[feature as usize]);
        for (branch, taken) in [(0, first), (1, !first)] {
            let without = without * tree.share(node, branch);
            let with = if taken { with } else { 0.0 };
            // Where nobody comes by either way, nothing is added.
            if without == 0.0 && with == 0.0 {
                continue;
            }
            let mut below = path.clone();
            extend(&mut below, feature, without, with);
            pending.push((tree.branches[node][branch] as usize, below));
        }
    }
}

#[cfg(test)]
mod tests {
    use kinwood_learning::Generator;
    use proptest::prelude::*;

    use super::*;

    /// A random tree over four features.
    fn random_tree(seed: u64) -> (Tree, Vec<f64>) {
        let mut generator = Generator::new(seed, &[]);
        let mut tree = Tree::default();
        tree.push(0.0, 100.0);
        let mut open = vec![0];
        while tree.len() < 15 {
            let place = generator.below(open.len());
            let node: usize = open.swap_remove(place);
            let share = generator.below(5) as f64 / 4.0;
            let weight = tree.weights[node];
            let yes = tree.push(generator.normal(), weight * share);
            let no = tree.push(generator.normal(), weight * (1.0 - share));
            tree.features[node] = generator.below(4) as u32;
            tree.thresholds[node] = generator.unit();
            tree.missing[node] = generator.below(2) == 0;
            tree.branches[node] = [yes as u32, no as u32];
            open.extend([yes, no]);
        }
        let value = |generator: &mut Generator| match generator.below(5) {
            0 => f64::NAN,
            _ => generator.unit(),
        };
        let values = (0..4).map(|_| value(&mut generator)).collect();
        (tree, values)
    }

    /// What a tree is worth where only some features are known.
    fn worth(tree: &Tree, values: &[f64], known: u32, node: usize) -> f64 {
        if tree.is_leaf(node) {
            return tree.values[node];
        }
        let feature = tree.features[node];
        let below =
            |branch: usize| worth(tree, values, known, tree.branches[node][branch] as usize);
        match known >> feature & 1 {
            1 => below(usize::from(
                !tree.takes_first(node, values[feature as usize]),
            )),
            _ => tree.share(node, 0) * below(0) + tree.share(node, 1) * below(1),
        }
    }

    proptest! {
        /// Shapley's definition, written out over all sets of features.
        #[test]
        fn parts_are_shapley_values(seed in 0_u64..1_000_000) {
            let (tree, values) = random_tree(seed);
            let mut parts = vec![0.0; 4];
            add_tree(&tree, &values, &mut parts);
            let factorial = |n: u32| (1..=n).product::<u32>() as f64;
            for feature in 0..4_u32 {
                let mut expected = 0.0;
                for known in (0..16_u32).filter(|known| known >> feature & 1 == 0) {
                    let size = known.count_ones();
                    let weight = factorial(size) * factorial(3 - size) / factorial(4);
                    let gained = worth(&tree, &values, known | 1 << feature, 0) - worth(&tree, &values, known, 0);
                    expected += weight * gained;
                }
                prop_assert!((parts[feature as usize] - expected).abs() < 1e-9, "{parts:?} {expected}");
            }
            let sum = tree.means()[0] + parts.iter().sum::<f64>();
            prop_assert!((sum - tree.values[tree.leaf(&values)]).abs() < 1e-9);
        }
    }
}
