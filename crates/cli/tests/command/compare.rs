//! `kinwood compare`: tables, results folders, and going on after a stop.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::sandbox::Sandbox;

/// Two data sets, and a study of three learners on them.
fn with_study() -> Sandbox {
    let sandbox = Sandbox::with_weather();
    let mut points = String::from("x,y,side\n");
    for i in 0..40 {
        let (x, y) = (i * 7 % 40, i * 13 % 40);
        let side = if x + y > 40 { "above" } else { "below" };
        points += &format!("{x}.5,{y}.5,{side}\n");
    }
    sandbox.write("points.csv", points);
    sandbox.write(
        "study.toml",
        r#"
title = "Two data sets"
split = { folds = 4, repeats = 2 }

[[data]]
path = "weather.csv"
target = "play"

[[data]]
path = "points.csv"
name = "points of a plane"
target = "side"

[[learners]]
learner = "majority"

[[learners]]
learner = "knn"
grid = { k = [1, 3] }

[[learners]]
name = "tree"
learner = "tree"
"#,
    );
    sandbox
}

/// All files below a folder but the times and the lock, by path.
fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut open = vec![folder.to_owned()];
    while let Some(next) = open.pop() {
        for entry in fs::read_dir(&next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
                continue;
            }
            let name = path
                .strip_prefix(folder)
                .unwrap()
                .to_str()
                .unwrap()
                .to_owned();
            if !name.starts_with("tables/seconds") && name != ".lock" {
                found.insert(name, fs::read(&path).unwrap());
            }
        }
    }
    found
}

fn tables(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut all = contents(folder);
    all.retain(|name, _| name.starts_with("tables/"));
    all
}

#[test]
fn learners_and_data_sets_make_tables_in_every_form() {
    let sandbox = with_study();
    let text = sandbox.out("compare --study study.toml -o results");
    assert!(
        text.starts_with("accuracy: mean and standard deviation over folds\n"),
        "{text}"
    );
    for part in [
        "points of a plane",
        "knn:k=3",
        "mean rank",
        "Friedman: chi-square",
        "Wins/ties/losses",
    ] {
        assert!(text.contains(part), "no `{part}` in\n{text}");
    }
    let tables = tables(&sandbox.path("results"));
    for name in ["accuracy", "accuracy-wins", "accuracy-tests", "mcnemar"] {
        for ending in ["txt", "md", "tex", "csv", "html"] {
            let file = format!("tables/{name}.{ending}");
            assert!(
                tables.get(&file).is_some_and(|text| !text.is_empty()),
                "{file}"
            );
        }
    }
    assert!(tables.contains_key("tables/critical-difference-accuracy.svg"));
    let page = String::from_utf8(tables["tables/index.html"].clone()).unwrap();
    assert!(page.contains("Two data sets") && page.contains("--study study.toml --seed 1"));
    // The folder alone has the same tables, and others by another measure.
    assert_eq!(sandbox.out("compare -o results"), text);
    let others = sandbox.out("compare -o results --measure log_loss --format csv");
    assert!(
        others.starts_with("data,majority,majority (spread),"),
        "{others}"
    );
    let markdown = sandbox.out("compare -o results --format markdown");
    assert!(markdown.starts_with("### accuracy: mean"), "{markdown}");
}

#[test]
fn threads_change_nothing() {
    let sandbox = with_study();
    let one = sandbox.out("compare --study study.toml --threads 1");
    assert_eq!(sandbox.out("compare --study study.toml --threads 2"), one);
}

#[test]
fn a_study_stopped_anywhere_goes_on_to_the_same_bytes() {
    let sandbox = with_study();
    let text = sandbox.out("compare --study study.toml -o whole");
    let whole = contents(&sandbox.path("whole"));
    let logs: Vec<&String> = whole
        .keys()
        .filter(|name| name.starts_with("folds/"))
        .collect();
    assert_eq!(logs.len(), 8);
    // Files as a kill leaves them: some not begun, some cut in the middle of a line, tables not
    // written.
    for (place, share) in [(0, 0.0), (2, 0.3), (5, 0.77), (7, 0.999)] {
        let folder = sandbox.path(&format!("stopped{place}"));
        for part in ["data", "folds", "tables"] {
            fs::create_dir_all(folder.join(part)).unwrap();
        }
        for (name, bytes) in &whole {
            let number = logs.iter().position(|log| *log == name);
            let kept = match number {
                Some(number) if number > place => continue,
                Some(number) if number == place => (bytes.len() as f64 * share) as usize,
                None if name.starts_with("tables/") => continue,
                _ => bytes.len(),
            };
            fs::write(folder.join(name), &bytes[..kept]).unwrap();
        }
        let again = sandbox.out(&format!(
            "compare --study study.toml -o stopped{place} --quiet"
        ));
        assert_eq!(again, text);
        assert_eq!(tables(&folder), tables(&sandbox.path("whole")));
    }
}

#[test]
fn folds_that_are_there_are_not_computed_again() {
    let sandbox = with_study();
    let first = "compare majority oner --data weather.csv#play --data points.csv --target side --folds 4 -o results";
    sandbox.out(first);
    let before = contents(&sandbox.path("results"));
    let told = sandbox.run(first);
    assert!(
        told.err
            .contains("note: 16 of 16 folds were in `results` already\n"),
        "{}",
        told.err
    );
    // One more learner: the others are taken as they are.
    let told = sandbox.run(&first.replace("oner", "oner knn"));
    assert!(
        told.err
            .contains("note: 16 of 24 folds were in `results` already\n"),
        "{}",
        told.err
    );
    let after = contents(&sandbox.path("results"));
    for (name, bytes) in before.iter().filter(|(name, _)| name.starts_with("folds/")) {
        assert_eq!(after.get(name), Some(bytes), "{name}");
    }
    // Another seed divides otherwise, and nothing is taken.
    let told = sandbox.run(&format!("{first} --seed 2"));
    assert!(!told.err.contains("already"), "{}", told.err);
}

