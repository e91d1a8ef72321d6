//! Trees and forests on a database: they look at linked rows by themselves, and can do all that
//! trees over columns can.

use std::io::Write;

use kinwood_learning::context::Context;
use kinwood_learning::entry::Entry;
use kinwood_learning::model::Model;
use kinwood_learning::task::Task;
use kinwood_learning::testing::{bytes, check_learner_with};
use kinwood_values::View;
use kinwood_values::container::Stored;

use crate::mirt::MirtModel;
use crate::mirt::tests::orders;
use crate::tree::PruningMethod;
use crate::{FOREST, MIRT, TREE};

/// The class of an order, which says whether it has a tool, and its cost.
const CLASS: usize = 2;
const COST: usize = 3;

fn fit(entry: &Entry, view: &View, target: usize, given: &[(&str, &str)]) -> Box<dyn Model> {
    let learner = (entry.build)(&entry.settings(given).unwrap()).unwrap();
    learner.fit(&task(view, target), &Context::new()).unwrap()
}

/// The task of a target, the other one being hidden.
fn task(view: &View, target: usize) -> Task {
    let other = if target == CLASS { COST } else { CLASS };
    Task::new(&view.hiding(0, other), &[target]).unwrap()
}

fn accuracy(model: &dyn Model, view: &View) -> f64 {
    let said = &model.predict(view, &Context::new()).unwrap().targets[0].output;
    let truth = &view.table().attribute(CLASS).column;
    let right = (0..view.len()).filter(|&row| said.class(row) == truth.code(row));
    right.count() as f64 / view.len() as f64
}

#[test]
fn linked_rows_are_looked_at_by_default() {
    let (view, fresh) = (orders(300, 11), orders(300, 12));
    for (entry, given) in [
        (&TREE, &[][..]),
        (
            &TREE,
            &[("search", "beam"), ("size", "7"), ("width", "4")][..],
        ),
        (&TREE, &[("search", "best_first"), ("size", "9")][..]),
        (&FOREST, &[("trees", "20")][..]),
        (&FOREST, &[("trees", "30"), ("preset", "extra")][..]),
    ] {
        let model = fit(entry, &view, CLASS, given);
        let right = accuracy(&*model, &fresh);
        assert!(right > 0.95, "{} {given:?}: {right}", entry.name);
        let alone: Vec<(&str, &str)> = given.iter().copied().chain([("follow", "0")]).collect();
        let model = fit(entry, &view, CLASS, &alone);
        assert!(accuracy(&*model, &fresh) < 0.8, "{} {alone:?}", entry.name);
        assert!(model.reads_one_table());
    }
}

#[test]
fn they_keep_the_rules_of_learners() {
    let view = orders(40, 3);
    for given in [
        &[][..],
        &[
            ("search", "beam"),
            ("width", "3"),
            ("beta", "0.5"),
            ("combine", "vote"),
        ],
        &[("search", "best_first"), ("size", "5")],
        &[("heuristic", "gini"), ("follow", "1")],
    ] {
        check_learner_with(&TREE, given, &view, &[CLASS]);
        check_learner_with(&TREE, given, &view, &[COST]);
    }
    check_learner_with(&TREE, &[("heuristic", "gain_ratio")], &view, &[CLASS, COST]);
    for preset in ["random", "bagging", "extra"] {
        let given = [("preset", preset), ("trees", "7")];
        check_learner_with(&FOREST, &given, &view, &[CLASS]);
        check_learner_with(&FOREST, &given, &view, &[COST]);
    }
}

#[test]
fn every_pruning_cuts_relational_trees_back() {
    let view = orders(200, 7);
    let size = |given: &[(&str, &str)]| fit(&TREE, &view, COST, given).facts().size.unwrap();
    let full = size(&[("pruning", "none")]);
    assert!(full > 15, "{full}");
    let names = PruningMethod::NAMES.iter();
    for name in names.filter(|name| !["none", "size", "c45"].contains(name)) {
        let cut = size(&[("pruning", name)]);
        assert!(cut < full, "{name}: {cut} of {full}");
    }
    assert!(size(&[("pruning", "size"), ("size", "7")]) <= 7);
    let classes = fit(&TREE, &view, CLASS, &[("pruning", "c45")]);
    assert!(accuracy(&*classes, &view) > 0.95);
}

#[test]
fn a_forest_knows_its_error_and_what_matters() {
    let (view, fresh) = (orders(300, 21), orders(300, 22));
    let model = fit(&FOREST, &view, CLASS, &[("trees", "25")]);
    let shown = model.to_json();
    let out_of_bag = shown["out_of_bag"][0]["value"].as_f64().unwrap();
    assert!(
        (out_of_bag - accuracy(&*model, &fresh)).abs() < 0.05,
        "{shown:?}"
    );
    assert_eq!(shown["importances"][0]["input"], "product.kind");
    assert!(model.show().contains("product.kind"));
    assert_eq!(model.members().unwrap().len(), 25);
    let stored = Stored::from_bytes(bytes(&*model)).unwrap();
    let read = (FOREST.load)(&stored).unwrap();
    let context = Context::new();
    assert_eq!(
        model.predict(&fresh, &context).unwrap(),
        read.predict(&fresh, &context).unwrap()
    );
    // The same trees for any number of threads.
    let learner = (FOREST.build)(&FOREST.settings(&[("trees", "25")]).unwrap()).unwrap();
    let one = learner
        .fit(&task(&view, CLASS), &Context::new().with_threads(1))
        .unwrap();
    assert_eq!(bytes(&*one), bytes(&*model));
}

