//! Measures bound to columns agree with their definitions, computed on single values by trial and
//! recursion.
//!
//! Queries and references are different columns, built in different orders, so that their
//! dictionaries differ.

use std::collections::BTreeMap;

use kinwood_similarity::{Bound, Registry};
use kinwood_values::term::Node;
use kinwood_values::{Column, Edge, Graph, GraphNode, Term, Type, Value};
use proptest::prelude::*;
use proptest::sample::select;

/// What an expression gives for each query and each reference, numbers as they are and pairs as
/// two.
fn all_pairs(
    expression: &str,
    of: &str,
    queries: &[Value],
    references: &[Value],
) -> Vec<Vec<(f64, f64)>> {
    let of: Type = of.parse().unwrap();
    let column = |values: &[Value]| Column::from_values(&of, values).unwrap();
    let (queries, references) = (column(queries), column(references));
    let (registry, parsed) = (Registry::builtin(), expression.parse().unwrap());
    if registry
        .find(expression.split('(').next().unwrap())
        .unwrap()
        .is_kernel()
    {
        let kernel = registry.kernel(&parsed, &of, None, "the values").unwrap();
        let gram = kernel.bind(&queries, &references).unwrap();
        return (0..queries.len())
            .map(|query| {
                let mut out = vec![0.0; references.len()];
                gram.prepare(query).fill(0..references.len(), &mut out);
                out.into_iter().map(|inner| (inner, 0.0)).collect()
            })
            .collect();
    }
    let distance = registry.distance(&parsed, &of, None, "the values").unwrap();
    let bound = distance.bind(&queries, &references).unwrap();
    (0..queries.len())
        .map(|query| match &bound {
            Bound::Real(pairs) => {
                let mut out = vec![0.0; references.len()];
                pairs.prepare(query).fill(0..references.len(), &mut out);
                out.into_iter().map(|distance| (distance, 0.0)).collect()
            }
            Bound::Term(pairs) => {
                let zero = kinwood_similarity::Score::zero();
                let mut out = vec![zero; references.len()];
                pairs.prepare(query).fill(0..references.len(), &mut out);
                out.into_iter()
                    .map(|size: kinwood_similarity::TermSize| {
                        (size.functors as f64, size.variables as f64)
                    })
                    .collect()
            }
        })
        .collect()
}

fn agrees(
    expression: &str,
    of: &str,
    queries: &[Value],
    references: &[Value],
    oracle: impl Fn(&Value, &Value) -> (f64, f64),
) -> Result<(), TestCaseError> {
    let found = all_pairs(expression, of, queries, references);
    for (a, row) in queries.iter().zip(found) {
        for (b, found) in references.iter().zip(row) {
            let expected = oracle(a, b);
            let near = |x: f64, y: f64| (x - y).abs() <= 1e-12 * (1.0 + y.abs());
            prop_assert!(
                near(found.0, expected.0) && near(found.1, expected.1),
                "{expression} of {a} and {b}: {found:?}, expected {expected:?}"
            );
        }
    }
    Ok(())
}

// ----- collections -----

fn members(value: &Value) -> Vec<f64> {
    let (Value::Bag(members) | Value::Set(members)) = value else {
        panic!("{value}")
    };
    let number = |value: &Value| match value {
        Value::Number(number) => *number,
        other => panic!("{other}"),
    };
    members.iter().map(number).collect()
}

/// The least total over the sets of pairs that are allowed, by trying each.
fn by_trial(a: &Value, b: &Value, allowed: impl Fn(&[usize], &[usize]) -> bool, alone: f64) -> f64 {
    let (a, b) = (members(a), members(b));
    let mut least = f64::INFINITY;
    for chosen in 0u32..1 << (a.len() * b.len()) {
        let (mut left, mut right) = (vec![0; a.len()], vec![0; b.len()]);
        let mut total = 0.0;
        for pair in (0..a.len() * b.len()).filter(|pair| chosen >> pair & 1 == 1) {
            let (i, j) = (pair / b.len(), pair % b.len());
            left[i] += 1;
            right[j] += 1;
            total += (a[i] - b[j]).abs();
        }
        if allowed(&left, &right) {
            let unpaired = left.iter().chain(&right).filter(|&&times| times == 0);
            least = least.min(total + unpaired.count() as f64 * alone);
        }
    }
    least
}

