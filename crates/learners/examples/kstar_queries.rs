//! How long K* takes to answer: `cargo run --release -p kinwood-learners --example kstar_queries -- ROWS COLUMNS QUERIES THREADS [NAME=VALUE ...]`.
//!
//! Rows are drawn anew from two shifted clouds, numbers rounded to `digits` decimals (2 unless `digits=N` is said).
#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a program to be watched"
)]

use std::sync::Arc;
use std::time::Instant;

use kinwood_learners::{Context, Generator, Registry, Task};
use kinwood_values::{Attribute, Column, Database, Table, View};

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize| words[at].parse::<usize>().unwrap();
    let (rows, columns, queries, threads) = (number(0), number(1), number(2), number(3));
    let mut given: Vec<(&str, &str)> = words[4..]
        .iter()
        .map(|word| word.split_once('=').unwrap())
        .collect();
    let digits = given.iter().position(|(name, _)| *name == "digits");
    let digits: i32 = digits.map_or(2, |at| given.remove(at).1.parse().unwrap());
    let mut generator = Generator::new(1, &[]);
    let unit = 10f64.powi(digits);
    let all = rows + queries;
    let mut attributes: Vec<Attribute> = (0..columns)
        .map(|column| {
            let cell = |row: usize| {
                let cloud = f64::from(u8::from(row.is_multiple_of(2))) * 0.5;
                ((generator.normal() + cloud) * unit).round() / unit
            };
            let numbers: Vec<f64> = (0..all).map(cell).collect();
            Attribute::new(format!("x{column}"), Column::numeric(numbers))
        })
        .collect();
    let labels = (0..all).map(|row| Some(["even", "odd"][row % 2]));
    attributes.push(Attribute::new("class", Column::nominal(labels)));
    let database = Database::single(Table::new("clouds", attributes).unwrap()).unwrap();
    let view = View::new(Arc::new(database), 0);
    let stored: Vec<u32> = (0..rows as u32).collect();
    let asked: Vec<u32> = (rows as u32..all as u32).collect();
    let registry = Registry::new();
    let entry = registry.find("kstar").unwrap();
    let learner = (entry.build)(&entry.settings(&given).unwrap()).unwrap();
    let context = Context::new().with_threads(threads);
    let begun = Instant::now();
    let task = Task::new(&view.select(&stored), &[columns]).unwrap();
    let model = learner.fit(&task, &context).unwrap();
    println!(
        "stored {rows} rows of {columns} attributes in {:.3} s",
        begun.elapsed().as_secs_f64()
    );
    let begun = Instant::now();
    let predictions = model
        .predict(&view.hiding(0, columns).select(&asked), &context)
        .unwrap();
    let seconds = begun.elapsed().as_secs_f64();
    let output = &predictions.targets[0].output;
    let right = asked
        .iter()
        .enumerate()
        .filter(|(place, row)| output.class(*place) == Some(*row % 2))
        .count();
    println!("answered {queries} queries in {seconds:.3} s, {right} of them rightly");
}
