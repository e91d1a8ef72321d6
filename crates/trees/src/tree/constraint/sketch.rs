//! Partial trees: `like(FILE)` asks for a tree that completes the one in the file.
//!
//! The file holds a tree as CLUS prints it:
//!
//! ```text
//! petal length > 2.45
//! +--yes: petal width > ?
//! |       +--yes: ?
//! |       +--no:  [versicolor]
//! +--no:  color in {red, blue}
//!         +--yes: ?
//!         +--no:  ?
//! ```
//!
//! `?` is an open leaf, from which anything may grow. In a test it leaves the threshold or the
//! values to the learner. `leaf`, or a prediction in brackets as CLUS prints it, is a leaf that
//! stays one; what it predicts is learned. Names and labels may stand in quotes. Where a branch
//! belongs is read from the column of its `+--`.
//!
//! A test by prototypes has a branch for each, and `?` where they are left to the learner:
//!
//! ```text
//! gene near
//! +--acgt: ?
//! +--aacc: leaf
//! ```
//!
//! A structured value is asked for what it contains as models show it: `basket contains tofu`,
//! `basket contains any of {tofu, seitan}`, `clicks starts with home`, `size(basket) >= 3`, with
//! `?` where that is left to the learner.
//!
//! Or it holds a shown model in JSON, in which numbers have all their digits and values are whole.

mod contents;
mod flat;
mod prototypes;
mod read;
pub mod shown;

pub use prototypes::{Boundaries, NoPrototypes, PrototypeValues};

use super::Input;
use super::columns::ColumnSet;
use super::shape::Shape;
use crate::tree::Test;
use crate::tree::language::Vocabulary;
use crate::tree::structure::Tree;
use flat::FlatTests;
use kinwood_learning::error::Result;

/// A tree that is given in part.
#[derive(Clone, Debug, PartialEq)]
pub enum Sketch<T> {
    /// Anything.
    Open,
    /// A leaf that stays one.
    Closed,
    /// A test on a column.
    Split {
        /// Where the column stands in its table.
        column: u32,
        /// The test; `None` leaves the threshold, the values or the prototypes to the learner.
        test: Option<T>,
        /// What stands below its branches, two or more.
        branches: Vec<Sketch<T>>,
    },
}

impl Sketch<Test> {
    /// Reads the text of a file, whose name is for messages: a tree as it is printed, or JSON.
    pub fn parse(
        text: &str,
        file: &str,
        inputs: &[Input],
        values: &mut dyn PrototypeValues,
    ) -> Result<Self> {
        match text.trim_start().starts_with('{') {
            true => Ok(shown::read(text, file, &mut FlatTests { inputs, values })?),
            false => Ok(read::sketch(text, file, inputs, values)?),
        }
    }
}

impl<T> Sketch<T> {
    /// The same in another language; `None` if it has no such test.
    pub fn translated<U>(&self, test: &dyn Fn(&T) -> Option<U>) -> Option<Sketch<U>> {
        Some(match self {
            Sketch::Open => Sketch::Open,
            Sketch::Closed => Sketch::Closed,
            Sketch::Split {
                column,
                test: own,
                branches,
            } => {
                let branches = branches.iter().map(|branch| branch.translated(test));
                Sketch::Split {
                    column: *column,
                    test: match own {
                        Some(own) => Some(test(own)?),
                        None => None,
                    },
                    branches: branches.collect::<Option<_>>()?,
                }
            }
        })
    }
}

impl<T: Clone + PartialEq> Sketch<T> {
    /// What the sketch says of a branch: of a test that is left open it may say nothing of the
    /// last ones.
    pub fn branch(&self, branch: usize) -> &Self {
        match self {
            Sketch::Split { branches, .. } => branches.get(branch).unwrap_or(&Sketch::Open),
            Sketch::Open | Sketch::Closed => self,
        }
    }

    /// Whether a tree completes the sketch.
    pub fn matches<V: Vocabulary<Test = T>, P>(&self, vocabulary: &V, tree: &Tree<T, P>) -> bool {
        let mut pending = vec![(self, 0u32, V::Path::default())];
        while let Some((sketch, node, path)) = pending.pop() {
            let found = tree.node(node).split.as_ref();
            match (sketch, found) {
                (Sketch::Open, _) | (Sketch::Closed, None) => {}
                (Sketch::Closed, Some(_)) | (Sketch::Split { .. }, None) => return false,
                (Sketch::Split { column, test, .. }, Some(found)) => {
                    let there = vocabulary.mentioned(&path, &found.test).contains(column);
                    if !there || test.as_ref().is_some_and(|test| found.test != *test) {
                        return false;
                    }
                    for (branch, &child) in found.children.iter().enumerate() {
                        let path = vocabulary.after(&path, &found.test, branch);
                        pending.push((sketch.branch(branch), child, path));
                    }
                }
            }
        }
        true
    }

