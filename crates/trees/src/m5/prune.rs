//! Formulas of the nodes, cutting what they make needless, and blending them along the way to each
//! leaf.

use std::collections::BTreeSet;

use rayon::prelude::*;

use super::formula::{Answer, Feature, Formula, Test};
use super::language::Examples;
use super::regress::regress;
use crate::tree::language::Weighted;
use crate::tree::prune::m5::M5;
use crate::tree::structure::Standing;
use crate::tree::{Node, Tree};
use kinwood_learning::context::Context;
use kinwood_learning::error::Result;

/// What becomes of a tree that is grown.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    /// Whether subtrees are cut.
    pub pruning: bool,
    /// Whether formulas are blended.
    pub smoothing: bool,
    /// Whether formulas are means.
    pub constant: bool,
}

/// So many rows does the formula above count as, where it is blended with that of a node.
const ABOVE: f64 = 15.0;
/// A node whose error is less than this share of the deviation of all rows has no need of a
/// subtree.
const SMALL: f64 = 1e-5;

/// The rows of a node.
pub struct Region {
    /// The rows, ascending.
    rows: Vec<u32>,
    weight: f64,
    mean: f64,
    deviation: f64,
}

impl Region {
    /// The rows of each node of a tree.
    pub fn of_nodes<P>(
        tree: Tree<Test, P>,
        rows: Vec<Vec<Weighted>>,
        examples: &Examples,
    ) -> Tree<Test, Self> {
        let mut rows = rows.into_iter();
        tree.map(|_| {
            let own = rows.next().unwrap_or_default();
            let rows: Vec<u32> = own.into_iter().map(|(row, _)| row).collect();
            let sums = examples.sums(&rows);
            Self {
                rows,
                weight: sums.weight(),
                mean: sums.mean(),
                deviation: sums.deviation(),
            }
        })
    }
}

/// A node's formula and the squares of its errors.
struct Fitted {
    formula: Formula,
    squares: f64,
}

/// The tree with its formulas.
pub fn finished(
    grown: Tree<Test, Region>,
    examples: &Examples,
    rules: Rules,
    context: &Context,
) -> Result<Tree<Test, Answer>> {
    let below = tested(&grown, rules.constant);
    let running = context.progress("fitting formulas", grown.size() as u64);
    let fitted: Vec<Fitted> = context.install(|| {
        let nodes = grown.nodes().par_iter().zip(&below);
        nodes
            .map(|(node, features)| {
                // Growing that was cut short has told so: what it left is finished.
                if !context.was_cut_short() {
                    context.check()?;
                }
                let fitted = fit(&node.payload, features, examples);
                running.advance(1);
                Ok(fitted)
            })
            .collect::<Result<_>>()
    })?;
    let cut = match rules.pruning {
        true => needless(&grown, &fitted),
        false => vec![false; grown.size()],
    };
    let mut formulas = fitted.into_iter().map(|fitted| fitted.formula);
    let tree = grown.map(|region| Answer {
        weight: region.weight,
        mean: region.mean,
        deviation: region.deviation,
        formula: formulas.next().unwrap_or_default(),
    });
    let tree = tree.rebuilt(0, &|node| match cut[node as usize] {
        true => Standing::Leaf,
        false => Standing::Kept,
    });
    Ok(match rules.smoothing {
        true => smoothed(tree),
        false => tree,
    })
}

/// By node, the features tested there and below; nothing where formulas are to be constants.
fn tested(grown: &Tree<Test, Region>, constant: bool) -> Vec<Vec<Feature>> {
    let mut below: Vec<BTreeSet<Feature>> = vec![BTreeSet::new(); grown.size()];
    if !constant {
        // Children stand after their parents.
        for (place, node) in grown.nodes().iter().enumerate().rev() {
            if let Some(split) = &node.split {
                let mut own = BTreeSet::from([split.test.feature]);
                for &child in &split.children {
                    own.extend(&below[child as usize]);
                }
                below[place] = own;
            }
        }
    }
    let sets = below.into_iter();
    sets.map(|set| set.into_iter().collect()).collect()
}

