//! Flat tables against nested loops over key values, and learners that are given them.

use std::sync::Arc;

use kinwood_values::container::{Sections, Stored};
use kinwood_values::{Attribute, Column, Database, ForeignKey, Role, Table, Value, View};
use proptest::prelude::*;

use super::*;
use crate::context::Context;
use crate::error::Result;
use crate::model::Model;
use crate::predictions::Predictions;
use crate::random::Generator;
use crate::registry::Registry;
use crate::sql::Asked;
use crate::task::Task;
use crate::testing::{bytes, check_learner_with, linked_view};

/// The column of the first table of [`random_view`] that is to be predicted.
const TARGET: usize = 4;

/// A few small tables whose foreign keys go anywhere: back, in circles, to the same table, to rows that are not there, by one
/// column or two. Some of the rows of the first are the view, its target hidden.
fn random_view(seed: u64) -> View {
    let mut generator = Generator::new(seed, &[]);
    let tables = 1 + generator.below(4);
    let rows: Vec<usize> = (0..tables)
        .map(|table| match table {
            0 => 1 + generator.below(5),
            _ => generator.below(6),
        })
        .collect();
    let mut columns: Vec<Vec<Attribute>> = Vec::new();
    for &rows in &rows {
        let numbers =
            |of: &mut dyn FnMut(usize) -> f64| Column::numeric((0..rows).map(of).collect());
        let labels: Vec<Option<&str>> = (0..rows)
            .map(|_| [None, Some("a"), Some("b"), Some("c")][generator.below(4)])
            .collect();
        columns.push(vec![
            Attribute::new("k", numbers(&mut |row| row as f64)).with_role(Role::Id),
            Attribute::new("j", numbers(&mut |row| (row % 2) as f64)).with_role(Role::Id),
            Attribute::new(
                "x",
                numbers(&mut |_| match generator.below(5) {
                    0 => f64::NAN,
                    number => number as f64 + 0.1,
                }),
            ),
            Attribute::new("c", Column::nominal(labels)),
            Attribute::new("y", numbers(&mut |row| row as f64 * 1.5)),
        ]);
    }
    let mut keys = Vec::new();
    for key in 0..generator.below(5) {
        let (from, to) = (generator.below(tables), generator.below(tables));
        let width = 1 + generator.below(2);
        let (mut first, mut second) = (Vec::new(), Vec::new());
        for _ in 0..rows[from] {
            let row = match generator.below(6) {
                0 => f64::NAN,
                1 => 99.0,
                _ => generator.below(rows[to].max(1)) as f64,
            };
            first.push(row);
            // Now and then the second column contradicts the first.
            second.push((row + f64::from(u8::from(generator.below(5) == 0))) % 2.0);
        }
        let place = columns[from].len();
        let parts = [first, second].into_iter().take(width).enumerate();
        columns[from].extend(parts.map(|(part, numbers)| {
            Attribute::new(format!("r{key}{part}"), Column::numeric(numbers)).with_role(Role::Id)
        }));
        keys.push(ForeignKey {
            name: format!("key{key}"),
            from,
            from_columns: (place..place + width).collect(),
            to,
            to_columns: (0..width).collect(),
        });
    }
    let named = columns.into_iter().enumerate().map(|(table, attributes)| {
        let mut table = Table::new(format!("t{table}"), attributes).unwrap();
        table.set_key(Some(vec![0]));
        table
    });
    let (database, _) = Database::new(named.collect(), keys).unwrap();
    let kept: Vec<u32> = (0..rows[0] as u32)
        .filter(|&row| row == 0 || generator.below(4) > 0)
        .collect();
    View::new(Arc::new(database), 0)
        .hiding(0, TARGET)
        .select(&kept)
}

/// A key and whether it is followed backward, one after the other.
type Path = Vec<(usize, bool)>;

/// The tables of a path and the paths that go on from it, by trying every key.
fn naive_paths(view: &View, path: &Path, table: usize, depth: usize, all: &mut Vec<(Path, usize)>) {
    if path.len() == depth {
        return;
    }
    for (key, foreign) in view.database().foreign_keys().iter().enumerate() {
        for (backward, start, end) in [
            (false, foreign.from, foreign.to),
            (true, foreign.to, foreign.from),
        ] {
            if start == table && path.iter().all(|step| step.0 != key) {
                let mut longer = path.clone();
                longer.push((key, backward));
                all.push((longer.clone(), end));
                naive_paths(view, &longer, end, depth, all);
            }
        }
    }
}

