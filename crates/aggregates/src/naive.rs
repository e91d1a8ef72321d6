//! Definitions, row by row and example by example: slow, short, and what sweeps are held to.

use std::collections::BTreeMap;
use std::sync::Arc;

use kinwood_values::as_of::instant;
use kinwood_values::{
    AsOf, Attribute, Column, Database, ForeignKey, Role, Table, TableTime, Value, View,
};
use proptest::prelude::*;

use crate::aggregate::{Aggregate, Operation, Span};
use crate::choice::Choice;
use crate::compute::Work;
use crate::paths::Paths;
use crate::plan::Plan;

/// A stream of numbers from a seed (splitmix64).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % end as u64) as usize
    }
}

/// A few small tables whose keys go anywhere, some with times; some rows of the first are the view,
/// with cutoffs or without.
fn random_view(seed: u64) -> View {
    let mut numbers = Numbers(seed);
    let tables = 2 + numbers.below(3);
    let rows: Vec<usize> = (0..tables)
        .map(|table| 1 + numbers.below(if table == 0 { 6 } else { 12 }))
        .collect();
    let mut columns: Vec<Vec<Attribute>> = Vec::new();
    for &rows in &rows {
        let mut some = |values: usize, missing: usize| -> Vec<f64> {
            let mut one = || match numbers.below(missing) {
                0 => f64::NAN,
                _ => numbers.below(values) as f64,
            };
            (0..rows).map(|_| one()).collect()
        };
        let ids = (0..rows).map(|row| row as f64).collect();
        let (x, y) = (some(4, 5), some(1000, 8));
        let (from, to) = (some(20, 10), some(20, 2));
        let labels: Vec<Option<&str>> = some(3, 5)
            .into_iter()
            .map(|code| {
                ["a", "b", "c"]
                    .get(code as usize)
                    .copied()
                    .filter(|_| !code.is_nan())
            })
            .collect();
        columns.push(vec![
            Attribute::new("id", Column::numeric(ids)).with_role(Role::Id),
            Attribute::new("x", Column::numeric(x)),
            Attribute::new("y", Column::numeric(y.iter().map(|y| y / 8.0).collect())),
            Attribute::new("c", Column::nominal(labels)),
            Attribute::new("from", Column::numeric(from)).with_role(Role::Ignore),
            Attribute::new("to", Column::numeric(to)).with_role(Role::Ignore),
        ]);
    }
    let mut keys = Vec::new();
    for key in 0..1 + numbers.below(4) {
        let (from, to) = (numbers.below(tables), numbers.below(tables));
        let refers = (0..rows[from]).map(|_| match numbers.below(8) {
            0 => f64::NAN,
            _ => numbers.below(rows[to]) as f64,
        });
        let refers = Column::numeric(refers.collect());
        columns[from].push(Attribute::new(format!("r{key}"), refers).with_role(Role::Id));
        keys.push(ForeignKey {
            name: format!("key{key}"),
            from,
            from_columns: vec![columns[from].len() - 1],
            to,
            to_columns: vec![0],
            describes: None,
        });
    }
    let named = columns.into_iter().enumerate().map(|(table, attributes)| {
        let mut named = Table::new(format!("t{table}"), attributes).unwrap();
        named.set_key(Some(vec![0]));
        named.set_time(match numbers.below(if table == 0 { 6 } else { 4 }) {
            0 => Some(TableTime::Valid { from: 4, to: 5 }),
            1 | 2 => Some(TableTime::Instant { column: 4 }),
            _ => None,
        });
        named
    });
    let named: Vec<Table> = named.collect();
    let (database, _) = Database::new(named, keys).unwrap();
    let kept: Vec<u32> = (0..rows[0] as u32)
        .filter(|&row| row == 0 || numbers.below(4) > 0)
        .collect();
    let view = View::new(Arc::new(database), 0).select(&kept);
    if numbers.below(3) == 0 {
        return view;
    }
    let mut cutoffs = Vec::new();
    for _ in 0..rows[0] {
        cutoffs.push(match numbers.below(12) {
            0 => f64::NAN,
            _ => numbers.below(22) as f64,
        });
    }
    let window = (numbers.below(3) == 0).then(|| 1.0 + numbers.below(15) as f64);
    let gap = numbers.below(3) as f64;
    view.seen_as_of(AsOf::new(cutoffs).with_gap(gap).with_window(window))
}

