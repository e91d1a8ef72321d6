//! Tests on what values contain, as SQL: SQLite and PostgreSQL answer as the model does.

use std::fmt::Write as _;
use std::sync::Arc;

use crate::support::{Server, skipped};
use crate::tree_sql::{Engine, Postgres, Said, Sqlite, expected, query};
use kinwood_learners::sql::{Asked, identifier, text};
use kinwood_learners::{Context, Generator, Model, Registry, Task};
use kinwood_values::{Attribute, Column, Database, Role, Table, Type, Value, View};

/// Labels of which one is in another, and that quote.
const LABELS: [&str; 7] = ["tofu", "to", "fu", "it's", "a b", "x,y", "[1]"];
const CLASS: usize = 3;

/// Baskets and codes of which some are missing or empty; whoever buys `to` or has `zx` in the code
/// is one of two.
fn view(rows: usize, seed: u64) -> View {
    let mut random = Generator::new(seed, &[1]);
    let of: Type = "set<nominal>".parse().unwrap();
    let (mut baskets, mut codes) = (Column::empty(&of), Column::empty(&Type::String));
    let mut classes = Vec::new();
    for _ in 0..rows {
        let basket: Vec<&str> = LABELS
            .into_iter()
            .filter(|_| random.below(3) == 0)
            .collect();
        let mut code: String = (0..random.below(6))
            .map(|_| ['z', 'y', 'x', 'Z', '\''][random.below(5)])
            .collect();
        if random.below(4) == 0 {
            code.push_str("zx");
        }
        let lawful = basket.contains(&"to") || code.contains("zx");
        classes.push(Some(if lawful { "it's" } else { "no" }));
        match random.below(9) {
            0 => baskets.push_missing(),
            _ => {
                let members = basket.iter().map(|&label| Value::Symbol(label.to_owned()));
                baskets.push(&Value::set(members.collect())).unwrap();
            }
        }
        match random.below(9) {
            0 => codes.push_missing(),
            _ => codes.push(&Value::Text(code)).unwrap(),
        }
    }
    let places = Column::numeric((0..rows).map(|row| row as f64).collect());
    let attributes = vec![
        Attribute::new("place", places).with_role(Role::Id),
        Attribute::new("basket", baskets),
        Attribute::new("code", codes),
        Attribute::new("class", Column::nominal(classes)),
    ];
    let mut table = Table::new("t", attributes).unwrap();
    table.set_key(Some(vec![0]));
    View::new(Arc::new(Database::single(table).unwrap()), 0)
}

/// The table in SQL; baskets are JSON in a column of this type.
fn statements(view: &View, json: &str) -> String {
    let mut sql =
        format!("CREATE TABLE t (place integer PRIMARY KEY, basket {json}, code text);\n");
    for row in 0..view.len() {
        let value = |column: usize| match view.table().attribute(column).column.value(row) {
            Value::Missing => "NULL".to_owned(),
            Value::Text(code) => text(&code).unwrap(),
            // Every other basket without blanks.
            value => {
                let json = value.to_json().to_string();
                let blanks = json.replace("\",\"", "\", \"");
                text(if row % 2 == 0 { &json } else { &blanks }).unwrap()
            }
        };
        let (basket, code) = (value(1), value(2));
        let _ = writeln!(sql, "INSERT INTO t VALUES ({row}, {basket}, {code});");
    }
    sql
}

fn fitted(learner: &str, given: &[(&str, &str)]) -> Box<dyn Model> {
    let training = view(300, 4);
    let registry = Registry::new();
    let entry = registry.find(learner).unwrap();
    let learner = entry.learner(&entry.settings(given).unwrap()).unwrap();
    let task = Task::new(&training, &[CLASS]).unwrap();
    learner.fit(&task, &Context::new()).unwrap()
}

/// The engine says what trees say, bit by bit.
fn agrees(engine: &mut dyn Engine, asked: &View) {
    for given in [
        &[("structured", "members"), ("pruning", "none")][..],
        &[("structured", "members"), ("missing", "largest")],
        &[
            ("structured", "members"),
            ("search", "best_first"),
            ("size", "7"),
        ],
    ] {
        let model = fitted("tree", given);
        let shown = model.show();
        assert!(shown.contains("basket contains"), "{shown}");
        assert!(shown.contains("code contains \"zx\""), "{shown}");
        for (kind, shares) in [(Asked::Answers, false), (Asked::Shares, true)] {
            let sql = model.sql(kind).unwrap().unwrap();
            let said = engine.ask(&query(&sql));
            assert_eq!(said, expected(&*model, asked, shares), "{given:?}\n{shown}");
        }
    }
}

/// The engine says what relational trees say; `ask` runs statements and then a query.
fn relational_agrees(ask: &mut dyn FnMut(&str, &str) -> Vec<Vec<Said>>, asked: &View) {
    let model = fitted("mirt", &[("prototypes", "0")]);
    let shown = model.show();
    assert!(shown.contains("basket contains"), "{shown}");
    let view = model.view("v", Asked::Answers, None).unwrap().unwrap();
    let named = fitted("tree", &[("structured", "members")]);
    let class = identifier(&named.sql(Asked::Answers).unwrap().unwrap()[0].name);
    let said = ask(&view, &format!("SELECT {class} FROM v ORDER BY place"));
    assert_eq!(said, expected(&*model, asked, false), "{shown}");
}

#[test]
fn sqlite_finds_what_values_contain() {
    let asked = view(200, 5);
    let connection = rusqlite::Connection::open_in_memory().unwrap();
    connection
        .execute_batch(&statements(&asked, "text"))
        .unwrap();
    let mut engine = Sqlite(connection);
    agrees(&mut engine, &asked);
    let mut ask = |statements: &str, query: &str| {
        engine.0.execute_batch(statements).unwrap();
        engine.ask(query)
    };
    relational_agrees(&mut ask, &asked);
}

#[test]
fn postgresql_finds_what_values_contain() {
    if skipped() {
        return;
    }
    let server = Server::start(false);
    let asked = view(200, 5);
    for json in ["text", "jsonb"] {
        let url = server.database(&format!("contents_{json}"), &statements(&asked, json));
        let url = format!("{url}?sslmode=disable");
        let client = postgres::Client::connect(&url, postgres::NoTls).unwrap();
        let mut engine = Postgres(client);
        agrees(&mut engine, &asked);
        let mut ask = |statements: &str, query: &str| {
            engine.0.batch_execute(statements).unwrap();
            engine.ask(query)
        };
        relational_agrees(&mut ask, &asked);
    }
}
