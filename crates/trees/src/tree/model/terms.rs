//! What a language of tests says of its trees once they are grown.

use std::borrow::Cow;
use std::fmt::Debug;
use std::ops::Range;
use std::sync::Arc;

use kinwood_values::View;
use kinwood_values::container::Sections;
use serde_json::{Map, Value};

use super::{Along, Answers, Member, TargetOf, Tree, TreeSet};
use kinwood_learning::context::Context;
use kinwood_learning::drawing::{NodeDrawn, SchemaDrawn, TestDrawn};
use kinwood_learning::error::Result;
use kinwood_learning::explanation::{NodeSaid, Step, Term};
use kinwood_learning::sql::{Asked, Expression, Seen};

/// A tree of a language.
pub type TermsTree<T> = Tree<<T as ModelTerms>::Test, <T as ModelTerms>::Payload>;

/// What the trees of a model speak of, and how that is worded, drawn, answered and stored.
pub trait ModelTerms: Sized + Send + Sync + 'static {
    /// A test.
    type Test: Clone + Debug + PartialEq + Send + Sync + 'static;
    /// What is known at a node.
    type Payload: Clone + Debug + PartialEq + Send + Sync + 'static;
    /// What the tests above a node let it speak of.
    type Above: Clone;
    /// The trees over the rows of a view.
    type Ready<'a>: Answering;
    /// What is kept to predict faster.
    type Cache: Default + Send + Sync;

    /// Whether the nodes of a tree are numbered where it is written as text.
    const NUMBERED: bool;
    /// Whether files of models tell how their trees were found.
    const SEARCHED: bool = true;
    /// Rows that a thread answers at a time.
    const BLOCK: usize;

    /// The targets, in the task's order.
    fn targets(&self) -> &[TargetOf];
    /// The examples that reached a node: what it says where it has nothing better to say.
    fn answers<'p>(&self, payload: &'p Self::Payload) -> Cow<'p, Answers>;
    /// Whether a node has nothing better to say of a target than its examples.
    fn is_constant(&self, _payload: &Self::Payload, _target: usize) -> bool {
        true
    }

    /// What the root may speak of.
    fn root(&self) -> Self::Above;
    /// What a node may speak of that a branch of a test leads to.
    fn below(&self, above: &Self::Above, test: &Self::Test, branch: usize) -> Self::Above;

    /// A test in words.
    fn test_words(&self, above: &Self::Above, test: &Self::Test) -> String;
    /// What a branch of a test is called.
    fn branch_words(&self, _test: &Self::Test, branch: usize) -> String {
        match branch {
            0 => "yes".to_owned(),
            _ => "no".to_owned(),
        }
    }
    /// Whether the branches of a test are listed by place, rather than as `yes` and `no`.
    fn lists_branches(&self, _test: &Self::Test) -> bool {
        false
    }
    /// What a leaf says, in words.
    fn leaf_words(&self, outline: &Outline<'_, Self>, node: u32) -> String;
    /// The column, or table, that a test looks at.
    fn subject(&self, above: &Self::Above, test: &Self::Test) -> String;
    /// What examples of so much weight are called.
    fn examples_words(&self, _weight: f64) -> Option<String> {
        None
    }
    /// Writes what stands below the drawing of a tree.
    fn write_below(&self, _outline: &Outline<'_, Self>, _along: Along, _text: &mut String) {}
    /// All columns that a tree looks at, in their order.
    fn columns(&self, outline: &Outline<'_, Self>) -> Vec<String>;
    /// The tables that a tree follows keys to, in their order; `None` where that is not known.
    fn tables(&self, _outline: &Outline<'_, Self>) -> Option<Vec<String>> {
        self.reads_one_table().then(Vec::new)
    }

    /// What `uses` of a constraint holds for, by every name that it goes by.
    fn uses(&self, outline: &Outline<'_, Self>) -> Vec<String> {
        self.columns(outline)
    }

    /// The model for programs.
    fn json(model: &TreeSet<Self>) -> Value;
    /// Adds what the trees speak of.
    fn terms_json(&self, along: Along, shown: &mut Value);
    /// A node for programs, without its test.
    fn node_json(&self, outline: &Outline<'_, Self>, node: u32) -> Map<String, Value>;
    /// A test for programs.
    fn test_json(&self, above: &Self::Above, test: &Self::Test) -> Value;

    /// The tables that trees look into, where there are several.
    fn schema(&self) -> Option<SchemaDrawn> {
        None
    }
    /// A test as pictures show it; the shares of its branches are filled in.
    fn test_drawn(&self, above: &Self::Above, test: &Self::Test) -> TestDrawn;
    /// Adds what else pictures show of a node.
    fn node_drawn(&self, _outline: &Outline<'_, Self>, _node: u32, _drawn: &mut NodeDrawn) {}

    /// The trees over the rows of a view.
    fn ready<'a>(model: &'a TreeSet<Self>, data: &'a View) -> Result<Self::Ready<'a>>;
    /// How a row gets to its answers.
    fn trace(model: &TreeSet<Self>, data: &View, position: usize) -> Result<Trace>;
    /// The nodes of each tree that a row passes, parents first, and how much of it passes each.
    fn visited(
        model: &TreeSet<Self>,
        data: &View,
        position: usize,
    ) -> Result<Vec<(usize, u32, f64)>>;

    /// The model as SQL expressions over one table.
    fn sql(_model: &TreeSet<Self>, _asked: Asked) -> Option<Result<Vec<Expression>>> {
        None
    }
    /// The model as a view over several tables.
    fn view(
        _model: &TreeSet<Self>,
        _name: &str,
        _asked: Asked,
        _seen: Option<&Seen>,
    ) -> Option<Result<String>> {
        None
    }
    /// Whether trees look at one table alone.
    fn reads_one_table(&self) -> bool;

    /// Writes a model.
    fn write(model: &TreeSet<Self>, sections: &mut Sections) -> Result<()>;
    /// The terms of one tree of a set, and the tree in them.
    fn picked(terms: &Arc<Self>, member: &Member<Self>) -> (Arc<Self>, Member<Self>) {
        (Arc::clone(terms), member.clone())
    }
}

/// Trees over the rows of a view.
pub trait Answering: Sync {
    /// Adds what each of the trees that answer says of a block of rows: the numbers of every
    /// target, a row after the other.
    fn add(&self, rows: Range<usize>, context: &Context, out: &mut [f64]) -> Result<()>;
}

/// How a row gets to its answers.
pub struct Trace {
    /// The columns that are read and the row's values, where they are few.
    pub values: Vec<(String, String)>,
    /// The tests, tree after tree, from the root down.
    pub path: Vec<Step>,
    /// The training examples behind the answers, on average over the trees.
    pub examples: f64,
    /// What is said of every target, one after the other.
    pub numbers: Vec<f64>,
    /// By target: what its number is made of.
    pub why: Vec<Why>,
}

/// What the number of a target is made of.
pub enum Why {
    /// The answers of leaves.
    Leaves,
    /// The terms of one formula.
    Formula(Vec<Term>),
    /// What several nodes say, and the terms that it comes to.
    Nodes(Vec<NodeSaid>, Vec<Term>),
}

/// A tree, and where each of its nodes stands.
pub struct Outline<'a, T: ModelTerms> {
    /// The tree.
    pub tree: &'a TermsTree<T>,
    /// By node: the one above, and which of its branches leads here.
    pub parents: Vec<Option<(u32, usize)>>,
    /// By node: how many tests stand above it.
    pub depths: Vec<usize>,
    /// By node: what it may speak of.
    pub above: Vec<T::Above>,
}

impl<'a, T: ModelTerms> Outline<'a, T> {
    /// Of a tree in these terms.
    pub fn new(terms: &T, tree: &'a TermsTree<T>) -> Self {
        let mut outline = Self {
            tree,
            parents: vec![None; tree.size()],
            depths: vec![0; tree.size()],
            above: vec![terms.root(); tree.size()],
        };
        // Children stand after their parents.
        for (place, node) in tree.nodes().iter().enumerate() {
            let Some(split) = &node.split else { continue };
            for (branch, &child) in split.children.iter().enumerate() {
                let below = terms.below(&outline.above[place], &split.test, branch);
                outline.above[child as usize] = below;
                outline.depths[child as usize] = outline.depths[place] + 1;
                outline.parents[child as usize] = Some((place as u32, branch));
            }
        }
        outline
    }

    /// The tests on the way to a node, from the root down, and the branch of each.
    pub fn way(&self, node: u32) -> Vec<(&'a T::Test, usize)> {
        let mut way = Vec::new();
        let mut below = node;
        while let Some((parent, branch)) = self.parents[below as usize] {
            if let Some(split) = &self.tree.node(parent).split {
                way.push((&split.test, branch));
            }
            below = parent;
        }
        way.reverse();
        way
    }
}

/// By node and target: the node that answers, itself or, where it knows nothing of the target, the
/// nearest above that does.
pub fn standing<T: ModelTerms>(terms: &T, tree: &TermsTree<T>) -> Vec<u32> {
    let targets = terms.targets().len();
    let mut standing = vec![0; tree.size() * targets];
    for (place, node) in tree.nodes().iter().enumerate() {
        let answers = terms.answers(&node.payload);
        for (target, answer) in answers.targets.iter().enumerate() {
            if answer.weight() > 0.0 {
                standing[place * targets + target] = place as u32;
            }
        }
        // What a child does not know it has from here.
        for &child in node.split.iter().flat_map(|split| &split.children) {
            let (own, below) = (place * targets, child as usize * targets);
            standing.copy_within(own..own + targets, below);
        }
    }
    standing
}
