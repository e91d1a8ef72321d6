//! Graph edit distance from above, at unit costs: an edit path found by assigning nodes to nodes.
//!
//! Inserting, deleting or relabelling a node or edge costs 1 (an edge goes with its node at 1
//! each). The nodes of one graph are assigned to those of the other, or to none, at the least total
//! of node costs and of the costs to turn the edges at one node into those at the other, seen by
//! their labels alone. The value is the true cost of the edit path that this assignment induces:
//! never below the distance, exact often, and not a metric. Which of several least assignments is
//! taken depends on the order of the nodes, so the value may differ between two ways to write one
//! graph.
//!
//! Symmetry is had by computing both directions and taking the cheaper path; graphs that are the
//! same as written are at 0. A directed and an undirected graph are compared as directed ones, an
//! undirected edge being two.
//!
//! Reference: K. Riesen and H. Bunke, *Approximate graph edit distance computation by means of
//! bipartite graph matching*, Image and Vision Computing 27, 950-959, 2009.

use std::cmp::Ordering;

use super::assignment::Solver;
use super::graph::{LabelledGraph, Step};

/// Finds edit paths between graphs, one pair after another in the same memory.
///
/// ```
/// use kinwood_similarity::algorithms::graph::{LabelledEdge, LabelledGraph, UNLABELLED};
/// use kinwood_similarity::algorithms::graph_edit::GraphEdit;
/// let bond = LabelledEdge { from: 0, to: 1, label: UNLABELLED };
/// let a = LabelledGraph::new(false, vec![6, 8], &[bond]);
/// let b = LabelledGraph::new(false, vec![6], &[]);
/// let mut edit = GraphEdit::default();
/// assert_eq!(edit.between(&a, &b).cost, 2);
/// assert_eq!(edit.between(&a, &b).images, [Some(0), None]);
/// ```
#[derive(Clone, Debug, Default)]
pub struct GraphEdit {
    removal: Vec<f64>,
    insertion: Vec<f64>,
    gains: Vec<f64>,
    solver: Solver,
    images: Vec<Option<u32>>,
    other: Vec<Option<u32>>,
    sources: Vec<Option<u32>>,
    left: Vec<Step>,
    right: Vec<Step>,
}

/// An edit path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EditPath<'a> {
    /// Number of edits.
    pub cost: u64,
    /// For each node of the first graph, the node of the second it becomes; `None` if it is
    /// deleted.
    pub images: &'a [Option<u32>],
}

impl GraphEdit {
    /// The cheaper of the paths found from `a` to `b` and from `b` to `a`.
    ///
    /// Cost: an assignment of the nodes of one graph to those of the other, each way.
    pub fn between(&mut self, a: &LabelledGraph, b: &LabelledGraph) -> EditPath<'_> {
        if a == b {
            self.images.clear();
            self.images
                .extend((0..a.node_labels().len() as u32).map(Some));
            return EditPath {
                cost: 0,
                images: &self.images,
            };
        }
        let back = self.one_way(b, a);
        turn(&self.images, a.node_labels().len(), &mut self.other);
        let forth = self.one_way(a, b);
        if back < forth {
            std::mem::swap(&mut self.images, &mut self.other);
        }
        EditPath {
            cost: back.min(forth),
            images: &self.images,
        }
    }

    /// Assigns the nodes of `a`, leaving the images, and returns the cost of the path they induce.
    fn one_way(&mut self, a: &LabelledGraph, b: &LabelledGraph) -> u64 {
        self.assign(a, b);
        turn(&self.images, b.node_labels().len(), &mut self.sources);
        path_cost(a, b, self)
    }

    /// Finds the images of least total local cost, and returns it.
    ///
    /// With substitution costs s, deletion costs d and insertion costs e, the total over a partial
    /// matching is `sum d + sum e + sum over matched (s - d - e)`; only negative terms are worth
    /// matching, so the rectangle of `min(0, s - d - e)` does for the square matrix of both graphs'
    /// nodes. All terms are whole.
    fn assign(&mut self, a: &LabelledGraph, b: &LabelledGraph) -> f64 {
        let directed = a.directed() || b.directed();
        let (rows, columns) = (a.node_labels().len(), b.node_labels().len());
        let alone = |graph: &LabelledGraph, node: usize| {
            let incoming = if directed {
                graph.incoming(node).len()
            } else {
                0
            };
            (1 + graph.outgoing(node).len() + incoming) as f64
        };
        self.removal.clear();
        self.removal.extend((0..rows).map(|node| alone(a, node)));
        self.insertion.clear();
        self.insertion
            .extend((0..columns).map(|node| alone(b, node)));
        self.gains.clear();
        for (row, removal) in self.removal.iter().enumerate() {
            let label = a.node_labels()[row];
            for (column, insertion) in self.insertion.iter().enumerate() {
                let mut cost = usize::from(label != b.node_labels()[column]);
                cost += relabelling(a.outgoing(row), b.outgoing(column));
                if directed {
                    cost += relabelling(a.incoming(row), b.incoming(column));
                }
                self.gains
                    .push((cost as f64 - removal - insertion).min(0.0));
            }
        }
        let solution = self.solver.solve_unpriced(&self.gains, rows, columns);
        self.images.clear();
        self.images.resize(rows, None);
        for &(row, column) in solution.pairs {
            if self.gains[row as usize * columns + column as usize] < 0.0 {
                self.images[row as usize] = Some(column);
            }
        }
        let alone = self.removal.iter().chain(&self.insertion).sum::<f64>();
        alone + solution.total
    }
}

