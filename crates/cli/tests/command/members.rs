//! The models of a set in a table, and one of them as a model file of its own.

use serde_json::{Value, json};

use crate::json::broken;
use crate::sandbox::Sandbox;

/// Four trees of a beam, and three of a forest.
fn planted() -> Sandbox {
    let sandbox = Sandbox::with_weather();
    let fit = "fit tree weather.csv --target play --set search=beam --set width=4";
    sandbox.out(&format!(
        "{fit} --set pruning=none --set alpha=0 -o beam.kin"
    ));
    sandbox.out("fit forest weather.csv --target temperature --set trees=3 -o forest.kin");
    sandbox
}

fn listed(sandbox: &Sandbox, words: &str) -> Value {
    let printed = sandbox.out(&format!("show {words} --members --json --quiet"));
    let value: Value = serde_json::from_str(&printed).unwrap();
    assert_eq!(broken("members", &value), None, "{words}");
    value
}

#[test]
fn members_are_listed() {
    let sandbox = planted();
    let text = sandbox.out("show beam.kin --members");
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "tree, target play: 4 members");
    assert_eq!(
        lines[2],
        "member  size  leaves  depth     score  training accuracy  columns"
    );
    assert_eq!(lines.len(), 7, "{text}");
    let without = listed(&sandbox, "beam.kin");
    let shown: Value = serde_json::from_str(&sandbox.out("show beam.kin --json")).unwrap();
    for (member, tree) in without["members"]
        .as_array()
        .unwrap()
        .iter()
        .zip(shown["model"]["trees"].as_array().unwrap())
    {
        for name in ["size", "leaves", "depth", "score"] {
            assert_eq!(member[name], tree[name], "{name}");
        }
        assert_eq!(member.get("similarity"), None);
    }
    // Without missing values the training rows are predicted as the leaves counted them.
    let with = listed(&sandbox, "beam.kin --data weather.csv");
    for member in with["members"].as_array().unwrap() {
        assert_eq!(member["training"], member["scores"]);
        assert_eq!(member.get("by_rank"), None);
    }
    assert_eq!(with["members"][0]["similarity"], 1.0);
    let folds = listed(
        &sandbox,
        "beam.kin --data weather.csv --folds 2 --measure brier",
    );
    assert_eq!((&folds["folds"], &folds["rows"]), (&json!(2), &json!(14)));
    assert!(folds["members"][1]["by_rank"]["mean"]["brier"].is_number());
    let forest = listed(
        &sandbox,
        "forest.kin --data weather.csv --rows 'windy = true'",
    );
    assert_eq!(forest["rows"], 6);
    assert_eq!(forest["members"][2].get("score"), None);
    assert!(forest["members"][2]["scores"]["rmse"].is_number());
}

#[test]
fn threads_change_no_figure() {
    let sandbox = planted();
    let words = "show beam.kin --members --data weather.csv --folds 3";
    let one = sandbox.out(&format!("{words} --threads 1 --quiet"));
    assert_eq!(one, sandbox.out(&format!("{words} --threads 2 --quiet")));
    assert!(one.contains("accuracy by rank"), "{one}");
}

#[test]
fn a_member_is_kept_alone() {
    let sandbox = planted();
    assert_eq!(
        sandbox.out("pick beam.kin 3 -o one.kin"),
        "picked 3 of 4 from beam.kin\nwrote one.kin\n"
    );
    assert_eq!(
        sandbox.out("predict one.kin weather.csv"),
        sandbox.out("predict beam.kin weather.csv --member 3")
    );
    let shown = sandbox.out("show one.kin");
    assert!(shown.contains("\npicked       3 of 4\n"), "{shown}");
    assert!(shown.contains("; kinwood pick MODEL 3\n"), "{shown}");
    assert!(sandbox.read("one.kin").len() < sandbox.read("beam.kin").len());
    let json: Value = serde_json::from_str(&sandbox.out("show one.kin --json")).unwrap();
    assert_eq!(json["picked"], json!({"member": 3, "members": 4}));
    assert_eq!(broken("show", &json), None);
    sandbox.out("show one.kin --sql");
    sandbox.out("show one.kin --svg one.svg");
    sandbox.out("importance one.kin weather.csv --repeats 2");
    sandbox.out("report one.kin -o one.html --data weather.csv --folds 2 --quiet");
    let page = String::from_utf8(sandbox.read("one.html")).unwrap();
    assert!(page.contains("was picked, as number 3 of 4"));
    let told = sandbox.err("append one.kin weather.csv");
    assert!(told.contains("cannot be appended to"), "{told}");
    let picked: Value =
        serde_json::from_str(&sandbox.out("pick forest.kin 2 -o two.kin --json")).unwrap();
    assert_eq!(broken("pick", &picked), None);
    assert_eq!(
        (&picked["member"], &picked["members"]),
        (&json!(2), &json!(3))
    );
    // The same command makes the same bytes; a picked model is its own only member.
    sandbox.out("pick forest.kin 2 -o again.kin");
    assert_eq!(sandbox.read("two.kin"), sandbox.read("again.kin"));
    sandbox.out("pick two.kin 1 -o three.kin");
    assert_eq!(sandbox.read("two.kin"), sandbox.read("three.kin"));
}

#[test]
fn what_cannot_be_picked_or_listed_is_told() {
    let sandbox = planted();
    for (words, expected) in [
        (
            "pick beam.kin 5 -o one.kin",
            "there is no member 5: the model has 4 members, counted from 1",
        ),
        ("pick beam.kin 0 -o one.kin", "there is no member 0"),
        ("pick beam.kin -o one.kin", "<N>"),
        ("pick beam.kin 1", "--output <FILE>"),
        ("pick beam.kin 1 -o beam.kin", "it is a file that is read"),
        ("show beam.kin --folds 3", "--members"),
        ("show beam.kin --members --folds 3", "--data <DATA>"),
        ("show beam.kin --data weather.csv", "--members"),
        (
            "show beam.kin --members --data weather.csv --measure acuracy",
            "did you mean `accuracy`?",
        ),
        (
            "show beam.kin --members --data weather.csv --measure rmse",
            "rmse",
        ),
        (
            "show beam.kin --members --data weather.csv --folds 99",
            "99",
        ),
        ("show beam.kin --members --member 2", "--member"),
    ] {
        let ended = sandbox.run(words);
        assert_eq!(ended.code, 2, "{words}: {}", ended.err);
        assert!(ended.err.contains(expected), "{words}: {}", ended.err);
    }
    assert!(!sandbox.path("one.kin").exists());
}
