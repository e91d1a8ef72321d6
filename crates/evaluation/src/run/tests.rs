//! What an evaluation shows learners, and what it scores.

use std::sync::Mutex;

use kinwood_learners::testing::{CLASS, NUMBER, mixed_view};
use kinwood_learners::{Output, Registry, TargetKind};

use super::*;
use crate::measures::{CLASSES, NUMBERS};

fn learner(name: &str, given: &[(&str, &str)]) -> Box<dyn Learner> {
    let registry = Registry::new();
    let entry = registry.find(name).unwrap();
    (entry.build)(&entry.settings(given).unwrap()).unwrap()
}

const FOLDS: Plan = Plan::CrossValidation {
    folds: 5,
    repeats: 2,
};

#[test]
fn majority_scores_the_share_of_the_largest_class() {
    let view = mixed_view(100);
    let column = &view.table().attribute(CLASS).column;
    let mut counts = [0.0; 3];
    (0..100).for_each(|row| counts[column.code(row).unwrap() as usize] += 1.0);
    let evaluation = evaluate(
        &*learner("majority", &[]),
        &view,
        &[CLASS],
        &FOLDS,
        &Context::new(),
    )
    .unwrap();
    let names: Vec<&str> = Measure::for_target(&CLASSES).map(Measure::key).collect();
    assert_eq!(evaluation.measures, names);
    assert_eq!(evaluation.folds.len(), 10);
    let largest = counts.iter().fold(0.0f64, |a, b| a.max(*b)) / 100.0;
    assert!((evaluation.pooled[0].unwrap() - largest).abs() < 1e-12);
}

#[test]
fn several_targets_are_scored_by_name_and_threads_change_nothing() {
    let view = mixed_view(90);
    let run = |threads| {
        let context = Context::new().with_threads(threads);
        evaluate(
            &*learner("knn", &[("k", "3")]),
            &view,
            &[CLASS, NUMBER],
            &FOLDS,
            &context,
        )
        .unwrap()
    };
    let (one, two) = (run(1), run(2));
    let of_class = Measure::for_target(&CLASSES).map(|m| format!("{m}(class)"));
    let of_amount = Measure::for_target(&NUMBERS).map(|m| format!("{m}(amount)"));
    let names: Vec<String> = of_class.chain(of_amount).collect();
    assert_eq!(one.measures, names);
    assert_eq!(one.folds, two.folds);
    assert_eq!(one.pooled, two.pooled);
    assert!(one.mean("accuracy(class)").unwrap() > 0.4);
}

/// The mixed view with a second number and a third that is a copy of the class, by the names given.
fn of_four_targets(number: &str) -> View {
    let view = mixed_view(60);
    let mut attributes = view.table().attributes().to_vec();
    let halves = (0..60).map(|row| f64::from(row % 7)).collect();
    let column = kinwood_values::Column::numeric(halves);
    attributes.push(kinwood_values::Attribute::new(number, column));
    let mut again = view.table().attribute(CLASS).clone();
    again.name = "again".to_owned();
    attributes.push(again);
    let table = kinwood_values::Table::new("t", attributes).unwrap();
    View::new(
        Arc::new(kinwood_values::Database::single(table).unwrap()),
        0,
    )
}

#[test]
fn targets_of_one_kind_have_a_mean() {
    let run = |number: &str, targets: &[usize]| {
        let view = of_four_targets(number);
        let learner = learner("knn", &[("k", "3")]);
        evaluate(&*learner, &view, targets, &FOLDS, &Context::new()).unwrap()
    };
    let view = of_four_targets("other");
    let other = view.table().attributes().len() - 2;
    let found = run("other", &[CLASS, NUMBER, other]);
    let place = |name: &str| found.measures.iter().position(|n| n == name).unwrap();
    assert!(!found.measures.contains(&"accuracy(mean)".to_owned()));
    let (a, b, mean) = (
        place("rmse(amount)"),
        place("rmse(other)"),
        place("rmse(mean)"),
    );
    assert_eq!(
        mean + Measure::for_target(&NUMBERS).count(),
        found.measures.len()
    );
    let half = |scores: &[Option<f64>]| (scores[a].unwrap() + scores[b].unwrap()) / 2.0;
    for fold in &found.folds {
        assert!((fold.scores[mean].unwrap() - half(&fold.scores)).abs() < 1e-12);
    }
    assert!((found.pooled[mean].unwrap() - half(&found.pooled)).abs() < 1e-12);
    assert!(found.mean("rmse(mean)").is_some());
    // Kinds in the order of their first target, and none where a target has the name.
    let found = run("other", &[NUMBER, CLASS, other, other + 1]);
    let means = found
        .measures
        .iter()
        .filter(|name| name.ends_with("(mean)"));
    let expected: Vec<String> = Measure::for_target(&NUMBERS)
        .chain(Measure::for_target(&CLASSES))
        .map(|measure| format!("{measure}(mean)"))
        .collect();
    assert!(means.eq(&expected));
    let found = run("mean", &[CLASS, NUMBER, other]);
    let named = found.measures.iter().filter(|name| *name == "rmse(mean)");
    assert_eq!(named.count(), 1);
}

