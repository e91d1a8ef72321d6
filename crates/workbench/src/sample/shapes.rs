//! Plants as trees, their roots as graphs.

use kinwood_learners::random::Generator;
use kinwood_values::types::Type;
use kinwood_values::{Attribute, Column, Edge, Graph, GraphNode, Role, Table, Tree, Value};

use super::keyed;

/// What there is to find.
pub(super) const LAW: &str = "The kind is `herb` if no branch of the plant bears a branch, else `vine` if the roots close a ring, else `shrub`; `blossoms` is the number of leaves labelled `blossom`. Noise is the share of leaves relabelled and of kinds turned into another.";

const STREAM: u64 = 0x7368_6170;
const LEAVES: [&str; 3] = ["leaf", "bud", "blossom"];
const KINDS: [&str; 3] = ["herb", "vine", "shrub"];
const SOILS: [&str; 3] = ["clay", "sand", "humus"];

/// Trees of up to two levels of branches, graphs of 4 to 9 nodes.
pub(super) fn table(plants: usize, noise: f64, seed: u64) -> Table {
    let mut random = Generator::new(seed, &[STREAM]);
    let mut trees = Column::empty(&Type::Tree);
    let mut graphs = Column::empty(&Type::Graph);
    let (mut kinds, mut blossoms) = (Vec::new(), Vec::new());
    for _ in 0..plants {
        let kind = random.below(3);
        let mut plant = Plant::default();
        plant.stem(kind != 0, &mut random);
        let count = plant
            .labels
            .iter()
            .filter(|label| *label == "blossom")
            .count();
        for label in plant
            .labels
            .iter_mut()
            .filter(|label| LEAVES.contains(&label.as_str()))
        {
            if random.unit() < noise {
                *label = LEAVES[random.below(3)].to_owned();
            }
        }
        let ring = if kind == 0 {
            random.below(2) == 0
        } else {
            kind == 1
        };
        let tree = Tree::new(plant.labels, plant.arities).expect("a plant is one tree");
        trees.push(&Value::Tree(tree)).expect("a tree");
        graphs
            .push(&Value::Graph(roots(ring, &mut random)))
            .expect("a graph");
        let changed = random.unit() < noise;
        kinds.push(Some(
            KINDS[if changed {
                (kind + 1 + random.below(2)) % 3
            } else {
                kind
            }],
        ));
        blossoms.push(count as f64);
    }
    let ids = Column::numeric((1..=plants).map(|id| id as f64).collect());
    keyed(
        "plants",
        vec![
            Attribute::new("id", ids).with_role(Role::Id),
            Attribute::new("plant", trees),
            Attribute::new("roots", graphs),
            Attribute::new("kind", Column::nominal(kinds)),
            Attribute::new("blossoms", Column::numeric(blossoms)),
        ],
    )
}

/// A tree being drawn, in preorder.
#[derive(Default)]
struct Plant {
    labels: Vec<String>,
    arities: Vec<u32>,
}

impl Plant {
    fn node(&mut self, label: &str, arity: usize) {
        self.labels.push(label.to_owned());
        self.arities.push(arity as u32);
    }

    /// A stem with branches; one of them bears a branch if the plant is to be of two levels.
    fn stem(&mut self, two_levels: bool, random: &mut Generator) {
        let branches = 1 + random.below(4);
        let bearing = two_levels.then(|| random.below(branches));
        self.node("stem", branches);
        for branch in 0..branches {
            let leaves = 1 + random.below(4);
            let bears = bearing == Some(branch);
            self.node("branch", leaves + usize::from(bears));
            self.leaves(leaves, random);
            if bears {
                let leaves = 1 + random.below(3);
                self.node("branch", leaves);
                self.leaves(leaves, random);
            }
        }
    }

    fn leaves(&mut self, count: usize, random: &mut Generator) {
        (0..count).for_each(|_| self.node(LEAVES[random.below(3)], 0));
    }
}

/// An undirected graph of labelled nodes: a tree, and one edge more if it is to close a ring.
fn roots(ring: bool, random: &mut Generator) -> Graph {
    let count = 4 + random.below(6);
    let nodes = (0..count)
        .map(|node| GraphNode {
            id: (node + 1).to_string(),
            label: Some(SOILS[random.below(3)].to_owned()),
        })
        .collect();
    let width = |random: &mut Generator| Some(["thin", "thick"][random.below(2)].to_owned());
    let mut edges: Vec<Edge> = (1..count)
        .map(|node| Edge {
            from: random.below(node) as u32,
            to: node as u32,
            label: width(random),
        })
        .collect();
    if ring {
        // Two nodes that no edge joins: a tree of four nodes or more has such a pair.
        let (from, to) = loop {
            let (a, b) = (random.below(count) as u32, random.below(count) as u32);
            if a < b && !edges.iter().any(|edge| (edge.from, edge.to) == (a, b)) {
                break (a, b);
            }
        };
        edges.push(Edge {
            from,
            to,
            label: width(random),
        });
    }
    Graph::new(false, nodes, edges).expect("edges join nodes that there are")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_noise_the_law_holds() {
        let table = table(200, 0.0, 4);
        for row in 0..200 {
            let (Value::Tree(tree), Value::Graph(graph)) = (
                table.attribute(1).column.value(row),
                table.attribute(2).column.value(row),
            ) else {
                panic!("a tree and a graph")
            };
            let bears = |node: usize| {
                tree.label(node) == "branch"
                    && tree
                        .children(node)
                        .any(|child| tree.label(child) == "branch")
            };
            let ring = graph.edges().len() >= graph.nodes().len();
            let kind = match ((0..tree.len()).any(bears), ring) {
                (false, _) => "herb",
                (true, true) => "vine",
                (true, false) => "shrub",
            };
            assert_eq!(table.attribute(3).column.value(row).to_string(), kind);
            let blossoms = tree
                .labels()
                .iter()
                .filter(|label| *label == "blossom")
                .count();
            assert_eq!(table.attribute(4).column.number(row), Some(blossoms as f64));
        }
    }
}
