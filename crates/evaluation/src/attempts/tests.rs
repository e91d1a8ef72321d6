use std::sync::Arc;

use kinwood_learners::Registry;
use kinwood_learners::testing::{CLASS, NUMBER, mixed_view};
use kinwood_values::{Attribute, Column, Database, Role, Table};

use super::*;
use crate::measures::{ACCURACY, MAE};
use crate::members::evaluate_members;
use crate::run::evaluate;
use crate::splits::Plan;

const FOLDS: Plan = Plan::CrossValidation {
    folds: 4,
    repeats: 1,
};

fn learner(name: &str, given: &[(&str, &str)]) -> Box<dyn Learner> {
    let registry = Registry::new();
    let entry = registry.find(name).unwrap();
    entry.learner(&entry.settings(given).unwrap()).unwrap()
}

fn whole(learner: &dyn Learner) -> Attempt<'_> {
    Attempt {
        learner,
        portion: None,
    }
}

fn attempted(
    view: &View,
    targets: &[usize],
    attempts: &[Attempt<'_>],
    looks: Looks,
) -> Vec<Attempted> {
    let context = Context::new();
    let trial = Trial::new(view, targets, &FOLDS, context.seed()).unwrap();
    let measures = measures_of(&trial.known().truths, &[]).unwrap();
    attempt_all("trying", &trial, attempts, &measures, looks, &context).unwrap()
}

#[test]
fn an_attempt_is_an_evaluation() {
    let view = mixed_view(80);
    let (one, five) = (learner("knn", &[]), learner("knn", &[("k", "5")]));
    let attempts = [whole(&*one), whole(&*five)];
    let found = attempted(&view, &[CLASS, NUMBER], &attempts, Looks::default());
    for (learner, found) in [one, five].iter().zip(found) {
        let own = evaluate(&**learner, &view, &[CLASS, NUMBER], &FOLDS, &Context::new()).unwrap();
        let place = |name: &str| own.measures.iter().position(|known| known == name).unwrap();
        let places = [place("accuracy(class)"), place("rmse(amount)")];
        for (found, own) in found.unwrap().iter().zip(&own.folds) {
            assert_eq!(found.test, places.map(|place| own.scores[place]));
            assert_eq!((found.repeat, found.fold), (own.repeat, own.fold));
            assert_eq!((&found.training, &found.members), (&None, &None));
        }
    }
}

#[test]
fn the_nearest_neighbour_of_a_training_row_is_itself() {
    let view = mixed_view(60);
    let nearest = learner("knn", &[("k", "1")]);
    let looks = Looks {
        training: true,
        members: false,
    };
    let found = attempted(&view, &[CLASS], &[whole(&*nearest)], looks);
    for fold in found[0].as_ref().unwrap() {
        let training = fold.training.as_ref().unwrap()[0].unwrap();
        assert!(
            training > 0.9 && training > fold.test[0].unwrap(),
            "{fold:?}"
        );
        assert_eq!(fold.rows, 45);
    }
}

#[test]
fn the_trees_of_a_beam_are_looked_at_one_by_one() {
    let view = mixed_view(80);
    let beam = learner("tree", &[("search", "beam"), ("width", "4"), ("size", "7")]);
    let single = learner("tree", &[]);
    let looks = Looks {
        training: false,
        members: true,
    };
    let found = attempted(&view, &[CLASS], &[whole(&*beam), whole(&*single)], looks);
    let context = Context::new();
    let accuracy = ACCURACY;
    let members = evaluate_members(&*beam, &view, CLASS, accuracy, &FOLDS, &context).unwrap();
    for (fold, members) in found[0].as_ref().unwrap().iter().zip(members) {
        assert_eq!(
            fold.members.as_deref(),
            Some(std::slice::from_ref(&members))
        );
        assert!(fold.evaluated > Some(4) && fold.training.is_some());
    }
    for fold in found[1].as_ref().unwrap() {
        // A tree alone is its own only member.
        let members = fold.members.as_deref().unwrap();
        assert_eq!((members[0].members, members[0].similarity), (1, 1.0));
    }
}

#[test]
fn what_stops_one_attempt_stops_no_other() {
    let view = mixed_view(40);
    let (classes, numbers) = (learner("majority", &[]), learner("mean", &[]));
    let attempts = [whole(&*numbers), whole(&*classes)];
    let found = attempted(&view, &[CLASS], &attempts, Looks::default());
    let message = found[0].as_ref().unwrap_err().to_string();
    assert!(message.starts_with("repeat 1, fold 1: `mean`"), "{message}");
    assert_eq!(found[1].as_ref().unwrap().len(), 4);
}

#[test]
fn an_interruption_is_nobodys_failure() {
    let view = mixed_view(40);
    let stop = Arc::new(std::sync::atomic::AtomicBool::new(true));
    let context = Context::new().with_stop(stop);
    let trial = Trial::new(&view, &[CLASS], &FOLDS, 1).unwrap();
    let majority = learner("majority", &[]);
    let outcome = attempt_all(
        "trying",
        &trial,
        &[whole(&*majority)],
        &[ACCURACY],
        Looks::default(),
        &context,
    );
    assert!(matches!(
        outcome,
        Err(RunError::Learner(LearnerError::Interrupted))
    ));
}

#[test]
fn larger_portions_hold_smaller_ones_and_keep_the_classes() {
    let view = mixed_view(200);
    let trial = Trial::new(&view, &[CLASS], &FOLDS, 1).unwrap();
    let orders = Orders::of(&trial, 5);
    let known = trial.known();
    let Some(codes) = known.truths[0].values.classes() else {
        panic!("classes");
    };
    for (place, split) in known.splits.iter().enumerate() {
        let share = |share: f64| orders.first(place, Portion::Share(share));
        let (tenth, half) = (share(0.1), share(0.5));
        assert_eq!((tenth.len(), half.len()), (15, 75));
        assert!(tenth.iter().all(|row| half.contains(row)));
        assert_eq!(share(1.0), split.train);
        assert_eq!(orders.first(place, Portion::Rows(9)).len(), 9);
        assert_eq!(orders.first(place, Portion::Rows(999)), split.train);
        assert_eq!(share(1e-9).len(), 1);
        let count = |rows: &[u32], class: u32| {
            let of_class = rows
                .iter()
                .filter(|row| codes[**row as usize] == Some(class));
            of_class.count() as f64
        };
        for class in 0..3 {
            let expected = count(&split.train, class) / 2.0;
            assert!((count(&half, class) - expected).abs() <= 2.0);
        }
    }
}

#[test]
fn portions_hold_whole_groups() {
    let view = mixed_view(60);
    let mut attributes = view.table().attributes().to_vec();
    let family = Column::numeric((0..60).map(|row| f64::from(row / 6)).collect());
    attributes.push(Attribute::new("family", family).with_role(Role::Group));
    let table = Table::new("t", attributes).unwrap();
    let view = View::new(Arc::new(Database::single(table).unwrap()), 0);
    let trial = Trial::new(&view, &[CLASS], &FOLDS, 1).unwrap();
    let orders = Orders::of(&trial, 1);
    for place in 0..4 {
        let rows = orders.first(place, Portion::Rows(8));
        assert_eq!(rows.len(), 12);
        for family in 0..10 {
            let members = rows.iter().filter(|row| **row / 6 == family).count();
            assert!(members == 0 || members == 6, "{rows:?}");
        }
    }
}

#[test]
fn a_measure_that_fits_no_target_is_refused() {
    let view = mixed_view(20);
    let truths = Truth::of(&view, &[CLASS, NUMBER]).unwrap();
    let asked = measures_of(&truths, &[MAE]).unwrap();
    assert_eq!(asked, [ACCURACY, MAE]);
    assert_eq!(
        measure_names(&truths, &asked),
        ["accuracy(class)", "mae(amount)"]
    );
    let wrong = measures_of(&truths[..1], &[MAE]).unwrap_err();
    assert_eq!(
        wrong.to_string(),
        "`mae` is a measure for numbers, not for classes"
    );
}
