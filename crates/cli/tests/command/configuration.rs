//! `kinwood.toml`: between the defaults and the command line.

use crate::sandbox::Sandbox;

#[test]
fn the_command_line_wins_over_the_file_and_the_file_over_the_defaults() {
    let sandbox = Sandbox::with_weather();
    let made_by = |options: &str| {
        sandbox.run(&format!(
            "fit knn weather.csv --target play -o model.kin --force {options}"
        ));
        let shown = sandbox.out("show model.kin");
        let line = shown.lines().find(|line| line.starts_with("made by"));
        line.unwrap().replace(
            "made by      kinwood fit knn weather.csv --target play ",
            "",
        )
    };
    assert_eq!(made_by(""), "--seed 1");
    sandbox.write(
        "kinwood.toml",
        "seed = 9\n[set.knn]\nk = 3\nmissing = \"max\"\n",
    );
    assert_eq!(made_by(""), "--set k=3 --set missing=max --seed 9");
    assert_eq!(
        made_by("--seed 4 --set k=5"),
        "--set k=5 --set missing=max --seed 4"
    );
}

#[test]
fn silence_in_the_file_holds() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "data.arff",
        "@relation r\n@attribute k {a,b}\n@data\na\nb\n",
    );
    assert_ne!(sandbox.run("fit majority data.arff").err, "");
    sandbox.write("kinwood.toml", "quiet = true\n");
    sandbox.out("fit majority data.arff");
}

#[test]
fn a_mistake_in_the_file_is_told_with_its_place() {
    let sandbox = Sandbox::with_weather();
    sandbox.write("kinwood.toml", "quiet = false\nthread = 2\n");
    assert_eq!(
        sandbox.err("describe weather.csv"),
        "error: kinwood.toml:2:1: unknown key `thread` (the keys are threads, seed, memory, time, quiet, set); did you mean `threads`?\n"
    );
    // A shell that starts in this folder still gets its completions.
    sandbox.out("completions bash");
}