/// Everything that can be tried.
fn everything(depth: usize) -> Choice {
    Choice {
        depth,
        rows: 100_000,
        families: Choice::families("all").unwrap(),
        windows: vec![3.0, 7.5],
        last: vec![1, 3],
        labels: 4,
        columns: 100_000,
    }
}

/// When a row is, as its table says.
fn begin(view: &View, table: usize, row: u32) -> f64 {
    let table = view.database().table(table);
    let begin = table.time().map(|time| time.begin());
    let known = begin.and_then(|column| instant(&table.attribute(column).column, row as usize));
    known.unwrap_or(f64::NEG_INFINITY)
}

/// Rows with the instants since when their paths are known, from the last place on which there is
/// one row at most.
fn reached(view: &View, paths: &Paths, place: usize, origin: u32) -> Vec<(f64, u32)> {
    if place == 0 {
        return vec![(f64::NEG_INFINITY, origin)];
    }
    let step = paths.step(place);
    let mut rows = Vec::new();
    for (known, row) in reached(view, paths, step.from, origin) {
        let known = if paths.to_one(step.from) {
            f64::NEG_INFINITY
        } else {
            known
        };
        for linked in view.linked(origin, step.key, step.direction(), row) {
            rows.push((known.max(begin(view, step.table, linked)), linked));
        }
    }
    if step.latest {
        rows.sort_by(|a, b| a.0.total_cmp(&b.0));
        rows.drain(..rows.len().saturating_sub(1));
    }
    rows
}