    /// The sketch of what completes both; `None` if nothing does.
    pub fn both(&self, other: &Self) -> Option<Self> {
        match (self, other) {
            (Sketch::Open, sketch) | (sketch, Sketch::Open) => Some(sketch.clone()),
            (Sketch::Closed, Sketch::Closed) => Some(Sketch::Closed),
            (
                Sketch::Split {
                    column,
                    test,
                    branches,
                },
                Sketch::Split {
                    column: other_column,
                    test: other_test,
                    branches: other_branches,
                },
            ) => {
                let tests_differ = test.is_some() && other_test.is_some() && test != other_test;
                if column != other_column || tests_differ {
                    return None;
                }
                let count = branches.len().max(other_branches.len());
                let each = (0..count).map(|place| self.branch(place).both(other.branch(place)));
                Some(Sketch::Split {
                    column: *column,
                    test: test.clone().or_else(|| other_test.clone()),
                    branches: each.collect::<Option<_>>()?,
                })
            }
            _ => None,
        }
    }

    /// The shape of the smallest tree that completes the sketch, its leaves of any weight: where
    /// constraints do not admit it, they contradict the sketch.
    pub fn shape<V: Vocabulary<Test = T>>(&self, vocabulary: &V) -> Shape {
        let mut shape = Shape::leaf(f64::INFINITY);
        shape.size = 0;
        let mut pending = vec![(self, 0usize, 0.0f64)];
        let mut columns = ColumnSet::new();
        while let Some((sketch, depth, spent)) = pending.pop() {
            shape.size += 1;
            shape.depth = shape.depth.max(depth);
            shape.cost = shape.cost.max(spent);
            if let Sketch::Split {
                column, branches, ..
            } = sketch
            {
                columns.insert(*column);
                let spent = spent + vocabulary.cost(&[*column]);
                pending.extend(branches.iter().map(|branch| (branch, depth + 1, spent)));
            }
        }
        shape.columns = columns;
        shape
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::Costs;
    use super::*;
    use crate::tree::{Answers, Node, Split};

    type Sketch = super::Sketch<Test>;

    fn above(column: u32, threshold: f64) -> Test {
        Test::Above { column, threshold }
    }

    fn split(column: u32, test: Option<f64>, yes: Sketch, no: Sketch) -> Sketch {
        Sketch::Split {
            column,
            test: test.map(|threshold| above(column, threshold)),
            branches: vec![yes, no],
        }
    }

    #[test]
    fn trees_complete_sketches() {
        let node = |split: Option<(Test, [u32; 2])>| Node {
            payload: Answers {
                weight: 1.0,
                targets: vec![],
            },
            split: split.map(|(test, children)| Split {
                test,
                children: children.to_vec(),
                shares: vec![0.5, 0.5],
            }),
        };
        let nodes = vec![
            node(Some((above(1, 2.0), [1, 4]))),
            node(Some((above(0, 5.0), [2, 3]))),
            node(None),
            node(None),
            node(None),
        ];
        let tree = Tree::new(nodes).unwrap();
        use super::Sketch::{Closed, Open};
        for (sketch, matches) in [
            (Open, true),
            (Closed, false),
            (split(1, None, Open, Open), true),
            (split(1, Some(2.0), Open, Closed), true),
            (split(1, Some(2.5), Open, Open), false),
            (split(0, None, Open, Open), false),
            (split(1, None, Closed, Open), false),
            (
                split(1, None, split(0, Some(5.0), Closed, Open), Open),
                true,
            ),
            (split(1, None, Open, split(0, None, Open, Open)), false),
        ] {
            assert_eq!(sketch.matches(&Costs(&[]), &tree), matches, "{sketch:?}");
        }
    }

    #[test]
    fn sketches_join_where_they_agree() {
        use super::Sketch::{Closed, Open};
        let left = split(1, None, Open, Closed);
        let right = split(1, Some(2.0), split(0, None, Open, Open), Open);
        let joined = split(1, Some(2.0), split(0, None, Open, Open), Closed);
        assert_eq!(left.both(&right), Some(joined.clone()));
        assert_eq!(right.both(&left), Some(joined));
        assert_eq!(left.both(&Open), Some(left.clone()));
        assert_eq!(left.both(&Closed), None);
        assert_eq!(right.both(&split(1, Some(3.0), Open, Open)), None);
        assert_eq!(right.both(&split(0, None, Open, Open)), None);
        let shape = right.shape(&Costs(&[0.5, 2.0]));
        assert_eq!((shape.size, shape.depth, shape.cost), (5, 2, 2.5));
        assert_eq!(shape.columns, [0, 1].into_iter().collect());
    }
}
