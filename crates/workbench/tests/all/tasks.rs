//! Tasks over time: the query finds what a loop over all rows finds, in SQLite and in PostgreSQL,
//! and rebuilds the published task files of `rel_f1`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use kinwood_learners::Generator;
use kinwood_values::{Attribute, Column, Database, ForeignKey, Table, Type, Value};
use kinwood_workbench::tasks::{Empty, MadeTask, TaskDefinition};
use kinwood_workbench::{Opening, open};

const DAY: i64 = 86_400_000;

/// A purchase: whose it is, when, how much, of what kind.
struct Purchase {
    customer: Option<usize>,
    at: Option<i64>,
    amount: Option<f64>,
    kind: Option<&'static str>,
}

/// Customers with kinds, and their purchases over a hundred days.
struct Shop {
    customers: Vec<&'static str>,
    purchases: Vec<Purchase>,
}

impl Shop {
    fn new(seed: u64) -> Self {
        let mut generator = Generator::new(seed, &[7]);
        let kinds = ["new", "it's"];
        let customers: Vec<_> = (0..9).map(|_| kinds[generator.below(2)]).collect();
        let purchases = (0..120).map(|_| Purchase {
            customer: (generator.below(12) > 0).then(|| generator.below(11)),
            at: (generator.below(15) > 0).then(|| {
                // Many are at midnight, at which cutoffs and windows end.
                let hour = if generator.below(2) == 0 {
                    0
                } else {
                    generator.below(24)
                };
                generator.below(100) as i64 * DAY + hour as i64 * 3_600_000
            }),
            amount: (generator.below(8) > 0).then(|| generator.below(20) as f64 / 4.0),
            kind: (generator.below(8) > 0).then(|| ["a", "b", "c"][generator.below(3)]),
        });
        Self {
            customers,
            purchases: purchases.collect(),
        }
    }

    fn database(&self) -> Database {
        let number = |numbers: Vec<Option<f64>>| {
            Column::numeric(numbers.into_iter().map(|n| n.unwrap_or(f64::NAN)).collect())
        };
        let ids = |count: usize| (0..count).map(|id| Some(id as f64)).collect();
        let kinds = self.customers.iter().map(|kind| Some(*kind));
        let mut customer = Table::new(
            "customer",
            vec![
                Attribute::new("id", number(ids(self.customers.len()))),
                Attribute::new("sort", Column::nominal(kinds)),
            ],
        )
        .unwrap();
        customer.set_key(Some(vec![0]));
        let all = || self.purchases.iter();
        let times: Vec<Value> = all()
            .map(|p| p.at.map_or(Value::Missing, Value::DateTime))
            .collect();
        let of = all().map(|p| p.customer.map(|c| c as f64)).collect();
        let mut purchase = Table::new(
            "purchase",
            vec![
                Attribute::new("id", number(ids(self.purchases.len()))),
                Attribute::new("customer", number(of)),
                Attribute::new("at", Column::from_values(&Type::DateTime, &times).unwrap()),
                Attribute::new("amount", number(all().map(|p| p.amount).collect())),
                Attribute::new("kind", Column::nominal(all().map(|p| p.kind))),
            ],
        )
        .unwrap();
        purchase.set_key(Some(vec![0]));
        let key = ForeignKey {
            name: "purchase_customer".into(),
            from: 1,
            from_columns: vec![1],
            to: 0,
            to_columns: vec![0],
            describes: None,
        };
        Database::new(vec![customer, purchase], vec![key])
            .unwrap()
            .0
    }
}

/// What a target is of the purchases in a window, in the order of time and then of their number.
type Naive = fn(&[&Purchase]) -> Option<String>;

fn amounts(rows: &[&Purchase]) -> Vec<f64> {
    rows.iter().filter_map(|row| row.amount).collect()
}

fn least(rows: &[&Purchase]) -> Option<f64> {
    amounts(rows).into_iter().reduce(f64::min)
}

