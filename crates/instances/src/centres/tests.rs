use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use kinwood_values::container::{Sections, Stored};
use kinwood_values::{Attribute, Column, Database, Dictionary, Role, Table, Type, Value, View};
use proptest::prelude::*;
use serde_json::json;

use super::grow::Node;
use super::store::sound;
use super::*;
use kinwood_learning::testing::{
    CLASS, NUMBER, check_learner, check_learner_with, linked_view, mixed_view,
};

fn view(attributes: Vec<Attribute>) -> View {
    let table = Table::new("t", attributes).unwrap();
    View::new(Arc::new(Database::single(table).unwrap()), 0)
}

fn fitted(view: &View, target: usize, given: &[(&str, &str)], context: &Context) -> Box<dyn Model> {
    let learner = (CENTRES.build)(&CENTRES.settings(given).unwrap()).unwrap();
    let task = Task::new(view, &[target]).unwrap();
    learner.fit(&task, context).unwrap()
}

fn classes(model: &dyn Model, view: &View) -> Vec<u32> {
    let predictions = model.predict(view, &Context::new()).unwrap();
    let output = &predictions.targets[0].output;
    (0..view.len())
        .map(|row| output.class(row).unwrap())
        .collect()
}

#[test]
fn the_rules_of_learners_are_kept() {
    check_learner(&CENTRES, &mixed_view(60), &[CLASS]);
    check_learner(&CENTRES, &mixed_view(60), &[NUMBER]);
    for given in [
        &[("leaf", "3")][..],
        &[("levels", "1")],
        &[("distance", "sum(size: absolute, colour: discrete)")],
        &[("distance", "mean(missing=skip)"), ("levels", "0")],
    ] {
        check_learner_with(&CENTRES, given, &mixed_view(50), &[CLASS]);
    }
}

#[test]
fn huge_weights_end_in_a_model_that_loads_or_in_an_error() {
    for size in [1e150, 1e300, 1e307, 1.7e308] {
        let numbers = |scale: f64| Column::numeric((0..8).map(|x| scale * f64::from(x)).collect());
        let view = view(vec![
            Attribute::new("x", numbers(1.0)),
            Attribute::new("y", numbers(2.0)),
            Attribute::new("w", Column::numeric(vec![size; 8])).with_role(Role::Weight),
        ]);
        let Ok(task) = Task::new(&view, &[1]) else {
            assert!(size > 1e300, "{size}");
            continue;
        };
        let none: [(&str, &str); 0] = [];
        let learner = (CENTRES.build)(&CENTRES.settings(&none).unwrap()).unwrap();
        let model = learner.fit(&task, &Context::new()).unwrap();
        let mut sections = Sections::new();
        model.write(&mut sections).unwrap();
        let stored = Stored::from_bytes(sections.to_bytes().unwrap()).unwrap();
        assert!(CentreTree::read(&stored).is_ok(), "{size}");
    }
}

/// Strings beside numbers: rows without means.
fn words(words: &[&str], sizes: &[f64], labels: &[&str]) -> View {
    let texts: Vec<Value> = words
        .iter()
        .map(|word| Value::Text((*word).into()))
        .collect();
    view(vec![
        Attribute::new("word", Column::from_values(&Type::String, &texts).unwrap()),
        Attribute::new("size", Column::numeric(sizes.to_vec())),
        Attribute::new(
            "class",
            Column::nominal(labels.iter().map(|label| Some(*label))),
        ),
    ])
}

#[test]
fn rows_with_structure_have_medoids() {
    let words = words(
        &["aaa", "aab", "aaaa", "zzz", "zzy", "zzzz"],
        &[1.0, 1.0, 2.0, 1.0, 2.0, 1.0],
        &["a", "a", "a", "z", "z", "z"],
    );
    check_learner(&CENTRES, &words, &[2]);
    let model = fitted(
        &words,
        2,
        &[("distance", "sum(word: edit)")],
        &Context::new(),
    );
    assert_eq!(classes(&*model, &words), [0, 0, 0, 1, 1, 1]);
    // The first of the equally central `aaa` and the others is stored as it stands.
    assert_eq!(
        model.show(),
        "2 leaves, 2 centres, 1 level
distance: sum(word: edit(insert=1, delete=1, substitute=1, far=4))
over: word, size
nearest to a at (aaa, 1): a (3 rows)
nearest to z at (zzz, 1): z (3 rows)
"
    );
}

/// Molecules whose atoms stand in a table of their own: heavy ones are active.
fn molecules() -> View {
    let (mut owner, mut mass) = (Vec::new(), Vec::new());
    for molecule in 0..20 {
        for atom in 0..=molecule % 3 {
            owner.push(f64::from(molecule));
            mass.push(f64::from(10 * (molecule % 2) + atom));
        }
    }
    let labels = (0..20).map(|molecule| Some(["light", "heavy"][molecule % 2]));
    linked_view(
        vec![Attribute::new("class", Column::nominal(labels))],
        ("atom", owner),
        vec![Attribute::new("mass", Column::numeric(mass))],
    )
}

