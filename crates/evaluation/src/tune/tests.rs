use std::sync::Mutex;

use kinwood_learners::testing::{CLASS, NUMBER, mixed_view};
use kinwood_learners::{Generator, Registry};
use kinwood_values::{Attribute, Column, Database, Role, Table};

use super::*;
use crate::measures::RMSE;
use crate::run::evaluate;

const FOLDS: Plan = Plan::CrossValidation {
    folds: 4,
    repeats: 1,
};

fn candidate(name: &str, given: &[(&str, &str)]) -> Candidate {
    let registry = Registry::new();
    let entry = registry.find(name).unwrap();
    let pair = |&(name, value): &(&str, &str)| (name.to_owned(), value.to_owned());
    Candidate {
        settings: given.iter().map(pair).collect(),
        learner: entry.learner(&entry.settings(given).unwrap()).unwrap(),
    }
}

fn neighbours(ks: &[&str]) -> Vec<Candidate> {
    ks.iter().map(|k| candidate("knn", &[("k", k)])).collect()
}

fn tuned(candidates: Vec<Candidate>) -> Tuned {
    Tuned::new(candidates, Inner::default(), Vec::new()).unwrap()
}

#[test]
fn the_best_mean_is_chosen_and_the_first_of_equals() {
    let view = mixed_view(120);
    let tuned = tuned(neighbours(&["60", "3", "3", "1"]));
    let task = Task::new(&view, &[CLASS]).unwrap();
    let choice = tuned.choose(&task, &Context::new()).unwrap();
    assert_eq!((choice.chosen, choice.folds), (1, 5));
    assert_eq!(choice.measures, ["accuracy"]);
    let means: Vec<f64> = choice
        .tried
        .iter()
        .map(|tried| tried.mean().unwrap())
        .collect();
    assert_eq!(means[1], means[2]);
    assert!(means[1] > means[0] && means[1] >= means[3], "{means:?}");
    // The scores are those of a plain evaluation on the inner folds.
    let seed = Context::new().generator(&[INNER_SEED]).bits();
    let plan = Plan::CrossValidation {
        folds: 5,
        repeats: 1,
    };
    let inner = Context::new().with_seed(seed);
    let plain = evaluate(
        &*neighbours(&["3"])[0].learner,
        &view,
        &[CLASS],
        &plan,
        &inner,
    )
    .unwrap();
    assert_eq!(plain.mean("accuracy"), Some(means[1]));
}

#[test]
fn the_model_is_the_best_candidates_and_tells_how_it_was_chosen() {
    let view = mixed_view(80);
    let task = Task::new(&view, &[CLASS]).unwrap();
    let context = Context::new();
    let tuned = tuned(neighbours(&["50", "3"]));
    let model = tuned.fit(&task, &context).unwrap();
    let alone = neighbours(&["3"])[0].learner.fit(&task, &context).unwrap();
    assert_eq!(
        model.predict(task.view(), &context).unwrap(),
        alone.predict(task.view(), &context).unwrap()
    );
    let json = model.to_json();
    assert_eq!(json["tuned"]["chosen"], serde_json::json!({"k": "3"}));
    assert_eq!(json["tuned"]["candidates"][0]["settings"]["k"], "50");
    let shown = model.show();
    assert!(shown.starts_with("chosen by 5 inner folds: k=3\n  k=50: accuracy 0."));
    assert!(shown.ends_with(&alone.show()));
    let sections = |model: &dyn Model| {
        let mut sections = kinwood_values::container::Sections::new();
        model.write(&mut sections).unwrap();
        sections.to_bytes().unwrap()
    };
    assert_eq!(sections(&*model), sections(&*alone));
}

#[test]
fn the_same_seed_makes_the_same_choice_on_any_number_of_threads() {
    let view = mixed_view(90);
    let tuned = tuned(neighbours(&["1", "2", "3", "5", "8", "13"]));
    let run = |threads, seed| {
        let context = Context::new().with_threads(threads).with_seed(seed);
        let nested = evaluate_tuned(&tuned, &view, &[CLASS, NUMBER], &FOLDS, &context).unwrap();
        (nested.chosen, nested.evaluation.folds)
    };
    assert_eq!(run(1, 5), run(3, 5));
    assert_ne!(run(1, 5).1, run(1, 6).1);
}

