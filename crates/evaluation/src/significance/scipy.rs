//! What SciPy says to the same numbers, recorded by `benches/record_significance_scipy.py`.

use std::path::PathBuf;

use serde_json::Value;

use super::tails::{chi_square, fisher, student_both, student_both_quantile};
use super::*;
use crate::measures::Direction;

fn recorded(name: &str) -> Vec<Value> {
    let file = "../../golden/significance-scipy.json";
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(file);
    let text = std::fs::read_to_string(path).unwrap();
    let record: Value = serde_json::from_str(&text).unwrap();
    let cases = name.split('.').fold(&record, |value, key| &value[key]);
    let cases = cases.as_array().unwrap().clone();
    assert!(!cases.is_empty());
    cases
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(number).collect()
}

#[track_caller]
fn near(found: f64, expected: f64, tolerance: f64, case: &dyn std::fmt::Debug) {
    let close = (found - expected).abs() <= tolerance * expected.abs().clamp(1e-6, 1.0);
    assert!(close, "{found} instead of {expected}: {case:?}");
}

#[test]
fn corrected_t_agrees() {
    for case in recorded("corrected_t") {
        let (a, b) = (numbers(&case["a"]), numbers(&case["b"]));
        let confidence = number(&case["confidence"]);
        let test = corrected_t_test(&a, &b, number(&case["ratio"]), confidence).unwrap();
        near(test.t, number(&case["t"]), 1e-9, &case);
        near(test.p, number(&case["p"]), 1e-9, &case);
        for (end, name) in test.interval.into_iter().zip(["low", "high"]) {
            assert!(
                (end - number(&case[name])).abs() < 1e-9 * (1.0 + end.abs()),
                "{end} {case}"
            );
        }
    }
}

#[test]
fn mcnemar_agrees() {
    for case in recorded("mcnemar") {
        let [b, c] = ["b", "c"].map(|name| number(&case[name]) as usize);
        let first = [vec![true; b], vec![false; c], vec![true]].concat();
        let second = [vec![false; b], vec![true; c], vec![true]].concat();
        let test = mcnemar(&first, &second).unwrap();
        assert_eq!(test.exact, b + c <= EXACT_DISCORDANT);
        near(test.p, number(&case["p"]), 1e-9, &case);
    }
}

#[test]
fn friedman_agrees() {
    for case in recorded("friedman") {
        let rows = case["scores"].as_array().unwrap();
        let scores: Vec<Vec<f64>> = rows.iter().map(numbers).collect();
        let test = friedman(&scores, Direction::HigherIsBetter).unwrap();
        for (found, expected) in test.mean_ranks.iter().zip(numbers(&case["ranks"])) {
            near(*found, expected, 1e-12, &case);
        }
        near(test.chi_square, number(&case["chi"]), 1e-9, &case);
        near(test.p, number(&case["p"]), 1e-9, &case);
        // SciPy's F is of its rounded chi-square, which where all but agree leaves few digits
        // below.
        let f = number(&case["f"]);
        assert!(
            (test.f / f - 1.0).abs() < 1e-9 || (test.f - f).abs() < 1e-9,
            "{} {case}",
            test.f
        );
        near(test.f_p, number(&case["f_p"]), 1e-9, &case);
    }
}

#[test]
fn studentized_range_agrees() {
    let range = |case: &Value| {
        let v = case["v"].as_f64().unwrap_or(f64::INFINITY);
        StudentizedRange::new(number(&case["k"]) as usize, v).unwrap()
    };
    for case in recorded("ranges") {
        let found = range(&case).upper(number(&case["q"])).unwrap();
        assert!((found - number(&case["p"])).abs() < 1e-9, "{found} {case}");
    }
    for case in recorded("quantiles") {
        let found = range(&case).upper_quantile(number(&case["level"])).unwrap();
        assert!((found - number(&case["q"])).abs() < 1e-7, "{found} {case}");
    }
}

#[test]
fn nemenyi_and_holm_agree() {
    for case in recorded("ranks") {
        let ranks = numbers(&case["ranks"]);
        let data_sets = number(&case["data_sets"]) as usize;
        let test = nemenyi(&ranks, data_sets, 0.05).unwrap();
        let pairs = all_pairs(&ranks, data_sets).unwrap();
        let difference = number(&case["critical_difference"]);
        assert!(
            (test.critical_difference - difference).abs() < 1e-7,
            "{test:?} {case}"
        );
        let [by_range, z, p, holm] = ["nemenyi", "z", "p", "holm"].map(|name| numbers(&case[name]));
        assert_eq!(pairs.len(), z.len());
        for (at, pair) in pairs.iter().enumerate() {
            assert!(
                (test.p[pair.first][pair.second] - by_range[at]).abs() < 1e-9,
                "{case}"
            );
            near(pair.z, z[at], 1e-9, &case);
            near(pair.p, p[at], 1e-9, &case);
            near(pair.adjusted, holm[at], 1e-9, &case);
        }
        let control = against_control(&ranks, data_sets, 0).unwrap();
        for (pair, expected) in control.iter().zip(numbers(&case["control"])) {
            near(pair.adjusted, expected, 1e-9, &case);
        }
    }
}

#[test]
fn bayesian_agrees_with_another_simulation() {
    for case in recorded("bayesian") {
        let differences = numbers(&case["differences"]);
        let zeros = vec![0.0; differences.len()];
        let rope = number(&case["rope"]);
        let test = bayesian_signed_rank(&differences, &zeros, rope, SAMPLES, 1).unwrap();
        let found = [test.left, test.rope, test.right];
        for (found, expected) in found.into_iter().zip(numbers(&case["probabilities"])) {
            assert!((found - expected).abs() < 0.01, "{test:?} {case}");
        }
    }
}

#[test]
fn tails_agree() {
    for case in recorded("tails.student") {
        let [v, t, p] = numbers(&case)[..] else {
            panic!("{case}")
        };
        near(student_both(t, v), p, 1e-9, &case);
    }
    for case in recorded("tails.quantile") {
        let [v, p, t] = numbers(&case)[..] else {
            panic!("{case}")
        };
        near(student_both_quantile(p, v), t, 1e-9, &case);
    }
    for case in recorded("tails.chi") {
        let [v, x, p] = numbers(&case)[..] else {
            panic!("{case}")
        };
        near(chi_square(x, v), p, 1e-9, &case);
    }
    for case in recorded("tails.fisher") {
        let [a, b, x, p] = numbers(&case)[..] else {
            panic!("{case}")
        };
        near(fisher(x, a, b), p, 1e-9, &case);
    }
}
