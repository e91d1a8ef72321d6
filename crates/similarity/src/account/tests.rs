use kinwood_testing::any_value_of;
use kinwood_values::{Type, Value};
use proptest::prelude::*;

use super::*;
use crate::Registry;
use crate::measure::DistanceOn;

fn on(expression: &str, of: &str) -> DistanceOn {
    Registry::builtin()
        .distance(
            &expression.parse().unwrap(),
            &of.parse().unwrap(),
            None,
            "the values",
        )
        .unwrap()
}

fn of_json(of: &str, json: serde_json::Value) -> Value {
    Value::from_json(&of.parse().unwrap(), &json).unwrap()
}

fn account(expression: &str, of: &str, a: serde_json::Value, b: serde_json::Value) -> Account {
    on(expression, of)
        .account(&of_json(of, a), &of_json(of, b), Detail::default())
        .unwrap()
}

/// Every distance of the catalogue at least once, nested too, each with a type it fits; missing
/// values by all rules.
const CASES: &[(&str, &str)] = &[
    ("discrete", "nominal"),
    ("discrete", "list<tuple<numeric, tree>>"),
    ("absolute(far=2)", "numeric"),
    ("absolute(range=3)", "numeric"),
    ("absolute(range=3, missing=max)", "datetime"),
    ("absolute(least=-1, greatest=4)", "numeric"),
    ("absolute(least=-1, greatest=4, missing=max)", "numeric"),
    ("absolute(least=2, greatest=2)", "numeric"),
    ("scaled(edit, by=3)", "string"),
    ("edit(far=1)", "string"),
    (
        "edit(insert=1, delete=0.5, substitute=0.7, far=1)",
        "string",
    ),
    ("edit(far=1)", "list<nominal>"),
    (
        "edit(absolute(range=2), substitute=1.5, far=1)",
        "list<numeric>",
    ),
    ("edit(edit(far=1), insert=3, far=1)", "list<string>"),
    ("edit(discrete, missing=max, far=1)", "list<nominal>"),
    ("edit(hausdorff(discrete), far=4)", "list<set<nominal>>"),
    ("smith_waterman", "string"),
    (
        "smith_waterman(match=1, mismatch=-0.5, gap=-0.2)",
        "list<nominal>",
    ),
    ("symmetric_difference(far=1)", "set<numeric>"),
    ("symmetric_difference(far=1)", "bag<nominal>"),
    ("symmetric_difference(far=1)", "list<string>"),
    ("jaccard", "set<nominal>"),
    ("jaccard", "bag<numeric>"),
    (
        "jaccard(weights='{\"a\": 3, \"b\": 0.5}', other=2, empty=0.7)",
        "set<nominal>",
    ),
    ("dice", "bag<nominal>"),
    ("dice(repeats=false)", "list<string>"),
    ("cosine", "bag<nominal>"),
    ("cosine(weights='{\"a\": 0}')", "set<nominal>"),
    ("overlap(far=2)", "list<tuple<numeric, nominal>>"),
    ("hausdorff(absolute(range=4), far=1)", "set<numeric>"),
    (
        "hausdorff(hausdorff(discrete), empty=2, far=3)",
        "set<set<nominal>>",
    ),
    (
        "min_hausdorff(absolute(range=4), empty=2, far=3)",
        "bag<numeric>",
    ),
    (
        "ranked_hausdorff(absolute(range=4), k=2, empty=2, far=3)",
        "bag<numeric>",
    ),
    (
        "sum_of_minima(absolute(range=4), empty=2, far=3)",
        "set<numeric>",
    ),
    ("matching(absolute(range=4), M=1.5, far=3)", "bag<numeric>"),
    (
        "matching(mean(discrete, absolute(range=4)), far=3)",
        "set<tuple<nominal, numeric>>",
    ),
    ("surjection(discrete, empty=2, far=3)", "set<nominal>"),
    (
        "fair_surjection(absolute(range=4), empty=2, far=3)",
        "bag<numeric>",
    ),
    ("link(edit(far=1), empty=2, far=3)", "list<string>"),
    (
        "sum(discrete, absolute(range=4) * 3)",
        "tuple<nominal, numeric>",
    ),
    (
        "mean(discrete * 2, absolute(range=4), missing=skip)",
        "tuple<nominal, numeric>",
    ),
    (
        "euclidean(absolute(range=4), missing=skip)",
        "tuple<numeric, numeric, numeric>",
    ),
    (
        "rms(hausdorff(absolute(range=1), far=1) * 2, discrete, missing=max)",
        "tuple<set<numeric>, nominal>",
    ),
    ("sum(lgg)", "tuple<term>"),
    ("dtw", "list<numeric>"),
    ("dtw(window=1, derivative=true)", "list<numeric>"),
    ("erp", "list<numeric>"),
    ("msm(cost=0.5)", "list<numeric>"),
    ("twe", "list<numeric>"),
    ("lcss(epsilon=1)", "list<numeric>"),
    ("date", "datetime"),
    (
        "date(year=1, month=0.5, weekday=0.5, range=100)",
        "datetime",
    ),
    ("tfidf(weights='{\"a\": 2}', shortest=1)", "string"),
    ("correlation", "list<numeric>"),
    ("tree_edit(far=5)", "tree"),
    ("tree_edit(insert=1, delete=2, relabel=0.3, far=5)", "tree"),
    ("nienhuys_cheng", "term"),
    ("lgg", "term"),
    ("symbols(lgg, far=9)", "term"),
    ("label_histogram(far=4)", "graph"),
    ("graph_edit(far=4)", "graph"),
    (
        "fourlayer(far=1)",
        "tuple<nominal, numeric, set<tuple<nominal, numeric>>>",
    ),
    (
        "fourlayer(layer3=matching, M=1.5, far=9)",
        "set<tuple<nominal, numeric>>",
    ),
    (
        "fourlayer(layer3=sum_of_minima, far=9)",
        "bag<tuple<set<nominal>, numeric>>",
    ),
    ("induced(set(delta), far=4)", "set<nominal>"),
    ("induced(subtree, far=4)", "tree"),
    ("induced(normalised(structural), far=2)", "term"),
    (
        "induced(add(delta, gaussian(0.1)), far=4)",
        "tuple<nominal, numeric>",
    ),
];