/// The value of an aggregate for a row, straight from its definition.
fn value(view: &View, paths: &Paths, aggregate: &Aggregate, origin: u32) -> Value {
    let mut rows = reached(view, paths, aggregate.place, origin);
    rows.sort_by(|a, b| a.0.total_cmp(&b.0));
    let table = view.database().table(paths.table_of(aggregate.place));
    let column = aggregate
        .column
        .map(|column| &table.attribute(column).column);
    let of = |row: u32| column.map_or(Value::Missing, |column| column.value(row as usize));
    if let Some(condition) = aggregate.condition {
        let labels = &table.attribute(condition.column).column;
        rows.retain(|&(_, row)| labels.code(row as usize) == Some(condition.code));
    }
    match aggregate.operation {
        Operation::Value | Operation::Latest => {
            return rows.last().map_or(Value::Missing, |&(_, row)| of(row));
        }
        _ => {}
    }
    if column.is_some() {
        rows.retain(|&(_, row)| of(row) != Value::Missing);
    }
    let reference = view
        .as_of()
        .map_or(f64::INFINITY, |as_of| as_of.interval(origin).1);
    let all = rows.clone();
    match aggregate.span {
        Span::All => {}
        Span::Within(length) => rows.retain(|&(known, _)| known >= reference - length),
        Span::Last(last) => drop(rows.drain(..rows.len().saturating_sub(last as usize))),
    }
    let number = |number: f64| match number.is_nan() {
        true => Value::Missing,
        false => Value::Number(number),
    };
    let values: Vec<Value> = rows.iter().map(|&(_, row)| of(row)).collect();
    let as_numbers = |rows: &[(f64, u32)]| -> Vec<f64> {
        let numbers = rows.iter().map(|&(_, row)| match of(row) {
            Value::Number(number) => number,
            _ => f64::NAN,
        });
        numbers.collect()
    };
    let numbers = as_numbers(&rows);
    let count = rows.len() as f64;
    let mean = |numbers: &[f64]| numbers.iter().sum::<f64>() / numbers.len() as f64;
    let mut sorted = numbers.clone();
    sorted.sort_by(f64::total_cmp);
    let quantile = |share: f64| match sorted.len() {
        0 => f64::NAN,
        count => {
            let place = (count - 1) as f64 * share;
            let (low, high) = (place.floor() as usize, place.ceil() as usize);
            sorted[low] + (place - place.floor()) * (sorted[high] - sorted[low])
        }
    };
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    values
        .iter()
        .for_each(|value| *counts.entry(value.to_string()).or_default() += 1);
    let first = |pick: fn(f64, f64) -> f64| numbers.iter().copied().fold(f64::NAN, pick);
    let dated = || rows.iter().map(|row| row.0).filter(|time| time.is_finite());
    number(match aggregate.operation {
        Operation::Count => count,
        Operation::Exists => f64::from(u8::from(!rows.is_empty())),
        Operation::Sum if rows.is_empty() => f64::NAN,
        Operation::Sum => numbers.iter().sum(),
        Operation::Mean => mean(&numbers),
        Operation::Deviation if rows.len() < 2 => f64::NAN,
        Operation::Deviation => {
            let squares = numbers.iter().map(|x| (x - mean(&numbers)).powi(2));
            (squares.sum::<f64>() / (count - 1.0)).sqrt()
        }
        Operation::Least => first(f64::min),
        Operation::Most => first(f64::max),
        Operation::Range => first(f64::max) - first(f64::min),
        Operation::Median => quantile(0.5),
        Operation::LowerQuartile => quantile(0.25),
        Operation::UpperQuartile => quantile(0.75),
        Operation::Distinct => counts.len() as f64,
        Operation::SinceLatest => dated()
            .next_back()
            .map_or(f64::NAN, |time| reference - time),
        Operation::SinceFirst => dated().next().map_or(f64::NAN, |time| reference - time),
        Operation::Trend => {
            let points: Vec<(f64, f64)> = rows
                .iter()
                .zip(&numbers)
                .filter(|(row, _)| row.0.is_finite())
                .map(|(row, &number)| (row.0, number))
                .collect();
            let x = mean(&points.iter().map(|point| point.0).collect::<Vec<_>>());
            let y = mean(&points.iter().map(|point| point.1).collect::<Vec<_>>());
            let both: f64 = points
                .iter()
                .map(|point| (point.0 - x) * (point.1 - y))
                .sum();
            let squares: f64 = points.iter().map(|point| (point.0 - x).powi(2)).sum();
            if squares > 0.0 {
                both / squares
            } else {
                f64::NAN
            }
        }
        Operation::Change => {
            let Span::Within(length) = aggregate.span else {
                unreachable!("changes are of spans of time");
            };
            let (start, end) = (reference - 2.0 * length, reference - length);
            let before = all.iter().copied();
            let before = before.filter(|&(known, _)| start <= known && known < end);
            mean(&numbers) - mean(&as_numbers(&before.collect::<Vec<_>>()))
        }
        Operation::Share(_) if rows.is_empty() => f64::NAN,
        Operation::Share(wanted) => {
            let wanted = aggregate.value(view, paths, wanted);
            counts.get(&wanted).copied().unwrap_or(0) as f64 / count
        }
        Operation::Mode => {
            let labels = column.and_then(|column| column.codes()).unwrap().1.labels();
            let most = counts.values().max();
            let mut labels = labels.filter(|label| counts.get(*label) == most);
            return match most.and_then(|_| labels.next()) {
                Some(label) => Value::Symbol(label.to_owned()),
                None => Value::Missing,
            };
        }
        _ => f64::NAN,
    })
}

fn alike(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => (a - b).abs() < 1e-7 * (1.0 + a.abs()),
        (a, b) => a == b,
    }
}

