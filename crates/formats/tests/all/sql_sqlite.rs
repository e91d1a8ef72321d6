//! SQLite files: declared keys, types by declaration and value, and what is wrong with files, in
//! words.
#![allow(clippy::unwrap_used, reason = "a failed step is a failed test")]

use std::fs;
use std::path::PathBuf;
use std::sync::OnceLock;

use kinwood_formats::sql::{SqlOptions, read_sqlite};
use kinwood_formats::{Dataset, Error};
use kinwood_values::{Database, Notice, Remedy, Type, Value};
use proptest::prelude::*;
use rusqlite::Connection;
use tempfile::TempDir;

/// A database file made by these statements.
struct Made {
    _folder: TempDir,
    path: PathBuf,
}

fn made(statements: &str) -> Made {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("x.db");
    let connection = Connection::open(&path).unwrap();
    // What is read need not have been written with care.
    let careless = "PRAGMA foreign_keys = OFF; PRAGMA synchronous = OFF;";
    connection.execute_batch(careless).unwrap();
    connection.execute_batch(statements).unwrap();
    Made {
        _folder: folder,
        path,
    }
}

impl Made {
    fn of(bytes: &[u8]) -> Self {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("x.db");
        fs::write(&path, bytes).unwrap();
        Self {
            _folder: folder,
            path,
        }
    }

    fn read(&self) -> Dataset {
        read_sqlite(&self.path, &SqlOptions::default()).unwrap()
    }

    fn message(&self, error: &Error) -> String {
        let folder = self.path.parent().unwrap();
        error
            .to_string()
            .replace(&format!("{}/", folder.display()), "")
    }

    fn refused(&self, options: &SqlOptions) -> String {
        self.message(&read_sqlite(&self.path, options).unwrap_err())
    }
}

fn tables(names: &[&str]) -> SqlOptions {
    SqlOptions {
        tables: Some(names.iter().map(|name| (*name).to_owned()).collect()),
        ..SqlOptions::default()
    }
}

fn notices(data: &Dataset) -> Vec<&str> {
    data.notices.iter().map(|notice| notice.message()).collect()
}

fn column(data: &Dataset, table: &str, column: &str) -> Vec<String> {
    let table = data.database.table(data.database.find(table).unwrap());
    let column = &table.attribute(table.find(column).unwrap()).column;
    (0..column.len())
        .map(|row| column.value(row).to_string())
        .collect()
}

fn type_of(data: &Dataset, table: &str, column: &str) -> Type {
    let table = data.database.table(data.database.find(table).unwrap());
    table.attribute(table.find(column).unwrap()).type_of()
}

/// The foreign keys as `name: from(columns) -> to(columns)`.
fn keys(database: &Database) -> Vec<String> {
    let end = |table: usize, columns: &[usize]| {
        let table = database.table(table);
        let names: Vec<&str> = columns
            .iter()
            .map(|&column| table.attribute(column).name.as_str())
            .collect();
        format!("{}({})", table.name(), names.join(","))
    };
    database
        .foreign_keys()
        .iter()
        .map(|key| {
            let from = end(key.from, &key.from_columns);
            format!("{}: {from} -> {}", key.name, end(key.to, &key.to_columns))
        })
        .collect()
}

fn primary(data: &Dataset, table: &str) -> Vec<String> {
    let table = data.database.table(data.database.find(table).unwrap());
    let key = table.key().unwrap_or_default();
    key.iter()
        .map(|&column| table.attribute(column).name.clone())
        .collect()
}

