//! Relational trees as SQL: SQLite and PostgreSQL answer as the model does, object by object.

use std::fmt::Write;
use std::sync::Arc;

use crate::support::{Server, skipped};
use kinwood_learners::sql::{Asked, identifier, text};
use kinwood_learners::{Context, Generator, Model, Registry, Task};
use kinwood_values::{
    Attribute, Column, Database, ForeignKey, Role, Table, TableTime, Type, Value, View, conform,
};
use kinwood_workbench::memory::Tables;
use kinwood_workbench::time::TimeChoices;
use kinwood_workbench::{Choices, Origin, Trained};

const ACTIVITY: usize = 2;
const ACTIVE: usize = 3;

/// Molecules of atoms of bonds, which two keys lead to, and the maker of some: values and keys are
/// missing here and there.
fn database(molecules: usize, seed: u64) -> View {
    let mut generator = Generator::new(seed, &[molecules as u64]);
    let labels = ["c", "it's", "n", "7"];
    let mut atoms: [Vec<f64>; 3] = Default::default();
    let mut elements = Vec::new();
    let mut bonds: [Vec<f64>; 4] = Default::default();
    let mut kinds = Vec::new();
    let mut own: [Vec<f64>; 3] = Default::default();
    let mut active = Vec::new();
    for molecule in 0..molecules {
        let (mut lowest, mut double) = (9.0f64, 0);
        let first = atoms[0].len();
        for _ in 0..generator.below(6) {
            atoms[0].push(atoms[0].len() as f64 + 100.0);
            atoms[1].push(molecule as f64);
            let charge = (generator.normal() * 4.0).round() / 4.0;
            lowest = lowest.min(charge);
            atoms[2].push(if generator.below(9) == 0 {
                f64::NAN
            } else {
                charge
            });
            elements.push((generator.below(8) > 0).then(|| labels[generator.below(4)]));
        }
        let count = atoms[0].len() - first;
        for _ in 0..if count > 1 { generator.below(6) } else { 0 } {
            let end = |generator: &mut Generator| atoms[0][first + generator.below(count)];
            bonds[0].push(bonds[0].len() as f64);
            bonds[1].push(end(&mut generator));
            bonds[2].push(if generator.below(7) == 0 {
                f64::NAN
            } else {
                end(&mut generator)
            });
            bonds[3].push(generator.normal());
            let kind = ["single", "double"][generator.below(2)];
            double += usize::from(kind == "double");
            kinds.push((generator.below(9) > 0).then_some(kind));
        }
        let logp = generator.normal();
        own[0].push(if generator.below(9) == 0 {
            f64::NAN
        } else {
            logp
        });
        own[1].push(logp + 2.0 * lowest.min(3.0) + double as f64 + 0.1 * generator.normal());
        own[2].push(if generator.below(5) == 0 {
            f64::NAN
        } else {
            generator.below(4) as f64
        });
        active.push(Some(if lowest < -0.5 && double > 0 {
            "yes"
        } else {
            "no"
        }));
    }
    let ids = (0..molecules).map(|row| row as f64).collect();
    let id = |name: &str, values: Vec<f64>| {
        Attribute::new(name, Column::numeric(values)).with_role(Role::Id)
    };
    let number =
        |name: &str, values: &[f64]| Attribute::new(name, Column::numeric(values.to_vec()));
    let molecule = vec![
        id("id", ids),
        number("log\"p", &own[0]),
        number("activity", &own[1]),
        Attribute::new("active", Column::nominal(active)),
        id("maker", own[2].clone()),
    ];
    let atom = vec![
        id("id", atoms[0].clone()),
        id("molecule", atoms[1].clone()),
        number("charge", &atoms[2]),
        Attribute::new("element", Column::nominal(elements)),
    ];
    let bond = vec![
        id("id", bonds[0].clone()),
        id("atom1", bonds[1].clone()),
        id("atom2", bonds[2].clone()),
        number("length", &bonds[3]),
        Attribute::new("kind", Column::nominal(kinds)),
    ];
    let maker = vec![
        id("id", vec![0.0, 1.0, 2.0, 3.0]),
        number("age", &[3.0, 1.0, f64::NAN, 8.0]),
    ];
    let tables = [
        ("molecule", molecule),
        ("atom", atom),
        ("select", bond),
        ("maker", maker),
    ];
    let tables = tables.map(|(name, attributes)| {
        let mut table = Table::new(name, attributes).unwrap();
        table.set_key(Some(vec![0]));
        table
    });
    let key = |name: &str, from: usize, column: usize, to: usize| ForeignKey {
        name: name.to_owned(),
        from,
        from_columns: vec![column],
        to,
        to_columns: vec![0],
        describes: None,
    };
    let keys = vec![
        key("atoms", 1, 1, 0),
        key("first", 2, 1, 1),
        key("second", 2, 2, 1),
        key("made", 0, 4, 3),
    ];
    let (database, _) = Database::new(tables.to_vec(), keys).unwrap();
    View::new(Arc::new(database), 0)
}

