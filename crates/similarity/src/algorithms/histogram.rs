//! Counts of features, sparse and sorted, and what labelled graphs count.
//!
//! A histogram lists each feature that occurs once, in order, with its count: two are compared in
//! one pass over both. Counts are `f64`, exact far beyond what occurs, so that weighted features
//! use the same functions.

use std::cmp::Ordering;

use super::graph::LabelledGraph;

/// Features and their counts, by feature, each feature once.
pub type Histogram<K> = Vec<(K, f64)>;

/// A feature of a labelled graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum GraphFeature {
    /// A node with this label.
    Node(u32),
    /// An edge with its label between nodes with these; an undirected one has the lower node label
    /// first, and is another feature than a directed one.
    Edge {
        /// The label of the node it leaves.
        from: u32,
        /// Its own label.
        label: u32,
        /// The label of the node it reaches.
        to: u32,
        /// Whether it has a direction.
        directed: bool,
    },
}

/// The node labels and labelled edges of a graph.
pub fn of_graph(graph: &LabelledGraph) -> Histogram<GraphFeature> {
    let labels = graph.node_labels();
    let nodes = labels.iter().map(|&label| GraphFeature::Node(label));
    let edges = graph.edges().map(|edge| {
        let (mut from, mut to) = (labels[edge.from as usize], labels[edge.to as usize]);
        if !graph.directed() && to < from {
            (from, to) = (to, from);
        }
        GraphFeature::Edge {
            from,
            label: edge.label,
            to,
            directed: graph.directed(),
        }
    });
    count(nodes.chain(edges).collect())
}

/// The histogram of features listed one by one.
pub fn count<K: Ord>(mut features: Vec<K>) -> Histogram<K> {
    features.sort_unstable();
    let mut histogram: Histogram<K> = Vec::new();
    for feature in features {
        match histogram.last_mut() {
            Some((last, count)) if *last == feature => *count += 1.0,
            _ => histogram.push((feature, 1.0)),
        }
    }
    histogram
}

/// The sum over common features of the products of their counts.
///
/// ```
/// use kinwood_similarity::algorithms::histogram::{dot, l1};
/// let (a, b) = ([('x', 1.0), ('y', 2.0)], [('y', 3.0), ('z', 1.0)]);
/// assert_eq!(dot(&a, &b), 6.0);
/// assert_eq!(l1(&a, &b), 3.0);
/// ```
pub fn dot<K: Ord>(a: &[(K, f64)], b: &[(K, f64)]) -> f64 {
    let (mut i, mut j, mut sum) = (0, 0, 0.0);
    while let (Some((left, m)), Some((right, n))) = (a.get(i), b.get(j)) {
        let order = left.cmp(right);
        if order == Ordering::Equal {
            sum += m * n;
        }
        i += usize::from(order != Ordering::Greater);
        j += usize::from(order != Ordering::Less);
    }
    sum
}

/// The sum over features of the differences of their counts.
pub fn l1<K: Ord>(a: &[(K, f64)], b: &[(K, f64)]) -> f64 {
    let (mut i, mut j, mut sum) = (0, 0, 0.0);
    while let (Some((left, m)), Some((right, n))) = (a.get(i), b.get(j)) {
        match left.cmp(right) {
            Ordering::Equal => {
                sum += (m - n).abs();
                i += 1;
                j += 1;
            }
            Ordering::Less => {
                sum += m.abs();
                i += 1;
            }
            Ordering::Greater => {
                sum += n.abs();
                j += 1;
            }
        }
    }
    let rest = a[i..].iter().chain(&b[j..]);
    sum + rest.map(|(_, count)| count.abs()).sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::super::graph::{LabelledEdge, tests::any_graph};
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    fn graph(directed: bool, edges: &[(u32, u32)]) -> LabelledGraph {
        let edges: Vec<LabelledEdge> = edges
            .iter()
            .map(|&(from, to)| LabelledEdge { from, to, label: 0 })
            .collect();
        LabelledGraph::new(directed, vec![7, 8, 8], &edges)
    }

    #[test]
    fn ends_of_undirected_edges_have_no_order() {
        let distance = |a: &LabelledGraph, b: &LabelledGraph| l1(&of_graph(a), &of_graph(b));
        assert_eq!(
            distance(&graph(false, &[(0, 1)]), &graph(false, &[(2, 0)])),
            0.0
        );
        assert_eq!(
            distance(&graph(true, &[(0, 1)]), &graph(true, &[(2, 0)])),
            2.0
        );
        assert_eq!(
            distance(&graph(true, &[(0, 1)]), &graph(false, &[(0, 1)])),
            2.0
        );
        assert_eq!(
            distance(&graph(false, &[(0, 1), (1, 2), (1, 1)]), &graph(false, &[])),
            3.0
        );
    }

    fn features() -> impl Strategy<Value = Vec<u8>> {
        prop::collection::vec(0..12u8, 0..20)
    }

    kinwood_testing::soak! { 256;
        fn soak_merging_agrees_with_looking_up(a in features(), b in features()) {
            let table = |features: &[u8]| {
                let mut table = BTreeMap::new();
                features.iter().for_each(|&feature| *table.entry(feature).or_insert(0.0) += 1.0);
                table
            };
            let (left, right) = (table(&a), table(&b));
            let of = |table: &BTreeMap<u8, f64>, feature| table.get(&feature).copied().unwrap_or(0.0);
            let (a, b) = (count(a), count(b));
            prop_assert!(a.windows(2).all(|pair| pair[0].0 < pair[1].0));
            let products: f64 = (0..12).map(|feature| of(&left, feature) * of(&right, feature)).sum();
            let differences: f64 = (0..12).map(|feature| (of(&left, feature) - of(&right, feature)).abs()).sum();
            prop_assert_eq!(dot(&a, &b), products);
            prop_assert_eq!(dot(&b, &a), products);
            prop_assert_eq!(l1(&a, &b), differences);
            prop_assert_eq!(l1(&b, &a), differences);
        }

        fn soak_a_graph_counts_its_nodes_and_edges(graph in prop_oneof![any_graph(true, 5), any_graph(false, 5)]) {
            let histogram = of_graph(&graph);
            let size = graph.node_labels().len() + graph.edge_count();
            prop_assert_eq!(histogram.iter().map(|(_, count)| count).sum::<f64>(), size as f64);
            prop_assert_eq!(l1(&histogram, &histogram), 0.0);
        }
    }
}
