//! A measure that a user registers is there wherever measures are named.

use kinwood_evaluation::Error;
use kinwood_evaluation::measures::{
    Answers, ClassAnswers, Compute, Direction, Measure, MeasureEntry, NumberAnswers, Score,
};
use kinwood_evaluation::run::evaluate;
use kinwood_evaluation::splits::Plan;
use kinwood_evaluation::tune::{Candidate, Inner, Tuned};
use kinwood_learners::{Context, Task};

use crate::rows::{CLASS, NUMBER, learner, view};

const FOLDS: Plan = Plan::CrossValidation {
    folds: 5,
    repeats: 1,
};

fn largest_error(answers: &NumberAnswers<'_>, _: Option<&[f64]>) -> Score {
    let pairs = answers.truth.iter().zip(answers.predicted);
    let errors = pairs.filter_map(|(truth, predicted)| Some((predicted - (*truth)?).abs()));
    Ok(errors.reduce(f64::max))
}

/// The share of rows of the first class that are found.
fn found(answers: &ClassAnswers<'_>, _: Option<&[f64]>) -> Score {
    assert_eq!(answers.classes[0], "low");
    let pairs = answers.truth.iter().zip(answers.predicted);
    let own: Vec<bool> = pairs
        .filter(|(truth, _)| **truth == Some(0))
        .map(|(_, predicted)| *predicted == 0)
        .collect();
    let hits = own.iter().filter(|hit| **hit).count();
    Ok((!own.is_empty()).then(|| hits as f64 / own.len() as f64))
}

fn entry(key: &'static str, direction: Direction, compute: Compute) -> MeasureEntry {
    MeasureEntry {
        key,
        title: key,
        doc: "a measure of a test",
        formula: "none",
        direction,
        compute,
    }
}

#[test]
fn a_registered_measure_is_evaluated_chosen_by_and_named() {
    let number = Compute::Numbers(&largest_error);
    let measure = Measure::register(entry("largest_error", Direction::LowerIsBetter, number));
    let measure = measure.unwrap();
    let class = Compute::Classes(&found);
    Measure::register(entry("found", Direction::HigherIsBetter, class)).unwrap();

    assert_eq!("largest_error".parse(), Ok(measure));
    let json = serde_json::to_string(&measure).unwrap();
    assert_eq!(json, "\"largest_error\"");
    assert_eq!(serde_json::from_str::<Measure>(&json).unwrap(), measure);
    let told = "largest_eror".parse::<Measure>().unwrap_err().to_string();
    assert!(told.ends_with("did you mean `largest_error`?"), "{told}");
    let told = "zzzzzzzz".parse::<Measure>().unwrap_err().to_string();
    assert!(
        told.contains("expected one of accuracy, ") && told.contains("largest_error"),
        "{told}"
    );

    // Built-in measures come first, unchanged; registered ones stand behind them.
    let context = Context::new();
    let numbers = evaluate(&*learner("mean"), &view(), &[NUMBER], &FOLDS, &context).unwrap();
    let builtin = [
        "rmse",
        "mae",
        "relative_rmse",
        "r2",
        "correlation",
        "spearman",
    ];
    assert_eq!(numbers.measures[..6], builtin);
    let own = |name: &String| name == "largest_error";
    let place = numbers.measures.iter().position(own).unwrap();
    let largest = numbers.pooled[place].unwrap();
    assert!((9.0..13.0).contains(&largest), "{largest}");
    assert!(numbers.mean("largest_error").unwrap() <= largest);
    let classes = evaluate(&*learner("majority"), &view(), &[CLASS], &FOLDS, &context).unwrap();
    assert!(classes.mean("found").is_some());
    assert!(classes.mean("largest_error").is_none());

    // A search may choose by it, and the lower value wins.
    let candidate = |name: &str| Candidate {
        settings: vec![("learner".to_owned(), name.to_owned())],
        learner: learner(name),
    };
    let candidates = vec![candidate("mean"), candidate("knn")];
    let tuned = Tuned::new(candidates, Inner::default(), vec![measure]).unwrap();
    let task = Task::new(&view(), &[NUMBER]).unwrap();
    let choice = tuned.choose(&task, &context).unwrap();
    assert_eq!(choice.measures, ["largest_error"]);
    assert_eq!(choice.winner().settings[0].1, "knn");
}

#[test]
fn names_are_checked_and_a_second_registration_replaces_the_first() {
    let with = |key: &'static str, value: f64| {
        let compute = move |_: &NumberAnswers<'_>, _: Option<&[f64]>| Ok(Some(value));
        let compute = Compute::Numbers(Box::leak(Box::new(compute)));
        Measure::register(entry(key, Direction::HigherIsBetter, compute))
    };
    let told = |key| with(key, 0.0).unwrap_err().to_string();
    assert!(told("rmse").contains("built-in measure `rmse`"));
    for wrong in ["", "Rmse", "my measure", "a/b", "2nd", "a(b)"] {
        assert!(told(wrong).contains("is no name of a measure"), "{wrong}");
    }
    with("replaced", 1.0).unwrap();
    with("replaced", 2.0).unwrap();
    let answers = Answers::Numbers(NumberAnswers {
        truth: &[],
        predicted: &[],
    });
    let measure: Measure = "replaced".parse().unwrap();
    assert_eq!(measure.of(&answers, None), Ok(Some(2.0)));
    let named = Measure::all();
    assert_eq!(named.iter().filter(|known| **known == measure).count(), 1);
    assert!(matches!(
        "accuracy".parse::<Measure>().unwrap().of(&answers, None),
        Err(Error::WrongTarget { .. })
    ));
}
