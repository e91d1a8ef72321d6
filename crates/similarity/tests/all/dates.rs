//! Distances of points in time by the calendar.

use kinwood_similarity::testing::check_distance;
use kinwood_similarity::{DistanceOn, Gaps, Laws, Registry};
use kinwood_values::{Column, Type, Value, datetime};
use proptest::prelude::*;
use proptest::sample::select;

fn time(text: &str) -> Value {
    Value::DateTime(datetime::parse(text).unwrap())
}

fn on(expression: &str, training: Option<&Column>) -> DistanceOn {
    let registry = Registry::builtin();
    let parsed = expression.parse().unwrap();
    registry
        .distance(&parsed, &Type::DateTime, training, "the values")
        .unwrap()
}

fn between(expression: &str, a: &str, b: &str) -> f64 {
    let distance = on(expression, None);
    let found = distance.between(&time(a), &time(b)).unwrap();
    found.to_string().parse().unwrap()
}

#[test]
fn worked_examples() {
    for (expression, a, b, expected) in [
        // Eleven o'clock at night and one in the morning are two hours apart, whatever the day.
        (
            "date(hour=1)",
            "2024-03-01 23:00",
            "2020-07-09 01:00",
            2.0 / 12.0,
        ),
        // Sunday and Monday are next to each other; Monday and Thursday as far as can be.
        ("date(weekday=1)", "2024-03-03", "2024-03-04", 1.0 / 3.0),
        ("date(weekday=1)", "2024-03-04", "2024-03-07", 1.0),
        // December and January, January and July.
        ("date(month=1)", "2023-12-31", "2024-01-01", 1.0 / 6.0),
        ("date(month=1)", "2023-01-31", "2024-07-01", 1.0),
        // The last day of a leap year is that of any other; one day later it is a day further.
        ("date(yearday=1)", "2024-12-31", "2023-12-31", 0.0),
        ("date(yearday=1)", "2023-12-31", "2023-01-01", 2.0 / 365.0),
        // Thirty of a hundred days.
        (
            "date(elapsed=1, range=100)",
            "2024-01-01",
            "2024-01-31",
            0.3,
        ),
        // Two of ten years.
        (
            "date(year=1, range=3652.425)",
            "2022-12-31",
            "2024-01-01",
            0.2,
        ),
        // Within a year the next year is 1 away.
        ("date(year=1, range=10)", "2023-12-31", "2024-01-01", 1.0),
        // Thirty days once, and one month of six half.
        (
            "date(elapsed=1, month=0.5, range=100)",
            "2024-01-15",
            "2024-02-14",
            (0.3 + 0.5 / 6.0) / 1.5,
        ),
    ] {
        let found = between(expression, a, b);
        assert!(
            (found - expected).abs() < 1e-12,
            "{expression} of {a} and {b}: {found}, not {expected}"
        );
    }
}

#[test]
fn what_training_says_stands_in_the_expression() {
    let times = [time("2024-01-01"), time("2024-03-01"), Value::Missing];
    let column = Column::from_values(&Type::DateTime, &times).unwrap();
    let text = |expression: &str, training| on(expression, training).expression().to_string();
    assert_eq!(
        text("date", Some(&column)),
        "date(elapsed=1, yearday=0.5, weekday=0.5, hour=0.5, range=60)"
    );
    assert_eq!(text("date(weekday=2)", Some(&column)), "date(weekday=2)");
    assert_eq!(
        text("date(elapsed=1)", None),
        "date(elapsed=1, range=365.2425)"
    );
    // Training at one point in time: days.
    let one = Column::from_values(&Type::DateTime, &times[..1]).unwrap();
    assert_eq!(
        text("date(elapsed=1)", Some(&one)),
        "date(elapsed=1, range=1)"
    );
    let wrong = Registry::builtin()
        .distance(
            &"date(hour=0)".parse().unwrap(),
            &Type::DateTime,
            None,
            "the values",
        )
        .map(|_| ())
        .unwrap_err()
        .to_string();
    assert_eq!(
        wrong,
        "`elapsed` of `date` is 0, as are all others; expected a weight above 0 for one part at least"
    );
}

#[test]
fn laws_are_honest() {
    assert_eq!(on("date", None).laws(), Laws::METRIC);
    assert_eq!(
        on("date(weekday=1, hour=1)", None).laws(),
        Laws::PSEUDO_METRIC
    );
    // On circles nothing is further than 1, where a missing value is put.
    let round = on("date(weekday=1, hour=1)", None);
    assert_eq!(round.laws_with(Gaps::MISSING), Some(Laws::PSEUDO_METRIC));
    assert!(!on("date", None).laws_with(Gaps::MISSING).unwrap().triangle);
    assert_eq!(between("date(month=1)", "2024-03-01", "2023-03-31"), 0.0);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, ..ProptestConfig::default() })]

    #[test]
    fn dates_keep_their_laws(
        instants in prop::collection::vec(prop::option::weighted(0.9, 0i64..60_000), 1..8),
        expression in select(vec![
            "date", "date(month=1)", "date(yearday=1)", "date(weekday=1)", "date(hour=1)", "date(year=1)",
            "date(elapsed=0.1, hour=3)", "date(year=1, month=0.5, weekday=0.5, hour=0)", "date(yearday=1, missing=max)",
        ]),
    ) {
        // About seven hours apart, over some fifty years.
        let value = |instant: Option<i64>| instant.map_or(Value::Missing, |of| Value::DateTime(of * 26_000_007));
        let values: Vec<Value> = instants.into_iter().map(value).collect();
        let column = Column::from_values(&Type::DateTime, &values).unwrap();
        let distance = on(expression, Some(&column));
        let checked = check_distance(Registry::builtin(), &distance, &values);
        prop_assert!(checked.is_ok(), "{expression}: {}", checked.unwrap_err());
    }
}