/// The tables as statements; indexes on keys let queries be quick.
fn statements(view: &View) -> String {
    let mut sql = String::new();
    for table in view.database().tables() {
        let attributes = table.attributes();
        let columns = attributes.iter().map(|attribute| {
            let of = if attribute.column.codes().is_some() {
                "text"
            } else {
                "double precision"
            };
            format!("{} {of}", identifier(&attribute.name))
        });
        let name = identifier(table.name());
        let columns: Vec<String> = columns.collect();
        let _ = writeln!(sql, "CREATE TABLE {name} ({});", columns.join(", "));
        for row in 0..table.rows() {
            let values = attributes
                .iter()
                .map(|attribute| match attribute.column.number(row) {
                    Some(number) => number.to_string(),
                    None if !attribute.column.is_present(row) => "NULL".to_owned(),
                    None => text(&attribute.column.value(row).to_string()).unwrap(),
                });
            let _ = writeln!(
                sql,
                "INSERT INTO {name} VALUES ({});",
                values.collect::<Vec<_>>().join(", ")
            );
        }
    }
    sql + "CREATE INDEX a ON atom (molecule); CREATE INDEX b ON \"select\" (atom1); CREATE INDEX c ON \"select\" (atom2);"
}

#[derive(Clone, Debug, PartialEq)]
enum Said {
    Label(String),
    Number(f64),
}

trait Engine {
    /// Creates a view, asks for all of it in the order of the objects, and drops it.
    fn ask(&mut self, view: &str) -> Vec<Vec<Said>>;
}

const QUERY: &str = "SELECT * FROM \"the view\" ORDER BY id";

impl Engine for rusqlite::Connection {
    fn ask(&mut self, view: &str) -> Vec<Vec<Said>> {
        use rusqlite::types::Value;
        self.execute_batch(view)
            .unwrap_or_else(|error| panic!("{error}\n{view}"));
        let mut statement = self
            .prepare(QUERY)
            .unwrap_or_else(|error| panic!("{error}\n{view}"));
        let columns = statement.column_count();
        let said = |value: Value| match value {
            Value::Text(label) => Said::Label(label),
            Value::Real(number) => Said::Number(number),
            other => panic!("neither label nor number: {other:?}"),
        };
        let rows = statement.query_map([], |row| {
            (1..columns).map(|at| row.get(at).map(said)).collect()
        });
        let rows = rows.unwrap().map(Result::unwrap).collect();
        drop(statement);
        self.execute_batch("DROP VIEW \"the view\"").unwrap();
        rows
    }
}

impl Engine for postgres::Client {
    fn ask(&mut self, view: &str) -> Vec<Vec<Said>> {
        self.batch_execute(view)
            .unwrap_or_else(|error| panic!("{error:?}\n{view}"));
        let rows = self
            .query(QUERY, &[])
            .unwrap_or_else(|error| panic!("{error:?}\n{view}"));
        self.batch_execute("DROP VIEW \"the view\"").unwrap();
        let said = |row: &postgres::Row, at: usize| match row.try_get::<_, String>(at) {
            Ok(label) => Said::Label(label),
            Err(_) => Said::Number(row.get(at)),
        };
        let row = |row: &postgres::Row| (1..row.len()).map(|at| said(row, at)).collect();
        rows.iter().map(row).collect()
    }
}

