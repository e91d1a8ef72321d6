//! The JSON of every verb keeps the contract of `docs/schemas`.

use boon::{Compiler, Schemas};
use serde_json::{Value, json};

use crate::sandbox::Sandbox;

/// What a verb prints, checked against its schema.
fn checked(sandbox: &Sandbox, words: &str) -> Value {
    let verb = words.split(' ').next().unwrap();
    let value: Value =
        serde_json::from_str(&sandbox.out(&format!("{words} --json --quiet"))).unwrap();
    if let Some(broken) = broken(verb, &value) {
        panic!("kinwood {words}: {broken}");
    }
    value
}

pub fn broken(verb: &str, value: &Value) -> Option<String> {
    let path = format!(
        "{}/../../docs/schemas/{verb}.json",
        env!("CARGO_MANIFEST_DIR")
    );
    let (mut schemas, mut compiler) = (Schemas::new(), Compiler::new());
    let schema = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    compiler.add_resource(verb, schema).unwrap();
    let index = compiler.compile(verb, &mut schemas).unwrap();
    let outcome = schemas.validate(value, index);
    outcome.err().map(|error| format!("{error:#}"))
}

fn keys(value: &Value) -> Vec<&str> {
    value
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect()
}

#[test]
fn evaluate() {
    let sandbox = Sandbox::with_weather();
    let report = checked(
        &sandbox,
        "evaluate knn weather.csv --target play --folds 3 --repeats 2",
    );
    assert_eq!(
        keys(&report),
        [
            "learner",
            "settings",
            "data",
            "target",
            "seed",
            "folds",
            "mean",
            "sd",
            "pooled",
            "baseline",
            "confusion"
        ]
    );
    let folds = report["folds"].as_array().unwrap();
    assert_eq!(
        keys(&folds[0]),
        [
            "repeat",
            "fold",
            "n",
            "accuracy",
            "balanced_accuracy",
            "f1",
            "auc",
            "brier",
            "log_loss",
            "calibration_error"
        ]
    );
    let accuracies: Vec<f64> = folds
        .iter()
        .map(|fold| fold["accuracy"].as_f64().unwrap())
        .collect();
    assert_eq!(accuracies.len(), 6);
    let mean = accuracies.iter().sum::<f64>() / 6.0;
    let squares: f64 = accuracies.iter().map(|value| (value - mean).powi(2)).sum();
    let near = |value: &Value, expected: f64| (value.as_f64().unwrap() - expected).abs() < 1e-12;
    assert!(near(&report["mean"]["accuracy"], mean), "{report}");
    assert!(
        near(&report["sd"]["accuracy"], (squares / 5.0).sqrt()),
        "{report}"
    );
    checked(
        &sandbox,
        "evaluate mean weather.csv --target temperature --split 0.5 --repeats 3",
    );
    let both = checked(
        &sandbox,
        "evaluate knn weather.csv --target play --target temperature --folds 2",
    );
    assert_eq!(both["target"], json!(["play", "temperature"]));
    checked(
        &sandbox,
        "evaluate majority weather.csv --target play --fold-column windy",
    );
    let ranged = checked(
        &sandbox,
        "evaluate knn weather.csv --target play --interval 0.8 --folds 3",
    );
    assert!(ranged["mean"]["coverage"].is_f64() && ranged["mean"]["width"].is_f64());
    let one = checked(
        &sandbox,
        "evaluate knn weather.csv --target play --leave-one-out",
    );
    assert_eq!(one["folds"].as_array().unwrap().len(), 14);
    assert_eq!(one["mean"]["auc"], Value::Null);
    assert!(one["pooled"]["auc"].is_f64());
    let times = checked(
        &sandbox,
        "evaluate knn weather.csv --target play --by-time temperature --folds 3",
    );
    assert_eq!(times["folds"].as_array().unwrap().len(), 3);
    let several = checked(
        &sandbox,
        "evaluate knn weather.csv --target play --target windy --folds 2",
    );
    let mean = |place: &str| {
        let of = |target: &str| several[place][format!("accuracy({target})")].as_f64();
        (of("play").unwrap() + of("windy").unwrap()) / 2.0 - of("mean").unwrap()
    };
    assert!(mean("mean").abs() < 1e-12 && mean("pooled").abs() < 1e-12);
}

