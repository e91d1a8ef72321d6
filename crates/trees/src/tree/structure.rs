//! The tree as a value: nodes in preorder, each with a payload and perhaps a split.

use serde::{Deserialize, Serialize};

/// A tree: nodes in preorder, the root first, so that every child stands after its parent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Tree<T, P> {
    nodes: Vec<Node<T, P>>,
}

/// A node: what is known there, and how it is divided. A leaf is a node without a split.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Node<T, P> {
    /// What is known of the examples that reach the node.
    pub payload: P,
    /// How they are divided.
    pub split: Option<Split<T>>,
}

/// A test and where its branches lead.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Split<T> {
    /// The test.
    pub test: T,
    /// The child of each branch; of a test that holds or does not, first the one where it holds.
    pub children: Vec<u32>,
    /// The share of the training weight that went into each branch, among the examples whose branch
    /// was known: how an example is divided that the test cannot decide on. They add up to one.
    pub shares: Vec<f64>,
}

impl<T, P> Tree<T, P> {
    /// A tree of one leaf.
    pub fn leaf(payload: P) -> Self {
        Self {
            nodes: vec![Node {
                payload,
                split: None,
            }],
        }
    }

    /// A tree of nodes in preorder; `None` if they are not one tree in preorder, or a split has
    /// fewer than two branches or shares for another number of them.
    pub fn new(nodes: Vec<Node<T, P>>) -> Option<Self> {
        let tree = Self { nodes };
        tree.in_preorder().then_some(tree)
    }

    fn in_preorder(&self) -> bool {
        let mut pending = vec![0u32];
        let mut visited = 0;
        while let Some(node) = pending.pop() {
            if node != visited || node as usize >= self.nodes.len() {
                return false;
            }
            visited += 1;
            if let Some(split) = &self.nodes[node as usize].split {
                if split.children.len() < 2 || split.shares.len() != split.children.len() {
                    return false;
                }
                pending.extend(split.children.iter().rev());
            }
        }
        visited as usize == self.nodes.len()
    }

    /// The nodes in preorder.
    pub fn nodes(&self) -> &[Node<T, P>] {
        &self.nodes
    }

    /// The node of that number.
    pub fn node(&self, node: u32) -> &Node<T, P> {
        &self.nodes[node as usize]
    }

    /// Number of nodes, inner ones and leaves.
    pub fn size(&self) -> usize {
        self.nodes.len()
    }

    /// Number of leaves.
    pub fn leaves(&self) -> usize {
        self.nodes
            .iter()
            .filter(|node| node.split.is_none())
            .count()
    }

    /// The largest number of tests from the root to a leaf: 0 for a leaf alone.
    pub fn depth(&self) -> usize {
        let mut depths = vec![0usize; self.nodes.len()];
        for (place, node) in self.nodes.iter().enumerate() {
            for &child in node.split.iter().flat_map(|split| &split.children) {
                depths[child as usize] = depths[place] + 1;
            }
        }
        depths.into_iter().max().unwrap_or(0)
    }

    /// The same tree with other payloads.
    pub fn map<Q>(self, mut payload: impl FnMut(P) -> Q) -> Tree<T, Q> {
        let nodes = self.nodes.into_iter().map(|node| Node {
            payload: payload(node.payload),
            split: node.split,
        });
        Tree {
            nodes: nodes.collect(),
        }
    }
}

impl<T: Clone, P: Clone> Tree<T, P> {
    /// The tree of nodes in any order, the root first.
    pub(crate) fn arranged(nodes: Vec<Node<T, P>>) -> Self {
        let tree = Self { nodes };
        // What one thread has grown stands in preorder already.
        match tree.in_preorder() {
            true => tree,
            false => tree.rebuilt(0, &|_| Standing::Kept),
        }
    }

    /// The subtree below a node, which becomes its root.
    pub fn subtree(&self, node: u32) -> Self {
        self.rebuilt(node, &|_| Standing::Kept)
    }

