//! `kinwood tune`: choices are told with what they are worth, curves are drawn, and what cannot be
//! tried is said.

use serde_json::{Value, json};

use crate::json::broken;
use crate::sandbox::Sandbox;

const SEARCH: &str = "tune knn weather.csv --target play --try k=1|3|5 --folds 4";

fn checked(sandbox: &Sandbox, words: &str) -> Value {
    let out = sandbox.out(&format!("{words} --json --quiet"));
    let report: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(broken("tune", &report), None, "kinwood {words}");
    report
}

#[test]
fn the_choice_has_the_best_inner_mean_and_an_estimate_of_its_own() {
    let sandbox = Sandbox::with_weather();
    let report = checked(&sandbox, SEARCH);
    let candidates = report["candidates"].as_array().unwrap();
    let mean = |candidate: &Value| candidate["mean"]["accuracy"].as_f64().unwrap();
    let best = candidates.iter().map(mean).fold(0.0, f64::max);
    let chosen = candidates
        .iter()
        .find(|candidate| mean(candidate) == best)
        .unwrap();
    assert_eq!(report["chosen"], chosen["settings"]);
    let tried: Vec<&Value> = candidates
        .iter()
        .map(|candidate| &candidate["settings"]["k"])
        .collect();
    assert_eq!(tried, ["1", "3", "5"]);
    let folds = report["estimate"]["folds"].as_array().unwrap();
    assert_eq!(folds.len(), 4);
    assert!(folds.iter().all(|fold| fold["chosen"]["k"].is_string()));
    let text = sandbox.out(SEARCH);
    assert!(
        text.contains("3 candidates tried on 5 inner folds"),
        "{text}"
    );
    assert!(
        text.contains("optimistic as it was chosen for it"),
        "{text}"
    );
    assert!(text.contains("\nestimate over 4 outer folds"), "{text}");
    let only = checked(&sandbox, &format!("{SEARCH} --no-estimate"));
    assert_eq!(only["estimate"], Value::Null);
    assert_eq!(only["candidates"], report["candidates"]);
}

#[test]
fn threads_change_nothing_and_the_seed_does() {
    let sandbox = Sandbox::with_weather();
    let search = "tune knn weather.csv --target play --target temperature --try k=1..6 --try weights=uniform|inverse --random 5 --folds 3 --json";
    let curve = "tune kstar weather.csv --target play --curve blend=0..1/5 --folds 3 --json";
    let learning = "tune knn weather.csv --target play --learning-curve --folds 3 --json";
    for words in [search, curve, learning] {
        let run = |more: &str| sandbox.out(&format!("{words} {more}"));
        let one = run("--threads 1");
        assert_eq!(one, run("--threads 3"));
        assert_ne!(one, run("--seed 9"));
        let report: Value = serde_json::from_str(&one).unwrap();
        assert_eq!(broken("tune", &report), None);
    }
}

#[test]
fn the_model_is_what_fit_makes_of_the_choice() {
    let sandbox = Sandbox::with_weather();
    let report = checked(
        &sandbox,
        &format!("{SEARCH} --set weights=inverse -o best.kin"),
    );
    assert_eq!(report["file"], "best.kin");
    let shown: Value = serde_json::from_str(&sandbox.out("show best.kin --json")).unwrap();
    let k = report["chosen"]["k"].as_str().unwrap();
    assert_eq!(shown["settings"]["k"], k);
    assert_eq!(shown["settings"]["weights"], "inverse");
    let command = shown["provenance"]["command"].as_str().unwrap();
    let expected = format!(
        "kinwood fit knn weather.csv --target play --set k={k} --set weights=inverse --seed 1"
    );
    assert_eq!(command, expected);
    let again = command.strip_prefix("kinwood ").unwrap();
    sandbox.out(&format!("{again} -o again.kin --quiet"));
    assert_eq!(sandbox.read("best.kin"), sandbox.read("again.kin"));
    sandbox.out("predict best.kin weather.csv");
    // Folds of a column are no input, neither then nor now.
    sandbox.out("tune oner weather.csv --target play --try bucket=1|6 --fold-column windy -o one.kin --quiet");
    let shown: Value = serde_json::from_str(&sandbox.out("show one.kin --json")).unwrap();
    let command = shown["provenance"]["command"].as_str().unwrap();
    assert!(command.contains("--role windy=fold"), "{command}");
}

