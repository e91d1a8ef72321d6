//! Partial trees with prototypes: a shown model grows again, in every search and in forests; what
//! is written by hand is read; and what cannot be is refused with its place.

use std::io::Write;

use super::*;
use crate::tree::model::Report;
use crate::tree::{FlatTree, Test};

fn file(text: &str) -> (tempfile::NamedTempFile, String) {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    write!(file, "{text}").unwrap();
    let like = format!("like(\"{}\")", file.path().display());
    (file, like)
}

fn tree(model: &dyn Model) -> FlatTree {
    (*read(model).trees()[0].tree).clone()
}

/// The test of each node, and its children.
fn tests(tree: &FlatTree) -> Vec<Option<(Test, Vec<u32>)>> {
    let nodes = tree.nodes().iter();
    let split = nodes.map(|node| node.split.as_ref());
    split
        .map(|split| split.map(|split| (split.test.clone(), split.children.clone())))
        .collect()
}

fn report(model: &dyn Model) -> Report {
    read(model).report().clone()
}

/// The error of a fit that begins with a partial tree.
fn refused(text: &str, entry: &Entry, given: &[(&str, &str)], view: &View) -> String {
    let (file, like) = file(text);
    let mut given = given.to_vec();
    given.push(("constraints", &like));
    let error = fitted(entry, &given, view, CLASS, &Context::new());
    let error = error.err().unwrap_or_else(|| panic!("{text} is read"));
    let path = file.path().display().to_string();
    error.to_string().replace(&path, "FILE")
}

#[test]
fn a_shown_tree_of_prototypes_grows_again() {
    let context = Context::new();
    for (target, other) in [(CLASS, NUMBER), (NUMBER, CLASS)] {
        let view = molecules(60).hiding(0, other);
        for (entry, given) in [
            (&DBDT, vec![("keys", "0")]),
            (&DBDT, vec![("attraction", "density"), ("keys", "0")]),
            (&DBDT, vec![("boundary", "best"), ("keys", "0")]),
            (&DBDT, vec![("prototypes", "3"), ("keys", "1")]),
            (&TREE, vec![("keys", "0"), ("follow", "0")]),
        ] {
            let mut given = given;
            given.extend([("depth", "3"), ("pruning", "none")]);
            let small = fitted(entry, &given, &view, target, &context).unwrap();
            let grown = tree(&*small);
            let by_prototypes = |tree: &FlatTree| {
                let nodes = tree.nodes().iter().filter_map(|node| node.split.as_ref());
                nodes.filter(|split| split.test.has_prototypes()).count()
            };
            assert!(by_prototypes(&grown) > 0, "{given:?}");
            let (_file, like) = file(&small.to_json().to_string());
            for search in ["greedy", "best_first", "beam"] {
                let mut again = given.clone();
                again.extend([("constraints", like.as_str()), ("search", search)]);
                let model = fitted(entry, &again, &view, target, &context).unwrap();
                // A shown leaf stays one: nothing is left to grow.
                let found = tests(&tree(&*model));
                assert_eq!(found, tests(&grown), "{} {again:?}", entry.name);
                let said = model.predict(&view, &context).unwrap();
                let once = small.predict(&view, &context).unwrap();
                let outputs = |row: usize| [&said, &once].map(|all| all.targets[0].output.row(row));
                for row in 0..view.len() {
                    let [said, once] = outputs(row);
                    // What is missing is divided by shares that other sums made.
                    let near = |(a, b): (&f64, &f64)| (a - b).abs() < 1e-9;
                    assert!(said.iter().zip(once).all(near), "row {row}");
                }
            }
        }
    }
}

