//! The tables beside `trees`: what is in trees, and which rows reach what.

use rusqlite::types::Value;

use crate::data::{Place, number, open, rows, texts};

#[test]
fn trees_join_with_their_parts_and_with_the_data() {
    let place = Place::new();
    let mut connection = open(&place.flat(120));
    let wrong = rows(
        &mut connection,
        "SELECT t.tree, t.size, count(n.node), max(n.depth), t.depth, sum(n.kind = 'leaf'), t.leaves \
         FROM trees('kind') t JOIN nodes n USING (tree) WHERE t.size <= 9 GROUP BY t.tree \
         HAVING NOT (t.size = count(n.node) AND max(n.depth) = t.depth AND sum(n.kind = 'leaf') = t.leaves)",
    );
    assert_eq!(wrong, Vec::<Vec<Value>>::new());
    // Each row reaches one leaf of each tree, and the majority of each leaf is what it says.
    let counted = rows(
        &mut connection,
        "SELECT t.error, 1 - sum(l.prediction = p.kind) / 120.0 FROM trees('kind') t \
         JOIN leaves l USING (tree) JOIN leaf_rows r ON r.tree = l.tree AND r.leaf = l.leaf \
         JOIN plants p ON p.rowid = r.row WHERE t.size <= 7 GROUP BY t.tree",
    );
    assert!(!counted.is_empty());
    for row in counted {
        let [Value::Real(error), Value::Real(counted)] = row.as_slice() else {
            panic!("{row:?}")
        };
        assert!((error - counted).abs() < 1e-9, "{error} {counted}");
    }
    let rules = texts(
        &mut connection,
        "SELECT r.text FROM trees('kind') t JOIN rules r USING (tree) WHERE t.size = 3 ORDER BY t.error, r.rule LIMIT 2",
    );
    assert!(
        rules.iter().all(|rule| rule.starts_with("if ")),
        "{rules:?}"
    );
    let tests = number(&mut connection, "SELECT count(*) FROM tests('kind')");
    let inner = number(
        &mut connection,
        "SELECT count(*) FROM nodes('kind') WHERE kind = 'test'",
    );
    assert_eq!(tests, inner);
}

#[test]
fn a_row_that_either_condition_finds_is_found_once() {
    let place = Place::new();
    let mut connection = open(&place.flat(60));
    rows(
        &mut connection,
        "SELECT tree FROM trees('kind') WHERE size <= 7 AND width = 20",
    );
    for (from, one, other) in [
        ("nodes", "tree = 1 AND depth <= 1", "tree = 2 AND depth = 0"),
        ("nodes", "tree = 2 AND depth <= 1", "tree = 2 AND node > 1"),
        ("leaves", "tree = '3'", "tree = 4 AND leaf > 2"),
        ("leaves", "tree IN (2, 4)", "tree = 3 AND leaf > 2"),
        (
            "leaf_rows",
            "tree = 3 AND row < 9",
            "tree = 5 AND row IN (3, 30)",
        ),
        (
            "neighbours",
            "\"table\" = 'plants' AND of = 3 AND k = 4",
            "\"table\" = 'plants' AND of = 7 AND rank < 3",
        ),
        (
            "distances('plants', 'absolute', 'height')",
            "a = 3 AND distance <= 3",
            "a IN (3, 4) AND distance < 6",
        ),
        (
            "distances WHERE \"table\" = 'plants' AND \"by\" = (SELECT 'absolute') \
             AND \"column\" = 'height' AND",
            "a = 3 AND distance <= 3",
            "a = 4 AND distance < 6",
        ),
    ] {
        let mut asked = |condition: &str| -> Vec<String> {
            let filter = if from.contains(" WHERE ") {
                ""
            } else {
                "WHERE"
            };
            let sql = format!("SELECT * FROM {from} {filter} ({condition})");
            let found = rows(&mut connection, &sql).into_iter();
            let mut found: Vec<String> = found.map(|row| format!("{row:?}")).collect();
            found.sort();
            found
        };
        let either = asked(&format!("({one}) OR ({other})"));
        let mut each = asked(one);
        each.extend(asked(other));
        each.sort();
        each.dedup();
        assert!(!each.is_empty());
        assert_eq!(either, each, "{from}: {one} OR {other}");
    }
    // The first value is what the table is given.
    let both = "SELECT * FROM trees('kind') WHERE learner = 'tree' AND learner = 'mirt'";
    assert_eq!(rows(&mut connection, both), Vec::<Vec<Value>>::new());
}

#[test]
fn leaves_of_relational_trees_join_by_key() {
    let place = Place::new();
    let mut connection = open(&place.sample("molecules", 60, "molecules.sqlite"));
    let found = rows(
        &mut connection,
        "SELECT l.leaf, l.weight, count(*) FROM trees('molecule.active') t \
         JOIN leaves l USING (tree) JOIN leaf_rows r ON r.tree = l.tree AND r.leaf = l.leaf \
         JOIN molecule m ON m.molecule_id = r.key WHERE t.tree = \
         (SELECT tree FROM trees('molecule.active') WHERE size <= 5 ORDER BY error LIMIT 1) \
         AND t.size <= 5 GROUP BY l.leaf",
    );
    assert!(!found.is_empty());
    for row in found {
        let [_, Value::Real(weight), Value::Integer(count)] = row.as_slice() else {
            panic!("{row:?}")
        };
        assert_eq!(*weight, *count as f64);
    }
}

#[test]
fn learners_and_evaluations_are_tables() {
    let place = Place::new();
    let mut connection = open(&place.flat(60));
    let learners = texts(
        &mut connection,
        "SELECT learner FROM learners WHERE learner IN ('tree', 'knn') ORDER BY 1",
    );
    assert_eq!(learners, ["knn", "tree"]);
    let folds = rows(
        &mut connection,
        "SELECT fold, value FROM folds('kind', 'tree', 'size=5', 4) WHERE measure = 'accuracy'",
    );
    assert_eq!(folds.len(), 4);
    let mean = number(
        &mut connection,
        "SELECT avg(value) FROM folds('kind', 'tree', 'size=5', 4) WHERE measure = 'accuracy'",
    );
    let told = number(
        &mut connection,
        "SELECT mean FROM evaluations('kind', 'tree', 'size=5', 4) WHERE measure = 'accuracy'",
    );
    assert!((mean - told).abs() < 1e-12);
}

#[test]
fn many_questions_at_once_are_answered_in_turn() {
    let place = Place::new();
    let mut connection = open(&place.flat(30));
    let mut answers = Vec::new();
    connection
        .run(
            "SELECT 1 AS a; ; SELECT 2 AS a; -- done",
            &[],
            &mut |answer| {
                answers.push(answer.to_json());
                Ok(())
            },
        )
        .unwrap();
    let rows: Vec<_> = answers
        .iter()
        .map(|answer| answer["rows"][0]["a"].clone())
        .collect();
    assert_eq!(rows, [1, 2]);
    let bound = connection
        .query_with("SELECT ? + ?", &[Value::Integer(1), Value::Real(0.5)])
        .unwrap();
    assert_eq!(bound.rows, [[Value::Real(1.5)]]);
    assert!(connection.query_with("SELECT ?", &[]).is_err());
    assert!(connection.query_with("SELECT 1", &[Value::Null]).is_err());
}
