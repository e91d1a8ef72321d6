//! Ties that rounding must not decide.

use std::sync::Arc;

use kinwood_learning::context::Context;
use kinwood_learning::task::Task;
use kinwood_values::{Attribute, Column, Database, Table, View};

use super::fit;
use crate::tree::Test;

/// The rows of the case in which `{v1, v5}` is as good as `{v1, v4, v5}`: both leave
/// 7 log 7 - 3 log 3 - 8 bits, by way of other counts.
const ROWS: [(&str, &str); 10] = [
    ("v3", "c2"),
    ("v1", "c2"),
    ("v4", "c2"),
    ("v2", "c2"),
    ("v0", "c2"),
    ("v4", "c2"),
    ("v4", "c3"),
    ("v5", "c3"),
    ("v1", "c3"),
    ("v4", "c2"),
];

/// The test at the root of a tree over these columns of labels, the class behind them.
fn root(columns: &[(&str, Vec<&str>)]) -> Test {
    let nominal = |labels: &[&str]| Column::nominal(labels.iter().map(|&label| Some(label)));
    let mut attributes: Vec<Attribute> = columns
        .iter()
        .map(|(name, labels)| Attribute::new(*name, nominal(labels)))
        .collect();
    attributes.push(Attribute::new("c", nominal(&ROWS.map(|row| row.1))));
    let table = Table::new("rows", attributes).unwrap();
    let view = View::new(Arc::new(Database::single(table).unwrap()), 0);
    let task = Task::new(&view, &[columns.len()]).unwrap();
    let given = [("heuristic", "gain"), ("pruning", "none")];
    let model = fit(&task, &given, &Context::new()).unwrap();
    let root = model.trees()[0].tree.nodes()[0].split.clone();
    root.expect("something divides the rows").test
}

#[test]
fn a_subset_grows_no_further_than_it_gains() {
    let test = root(&[("a", ROWS.map(|row| row.0).to_vec())]);
    // Labels have the order in which they occur: v1 is the second, v5 the last.
    let values = vec![1, 5];
    assert_eq!(test, Test::Among { column: 0, values });
}

#[test]
fn of_equally_good_columns_the_first_wins() {
    let among = |labels: &[&str]| -> Vec<&'static str> {
        let side = |row: (&str, &str)| match labels.contains(&row.0) {
            true => "in",
            false => "out",
        };
        ROWS.map(side).to_vec()
    };
    let few = ("few", among(&["v1", "v5"]));
    let more = ("more", among(&["v1", "v4", "v5"]));
    assert_eq!(root(&[few.clone(), more.clone()]).column(), 0);
    assert_eq!(root(&[more, few]).column(), 0);
}
