//! The nested buffers: strings, collections, trees, terms and graphs, each flat with offsets.

use std::ops::Range;
use std::sync::Arc;

use super::Column;
use super::gather::pick;
use crate::dictionary::Dictionary;
use crate::graph::{Edge, Graph, GraphNode};
use crate::offsets::Offsets;
use crate::term::{Node, Term};
use crate::tree::Tree;
use crate::types::Type;

/// Character strings, end to end.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Texts {
    pub(super) text: String,
    pub(super) ends: Vec<u64>,
}

impl Texts {
    /// Adds a row.
    pub fn push(&mut self, text: &str) {
        self.text.push_str(text);
        self.ends.push(self.text.len() as u64);
    }

    /// The string in a row.
    pub fn get(&self, row: usize) -> &str {
        let start = row
            .checked_sub(1)
            .map_or(0, |before| self.ends[before] as usize);
        &self.text[start..self.ends[row] as usize]
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    pub(super) fn gather(&self, rows: &[u32]) -> Self {
        let mut gathered = Texts::default();
        rows.iter()
            .for_each(|&row| gathered.push(self.get(row as usize)));
        gathered
    }

    pub(super) fn memory(&self) -> usize {
        self.text.len() + self.ends.len() * 8
    }
}

/// The members of each row: offsets over a child column.
#[derive(Clone, Debug, PartialEq)]
pub struct Members {
    /// Where each row's members lie.
    pub offsets: Offsets,
    /// The members of all rows.
    pub child: Box<Column>,
}

impl Members {
    pub(super) fn empty(of: &Type) -> Self {
        Self {
            offsets: Offsets::default(),
            child: Box::new(Column::empty(of)),
        }
    }

    /// The rows of the child column that belong to a row.
    pub fn range(&self, row: usize) -> Range<usize> {
        self.offsets.range(row)
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.offsets.len()
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.offsets.is_empty()
    }

    /// Ends a row: the child's rows since the last end belong to it.
    pub(super) fn close_row(&mut self) {
        self.offsets.push(self.child.len() - self.offsets.items());
    }

    pub(super) fn gather(&self, rows: &[u32]) -> Self {
        let (offsets, items) = self.offsets.gather(rows);
        Self {
            offsets,
            child: Box::new(self.child.gather(&items)),
        }
    }

    pub(super) fn memory(&self) -> usize {
        self.offsets.memory() + self.child.memory()
    }
}

/// Interns through a shared dictionary, copying it only when a label is new to it and others hold
/// it.
fn intern(dictionary: &mut Arc<Dictionary>, label: &str) -> u32 {
    match dictionary.code(label) {
        Some(code) => code,
        None => Arc::make_mut(dictionary).intern(label),
    }
}

/// Ordered labelled trees, their nodes in preorder.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Trees {
    /// Where each row's nodes lie.
    pub offsets: Offsets,
    /// The nodes' labels, by code.
    pub labels: Vec<u32>,
    /// The nodes' numbers of children.
    pub arities: Vec<u32>,
    /// What the labels mean.
    pub dictionary: Arc<Dictionary>,
}

impl Trees {
    pub(super) fn push(&mut self, tree: &Tree) {
        for label in tree.labels() {
            self.labels.push(intern(&mut self.dictionary, label));
        }
        self.arities.extend_from_slice(tree.arities());
        self.offsets.push(tree.len());
    }

    pub(super) fn push_missing(&mut self) {
        self.offsets.push(0);
    }

    /// The tree in a row that holds one.
    pub fn get(&self, row: usize) -> Tree {
        let range = self.offsets.range(row);
        let labels = self.labels[range.clone()]
            .iter()
            .map(|&code| self.dictionary.label(code).to_owned());
        Tree::new(labels.collect(), self.arities[range].to_vec())
            .expect("a stored tree was checked")
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.offsets.len()
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.offsets.is_empty()
    }

    pub(super) fn gather(&self, rows: &[u32]) -> Self {
        let (offsets, items) = self.offsets.gather(rows);
        Self {
            offsets,
            labels: pick(&self.labels, &items),
            arities: pick(&self.arities, &items),
            dictionary: Arc::clone(&self.dictionary),
        }
    }

    pub(super) fn memory(&self) -> usize {
        self.offsets.memory() + self.labels.len() * 8 + self.dictionary.memory()
    }
}

/// What a node of a stored term is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum TermNode {
    /// A functor or constant.
    Functor = 0,
    /// A number.
    Number = 1,
    /// A variable.
    Variable = 2,
}

/// First-order terms, their nodes in preorder.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Terms {
    /// Where each row's nodes lie.
    pub offsets: Offsets,
    /// What each node is.
    pub kinds: Vec<TermNode>,
    /// The name of each functor and variable, by code; 0 for a number.
    pub symbols: Vec<u32>,
    /// The number of arguments of each functor; 0 for the others.
    pub arities: Vec<u32>,
    /// The value of each number; 0 for the others.
    pub numbers: Vec<f64>,
    /// What the symbols mean.
    pub dictionary: Arc<Dictionary>,
}