#[test]
fn molecules_atoms_and_bonds() {
    let file = made(
        "CREATE TABLE molecule (id INTEGER PRIMARY KEY, name TEXT, logp REAL, active BOOLEAN, made DATE);
         CREATE TABLE atom (molecule INTEGER REFERENCES molecule, number INT, element CHAR(2),
             PRIMARY KEY (molecule, number));
         CREATE TABLE bond (molecule INT, a INT, b INT,
             FOREIGN KEY (molecule, a) REFERENCES atom (molecule, number),
             FOREIGN KEY (molecule, b) REFERENCES Atom (Molecule, Number));
         INSERT INTO molecule VALUES (1, 'water', -1.38, 0, '1781-01-01'), (2, 'methane', NULL, 1, NULL);
         INSERT INTO atom VALUES (1, 1, 'O'), (1, 2, 'H'), (2, 1, 'C'), (9, 1, 'X');
         INSERT INTO bond VALUES (1, 1, 2);",
    );
    let data = file.read();
    assert_eq!(
        keys(&data.database),
        [
            "atom_molecule: atom(molecule) -> molecule(id)",
            "bond_molecule_a: bond(molecule,a) -> atom(molecule,number)",
            "bond_molecule_b: bond(molecule,b) -> atom(molecule,number)",
        ]
    );
    assert_eq!(primary(&data, "molecule"), ["id"]);
    assert_eq!(primary(&data, "atom"), ["molecule", "number"]);
    assert_eq!(primary(&data, "bond"), [] as [&str; 0]);
    assert_eq!(column(&data, "molecule", "logp"), ["-1.38", "?"]);
    assert_eq!(column(&data, "molecule", "active"), ["false", "true"]);
    assert_eq!(column(&data, "molecule", "made"), ["1781-01-01", "?"]);
    assert_eq!(type_of(&data, "molecule", "made"), Type::DateTime);
    assert_eq!(type_of(&data, "atom", "element"), Type::Nominal);
    assert_eq!(
        notices(&data),
        [
            "1 of 4 rows of `atom` refer by `atom_molecule` to rows that `molecule` does not have (first: row 4, 9)"
        ]
    );
    assert_eq!(data.formats, ["SQLite"; 3]);
    assert_eq!(
        data.evidence[2],
        [
            "declared `INTEGER`; 2 of 2 values are numbers",
            "declared `TEXT`; 2 distinct values in 2 rows",
            "declared `REAL`; 1 of 1 values are numbers",
            "declared `BOOLEAN`; one of 2 labels",
            "declared `DATE`; 1 of 1 values are ISO dates",
        ]
    );
}

#[test]
fn an_implicit_row_number_is_no_key() {
    let data = made("CREATE TABLE t (a); INSERT INTO t VALUES (1), (1)").read();
    assert_eq!(primary(&data, "t"), [] as [&str; 0]);
    assert_eq!(
        data.evidence[0],
        ["declared without a type; 2 of 2 values are numbers"]
    );
}

#[test]
fn self_references_and_cycles() {
    let data = made(
        "CREATE TABLE person (id INTEGER PRIMARY KEY, mother REFERENCES person, club REFERENCES club(name));
         CREATE TABLE club (name TEXT PRIMARY KEY, head REFERENCES person(id)) WITHOUT ROWID;
         INSERT INTO person VALUES (1, NULL, 'chess'), (2, 1, 'chess');
         INSERT INTO club VALUES ('chess', 2);",
    )
    .read();
    assert_eq!(
        keys(&data.database),
        [
            "club_head: club(head) -> person(id)",
            "person_mother: person(mother) -> person(id)",
            "person_club: person(club) -> club(name)",
        ]
    );
    assert_eq!(data.database.link(1).forward(1), Some(0));
    assert_eq!(data.database.link(2).backward(0), [0, 1]);
    assert!(notices(&data).is_empty());
}

#[test]
fn foreign_keys_that_lead_nowhere_are_told() {
    let file = made(
        "CREATE TABLE a (x REFERENCES ghost, y REFERENCES b(ghost), z REFERENCES b, u, v, w REFERENCES c(id),
             FOREIGN KEY (u, v) REFERENCES c, FOREIGN KEY (w) REFERENCES c(id));
         CREATE TABLE b (k); CREATE TABLE c (id INTEGER PRIMARY KEY);",
    );
    let data = file.read();
    assert_eq!(keys(&data.database), ["a_w: a(w) -> c(id)"]);
    assert_eq!(
        notices(&data),
        [
            "foreign key (x) of table `a` refers to table `ghost`, which does not exist (a schema can state another); it is left out",
            "foreign key (y) of table `a` names column `ghost` of table `b`, which does not exist (a schema can state another); it is left out",
            "foreign key (z) of table `a` refers to the primary key of table `b`, which has none (a schema can state both keys); it is left out",
            "foreign key (u, v) of table `a` has 2 columns but refers to 1 columns of table `c`; it is left out",
            "foreign key (w) of table `a` is declared twice",
            "table `b` has neither a primary key nor foreign keys: no other table leads to its rows (a schema can state keys)",
        ]
    );
    let data = read_sqlite(&file.path, &tables(&["A"])).unwrap();
    assert!(
        notices(&data).contains(
            &"foreign key (w) of table `a` refers to table `c`, which is not read; it is left out"
        ),
        "{:?}",
        notices(&data)
    );
    let not_read = |notice: &&Notice| notice.message().contains("which is not read");
    let other_schema = false;
    for notice in data.notices.iter().filter(not_read) {
        assert_eq!(notice.remedy(), Some(&Remedy::ReadTable { other_schema }));
    }
}

