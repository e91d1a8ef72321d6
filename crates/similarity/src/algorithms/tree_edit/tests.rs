//! All plans agree with the recursion on forests, and mappings cost what they claim.

use std::collections::HashMap;

use proptest::collection::vec;
use proptest::prelude::*;

use super::distances::Plan;
use super::*;

/// Labels and numbers of children in preorder.
type Flat = (Vec<u32>, Vec<u32>);

/// A tree from labels and the ancestor, counted from the last node upwards, that each node hangs
/// from.
fn grown(nodes: &[(u32, u8)]) -> Flat {
    let (mut labels, mut arities, mut open) = (Vec::new(), Vec::new(), Vec::<usize>::new());
    for (node, &(label, up)) in nodes.iter().enumerate() {
        open.truncate(open.len().saturating_sub(usize::from(up)).max(1));
        if let Some(&parent) = open.last() {
            arities[parent] += 1;
        }
        labels.push(label);
        arities.push(0);
        open.push(node);
    }
    (labels, arities)
}

fn flat(longest: usize) -> impl Strategy<Value = Flat> {
    (1..6u8)
        .prop_flat_map(move |bushy| vec((0..3u32, 0..bushy), 0..longest))
        .prop_map(|nodes| grown(&nodes))
}

fn tree((labels, arities): &Flat) -> Tree {
    Tree::new(labels, arities)
}

fn children((labels, arities): &Flat) -> Vec<Vec<usize>> {
    let mut children = vec![Vec::new(); labels.len()];
    let mut open: Vec<(usize, u32)> = Vec::new();
    for (node, &arity) in arities.iter().enumerate() {
        while open.pop_if(|(_, missing)| *missing == 0).is_some() {}
        if let Some((parent, missing)) = open.last_mut() {
            children[*parent].push(node);
            *missing -= 1;
        }
        open.push((node, arity));
    }
    children
}

/// Tai's distance by recursion on the last roots of two forests.
struct Oracle<'a> {
    costs: Costs,
    labels: [&'a [u32]; 2],
    children: [Vec<Vec<usize>>; 2],
    known: HashMap<[Vec<usize>; 2], f64>,
}

impl Oracle<'_> {
    fn forests(&mut self, a: Vec<usize>, b: Vec<usize>) -> f64 {
        let key = [a.clone(), b.clone()];
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let opened = |side: usize, forest: &[usize], oracle: &Self| {
            let (root, rest) = forest.split_last()?;
            let below = oracle.children[side][*root].clone();
            Some((*root, rest.to_vec(), below))
        };
        let first = opened(0, &a, self);
        let second = opened(1, &b, self);
        let mut best = f64::INFINITY;
        if let Some((_, rest, below)) = &first {
            let forest = [&rest[..], below].concat();
            best = best.min(self.forests(forest, b.clone()) + self.costs.delete);
        }
        if let Some((_, rest, below)) = &second {
            let forest = [&rest[..], below].concat();
            best = best.min(self.forests(a.clone(), forest) + self.costs.insert);
        }
        best = match (first, second) {
            (None, None) => 0.0,
            (Some((x, rest, below)), Some((y, other_rest, other_below))) => {
                let same = self.labels[0][x] == self.labels[1][y];
                let relabel = if same { 0.0 } else { self.costs.relabel };
                let inner = self.forests(below, other_below);
                best.min(inner + self.forests(rest, other_rest) + relabel)
            }
            _ => best,
        };
        self.known.insert(key, best);
        best
    }
}

fn naive(a: &Flat, b: &Flat, costs: Costs) -> f64 {
    let mut oracle = Oracle {
        costs,
        labels: [&a.0, &b.0],
        children: [children(a), children(b)],
        known: HashMap::new(),
    };
    let root = |flat: &Flat| (0..flat.0.len().min(1)).collect();
    oracle.forests(root(a), root(b))
}

/// The distance by every plan and in both kinds of numbers.
fn every_way(a: &Tree, b: &Tree, costs: Costs) -> Vec<f64> {
    let mut scratch = strategy::Scratch::default();
    let mixed = Plan::Mixed(strategy::choose(a, b, &mut scratch).0);
    let (mut whole, mut real) = (Buffers::default(), Buffers::default());
    let mut found = Vec::new();
    for plan in [Plan::Left, Plan::Right, mixed] {
        found.push(real.distance(a, b, costs.parts(), &plan));
        if let Some(costs) = costs.whole(a, b) {
            found.push(f64::from(whole.distance(a, b, costs, &plan)));
        }
        let pairs = mapping::pairs(&mut real, a, b, costs.parts(), &plan);
        found.push(check_mapping(a, b, costs, &Mapping::of_pairs(a, b, pairs)));
    }
    found
}

/// The cost of a mapping that keeps the order and the ancestors of nodes.
fn check_mapping(a: &Tree, b: &Tree, costs: Costs, mapping: &Mapping) -> f64 {
    let pairs: Vec<_> = mapping.kept.iter().chain(&mapping.relabelled).collect();
    assert_eq!(pairs.len() + mapping.deleted.len(), a.len());
    assert_eq!(pairs.len() + mapping.inserted.len(), b.len());
    let places = |tree: &Tree, node: usize| (node, tree.to_left[tree.len() - 1 - node]);
    for &&(x, y) in &pairs {
        for &&(z, t) in &pairs {
            let (first, second) = ((places(a, x), places(a, z)), (places(b, y), places(b, t)));
            assert_eq!(first.0.0.cmp(&first.1.0), second.0.0.cmp(&second.1.0));
            assert_eq!(first.0.1.cmp(&first.1.1), second.0.1.cmp(&second.1.1));
        }
    }
    mapping.relabelled.len() as f64 * costs.relabel
        + mapping.deleted.len() as f64 * costs.delete
        + mapping.inserted.len() as f64 * costs.insert
}

