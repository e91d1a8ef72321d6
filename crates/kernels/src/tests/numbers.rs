//! Numbers fitted by support vectors and by least squares: worked examples and the rules of
//! learners.

use std::sync::Arc;

use kinwood_values::container::Stored;
use kinwood_values::{Attribute, Column, Database, Table, View};
use serde_json::json;

use super::{answers, fitted, forged};
use crate::{RIDGE, SVR};
use kinwood_learning::testing::{
    CLASS, NUMBER, bytes, check_explanations, check_learner, check_learner_with,
    check_weights_with, mixed_view,
};

/// Points on a line with numbers.
fn line(points: &[f64], numbers: &[f64]) -> View {
    let attributes = vec![
        Attribute::new("x", Column::numeric(points.to_vec())),
        Attribute::new("y", Column::numeric(numbers.to_vec())),
    ];
    let table = Table::new("line", attributes).unwrap();
    View::new(Arc::new(Database::single(table).unwrap()), 0)
}

const PRODUCT: (&str, &str) = ("kernel", "linear(absolute, origin='0')");

#[test]
fn a_tube_through_two_points() {
    let view = line(&[0.0, 1.0], &[0.0, 1.0]);
    let tight = ("tolerance", "1e-9");
    let own = ("scaled", "false");
    // The flattest line within 0.1 of both: 0.1 + 0.8 x.
    let model = fitted(&SVR, &[PRODUCT, ("c", "10"), tight, own], &view, &[1]).unwrap();
    let found = answers(&*model, &line(&[2.0, 0.5], &[0.0, 0.0]));
    assert!(
        (found[0] - 1.7).abs() < 1e-6 && (found[1] - 0.5).abs() < 1e-6,
        "{found:?}"
    );
    // Half of it in units of the standard deviation, which is 0.5.
    let model = fitted(&SVR, &[PRODUCT, ("c", "10"), tight], &view, &[1]).unwrap();
    let found = answers(&*model, &line(&[2.0], &[0.0]));
    assert!((found[0] - (0.05 + 0.9 * 2.0)).abs() < 1e-6, "{found:?}");
    let nu = [PRODUCT, ("form", "nu"), ("c", "100"), ("nu", "0.5"), tight];
    let model = fitted(
        &SVR,
        &nu,
        &line(&[0.0, 1.0, 2.0, 3.0], &[1.0, 3.0, 5.0, 7.0]),
        &[1],
    );
    let found = answers(&*model.unwrap(), &line(&[5.0], &[0.0]));
    assert!((found[0] - 11.0).abs() < 1e-3, "{found:?}");
}

/// What is fitted is finite and can be read again, or nothing is fitted.
#[test]
fn huge_targets_end_in_a_model_that_loads_or_in_an_error() {
    for size in [1e150, 1e200, 1e300, 1.7e308] {
        let numbers: Vec<f64> = (0..12)
            .map(|row| size * (0.3 * f64::from(row)).sin())
            .collect();
        let points: Vec<f64> = (0..12).map(f64::from).collect();
        let view = line(&points, &numbers);
        for (learner, given) in [
            (&RIDGE, &[][..]),
            (&RIDGE, &[("lambda", "1e-9")]),
            (&RIDGE, &[("lambda", "loo")]),
            (&SVR, &[]),
            (&SVR, &[("scaled", "false")]),
        ] {
            let Ok(model) = fitted(learner, given, &view, &[1]) else {
                continue;
            };
            let stored = Stored::from_bytes(bytes(&*model)).unwrap();
            let again = (learner.load)(&stored);
            assert!(again.is_ok(), "{size} {given:?}: {:?}", again.err());
        }
    }
    let same = line(&[0.0, 1.0, 2.0], &[1.7e308; 3]);
    let error = fitted(&RIDGE, &[("lambda", "1")], &same, &[1]);
    let error = error.err().unwrap().to_string();
    assert!(error.contains("too large"), "{error}");
}

