//! What users mistype: the message, and exit code 2.

use crate::sandbox::Sandbox;

#[test]
fn an_unknown_learner_gets_the_nearest() {
    let sandbox = Sandbox::with_weather();
    let expected = "error: unknown learner `onr` (the learners are majority, mean, oner, knn, kstar, citation_knn, tree, dbdt, forest, boost, m5, centres, mirt, svm, svr, ridge, mi_svm, auto); did you mean `oner`?\n help: `kinwood learners` explains them\n";
    assert_eq!(sandbox.err("fit onr weather.csv --target play"), expected);
    assert_eq!(
        sandbox.err("evaluate onr weather.csv --target play"),
        expected
    );
    assert_eq!(sandbox.err("learners onr"), expected);
}

#[test]
fn an_unknown_setting_gets_the_nearest() {
    let sandbox = Sandbox::with_weather();
    assert_eq!(
        sandbox.err("fit knn weather.csv --target play --set mising=max"),
        "error: `knn` has no setting `mising` (its settings are preset, k, most, weights, filter, distance, depth, missing, flatten, flatten_depth, flatten_rows, aggregates, flatten_windows, flatten_last, flatten_labels, flatten_columns and 2 more); did you mean `missing`?\n help: `kinwood learners knn` explains its settings\n"
    );
    assert_eq!(
        sandbox.err("fit knn weather.csv --target play --set k=none"),
        "error: setting `k` cannot be `none`: expected a whole number from 1, or auto or loo\n"
    );
    assert_eq!(
        sandbox.err("fit knn weather.csv --target play --set k=1 --set k=2"),
        "error: setting `k` is given twice\n"
    );
}

#[test]
fn an_unknown_verb_gets_the_nearest() {
    let told = Sandbox::new().err("fitt knn");
    assert_eq!(
        told,
        "error: there is no verb `fitt`; did you mean `fit`?\n help: `kinwood --help` lists the verbs\n"
    );
}

#[test]
fn arguments_that_cannot_be_read_say_what_is_expected() {
    let sandbox = Sandbox::with_weather();
    let first = |options: &str| {
        let told = sandbox.err(&format!(
            "evaluate oner weather.csv --target play {options}"
        ));
        told.lines().next().unwrap().to_owned()
    };
    assert_eq!(
        first("--set bucket"),
        "error: invalid value 'bucket' for '--set <NAME=VALUE>': expected NAME=VALUE, as in k=3"
    );
    assert_eq!(
        first("--role windy=ipnut"),
        "error: invalid value 'windy=ipnut' for '--role <COLUMN=ROLE>': unknown role `ipnut`; did you mean `input`?; expected one of input, id, ignore, weight, group, fold, target, event, cutoff"
    );
    assert_eq!(
        first("--memory lots"),
        "error: invalid value 'lots' for '--memory <SIZE>': expected a size such as 500M or 2G"
    );
    assert_eq!(
        first("--time 5"),
        "error: invalid value '5' for '--time <DURATION>': expected a duration such as 30s, 5m or 1h"
    );
    assert_eq!(
        first("--header maybe"),
        "error: invalid value 'maybe' for '--header <CHOICE>': expected `detect`, `yes` or `none`"
    );
    assert_eq!(
        first("--delimiter :"),
        "error: invalid value ':' for '--delimiter <MARK>': expected `,`, `;`, `|`, `tab` or `blank`"
    );
    assert_eq!(
        first("--folds 3 --split 0.5"),
        "error: the argument '--folds <N>' cannot be used with '--split <SHARE>'"
    );
    assert_eq!(
        first("--leave-one-out --folds 3"),
        "error: the argument '--leave-one-out' cannot be used with '--folds <N>'"
    );
    assert_eq!(
        first("--by-time temperature --repeats 3"),
        "error: the argument '--by-time <COLUMN>' cannot be used with '--repeats <N>'"
    );
    assert_eq!(
        first("--by-time windy"),
        "error: column `windy` is a `nominal`; rows are ordered by numeric and datetime columns"
    );
    assert_eq!(
        first("--by-time temperature --folds 12"),
        "error: 12 folds by time asked for, but there are only 12 distinct times, at least 13 are needed"
    );
    assert_eq!(
        first("--by-time temprature"),
        "error: unknown column `temprature` in table `weather`; did you mean `temperature`?"
    );
    assert_eq!(
        first("--folds 1"),
        "error: 1 folds asked for, at least 2 are needed"
    );
    assert_eq!(
        first("--split 1.5"),
        "error: training share 1.5 is outside the open interval from 0 to 1"
    );
}

#[test]
fn limits_are_kept() {
    let sandbox = Sandbox::with_weather();
    let told = sandbox.err("fit knn weather.csv --target play --memory 100");
    assert!(told.starts_with("error: `weather.csv` takes "), "{told}");
    assert!(
        told.ends_with(
            " in memory, more than the 100 B that are allowed\n help: `--memory` sets the limit\n"
        ),
        "{told}"
    );
    assert_eq!(
        sandbox.err("evaluate knn weather.csv --target play --time 0s"),
        "error: the time limit was reached before the work was done\n help: `--time` sets the limit\n"
    );
}

#[test]
fn an_output_that_cannot_be_written_is_told_before_the_work() {
    let sandbox = Sandbox::with_weather();
    assert_eq!(
        sandbox.err("fit knn missing.csv --target play -o no/such/model.kin"),
        "error: cannot write `no/such/model.kin`: there is no such folder\n"
    );
    assert_eq!(
        sandbox.err("fit knn missing.csv --target play -o ."),
        "error: cannot write `.`: it is a folder\n"
    );
}

#[test]
fn without_a_verb_the_help_is_shown() {
    let told = Sandbox::new().err("");
    assert!(told.contains("Usage: kinwood [OPTIONS] <VERB>"), "{told}");
    let help = Sandbox::new().out("--help");
    assert!(help.contains("\nData:\n  describe "), "{help}");
    assert_eq!(
        Sandbox::new().out("--version"),
        format!("kinwood {}\n", env!("CARGO_PKG_VERSION"))
    );
}

#[test]
fn a_negative_seed_is_a_wrong_value_rather_than_an_unknown_option() {
    let told = Sandbox::new().err("learners --seed -1");
    assert!(
        told.starts_with("error: invalid value '-1' for '--seed <N>'"),
        "{told}"
    );
}

#[test]
fn a_misspelt_key_of_clus_is_named_with_its_line() {
    let sandbox = Sandbox::with_weather();
    sandbox.write(
        "run.s",
        "[Data]\nFile = weather.csv\n[Tree]\nPruningMetod = C4.5\n",
    );
    assert_eq!(
        sandbox.err("fit tree run.s -o model.kin"),
        "error: run.s:4: the section `[Tree]` has no key `PruningMetod`; did you mean `PruningMethod`?\n"
    );
    assert_eq!(sandbox.files(), ["run.s", "weather.csv"]);
    let told = sandbox.err("fit tree none.s");
    assert!(told.starts_with("error: cannot read `none.s`"), "{told}");
}
