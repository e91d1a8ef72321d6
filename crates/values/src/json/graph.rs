//! Graphs in JSON: an array of edges, or an object that also names nodes and says whether edges
//! have a direction.

use hashbrown::HashMap;
use serde_json::{Map, Value as Json, json};

use super::parts::{check_keys, key_step, mismatch, plain_text, read_array, read_each};
use crate::graph::{Edge, Graph, GraphNode};
use crate::suggest::nearest;
use crate::text::ParseError;

/// Keys of a graph that is a JSON object.
pub(super) const GRAPH_KEYS: [&str; 3] = ["directed", "nodes", "edges"];

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
pub(super) fn read_graph(json: &Json) -> Result<Graph, ParseError> {
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
pub(super) fn write_graph(graph: &Graph) -> Json {
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