fn fit(region: &Region, features: &[Feature], examples: &Examples) -> Fitted {
    let gathered = |all: &[f64]| -> Vec<f64> {
        let rows = region.rows.iter();
        rows.map(|&row| all[row as usize]).collect()
    };
    let columns: Vec<Vec<f64>> = features
        .iter()
        .map(|feature| {
            let mut column = gathered(&examples.values[feature.input as usize]);
            column
                .iter_mut()
                .for_each(|value| *value = feature.of(*value));
            column
        })
        .collect();
    let numbers = gathered(&examples.numbers);
    let weights = gathered(&examples.weights);
    let found = regress(&columns, &numbers, &weights);
    let used = || {
        let all = found.coefficients.iter().enumerate();
        all.filter(|(_, coefficient)| **coefficient != 0.0)
    };
    let mut errors = numbers;
    errors
        .iter_mut()
        .for_each(|number| *number -= found.constant);
    for (place, coefficient) in used() {
        for (error, value) in errors.iter_mut().zip(&columns[place]) {
            *error -= coefficient * value;
        }
    }
    let squares = errors.iter().zip(&weights);
    Fitted {
        squares: squares.map(|(error, weight)| weight * error * error).sum(),
        formula: Formula {
            constant: found.constant,
            terms: used()
                .map(|(place, &coefficient)| (features[place], coefficient))
                .collect(),
        },
    }
}

/// By node, whether its formula does as well as what is below it.
fn needless(grown: &Tree<Test, Region>, fitted: &[Fitted]) -> Vec<bool> {
    let small = SMALL * grown.node(0).payload.deviation;
    let mut cut = vec![false; fitted.len()];
    // Parameters and squares of what stands at each node after cutting below it.
    let mut standing = vec![(0, 0.0); fitted.len()];
    for (place, node) in grown.nodes().iter().enumerate().rev() {
        let parameters = fitted[place].formula.parameters();
        let own = (parameters, fitted[place].squares);
        let Some(split) = &node.split else {
            standing[place] = own;
            continue;
        };
        let parts = split.children.iter().map(|&child| standing[child as usize]);
        // A test is a parameter too.
        let parts = parts.fold((1, 0.0), |all, part| (all.0 + part.0, all.1 + part.1));
        let weight = node.payload.weight;
        let error = |(parameters, squares): (usize, f64)| {
            (squares / weight).sqrt() * M5::default().penalty(weight, parameters)
        };
        cut[place] = error(own) <= error(parts) || error(own) < small;
        standing[place] = if cut[place] { own } else { parts };
    }
    cut
}

/// The tree whose leaves say what they and all nodes above them say, the nearer ones more.
fn smoothed(tree: Tree<Test, Answer>) -> Tree<Test, Answer> {
    let mut parents = vec![None; tree.size()];
    for (place, node) in tree.nodes().iter().enumerate() {
        for &child in node.split.iter().flat_map(|split| &split.children) {
            parents[child as usize] = Some(place);
        }
    }
    let blended = |leaf: usize| {
        let nodes = tree.nodes();
        let mut formula = nodes[leaf].payload.formula.clone();
        let mut node = leaf;
        while let Some(parent) = parents[node] {
            let weight = nodes[node].payload.weight;
            formula = formula.blended(weight / (weight + ABOVE), &nodes[parent].payload.formula);
            node = parent;
        }
        formula
    };
    let nodes: Vec<Node<Test, Answer>> = tree
        .nodes()
        .iter()
        .enumerate()
        .map(|(place, node)| {
            let mut node = node.clone();
            if node.split.is_none() {
                node.payload.formula = blended(place);
            }
            node
        })
        .collect();
    Tree::new(nodes).expect("the nodes of a tree")
}
