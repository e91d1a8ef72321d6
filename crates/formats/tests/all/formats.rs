//! Which files are read as what, and how the others are refused.
#![allow(clippy::unwrap_used, reason = "a failed step is a failed test")]

use std::fs;
use std::io::Write;
use std::path::Path;

use kinwood_formats::csv::{Delimiter, Header};
use kinwood_formats::{Formats, ReadOptions, read};
use tempfile::TempDir;

fn refusal(name: &str, bytes: &[u8]) -> String {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join(name);
    fs::write(&path, bytes).unwrap();
    let message = read(&path, &ReadOptions::default())
        .unwrap_err()
        .to_string();
    message.replace(&path.display().to_string(), name)
}

#[cfg(all(feature = "arrow", feature = "sqlite", feature = "postgres"))]
#[test]
fn what_is_read_is_listed() {
    assert_eq!(
        Formats::default().what_is_read(),
        "CSV, TSV and other tables of text, ARFF, JSON, Parquet, Arrow and Prolog facts, \
         each also as .gz, folders of them, and SQLite and PostgreSQL databases"
    );
}

#[test]
fn other_formats_are_named() {
    let read = Formats::default().what_is_read();
    for (name, bytes, reason) in [
        (
            "a.csv",
            b"Obj\x01avro".as_slice(),
            "it looks like an Avro file",
        ),
        (
            "a.xlsx",
            b"PK\x03\x04zip",
            "it looks like a zip archive, as Excel and OpenDocument files are",
        ),
        (
            "a.xls",
            b"\xD0\xCF\x11\xE0\xA1",
            "it looks like an old Excel or Word file",
        ),
        ("a.yaml", b"a: 1", "its ending says YAML"),
        (
            "a.prose",
            b"Some prose,\nwithout cells.\n",
            "no delimiter splits its first lines into equally many cells",
        ),
        ("a.bin", b"ab\0\x01\x02", "it is no text (byte 3 is 0x00)"),
    ] {
        assert_eq!(
            refusal(name, bytes),
            format!("cannot tell the format of `{name}`: {reason}; what is read: {read}")
        );
    }
}

#[test]
fn endings_and_contents_decide() {
    let folder = TempDir::new().unwrap();
    let rows = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        let dataset = read(&path, &ReadOptions::default()).unwrap();
        let table = dataset.database.table(0);
        (
            table.name().to_owned(),
            dataset.formats[0].clone(),
            table.rows(),
            table.attributes().len(),
        )
    };
    assert_eq!(
        rows("t.tsv", b"a\tb,c\n1\t2\n"),
        ("t".into(), "TSV".into(), 1, 2)
    );
    assert_eq!(
        rows("u.unheard", b"a;b\n1;2\n3;4\n"),
        ("u".into(), "CSV".into(), 2, 2)
    );
    assert_eq!(
        rows("v.data", b"1,2\n3,4\n"),
        ("v".into(), "CSV".into(), 2, 2)
    );
    let weather = b"% weather\n@RELATION weather\n@attribute play {yes, no}\n@data\nno\n";
    assert_eq!(rows("x.arff", weather).1, "ARFF");
    assert_eq!(rows("x.data", weather).1, "ARFF");
    assert_eq!(
        rows("x.json", b"[{\"a\": 1}, {\"a\": 2}]"),
        ("x".into(), "JSON".into(), 2, 1)
    );
    assert_eq!(
        rows("x.jsonl", b"{\"a\": []}\n"),
        ("x".into(), "JSON".into(), 1, 1)
    );
    assert_eq!(
        rows("x.pl", b"p(a, 1).\n"),
        ("p".into(), "Prolog".into(), 1, 2)
    );
    assert_eq!(
        rows("y.unheard", b"% facts\np(a, 1).\n"),
        ("p".into(), "Prolog".into(), 1, 2)
    );
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(b"a,b\n1,2\n").unwrap();
    assert_eq!(
        rows("w.csv.gz", &encoder.finish().unwrap()),
        ("w".into(), "CSV".into(), 1, 2)
    );
}

#[test]
fn options_overrule_detection() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("t.csv");
    fs::write(&path, "a,b;c\n1,2;x\n").unwrap();
    let options = ReadOptions {
        header: Header::None,
        delimiter: Some(Delimiter::Semicolon),
        missing: Some(vec!["x".into()]),
        ..ReadOptions::default()
    };
    let dataset = read(&path, &options).unwrap();
    let table = dataset.database.table(0);
    assert_eq!((table.rows(), table.attributes().len()), (2, 2));
    assert_eq!(table.attribute(1).column.missing(), 1);
}

#[test]
fn empty_folders_and_missing_files_are_told() {
    let folder = TempDir::new().unwrap();
    let message = read(folder.path(), &ReadOptions::default())
        .unwrap_err()
        .to_string();
    assert!(
        message.ends_with("is empty: expected files that end with .csv, .tsv, .tab, .data, .asc, .arff, .json, .jsonl, .ndjson, .parquet, .arrow, .feather, .ipc (or .gz behind that), or Prolog facts"),
        "{message}"
    );
    assert_eq!(
        read(Path::new("no/such.csv"), &ReadOptions::default())
            .unwrap_err()
            .to_string(),
        "cannot read `no/such.csv`: no such file or directory"
    );
    fs::write(folder.path().join("schema.toml"), "").unwrap();
    let message = read(&folder.path().join("schema.toml"), &ReadOptions::default()).unwrap_err();
    assert!(
        message
            .to_string()
            .ends_with("schema.toml` is empty: expected tables"),
        "{message}"
    );
}
