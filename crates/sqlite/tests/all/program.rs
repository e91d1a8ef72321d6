//! The extension in the program `sqlite3`.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::loaded::{Place, extension};

/// Runs statements in `sqlite3`; nothing where the program is to be left out.
fn sqlite3(database: &Path, statements: &str) -> Option<(bool, String, String)> {
    let skips = std::env::var("KINWOOD_SKIP").unwrap_or_default();
    if skips.split(',').any(|skip| skip == "sqlite3") {
        eprintln!("skipped: this test needs `sqlite3`, which KINWOOD_SKIP names");
        return None;
    }
    let mut program = Command::new("sqlite3")
        .arg("-batch")
        .arg(database)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("sqlite3 is installed (Debian: sqlite3), or KINWOOD_SKIP names it");
    // SQLite finds the ending of the file and the entry point by itself.
    let file = extension().with_extension("");
    let mut input = program.stdin.take().unwrap();
    writeln!(input, ".load '{}'\n{statements}", file.display()).unwrap();
    drop(input);
    let output = program.wait_with_output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    Some((
        output.status.success(),
        text(output.stdout),
        text(output.stderr),
    ))
}

#[test]
fn the_program_of_sqlite_loads_it() {
    let place = Place::new();
    let path = place.molecules(60);
    let statements = "\
        SELECT size <= 7 AND error < 0.5 FROM trees('molecule.active') WHERE size <= 7 ORDER BY error LIMIT 1;\n\
        SELECT count(*) FROM trees('molecule.active') t JOIN leaves l USING (tree) \
          WHERE t.uses IN ('bond', 'atom') AND t.size <= 5 HAVING count(*) > 1 AND 0 = 1;\n\
        CREATE VIRTUAL TABLE risk USING kinwood(target='molecule.active', size=3);\n\
        SELECT count(*) FROM risk;\n\
        CREATE VIEW sure AS SELECT key FROM risk WHERE probability > 2;\n\
        SELECT count(*) FROM sure;\n\
        SELECT predict('risk', 1) IN ('yes', 'no');\n\
        SELECT kinwood_notes() LIKE '%beam of%';\n";
    let Some((worked, out, err)) = sqlite3(&path, statements) else {
        return;
    };
    assert_eq!((worked, err.as_str()), (true, ""));
    assert_eq!(out, "1\n60\n0\n1\n1\n");
    let again =
        "SELECT count(*) FROM risk; DROP VIEW sure; DROP TABLE risk; SELECT count(*) FROM models;";
    let (worked, out, err) = sqlite3(&path, again).unwrap();
    assert_eq!((worked, out.as_str(), err.as_str()), (true, "60\n0\n", ""));
    let (_, out, err) = sqlite3(&path, "SELECT * FROM trees('molecule.activ');").unwrap();
    assert_eq!(out, "");
    assert!(err.contains("did you mean"), "{err}");
}
