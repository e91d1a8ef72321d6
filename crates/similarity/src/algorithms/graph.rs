//! Labelled graphs as algorithms want them: labels by code, the edges at each node side by side.
//!
//! Labels are compared across graphs by their codes, so graphs to be compared draw them from one
//! numbering.

/// The code of an edge or node without a label.
pub const UNLABELLED: u32 = u32::MAX;

/// An edge of a graph from its parts: two nodes and a label.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LabelledEdge {
    /// Number of the node it leaves, from 0.
    pub from: u32,
    /// Number of the node it reaches, from 0.
    pub to: u32,
    /// The code of its label.
    pub label: u32,
}

/// An edge as seen from one of its ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Step {
    /// The code of its label.
    pub label: u32,
    /// The node at the other end.
    pub node: u32,
}

/// A graph with labelled nodes and edges, directed or not; parallel edges and loops are ordinary.
///
/// ```
/// use kinwood_similarity::algorithms::graph::{LabelledEdge, LabelledGraph, UNLABELLED};
/// let bond = LabelledEdge { from: 0, to: 1, label: UNLABELLED };
/// let molecule = LabelledGraph::new(false, vec![6, 8], &[bond]);
/// assert_eq!(molecule.outgoing(1)[0].node, 0);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LabelledGraph {
    node_labels: Vec<u32>,
    directed: bool,
    edges: usize,
    outgoing: Rows,
    /// Empty if undirected: `outgoing` holds each edge at both ends then, a loop once.
    incoming: Rows,
}

/// Steps of all nodes, end to end; those of a node by label, then by the other end.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Rows {
    ends: Vec<u32>,
    steps: Vec<Step>,
}

impl Rows {
    fn new(nodes: usize, mut steps: Vec<(u32, Step)>) -> Rows {
        steps.sort_unstable();
        let mut ends = vec![0; nodes];
        for (node, _) in &steps {
            ends[*node as usize] += 1;
        }
        let mut end = 0;
        for count in &mut ends {
            end += *count;
            *count = end;
        }
        Rows {
            ends,
            steps: steps.into_iter().map(|(_, step)| step).collect(),
        }
    }

    fn row(&self, node: usize) -> &[Step] {
        let start = node.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.steps[start as usize..self.ends[node] as usize]
    }
}

impl LabelledGraph {
    /// A graph from its parts; an edge that touches a node out of range is left out.
    ///
    /// There are fewer than 2^31 edges.
    pub fn new(directed: bool, node_labels: Vec<u32>, edges: &[LabelledEdge]) -> LabelledGraph {
        let nodes = node_labels.len();
        let inside = |edge: &&LabelledEdge| edge.from.max(edge.to) < nodes as u32;
        let forth = |edge: &LabelledEdge| {
            let LabelledEdge { from, to, label } = *edge;
            (from, Step { label, node: to })
        };
        let back = |edge: &LabelledEdge| {
            let LabelledEdge { from, to, label } = *edge;
            (to, Step { label, node: from })
        };
        let forward = edges.iter().filter(inside).map(forth);
        let count = edges.iter().filter(inside).count();
        let (outgoing, incoming) = if directed {
            let backward = edges.iter().filter(inside).map(back);
            (
                Rows::new(nodes, forward.collect()),
                Rows::new(nodes, backward.collect()),
            )
        } else {
            let no_loop = |edge: &&LabelledEdge| edge.from != edge.to;
            let backward = edges.iter().filter(inside).filter(no_loop).map(back);
            (
                Rows::new(nodes, forward.chain(backward).collect()),
                Rows::default(),
            )
        };
        LabelledGraph {
            node_labels,
            directed,
            edges: count,
            outgoing,
            incoming,
        }
    }

    /// Whether edges have a direction.
    pub fn directed(&self) -> bool {
        self.directed
    }

    /// The labels of the nodes, by code.
    pub fn node_labels(&self) -> &[u32] {
        &self.node_labels
    }

    /// Number of edges.
    pub fn edge_count(&self) -> usize {
        self.edges
    }