#[test]
fn rows_behind_a_key_are_compared() {
    let view = molecules();
    check_learner_with(&CENTRES, &[], &view, &[1]);
    let model = fitted(&view, 1, &[], &Context::new());
    let expected: Vec<u32> = (0..20).map(|molecule| molecule % 2).collect();
    assert_eq!(classes(&*model, &view), expected);
    assert_eq!(model.to_json()["leaves"], 2);
}

#[test]
fn nodes_that_are_no_tree_are_refused() {
    let model = fitted(&mixed_view(40), CLASS, &[], &Context::new());
    let mut sections = Sections::new();
    model.write(&mut sections).unwrap();
    let stored = Stored::from_bytes(sections.to_bytes().unwrap()).unwrap();
    let written: serde_json::Value = stored.json("tree").unwrap();
    let classes = Dictionary::from_labels(["low", "middle", "high"]);
    type Forge = fn(&mut serde_json::Value);
    let forgeries: [(Forge, Result<(), &str>); 8] = [
        (|_| {}, Ok(())),
        (|nodes| *nodes = json!([]), Err("a tree without nodes")),
        (
            |nodes| nodes[0]["split"]["children"][0] = json!(0),
            Err("nodes that are no tree"),
        ),
        (
            |nodes| nodes[0]["split"]["children"][0] = nodes[0]["split"]["children"][1].clone(),
            Err("nodes that are no tree"),
        ),
        (
            |nodes| nodes[0]["split"] = json!(null),
            Err("a node that nothing leads to"),
        ),
        (
            |nodes| nodes[0]["split"]["first"] = json!(u64::MAX),
            Err("a node without its centres"),
        ),
        (
            |nodes| nodes[0]["answer"][0] = json!(-1),
            Err("an answer that is none"),
        ),
        (
            |nodes| nodes[0]["split"]["groups"][0] = json!({"class": 9}),
            Err("a centre of nothing that is predicted"),
        ),
    ];
    for (forge, expected) in forgeries {
        let mut forged = written["nodes"].clone();
        forge(&mut forged);
        let nodes: Vec<Node> = serde_json::from_value(forged).unwrap();
        let centres = written["nodes"].as_array().unwrap().len() - 1;
        assert_eq!(sound(&nodes, centres, Some(&classes)), expected);
    }
}

#[test]
fn regions_are_divided_until_they_are_pure() {
    // The outer classes around the inner one: both centres stand in the middle, and the first split
    // is impure.
    let sizes = [0.0, 1.0, 5.0, 6.0, 10.0, 11.0];
    let labels = ["out", "out", "in", "in", "out", "out"].map(Some);
    let ring = view(vec![
        Attribute::new("x", Column::numeric(sizes.to_vec())),
        Attribute::new("class", Column::nominal(labels)),
    ]);
    // Means 5.5 and 5.5: all rows go to the first centre, and nothing is divided.
    let model = fitted(&ring, 1, &[], &Context::new());
    assert!(
        model.show().starts_with("1 leaf, 0 centres, 0 levels\n"),
        "{}",
        model.show()
    );
    let sizes = [0.0, 1.0, 5.0, 6.0, 10.0, 12.0];
    let ring = view(vec![
        Attribute::new("x", Column::numeric(sizes.to_vec())),
        Attribute::new("class", Column::nominal(labels)),
    ]);
    let model = fitted(&ring, 1, &[], &Context::new());
    assert_eq!(classes(&*model, &ring), [0, 0, 1, 1, 0, 0]);
    let told = model.explain(&ring, 0, 5).unwrap().unwrap();
    assert!(told.targets[0].path().len() >= 2);
    assert_eq!(
        told.targets[0].prediction,
        [("out".to_owned(), 1.0), ("in".to_owned(), 0.0)]
    );
    assert!(
        told.to_text().contains("nearest to in"),
        "{}",
        told.to_text()
    );
    // Where a part would be too small, the node stays whole; so it does where no more levels are
    // allowed.
    for given in [&[("leaf", "7")][..], &[("levels", "0")]] {
        let whole = fitted(&ring, 1, given, &Context::new());
        let output = whole.predict(&ring, &Context::new()).unwrap().targets[0]
            .output
            .clone();
        assert!((output.row(3)[0] - 4.0 / 6.0).abs() < 1e-12);
    }
}

