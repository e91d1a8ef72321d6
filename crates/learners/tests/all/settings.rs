//! Learners made by hand are those of the registry: the same models, byte for byte, and the same
//! refusals.

mod refused;
mod same;

use std::collections::BTreeMap;
use std::sync::Arc;

use kinwood_learners::flatten::Kind;
use kinwood_learners::testing::{CLASS, NUMBER, bytes, linked_view, mixed_view};
use kinwood_learners::tree::constraint::Constraint;
use kinwood_learners::*;
use kinwood_similarity::{Expression, Missing};
use kinwood_values::{Attribute, Column, Database, Table, Type, Value, View};

/// What a learner makes of a view: the file of its model, or what it says is wrong.
fn outcome(learner: &dyn Learner, view: &View, target: usize) -> Result<Vec<u8>, String> {
    let task = Task::new(view, &[target]).unwrap();
    let model = learner.fit(&task, &Context::new().with_threads(1));
    model
        .map(|model| bytes(&*model))
        .map_err(|error| error.to_string())
}

/// The same of a learner by name, with text for settings.
fn by_text(
    name: &str,
    given: &[(&str, &str)],
    view: &View,
    target: usize,
) -> Result<Vec<u8>, String> {
    let registry = Registry::new();
    let entry = registry.find(name).unwrap();
    let learner = entry
        .settings(given)
        .and_then(|settings| entry.learner(&settings));
    match learner {
        Ok(learner) => outcome(&*learner, view, target),
        Err(error) => Err(error.to_string()),
    }
}

fn same(name: &str, given: &[(&str, &str)], learner: &dyn Learner, view: &View, target: usize) {
    let text = by_text(name, given, view, target);
    assert!(text.is_ok(), "{name} {given:?}: {text:?}");
    assert!(
        outcome(learner, view, target) == text,
        "{name} {given:?}: another model"
    );
}

fn refused(name: &str, given: &[(&str, &str)], learner: &dyn Learner, view: &View, target: usize) {
    let text = by_text(name, given, view, target);
    assert!(text.is_err(), "{name} {given:?} is not refused");
    assert_eq!(outcome(learner, view, target), text, "{name} {given:?}");
}

fn expression(text: &str) -> Expression {
    text.parse().unwrap()
}

fn weights(pairs: &[(&str, f64)]) -> BTreeMap<String, f64> {
    let pair = |&(name, weight): &(&str, f64)| (name.to_owned(), weight);
    pairs.iter().map(pair).collect()
}

/// Bags of numbers with a class: positive ones have a member near 9.
fn bags() -> View {
    let mut column = Column::empty(&"bag<numeric>".parse::<Type>().unwrap());
    let mut labels = Vec::new();
    for row in 0..16_u32 {
        let positive = row % 3 == 0;
        let mut members = vec![Value::Number(f64::from(row % 5) * 0.3)];
        members.push(Value::Number(f64::from(row) * 0.1));
        if positive {
            members.push(Value::Number(9.0 + f64::from(row % 2) * 0.2));
        }
        column.push(&Value::bag(members)).unwrap();
        labels.push(Some(if positive { "yes" } else { "no" }));
    }
    let attributes = vec![
        Attribute::new("bag", column),
        Attribute::new("class", Column::nominal(labels)),
    ];
    let table = Table::new("t", attributes).unwrap();
    View::new(Arc::new(Database::single(table).unwrap()), 0)
}

/// Owners, of whom a class and an amount depend on the sizes of their parts.
fn owners() -> View {
    let (mut class, mut amount, mut of, mut size) = (vec![], vec![], vec![], vec![]);
    for owner in 0..30_u32 {
        for part in 0..1 + owner % 3 {
            of.push(f64::from(owner));
            size.push(f64::from((owner * 7 + part * 5) % 11));
        }
        let large = (owner * 7) % 11 > 5;
        class.push(Some(if large { "large" } else { "small" }));
        amount.push(f64::from((owner * 7) % 11) * 2.0 + f64::from(owner % 2));
    }
    linked_view(
        vec![
            Attribute::new("class", Column::nominal(class)),
            Attribute::new("amount", Column::numeric(amount)),
        ],
        ("part", of),
        vec![Attribute::new("size", Column::numeric(size))],
    )
}

const OWNERS_CLASS: usize = 1;
const OWNERS_AMOUNT: usize = 2;

#[test]
fn defaults_are_those_of_the_registry() {
    let (view, bags) = (mixed_view(40), bags());
    let nominal: [(&str, Box<dyn Learner>); 11] = [
        ("majority", Box::new(Majority)),
        ("oner", Box::new(OneR::default())),
        ("knn", Box::new(Knn::default())),
        ("kstar", Box::new(KStar::default())),
        ("tree", Box::new(TreeLearner::default())),
        ("dbdt", Box::new(Dbdt::default())),
        ("forest", Box::new(Forest::default())),
        ("boost", Box::new(Boost::default())),
        ("centres", Box::new(Centres::default())),
        ("svm", Box::new(Svm::default())),
        ("auto", Box::new(Auto::default())),
    ];
    let numeric: [(&str, Box<dyn Learner>); 4] = [
        ("mean", Box::new(Mean)),
        ("m5", Box::new(M5::default())),
        ("svr", Box::new(Svr::default())),
        ("ridge", Box::new(Ridge::default())),
    ];
    let of_bags: [(&str, Box<dyn Learner>); 2] = [
        ("citation_knn", Box::new(CitationKnn::default())),
        ("mi_svm", Box::new(MiSvm::default())),
    ];
    let all = nominal.iter().chain(&numeric).chain(&of_bags);
    let mut names: Vec<&str> = all.map(|(name, _)| *name).chain(["mirt"]).collect();
    names.sort_unstable();
    let registry = Registry::new();
    let mut known: Vec<&str> = registry.entries().iter().map(|entry| entry.name).collect();
    known.sort_unstable();
    assert_eq!(names, known, "every learner has a struct");
    for (name, learner) in &nominal {
        same(name, &[], &**learner, &view, CLASS);
    }
    for (name, learner) in &numeric {
        same(name, &[], &**learner, &view, NUMBER);
    }
    for (name, learner) in &of_bags {
        same(name, &[], &**learner, &bags, 1);
    }
    same("mirt", &[], &Mirt::default(), &owners(), OWNERS_AMOUNT);
    assert_eq!(BeamSearch::default(), TreeLearner::default().beam);
}

#[test]
fn flattened() {
    let view = owners().hiding(0, OWNERS_CLASS);
    let tree = TreeLearner {
        depth: Some(2),
        ..Default::default()
    };
    let given = [("flatten", "p1"), ("depth", "2")];
    let joined = Flatten::default().around(tree.clone());
    same("tree", &given, &joined, &view, OWNERS_AMOUNT);
    let averaged = Flatten {
        kind: Kind::Averaged,
        depth: 1,
        ..Default::default()
    };
    let given = [("flatten", "p2"), ("flatten_depth", "1"), ("depth", "2")];
    same("tree", &given, &averaged.around(tree), &view, OWNERS_AMOUNT);
    let deep = Flatten {
        depth: 0,
        ..Default::default()
    };
    let given = [("flatten", "p1"), ("flatten_depth", "0")];
    refused("mean", &given, &deep.around(Mean), &view, OWNERS_AMOUNT);
    let few = Flatten {
        rows: 3,
        ..Default::default()
    };
    let given = [("flatten", "p1"), ("flatten_rows", "3")];
    refused("mean", &given, &few.around(Mean), &view, OWNERS_AMOUNT);
}
