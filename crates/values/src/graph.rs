//! Graphs with labelled nodes and edges.
//!
//! A graph is what was written: nodes and edges keep their order, and equality is equality of what
//! was written, not isomorphism, which is a question for distances and kernels.

use std::fmt::{self, Write};

use hashbrown::HashSet;

use crate::text::ParseError;

/// A graph, directed or not; several edges between two nodes and loops are allowed.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Graph {
    directed: bool,
    nodes: Vec<GraphNode>,
    edges: Vec<Edge>,
}

/// A node of a graph.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct GraphNode {
    /// What edges call it, unique in its graph.
    pub id: String,
    /// Its label, if one was given.
    pub label: Option<String>,
}

impl GraphNode {
    /// The label: the one given, else the node's own identifier.
    pub fn label(&self) -> &str {
        self.label.as_ref().unwrap_or(&self.id)
    }
}

/// An edge of a graph; in an undirected one `from` and `to` are just its two ends.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Edge {
    /// Number of the node it leaves, from 0.
    pub from: u32,
    /// Number of the node it reaches, from 0.
    pub to: u32,
    /// Its label, if one was given.
    pub label: Option<String>,
}

impl Graph {
    /// A graph from its nodes and edges: identifiers are unique, edges touch nodes that exist.
    pub fn new(
        directed: bool,
        nodes: Vec<GraphNode>,
        edges: Vec<Edge>,
    ) -> Result<Graph, ParseError> {
        let mut ids = HashSet::with_capacity(nodes.len());
        if let Some(repeated) = nodes.iter().find(|node| !ids.insert(node.id.as_str())) {
            return Err(ParseError::RepeatedNode {
                id: repeated.id.clone(),
            });
        }
        drop(ids);
        for (edge, Edge { from, to, .. }) in edges.iter().enumerate() {
            if let Some(&node) = [from, to]
                .into_iter()
                .find(|&&node| node as usize >= nodes.len())
            {
                return Err(ParseError::EdgeOutOfRange {
                    edge,
                    node,
                    nodes: nodes.len(),
                });
            }
        }
        Ok(Graph {
            directed,
            nodes,
            edges,
        })
    }

    /// Whether edges have a direction.
    pub fn directed(&self) -> bool {
        self.directed
    }

    /// The nodes.
    pub fn nodes(&self) -> &[GraphNode] {
        &self.nodes
    }

    /// The edges.
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// Whether the edges alone tell the nodes: none has a label, and they are in the order edges
    /// mention them.
    pub fn told_by_edges(&self) -> bool {
        let mut mentioned = 0;
        for node in self.edges.iter().flat_map(|edge| [edge.from, edge.to]) {
            if node > mentioned {
                return false;
            }
            mentioned += u32::from(node == mentioned);
        }
        mentioned as usize == self.nodes.len() && self.nodes.iter().all(|node| node.label.is_none())
    }
}

/// For people: `graph(a -> b, b -> c: label)`, with nodes before a `;` where edges do not tell
/// them.
impl fmt::Display for Graph {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("graph(")?;
        if !self.told_by_edges() {
            for (i, node) in self.nodes.iter().enumerate() {
                write!(f, "{}{}", if i > 0 { ", " } else { "" }, node.id)?;
                write_label(f, node.label.as_deref())?;
            }
            f.write_str(if self.edges.is_empty() { "" } else { "; " })?;
        }
        let arrow = if self.directed { "->" } else { "--" };
        for (i, edge) in self.edges.iter().enumerate() {
            let [from, to] = [edge.from, edge.to].map(|node| &self.nodes[node as usize].id);
            write!(f, "{}{from} {arrow} {to}", if i > 0 { ", " } else { "" })?;
            write_label(f, edge.label.as_deref())?;
        }
        f.write_char(')')
    }
}

fn write_label(f: &mut fmt::Formatter<'_>, label: Option<&str>) -> fmt::Result {
    label.map_or(Ok(()), |label| write!(f, ": {label}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(id: &str, label: Option<&str>) -> GraphNode {
        GraphNode {
            id: id.into(),
            label: label.map(str::to_owned),
        }
    }

    fn edge(from: u32, to: u32) -> Edge {
        Edge {
            from,
            to,
            label: None,
        }
    }

    #[test]
    fn labels_default_to_identifiers() {
        assert_eq!(node("1", None).label(), "1");
        assert_eq!(node("1", Some("C")).label(), "C");
    }

    #[test]
    fn refuses_repeated_nodes_and_dangling_edges() {
        assert_eq!(
            Graph::new(true, vec![node("a", None), node("a", Some("C"))], vec![]),
            Err(ParseError::RepeatedNode { id: "a".into() })
        );
        assert_eq!(
            Graph::new(true, vec![node("a", None)], vec![edge(0, 0), edge(0, 1)]),
            Err(ParseError::EdgeOutOfRange {
                edge: 1,
                node: 1,
                nodes: 1
            })
        );
    }

    #[test]
    fn prints_nodes_only_where_edges_do_not_tell_them() {
        let nodes = || vec![node("a", None), node("b", None)];
        let bond = Edge {
            label: Some("double".into()),
            ..edge(1, 0)
        };
        for (graph, printed) in [
            (Graph::new(true, vec![], vec![]), "graph()"),
            (
                Graph::new(true, nodes(), vec![edge(0, 1), bond.clone()]),
                "graph(a -> b, b -> a: double)",
            ),
            (
                Graph::new(true, nodes(), vec![edge(1, 0)]),
                "graph(a, b; b -> a)",
            ),
            (
                Graph::new(true, nodes(), vec![edge(0, 0)]),
                "graph(a, b; a -> a)",
            ),
            (
                Graph::new(
                    false,
                    vec![node("a", Some("C")), node("b", None)],
                    vec![edge(0, 1)],
                ),
                "graph(a: C, b; a -- b)",
            ),
            (Graph::new(false, nodes(), vec![]), "graph(a, b)"),
        ] {
            assert_eq!(graph.unwrap().to_string(), printed);
        }
    }
}
