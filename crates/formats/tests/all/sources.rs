//! JSON, Prolog facts and notes behind headers, through the one way in.
#![allow(clippy::unwrap_used, reason = "a failed step is a failed test")]

use std::fs;
use std::path::{Path, PathBuf};

use kinwood_formats::{Dataset, ReadOptions, Result, Schema, read};
use kinwood_values::Role;
use tempfile::TempDir;

fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = TempDir::new().unwrap();
    for (name, text) in files {
        fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

fn open(path: &Path) -> Result<Dataset> {
    read(path, &ReadOptions::default())
}

fn names(dataset: &Dataset) -> Vec<&str> {
    dataset
        .database
        .tables()
        .iter()
        .map(|table| table.name())
        .collect()
}

fn notices(dataset: &Dataset) -> String {
    let notices: Vec<&str> = dataset
        .notices
        .iter()
        .map(|notice| notice.message())
        .collect();
    notices.join("\n")
}

#[test]
fn an_object_of_arrays_is_a_database() {
    let folder = folder(&[
        (
            "db.json",
            r#"{"person": [{"id": 1, "knows": ["b", "a", "b"]}], "pet": [{"of": 1}, {"of": null}]}"#,
        ),
        (
            "db.schema.toml",
            "target = 'pet.of'\n[tables.person]\nkey = 'id'\n[tables.person.columns]\nknows = 'set<nominal>'\n\
             [[tables.pet.foreign_keys]]\ncolumns = 'of'\nreferences = 'person'\n",
        ),
    ]);
    let dataset = open(&folder.path().join("db.json")).unwrap();
    assert_eq!(names(&dataset), ["person", "pet"]);
    assert_eq!(dataset.database.link(0).forward(0), Some(0));
    assert_eq!(dataset.targets, [(1, 0)]);
    let knows = &dataset.database.table(0).attribute(1).column;
    assert_eq!(knows.value(0).to_string(), "{a, b}");
    fs::write(
        folder.path().join("db.schema.toml"),
        "[tables.person]\n[tables.pets]\n",
    )
    .unwrap();
    let message = open(&folder.path().join("db.json"))
        .unwrap_err()
        .to_string();
    assert!(
        message.contains("unknown table `pets`; did you mean `pet`?"),
        "{message}"
    );
}

#[test]
fn a_json_table_takes_roles_and_orders_from_its_schema() {
    let folder = folder(&[
        ("t.jsonl", "{\"size\": \"large\"}\n{\"size\": \"small\"}\n"),
        (
            "t.schema.toml",
            "[tables.shirt.columns]\nsize = { values = ['small', 'large'], role = 'group' }\n",
        ),
    ]);
    let dataset = open(&folder.path().join("t.jsonl")).unwrap();
    assert_eq!(names(&dataset), ["shirt"]);
    let size = dataset.database.table(0).attribute(0);
    assert_eq!((size.column.code(0), size.role), (Some(1), Role::Group));
}

#[test]
fn json_beside_other_tables_describes_them() {
    let mixed = folder(&[
        ("a.csv", "x,y\n1,2\n"),
        ("metadata.json", "{\"about\": 1}"),
        ("b.jsonl", "{\"z\": 1}"),
    ]);
    let dataset = open(mixed.path()).unwrap();
    assert_eq!(names(&dataset), ["a", "b"]);
    assert!(notices(&dataset).contains("not read as tables: metadata.json"));
    let alone = folder(&[("a.json", "[{\"x\": 1}]"), ("b.json", "[{\"y\": 1}]")]);
    assert_eq!(names(&open(alone.path()).unwrap()), ["a", "b"]);
    fs::write(
        mixed.path().join("schema.toml"),
        "[tables.a]\n[tables.metadata]\n",
    )
    .unwrap();
    assert_eq!(names(&open(mixed.path()).unwrap()), ["a", "metadata", "b"]);
}

#[test]
fn a_folder_of_facts_is_one_set_of_them() {
    let folder = folder(&[
        ("a.pl", "atm(m1, c).\n"),
        ("b.pl", "active(m1).\n"),
        ("notes.txt", "none"),
    ]);
    let dataset = open(folder.path()).unwrap();
    assert_eq!(names(&dataset), ["atm", "active"]);
    assert_eq!(dataset.formats, ["Prolog", "Prolog"]);
    let schema = "[tables.atm]\n[tables.atm.columns]\nmolecule = { type = 'nominal', role = 'id' }\nelement = 'nominal'\n\
                  [tables.active]\nkey = 'a1'\n[[tables.atm.foreign_keys]]\ncolumns = 'molecule'\nreferences = 'active'\n";
    fs::write(folder.path().join("schema.toml"), schema).unwrap();
    let dataset = open(folder.path()).unwrap();
    assert_eq!(dataset.database.table(0).attribute(0).name, "molecule");
    assert_eq!(dataset.database.foreign_keys().len(), 1);
    // What is understood reads the folder the same way again.
    fs::write(
        folder.path().join("schema.toml"),
        Schema::of(&dataset).to_toml(),
    )
    .unwrap();
    assert_eq!(open(folder.path()).unwrap().database, dataset.database);
    fs::write(folder.path().join("c.csv"), "x,y\n1,2\n").unwrap();
    fs::remove_file(folder.path().join("schema.toml")).unwrap();
    let dataset = open(folder.path()).unwrap();
    assert_eq!(names(&dataset), ["c"]);
    assert!(notices(&dataset).contains("not read as tables: a.pl, b.pl, notes.txt"));
}

#[test]
fn examples_lie_beside_background_knowledge() {
    let folder = folder(&[
        ("d.b", "atm(m1, c).\n"),
        ("d.f", "active(m1).\n"),
        ("d.n", "active(m2).\n"),
    ]);
    let dataset = open(&folder.path().join("d.b")).unwrap();
    assert_eq!(names(&dataset), ["atm", "active"]);
    let active = dataset.database.table(1);
    assert_eq!(active.rows(), 2);
    assert_eq!(active.attribute(1).role, Role::Target);
    assert_eq!(dataset.targets, [(1, 1)]);
    assert!(notices(&dataset).contains("d.n` are read too"));
}

#[test]
fn keys_behind_headers_connect_tables() {
    let cars = "id,tid\ninteger,integer\nprimary key,foreign key [trains.id]\n1,7\n2,8\n";
    let trains = "id,direction\ninteger,varchar\nprimary key,\n7,east\n8,west\n";
    let both = folder(&[("cars.csv", cars), ("trains.csv", trains)]);
    let dataset = open(both.path()).unwrap();
    assert_eq!(dataset.database.foreign_keys()[0].name, "cars_tid");
    assert_eq!(dataset.database.link(0).forward(1), Some(1));
    let alone = open(&both.path().join("cars.csv")).unwrap();
    assert!(alone.database.foreign_keys().is_empty());
    assert!(notices(&alone).contains("`cars` is said to refer to `trains`, which is not read"));
    // What a schema states about keys is all that counts.
    fs::write(
        both.path().join("schema.toml"),
        "[[tables.cars.foreign_keys]]\ncolumns = 'id'\nreferences = 'cars'\nto = 'id'\n",
    )
    .unwrap();
    let dataset = open(both.path()).unwrap();
    assert_eq!(dataset.database.foreign_keys().len(), 1);
    assert_eq!(dataset.database.foreign_keys()[0].from_columns, [0]);
}

#[test]
fn the_trains_have_their_keys() {
    let Some(data) = std::env::var_os("KINWOOD_DATA").map(PathBuf::from) else {
        return;
    };
    let dataset = open(&data.join("trains")).unwrap();
    assert_eq!(names(&dataset), ["cars", "trains"]);
    let rows: Vec<usize> = dataset
        .database
        .tables()
        .iter()
        .map(|table| table.rows())
        .collect();
    assert_eq!(rows, [63, 20]);
    let key = &dataset.database.foreign_keys()[0];
    assert_eq!(
        (key.from, key.to, key.to_columns.as_slice()),
        (0, 1, [0].as_slice())
    );
    assert!(dataset.database.link(0).dangling().is_none());
    assert_eq!(dataset.database.table(1).key(), Some([0].as_slice()));
}
