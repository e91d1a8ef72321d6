//! Tests by prototypes and tests of times as SQL: SQLite and PostgreSQL answer as the model does,
//! row by row.

use std::fmt::Write;
use std::sync::Arc;

use crate::support::{Server, skipped};
use crate::tree_sql::{Engine, Postgres, Said, Sqlite, expected, query};
use kinwood_learners::sql::{Asked, identifier, text};
use kinwood_learners::{Context, Generator, Model, Registry, Task};
use kinwood_similarity::entry::Takes;
use kinwood_similarity::sql::Operand;
use kinwood_similarity::{Distance, Laws, Registry as Measures};
use kinwood_values::{
    Attribute, Column, Database, ForeignKey, Role, Table, Type, Value, View, datetime, sql,
};

const CLASS: usize = 6;
const AMOUNT: usize = 7;
/// The last label is one that training has never seen.
const LABELS: [&str; 4] = ["it's", "b", "", "new"];
const WORDS: [&str; 4] = ["oak", "l'ash", "", "elm"];

/// Numbers with many ties, labels, times, dates and strings, some of each missing; a class and a
/// number that depend on them.
fn view(rows: usize, unseen: bool, seed: u64) -> View {
    let mut generator = Generator::new(seed, &[rows as u64]);
    let mut columns: [Vec<Value>; 8] = Default::default();
    let known = LABELS.len() - usize::from(!unseen);
    for row in 0..rows {
        let mut there = |value: Value| match generator.below(8) {
            // All labels come first, so that codes mean the same in every view.
            0 if row >= known => Value::Missing,
            _ => value,
        };
        let mut draw = Generator::new(seed, &[rows as u64, row as u64]);
        let few = draw.below(7) as f64 / 3.0 - 1.0;
        let many = draw.normal() * 1e3;
        let label = if row < known { row } else { draw.below(known) };
        let time = (draw.below(4_000_000) as i64 - 1_000_000) * 1_234_567 + 89;
        let day = (draw.below(9) as i64 - 4) * 86_400_000 * 100;
        let word = WORDS[draw.below(if unseen { 4 } else { 3 })];
        let class = usize::from(few > 0.4) + usize::from(label == 1 || day > 0);
        let class = if draw.below(6) == 0 {
            draw.below(3)
        } else {
            class
        };
        let values = [
            there(Value::Number(few)),
            there(Value::Number(many)),
            there(Value::Symbol(LABELS[label].to_owned())),
            there(Value::DateTime(time)),
            there(Value::DateTime(day)),
            there(Value::Text(word.to_owned())),
            Value::Symbol(["yes", "no", "it's"][if row < 3 { row } else { class }].to_owned()),
            Value::Number(few + class as f64 + many / 1e3 + word.len() as f64),
        ];
        columns
            .iter_mut()
            .zip(values)
            .for_each(|(column, value)| column.push(value));
    }
    let of = [
        ("f ew", Type::Numeric),
        ("many", Type::Numeric),
        ("la\"bel", Type::Nominal),
        ("time", Type::DateTime),
        ("day", Type::DateTime),
        ("v0", Type::String),
        ("class", Type::Nominal),
        ("amount", Type::Numeric),
    ];
    let attributes = of.iter().zip(&columns).map(|((name, of), values)| {
        Attribute::new(*name, Column::from_values(of, values).unwrap())
    });
    let table = Table::new("t", attributes.collect()).unwrap();
    View::new(Arc::new(Database::single(table).unwrap()), 0)
}

/// A time in one of the spellings that data have.
fn spelled(instant: i64, way: usize) -> String {
    let utc = datetime::print(instant);
    match way % 3 {
        0 => utc,
        // East of Greenwich clocks show more.
        1 => {
            let there = datetime::print(instant + 5_400_000);
            match there.split_once('T') {
                Some((day, time)) => format!("{day} {}+01:30", time.trim_end_matches('Z')),
                None => format!("{there} 00:00:00+0130"),
            }
        }
        _ => {
            let there = datetime::print(instant - 3_600_000 * 11);
            match there.split_once('T') {
                Some((day, time)) => format!("{day}T{}-11", time.trim_end_matches('Z')),
                None => format!("{there}T00:00-11:00"),
            }
        }
    }
}

