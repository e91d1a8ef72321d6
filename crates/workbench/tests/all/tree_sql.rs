//! Trees and model trees as SQL: SQLite and PostgreSQL answer as the model does, to the last bit.

use std::sync::Arc;

use crate::support::{Server, skipped};
use kinwood_learners::sql::{Asked, Expression, identifier};
use kinwood_learners::testing::random_trees;
use kinwood_learners::tree::{Combine, TreeModel};
use kinwood_learners::{Context, Generator, Model, Registry, Task};
use kinwood_values::{Attribute, Column, Database, Table, View};

const NAMES: [&str; 4] = ["sel\"ect", "x'y; --", "Größe", "group"];
const CLASS: usize = 4;
const NUMBER: usize = 5;
/// Labels that quote, look like others, or are nothing; the last is one that training has never
/// seen.
const LABELS: [&str; 6] = ["it's", "\"", "", "a\\b", "NULL", "new"];

/// Two columns of numbers, two of labels, a class and a number; `unseen` says whether labels may be
/// new.
pub fn view(rows: usize, unseen: bool, seed: u64) -> View {
    let mut generator = Generator::new(seed, &[rows as u64]);
    let nasty = [
        0.1 + 0.2,
        1.0 / 3.0,
        1e-300,
        -1e300 / 7.0,
        5e-324,
        123_456_789.123_456_79,
        2.0,
        -0.0,
    ];
    let number = |generator: &mut Generator| match generator.below(5) {
        0 => f64::NAN,
        1 => nasty[generator.below(nasty.len())],
        2 => generator.below(5) as f64,
        _ => generator.normal(),
    };
    let numbers: Vec<Vec<f64>> = (0..2)
        .map(|_| (0..rows).map(|_| number(&mut generator)).collect())
        .collect();
    let known = LABELS.len() - usize::from(!unseen);
    let mut labels = |known: usize| -> Vec<Option<&'static str>> {
        let drawn = (0..rows).map(|row| match row {
            // All labels in the same order, so that codes mean the same in every view.
            row if row < known => Some(LABELS[row]),
            _ => (generator.below(5) > 0).then(|| LABELS[generator.below(known)]),
        });
        drawn.collect()
    };
    let (first, second) = (labels(known), labels(known));
    let classes = ["yes", "it's", "no"];
    let class = (0..rows).map(|row| Some(classes[row % 3]));
    let attributes = vec![
        Attribute::new(NAMES[0], Column::numeric(numbers[0].clone())),
        Attribute::new(NAMES[1], Column::numeric(numbers[1].clone())),
        Attribute::new(NAMES[2], Column::nominal(first)),
        Attribute::new(NAMES[3], Column::nominal(second)),
        Attribute::new("class", Column::nominal(class)),
        Attribute::new("amount", Column::numeric(vec![1.0; rows])),
    ];
    let table = Table::new("t", attributes).unwrap();
    View::new(Arc::new(Database::single(table).unwrap()), 0)
}

/// What databases and models say of a row and a target.
#[derive(Clone, Debug, PartialEq)]
pub enum Said {
    Nothing,
    Label(String),
    Number(f64),
}

/// What the model says, in the order of its expressions.
pub fn expected(model: &dyn Model, rows: &View, shares: bool) -> Vec<Vec<Said>> {
    let predictions = model.predict(rows, &Context::new()).unwrap();
    let said = |row: usize| {
        let mut said = Vec::new();
        for target in &predictions.targets {
            match (target.output.kind().as_classes(), &target.output) {
                (Some(classes), _) => {
                    let class = target.output.class(row).unwrap();
                    said.push(Said::Label(classes.label(class).to_owned()));
                    if shares {
                        said.extend(
                            target
                                .output
                                .row(row)
                                .iter()
                                .map(|&share| Said::Number(share)),
                        );
                    }
                }
                (None, output) => said.push(Said::Number(output.number(row).unwrap())),
            }
        }
        said
    };
    (0..rows.len()).map(said).collect()
}

pub fn query(expressions: &[Expression]) -> String {
    let listed: Vec<String> = expressions
        .iter()
        .map(|one| format!("{} AS {}", one.sql, identifier(&one.name)))
        .collect();
    format!("SELECT {} FROM t ORDER BY place", listed.join(", "))
}

fn create(numbers: &str) -> String {
    let [a, b, c, d] = NAMES.map(identifier);
    format!("CREATE TABLE t (place integer, {a} {numbers}, {b} {numbers}, {c} text, {d} text)")
}

struct Row {
    numbers: [Option<f64>; 2],
    labels: [Option<String>; 2],
}

fn rows(view: &View) -> Vec<Row> {
    let column = |at: usize| &view.table().attribute(at).column;
    let label = |at: usize, row: usize| {
        let present = column(at).is_present(row);
        present.then(|| column(at).value(row).to_string())
    };
    (0..view.len())
        .map(|row| Row {
            numbers: [0, 1].map(|at| column(at).number(row)),
            labels: [2, 3].map(|at| label(at, row)),
        })
        .collect()
}

