//! Learners that are given flat tables.

use std::sync::Arc;

use kinwood_values::container::{Sections, Stored};
use kinwood_values::{Attribute, Column, Database, ForeignKey, Role, Table, View};

use kinwood_learners::Result;
use kinwood_learners::context::Context;
use kinwood_learners::flatten::*;
use kinwood_learners::model::Model;
use kinwood_learners::predictions::Predictions;
use kinwood_learners::random::Generator;
use kinwood_learners::sql::Asked;
use kinwood_learners::task::Task;
use kinwood_learners::testing::{bytes, check_learner_with, linked_view};
use kinwood_learners::{Registry, Targets};

/// Owners of parts whose sizes say what the owners' class and amount are; some own nothing.
fn owners(count: usize) -> View {
    let mut generator = Generator::new(11, &[count as u64]);
    let (mut class, mut amount, mut own) = (Vec::new(), Vec::new(), Vec::new());
    let (mut of, mut size, mut shape) = (Vec::new(), Vec::new(), Vec::new());
    for owner in 0..count {
        let base = generator.unit() * 10.0;
        for _ in 0..generator.below(5) {
            of.push(owner as f64);
            size.push(base + generator.normal());
            shape.push((generator.below(6) > 0).then_some(["round", "flat"][generator.below(2)]));
        }
        class.push(Some(if base > 5.0 { "big" } else { "small" }));
        amount.push(3.0 * base);
        own.push(generator.normal());
    }
    linked_view(
        vec![
            Attribute::new("own", Column::numeric(own)),
            Attribute::new("class", Column::nominal(class)),
            Attribute::new("amount", Column::numeric(amount)),
        ],
        ("part", of),
        vec![
            Attribute::new("size", Column::numeric(size)),
            Attribute::new("shape", Column::nominal(shape)),
        ],
    )
}

/// The ways to flatten: joined, as published, and by all aggregates.
const WAYS: [&[(&str, &str)]; 3] = [
    &[("flatten", "p1")],
    &[("flatten", "p2"), ("aggregates", "paper")],
    &[("flatten", "p2")],
];

const CLASS: usize = 2;
const AMOUNT: usize = 3;

fn fit(name: &str, given: &[(&str, &str)], view: &View, target: usize) -> Result<Box<dyn Model>> {
    let registry = Registry::new();
    let entry = registry.find(name)?;
    let learner = entry.learner(&entry.settings(given)?)?;
    learner.fit(
        &Task::new(view, &[target])?,
        &Context::new().with_threads(1),
    )
}

#[test]
fn every_flat_learner_keeps_the_rules_on_flattened_tables() {
    let view = owners(40);
    let registry = Registry::new();
    for entry in registry.entries().iter().filter(|entry| entry.flat) {
        for given in WAYS {
            let hidden = if entry.targets == Targets::NUMERIC {
                (AMOUNT, CLASS)
            } else {
                (CLASS, AMOUNT)
            };
            let view = view.hiding(0, hidden.1);
            check_learner_with(entry, given, &view, &[hidden.0]);
        }
    }
    let entry = registry.find("tree").unwrap();
    check_learner_with(entry, &[("flatten", "p1")], &view, &[CLASS, AMOUNT]);
    assert!(!registry.find("citation_knn").unwrap().flat);
}

#[test]
fn linked_columns_are_what_is_learned_from() {
    let view = owners(120).hiding(0, CLASS);
    let squares = |given: &[(&str, &str)]| {
        let model = fit("tree", given, &view, AMOUNT).unwrap();
        let predicted = model.predict(&view, &Context::new()).unwrap();
        let amounts = &view.table().attribute(AMOUNT).column;
        let errors = (0..view.len()).map(|row| {
            (predicted.targets[0].output.number(row).unwrap() - amounts.number(row).unwrap())
                .powi(2)
        });
        errors.sum::<f64>() / view.len() as f64
    };
    let alone = squares(&[("follow", "0")]);
    for given in WAYS {
        assert!(squares(given) < 0.6 * alone, "{given:?}");
    }
}

#[test]
fn a_joined_prediction_is_the_average_over_the_rows_of_the_object() {
    let view = owners(30).hiding(0, AMOUNT).hiding(0, CLASS);
    let training = owners(30).hiding(0, CLASS);
    let model = fit(
        "tree",
        &[("flatten", "p1"), ("leaf", "2")],
        &training,
        AMOUNT,
    )
    .unwrap();
    let plan = Flattening::plan(&view, Kind::Joined, 3).unwrap();
    let flat = plan.flat(&view, 0..view.len(), 1000).unwrap();
    let registry = Registry::new();
    let entry = registry.find("tree").unwrap();
    let stored = Stored::from_bytes(bytes(&*model)).unwrap();
    let inner = (entry.load)(&stored.scope("flat")).unwrap();
    let of_rows = inner.predict(&flat.view, &Context::new()).unwrap();
    let of_objects = model.predict(&view, &Context::new()).unwrap();
    for object in 0..view.len() {
        let rows = flat.offsets[object]..flat.offsets[object + 1];
        let count = rows.len() as f64;
        let sum: f64 = rows
            .map(|row| of_rows.targets[0].output.number(row).unwrap())
            .sum();
        let found = of_objects.targets[0].output.number(object).unwrap();
        assert!((found - sum / count).abs() < 1e-9);
    }
}