/// The table as statements, with times of that type.
fn statements(view: &View, times: [&str; 2]) -> String {
    let attributes = view.table().attributes();
    let types = [
        "double precision",
        "double precision",
        "text",
        times[0],
        times[1],
        "text",
    ];
    let columns = attributes.iter().zip(types);
    let columns: Vec<String> = columns
        .map(|(attribute, of)| format!("{} {of}", identifier(&attribute.name)))
        .collect();
    let mut sql = format!("CREATE TABLE t (place integer, {});\n", columns.join(", "));
    for row in 0..view.len() {
        let values =
            attributes[..CLASS]
                .iter()
                .map(|attribute| match attribute.column.value(row) {
                    Value::Missing => "NULL".to_owned(),
                    Value::Number(number) => number.to_string(),
                    Value::DateTime(instant) => match attribute.name == "day" {
                        true => text(&datetime::print(instant)).unwrap(),
                        false => text(&spelled(instant, row)).unwrap(),
                    },
                    value => text(&value.to_string()).unwrap(),
                });
        let values: Vec<String> = values.collect();
        let _ = writeln!(sql, "INSERT INTO t VALUES ({row}, {});", values.join(", "));
    }
    sql
}

fn sqlite(view: &View) -> Sqlite {
    let connection = rusqlite::Connection::open_in_memory().unwrap();
    connection
        .execute_batch(&statements(view, ["timestamp", "date"]))
        .unwrap();
    Sqlite(connection)
}

fn postgres(server: &Server, name: &str, view: &View) -> Postgres {
    let url = server.database(name, &statements(view, ["timestamptz", "date"]));
    let url = format!("{url}?sslmode=disable");
    let mut client = postgres::Client::connect(&url, postgres::NoTls).unwrap();
    // Times are shown as they are somewhere else.
    client
        .batch_execute("SET TimeZone = 'Asia/Kathmandu'")
        .unwrap();
    Postgres(client)
}

fn fitted(
    learner: &str,
    given: &[(&str, &str)],
    view: &View,
    targets: &[usize],
) -> kinwood_learners::Result<Box<dyn Model>> {
    let hidden = [CLASS, AMOUNT]
        .into_iter()
        .filter(|target| !targets.contains(target) && view.table().attributes().len() > AMOUNT);
    let view = hidden.fold(view.clone(), |view, target| view.hiding(0, target));
    let registry = Registry::new();
    let entry = registry.find(learner).unwrap();
    let learner = entry.learner(&entry.settings(given).unwrap())?;
    learner.fit(&Task::new(&view, targets)?, &Context::new())
}

const EACH: &str = "mean('f ew': scaled(absolute), many: discrete, 'la\"bel': discrete, time: scaled(absolute), day: discrete, v0: discrete)";

/// An expression over all columns, in which `X` stands for their distances.
fn over(around: &str) -> String {
    let named = |name: &str| format!("'{name}'");
    let columns = [
        ("f ew", "absolute(range=train) * 2"),
        ("many", "absolute(range=500)"),
        ("la\"bel", "discrete * 0.3"),
        ("time", "absolute(range=train)"),
        ("day", "absolute"),
        ("v0", "discrete"),
    ];
    let each = columns.map(|(name, distance)| format!("{}: {distance}", named(name)));
    around.replace('X', &each.join(", "))
}

/// Every kind of test by prototypes.
fn settings() -> Vec<(&'static str, Vec<(&'static str, String)>)> {
    let all = |distance: &str| over(distance);
    let rows = |distance: &str| over(distance);
    let mut each = vec![
        ("dbdt", vec![("distance", all("mean(X)"))]),
        (
            "dbdt",
            vec![
                ("distance", all("mean(X)")),
                ("prototypes", "all".into()),
                ("missing", "divide".into()),
            ],
        ),
        (
            "dbdt",
            vec![
                ("distance", all("mean(X)")),
                ("attraction", "density".into()),
                ("prototypes", "3".into()),
            ],
        ),
        (
            "dbdt",
            vec![
                ("distance", all("mean(X)")),
                ("boundary", "best".into()),
                ("depth", "4".into()),
            ],
        ),
        (
            "dbdt",
            vec![
                ("distance", EACH.into()),
                ("missing", "divide".into()),
                ("leaf", "3".into()),
            ],
        ),
        (
            "dbdt",
            vec![
                ("distance", EACH.into()),
                ("attraction", "density".into()),
                ("prototypes", "all".into()),
            ],
        ),
        ("tree", vec![("distance", "mean(v0: discrete)".into())]),
        (
            "tree",
            vec![
                ("distance", "mean(v0: discrete)".into()),
                ("pruning", "none".into()),
            ],
        ),
    ];
    for policy in ["own", "max", "skip"] {
        for around in [
            "scaled(mean(X)",
            "scaled(euclidean(X)",
            "scaled(rms(X)",
            "scaled(sum(X)",
        ] {
            let distance = rows(&format!("{around}, missing={policy})"));
            each.push((
                "dbdt",
                vec![("distance", distance.clone()), ("depth", "3".into())],
            ));
            if policy == "skip" {
                each.push((
                    "dbdt",
                    vec![
                        ("distance", distance),
                        ("attraction", "density".into()),
                        ("prototypes", "3".into()),
                        ("depth", "3".into()),
                    ],
                ));
            }
        }
    }
    each
}

