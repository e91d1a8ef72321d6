//! Help, and answers to slips: the examples run, options of other programs are answered by ours.

use crate::sandbox::Sandbox;

/// The verbs in an order in which their examples can be run: files come before what reads them.
const VERBS: [&str; 25] = [
    "sample",
    "describe",
    "convert",
    "learners",
    "fit",
    "predict",
    "query",
    "evaluate",
    "compare",
    "tune",
    "importance",
    "show",
    "pick",
    "append",
    "report",
    "distance",
    "distances",
    "matrix",
    "neighbours",
    "cluster",
    "map",
    "reproduce",
    "completions",
    "help",
    "tour",
];

#[test]
fn the_examples_of_every_verb_run() {
    let sandbox = Sandbox::new();
    for verb in VERBS.into_iter().filter(|verb| *verb != "help") {
        let help = sandbox.out(&format!("help {verb}"));
        assert_eq!(help, sandbox.out(&format!("{verb} --help")), "{verb}");
        let (_, examples) = help.split_once("Examples:\n").expect(verb);
        let commands = examples
            .lines()
            .filter_map(|line| line.strip_prefix("  kinwood "));
        for words in commands {
            let ended = sandbox.run(words);
            assert_eq!(ended.code, 0, "kinwood {words}: {}", ended.err);
        }
    }
    let listed = sandbox.out("help");
    assert_eq!(listed, sandbox.out("--help"));
    assert!(
        listed.contains("Learn and predict:\n  learners"),
        "{listed}"
    );
}

#[test]
fn options_of_other_programs_are_answered_by_ours() {
    let sandbox = Sandbox::with_weather();
    assert_eq!(
        sandbox.err("fit knn weather.csv --target play --k 3"),
        "error: `fit` has no option `--k`\n help: settings: `--set k=3`; `kinwood learners knn` lists them\n"
    );
    let told = sandbox.err("evaluate tree weather.csv --target play --max-depth=4");
    assert!(told.contains("`--set depth=4`"), "{told}");
    let told = sandbox.err("fit tree weather.csv --target play --set max_leaf_nodes=4");
    assert!(told.contains("did you mean `size`?"), "{told}");
    let told = sandbox.err("fit tree weather.csv --target plays");
    assert!(told.contains("did you mean `play`?"), "{told}");
    let told = sandbox.err("help fti");
    assert!(told.contains("fit"), "{told}");
}

#[test]
fn settings_have_the_names_that_others_give_them() {
    let sandbox = Sandbox::with_weather();
    let by = |set: &str| {
        sandbox.out(&format!(
            "fit tree weather.csv --target play --set {set} --json"
        ))
    };
    let model =
        |text: String| serde_json::from_str::<serde_json::Value>(&text).unwrap()["model"].clone();
    assert_eq!(model(by("max_depth=1")), model(by("depth=1")));
    assert_eq!(model(by("min_samples_leaf=5")), model(by("leaf=5")));
    sandbox.out("fit knn weather.csv --target play --set n_neighbors=3 -o near.kin");
    assert!(sandbox.out("show near.kin").contains("settings     k=3\n"));
    let twice = sandbox.err("fit tree weather.csv --target play --set depth=1 --set max_depth=2");
    assert!(twice.contains("given twice"), "{twice}");
}

#[test]
fn files_that_are_there_stay_unless_they_are_to_be_replaced() {
    let sandbox = Sandbox::with_weather();
    sandbox.out("fit knn weather.csv --target play -o model.kin");
    sandbox.write("there", "mine");
    for verb in [
        "fit knn weather.csv --target play -o there",
        "predict model.kin weather.csv -o there",
        "evaluate knn weather.csv --target play --folds 2 -o there",
        "map weather.csv -o there",
        "cluster weather.csv -o there",
        "report model.kin -o there",
        "tune knn weather.csv --target play --try 'k=1|3' --folds 2 -o there",
    ] {
        let told = sandbox.err(verb);
        assert_eq!(
            told, "error: `there` is already there\n help: `--force` replaces it\n",
            "{verb}"
        );
        assert_eq!(sandbox.read("there"), b"mine");
    }
    sandbox.out("fit knn weather.csv --target play -o there --force");
    assert_ne!(sandbox.read("there"), b"mine");
}

#[test]
fn predictions_are_written_by_the_ending() {
    let sandbox = Sandbox::with_weather();
    sandbox.out("fit knn weather.csv --target play -o model.kin");
    sandbox.out("predict model.kin weather.csv -o p.parquet");
    assert!(sandbox.read("p.parquet").starts_with(b"PAR1"));
    sandbox.out("convert p.parquet p.csv");
    sandbox.out("predict model.kin weather.csv -o q.csv");
    assert_eq!(sandbox.read("p.csv"), sandbox.read("q.csv"));
    sandbox.out("evaluate knn weather.csv --target play --folds 5 -o folds.csv");
    let folds = String::from_utf8(sandbox.read("folds.csv")).unwrap();
    assert!(
        folds.starts_with("row,repeat,fold,play,prediction,p(no),p(yes)\n"),
        "{folds}"
    );
    assert_eq!(folds.lines().count(), 15);
    let told = sandbox.err("predict model.kin weather.csv -o p.docx");
    assert!(told.contains("docx"), "{told}");
}

#[test]
fn an_evaluation_stands_beside_its_baseline() {
    let sandbox = Sandbox::with_weather();
    let text = sandbox.out("evaluate knn weather.csv --target play --folds 5");
    assert!(text.contains("pooled    majority\n"), "{text}");
    assert!(text.contains("true \\ predicted"), "{text}");
    let text = sandbox.out("evaluate majority weather.csv --target play --folds 5");
    assert!(!text.contains("has to beat"), "{text}");
}

#[test]
fn colour_and_silence_are_chosen() {
    let sandbox = Sandbox::with_weather();
    let told = sandbox.err("fit knn nowhere.csv --color always");
    assert!(told.contains("\u{1b}[1;31merror:"), "{told}");
    let told = sandbox.err("fit knn nowhere.csv --color never");
    assert!(told.starts_with("error:"), "{told}");
    let told = sandbox.err("fit knn nowhere.csv --color sometimes");
    assert!(told.contains("auto, always or never"), "{told}");
    sandbox.out("fit knn weather.csv --target play -q");
}

#[test]
fn what_is_inferred_is_told_in_one_line() {
    let sandbox = Sandbox::new();
    sandbox.out("sample molecules --size 40 -o molecules");
    std::fs::remove_file(sandbox.path("molecules/schema.toml")).unwrap();
    let ended = sandbox.run("fit mirt molecules --target active -o model.kin");
    assert_eq!(ended.err.lines().count(), 1, "{}", ended.err);
    assert!(
        ended
            .err
            .contains("keys inferred; `kinwood describe` shows why")
    );
    let ended = sandbox.run("fit mirt molecules --target active --verbose");
    assert!(ended.err.lines().count() >= 6, "{}", ended.err);
    // A model has decided.
    sandbox.out("predict model.kin molecules");
}
