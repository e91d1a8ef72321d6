//! How long growing trees takes, on request: `cargo run --release -p kinwood-learners --example
//! tree_growth -- NAME THREADS`.
//!
//! Reads `NAME.x` (numbers, column after column, eight bytes each) and `NAME.y` (classes, four
//! bytes each). Each line of the standard input is the settings of one fit, `name=value` divided by
//! blanks; the answer is its seconds, the number of trees, the nodes of the first, the peak of the
//! memory in bytes, the reading included, and the seconds of predicting all rows, first and again.
//! `learner=NAME` takes another learner than `tree`, `fold=K` leaves out every tenth row, from row
//! K on.
#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a program to be watched"
)]

use std::collections::BTreeMap;
use std::io::BufRead;
use std::sync::Arc;
use std::time::Instant;

use kinwood_learners::{Context, Registry, Task};
use kinwood_values::{Attribute, Cells, Column, Database, Dictionary, Table, View};

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let bytes = |ending: &str| std::fs::read(format!("{}.{ending}", words[0])).unwrap();
    let codes: Vec<u32> = bytes("y")
        .chunks_exact(4)
        .map(|code| u32::from_le_bytes(code.try_into().unwrap()))
        .collect();
    let mut attributes: Vec<Attribute> = bytes("x")
        .chunks_exact(8 * codes.len())
        .enumerate()
        .map(|(place, column)| {
            let numbers = column.chunks_exact(8);
            let numbers = numbers.map(|number| f64::from_le_bytes(number.try_into().unwrap()));
            Attribute::new(format!("x{place}"), Column::numeric(numbers.collect()))
        })
        .collect();
    let classes = (0..=*codes.iter().max().unwrap()).map(|class| class.to_string());
    let dictionary = Arc::new(Dictionary::from_labels(classes));
    let target = attributes.len();
    let column = Column::new(Cells::Nominal { codes, dictionary }, None);
    attributes.push(Attribute::new("class", column));
    let database = Database::single(Table::new("rows", attributes).unwrap()).unwrap();
    let view = View::new(Arc::new(database), 0);
    let context = Context::new().with_threads(words[1].parse().unwrap());
    let registry = Registry::new();
    // Asked of a setting once: a large model as JSON leaves the memory in another state than a fit
    // finds it in.
    let mut sizes: BTreeMap<String, String> = BTreeMap::new();
    for line in std::io::stdin().lock().lines() {
        let line = line.unwrap();
        let mut given: Vec<(&str, &str)> = line
            .split_whitespace()
            .map(|word| word.split_once('=').unwrap())
            .collect();
        let said = |name: &str| given.iter().find(|word| word.0 == name).map(|word| word.1);
        let entry = registry.find(said("learner").unwrap_or("tree")).unwrap();
        let fold: Option<usize> = said("fold").map(|fold| fold.parse().unwrap());
        let kept = (0..view.len()).filter(|row| fold.is_none_or(|fold| row % 10 != fold));
        let kept: Vec<u32> = kept.map(|row| row as u32).collect();
        let task = Task::new(&view.select(&kept), &[target]).unwrap();
        given.retain(|word| !["learner", "fold"].contains(&word.0));
        let learner = (entry.build)(&entry.settings(&given).unwrap()).unwrap();
        let begun = Instant::now();
        let model = learner.fit(&task, &context).unwrap();
        let seconds = begun.elapsed().as_secs_f64();
        let trees = model.members().map_or(1, <[_]>::len);
        let memory = peak();
        let size = sizes
            .entry(line.clone())
            .or_insert_with(|| model.to_json()["size"].to_string());
        let rows = view.hiding(0, target);
        let [first, again] = [0, 1].map(|_| {
            let begun = Instant::now();
            model.predict(&rows, &context).unwrap();
            begun.elapsed().as_secs_f64()
        });
        println!("{seconds} {trees} {size} {memory} {first} {again}");
    }
}

/// The peak of the memory in bytes, where the system tells.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmHWM:"));
    let kilobytes = line.and_then(|line| line.split_whitespace().nth(1)?.parse::<u64>().ok());
    kilobytes.unwrap_or(0) * 1024
}
