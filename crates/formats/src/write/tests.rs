use std::fs;

use kinwood_testing::{any_type, any_value_of};
use kinwood_values::{Attribute, Column, Field, ForeignKey, Role, Table, Type, Value};
use proptest::prelude::*;

use super::*;
use crate::read::{ReadOptions, read};

const FORMS: [&str; 7] = [
    "folder",
    "x.csv",
    "x.arff",
    "x.json",
    "x.jsonl",
    "x.pl",
    "x.parquet",
];

fn written(database: &Database, name: &str, options: &WriteOptions) -> Result<(Dataset, Written)> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    let written = write(database, &path, options)?;
    Ok((read(&path, &ReadOptions::default())?, written))
}

fn parsed(of: &str) -> Type {
    of.parse().unwrap()
}

fn table(name: &str, columns: Vec<(&str, Column)>) -> Table {
    let attributes = columns
        .into_iter()
        .map(|(name, column)| Attribute::new(name, column));
    Table::new(name, attributes.collect()).unwrap()
}

/// Two tables with keys, roles, a target, an order of labels and a set.
fn trains() -> (Database, WriteOptions) {
    let mut trains = table(
        "train",
        vec![
            ("id", Column::nominal([Some("t 1"), Some("t,2")])),
            ("direction", Column::nominal([Some("east"), None])),
        ],
    );
    trains.set_key(Some(vec![0]));
    let set = parsed("set<nominal>");
    let loads = [
        Value::set(vec![Value::Symbol("b".into()), Value::Symbol("a".into())]),
        Value::Missing,
        Value::set(vec![]),
    ];
    let mut cars = table(
        "car/2",
        vec![
            (
                "train",
                Column::nominal([Some("t,2"), Some("t 1"), Some("t 1")]),
            ),
            ("loads", Column::from_values(&set, &loads).unwrap()),
            ("wheels", Column::numeric(vec![2.0, f64::NAN, 1e-300])),
            (
                "built",
                Column::from_values(
                    &Type::DateTime,
                    &[
                        Value::DateTime(-1),
                        Value::DateTime(86_400_000),
                        Value::Missing,
                    ],
                )
                .unwrap(),
            ),
        ],
    );
    cars.set_role(2, Role::Weight);
    let key = ForeignKey {
        name: "of train".to_owned(),
        from: 1,
        from_columns: vec![0],
        to: 0,
        to_columns: vec![0],
        describes: None,
    };
    let (mut database, _) = Database::new(vec![trains, cars], vec![key]).unwrap();
    database.set_role(0, 1, Role::Target);
    let options = WriteOptions {
        targets: vec![(0, 1)],
        ..WriteOptions::default()
    };
    (database, options)
}

#[test]
fn several_tables_come_back_with_keys_roles_and_targets() {
    let (database, options) = trains();
    for name in ["folder", "x.json", "x.pl"] {
        let (dataset, written) = written(&database, name, &options).unwrap();
        assert_eq!(dataset.database, database, "{name}");
        assert_eq!(dataset.targets, [(0, 1)], "{name}");
        assert!(written.notices.is_empty(), "{name}: {:?}", written.notices);
    }
}

#[test]
fn one_table_comes_back_from_every_form() {
    let (database, _) = trains();
    let mut cars = database.table(1).clone().renamed("car");
    let codes = Column::nominal([Some("z"), Some("a"), None]);
    let (codes, _) = codes
        .codes()
        .map(|(codes, of)| (codes.to_vec(), of))
        .unwrap();
    // Labels in another order than that of their appearance, and one that no row has.
    let reordered = kinwood_values::Cells::Nominal {
        codes: codes.iter().map(|code| 1 - code).collect(),
        dictionary: std::sync::Arc::new(kinwood_values::Dictionary::from_labels(["a", "z", "m"])),
    };
    let validity = kinwood_values::Validity::from_bits([true, true, false]);
    let mut attributes = cars.attributes().to_vec();
    attributes.push(Attribute::new(
        "order",
        Column::new(reordered, Some(validity)),
    ));
    let role = Role::Fold;
    attributes
        .push(Attribute::new(" odd name", Column::numeric(vec![1.0, 2.0, 3.0])).with_role(role));
    cars = Table::new("car", attributes).unwrap();
    let database = Database::single(cars).unwrap();
    for name in FORMS.iter().chain(&["x.arrow"]) {
        let options = WriteOptions {
            targets: vec![(0, 4)],
            stated_roles: BTreeSet::from([(0, 0)]),
            ..WriteOptions::default()
        };
        let (dataset, written) = written(&database, name, &options).unwrap();
        assert_eq!(dataset.targets, [(0, 4)], "{name}");
        assert!(dataset.stated_roles.contains(&(0, 0)), "{name}");
        assert!(written.notices.is_empty(), "{name}: {:?}", written.notices);
        let read = dataset.database.table(0);
        for (column, attribute) in database.table(0).attributes().iter().enumerate() {
            let again = read.attribute(column);
            let place = format!("{name}, {}", attribute.name);
            assert_eq!(again.name, attribute.name, "{place}");
            if column != 4 {
                assert_eq!(again.role, attribute.role, "{place}");
            }
            for row in 0..3 {
                assert_eq!(
                    again.column.value(row),
                    attribute.column.value(row),
                    "{place}"
                );
            }
            let labels = |column: &Column| {
                let (_, labels) = column.codes()?;
                Some(labels.labels().map(str::to_owned).collect::<Vec<_>>())
            };
            assert_eq!(labels(&again.column), labels(&attribute.column), "{place}");
        }
    }
}

