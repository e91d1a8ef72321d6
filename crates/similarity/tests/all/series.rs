//! Elastic distances of series: laws as they are claimed, all ways to the same number, and the
//! nearest by bounds as by all distances.

use kinwood_similarity::testing::check_distance;
use kinwood_similarity::{DistanceOn, Gaps, Laws, Registry, nearest};
use kinwood_values::{Column, Type, Value};
use proptest::prelude::*;
use proptest::sample::select;

const SERIES: &str = "list<numeric>";

fn on(expression: &str, of: &str, training: Option<&Column>) -> DistanceOn {
    let (parsed, of) = (expression.parse().unwrap(), of.parse().unwrap());
    let registry = Registry::builtin();
    registry
        .distance(&parsed, &of, training, "the values")
        .unwrap()
}

fn list(numbers: &[f64]) -> Value {
    Value::List(
        numbers
            .iter()
            .map(|&number| Value::Number(number))
            .collect(),
    )
}

fn between(expression: &str, a: &[f64], b: &[f64]) -> String {
    let distance = on(expression, SERIES, None);
    distance.between(&list(a), &list(b)).unwrap().to_string()
}

const HALF: Laws = Laws {
    triangle: false,
    ..Laws::METRIC
};
const NEITHER: Laws = Laws {
    separates: false,
    ..HALF
};

#[test]
fn laws_are_honest() {
    let laws = |expression: &str| on(expression, SERIES, None).laws();
    for (expression, expected) in [
        ("dtw", NEITHER),
        ("dtw(window=0)", NEITHER),
        ("erp", Laws::PSEUDO_METRIC),
        ("erp(window=3)", NEITHER),
        ("msm", Laws::METRIC),
        ("msm(cost=0)", Laws::PSEUDO_METRIC),
        ("msm(window=0.1)", HALF),
        ("msm(derivative=true)", Laws::PSEUDO_METRIC),
        ("twe", Laws::METRIC),
        ("twe(nu=0)", Laws::METRIC),
        ("twe(nu=0, lambda=0)", Laws::PSEUDO_METRIC),
        ("lcss(epsilon=1)", NEITHER),
    ] {
        assert_eq!(laws(expression), expected, "{expression}");
    }
    // What a missing number costs, which is left out, and an empty series, which costs nothing.
    let msm = on("msm", SERIES, None);
    assert_eq!(msm.laws_with(Gaps::EMPTY), Some(Laws::METRIC));
    // The series in question, for which the laws do not hold.
    assert_eq!(between("dtw", &[0.0, 0.0, 1.0], &[0.0, 1.0]), "0");
    let sides = [
        between("dtw", &[0.0], &[1.0, 1.0, 1.0]),
        between("dtw", &[0.0], &[0.0, 1.0]),
        between("dtw", &[0.0, 1.0], &[1.0, 1.0, 1.0]),
    ];
    // The way by 0 and 1 is 1 twice; straight on, 0 is 1 away from three numbers. With two more of
    // them the straight way is the longer one.
    assert_eq!(sides, ["1.7320508075688772", "1", "1"]);
    assert_eq!(between("dtw", &[0.0], &[1.0; 5]), "2.23606797749979");
    assert_eq!(between("dtw", &[0.0, 1.0], &[1.0; 5]), "1");
    assert_eq!(between("erp", &[0.0, 1.0], &[1.0, 0.0]), "0");
    assert_eq!(between("lcss(epsilon=0.5)", &[1.0], &[1.0, 2.0]), "0");
}

#[test]
fn what_is_empty_has_a_distance() {
    for (expression, expected) in [
        ("dtw", "5"),
        ("erp", "7"),
        ("erp(gap=1)", "5"),
        // A split, and the 0 moves to 3 and splits for 4: 1 + 3 + 1 + 1.
        ("msm", "6"),
        // 3 and 1 to leave out, and twice 1.5.
        ("twe(nu=0.5)", "7"),
        ("lcss(epsilon=1)", "1"),
    ] {
        assert_eq!(
            between(expression, &[], &[3.0, 4.0]),
            expected,
            "{expression}"
        );
        assert_eq!(
            between(expression, &[3.0, 4.0], &[]),
            expected,
            "{expression}"
        );
        assert_eq!(between(expression, &[], &[]), "0", "{expression}");
    }
}

#[test]
fn windows_are_shares_or_places() {
    let (a, b) = ([0.0, 0.0, 0.0, 9.0], [9.0, 0.0, 0.0, 0.0]);
    let unbound = between("dtw", &a, &b);
    assert_eq!(between("dtw(window=4)", &a, &b), unbound);
    assert_eq!(between("dtw(window=0.99)", &a, &b), unbound);
    // Half of four are two places.
    assert_eq!(
        between("dtw(window=0.5)", &a, &b),
        between("dtw(window=2)", &a, &b)
    );
    // Not at all apart: Euclidean.
    assert_eq!(between("dtw(window=0)", &[0.0, 0.0], &[3.0, 4.0]), "5");
    // Lengths that differ need what they differ by.
    assert_eq!(between("dtw(window=0)", &[1.0], &[1.0, 1.0, 1.0]), "0");
    let error = |expression: &str| {
        let of: Type = SERIES.parse().unwrap();
        let parsed = expression.parse().unwrap();
        let found = Registry::builtin().distance(&parsed, &of, None, "the values");
        found.map(|_| ()).unwrap_err().to_string()
    };
    assert_eq!(
        error("dtw(window=1.5)"),
        "`window` of `dtw` is 1.5; expected a share below 1, or a whole number of places"
    );
    assert_eq!(
        error("lcss"),
        "`epsilon` of `lcss` comes from training data, and there is none: give it a number, or fit it on data"
    );
}

