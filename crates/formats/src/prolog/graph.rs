//! Graphs as terms: `graph(directed,[n(a),n(b,label)],[e(a,b),e(b,a,label)])`.

use kinwood_values::term::{EMPTY_LIST, LIST, Node};
use kinwood_values::text::number_text;
use kinwood_values::{Edge, Graph, GraphNode, Term};

use crate::prolog_syntax::print::write_atom;

const GRAPH: &str = "graph";
const DIRECTED: &str = "directed";
const UNDIRECTED: &str = "undirected";
const NODE: &str = "n";
const EDGE: &str = "e";

/// Writes the graph as a term.
pub(crate) fn write_graph(out: &mut String, graph: &Graph) {
    let compound = |out: &mut String, name: &str, parts: &[Option<&str>]| {
        out.push_str(name);
        for (position, part) in parts.iter().flatten().enumerate() {
            out.push(if position == 0 { '(' } else { ',' });
            write_atom(out, part);
        }
        out.push(')');
    };
    let direction = if graph.directed() {
        DIRECTED
    } else {
        UNDIRECTED
    };
    out.extend([GRAPH, "(", direction, ",["]);
    for (position, node) in graph.nodes().iter().enumerate() {
        out.push_str(if position > 0 { "," } else { "" });
        compound(out, NODE, &[Some(&node.id), node.label.as_deref()]);
    }
    out.push_str("],[");
    let id = |node: u32| Some(graph.nodes()[node as usize].id.as_str());
    for (position, edge) in graph.edges().iter().enumerate() {
        out.push_str(if position > 0 { "," } else { "" });
        compound(
            out,
            EDGE,
            &[id(edge.from), id(edge.to), edge.label.as_deref()],
        );
    }
    out.push_str("])");
}

/// Reads the graph that a term is, if it is one.
pub(super) fn read_graph(term: &Term) -> Option<Graph> {
    let parts = arguments(term, term.root(), GRAPH)?;
    let [direction, nodes, edges] = parts.as_slice() else {
        return None;
    };
    let directed = match constant(term, *direction)?.as_str() {
        DIRECTED => true,
        UNDIRECTED => false,
        _ => return None,
    };
    let mut found: Vec<GraphNode> = Vec::new();
    let mut numbers = std::collections::HashMap::new();
    for node in elements(term, *nodes)? {
        let (id, label) = match arguments(term, node, NODE)?.as_slice() {
            [id] => (*id, None),
            [id, label] => (*id, Some(constant(term, *label)?)),
            _ => return None,
        };
        let id = constant(term, id)?;
        numbers.insert(id.clone(), u32::try_from(found.len()).ok()?);
        found.push(GraphNode { id, label });
    }
    let mut joined = Vec::new();
    for edge in elements(term, *edges)? {
        let (from, to, label) = match arguments(term, edge, EDGE)?.as_slice() {
            [from, to] => (*from, *to, None),
            [from, to, label] => (*from, *to, Some(constant(term, *label)?)),
            _ => return None,
        };
        let number = |node| numbers.get(&constant(term, node)?).copied();
        joined.push(Edge {
            from: number(from)?,
            to: number(to)?,
            label,
        });
    }
    Graph::new(directed, found, joined).ok()
}

fn arguments(term: &Term, node: usize, functor: &str) -> Option<Vec<usize>> {
    match term.node(node) {
        Node::Functor { name, .. } if name == functor => Some(term.children(node).collect()),
        _ => None,
    }
}

fn constant(term: &Term, node: usize) -> Option<String> {
    match term.node(node) {
        Node::Functor { name, arity: 0 } => Some(name.clone()),
        Node::Number(number) => Some(number_text(*number)),
        _ => None,
    }
}

fn elements(term: &Term, list: usize) -> Option<Vec<usize>> {
    let mut elements = Vec::new();
    let mut rest = list;
    loop {
        match term.node(rest) {
            Node::Functor { name, arity: 2 } if name == LIST => {
                let mut parts = term.children(rest);
                elements.push(parts.next()?);
                rest = parts.next()?;
            }
            Node::Functor { name, arity: 0 } if name == EMPTY_LIST => return Some(elements),
            _ => return None,
        }
    }
}