pub fn onto(left: &[usize], right: &[usize]) -> bool {
    let (larger, smaller) = if left.len() >= right.len() {
        (left, right)
    } else {
        (right, left)
    };
    larger.iter().all(|&times| times == 1) && smaller.iter().all(|&times| times > 0)
}

pub fn fair(left: &[usize], right: &[usize]) -> bool {
    let smaller = if left.len() >= right.len() {
        right
    } else {
        left
    };
    onto(left, right) && smaller.iter().max().unwrap() - smaller.iter().min().unwrap() <= 1
}

fn bags(least: usize) -> impl Strategy<Value = Vec<Value>> {
    let bag = prop::collection::vec(
        (0..20u8).prop_map(|x| Value::Number(f64::from(x) / 2.0)),
        least..=3,
    );
    prop::collection::vec(bag.prop_map(Value::bag), 1..=4)
}

// ----- terms -----

fn any_term(ground: bool) -> BoxedStrategy<Vec<Node>> {
    let constant = |name: &str| Node::Functor {
        name: name.to_owned(),
        arity: 0,
    };
    let variable = |name: &str| Node::Variable(name.to_owned());
    let mut leaves = vec![
        constant("a"),
        constant("b"),
        Node::Number(0.0),
        Node::Number(1.5),
    ];
    if !ground {
        leaves.extend([variable("X"), variable("Y")]);
    }
    select(leaves)
        .prop_map(|leaf| vec![leaf])
        .prop_recursive(3, 16, 3, |inner| {
            (select(vec!["a", "f"]), prop::collection::vec(inner, 1..=3)).prop_map(
                |(name, arguments)| {
                    let functor = Node::Functor {
                        name: name.to_owned(),
                        arity: arguments.len() as u32,
                    };
                    std::iter::once(functor)
                        .chain(arguments.into_iter().flatten())
                        .collect()
                },
            )
        })
        .boxed()
}

fn terms(ground: bool) -> impl Strategy<Value = Vec<Value>> {
    let term = any_term(ground).prop_map(|nodes| Value::Term(Term::new(nodes).unwrap()));
    prop::collection::vec(term, 1..=4)
}

fn term(value: &Value) -> &Term {
    match value {
        Value::Term(term) => term,
        other => panic!("{other}"),
    }
}

/// Folds two terms together: `differ` where the symbols do, else `same` of what the arguments gave.
fn together(
    (a, i): (&Term, usize),
    (b, j): (&Term, usize),
    same: &impl Fn(&Node, &Node, Vec<f64>) -> f64,
    differ: &mut impl FnMut((usize, usize)) -> f64,
) -> f64 {
    let alike = match (a.node(i), b.node(j)) {
        (Node::Variable(_), _) | (_, Node::Variable(_)) => false,
        (one, other) => one == other,
    };
    if !alike {
        return differ((i, j));
    }
    let pairs: Vec<_> = a.children(i).zip(b.children(j)).collect();
    let arguments = pairs
        .into_iter()
        .map(|(i, j)| together((a, i), (b, j), same, differ));
    let arguments = arguments.collect();
    same(a.node(i), b.node(j), arguments)
}

pub fn nienhuys_cheng(a: &Value, b: &Value) -> (f64, f64) {
    let same = |_: &Node, _: &Node, arguments: Vec<f64>| {
        let count = arguments.len().max(1) as f64;
        arguments.iter().sum::<f64>() / (2.0 * count)
    };
    (
        together((term(a), 0), (term(b), 0), &same, &mut |_| 1.0),
        0.0,
    )
}

