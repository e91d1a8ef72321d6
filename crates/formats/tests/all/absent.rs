//! Programs that are built without a format say so, and name what they do read.
//!
//! `cargo xtask features` runs these tests: other builds have all formats.
#![allow(clippy::unwrap_used, reason = "a failed step is a failed test")]

use std::path::Path;

use kinwood_formats::{ReadOptions, read};

/// What reading a file that begins so says.
fn refusal(name: &str, content: &[u8]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, content).unwrap();
    message(&path)
}

fn message(path: &Path) -> String {
    read(path, &ReadOptions::default()).unwrap_err().to_string()
}

#[cfg(not(feature = "arrow"))]
#[test]
fn arrays_are_refused_with_the_reason() {
    for (name, content) in [
        ("x.parquet", b"PAR1\x15\x04".as_slice()),
        ("x.parquet", b""),
        ("x.unknown", b"PAR1\x15\x04"),
        ("x.arrow", b"ARROW1\0\0"),
        ("x.feather", b"\xff\xff\xff\xff\x10\x01\0\0"),
    ] {
        let said = refusal(name, content);
        let reason = "this program was built without Parquet and Arrow";
        assert!(said.ends_with(&format!("{name}: {reason}")), "{said}");
    }
}

#[cfg(not(feature = "sqlite"))]
#[test]
fn sqlite_files_are_refused_with_the_reason() {
    for (name, content) in [
        ("x.sqlite", b"SQLite format 3\0".as_slice()),
        ("x.db", b""),
        ("x.unknown", b"SQLite format 3\0"),
    ] {
        let said = refusal(name, content);
        let reason = "this program was built without SQLite";
        assert!(said.ends_with(&format!("{name}: {reason}")), "{said}");
    }
}

#[cfg(not(feature = "postgres"))]
#[test]
fn postgresql_is_refused_with_the_reason() {
    let said = message(Path::new("postgresql://ann@localhost/shop"));
    assert!(
        said.ends_with("this program was built without PostgreSQL"),
        "{said}"
    );
}

#[test]
fn only_what_is_read_is_listed() {
    let said = refusal("x.pdf", b"%PDF-1.4");
    let (_, listed) = said.split_once("what is read: ").unwrap();
    assert!(listed.contains("CSV"), "{listed}");
    for (name, built) in [
        ("Parquet", cfg!(feature = "arrow")),
        ("Arrow", cfg!(feature = "arrow")),
        ("SQLite", cfg!(feature = "sqlite")),
        ("PostgreSQL", cfg!(feature = "postgres")),
    ] {
        assert_eq!(listed.contains(name), built, "{name}: {listed}");
    }
}