#[test]
fn derivatives_do_not_see_levels() {
    let (a, b) = ([1.0, 2.0, 4.0, 4.0], [11.0, 12.0, 14.0, 14.0]);
    for measure in ["dtw", "erp", "msm", "twe"] {
        assert_eq!(between(&format!("{measure}(derivative=true)"), &a, &b), "0");
    }
}

#[test]
fn what_training_says_stands_in_the_expression() {
    let column = Column::from_values(
        &SERIES.parse().unwrap(),
        &[list(&[0.0, 4.0]), list(&[4.0, 0.0])],
    );
    let distance = on("lcss(window=2)", SERIES, Some(&column.unwrap()));
    // The standard deviation is 2.
    assert_eq!(
        distance.expression().to_string(),
        "lcss(epsilon=0.5, window=2)"
    );
}

fn numbers() -> impl Strategy<Value = Vec<Option<f64>>> {
    let number = (-3i8..4).prop_map(|number| f64::from(number) / 2.0);
    prop::collection::vec(prop::option::weighted(0.95, number), 0..7)
}

fn rows() -> impl Strategy<Value = Vec<Value>> {
    let value = |numbers: Option<Vec<Option<f64>>>| match numbers {
        None => Value::Missing,
        Some(numbers) => {
            let number = |number: Option<f64>| number.map_or(Value::Missing, Value::Number);
            Value::List(numbers.into_iter().map(number).collect())
        }
    };
    prop::collection::vec(prop::option::weighted(0.9, numbers()).prop_map(value), 3..8)
}

fn complete_rows() -> impl Strategy<Value = Vec<Value>> {
    let number = (-3i8..4).prop_map(|number| f64::from(number) / 2.0);
    let series = prop::collection::vec(number, 1..8);
    prop::collection::vec(series.prop_map(|numbers| list(&numbers)), 3..8)
}

const MEASURES: [&str; 6] = [
    "dtw",
    "erp",
    "erp(gap=0.5)",
    "msm(cost=0.3)",
    "twe(nu=0.1)",
    "lcss",
];

fn with(measure: &str, settings: &str) -> String {
    match (measure.strip_suffix(')'), settings.is_empty()) {
        (_, true) => measure.to_owned(),
        (Some(open), false) => format!("{open}, {settings})"),
        (None, false) => format!("{measure}({settings})"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_500, ..ProptestConfig::default() })]

    #[test]
    fn series_keep_their_laws(
        rows in prop_oneof![rows(), complete_rows()],
        measure in select(MEASURES.to_vec()),
        settings in select(vec!["", "window=1", "window=0.3", "derivative=true", "missing=max", "window=2, derivative=true"]),
    ) {
        let column = Column::from_values(&SERIES.parse().unwrap(), &rows).unwrap();
        let expression = with(measure, settings);
        let distance = on(&expression, SERIES, Some(&column));
        let checked = check_distance(Registry::builtin(), &distance, &rows);
        prop_assert!(checked.is_ok(), "{expression}: {}", checked.unwrap_err());
    }

    #[test]
    fn the_nearest_by_bounds_are_the_nearest_of_all(
        rows in rows(),
        measure in select(MEASURES.to_vec()),
        settings in select(vec!["", "window=1", "missing=max"]),
        around in select(vec!["#", "scaled(#, by=3)", "sum(#)", "sum(# * 2, missing=skip)", "mean(# * 3)", "euclidean(# * 2)", "rms(#)"]),
        count in 1usize..4,
    ) {
        let expression = around.replace('#', &with(measure, settings));
        let row = |value: &Value| match around.starts_with(['#', 's']) && !around.starts_with("sum") {
            true => value.clone(),
            false => Value::Tuple(vec![value.clone()]),
        };
        let of = match matches!(row(&Value::Missing), Value::Tuple(_)) {
            true => "tuple<list<numeric>>",
            false => SERIES,
        };
        let rows: Vec<Value> = rows.iter().map(row).collect();
        let column = Column::from_values(&of.parse().unwrap(), &rows).unwrap();
        let distance = on(&expression, of, Some(&column));
        let pairs = distance.bind_real(&column, &column, "a test").unwrap();
        for query in 0..rows.len() {
            let row = pairs.prepare(query);
            let mut all = vec![0.0; rows.len()];
            row.fill(0..rows.len(), &mut all);
            let mut order: Vec<usize> = (0..rows.len()).collect();
            order.sort_by(|&a, &b| all[a].total_cmp(&all[b]).then(a.cmp(&b)));
            let found: Vec<(usize, f64)> = nearest(&*row, rows.len(), count)
                .iter()
                .map(|near| (near.reference, near.distance))
                .collect();
            let expected: Vec<(usize, f64)> =
                order.iter().take(count).map(|&place| (place, all[place])).collect();
            prop_assert_eq!(found, expected, "{}", expression);
            for (reference, &distance) in all.iter().enumerate() {
                prop_assert!(row.least(reference) <= distance, "{}", expression);
            }
        }
    }
}
