//! `kinwood query`: the questions of `docs/queries.md`, output, and what is refused.

use serde_json::{Value, json};

use crate::json::broken;
use crate::sandbox::Sandbox;

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/queries.md");

/// The page with each query followed by what it answers now.
fn performed(page: &str) -> String {
    let sandbox = Sandbox::new();
    for (name, file) in [
        ("molecules", "molecules.sqlite"),
        ("table", "apples.csv"),
        ("phrases", "phrases.json"),
    ] {
        sandbox.out(&format!("sample {name} -o {file}"));
    }
    let mut text = String::new();
    let mut rest = page;
    while let Some((before, after)) = rest.split_once("```sql\n-- ") {
        let (query, after) = after.split_once("```\n").unwrap();
        let (file, sql) = query.split_once('\n').unwrap();
        let (_, after) = after
            .strip_prefix("```text\n")
            .unwrap()
            .split_once("```\n")
            .unwrap();
        let ended = sandbox.run_with_input(&format!("query {file} --quiet"), sql);
        assert_eq!((ended.code, ended.err.as_str()), (0, ""), "{sql}");
        assert!(!ended.out.is_empty(), "{sql}");
        let lines: Vec<&str> = ended.out.lines().map(str::trim_end).collect();
        let out = lines.join("\n");
        text += &format!("{before}```sql\n-- {query}```\n```text\n{out}\n```\n");
        rest = after;
    }
    text + rest
}

#[test]
fn the_questions_of_the_manual_are_answered() {
    let page = std::fs::read_to_string(PAGE).unwrap();
    let now = performed(&page);
    if std::env::var_os("KINWOOD_UPDATE_GOLDEN").is_some() {
        std::fs::write(PAGE, now).unwrap();
        return;
    }
    // Figures change with the learners; what a query answers, and that it does, must not.
    assert_eq!(
        headings(&page),
        headings(&now),
        "`cargo xtask golden` rewrites docs/queries.md"
    );
}

/// The columns of each answer, of which each must have a row.
fn headings(page: &str) -> Vec<Vec<&str>> {
    let answers = page.split("```text\n").skip(1);
    answers
        .map(|answer| {
            let (answer, _) = answer.split_once("```").unwrap();
            let mut lines = answer.lines();
            let heading = lines.next().unwrap().split_whitespace().collect();
            assert!(lines.next().is_some(), "{answer}");
            heading
        })
        .collect()
}

#[test]
fn answers_are_text_json_or_a_file() {
    let sandbox = Sandbox::with_weather();
    let sql =
        "SELECT outlook, count(*) AS days FROM weather GROUP BY outlook ORDER BY days, outlook";
    let text = sandbox.run_with_input("query weather.csv", sql);
    assert_eq!((text.code, text.err.as_str()), (0, ""));
    assert_eq!(
        text.out,
        "outlook   days\novercast     4\nrainy        5\nsunny        5\n"
    );
    let told = sandbox.run_with_input("query weather.csv --json", sql);
    let told: Value = serde_json::from_str(&told.out).unwrap();
    assert_eq!(
        told,
        json!({"columns": ["outlook", "days"], "rows": [
            {"outlook": "overcast", "days": 4},
            {"outlook": "rainy", "days": 5},
            {"outlook": "sunny", "days": 5},
        ]})
    );
    assert_eq!(broken("query", &told), None);
    let written = sandbox.run_with_input("query weather.csv -o days.csv", sql);
    assert_eq!((written.code, written.out.as_str()), (0, ""));
    assert_eq!(
        sandbox.read("days.csv"),
        b"outlook,days\novercast,4\nrainy,5\nsunny,5\n"
    );
    // Nothing is left behind by plain SQL.
    assert_eq!(sandbox.files(), ["days.csv", "weather.csv"]);
    let args = sandbox.run("query weather.csv 'SELECT 1 AS one' --json");
    assert_eq!(
        serde_json::from_str::<Value>(&args.out).unwrap()["rows"][0]["one"],
        1
    );
}

#[test]
fn mistakes_are_told_with_their_place() {
    let sandbox = Sandbox::with_weather();
    for (sql, part) in [
        (
            "SELECT outlok FROM weather",
            "line 1, column 8 of the query: no such column: outlok; did you mean `outlook`?",
        ),
        (
            "SELECT * FROM wether",
            "no such table: wether; did you mean `weather`?",
        ),
        ("DELETE FROM weather", "`--write` lets it change"),
        ("ATTACH 'other.db' AS other", "may not attach other files"),
        (
            "SELECT * FROM trees('play') WHERE uses = 'wind'",
            "did you mean `windy`?",
        ),
        (
            "SELECT * FROM trees('play') WHERE size <= 99 AND complete = 1",
            "there are about",
        ),
    ] {
        let ended = sandbox.run_with_input("query weather.csv", sql);
        assert_eq!((ended.code, ended.out.as_str()), (2, ""), "{sql}");
        assert!(
            ended
                .err
                .replace("\n  ", " ")
                .replace('\n', " ")
                .contains(part),
            "{sql}: {}",
            ended.err
        );
    }
    assert_eq!(sandbox.files(), ["weather.csv"]);
    let stopped = sandbox.run_with_input(
        "query weather.csv --time 0.2s",
        "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT count(*) FROM c",
    );
    assert_eq!(stopped.code, 2, "{}", stopped.err);
}
