//! Pruning methods of a program's own: they see the tree and what its nodes answer, and say which
//! nodes become leaves.

use std::sync::{PoisonError, RwLock};

use super::cut;
use crate::tree::response::Answers;
use crate::tree::structure::Tree;

/// The methods that were added, in that order.
static ADDED: RwLock<Vec<PruningEntry>> = RwLock::new(Vec::new());

/// The words that the setting has by itself, for trees over columns and over keys.
const RESERVED: &[&str] = &[
    "auto",
    "none",
    "c45",
    "m5",
    "size",
    "reduced_error",
    "cost_complexity",
    "models",
];

/// A pruning method: a name for the setting `pruning` of every tree learner, and a function.
///
/// ```
/// use kinwood_trees::tree::prune::{Outline, PruningEntry};
/// /// Two tests on the way to a leaf are enough.
/// fn shallow(outline: &Outline<'_>) -> Vec<bool> {
///     let mut depths = vec![0; outline.nodes.len()];
///     for (place, node) in outline.nodes.iter().enumerate() {
///         for &child in node.children {
///             depths[child as usize] = depths[place] + 1;
///         }
///     }
///     depths.into_iter().map(|depth| depth >= 2).collect()
/// }
/// let entry = PruningEntry { name: "shallow", doc: "Two tests are enough.", leaves: shallow };
/// assert!(entry.register());
/// assert!(!entry.register(), "the name is taken");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct PruningEntry {
    /// The name in settings and model files.
    pub name: &'static str,
    /// What it does, in one sentence.
    pub doc: &'static str,
    /// Which nodes become leaves, by their place in the outline. What is below a leaf goes; a leaf
    /// stays one.
    pub leaves: fn(&Outline<'_>) -> Vec<bool>,
}

/// A tree without its tests.
#[derive(Clone, Debug)]
pub struct Outline<'a> {
    /// The nodes: the root first, children behind their parents.
    pub nodes: Vec<OutlineNode<'a>>,
}

/// A node of an outline.
#[derive(Clone, Copy, Debug)]
pub struct OutlineNode<'a> {
    /// What it answers as a leaf, with the weight of its training rows.
    pub answers: &'a Answers,
    /// Its children by place, one a branch; none for a leaf.
    pub children: &'a [u32],
    /// Whether a given partial tree prescribes its test, so that it stays whatever is said.
    pub prescribed: bool,
}

/// Methods are the same if they have one name: a name is registered once.
impl PartialEq for PruningEntry {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for PruningEntry {}

impl PruningEntry {
    /// Adds the method for every tree learner of this process; `false` if the name is taken.
    pub fn register(self) -> bool {
        let mut added = ADDED.write().unwrap_or_else(PoisonError::into_inner);
        let taken =
            added.iter().any(|entry| entry.name == self.name) || RESERVED.contains(&self.name);
        if !taken {
            added.push(self);
        }
        !taken
    }

    /// The added method of that name.
    pub fn find(name: &str) -> Option<Self> {
        let added = ADDED.read().unwrap_or_else(PoisonError::into_inner);
        added.iter().find(|entry| entry.name == name).copied()
    }

    /// The names of those added.
    pub fn names() -> Vec<&'static str> {
        let added = ADDED.read().unwrap_or_else(PoisonError::into_inner);
        added.iter().map(|entry| entry.name).collect()
    }

    /// The tree cut back; `read` says what a node answers and whether its test is prescribed.
    pub(crate) fn prune<T: Clone, P: Clone>(
        self,
        tree: &Tree<T, P>,
        read: impl Fn(&P) -> (&Answers, bool),
    ) -> Tree<T, P> {
        let nodes = tree.nodes().iter().map(|node| {
            let (answers, prescribed) = read(&node.payload);
            OutlineNode {
                answers,
                children: node.split.as_ref().map_or(&[], |split| &split.children),
                prescribed,
            }
        });
        let outline = Outline {
            nodes: nodes.collect(),
        };
        let mut leaves = (self.leaves)(&outline);
        // A method that says too little cuts nothing more.
        leaves.resize(outline.nodes.len(), false);
        for (leaf, node) in leaves.iter_mut().zip(&outline.nodes) {
            *leaf &= !node.prescribed;
        }
        cut(tree, &leaves)
    }
}
