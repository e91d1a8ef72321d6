//! k-NN as a whole: the rules of learners, votes by hand, the choice of k, filters, explanations.

use std::sync::Arc;

use kinwood_values::{Attribute, Column, Database, Table, View};

use super::KNN;
use crate::context::Context;
use crate::model::Model;
use crate::predictions::Output;
use crate::task::Task;
use crate::testing::{self, check_learner};

#[test]
fn knn_keeps_the_rules_of_learners() {
    let view = testing::mixed_view(80);
    check_learner(&KNN, &view, &[testing::CLASS]);
    check_learner(&KNN, &view, &[testing::NUMBER]);
    check_learner(&KNN, &view, &[testing::CLASS, testing::NUMBER]);
}

fn fit(view: &View, targets: &[usize], given: &[(&str, &str)]) -> Box<dyn Model> {
    let learner = (KNN.build)(&KNN.settings(given).unwrap()).unwrap();
    learner
        .fit(&Task::new(view, targets).unwrap(), &Context::new())
        .unwrap()
}

fn view(numbers: &[f64], labels: &[Option<&str>]) -> View {
    let attributes = vec![
        Attribute::new("x", Column::numeric(numbers.to_vec())),
        Attribute::new("class", Column::nominal(labels.iter().copied())),
    ];
    View::new(
        Arc::new(Database::single(Table::new("t", attributes).unwrap()).unwrap()),
        0,
    )
}

fn shares(model: &dyn Model, view: &View) -> Vec<f64> {
    let predictions = model.predict(view, &Context::new()).unwrap();
    match predictions.targets.into_iter().next().unwrap().output {
        Output::Classes { shares, .. } => shares,
        Output::Numbers(numbers) => numbers,
    }
}

#[test]
fn votes_are_counted_by_hand() {
    let stored = view(
        &[0.0, 1.0, 2.0, 10.0],
        &[Some("a"), Some("b"), Some("b"), Some("a")],
    );
    let query = view(&[0.4], &[None]);
    let nearest = fit(&stored, &[1], &[]);
    assert_eq!(shares(&*nearest, &query), [1.0, 0.0]);
    let three = fit(&stored, &[1], &[("k", "3")]);
    assert_eq!(shares(&*three, &query), [1.0 / 3.0, 2.0 / 3.0]);
    let inverse = fit(&stored, &[1], &[("k", "2"), ("weights", "inverse")]);
    let found = shares(&*inverse, &query);
    assert!((found[0] - 0.6).abs() < 1e-12, "{found:?}");
    let exact = view(&[1.0], &[None]);
    assert_eq!(shares(&*inverse, &exact), [0.0, 1.0]);
}

#[test]
fn a_neighbour_without_the_target_has_no_vote() {
    let attributes = vec![
        Attribute::new("x", Column::numeric(vec![0.0, 1.0, 2.0])),
        Attribute::new("y", Column::numeric(vec![f64::NAN, 4.0, 6.0])),
        Attribute::new("z", Column::numeric(vec![1.0, 1.0, 1.0])),
    ];
    let database = Database::single(Table::new("t", attributes).unwrap()).unwrap();
    let stored = View::new(Arc::new(database), 0);
    let model = fit(&stored, &[1, 2], &[]);
    // The only neighbour does not know y: the mean of those who do answers.
    assert_eq!(shares(&*model, &stored.select(&[0])), [5.0]);
}

#[test]
fn appending_equals_fitting_on_everything() {
    let all = testing::mixed_view(60);
    let halves = [(0..30).collect::<Vec<u32>>(), (30..60).collect()];
    let targets = [testing::CLASS, testing::NUMBER];
    let mut grown = fit(&all.select(&halves[0]), &targets, &[("k", "3")]);
    grown
        .append(&Task::new(&all.select(&halves[1]), &targets).unwrap())
        .unwrap()
        .unwrap();
    let whole = fit(&all, &targets, &[("k", "3")]);
    let context = Context::new();
    assert_eq!(
        grown.predict(&all, &context).unwrap(),
        whole.predict(&all, &context).unwrap()
    );
}