#[test]
fn a_key_that_repeats_is_refused_with_what_to_do() {
    let file = made(
        "CREATE TABLE city (name TEXT, country TEXT);
         CREATE TABLE person (home REFERENCES city(name));
         INSERT INTO city VALUES ('Paris', 'FR'), ('Paris', 'US');",
    );
    assert_eq!(
        file.refused(&SqlOptions::default()),
        "`x.db`: the key (name) of table `city` is not unique: Paris stands in rows 1 and 2, but foreign key \
         `person_home` of table `person` refers to it; remove the repeated rows, or name the tables to read and \
         leave `person` or `city` out"
    );
    assert!(read_sqlite(&file.path, &tables(&["person"])).is_ok());
    let file = made("CREATE TABLE t (k BLOB PRIMARY KEY); INSERT INTO t VALUES (5), ('5')");
    assert_eq!(
        file.refused(&SqlOptions::default()),
        "`x.db`: the key (k) of table `t` is not unique: 5 stands in rows 1 and 2, but it is declared as primary \
         key; remove the repeated rows, or name the tables to read and leave `t` out"
    );
}

#[test]
fn two_references_of_one_column_have_two_names() {
    let data = made(
        "CREATE TABLE a (id INTEGER PRIMARY KEY); CREATE TABLE b (id INTEGER PRIMARY KEY);
         CREATE TABLE c (x REFERENCES a(id) REFERENCES b(id));",
    )
    .read();
    assert_eq!(
        keys(&data.database),
        ["c_x: c(x) -> a(id)", "c_x_b: c(x) -> b(id)"]
    );
}

#[test]
fn views_are_tables_without_keys() {
    let file = made(
        "CREATE TABLE t (id INTEGER PRIMARY KEY, x REAL);
         INSERT INTO t VALUES (1, 0.5), (2, 1.5);
         CREATE VIEW doubled AS SELECT id, 2 * x AS x, 'a' AS kind FROM t;
         CREATE VIEW broken AS SELECT * FROM gone;",
    );
    let data = file.read();
    assert_eq!(column(&data, "doubled", "x"), ["1", "3"]);
    assert_eq!(column(&data, "doubled", "kind"), ["a", "a"]);
    assert_eq!(primary(&data, "doubled"), [] as [&str; 0]);
    assert_eq!(
        notices(&data),
        [
            "view `broken` cannot be read (no such table: main.gone); it is left out",
            "1 view is read as a table without keys: `doubled`; a schema can state keys",
        ]
    );
    assert_eq!(data.notices[0].remedy(), None);
    assert_eq!(data.notices[1].remedy(), Some(&Remedy::LeaveOutViews));
    assert_eq!(
        file.refused(&tables(&["broken"])),
        "`x.db`: cannot read table `broken`: no such table: main.gone"
    );
    let options = SqlOptions {
        views: false,
        ..SqlOptions::default()
    };
    let data = read_sqlite(&file.path, &options).unwrap();
    assert_eq!(data.database.tables().len(), 1);
    // Nobody needs to be told of a view that was asked for.
    let data = read_sqlite(&file.path, &tables(&["doubled"])).unwrap();
    assert!(notices(&data).is_empty());
}

