//! `kinwood report`: what the page has, that it is the same every time, and what it refuses.

use std::fs;

use crate::sandbox::Sandbox;

/// Weather and a tree of it.
fn with_tree() -> Sandbox {
    let sandbox = Sandbox::with_weather();
    sandbox.out("fit tree weather.csv --target play -o tree.kin --quiet");
    sandbox
}

fn page(sandbox: &Sandbox, name: &str) -> String {
    fs::read_to_string(sandbox.path(name)).unwrap()
}

#[test]
fn a_model_alone_and_with_data() {
    let sandbox = with_tree();
    let told = sandbox.out("report tree.kin -o alone.html");
    assert_eq!(told, "wrote alone.html\n");
    let alone = page(&sandbox, "alone.html");
    assert!(alone.contains("kinwood fit tree weather.csv --target play --seed 1"));
    assert!(alone.contains("id=\"viewer\"") && !alone.contains("id=\"the-performance\""));
    sandbox.out("report tree.kin -o whole.html --data weather.csv --folds 3 --row 2 --row 5");
    let whole = page(&sandbox, "whole.html");
    for part in [
        "kinwood report tree.kin -o whole.html --data weather.csv --row 2 --row 5 --folds 3 --seed 1",
        "weather.csv, the data that the model was fitted on.",
        "These are other models than the one shown",
        "Confusion matrix",
        "aria-label=\"ROC curve\"",
        "aria-label=\"Calibration\"",
        "aria-label=\"Map of rows\"",
        "id=\"explained-2\"",
    ] {
        assert!(whole.contains(part), "{part}");
    }
    assert!(!whole.contains("id=\"explained-3\"") && !whole.contains("http:"));
    sandbox.out(
        "report tree.kin -o less.html --data weather.csv --no-evaluation --rows 'windy = true'",
    );
    let less = page(&sandbox, "less.html");
    assert!(!less.contains("id=\"the-performance\""));
    assert!(less.contains("6 of the 14 rows of weather"));
}

#[test]
fn threads_change_nothing() {
    let sandbox = with_tree();
    let made = |name: &str, more: &str| {
        sandbox.out(&format!(
            "report tree.kin -o page.html --data weather.csv --folds 3 --force {more}"
        ));
        fs::rename(sandbox.path("page.html"), sandbox.path(name)).unwrap();
        page(&sandbox, name)
    };
    assert_eq!(
        made("one.html", "--threads 1"),
        made("three.html", "--threads 3")
    );
}

#[test]
fn rows_without_the_target_are_predicted_and_explained() {
    let sandbox = with_tree();
    sandbox.write(
        "days.csv",
        "outlook,temperature,windy\nsunny,71,true\novercast,66,false\nrainy,70,false\n",
    );
    sandbox.out("report tree.kin -o days.html --data days.csv --no-evaluation --quiet");
    let days = page(&sandbox, "days.html");
    assert!(days.contains("id=\"explained-3\"") && !days.contains(">wrong<"));
    let told = sandbox.err("report tree.kin -o other.html --data days.csv --quiet");
    assert!(told.starts_with("error: "), "{told}");
    assert!(!sandbox.path("other.html").exists());
}

#[test]
fn names_of_users_do_not_become_markup() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "odd.csv",
        "id,<b>x</b>,class\na</script>,1,<i>yes\nb\"',2,no\nc,3,<i>yes\nd,4,no\ne,1,<i>yes\nf,6,no\n",
    );
    sandbox.out("fit knn odd.csv --target class --role id=id -o odd.kin --quiet");
    sandbox.out("report odd.kin -o odd.html --data odd.csv --folds 2 --quiet");
    let odd = page(&sandbox, "odd.html");
    assert!(!odd.contains("<b>x") && !odd.contains("<i>yes") && !odd.contains("a</script>"));
    assert!(odd.contains("&lt;i&gt;yes"));
}

#[test]
fn what_is_there_or_read_is_not_replaced() {
    let sandbox = with_tree();
    sandbox.write("there.html", "mine");
    let told = sandbox.err("report tree.kin -o there.html");
    assert_eq!(
        told,
        "error: `there.html` is already there\n help: `--force` replaces it\n"
    );
    assert_eq!(page(&sandbox, "there.html"), "mine");
    sandbox.out("report tree.kin -o there.html --force");
    let told = sandbox.err("report tree.kin -o tree.kin --force");
    assert!(told.contains("it is a file that is read"), "{told}");
    let told = sandbox.err("report tree.kin -o weather.csv --data weather.csv --force");
    assert!(told.contains("it is a file that is read"), "{told}");
    let told = sandbox.err("report tree.kin -o no/such/page.html");
    assert!(told.contains("there is no such folder"), "{told}");
}

#[test]
fn wrong_words_are_told() {
    let sandbox = with_tree();
    let wrong = |words: &str, expected: &str| {
        let told = sandbox.err(&format!("report {words} --quiet"));
        assert!(told.contains(expected), "{words}: {told}");
        assert!(!sandbox.path("page.html").exists(), "{words}");
    };
    wrong("tree.kin -o page.html --data weather.csv --row 99", "99");
    wrong("tree.kin -o page.html --row 1", "--data");
    wrong("tree.kin -o page.html --folds 3", "say `--data DATA`");
    wrong(
        "tree.kin -o page.html --data weather.csv --rows 'windy = maybe'",
        "maybe",
    );
    wrong(
        "tree.kin -o page.html --data weather.csv --no-evaluation --folds 3",
        "--folds",
    );
    wrong("tree.kin -o page.html --data none.csv", "none.csv");
    wrong("weather.csv -o page.html", "weather.csv");
    wrong("none.kin -o page.html", "none.kin");
    wrong("tree.kin", "--output");
}