#[test]
fn nothing_is_replaced_unasked() {
    let (database, options) = trains();
    let folder = tempfile::tempdir().unwrap();
    let overwrite = WriteOptions {
        overwrite: true,
        ..options.clone()
    };
    for name in ["x.json", "folder"] {
        let path = folder.path().join(name);
        write(&database, &path, &options).unwrap();
        let message = write(&database, &path, &options).unwrap_err().to_string();
        assert!(
            message.ends_with(&format!("{name}` is already there")),
            "{message}"
        );
        write(&database, &path, &overwrite).unwrap();
        let again = read(&path, &ReadOptions::default()).unwrap();
        assert_eq!(again.database, database);
    }
    // The schema beside a file counts as much as the file.
    fs::remove_file(folder.path().join("x.json")).unwrap();
    let message = write(&database, &folder.path().join("x.json"), &options).unwrap_err();
    assert!(
        message
            .to_string()
            .ends_with("x.schema.toml` is already there")
    );
    let names: Vec<_> = fs::read_dir(folder.path())
        .unwrap()
        .map(|e| e.unwrap().file_name())
        .collect();
    assert_eq!(names.len(), 2, "{names:?}");
}

#[test]
fn a_folder_with_other_files_is_never_replaced() {
    let (database, mut options) = trains();
    options.overwrite = true;
    let folder = tempfile::tempdir().unwrap();
    write(&database, folder.path(), &options).unwrap();
    write(&database, folder.path(), &options).unwrap();
    fs::write(folder.path().join("thesis.tex"), "precious").unwrap();
    let message = write(&database, folder.path(), &options)
        .unwrap_err()
        .to_string();
    assert!(
        message.contains("the folder holds `thesis.tex`"),
        "{message}"
    );
    assert!(folder.path().join("thesis.tex").exists());
}

#[test]
fn what_a_form_cannot_hold_is_said() {
    let (database, options) = trains();
    let message = |name: &str| written(&database, name, &options).unwrap_err().to_string();
    for name in ["x.csv", "x.arff", "x.jsonl", "x.parquet", "x.arrow"] {
        let expected = "such a file holds one table, and there are 2: train, car/2; a folder or a .sqlite, .json or .pl file holds them all";
        assert!(message(name).ends_with(expected), "{}", message(name));
    }
    assert!(
        message("x.parqet").ends_with("did you mean `parquet`?"),
        "{}",
        message("x.parqet")
    );
    let empty = Database::single(table("t", vec![("a", Column::numeric(vec![]))])).unwrap();
    let error = written(&empty, "x.pl", &WriteOptions::default())
        .unwrap_err()
        .to_string();
    assert!(error.contains("there are no rows"), "{error}");
}

#[test]
fn losses_are_told() {
    let list = parsed("list<nominal>");
    let words = Value::List(vec![Value::Symbol("b".into()), Value::Symbol("a".into())]);
    let blank = Column::from_values(&Type::String, &[Value::Text(" ".into())]).unwrap();
    let database = Database::single(table(
        "t",
        vec![
            ("words", Column::from_values(&list, &[words]).unwrap()),
            ("blank", blank),
            ("mark", Column::nominal([Some("?")])),
        ],
    ))
    .unwrap();
    for (name, expected) in [
        (
            "x.csv",
            vec!["1 texts of column `blank` are empty or blank: in CSV they read as missing"],
        ),
        (
            "x.arff",
            vec!["column `words`: ARFF has bags, no lists, so the order of elements is lost"],
        ),
        (
            "x.pl",
            vec!["column `mark` of `t` holds the value `?`, which reads as missing"],
        ),
        ("x.json", vec![]),
        ("x.parquet", vec![]),
    ] {
        let (_, written) = written(&database, name, &WriteOptions::default()).unwrap();
        let told: Vec<&str> = written.notices.iter().map(Notice::message).collect();
        assert_eq!(told, expected, "{name}");
    }
}

#[test]
fn tables_without_rows_keep_their_columns() {
    let columns = || {
        vec![
            ("a", Column::numeric(vec![])),
            ("b", Column::empty(&parsed("set<tree>"))),
        ]
    };
    let database = Database::single(table("t", columns())).unwrap();
    for name in [
        "folder",
        "x.csv",
        "x.arff",
        "x.json",
        "x.parquet",
        "x.arrow",
    ] {
        let (dataset, _) = written(&database, name, &WriteOptions::default()).unwrap();
        assert_eq!(dataset.database, database, "{name}");
    }
}

