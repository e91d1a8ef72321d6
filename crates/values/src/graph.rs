//! Graphs with labelled nodes and edges.
//!
//! A graph is what was written: nodes and edges keep their order, and equality is equality of what was
//! written, not isomorphism, which is a question for distances and kernels.

use std::fmt::{self, Write};

use hashbrown::{HashMap, HashSet};
use serde_json::{Map, Value as Json, json};

use crate::json::{check_keys, key_step, mismatch, plain_text, read_array, read_each};
use crate::suggest::nearest;
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

    /// Whether the edges alone tell the nodes: none has a label, and they are in the order edges mention them.
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

/// For people: `graph(a -> b, b -> c: label)`, with nodes before a `;` where edges do not tell them.
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

/// Keys of a graph that is a JSON object.
pub(crate) const GRAPH_KEYS: [&str; 3] = ["directed", "nodes", "edges"];

/// The nodes of a graph being read.
struct Nodes {
    nodes: Vec<GraphNode>,
    numbers: HashMap<String, u32>,
    /// Whether edges may only touch the nodes already there.
    declared: bool,
}

impl Nodes {
    fn add(&mut self, id: String, label: Option<String>) -> Result<u32, ParseError> {
        let number = u32::try_from(self.nodes.len()).expect("a JSON value has less than 2³² parts");
        if self.numbers.insert(id.clone(), number).is_some() {
            return Err(ParseError::RepeatedNode { id });
        }
        self.nodes.push(GraphNode { id, label });
        Ok(number)
    }

    fn mention(&mut self, id: String) -> Result<u32, ParseError> {
        match self.numbers.get(&id) {
            Some(&number) => Ok(number),
            None if self.declared => {
                let ids = self.nodes.iter().map(|node| node.id.as_str());
                let nearest = nearest(&id, ids);
                Err(ParseError::UnknownNode { id, nearest })
            }
            None => self.add(id, None),
        }
    }
}

/// Reads a graph from an array of edges or an object.
pub(crate) fn read_graph(json: &Json) -> Result<Graph, ParseError> {
    let mut nodes = Nodes {
        nodes: Vec::new(),
        numbers: HashMap::new(),
        declared: false,
    };
    let Json::Object(object) = json else {
        let edges = read_array(json, "a graph: an array of edges or an object")?;
        let edges = read_each(edges, |_, edge| read_edge(&mut nodes, edge))?;
        return Graph::new(true, nodes.nodes, edges);
    };
    check_keys(object, &GRAPH_KEYS)?;
    let directed = match object.get("directed") {
        None => true,
        Some(Json::Bool(directed)) => *directed,
        Some(json) => return Err(mismatch(json, "true or false").within(".directed".into())),
    };
    if let Some(json) = object.get("nodes") {
        declare_nodes(&mut nodes, json).map_err(|error| error.within(".nodes".into()))?;
    }
    let edges = object.get("edges").map(|json| {
        read_array(json, "an array of edges")
            .and_then(|edges| read_each(edges, |_, edge| read_edge(&mut nodes, edge)))
            .map_err(|error| error.within(".edges".into()))
    });
    let edges = edges.transpose()?.unwrap_or_default();
    Graph::new(directed, nodes.nodes, edges)
}

fn declare_nodes(nodes: &mut Nodes, json: &Json) -> Result<(), ParseError> {
    nodes.declared = true;
    if let Json::Object(labels) = json {
        for (id, label) in labels {
            let label = read_label(label).map_err(|error| error.within(key_step(id)))?;
            nodes.add(id.clone(), label)?;
        }
        return Ok(());
    }
    let ids = read_array(json, "an array of nodes or an object from nodes to labels")?;
    read_each(ids, |_, id| nodes.add(read_id(id)?, None)).map(|_| ())
}

fn read_id(json: &Json) -> Result<String, ParseError> {
    plain_text(json).ok_or_else(|| mismatch(json, "the name of a node"))
}

fn read_label(json: &Json) -> Result<Option<String>, ParseError> {
    match json {
        Json::Null => Ok(None),
        json => plain_text(json)
            .map(Some)
            .ok_or_else(|| mismatch(json, "a label")),
    }
}

fn read_edge(nodes: &mut Nodes, json: &Json) -> Result<Edge, ParseError> {
    let expected = "an edge: `[from, to]` or `[from, to, label]`";
    let (ends, label) = match read_array(json, expected)? {
        [from, to] => ([from, to], None),
        [from, to, label] => (
            [from, to],
            read_label(label).map_err(|error| error.within("[2]".into()))?,
        ),
        _ => return Err(mismatch(json, expected)),
    };
    let mut end = |i: usize| {
        let mentioned = read_id(ends[i]).and_then(|id| nodes.mention(id));
        mentioned.map_err(|error| error.within(format!("[{i}]")))
    };
    Ok(Edge {
        from: end(0)?,
        to: end(1)?,
        label,
    })
}

/// Writes a graph in the shortest form that reads back as the same.
pub(crate) fn write_graph(graph: &Graph) -> Json {
    let id = |node: u32| graph.nodes()[node as usize].id.as_str();
    let edges = graph.edges().iter().map(|edge| match &edge.label {
        Some(label) => json!([id(edge.from), id(edge.to), label]),
        None => json!([id(edge.from), id(edge.to)]),
    });
    let edges: Json = edges.collect();
    if graph.directed() && graph.told_by_edges() {
        return edges;
    }
    let mut object = Map::new();
    if !graph.directed() {
        object.insert("directed".into(), json!(false));
    }
    if !graph.told_by_edges() {
        let nodes = graph.nodes();
        let nodes: Json = if nodes.iter().all(|node| node.label.is_none()) {
            nodes.iter().map(|node| node.id.as_str()).collect()
        } else {
            nodes
                .iter()
                .map(|node| (node.id.clone(), json!(node.label)))
                .collect()
        };
        object.insert("nodes".into(), nodes);
    }
    object.insert("edges".into(), edges);
    Json::Object(object)
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