/// Checks a plan's columns against definitions, for all objects and for one alone.
fn check(seed: u64, depth: usize) -> usize {
    let view = random_view(seed);
    let fitted = Plan::fit(&view, &everything(depth), &|| false).unwrap();
    let plan = &fitted.plan;
    let again = plan.columns(&view, 0..view.len(), &|| false).unwrap();
    assert_eq!(again.len(), plan.aggregates.len());
    for (at, aggregate) in plan.aggregates.iter().enumerate() {
        let name = &aggregate.name;
        assert_eq!(again[at].name, fitted.columns[at].name);
        assert_eq!(
            again[at].column, fitted.columns[at].column,
            "{seed}: {name}"
        );
        for object in 0..view.len() {
            let found = again[at].column.value(object);
            let expected = value(&view, &plan.paths, aggregate, view.row(object));
            assert!(
                alike(&found, &expected),
                "{seed}: {name}, row {object}: {found}, by definition {expected}"
            );
        }
    }
    let last = view.len() - 1;
    let alone = plan.columns(&view, last..last + 1, &|| false).unwrap();
    for (alone, all) in alone.iter().zip(&again) {
        let (alone, all) = (alone.column.value(0), all.column.value(last));
        assert_eq!(
            alone, all,
            "one object alone is described by the same bytes"
        );
    }
    plan.aggregates.len()
}

kinwood_testing::soak! { 300;
    fn soak_aggregates_are_what_their_definitions_say(seed in any::<u64>(), depth in 1usize..4) {
        check(seed, depth);
    }
}

#[test]
fn random_databases_have_aggregates_of_every_kind() {
    let mut families = std::collections::BTreeSet::new();
    let mut columns = 0;
    for seed in 0..100 {
        columns += check(seed, 2);
        let plan = Plan::fit(&random_view(seed), &everything(2), &|| false)
            .unwrap()
            .plan;
        families.extend(plan.aggregates.iter().map(|of| of.operation.family()));
    }
    // Cutoffs here are numbers, of which there is no year and no age.
    assert_eq!(families.len(), 18, "{families:?}");
    assert!(columns > 3_000, "{columns}");
}

/// What rows are later than any cutoff of the view makes no difference, to the last bit.
#[test]
fn the_future_is_not_seen() {
    let mut tried = 0;
    for seed in 0..300 {
        let view = random_view(seed);
        let Some(as_of) = view.as_of().cloned() else {
            continue;
        };
        let latest = view
            .rows()
            .map(|row| as_of.interval(row).1)
            .fold(f64::NAN, f64::max);
        let mut database = Database::clone(view.database());
        for table in 0..database.tables().len() {
            let Some(TableTime::Instant { column }) = database.table(table).time() else {
                continue;
            };
            let clock = Arc::clone(&database.table(table).attribute(column).column);
            let later = |row: usize| clock.number(row).is_none_or(|time| time > latest);
            for changed in [1, 2] {
                let old = &database.table(table).attribute(changed).column;
                let wild = |row: usize| match later(row) && table > 0 {
                    true => 1e18 * (row as f64 + 1.0),
                    false => old.number(row).unwrap_or(f64::NAN),
                };
                let new = Column::numeric((0..old.len()).map(wild).collect());
                tried += usize::from(*old.as_ref() != new);
                database = database.with_column(table, changed, new);
            }
        }
        let scrambled = view.of(Arc::new(database));
        let fit = |view: &View| Plan::fit(view, &everything(3), &|| false).unwrap();
        let (before, after) = (fit(&view), fit(&scrambled));
        assert_eq!(before.plan, after.plan, "{seed}");
        for (before, after) in before.columns.iter().zip(&after.columns) {
            assert_eq!(before.column, after.column, "{seed}: {}", before.name);
        }
    }
    assert!(tried > 50, "{tried}");
}

#[test]
fn threads_change_nothing() {
    let of = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        let view = random_view(11);
        pool.install(|| Plan::fit(&view, &everything(3), &|| false).unwrap().columns)
    };
    let (one, four) = (of(1), of(4));
    assert!(one.iter().zip(&four).all(|(one, four)| one == four));
    let view = random_view(11);
    assert!(
        Plan::fit(&view, &everything(3), &|| true).is_err(),
        "work stops"
    );
    let paths = Paths::new(&view, 2);
    assert!(
        Work::new(&view, &paths, 0..1, &|| true)
            .columns(&[])
            .is_ok()
    );
}