#[test]
fn predictions_do_not_depend_on_how_many_rows_are_joined_at_a_time() {
    let training = owners(30).hiding(0, CLASS);
    let view = training.hiding(0, AMOUNT);
    let model = fit("knn", &[("flatten", "p1")], &training, AMOUNT).unwrap();
    let whole = model.predict(&view, &Context::new()).unwrap();
    // A limit of few rows makes portions of few objects.
    let mut sections = Sections::new();
    model.write(&mut sections).unwrap();
    let registry = Registry::new();
    let entry = registry.find("knn").unwrap();
    let stored = Stored::from_bytes(sections.to_bytes().unwrap()).unwrap();
    let model = Flattened::read(&stored, entry.load).unwrap().with_limit(5);
    assert!(model.portions(&view).len() > 5);
    let by_parts = model.predict(&view, &Context::new()).unwrap();
    assert_eq!(whole, by_parts);
}

fn predicted(model: &dyn Model, view: &View) -> Predictions {
    model.predict(view, &Context::new()).unwrap()
}

#[test]
fn rows_outside_training_and_the_target_are_not_seen() {
    // Friends know each other's wealth: the path leads back to the target's table.
    let number =
        |name: &str, numbers: &[f64]| Attribute::new(name, Column::numeric(numbers.to_vec()));
    let view = |wealth: &[f64; 6], age: &[f64; 6]| {
        let attributes = vec![
            number("id", &[0.0, 1.0, 2.0, 3.0, 4.0, 5.0]).with_role(Role::Id),
            number("friend", &[1.0, 0.0, 3.0, 2.0, 0.0, 1.0]).with_role(Role::Id),
            number("age", age),
            number("wealth", wealth),
        ];
        let person = Table::new("person", attributes).unwrap();
        let key = ForeignKey {
            name: "friend".into(),
            from: 0,
            from_columns: vec![1],
            to: 0,
            to_columns: vec![0],
            describes: None,
        };
        let (database, _) = Database::new(vec![person], vec![key]).unwrap();
        View::new(Arc::new(database), 0).select(&[0, 1, 2, 3])
    };
    let age = [30.0, 40.0, 50.0, 60.0, 70.0, 80.0];
    let wealth = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
    for way in WAYS {
        let given = [way, &[("leaf", "1"), ("pruning", "none")]].concat();
        let model = fit("tree", &given, &view(&wealth, &age), 3).unwrap();
        assert!(!model.to_json()["columns"].to_string().contains("wealth"));
        // Other ages and amounts of those who are not in training change nothing.
        let mut other = (wealth, age);
        (other.0[4], other.0[5]) = (100.0, 200.0);
        (other.1[4], other.1[5]) = (1.0, 2.0);
        let again = fit("tree", &given, &view(&other.0, &other.1), 3).unwrap();
        assert_eq!(bytes(&*model), bytes(&*again));
        // Other amounts of those who are asked about change nothing.
        let queries = view(&wealth.map(|w| w * 7.0), &age);
        assert_eq!(
            predicted(&*model, &queries.hiding(0, 3)),
            predicted(&*model, &view(&wealth, &age).hiding(0, 3))
        );
    }
}

