//! What collections have in common: worked examples, a naive oracle, laws, and all ways to the same
//! number.

use std::collections::BTreeMap;

use kinwood_similarity::testing::{check_distance, check_kernel};
use kinwood_similarity::{Bound, DistanceOn, Gaps, Laws, Registry};
use kinwood_values::{Column, Type, Value};
use proptest::prelude::*;
use proptest::sample::select;

fn on(expression: &str, of: &str, training: Option<&Column>) -> DistanceOn {
    let registry = Registry::builtin();
    let (expression, of) = (expression.parse().unwrap(), of.parse().unwrap());
    registry
        .distance(&expression, &of, training, "the values")
        .unwrap()
}

fn value(of: &str, json: &str) -> Value {
    let of: Type = of.parse().unwrap();
    Value::from_json(&of, &serde_json::from_str(json).unwrap()).unwrap()
}

fn between(expression: &str, of: &str, a: &str, b: &str) -> String {
    let distance = on(expression, of, None);
    let found = distance.between(&value(of, a), &value(of, b)).unwrap();
    found.to_string()
}

#[test]
fn worked_examples() {
    let cases = [
        // Counts: beer 2 and 1, eggs 1 and 3, tofu 0 and 1: lesser 1 + 1, larger 2 + 3 + 1.
        ("jaccard", "bag<nominal>", "0.6666666666666666"),
        // 2 * 2 of 3 + 5.
        ("dice", "bag<nominal>", "0.5"),
        // 2 of 3.
        ("overlap", "bag<nominal>", "0.3333333333333333"),
        // 2 of 3, whatever the numbers.
        (
            "jaccard(repeats=false)",
            "bag<nominal>",
            "0.3333333333333333",
        ),
        ("jaccard", "list<nominal>", "0.6666666666666666"),
        // (2 * 1 + 1 * 3) / sqrt((4 + 1) * (1 + 9 + 1)), and this from 1.
        ("cosine", "bag<nominal>", "0.3258001375367579"),
        // Beer counts 4: lesser 4 + 1, larger 8 + 3 + 1.
        (
            "jaccard(weights='{\"beer\": 4}')",
            "bag<nominal>",
            "0.5833333333333334",
        ),
        // Tofu counts nothing: lesser 2, larger 5.
        ("jaccard(weights='{\"tofu\": 0}')", "bag<nominal>", "0.6"),
    ];
    let a = "[\"beer\", \"beer\", \"eggs\"]";
    let b = "[\"beer\", \"eggs\", \"eggs\", \"eggs\", \"tofu\"]";
    for (expression, of, expected) in cases {
        assert_eq!(between(expression, of, a, b), expected, "{expression}");
    }
}

#[test]
fn members_of_any_type_are_equal_or_not() {
    assert_eq!(
        between("jaccard", "set<numeric>", "[1, 2]", "[2, 3]"),
        "0.6666666666666666"
    );
    let of = "set<tuple<nominal, numeric>>";
    assert_eq!(
        between(
            "jaccard",
            of,
            "[[\"c\", 1], [\"n\", 2]]",
            "[[\"c\", 1], [\"c\", 2]]"
        ),
        "0.6666666666666666"
    );
    assert_eq!(
        between("dice", "set<set<string>>", "[[\"a\"]]", "[[\"a\"]]"),
        "0"
    );
}

#[test]
fn nothing_is_as_far_as_said() {
    assert_eq!(between("jaccard", "set<nominal>", "[]", "[\"a\"]"), "1");
    assert_eq!(between("overlap", "set<nominal>", "[]", "[\"a\"]"), "1");
    assert_eq!(between("cosine", "set<nominal>", "[]", "[]"), "0");
    assert_eq!(
        between("dice(empty=0.3)", "set<nominal>", "[\"a\"]", "[]"),
        "0.3"
    );
    let laws = on("jaccard(empty=0.3)", "set<nominal>", None);
    assert_eq!(laws.laws(), Laws::METRIC);
    assert!(!laws.laws_with(Gaps::EMPTY).unwrap().triangle);
    let laws = on("jaccard", "set<nominal>", None);
    assert_eq!(laws.laws_with(Gaps::EMPTY), Some(Laws::METRIC));
    assert_eq!(laws.laws_with(Gaps::MISSING), Some(Laws::METRIC));
}

