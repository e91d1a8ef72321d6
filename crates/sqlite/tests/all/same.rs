//! Whatever a query answers in `kinwood::queries`, it answers in another SQLite.

use kinwood::queries;
use rusqlite::Connection;
use rusqlite::types::Value;

use crate::loaded::{Place, asked, load, open, rows, texts};

const SAME: &[&str] = &[
    "SELECT size, depth, training_error, text FROM trees('molecule.active') WHERE size <= 7 ORDER BY error, text LIMIT 5",
    "SELECT size, columns_used FROM trees('molecule.active') WHERE size <= 7 AND uses IN ('bond', 'logp') AND uses <> 'atom.charge' ORDER BY error, text LIMIT 4",
    "SELECT t.size, count(n.node) FROM trees('molecule.active') t JOIN nodes n USING (tree) WHERE t.size <= 7 GROUP BY t.tree ORDER BY 1, 2",
    "SELECT l.rule, count(*) FROM trees('molecule.active') t JOIN leaves l USING (tree) JOIN leaf_rows r ON r.tree = l.tree AND r.leaf = l.leaf \
     JOIN molecule m ON m.molecule_id = r.key WHERE t.size <= 5 AND t.error <= 0.4 GROUP BY t.tree, l.leaf ORDER BY 1, 2",
    "SELECT count(*), min(error) FROM trees('molecule.active') WHERE complete = 1 AND size <= 3",
    "SELECT round(similarity, 9) FROM trees('molecule.active') WHERE size <= 5 AND similarity < 0.99 ORDER BY 1",
    "SELECT key, rank, distance FROM neighbours('molecule', 3, 4) ORDER BY rank",
    "SELECT n.key, n.rank FROM molecule m, neighbours('molecule', m.molecule_id, 2) n WHERE m.molecule_id <= 4 ORDER BY m.molecule_id, n.rank",
    "SELECT count(*) FROM distances('molecule', 'absolute', 'logp') WHERE distance < 0.2",
    "SELECT key, cluster FROM clusters('molecule', 3) ORDER BY key",
    "SELECT cluster, key, size FROM prototypes('molecule', 3) ORDER BY cluster",
    "SELECT learner, follows_keys FROM learners ORDER BY learner",
    "SELECT measure, mean FROM evaluations('molecule.active', 'majority', '', 3) ORDER BY measure",
    "SELECT fold, value FROM folds('molecule.active', 'tree', 'size=3', 3) WHERE measure = 'accuracy' ORDER BY fold",
    "SELECT distance('edit', 'kitten', 'sitting')",
];

#[test]
fn answers_are_those_of_a_connection() {
    let place = Place::new();
    let path = place.molecules(60);
    let other = open(&path);
    let mut own =
        queries::Connection::open(&path, queries::Options::default(), Default::default()).unwrap();
    for sql in SAME {
        let expected = own
            .query(sql)
            .unwrap_or_else(|error| panic!("{sql}: {error}"));
        assert!(!expected.rows.is_empty(), "{sql}");
        assert_eq!(rows(&other, sql), expected.rows, "{sql}");
    }
}

#[test]
fn models_are_tables_of_the_database() {
    let place = Place::new();
    let path = place.molecules(50);
    let create =
        "CREATE VIRTUAL TABLE risk USING kinwood(learner='mirt', target='molecule.active', size=7)";
    let predicted = "SELECT key, prediction, probability FROM risk ORDER BY key";
    let connection = open(&path);
    connection.execute_batch(create).unwrap();
    let first = rows(&connection, predicted);
    assert_eq!(first.len(), 50);
    let wrong = rows(
        &connection,
        "SELECT key FROM risk WHERE predict('risk', key) <> prediction \
         OR abs(probability('risk', key, prediction) - probability) > 1e-9",
    );
    assert_eq!(wrong, Vec::<Vec<Value>>::new());
    assert_eq!(texts(&connection, "SELECT name FROM models"), ["risk"]);
    assert!(texts(&connection, "SELECT text FROM explanations('risk', 3)")[0].contains("active"));
    // New rows are predicted when they are there, and not when they are taken back.
    let count = || texts(&connection, "SELECT count(*) FROM risk")[0].clone();
    let columns = texts(
        &connection,
        "SELECT name FROM pragma_table_info('molecule')",
    );
    let values: Vec<String> = columns
        .iter()
        .map(|name| match name.as_str() {
            "molecule_id" => "9999".to_owned(),
            name => format!("\"{name}\""),
        })
        .collect();
    let insert = format!(
        "INSERT INTO molecule SELECT {} FROM molecule LIMIT 1",
        values.join(", ")
    );
    connection
        .execute_batch(&format!("BEGIN; {insert}"))
        .unwrap();
    assert_eq!(count(), "51");
    connection.execute_batch("ROLLBACK").unwrap();
    assert_eq!(count(), "50");
    // Nor when only a part of a transaction is taken back.
    let begin = format!("BEGIN; UPDATE molecule SET logp = logp; SAVEPOINT part; {insert}");
    connection.execute_batch(&begin).unwrap();
    assert_eq!(count(), "51");
    let known = "SELECT predict('risk', 9999) IN ('yes', 'no')";
    assert_eq!(texts(&connection, known), ["1"]);
    connection.execute_batch("ROLLBACK TO part").unwrap();
    assert!(asked(&connection, known).is_err());
    assert_eq!(count(), "50");
    // Within a statement all is read once: tables that are joined speak of the same trees.
    let joined = "SELECT count(*) > 0 FROM trees('molecule.active') t JOIN leaves l USING (tree) \
        WHERE t.size <= 3";
    assert_eq!(texts(&connection, joined), ["1"]);
    connection.execute_batch("ROLLBACK").unwrap();
    drop(connection);
    // It is there again wherever the extension is, and in a connection of ours.
    let again = open(&path);
    let sql = "SELECT prediction = predict('risk', key) FROM (SELECT 3 AS key), \
        (SELECT predict('risk', 3) AS prediction)";
    assert_eq!(texts(&again, sql), ["1"]);
    assert_eq!(texts(&again, "SELECT name FROM models"), ["risk"]);
    assert_eq!(rows(&again, predicted), first);
    let mut own =
        queries::Connection::open(&path, queries::Options::default(), Default::default()).unwrap();
    assert_eq!(own.query(predicted).unwrap().rows, first);
    drop(own);
    again.execute_batch("DROP TABLE risk").unwrap();
    assert!(rows(&again, "SELECT * FROM models").is_empty());
    assert!(asked(&again, "SELECT * FROM risk").is_err());
}

