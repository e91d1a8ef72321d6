//! `kinwood importance`: planted laws are found, what is not looked at has none, and what cannot be
//! measured is said.

use serde_json::Value;

use crate::sandbox::Sandbox;

/// Weather and a model of one rule of it, by the outlook.
fn with_rule() -> Sandbox {
    let sandbox = Sandbox::with_weather();
    sandbox.out("fit oner weather.csv --target play -o rule.kin --quiet");
    sandbox
}

fn json(sandbox: &Sandbox, words: &str) -> Value {
    serde_json::from_str(&sandbox.out(&format!("{words} --json --quiet"))).unwrap()
}

/// The parts of the first target with their means, in order.
fn parts(report: &Value) -> Vec<(String, f64)> {
    let parts = report["targets"][0]["parts"].as_array().unwrap();
    parts
        .iter()
        .map(|part| {
            let name = part["part"].as_str().unwrap().to_owned();
            (name, part["mean"].as_f64().unwrap())
        })
        .collect()
}

#[test]
fn what_a_rule_goes_by_has_all_the_importance() {
    let sandbox = with_rule();
    let found = parts(&json(&sandbox, "importance rule.kin weather.csv"));
    assert_eq!(found[0].0, "outlook");
    assert!(found[0].1 > 0.1, "{found:?}");
    assert_eq!(
        found[1..],
        [("temperature".to_owned(), 0.0), ("windy".to_owned(), 0.0)]
    );
    let text = sandbox.out("importance rule.kin weather.csv --repeats 1");
    assert!(text.starts_with(
        "oner on 14 rows of weather.csv, each part permuted once, seed 1\n\nplay: accuracy 0.7143 on the rows as they are\n"
    ));
    let unused = text.lines().find(|line| line.starts_with("windy")).unwrap();
    assert_eq!(
        unused.split_whitespace().collect::<Vec<_>>(),
        ["windy", "0", "-", "0.0", "%"]
    );
}