#[test]
fn what_a_flattened_model_says_of_itself() {
    let view = owners(60).hiding(0, CLASS);
    for given in WAYS {
        let kind = given[0].1;
        let model = fit("tree", given, &view, AMOUNT).unwrap();
        let shown = model.show();
        let columns = match given.len() + usize::from(kind == "p1") {
            2 => "2 linked columns on 1 path",
            _ => "18 aggregates along 1 path",
        };
        assert!(
            shown.starts_with(&format!("flattened ({kind}): {columns}")),
            "{shown}"
        );
        assert!(
            shown.contains("\n  part\n") && shown.contains("part.size"),
            "{shown}"
        );
        assert_eq!(model.to_json()["flatten"], kind);
        assert!(model.to_json()["model"].is_object());
        let refused = model.sql(Asked::Answers).unwrap().unwrap_err().to_string();
        assert!(refused.contains(&format!("flatten={kind}")), "{refused}");
        let view_of = model.view("predicted", Asked::Answers, None);
        assert_eq!(view_of.is_some_and(|sql| sql.is_ok()), given == WAYS[2]);
        let drawing = model.drawing().unwrap();
        assert!(drawing.notes.iter().any(|note| note.contains(kind)));
        let asked = view.hiding(0, AMOUNT);
        let visited = model.visited(&asked, 0).unwrap().unwrap();
        assert!(
            visited
                .iter()
                .any(|&(tree, node, share)| (tree, node) == (0, 0) && (share - 1.0).abs() < 1e-9)
        );
        let several = (0..view.len()).find(|&row| {
            view.linked(
                row as u32,
                0,
                kinwood_values::Direction::Backward,
                row as u32,
            )
            .count()
                > 1
        });
        let explained = model.explain(&asked, several.unwrap(), 3).unwrap();
        match kind {
            "p1" => {
                let refused = explained.unwrap_err().to_string();
                assert!(
                    refused.contains("joined rows") && refused.contains("`flatten=p2`"),
                    "{refused}"
                );
                let single = (0..view.len()).find(|&row| {
                    view.linked(
                        row as u32,
                        0,
                        kinwood_values::Direction::Backward,
                        row as u32,
                    )
                    .count()
                        < 2
                });
                assert!(model.explain(&asked, single.unwrap(), 3).unwrap().is_ok());
            }
            _ => assert!(explained.unwrap().to_text().contains("part.size")),
        }
    }
}

#[test]
fn appended_objects_are_flattened_too() {
    let view = owners(30).hiding(0, CLASS);
    let (first, rest): (Vec<u32>, Vec<u32>) = ((0..20).collect(), (20..30).collect());
    for way in WAYS {
        let given = [way, &[("k", "3")]].concat();
        let mut model = fit("knn", &given, &view.select(&first), AMOUNT).unwrap();
        let more = Task::new(&view.select(&rest), &[AMOUNT]).unwrap();
        model.append(&more).unwrap().unwrap();
        let asked = view.hiding(0, AMOUNT);
        if way != WAYS[2] {
            // Which aggregates there are is chosen on the first objects and stays so.
            let whole = fit("knn", &given, &view, AMOUNT).unwrap();
            assert_eq!(predicted(&*model, &asked), predicted(&*whole, &asked));
        }
        let mut tree = fit("tree", way, &view, AMOUNT).unwrap();
        assert!(tree.append(&more).is_none());
    }
}

#[test]
fn settings_are_checked_and_the_own_table_alone_is_no_trouble() {
    let view = owners(20).hiding(0, CLASS);
    let message =
        |given: &[(&str, &str)]| fit("tree", given, &view, AMOUNT).err().unwrap().to_string();
    assert_eq!(
        message(&[("flatten", "p3")]),
        "setting `flatten` cannot be `p3`: expected one of none, p1, p2; did you mean `p1`?"
    );
    assert!(message(&[("flatten_depth", "0")]).contains("a whole number from 1 to 32"));
    let list = message(&[("flatten", "p2"), ("aggregates", "count,maen")]);
    assert!(
        list.contains("setting `aggregates` cannot be `count,maen`"),
        "{list}"
    );
    assert!(list.contains("did you mean `mean`?"), "{list}");
    let windows = message(&[("flatten", "p2"), ("flatten_windows", "30;90")]);
    assert!(windows.contains("a list of days"), "{windows}");
    assert!(
        message(&[("flatten", "p1"), ("flatten_rows", "3")]).contains("more than flatten_rows=3")
    );
    let registry = Registry::new();
    let refused = registry
        .find("citation_knn")
        .unwrap()
        .settings(&[("flatten", "p1")]);
    assert!(
        refused
            .unwrap_err()
            .to_string()
            .contains("has no setting `flatten`")
    );
    let entry = registry.find("knn").unwrap();
    let settings = |given: &[(&str, &str)]| entry.settings(given).unwrap();
    assert!(entry.needs_other_tables(&settings(&[("flatten", "p2"), ("depth", "0")])));
    assert!(!entry.needs_other_tables(&settings(&[("depth", "0")])));
    let alone = kinwood_learners::testing::mixed_view(30);
    let flat = fit(
        "tree",
        &[("flatten", "p1")],
        &alone,
        kinwood_learners::testing::CLASS,
    )
    .unwrap();
    let plain = fit("tree", &[], &alone, kinwood_learners::testing::CLASS).unwrap();
    assert_eq!(predicted(&*flat, &alone), predicted(&*plain, &alone));
}

#[test]
fn a_file_whose_paths_are_not_those_of_the_data_is_refused() {
    let view = owners(20).hiding(0, CLASS);
    let model = fit("tree", &[("flatten", "p2")], &view, AMOUNT).unwrap();
    let alone = kinwood_learners::testing::mixed_view(20);
    let refused = model
        .predict(&alone, &Context::new())
        .unwrap_err()
        .to_string();
    assert!(
        refused.contains("path `part` follows no key of the data"),
        "{refused}"
    );
}