/// The rows that a key leads to, by comparing values; rows of the first table only if they are in the view.
fn naive_linked(view: &View, (key, backward): (usize, bool), row: usize) -> Vec<usize> {
    let foreign = &view.database().foreign_keys()[key];
    let values = |table: usize, columns: &[usize], row: usize| -> Vec<Value> {
        let table = view.database().table(table);
        let columns = columns.iter();
        columns
            .map(|&c| table.attribute(c).column.value(row))
            .collect()
    };
    let refers = |from: usize, to: usize| {
        let from = values(foreign.from, &foreign.from_columns, from);
        let to = values(foreign.to, &foreign.to_columns, to);
        from == to && !from.contains(&Value::Missing)
    };
    let reached = if backward { foreign.from } else { foreign.to };
    (0..view.database().table(reached).rows())
        .filter(|&other| match backward {
            true => refers(other, row),
            false => refers(row, other),
        })
        .filter(|&other| {
            reached != view.table_position() || view.rows().any(|r| r as usize == other)
        })
        .collect()
}

/// The inputs on every path, in order, as (path, table, column).
fn naive_columns(view: &View, paths: &[(Path, usize)]) -> Vec<(usize, usize, usize)> {
    let mut columns = Vec::new();
    for (place, &(_, table)) in paths.iter().enumerate() {
        let attributes = view.database().table(table).attributes();
        for (column, attribute) in attributes.iter().enumerate() {
            if attribute.role == Role::Input && (table, column) != (0, TARGET) {
                columns.push((place, table, column));
            }
        }
    }
    columns
}

/// The values of the flat table beside those of the objects' own, one left outer join after the other.
fn naive_joined(view: &View, paths: &[(Path, usize)]) -> (Vec<Vec<Value>>, Vec<usize>) {
    let columns = naive_columns(view, paths);
    let (mut table, mut owners) = (Vec::new(), Vec::new());
    for (object, row) in view.rows().enumerate() {
        let mut joined: Vec<Vec<Option<usize>>> = vec![Vec::new()];
        for (path, _) in paths {
            let parent = paths
                .iter()
                .position(|(other, _)| *other == path[..path.len() - 1]);
            let mut longer = Vec::new();
            for partial in joined {
                let start = match parent {
                    Some(parent) => partial[parent],
                    None => Some(row as usize),
                };
                let last = *path.last().unwrap();
                let linked = start
                    .map(|row| naive_linked(view, last, row))
                    .unwrap_or_default();
                let mut reached: Vec<Option<usize>> = linked.into_iter().map(Some).collect();
                if reached.is_empty() {
                    reached.push(None);
                }
                for row in reached {
                    let mut more = partial.clone();
                    more.push(row);
                    longer.push(more);
                }
            }
            joined = longer;
        }
        for rows in joined {
            let value = |&(place, table, column): &(usize, usize, usize)| match rows[place] {
                Some(row) => view
                    .database()
                    .table(table)
                    .attribute(column)
                    .column
                    .value(row),
                None => Value::Missing,
            };
            table.push(columns.iter().map(value).collect());
            owners.push(object);
        }
    }
    (table, owners)
}

/// The rows a path leads to, as often as it does.
fn naive_reached(view: &View, path: &Path, row: usize) -> Vec<usize> {
    let mut rows = vec![row];
    for &step in path {
        rows = rows
            .iter()
            .flat_map(|&row| naive_linked(view, step, row))
            .collect();
    }
    rows
}