#[test]
fn a_database_in_memory_is_data_too() {
    let connection = Connection::open_in_memory().unwrap();
    load(&connection);
    connection
        .execute_batch(
            "CREATE TABLE plants (height REAL, kind TEXT);
             WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 20)
             INSERT INTO plants SELECT n + 0.5, iif(n <= 10, 'moss', 'tree') FROM c;",
        )
        .unwrap();
    let sql = "SELECT size FROM trees('kind') WHERE error = 0 AND complete = 1 AND size <= 3";
    assert_eq!(texts(&connection, sql), ["3"]);
    // All trees are no matter for a note; what a beam may miss is told once.
    assert_eq!(texts(&connection, "SELECT kinwood_notes() IS NULL"), ["1"]);
    rows(&connection, "SELECT size FROM trees('kind') LIMIT 1");
    let told = "SELECT kinwood_notes() LIKE '%beam of%'";
    assert_eq!(texts(&connection, told), ["1"]);
    assert_eq!(texts(&connection, "SELECT kinwood_notes() IS NULL"), ["1"]);
    connection
        .execute_batch("UPDATE plants SET kind = 'moss'")
        .unwrap();
    let sql = "SELECT max(size) FROM trees('kind') WHERE complete = 1 AND size <= 1";
    assert_eq!(texts(&connection, sql), ["1"]);
    connection
        .execute_batch(
            "CREATE VIRTUAL TABLE guess USING kinwood(target='kind', learner='majority')",
        )
        .unwrap();
    assert_eq!(
        texts(&connection, "SELECT DISTINCT prediction FROM guess"),
        ["moss"]
    );
    connection.execute_batch("DROP TABLE guess").unwrap();
}

#[test]
fn mistakes_are_errors_with_suggestions() {
    let place = Place::new();
    let connection = open(&place.molecules(30));
    for (sql, part) in [
        ("SELECT * FROM trees('molecule.activ')", "did you mean"),
        (
            "SELECT * FROM trees('molecule.active') WHERE uses = 'bnd'",
            "did you mean `bond`?",
        ),
        (
            "SELECT * FROM trees('molecule.active', 'tre')",
            "did you mean `tree`?",
        ),
        (
            "SELECT * FROM trees('molecule.active') WHERE complete = 1",
            "endlessly many trees",
        ),
        ("SELECT predict('rsk', 3)", "a model that was created"),
        ("SELECT * FROM neighbours('molecule')", "a table and a key"),
        (
            "SELECT * FROM trees('molecule.active') WHERE constraints = 'like(\"/etc/passwd\")'",
            "no file",
        ),
    ] {
        let wrong = asked(&connection, sql).unwrap_err().to_string();
        assert!(wrong.contains(part), "{sql}: {wrong}");
    }
    for (sql, part) in [
        (
            "CREATE VIRTUAL TABLE a USING kinwood(target='molecule.activ')",
            "did you mean",
        ),
        (
            "CREATE VIRTUAL TABLE a USING kinwood(target='molecule.active', siz=3)",
            "did you mean `size`?",
        ),
        (
            "CREATE VIRTUAL TABLE molecule USING kinwood(target='molecule.active')",
            "already exists",
        ),
        ("UPDATE trees SET size = 1", "may not be modified"),
    ] {
        let wrong = connection.execute_batch(sql).unwrap_err().to_string();
        assert!(wrong.contains(part), "{sql}: {wrong}");
    }
    // The connection goes on.
    assert_eq!(texts(&connection, "SELECT count(*) FROM molecule"), ["30"]);
}

#[test]
fn the_plan_says_what_steers() {
    let place = Place::new();
    let connection = open(&place.molecules(20));
    let plan = |sql: &str| {
        let rows = rows(&connection, &format!("EXPLAIN QUERY PLAN {sql}"));
        format!("{rows:?}")
    };
    let told =
        plan("SELECT * FROM trees('molecule.active') WHERE size <= 7 AND leaves = 3 LIMIT 3");
    assert!(
        told.contains("steered by size<=?, target=?; filtered afterwards by leaves=?; a beam"),
        "{told}"
    );
    let told = plan("SELECT * FROM trees('molecule.active') WHERE size <= 7 AND complete = 1");
    assert!(told.contains("all trees are made"), "{told}");
}