fn size(term: &Term) -> (f64, f64) {
    let mut variables: BTreeMap<&str, f64> = BTreeMap::new();
    let mut functors = 0.0;
    for node in term.nodes() {
        match node {
            Node::Variable(name) => *variables.entry(name).or_default() += 1.0,
            _ => functors += 1.0,
        }
    }
    (
        functors,
        variables.values().map(|times| times * times).sum(),
    )
}

pub fn lgg(a: &Value, b: &Value) -> (f64, f64) {
    let (a, b) = (term(a), term(b));
    let mut met: BTreeMap<(Vec<Node>, Vec<Node>), f64> = BTreeMap::new();
    let same = |_: &Node, _: &Node, arguments: Vec<f64>| 1.0 + arguments.iter().sum::<f64>();
    let functors = together((a, 0), (b, 0), &same, &mut |(i, j)| {
        let subterm = |of: &Term, node: usize| of.nodes()[node..node + of.size(node)].to_vec();
        *met.entry((subterm(a, i), subterm(b, j))).or_default() += 1.0;
        0.0
    });
    let variables: f64 = met.values().map(|times| times * times).sum();
    let (one, other) = (size(a), size(b));
    (
        one.0 + other.0 - 2.0 * functors,
        one.1 + other.1 - 2.0 * variables,
    )
}

pub fn structural(a: &Value, b: &Value, numbers: impl Fn(f64, f64) -> f64) -> (f64, f64) {
    let (a, b) = (term(a), term(b));
    let same = |one: &Node, other: &Node, arguments: Vec<f64>| match (one, other) {
        (Node::Number(x), Node::Number(y)) => numbers(*x, *y),
        _ => 1.0 + arguments.iter().sum::<f64>(),
    };
    let inner = together(
        (a, 0),
        (b, 0),
        &same,
        &mut |(i, j)| match (a.node(i), b.node(j)) {
            (Node::Number(x), Node::Number(y)) => numbers(*x, *y),
            (Node::Variable(x), Node::Variable(y)) if x == y => 1.0,
            _ => 0.0,
        },
    );
    (inner, 0.0)
}

// ----- graphs -----

fn graphs() -> impl Strategy<Value = Vec<Value>> {
    let labels = prop::collection::vec(prop::option::of(select(vec!["c", "n", "0"])), 1..=3);
    let graph = (any::<bool>(), labels).prop_flat_map(|(directed, labels)| {
        let end = 0..labels.len() as u32;
        let edge = (
            end.clone(),
            end,
            prop::option::of(select(vec!["c", "double"])),
        )
            .prop_map(|(from, to, label)| Edge {
                from,
                to,
                label: label.map(str::to_owned),
            });
        prop::collection::vec(edge, 0..=4).prop_map(move |edges| {
            let nodes = labels.iter().enumerate().map(|(id, label)| GraphNode {
                id: id.to_string(),
                label: label.map(str::to_owned),
            });
            Value::Graph(Graph::new(directed, nodes.collect(), edges).unwrap())
        })
    });
    prop::collection::vec(graph, 1..=4)
}

fn graph(value: &Value) -> &Graph {
    match value {
        Value::Graph(graph) => graph,
        other => panic!("{other}"),
    }
}

pub fn histogram(a: &Value, b: &Value) -> (f64, f64) {
    let mut counts: BTreeMap<(bool, Vec<String>), f64> = BTreeMap::new();
    for (value, sign) in [(a, 1.0), (b, -1.0)] {
        let graph = graph(value);
        let label = |node: u32| graph.nodes()[node as usize].label().to_owned();
        for node in 0..graph.nodes().len() as u32 {
            *counts.entry((false, vec![label(node)])).or_default() += sign;
        }
        for edge in graph.edges() {
            let mut feature = vec![label(edge.from), label(edge.to)];
            if !graph.directed() {
                feature.sort();
            }
            feature.extend(edge.label.iter().map(|label| format!("labelled {label}")));
            *counts.entry((graph.directed(), feature)).or_default() += sign;
        }
    }
    (counts.values().map(|count| count.abs()).sum(), 0.0)
}