fn naive_averaged(view: &View, paths: &[(Path, usize)]) -> Vec<Vec<Value>> {
    let columns = naive_columns(view, paths);
    let of_row = |row: u32| {
        let of_column = |&(place, table, column): &(usize, usize, usize)| {
            let column = &view.database().table(table).attribute(column).column;
            let reached = naive_reached(view, &paths[place].0, row as usize);
            let values: Vec<Value> = reached.into_iter().map(|row| column.value(row)).collect();
            if column.numbers().is_some() {
                let numbers: Vec<f64> = values
                    .iter()
                    .filter_map(|value| match value {
                        Value::Number(number) => Some(*number),
                        _ => None,
                    })
                    .collect();
                return match numbers.len() {
                    0 => Value::Missing,
                    n => Value::Number(numbers.iter().sum::<f64>() / n as f64),
                };
            }
            let (_, dictionary) = column.codes().unwrap();
            let mut best = (Value::Missing, 0);
            for label in dictionary.labels() {
                let label = Value::Symbol(label.to_owned());
                let count = values.iter().filter(|value| **value == label).count();
                if count > best.1 {
                    best = (label, count);
                }
            }
            best.0
        };
        columns.iter().map(of_column).collect()
    };
    view.rows().map(of_row).collect()
}

fn alike(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => (a - b).abs() < 1e-9,
        (a, b) => a == b,
    }
}

/// Checks the flat tables of a view against nested loops; joins of very many rows are left to the limit. Whether joined, too.
fn check(view: &View, depth: usize) -> bool {
    let mut paths = Vec::new();
    naive_paths(view, &Vec::new(), 0, depth, &mut paths);
    let own = view.table().attributes().len();
    let check = |plan: &Flattening, naive: &[Vec<Value>], owners: &[usize]| {
        plan.check(view).unwrap();
        let flat = plan.flat(view, 0..view.len(), u64::MAX).unwrap();
        let table = flat.view.table();
        assert_eq!(table.rows(), naive.len());
        assert_eq!(table.attributes().len() - own, plan.columns().len());
        let inputs = flat.view.inputs();
        assert_eq!(inputs.len(), view.inputs().len() + plan.columns().len());
        assert!(!inputs.contains(&TARGET));
        for (row, (expected, &owner)) in naive.iter().zip(owners).enumerate() {
            assert!((flat.offsets[owner]..flat.offsets[owner + 1]).contains(&row));
            for (column, expected) in expected.iter().enumerate() {
                let found = table.attribute(own + column).column.value(row);
                let name = &table.attribute(own + column).name;
                assert!(
                    alike(&found, expected),
                    "{name}, row {row}: {found} {expected}"
                );
            }
            for column in 0..own {
                let of_object = view
                    .table()
                    .attribute(column)
                    .column
                    .value(view.row(owner) as usize);
                assert_eq!(table.attribute(column).column.value(row), of_object);
            }
        }
    };
    let plan = Flattening::plan(view, Kind::Averaged, depth).unwrap();
    assert_eq!(plan.paths().len(), paths.len());
    let objects: Vec<usize> = (0..view.len()).collect();
    check(&plan, &naive_averaged(view, &paths), &objects);
    let plan = Flattening::plan(view, Kind::Joined, depth).unwrap();
    let rows = join::counts(&plan, view, 0..view.len())
        .iter()
        .fold(0, |sum: u64, n| sum.saturating_add(*n));
    let joined = rows <= 3_000;
    if joined {
        let (naive, owners) = naive_joined(view, &paths);
        assert_eq!(rows, naive.len() as u64);
        check(&plan, &naive, &owners);
    } else {
        let refused = plan
            .flat(view, 0..view.len(), 3_000)
            .err()
            .unwrap()
            .to_string();
        assert!(
            refused.starts_with("joining the tables makes "),
            "{refused}"
        );
    }
    joined
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn flat_tables_are_what_nested_loops_find(seed in any::<u64>(), depth in 1usize..4) {
        check(&random_view(seed), depth);
    }
}

#[test]
fn most_random_databases_are_joined_and_some_have_paths_that_lead_back() {
    let (mut joined, mut back) = (0, 0);
    for seed in 0..200 {
        let view = random_view(seed);
        joined += usize::from(check(&view, 2));
        let plan = Flattening::plan(&view, Kind::Joined, 2).unwrap();
        back += usize::from((1..=plan.paths().len()).any(|place| plan.table_of(place) == 0));
    }
    assert!(joined > 150 && back > 50, "{joined} {back}");
}

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