#[test]
fn convert() {
    let sandbox = Sandbox::with_weather();
    let written = checked(&sandbox, "convert weather.csv out.json");
    assert_eq!(written["files"], json!(["out.json", "out.schema.toml"]));
    assert_eq!(written["lost"], json!([]));
}

#[test]
fn sample() {
    let sandbox = Sandbox::new();
    let listed = checked(&sandbox, "sample");
    assert_eq!(listed["samples"].as_array().unwrap().len(), 8);
    let one = checked(&sandbox, "sample bags");
    assert_eq!(one["samples"][0]["targets"], json!(["bag.class"]));
    let made = checked(&sandbox, "sample bags -o bags.sqlite --size 7");
    assert_eq!(made["files"], json!(["bags.sqlite", "bags.schema.toml"]));
    assert_eq!(made["tables"][0], json!({"name": "bag", "rows": 7}));
}

#[test]
fn fit_append_and_show() {
    let sandbox = Sandbox::with_weather();
    for learner in ["majority", "oner", "knn"] {
        let fitted = checked(
            &sandbox,
            &format!("fit {learner} weather.csv --target play -o {learner}.kin"),
        );
        assert_eq!(keys(&fitted), ["learner", "seconds", "model"]);
        let shown = checked(&sandbox, &format!("show {learner}.kin"));
        assert_eq!(shown["model"], fitted["model"]);
        assert_eq!(shown["targets"], json!(["play"]));
    }
    checked(&sandbox, "fit mean weather.csv --target temperature");
    let appended = checked(&sandbox, "append knn.kin weather.csv");
    assert_eq!(
        (&appended["rows"], &appended["appended"]),
        (&json!(28), &json!(14))
    );
    checked(&sandbox, "show knn.kin");
    sandbox.out("sample molecules -o m.sqlite --size 60 --seed 3");
    let best = "fit mirt m.sqlite --target molecule.activity --ignore molecule.active --set preset=best -o m.kin";
    sandbox.out(best);
    let shown = checked(&sandbox, "show m.kin --sql");
    assert!(shown["view"].as_str().unwrap().contains("CREATE VIEW"));
    checked(&sandbox, "predict m.kin m.sqlite --explain");
}

#[test]
fn predict() {
    let sandbox = Sandbox::with_weather();
    sandbox.out("fit knn weather.csv --target play --target temperature -o both.kin");
    let predicted = checked(
        &sandbox,
        "predict both.kin weather.csv --rows 'windy = true'",
    );
    let first = &predicted["predictions"][0];
    assert_eq!(first["row"], 2);
    assert_eq!(keys(&first["targets"]), ["play", "temperature"]);
    assert_eq!(keys(&first["targets"]["play"]), ["prediction", "p"]);
    sandbox
        .out("fit knn weather.csv --target play --target temperature --interval 0.8 -o sure.kin");
    let ranged = checked(&sandbox, "predict sure.kin weather.csv");
    let targets = &ranged["predictions"][0]["targets"];
    assert_eq!(
        keys(&targets["play"]),
        ["prediction", "level", "among", "p"]
    );
    assert_eq!(
        keys(&targets["temperature"]),
        ["prediction", "level", "interval"]
    );
    // A file gets the same.
    sandbox.out("predict both.kin weather.csv --rows 'windy = true' --json -o out.json");
    let written: Value = serde_json::from_slice(&sandbox.read("out.json")).unwrap();
    assert_eq!(written, predicted);
}

#[test]
fn explained_predictions_add_up() {
    for learner in [
        "kstar",
        "knn --set k=4 --set weights=inverse",
        "citation_knn",
    ] {
        explained_by(learner);
    }
}