#[test]
fn trees_of_a_forest_begin_as_they_are_told() {
    let view = molecules(60).hiding(0, NUMBER);
    let context = Context::new();
    let given = [("depth", "1"), ("pruning", "none"), ("keys", "0")];
    let small = fitted(&DBDT, &given, &view, CLASS, &context).unwrap();
    let shown = small.to_json();
    let root = &shown["trees"][0]["root"]["test"];
    let open = serde_json::json!({"test": root, "branches": ["leaf", "?"]});
    let (_file, like) = file(&open.to_string());
    let constraints = format!("{like} and depth <= 3");
    for search in ["greedy", "best_first"] {
        let given = [
            ("follow", "0"),
            ("trees", "12"),
            ("search", search),
            ("constraints", constraints.as_str()),
        ];
        let model = fitted(&FOREST, &given, &view, CLASS, &context).unwrap();
        let forest = read(&*model);
        assert_eq!(forest.trees().len(), 12);
        for member in forest.trees() {
            let split = member.tree.node(0).split.as_ref().unwrap();
            let terms = forest.terms();
            assert_eq!(terms_json(terms, &split.test), *root);
            assert!(member.tree.node(split.children[0]).split.is_none());
            assert!(member.tree.depth() <= 3);
        }
        assert!(forest.trees().iter().any(|member| member.tree.depth() > 1));
        assert!(report(&*model).notes.is_empty());
    }
    let given = [
        ("follow", "0"),
        ("preset", "beam"),
        ("constraints", like.as_str()),
    ];
    let beam = fitted(&FOREST, &given, &view, CLASS, &context).unwrap();
    let beam = read(&*beam);
    let begins = |tree: &FlatTree| {
        let test = &tree.node(0).split.as_ref().unwrap().test;
        terms_json(beam.terms(), test) == *root
    };
    assert!(beam.trees().iter().all(|member| begins(&member.tree)));
}

fn terms_json(terms: &crate::tree::terms::Terms, test: &Test) -> serde_json::Value {
    use crate::tree::model::ModelTerms;
    terms.test_json(&(), test)
}

#[test]
fn a_sample_that_a_given_test_does_not_divide_is_told() {
    let view = molecules(60).hiding(0, NUMBER);
    // One row alone is near the second text.
    let texts = &view.table().attribute(1).column;
    let rare = (0..60).map(|row| texts.value(row).to_string());
    let rare = rare.max_by_key(String::len).unwrap();
    let (_file, like) = file(&format!("text near\n+--a: ?\n+--{rare}zzzzzzzzzz: ?"));
    let given = [("keys", "1"), ("constraints", like.as_str())];
    let model = fitted(&FOREST, &given, &view, CLASS, &Context::new()).unwrap();
    let notes = report(&*model).notes;
    assert!(
        notes[0].contains("of 100 trees a test of the partial tree"),
        "{notes:?}"
    );
}

#[test]
fn prototypes_written_by_hand_are_read() {
    let view = molecules(60).hiding(0, NUMBER);
    let context = Context::new();
    let text = r#"
parts near
+--{x, y}: size near
|       +--1: ?
|       +--4: leaf
+--["z"]:  text near
        +--aaaa: ?
        +--"bb": leaf
"#;
    let (_file, like) = file(text);
    let given = [("constraints", like.as_str()), ("pruning", "none")];
    let model = fitted(&DBDT, &given, &view, CLASS, &context).unwrap();
    let shown = model.to_json();
    let root = &shown["trees"][0]["root"];
    let prototypes = serde_json::json!([["x", "y"], ["z"]]);
    assert_eq!(root["test"]["prototypes"], prototypes);
    let size = &root["branches"][0];
    assert_eq!(size["test"]["prototypes"], serde_json::json!([1, 4]));
    let text = &root["branches"][1];
    assert_eq!(text["test"]["column"], "text");
    assert_eq!(
        text["test"]["prototypes"],
        serde_json::json!(["aaaa", "bb"])
    );
    assert!(text["branches"][1].get("test").is_none());
    let (_file, like) = file("size near ?\n+--?: leaf\n+--?: ?");
    let given = [("constraints", like.as_str()), ("pruning", "none")];
    let open = fitted(&DBDT, &given, &view, CLASS, &context)
        .unwrap()
        .to_json();
    let root = &open["trees"][0]["root"];
    assert_eq!(root["test"]["column"], "size");
    assert!(root["branches"][0].get("test").is_none());
    assert!(root["branches"][1].get("test").is_some());
    // A value that no row has is a prototype like others, in the model and in its file.
    let (_file, like) = file("text near\n+--aaabaaab: ?\n+--bbbbbbbbbbb: ?");
    let given = [("constraints", like.as_str()), ("keys", "1")];
    for entry in [&DBDT, &TREE] {
        let model = fitted(entry, &given, &view, CLASS, &context).unwrap();
        let again = read(&*model);
        let said = model.predict(&view, &context).unwrap();
        assert_eq!(again.predict(&view, &context).unwrap(), said);
        let shown = model.to_json();
        let test = &shown["trees"][0]["root"]["test"];
        let prototypes = serde_json::json!(["aaabaaab", "bbbbbbbbbbb"]);
        assert_eq!(test["prototypes"], prototypes, "{}", entry.name);
        assert!(accuracy(&*model, &view) > 0.7);
    }
}