#[test]
fn what_cannot_be_learned_from_is_named() {
    let mixed = mixed_view(20);
    let error = |view: &View, targets: &[usize], given: &[(&str, &str)]| {
        let learner = (CENTRES.build)(&CENTRES.settings(given).unwrap());
        let result =
            learner.and_then(|learner| learner.fit(&Task::new(view, targets)?, &Context::new()));
        result.err().unwrap().to_string()
    };
    assert_eq!(
        error(&mixed, &[CLASS, NUMBER], &[]),
        "`centres` predicts single nominal or numeric targets, and `class`, `amount` is 2 targets"
    );
    assert!(
        error(&mixed, &[CLASS], &[("distance", "euclidian")]).contains("did you mean `euclidean`?")
    );
    let lone = view(vec![Attribute::new(
        "class",
        Column::nominal([Some("a"), Some("b")]),
    )]);
    assert!(error(&lone, &[0], &[]).contains("`centres`"));
    let terms = [
        Value::Term("p(a)".parse().unwrap()),
        Value::Term("p(b)".parse().unwrap()),
    ];
    let terms = view(vec![
        Attribute::new("term", Column::from_values(&Type::Term, &terms).unwrap()),
        Attribute::new("class", Column::nominal([Some("a"), Some("b")])),
    ]);
    assert!(error(&terms, &[1], &[("distance", "lgg")]).contains("gives pairs"));
    let weightless = view(vec![
        Attribute::new("x", Column::numeric(vec![1.0, 2.0])),
        Attribute::new("class", Column::nominal([Some("a"), Some("b")])),
        Attribute::new("w", Column::numeric(vec![0.0, 0.0])).with_role(Role::Weight),
    ]);
    assert!(error(&weightless, &[1], &[]).contains("weight 0"));
}

#[test]
fn work_that_is_stopped_leaves_a_whole_model() {
    let mixed = mixed_view(60);
    let stopped = [
        Context::new().with_time(Duration::ZERO),
        Context::new().with_stop(Arc::new(AtomicBool::new(true))),
    ];
    for context in stopped {
        let model = fitted(&mixed, CLASS, &[], &context);
        assert!(context.was_cut_short());
        assert_eq!(classes(&*model, &mixed).len(), 60);
        assert!(model.predict(&mixed, &context).is_err());
    }
    let fresh = Context::new();
    fitted(&mixed, CLASS, &[], &fresh);
    assert!(!fresh.was_cut_short());
}

/// Centre splitting written down once more, by recursion over rows of numbers and labels.
fn naive(rows: &[(f64, usize, usize)], range: f64, row: (f64, usize)) -> Vec<f64> {
    let shares = || {
        let mut shares = vec![0.0; 3];
        for &(_, _, class) in rows {
            shares[class] += 1.0 / rows.len() as f64;
        }
        shares
    };
    let centres: Vec<(f64, usize)> = (0..3)
        .filter_map(|class| {
            let own: Vec<_> = rows.iter().filter(|row| row.2 == class).collect();
            let mean = own.iter().map(|row| row.0).sum::<f64>() / own.len() as f64;
            let count = |label: usize| own.iter().filter(|row| row.1 == label).count();
            let mode = (0..3).rev().max_by_key(|&label| count(label))?;
            (!own.is_empty()).then_some((mean, mode))
        })
        .collect();
    let distance = |x: (f64, usize), centre: (f64, usize)| {
        let share = (x.0 - centre.0).abs() / range;
        (share * share + f64::from(u8::from(x.1 != centre.1))).sqrt()
    };
    let near = |x: (f64, usize), among: &[usize]| {
        let mut best = among[0];
        for &centre in among {
            let (found, so_far) = (distance(x, centres[centre]), distance(x, centres[best]));
            if found < so_far - 1e-9 * so_far {
                best = centre;
            }
        }
        best
    };
    let all: Vec<usize> = (0..centres.len()).collect();
    let taken: Vec<usize> = rows.iter().map(|row| near((row.0, row.1), &all)).collect();
    let used: Vec<usize> = all
        .into_iter()
        .filter(|centre| taken.contains(centre))
        .collect();
    if centres.len() < 2 || used.len() < 2 {
        return shares();
    }
    let own = near(row, &used);
    let below: Vec<_> = rows
        .iter()
        .zip(taken)
        .filter(|(_, centre)| *centre == own)
        .map(|(row, _)| *row)
        .collect();
    naive(&below, range, row)
}

kinwood_testing::soak! { 256;
    fn soak_trees_are_those_of_the_plain_method(rows in prop::collection::vec((0i32..12, 0usize..3, 0usize..3), 2..40)) {
        let labels = ["p", "q", "r"];
        let classes = ["a", "b", "c"];
        // The first rows name all labels and classes, so that codes are as numbered here; the first
        // numbers are the ends.
        let mut rows = rows;
        rows.splice(0..0, [(0, 0, 0), (12, 1, 1), (5, 2, 2)]);
        let rows: Vec<(f64, usize, usize)> = rows.into_iter().map(|(x, l, c)| (f64::from(x), l, c)).collect();
        let data = view(vec![
            Attribute::new("x", Column::numeric(rows.iter().map(|row| row.0).collect())),
            Attribute::new("label", Column::nominal(rows.iter().map(|row| Some(labels[row.1])))),
            Attribute::new("class", Column::nominal(rows.iter().map(|row| Some(classes[row.2])))),
        ]);
        let model = fitted(&data, 2, &[("held_out", "false")], &Context::new());
        let predictions = model.predict(&data, &Context::new()).unwrap();
        let shares = predictions.targets[0].output.numbers();
        for (row, shares) in rows.iter().zip(shares.chunks(3)) {
            let expected = naive(&rows, 12.0, (row.0, row.1));
            for (share, expected) in shares.iter().zip(expected) {
                prop_assert!((share - expected).abs() < 1e-9, "{row:?}: {shares:?}");
            }
        }
    }
}
