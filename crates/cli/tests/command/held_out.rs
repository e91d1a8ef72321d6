//! `kinwood evaluate` on rows that are divided once for all, and `kinwood task`, which makes such
//! rows.

use serde_json::Value;

use crate::json::broken;
use crate::sandbox::{Sandbox, WEATHER};

/// The days, with what each is for.
pub fn parted() -> String {
    let part = |row: usize| match row {
        0 => "part",
        1..=8 => "train",
        9..=11 => "val",
        _ => "test",
    };
    let lines = WEATHER.lines().enumerate();
    lines
        .map(|(row, line)| format!("{line},{}\n", part(row)))
        .collect()
}

/// Customers and their purchases, with a schema so that nothing is guessed.
pub fn write_shop(sandbox: &Sandbox) {
    std::fs::create_dir_all(sandbox.path("shop")).unwrap();
    sandbox.write(
        "shop/customer.csv",
        "id,town\n1,Leuven\n2,Ghent\n3,Leuven\n",
    );
    let purchases = [
        (1, "2024-01-10", 20),
        (2, "2024-01-15", 5),
        (1, "2024-02-20", 30),
        (3, "2024-03-01", 12),
        (2, "2024-03-20", 8),
        (1, "2024-04-02", 25),
        (3, "2024-05-10", 9),
        (1, "2024-06-01", 14),
        (2, "2024-06-20", 50),
        (3, "2024-07-05", 3),
        (1, "2024-08-01", 7),
    ];
    let mut text = "id,customer,day,amount\n".to_owned();
    for (id, (customer, day, amount)) in purchases.into_iter().enumerate() {
        text += &format!("{},{customer},{day},{amount}\n", id + 1);
    }
    sandbox.write("shop/purchase.csv", text);
    let schema = "[tables.customer]\nkey = [\"id\"]\n\n[tables.purchase]\nkey = [\"id\"]\n\n[[tables.purchase.foreign_keys]]\ncolumns = [\"customer\"]\nreferences = \"customer\"\n";
    sandbox.write("shop/schema.toml", schema);
}

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::with_weather();
    sandbox.write("parted.csv", parted());
    sandbox
}

fn checked(sandbox: &Sandbox, verb: &str, words: &str) -> Value {
    let out = sandbox.out(&format!("{verb} {words} --json --quiet"));
    let report: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(
        broken(verb, &report),
        None,
        "kinwood {verb} {words}: {report:#}"
    );
    report
}

#[test]
fn a_column_says_what_rows_are_for() {
    let sandbox = sandbox();
    let words = "knn parted.csv --target play --split-column part --set k=3";
    let report = checked(&sandbox, "evaluate", words);
    assert_eq!(report["split"]["train"], 8);
    assert_eq!(
        (&report["validation"]["n"], &report["test"]["n"]),
        (&3.into(), &3.into())
    );
    assert!(report["test"]["accuracy"].is_number());
    // A model of the training rows alone says the same of the others.
    sandbox.out("fit knn parted.csv --target play --rows 'part = train' --ignore part --set k=3 -o near.kin");
    let model = checked(
        &sandbox,
        "evaluate",
        "near.kin parted.csv --split-column part",
    );
    for part in ["validation", "test"] {
        assert_eq!(model[part], report[part]);
    }
    let tested = checked(
        &sandbox,
        "evaluate",
        "near.kin parted.csv --rows 'part = test'",
    );
    assert_eq!(tested["test"], report["test"]);
    assert_eq!(tested.get("validation"), None);
    // Fitted again, validation rows teach too, and are scored before they did.
    let again = checked(&sandbox, "evaluate", &format!("{words} --refit"));
    assert_eq!(again["validation"], report["validation"]);
    assert_ne!(again["test"], report["test"]);
    let text = sandbox.out("evaluate knn parted.csv --target play --split-column part");
    assert!(
        text.contains("fitted on 8 rows, 3 for validation, 3 for test"),
        "{text}"
    );
}

#[test]
fn several_seeds_have_a_mean_and_a_spread() {
    let sandbox = sandbox();
    let words = "forest parted.csv --target play --split-column part --set trees=3 --repeats 3";
    let report = checked(&sandbox, "evaluate", words);
    let runs = report["runs"].as_array().unwrap();
    let scores: Vec<f64> = runs
        .iter()
        .map(|run| run["test"]["brier"].as_f64().unwrap())
        .collect();
    assert_eq!(scores.len(), 3);
    let mean = report["test"]["brier"].as_f64().unwrap();
    assert!((mean - scores.iter().sum::<f64>() / 3.0).abs() < 1e-12);
    assert!(report["sd"]["test"]["brier"].is_number());
}