#[test]
fn values_overrule_declarations() {
    let data = made(
        "CREATE TABLE t (n INTEGER, d DATE, b BOOL, s VARCHAR(9), e INT, g INT GENERATED ALWAYS AS (e * 2), j JSON);
         INSERT INTO t (n, d, b, s, e, j) VALUES
             (1, '2024-05-01', 'yes', 7, '', '{\"a\": 1, \"b\": [1, 2]}'),
             ('many', 'soon', 0, 'x', 4, '{\"a\": 2, \"b\": []}'),
             (9e999, NULL, 1, x'00ff', 5, NULL);",
    )
    .read();
    assert_eq!(column(&data, "t", "n"), ["1", "many", "inf"]);
    assert_eq!(column(&data, "t", "d"), ["2024-05-01", "soon", "?"]);
    assert_eq!(column(&data, "t", "b"), ["yes", "0", "1"]);
    assert_eq!(column(&data, "t", "s"), ["7", "x", "?"]);
    assert_eq!(column(&data, "t", "e"), ["?", "4", "5"]);
    assert_eq!(column(&data, "t", "g"), ["0", "8", "10"]);
    assert_eq!(column(&data, "t", "j"), ["(1, [1, 2])", "(2, [])", "?"]);
    assert_eq!(
        type_of(&data, "t", "j").to_string(),
        "tuple<a: numeric, b: list<numeric>>"
    );
    assert_eq!(
        notices(&data),
        [
            "column `n` of table `t` is declared `INTEGER`, but holds `many` in row 2; it is read as nominal",
            "column `d` of table `t` is declared `DATE`, but holds `soon` in row 2; it is read as nominal",
            "column `b` of table `t` is declared `BOOL`, but holds `yes` in row 1; it is read as nominal",
            "column `s` of table `t` holds 1 binary value; it is missing",
            "column `e` of table `t` holds 1 empty text; it is missing",
        ]
    );
}

#[test]
fn numbers_that_are_none_are_missing_and_counted() {
    let data =
        made("CREATE TABLE t (x REAL); INSERT INTO t VALUES (1.5), (9e999), (-9e999)").read();
    assert_eq!(column(&data, "t", "x"), ["1.5", "?", "?"]);
    assert_eq!(
        notices(&data),
        [
            "column `x` of table `t` holds 2 values that are infinite, not numbers or outside of the calendar; they are missing"
        ]
    );
}

#[test]
fn json_of_several_types_is_string() {
    let data = made("CREATE TABLE t (j JSON); INSERT INTO t VALUES ('[1]'), ('{\"a\": 1}')").read();
    assert_eq!(type_of(&data, "t", "j"), Type::String);
    assert_eq!(
        notices(&data),
        [
            "column `j` of table `t` is read as string: its JSON values are not of one type (row 2: a `tuple<a: numeric>` after `list<numeric>`)"
        ]
    );
}

#[test]
fn free_text_is_string_as_in_csv() {
    let data = made(
        "CREATE TABLE t (note TEXT); INSERT INTO t VALUES
         ('the first note says something of its own'), ('a second note, which is as long as the first'),
         ('and the third is like both of them in length');",
    )
    .read();
    assert_eq!(type_of(&data, "t", "note"), Type::String);
}

#[test]
fn binary_columns_are_left_out_unless_they_are_keys() {
    let data = made(
        "CREATE TABLE thing (id BLOB PRIMARY KEY, picture BLOB);
         CREATE TABLE part (thing REFERENCES thing, x INT);
         INSERT INTO thing VALUES (x'0a0b', x'ff'), (x'0c', NULL);
         INSERT INTO part VALUES (x'0c', 1);",
    )
    .read();
    assert_eq!(column(&data, "thing", "id"), ["0a0b", "0c"]);
    assert_eq!(data.database.link(0).forward(0), Some(1));
    assert_eq!(
        notices(&data),
        [
            "column `picture` of table `thing` holds binary values, which are not read; it is left out"
        ]
    );
}

#[test]
fn large_keys_stay_exact() {
    let data = made(
        "CREATE TABLE post (id INTEGER PRIMARY KEY);
         CREATE TABLE reply (post INTEGER REFERENCES post, size INTEGER);
         INSERT INTO post VALUES (9007199254740992), (9007199254740993), (5);
         INSERT INTO reply VALUES (9007199254740993, 9007199254740993), (5, 1), (9007199254740992, 2);",
    )
    .read();
    assert_eq!(
        column(&data, "post", "id"),
        ["5", "9007199254740992", "9007199254740993"]
    );
    let link = data.database.link(0);
    assert_eq!(
        [link.forward(0), link.forward(1), link.forward(2)],
        [Some(2), Some(0), Some(1)]
    );
    assert_eq!(type_of(&data, "reply", "size"), Type::Numeric);
    assert_eq!(
        notices(&data),
        [
            "column `id` of table `post` holds `9007199254740993` in row 3, which cannot be kept exactly; as part of a key it is read as nominal",
            "column `post` of table `reply` holds `9007199254740993` in row 1, which cannot be kept exactly; as part of a key it is read as nominal",
            "column `size` of table `reply` holds 1 whole number beyond 2^53; it is rounded",
        ]
    );
}