/// The cost of the path that the images induce.
fn path_cost(a: &LabelledGraph, b: &LabelledGraph, edit: &mut GraphEdit) -> u64 {
    let GraphEdit {
        images,
        sources,
        left: kept,
        right: wanted,
        ..
    } = edit;
    // An undirected edge is met at both ends, a loop at one: halves are counted, so that both come
    // to 2.
    let directed = a.directed() || b.directed();
    let halves = |steps: &[Step], node: usize| -> u64 {
        let weight = |step: &Step| {
            if directed || step.node as usize == node {
                2
            } else {
                1
            }
        };
        steps.iter().map(weight).sum()
    };
    let mut cost = 0;
    for (node, image) in images.iter().enumerate() {
        let Some(image) = image else {
            cost += 2 + halves(a.outgoing(node), node);
            continue;
        };
        let image = *image as usize;
        cost += 2 * u64::from(a.node_labels()[node] != b.node_labels()[image]);
        kept.clear();
        for step in a.outgoing(node) {
            match images[step.node as usize] {
                Some(end) => kept.push(Step { node: end, ..*step }),
                None => cost += if directed { 2 } else { 1 },
            }
        }
        wanted.clear();
        wanted.extend_from_slice(b.outgoing(image));
        for steps in [&mut *kept, &mut *wanted] {
            steps.sort_unstable_by_key(|step| (step.node, step.label));
        }
        let (mut left, mut right) = (&kept[..], &wanted[..]);
        while let Some(end) = first_node(left).into_iter().chain(first_node(right)).min() {
            let here = |steps: &[Step]| steps.partition_point(|step| step.node <= end);
            let (from, to);
            (from, left) = left.split_at(here(left));
            (to, right) = right.split_at(here(right));
            let weight = if directed || end as usize == image {
                2
            } else {
                1
            };
            cost += weight * relabelling(from, to) as u64;
        }
    }
    for (node, _) in sources
        .iter()
        .enumerate()
        .filter(|(_, source)| source.is_none())
    {
        cost += 2 + halves(b.outgoing(node), node);
    }
    cost / 2
}

fn first_node(steps: &[Step]) -> Option<u32> {
    steps.first().map(|step| step.node)
}

/// The nodes that become each of `count` others.
fn turn(images: &[Option<u32>], count: usize, sources: &mut Vec<Option<u32>>) {
    sources.clear();
    sources.resize(count, None);
    for (node, image) in images.iter().enumerate() {
        if let Some(image) = image {
            sources[*image as usize] = Some(node as u32);
        }
    }
}

/// The edits that turn edges with some labels into edges with others, both by label: as many as
/// there are in the longer list, less those that can keep theirs.
fn relabelling(a: &[Step], b: &[Step]) -> usize {
    let (mut i, mut j, mut kept) = (0, 0, 0);
    while let (Some(left), Some(right)) = (a.get(i), b.get(j)) {
        let order = left.label.cmp(&right.label);
        kept += usize::from(order == Ordering::Equal);
        i += usize::from(order != Ordering::Greater);
        j += usize::from(order != Ordering::Less);
    }
    a.len().max(b.len()) - kept
}

#[cfg(test)]
mod tests {
    use super::super::graph::{LabelledEdge, UNLABELLED, tests::any_graph};
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    /// Labels of the edges between each two nodes, undirected ones both ways if `directed`.
    fn between(graph: &LabelledGraph, directed: bool) -> BTreeMap<(u32, u32), Vec<u32>> {
        let mut labels: BTreeMap<(u32, u32), Vec<u32>> = BTreeMap::new();
        for edge in graph.edges() {
            let LabelledEdge { from, to, label } = edge;
            labels.entry((from, to)).or_default().push(label);
            if directed && !graph.directed() && from != to {
                labels.entry((to, from)).or_default().push(label);
            }
        }
        labels
    }

    fn labels_cost(a: &[u32], b: &[u32]) -> u64 {
        let mut b = b.to_vec();
        let longer = a.len().max(b.len());
        let mut kept = 0;
        for label in a {
            if let Some(at) = b.iter().position(|other| other == label) {
                b.swap_remove(at);
                kept += 1;
            }
        }
        (longer - kept) as u64
    }

