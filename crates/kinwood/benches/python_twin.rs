//! Does on demand in Rust what the Python package does: a line of JSON in, a line of JSON out, so
//! that a script can take turns between the two on the same numbers.
//! `benches/python_against_peers.py` is that script.
//!
//! `{"job": "matrix", "rows": FILE, "columns": …, "threads": 1}`: all distances between the rows of
//! raw doubles. `{"job": "knn", …, "labels": FILE, "queries": FILE, "settings": {"k": "5"}}`: any
//! learner's name, fitted on the rows and their labels (raw 64-bit numbers of classes), then asked
//! about the queries.
//!
//! The clock starts with columns in memory, which is where Rust programs have their data: what
//! Python needs to get there counts against Python.

use std::collections::HashMap;
use std::error::Error;
use std::io::{BufRead, Write, stdin, stdout};
use std::sync::Arc;
use std::time::Instant;

use kinwood::learners::{Context, Registry as Learners};
use kinwood::memory::{Tables, gather};
use kinwood::similarity::matrix::{fill_rows, mirror};
use kinwood::similarity::{Bound, Missing, Registry, RowDistance};
use kinwood::values::{Attribute, Column, Role, Table, View};
use kinwood::{Origin, Problem, Trained};
use serde_json::{Value as Json, json};

type Failure = Box<dyn Error + Send + Sync>;
type Answer = Result<Json, Failure>;

/// Tables by the files they come from, and threads by their number: both are there before the clock
/// starts.
#[derive(Default)]
struct Server {
    tables: HashMap<String, Table>,
    contexts: HashMap<usize, (Context, Arc<rayon::ThreadPool>)>,
}

fn eights(file: &str) -> Result<Vec<[u8; 8]>, Failure> {
    let bytes = std::fs::read(file)?;
    let (eights, _) = bytes.as_chunks::<8>();
    Ok(eights.to_vec())
}

impl Server {
    fn table(&mut self, rows: &str, width: usize, labels: Option<&str>) -> Result<Table, Failure> {
        let name = format!("{rows} {}", labels.unwrap_or_default());
        if let Some(known) = self.tables.get(&name) {
            return Ok(known.clone());
        }
        let numbers: Vec<f64> = eights(rows)?.into_iter().map(f64::from_le_bytes).collect();
        let mut attributes: Vec<Attribute> = (0..width)
            .map(|column| {
                let values = numbers.iter().skip(column).step_by(width).copied();
                Attribute::new(format!("x{column}"), Column::numeric(values.collect()))
            })
            .collect();
        if let Some(labels) = labels {
            // Classes are known by first appearance, as in Python: the first of two with as many
            // votes is the answer.
            let classes = eights(labels)?.into_iter().map(i64::from_le_bytes);
            let classes: Vec<String> = classes.map(|class| class.to_string()).collect();
            let column = Column::nominal(classes.iter().map(|class| Some(class.as_str())));
            attributes.push(Attribute::new("y", column).with_role(Role::Target));
        }
        let table = Table::new("rows", attributes)?;
        self.tables.insert(name, table.clone());
        Ok(table)
    }

    fn threads(&mut self, threads: usize) -> Result<(Context, Arc<rayon::ThreadPool>), Failure> {
        if let Some(known) = self.contexts.get(&threads) {
            return Ok(known.clone());
        }
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()?;
        let pool = Arc::new(pool);
        let known = (Context::new().with_pool(Arc::clone(&pool)), pool);
        self.contexts.insert(threads, known.clone());
        Ok(known)
    }

    fn answer(&mut self, asked: &Json) -> Answer {
        let text = |name: &str| asked[name].as_str().ok_or(format!("no `{name}`"));
        let width = asked["columns"].as_u64().ok_or("no `columns`")? as usize;
        let threads = asked["threads"].as_u64().unwrap_or(1) as usize;
        let (context, pool) = self.threads(threads)?;
        if text("job")? == "matrix" {
            let table = self.table(text("rows")?, width, None)?;
            return pool.install(|| matrix(table));
        }
        let known = self.table(text("rows")?, width, Some(text("labels")?))?;
        let queries = self.table(text("queries")?, width, None)?;
        let settings = asked["settings"].as_object().into_iter().flatten();
        let settings: Vec<(String, String)> = settings
            .map(|(name, value)| (name.clone(), value.as_str().unwrap_or_default().to_owned()))
            .collect();
        pool.install(|| learned(text("job")?, &settings, known, queries, &context))
    }
}

/// A table as a view of all its rows.
fn view(table: Table) -> kinwood::Result<View> {
    let given = Tables {
        source: "rows".to_owned(),
        tables: vec![table],
        all_inputs: true,
        ..Tables::default()
    };
    Ok(View::new(Arc::clone(gather(given)?.database()), 0))
}

/// All distances; each pair is computed once and stands in both its places.
fn matrix(table: Table) -> Answer {
    let begun = Instant::now();
    let rows = view(table)?;
    let declared = RowDistance {
        expression: "euclidean(absolute)".parse()?,
        missing: Missing::default(),
        depth: 1,
    };
    let fitted = declared.fit(&rows, Registry::known())?;
    let rows = fitted.rows(&rows)?;
    let Bound::Real(pairs) = fitted.bind(&rows, &rows)? else {
        return Err("the distance is no number".into());
    };
    let side = pairs.shape().0;
    let mut out = vec![0.0; side * side];
    let from_diagonal = |row: usize| row..side;
    fill_rows(&*pairs, 0..side, Some(&from_diagonal), &mut out, &|_| true)?;
    mirror(&mut out, side);
    let seconds = begun.elapsed().as_secs_f64();
    Ok(json!({"seconds": seconds, "sum": out.iter().sum::<f64>()}))
}

/// Fits and predicts.
fn learned(
    learner: &str,
    settings: &[(String, String)],
    known: Table,
    queries: Table,
    context: &Context,
) -> Answer {
    let target = known.find("y")?;
    let begun = Instant::now();
    let problem = Problem {
        view: view(known)?,
        targets: vec![target],
        rows: None,
        timing: None,
    };
    let registry = Learners::new();
    let (trained, _) = Trained::fit(
        &registry,
        learner,
        settings,
        &problem,
        &Origin::default(),
        context,
    )?;
    let fitted = begun.elapsed().as_secs_f64();
    let (conformed, _) = trained.conform(&view(queries)?)?;
    let predictions = trained.predict(&conformed, context)?;
    let seconds = begun.elapsed().as_secs_f64();
    let output = &predictions.targets[0].output;
    let classes = trained.schema().table(0).attribute(target).column.codes();
    let (_, names) = classes.ok_or("the target has no classes")?;
    let names: Vec<&str> = names.labels().collect();
    let said = (0..output.len()).filter_map(|row| output.class(row));
    let said: Vec<&str> = said.map(|class| names[class as usize]).collect();
    Ok(json!({"seconds": seconds, "fitting": fitted, "classes": said}))
}

fn main() -> Result<(), Failure> {
    let mut server = Server::default();
    for line in stdin().lock().lines() {
        let asked: Json = serde_json::from_str(&line?)?;
        let answer = server.answer(&asked);
        let answer = answer.unwrap_or_else(|error| json!({"error": error.to_string()}));
        let mut out = stdout().lock();
        writeln!(out, "{answer}")?;
        out.flush()?;
    }
    Ok(())
}