fn explained_by(learner: &str) {
    let sandbox = Sandbox::with_weather();
    sandbox.out(&format!(
        "fit {learner} weather.csv --target play --target temperature -o model.kin"
    ));
    let predicted = checked(&sandbox, "predict model.kin weather.csv --explain=3");
    for answer in predicted["predictions"].as_array().unwrap() {
        let [play, temperature] = [0, 1].map(|target| &answer["explanation"][target]);
        for (label, share) in answer["targets"]["play"]["p"].as_object().unwrap() {
            let own: f64 = play["influences"]
                .as_array()
                .unwrap()
                .iter()
                .filter(|influence| influence["target"] == **label)
                .map(|influence| influence["share"].as_f64().unwrap())
                .sum();
            let others = play["others"]["contribution"][label].as_f64().unwrap();
            assert!((own + others - share.as_f64().unwrap()).abs() < 1e-9);
        }
        let influences = temperature["influences"].as_array().unwrap();
        let parts = influences
            .iter()
            .map(|influence| influence["contribution"].as_f64().unwrap());
        let others = temperature["others"]["contribution"].as_f64().unwrap();
        let predicted = answer["targets"]["temperature"]["prediction"]
            .as_f64()
            .unwrap();
        assert!((parts.sum::<f64>() + others - predicted).abs() < 1e-9);
    }
}

#[test]
fn terms_of_formulas_add_up() {
    let sandbox = Sandbox::with_weather();
    sandbox.out("fit m5 weather.csv --target temperature -o model.kin");
    let predicted = checked(&sandbox, "predict model.kin weather.csv --explain");
    for answer in predicted["predictions"].as_array().unwrap() {
        let terms = answer["explanation"][0]["terms"].as_array().unwrap();
        let parts = terms
            .iter()
            .map(|term| term["contribution"].as_f64().unwrap());
        let predicted = answer["targets"]["temperature"]["prediction"]
            .as_f64()
            .unwrap();
        assert!((parts.sum::<f64>() - predicted).abs() < 1e-9);
    }
}

#[test]
fn describe_learners_tour_and_completions() {
    let sandbox = Sandbox::with_weather();
    checked(&sandbox, "describe weather.csv --target play");
    let all = checked(&sandbox, "learners");
    let knn = checked(&sandbox, "learners knn");
    assert!(all["learners"].as_array().unwrap().contains(&knn));
    let tour = checked(&sandbox, "tour --dir tour");
    assert!(tour["steps"].as_array().unwrap().len() > 3);
    checked(&sandbox, "completions zsh");
}

#[test]
fn keys_name_the_rows_of_predictions() {
    let sandbox = Sandbox::new();
    sandbox.write("data.csv", "id,x,c\nq1,1,a\nq2,5,b\n");
    sandbox.out("fit knn data.csv --target c --role id=id -o model.kin");
    let predicted = checked(&sandbox, "predict model.kin data.csv");
    let second = &predicted["predictions"][1];
    assert_eq!(keys(second), ["row", "key", "targets"]);
    assert_eq!(second["key"], json!({"id": "q2"}));
}

#[test]
fn reproduce() {
    let listed = checked(&Sandbox::new(), "reproduce --list");
    assert_eq!(listed[0]["name"], "kstar-table1");
    // The rows without public data need none.
    let mut study = kinwood::reproduce::study("kstar-table1").unwrap();
    study.rows.retain(|row| row.data.is_none());
    let (registry, context) = Default::default();
    let (table, _) =
        kinwood::reproduce::reproduce(&study, "none".as_ref(), &registry, &context, None).unwrap();
    let table = serde_json::to_value(&table).unwrap();
    assert_eq!(table["cells"][0]["verdict"], "no data");
    assert_eq!(broken("reproduce", &table), None);
    assert_eq!(broken("reproduce", &json!([table])), None);
    // A comparison and headings, on rows without data.
    let mut study = kinwood::reproduce::study("beam-table4").unwrap();
    study.rows.truncate(1);
    study.rows[0].data = None;
    let (table, _) =
        kinwood::reproduce::reproduce(&study, "none".as_ref(), &registry, &context, None).unwrap();
    let table = serde_json::to_value(&table).unwrap();
    assert_eq!(table["cells"][0]["group"], "SC5");
    assert_eq!(table["comparisons"][2]["paper"], json!([1, 2]));
    assert_eq!(broken("reproduce", &table), None);
}