/// What comes back of a value.
fn expected(value: &Value, of: &Type, form: &str) -> Value {
    let blank = |text: &str| text.trim_matches([' ', '\t']).is_empty();
    match (value, of, form) {
        (Value::Text(text), _, "folder" | "x.csv") if blank(text) => Value::Missing,
        (Value::Symbol(text), _, "folder" | "x.csv") if !text.is_empty() && blank(text) => {
            Value::Missing
        }
        (Value::Symbol(text) | Value::Text(text), _, "x.pl") if text == "?" => Value::Missing,
        (Value::Term(term), _, "x.pl") if term.to_string() == "'?'" => Value::Missing,
        (Value::Tree(tree), _, "x.pl") if tree.len() == 1 && tree.label(0) == "?" => Value::Missing,
        (value, _, "x.arff") => in_bags(value, of, 1),
        (value, _, "x.pl") => inner(value, of, form),
        (value, ..) => value.clone(),
    }
}

fn inner(value: &Value, of: &Type, form: &str) -> Value {
    let all = |elements: &[Value], of: &Type| -> Vec<Value> {
        elements
            .iter()
            .map(|element| expected(element, of, form))
            .collect()
    };
    match (value, of) {
        (Value::List(elements), Type::List(of)) => Value::List(all(elements, of)),
        (Value::Set(elements), Type::Set(of)) => Value::set(all(elements, of)),
        (Value::Bag(elements), Type::Bag(of)) => Value::bag(all(elements, of)),
        (Value::Tuple(values), Type::Tuple(fields)) => {
            let fields = values.iter().zip(fields);
            Value::Tuple(
                fields
                    .map(|(value, field)| expected(value, &field.of, form))
                    .collect(),
            )
        }
        (value, _) => value.clone(),
    }
}

/// Lists as bags, and missing rows of bags as rows of missing values, as deep as bags go.
fn in_bags(value: &Value, of: &Type, level: usize) -> Value {
    let (Type::List(element) | Type::Set(element) | Type::Bag(element)) = of else {
        return value.clone();
    };
    let (Value::List(elements) | Value::Set(elements) | Value::Bag(elements)) = value else {
        return value.clone();
    };
    if level > 3 || **element == Type::Tuple(vec![]) {
        return value.clone();
    }
    let row = |value: &Value| match (value, &**element) {
        (Value::Missing, Type::Tuple(fields)) => Value::Tuple(vec![Value::Missing; fields.len()]),
        (Value::Tuple(values), Type::Tuple(fields)) => {
            let fields = values.iter().zip(fields);
            let field = |(value, field): (&Value, &Field)| in_bags(value, &field.of, level + 1);
            Value::Tuple(fields.map(field).collect())
        }
        (value, of) => in_bags(value, of, level + 1),
    };
    let rows = elements.iter().map(row).collect();
    match of {
        Type::Set(_) => Value::set(rows),
        _ => Value::bag(rows),
    }
}

/// Whether a value makes a text file look like a binary one.
fn unprintable(value: &Value, form: &str) -> bool {
    let control = |c: char| c.is_control() && !"\t\r\n".contains(c);
    matches!(form, "folder" | "x.csv") && csv::text(value).contains(control)
}

#[test]
fn csv_does_not_hold_the_null_character() {
    let values = [Value::Text("a".into()), Value::Text("b\0".into())];
    let column = Column::from_values(&Type::String, &values).unwrap();
    let database = Database::single(table("t", vec![("x", column)])).unwrap();
    for name in ["folder", "x.csv"] {
        let error = written(&database, name, &WriteOptions::default()).unwrap_err();
        let message = error.to_string();
        assert!(
            message.contains("row 2 of column `x` holds the character U+0000"),
            "{message}"
        );
    }
}

fn any_column() -> impl Strategy<Value = (Type, Vec<Value>)> {
    any_type().prop_flat_map(|of| {
        let values = prop::collection::vec(any_value_of(&of), 1..4);
        (Just(of), values)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn any_column_comes_back((of, values) in any_column(), alone in any::<bool>()) {
        let mut columns = vec![("x", Column::from_values(&of, &values).unwrap())];
        if !alone {
            columns.push(("n", Column::numeric(vec![f64::NAN; values.len()])));
        }
        let database = Database::single(table("t", columns)).unwrap();
        for form in FORMS.iter().chain(&["x.arrow"]) {
            if values.iter().any(|value| unprintable(value, form)) {
                continue;
            }
            let (dataset, _) = written(&database, form, &WriteOptions::default())
                .map_err(|error| TestCaseError::fail(format!("{form}: {error}")))?;
            let column = &dataset.database.table(0).attribute(0).column;
            prop_assert_eq!(column.len(), values.len(), "{}", form);
            for (row, value) in values.iter().enumerate() {
                prop_assert_eq!(&column.value(row), &expected(value, &of, form), "{} {}", form, &of);
            }
        }
    }
}
