//! Generators of random types and values, for the property tests of the other crates.
//!
//! A crate of its own, and only ever a dev-dependency: with a feature of `values` in its place,
//! tests and programs would be compiled from two different builds of `values`.
//!
//! Names are full of quotes, brackets and blanks on purpose: that is where text forms go wrong.
//!
//! Tests that compare what is fast with what is plain run through [`soak()`], which tries a few
//! cases in ordinary runs and fresh ones for as long as is wished.

mod soak;

pub use soak::{soak, soak_of};

use kinwood_values::term::{EMPTY_LIST, LIST, Node};
use kinwood_values::{Edge, Field, Graph, GraphNode, Term, Tree, Type, Value};
use proptest::collection::vec;
use proptest::num::f64 as floats;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

/// Short texts of ordinary, awkward and arbitrary characters.
pub fn any_text() -> BoxedStrategy<String> {
    let ordinary = select(vec!['a', 'b', 'x', 'A', '_', '1', 'é']);
    let awkward = select("'\"`()[]{}<>|,:;.?- \n\t\\".chars().collect::<Vec<_>>());
    let character = prop_oneof![4 => ordinary, 2 => awkward, 1 => any::<char>()];
    vec(character, 0..5).prop_map(String::from_iter).boxed()
}

/// Finite numbers of all magnitudes, small integers among them; never minus zero.
pub fn any_number() -> BoxedStrategy<f64> {
    let anything =
        floats::POSITIVE | floats::NEGATIVE | floats::NORMAL | floats::SUBNORMAL | floats::ZERO;
    prop_oneof![
        (-5i32..6).prop_map(f64::from),
        anything.prop_map(|number| number + 0.0)
    ]
    .boxed()
}

/// Points in time that the calendar has, midnights among them.
pub fn any_datetime() -> BoxedStrategy<i64> {
    const DAY: i64 = 86_400_000;
    prop_oneof![
        (-50_000i64..50_000).prop_map(|day| day * DAY),
        -50_000 * DAY..50_000 * DAY,
        // The calendar ends a little after the 1,200th part of what an i64 holds.
        any::<i64>().prop_map(|time| time / 1_200),
    ]
    .boxed()
}

/// Numbers of children, in preorder, of trees with at most `nodes` nodes.
fn any_shape(nodes: usize) -> BoxedStrategy<Vec<u32>> {
    vec(any::<prop::sample::Index>(), 0..nodes)
        .prop_map(|parents| {
            // Node i + 1 hangs below one of the nodes on the way to node i: this keeps the
            // preorder.
            let mut arities = vec![0];
            let mut way = vec![0];
            for (i, parent) in parents.iter().enumerate() {
                way.truncate(parent.index(way.len()) + 1);
                arities[way[way.len() - 1]] += 1;
                arities.push(0);
                way.push(i + 1);
            }
            arities
        })
        .boxed()
}

/// Trees of up to 10 nodes.
pub fn any_tree() -> BoxedStrategy<Tree> {
    any_shape(10)
        .prop_flat_map(|arities| (vec(any_text(), arities.len()), Just(arities)))
        .prop_map(|(labels, arities)| {
            Tree::new(labels, arities).expect("a shape is one tree with a label for each node")
        })
        .boxed()
}

/// Terms of up to 12 symbols: functors, numbers, variables, lists.
pub fn any_term() -> BoxedStrategy<Term> {
    let name = prop_oneof![
        2 => select(vec!["a", "f", LIST, EMPTY_LIST, "X", "_"]).prop_map(str::to_owned),
        1 => any_text(),
    ];
    let variable = select(vec!["X", "Y1", "_1", "_z", "Éa"]);
    let symbol = (0..3, name, any_number(), variable);
    any_shape(12)
        .prop_flat_map(move |arities| (vec(symbol.clone(), arities.len()), Just(arities)))
        .prop_map(|(symbols, arities)| {
            let nodes = symbols.into_iter().zip(arities);
            let nodes = nodes.map(
                |((kind, name, number, variable), arity)| match (kind, arity) {
                    (0, 0) => Node::Number(number),
                    (1, 0) => Node::Variable(variable.to_owned()),
                    _ => Node::Functor { name, arity },
                },
            );
            Term::new(nodes.collect()).expect("a shape is one term and its symbols are valid")
        })
        .boxed()
}