/// The sum over walks of the product graph, its matrix written out.
pub fn walk(a: &Value, b: &Value, weight: impl Fn(i32) -> f64) -> (f64, f64) {
    let (a, b) = (graph(a), graph(b));
    let steps = |graph: &Graph| -> Vec<(u32, u32, Option<String>)> {
        let forth = graph
            .edges()
            .iter()
            .map(|edge| (edge.from, edge.to, edge.label.clone()));
        let back = graph
            .edges()
            .iter()
            .filter(|edge| !graph.directed() && edge.from != edge.to);
        forth
            .chain(back.map(|edge| (edge.to, edge.from, edge.label.clone())))
            .collect()
    };
    let label = |graph: &Graph, node: u32| graph.nodes()[node as usize].label().to_owned();
    let width = b.nodes().len();
    let size = a.nodes().len() * width;
    let mut matrix = vec![vec![0.0; size]; size];
    for one in steps(a) {
        for other in steps(b) {
            let ends = label(a, one.0) == label(b, other.0) && label(a, one.1) == label(b, other.1);
            if ends && one.2 == other.2 {
                let place = |i: u32, j: u32| i as usize * width + j as usize;
                matrix[place(one.0, other.0)][place(one.1, other.1)] += 1.0;
            }
        }
    }
    let mut walks = vec![1.0; size];
    let mut sum = 0.0;
    for length in 1..150 {
        walks = matrix
            .iter()
            .map(|row| {
                row.iter()
                    .zip(&walks)
                    .map(|(entry, walks)| entry * walks)
                    .sum()
            })
            .collect();
        sum += weight(length) * walks.iter().sum::<f64>();
    }
    (sum, 0.0)
}

pub fn over_factorial(length: i32) -> f64 {
    (1..=length).map(f64::from).map(f64::recip).product()
}

/// The least number of edits over all ways to map nodes to nodes or to none.
fn least_edits(a: &Value, b: &Value) -> f64 {
    let (a, b) = (graph(a), graph(b));
    let directed = a.directed() || b.directed();
    // The labels of the edges from one node to another; an undirected edge goes both ways or, if
    // both graphs are undirected, from the lower number to the higher.
    let between = |graph: &Graph, names: &[usize]| {
        let mut labels: BTreeMap<(usize, usize), Vec<Option<String>>> = BTreeMap::new();
        for edge in graph.edges() {
            let (from, to) = (names[edge.from as usize], names[edge.to as usize]);
            let mut ways = if directed {
                vec![(from, to)]
            } else {
                vec![(from.min(to), from.max(to))]
            };
            if directed && !graph.directed() && from != to {
                ways.push((to, from));
            }
            for way in ways {
                labels.entry(way).or_default().push(edge.label.clone());
            }
        }
        labels
    };
    fn maps(rows: usize, columns: usize) -> Vec<Vec<Option<usize>>> {
        if rows == 0 {
            return vec![vec![]];
        }
        let shorter = maps(rows - 1, columns);
        let mut all = Vec::new();
        for map in shorter {
            for image in (0..columns).map(Some).chain([None]) {
                if image.is_none() || !map.contains(&image) {
                    let mut longer = map.clone();
                    longer.push(image);
                    all.push(longer);
                }
            }
        }
        all
    }
    let (rows, columns) = (a.nodes().len(), b.nodes().len());
    let own: Vec<usize> = (0..columns).collect();
    let wanted = between(b, &own);
    let mut least = usize::MAX;
    for map in maps(rows, columns) {
        // A deleted node goes where no node of the other graph is.
        let names: Vec<usize> = map
            .iter()
            .enumerate()
            .map(|(node, image)| image.unwrap_or(columns + node))
            .collect();
        let kept = map.iter().flatten().count();
        let mut edits = rows + columns - 2 * kept;
        for (node, image) in map.iter().enumerate() {
            if let Some(image) = image {
                edits += usize::from(a.nodes()[node].label() != b.nodes()[*image].label());
            }
        }
        let had = between(a, &names);
        let places: std::collections::BTreeSet<_> = had.keys().chain(wanted.keys()).collect();
        for place in places {
            let none = Vec::new();
            let from = had.get(place).unwrap_or(&none);
            let mut to = wanted.get(place).unwrap_or(&none).clone();
            let longer = from.len().max(to.len());
            let same = from
                .iter()
                .filter(|label| match to.iter().position(|other| other == *label) {
                    Some(at) => {
                        to.swap_remove(at);
                        true
                    }
                    None => false,
                })
                .count();
            edits += longer - same;
        }
        least = least.min(edits);
    }
    least as f64
}