#[test]
fn an_evaluation_of_the_learner_is_the_nested_one() {
    let view = mixed_view(60);
    let tuned = tuned(neighbours(&["1", "9"]));
    let context = Context::new();
    let nested = evaluate_tuned(&tuned, &view, &[CLASS], &FOLDS, &context).unwrap();
    let plain = evaluate(&tuned, &view, &[CLASS], &FOLDS, &context).unwrap();
    assert_eq!(nested.evaluation.folds, plain.folds);
    assert_eq!(nested.chosen.len(), 4);
}

#[test]
fn what_fails_loses_and_where_all_fail_the_first_failure_is_told() {
    let view = mixed_view(50);
    let mixed = vec![candidate("mean", &[]), candidate("majority", &[])];
    let task = Task::new(&view, &[CLASS]).unwrap();
    let choice = tuned(mixed).choose(&task, &Context::new()).unwrap();
    assert_eq!(choice.chosen, 1);
    let failed = choice.tried[0].failed.as_ref().unwrap();
    assert!(
        failed.contains("`mean` predicts numeric targets"),
        "{failed}"
    );
    assert_eq!(choice.tried[0].mean(), None);
    let none = tuned(vec![candidate("mean", &[]), candidate("mean", &[])]);
    let error = none.fit(&task, &Context::new()).err().unwrap().to_string();
    assert!(
        error.starts_with("`mean` predicts numeric targets"),
        "{error}"
    );
}

#[test]
fn few_rows_have_few_folds_and_one_row_has_no_choice() {
    let choose = |rows: &[u32]| {
        let task = Task::new(&mixed_view(20).select(rows), &[NUMBER]).unwrap();
        tuned(neighbours(&["1", "2"]))
            .choose(&task, &Context::new())
            .unwrap()
    };
    assert_eq!(choose(&[0, 1, 2]).folds, 3);
    let one = choose(&[4]);
    assert_eq!((one.folds, one.chosen), (0, 0));
}

#[test]
fn a_measure_for_other_targets_is_refused() {
    let view = mixed_view(30);
    let inner = Inner::default();
    let tuned = Tuned::new(neighbours(&["1"]), inner, vec![RMSE]).unwrap();
    let task = Task::new(&view, &[CLASS]).unwrap();
    let error = tuned.fit(&task, &Context::new()).err().unwrap().to_string();
    assert_eq!(
        error,
        "setting `measure` cannot be `rmse`: expected a measure for classes"
    );
    assert!(Tuned::new(Vec::new(), Inner::default(), Vec::new()).is_err());
    let one_fold = Inner {
        folds: 1,
        objects: None,
    };
    assert!(Tuned::new(neighbours(&["1"]), one_fold, Vec::new()).is_err());
}

/// Records every row it is fitted on or asked about, with the seed of the fold.
struct Spy {
    seen: Arc<Mutex<Vec<Vec<u32>>>>,
    inner: Box<dyn Learner>,
}

struct SpyModel {
    seen: Arc<Mutex<Vec<Vec<u32>>>>,
    model: Box<dyn Model>,
}

impl Learner for Spy {
    fn fit(&self, task: &Task, context: &Context) -> Result<Box<dyn Model>, LearnerError> {
        let rows = task.view().rows().collect();
        self.seen.lock().unwrap().push(rows);
        Ok(Box::new(SpyModel {
            seen: Arc::clone(&self.seen),
            model: self.inner.fit(task, context)?,
        }))
    }
}

impl Model for SpyModel {
    fn predict(
        &self,
        data: &View,
        context: &Context,
    ) -> kinwood_learners::Result<kinwood_learners::Predictions> {
        assert!(data.column(data.table_position(), CLASS).is_none());
        self.seen.lock().unwrap().push(data.rows().collect());
        self.model.predict(data, context)
    }

    fn write(
        &self,
        sections: &mut kinwood_values::container::Sections,
    ) -> kinwood_learners::Result<()> {
        self.model.write(sections)
    }

    fn show(&self) -> String {
        self.model.show()
    }

    fn to_json(&self) -> serde_json::Value {
        self.model.to_json()
    }
}

