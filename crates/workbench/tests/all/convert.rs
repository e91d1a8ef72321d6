//! Every form into every other, on the built-in samples: what comes out is what went in.

use std::path::Path;

use kinwood_formats::{Dataset, WriteOptions, write};
use kinwood_values::{Database, Role, Type, Value};
use kinwood_workbench::sample::find;
use kinwood_workbench::{Choices, Data, Opening, convert, open};

/// Forms of one table, and those of several among them.
const ONE: [&str; 9] = [
    "folder",
    "data.csv",
    "data.arff",
    "data.json",
    "data.jsonl",
    "data.parquet",
    "data.arrow",
    "data.pl",
    "data.sqlite",
];
const SEVERAL: [&str; 4] = ["folder", "data.json", "data.pl", "data.sqlite"];

fn opened(path: &Path) -> Data {
    open(path, &Opening::default()).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Lists are bags once they have been ARFF.
fn unordered(value: Value) -> Value {
    match value {
        Value::List(elements) => Value::bag(elements),
        value => value,
    }
}

fn assert_same(
    found: &Dataset,
    expected: &Database,
    target: (usize, usize),
    arff: bool,
    place: &str,
) {
    let database = &found.database;
    assert_eq!(database.tables().len(), expected.tables().len(), "{place}");
    assert_eq!(database.foreign_keys(), expected.foreign_keys(), "{place}");
    assert_eq!(found.targets, [target], "{place}");
    for (found, expected) in database.tables().iter().zip(expected.tables()) {
        let place = format!("{place}: {}", expected.name());
        assert_eq!(found.name(), expected.name(), "{place}");
        assert_eq!(found.key(), expected.key(), "{place}");
        assert_eq!(found.rows(), expected.rows(), "{place}");
        for (found, expected) in found.attributes().iter().zip(expected.attributes()) {
            let place = format!("{place}.{}", expected.name);
            assert_eq!(
                (&found.name, found.role),
                (&expected.name, expected.role),
                "{place}"
            );
            let list = matches!(expected.type_of(), Type::List(_));
            assert!(
                found.type_of() == expected.type_of() || (arff && list),
                "{place}"
            );
            for row in 0..expected.column.len() {
                let (mut a, mut b) = (found.column.value(row), expected.column.value(row));
                if arff {
                    (a, b) = (unordered(a), unordered(b));
                }
                assert_eq!(a, b, "{place} in row {}", row + 1);
            }
            let labels = |column: &kinwood_values::Column| {
                let (_, labels) = column.codes()?;
                Some(labels.labels().map(str::to_owned).collect::<Vec<_>>())
            };
            assert_eq!(labels(&found.column), labels(&expected.column), "{place}");
        }
    }
}

#[test]
fn every_form_becomes_every_other() {
    for (name, target) in [
        ("table", "grade"),
        ("molecules", "active"),
        ("bags", "class"),
        ("phrases", "mood"),
        ("shapes", "kind"),
    ] {
        let mut database = find(name).unwrap().make(25, 0.1, 3).unwrap();
        let column = database.table(0).find(target).unwrap();
        database.set_role(0, column, Role::Target);
        let forms: &[&str] = match database.tables() {
            [_] => &ONE,
            _ => &SEVERAL,
        };
        let folder = tempfile::tempdir().unwrap();
        let place = |steps: &str| folder.path().join(steps);
        for first in forms {
            let from = place(&format!("from {first}"));
            std::fs::create_dir(&from).unwrap();
            let from = from.join(first);
            let options = WriteOptions {
                targets: vec![(0, column)],
                ..WriteOptions::default()
            };
            write(&database, &from, &options).unwrap();
            let data = opened(&from);
            let arff = *first == "data.arff";
            assert_same(
                data.dataset(),
                &database,
                (0, column),
                arff,
                &format!("{name} as {first}"),
            );
            for second in forms {
                let to = place(&format!("from {first} to {second}"));
                std::fs::create_dir(&to).unwrap();
                let to = to.join(second);
                let (_, decided) = convert(&data, &Choices::default(), &to, false).unwrap();
                assert!(decided.is_empty(), "{decided:?}");
                let arff = arff || *second == "data.arff";
                let steps = format!("{name} from {first} to {second}");
                assert_same(opened(&to).dataset(), &database, (0, column), arff, &steps);
            }
        }
    }
}

#[test]
fn roles_targets_and_rows_can_be_chosen() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("weather.arff");
    let text = "@relation w\n@attribute day numeric\n@attribute wind {a, b}\n@attribute play {yes, no}\n@data\n1,a,yes\n2,b,no\n3,b,yes\n";
    std::fs::write(&path, text).unwrap();
    let data = opened(&path);
    let out = folder.path().join("out.csv");
    let (_, decided) = convert(&data, &Choices::default(), &out, false).unwrap();
    assert_eq!(
        decided[0].message(),
        "no target is named: `play`, the last column, is taken"
    );
    assert_eq!(opened(&out).dataset().targets, [(0, 2)]);
    let choices = Choices {
        roles: vec![("day".to_owned(), Role::Group)],
        targets: vec!["wind".to_owned()],
        rows: Some("wind = b".to_owned()),
        ..Choices::default()
    };
    let again = opened(&out);
    convert(&again, &choices, &out, true).unwrap();
    let chosen = opened(&out);
    assert_eq!(chosen.dataset().targets, [(0, 1)]);
    let table = chosen.dataset().database.table(0);
    assert_eq!(table.rows(), 2);
    assert_eq!(table.attribute(0).role, Role::Group);
    assert_eq!(table.attribute(2).role, Role::Input);
    let (_, labels) = table.attribute(1).column.codes().unwrap();
    assert_eq!(labels.labels().collect::<Vec<_>>(), ["a", "b"]);
}

#[test]
fn public_data_survives_a_journey() {
    let Some(data) = std::env::var_os("KINWOOD_DATA").map(std::path::PathBuf::from) else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    for (name, file) in [
        ("trains", "t.json"),
        ("mutagenesis/csv", "m.pl"),
        ("uci/wdbc.data", "w.parquet"),
        ("biodegradability", "b.sqlite"),
    ] {
        let before = opened(&data.join(name));
        let out = folder.path().join(file);
        convert(&before, &Choices::default(), &out, false).unwrap();
        let after = opened(&out);
        let (before, after) = (&before.dataset().database, &after.dataset().database);
        assert_eq!(before.foreign_keys(), after.foreign_keys());
        for (before, after) in before.tables().iter().zip(after.tables()) {
            assert_eq!(before.name(), after.name());
            for (before, after) in before.attributes().iter().zip(after.attributes()) {
                assert_eq!(before.column, after.column, "{name}: {}", before.name);
            }
        }
    }
}
