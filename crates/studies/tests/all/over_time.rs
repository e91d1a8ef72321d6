//! A benchmark over time from its files to its table: what comes later changes nothing, a leak made
//! on purpose shows, and what was computed is not computed again.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use kinwood_learners::{Context, Registry};
use kinwood_studies::over_time::{Benchmark, benchmarks};
use kinwood_studies::reproduce::Reproduction;
use kinwood_studies::results::{Folder, Purpose};
use kinwood_values::datetime;
use tempfile::TempDir;

const DAY: i64 = 86_400_000;
const CUSTOMERS: usize = 40;
/// Cutoffs thirty days apart: twelve to learn from, four to validate by, four to test.
const CUTOFFS: usize = 20;
const FIRST_TEST: usize = 16;

/// Numbers from a seed (a linear congruence): the same on every machine.
fn draws() -> impl FnMut(usize) -> usize {
    let mut state = 11_u64;
    move |below| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    }
}

fn date(day: i64) -> String {
    // Days from the beginning of 2023.
    datetime::print((19_358 + day) * DAY)
}

/// Customers whose orders of a month are chance: whether there are two in the next thirty days is
/// known to nobody but who sees them. What comes after the day `end` holds something else.
fn shop(end: i64) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: String| {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    let mut draw = draws();
    let mut customers = "id,town\n".to_owned();
    let mut orders = "id,customer,date,amount\n".to_owned();
    let mut tasks: Vec<(usize, String)> = Vec::new();
    let mut number = 0;
    for customer in 0..CUSTOMERS {
        let town = ["Ghent", "Leuven", "Namur"][draw(3)];
        writeln!(customers, "c{customer},{town}").unwrap();
        // A month before the first cutoff, and one after the last.
        for month in 0..=CUTOFFS {
            let count = draw(4);
            for _ in 0..count {
                let day = 30 * month as i64 + 1 + draw(29) as i64;
                let drawn = draw(90);
                let amount = if day > end { 987_654_321 } else { drawn };
                writeln!(orders, "o{number},c{customer},{},{amount}", date(day)).unwrap();
                number += 1;
            }
            if month > 0 {
                let cutoff = month - 1;
                let part = match cutoff {
                    0..=11 => "train",
                    12..FIRST_TEST => "val",
                    _ => "test",
                };
                let busy = usize::from(count > 1);
                let at = date(30 * month as i64);
                tasks.push((cutoff, format!("{part},{at},c{customer},{busy}\n")));
            }
        }
    }
    tasks.sort();
    let rows: String = tasks.into_iter().map(|(_, row)| row).collect();
    write("shop/tables/customers.csv", customers);
    write("shop/tables/orders.csv", orders);
    write(
        "shop/tasks/busy.csv",
        format!("split,date,customer,busy\n{rows}"),
    );
    folder
}

const BENCHMARK: &str = r#"
name = "shop"
title = "AUC of a busy month"
reference = "made up"
folder = "shop/tables"
seeds = 3

[[tasks]]
name = "busy AUC"
file = "shop/tasks/busy.csv"
target = "busy"
measure = "auc"

[[learners]]
name = "tree"
learner = "tree"
settings = { flatten = "p2", flatten_windows = "30" }

[[learners]]
name = "forest"
learner = "forest"
settings = { flatten = "p2", flatten_windows = "30", trees = "5" }

[[learners]]
name = "mirt"
learner = "mirt"

[[published]]
protocol = "rolling"
name = "chance"
figures = [0.5]
"#;

fn benchmark() -> Benchmark {
    toml::from_str(BENCHMARK).unwrap()
}

fn run(benchmark: &Benchmark, folder: &Path, results: Option<&Folder>) -> Reproduction {
    let context = Context::new();
    let run = benchmark.run(folder, &Registry::new(), &context, results);
    let (table, notices) = run.unwrap();
    assert!(notices.is_empty(), "{notices:?}");
    table
}

fn figure(table: &Reproduction, protocol: &str, row: &str) -> f64 {
    let of = |cell: &&kinwood_evaluation::study::Cell| {
        cell.row == row && cell.group.as_deref().unwrap().starts_with(protocol)
    };
    let cell = table.cells.iter().find(of).unwrap();
    cell.ours.unwrap()
}