fn fitted(view: &View, targets: &[usize], settings: &[(&str, &str)]) -> Box<dyn Model> {
    let registry = Registry::new();
    let entry = registry.find("mirt").unwrap();
    let settings: Vec<(String, String)> = settings
        .iter()
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
        .collect();
    let task = Task::new(view, targets).unwrap();
    let learner = entry.learner(&entry.settings(&settings).unwrap()).unwrap();
    learner.fit(&task, &Context::new()).unwrap()
}

/// Settings that between them make every kind of test and variable.
const SETTINGS: &[&[(&str, &str)]] = &[
    &[],
    &[
        ("at_least", "true"),
        ("counts", "true"),
        ("every", "true"),
        ("aggregates", "true"),
        ("objects", "5"),
    ],
    &[
        ("leaf_labels", "true"),
        ("leaf_aggregates", "true"),
        ("clip", "true"),
        ("keys", "3"),
        ("objects", "6"),
    ],
    &[("preset", "best")],
    &[("leaf_model", "smoti")],
    &[
        ("preset", "best"),
        ("pruning", "none"),
        ("smoothing", "0"),
        ("objects", "8"),
    ],
    &[("smoothing", "15"), ("objects", "12")],
    &[("counts", "true"), ("combined", "false"), ("objects", "4")],
];

/// The engine says of every object what the model says.
fn agrees(engine: &mut dyn Engine, training: &View, asked: &View) {
    // Codes of labels are those of training, whatever the order in which others meet them.
    let (conformed, _) = conform(&training.database().schema(), asked.database()).unwrap();
    let asked = &View::new(Arc::new(conformed), 0);
    for settings in SETTINGS {
        for (targets, shares) in [
            (&[ACTIVITY][..], false),
            (&[ACTIVE], true),
            (&[ACTIVITY, ACTIVE], true),
        ] {
            if settings.contains(&("leaf_model", "smoti")) && targets != [ACTIVITY] {
                // It is made for a single number.
                continue;
            }
            let hidden = hidden_but(training, targets);
            let model = fitted(&hidden, targets, settings);
            let way = if shares {
                Asked::Shares
            } else {
                Asked::Answers
            };
            let view = model.view("the view", way, None).unwrap().unwrap();
            let hidden = [ACTIVITY, ACTIVE]
                .iter()
                .fold(asked.clone(), |view, &target| view.hiding(0, target));
            let predictions = model.predict(&hidden, &Context::new()).unwrap();
            let told = engine.ask(&view);
            assert_eq!(told.len(), asked.len());
            for (row, told) in told.iter().enumerate() {
                let mut expected = Vec::new();
                for target in &predictions.targets {
                    match (target.output.kind().as_classes(), &target.output) {
                        (Some(classes), _) => {
                            let class = target.output.class(row).unwrap();
                            expected.push(Said::Label(classes.label(class).to_owned()));
                            expected.extend(
                                target
                                    .output
                                    .row(row)
                                    .iter()
                                    .map(|&share| Said::Number(share)),
                            );
                        }
                        (None, output) => expected.push(Said::Number(output.number(row).unwrap())),
                    }
                }
                let same = told.len() == expected.len()
                    && told.iter().zip(&expected).all(|pair| match pair {
                        (Said::Number(a), Said::Number(b)) => {
                            (a - b).abs() <= 1e-9 * (1.0 + b.abs())
                        }
                        (a, b) => a == b,
                    });
                assert!(
                    same,
                    "{settings:?}, object {row}: {told:?} is not {expected:?}\n{}\n{view}",
                    model.show()
                );
            }
        }
    }
}

/// The view without the targets that are not asked for.
fn hidden_but(view: &View, targets: &[usize]) -> View {
    [ACTIVITY, ACTIVE]
        .iter()
        .filter(|column| !targets.contains(column))
        .fold(view.clone(), |view, &target| view.hiding(0, target))
}

#[test]
fn sqlite_says_what_the_model_says() {
    for seed in 0..4 {
        let asked = database(90, 100 + seed);
        let mut connection = rusqlite::Connection::open_in_memory().unwrap();
        connection.execute_batch(&statements(&asked)).unwrap();
        agrees(&mut connection, &database(80, seed), &asked);
    }
}

#[test]
fn postgresql_says_what_the_model_says() {
    if skipped() {
        return;
    }
    let server = Server::start(false);
    let asked = database(90, 100);
    let url = server.database("relational", &statements(&asked));
    let url = format!("{url}?sslmode=disable");
    let mut client = postgres::Client::connect(&url, postgres::NoTls).unwrap();
    // Compiling expressions that are asked for once takes longer than working them out.
    client.batch_execute("SET jit = off; ANALYZE").unwrap();
    agrees(&mut client, &database(80, 0), &asked);
}