#[test]
fn report() {
    let sandbox = Sandbox::with_weather();
    sandbox.out("fit oner weather.csv --target play -o rule.kin --quiet");
    let alone = checked(&sandbox, "report rule.kin -o alone.html");
    assert_eq!(alone["sections"], json!(["model", "data", "overview"]));
    let whole = checked(&sandbox, "report rule.kin -o whole.html --data weather.csv");
    assert_eq!(keys(&whole), ["file", "sections"]);
    let sections = [
        "answer",
        "model",
        "performance",
        "map",
        "predictions",
        "data",
        "overview",
    ];
    assert_eq!(whole["sections"], json!(sections));
}

#[test]
fn importance() {
    let sandbox = Sandbox::with_weather();
    let fit = "fit knn weather.csv --target play --target temperature -o near.kin --quiet";
    sandbox.out(fit);
    let report = checked(&sandbox, "importance near.kin weather.csv");
    assert_eq!(
        keys(&report),
        ["learner", "data", "rows", "repeats", "seed", "targets"]
    );
    let target = &report["targets"][1];
    assert_eq!(keys(target), ["target", "measure", "value", "parts"]);
    assert_eq!(
        keys(&target["parts"][0]),
        ["part", "table", "column", "mean", "sd", "relative"]
    );
    // A single permutation has no spread; a value of 0 has no shares.
    let once = checked(&sandbox, "importance near.kin weather.csv --repeats 1");
    assert_eq!(once["targets"][0]["parts"][0]["sd"], Value::Null);
}

#[test]
fn the_schemas_refuse_what_is_not_promised() {
    let sandbox = Sandbox::with_weather();
    let mut report = checked(&sandbox, "evaluate knn weather.csv --target play --folds 2");
    report["folds"][0]["accuracy"] = json!(97.5);
    assert!(
        broken("evaluate", &report).is_some(),
        "a percentage is no share"
    );
    let mut fitted = checked(&sandbox, "fit knn weather.csv --target play");
    fitted["extra"] = json!(1);
    assert!(broken("fit", &fitted).is_some());
}

#[test]
fn similarity() {
    let sandbox = Sandbox::with_weather();
    let found = checked(&sandbox, "distance hausdorff(absolute) [1,2] [4] --explain");
    assert_eq!(found["results"][0]["value"], 3.0);
    assert_eq!(found["type"], "set<numeric>");
    let all = checked(&sandbox, "distances");
    assert!(all["measures"].as_array().unwrap().len() > 20);
    assert_eq!(checked(&sandbox, "distances hausdorff")["kind"], "distance");
    let words = "weather.csv --target play";
    let matrix = checked(&sandbox, &format!("matrix {words} -o m.npy"));
    assert_eq!(matrix["objects"], 14);
    let nearest = checked(&sandbox, &format!("neighbours {words} --query 3 -k 2"));
    let neighbours = &nearest["queries"][0]["neighbours"];
    assert_eq!(neighbours.as_array().unwrap().len(), 2);
    let clusters = checked(&sandbox, &format!("cluster {words} --k 2"));
    assert_eq!(clusters["clusters"].as_array().unwrap().len(), 2);
    let map = checked(&sandbox, &format!("map {words} -o m.html"));
    assert_eq!(map["file"], "m.html");
}

#[test]
fn compare() {
    let sandbox = Sandbox::with_weather();
    let words = "compare majority mean knn:k=1|3 --data weather.csv#play --data weather.csv#windy --folds 3";
    let report = checked(&sandbox, words);
    let cells = report["cells"].as_array().unwrap();
    assert_eq!(cells.len(), 8);
    assert!(cells[1]["failed"].is_string() && cells[0]["mean"]["accuracy"].is_number());
    let test = &report["tests"][0];
    assert_eq!(test["learners"], json!(["majority", "knn:k=1", "knn:k=3"]));
    assert_eq!(test["over_data"]["pairs"].as_array().unwrap().len(), 3);
    let tuned = checked(
        &sandbox,
        "compare knn:k=1|3 --tune --inner-folds 2 --data weather.csv#play --folds 2",
    );
    assert_eq!(tuned["cells"][0]["chosen"].as_array().unwrap().len(), 2);
    assert_eq!(tuned["tests"][0]["over_data"], json!(null));
}