pub trait Engine {
    fn ask(&mut self, query: &str) -> Vec<Vec<Said>>;
}

pub struct Sqlite(pub rusqlite::Connection);

impl Sqlite {
    pub fn new(view: &View) -> Self {
        let connection = rusqlite::Connection::open_in_memory().unwrap();
        // The SQLite that is linked here is built without mathematics, others are with it.
        let flags = rusqlite::functions::FunctionFlags::SQLITE_UTF8;
        connection
            .create_scalar_function("exp", 1, flags, |call| Ok(call.get::<f64>(0)?.exp()))
            .unwrap();
        connection.execute(&create("real"), []).unwrap();
        for (place, row) in rows(view).into_iter().enumerate() {
            let [a, b] = row.numbers;
            let [c, d] = row.labels;
            let insert = "INSERT INTO t VALUES (?, ?, ?, ?, ?)";
            connection
                .execute(insert, rusqlite::params![place as i64, a, b, c, d])
                .unwrap();
        }
        Self(connection)
    }
}

impl Engine for Sqlite {
    fn ask(&mut self, query: &str) -> Vec<Vec<Said>> {
        use rusqlite::types::Value;
        let mut statement = self.0.prepare(query).unwrap();
        let columns = statement.column_count();
        let said = |value: Value| match value {
            Value::Null => Said::Nothing,
            Value::Text(label) => Said::Label(label),
            Value::Real(number) => Said::Number(number),
            other => panic!("neither label nor number: {other:?}"),
        };
        let rows = statement.query_map([], |row| {
            (0..columns).map(|at| row.get(at).map(said)).collect()
        });
        rows.unwrap().map(Result::unwrap).collect()
    }
}

pub struct Postgres(pub postgres::Client);

impl Postgres {
    pub fn new(server: &Server, name: &str, view: &View) -> Self {
        let url = server.database(name, &create("double precision"));
        let url = format!("{url}?sslmode=disable");
        let mut client = postgres::Client::connect(&url, postgres::NoTls).unwrap();
        for (place, row) in rows(view).into_iter().enumerate() {
            let [a, b] = row.numbers;
            let [c, d] = row.labels;
            // What is not a number stands for what is missing, here and there.
            let a = a.or((place % 2 == 0).then_some(f64::NAN));
            let insert = "INSERT INTO t VALUES ($1, $2, $3, $4, $5)";
            client
                .execute(insert, &[&(place as i32), &a, &b, &c, &d])
                .unwrap();
        }
        Self(client)
    }
}

impl Engine for Postgres {
    fn ask(&mut self, query: &str) -> Vec<Vec<Said>> {
        let rows = self.0.query(query, &[]).unwrap_or_else(|error| {
            panic!("{error:?}");
        });
        let said = |row: &postgres::Row, at: usize| {
            if let Ok(label) = row.try_get::<_, Option<String>>(at) {
                return label.map_or(Said::Nothing, Said::Label);
            }
            let number: Option<f64> = row.get(at);
            number.map_or(Said::Nothing, Said::Number)
        };
        let row = |row: &postgres::Row| (0..row.len()).map(|at| said(row, at)).collect();
        rows.iter().map(row).collect()
    }
}

/// Trees of all sizes: the engine says what the model says, bit by bit, and nothing where that is
/// asked.
fn agrees(engine: &mut dyn Engine, asked: &View) {
    let training = view(60, false, 11);
    let mut mixed = 0;
    for seed in 0..40 {
        let nodes = [1, 3, 7, 25, 61][seed as usize % 5];
        let model = random_trees(&training, &[CLASS, NUMBER], 1, nodes, Combine::Best, seed);
        let sql = |asked: Asked| model.sql(asked).unwrap().unwrap();
        assert_eq!(
            engine.ask(&query(&sql(Asked::Answers))),
            expected(&model, asked, false),
            "tree {seed} of {nodes} nodes:\n{}",
            model.show()
        );
        assert_eq!(
            engine.ask(&query(&sql(Asked::Shares))),
            expected(&model, asked, true),
            "shares of tree {seed} of {nodes} nodes"
        );
        let known = engine.ask(&query(&sql(Asked::Known)));
        for (known, said) in known.iter().zip(expected(&model, asked, false)) {
            let silent = known.iter().all(|one| *one == Said::Nothing);
            assert!(silent || *known == said, "tree {seed}: {known:?} {said:?}");
            mixed += usize::from(silent);
        }
    }
    assert!(mixed > 500, "values are missing: {mixed}");
}