#[test]
fn every_distance_of_the_catalogue_is_among_the_cases() {
    for entry in Registry::builtin().entries().filter(|of| !of.is_kernel()) {
        let begins = |(expression, _): &(&str, &str)| {
            let name = expression.split('(').next();
            name == Some(&*entry.name)
        };
        assert!(CASES.iter().any(begins), "{}", entry.name);
    }
}

/// Numbers of a size at which sums in another order differ by rounding only.
fn tame(value: Value) -> Value {
    let all = |values: Vec<Value>| values.into_iter().map(tame).collect();
    match value {
        Value::Number(number) => Value::Number((number % 100.0 * 8.0).round() / 8.0 + 0.0),
        Value::List(values) => Value::List(all(values)),
        Value::Set(values) => Value::set(all(values)),
        Value::Bag(values) => Value::bag(all(values)),
        Value::Tuple(values) => Value::Tuple(all(values)),
        other => other,
    }
}

fn nearly(a: Measured, b: Measured) -> bool {
    match (a, b) {
        (Measured::Number(a), Measured::Number(b)) => {
            a == b || a.is_nan() && b.is_nan() || (a - b).abs() <= 1e-9 * (1.0 + a.abs())
        }
        (a, b) => a == b,
    }
}

fn case() -> impl Strategy<Value = (usize, Value, Value)> {
    (0..CASES.len()).prop_flat_map(|case| {
        let of: Type = CASES[case].1.parse().unwrap();
        let value = || any_value_of(&of).prop_map(tame);
        (Just(case), value(), value())
    })
}

kinwood_testing::soak! { 2000;
    fn soak_parts_recombine_to_the_distance((case, a, b) in case(), items in 1usize..5, depth in 0usize..4) {
        let (expression, of) = CASES[case];
        let distance = on(expression, of);
        // What has no distance has no account.
        let Ok(fast) = distance.between(&a, &b) else {
            prop_assert!(distance.account(&a, &b, Detail::default()).is_err());
            return Ok(());
        };
        let cut = Detail { items, depth, text: 9 };
        for detail in [Detail::default(), Detail::ALL, cut] {
            let account = distance.account(&a, &b, detail).unwrap();
            prop_assert!(nearly(account.distance, fast), "{expression}: {a} and {b}");
            let again = account.recombined();
            prop_assert!(nearly(again, fast), "{expression}: {a} and {b}: {fast}, but {again} of {account:?}");
            if let How::Induced { both, contributions: Some(added), .. } = &account.how {
                let sum = added.shown.iter().map(|of| of.amount).sum::<f64>() + added.rest;
                prop_assert!((sum - both).abs() <= 1e-9 * (1.0 + both.abs()), "{account:?}");
            }
            prop_assert!(account.to_string().starts_with(&fast.to_string()));
            serde_json::to_string(&account).unwrap();
        }
    }

    fn soak_alignments_go_through_both_sequences(a in "[abc]{0,12}", b in "[abc]{0,12}") {
        let distance = on("edit(insert=1, delete=1, substitute=1.5)", "string");
        let account = distance.account(&Value::Text(a.clone()), &Value::Text(b.clone()), Detail::ALL).unwrap();
        let places = account.how.alignment().unwrap();
        let firsts: Vec<usize> = places.iter().filter_map(|place| place.0).collect();
        let seconds: Vec<usize> = places.iter().filter_map(|place| place.1).collect();
        prop_assert_eq!(firsts, (0..a.len()).collect::<Vec<_>>());
        prop_assert_eq!(seconds, (0..b.len()).collect::<Vec<_>>());
    }
}