#[test]
fn what_cannot_be_written_is_said() {
    let view = database(60, 5);
    let set = fitted(
        &hidden_but(&view, &[ACTIVITY]),
        &[ACTIVITY],
        &[("search", "beam"), ("width", "3"), ("combine", "average")],
    );
    let count = set.members().map_or(1, <[_]>::len);
    assert!(count > 1);
    assert_eq!(
        set.view("v", Asked::Answers, None)
            .unwrap()
            .unwrap_err()
            .to_string(),
        format!(
            "the model cannot be written as SQL: {count} trees answer together and only one can be written: choose it"
        )
    );
    assert!(
        set.members().unwrap()[1]
            .view("v", Asked::Answers, None)
            .unwrap()
            .is_ok()
    );
}

/// Objects of parts that are named by strings, which are equal or not.
fn named_parts(distance: &str) -> View {
    let names = ["oak", "l'ash", "elm"];
    let mut active = Vec::new();
    let (mut of, mut parts) = (Vec::new(), Vec::new());
    let mut generator = Generator::new(9, &[]);
    for object in 0..60 {
        let drawn: Vec<usize> = (0..1 + generator.below(3))
            .map(|_| generator.below(4))
            .collect();
        active.push(Some(if drawn.contains(&1) { "yes" } else { "no" }));
        for part in drawn {
            of.push(f64::from(object));
            let name = names.get(part).map(|name| Value::Text((*name).to_owned()));
            parts.push(name.unwrap_or(Value::Missing));
        }
    }
    let ids = |name: &str, values: Vec<f64>| {
        Attribute::new(name, Column::numeric(values)).with_role(Role::Id)
    };
    let object = vec![
        ids("id", (0..60).map(f64::from).collect()),
        Attribute::new("active", Column::nominal(active)),
    ];
    let mut name = Attribute::new("name", Column::from_values(&Type::String, &parts).unwrap());
    name.distance = Some(distance.to_owned());
    let mut objects = Table::new("object", object).unwrap();
    objects.set_key(Some(vec![0]));
    let parts = Table::new("part", vec![ids("of", of), name]).unwrap();
    let key = ForeignKey {
        name: "of".to_owned(),
        from: 1,
        from_columns: vec![0],
        to: 0,
        to_columns: vec![0],
        describes: None,
    };
    let (database, _) = Database::new(vec![objects, parts], vec![key]).unwrap();
    View::new(Arc::new(database), 0)
}

#[test]
fn strings_that_are_equal_or_not_are_written() {
    let view = named_parts("discrete");
    let given = [("objects", "2"), ("structured", "prototypes")];
    let model = fitted(&view, &[1], &given);
    assert!(model.show().contains("within 0 of"), "{}", model.show());
    let mut connection = rusqlite::Connection::open_in_memory().unwrap();
    let mut sql = String::from(
        "CREATE TABLE object (id real, active text); CREATE TABLE part (\"of\" real, name text);\n",
    );
    for table in view.database().tables() {
        let literal = |value: Value| match value {
            Value::Missing => "NULL".to_owned(),
            Value::Number(number) => number.to_string(),
            value => text(&value.to_string()).unwrap(),
        };
        for row in 0..table.rows() {
            let attributes = table.attributes().iter();
            let values: Vec<String> = attributes.map(|of| literal(of.column.value(row))).collect();
            let _ = writeln!(
                sql,
                "INSERT INTO {} VALUES ({});",
                table.name(),
                values.join(", ")
            );
        }
    }
    connection.execute_batch(&sql).unwrap();
    let told = connection.ask(
        &model
            .view("the view", Asked::Answers, None)
            .unwrap()
            .unwrap(),
    );
    let predictions = model.predict(&view.hiding(0, 1), &Context::new()).unwrap();
    let output = &predictions.targets[0].output;
    let classes = output.kind().as_classes().unwrap();
    for (row, told) in told.iter().enumerate() {
        let class = classes.label(output.class(row).unwrap()).to_owned();
        assert_eq!(*told, [Said::Label(class)], "object {row}");
    }
    let model = fitted(&named_parts("edit"), &[1], &given);
    assert_eq!(
        model
            .view("v", Asked::Answers, None)
            .unwrap()
            .unwrap_err()
            .to_string(),
        "the model cannot be written as SQL: it compares `name` with prototypes, and `edit` cannot be computed in SQL"
    );
}