#[test]
fn a_learner_that_fails_is_told_and_the_others_go_on() {
    let sandbox = with_study();
    let words =
        "compare majority mean --data weather.csv#play --data points.csv#side --folds 3 -o results";
    let text = sandbox.out(words);
    assert!(text.contains("Learners that failed"), "{text}");
    assert!(text.contains("points"), "{text}");
    assert_eq!(sandbox.out("compare -o results"), text);
}

#[test]
fn settings_are_chosen_by_inner_folds_where_that_is_asked() {
    let sandbox = with_study();
    let text = sandbox.out(
        "compare 'knn:k=1|3|5' majority --tune --inner-folds 3 --data points.csv#side --folds 4",
    );
    assert!(
        text.contains("knn (tuned)") && text.contains("Settings chosen by inner folds"),
        "{text}"
    );
}

#[test]
fn what_is_wrong_is_told_before_anything_runs() {
    let sandbox = with_study();
    for (words, told) in [
        ("compare", "there is nothing to compare"),
        ("compare knn", "there is nothing to compare"),
        ("compare knm --data weather.csv", "did you mean `knn`?"),
        ("compare knn:kk=3 --data weather.csv", "kk"),
        (
            "compare knn knn --data weather.csv#play",
            "`knn` stands twice",
        ),
        (
            "compare knn --data weather.csv#plya",
            "did you mean `play`?",
        ),
        ("compare knn --data nowhere.csv", "nowhere.csv"),
        ("compare -o nowhere", "nowhere"),
        ("compare --study nowhere.toml", "cannot read `nowhere.toml`"),
        (
            "compare knn --data weather.csv#play -o weather.csv",
            "`weather.csv` is no folder",
        ),
        (
            "compare knn --data weather.csv#play --measure acuracy",
            "did you mean `accuracy`?",
        ),
    ] {
        let ended = sandbox.run(words);
        assert_eq!(ended.code, 2, "{words}: {}", ended.err);
        assert!(ended.err.contains(told), "{words}: {}", ended.err);
    }
    fs::create_dir(sandbox.path("mine")).unwrap();
    sandbox.write("mine/thesis.tex", "x");
    let told = sandbox.err("compare knn --data weather.csv#play -o mine");
    assert!(told.contains("holds no results"), "{told}");
    sandbox.write(
        "broken.toml",
        "[[data]]\npath = 'weather.csv'\n[[learners]]\nlearnr = 'knn'\n",
    );
    let told = sandbox.err("compare --study broken.toml");
    assert!(
        told.contains("broken.toml:4: unknown field `learnr`"),
        "{told}"
    );
}

#[test]
fn tables_are_of_what_was_asked_last() {
    let sandbox = with_study();
    sandbox.out("compare --study study.toml -o results");
    sandbox.out("compare majority oner --data weather.csv#play --folds 3 -o results --measure auc");
    let tables = tables(&sandbox.path("results"));
    let names: Vec<&str> = tables.keys().map(String::as_str).collect();
    assert!(names.contains(&"tables/auc.csv"), "{names:?}");
    for gone in [
        "tables/accuracy.csv",
        "tables/auc-tests.csv",
        "tables/critical-difference-accuracy.svg",
    ] {
        assert!(!names.contains(&gone), "{gone}");
    }
}

#[test]
fn a_measure_must_be_one_of_the_targets() {
    let sandbox = with_study();
    sandbox.out("compare majority --data weather.csv#play --folds 3 -o results");
    for words in [
        "compare majority --data weather.csv#play --folds 3 --measure rmse",
        "compare -o results --measure rmse",
    ] {
        let told = sandbox.err(words);
        assert!(
            told.contains("`rmse` is a measure for numbers, not for classes"),
            "{told}"
        );
    }
    // Targets of two kinds have a table each, whichever comes first.
    sandbox.write(
        "both.toml",
        "[[data]]\npath = 'weather.csv'\ntargets = ['temperature', 'play']\n[[learners]]\nlearner = 'knn'\n",
    );
    let text = sandbox.out("compare --study both.toml");
    assert!(
        text.contains("accuracy: mean") && text.contains("RMSE: mean"),
        "{text}"
    );
    let text = sandbox.out("compare --study both.toml --measure log_loss");
    assert!(
        text.contains("log loss: mean") && text.contains("RMSE: mean"),
        "{text}"
    );
}

#[test]
fn a_learner_that_fails_everywhere_keeps_no_others_from_being_tested() {
    let sandbox = with_study();
    let words =
        "compare majority mean oner knn --data weather.csv#play --data points.csv#side --folds 3";
    let text = sandbox.out(words);
    for part in [
        "Wins/ties/losses",
        "majority and oner",
        "mean rank",
        "Friedman",
    ] {
        assert!(text.contains(part), "no `{part}` in\n{text}");
    }
    assert!(!text.contains("majority and mean"), "{text}");
    // A comparison of which nothing came did not go well.
    let alone = sandbox.run("compare mean --data weather.csv#play --folds 3");
    assert_eq!(alone.code, 2);
    assert!(
        alone.out.contains("Learners that failed") && alone.err.contains("every learner failed"),
        "{alone:?}"
    );
}

#[test]
fn what_was_chosen_is_kept_and_told_again() {
    let sandbox = with_study();
    let words =
        "compare 'knn:k=1|3' --tune --inner-folds 3 --data points.csv#side --folds 4 -o results";
    let text = sandbox.out(words);
    assert!(text.contains("k="), "{text}");
    assert_eq!(sandbox.out("compare -o results"), text);
}