impl Terms {
    pub(super) fn push(&mut self, term: &Term) {
        for node in term.nodes() {
            let (kind, symbol, arity, number) = match node {
                Node::Functor { name, arity } => (
                    TermNode::Functor,
                    intern(&mut self.dictionary, name),
                    *arity,
                    0.0,
                ),
                Node::Number(number) => (TermNode::Number, 0, 0, *number),
                Node::Variable(name) => (
                    TermNode::Variable,
                    intern(&mut self.dictionary, name),
                    0,
                    0.0,
                ),
            };
            self.kinds.push(kind);
            self.symbols.push(symbol);
            self.arities.push(arity);
            self.numbers.push(number);
        }
        self.offsets.push(term.len());
    }

    pub(super) fn push_missing(&mut self) {
        self.offsets.push(0);
    }

    /// The term in a row that holds one.
    pub fn get(&self, row: usize) -> Term {
        let nodes = self
            .offsets
            .range(row)
            .map(|node| match self.kinds[node] {
                TermNode::Functor => Node::Functor {
                    name: self.dictionary.label(self.symbols[node]).to_owned(),
                    arity: self.arities[node],
                },
                TermNode::Number => Node::Number(self.numbers[node]),
                TermNode::Variable => {
                    Node::Variable(self.dictionary.label(self.symbols[node]).to_owned())
                }
            })
            .collect();
        Term::new(nodes).expect("a stored term was checked")
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.offsets.len()
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.offsets.is_empty()
    }

    pub(super) fn gather(&self, rows: &[u32]) -> Self {
        let (offsets, items) = self.offsets.gather(rows);
        Self {
            offsets,
            kinds: pick(&self.kinds, &items),
            symbols: pick(&self.symbols, &items),
            arities: pick(&self.arities, &items),
            numbers: pick(&self.numbers, &items),
            dictionary: Arc::clone(&self.dictionary),
        }
    }

    pub(super) fn memory(&self) -> usize {
        self.offsets.memory() + self.kinds.len() * 17 + self.dictionary.memory()
    }
}

/// Labelled graphs: nodes and edges of all rows end to end, edges by node number within their row.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Graphs {
    /// Whether each row's edges have a direction.
    pub directed: Vec<bool>,
    /// Where each row's nodes lie.
    pub node_offsets: Offsets,
    /// What edges call the nodes, by code.
    pub ids: Vec<u32>,
    /// The nodes' labels, by code; `None` where a node is labelled by its own name.
    pub labels: Vec<Option<u32>>,
    /// Where each row's edges lie.
    pub edge_offsets: Offsets,
    /// The edges' first nodes, from 0 within the row.
    pub from: Vec<u32>,
    /// The edges' second nodes.
    pub to: Vec<u32>,
    /// The edges' labels, by code.
    pub edge_labels: Vec<Option<u32>>,
    /// What names and labels mean.
    pub dictionary: Arc<Dictionary>,
}

impl Graphs {
    pub(super) fn push(&mut self, graph: &Graph) {
        let dictionary = &mut self.dictionary;
        for node in graph.nodes() {
            self.ids.push(intern(dictionary, &node.id));
            self.labels
                .push(node.label.as_deref().map(|label| intern(dictionary, label)));
        }
        for edge in graph.edges() {
            self.from.push(edge.from);
            self.to.push(edge.to);
            self.edge_labels
                .push(edge.label.as_deref().map(|label| intern(dictionary, label)));
        }
        self.directed.push(graph.directed());
        self.node_offsets.push(graph.nodes().len());
        self.edge_offsets.push(graph.edges().len());
    }

    pub(super) fn push_missing(&mut self) {
        self.directed.push(false);
        self.node_offsets.push(0);
        self.edge_offsets.push(0);
    }

    /// The graph in a row that holds one.
    pub fn get(&self, row: usize) -> Graph {
        let text = |code: u32| self.dictionary.label(code).to_owned();
        let nodes = self
            .node_offsets
            .range(row)
            .map(|node| GraphNode {
                id: text(self.ids[node]),
                label: self.labels[node].map(text),
            })
            .collect();
        let edges = self
            .edge_offsets
            .range(row)
            .map(|edge| Edge {
                from: self.from[edge],
                to: self.to[edge],
                label: self.edge_labels[edge].map(text),
            })
            .collect();
        Graph::new(self.directed[row], nodes, edges).expect("a stored graph was checked")
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.directed.len()
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.directed.is_empty()
    }

    pub(super) fn gather(&self, rows: &[u32]) -> Self {
        let (node_offsets, nodes) = self.node_offsets.gather(rows);
        let (edge_offsets, edges) = self.edge_offsets.gather(rows);
        Self {
            directed: pick(&self.directed, rows),
            node_offsets,
            ids: pick(&self.ids, &nodes),
            labels: pick(&self.labels, &nodes),
            edge_offsets,
            from: pick(&self.from, &edges),
            to: pick(&self.to, &edges),
            edge_labels: pick(&self.edge_labels, &edges),
            dictionary: Arc::clone(&self.dictionary),
        }
    }

    pub(super) fn memory(&self) -> usize {
        self.directed.len()
            + self.node_offsets.memory()
            + self.edge_offsets.memory()
            + self.ids.len() * 12
            + self.from.len() * 16
            + self.dictionary.memory()
    }
}
