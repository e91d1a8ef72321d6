//! Boosts made rows of 20 numbers: rows, rounds and threads are the arguments. Prints seconds and
//! the greatest memory, for `benches/boost_against_lightgbm.py`.

#![allow(clippy::print_stdout, reason = "printing the figures is its purpose")]

use std::sync::Arc;
use std::time::Instant;

use kinwood_boosting::{Boost, Stopping};
use kinwood_learning::{Context, Generator, Learner, Task};
use kinwood_values::{Attribute, Column, Database, Table, View};

fn main() {
    let mut arguments = std::env::args().skip(1).map(|text| text.parse::<usize>());
    let mut next = |default: usize| {
        arguments
            .next()
            .map_or(default, |read| read.unwrap_or(default))
    };
    let (rows, trees, threads) = (next(1_000_000), next(100), next(1));
    let mut generator = Generator::new(1, &[]);
    let mut columns: Vec<Vec<f64>> = (0..20).map(|_| Vec::with_capacity(rows)).collect();
    let mut class = Vec::with_capacity(rows);
    for _ in 0..rows {
        let own: Vec<f64> = (0..20).map(|_| generator.normal()).collect();
        let law = own[0] + own[1] * own[2] + (3.0 * own[3]).sin() + 0.5 * own[4].abs();
        class.push(Some(if law + generator.normal() > 0.0 {
            "yes"
        } else {
            "no"
        }));
        columns
            .iter_mut()
            .zip(own)
            .for_each(|(column, own)| column.push(own));
    }
    let columns = columns.into_iter().enumerate();
    let mut attributes: Vec<Attribute> = columns
        .map(|(place, column)| Attribute::new(format!("x{place}"), Column::numeric(column)))
        .collect();
    attributes.push(Attribute::new("class", Column::nominal(class)));
    let table = Table::new("made", attributes).expect("columns of one length");
    let view = View::new(Arc::new(Database::single(table).expect("no keys")), 0);
    let before = memory();
    let task = Task::new(&view, &[20]).expect("a task");
    let learner = Boost {
        trees,
        stopping: Stopping::None,
        ..Boost::default()
    };
    let context = Context::new().with_threads(threads);
    let begun = Instant::now();
    let model = learner.fit(&task, &context).expect("a model");
    let fitted = begun.elapsed();
    let peak = memory();
    let begun = Instant::now();
    let predictions = model.predict(&view, &context).expect("predictions");
    let predicted = begun.elapsed();
    let output = &predictions.targets[0].output;
    let column = &view.table().attribute(20).column;
    let right = (0..rows).filter(|&row| output.class(row) == column.code(row));
    println!(
        "fit {:.2} s, predict {:.2} s, accuracy {:.4}, memory before {before} MB, at most {peak} MB",
        fitted.as_secs_f64(),
        predicted.as_secs_f64(),
        right.count() as f64 / rows as f64
    );
}

/// The greatest memory so far, in megabytes.
fn memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let number = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
    number.unwrap_or(0) / 1024
}
