//! Distances and kernels of texts by their words.

use std::collections::BTreeMap;

use kinwood_similarity::testing::{check_distance, check_kernel};
use kinwood_similarity::{DistanceOn, Laws, Registry};
use kinwood_values::{Column, Type, Value};
use proptest::prelude::*;
use proptest::sample::select;

fn text(text: &str) -> Value {
    Value::Text(text.to_owned())
}

fn column(texts: &[Value]) -> Column {
    Column::from_values(&Type::String, texts).unwrap()
}

fn on(expression: &str, training: Option<&Column>) -> DistanceOn {
    let registry = Registry::builtin();
    let parsed = expression.parse().unwrap();
    registry
        .distance(&parsed, &Type::String, training, "the values")
        .unwrap()
}

#[test]
fn fitted_weights_stand_in_the_expression() {
    let texts = [
        text("The cat sat"),
        text("the dog SAT!"),
        text("The end"),
        Value::Missing,
    ];
    let training = column(&texts);
    let distance = on("tfidf(stop=english)", Some(&training));
    // Of three texts two have `sat`: 1 + ln(4 / 3); one has each other: 1 + ln(4 / 2).
    assert_eq!(
        distance.expression().to_string(),
        "tfidf(weights='{\"cat\":1.693147,\"dog\":1.693147,\"end\":1.693147,\"sat\":1.287682}', other=2.386294, stop=english)"
    );
    // The squares are 2.8667 and 1.6581: 1 - 1.6581 / (2.8667 + 1.6581).
    let found = distance.between(&texts[0], &texts[1]).unwrap().to_string();
    let expected = 1.0 - 1.287682f64.powi(2) / (1.693147f64.powi(2) + 1.287682f64.powi(2));
    assert!(
        (found.parse::<f64>().unwrap() - expected).abs() < 1e-12,
        "{found}"
    );
    check_distance(Registry::builtin(), &distance, &texts).unwrap();
    let few = on(
        "tfidf(vocabulary=1, stop='[\"Sat\"]', shortest=4)",
        Some(&training),
    );
    assert_eq!(
        few.expression().to_string(),
        "tfidf(weights='{}', other=2.386294, stop='[\"sat\"]', shortest=4)"
    );
}

#[test]
fn laws_and_mistakes() {
    let neither = Laws {
        separates: false,
        triangle: false,
        ..Laws::METRIC
    };
    let plain = on("tfidf(weights='{}')", None);
    assert_eq!(plain.laws(), neither);
    let between = |a: &str, b: &str| plain.between(&text(a), &text(b)).unwrap().to_string();
    assert_eq!(between("two words", "Words, two!"), "0");
    assert_eq!(between("", "words"), "1");
    assert_eq!(between("", "?"), "0");
    let error = |expression: &str| {
        let parsed = expression.parse().unwrap();
        let found = Registry::builtin().distance(&parsed, &Type::String, None, "the values");
        found.map(|_| ()).unwrap_err().to_string()
    };
    assert_eq!(
        error("tfidf"),
        "`weights` of `tfidf` comes from training data, and there is none: give it a number, or fit it on data"
    );
    assert_eq!(
        error("tfidf(stop=german, weights='{}')"),
        "`stop` of `tfidf` is `german`; expected `none`, `english` or a JSON list of words"
    );
}

/// The definition, on words that are known to be such.
fn naive(training: &[Vec<&str>], a: &[&str], b: &[&str]) -> f64 {
    let count = training.len() as f64;
    let weight = |word: &str| {
        let having = training
            .iter()
            .filter(|words| words.contains(&word))
            .count();
        1.0 + ((1.0 + count) / (1.0 + having as f64)).ln()
    };
    let vector = |words: &[&str]| {
        let mut vector: BTreeMap<String, f64> = BTreeMap::new();
        for word in words {
            *vector.entry((*word).to_owned()).or_default() += weight(word);
        }
        vector
    };
    let (x, y) = (vector(a), vector(b));
    let length = |of: &BTreeMap<String, f64>| {
        of.values()
            .map(|amount| amount * amount)
            .sum::<f64>()
            .sqrt()
    };
    match (x.is_empty(), y.is_empty()) {
        (true, true) => return 0.0,
        (false, false) => {}
        _ => return 1.0,
    }
    let product: f64 = x
        .iter()
        .filter_map(|(word, amount)| Some(amount * y.get(word)?))
        .sum();
    1.0 - product / (length(&x) * length(&y))
}

fn words() -> impl Strategy<Value = Vec<&'static str>> {
    prop::collection::vec(
        select(vec!["alpha", "beta", "gamma", "delta", "epsilon", "zeta"]),
        0..7,
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn texts_are_as_far_as_the_definition_says(rows in prop::collection::vec(words(), 1..8)) {
        let written = |row: &Vec<&str>| text(&format!(" {}.", row.join(", ").to_uppercase()));
        let texts: Vec<Value> = rows.iter().map(written).collect();
        let training = column(&texts);
        let distance = on("tfidf", Some(&training));
        let checked = check_distance(Registry::builtin(), &distance, &texts);
        prop_assert!(checked.is_ok(), "{}", checked.unwrap_err());
        let pairs = distance.bind_real(&training, &training, "a test").unwrap();
        for (query, a) in rows.iter().enumerate() {
            let mut out = vec![0.0; rows.len()];
            pairs.prepare(query).fill(0..rows.len(), &mut out);
            for (found, b) in out.iter().zip(&rows) {
                let expected = naive(&rows, a, b);
                prop_assert!((found - expected).abs() < 1e-5, "{found}, not {expected}");
            }
        }
        let registry = Registry::builtin();
        let kernel = registry.kernel(&"words".parse().unwrap(), &Type::String, Some(&training), "texts").unwrap();
        let checked = check_kernel(registry, &kernel, &texts);
        prop_assert!(checked.is_ok(), "{}", checked.unwrap_err());
        // One less the distance.
        for (a, b) in texts.iter().zip(texts.iter().skip(1)) {
            let inner = kernel.inner(a, b).unwrap();
            let apart: f64 = distance.between(a, b).unwrap().to_string().parse().unwrap();
            let nothing = a.to_string().len() <= 4 || b.to_string().len() <= 4;
            prop_assert!(nothing || (inner - (1.0 - apart)).abs() < 1e-12);
        }
    }
}
