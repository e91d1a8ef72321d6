//! The constraints of the beam-search paper as queries: the trees are those of the same fit.

use std::path::Path;

use kinwood_learners::{Context, Registry};
use kinwood_workbench::{Choices, Opening, Origin, Trained};
use rusqlite::types::Value;

use crate::data::{Place, error, open, rows, texts};

/// The texts of the trees that fitting finds, one by one; none where no tree is found.
pub fn fitted(path: &Path, target: &str, learner: &str, settings: &[(&str, &str)]) -> Vec<String> {
    let data = kinwood_workbench::open(path, &Opening::default()).unwrap();
    let choices = Choices {
        targets: vec![target.to_owned()],
        ..Choices::default()
    };
    let (problem, _) = data.problem(&choices).unwrap();
    let settings: Vec<(String, String)> = settings
        .iter()
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
        .collect();
    let fitted = Trained::fit(
        &Registry::new(),
        learner,
        &settings,
        &problem,
        &Origin::default(),
        &Context::new(),
    );
    let (trained, _) = match fitted {
        Ok(fitted) => fitted,
        Err(error) if error.to_string().starts_with("infeasible") => return Vec::new(),
        Err(error) => panic!("{error}"),
    };
    let members = trained.members().unwrap().unwrap_or(1);
    let mut texts: Vec<String> = (1..=members)
        .map(|number| {
            // How it was found stands first.
            let shown = trained.member(number).unwrap().show().0;
            shown.split_once('\n').unwrap().1.to_owned()
        })
        .collect();
    texts.sort();
    texts
}

/// Each constraint as conditions and as the setting `constraints`, on some data.
fn agree(path: &Path, target: &str, learner: &str, each: &[(&str, &str)]) {
    let mut connection = open(path);
    for (conditions, constraints) in each {
        let sql = format!(
            "SELECT text FROM trees('{target}', '{learner}') WHERE {conditions} ORDER BY error LIMIT 5"
        );
        let mut found = texts(&mut connection, &sql);
        found.sort();
        let settings = [
            ("search", "beam"),
            ("width", "5"),
            ("constraints", constraints),
        ];
        let expected = fitted(path, target, learner, &settings);
        assert_eq!(found, expected, "{conditions}");
        assert!(!found.is_empty(), "{conditions}");
    }
}

#[test]
fn constraints_are_queries_on_a_flat_table() {
    let place = Place::new();
    agree(
        &place.flat(120),
        "kind",
        "tree",
        &[
            ("size <= 7", "size <= 7"),
            ("size < 8 AND depth <= 2", "size <= 7 and depth <= 2"),
            ("size <= 11 AND error <= 0.3", "size <= 11 and error <= 0.3"),
            (
                "size <= 9 AND accuracy >= 0.7",
                "size <= 9 and accuracy >= 0.7",
            ),
            ("size <= 7 AND uses = 'width'", "size <= 7 and uses(width)"),
            (
                "size <= 7 AND NOT uses = 'color'",
                "size <= 7 and not uses(color)",
            ),
            (
                "size <= 9 AND uses = 'place' AND uses <> 'height'",
                "size <= 9 and uses(place) and not uses(height)",
            ),
            (
                "size <= 7 AND uses IN ('place', 'color')",
                "size <= 7 and (uses(place) or uses(color))",
            ),
        ],
    );
}

#[test]
fn constraints_are_queries_on_structured_data() {
    let place = Place::new();
    let path = place.sample("phrases", 60, "phrases.json");
    let data = kinwood_workbench::open(&path, &Opening::default()).unwrap();
    let (problem, _) = data.problem(&Choices::default()).unwrap();
    let target = problem.target_names()[0].clone();
    let inputs = problem.view.inputs();
    let column = problem.view.table().attribute(inputs[0]).name.clone();
    agree(
        &path,
        &target,
        "tree",
        &[
            ("size <= 7", "size <= 7"),
            (
                &format!("size <= 5 AND uses = '{column}'"),
                &format!("size <= 5 and uses(\"{column}\")"),
            ),
            ("depth <= 2 AND error <= 0.5", "depth <= 2 and error <= 0.5"),
        ],
    );
}

#[test]
fn constraints_are_queries_over_keys() {
    let place = Place::new();
    let path = place.sample("molecules", 60, "molecules.sqlite");
    for learner in ["tree", "mirt"] {
        let leaves = match learner {
            "mirt" => " AND settings = 'leaf_model=constant'",
            _ => "",
        };
        let mut connection = open(&path);
        for (conditions, constraints) in [
            ("size <= 7", "size <= 7"),
            ("size <= 9 AND uses = 'bond'", "size <= 9 and uses(bond)"),
            (
                "size <= 7 AND NOT uses = 'bond'",
                "size <= 7 and not uses(bond)",
            ),
            (
                "size <= 11 AND error <= 0.25",
                "size <= 11 and error <= 0.25",
            ),
        ] {
            let sql = format!(
                "SELECT text FROM trees('molecule.active', '{learner}') WHERE {conditions}{leaves} LIMIT 5"
            );
            let mut found = texts(&mut connection, &sql);
            found.sort();
            let mut settings = vec![
                ("search", "beam"),
                ("width", "5"),
                ("constraints", constraints),
            ];
            if learner == "mirt" {
                settings.push(("leaf_model", "constant"));
            }
            assert_eq!(
                found,
                fitted(&path, "molecule.active", learner, &settings),
                "{conditions}"
            );
        }
    }
}

