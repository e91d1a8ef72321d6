//! What is put comes back, bit by bit, by memory and by disk, and always as the same bytes.

#![allow(clippy::unwrap_used, reason = "helpers of tests may fail the test")]

use std::collections::BTreeMap;
use std::fs;

use kinwood_container::{Error, Sections, Stored};
use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use serde_json::{Map, Value};

/// What a section holds; numbers as bits, so that NaN equals itself.
#[derive(Debug, Clone, PartialEq)]
enum Content {
    F64(Vec<u64>),
    U32(Vec<u32>),
    U64(Vec<u64>),
    I64(Vec<i64>),
    Bytes(Vec<u8>),
    Text(Vec<String>),
    Json(Value),
}

fn content() -> impl Strategy<Value = Content> {
    prop_oneof![
        vec(any::<u64>(), 0..9).prop_map(Content::F64),
        vec(any::<u32>(), 0..9).prop_map(Content::U32),
        vec(any::<u64>(), 0..9).prop_map(Content::U64),
        vec(any::<i64>(), 0..9).prop_map(Content::I64),
        vec(any::<u8>(), 0..20).prop_map(Content::Bytes),
        vec(any::<String>(), 0..5).prop_map(Content::Text),
        json().prop_map(Content::Json),
    ]
}

fn json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        any::<String>().prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 16, 4, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..4).prop_map(Value::from),
            btree_map(any::<String>(), inner, 0..4)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}

/// Manifest and contents by name; some names nested.
fn files() -> impl Strategy<Value = (Map<String, Value>, BTreeMap<String, Content>)> {
    let manifest = btree_map(any::<String>(), json(), 0..4);
    let contents = btree_map("[a-zä ]{1,9}(/[a-z0-9]{1,4}){0,3}", content(), 0..8);
    (
        manifest.prop_map(|fields| fields.into_iter().collect()),
        contents,
    )
}

fn collect(manifest: &Map<String, Value>, contents: &BTreeMap<String, Content>) -> Sections {
    let mut sections = Sections::new();
    manifest.clone_into(sections.manifest_mut());
    for (name, content) in contents {
        // The first segment as a scope, so that both ways of nesting are taken.
        let mut scope;
        let (sections, name) = match name.split_once('/') {
            Some((outer, inner)) => {
                scope = sections.scope(outer);
                (&mut *scope, inner)
            }
            None => (&mut sections, name.as_str()),
        };
        match content {
            Content::F64(bits) => {
                let values: Vec<f64> = bits.iter().copied().map(f64::from_bits).collect();
                sections.put_f64(name, &values)
            }
            Content::U32(values) => sections.put_u32(name, values),
            Content::U64(values) => sections.put_u64(name, values),
            Content::I64(values) => sections.put_i64(name, values),
            Content::Bytes(values) => sections.put_u8(name, values),
            Content::Text(values) => sections.put_text(name, values),
            Content::Json(value) => sections.put_json(name, value),
        }
        .unwrap();
    }
    sections
}

fn read(stored: &Stored, name: &str, like: &Content) -> Result<Content, Error> {
    Ok(match like {
        Content::F64(_) => Content::F64(stored.f64s(name)?.into_iter().map(f64::to_bits).collect()),
        Content::U32(_) => Content::U32(stored.u32s(name)?),
        Content::U64(_) => Content::U64(stored.u64s(name)?),
        Content::I64(_) => Content::I64(stored.i64s(name)?),
        Content::Bytes(_) => Content::Bytes(stored.bytes(name)?),
        Content::Text(_) => Content::Text(stored.text(name)?),
        Content::Json(_) => Content::Json(stored.json(name)?),
    })
}

proptest! {
    #[test]
    fn what_is_put_comes_back((manifest, contents) in files()) {
        let sections = collect(&manifest, &contents);
        let bytes = sections.to_bytes().unwrap();
        prop_assert_eq!(&bytes, &collect(&manifest, &contents).to_bytes().unwrap());
        prop_assert_eq!(bytes.len() % 8, 0);

        let stored = Stored::from_bytes(bytes).unwrap();
        prop_assert_eq!(stored.manifest(), &manifest);
        prop_assert!(stored.names().eq(contents.keys()));
        for (name, content) in &contents {
            prop_assert!(stored.has(name));
            prop_assert_eq!(&read(&stored, name, content).unwrap(), content);
            if let Some((outer, inner)) = name.split_once('/') {
                prop_assert_eq!(&read(&stored.scope(outer), inner, content).unwrap(), content);
            }
        }
    }

    #[test]
    fn arbitrary_bytes_are_refused(bytes in vec(any::<u8>(), 0..400)) {
        let mut signed = b"KINWOOD\n\x01\0\0\0".to_vec();
        signed.extend_from_slice(&bytes);
        prop_assert!(Stored::from_bytes(bytes).is_err());
        prop_assert!(Stored::from_bytes(signed).is_err());
    }
}

#[test]
fn disk_and_memory_agree() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("model.kin");
    fs::write(&path, "something older").unwrap();
    let mut sections = Sections::new();
    sections
        .manifest_mut()
        .insert("learner".into(), "knn".into());
    sections.put_f64("x", &[0.1, -0.0, f64::INFINITY]).unwrap();
    sections.put_u8("y", &[1, 2, 3]).unwrap();
    sections.write_to(&path).unwrap();
    assert_eq!(fs::read(&path).unwrap(), sections.to_bytes().unwrap());
    assert_eq!(
        Stored::open(&path).unwrap().bytes_len("y", 3).unwrap(),
        [1, 2, 3]
    );
}

#[test]
fn a_refused_write_leaves_the_old_file() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("model.kin");
    let mut sections = Sections::new();
    sections.put_u8("old", &[1]).unwrap();
    sections.write_to(&path).unwrap();
    let old = fs::read(&path).unwrap();

    let nested = (0..200).fold(Value::Null, |inner, _| Value::Array(vec![inner]));
    sections.manifest_mut().insert("unreadable".into(), nested);
    assert!(sections.write_to(&path).is_err());
    assert_eq!(fs::read(&path).unwrap(), old);

    let missing = directory.path().join("missing/model.kin");
    let error = Sections::new().write_to(&missing).unwrap_err();
    assert!(
        matches!(&error, Error::Write { path, .. } if *path == missing),
        "{error}"
    );
}