    /// The ways on from a node, by label, then by node: its outgoing edges, or all if the graph is
    /// undirected.
    ///
    /// An undirected loop is one way on, not two.
    pub fn outgoing(&self, node: usize) -> &[Step] {
        self.outgoing.row(node)
    }

    /// The ways into a node, by label, then by node; those of `outgoing` if the graph is
    /// undirected.
    pub fn incoming(&self, node: usize) -> &[Step] {
        if self.directed {
            self.incoming.row(node)
        } else {
            self.outgoing.row(node)
        }
    }

    /// Every edge once, by node; an undirected one from its lower end.
    pub fn edges(&self) -> impl Iterator<Item = LabelledEdge> + '_ {
        (0..self.node_labels.len()).flat_map(move |from| {
            let from_here = move |step: &&Step| self.directed || from as u32 <= step.node;
            let steps = self.outgoing(from).iter().filter(from_here);
            steps.map(move |step| LabelledEdge {
                from: from as u32,
                to: step.node,
                label: step.label,
            })
        })
    }

    /// The most ways on from any node.
    pub fn largest_degree(&self) -> usize {
        let degrees = (0..self.node_labels.len()).map(|node| self.outgoing(node).len());
        degrees.max().unwrap_or(0)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Graphs small enough for trial, with few labels, parallel edges and loops.
    pub(crate) fn any_graph(directed: bool, nodes: usize) -> impl Strategy<Value = LabelledGraph> {
        prop::collection::vec(0..3u32, 0..=nodes).prop_flat_map(move |labels| {
            let count = labels.len() as u32;
            let edge = (
                0..count.max(1),
                0..count.max(1),
                prop_oneof![0..2u32, Just(UNLABELLED)],
            )
                .prop_map(|(from, to, label)| LabelledEdge { from, to, label });
            let most = if count == 0 { 0 } else { 2 * nodes };
            prop::collection::vec(edge, 0..=most)
                .prop_map(move |edges| LabelledGraph::new(directed, labels.clone(), &edges))
        })
    }

    fn edge(from: u32, to: u32, label: u32) -> LabelledEdge {
        LabelledEdge { from, to, label }
    }

    #[test]
    fn steps_are_sorted_and_loops_counted_once() {
        let edges = [
            edge(1, 0, 5),
            edge(0, 2, 3),
            edge(0, 0, 4),
            edge(0, 1, 3),
            edge(7, 0, 1),
        ];
        let undirected = LabelledGraph::new(false, vec![9, 9, 9], &edges);
        let steps = |steps: &[Step]| steps.iter().map(|s| (s.label, s.node)).collect::<Vec<_>>();
        assert_eq!(
            steps(undirected.outgoing(0)),
            [(3, 1), (3, 2), (4, 0), (5, 1)]
        );
        assert_eq!(undirected.incoming(0), undirected.outgoing(0));
        assert_eq!(undirected.edge_count(), 4);
        assert_eq!(undirected.edges().count(), 4);
        assert_eq!(undirected.largest_degree(), 4);
        let directed = LabelledGraph::new(true, vec![9, 9, 9], &edges);
        assert_eq!(steps(directed.outgoing(0)), [(3, 1), (3, 2), (4, 0)]);
        assert_eq!(steps(directed.incoming(0)), [(4, 0), (5, 1)]);
        assert_eq!(directed.edges().count(), 4);
    }

    #[test]
    fn a_graph_may_be_empty() {
        let graph = LabelledGraph::new(true, vec![], &[edge(0, 0, 1)]);
        assert_eq!((graph.edge_count(), graph.largest_degree()), (0, 0));
    }

    kinwood_testing::soak! { 256;
        fn soak_edges_give_the_graph_back(graph in prop_oneof![any_graph(true, 5), any_graph(false, 5)]) {
            let edges: Vec<LabelledEdge> = graph.edges().collect();
            prop_assert_eq!(edges.len(), graph.edge_count());
            let again = LabelledGraph::new(graph.directed(), graph.node_labels().to_vec(), &edges);
            prop_assert_eq!(again, graph);
        }
    }
}
