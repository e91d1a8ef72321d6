//! A small table with a number that an input tells, a class and a season.

use std::sync::Arc;

use kinwood_learners::{Learner, Registry};
use kinwood_values::{Attribute, Column, Database, Table, Type, Value, View};

/// The column of the number.
pub const NUMBER: usize = 1;
/// The column of the class.
pub const CLASS: usize = 2;
/// The column of the season.
pub const SEASON: usize = 3;

/// Forty rows, ten a season.
pub fn view() -> View {
    let labels = |label: fn(usize) -> &'static str| {
        let values: Vec<Value> = (0..40)
            .map(|row| Value::Symbol(label(row).to_owned()))
            .collect();
        Column::from_values(&Type::Nominal, &values).unwrap()
    };
    let x: Vec<f64> = (0..40).map(|row| f64::from(row % 10)).collect();
    let y: Vec<f64> = x.iter().map(|x| 2.0 * x + 1.0).collect();
    let class = labels(|row| if row % 10 < 5 { "low" } else { "high" });
    let season = labels(|row| ["spring", "summer", "autumn", "winter"][row / 10]);
    let attributes = vec![
        Attribute::new("x", Column::numeric(x)),
        Attribute::new("y", Column::numeric(y)),
        Attribute::new("class", class),
        Attribute::new("season", season),
    ];
    let table = Table::new("rows", attributes).unwrap();
    View::new(Arc::new(Database::single(table).unwrap()), 0)
}

/// A learner by its name.
pub fn learner(name: &str) -> Box<dyn Learner> {
    let registry = Registry::new();
    let entry = registry.find(name).unwrap();
    entry
        .learner(&entry.settings(&[] as &[(&str, &str)]).unwrap())
        .unwrap()
}
