//! How long growing a tree takes.
#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a program to be watched"
)]
use std::sync::Arc;
use std::time::Instant;

use kinwood_learners::Context;
use kinwood_learners::tree::columns::Inputs;
use kinwood_learners::tree::grow::{Bounds, Heuristic, depth_first};
use kinwood_learners::tree::propose::{Problem, Rules};
use kinwood_learners::tree::region::Region;
use kinwood_learners::tree::response::{Impurity, UnitClasses};
use kinwood_values::{Attribute, Column, Database, Table, View};

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let (name, depth, threads) = (
        &words[0],
        words[1].parse::<usize>().unwrap(),
        words[2].parse::<usize>().unwrap(),
    );
    let times: usize = words[3].parse().unwrap();
    let y: Vec<u32> = std::fs::read(format!("{name}.y"))
        .unwrap()
        .chunks_exact(4)
        .map(|b| u32::from_le_bytes(b.try_into().unwrap()))
        .collect();
    let x: Vec<f64> = std::fs::read(format!("{name}.x"))
        .unwrap()
        .chunks_exact(8)
        .map(|b| f64::from_le_bytes(b.try_into().unwrap()))
        .collect();
    let attributes: Vec<Attribute> = x
        .chunks_exact(y.len())
        .enumerate()
        .map(|(i, c)| Attribute::new(format!("x{i}"), Column::numeric(c.to_vec())))
        .collect();
    drop(x);
    let classes = *y.iter().max().unwrap() as usize + 1;
    let view = View::new(
        Arc::new(Database::single(Table::new("t", attributes).unwrap()).unwrap()),
        0,
    );
    let context = Context::new().with_threads(threads);
    let mut all = Vec::new();
    for _ in 0..times {
        let start = Instant::now();
        let (size, presort) = context.install(|| {
            let mut inputs = Inputs::new(&view, "tree").unwrap();
            let presort = start.elapsed();
            let response = UnitClasses::new(y.clone(), classes, Impurity::Gini);
            let lists = std::mem::take(&mut inputs.lists);
            let region = Region::new((0..y.len() as u32).collect(), None, &response);
            let problem = Problem {
                inputs,
                response,
                rules: Rules {
                    least: 1.0,
                    subsets: true,
                    middle: true,
                    banned: vec![],
                },
            };
            let mut bounds = Bounds::none(problem.inputs.all.len());
            bounds.depth = depth;
            let grown = depth_first(
                &problem,
                (region, lists),
                Heuristic::Gain,
                &bounds,
                &context,
            );
            (grown.tree.size(), presort)
        });
        all.push(start.elapsed().as_secs_f64());
        println!(
            "{size} nodes {:.4} presort {presort:?}",
            all.last().unwrap()
        );
    }
    all.sort_by(f64::total_cmp);
    println!("median {:.5}", all[all.len() / 2]);
}