/// Owners of parts whose sizes say what the owners' class and amount are; some own nothing.
fn owners(count: usize) -> View {
    let mut generator = Generator::new(11, &[count as u64]);
    let (mut class, mut amount, mut own) = (Vec::new(), Vec::new(), Vec::new());
    let (mut of, mut size, mut shape) = (Vec::new(), Vec::new(), Vec::new());
    for owner in 0..count {
        let base = generator.unit() * 10.0;
        for _ in 0..generator.below(5) {
            of.push(owner as f64);
            size.push(base + generator.normal());
            shape.push((generator.below(6) > 0).then_some(["round", "flat"][generator.below(2)]));
        }
        class.push(Some(if base > 5.0 { "big" } else { "small" }));
        amount.push(3.0 * base);
        own.push(generator.normal());
    }
    linked_view(
        vec![
            Attribute::new("own", Column::numeric(own)),
            Attribute::new("class", Column::nominal(class)),
            Attribute::new("amount", Column::numeric(amount)),
        ],
        ("part", of),
        vec![
            Attribute::new("size", Column::numeric(size)),
            Attribute::new("shape", Column::nominal(shape)),
        ],
    )
}

const CLASS: usize = 2;
const AMOUNT: usize = 3;

fn fit(name: &str, given: &[(&str, &str)], view: &View, target: usize) -> Result<Box<dyn Model>> {
    let registry = Registry::new();
    let entry = registry.find(name)?;
    let learner = entry.learner(&entry.settings(given)?)?;
    learner.fit(
        &Task::new(view, &[target])?,
        &Context::new().with_threads(1),
    )
}

#[test]
fn every_flat_learner_keeps_the_rules_on_flattened_tables() {
    let view = owners(40);
    let registry = Registry::new();
    for entry in registry.entries().iter().filter(|entry| entry.flat) {
        for kind in ["p1", "p2"] {
            let hidden = if entry.name == "mean" {
                (AMOUNT, CLASS)
            } else {
                (CLASS, AMOUNT)
            };
            let view = view.hiding(0, hidden.1);
            check_learner_with(entry, &[("flatten", kind)], &view, &[hidden.0]);
        }
    }
    let entry = registry.find("tree").unwrap();
    check_learner_with(entry, &[("flatten", "p1")], &view, &[CLASS, AMOUNT]);
    assert!(!registry.find("citation_knn").unwrap().flat);
}

#[test]
fn linked_columns_are_what_is_learned_from() {
    let view = owners(120).hiding(0, CLASS);
    let squares = |given: &[(&str, &str)]| {
        let model = fit("tree", given, &view, AMOUNT).unwrap();
        let predicted = model.predict(&view, &Context::new()).unwrap();
        let amounts = &view.table().attribute(AMOUNT).column;
        let errors = (0..view.len()).map(|row| {
            (predicted.targets[0].output.number(row).unwrap() - amounts.number(row).unwrap())
                .powi(2)
        });
        errors.sum::<f64>() / view.len() as f64
    };
    let alone = squares(&[]);
    for kind in ["p1", "p2"] {
        assert!(squares(&[("flatten", kind)]) < 0.6 * alone, "{kind}");
    }
}

#[test]
fn a_joined_prediction_is_the_average_over_the_rows_of_the_object() {
    let view = owners(30).hiding(0, AMOUNT).hiding(0, CLASS);
    let training = owners(30).hiding(0, CLASS);
    let model = fit(
        "tree",
        &[("flatten", "p1"), ("leaf", "2")],
        &training,
        AMOUNT,
    )
    .unwrap();
    let plan = Flattening::plan(&view, Kind::Joined, 3).unwrap();
    let flat = plan.flat(&view, 0..view.len(), 1000).unwrap();
    let registry = Registry::new();
    let entry = registry.find("tree").unwrap();
    let stored = Stored::from_bytes(bytes(&*model)).unwrap();
    let inner = (entry.load)(&stored.scope("flat")).unwrap();
    let of_rows = inner.predict(&flat.view, &Context::new()).unwrap();
    let of_objects = model.predict(&view, &Context::new()).unwrap();
    for object in 0..view.len() {
        let rows = flat.offsets[object]..flat.offsets[object + 1];
        let count = rows.len() as f64;
        let sum: f64 = rows
            .map(|row| of_rows.targets[0].output.number(row).unwrap())
            .sum();
        let found = of_objects.targets[0].output.number(object).unwrap();
        assert!((found - sum / count).abs() < 1e-9);
    }
}

