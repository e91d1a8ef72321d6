//! Statistics against what one would compute value by value.

use super::*;
use kinwood_testing::{any_type, any_value_of};
use kinwood_values::{Field, Value};
use proptest::prelude::*;
use std::collections::BTreeMap;

fn part(column: &Column) -> Part {
    let rows: Vec<u32> = (0..column.len() as u32).collect();
    Part::of(None, column, &rows)
}

fn close(a: Option<f64>, b: Option<f64>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => (a - b).abs() <= 1e-9 * (1.0 + a.abs().max(b.abs())),
        (a, b) => a == b,
    }
}

#[test]
fn numbers_by_hand() {
    let column = Column::numeric(vec![4.0, 1.0, f64::NAN, 2.0, 2.0]);
    assert_eq!(
        part(&column),
        Part {
            name: None,
            of: Type::Numeric,
            missing: Some(0.2),
            statistics: Some(Statistics::Numeric {
                min: Some(1.0),
                max: Some(4.0),
                mean: Some(2.25),
                sd: Some((4.75_f64 / 3.0).sqrt()),
                distinct: 3,
                quartiles: Some([1.75, 2.0, 2.5]),
            }),
        }
    );
}

#[test]
fn what_is_undefined_is_none() {
    let nothing = |distinct| Statistics::Numeric {
        min: None,
        max: None,
        mean: None,
        sd: None,
        distinct,
        quartiles: None,
    };
    let empty = part(&Column::numeric(vec![]));
    assert_eq!((empty.missing, empty.statistics), (None, Some(nothing(0))));
    let missing = part(&Column::numeric(vec![f64::NAN; 3]));
    assert_eq!(
        (missing.missing, missing.statistics),
        (Some(1.0), Some(nothing(0)))
    );
    let Some(Statistics::Numeric { sd, mean, .. }) = part(&Column::numeric(vec![3.0])).statistics
    else {
        panic!("numbers")
    };
    assert_eq!((mean, sd), (Some(3.0), None));
}

#[test]
fn huge_numbers_give_no_infinite_ones() {
    let column = Column::numeric(vec![f64::MAX, f64::MAX, -f64::MAX, f64::MAX]);
    let Some(Statistics::Numeric {
        mean,
        sd,
        quartiles,
        ..
    }) = part(&column).statistics
    else {
        panic!("numbers")
    };
    assert_eq!((mean, sd), (None, None));
    let [lower, median, upper] = quartiles.unwrap();
    assert_eq!((median, upper), (f64::MAX, f64::MAX));
    assert!(lower.is_finite());
}

#[test]
fn zeros_of_both_signs_are_one_number() {
    let column = Column::new(Cells::Numeric(vec![0.0, -0.0]), None);
    let Some(Statistics::Numeric { distinct, .. }) = part(&column).statistics else {
        panic!("numbers")
    };
    assert_eq!(distinct, 1);
}

#[test]
fn ten_labels_are_named_and_ties_keep_their_order() {
    let labels: Vec<String> = (0..14).map(|i| format!("l{}", 13 - i)).collect();
    let twice = labels.iter().chain([&labels[12]]);
    let column = Column::nominal(twice.map(|label| Some(label.as_str())));
    let Some(Statistics::Nominal {
        distinct,
        most_frequent,
    }) = part(&column).statistics
    else {
        panic!("labels")
    };
    assert_eq!(distinct, 14);
    let names: Vec<&str> = most_frequent.iter().map(|f| f.value.as_str()).collect();
    assert_eq!(
        names,
        [
            "l1", "l13", "l12", "l11", "l10", "l9", "l8", "l7", "l6", "l5"
        ]
    );
    assert_eq!(most_frequent[0].count, 2);
}

#[test]
fn fillers_of_missing_tuples_do_not_count() {
    let fields = vec![Column::numeric(vec![1.0, 99.0])];
    let cells = Cells::Tuple {
        names: vec![Some("x".into())],
        fields,
        rows: 2,
    };
    let column = Column::new(
        cells,
        Some(kinwood_values::Validity::from_bits([true, false])),
    );
    let described = part(&column);
    assert_eq!(described.missing, Some(0.5));
    let Some(Statistics::Tuple { fields }) = described.statistics else {
        panic!("tuples")
    };
    assert_eq!(fields[0].missing, Some(0.0));
    assert_eq!(fields[0].name.as_deref(), Some("x"));
    assert!(matches!(
        fields[0].statistics,
        Some(Statistics::Numeric {
            max: Some(1.0),
            distinct: 1,
            ..
        })
    ));
}

