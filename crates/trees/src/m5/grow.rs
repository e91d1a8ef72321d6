//! From rows to a tree of tests.

use rayon::prelude::*;

use super::cut::{ALIKE, Cut, Node as Sums};
use super::formula::{Feature, Test};
use crate::tree::{Node, Split, Tree};
use kinwood_learning::context::Context;

/// A node whose deviation is less than this share of the root's is not divided.
const EVEN: f64 = 0.05;
/// The least rows times inputs of a node that threads share.
const SHARED: usize = 20_000;

/// The rows to learn from.
pub struct Examples {
    /// By input and row.
    pub values: Vec<Vec<f64>>,
    /// By input, whether its values are ranks of labels.
    pub ranked: Vec<bool>,
    /// What is predicted.
    pub numbers: Vec<f64>,
    /// How much each row counts: more than nothing.
    pub weights: Vec<f64>,
}

/// Some of the rows.
#[derive(Clone, Debug)]
pub struct Region {
    /// The rows, ascending.
    pub rows: Vec<u32>,
    /// Their weight.
    pub weight: f64,
    /// The mean of their numbers.
    pub mean: f64,
    /// The standard deviation.
    pub deviation: f64,
}

/// Rows that are not looked at yet.
struct Pending {
    rows: Vec<u32>,
    /// The rows by value, an input each.
    sorted: Vec<Vec<u32>>,
    /// The node above and the branch.
    above: Option<(usize, usize)>,
}

/// Divides rows until their numbers are even or they are too few. When the work is asked to stop,
/// what is not divided yet stays whole.
pub fn grow(examples: &Examples, leaf: f64, context: &Context) -> Tree<Test, Region> {
    context.install(|| {
        let rows: Vec<u32> = (0..examples.numbers.len() as u32).collect();
        let running = context.progress("dividing rows", rows.len() as u64);
        let sorted = examples.values.par_iter().map(|values| {
            let mut sorted = rows.clone();
            sorted.sort_by(|&a, &b| values[a as usize].total_cmp(&values[b as usize]));
            sorted
        });
        let mut pending = vec![Pending {
            sorted: sorted.collect(),
            rows,
            above: None,
        }];
        let mut nodes: Vec<Node<Test, Region>> = Vec::new();
        let mut stopped = false;
        let mut even = 0.0;
        while let Some(part) = pending.pop() {
            let place = nodes.len();
            if let Some((parent, branch)) = part.above
                && let Some(split) = &mut nodes[parent].split
            {
                split.children[branch] = place as u32;
            }
            let sums = Sums::new(part.rows.iter().map(|&row| {
                let row = row as usize;
                (examples.numbers[row], examples.weights[row])
            }));
            if part.above.is_none() {
                even = EVEN * sums.deviation();
            }
            if !stopped && context.check().is_err() {
                context.cut_short();
                stopped = true;
            }
            let whole = stopped || sums.weight() < leaf || sums.deviation() < even;
            let test = match whole {
                true => None,
                false => best(examples, &part, &sums),
            };
            let mut node = Node {
                payload: Region {
                    rows: part.rows,
                    weight: sums.weight(),
                    mean: sums.mean(),
                    deviation: sums.deviation(),
                },
                split: None,
            };
            match test {
                Some(test) => {
                    let values = &examples.values[test.feature.input as usize];
                    let holds = |row: &u32| test.feature.of(values[*row as usize]) > test.threshold;
                    let [yes, no] = divided(&node.payload.rows, &holds);
                    let sides = part.sorted.par_iter().map(|rows| divided(rows, &holds));
                    let (first, second) = sides.map(|[yes, no]| (yes, no)).unzip();
                    let weight: f64 = yes.iter().map(|&row| examples.weights[row as usize]).sum();
                    let share = weight / sums.weight();
                    node.split = Some(Split {
                        test,
                        children: vec![0, 0],
                        shares: vec![share, 1.0 - share],
                    });
                    // The last is taken first: the nodes come in preorder.
                    for (branch, rows, sorted) in [(1, no, second), (0, yes, first)] {
                        let above = Some((place, branch));
                        pending.push(Pending {
                            rows,
                            sorted,
                            above,
                        });
                    }
                }
                None => running.advance(node.payload.rows.len() as u64),
            }
            nodes.push(node);
        }
        Tree::new(nodes).expect("nodes were made in preorder")
    })
}

fn divided(rows: &[u32], holds: &impl Fn(&u32) -> bool) -> [Vec<u32>; 2] {
    let (yes, no) = rows.iter().partition(|row| holds(row));
    [yes, no]
}

/// The test that lets the spread fall most, the first of equals; nothing where no test leaves
/// enough rows on both sides.
fn best(examples: &Examples, part: &Pending, sums: &Sums) -> Option<Test> {
    let cut = |input: usize| -> Option<Cut> {
        let values = &examples.values[input];
        let rows = part.sorted[input].iter().map(|&row| {
            let row = row as usize;
            (values[row], examples.numbers[row], examples.weights[row])
        });
        sums.best(rows, examples.ranked[input])
    };
    let inputs = 0..examples.values.len();
    let cuts: Vec<Option<Cut>> = match part.rows.len() * inputs.len() >= SHARED {
        true => inputs.into_par_iter().map(cut).collect(),
        false => inputs.map(cut).collect(),
    };
    let mut best: Option<(usize, Cut)> = None;
    for (input, cut) in cuts.into_iter().enumerate() {
        let Some(cut) = cut else { continue };
        let better = |(_, best): (usize, Cut)| cut.gain > best.gain + ALIKE * sums.spread;
        if best.is_none_or(better) {
            best = Some((input, cut));
        }
    }
    let (input, cut) = best?;
    let (below, above) = cut.between;
    Some(match examples.ranked[input] {
        // Of ranks that nobody has in between, the first asks for most labels.
        true => Test {
            feature: Feature {
                input: input as u32,
                from: Some(below as u32 + 1),
            },
            threshold: 0.5,
        },
        false => {
            let middle = below / 2.0 + above / 2.0;
            Test {
                feature: Feature {
                    input: input as u32,
                    from: None,
                },
                // Of neighbours among doubles the middle is one.
                threshold: if middle < above { middle } else { below },
            }
        }
    })
}