#[test]
fn unlike_trees_are_those_of_a_beam_with_similarity() {
    let place = Place::new();
    let path = place.flat(120);
    let mut connection = open(&path);
    let sql = "SELECT text, similarity FROM trees('kind') \
               WHERE size <= 7 AND similar_to(model) < 2 ORDER BY error LIMIT 5";
    let found = rows(&mut connection, sql);
    let mut shown: Vec<String> = found
        .iter()
        .map(|row| match &row[0] {
            Value::Text(text) => text.clone(),
            other => panic!("{other:?}"),
        })
        .collect();
    shown.sort();
    let settings = [
        ("search", "beam"),
        ("width", "5"),
        ("beta", "1"),
        ("constraints", "size <= 7"),
    ];
    assert_eq!(shown, fitted(&path, "kind", "tree", &settings));
    let fewer = "SELECT count(*) FROM trees('kind') WHERE size <= 7 AND similar_to(model) < 0.5 AND width = 5";
    let expected = found
        .iter()
        .filter(|row| matches!(row[1], Value::Real(similarity) if similarity < 0.5))
        .count();
    assert_eq!(texts(&mut connection, fewer), [expected.to_string()]);
}

#[test]
fn trees_complete_a_partial_one() {
    let place = Place::new();
    let path = place.flat(120);
    let mut connection = open(&path);
    let partial = "height > ?\n+--yes: ?\n+--no: leaf\n";
    let sql = format!(
        "SELECT text FROM trees('kind') WHERE size <= 7 AND completes = '{partial}' LIMIT 5"
    );
    let mut found = texts(&mut connection, &sql);
    found.sort();
    let file = place.path("partial.txt");
    std::fs::write(&file, partial).unwrap();
    let constraints = format!("size <= 7 and like(\"{}\")", file.display());
    let settings = [
        ("search", "beam"),
        ("width", "5"),
        ("constraints", constraints.as_str()),
    ];
    assert_eq!(found, fitted(&path, "kind", "tree", &settings));
    let wrong = error(
        &mut connection,
        "SELECT * FROM trees('kind') WHERE constraints = 'like(x)'",
    );
    assert!(wrong.to_string().contains("completes"), "{wrong}");
}

#[test]
fn the_plan_says_what_steers() {
    let place = Place::new();
    let mut connection = open(&place.flat(60));
    let plan = |connection: &mut _, sql: &str| {
        let rows = rows(connection, &format!("EXPLAIN QUERY PLAN {sql}"));
        rows.iter()
            .filter_map(|row| match &row[3] {
                Value::Text(text) => Some(text.clone()),
                _ => None,
            })
            .collect::<Vec<_>>()
            .join("\n")
    };
    let told = plan(
        &mut connection,
        "SELECT * FROM trees('kind') WHERE size <= 7 AND NOT uses = 'color' ORDER BY error LIMIT 3",
    );
    assert!(
        told.contains("steered by size<=?, target=?, uses<>?, limit=?"),
        "{told}"
    );
    let told = plan(
        &mut connection,
        "SELECT * FROM trees('kind') WHERE size <= 7 AND leaves = 3 ORDER BY error LIMIT 3",
    );
    assert!(told.contains("filtered afterwards by leaves=?"), "{told}");
    assert!(!told.contains("limit"), "{told}");
}

#[test]
fn what_cannot_be_met_is_no_row_and_what_is_unknown_an_error() {
    let place = Place::new();
    let mut connection = open(&place.flat(60));
    for sql in [
        "SELECT * FROM trees('kind') WHERE size <= 3 AND error < 0",
        "SELECT * FROM trees('kind') WHERE size < 1",
        "SELECT * FROM trees('kind') WHERE size <= NULL",
        "SELECT * FROM trees('kind') WHERE size = 1 AND uses = 'color'",
        "SELECT * FROM trees('kind') WHERE size = 2",
    ] {
        assert!(rows(&mut connection, sql).is_empty(), "{sql}");
    }
    for (sql, part) in [
        (
            "SELECT * FROM trees('kind') WHERE uses = 'colour'",
            "did you mean `color`?",
        ),
        ("SELECT * FROM trees('knd')", "unknown column `knd`"),
        (
            "SELECT * FROM trees('kind', 'forst')",
            "did you mean `forest`?",
        ),
        ("SELECT * FROM trees('kind', 'knn')", "a learner of trees"),
        ("SELECT * FROM trees('kind') WHERE width = 0", "from 1 to"),
        (
            "SELECT * FROM trees('kind') WHERE settings = 'leafs=3'",
            "did you mean `leaf`?",
        ),
        (
            "SELECT * FROM trees('kind') WHERE settings = 'width=3'",
            "conditions stand for",
        ),
        (
            "SELECT * FROM trees('kind') WHERE complete = 1",
            "endlessly many trees",
        ),
        (
            "SELECT * FROM trees('kind') WHERE complete = 1 AND size <= 99",
            "there are about",
        ),
    ] {
        let wrong = error(&mut connection, sql).to_string();
        assert!(wrong.contains(part), "{sql}: {wrong}");
    }
}
