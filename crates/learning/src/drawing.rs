//! What pictures show of trees: tests, branches, prototypes and what each node says, in words and
//! numbers.
//!
//! Pictures never look into a model. A model that has trees gives a [`Drawing`]; whatever draws
//! needs nothing else, and a new kind of test or search is drawn without a change there.

use std::ops::Range;

use kinwood_values::Value;

use crate::target::{TargetKind, first_greatest};

/// The trees of a model, to be drawn.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Drawing {
    /// What the trees are of.
    pub title: String,
    /// The targets, in the order of each node's answers.
    pub targets: Vec<TargetDrawn>,
    /// The trees, best first.
    pub trees: Vec<TreeDrawn>,
    /// Anything else worth a line each.
    pub notes: Vec<String>,
    /// The tables that the trees look into, where there are several.
    pub schema: Option<SchemaDrawn>,
}

/// A score that is a sum of what columns, or pairs of columns, add, to be drawn.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SumDrawn {
    /// The target.
    pub target: String,
    /// What the score is, such as `log-odds of yes`.
    pub of: String,
    /// What the sum begins with.
    pub begins: f64,
    /// What is added, the most important first.
    pub terms: Vec<SummandDrawn>,
}

/// What a column, or a pair of columns, adds to a score.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SummandDrawn {
    /// Its share of the importance of all, from 0 to 1.
    pub share: f64,
    /// One axis, or two.
    pub axes: Vec<AxisDrawn>,
    /// What is added in each cell, the cells of the second axis next to each other; the last cell
    /// of an axis is that of rows without a value.
    pub adds: Vec<f64>,
    /// The standard deviation of each over models that were fitted apart; empty without such.
    pub sd: Vec<f64>,
}

/// The cells of a column.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AxisDrawn {
    /// What is looked at, in words.
    pub name: String,
    /// Where the cells of numbers end, rising; empty for labels.
    pub thresholds: Vec<f64>,
    /// The cells in words, that of rows without a value last.
    pub cells: Vec<String>,
}

/// Tables and the keys between them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SchemaDrawn {
    /// The names of the tables.
    pub tables: Vec<String>,
    /// The table whose rows are the objects.
    pub root: usize,
    /// The foreign keys.
    pub keys: Vec<KeyDrawn>,
}

/// A foreign key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyDrawn {
    /// Its name.
    pub name: String,
    /// The table that refers.
    pub from: usize,
    /// Its columns.
    pub from_columns: Vec<String>,
    /// The table referred to.
    pub to: usize,
    /// Its columns.
    pub to_columns: Vec<String>,
}

/// A key that is followed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepDrawn {
    /// From where: 0 is the object, any other the step before.
    pub from: u32,
    /// The key, by its place in the schema.
    pub key: usize,
    /// The table that it leads to, by its place in the schema.
    pub table: usize,
    /// What the rows that it leads to are called.
    pub name: String,
    /// Whether the node's own test asks for it; the others were followed on the way to the node.
    pub asked: bool,
}

/// A target.
#[derive(Clone, Debug, PartialEq)]
pub struct TargetDrawn {
    /// Its name.
    pub name: String,
    /// What is predicted, as [`KindEntry::shown`](crate::target::KindEntry::shown) has it.
    pub kind: &'static str,
    /// The classes or labels that it is one of, or a set of.
    pub labels: Vec<String>,
}

impl TargetDrawn {
    /// A target of a kind.
    pub fn new(name: impl Into<String>, kind: &TargetKind) -> Self {
        let labels = kind.dictionary().map(|labels| labels.labels());
        Self {
            name: name.into(),
            kind: kind.entry().shown,
            labels: labels.into_iter().flatten().map(str::to_owned).collect(),
        }
    }
}

/// A tree.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TreeDrawn {
    /// What it is called.
    pub name: String,
    /// How good it was found, lower being better, where the search says so.
    pub score: Option<f64>,
    /// Its nodes in preorder, the root first.
    pub nodes: Vec<NodeDrawn>,
}

/// A node of a tree.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NodeDrawn {
    /// The node above and which of its branches leads here; `None` for the root.
    pub parent: Option<(u32, usize)>,
    /// How it is divided; `None` for a leaf.
    pub test: Option<TestDrawn>,
    /// The weight of the training examples that reached it.
    pub weight: f64,
    /// What it says of each target.
    pub answers: Vec<Mark>,
    /// The keys followed from the object.
    pub steps: Vec<StepDrawn>,
}

/// A test.
#[derive(Clone, Debug, PartialEq)]
pub struct TestDrawn {
    /// The test in words.
    pub words: String,
    /// The column it looks at.
    pub column: String,
    /// The distance it measures by, as an expression.
    pub distance: Option<String>,
    /// Two branches or more.
    pub branches: Vec<BranchDrawn>,
}

/// A branch of a test.
#[derive(Clone, Debug, PartialEq)]
pub struct BranchDrawn {
    /// When it is taken: `yes`, `no`, `nearest to …`.
    pub words: String,
    /// The value that those who take it are nearest to.
    pub prototype: Option<Value>,
    /// The share of the training weight that took it.
    pub share: f64,
}