kinwood_testing::soak! { 256;
    fn soak_collections(queries in bags(1), references in bags(1), most in select(vec![0.5, 1.0, 3.0, 20.0])) {
        let matched = |left: &[usize], right: &[usize]| left.iter().chain(right).all(|&times| times <= 1);
        let all = |left: &[usize], right: &[usize]| left.iter().chain(right).all(|&times| times > 0);
        let matching = format!("matching(absolute, M={most})");
        agrees(&matching, "bag<numeric>", &queries, &references, |a, b| {
            (by_trial(a, b, matched, most / 2.0), 0.0)
        })?;
        agrees("surjection(absolute)", "bag<numeric>", &queries, &references, |a, b| {
            (by_trial(a, b, onto, 0.0), 0.0)
        })?;
        agrees("fair_surjection(absolute)", "bag<numeric>", &queries, &references, |a, b| {
            (by_trial(a, b, fair, 0.0), 0.0)
        })?;
        agrees("link(absolute)", "bag<numeric>", &queries, &references, |a, b| {
            (by_trial(a, b, all, 0.0), 0.0)
        })?;
    }

    fn soak_matchings_with_empty_bags(queries in bags(0), references in bags(0)) {
        let matched = |left: &[usize], right: &[usize]| left.iter().chain(right).all(|&times| times <= 1);
        agrees("matching(absolute, M=4)", "bag<numeric>", &queries, &references, |a, b| {
            (by_trial(a, b, matched, 2.0), 0.0)
        })?;
    }

    fn soak_ground_terms(queries in terms(true), references in terms(true)) {
        agrees("nienhuys_cheng", "term", &queries, &references, nienhuys_cheng)?;
    }

    fn soak_terms_with_variables(queries in terms(false), references in terms(false)) {
        agrees("lgg", "term", &queries, &references, lgg)?;
        agrees("symbols(lgg)", "term", &queries, &references, |a, b| (lgg(a, b).0, 0.0))?;
        agrees("structural", "term", &queries, &references, |a, b| structural(a, b, |x, y| x * y))?;
        let gaussian = |x: f64, y: f64| (-0.5 * (x - y) * (x - y)).exp();
        agrees("structural(gaussian(0.5))", "term", &queries, &references, |a, b| {
            structural(a, b, gaussian)
        })?;
    }

    fn soak_labelled_graphs(queries in graphs(), references in graphs()) {
        agrees("label_histogram", "graph", &queries, &references, histogram)?;
        agrees("walk", "graph", &queries, &references, |a, b| walk(a, b, over_factorial))?;
        agrees("walk(weight=0.03)", "graph", &queries, &references, |a, b| {
            walk(a, b, |length| 0.03f64.powi(length))
        })?;
        let found = all_pairs("graph_edit", "graph", &queries, &references);
        for (a, row) in queries.iter().zip(found) {
            for (b, (found, _)) in references.iter().zip(row) {
                prop_assert!(found >= least_edits(a, b), "{a} and {b}: {found}");
                let size = |value: &Value| graph(value).nodes().len() + 2 * graph(value).edges().len();
                prop_assert!(found <= (size(a) + size(b)) as f64, "{a} and {b}: {found}");
            }
        }
    }
}