#[test]
fn candidates_that_fail_lose_and_say_why() {
    let sandbox = Sandbox::with_weather();
    // With five of fourteen rows in one class no more than ten fourteenths can err.
    let words = "tune svm weather.csv --target play --set form=nu --try nu=0.99|0.3 --folds 2 --no-estimate";
    let report = checked(&sandbox, words);
    let failed: Vec<bool> = report["candidates"]
        .as_array()
        .unwrap()
        .iter()
        .map(|candidate| candidate["failed"].is_string())
        .collect();
    assert!(
        failed.contains(&true) && failed.contains(&false),
        "{report}"
    );
    assert!(sandbox.out(words).contains("failed: repeat 1, fold "));
}

#[test]
fn beams_trade_width_for_similarity() {
    let sandbox = Sandbox::new();
    sandbox.out("sample table -o t.csv --size 120 --seed 2 --quiet");
    let words =
        "tune tree t.csv --target grade --set search=beam --set size=7 --curve width=1|4 --folds 3";
    let report = checked(&sandbox, words);
    let [one, four] = [0, 1].map(|place| &report["points"][place]);
    assert_eq!(one["members"]["count"]["mean"], 1.0);
    assert_eq!(four["members"]["count"]["mean"], 4.0);
    let similarity = |point: &Value| {
        let by_measure = point["members"]["similarity"]["mean"].as_object().unwrap();
        by_measure.values().next().unwrap().as_f64().unwrap()
    };
    assert_eq!(similarity(one), 1.0);
    assert!(similarity(four) < 1.0);
    let evaluated = |point: &Value| {
        point["members"]["models_evaluated"]["mean"]
            .as_f64()
            .unwrap()
    };
    assert!(evaluated(four) > evaluated(one));
    assert!(one["training"]["mean"].is_object());
    // The weight of similarity, and another set of models that is looked at when asked.
    let beta = "tune tree t.csv --target grade --set search=beam --set size=5 --set width=3 --curve beta=0|1 --folds 2 --seconds";
    assert!(checked(&sandbox, beta)["points"][1]["seconds"]["mean"].is_number());
    let forest = "tune forest t.csv --target grade --curve trees=2|3 --folds 2";
    let plain = checked(&sandbox, forest);
    assert_eq!(plain["points"][0].get("members"), None);
    let looked = checked(&sandbox, &format!("{forest} --members"));
    assert_eq!(looked["points"][1]["members"]["count"]["mean"], 3.0);
}

#[test]
fn a_learning_curve_has_more_and_more_rows() {
    let sandbox = Sandbox::with_weather();
    let words = "tune knn weather.csv --target play --learning-curve=0.25,0.5,7,1 --split 0.75 --repeats 3 --training";
    let report = checked(&sandbox, words);
    assert_eq!(report["over"], "training rows");
    let rows: Vec<f64> = report["points"]
        .as_array()
        .unwrap()
        .iter()
        .map(|point| point["rows"].as_f64().unwrap())
        .collect();
    assert!(rows.windows(2).all(|pair| pair[0] < pair[1]), "{rows:?}");
    assert_eq!(rows[2], 7.0);
    // With all training rows it is a plain evaluation.
    let plain = "evaluate knn weather.csv --target play --split 0.75 --repeats 3 --json";
    let plain: Value = serde_json::from_str(&sandbox.out(plain)).unwrap();
    let all = &report["points"][3]["test"];
    assert_eq!(all["mean"]["accuracy"], plain["mean"]["accuracy"]);
    assert_eq!(all["sd"]["accuracy"], plain["sd"]["accuracy"]);
}

