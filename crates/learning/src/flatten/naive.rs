//! Flat tables as nested loops over key values find them: slow, short, and what the fast ones are
//! held to.

use std::sync::Arc;

use kinwood_values::{Attribute, Column, Database, ForeignKey, Role, Table, Value, View};
use proptest::prelude::*;

use super::join;
use super::plan::{Flattening, Kind};
use crate::random::Generator;

/// The column of the first table of [`random_view`] that is to be predicted.
const TARGET: usize = 4;

/// A few small tables whose foreign keys go anywhere: back, in circles, to the same table, to rows
/// that are not there, by one column or two. Some of the rows of the first are the view, its target
/// hidden.
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
            describes: None,
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

/// The rows that a key leads to, by comparing values; rows of the first table only if they are in
/// the view.
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

/// The values of the flat table beside those of the objects' own, one left outer join after the
/// other.
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

pub(super) fn alike(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => (a - b).abs() < 1e-9,
        (a, b) => a == b,
    }
}

/// Checks the flat tables of a view against nested loops; joins of very many rows are left to the
/// limit. Whether joined, too.
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

kinwood_testing::soak! { 300;
    fn soak_flat_tables_are_what_nested_loops_find(seed in any::<u64>(), depth in 1usize..4) {
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