/// Customers' questions, orders and contracts with times, numbers or dates.
fn timed(dates: bool, seed: u64) -> Database {
    let mut generator = Generator::new(seed, &[9]);
    let time = |days: Vec<f64>| match dates {
        false => Column::numeric(days),
        true => {
            let dates: Vec<Value> = days
                .iter()
                .map(|day| match day.is_nan() {
                    true => Value::Missing,
                    false => Value::DateTime((day * 86_400_000.0) as i64),
                })
                .collect();
            Column::from_values(&Type::DateTime, &dates).unwrap()
        }
    };
    let ids = |name: &str, values: Vec<f64>| {
        Attribute::new(name, Column::numeric(values)).with_role(Role::Id)
    };
    let ignored =
        |name: &str, values: Vec<f64>| Attribute::new(name, time(values)).with_role(Role::Ignore);
    let customers = 14;
    let (mut who, mut when, mut answer) = (vec![], vec![], vec![]);
    let mut orders: [Vec<f64>; 3] = Default::default();
    let mut contracts: [Vec<f64>; 4] = Default::default();
    for customer in 0..customers {
        let mut mood = generator.below(3) as f64;
        for day in (10..100).step_by(15) {
            mood = (mood + generator.below(3) as f64 - 1.0).clamp(0.0, 3.0);
            who.push(f64::from(customer));
            when.push(f64::from(day));
            answer.push((generator.below(9) > 0).then_some(if mood > 1.0 { "yes" } else { "no" }));
            for _ in 0..mood as usize {
                orders[0].push(f64::from(customer));
                let at = f64::from(day) - generator.below(12) as f64;
                orders[1].push(if generator.below(10) == 0 {
                    f64::NAN
                } else {
                    at
                });
                orders[2].push((generator.normal() * 4.0).round() / 2.0 + mood);
            }
        }
        for _ in 0..generator.below(3) {
            let begin = generator.below(80) as f64;
            contracts[0].push(f64::from(customer));
            contracts[1].push(begin);
            contracts[2].push(match generator.below(2) {
                0 => f64::NAN,
                _ => begin + 25.0,
            });
            contracts[3].push(generator.below(5) as f64);
        }
    }
    let rows = who.len();
    let question = vec![
        ids("id", (0..rows).map(|row| row as f64).collect()),
        ids("customer", who),
        Attribute::new("day", time(when)),
        Attribute::new("active", Column::nominal(answer)),
    ];
    let customer = vec![ids("id", (0..customers).map(f64::from).collect())];
    let [of, day, amount] = orders;
    let orders = vec![
        ids("customer", of),
        ignored("day", day),
        Attribute::new("amount", Column::numeric(amount)),
    ];
    let [of, begin, end, rate] = contracts;
    let contract = vec![
        ids("customer", of),
        ignored("since", begin),
        ignored("until", end),
        Attribute::new("rate", Column::numeric(rate)),
    ];
    let mut tables = vec![
        Table::new("question", question).unwrap(),
        Table::new("customer", customer).unwrap(),
        Table::new("orders", orders).unwrap(),
        Table::new("contract", contract).unwrap(),
    ];
    tables[0].set_key(Some(vec![0]));
    tables[1].set_key(Some(vec![0]));
    tables[2].set_time(Some(TableTime::Instant { column: 1 }));
    tables[3].set_time(Some(TableTime::Valid { from: 1, to: 2 }));
    let key = |name: &str, from: usize, column: usize| ForeignKey {
        name: name.to_owned(),
        from,
        from_columns: vec![column],
        to: 1,
        to_columns: vec![0],
        describes: None,
    };
    let keys = vec![
        key("asked", 0, 1),
        key("ordered", 2, 0),
        key("signed", 3, 0),
    ];
    Database::new(tables, keys).unwrap().0
}