#[test]
fn threads_change_nothing_and_the_seed_does() {
    let sandbox = Sandbox::with_weather();
    sandbox.out("fit knn weather.csv --target play --target temperature -o near.kin --quiet");
    let run = |more: &str| sandbox.out(&format!("importance near.kin weather.csv --json {more}"));
    let one = run("--threads 1");
    assert_eq!(one, run("--threads 3"));
    assert_ne!(one, run("--seed 9"));
    let report: Value = serde_json::from_str(&one).unwrap();
    let measures = |report: &Value| {
        let targets = report["targets"].as_array().unwrap().clone();
        targets
            .iter()
            .map(|target| target["measure"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(measures(&report), ["accuracy", "rmse"]);
    let other: Value = serde_json::from_str(&run("--measure mae --measure log_loss")).unwrap();
    assert_eq!(measures(&other), ["log_loss", "mae"]);
}

/// Owners whose class shows in the sizes of what they own.
fn with_owners() -> Sandbox {
    let sandbox = Sandbox::new();
    std::fs::create_dir(sandbox.path("data")).unwrap();
    let (mut owners, mut things) = (
        String::from("owner_id,class,note\n"),
        String::from("owner_id,size,dull\n"),
    );
    for owner in 0..30 {
        let high = owner % 3 == 0;
        owners += &format!("o{owner},{},1\n", if high { "high" } else { "low" });
        for thing in 0..2 + owner % 2 {
            let size = if high { 50 } else { 0 } + thing;
            things += &format!("o{owner},{size},1\n");
        }
    }
    sandbox.write("data/owner.csv", owners);
    sandbox.write("data/thing.csv", things);
    sandbox.write(
        "data/schema.toml",
        "target = \"owner.class\"\nkeys = \"declared\"\n[tables.owner]\nkey = \"owner_id\"\n[[tables.thing.foreign_keys]]\ncolumns = \"owner_id\"\nreferences = \"owner\"\n",
    );
    sandbox.out("fit knn data -o near.kin --quiet");
    sandbox
}

#[test]
fn a_linked_table_counts_as_a_whole_and_by_its_columns() {
    let sandbox = with_owners();
    let report = json(&sandbox, "importance near.kin data");
    let found = parts(&report);
    let mean = |name: &str| found.iter().find(|part| part.0 == name).unwrap().1;
    assert!(
        mean("rows of thing") > 0.2 && mean("thing.size") > 0.1,
        "{found:?}"
    );
    assert_eq!((mean("thing.dull"), mean("note")), (0.0, 0.0));
    let link = &report["targets"][0]["parts"];
    let link = link
        .as_array()
        .unwrap()
        .iter()
        .find(|part| part["part"] == "rows of thing");
    let link = link.unwrap();
    assert_eq!(link["table"], "thing");
    assert_eq!(link["foreign_key"], "thing_owner_id");
    assert_eq!(link.get("column"), None);
}

#[test]
fn sets_of_labels_are_measured_by_their_own_measures() {
    let sandbox = Sandbox::new();
    let row = |i: u32| {
        let labels = [r#"["a"]"#, r#"["a", "b"]"#, "[]"][(i % 3) as usize];
        format!(
            r#"{{"kind": "k{}", "other": "o{}", "labels": {labels}}}"#,
            i % 3,
            i % 2
        ) + "\n"
    };
    sandbox.write("rows.jsonl", (0..30).map(row).collect::<String>());
    sandbox.write(
        "rows.schema.toml",
        "target = \"labels\"\n[tables.rows.columns]\nlabels = \"set<nominal>\"\n",
    );
    sandbox.out("fit tree rows.jsonl -o labels.kin --quiet");
    let report = json(&sandbox, "importance labels.kin rows.jsonl");
    let target = &report["targets"][0];
    assert_eq!(
        (&target["measure"], &target["value"]),
        (&"hamming_loss".into(), &0.0.into())
    );
    // Nothing is a share of a loss of 0.
    assert_eq!(target["parts"][0]["relative"], Value::Null);
    let found = parts(&report);
    assert!(found[0].0 == "kind" && found[0].1 > 0.2, "{found:?}");
    assert_eq!(found[1], ("other".to_owned(), 0.0));
    let f1 = json(
        &sandbox,
        "importance labels.kin rows.jsonl --measure micro_f1",
    );
    assert_eq!(f1["targets"][0]["value"], 1.0);
}

#[test]
fn the_picture_stands_alone() {
    let sandbox = with_owners();
    sandbox.out("importance near.kin data --svg chart.svg --quiet");
    let drawn = String::from_utf8(sandbox.read("chart.svg")).unwrap();
    assert!(drawn.starts_with("<svg ") && drawn.ends_with("</svg>\n"));
    for expected in [
        "rows of thing",
        "prefers-color-scheme: dark",
        "class=\"error\"",
        "class: accuracy 1.0000",
    ] {
        assert!(drawn.contains(expected), "{expected}");
    }
}

#[test]
fn a_class_the_model_does_not_know_is_no_obstacle() {
    let sandbox = with_rule();
    let more = String::from_utf8(sandbox.read("weather.csv")).unwrap() + "rainy,60,true,perhaps\n";
    sandbox.write("more.csv", more);
    let report = json(&sandbox, "importance rule.kin more.csv --measure log_loss");
    assert!(
        report["targets"][0]["value"].as_f64().unwrap() > 2.0,
        "{report}"
    );
    assert_eq!(report["rows"], 15);
}

#[test]
fn what_cannot_be_measured_is_said() {
    let sandbox = with_rule();
    sandbox.write("days.csv", "outlook,temperature,windy\nsunny,71,true\n");
    sandbox.write(
        "unknown.csv",
        "outlook,temperature,windy,play\nsunny,71,true,\nrainy,70,true,\n",
    );
    sandbox.write("other.csv", "a,b\n1,2\n");
    sandbox.write("none.csv", "outlook,temperature,windy,play\n");
    let failing = |words: &str, expected: &str| {
        let told = sandbox.err(&format!("importance rule.kin {words} --quiet"));
        assert!(told.contains(expected), "{words}: {told}");
    };
    let lacking = "the data has no values of the target `play`";
    failing("days.csv", lacking);
    failing("unknown.csv", lacking);
    failing("other.csv", "outlook");
    failing(
        "none.csv",
        "no rows to measure the importance of columns by",
    );
    failing("weather.csv --repeats 0", "at least 1 is needed");
    failing("weather.csv --measure accurac", "did you mean `accuracy`?");
    failing(
        "weather.csv --measure rmse",
        "`rmse` is a measure for numbers, not for classes",
    );
    failing("weather.csv --time 0s", "time");
    failing("weather.csv --svg weather.csv", "it is a file that is read");
    failing("weather.csv --svg rule.kin", "it is a file that is read");
    failing("weather.csv --member 2", "there is no member 2");
    let told = sandbox.err("importance weather.csv weather.csv");
    assert!(told.contains("weather.csv"), "{told}");
    sandbox.write(
        "one.csv",
        "outlook,temperature,windy,play\nsunny,71,true,no\n",
    );
    let ended = sandbox.run("importance rule.kin one.csv");
    assert_eq!(ended.code, 0);
    assert!(
        ended
            .err
            .contains("note: a single row has nothing to be permuted with")
    );
}
