//! What flat tables are called and hold.

use std::sync::Arc;

use kinwood_values::{Attribute, Column, Database, ForeignKey, Role, Table, Value, View};

use super::naive::alike;
use super::*;

/// Molecules, atoms, and bonds between two atoms each.
fn molecules() -> View {
    let ids = |count: usize| {
        Attribute::new(
            "id",
            Column::numeric((0..count).map(|i| i as f64).collect()),
        )
        .with_role(Role::Id)
    };
    let refers = |name: &str, rows: &[f64]| {
        Attribute::new(name, Column::numeric(rows.to_vec())).with_role(Role::Id)
    };
    let keyed = |name: &str, attributes: Vec<Attribute>| {
        let mut table = Table::new(name, attributes).unwrap();
        table.set_key(Some(vec![0]));
        table
    };
    let number =
        |name: &str, numbers: &[f64]| Attribute::new(name, Column::numeric(numbers.to_vec()));
    let molecule = keyed(
        "molecule",
        vec![
            ids(3),
            number("logp", &[1.0, 2.0, 3.0]),
            number("y", &[0.5, 1.5, 2.5]),
        ],
    );
    let atom = keyed(
        "atom",
        vec![
            ids(4),
            refers("molecule", &[0.0, 0.0, 0.0, 1.0]),
            number("charge", &[0.1, 0.2, 0.6, 0.4]),
            Attribute::new(
                "element",
                Column::nominal([Some("n"), Some("c"), Some("c"), Some("o")]),
            ),
        ],
    );
    let bond = keyed(
        "bond",
        vec![
            ids(2),
            refers("atom1", &[0.0, 0.0]),
            refers("atom2", &[1.0, 2.0]),
            number("kind", &[7.0, 1.0]),
            Attribute::new(
                "note",
                Column::from_values(
                    &kinwood_values::Type::String,
                    &[Value::Text("one".into()), Value::Text("two".into())],
                )
                .unwrap(),
            ),
        ],
    );
    let key = |name: &str, from, column, to| ForeignKey {
        name: name.to_owned(),
        from,
        from_columns: vec![column],
        to,
        to_columns: vec![0],
        describes: None,
    };
    let keys = vec![
        key("atom_molecule", 1, 1, 0),
        key("bond_atom1", 2, 1, 1),
        key("bond_atom2", 2, 2, 1),
    ];
    let (database, _) = Database::new(vec![molecule, atom, bond], keys).unwrap();
    View::new(Arc::new(database), 0).hiding(0, 2)
}

#[test]
fn columns_are_named_after_their_path() {
    let view = molecules();
    let plan = Flattening::plan(&view, Kind::Averaged, 3).unwrap();
    assert_eq!(
        plan.columns().collect::<Vec<_>>(),
        [
            "atom.charge",
            "atom.element",
            "atom.bond(atom1).kind",
            "atom.bond(atom1).atom(atom2).charge",
            "atom.bond(atom1).atom(atom2).element",
            "atom.bond(atom2).kind",
            "atom.bond(atom2).atom(atom1).charge",
            "atom.bond(atom2).atom(atom1).element",
        ]
    );
    assert_eq!(
        plan.left_out(),
        ["atom.bond(atom1).note", "atom.bond(atom2).note"]
    );
    let flat = plan.flat(&view, 0..3, 1).unwrap().view;
    let value = |name: &str, row| {
        let table = flat.table();
        table
            .attribute(table.position(name).unwrap())
            .column
            .value(row)
    };
    assert!(alike(&value("atom.charge", 0), &Value::Number(0.3)));
    assert_eq!(value("atom.element", 0), Value::Symbol("c".into()));
    assert_eq!(value("atom.bond(atom1).kind", 0), Value::Number(4.0));
    assert_eq!(value("atom.bond(atom1).kind", 1), Value::Missing);
    assert_eq!(value("atom.charge", 2), Value::Missing);
    // Joined, every column has its place, and the molecule without atoms has a row.
    let plan = Flattening::plan(&view, Kind::Joined, 3).unwrap();
    assert_eq!((plan.columns().len(), plan.left_out().len()), (10, 0));
    let flat = plan.flat(&view, 0..3, 100).unwrap();
    assert_eq!(flat.offsets, [0, 4, 5, 6]);
}

#[test]
fn a_key_to_the_own_table_and_twin_names_are_told_apart() {
    let number =
        |name: &str, numbers: &[f64]| Attribute::new(name, Column::numeric(numbers.to_vec()));
    let attributes = vec![
        number("id", &[0.0, 1.0]).with_role(Role::Id),
        number("boss", &[f64::NAN, 0.0]).with_role(Role::Id),
        number("person(boss).pay", &[1.0, 2.0]),
        number("pay", &[3.0, 4.0]),
    ];
    let person = Table::new("person", attributes).unwrap();
    let key = ForeignKey {
        name: "boss".into(),
        from: 0,
        from_columns: vec![1],
        to: 0,
        to_columns: vec![0],
        describes: None,
    };
    let (database, _) = Database::new(vec![person], vec![key]).unwrap();
    let view = View::new(Arc::new(database), 0);
    let plan = Flattening::plan(&view, Kind::Joined, 3).unwrap();
    assert_eq!(
        plan.columns().collect::<Vec<_>>(),
        [
            "person(boss).person(boss).pay",
            "person(boss).pay#2",
            "person(by boss).person(boss).pay",
            "person(by boss).pay",
        ]
    );
}

#[test]
fn the_object_with_most_rows_is_named() {
    let view = molecules();
    let plan = Flattening::plan(&view, Kind::Joined, 3).unwrap();
    let message = plan.flat(&view, 0..3, 5).err().unwrap().to_string();
    assert_eq!(
        message,
        "joining the tables makes 6 rows, more than flatten_rows=5; most of an object are the 4 of row 1 of `molecule` (0): use `flatten=p2`, which has one row an object, or a smaller `flatten_depth`, or allow more by `flatten_rows`"
    );
}

#[test]
fn wrong_values_are_refused_where_nothing_is_flattened() {
    let read = |given: &[(&str, &str)]| Settings::read("tree", &PARAMETERS, given).unwrap();
    for (name, value) in [
        ("aggregates", "coumt"),
        ("flatten_windows", "often"),
        ("flatten_last", "0"),
    ] {
        let message = told(read(&[(name, value)])).unwrap_err().to_string();
        let expected = format!("setting `{name}` cannot be `{value}`");
        assert!(message.starts_with(&expected), "{message}");
    }
    assert_eq!(told(read(&[])).unwrap(), Settings::default());
    assert_eq!(
        told(read(&[("aggregates", "paper")])).unwrap(),
        Settings::default()
    );
}