#[test]
fn a_mean_of_something_undefined_is_undefined() {
    let number = |name: &str| Truth {
        name: name.to_owned(),
        values: TrueValues::new(TargetKind::number(), Vec::<Option<[f64; 1]>>::new()),
    };
    let measures: Vec<Measure> = Measure::for_target(&NUMBERS).collect();
    let each = measures.len();
    let averages = Averages::of(&[number("a"), number("b")], &vec![measures; 2]);
    let mut scores = vec![Some(1.0); each];
    scores.extend(vec![Some(2.0); each]);
    scores[each] = None;
    averages.add(&mut scores);
    assert_eq!(scores[2 * each..2 * each + 2], [None, Some(1.5)]);
}

/// The rows in sight, and whether the target is.
type Sight = (Vec<u32>, bool);

/// A learner that looks for leaks: it records every row and column it can see while fitting and
/// predicting.
struct Spy {
    seen: Arc<Mutex<Vec<Sight>>>,
    target: usize,
    inner: Box<dyn Learner>,
}

impl Learner for Spy {
    fn fit(&self, task: &Task, context: &Context) -> kinwood_learners::Result<Box<dyn Model>> {
        let visible = task.view().column(0, self.target).is_some();
        self.seen
            .lock()
            .unwrap()
            .push((task.view().rows().collect(), visible));
        self.inner.fit(task, context)
    }
}

#[test]
fn whatever_is_fitted_sees_training_rows_only() {
    let view = mixed_view(50);
    let seen = Arc::new(Mutex::new(Vec::new()));
    let spy = Spy {
        seen: Arc::clone(&seen),
        target: CLASS,
        inner: learner("majority", &[]),
    };
    let context = Context::new().with_threads(1);
    let evaluation = evaluate(&spy, &view, &[CLASS], &FOLDS, &context).unwrap();
    let seen = seen.lock().unwrap();
    for (split, (rows, target_visible)) in evaluation.splits.iter().zip(&*seen) {
        assert_eq!(rows, &split.train);
        assert!(split.test.iter().all(|row| !rows.contains(row)));
        assert!(!target_visible);
    }
}

/// A planted leak: a model that would answer with the target of the query if it could see it.
struct Cheat;

impl Learner for Cheat {
    fn fit(&self, task: &Task, context: &Context) -> kinwood_learners::Result<Box<dyn Model>> {
        let honest = learner("majority", &[]).fit(task, context)?;
        Ok(Box::new(Cheater { honest }))
    }
}

struct Cheater {
    honest: Box<dyn Model>,
}

impl Model for Cheater {
    fn predict(&self, data: &View, context: &Context) -> kinwood_learners::Result<Predictions> {
        let mut predictions = self.honest.predict(data, context)?;
        if let Some(leaked) = data.column(data.table_position(), CLASS) {
            let output = &mut predictions.targets[0].output;
            let classes = output.kind().width();
            let mut shares = output.numbers().to_vec();
            for (position, row) in data.rows().enumerate() {
                let truth = leaked.code(row as usize).unwrap() as usize;
                for class in 0..classes {
                    shares[position * classes + class] = f64::from(u8::from(class == truth));
                }
            }
            *output = Output::new(output.kind().clone(), shares);
        }
        Ok(predictions)
    }

    fn write(
        &self,
        sections: &mut kinwood_values::container::Sections,
    ) -> kinwood_learners::Result<()> {
        self.honest.write(sections)
    }

    fn show(&self) -> String {
        self.honest.show()
    }

    fn to_json(&self) -> serde_json::Value {
        self.honest.to_json()
    }
}

#[test]
fn a_planted_leak_of_the_target_is_caught() {
    let view = mixed_view(100);
    let context = Context::new();
    let cheat = evaluate(&Cheat, &view, &[CLASS], &FOLDS, &context).unwrap();
    let honest = evaluate(
        &*learner("majority", &[]),
        &view,
        &[CLASS],
        &FOLDS,
        &context,
    )
    .unwrap();
    assert_eq!(
        cheat.folds, honest.folds,
        "the cheat gains nothing through the views it is given"
    );
    // The plant does work where the target is visible: the test above would notice a leak.
    let task = Task::new(&view, &[CLASS]).unwrap();
    let leaking = Cheat
        .fit(&task, &context)
        .unwrap()
        .predict(&view, &context)
        .unwrap();
    let column = &view.table().attribute(CLASS).column;
    assert!((0..100).all(|row| leaking.targets[0].output.class(row) == column.code(row)));
}

#[test]
fn groups_stay_together() {
    let view = mixed_view(60);
    let mut attributes = view.table().attributes().to_vec();
    let group = kinwood_values::Column::numeric((0..60).map(|row| f64::from(row / 6)).collect());
    attributes.push(kinwood_values::Attribute::new("family", group).with_role(Role::Group));
    let table = kinwood_values::Table::new("t", attributes).unwrap();
    let view = View::new(
        Arc::new(kinwood_values::Database::single(table).unwrap()),
        0,
    );
    let evaluation = evaluate(
        &*learner("majority", &[]),
        &view,
        &[CLASS],
        &FOLDS,
        &Context::new(),
    )
    .unwrap();
    for split in evaluation.splits.iter() {
        assert!(
            split
                .test
                .iter()
                .all(|row| split.train.iter().all(|other| other / 6 != row / 6))
        );
    }
}

#[test]
fn a_failing_learner_names_its_fold() {
    let view = mixed_view(30);
    let error = evaluate(
        &*learner("majority", &[]),
        &view,
        &[NUMBER],
        &FOLDS,
        &Context::new(),
    );
    let message = error.err().unwrap().to_string();
    assert!(
        message.starts_with("repeat 1, fold 1: `majority` predicts nominal targets"),
        "{message}"
    );
}
