//! Times measures on demand: a line of JSON in, a line of JSON out, so that a script can take turns
//! between Kinwood and its peers on the same values. `benches/similarity_against_peers.py` is that
//! script.
//!
//! A matrix: `{"expression": …, "type": …, "file": …, "threads": 1}`, the file a JSON array of
//! values; all pairs are computed, binding included, with `"half": true` each once. With
//! `"nearest": K` the K nearest others of each value are found instead. An assignment:
//! `{"assignment": FILE, "rows": …, "columns": …}`, the file raw doubles.

use std::collections::HashMap;
use std::error::Error;
use std::io::{BufRead, Write, stdin, stdout};
use std::time::Instant;

use kinwood_similarity::algorithms::assignment::Solver;
use kinwood_similarity::matrix::{Condensed, fill_rows};
use kinwood_similarity::{Bound, Expression, Gram, Laws, Pairs, Registry, Row, nearest};
use kinwood_values::{Column, Type, Value};
use serde_json::{Value as Json, json};

type Answer = Result<Json, Box<dyn Error>>;

/// A kernel's matrix is filled like that of a distance.
struct AsPairs(std::sync::Arc<dyn Gram>);

impl Pairs<f64> for AsPairs {
    fn shape(&self) -> (usize, usize) {
        self.0.shape()
    }

    fn laws(&self) -> Laws {
        Laws::NONE
    }

    fn prepare(&self, query: usize) -> Box<dyn Row<f64> + '_> {
        self.0.prepare(query)
    }
}

#[derive(Default)]
struct Server {
    columns: HashMap<String, Column>,
}

impl Server {
    fn column(&mut self, file: &str, of: &Type) -> Result<&Column, Box<dyn Error>> {
        if !self.columns.contains_key(file) {
            let values: Vec<Json> = serde_json::from_slice(&std::fs::read(file)?)?;
            let values = values
                .iter()
                .map(|json| Value::from_json(of, json))
                .collect::<Result<Vec<Value>, _>>()?;
            self.columns
                .insert(file.to_owned(), Column::from_values(of, &values)?);
        }
        Ok(&self.columns[file])
    }

    fn matrix(&mut self, asked: &Json) -> Answer {
        let text = |name: &str| asked[name].as_str().ok_or(format!("no `{name}`"));
        let of: Type = text("type")?.parse()?;
        let expression: Expression = text("expression")?.parse()?;
        let threads = asked["threads"].as_u64().unwrap_or(1) as usize;
        let column = self.column(text("file")?, &of)?;
        let registry = Registry::builtin();
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()?;
        let kernel = registry
            .find(&expression.name)
            .is_some_and(|entry| entry.is_kernel());
        let begun = Instant::now();
        let pairs: std::sync::Arc<dyn Pairs<f64>> = if kernel {
            let kernel = registry.kernel(&expression, &of, Some(column), "the values")?;
            std::sync::Arc::new(AsPairs(kernel.bind(column, column)?))
        } else {
            let distance = registry.distance(&expression, &of, Some(column), "the values")?;
            match distance.bind(column, column)? {
                Bound::Real(pairs) => pairs,
                Bound::Term(_) => return Err("pairs cannot be timed".into()),
            }
        };
        let count = column.len();
        if let Some(wanted) = asked["nearest"].as_u64() {
            let sum: f64 = pool.install(|| {
                let found = |query: usize| nearest(&*pairs.prepare(query), count, wanted as usize);
                let each = (0..count).flat_map(found);
                each.map(|neighbour| neighbour.distance).sum()
            });
            return Ok(json!({"seconds": begun.elapsed().as_secs_f64(), "sum": sum}));
        }
        if asked["half"].as_bool() == Some(true) {
            let half = pool.install(|| Condensed::of(&*pairs, &|_| true))?;
            let seconds = begun.elapsed().as_secs_f64();
            return Ok(json!({"seconds": seconds, "sum": half.distances().iter().sum::<f64>()}));
        }
        let mut out = vec![0.0; count * count];
        pool.install(|| fill_rows(&*pairs, 0..count, None, &mut out, &|_| true))?;
        let seconds = begun.elapsed().as_secs_f64();
        Ok(json!({"seconds": seconds, "sum": out.iter().sum::<f64>()}))
    }

    fn assignment(asked: &Json) -> Answer {
        let size = |name: &str| asked[name].as_u64().map(|size| size as usize);
        let (rows, columns) = (
            size("rows").ok_or("no rows")?,
            size("columns").ok_or("no columns")?,
        );
        let bytes = std::fs::read(asked["assignment"].as_str().unwrap_or_default())?;
        let costs: Vec<f64> = bytes
            .chunks_exact(8)
            .map(|bytes| f64::from_le_bytes(bytes.try_into().unwrap_or_default()))
            .collect();
        let mut solver = Solver::default();
        let begun = Instant::now();
        let total = solver.solve(&costs, rows, columns).total;
        Ok(json!({"seconds": begun.elapsed().as_secs_f64(), "sum": total}))
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut server = Server::default();
    for line in stdin().lock().lines() {
        let asked: Json = serde_json::from_str(&line?)?;
        let answer = if asked["assignment"].is_string() {
            Server::assignment(&asked)
        } else {
            server.matrix(&asked)
        };
        let answer = answer.unwrap_or_else(|error| json!({"error": error.to_string()}));
        let mut out = stdout().lock();
        writeln!(out, "{answer}")?;
        out.flush()?;
    }
    Ok(())
}