/// Settings of trees that test by prototypes wherever they can, grown to the end: tests of the
/// calendar have no SQL, and there is nothing to write of a tree that is cut back to its root.
fn by_prototypes<'a>(learner: &str, mut given: Vec<(&'a str, &'a str)>) -> Vec<(&'a str, &'a str)> {
    given.push(("structured", "prototypes"));
    if learner == "dbdt" && given.iter().all(|(name, _)| *name != "pruning") {
        given.push(("pruning", "none"));
    }
    given
}

/// The engine says of every row what the model says.
fn agrees(engine: &mut dyn Engine, asked: &View, seeds: u64) {
    let (mut branched, mut silent) = (0, 0);
    for seed in 0..seeds {
        let training = view(70, false, 100 + seed);
        for (learner, given) in settings() {
            let given = given.iter().map(|(name, value)| (*name, value.as_str()));
            let given = by_prototypes(learner, given.collect());
            for targets in [&[CLASS][..], &[AMOUNT], &[CLASS, AMOUNT]] {
                let model = fitted(learner, &given, &training, targets).unwrap();
                let sql = |asked: Asked| {
                    let written = model.sql(asked).unwrap();
                    query(&written.unwrap_or_else(|error| panic!("{given:?}: {error}")))
                };
                let told = engine.ask(&sql(Asked::Shares));
                let said = expected(&*model, asked, true);
                for (row, (told, said)) in told.iter().zip(&said).enumerate() {
                    assert_eq!(
                        told,
                        said,
                        "row {row}, {learner} {given:?}:\n{}",
                        model.show()
                    );
                }
                let known = engine.ask(&sql(Asked::Known));
                for (known, said) in known.iter().zip(expected(&*model, asked, false)) {
                    let nothing = known.iter().all(|one| *one == Said::Nothing);
                    assert!(nothing || *known == said, "{given:?}: {known:?} {said:?}");
                    silent += usize::from(nothing);
                }
                branched += usize::from(model.to_json()["trees"][0]["root"]["branches"].is_array());
            }
        }
    }
    assert!(branched as u64 > seeds * 50, "{branched} models have tests");
    assert!(silent as u64 > seeds * 100, "values are missing: {silent}");
}

#[test]
fn sqlite_finds_the_nearest_prototype_of_the_model() {
    let asked = view(120, true, 7);
    agrees(&mut sqlite(&asked), &asked, 3);
}

#[test]
fn postgresql_finds_the_nearest_prototype_of_the_model() {
    if skipped() {
        return;
    }
    let server = Server::start(false);
    let asked = view(120, true, 7);
    agrees(&mut postgres(&server, "prototypes", &asked), &asked, 1);
    let mut engine = postgres(&server, "times", &asked);
    times(&mut engine, &["timestamptz"]);
}

/// Times read from their text are those that data are read as.
fn times(engine: &mut dyn Engine, types: &[&str]) {
    let mut generator = Generator::new(5, &[]);
    let edges = [
        0,
        -1,
        951_782_400_000,
        951_868_799_999,
        -62_135_596_800_000,
        253_402_214_399_999,
    ];
    let drawn = (0..200).map(|_| (generator.below(1 << 40) as i64 - (1 << 39)) * 97);
    let instants: Vec<i64> = edges.into_iter().chain(drawn).collect();
    for of in types {
        for (way, chunk) in instants.chunks(50).enumerate() {
            let columns = chunk.iter().enumerate().map(|(place, &instant)| {
                // No offset leads out of the four digits of a year.
                let way = if instant.abs() > 1 << 45 {
                    0
                } else {
                    way + place
                };
                // Without an offset a time is that of the session.
                let time = spelled(instant, way);
                let time = match time.len() {
                    10 => format!("{time}T00:00Z"),
                    _ => time,
                };
                let time = text(&time).unwrap();
                format!(
                    "{} AS a{place}",
                    sql::moment(&format!("CAST({time} AS {of})"))
                )
            });
            let columns: Vec<String> = columns.collect();
            let told = engine.ask(&format!("SELECT {}", columns.join(", ")));
            let expected: Vec<Said> = chunk
                .iter()
                .map(|&instant| Said::Number(instant as f64))
                .collect();
            assert_eq!(told, [expected], "{of}");
        }
    }
}