const TARGETS: [(&str, Naive); 12] = [
    ("count(purchase)", |rows| Some(rows.len().to_string())),
    ("count(purchase.amount)", |rows| {
        Some(amounts(rows).len().to_string())
    }),
    ("sum(purchase.amount)", |rows| {
        // The sum of no numbers is -0.
        Some((amounts(rows).iter().sum::<f64>() + 0.0).to_string())
    }),
    ("mean(purchase.amount)", |rows| {
        let all = amounts(rows);
        (!all.is_empty()).then(|| (all.iter().sum::<f64>() / all.len() as f64).to_string())
    }),
    ("any(purchase.kind != a)", |rows| {
        let other = |row: &&Purchase| row.kind.is_some_and(|kind| kind != "a");
        Some(i32::from(rows.iter().any(other)).to_string())
    }),
    ("none(purchase)", |rows| {
        Some(i32::from(rows.is_empty()).to_string())
    }),
    ("first(purchase.kind)", |rows| {
        rows.iter().find_map(|row| row.kind).map(str::to_owned)
    }),
    ("latest(purchase.amount)", |rows| {
        rows.iter()
            .rev()
            .find_map(|row| row.amount)
            .map(|n| n.to_string())
    }),
    ("min(purchase.amount)", |rows| {
        least(rows).map(|n| n.to_string())
    }),
    ("max(purchase.amount where kind in (a, b))", |rows| {
        let of = |row: &&&Purchase| matches!(row.kind, Some("a" | "b"));
        let rows: Vec<&Purchase> = rows.iter().filter(of).copied().collect();
        amounts(&rows)
            .into_iter()
            .reduce(f64::max)
            .map(|n| n.to_string())
    }),
    ("min(purchase.amount) <= 1", |rows| {
        least(rows).map(|n| i32::from(n <= 1.0).to_string())
    }),
    ("count(purchase) >= 2", |rows| {
        Some(i32::from(rows.len() >= 2).to_string())
    }),
];

/// What a loop over cutoffs, customers and purchases finds.
fn naive(shop: &Shop, drop: bool, active: Option<i64>, of: Naive) -> Vec<Vec<String>> {
    let horizon = 10 * DAY;
    let mut cutoffs: Vec<(&str, i64)> = Vec::new();
    let first = shop.purchases.iter().filter_map(|p| p.at).min().unwrap();
    let last = shop.purchases.iter().filter_map(|p| p.at).max().unwrap();
    let mut at = 50 * DAY - horizon;
    while at >= first {
        cutoffs.insert(0, ("train", at));
        at -= 7 * DAY;
    }
    for (part, start, end) in [("val", 50, 75 * DAY), ("test", 75, last)] {
        let mut at = start * DAY;
        while at + horizon <= end {
            cutoffs.push((part, at));
            at += 7 * DAY;
        }
    }
    let mut made = Vec::new();
    for (part, cutoff) in cutoffs {
        for customer in 0..shop.customers.len() {
            let mut rows: Vec<&Purchase> = shop
                .purchases
                .iter()
                .filter(|p| p.customer == Some(customer))
                .filter(|p| p.at.is_some_and(|at| at > cutoff && at <= cutoff + horizon))
                .collect();
            rows.sort_by_key(|p| p.at);
            let was_active = active.is_none_or(|days| {
                shop.purchases.iter().any(|p| {
                    let within = |at: i64| at > cutoff - days * DAY && at <= cutoff;
                    p.customer == Some(customer) && p.at.is_some_and(within)
                })
            });
            if !was_active || (drop && rows.is_empty()) || shop.customers[customer] == "new" {
                continue;
            }
            if let Some(target) = of(&rows) {
                let date = kinwood_values::datetime::print(cutoff);
                made.push(vec![part.to_owned(), date, customer.to_string(), target]);
            }
        }
    }
    made
}

fn definition(target: &str) -> TaskDefinition {
    TaskDefinition {
        entity: "customer".into(),
        every: 7.0,
        horizon: 10.0,
        target: target.into(),
        validation: Some("1970-02-20".into()),
        test: Some("1970-03-17".into()),
        who: Some("sort = \"it's\"".into()),
        ..TaskDefinition::default()
    }
}

fn made(task: &TaskDefinition, database: &Database) -> MadeTask {
    task.bind(database).unwrap().make().unwrap()
}

#[test]
fn the_query_finds_what_a_loop_over_all_rows_finds() {
    for seed in 1..4 {
        let shop = Shop::new(seed);
        let database = shop.database();
        for (target, of) in TARGETS {
            for active in [None, Some(20)] {
                for empty in [None, Some(Empty::Drop)] {
                    let task = TaskDefinition {
                        active: active.map(|days| days as f64),
                        empty,
                        ..definition(target)
                    };
                    let found = made(&task, &database);
                    let expected = naive(&shop, empty.is_some(), active, of);
                    assert!(!expected.is_empty());
                    assert_eq!(found.rows, expected, "seed {seed}: {task:?}");
                }
            }
        }
    }
}

