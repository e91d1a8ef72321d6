//! Random values of random types under random compositions keep the laws that the compositions state.

use kinwood_similarity::testing::{check_distance, check_kernel};
use kinwood_similarity::{Expression, Registry};
use kinwood_values::testing::{any_type, any_value_of};
use kinwood_values::{Column, Type, Value};
use proptest::prelude::*;
use proptest::sample::select;
use proptest::strategy::ValueTree;

/// A random distance for values of a type, nested at most this deep.
fn any_distance(of: &Type, depth: usize) -> BoxedStrategy<String> {
    let own = select(distances_for(of)).prop_map(str::to_owned).boxed();
    if depth == 0 {
        return own;
    }
    let composed = match of {
        Type::List(of) | Type::Set(of) | Type::Bag(of) => {
            let outer = select(vec![
                "hausdorff(#, empty=2)",
                "hausdorff(#)",
                "min_hausdorff(#, empty=1)",
                "ranked_hausdorff(#, k=2, empty=1)",
                "sum_of_minima(#, empty=1)",
            ]);
            (outer, any_distance(of, depth - 1))
                .prop_map(|(outer, inner)| outer.replace('#', &inner))
                .boxed()
        }
        Type::Tuple(fields) if !fields.is_empty() => {
            let parts: Vec<_> = fields
                .iter()
                .map(|field| (any_distance(&field.of, depth - 1), 0u32..3))
                .collect();
            let names = select(vec!["sum", "mean", "euclidean", "rms"]);
            (
                names,
                parts,
                select(vec!["", ", missing=skip", ", missing=max"]),
            )
                .prop_filter_map("a weight", |(name, parts, missing)| {
                    let weighted: Vec<String> = parts
                        .iter()
                        .map(|(part, weight)| format!("{part} * {weight}"))
                        .collect();
                    let any = parts.iter().any(|(_, weight)| *weight > 0);
                    any.then(|| format!("{name}({}{missing})", weighted.join(", ")))
                })
                .boxed()
        }
        _ => return own,
    };
    prop_oneof![1 => own, 3 => composed].boxed()
}

fn distances_for(of: &Type) -> Vec<&'static str> {
    let mut names = vec![
        "default",
        "discrete",
        "scaled(discrete, by=2)",
        "induced(delta)",
    ];
    names.extend(match of {
        Type::Numeric | Type::DateTime => vec!["absolute", "absolute(range=7)"],
        Type::Set(_) | Type::Bag(_) | Type::List(_) => {
            vec!["symmetric_difference", "induced(set(delta, power=2))"]
        }
        _ => vec![],
    });
    names
}

fn small_type() -> BoxedStrategy<Type> {
    any_type()
        .prop_filter("small and with parts to compare", |of| {
            let text = of.to_string();
            text.len() < 60 && !text.contains("tuple<>") && !empty_tuple(of)
        })
        .boxed()
}

fn empty_tuple(of: &Type) -> bool {
    match of {
        Type::Tuple(fields) => {
            fields.is_empty() || fields.iter().any(|field| empty_tuple(&field.of))
        }
        Type::List(of) | Type::Set(of) | Type::Bag(of) => empty_tuple(of),
        _ => false,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, max_global_rejects: 100_000, ..ProptestConfig::default() })]

    #[test]
    fn compositions_keep_their_laws(
        (of, expression, values) in small_type().prop_flat_map(|of| {
            let values = prop::collection::vec(any_value_of(&of).prop_map(tame), 1..6);
            let expression = any_distance(&of, 3);
            (Just(of), expression, values)
        })
    ) {
        let registry = Registry::builtin();
        let parsed: Expression = expression.parse().unwrap();
        let column = Column::from_values(&of, &values).unwrap();
        let distance = registry.distance(&parsed, &of, Some(&column), "the values");
        let distance = match distance {
            Ok(distance) => distance,
            Err(error) => return Err(TestCaseError::reject(error.to_string())),
        };
        let checked = check_distance(registry, &distance, &values);
        prop_assert!(checked.is_ok(), "{expression} on {of}: {}", checked.unwrap_err());
    }
}

#[test]
fn kernels_are_inner_products_where_they_say_so() {
    let registry = Registry::builtin();
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let cases = [
        ("nominal", "delta"),
        ("numeric", "gaussian(0.5)"),
        ("numeric", "product"),
        ("set<nominal>", "set(delta)"),
        ("bag<numeric>", "set(gaussian(2), power=0.5)"),
        ("bag<numeric>", "normalised(set(gaussian(2), power=3))"),
        ("tuple<nominal, numeric>", "add(delta, gaussian)"),
        ("tuple<nominal, numeric>", "multiply(delta, gaussian)"),
        ("numeric", "gaussian(absolute, gamma=2)"),
        ("numeric", "linear(absolute, origin='1')"),
        ("numeric", "polynomial(absolute, p=3, origin='1')"),
        ("nominal", "negative(discrete)"),
        ("nominal", "gaussian(discrete)"),
    ];
    for (of, expression) in cases {
        let of: Type = of.parse().unwrap();
        let kernel = registry
            .kernel(&expression.parse().unwrap(), &of, None, "the values")
            .unwrap();
        let values = prop::collection::vec(any_value_of(&of).prop_map(tame), 1..7);
        for _ in 0..60 {
            let values = values.new_tree(&mut runner).unwrap().current();
            let checked = check_kernel(registry, &kernel, &values);
            assert!(checked.is_ok(), "{expression}: {}", checked.unwrap_err());
        }
    }
}

/// Numbers of a size that squares and sums of them are exact enough, and none overflows.
fn tame(value: Value) -> Value {
    let all = |values: Vec<Value>| values.into_iter().map(tame).collect();
    match value {
        Value::Number(number) => Value::Number((number % 16.0 * 4.0).round() / 4.0),
        Value::Bag(values) => Value::bag(all(values)),
        Value::Set(values) => Value::set(all(values)),
        Value::Tuple(values) => Value::Tuple(all(values)),
        Value::List(values) => Value::List(all(values)),
        Value::DateTime(time) => Value::DateTime(time / 1000 * 1000),
        other => other,
    }
}