/// A number to predict that depends on all columns, as far as they can be multiplied.
pub fn modelled(view: &View) -> View {
    let mut attributes = view.table().attributes().to_vec();
    let number = |at: usize, row: usize| {
        let number = attributes[at].column.number(row).unwrap_or(0.0);
        if number.abs() < 1e3 { number } else { 0.0 }
    };
    let code = |at: usize, row: usize| f64::from(attributes[at].column.code(row).unwrap_or(2));
    let rows = 0..view.len();
    let numbers: [Vec<f64>; 2] = [0, 1].map(|at| rows.clone().map(|row| number(at, row)).collect());
    let target = rows.map(|row| {
        let (a, b) = (numbers[0][row], numbers[1][row]);
        let jump = if a > 0.4 { 20.0 - 3.0 * b } else { b };
        a + jump + code(2, row) * (1.0 + a) - 2.0 * code(3, row)
    });
    let target = Column::numeric(target.collect());
    for (at, numbers) in numbers.into_iter().enumerate() {
        attributes[at] = Attribute::new(NAMES[at], Column::numeric(numbers));
    }
    attributes[NUMBER] = Attribute::new("amount", target);
    let table = Table::new("t", attributes).unwrap();
    View::new(Arc::new(Database::single(table).unwrap()), 0).hiding(0, CLASS)
}

/// Model trees of all kinds: the engine says what the model says, bit by bit, and nothing where
/// that is asked.
fn formulas_agree(engine: &mut dyn Engine, asked: &View) {
    let training = modelled(&view(120, false, 13));
    let registry = Registry::new();
    let entry = registry.find("m5").unwrap();
    for given in [
        &[][..],
        &[("pruning", "false")],
        &[("smoothing", "false"), ("leaf", "20")],
        &[("constant", "true")],
        &[("leaf", "1000")],
    ] {
        let learner = (entry.build)(&entry.settings(given).unwrap()).unwrap();
        let task = Task::new(&training, &[NUMBER]).unwrap();
        let model = learner.fit(&task, &Context::new()).unwrap();
        let sql = |asked: Asked| model.sql(asked).unwrap().unwrap();
        let said = expected(&*model, asked, false);
        for kind in [Asked::Answers, Asked::Shares] {
            assert_eq!(
                engine.ask(&query(&sql(kind))),
                said,
                "{given:?}:\n{}",
                model.show()
            );
        }
        let known = engine.ask(&query(&sql(Asked::Known)));
        let silent = known.iter().filter(|one| one[0] == Said::Nothing).count();
        assert!(
            silent > 20 || given == [("leaf", "1000")],
            "{given:?}: {silent}"
        );
        for (known, said) in known.iter().zip(&said) {
            assert!(known[0] == Said::Nothing || known == said, "{given:?}");
        }
    }
}

#[test]
fn sqlite_says_what_the_model_says() {
    let asked = view(150, true, 12);
    agrees(&mut Sqlite::new(&asked), &asked);
    formulas_agree(&mut Sqlite::new(&asked), &asked);
}

#[test]
fn postgresql_says_what_the_model_says() {
    if skipped() {
        return;
    }
    let server = Server::start(false);
    let asked = view(150, true, 12);
    agrees(&mut Postgres::new(&server, "trees", &asked), &asked);
    formulas_agree(&mut Postgres::new(&server, "formulas", &asked), &asked);
    largest(&mut Postgres::new(&server, "large", &asked), &asked);
}

/// The largest tree that is mixed is not too large.
fn largest(engine: &mut dyn Engine, asked: &View) {
    let training = view(60, false, 11);
    let model = random_trees(&training, &[CLASS, NUMBER], 1, 1599, Combine::Best, 3);
    let sql = model.sql(Asked::Answers).unwrap().unwrap();
    assert_eq!(engine.ask(&query(&sql)), expected(&model, asked, false));
}

#[test]
fn sqlite_takes_the_largest_tree() {
    let asked = view(40, true, 12);
    largest(&mut Sqlite::new(&asked), &asked);
}

#[test]
fn what_cannot_be_written_is_said() {
    let training = view(60, false, 11);
    let refused = |model: &TreeModel| {
        let error = model.sql(Asked::Answers).unwrap().unwrap_err();
        error.to_string()
    };
    let large = random_trees(&training, &[CLASS], 1, 1601, Combine::Best, 3);
    assert_eq!(
        refused(&large),
        "the model cannot be written as SQL: it has 801 leaves, and databases take 800 where rows with missing values \
         are to be answered; a tree fitted with a `size` is smaller"
    );
    assert!(large.sql(Asked::Known).unwrap().is_ok());
    let set = random_trees(&training, &[CLASS], 4, 7, Combine::Vote, 3);
    assert_eq!(
        refused(&set),
        "the model cannot be written as SQL: 4 trees answer together and only one can be written: choose it"
    );
    let member = &set.members().unwrap()[2];
    assert!(member.sql(Asked::Answers).unwrap().is_ok());
}
