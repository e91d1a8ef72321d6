//! Work that is stopped: every verb ends with the code and the words that the manual has, and
//! leaves no file behind.

use crate::sandbox::{Sandbox, skipped};

const TARGET: &str = "weather.csv --target play";

#[test]
fn every_verb_that_runs_out_of_time_says_so_and_leaves_nothing() {
    let sandbox = Sandbox::with_weather();
    sandbox.out(&format!("fit knn {TARGET} -o model.kin"));
    let model = sandbox.read("model.kin");
    let before = sandbox.files();
    let verbs = [
        "describe weather.csv".to_owned(),
        "describe weather.csv --schema -o weather.schema.toml".to_owned(),
        "convert weather.csv out.arff".to_owned(),
        format!("fit tree {TARGET} -o out.kin"),
        format!("fit knn {TARGET} -o out.kin"),
        "predict model.kin weather.csv -o out.csv".to_owned(),
        format!("evaluate knn {TARGET}"),
        format!("tune knn {TARGET} --try k=1|3 --folds 4 -o out.kin"),
        "importance model.kin weather.csv".to_owned(),
        "append model.kin weather.csv".to_owned(),
        format!("matrix {TARGET} -o out.npy"),
        format!("matrix {TARGET} -o out.csv"),
        format!("cluster {TARGET} --k 2 -o out.csv"),
        format!("map {TARGET} -o out.html"),
        format!("neighbours {TARGET} --query 1"),
    ];
    for words in &verbs {
        let ended = sandbox.run(&format!("{words} --time 0s"));
        assert_eq!(ended.code, 2, "{words}: {}", ended.err);
        let told = ended.err.contains("the time limit was reached");
        assert!(told && ended.out.is_empty(), "{words}: {}", ended.err);
        assert_eq!(sandbox.files(), before, "{words}");
    }
    assert!(sandbox.read("model.kin") == model);
}

#[test]
fn data_that_takes_more_than_is_allowed_is_refused_while_it_is_read() {
    let sandbox = Sandbox::new();
    let mut text = "@relation r\n".to_owned();
    for column in 0..1_000 {
        text += &format!("@attribute a{column} numeric\n");
    }
    text += "@data\n";
    text += &"{}\n".repeat(10_000);
    sandbox.write("sparse.arff", text);
    let told = sandbox.err("describe sparse.arff --memory 10M");
    assert!(
        told.starts_with("error: cannot read `sparse.arff`: it "),
        "{told}"
    );
    assert!(
        told.ends_with(" help: `--memory` sets the limit\n"),
        "{told}"
    );
}

#[cfg(unix)]
#[test]
fn a_pipe_is_no_data() {
    if skipped("mkfifo") {
        return;
    }
    let sandbox = Sandbox::with_weather();
    let pipe = sandbox.path("pipe.csv");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.unwrap().success());
    for words in [
        "describe pipe.csv",
        "describe weather.csv --with-schema pipe.csv",
    ] {
        let told = sandbox.err(words);
        assert!(told.contains("a device or a pipe"), "{words}: {told}");
    }
}