/// The same statistics from values taken out of the column, in the plainest way.
fn oracle(of: &Type, name: Option<String>, values: &[Value]) -> Part {
    let all = values.len();
    let values: Vec<&Value> = values.iter().filter(|v| **v != Value::Missing).collect();
    let fraction = |count: usize| (!values.is_empty()).then(|| count as f64 / values.len() as f64);
    let spread = |count: &dyn Fn(&Value) -> usize| {
        let counts: Vec<usize> = values.iter().map(|value| count(value)).collect();
        Some(Spread {
            min: *counts.iter().min()?,
            mean: counts.iter().sum::<usize>() as f64 / counts.len() as f64,
            max: *counts.iter().max()?,
        })
    };
    let mut different: Vec<&Value> = values.clone();
    different.sort();
    different.dedup();
    let statistics = match of {
        Type::Numeric => {
            let mut numbers: Vec<f64> = values
                .iter()
                .map(|value| match value {
                    Value::Number(number) => *number,
                    other => panic!("no number: {other}"),
                })
                .collect();
            numbers.sort_by(f64::total_cmp);
            let n = numbers.len() as f64;
            let mean = numbers.iter().map(|x| x / n).sum::<f64>();
            let squares: f64 = numbers.iter().map(|x| (x - mean) * (x - mean)).sum();
            let at = |place: f64| {
                let (low, high) = (
                    numbers[place.floor() as usize],
                    numbers[place.ceil() as usize],
                );
                low + (high - low) * place.fract()
            };
            let last = n - 1.0;
            Statistics::Numeric {
                min: numbers.first().copied(),
                max: numbers.last().copied(),
                mean: (n > 0.0).then_some(mean),
                sd: (n > 1.0).then(|| (squares / last).sqrt()),
                distinct: different.len(),
                quartiles: (n > 0.0).then(|| [at(last / 4.0), at(last / 2.0), at(last * 0.75)]),
            }
        }
        Type::Nominal => {
            let mut counts: BTreeMap<String, (usize, usize)> = BTreeMap::new();
            for (position, value) in values.iter().enumerate() {
                counts.entry(value.to_string()).or_insert((0, position)).0 += 1;
            }
            let mut counts: Vec<_> = counts.into_iter().collect();
            counts.sort_by_key(|(_, (count, first))| (Reverse(*count), *first));
            Statistics::Nominal {
                distinct: counts.len(),
                most_frequent: counts
                    .into_iter()
                    .take(10)
                    .map(|(value, (count, _))| Frequency { value, count })
                    .collect(),
            }
        }
        Type::DateTime => Statistics::DateTime {
            earliest: different.first().map(ToString::to_string),
            latest: different.last().map(ToString::to_string),
        },
        Type::String => Statistics::String {
            distinct: different.len(),
            length: spread(&|value| value.to_string().chars().count()),
        },
        Type::List(of) | Type::Set(of) | Type::Bag(of) => {
            let members = |value: &Value| match value {
                Value::List(members) | Value::Set(members) | Value::Bag(members) => members.clone(),
                other => panic!("no collection: {other}"),
            };
            let all: Vec<Value> = values.iter().flat_map(|value| members(value)).collect();
            let empty = values.iter().filter(|value| members(value).is_empty());
            Statistics::Collection {
                size: spread(&|value| members(value).len()),
                empty: fraction(empty.count()),
                members: Box::new(oracle(of, None, &all)),
            }
        }
        Type::Tuple(fields) => {
            let of_field = |(position, field): (usize, &Field)| {
                let parts: Vec<Value> = values
                    .iter()
                    .map(|value| match value {
                        Value::Tuple(parts) => parts[position].clone(),
                        other => panic!("no tuple: {other}"),
                    })
                    .collect();
                oracle(&field.of, field.name.clone(), &parts)
            };
            Statistics::Tuple {
                fields: fields.iter().enumerate().map(of_field).collect(),
            }
        }
        Type::Tree => {
            let tree = |value: &Value| match value {
                Value::Tree(tree) => tree.clone(),
                other => panic!("no tree: {other}"),
            };
            let mut labels: Vec<String> = values
                .iter()
                .flat_map(|value| tree(value).labels().to_vec())
                .collect();
            labels.sort();
            labels.dedup();
            Statistics::Tree {
                nodes: spread(&|value| tree(value).labels().len()),
                depth: spread(&|value| tree(value).depth()),
                distinct_labels: labels.len(),
            }
        }
        Type::Term => {
            let term = |value: &Value| match value {
                Value::Term(term) => term.clone(),
                other => panic!("no term: {other}"),
            };
            let mut functors: Vec<(String, u32)> = Vec::new();
            for value in &values {
                for node in term(value).nodes() {
                    if let Node::Functor { name, arity } = node {
                        functors.push((name.clone(), *arity));
                    }
                }
            }
            functors.sort();
            functors.dedup();
            let ground = values
                .iter()
                .filter(|value| term(value).variables().is_empty());
            Statistics::Term {
                size: spread(&|value| term(value).nodes().len()),
                distinct_functors: functors.len(),
                ground: fraction(ground.count()),
            }
        }
        Type::Graph => {
            let graph = |value: &Value| match value {
                Value::Graph(graph) => graph.clone(),
                other => panic!("no graph: {other}"),
            };
            let (mut nodes, mut edges) = (Vec::new(), Vec::new());
            for value in &values {
                let graph = graph(value);
                nodes.extend(graph.nodes().iter().map(|node| node.label().to_owned()));
                edges.extend(graph.edges().iter().filter_map(|edge| edge.label.clone()));
            }
            for labels in [&mut nodes, &mut edges] {
                labels.sort();
                labels.dedup();
            }
            let directed = values.iter().filter(|value| graph(value).directed());
            Statistics::Graph {
                nodes: spread(&|value| graph(value).nodes().len()),
                edges: spread(&|value| graph(value).edges().len()),
                directed: fraction(directed.count()),
                distinct_node_labels: nodes.len(),
                distinct_edge_labels: edges.len(),
            }
        }
        Type::Ref(_) => Statistics::Ref {
            distinct: different.len(),
        },
    };
    Part {
        name,
        of: of.clone(),
        missing: (all > 0).then(|| (all - values.len()) as f64 / all as f64),
        statistics: Some(statistics),
    }
}