/// The tables of a view in SQLite, as numbers and texts.
fn in_sqlite(view: &View) -> rusqlite::Connection {
    let connection = rusqlite::Connection::open_in_memory().unwrap();
    for table in view.database().tables() {
        let names = table
            .attributes()
            .iter()
            .map(|of| format!("\"{}\"", of.name));
        let names = names.collect::<Vec<_>>().join(", ");
        connection
            .execute(&format!("CREATE TABLE \"{}\" ({names})", table.name()), [])
            .unwrap();
        for row in 0..table.rows() {
            let values = table
                .attributes()
                .iter()
                .map(|of| match of.column.value(row) {
                    Value::Missing => "NULL".to_owned(),
                    Value::Symbol(label) => format!("'{label}'"),
                    other => other.to_string(),
                });
            let values = values.collect::<Vec<_>>().join(", ");
            connection
                .execute(
                    &format!("INSERT INTO \"{}\" VALUES ({values})", table.name()),
                    [],
                )
                .unwrap();
        }
    }
    connection
}

/// The view with its cutoffs as a column of the table, where SQL finds them.
fn with_cutoffs(view: &View) -> View {
    let (mut tables, keys) = Database::clone(view.database()).into_parts();
    if let Some(as_of) = view.as_of() {
        let cutoffs = (0..as_of.len())
            .map(|row| as_of.cutoff(row as u32))
            .collect();
        let mut attributes = tables[0].attributes().to_vec();
        attributes.push(Attribute::new("by", Column::numeric(cutoffs)).with_role(Role::Cutoff));
        let (key, time) = (tables[0].key().map(<[usize]>::to_vec), tables[0].time());
        tables[0] = Table::new("t0", attributes).unwrap();
        tables[0].set_key(key);
        tables[0].set_time(time);
    }
    let (database, _) = Database::new(tables, keys).unwrap();
    view.of(Arc::new(database))
}

#[test]
fn sqlite_computes_the_same() {
    let (mut compared, mut differing) = (0, Vec::new());
    for seed in 0..200 {
        let view = with_cutoffs(&random_view(seed));
        // Rows outside of the view, and the own row where it has a time, are no matter of SQL.
        if view.len() < view.table().rows() || view.table().time().is_some() {
            continue;
        }
        let fitted = Plan::fit(&view, &everything(2), &|| false).unwrap();
        let connection = in_sqlite(&view);
        for (aggregate, column) in fitted.plan.aggregates.iter().zip(&fitted.columns) {
            let Some(sql) = &aggregate.sql else {
                continue;
            };
            for row in 0..view.len() {
                let asked = format!("SELECT {sql} FROM t0 AS o WHERE o.id = {row}");
                let found = connection.query_row(&asked, [], |row| row.get(0));
                let found: rusqlite::types::Value = found.unwrap_or_else(|error| {
                    panic!("{}: {error}\n{asked}", aggregate.name);
                });
                let found = match found {
                    rusqlite::types::Value::Null => Value::Missing,
                    rusqlite::types::Value::Integer(number) => Value::Number(number as f64),
                    rusqlite::types::Value::Real(number) => Value::Number(number),
                    rusqlite::types::Value::Text(text) => Value::Symbol(text),
                    rusqlite::types::Value::Blob(_) => unreachable!("no aggregate is one"),
                };
                let expected = column.column.value(row);
                compared += 1;
                if !alike(&found, &expected) {
                    differing.push(format!(
                        "{seed}: {}, row {row}: {found}, {expected}\n{asked}",
                        aggregate.name
                    ));
                }
            }
        }
    }
    assert!(compared > 2_000, "{compared}");
    assert!(
        differing.is_empty(),
        "{} of {compared}\n{}",
        differing.len(),
        differing[0]
    );
}