#[test]
fn rows_come_in_their_own_order_whatever_indexes_there_are() {
    let data = made(
        "CREATE TABLE t (x TEXT, n INT); CREATE INDEX i ON t (x, n);
         INSERT INTO t VALUES ('c', 1), ('a', 'odd'), ('b', 3);",
    )
    .read();
    assert_eq!(column(&data, "t", "x"), ["c", "a", "b"]);
    assert_eq!(column(&data, "t", "n"), ["1", "odd", "3"]);
}

#[test]
fn text_that_is_not_utf8_is_latin1() {
    let data =
        made("CREATE TABLE t (x TEXT); INSERT INTO t VALUES (CAST(x'636166e9' AS TEXT))").read();
    assert_eq!(column(&data, "t", "x"), ["café"]);
    assert_eq!(
        notices(&data),
        ["column `x` of table `t` holds 1 text that is not UTF-8; it is read as Latin-1"]
    );
}

#[test]
fn odd_names_and_full_text_tables() {
    let data = made(
        "CREATE TABLE \"odd \"\"name\" (\"a b\" INT, \"select\" TEXT);
         INSERT INTO \"odd \"\"name\" VALUES (1, 'x');
         CREATE VIRTUAL TABLE pages USING fts5(body); INSERT INTO pages VALUES ('hello');",
    )
    .read();
    assert_eq!(column(&data, "odd \"name", "a b"), ["1"]);
    assert_eq!(column(&data, "pages", "body"), ["hello"]);
    assert_eq!(data.database.tables().len(), 2);
}

#[test]
fn tables_without_rows_have_their_declared_types() {
    let data = made("CREATE TABLE t (a INT, b TEXT, c DATE, d)").read();
    assert_eq!(data.database.table(0).rows(), 0);
    assert_eq!(type_of(&data, "t", "a"), Type::Numeric);
    assert_eq!(type_of(&data, "t", "c"), Type::DateTime);
    assert_eq!(
        data.evidence[0][3],
        "declared without a type; there are no rows"
    );
}

#[test]
fn an_unknown_table_is_told_with_the_nearest() {
    let file = made("CREATE TABLE molecule (id INT); CREATE TABLE atom (id INT)");
    assert_eq!(
        file.refused(&tables(&["molecul"])),
        "x.db: unknown table `molecul`; did you mean `molecule`?; the tables are `atom`, `molecule`"
    );
}

#[test]
fn a_database_without_tables_is_empty() {
    let file = made("CREATE TABLE t (x); DROP TABLE t");
    assert_eq!(
        file.refused(&SqlOptions::default()),
        "`x.db` is empty: expected at least one table with columns"
    );
    fs::write(&file.path, "").unwrap();
    assert_eq!(
        file.refused(&SqlOptions::default()),
        "`x.db` is empty: expected an SQLite database with tables"
    );
}

#[test]
fn what_is_no_database_is_named() {
    let file = made("CREATE TABLE t (x)");
    for (bytes, message) in [
        (&b"a,b\n1,2\n"[..], "`x.db` is not an SQLite database"),
        (
            b"PK\x03\x04....",
            "`x.db` is not an SQLite database; it looks like a zip archive, as Excel and OpenDocument files are",
        ),
        (
            b"SQLite for",
            "`x.db` is not an SQLite database; the file is cut off",
        ),
        (
            b"SQLite format 3\0\x10\0",
            "`x.db`: cannot read the catalogue: it has 18 bytes, too few for a header; the file is cut off",
        ),
    ] {
        fs::write(&file.path, bytes).unwrap();
        assert_eq!(file.refused(&SqlOptions::default()), message);
    }
    fs::remove_file(&file.path).unwrap();
    assert_eq!(
        file.refused(&SqlOptions::default()),
        "cannot read `x.db`: no such file or directory"
    );
    fs::create_dir(&file.path).unwrap();
    assert_eq!(
        file.refused(&SqlOptions::default()),
        "cannot read `x.db`: it is a folder"
    );
}

