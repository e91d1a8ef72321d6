use std::sync::Mutex;

use kinwood_learners::Registry;
use kinwood_learners::testing::{CLASS, mixed_view};
use kinwood_learning::{Error as LearnerError, Result};

use super::*;
use crate::run::evaluate;
use crate::splits::Plan;

fn learner(name: &str, given: &[(&str, &str)]) -> Box<dyn Learner> {
    let registry = Registry::new();
    let entry = registry.find(name).unwrap();
    entry.learner(&entry.settings(given).unwrap()).unwrap()
}

fn parts(rows: u32) -> Parts {
    let of = |part: u32| (0..rows).filter(|row| row % 3 == part).collect();
    Parts {
        train: of(0),
        validation: of(1),
        test: of(2),
    }
}

#[test]
fn scores_are_those_of_a_fold_with_the_same_rows() {
    let view = mixed_view(90);
    let parts = parts(90);
    let context = Context::new();
    let knn = learner("knn", &[("k", "3")]);
    let found = evaluate_parts(
        &*knn,
        &view,
        &[CLASS],
        &parts,
        Protocol::default(),
        &context,
    )
    .unwrap();
    let (validation, test) = (found.validation().unwrap(), found.test().unwrap());
    assert_eq!((validation.n, test.n), (30, 30));
    let labels: Vec<u32> = (0..90).map(|row| row % 3).collect();
    let select = |keep: &[u32]| {
        let rows: Vec<u32> = (0..90)
            .filter(|&row| keep.contains(&labels[row as usize]))
            .collect();
        rows
    };
    // Folds of training rows and one other part: the fold in which the other part is tested.
    for (other, scored) in [(1, &validation), (2, &test)] {
        let rows = select(&[0, other]);
        let folds: Vec<String> = rows
            .iter()
            .map(|&row| labels[row as usize].to_string())
            .collect();
        let plan = Plan::GivenFolds { labels: folds };
        let folds = evaluate(&*knn, &view.select(&rows), &[CLASS], &plan, &context).unwrap();
        let split = folds
            .splits
            .iter()
            .position(|split| split.train[0] == 0)
            .unwrap();
        assert_eq!(folds.folds[split].scores, scored.scores);
    }
    assert_eq!(test.score("accuracy"), test.scores[0]);
}

/// Notes the training and validation rows it is given.
struct Noting<'a> {
    inner: Box<dyn Learner>,
    seen: &'a Mutex<Vec<(usize, Option<usize>)>>,
}

impl Learner for Noting<'_> {
    fn fit(&self, task: &Task, context: &Context) -> Result<Box<dyn Model>> {
        let validation = task.validation().map(|task| task.view().len());
        let noted = (task.view().len(), validation);
        self.seen
            .lock()
            .map_err(|_| LearnerError::Interrupted)?
            .push(noted);
        self.inner.fit(task, context)
    }
}

#[test]
fn validation_rows_teach_nothing_until_the_model_is_fitted_again() {
    let view = mixed_view(60);
    let seen = Mutex::new(Vec::new());
    let noting = || Noting {
        inner: learner("majority", &[]),
        seen: &seen,
    };
    let context = Context::new();
    let run = |protocol| {
        evaluate_parts(&noting(), &view, &[CLASS], &parts(60), protocol, &context).unwrap()
    };
    run(Protocol::default());
    assert_eq!(*seen.lock().unwrap(), [(20, Some(20))]);
    let again = |_: &dyn Model| Ok(learner("majority", &[]));
    let found = run(Protocol {
        refit: Some(&again),
        ..Protocol::default()
    });
    let all: Vec<u32> = (0..60).filter(|row| row % 3 < 2).collect();
    let task = Task::new(&view.select(&all), &[CLASS]).unwrap();
    let model = learner("majority", &[]).fit(&task, &context).unwrap();
    let test: Vec<u32> = (0..60).filter(|row| row % 3 == 2).collect();
    let expected = model.predict(&view.select(&test), &context).unwrap();
    assert_eq!(
        format!("{:?}", found.test().unwrap().predictions),
        format!("{expected:?}")
    );
}

#[test]
fn a_part_without_rows_has_no_scores() {
    let view = mixed_view(30);
    let mut parts = parts(30);
    parts.validation.clear();
    let majority = learner("majority", &[]);
    let context = Context::new();
    let found = evaluate_parts(
        &*majority,
        &view,
        &[CLASS],
        &parts,
        Protocol::default(),
        &context,
    )
    .unwrap();
    assert!(found.validation().is_none());
    assert_eq!(found.test().unwrap().n, 10);
}

#[test]
fn validation_rows_choose_settings() {
    use crate::tune::{Candidate, Inner, Tuned};

    let view = mixed_view(90);
    let parts = parts(90);
    let context = Context::new();
    let candidate = |k: &str| Candidate {
        settings: vec![("k".to_owned(), k.to_owned())],
        learner: learner("knn", &[("k", k)]),
    };
    let candidates = ["30", "3", "1"].map(candidate).into();
    let tuned = Tuned::new(candidates, Inner::default(), Vec::new()).unwrap();
    let run = |learner: &dyn Learner| {
        let protocol = Protocol::default();
        evaluate_parts(learner, &view, &[CLASS], &parts, protocol, &context).unwrap()
    };
    let found = run(&tuned);
    let each = ["30", "3", "1"].map(|k| run(&*learner("knn", &[("k", k)])));
    let accuracy = |held: &HeldOut| held.validation().unwrap().score("accuracy").unwrap();
    let best = each.iter().map(accuracy).fold(0.0, f64::max);
    assert_eq!(accuracy(&found), best);
    let chosen = each.iter().position(|held| accuracy(held) == best).unwrap();
    let expected = ["30", "3", "1"][chosen].to_owned();
    assert_eq!(found.chosen, Some(vec![("k".to_owned(), expected)]));
    assert_eq!(
        found.test().unwrap().scores,
        each[chosen].test().unwrap().scores
    );
}