#[test]
fn laws_are_honest() {
    let laws = |expression: &str, of: &str| on(expression, of, None).laws();
    let half = Laws {
        triangle: false,
        ..Laws::METRIC
    };
    let neither = Laws {
        separates: false,
        ..half
    };
    assert_eq!(laws("jaccard", "set<nominal>"), Laws::METRIC);
    assert_eq!(laws("jaccard", "bag<nominal>"), Laws::METRIC);
    assert_eq!(laws("jaccard", "list<nominal>"), Laws::PSEUDO_METRIC);
    assert_eq!(
        laws("jaccard(repeats=false)", "bag<nominal>"),
        Laws::PSEUDO_METRIC
    );
    assert_eq!(
        laws("jaccard(weights='{\"a\": 0}')", "set<nominal>"),
        Laws::PSEUDO_METRIC
    );
    assert_eq!(laws("dice", "set<nominal>"), half);
    assert_eq!(laws("cosine", "set<nominal>"), half);
    assert_eq!(laws("cosine", "bag<nominal>"), neither);
    assert_eq!(laws("overlap", "set<nominal>"), neither);
    // The triangle that `dice` lacks, and the pair that `overlap` does not tell apart.
    let far = between("dice", "set<nominal>", "[\"a\"]", "[\"b\"]");
    let near = between("dice", "set<nominal>", "[\"a\"]", "[\"a\", \"b\"]");
    assert_eq!((&*far, &*near), ("1", "0.3333333333333333"));
    assert_eq!(
        between("overlap", "set<nominal>", "[\"a\"]", "[\"a\", \"b\"]"),
        "0"
    );
}

#[test]
fn the_default_of_labels_is_jaccard() {
    for of in ["set<nominal>", "bag<nominal>"] {
        let column = Column::from_values(&of.parse().unwrap(), [&value(of, "[\"a\"]")]).unwrap();
        for training in [None, Some(&column)] {
            assert_eq!(
                on("default", of, training).expression().to_string(),
                "jaccard"
            );
        }
    }
    let numbers = on("default", "set<numeric>", None).expression().to_string();
    assert!(numbers.starts_with("hausdorff"), "{numbers}");
}

#[test]
fn fitted_weights_stand_in_the_expression() {
    let of = "set<nominal>";
    let baskets = [
        "[\"beer\", \"it's\"]",
        "[\"beer\", \"tofu\"]",
        "[\"beer\"]",
        "null",
    ];
    let values: Vec<Value> = baskets
        .iter()
        .map(|json| match *json {
            "null" => Value::Missing,
            json => value(of, json),
        })
        .collect();
    let column = Column::from_values(&of.parse().unwrap(), &values).unwrap();
    let distance = on("jaccard(weights=idf)", of, Some(&column));
    assert_eq!(
        distance.expression().to_string(),
        "jaccard(weights='{\"beer\":1.0,\"it''s\":1.693147,\"tofu\":1.693147}', other=2.386294)"
    );
    check_distance(Registry::builtin(), &distance, &values).unwrap();
    let few = on("cosine(weights=idf, vocabulary=1)", of, Some(&column));
    assert_eq!(
        few.expression().to_string(),
        "cosine(weights='{\"beer\":1.0}', other=1.693147)"
    );
}

#[test]
fn what_is_wrong_with_weights_is_told() {
    let error = |expression: &str| {
        let of = "set<nominal>".parse().unwrap();
        let registry = Registry::builtin();
        let found = registry.distance(&expression.parse().unwrap(), &of, None, "the values");
        found.map(|_| ()).unwrap_err().to_string()
    };
    let expected = "`idf` or a JSON object of members and weights, each 0 or from 1e-12 to 1e12";
    assert_eq!(
        error("jaccard(weights=tfidf)"),
        format!("`weights` of `jaccard` is `tfidf`; expected {expected}")
    );
    assert_eq!(
        error("jaccard(weights='{\"a\": -1}')"),
        format!("`weights` of `jaccard` is -1 for `a`; expected {expected}")
    );
    assert_eq!(
        error("jaccard(other=2)"),
        "`other` of `jaccard` is without weights; expected `weights` beside it"
    );
    assert_eq!(
        error("jaccard(weights=idf)"),
        "`weights` of `jaccard` comes from training data, and there is none: give it a number, or fit it on data"
    );
    assert!(error("jaccard(discrete)").starts_with("`jaccard` takes no distance or kernel"));
}

/// The definition, by counts of labels in maps.
fn naive(name: &str, weight: impl Fn(&str) -> f64, a: &[String], b: &[String]) -> f64 {
    let counts = |members: &[String]| {
        let mut counts: BTreeMap<String, f64> = BTreeMap::new();
        for member in members {
            *counts.entry(member.clone()).or_default() += weight(member);
        }
        counts
    };
    let (x, y) = (counts(a), counts(b));
    let labels: std::collections::BTreeSet<&String> = x.keys().chain(y.keys()).collect();
    let at =
        |counts: &BTreeMap<String, f64>, label: &str| counts.get(label).copied().unwrap_or(0.0);
    let sum = |of: fn(f64, f64) -> f64| -> f64 {
        let each = labels.iter().map(|label| of(at(&x, label), at(&y, label)));
        each.sum()
    };
    let (first, second) = (sum(|x, _| x), sum(|_, y| y));
    match (first > 0.0, second > 0.0) {
        (false, false) => return 0.0,
        (true, true) => {}
        _ => return 1.0,
    }
    1.0 - match name {
        "jaccard" => sum(f64::min) / sum(f64::max),
        "dice" => 2.0 * sum(f64::min) / (first + second),
        "overlap" => sum(f64::min) / first.min(second),
        _ => sum(|x, y| x * y) / (sum(|x, _| x * x) * sum(|_, y| y * y)).sqrt(),
    }
}

