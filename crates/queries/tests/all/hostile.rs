//! Queries that would write, reach out or never end.

use std::time::Duration;

use kinwood_learners::Context;
use kinwood_queries::{Connection, Error, Options};

use crate::data::{Place, error, open, open_to_write, rows, texts};

#[test]
fn nothing_is_written_and_no_other_file_is_read() {
    let place = Place::new();
    let path = place.sample("molecules", 20, "molecules.sqlite");
    let before = std::fs::read(&path).unwrap();
    let other = place.path("other.sqlite");
    let mut connection = open(&path);
    for sql in [
        "DELETE FROM molecule",
        "INSERT INTO molecule SELECT * FROM molecule",
        "UPDATE molecule SET active = 1",
        "DROP TABLE molecule",
        "CREATE TABLE more (a)",
        "CREATE TABLE main.more AS SELECT * FROM molecule",
        "CREATE INDEX i ON molecule (active)",
        "CREATE VIEW v AS SELECT 1",
        "CREATE TRIGGER t AFTER INSERT ON molecule BEGIN SELECT 1; END",
        "ALTER TABLE molecule ADD COLUMN a",
        "ATTACH '/etc/passwd' AS other",
        &format!("ATTACH '{}' AS other", other.display()),
        &format!("VACUUM INTO '{}'", other.display()),
        "VACUUM",
        "ANALYZE",
        "PRAGMA journal_mode = DELETE",
        "PRAGMA writable_schema = ON",
        "PRAGMA user_version = 3",
        "PRAGMA hard_heap_limit = 0",
        "PRAGMA temp_store_directory = '/tmp'",
        "SELECT * FROM pragma_journal_mode",
        "SELECT load_extension('x')",
        "SELECT readfile('/etc/passwd')",
        "SELECT writefile('x', 'y')",
        "CREATE VIRTUAL TABLE temp.f USING fts5(a)",
        "CREATE VIRTUAL TABLE temp.f USING csv(filename='/etc/passwd')",
        "CREATE VIRTUAL TABLE molecule USING kinwood(target='molecule.active')",
        "SELECT * FROM trees('molecule.active') WHERE constraints = 'like(\"/etc/passwd\")'",
        "SELECT * FROM trees('molecule.active') WHERE settings = 'constraints=like(\"/etc/passwd\")'",
        "CREATE VIRTUAL TABLE f USING kinwood(target='molecule.active', constraints='like(\"/etc/passwd\")')",
        "UPDATE trees SET size = 1",
        "DELETE FROM sqlite_schema",
    ] {
        let wrong = error(&mut connection, sql).to_string();
        assert!(!wrong.contains("root:"), "{sql}: {wrong}");
    }
    assert!(!other.exists());
    assert_eq!(std::fs::read(&path).unwrap(), before);
}

#[test]
fn what_only_tells_or_is_temporary_is_allowed() {
    let place = Place::new();
    let mut connection = open(&place.flat(20));
    for sql in [
        "PRAGMA table_info(plants)",
        "SELECT name FROM pragma_table_info('plants')",
        "CREATE TEMP TABLE tall AS SELECT * FROM plants WHERE height > 5; SELECT * FROM tall; DROP TABLE tall",
        "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 9) SELECT sum(n) FROM c",
        "BEGIN; SELECT 1; COMMIT",
    ] {
        rows(&mut connection, sql);
    }
}

#[test]
fn endless_work_ends_with_its_time() {
    let place = Place::new();
    let path = place.flat(20);
    let endless = [
        "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT count(*) FROM c",
        "SELECT count(*) FROM plants a, plants b, plants c, plants d, plants e, plants f, plants g",
    ];
    for sql in endless {
        let context = Context::new().with_time(Duration::from_millis(50));
        let mut connection = Connection::open(&path, Options::default(), context).unwrap();
        let wrong = error(&mut connection, sql);
        assert!(wrong.to_string().contains("time limit"), "{wrong}");
    }
}

#[test]
fn gigantic_answers_are_refused() {
    let place = Place::new();
    let path = place.flat(20);
    let context = Context::new().with_memory(64 << 20);
    let mut connection = Connection::open(&path, Options::default(), context).unwrap();
    for sql in [
        "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT hex(zeroblob(1000000)) FROM c",
        "SELECT zeroblob(2000000000)",
        "SELECT replace(hex(zeroblob(100000000)), '0', 'aaaaaaaaaaaa')",
    ] {
        error(&mut connection, sql);
    }
    assert_eq!(texts(&mut connection, "SELECT 1"), ["1"]);
    let deep = format!("SELECT {}1{}", "(".repeat(5000), ")".repeat(5000));
    error(&mut connection, &deep);
    let wide = vec!["SELECT 1"; 1000].join(" UNION ALL ");
    error(&mut connection, &wide);
    assert_eq!(
        rows(
            &mut connection,
            "SELECT size FROM trees('kind') WHERE size <= 3 LIMIT 999999999999"
        )
        .len(),
        rows(
            &mut connection,
            "SELECT size FROM trees('kind') WHERE size <= 3 LIMIT 1000"
        )
        .len(),
    );
}

#[test]
fn errors_point_at_the_place_and_suggest_names() {
    let place = Place::new();
    let mut connection = open(&place.flat(20));
    for (sql, at, part) in [
        ("SELECT hight FROM plants", (1, 8), "did you mean `height`?"),
        (
            "SELECT height\nFROM plans",
            (0, 0),
            "did you mean `plants`?",
        ),
        (
            "SELECT *\nFROM plants WHERE\n  hieght > 3",
            (3, 3),
            "did you mean `height`?",
        ),
        (
            "SELECT siez FROM trees('kind')",
            (1, 8),
            "did you mean `size`?",
        ),
        ("SELECT prdict('a', 1)", (0, 0), "did you mean `predict`?"),
        ("SELECT FROM plants", (1, 8), "near \"FROM\""),
        ("SELECT \"red\" FROM plants", (1, 8), "no such column"),
    ] {
        let wrong = error(&mut connection, sql);
        if let (Error::Sql { line, column, .. }, true) = (&wrong, at.0 > 0) {
            assert_eq!((*line, *column), at, "{sql}");
        } else {
            assert_eq!(at, (0, 0), "{sql}: {wrong:?}");
        }
        assert!(wrong.to_string().contains(part), "{sql}: {wrong}");
    }
}

#[test]
fn tables_of_a_file_are_written_where_that_is_allowed() {
    let place = Place::new();
    let path = place.sample("molecules", 20, "molecules.sqlite");
    let mut connection = open_to_write(&path);
    let count = |connection: &mut _| texts(connection, "SELECT count(*) FROM molecule");
    assert_eq!(count(&mut connection), ["20"]);
    let rows_before = texts(
        &mut connection,
        "SELECT sum(weight) FROM leaves('molecule.active') WHERE depth = 0",
    );
    rows(
        &mut connection,
        "DELETE FROM bond; DELETE FROM atom; DELETE FROM molecule WHERE rowid > 15; CREATE TABLE notes (a)",
    );
    assert_eq!(count(&mut connection), ["15"]);
    let rows_after = texts(
        &mut connection,
        "SELECT sum(weight) FROM leaves('molecule.active') WHERE depth = 0",
    );
    assert!(rows_before == rows_after || rows_after != ["20"]);
    error(&mut connection, "ATTACH 'x' AS y");
    drop(connection);
    let mut again = open(&path);
    assert_eq!(count(&mut again), ["15"]);
    assert!(
        error(&mut again, "INSERT INTO notes VALUES (1)")
            .to_string()
            .contains("may only read")
    );
}