#[test]
fn predictions_do_not_depend_on_how_many_rows_are_joined_at_a_time() {
    let training = owners(30).hiding(0, CLASS);
    let view = training.hiding(0, AMOUNT);
    let model = fit("knn", &[("flatten", "p1")], &training, AMOUNT).unwrap();
    let whole = model.predict(&view, &Context::new()).unwrap();
    // A limit of few rows makes portions of few objects.
    let mut sections = Sections::new();
    model.write(&mut sections).unwrap();
    let registry = Registry::new();
    let entry = registry.find("knn").unwrap();
    let stored = Stored::from_bytes(sections.to_bytes().unwrap()).unwrap();
    let model = Flattened::read(&stored, entry.load).unwrap().with_limit(5);
    assert!(model.portions(&view).len() > 5);
    let by_parts = model.predict(&view, &Context::new()).unwrap();
    assert_eq!(whole, by_parts);
}

fn predicted(model: &dyn Model, view: &View) -> Predictions {
    model.predict(view, &Context::new()).unwrap()
}

#[test]
fn rows_outside_training_and_the_target_are_not_seen() {
    // Friends know each other's wealth: the path leads back to the target's table.
    let number =
        |name: &str, numbers: &[f64]| Attribute::new(name, Column::numeric(numbers.to_vec()));
    let view = |wealth: &[f64; 6], age: &[f64; 6]| {
        let attributes = vec![
            number("id", &[0.0, 1.0, 2.0, 3.0, 4.0, 5.0]).with_role(Role::Id),
            number("friend", &[1.0, 0.0, 3.0, 2.0, 0.0, 1.0]).with_role(Role::Id),
            number("age", age),
            number("wealth", wealth),
        ];
        let person = Table::new("person", attributes).unwrap();
        let key = ForeignKey {
            name: "friend".into(),
            from: 0,
            from_columns: vec![1],
            to: 0,
            to_columns: vec![0],
        };
        let (database, _) = Database::new(vec![person], vec![key]).unwrap();
        View::new(Arc::new(database), 0).select(&[0, 1, 2, 3])
    };
    let age = [30.0, 40.0, 50.0, 60.0, 70.0, 80.0];
    let wealth = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
    for kind in ["p1", "p2"] {
        let given = [("flatten", kind), ("leaf", "1"), ("pruning", "none")];
        let model = fit("tree", &given, &view(&wealth, &age), 3).unwrap();
        assert!(!model.to_json()["columns"].to_string().contains("wealth"));
        // Other ages and amounts of those who are not in training change nothing.
        let mut other = (wealth, age);
        (other.0[4], other.0[5]) = (100.0, 200.0);
        (other.1[4], other.1[5]) = (1.0, 2.0);
        let again = fit("tree", &given, &view(&other.0, &other.1), 3).unwrap();
        assert_eq!(bytes(&*model), bytes(&*again));
        // Other amounts of those who are asked about change nothing.
        let queries = view(&wealth.map(|w| w * 7.0), &age);
        assert_eq!(
            predicted(&*model, &queries.hiding(0, 3)),
            predicted(&*model, &view(&wealth, &age).hiding(0, 3))
        );
    }
}