fn some_costs() -> impl Strategy<Value = Costs> {
    let cost = || {
        prop_oneof![
            (0..4u8).prop_map(f64::from),
            (1..9u8).prop_map(|q| f64::from(q) / 4.0)
        ]
    };
    (cost(), cost(), cost()).prop_map(|(insert, delete, relabel)| Costs {
        insert,
        delete,
        relabel,
    })
}

#[test]
fn worked_example() {
    // The example of Zhang and Shasha: f(d(a, c(b)), e) and f(c(d(a, b)), e) are at 2.
    let first = Tree::new(&[6, 4, 1, 3, 2, 5], &[2, 2, 0, 1, 0, 0]);
    let second = Tree::new(&[6, 3, 4, 1, 2, 5], &[2, 1, 2, 0, 0, 0]);
    let mut workspace = Workspace::default();
    let costs = Costs::default();
    assert_eq!(costs.distance(&first, &second, &mut workspace), 2.0);
    assert_eq!(costs.within(&first, &second, 1.0, &mut workspace), None);
    assert_eq!(
        costs.within(&first, &second, 2.0, &mut workspace),
        Some(2.0)
    );
    let mapping = costs.mapping(&first, &second, &mut workspace);
    assert_eq!((mapping.deleted, mapping.inserted), (vec![3], vec![1]));
}

#[test]
fn edges() {
    let mut workspace = Workspace::default();
    let costs = Costs {
        insert: 2.0,
        delete: 3.0,
        relabel: 10.0,
    };
    let (none, one, other) = (
        Tree::new(&[], &[]),
        Tree::new(&[1], &[0]),
        Tree::new(&[2], &[0]),
    );
    assert_eq!(costs.distance(&none, &none, &mut workspace), 0.0);
    assert_eq!(costs.distance(&none, &one, &mut workspace), 2.0);
    assert_eq!(costs.distance(&one, &none, &mut workspace), 3.0);
    assert_eq!(costs.distance(&one, &other, &mut workspace), 5.0);
    assert_eq!(costs.mapping(&one, &none, &mut workspace).deleted, [0]);
    assert_eq!(costs.within(&none, &one, 1.0, &mut workspace), None);
    // Numbers of children that promise too much, or stop too soon.
    assert_eq!(Tree::new(&[1, 2, 3], &[u32::MAX, 5, 0]).len(), 3);
    assert_eq!(Tree::new(&[1, 2, 3], &[1, 0, 0]).len(), 2);
    assert_eq!(Tree::new(&[1, 2, 3], &[1]).len(), 1);
}

#[test]
fn deep_and_wide_trees() {
    let mut workspace = Workspace::default();
    let costs = Costs::default();
    let path = |count: usize| {
        let mut arities = vec![1; count];
        arities[count - 1] = 0;
        Tree::new(&vec![7; count], &arities)
    };
    let star = |count: usize| {
        let mut arities = vec![0; count];
        arities[0] = count as u32 - 1;
        Tree::new(&vec![7; count], &arities)
    };
    assert_eq!(
        costs.distance(&path(2000), &path(1500), &mut workspace),
        500.0
    );
    assert_eq!(
        costs.distance(&star(1000), &star(900), &mut workspace),
        100.0
    );
    // A root and one child on the path of the star's.
    assert_eq!(
        costs.distance(&path(300), &star(300), &mut workspace),
        596.0
    );
    assert_eq!(path(100_000).len(), 100_000);
}

kinwood_testing::soak! { 256;
    fn soak_every_way_agrees_with_the_recursion(a in flat(9), b in flat(9), costs in some_costs()) {
        let expected = naive(&a, &b, costs);
        let (a, b) = (tree(&a), tree(&b));
        let mut workspace = Workspace::default();
        prop_assert_eq!(costs.distance(&a, &b, &mut workspace), expected);
        prop_assert!(costs.least(&a, &b) <= expected);
        for quarters in 0..60 {
            let bound = f64::from(quarters) / 4.0;
            let wanted = (expected <= bound).then_some(expected);
            prop_assert_eq!(costs.within(&a, &b, bound, &mut workspace), wanted);
        }
        if !a.is_empty() && !b.is_empty() {
            let found = every_way(&a, &b, costs);
            prop_assert!(found.iter().all(|&distance| distance == expected), "{:?} {}", found, expected);
        }
    }

    fn soak_every_way_agrees_on_larger_trees(a in flat(60), b in flat(60), costs in some_costs()) {
        let (a, b) = (tree(&a), tree(&b));
        let mut workspace = Workspace::default();
        let expected = costs.distance(&a, &b, &mut workspace);
        let mapping = costs.mapping(&a, &b, &mut workspace);
        prop_assert_eq!(check_mapping(&a, &b, costs, &mapping), expected);
        if !a.is_empty() && !b.is_empty() {
            let found = every_way(&a, &b, costs);
            prop_assert!(found.iter().all(|&distance| distance == expected), "{:?} {}", found, expected);
        }
    }

    fn soak_unit_costs_make_a_metric(a in flat(25), b in flat(25), c in flat(25)) {
        let (costs, mut workspace) = (Costs::default(), Workspace::default());
        let mut distance = |a: &Flat, b: &Flat| costs.distance(&tree(a), &tree(b), &mut workspace);
        prop_assert_eq!(distance(&a, &a), 0.0);
        prop_assert_eq!(distance(&a, &b), distance(&b, &a));
        prop_assert_eq!(distance(&a, &b) == 0.0, a == b);
        prop_assert!(distance(&a, &c) <= distance(&a, &b) + distance(&b, &c));
    }
}