#[test]
fn a_leak_made_on_purpose_shows_and_what_comes_later_changes_nothing() {
    let never = shop(i64::MAX);
    let table = run(&benchmark(), never.path(), None);
    for learner in ["tree", "forest"] {
        let rolling = figure(&table, "rolling", learner);
        let leak = figure(&table, "leak", learner);
        assert!((0.35..0.65).contains(&rolling), "{learner}: {rolling}");
        assert!(leak > 0.95, "{learner}: {leak}");
    }
    // Nobody sees what comes after the last cutoff.
    let last = 30 * CUTOFFS as i64;
    let later = run(&benchmark(), shop(last).path(), None);
    let frozen = 30 * (FIRST_TEST as i64 + 1);
    let much_later = run(&benchmark(), shop(frozen).path(), None);
    for learner in ["tree", "forest", "mirt"] {
        for protocol in ["rolling", "frozen"] {
            let of = |table: &Reproduction| figure(table, protocol, learner).to_bits();
            assert_eq!(of(&table), of(&later), "{learner} {protocol}");
        }
        // Test rows of the frozen protocol see nothing after the first of their cutoffs.
        let of = |table: &Reproduction| figure(table, "frozen", learner).to_bits();
        assert_eq!(of(&table), of(&much_later), "{learner}");
    }
    let of = |table: &Reproduction| figure(table, "rolling", "tree");
    assert_ne!(of(&table), of(&much_later), "the test does notice");
}

#[test]
fn what_is_in_a_results_folder_is_not_computed_again() {
    let data = shop(i64::MAX);
    let mut benchmark = benchmark();
    benchmark.learners.truncate(2);
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("results");
    let open = || Folder::open(&path, Purpose::Reproduce).unwrap();
    let first = run(&benchmark, data.path(), Some(&open()));
    let seeds = std::fs::read_to_string(path.join("tables/shop-seeds.csv")).unwrap();
    // A tree says the same with any seed: two are enough to see that.
    assert_eq!(seeds.lines().count(), 1 + 3 * (2 + 3), "{seeds}");
    // Whatever is computed anew takes another time, which the table of seeds would show; half a
    // line, as a killed program leaves it, is computed again.
    assert_eq!(
        run(&benchmark, data.path(), Some(&open())).to_text(),
        first.to_text()
    );
    let again = std::fs::read_to_string(path.join("tables/shop-seeds.csv")).unwrap();
    assert_eq!(again, seeds);
    let mut logs: Vec<PathBuf> = std::fs::read_dir(path.join("folds"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    logs.sort();
    assert_eq!(logs.len(), 6);
    let whole = std::fs::read(&logs[0]).unwrap();
    std::fs::write(&logs[0], &whole[..whole.len() - 7]).unwrap();
    assert_eq!(
        run(&benchmark, data.path(), Some(&open())).to_text(),
        first.to_text()
    );
}

/// The published benchmark with its future changed wildly: no score of the frozen protocol moves.
#[test]
fn the_future_of_rel_f1_changes_no_frozen_score() {
    let Some(folder) = std::env::var_os("KINWOOD_BENCHMARKS").map(PathBuf::from) else {
        println!("skipped: KINWOOD_BENCHMARKS names no folder with rel_f1");
        return;
    };
    let mut benchmark = benchmarks().unwrap().remove(0);
    benchmark.tasks.retain(|task| task.target == "qualifying");
    benchmark.learners.retain(|learner| learner.name == "knn");
    benchmark.published.clear();
    let settings = &mut benchmark.learners[0].settings;
    settings.insert("flatten_depth".to_owned(), "1".to_owned());
    let scrambled = tempfile::tempdir().unwrap();
    let copy = |part: &str, changed: &dyn Fn(&str) -> String| {
        let to = scrambled.path().join("rel_f1").join(part);
        std::fs::create_dir_all(&to).unwrap();
        for entry in std::fs::read_dir(folder.join("rel_f1").join(part)).unwrap() {
            let entry = entry.unwrap();
            let text = std::fs::read_to_string(entry.path()).unwrap();
            std::fs::write(to.join(entry.file_name()), changed(&text)).unwrap();
        }
    };
    copy("tasks", &str::to_owned);
    copy("tables", &|text| scrambled_after(text, "2010-01-01"));
    let of = |folder: &Path, protocol: &str| {
        let table = run(&benchmark, folder, None);
        figure(&table, protocol, "knn").to_bits()
    };
    assert_eq!(of(&folder, "frozen"), of(scrambled.path(), "frozen"));
    assert_ne!(of(&folder, "rolling"), of(scrambled.path(), "rolling"));
}

/// A table whose rows after a date have other values; what they refer to, and when they are, stays.
fn scrambled_after(text: &str, after: &str) -> String {
    let mut lines = text.lines();
    let header: Vec<&str> = lines.next().unwrap().split(',').collect();
    let Some(time) = header.iter().position(|name| *name == "date") else {
        return text.to_owned();
    };
    let kept = |column: usize| {
        column == time || (header[column].ends_with("Id") && header[column] != "statusId")
    };
    let mut scrambled = header.join(",") + "\n";
    for line in lines {
        let cells: Vec<&str> = line.split(',').collect();
        if cells.len() != header.len() || cells[time] <= after {
            scrambled += &format!("{line}\n");
            continue;
        }
        let cells = cells.iter().enumerate().map(|(column, cell)| {
            let number = cell.parse::<f64>().is_ok() && !kept(column);
            if number { "987654" } else { cell }
        });
        scrambled += &(cells.collect::<Vec<_>>().join(",") + "\n");
    }
    scrambled
}