/// The engine says of every question what the model says of it, however rows are seen.
fn agrees_in_time(run: &mut dyn FnMut(&str, &str) -> Vec<Vec<Said>>) {
    let seeing = |as_of: &str, gap: f64, window: Option<f64>, horizon: Option<f64>| TimeChoices {
        as_of: Some(as_of.to_owned()),
        gap: Some(gap),
        window,
        horizon,
        freeze: None,
    };
    let settings: [&[(&str, &str)]; 2] = [
        &[
            ("counts", "true"),
            ("aggregates", "true"),
            ("every", "true"),
            ("objects", "3"),
            ("pruning", "none"),
        ],
        &[("keys", "3"), ("objects", "4"), ("pruning", "none")],
    ];
    for dates in [false, true] {
        let at = if dates { "1970-02-20" } else { "50" };
        let ways = [
            seeing("day", 0.0, None, None),
            seeing("day", 3.0, Some(40.0), None),
            seeing("day", 0.0, None, Some(20.0)),
            seeing("day", 2.0, Some(60.0), Some(10.0)),
            seeing(at, 0.0, None, None),
            seeing(at, 5.0, Some(30.0), None),
        ];
        for (number, way) in ways.into_iter().enumerate() {
            let database = timed(dates, 3 + number as u64);
            let source = kinwood_workbench::memory::gather(Tables {
                tables: database.tables().to_vec(),
                keys: Some(database.foreign_keys().to_vec()),
                ..Tables::default()
            });
            let source = source.unwrap();
            let choices = Choices {
                targets: vec!["question.active".to_owned()],
                time: way,
                ..Choices::default()
            };
            let (problem, _) = source.problem(&choices).unwrap();
            for given in settings {
                let given: Vec<(String, String)> = given
                    .iter()
                    .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
                    .collect();
                let (registry, context) = (Registry::new(), Context::new());
                let origin = Origin::default();
                let fitted = Trained::fit(&registry, "mirt", &given, &problem, &origin, &context);
                let trained = fitted.unwrap().0;
                // A tree that tests the day itself cannot be written: see `Gap::Moment`.
                let Ok(Some(view)) = trained.view("the view", Asked::Answers) else {
                    assert!(dates && number > 3);
                    continue;
                };
                let all = source.view(0, None).unwrap();
                let (rows, _) = trained.conform(&all).unwrap();
                let predictions = trained.predict(&rows, &context).unwrap();
                let told = run(&timed_statements(&database), &view);
                assert_eq!(told.len(), rows.len());
                for (row, told) in told.iter().enumerate() {
                    let output = &predictions.targets[0].output;
                    let class = output.class(row).unwrap();
                    let label = output.kind().as_classes().unwrap().label(class).to_owned();
                    let shown = trained.model().show();
                    assert_eq!(
                        told,
                        &[Said::Label(label)],
                        "{number}, {given:?}, row {row}\n{shown}\n{view}"
                    );
                }
            }
        }
    }
}

/// The tables with dates as SQLite has them from us.
fn timed_statements(database: &Database) -> String {
    let view = View::new(Arc::new(database.clone()), 0);
    let mut sql = statements(&view);
    sql.truncate(sql.rfind("CREATE INDEX a").unwrap_or(sql.len()));
    for table in database.tables() {
        for attribute in table.attributes() {
            if attribute.type_of() == Type::DateTime {
                let (from, to) = (
                    format!("{} double precision", identifier(&attribute.name)),
                    format!("{} timestamp", identifier(&attribute.name)),
                );
                sql = sql.replace(&from, &to);
            }
        }
    }
    sql
}

#[test]
fn sqlite_sees_what_was_known_as_the_model_does() {
    agrees_in_time(&mut |statements, view| {
        let mut connection = rusqlite::Connection::open_in_memory().unwrap();
        connection.execute_batch(statements).unwrap();
        connection.ask(view)
    });
}

#[test]
fn postgresql_sees_what_was_known_as_the_model_does() {
    if skipped() {
        return;
    }
    let server = Server::start(false);
    let mut number = 0;
    agrees_in_time(&mut |statements, view| {
        number += 1;
        let url = server.database(&format!("seen{number}"), statements);
        let url = format!("{url}?sslmode=disable");
        let mut client = postgres::Client::connect(&url, postgres::NoTls).unwrap();
        client.batch_execute("SET jit = off; ANALYZE").unwrap();
        client.ask(view)
    });
}