#[test]
fn what_a_flattened_model_says_of_itself() {
    let view = owners(60).hiding(0, CLASS);
    for kind in ["p1", "p2"] {
        let model = fit("tree", &[("flatten", kind)], &view, AMOUNT).unwrap();
        let shown = model.show();
        assert!(
            shown.starts_with(&format!("flattened ({kind}): 2 linked columns on 1 path")),
            "{shown}"
        );
        assert!(
            shown.contains("\n  part\n") && shown.contains("part.size"),
            "{shown}"
        );
        assert_eq!(model.to_json()["flatten"], kind);
        assert!(model.to_json()["model"].is_object());
        let refused = model.sql(Asked::Answers).unwrap().unwrap_err().to_string();
        assert!(refused.contains(&format!("flatten={kind}")), "{refused}");
        let drawing = model.drawing().unwrap();
        assert!(drawing.notes.iter().any(|note| note.contains(kind)));
        let asked = view.hiding(0, AMOUNT);
        let visited = model.visited(&asked, 0).unwrap().unwrap();
        assert!(
            visited
                .iter()
                .any(|&(tree, node, share)| (tree, node) == (0, 0) && (share - 1.0).abs() < 1e-9)
        );
        let several = (0..view.len()).find(|&row| {
            view.linked(0, kinwood_values::Direction::Backward, row as u32)
                .count()
                > 1
        });
        let explained = model.explain(&asked, several.unwrap(), 3).unwrap();
        match kind {
            "p1" => {
                let refused = explained.unwrap_err().to_string();
                assert!(
                    refused.contains("joined rows") && refused.contains("`flatten=p2`"),
                    "{refused}"
                );
                let single = (0..view.len()).find(|&row| {
                    view.linked(0, kinwood_values::Direction::Backward, row as u32)
                        .count()
                        < 2
                });
                assert!(model.explain(&asked, single.unwrap(), 3).unwrap().is_ok());
            }
            _ => assert!(explained.unwrap().to_text().contains("part.size")),
        }
    }
}

#[test]
fn appended_objects_are_flattened_too() {
    let view = owners(30).hiding(0, CLASS);
    let (first, rest): (Vec<u32>, Vec<u32>) = ((0..20).collect(), (20..30).collect());
    for kind in ["p1", "p2"] {
        let given = [("flatten", kind), ("k", "3")];
        let mut model = fit("knn", &given, &view.select(&first), AMOUNT).unwrap();
        let more = Task::new(&view.select(&rest), &[AMOUNT]).unwrap();
        model.append(&more).unwrap().unwrap();
        let whole = fit("knn", &given, &view, AMOUNT).unwrap();
        let asked = view.hiding(0, AMOUNT);
        assert_eq!(predicted(&*model, &asked), predicted(&*whole, &asked));
        let mut tree = fit("tree", &[("flatten", kind)], &view, AMOUNT).unwrap();
        assert!(tree.append(&more).is_none());
    }
}

#[test]
fn settings_are_checked_and_the_own_table_alone_is_no_trouble() {
    let view = owners(20).hiding(0, CLASS);
    let message =
        |given: &[(&str, &str)]| fit("tree", given, &view, AMOUNT).err().unwrap().to_string();
    assert_eq!(
        message(&[("flatten", "p3")]),
        "setting `flatten` cannot be `p3`: expected one of none, p1, p2; did you mean `p1`?"
    );
    assert!(message(&[("flatten_depth", "0")]).contains("a whole number from 1 to 32"));
    assert!(
        message(&[("flatten", "p1"), ("flatten_rows", "3")]).contains("more than flatten_rows=3")
    );
    let registry = Registry::new();
    let refused = registry
        .find("citation_knn")
        .unwrap()
        .settings(&[("flatten", "p1")]);
    assert!(
        refused
            .unwrap_err()
            .to_string()
            .contains("has no setting `flatten`")
    );
    let entry = registry.find("knn").unwrap();
    let settings = |given: &[(&str, &str)]| entry.settings(given).unwrap();
    assert!(entry.needs_other_tables(&settings(&[("flatten", "p2"), ("depth", "0")])));
    assert!(!entry.needs_other_tables(&settings(&[("depth", "0")])));
    let alone = crate::testing::mixed_view(30);
    let flat = fit("tree", &[("flatten", "p1")], &alone, crate::testing::CLASS).unwrap();
    let plain = fit("tree", &[], &alone, crate::testing::CLASS).unwrap();
    assert_eq!(predicted(&*flat, &alone), predicted(&*plain, &alone));
}

#[test]
fn a_file_whose_paths_are_not_those_of_the_data_is_refused() {
    let view = owners(20).hiding(0, CLASS);
    let model = fit("tree", &[("flatten", "p2")], &view, AMOUNT).unwrap();
    let alone = crate::testing::mixed_view(20);
    let refused = model
        .predict(&alone, &Context::new())
        .unwrap_err()
        .to_string();
    assert!(
        refused.contains("path `part` follows no key of the data"),
        "{refused}"
    );
}