fn labels(most: u32) -> impl Strategy<Value = Vec<String>> {
    prop::collection::vec((0..most).prop_map(|label| format!("l{label}")), 0..12)
}

const NAMES: [&str; 4] = ["jaccard", "dice", "cosine", "overlap"];

kinwood_testing::soak! { 300;
    fn soak_many_references_at_once_give_what_the_definition_gives(
        name in select(NAMES.to_vec()),
        // Few labels go by bitmaps, many by lists; fewer references than that one by one.
        rows in select(vec![6u32, 40, 200, 3000])
            .prop_flat_map(|most| prop::collection::vec(labels(most), 1..90)),
        bags in any::<bool>(),
        weighted in any::<bool>(),
    ) {
        let (of, rows) = match bags {
            true => ("bag<nominal>", rows),
            false => ("set<nominal>", rows.into_iter().map(|mut row| {
                row.sort_unstable();
                row.dedup();
                row
            }).collect()),
        };
        let weight = |label: &str| match (weighted, label) {
            (true, "l0") => 0.0,
            (true, "l1" | "l3") => 2.5,
            (true, _) => 0.75,
            (false, _) => 1.0,
        };
        let expression = match weighted {
            true => format!("{name}(weights='{{\"l0\": 0, \"l1\": 2.5, \"l3\": 2.5}}', other=0.75)"),
            false => name.to_owned(),
        };
        let values: Vec<Value> = rows.iter().map(|row| {
            let symbols = row.iter().map(|label| Value::Symbol(label.clone())).collect();
            if bags { Value::bag(symbols) } else { Value::set(symbols) }
        }).collect();
        let column = Column::from_values(&of.parse().unwrap(), &values).unwrap();
        let Bound::Real(pairs) = on(&expression, of, None).bind(&column, &column).unwrap() else {
            panic!("numbers");
        };
        for query in [0, rows.len() / 2, rows.len() - 1] {
            let mut whole = vec![0.0; rows.len()];
            let row = pairs.prepare(query);
            row.fill(0..rows.len(), &mut whole);
            for (reference, &found) in whole.iter().enumerate() {
                let expected = naive(name, weight, &rows[query], &rows[reference]);
                prop_assert!((found - expected).abs() < 1e-12, "{expression}: {found}, not {expected}");
                let mut one = [0.0];
                row.fill(reference..reference + 1, &mut one);
                prop_assert_eq!(one[0], found);
            }
            // In pieces, in turn and again from the start.
            let half = rows.len() / 2;
            let mut parts = vec![0.0; rows.len()];
            for _ in 0..2 {
                row.fill(0..half, &mut parts[..half]);
                row.fill(half..rows.len(), &mut parts[half..]);
                prop_assert_eq!(&parts, &whole);
            }
        }
    }

    fn soak_coefficients_keep_their_laws(
        name in select(NAMES.to_vec()),
        settings in select(vec!["", "(empty=0.4)", "(repeats=false)", "(weights=idf)", "(weights=idf, vocabulary=2)", "(weights='{\"l1\": 0}', empty=0.2)"]),
        kind in select(vec!["set", "bag", "list"]),
        rows in prop::collection::vec(prop::option::weighted(0.9, labels(5)), 1..7),
    ) {
        let of = format!("{kind}<nominal>");
        let values: Vec<Value> = rows.iter().map(|row| match row {
            None => Value::Missing,
            Some(row) => {
                let symbols = row.iter().map(|label| Value::Symbol(label.clone())).collect();
                match kind {
                    "set" => Value::set(symbols),
                    "bag" => Value::bag(symbols),
                    _ => Value::List(symbols),
                }
            }
        }).collect();
        let column = Column::from_values(&of.parse().unwrap(), &values).unwrap();
        let expression = format!("{name}{settings}");
        let distance = on(&expression, &of, Some(&column));
        let checked = check_distance(Registry::builtin(), &distance, &values);
        prop_assert!(checked.is_ok(), "{expression}: {}", checked.unwrap_err());
    }

    fn soak_coefficients_that_are_kernels_are_inner_products(
        name in select(vec!["tanimoto", "sorensen", "ochiai"]),
        settings in select(vec!["", "(repeats=false)", "(weights=idf)", "(weights='{\"l1\": 0}')"]),
        rows in prop::collection::vec(labels(5), 1..9),
    ) {
        let of: Type = "bag<nominal>".parse().unwrap();
        let values: Vec<Value> = rows.iter().map(|row| {
            Value::bag(row.iter().map(|label| Value::Symbol(label.clone())).collect())
        }).collect();
        let column = Column::from_values(&of, &values).unwrap();
        let expression = format!("{name}{settings}");
        let registry = Registry::builtin();
        let kernel = registry.kernel(&expression.parse().unwrap(), &of, Some(&column), "bags").unwrap();
        let checked = check_kernel(registry, &kernel, &values);
        prop_assert!(checked.is_ok(), "{expression}: {}", checked.unwrap_err());
    }
}
