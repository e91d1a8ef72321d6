//! Small files that hold much, files without end, and reading that is asked to stop: each ends in a
//! sentence, before the memory is taken.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use kinwood_formats::{Allowance, Error, Halted, ReadOptions, read};

/// A file in a folder that goes away with it.
fn file(name: &str, bytes: &[u8]) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder for files");
    let path = folder.path().join(name);
    std::fs::write(&path, bytes).expect("a file can be written");
    (folder, path)
}

fn within(memory: u64) -> ReadOptions {
    ReadOptions {
        allowance: Allowance::of(Some(memory)),
        ..ReadOptions::default()
    }
}

fn refused(path: &Path, memory: u64) -> Error {
    read(path, &within(memory)).expect_err("it takes too much")
}

fn is_about_memory(error: &Error) -> bool {
    let halted = match error {
        Error::Halted { halted, .. } => *halted,
        _ => return false,
    };
    matches!(halted, Halted::Memory { .. } | Halted::Needs { .. })
}

#[test]
fn sparse_rows_of_many_columns_need_memory_for_all_of_them() {
    let mut text = "@relation r\n".to_owned();
    for column in 0..2_000 {
        text += &format!("@attribute a{column} numeric\n");
    }
    text += "@data\n";
    text += &"{}\n".repeat(20_000);
    let (_folder, path) = file("sparse.arff", text.as_bytes());
    let error = refused(&path, 20_000_000);
    assert!(is_about_memory(&error), "{error}");
    assert!(error.to_string().contains("sparse.arff"), "{error}");
}

#[test]
fn a_row_of_millions_of_cells_is_refused_before_it_is_cut() {
    let mut text = ",".repeat(3_000_000);
    text.push('\n');
    let (_folder, path) = file("wide.csv", text.as_bytes());
    let error = read(&path, &ReadOptions::default()).err().unwrap();
    assert!(
        matches!(error, Error::ManyColumns { line: 1, .. }),
        "{error}"
    );
    let message = error.to_string();
    assert!(message.contains("more than 1048576 cells"), "{message}");
}

#[test]
fn what_a_packed_file_unpacks_to_counts() {
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed
        .write_all(b"@relation r\n@attribute a string\n@data\n")
        .unwrap();
    let line = [b"x".repeat(999), b"\n".to_vec()].concat();
    for _ in 0..150_000 {
        packed.write_all(&line).unwrap();
    }
    let (_folder, path) = file("bomb.arff.gz", &packed.finish().unwrap());
    if !Path::new("/proc/self/status").exists() {
        println!("skipped: the system does not tell what a process takes");
        return;
    }
    let error = refused(&path, 20_000_000);
    assert!(is_about_memory(&error), "{error}");
}

#[test]
fn objects_of_keys_of_their_own_need_a_column_for_each() {
    let objects: Vec<String> = (0..4_000).map(|key| format!("{{\"k{key}\": 1}}")).collect();
    let text = format!("[{}]", objects.join(","));
    let (_folder, path) = file("keys.json", text.as_bytes());
    let error = refused(&path, 30_000_000);
    assert!(is_about_memory(&error), "{error}");
    assert!(read(&path, &within(2_000_000_000)).is_ok());
}

#[cfg(unix)]
#[test]
fn devices_are_no_data() {
    for device in ["/dev/zero", "/dev/null"] {
        let error = refused(Path::new(device), 1_000_000).to_string();
        assert!(error.contains("device or a pipe"), "{error}");
        let schema = ReadOptions {
            schema: Some(PathBuf::from(device)),
            ..ReadOptions::default()
        };
        let (_folder, path) = file("a.csv", b"a,b\n1,2\n");
        assert!(read(&path, &schema).is_err());
    }
}

#[test]
fn every_reader_stops_when_asked() {
    let facts: String = (0..1_000).map(|n| format!("p(a{n}, {n}).\n")).collect();
    let rows: String = (0..1_000).map(|n| format!("{n},b\n")).collect();
    let objects: String = (0..1_000).map(|n| format!("{{\"a\": {n}}}\n")).collect();
    let arff = format!("@relation r\n@attribute a numeric\n@attribute b string\n@data\n{rows}");
    let files = [
        ("rows.csv", &rows),
        ("facts.pl", &facts),
        ("objects.jsonl", &objects),
        ("rows.arff", &arff),
    ];
    for (name, text) in files {
        let (_folder, path) = file(name, text.as_bytes());
        // Whenever it is asked, the answer is soon to stop: no reading goes on to the end.
        for patience in [0, 1, 3] {
            let calls = Arc::new(AtomicUsize::new(0));
            let counted = Arc::clone(&calls);
            let asked = move || {
                let call = counted.fetch_add(1, Ordering::SeqCst);
                (call >= patience).then_some(Halted::Interrupted)
            };
            let options = ReadOptions {
                allowance: Allowance::default().asking(Arc::new(asked)),
                ..ReadOptions::default()
            };
            let outcome = read(&path, &options);
            let error = outcome.err().unwrap();
            let stopped = matches!(
                error,
                Error::Halted {
                    halted: Halted::Interrupted,
                    ..
                }
            );
            assert!(stopped, "{name}: {error}");
        }
    }
}

#[cfg(feature = "sqlite")]
mod views {
    use super::*;

    const ENDLESS: &str = "CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT);
        INSERT INTO t VALUES (1, 'x'), (2, 'y');
        CREATE VIEW v AS
            WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x FROM c;";

    fn database(statements: &str) -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().expect("a folder for files");
        let path = folder.path().join("d.sqlite");
        let connection = rusqlite::Connection::open(&path).expect("a database can be made");
        let made = connection.execute_batch(statements);
        made.expect("the statements are right");
        (folder, path)
    }

    #[test]
    fn a_view_without_end_stops_when_asked_and_takes_no_more_than_is_allowed() {
        let (_folder, path) = database(ENDLESS);
        let calls = AtomicUsize::new(0);
        let asked = move || {
            let call = calls.fetch_add(1, Ordering::SeqCst);
            (call >= 50).then_some(Halted::OutOfTime)
        };
        let mut options = ReadOptions {
            allowance: Allowance::default().asking(Arc::new(asked)),
            ..ReadOptions::default()
        };
        options.sql.tables = Some(vec!["v".to_owned()]);
        let error = read(&path, &options).err().unwrap();
        let message = error.to_string();
        assert!(message.contains("the time is over"), "{message}");
        if Path::new("/proc/self/status").exists() {
            options.allowance = Allowance::of(Some(60_000_000));
            let error = read(&path, &options).err().unwrap();
            assert!(is_about_memory(&error), "{error}");
        }
    }

    #[test]
    fn a_view_of_endless_text_is_refused() {
        let statements = "CREATE TABLE t (a INTEGER);
            INSERT INTO t VALUES (1);
            CREATE VIEW huge AS SELECT replace(hex(zeroblob(400000000)), '0', 'x') AS x FROM t;";
        let (_folder, path) = database(statements);
        let dataset = read(&path, &ReadOptions::default()).unwrap();
        assert_eq!(dataset.database.tables().len(), 1);
        let told: Vec<String> = dataset.notices.iter().map(ToString::to_string).collect();
        assert!(
            told.iter()
                .any(|told| told.contains("`huge` cannot be read")),
            "{told:?}"
        );
    }
}