#[test]
fn no_candidate_sees_an_outer_test_row_before_the_choice() {
    let view = mixed_view(60);
    let seen = Arc::new(Mutex::new(Vec::new()));
    let spies = ["1", "5", "20"].map(|k| {
        let Candidate { settings, learner } = candidate("knn", &[("k", k)]);
        let spy = Spy {
            seen: Arc::clone(&seen),
            inner: learner,
        };
        Candidate {
            settings,
            learner: Box::new(spy),
        }
    });
    let tuned = tuned(spies.into());
    let trial = Trial::new(&view, &[CLASS], &FOLDS, 1).unwrap();
    for split in trial.known().splits.iter() {
        seen.lock().unwrap().clear();
        let asked = trial.on_split(&tuned, split, &Context::new(), |model, test, context| {
            // The choice is made, the best is fitted: nothing of the test rows was seen till now.
            let seen = std::mem::take(&mut *seen.lock().unwrap());
            model.predict(test, context)?;
            Ok(seen)
        });
        let before = asked.unwrap();
        // Three candidates fitted and asked on five folds, and the best fitted.
        assert_eq!(before.len(), 3 * 5 * 2 + 1);
        for rows in &before {
            assert!(rows.iter().all(|row| split.train.contains(row)));
            assert!(rows.iter().all(|row| !split.test.contains(row)));
        }
        assert_eq!(before.last(), Some(&split.train));
        assert_eq!(*seen.lock().unwrap(), std::slice::from_ref(&split.test));
    }
}

/// Rows whose class has nothing to do with anything else.
fn noise(rows: usize, seed: u64) -> View {
    let mut generator = Generator::new(seed, &[1]);
    let mut column = || Column::numeric((0..rows).map(|_| generator.normal()).collect());
    let inputs = [column(), column(), column()];
    let class = Column::nominal((0..rows).map(|row| Some(["a", "b"][row % 2])));
    let names = ["x", "y", "z"];
    let mut attributes: Vec<Attribute> = names
        .into_iter()
        .zip(inputs)
        .map(|(name, column)| Attribute::new(name, column))
        .collect();
    attributes.push(Attribute::new("class", class));
    let table = Table::new("noise", attributes).unwrap();
    View::new(Arc::new(Database::single(table).unwrap()), 0)
}

#[test]
fn where_there_is_nothing_to_learn_the_best_of_many_looks_good_and_the_nested_estimate_does_not() {
    let ks: Vec<String> = (1..=40).map(|k| k.to_string()).collect();
    let ks: Vec<&str> = ks.iter().map(String::as_str).collect();
    let tuned = tuned(neighbours(&ks));
    let (mut inner, mut outer) = (0.0, 0.0);
    let sets = 8;
    for seed in 0..sets {
        let view = noise(80, seed);
        let context = Context::new().with_seed(seed);
        let task = Task::new(&view, &[3]).unwrap();
        let choice = tuned.choose(&task, &context).unwrap();
        inner += choice.winner().mean().unwrap() / sets as f64;
        let nested = evaluate_tuned(&tuned, &view, &[3], &FOLDS, &context).unwrap();
        outer += nested.evaluation.mean("accuracy").unwrap() / sets as f64;
    }
    // 640 tested rows: three standard errors of a fair coin are 0.06.
    assert!((outer - 0.5).abs() < 0.06, "{outer}");
    assert!(inner > 0.57 && inner > outer + 0.06, "{inner} {outer}");
}

#[test]
fn groups_and_objects_stay_apart_in_inner_folds() {
    let view = mixed_view(60);
    let mut attributes = view.table().attributes().to_vec();
    let family = Column::numeric((0..60).map(|row| f64::from(row / 6)).collect());
    attributes.push(Attribute::new("family", family).with_role(Role::Group));
    let table = Table::new("t", attributes).unwrap();
    let grouped = View::new(Arc::new(Database::single(table).unwrap()), 0);
    let apart = |row: u32| {
        move |split: &Split| {
            let same = |other: &&u32| **other / 6 == row / 6;
            split.test.contains(&row) && split.train.iter().any(|other| same(&other))
        }
    };
    let objects = (0..60).map(|row| (row, vec![row / 6])).collect();
    let by_objects = Inner {
        folds: 5,
        objects: Some(Arc::new(objects)),
    };
    for (view, inner) in [(&grouped, &Inner::default()), (&view, &by_objects)] {
        let trial = divide(view, &[CLASS], inner, 3).unwrap().unwrap();
        let splits = &trial.known().splits;
        assert_eq!(splits.len(), 5);
        assert!((0..60).all(|row| !splits.iter().any(apart(row))));
    }
}