#[test]
fn times_are_read_from_their_text() {
    let mut engine = sqlite(&view(3, false, 1));
    times(&mut engine, &["text"]);
    let odd = [
        "'today'",
        "NULL",
        "'12024-05-01'",
        "'0044-03-15 BC'",
        "12.5",
    ];
    let odd = odd.map(|text| format!("{} IS NULL", sql::moment(text)));
    let query = format!("SELECT CASE WHEN {} THEN 'so' END", odd.join(" AND "));
    assert_eq!(engine.ask(&query), [[Said::Label("so".to_owned())]]);
}

/// Hours of a day, around midnight.
struct Hours;

impl Distance<Value> for Hours {
    type Score = f64;

    fn between(&self, a: &Value, b: &Value) -> f64 {
        let hour = |value: &Value| match value {
            Value::Number(hour) => *hour,
            _ => 0.0,
        };
        let apart = (hour(a) - hour(b)).abs();
        if apart > 12.0 { 24.0 - apart } else { apart }
    }

    fn laws(&self) -> Laws {
        Laws::METRIC
    }

    fn sql(&self, value: &Operand, constant: &Value) -> Option<String> {
        let (Operand::Number(cell), Value::Number(hour)) = (value, constant) else {
            return None;
        };
        let apart = format!("ABS({} - {})", cell.sql, sql::number(*hour));
        Some(format!(
            "CASE WHEN {apart} > 12 THEN 24 - {apart} ELSE {apart} END"
        ))
    }
}

#[test]
fn a_distance_of_ones_own_is_written_if_it_says_how() {
    let takes = Takes::Exactly(Type::Numeric);
    Measures::extend(kinwood_similarity::entry::Entry::from_distance(
        "hours",
        "Of hours.",
        takes,
        Hours,
    ))
    .unwrap();
    let hours: Vec<f64> = (0..48).map(|half| f64::from(half) / 2.0).collect();
    let lit = hours.iter().map(|&hour| {
        Some(if (6.0..19.0).contains(&hour) {
            "dark"
        } else {
            "lit"
        })
    });
    let attributes = vec![
        Attribute::new("hour", Column::numeric(hours.clone())),
        Attribute::new("lamp", Column::nominal(lit)),
    ];
    let table = Table::new("t", attributes).unwrap();
    let view = View::new(Arc::new(Database::single(table).unwrap()), 0);
    let given = [("distance", "mean(hour: hours)")];
    let model = fitted("dbdt", &given, &view, &[1]).unwrap();
    assert!(model.show().contains("hour near\n"), "{}", model.show());
    let connection = rusqlite::Connection::open_in_memory().unwrap();
    connection
        .execute_batch("CREATE TABLE t (place integer, hour real)")
        .unwrap();
    for (place, hour) in hours.iter().enumerate() {
        connection
            .execute(
                "INSERT INTO t VALUES (?, ?)",
                rusqlite::params![place as i64, hour],
            )
            .unwrap();
    }
    let told = Sqlite(connection).ask(&query(&model.sql(Asked::Shares).unwrap().unwrap()));
    assert_eq!(told, expected(&*model, &view, true));
}