/// What a node says of a target, as a mark that can be drawn: whatever kind of target it is, it
/// says so by one of these.
#[derive(Clone, Debug, PartialEq)]
pub enum Mark {
    /// The weight of each class, side by side.
    Stack {
        /// The weights.
        weights: Vec<f64>,
        /// The class that is predicted; `None` where nothing is known.
        chosen: Option<usize>,
    },
    /// A number on a scale.
    Number {
        /// The mean.
        mean: f64,
        /// The standard deviation.
        deviation: f64,
        /// The weight of the examples whose number is known.
        weight: f64,
        /// What is predicted, where it is not the mean.
        formula: Option<String>,
    },
    /// The share of the examples that has each label, a bar each.
    Shares(Vec<f64>),
    /// A line, such as a series or a curve.
    Line {
        /// The points, from left to right.
        points: Vec<(f64, f64)>,
        /// Whether it stays at a point's height until the next.
        steps: bool,
        /// What is predicted, in words.
        said: String,
        /// On what ground.
        ground: String,
    },
}

impl Mark {
    /// The weight of each class, the heaviest being predicted.
    pub fn stack(weights: Vec<f64>) -> Self {
        let heaviest = first_greatest(&weights);
        let known = weights.get(heaviest).is_some_and(|weight| *weight > 0.0);
        Mark::Stack {
            weights,
            chosen: known.then_some(heaviest),
        }
    }

    /// The corners of a line, as it is drawn; none of any other mark.
    pub fn corners(&self) -> Vec<(f64, f64)> {
        let Mark::Line { points, steps, .. } = self else {
            return Vec::new();
        };
        let mut corners: Vec<(f64, f64)> = Vec::with_capacity(2 * points.len());
        for &(x, y) in points {
            if let (true, Some(&(_, before))) = (steps, corners.last()) {
                corners.push((x, before));
            }
            corners.push((x, y));
        }
        corners
    }
}

impl TreeDrawn {
    /// The children of each node, in the order of their branches.
    pub fn children(&self) -> Vec<Vec<u32>> {
        let mut children = vec![Vec::new(); self.nodes.len()];
        for (place, node) in self.nodes.iter().enumerate() {
            if let Some((parent, _)) = node.parent {
                children[parent as usize].push(place as u32);
            }
        }
        // Preorder visits children by branch.
        children
    }

    /// Number of nodes without a test.
    pub fn leaves(&self) -> usize {
        self.nodes.iter().filter(|node| node.test.is_none()).count()
    }

    /// The largest number of tests from the root to a leaf.
    pub fn depth(&self) -> usize {
        self.depths().into_iter().max().unwrap_or(0)
    }

    /// The number of tests above each node.
    pub fn depths(&self) -> Vec<usize> {
        let mut depths = vec![0; self.nodes.len()];
        for (place, node) in self.nodes.iter().enumerate() {
            if let Some((parent, _)) = node.parent {
                depths[place] = depths[parent as usize] + 1;
            }
        }
        depths
    }
}

/// A weight in words: whole numbers as such, others to a hundredth.
pub fn amount(weight: f64) -> String {
    match weight.fract() == 0.0 {
        true => weight.to_string(),
        false => format!("{weight:.2}"),
    }
}

/// A number to so many digits; with its power of ten where that is not among those to be written
/// out.
pub fn short(number: f64, digits: usize, written_out: Range<f64>) -> String {
    if number == 0.0 {
        return "0".to_owned();
    }
    let magnitude = number.abs().log10().floor();
    if !written_out.contains(&magnitude) {
        return format!("{number:.*e}", digits - 1);
    }
    let decimals = (digits as f64 - 1.0 - magnitude).max(0.0) as usize;
    let written = format!("{number:.decimals$}");
    match written.contains('.') {
        true => written
            .trim_end_matches('0')
            .trim_end_matches('.')
            .to_owned(),
        false => written,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(parent: Option<(u32, usize)>, divided: bool) -> NodeDrawn {
        let branch = |words: &str| BranchDrawn {
            words: words.to_owned(),
            prototype: None,
            share: 0.5,
        };
        NodeDrawn {
            parent,
            test: divided.then(|| TestDrawn {
                words: "a > 1".to_owned(),
                column: "a".to_owned(),
                distance: None,
                branches: vec![branch("yes"), branch("no"), branch("unclear")],
            }),
            weight: 1.0,
            ..NodeDrawn::default()
        }
    }

    #[test]
    fn a_drawn_tree_knows_its_measures() {
        let tree = TreeDrawn {
            nodes: vec![
                node(None, true),
                node(Some((0, 0)), false),
                node(Some((0, 1)), true),
                node(Some((2, 0)), false),
                node(Some((2, 1)), false),
                node(Some((2, 2)), false),
                node(Some((0, 2)), false),
            ],
            ..TreeDrawn::default()
        };
        assert_eq!((tree.leaves(), tree.depth()), (5, 2));
        assert_eq!(tree.children()[0], [1, 2, 6]);
        assert_eq!(tree.depths(), [0, 1, 1, 2, 2, 2, 1]);
    }
}