/// Equal, numbers up to rounding, and where the oracle left the range of numbers ours are finite or
/// none.
fn alike(ours: &Part, oracle: &Part) -> bool {
    let head = ours.name == oracle.name && ours.of == oracle.of && ours.missing == oracle.missing;
    let finite = |number: &Option<f64>| number.is_none_or(f64::is_finite);
    let tails = match (&ours.statistics, &oracle.statistics) {
        (
            Some(Statistics::Numeric {
                min,
                max,
                mean,
                sd,
                distinct,
                quartiles,
            }),
            Some(Statistics::Numeric {
                min: min2,
                max: max2,
                mean: mean2,
                sd: sd2,
                distinct: distinct2,
                quartiles: quartiles2,
            }),
        ) => {
            let huge = [min, max]
                .iter()
                .any(|bound| bound.is_some_and(|bound| bound.abs() > 1e150));
            let quarters = |of: &Option<[f64; 3]>| of.map_or([None; 3], |of| of.map(Some));
            let pairs = quarters(quartiles).into_iter().zip(quarters(quartiles2));
            let mut pairs = pairs.chain([(*mean, *mean2), (*sd, *sd2)]);
            let scale = max
                .unwrap_or(1.0)
                .abs()
                .max(min.unwrap_or(1.0).abs())
                .max(1.0);
            let scaled = |number: Option<f64>| number.map(|number| number / scale);
            (min, max, distinct) == (min2, max2, distinct2)
                && if huge {
                    pairs.all(|(ours, _)| finite(&ours))
                } else {
                    pairs.all(|(a, b)| close(scaled(a), scaled(b)))
                }
        }
        (
            Some(Statistics::Collection {
                size,
                empty,
                members,
            }),
            Some(Statistics::Collection {
                size: size2,
                empty: empty2,
                members: members2,
            }),
        ) => (size, empty) == (size2, empty2) && alike(members, members2),
        (Some(Statistics::Tuple { fields }), Some(Statistics::Tuple { fields: fields2 })) => {
            fields.len() == fields2.len() && fields.iter().zip(fields2).all(|(a, b)| alike(a, b))
        }
        (ours, oracle) => ours == oracle,
    };
    head && tails
}

proptest! {
    #[test]
    fn columns_of_any_type_agree_with_the_oracle(
        (of, values) in any_type().prop_flat_map(|of| {
            let values = prop::collection::vec(any_value_of(&of), 0..12);
            (Just(of), values)
        })
    ) {
        let column = Column::from_values(&of, &values).unwrap();
        let (ours, expected) = (part(&column), oracle(&of, None, &values));
        prop_assert!(alike(&ours, &expected), "{:#?}\n{:#?}", ours, expected);
    }

    #[test]
    fn ordinary_numbers_agree_with_the_oracle(
        numbers in prop::collection::vec(prop::option::weighted(0.9, -1000.0..1000.0_f64), 0..60)
    ) {
        let values: Vec<Value> = numbers
            .iter()
            .map(|number| number.map_or(Value::Missing, Value::Number))
            .collect();
        let column = Column::from_values(&Type::Numeric, &values).unwrap();
        let (ours, expected) = (part(&column), oracle(&Type::Numeric, None, &values));
        prop_assert!(alike(&ours, &expected), "{:#?}\n{:#?}", ours, expected);
    }
}