#[cfg(unix)]
#[test]
fn postgresql_finds_the_same_rows() {
    use crate::support::{Server, skipped};

    if skipped() {
        return;
    }
    let shop = Shop::new(5);
    let database = shop.database();
    let server = Server::start(false);
    let mut statements = "CREATE TABLE customer (id integer PRIMARY KEY, sort text);
        CREATE TABLE purchase (id integer PRIMARY KEY, customer integer, at timestamp, amount double precision, kind text);"
        .to_owned();
    for (id, sort) in shop.customers.iter().enumerate() {
        statements += &format!(
            "INSERT INTO customer VALUES ({id}, '{}');",
            sort.replace('\'', "''")
        );
    }
    for (id, p) in shop.purchases.iter().enumerate() {
        let cell = |text: Option<String>| text.unwrap_or_else(|| "NULL".to_owned());
        statements += &format!(
            "INSERT INTO purchase VALUES ({id}, {}, {}, {}, {});",
            cell(p.customer.map(|c| c.to_string())),
            cell(p.at.map(|at| format!("'{}'", kinwood_values::datetime::print(at)))),
            cell(p.amount.map(|n| n.to_string())),
            cell(p.kind.map(|kind| format!("'{kind}'"))),
        );
    }
    let url = server.database("shop", &statements);
    let mut client =
        postgres::Client::connect(&format!("{url}?sslmode=disable"), postgres::NoTls).unwrap();
    for (target, _) in TARGETS {
        for empty in [None, Some(Empty::Drop)] {
            let task = TaskDefinition {
                active: Some(20.0),
                empty,
                ..definition(target)
            };
            let bound = task.bind(&database).unwrap();
            let ours = bound.make().unwrap();
            let mut theirs: Vec<Vec<String>> = Vec::new();
            for message in client.simple_query(&bound.sql().unwrap()).unwrap() {
                if let postgres::SimpleQueryMessage::Row(row) = message {
                    let cells = (0..row.len()).map(|c| row.get(c).unwrap_or("").to_owned());
                    let mut cells: Vec<String> = cells.collect();
                    cells[1] = cells[1].trim_end_matches(" 00:00:00").to_owned();
                    theirs.push(cells);
                }
            }
            assert_eq!(ours.rows, theirs, "{target}");
        }
    }
}

#[test]
fn times_may_be_numbers_and_rows_may_be_further_away() {
    let numeric =
        |name: &str, numbers: &[f64]| Attribute::new(name, Column::numeric(numbers.to_vec()));
    let table = |name: &str, attributes: Vec<Attribute>| {
        let mut table = Table::new(name, attributes).unwrap();
        table.set_key(Some(vec![0]));
        table
    };
    let tables = vec![
        table("customer", vec![numeric("id", &[1.0, 2.0])]),
        table(
            "order",
            vec![
                numeric("id", &[1.0, 2.0, 3.0]),
                numeric("customer", &[1.0, 1.0, 2.0]),
                numeric("day", &[1.0, 6.0, 12.0]),
            ],
        ),
        table(
            "item",
            vec![
                numeric("id", &[1.0, 2.0, 3.0, 4.0]),
                numeric("order", &[1.0, 2.0, 2.0, 3.0]),
                numeric("price", &[5.0, 7.0, 8.0, 9.0]),
            ],
        ),
    ];
    let key = |from: usize, to: usize, name: &str| ForeignKey {
        name: name.into(),
        from,
        from_columns: vec![1],
        to,
        to_columns: vec![0],
        describes: None,
    };
    let keys = vec![key(1, 0, "order_customer"), key(2, 1, "item_order")];
    let (database, _) = Database::new(tables, keys).unwrap();
    let task = TaskDefinition {
        entity: "customer".into(),
        every: 5.0,
        horizon: 5.0,
        target: "sum(item.price)".into(),
        from: Some("0".into()),
        to: Some("15".into()),
        time: Some("order.day".into()),
        name: Some("spent".into()),
        ..TaskDefinition::default()
    };
    let made = made(&task, &database);
    assert_eq!(made.columns, ["date", "id", "spent"]);
    let row =
        |date: &str, id: &str, spent: &str| vec![date.to_owned(), id.to_owned(), spent.to_owned()];
    let expected = [
        row("0", "1", "5"),
        row("0", "2", "0"),
        row("5", "1", "15"),
        row("5", "2", "0"),
        row("10", "1", "0"),
        row("10", "2", "9"),
    ];
    assert_eq!(made.rows, expected);
}