    /// The tree in which each node is kept, made a leaf, or replaced by one of its descendants.
    ///
    /// `standing` is asked from the root down, and of a replaced node's replacement too.
    pub fn rebuilt(&self, root: u32, standing: &dyn Fn(u32) -> Standing) -> Self {
        let mut nodes = Vec::new();
        self.copy(root, standing, &mut nodes);
        Self { nodes }
    }

    fn copy(
        &self,
        node: u32,
        standing: &dyn Fn(u32) -> Standing,
        into: &mut Vec<Node<T, P>>,
    ) -> u32 {
        // An explicit stack: a tree can be as deep as it has rows.
        let place = into.len() as u32;
        let mut pending: Vec<(u32, Option<(u32, usize)>)> = vec![(node, None)];
        while let Some((mut node, parent)) = pending.pop() {
            let leaf = loop {
                match standing(node) {
                    Standing::Kept => break false,
                    Standing::Leaf => break true,
                    Standing::Replaced(by) => node = by,
                }
            };
            let copied = into.len() as u32;
            if let Some((parent, branch)) = parent
                && let Some(split) = &mut into[parent as usize].split
            {
                split.children[branch] = copied;
            }
            let original = &self.nodes[node as usize];
            let split = original.split.clone().filter(|_| !leaf);
            if let Some(split) = &split {
                let children = split.children.iter().enumerate().rev();
                pending.extend(children.map(|(branch, &child)| (child, Some((copied, branch)))));
            }
            into.push(Node {
                payload: original.payload.clone(),
                split,
            });
        }
        place
    }
}

/// What becomes of a node when a tree is rebuilt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It stays as it is.
    Kept,
    /// It becomes a leaf.
    Leaf,
    /// Another node below it takes its place.
    Replaced(u32),
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(children: [u32; 2]) -> Option<Split<&'static str>> {
        Some(Split {
            test: "t",
            children: children.to_vec(),
            shares: vec![0.5, 0.5],
        })
    }

    fn node(payload: usize, split: Option<Split<&'static str>>) -> Node<&'static str, usize> {
        Node { payload, split }
    }

    fn five() -> Tree<&'static str, usize> {
        let nodes = vec![
            node(0, split([1, 4])),
            node(1, split([2, 3])),
            node(2, None),
            node(3, None),
            node(4, None),
        ];
        Tree::new(nodes).unwrap()
    }

    #[test]
    fn a_tree_knows_its_measures() {
        let tree = five();
        assert_eq!((tree.size(), tree.leaves(), tree.depth()), (5, 3, 2));
    }

    #[test]
    fn what_is_not_in_preorder_is_no_tree() {
        let payloads = |nodes: Vec<Node<_, _>>| Tree::<&str, usize>::new(nodes).is_some();
        assert!(!payloads(vec![]));
        assert!(!payloads(vec![
            node(0, split([2, 1])),
            node(1, None),
            node(2, None)
        ]));
        assert!(!payloads(vec![node(0, split([0, 1])), node(1, None)]));
        assert!(!payloads(vec![node(0, None), node(1, None)]));
        assert!(!payloads(vec![node(0, split([1, 7])), node(1, None)]));
    }

    #[test]
    fn nodes_become_leaves_or_are_replaced() {
        let tree = five();
        let cut = tree.rebuilt(0, &|node| {
            if node == 1 {
                Standing::Leaf
            } else {
                Standing::Kept
            }
        });
        assert_eq!(
            cut.nodes().iter().map(|n| n.payload).collect::<Vec<_>>(),
            [0, 1, 4]
        );
        let raised = tree.rebuilt(0, &|node| {
            if node == 0 {
                Standing::Replaced(1)
            } else {
                Standing::Kept
            }
        });
        assert_eq!(raised, tree.subtree(1));
        assert_eq!(
            raised.nodes().iter().map(|n| n.payload).collect::<Vec<_>>(),
            [1, 2, 3]
        );
    }
}