#[test]
fn what_is_no_prototype_is_refused_with_its_place() {
    let view = molecules(40).hiding(0, NUMBER);
    for (text, message) in [
        (
            "txet near\n+--a: ?\n+--b: ?",
            "FILE, line 1, column 1: expected the name of an attribute, found `txet`; did you mean `text`?",
        ),
        (
            "size near\n+--1: ?\n+--big: ?",
            "FILE, line 3, column 4: expected a value of `size`, which is `numeric`, or `?`, found `big`",
        ),
        (
            "parts near\n+--[1: ?\n+--[\"x\"]: ?",
            "FILE, line 2, column 4: expected a value of `parts`, which is `set<nominal>`, or `?`, found `[1`",
        ),
        (
            "size near\n+--1: ?\n+--1: ?",
            "FILE, line 1, column 1: expected prototypes by which the learner can divide, found the prototype 1 of `size` stands twice",
        ),
        (
            "size near\n+--1: ?\n+--?: ?",
            "FILE, line 1, column 1: expected prototypes by which the learner can divide, found 1 values and 1 `?`",
        ),
        (
            "size near\n+--1: ?",
            "FILE, line 3, column 1: expected two or more branches, `+--`, a prototype and `:`, for the test of line 1, found the end",
        ),
        (
            "size near, about\n+--1: ?",
            "FILE, line 1, column 1: expected a test (`>`, `in`, `=` or `near`), `?`, `leaf` or a prediction in brackets, found `size near, about`",
        ),
        (
            "text > 3\n+--yes: ?\n+--no: ?",
            "FILE, line 1, column 8: expected `?`, or `near` in place of `>`: the attribute has no order, found `3`",
        ),
        (
            r#"{"test": {"column": "sice", "prototypes": [1, 2]}}"#,
            "cannot read the partial tree `FILE` of `like`: root.test: unknown attribute `sice`; did you mean `size`?",
        ),
        (
            r#"{"test": {"column": "size", "prototypes": [1, "two"]}}"#,
            "cannot read the partial tree `FILE` of `like`: root.test.prototypes[1]: expected a value of `size`, which is `numeric`, found \"two\": expected a number, found the string `two`",
        ),
        (
            r#"{"test": {"column": "size", "prototypes": [1]}}"#,
            "cannot read the partial tree `FILE` of `like`: root.test: expected 2 to 250 prototypes of `size`, found 1",
        ),
        (
            r#"{"test": {"column": "size", "prototypes": [1, 2], "bounds": [3, 1], "cells": [0, 1, 0]}}"#,
            "cannot read the partial tree `FILE` of `like`: root.test: expected bounds of `size` that rise",
        ),
        (
            r#"{"test": {"column": "text", "prototypes": ["a", "b"], "reach": [1, 0]}}"#,
            "cannot read the partial tree `FILE` of `like`: root.test: expected a number greater than 0 for each of the 2 prototypes of `text` as its unit",
        ),
        (
            r#"{"test": {"column": "text", "prototypes": ["a", null]}}"#,
            "cannot read the partial tree `FILE` of `like`: root.test.prototypes[1]: a missing value is no prototype of `text`",
        ),
        (
            r#"{"test": {"column": "text", "prototypes": ["a", "b"]}, "branches": ["?"]}"#,
            "cannot read the partial tree `FILE` of `like`: root: expected 2 `branches`, one a prototype, found 1",
        ),
        (
            r#"{"test": {"column": "text"}}"#,
            "cannot read the partial tree `FILE` of `like`: root.test: expected `above`, `among`, `prototypes`, `contains` or `size_at_least`, found {\"column\":\"text\"}",
        ),
    ] {
        assert_eq!(refused(text, &DBDT, &[], &view), message, "{text}");
    }
    // A forest is told what its trees cannot keep to.
    for (constraint, message) in [
        ("accuracy >= 0.9", "accuracy >= 0.9"),
        ("uses(size)", "uses(size)"),
        ("size <= 5", "search=greedy"),
        ("depth <= 2 or like(x)", "no `or` above it"),
    ] {
        let given = [("constraints", constraint), ("keys", "1")];
        let error = fitted(&FOREST, &given, &view, CLASS, &Context::new());
        let error = error.err().unwrap().to_string();
        assert!(error.contains(message), "{error}");
    }
}