#[test]
fn a_ridge_draws_to_the_mean() {
    // (K + 2 I) c = y with K = [1 -1; -1 1] gives coefficients of a quarter: half the slope.
    let view = line(&[-1.0, 1.0], &[4.0, 6.0]);
    let model = fitted(&RIDGE, &[PRODUCT, ("lambda", "2")], &view, &[1]).unwrap();
    let found = answers(&*model, &line(&[2.0, 0.0], &[0.0, 0.0]));
    assert!(
        (found[0] - 6.0).abs() < 1e-12 && (found[1] - 5.0).abs() < 1e-12,
        "{found:?}"
    );
    // A straight line without noise needs the least ridge there is.
    let points: Vec<f64> = (-6..=6).map(f64::from).collect();
    let numbers: Vec<f64> = points.iter().map(|x| 3.0 * x - 2.0).collect();
    let view = line(&points, &numbers);
    let model = fitted(&RIDGE, &[PRODUCT, ("lambda", "loo")], &view, &[1]).unwrap();
    let found = answers(&*model, &line(&[20.0], &[0.0]));
    assert!((found[0] - 58.0).abs() < 1e-2, "{found:?}");
    let told = fitted(&RIDGE, &[("lambda", "low")], &view, &[1]);
    assert!(
        told.err()
            .unwrap()
            .to_string()
            .ends_with("did you mean `loo`?")
    );
}

#[test]
fn regression_keeps_the_rules_of_learners() {
    let view = mixed_view(50);
    check_learner(&SVR, &view, &[NUMBER]);
    check_learner(&RIDGE, &view, &[NUMBER]);
    // The age is not known of every row.
    check_learner(&RIDGE, &view, &[NUMBER, 2]);
    let of_svr: [&[(&str, &str)]; 3] = [
        &[("form", "nu"), ("nu", "0.3")],
        &[("tune", "3"), ("c", "1, 10"), ("gamma", "auto, auto*2")],
        &[("kernel", "negative(euclidean)"), ("indefinite", "clip")],
    ];
    for given in of_svr {
        check_learner_with(&SVR, given, &view, &[NUMBER]);
    }
    check_weights_with(&SVR, of_svr[1], &view, &[NUMBER]);
    check_weights_with(&SVR, of_svr[2], &view, &[NUMBER]);
    let of_ridge: [&[(&str, &str)]; 2] = [
        &[("lambda", "loo")],
        &[("kernel", "negative(euclidean)"), ("indefinite", "flip")],
    ];
    for given in of_ridge {
        check_learner_with(&RIDGE, given, &view, &[NUMBER, 2]);
    }
    for (entry, targets) in [(&SVR, &[NUMBER][..]), (&RIDGE, &[NUMBER, 2])] {
        let model = fitted(entry, &[], &view, targets).unwrap();
        check_explanations(&*model, &view, 4);
        assert!(fitted(entry, &[], &view, &[CLASS]).is_err());
    }
    assert!(fitted(&SVR, &[], &view, &[NUMBER, 2]).is_err());
}

#[test]
fn what_is_fitted_is_near() {
    let view = mixed_view(120);
    let truth = &view.table().attribute(NUMBER).column;
    let mean: f64 = (0..120).filter_map(|row| truth.number(row)).sum::<f64>() / 120.0;
    let squares = |found: &dyn Fn(usize) -> f64| -> f64 {
        (0..120)
            .map(|row| (found(row) - truth.number(row).unwrap()).powi(2))
            .sum()
    };
    let spread = squares(&|_| mean);
    for (entry, given) in [
        (&SVR, &[("c", "10")][..]),
        (&RIDGE, &[("lambda", "loo")]),
        (&SVR, &[("tune", "4"), ("c", "0.1, 1, 10, 100")]),
    ] {
        let model = fitted(entry, given, &view, &[NUMBER]).unwrap();
        let found = answers(&*model, &view);
        let left = squares(&|row| found[row]) / spread;
        assert!(left < 0.2, "{} {left}", entry.name);
    }
}

#[test]
fn damaged_files_of_numbers_are_refused() {
    let model = fitted(&RIDGE, &[], &mixed_view(30), &[NUMBER]).unwrap();
    let stored = Stored::from_bytes(bytes(&*model)).unwrap();
    assert!((RIDGE.load)(&stored).is_ok());
    let kernel = forged(&*model, "kernel", |sections, stored| {
        let mut json: serde_json::Value = stored.json("kernel").unwrap();
        json["functions"] = json!(0);
        sections.put_json("kernel", &json).unwrap();
    });
    assert!((RIDGE.load)(&kernel).is_err());
    let classes = fitted(&crate::SVM, &[], &mixed_view(30), &[CLASS]).unwrap();
    assert!((SVR.load)(&Stored::from_bytes(bytes(&*classes)).unwrap()).is_err());
}
