//! The recorded file of format version 1: what was written once can be read for ever.
//!
//! `cargo xtask golden` writes it anew. That is right only as long as no model of this version has
//! been released; afterwards a change of the bytes needs a new version and a new file.

#![allow(clippy::unwrap_used, reason = "helpers of tests may fail the test")]

use std::path::PathBuf;

use kinwood_container::{Kind, Sections, Stored};
use serde_json::json;

fn recorded() -> PathBuf {
    [
        env!("CARGO_MANIFEST_DIR"),
        "..",
        "..",
        "golden",
        "container-v1.kin",
    ]
    .iter()
    .collect()
}

/// One section of every kind, empty ones, every padding from none to seven bytes, nesting.
fn sections() -> Sections {
    let mut sections = Sections::new();
    let manifest = sections.manifest_mut();
    manifest.insert("what".into(), "the container format, version 1".into());
    manifest.insert("numbers".into(), json!([0.1, -3, 1e300]));
    manifest.insert("nested".into(), json!({"ä": null, "yes": true}));
    sections
        .put_f64("f64", &[0.1, -0.0, f64::MIN_POSITIVE, f64::INFINITY])
        .unwrap();
    sections.put_u32("u32", &[0, 1, u32::MAX]).unwrap();
    sections.put_u64("u64", &[u64::MAX]).unwrap();
    sections.put_i64("i64", &[i64::MIN, -1]).unwrap();
    sections
        .put_text("text", &["", "Kinwood", "größer", "a\0b"])
        .unwrap();
    sections
        .put_json("json", &json!({"k": 3, "weights": [0.5, 1.25]}))
        .unwrap();
    let mut bytes = sections.scope("bytes");
    for length in 0..=8u8 {
        bytes
            .put_u8(&length.to_string(), &(0..length).collect::<Vec<u8>>())
            .unwrap();
    }
    drop(bytes);
    sections
        .scope("deep")
        .scope("er")
        .put_f64("empty", &[])
        .unwrap();
    sections
}

/// One test, because in update mode the file must be there before it is read.
#[test]
fn version_1_is_written_and_read_as_recorded() {
    let bytes = sections().to_bytes().unwrap();
    if std::env::var_os("KINWOOD_UPDATE_GOLDEN").is_some() {
        std::fs::write(recorded(), &bytes).unwrap();
    }
    let expected = std::fs::read(recorded()).unwrap();
    assert!(
        bytes == expected,
        "the bytes differ from {}",
        recorded().display()
    );
    check_content(&Stored::open(recorded()).unwrap());
}

/// The content in literals, so that an error which writer and reader share is seen.
fn check_content(stored: &Stored) {
    assert_eq!(stored.manifest()["what"], "the container format, version 1");
    assert_eq!(stored.manifest()["numbers"], json!([0.1, -3, 1e300]));
    assert_eq!(stored.manifest()["nested"], json!({"ä": null, "yes": true}));
    let numbers = stored.f64s("f64").unwrap();
    assert_eq!(numbers, [0.1, 0.0, f64::MIN_POSITIVE, f64::INFINITY]);
    assert!(numbers[1].is_sign_negative());
    assert_eq!(stored.u32s("u32").unwrap(), [0, 1, u32::MAX]);
    assert_eq!(stored.u64s("u64").unwrap(), [u64::MAX]);
    assert_eq!(stored.i64s("i64").unwrap(), [i64::MIN, -1]);
    assert_eq!(
        stored.text("text").unwrap(),
        ["", "Kinwood", "größer", "a\0b"]
    );
    let json: serde_json::Value = stored.json("json").unwrap();
    assert_eq!(json, json!({"k": 3, "weights": [0.5, 1.25]}));
    let bytes = stored.scope("bytes");
    assert_eq!(bytes.names().count(), 9);
    for length in 0..=8u8 {
        let expected: Vec<u8> = (0..length).collect();
        assert_eq!(bytes.bytes(&length.to_string()).unwrap(), expected);
    }
    assert_eq!(stored.shape("deep/er/empty").unwrap(), (Kind::F64, 0));
    assert!(
        stored
            .scope("deep")
            .scope("er")
            .f64s("empty")
            .unwrap()
            .is_empty()
    );
}