#[test]
fn curves_are_drawn_and_written() {
    let sandbox = Sandbox::with_weather();
    sandbox.out("tune kstar weather.csv --target play --target temperature --curve blend=0..1/3 --folds 3 --svg c.svg --csv c.csv --quiet");
    let drawn = String::from_utf8(sandbox.read("c.svg")).unwrap();
    assert!(drawn.starts_with("<svg ") && drawn.ends_with("</svg>\n"));
    for expected in ["play: accuracy", "temperature: rmse", "class=\"whisker a\""] {
        assert!(drawn.contains(expected), "{expected}");
    }
    let table = String::from_utf8(sandbox.read("c.csv")).unwrap();
    let lines: Vec<&str> = table.lines().collect();
    assert_eq!(
        lines[0],
        "blend,accuracy(play),sd(accuracy(play)),rmse(temperature),sd(rmse(temperature)),failed"
    );
    assert!(
        lines[2].starts_with("0.5,0.") && lines.len() == 4,
        "{table}"
    );
    sandbox.out(&format!("{SEARCH} --csv s.csv --quiet"));
    let table = String::from_utf8(sandbox.read("s.csv")).unwrap();
    assert!(table.starts_with("k,accuracy,sd(accuracy),rank,chosen,failed\n1,0."));
    assert_eq!(table.matches("true").count(), 1);
}

#[test]
fn what_is_tried_overrules_the_configuration_and_not_the_command_line() {
    let sandbox = Sandbox::with_weather();
    sandbox.write("kinwood.toml", "[set.knn]\nk = 9\nweights = \"inverse\"\n");
    let report = checked(&sandbox, &format!("{SEARCH} --no-estimate"));
    assert_eq!(report["settings"], json!({"weights": "inverse"}));
    let told = sandbox.err(&format!("{SEARCH} --set k=2"));
    assert!(told.contains("setting `k` is given twice"), "{told}");
}

#[test]
fn what_cannot_be_tried_is_said_before_data_is_read() {
    let sandbox = Sandbox::new();
    let failing = |words: &str, expected: &str| {
        let told = sandbox.err(&format!("tune {words} --quiet"));
        assert!(told.contains(expected), "{words}: {told}");
    };
    failing("knm no.csv --try k=1|2", "did you mean `knn`?");
    failing("knn no.csv --try kk=1|2", "did you mean `k`?");
    failing("knn no.csv --try k=1|0", "setting `k` cannot be `0`");
    failing(
        "knn no.csv --try k=1||2",
        "`k=1||2`, character 5: expected a value",
    );
    failing("knn no.csv --try k=1 --try k=2", "are given twice");
    failing("svm no.csv --try c=0.1..10", "as in `0.1..10/5`");
    failing(
        "knn no.csv --curve weights=invers|uniform",
        "did you mean `inverse`?",
    );
    failing("knn no.csv --learning-curve=0.5,2.5", "`2.5` is neither");
    failing(
        "knn no.csv --try k=1|2 --inner-folds 1",
        "1 folds asked for",
    );
    failing(
        "knn no.csv --try k=1|2 --measure acuracy",
        "did you mean `accuracy`?",
    );
    failing("knn no.csv --try k=1|2 --curve k=1", "cannot be used with");
    failing("knn no.csv --curve k=1 -o m.kin", "cannot be used with");
    failing("knn no.csv --target play", "required");
    failing(
        "knn no.csv --try k=1..3 --svg no/such.svg",
        "cannot be used with",
    );
    failing(
        "knn no.csv --curve k=1..3 --svg no/such.svg",
        "there is no such folder",
    );
    let sandbox = Sandbox::with_weather();
    let told = sandbox.err(&format!("{SEARCH} --measure rmse"));
    assert!(
        told.contains("`rmse` is a measure for numbers, not for classes"),
        "{told}"
    );
    let told = sandbox.err("tune mean weather.csv --target play --learning-curve");
    assert!(told.contains("`mean` predicts numeric targets"), "{told}");
    let told = sandbox.err(&format!("{SEARCH} --time 0s"));
    assert!(told.contains("time"), "{told}");
    let told = sandbox.err(&format!("{SEARCH} --csv weather.csv"));
    assert!(told.contains("it is a file that is read"), "{told}");
}