fn numbers(rows: usize) -> Made {
    made(&format!(
        "CREATE TABLE t (i INTEGER PRIMARY KEY, x TEXT);
         WITH RECURSIVE n(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < {rows})
         INSERT INTO t SELECT value, 'row ' || value FROM n;"
    ))
}

#[test]
fn a_truncated_file_is_told() {
    let file = numbers(5000);
    let bytes = fs::read(&file.path).unwrap();
    fs::write(&file.path, &bytes[..bytes.len() / 2 / 4096 * 4096]).unwrap();
    let message = file.refused(&SqlOptions::default());
    assert!(
        message.starts_with("`x.db`: cannot read the catalogue: it has ")
            && message.ends_with("; the file is cut off"),
        "{message}"
    );
}

#[test]
fn a_damaged_file_is_told_with_the_table() {
    let file = numbers(5000);
    let mut bytes = fs::read(&file.path).unwrap();
    let middle = bytes.len() / 2 / 4096 * 4096;
    bytes[middle..middle + 4096].fill(0xAA);
    fs::write(&file.path, bytes).unwrap();
    let message = file.refused(&SqlOptions::default());
    assert!(
        message.starts_with("`x.db`: cannot read table `t`: database disk image is malformed (after ")
            && message.ends_with(
                " rows); the file is damaged: restore it, or try the `.recover` command of `sqlite3`"
            ),
        "{message}"
    );
}

#[test]
fn a_locked_database_and_one_in_write_ahead_mode() {
    let file = made("PRAGMA journal_mode = WAL; CREATE TABLE t (x INT); INSERT INTO t VALUES (1)");
    assert_eq!(column(&file.read(), "t", "x"), ["1"]);
    let writer = Connection::open(&file.path).unwrap();
    writer
        .execute_batch("BEGIN IMMEDIATE; INSERT INTO t VALUES (2)")
        .unwrap();
    assert_eq!(column(&file.read(), "t", "x"), ["1"]);
    writer.execute_batch("COMMIT").unwrap();
    assert_eq!(column(&file.read(), "t", "x"), ["1", "2"]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn what_is_stored_is_read(
        rows in proptest::collection::vec((any::<Option<i32>>(), any::<Option<f32>>(), proptest::option::of("[a-z]{0,3}")), 0..20),
    ) {
        let file = made("CREATE TABLE t (i INTEGER, r REAL, s TEXT)");
        let connection = Connection::open(&file.path).unwrap();
        connection.execute_batch("PRAGMA synchronous = OFF; BEGIN").unwrap();
        for row in &rows {
            connection.execute("INSERT INTO t VALUES (?, ?, ?)", rusqlite::params![row.0, row.1, row.2]).unwrap();
        }
        connection.execute_batch("COMMIT").unwrap();
        let data = file.read();
        let table = data.database.table(0);
        prop_assert_eq!(table.rows(), rows.len());
        for (at, (integer, real, text)) in rows.into_iter().enumerate() {
            let real = real.map(f64::from).filter(|real| real.is_finite());
            let number = |number: Option<f64>| number.map_or(Value::Missing, Value::Number);
            prop_assert_eq!(table.attribute(0).column.value(at), number(integer.map(f64::from)));
            prop_assert_eq!(table.attribute(1).column.value(at), number(real));
            prop_assert_eq!(table.attribute(2).column.value(at), text.map_or(Value::Missing, Value::Symbol));
        }
    }

    #[test]
    fn damage_anywhere_is_survived(at in 0usize..20_000, byte: u8, length in 1usize..64, cut in proptest::option::of(0usize..20_000)) {
        static WHOLE: OnceLock<Vec<u8>> = OnceLock::new();
        let whole = WHOLE.get_or_init(|| fs::read(numbers(300).path).unwrap());
        let file = Made::of(whole);
        let mut bytes = whole.clone();
        let end = (at + length).min(bytes.len());
        if at < end {
            bytes[at..end].fill(byte);
        }
        bytes.truncate(cut.unwrap_or(usize::MAX));
        fs::write(&file.path, bytes).unwrap();
        if let Err(error) = read_sqlite(&file.path, &SqlOptions::default()) {
            let message = file.message(&error);
            prop_assert!(message.starts_with("`x.db`"), "{message}");
        }
    }
}
