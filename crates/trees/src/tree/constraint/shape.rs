//! The measures of a tree that constraints speak of.

use super::columns::ColumnSet;
use crate::tree::language::{Mentions, Vocabulary};
use crate::tree::structure::Tree;

/// The measures of a tree that constraints speak of.
#[derive(Clone, Debug, PartialEq)]
pub struct Shape {
    /// The number of nodes.
    pub size: usize,
    /// The most tests from the root to a leaf.
    pub depth: usize,
    /// The weight of the lightest leaf.
    pub leaf: f64,
    /// The most that the tests from the root to a leaf cost.
    pub cost: f64,
    /// The columns tested.
    pub columns: ColumnSet,
}

/// A leaf about to be split.
#[derive(Clone, Debug, PartialEq)]
pub struct Growth {
    /// The number of tests above the leaf.
    pub depth: usize,
    /// What they cost and the new test with them.
    pub cost: f64,
    /// What the new test looks at.
    pub columns: Mentions,
    /// The weight of the lightest of the new leaves.
    pub leaf: f64,
    /// How many new leaves there are.
    pub branches: usize,
}

impl Shape {
    /// The shape of a leaf of that weight.
    pub fn leaf(weight: f64) -> Self {
        Self {
            size: 1,
            depth: 0,
            leaf: weight,
            cost: 0.0,
            columns: ColumnSet::new(),
        }
    }

    /// The shape of a tree; `weight` says how much reached a node.
    pub fn of<V: Vocabulary, P>(
        vocabulary: &V,
        tree: &Tree<V::Test, P>,
        weight: impl Fn(&P) -> f64,
    ) -> Self {
        let mut shape = Self::leaf(f64::INFINITY);
        shape.size = tree.size();
        let mut above = vec![(0usize, 0.0f64, V::Path::default()); tree.size()];
        for (place, node) in tree.nodes().iter().enumerate() {
            let (depth, spent, path) = std::mem::take(&mut above[place]);
            let Some(split) = &node.split else {
                shape.depth = shape.depth.max(depth);
                shape.cost = shape.cost.max(spent);
                shape.leaf = shape.leaf.min(weight(&node.payload));
                continue;
            };
            let mentions = vocabulary.mentioned(&path, &split.test);
            mentions
                .iter()
                .for_each(|&column| shape.columns.insert(column));
            let spent = spent + vocabulary.cost(&mentions);
            for (branch, &child) in split.children.iter().enumerate() {
                let path = vocabulary.after(&path, &split.test, branch);
                above[child as usize] = (depth + 1, spent, path);
            }
        }
        shape
    }

    /// The shape once one of the leaves is split.
    pub fn grown(&self, growth: &Growth) -> Self {
        let mut shape = self.clone();
        shape.size += growth.branches;
        shape.depth = shape.depth.max(growth.depth + 1);
        shape.cost = shape.cost.max(growth.cost);
        shape.leaf = shape.leaf.min(growth.leaf);
        growth
            .columns
            .iter()
            .for_each(|&column| shape.columns.insert(column));
        shape
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::constraint::testing::Costs;
    use crate::tree::{Answers, Node, Split, Test, Tree};
    use smallvec::smallvec;

    #[test]
    fn a_tree_grown_twice_has_the_shape_of_the_tree() {
        let node = |weight, split: Option<(u32, [u32; 2])>| Node {
            payload: Answers {
                weight,
                targets: vec![],
            },
            split: split.map(|(column, children)| Split {
                test: Test::Above {
                    column,
                    threshold: 0.0,
                },
                children: children.to_vec(),
                shares: vec![0.5, 0.5],
            }),
        };
        let nodes = vec![
            node(10.0, Some((1, [1, 4]))),
            node(6.0, Some((3, [2, 3]))),
            node(4.0, None),
            node(2.0, None),
            node(4.0, None),
        ];
        let costs = [9.0, 0.5, 9.0, 0.25];
        let tree = Tree::new(nodes).unwrap();
        let shape = Shape::of(&Costs(&costs), &tree, |answers| answers.weight);
        let growth = |depth, cost, column: u32, leaf| Growth {
            depth,
            cost,
            columns: smallvec![column],
            leaf,
            branches: 2,
        };
        let grown = Shape::leaf(10.0)
            .grown(&growth(0, 0.5, 1, 4.0))
            .grown(&growth(1, 0.75, 3, 2.0));
        assert_eq!(shape, grown);
        assert_eq!(
            (shape.size, shape.depth, shape.leaf, shape.cost),
            (5, 2, 2.0, 0.75)
        );
        assert_eq!(shape.columns, [1, 3].into_iter().collect());
    }
}
