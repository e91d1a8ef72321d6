//! A format of one's own through the public API alone: it is told by ending and by its first bytes,
//! read, written, found in folders and listed in messages.
#![allow(clippy::unwrap_used, reason = "a failed step is a failed test")]

use std::fs;
use std::path::Path;

use kinwood_formats::format::{Confidence, Content, Ending, FormatEntry, Holds, Reading, Writing};
use kinwood_formats::{
    Draft, Formats, ReadOptions, Result, TableRead, WriteOptions, read, register, write,
};
use kinwood_values::{Attribute, Column, Database, Table, Value};

/// Columns side by side: the first line is the format's ending, each other one is a name and its
/// numbers.
fn toy(name: &'static str, ending: &'static str) -> FormatEntry {
    FormatEntry::new(name, [Ending::table(ending)], Holds::Table)
        .sniffed(move |start| {
            let first = start.bytes.split(|byte| *byte == b'\n').next();
            (first == Some(ending.as_bytes())).then_some(Confidence::Signature)
        })
        .read_by(read_toy)
        .written_by(write_toy)
}

fn read_toy(reading: &Reading<'_>) -> Result<Draft> {
    let text = String::from_utf8(reading.source.read()?);
    let text = text.map_err(|error| reading.failed(error))?;
    let mut attributes = Vec::new();
    for line in text.lines().skip(1) {
        let mut words = line.split_whitespace();
        let name = words.next().unwrap_or_default();
        let numbers: std::result::Result<Vec<f64>, _> = words.map(str::parse).collect();
        let numbers = numbers.map_err(|error| reading.failed(error))?;
        attributes.push(Attribute::new(name, Column::numeric(numbers)));
    }
    let table = Table::new(reading.source.table_name(), attributes);
    let table = table.map_err(|error| reading.failed(error))?;
    reading.draft(vec![TableRead::new(table)])
}

fn write_toy<'a>(writing: &mut Writing<'a>) -> Result<Content<'a>> {
    let table = writing.only_table()?;
    if table
        .attributes()
        .iter()
        .any(|of| of.column.numbers().is_none())
    {
        return Err(writing.refused("toys hold numbers only"));
    }
    let ending = writing.path.extension().unwrap_or_default();
    Ok(Box::new(move |out| {
        writeln!(out, "{}", ending.to_string_lossy())?;
        for attribute in table.attributes() {
            let numbers = attribute.column.numbers().unwrap_or_default();
            let numbers: Vec<String> = numbers.iter().map(f64::to_string).collect();
            writeln!(out, "{} {}", attribute.name, numbers.join(" "))?;
        }
        Ok(())
    }))
}

fn database() -> Database {
    let column =
        |name: &str, numbers: &[f64]| Attribute::new(name, Column::numeric(numbers.to_vec()));
    let columns = vec![column("size", &[1.0, 2.5]), column("age", &[7.0, 8.0])];
    Database::single(Table::new("pets", columns).unwrap()).unwrap()
}

fn with_toys() -> (ReadOptions, WriteOptions) {
    let formats = Formats::default().with(toy("Toy", "toy")).unwrap();
    let reading = ReadOptions {
        formats: formats.clone(),
        ..ReadOptions::default()
    };
    let writing = WriteOptions {
        formats,
        ..WriteOptions::default()
    };
    (reading, writing)
}

#[test]
fn it_is_written_read_and_sniffed() {
    let folder = tempfile::tempdir().unwrap();
    let (reading, writing) = with_toys();
    let path = folder.path().join("pets.toy");
    let written = write(&database(), &path, &writing).unwrap();
    assert_eq!(written.files.len(), 2, "a schema lies beside it");
    assert_eq!(
        fs::read_to_string(&path).unwrap(),
        "toy\nsize 1 2.5\nage 7 8\n"
    );
    let dataset = read(&path, &reading).unwrap();
    assert_eq!(dataset.database, database());
    assert_eq!(dataset.formats, ["Toy"]);
    // Its first bytes say what it is, whatever it is called.
    let other = folder.path().join("pets.csv");
    fs::copy(&path, &other).unwrap();
    assert_eq!(read(&other, &reading).unwrap().formats, ["Toy"]);
    // Nobody else knows it: a table of text has not the columns that the schema beside it states.
    assert!(read(&other, &ReadOptions::default()).is_err());
}

#[test]
fn folders_schemas_and_messages_know_it() {
    let folder = tempfile::tempdir().unwrap();
    let (reading, writing) = with_toys();
    fs::write(folder.path().join("pets.toy"), "toy\nsize 1 2\n").unwrap();
    fs::write(folder.path().join("owners.csv"), "name\nann\nbob\n").unwrap();
    let dataset = read(folder.path(), &reading).unwrap();
    assert_eq!(dataset.formats, ["CSV", "Toy"]);
    let schema = "[tables.pets.columns]\nsize = { type = 'nominal', role = 'id' }\n";
    fs::write(folder.path().join("schema.toml"), schema).unwrap();
    let stated = read(folder.path(), &reading).unwrap();
    let size = stated.database.table(0).attribute(0);
    assert_eq!(size.column.value(1), Value::Symbol("2".to_owned()));

    let message = |name: &str| {
        let failed = write(&database(), &folder.path().join(name), &writing);
        failed.unwrap_err().to_string()
    };
    assert!(
        message("x.toyy").ends_with(".toy and a folder, which has no ending; did you mean `toy`?")
    );
    fs::write(folder.path().join("x.unknown"), "hello\n").unwrap();
    let unknown = read(&folder.path().join("x.unknown"), &reading).unwrap_err();
    let unknown = unknown.to_string();
    assert!(
        unknown.contains(", Toy and Prolog facts, each also as .gz"),
        "{unknown}"
    );
    fs::write(folder.path().join("bad.toy"), "toy\nsize big\n").unwrap();
    let wrong = read(&folder.path().join("bad.toy"), &reading).unwrap_err();
    assert!(
        wrong
            .to_string()
            .ends_with("bad.toy: invalid float literal")
    );
}

#[test]
fn names_and_endings_are_taken_once() {
    for (name, ending, expected) in [
        (
            "CSV",
            "new",
            "the format `CSV` cannot have that name, which `CSV` has",
        ),
        (
            "New",
            "arff",
            "the format `New` cannot have the ending `.arff`, which `ARFF` has",
        ),
    ] {
        let taken = Formats::default().with(toy(name, ending)).unwrap_err();
        assert_eq!(taken.to_string(), expected);
    }
}

/// Registered for the program, a format needs no options: whoever opens or converts data takes it.
#[test]
fn a_registered_format_is_known_everywhere() {
    register(toy("Registered", "registered")).unwrap();
    assert!(register(toy("Registered", "again")).is_err());
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pets.registered");
    write::check(&path, false).unwrap();
    write(&database(), &path, &WriteOptions::default()).unwrap();
    let dataset = read(Path::new(&path), &ReadOptions::default()).unwrap();
    assert_eq!(dataset.database, database());
}