    /// The cost of the path induced by images, from the definition.
    fn cost_by_definition(a: &LabelledGraph, b: &LabelledGraph, images: &[Option<u32>]) -> u64 {
        let directed = a.directed() || b.directed();
        let mut cost = 0;
        for (node, image) in images.iter().enumerate() {
            cost += image
                .is_none_or(|image| a.node_labels()[node] != b.node_labels()[image as usize])
                as u64;
        }
        cost += (b.node_labels().len() - images.iter().flatten().count()) as u64;
        let mut targets = between(b, directed);
        for ((from, to), labels) in between(a, directed) {
            let target = match (images[from as usize], images[to as usize]) {
                (Some(from), Some(to)) if directed || from <= to => targets.remove(&(from, to)),
                (Some(from), Some(to)) => targets.remove(&(to, from)),
                _ => None,
            };
            cost += labels_cost(&labels, &target.unwrap_or_default());
        }
        cost + targets
            .values()
            .map(|labels| labels.len() as u64)
            .sum::<u64>()
    }

    /// The distance itself, by trying every way to map nodes.
    fn exact(a: &LabelledGraph, b: &LabelledGraph, images: &mut Vec<Option<u32>>) -> u64 {
        if images.len() == a.node_labels().len() {
            return cost_by_definition(a, b, images);
        }
        let choices = (0..b.node_labels().len() as u32).map(Some).chain([None]);
        let mut least = u64::MAX;
        for image in choices {
            if image.is_none() || !images.contains(&image) {
                images.push(image);
                least = least.min(exact(a, b, images));
                images.pop();
            }
        }
        least
    }

    /// The least local cost from the square matrix of the paper.
    fn square_total(a: &LabelledGraph, b: &LabelledGraph) -> f64 {
        let directed = a.directed() || b.directed();
        let (n, m) = (a.node_labels().len(), b.node_labels().len());
        let degree = |graph: &LabelledGraph, node: usize| {
            graph.outgoing(node).len()
                + if directed {
                    graph.incoming(node).len()
                } else {
                    0
                }
        };
        let mut costs = Vec::new();
        for row in 0..n + m {
            for column in 0..n + m {
                costs.push(match (row < n, column < m) {
                    (true, true) => {
                        let list = |steps: &[Step]| {
                            steps.iter().map(|step| step.label).collect::<Vec<_>>()
                        };
                        let mut cost = u64::from(a.node_labels()[row] != b.node_labels()[column]);
                        cost += labels_cost(&list(a.outgoing(row)), &list(b.outgoing(column)));
                        if directed {
                            cost += labels_cost(&list(a.incoming(row)), &list(b.incoming(column)));
                        }
                        cost as f64
                    }
                    (true, false) if column - m == row => (1 + degree(a, row)) as f64,
                    (false, true) if row - n == column => (1 + degree(b, column)) as f64,
                    (false, false) => 0.0,
                    _ => 1e6,
                });
            }
        }
        Solver::default().solve(&costs, n + m, n + m).total
    }

    fn two_graphs(nodes: usize) -> impl Strategy<Value = (LabelledGraph, LabelledGraph)> {
        (any::<bool>(), any::<bool>())
            .prop_flat_map(move |(a, b)| (any_graph(a, nodes), any_graph(b, nodes)))
    }

    fn cycle(nodes: u32) -> LabelledGraph {
        let edges: Vec<LabelledEdge> = (0..nodes)
            .map(|from| LabelledEdge {
                from,
                to: (from + 1) % nodes,
                label: UNLABELLED,
            })
            .collect();
        LabelledGraph::new(false, vec![0; nodes as usize], &edges)
    }

    #[test]
    fn an_empty_graph_is_as_far_as_the_other_is_large() {
        let empty = LabelledGraph::new(false, vec![], &[]);
        let mut edit = GraphEdit::default();
        assert_eq!(edit.between(&empty, &cycle(4)).cost, 8);
        assert_eq!(edit.between(&cycle(4), &empty).cost, 8);
        assert_eq!(edit.between(&cycle(4), &empty).images, [None; 4]);
        assert_eq!(edit.between(&empty, &empty).cost, 0);
    }

    #[test]
    fn locally_alike_nodes_do_not_part_a_graph_from_itself() {
        let mut edit = GraphEdit::default();
        assert_eq!(edit.between(&cycle(9), &cycle(9)).cost, 0);
        assert_eq!(edit.between(&cycle(9), &cycle(9)).images[8], Some(8));
    }

    kinwood_testing::soak! { 256;
        fn soak_is_the_cost_of_its_path_and_never_too_small((a, b) in two_graphs(4)) {
            let mut edit = GraphEdit::default();
            let path = edit.between(&a, &b);
            prop_assert_eq!(path.cost, cost_by_definition(&a, &b, path.images));
            prop_assert!(path.cost >= exact(&a, &b, &mut Vec::new()));
            let size = |graph: &LabelledGraph| (graph.node_labels().len() + 2 * graph.edge_count()) as u64;
            prop_assert!(path.cost <= size(&a) + size(&b));
        }

        fn soak_is_symmetric_and_zero_on_itself((a, b) in two_graphs(7)) {
            let mut edit = GraphEdit::default();
            let cost = edit.between(&a, &b).cost;
            prop_assert_eq!(edit.between(&b, &a).cost, cost);
            prop_assert_eq!(edit.between(&a, &a).cost, 0);
        }

        fn soak_the_rectangle_does_for_the_square((a, b) in two_graphs(7)) {
            prop_assert_eq!(GraphEdit::default().assign(&a, &b), square_total(&a, &b));
        }
    }
}
