//! `compat=weka` beside what Weka 3.9.7 answered: recorded distributions, to 1e-9.
//!
//! `golden/kstar-weka` holds the records and a data set of our own; `benches/record_kstar_weka.py`
//! makes them anew. The other data sets are public and read from the folder that `KINWOOD_DATA`
//! names; without it the test says so and compares ours alone. Rows where Weka's product of plain
//! numbers leaves their range are set aside, and counted: there the answers are meant to differ.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use kinwood_formats::ReadOptions;
use kinwood_learners::{Context, Model, Registry, Task};
use kinwood_values::View;

const SETS: &[(&str, &str)] = &[
    ("uci/iris", "class"),
    ("uci/hepatitis", "Class"),
    ("uci/labor", "class"),
    ("uci/glass", "Type"),
    ("uci/vote", "Class"),
    ("uci/autos", "symboling"),
    ("uci/heart.c", "num"),
    ("uci/colic", "surgical_lesion"),
    ("regression/housing", "class"),
    ("regression/servo", "class"),
    ("regression/autoprice", "class"),
];

/// Test rows that were recorded of each set; as many rows lie between two of them as Weka's
/// recorder left.
const RECORDED: usize = 30;

fn golden() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../golden/kstar-weka")
}

/// What was recorded: by blend, missing mode and automatic blend, the answer for each row.
type Records = BTreeMap<(String, String, String), Vec<(u32, Vec<f64>)>>;

fn records(name: &str) -> Records {
    let text = std::fs::read_to_string(golden().join(format!("{name}.csv"))).unwrap();
    let mut records = Records::new();
    for line in text.lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        let key = (
            cells[0].to_owned(),
            cells[1].to_owned(),
            cells[2].to_owned(),
        );
        let answer = cells[4..]
            .iter()
            .map(|cell| cell.parse().unwrap())
            .collect();
        let answers = records.entry(key).or_default();
        answers.push((cells[3].parse().unwrap(), answer));
    }
    records
}

fn answer(model: &dyn Model, view: &View, context: &Context) -> Vec<f64> {
    let predictions = model.predict(view, context).unwrap();
    predictions.targets[0].output.numbers().to_vec()
}

/// Compares a set, and says how many answers were compared and how many set aside.
fn compare(file: &Path, name: &str, target: &str) -> (usize, usize) {
    let database = kinwood_formats::read(file, &ReadOptions::default())
        .unwrap()
        .database;
    let target = database.table(0).find(target).unwrap();
    let whole = View::new(Arc::new(database), 0);
    let step = (whole.len() / RECORDED).max(2) as u32;
    let stored: Vec<u32> = (0..whole.len() as u32)
        .filter(|row| row % step != 0)
        .collect();
    let task = Task::new(&whole.select(&stored), &[target]).unwrap();
    let registry = Registry::new();
    let entry = registry.find("kstar").unwrap();
    let (mut compared, mut aside) = (0, 0);
    for ((blend, missing, auto), expected) in records(name) {
        let blend = (blend.parse::<f64>().unwrap() / 100.0).to_string();
        let missing = match missing.as_str() {
            "a" => "average",
            "d" => "ignore",
            "m" => "maximal",
            _ => "none",
        };
        let given = [
            ("compat", "weka"),
            ("blend", &blend),
            ("missing", missing),
            ("auto_blend", &auto),
        ];
        let learner = (entry.build)(&entry.settings(&given).unwrap()).unwrap();
        let context = Context::new();
        let model = learner.fit(&task, &context).unwrap();
        let rows: Vec<u32> = expected.iter().map(|(row, _)| *row).collect();
        let asked = whole.hiding(0, target).select(&rows);
        let found = answer(&*model, &asked, &context);
        let parts = found.len() / rows.len();
        for (place, (row, expected)) in expected.iter().enumerate() {
            let found = &found[place * parts..(place + 1) * parts];
            let close = |(a, b): (&f64, &f64)| (a - b).abs() <= 1e-9 * b.abs().max(1.0);
            if found.iter().zip(expected).all(close) {
                compared += 1;
                continue;
            }
            let alone = Context::new();
            answer(&*model, &asked.select(&[place as u32]), &alone);
            assert!(
                !alone.counted().is_empty(),
                "{name}, row {row}, {given:?}: {found:?} is not {expected:?}"
            );
            aside += 1;
        }
    }
    (compared, aside)
}

#[test]
fn our_own_rows_are_answered_as_weka_answers_them() {
    let (compared, aside) = compare(&golden().join("mixed.arff"), "mixed", "class");
    assert_eq!((compared, aside), (600, 0));
}

#[test]
fn public_rows_are_answered_as_weka_answers_them() {
    let Some(folder) = std::env::var_os("KINWOOD_DATA").map(PathBuf::from) else {
        println!("skipped: KINWOOD_DATA names no folder of public data");
        return;
    };
    for (file, target) in SETS {
        let name = file.split_once('/').unwrap().1;
        let (compared, aside) = compare(&folder.join(format!("{file}.arff")), name, target);
        println!("{name}: {compared} answers agree, {aside} set aside");
        assert!(compared > aside, "{name}");
    }
}
