//! Tests of the list of measures.

use super::*;
use crate::error::Error;

#[test]
fn the_list_has_words_and_keys_lead_back() {
    for measure in BUILTIN {
        let row = measure.description();
        assert_eq!(row.key.parse(), Ok(measure));
        assert!(!row.doc.is_empty() && !row.doc.ends_with('.') && !row.doc.contains("  "));
        let json = serde_json::to_string(&measure).unwrap();
        assert_eq!(json, format!("\"{}\"", row.key));
        assert_eq!(serde_json::from_str::<Measure>(&json).unwrap(), measure);
    }
    let keys = BUILTIN.map(Measure::key);
    assert_eq!(
        keys,
        [
            "accuracy",
            "balanced_accuracy",
            "f1",
            "auc",
            "brier",
            "log_loss",
            "calibration_error",
            "rmse",
            "mae",
            "relative_rmse",
            "r2",
            "correlation",
            "spearman",
            "hamming_loss",
            "subset_accuracy",
            "micro_f1",
            "macro_f1",
            "auprc",
            "macro_auprc",
            "ranking_loss",
            "rank_error",
            "ordered_accuracy",
            "ranked_probability",
            "concordance",
            "integrated_brier",
            "time_error",
            "series_rmse",
            "series_dtw",
        ]
    );
}

#[test]
fn unknown_names_are_answered_with_the_nearest_or_all() {
    let message = |name: &str| name.parse::<Measure>().unwrap_err().to_string();
    assert_eq!(
        message("log-loss"),
        "unknown measure `log-loss`; did you mean `log_loss`?"
    );
    assert_eq!(
        message("rsme"),
        "unknown measure `rsme`; did you mean `rmse`?"
    );
    assert!(message("kappa").starts_with(
        "unknown measure `kappa`; expected one of accuracy, balanced_accuracy, f1, auc, brier, "
    ));
    assert!(message("kappa").contains(", macro_auprc, ranking_loss"));
}

#[test]
fn every_measure_answers_for_its_target_only() {
    let names = ["a".to_owned(), "b".to_owned()];
    let classes = Answers::Classes(ClassAnswers {
        truth: &[Some(0), Some(1)],
        predicted: &[0, 1],
        probabilities: &[1.0, 0.0, 0.5, 0.5],
        classes: &names,
    });
    let numbers = Answers::Numbers(NumberAnswers {
        truth: &[Some(1.0), Some(3.0)],
        predicted: &[1.0, 2.0],
    });
    let sets = Answers::Labels(LabelAnswers {
        truth: &[Some(vec![0]), Some(vec![0, 1])],
        shares: &[1.0, 0.0, 1.0, 0.25],
        labels: 2,
    });
    let ln2 = 2.0_f64.ln();
    let of_classes = [1.0, 1.0, 1.0, 1.0, 0.25, ln2 / 2.0, 0.25];
    let half = 0.5_f64.sqrt();
    let of_numbers = [half, 0.5, half, 0.5, 1.0, 1.0];
    let of_sets = [0.25, 0.5, 0.8, 0.5, 1.0, 1.0, 0.0];
    let expected: Vec<f64> = of_classes
        .into_iter()
        .chain(of_numbers)
        .chain(of_sets)
        .collect();
    // Those of other kinds are tried beside their functions.
    let others = BUILTIN.iter().filter(|measure| {
        let known = [&CLASSES, &NUMBERS, &LABELS];
        !known.contains(&measure.target())
    });
    assert_eq!(expected.len() + others.count(), BUILTIN.len());
    for (measure, expected) in BUILTIN.iter().zip(expected) {
        let (own, other) = match measure.target() {
            target if *target == CLASSES => (classes, numbers),
            target if *target == NUMBERS => (numbers, classes),
            _ => (sets, numbers),
        };
        let value = measure.of(&own, None).unwrap().unwrap();
        assert!((value - expected).abs() < 1e-15, "{measure} {value}");
        assert!(matches!(
            measure.of(&other, None),
            Err(Error::WrongTarget { .. })
        ));
    }
    assert_eq!(
        MAE.of(&classes, None).unwrap_err().to_string(),
        "`mae` is a measure for numbers, not for classes"
    );
}

#[test]
fn better_follows_the_direction() {
    assert!(ACCURACY.better(0.9, 0.8) && !ACCURACY.better(0.8, 0.8));
    assert!(RMSE.better(0.8, 0.9) && !RMSE.better(0.8, 0.8));
}