#[test]
fn parts_are_told_to_any_depth() {
    let of = "tuple<name: string, atoms: set<tuple<element: nominal, charge: numeric>>>";
    let expression = "mean(name: edit * 2, atoms: hausdorff(sum(discrete, absolute(range=2))))";
    let told = account(
        expression,
        of,
        serde_json::json!(["oxide", [["c", 1.0], ["o", 0.5]]]),
        serde_json::json!(["oxid", [["c", 0.0]]]),
    );
    assert_eq!(
        told.to_string(),
        "1.0833333333333333
  the mean of the fields' distances, weights 3 in all:
    `name`: oxide and oxid, weight 2: 1
      a cheapest way from the first to the second:
        keep \"oxid\": 0
        delete \"e\": 1
    `atoms`: {(c, 1), (o, 0.5)} and {(c, 0)}, weight 1: 1.25
      the largest of the distances to the nearest member:
        (c, 1) of the first: nearest is (c, 0): 0.5
          the sum of the fields' distances:
            `element`: c and c: 0
            `charge`: 1 and 0, divided by 2: 0.5
        (o, 0.5) of the first: nearest is (c, 0), which decides: 1.25
          the sum of the fields' distances:
            `element`: o and c: 1
            `charge`: 0.5 and 0, divided by 2: 0.25
        (c, 0) of the second: nearest is (c, 1): 0.5
          the sum of the fields' distances:
            `element`: c and c: 0
            `charge`: 1 and 0, divided by 2: 0.5
"
    );
}

#[test]
fn differences_of_terms_have_places() {
    let told = account(
        "nienhuys_cheng",
        "term",
        "p(f(a),g(a,b))".into(),
        "p(f(b),b)".into(),
    );
    assert_eq!(
        told.to_string(),
        "0.375
  where they differ, halved at each functor and shared among its arguments:
    argument 1.1, depth 2: a and b: 0.125
    argument 2, depth 1: g(a,b) and b: 0.25
"
    );
    let deep = |end: &str| format!("{}{end}{}", "s(".repeat(40), ")".repeat(40));
    let told = account("nienhuys_cheng", "term", deep("a").into(), deep("b").into());
    let How::Positions { positions } = &told.how else {
        panic!("{told:?}");
    };
    assert_eq!(positions.shown[0].depth, 40);
    assert!(told.to_string().contains("argument ….1.1.1"), "{told}");
}

#[test]
fn a_kernel_that_is_a_sum_names_what_is_shared() {
    let told = account(
        "induced(set(delta))",
        "set<nominal>",
        serde_json::json!(["a", "b"]),
        serde_json::json!(["b", "c", "d"]),
    );
    assert_eq!(
        told.to_string(),
        "1.7320508075688772
  the root of own products less twice the shared one, by set(delta, power=1):
    the first with itself: 2
    the second with itself: 3
    both, counted off twice: 1
      b with b: 1
"
    );
}

#[test]
fn missing_values_name_their_rule() {
    let of = "tuple<nominal, numeric>";
    let told = |missing: &str| {
        let expression = format!("mean(discrete, absolute(range=2), missing={missing})");
        let (a, b) = (serde_json::json!(["a", 1]), serde_json::json!(["a", null]));
        account(&expression, of, a, b).to_string()
    };
    assert!(
        told("own").contains("field 2: 1 and ?, the second is missing, and as far as can be: 1"),
        "{}",
        told("own")
    );
    let skipped = told("skip");
    assert!(
        skipped.starts_with(
            "0\n  the mean of the fields' distances; the others stand for those left out:\n"
        ),
        "{skipped}"
    );
    assert!(
        skipped.ends_with("field 2: 1 and ?, left out as missing\n"),
        "{skipped}"
    );
}

#[test]
fn long_lists_are_cut_and_counted() {
    let numbers: Vec<f64> = (0..100).map(f64::from).collect();
    let told = account(
        "matching(absolute, M=1)",
        "set<numeric>",
        numbers.into(),
        serde_json::json!([0]),
    );
    assert_eq!(told.distance.to_string(), "49.5");
    let How::Pairs { left_over, .. } = &told.how else {
        panic!("{told:?}");
    };
    assert_eq!(
        (left_over.shown.len(), left_over.left_out, left_over.rest),
        (20, 79, 39.5)
    );
    assert!(
        told.to_string().ends_with("    and 79 more: 39.5\n"),
        "{told}"
    );
    let json = serde_json::to_value(&told).unwrap();
    assert_eq!(json["how"]["kind"], "pairs");
    assert_eq!(json["how"]["left_over"]["left_out"], 79);
}