#[test]
fn smoothing_mixes_a_leaf_of_a_relational_tree_with_the_root() {
    let view = orders(200, 9);
    let numbers = |given: &[(&str, &str)]| -> Vec<f64> {
        let model = fit(&TREE, &view, COST, given);
        let said = model.predict(&view, &Context::new()).unwrap();
        let output = &said.targets[0].output;
        (0..view.len())
            .map(|row| output.number(row).unwrap())
            .collect()
    };
    let plain = [("depth", "1"), ("pruning", "none")];
    let leaf = numbers(&plain);
    let smoothed = numbers(&[plain[0], plain[1], ("smoothing", "15")]);
    let all = leaf.iter().sum::<f64>() / leaf.len() as f64;
    let mut distinct = leaf.clone();
    distinct.sort_by(f64::total_cmp);
    distinct.dedup();
    assert_eq!(distinct.len(), 2, "one test over linked rows");
    for (leaf_mean, smoothed) in leaf.iter().zip(&smoothed) {
        let weight = leaf.iter().filter(|other| *other == leaf_mean).count() as f64;
        let mixed = (weight * leaf_mean + 15.0 * all) / (weight + 15.0);
        assert!(
            (mixed - smoothed).abs() < 1e-9 * mixed.abs(),
            "{mixed} {smoothed}"
        );
    }
}

#[test]
fn settings_that_tests_over_keys_do_without_are_named() {
    let view = orders(60, 9);
    let notes = |entry: &Entry, given: &[(&str, &str)]| {
        let model = fit(entry, &view, CLASS, given);
        model.to_json()["notes"].to_string()
    };
    let noted = notes(&TREE, &[("missing", "largest"), ("subsets", "false")]);
    assert!(noted.contains("missing"), "{noted}");
    assert!(noted.contains("without subsets"), "{noted}");
    assert_eq!(notes(&TREE, &[("subsets", "false"), ("follow", "0")]), "[]");
    assert_eq!(notes(&TREE, &[]), "[]");
    assert_eq!(notes(&FOREST, &[("trees", "3")]), "[]");
}

/// A shown model, written to a file.
fn written(model: &dyn Model) -> tempfile::NamedTempFile {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    write!(file, "{}", model.to_json()).unwrap();
    file
}

#[test]
fn a_shown_tree_can_be_completed() {
    let view = orders(200, 5);
    for entry in [&TREE, &MIRT] {
        let small = fit(entry, &view, COST, &[("size", "5"), ("pruning", "none")]);
        let file = written(&*small);
        let like = format!("like({})", file.path().display());
        let read = |model: &dyn Model| {
            let stored = Stored::from_bytes(bytes(model)).unwrap();
            MirtModel::read(&stored).unwrap()
        };
        for search in ["greedy", "best_first", "beam"] {
            let given = [
                ("constraints", like.as_str()),
                ("search", search),
                ("pruning", "none"),
            ];
            let grown = fit(entry, &view, COST, &given);
            let (small, grown) = (read(&*small), read(&*grown));
            // A shown leaf stays one: nothing is left to grow.
            let tests = |model: &MirtModel| -> Vec<_> {
                let nodes = model.trees()[0].tree.nodes().iter();
                nodes
                    .map(|node| node.split.as_ref().map(|split| split.test.clone()))
                    .collect()
            };
            assert_eq!(tests(&small), tests(&grown), "{} {search}", entry.name);
        }
    }
}

#[test]
fn a_partial_tree_may_leave_tests_and_leaves_open() {
    let view = orders(200, 5);
    let mut file = tempfile::NamedTempFile::new().unwrap();
    write!(
        file,
        r#"{{"uses": "line.amount", "yes": "?", "no": "leaf"}}"#
    )
    .unwrap();
    let like = format!("like({})", file.path().display());
    let model = fit(&TREE, &view, COST, &[("constraints", like.as_str())]).to_json();
    let root = &model["trees"][0]["root"];
    assert_eq!(root["test"]["condition"]["column"], "amount", "{root}");
    assert!(root["no"].get("test").is_none());
    for (text, message) in [
        ("{", "JSON"),
        (r#"{"uses": "line.amuont"}"#, "did you mean `line.amount`"),
        (r#"{"test": {}}"#, "expected `steps`"),
        (
            r#"{"test": {"steps": [{"key": "line_off", "from": 0, "backward": true}]}}"#,
            "did you mean `line_of`",
        ),
        (
            r#"{"test": {"steps": [{"key": "line_product", "from": 0}]}}"#,
            "cannot be followed",
        ),
        (
            r#"{"test": {"condition": {"occurrence": 0, "of": "some", "column": "expres", "at_most": 1}}}"#,
            "did you mean `express`",
        ),
        (
            r#"{"test": {"condition": {"occurrence": 3, "of": "some", "column": "express", "at_most": 1}}}"#,
            "no occurrence 3",
        ),
        ("[1]", "expected a node"),
    ] {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        write!(file, "{text}").unwrap();
        let like = format!("like({})", file.path().display());
        let settings = TREE.settings(&[("constraints", like.as_str())]).unwrap();
        let task = Task::new(&view, &[COST]).unwrap();
        let learner = (TREE.build)(&settings).unwrap();
        let error = learner
            .fit(&task, &Context::new())
            .err()
            .unwrap()
            .to_string();
        assert!(error.contains(message), "{text}: {error}");
    }
}