#[test]
fn a_file_has_the_test_rows() {
    let sandbox = sandbox();
    let lines: Vec<&str> = WEATHER.lines().collect();
    sandbox.write("early.csv", [&lines[..9], &[""]].concat().join("\n"));
    sandbox.write(
        "late.csv",
        [&lines[..1], &lines[12..], &[""]].concat().join("\n"),
    );
    let report = checked(
        &sandbox,
        "evaluate",
        "knn early.csv --target play --set k=3 --test late.csv",
    );
    let parted = checked(
        &sandbox,
        "evaluate",
        "knn parted.csv --target play --split-column part --set k=3",
    );
    assert_eq!(report["test"], parted["test"]);
    // Rows of one table are linked with the others of the data.
    write_shop(&sandbox);
    sandbox.write("more.csv", "id,town\n7,Leuven\n1,Ghent\n");
    let words = "tree shop --target customer.town --set flatten=p2 --test more.csv";
    assert_eq!(checked(&sandbox, "evaluate", words)["test"]["n"], 2);
}

#[test]
fn what_does_not_divide_is_told() {
    let sandbox = sandbox();
    let message = sandbox.err("evaluate knn parted.csv --target play --split-column windy");
    assert!(
        message.contains("row 1 has `false` in the column `windy`, expected `train`"),
        "{message}"
    );
    sandbox.write("typed.csv", parted().replace(",val\n", ",tets\n"));
    let message = sandbox.err("evaluate knn typed.csv --target play --split-column part");
    assert!(message.contains("did you mean `test`?"), "{message}");
    sandbox.write("tested.csv", parted().replace(",train\n", ",test\n"));
    let message = sandbox.err("evaluate knn tested.csv --target play --split-column part");
    assert!(
        message.contains("column `part` has no training rows"),
        "{message}"
    );
    sandbox.out("fit knn weather.csv --target play -o m.kin");
    let message = sandbox.err("evaluate m.kin weather.csv --folds 3");
    assert!(message.contains("measured as it is"), "{message}");
    let message = sandbox.err("evaluate none.kin weather.csv");
    assert!(message.contains("none.kin"), "{message}");
    let message =
        sandbox.err("evaluate knn parted.csv --target play --split-column part --folds 3");
    assert!(message.contains("cannot be used with"), "{message}");
}

#[test]
fn a_task_is_made_learned_from_and_printed_as_sql() {
    let sandbox = Sandbox::new();
    write_shop(&sandbox);
    let words = "shop --entity customer --every 28 --horizon 28 --target 'none(purchase)' --active '8 weeks' --validation 2024-05-01 --test 2024-07-01";
    let report = checked(&sandbox, "task", &format!("{words} -o shop/task.csv"));
    let rows = report["rows"].as_u64().unwrap();
    let text = String::from_utf8(sandbox.read("shop/task.csv")).unwrap();
    assert!(
        text.starts_with("split,date,id,none_purchase\ntrain,2024-01-10,1,1\n"),
        "{text}"
    );
    assert_eq!(text.lines().count() as u64, rows + 1);
    let sql = sandbox.out(&format!("task {words} --sql --quiet"));
    assert!(sql.starts_with("WITH \"cutoffs\""), "{sql}");
    assert_eq!(report["sql"], sql.as_str());
    // The same from a file, of which one part is overruled.
    let task = "[task]\nentity = \"customer\"\nevery = 28\nhorizon = 28\ntarget = \"any(purchase)\"\nactive = \"8 weeks\"\nvalidation = 2024-05-01\ntest = 2024-07-01\n";
    sandbox.write("task.toml", task);
    let other = sandbox.out("task shop --task task.toml --target none(purchase) --sql --quiet");
    assert_eq!(other, sql);
    let message = sandbox.err("task shop --entity customer --every 28 --horizon 28");
    assert!(message.contains("a task needs `--target`"), "{message}");
    let message = sandbox.err(
        "task shop --entity customer --every fortnight --horizon 28 --target 'none(purchase)'",
    );
    assert!(message.contains("no length of time"), "{message}");
}