#[test]
fn distances_without_sql_are_named() {
    let training = view(60, false, 3);
    let refused = |given: &[(&str, &str)], view: &View, target: usize| {
        let given = by_prototypes("dbdt", given.to_vec());
        let model = fitted("dbdt", &given, view, &[target]).unwrap();
        let error = model.sql(Asked::Known).unwrap().unwrap_err();
        error.to_string()
    };
    let only = |distance: &str, view: &View, target: usize| {
        refused(&[("distance", distance), ("keys", "1")], view, target)
    };
    assert_eq!(
        only("mean(v0: edit)", &training, CLASS),
        "the model cannot be written as SQL: it compares `v0` with prototypes, and `edit` cannot be computed in SQL"
    );
    assert_eq!(
        only("scaled(mean(v0: edit, many: absolute))", &training, CLASS),
        "the model cannot be written as SQL: it compares `t` with prototypes, and `edit` cannot be computed in SQL"
    );
    assert_eq!(
        only("scaled(discrete)", &training, CLASS),
        "the model cannot be written as SQL: it compares `t` with prototypes, and `discrete` cannot be computed in SQL"
    );
    let members = |row: usize| Value::set(vec![Value::Symbol(["a", "b", "c"][row % 3].to_owned())]);
    let sets: Vec<Value> = (0..30).map(members).collect();
    let class = (0..30).map(|row| Some(["yes", "no"][usize::from(row % 3 == 0)]));
    let ids = |name: &str| {
        let column = Column::numeric((0..30).map(f64::from).collect());
        Attribute::new(name, column).with_role(Role::Id)
    };
    let set = Column::from_values(&"set<nominal>".parse().unwrap(), &sets).unwrap();
    let object = vec![
        ids("id"),
        Attribute::new("members", set),
        Attribute::new("class", Column::nominal(class)),
    ];
    let sizes = (0..30).map(|row| f64::from(row % 3)).collect();
    let part = vec![ids("of"), Attribute::new("size", Column::numeric(sizes))];
    let mut tables = vec![
        Table::new("object", object).unwrap(),
        Table::new("part", part).unwrap(),
    ];
    tables[0].set_key(Some(vec![0]));
    let key = ForeignKey {
        name: "of".to_owned(),
        from: 1,
        from_columns: vec![0],
        to: 0,
        to_columns: vec![0],
        describes: None,
    };
    let (database, _) = Database::new(tables, vec![key]).unwrap();
    let objects = View::new(Arc::new(database), 0);
    assert_eq!(
        only("mean(members: jaccard)", &objects, 2),
        "the model cannot be written as SQL: it compares `members` with prototypes, and `jaccard` compares values of type `set<nominal>`, which no column of SQL holds"
    );
    assert_eq!(
        only("mean(part: hausdorff)", &objects, 2),
        "the model cannot be written as SQL: it compares `part` with prototypes, and `hausdorff` compares values of type `bag<tuple<size: numeric>>`, which no column of SQL holds"
    );
    assert_eq!(
        only("fourlayer", &objects, 2),
        "the model cannot be written as SQL: it compares `object` with prototypes, and `fourlayer` cannot be computed in SQL"
    );
}

#[test]
fn sqlite_takes_a_large_tree_of_prototypes() {
    let mut generator = Generator::new(4, &[]);
    let numbers: Vec<f64> = (0..1200).map(|_| generator.normal()).collect();
    let class = (0..1200).map(|_| Some(["yes", "no"][generator.below(2)]));
    let attributes = vec![
        Attribute::new("number", Column::numeric(numbers.clone())),
        Attribute::new("class", Column::nominal(class)),
    ];
    let table = Table::new("t", attributes).unwrap();
    let view = View::new(Arc::new(Database::single(table).unwrap()), 0);
    let given = [
        ("distance", "mean(number: scaled(absolute))"),
        ("pruning", "none"),
    ];
    let model = fitted("dbdt", &given, &view, &[1]).unwrap();
    let sql = query(&model.sql(Asked::Answers).unwrap().unwrap());
    assert!(sql.matches("\n  WHEN ").count() > 500, "a large tree");
    let connection = rusqlite::Connection::open_in_memory().unwrap();
    connection
        .execute_batch("CREATE TABLE t (place integer, number real)")
        .unwrap();
    // One value in a hundred is not there.
    let asked: Vec<f64> = (0..200)
        .map(|row| {
            if row % 100 == 7 {
                f64::NAN
            } else {
                numbers[row]
            }
        })
        .collect();
    for (place, number) in asked.iter().enumerate() {
        let number = Some(*number).filter(|number| !number.is_nan());
        let insert = "INSERT INTO t VALUES (?, ?)";
        connection
            .execute(insert, rusqlite::params![place as i64, number])
            .unwrap();
    }
    let rows = vec![
        Attribute::new("number", Column::numeric(asked)),
        Attribute::new("class", Column::nominal((0..200).map(|_| Some("yes")))),
    ];
    let rows = Table::new("t", rows).unwrap();
    let rows = View::new(Arc::new(Database::single(rows).unwrap()), 0);
    assert_eq!(
        Sqlite(connection).ask(&sql),
        expected(&*model, &rows, false)
    );
}