/// Graphs of up to 4 nodes and 5 edges.
pub fn any_graph() -> BoxedStrategy<Graph> {
    vec(any_text(), 0..5)
        .prop_flat_map(|mut ids| {
            ids.sort();
            ids.dedup();
            let count = ids.len();
            let most_edges = if count == 0 { 0 } else { 5 };
            let end = 0..u32::try_from(count.max(1)).expect("a few nodes");
            (
                any::<bool>(),
                Just(ids).prop_shuffle(),
                prop_oneof![
                    Just(vec![None; count]).boxed(),
                    vec(option::of(any_text()), count).boxed(),
                ],
                vec((end.clone(), end, option::of(any_text())), 0..=most_edges),
            )
        })
        .prop_map(|(directed, ids, labels, edges)| {
            let nodes = ids
                .into_iter()
                .zip(labels)
                .map(|(id, label)| GraphNode { id, label });
            let edges = edges
                .into_iter()
                .map(|(from, to, label)| Edge { from, to, label });
            Graph::new(directed, nodes.collect(), edges.collect())
                .expect("identifiers are unique and edges in range")
        })
        .boxed()
}

/// Types nested up to 3 levels inside each other.
pub fn any_type() -> BoxedStrategy<Type> {
    let plain = prop_oneof![
        6 => select(vec![
            Type::Nominal,
            Type::Numeric,
            Type::DateTime,
            Type::String,
            Type::Tree,
            Type::Term,
            Type::Graph,
        ]),
        1 => any_text().prop_map(Type::Ref),
    ];
    plain
        .prop_recursive(3, 16, 4, |inner| {
            let boxed = || inner.clone().prop_map(Box::new);
            let fields = vec((option::of(any_text()), inner.clone()), 0..4);
            prop_oneof![
                boxed().prop_map(Type::List),
                boxed().prop_map(Type::Set),
                boxed().prop_map(Type::Bag),
                fields.prop_map(|fields| Type::Tuple(unlike_named(fields))),
            ]
        })
        .boxed()
}

/// Fields whose repeated names are dropped.
fn unlike_named(fields: Vec<(Option<String>, Type)>) -> Vec<Field> {
    let mut unlike: Vec<Field> = Vec::new();
    for (name, of) in fields {
        let name = name.filter(|name| unlike.iter().all(|field| field.name.as_ref() != Some(name)));
        unlike.push(Field { name, of });
    }
    unlike
}

/// Values of a type, one in ten missing at every level.
pub fn any_value_of(of: &Type) -> BoxedStrategy<Value> {
    let present = match of {
        Type::Nominal => any_text().prop_map(Value::Symbol).boxed(),
        Type::Numeric => any_number().prop_map(Value::Number).boxed(),
        Type::DateTime => any_datetime().prop_map(Value::DateTime).boxed(),
        Type::String => any_text().prop_map(Value::Text).boxed(),
        Type::List(of) => vec(any_value_of(of), 0..4).prop_map(Value::List).boxed(),
        Type::Set(of) => vec(any_value_of(of), 0..4).prop_map(Value::set).boxed(),
        Type::Bag(of) => vec(any_value_of(of), 0..4).prop_map(Value::bag).boxed(),
        Type::Tuple(fields) => {
            let values: Vec<_> = fields.iter().map(|field| any_value_of(&field.of)).collect();
            values.prop_map(Value::Tuple).boxed()
        }
        Type::Tree => any_tree().prop_map(Value::Tree).boxed(),
        Type::Term => any_term().prop_map(Value::Term).boxed(),
        Type::Graph => any_graph().prop_map(Value::Graph).boxed(),
        Type::Ref(_) => any::<u32>().prop_map(Value::Ref).boxed(),
    };
    prop_oneof![1 => Just(Value::Missing), 9 => present].boxed()
}

/// A type and a value of it.
pub fn any_typed_value() -> BoxedStrategy<(Type, Value)> {
    any_type()
        .prop_flat_map(|of| {
            let value = any_value_of(&of);
            (Just(of), value)
        })
        .boxed()
}