#[test]
fn what_does_not_hold_together_is_told() {
    let database = Shop::new(1).database();
    let message = |change: &dyn Fn(&mut TaskDefinition)| {
        let mut task = definition("count(purchase)");
        change(&mut task);
        task.bind(&database).unwrap_err().to_string()
    };
    let found = message(&|task| task.entity = "custmer".into());
    assert!(found.contains("did you mean `customer`?"), "{found}");
    let found = message(&|task| task.target = "count(purchases)".into());
    assert!(found.contains("purchase"), "{found}");
    let found = message(&|task| task.target = "mean(purchase.kind)".into());
    assert!(
        found.contains("needs numbers, and `purchase.kind` is a `nominal`"),
        "{found}"
    );
    let found = message(&|task| task.condition = Some("customer.sort = new".into()));
    assert!(found.contains("not a column of `purchase`"), "{found}");
    let found = message(&|task| (task.entity, task.who) = ("purchase".into(), None));
    assert!(
        found.contains("no key leads from `purchase` to `purchase`"),
        "{found}"
    );
    let found = message(&|task| {
        (task.target, task.empty) = ("mean(purchase.amount)".into(), Some(Empty::Zero))
    });
    assert!(found.contains("`empty` cannot be `zero`"), "{found}");
    let found = message(&|task| task.active_in = Some("purchase".into()));
    assert!(found.contains("needs `active`"), "{found}");
    let found = message(&|task| task.name = Some("id".into()));
    assert!(found.contains("cannot be called `id`"), "{found}");
}

#[test]
fn a_task_is_read_from_toml() {
    let text = "[task]\nentity = \"customer\"\nevery = \"1 week\"\nhorizon = 10\ntarget = \"count(purchase)\"\nvalidation = 1970-02-20\ntest = \"1970-03-17\"\nwho = \"sort = new\"\nempty = \"drop\"\n";
    let read = TaskDefinition::from_toml(text, "shop.toml").unwrap();
    let expected = TaskDefinition {
        who: Some("sort = new".into()),
        empty: Some(Empty::Drop),
        ..definition("count(purchase)")
    };
    assert_eq!(read, expected);
    let wrong = text.replace("every", "evry");
    let message = TaskDefinition::from_toml(&wrong, "shop.toml")
        .unwrap_err()
        .to_string();
    assert!(
        message.contains("shop.toml") && message.contains("evry"),
        "{message}"
    );
}

/// The folder of the benchmark, or none with a message.
fn benchmark() -> Option<PathBuf> {
    let folder = std::env::var_os("KINWOOD_BENCHMARKS").map(PathBuf::from);
    if folder.is_none() {
        println!("skipped: KINWOOD_BENCHMARKS names no folder with rel_f1");
    }
    folder.map(|folder| folder.join("rel_f1"))
}

fn given(path: &Path) -> BTreeMap<(String, String, String), f64> {
    let text = std::fs::read_to_string(path).unwrap();
    let row = |line: &str| {
        let cells: Vec<&str> = line.split(',').collect();
        let key = (
            cells[0].to_owned(),
            cells[1].to_owned(),
            cells[2].to_owned(),
        );
        (key, cells[3].parse().unwrap())
    };
    text.lines().skip(1).map(row).collect()
}

#[test]
fn the_tasks_of_rel_f1_are_rebuilt_exactly() {
    let Some(folder) = benchmark() else { return };
    let data = open(&folder.join("tables"), &Opening::default()).unwrap();
    let tasks = [
        (
            "driver-dnf",
            30.0,
            "any(results.statusId != 1)",
            "did_not_finish",
            [11_411, 566, 702],
        ),
        (
            "driver-position",
            60.0,
            "mean(results.positionOrder)",
            "position",
            [7_453, 499, 760],
        ),
        (
            "driver-top3",
            30.0,
            "min(qualifying.position) <= 3",
            "qualifying",
            [1_353, 588, 726],
        ),
    ];
    for (name, days, target, column, counts) in tasks {
        let task = TaskDefinition {
            entity: "drivers".into(),
            every: days,
            horizon: days,
            target: target.into(),
            name: Some(column.into()),
            validation: Some("2005-01-01".into()),
            test: Some("2010-01-01".into()),
            // The day of the first race.
            from: Some("1950-05-13".into()),
            cutoffs: Some(40),
            empty: Some(Empty::Drop),
            ..TaskDefinition::default()
        };
        let made = made(&task, data.database());
        assert_eq!(made.columns, ["split", "date", "driverId", column]);
        let found: Vec<usize> = made.counts().iter().map(|(_, count)| *count).collect();
        assert_eq!(found, counts, "{name}");
        let given = given(&folder.join("tasks").join(format!("{name}.csv")));
        assert_eq!(made.rows.len(), given.len());
        for row in &made.rows {
            let key = (row[0].clone(), row[1].clone(), row[2].clone());
            let target: f64 = row[3].parse().unwrap();
            assert!((target - given[&key]).abs() < 1e-9, "{name}: {row:?}");
        }
    }
}
