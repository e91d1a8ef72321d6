//! The learner as a whole: what every learner keeps to, the settings, and a law that is planted
//! over keys.

use crate::error::TreeError;
use std::sync::Arc;

use kinwood_values::{Attribute, Column, Database, ForeignKey, Role, Table, View};

use super::MirtModel;
use super::naive::view as random_view;
use crate::MIRT;
use kinwood_learning::context::Context;
use kinwood_learning::model::Model;
use kinwood_learning::random::Generator;
use kinwood_learning::task::Task;
use kinwood_learning::testing::{bytes, check_learner_with, mixed_view};

const SETTINGS: &[&[(&str, &str)]] = &[
    &[],
    &[("preset", "best")],
    &[
        ("leaf_model", "constant"),
        ("every", "true"),
        ("counts", "true"),
    ],
    &[("leaf_model", "smoti")],
    &[("search", "best_first"), ("size", "5")],
    &[("pruning", "reduced_error")],
    &[("pruning", "cost_complexity"), ("one_se", "true")],
    &[("pruning", "models")],
    &[
        ("search", "beam"),
        ("width", "4"),
        ("beta", "0.5"),
        ("combine", "average"),
        ("objects", "4"),
    ],
    &[
        ("smoothing", "15"),
        ("clip", "true"),
        ("leaf_labels", "true"),
        ("leaf_aggregates", "true"),
        ("around", "1"),
    ],
];

/// Orders with lines behind a key, and the product of each line behind another; a class and a
/// number that depend on them.
pub(crate) fn orders(count: usize, seed: u64) -> View {
    let mut random = Generator::new(seed, &[1]);
    let products = 12;
    let weight: Vec<f64> = (0..products).map(|_| random.unit() * 10.0).collect();
    let kinds: Vec<&str> = (0..products)
        .map(|place| ["food", "tool", "toy"][place % 3])
        .collect();
    let (mut of, mut product, mut amount) = (Vec::new(), Vec::new(), Vec::new());
    let (mut class, mut cost, mut haste) = (Vec::new(), Vec::new(), Vec::new());
    for order in 0..count {
        let express = random.unit();
        let mut tools: Option<f64> = None;
        for _ in 0..random.below(5) {
            let own = random.below(products);
            of.push(order as f64);
            product.push(own as f64);
            amount.push(1.0 + random.below(6) as f64);
            if kinds[own] == "tool" {
                let heavy = tools.unwrap_or(0.0);
                tools = Some(heavy.max(weight[own]));
            }
        }
        class.push(Some(if tools.is_some() { "shop" } else { "home" }));
        cost.push(4.0 + 2.0 * express + tools.map_or(0.0, |heavy| 5.0 + heavy));
        haste.push(express);
    }
    let id = |name: &str, numbers: Vec<f64>| {
        Attribute::new(name, Column::numeric(numbers)).with_role(Role::Id)
    };
    let number = |name: &str, numbers: Vec<f64>| Attribute::new(name, Column::numeric(numbers));
    let numbered = |count: usize| (0..count).map(|row| row as f64).collect::<Vec<f64>>();
    let mut order = Table::new(
        "order",
        vec![
            id("id", numbered(count)),
            number("express", haste),
            Attribute::new("class", Column::nominal(class)),
            number("cost", cost),
        ],
    )
    .unwrap();
    order.set_key(Some(vec![0]));
    let line = Table::new(
        "line",
        vec![
            id("of", of),
            id("product", product),
            number("amount", amount),
        ],
    )
    .unwrap();
    let kinds = Column::nominal(kinds.into_iter().map(Some));
    let mut product = Table::new(
        "product",
        vec![
            id("id", numbered(products)),
            Attribute::new("kind", kinds),
            number("weight", weight),
        ],
    )
    .unwrap();
    product.set_key(Some(vec![0]));
    let key = |name: &str, column, to| ForeignKey {
        name: name.to_owned(),
        from: 1,
        from_columns: vec![column],
        to,
        to_columns: vec![0],
        describes: None,
    };
    let keys = vec![key("line_of", 0, 0), key("line_product", 1, 2)];
    View::new(
        Arc::new(Database::new(vec![order, line, product], keys).unwrap().0),
        0,
    )
}

fn fit(
    view: &View,
    targets: &[usize],
    given: &[(&str, &str)],
) -> kinwood_learning::error::Result<Box<dyn Model>> {
    let learner = (MIRT.build)(&MIRT.settings(given)?)?;
    learner.fit(&Task::new(view, targets)?, &Context::new())
}

#[test]
fn the_learner_keeps_the_rules_of_learners() {
    for given in SETTINGS {
        check_learner_with(
            &MIRT,
            given,
            &mixed_view(60),
            &[kinwood_learning::testing::NUMBER],
        );
        check_learner_with(&MIRT, given, &orders(40, 3), &[3]);
    }
    for given in SETTINGS
        .iter()
        .filter(|given| !given.contains(&("leaf_model", "smoti")))
    {
        check_learner_with(&MIRT, given, &orders(40, 3), &[2]);
        check_learner_with(&MIRT, given, &orders(40, 4), &[2, 3]);
        check_learner_with(
            &MIRT,
            given,
            &mixed_view(60),
            &[kinwood_learning::testing::CLASS],
        );
    }
}

#[test]
fn random_databases_are_learned_and_their_models_survive_files() {
    for seed in 0..40 {
        let (view, target) = random_view(seed);
        for given in SETTINGS {
            let given: Vec<(&str, &str)> =
                given.iter().copied().chain([("determined", "1")]).collect();
            let given: Vec<(&str, &str)> = match given.iter().any(|(name, _)| *name == "objects") {
                true => given,
                false => given.into_iter().chain([("objects", "2")]).collect(),
            };
            let model = fit(&view, &[target], &given).unwrap();
            let written = bytes(&*model);
            let stored = kinwood_values::container::Stored::from_bytes(written.clone()).unwrap();
            let read = MirtModel::read(&stored).unwrap();
            assert_eq!(bytes(&read), written);
            let context = Context::new();
            assert_eq!(
                model.predict(&view, &context).unwrap(),
                read.predict(&view, &context).unwrap()
            );
        }
    }
}

#[test]
fn a_law_over_two_keys_is_found() {
    let view = orders(400, 11);
    let model = fit(&view, &[2], &[]).unwrap();
    let predicted = &model.predict(&view, &Context::new()).unwrap().targets[0].output;
    let right = (0..400).filter(|&row| {
        let code = view.database().table(0).attribute(2).column.code(row);
        predicted.class(row) == code
    });
    assert_eq!(right.count(), 400, "whether an order has a tool");
    let fresh = orders(300, 12);
    let error = |given: &[(&str, &str)]| {
        let model = fit(&view, &[3], given).unwrap();
        let said = model.predict(&fresh, &Context::new()).unwrap();
        let said = said.targets[0].output.numbers();
        let truth = view_numbers(&fresh);
        let squares: f64 = said.iter().zip(truth).map(|(a, b)| (a - b).powi(2)).sum();
        (squares / 300.0).sqrt()
    };
    let constant = error(&[("leaf_model", "constant")]);
    let paper = error(&[]);
    assert!(
        paper < constant,
        "linear leaves say more than means: {paper} and {constant}"
    );
    assert!(error(&[("preset", "best")]) < constant);
}

fn view_numbers(view: &View) -> Vec<f64> {
    let column = &view.database().table(0).attribute(3).column;
    (0..view.len())
        .filter_map(|row| column.number(row))
        .collect()
}

#[test]
fn constraints_speak_of_tables_and_columns() {
    let view = orders(120, 5);
    let json =
        |given: &[(&str, &str)]| fit(&view, &[3], given).map(|model| model.to_json().to_string());
    let used = json(&[("constraints", "uses(product) and size <= 5")]).unwrap();
    assert!(used.contains("\"key\":\"line_product\""), "{used}");
    let free = json(&[("size", "1")]).unwrap();
    assert!(!free.contains("\"key\":\"line_product\""), "{free}");
    for search in ["greedy", "best_first", "beam"] {
        let without = fit(
            &view,
            &[3],
            &[
                ("search", search),
                ("constraints", "not uses(line)"),
                ("leaf_model", "constant"),
            ],
        )
        .unwrap();
        let model = without.to_json().to_string();
        assert!(!model.contains("\"steps\":[{"), "{model}");
    }
    let unknown = json(&[("constraints", "uses(produkt)")])
        .unwrap_err()
        .to_string();
    assert!(unknown.contains("did you mean `product`"), "{unknown}");
    let like = json(&[("constraints", "like(no-such-file.json)")])
        .unwrap_err()
        .to_string();
    assert!(like.contains("no-such-file.json"), "{like}");
    let contradiction = json(&[("constraints", "uses(product) and not uses(product)")]);
    assert!(matches!(
        contradiction.unwrap_err().own(),
        Some(TreeError::Infeasible { .. })
    ));
}

#[test]
fn costs_count_tests_and_what_is_named() {
    let view = orders(150, 9);
    let depth = |given: &[(&str, &str)]| {
        let all: Vec<(&str, &str)> = given
            .iter()
            .copied()
            .chain([("leaf_model", "constant")])
            .collect();
        fit(&view, &[3], &all).unwrap().to_json()["trees"][0]["depth"]
            .as_u64()
            .unwrap()
    };
    let free = depth(&[("determined", "1")]);
    assert!(free > 2, "{free}");
    assert_eq!(
        depth(&[("determined", "1"), ("constraints", "cost <= 2")]),
        2
    );
    assert_eq!(
        depth(&[("determined", "1"), ("constraints", "cost < 1")]),
        0
    );
    let cheap = [
        ("determined", "1"),
        (
            "costs",
            "express=0, class=0, amount=0, weight=0, kind=0, line=0, product=0",
        ),
        ("constraints", "cost < 1"),
    ];
    assert_eq!(depth(&cheap), free);
}

/// The terms of all formulas below.
fn terms_in(told: &serde_json::Value, into: &mut Vec<serde_json::Value>) {
    match told {
        serde_json::Value::Object(fields) => {
            for (name, value) in fields {
                match (name.as_str(), value) {
                    ("terms", serde_json::Value::Array(terms)) => {
                        into.extend(terms.iter().cloned())
                    }
                    _ => terms_in(value, into),
                }
            }
        }
        serde_json::Value::Array(values) => values.iter().for_each(|value| terms_in(value, into)),
        _ => {}
    }
}

#[test]
fn what_may_not_be_used_is_not_in_leaves_either() {
    let view = orders(150, 9);
    for leaf in ["em", "linear", "smoti"] {
        let given = [
            ("leaf_model", leaf),
            (
                "constraints",
                "not uses(order.express) and not uses(product)",
            ),
            ("around", "2"),
            ("leaf_labels", "true"),
        ];
        let told = fit(&view, &[3], &given).unwrap().to_json();
        let mut terms = Vec::new();
        terms_in(&told["trees"], &mut terms);
        let spoken = |key: &str, name: &str| terms.iter().any(|term| term[key] == name);
        assert!(
            !spoken("column", "express") && !spoken("table", "product"),
            "{leaf}: {terms:?}"
        );
        let free = fit(&view, &[3], &[("leaf_model", leaf), ("around", "2")])
            .unwrap()
            .to_json();
        terms_in(&free["trees"], &mut terms);
        assert!(
            terms.iter().any(|term| term["column"] == "express"),
            "{leaf}: {terms:?}"
        );
    }
    let small = fit(&view, &[3], &[("leaf_model", "smoti"), ("size", "5")]).unwrap();
    assert!(
        small.to_json()["size"]
            .as_u64()
            .is_some_and(|size| size <= 5)
    );
}

#[test]
fn another_order_of_rows_changes_no_prediction() {
    // Numbers that cancel: their mean is rounding, and no test or variable is to be made of that.
    let mut random = Generator::new(4, &[]);
    let (mut of, mut charge, mut y) = (Vec::new(), Vec::new(), Vec::new());
    for object in 0..60 {
        let start = charge.len();
        for _ in 0..3 + random.below(4) {
            charge.push((random.normal() * 1000.0).round() / 1000.0);
        }
        let rest: f64 = charge[start..].iter().sum();
        charge.push(-rest);
        of.extend(std::iter::repeat_n(f64::from(object), charge.len() - start));
        y.push(random.normal());
    }
    let view = |order: &[usize]| {
        let ids: Vec<f64> = (0..60).map(f64::from).collect();
        let mut thing = Table::new(
            "thing",
            vec![
                Attribute::new("id", Column::numeric(ids)).with_role(Role::Id),
                Attribute::new("y", Column::numeric(y.clone())),
            ],
        )
        .unwrap();
        thing.set_key(Some(vec![0]));
        let taken =
            |numbers: &[f64]| Column::numeric(order.iter().map(|&place| numbers[place]).collect());
        let part = Table::new(
            "part",
            vec![
                Attribute::new("of", taken(&of)).with_role(Role::Id),
                Attribute::new("charge", taken(&charge)),
            ],
        )
        .unwrap();
        let key = ForeignKey {
            name: "part_of".to_owned(),
            from: 1,
            from_columns: vec![0],
            to: 0,
            to_columns: vec![0],
            describes: None,
        };
        View::new(
            Arc::new(Database::new(vec![thing, part], vec![key]).unwrap().0),
            0,
        )
    };
    let forth: Vec<usize> = (0..charge.len()).collect();
    let back: Vec<usize> = forth.iter().rev().copied().collect();
    for given in SETTINGS
        .iter()
        .filter(|given| !given.contains(&("search", "beam")))
    {
        let model = fit(&view(&forth), &[1], given).unwrap();
        let numbers = |order: &[usize]| {
            let said = model.predict(&view(order), &Context::new()).unwrap();
            said.targets[0].output.numbers().to_vec()
        };
        for (a, b) in numbers(&forth).iter().zip(numbers(&back)) {
            assert!((a - b).abs() < 1e-9, "{given:?}: {a} and {b}");
        }
    }
}

#[test]
fn numbers_too_large_for_their_squares_end_in_an_answer() {
    let view = orders(40, 3);
    let huge = Column::numeric(
        (0..view.database().table(1).rows())
            .map(|row| [1e300, -1.7e308, f64::INFINITY, 3.0][row % 4])
            .collect(),
    );
    let database = view.database().with_column(1, 2, huge);
    let view = View::new(Arc::new(database), 0);
    for given in SETTINGS {
        let model = fit(&view, &[3], given);
        assert!(model.is_ok(), "{given:?}");
    }
}

#[test]
fn what_is_stopped_keeps_what_was_found_and_says_so() {
    let view = orders(200, 10);
    for given in SETTINGS {
        let context = Context::new().with_time(std::time::Duration::ZERO);
        let learner = (MIRT.build)(&MIRT.settings(given).unwrap()).unwrap();
        let model = learner
            .fit(&Task::new(&view, &[3]).unwrap(), &context)
            .unwrap();
        assert!(context.was_cut_short(), "{given:?}");
        assert!(
            model.to_json()["stopped"] == "the time limit was reached",
            "{given:?}"
        );
        let said = model.predict(&view, &Context::new()).unwrap();
        assert_eq!(said.targets[0].output.len(), 200);
    }
}

#[test]
fn a_margin_keeps_out_what_is_hardly_better() {
    let view = orders(150, 6);
    let evaluated = |margin: &str| {
        let given = [
            ("search", "beam"),
            ("width", "2"),
            ("leaf_model", "constant"),
            ("size", "9"),
            ("margin", margin),
        ];
        fit(&view, &[3], &given).unwrap().to_json()["size"]
            .as_u64()
            .unwrap()
    };
    assert!(
        evaluated("0") > evaluated("100"),
        "nothing is better by a hundred"
    );
}

#[test]
fn objects_that_count_nothing_change_no_leaf() {
    let view = orders(120, 13);
    let rows = view.len();
    let with = |weight: f64| {
        let mut attributes = view.table().attributes().to_vec();
        let weights = (0..rows)
            .map(|row| if row < 100 { 1.0 } else { weight })
            .collect();
        attributes.push(Attribute::new("w", Column::numeric(weights)).with_role(Role::Weight));
        let mut order = Table::new("order", attributes).unwrap();
        order.set_key(Some(vec![0]));
        let (mut tables, keys) = Database::clone(view.database()).into_parts();
        tables[0] = order;
        View::new(Arc::new(Database::new(tables, keys).unwrap().0), 0)
    };
    let some: Vec<u32> = (0..100).collect();
    let shown = |view: &View| {
        let mut terms = Vec::new();
        terms_in(
            &fit(view, &[3], &[("depth", "0"), ("significance", "1")])
                .unwrap()
                .to_json()["trees"],
            &mut terms,
        );
        terms
    };
    assert!(!shown(&with(0.0)).is_empty());
    assert_eq!(shown(&with(0.0)), shown(&with(1.0).select(&some)));
}

#[test]
fn keys_that_lead_to_too_many_rows_are_left_out_and_told() {
    let view = orders(60, 8);
    let model = fit(&view, &[3], &[("bindings", "20")]).unwrap();
    assert!(
        model.show().contains("more than bindings=20 rows"),
        "{}",
        model.show()
    );
}

#[test]
fn a_beam_is_no_worse_than_one_tree_and_holds_different_ones() {
    let view = orders(150, 6);
    let beam = fit(
        &view,
        &[3],
        &[
            ("search", "beam"),
            ("width", "5"),
            ("leaf_model", "constant"),
            ("size", "7"),
        ],
    )
    .unwrap();
    assert!(beam.members().is_some_and(|members| members.len() > 1));
    let error = |model: &dyn Model| {
        let said = model.predict(&view, &Context::new()).unwrap();
        let said = said.targets[0].output.numbers();
        said.iter()
            .zip(view_numbers(&view))
            .map(|(a, b)| (a - b).powi(2))
            .sum::<f64>()
    };
    let one = fit(
        &view,
        &[3],
        &[
            ("search", "best_first"),
            ("leaf_model", "constant"),
            ("size", "7"),
        ],
    )
    .unwrap();
    assert!(error(&*beam) <= error(&*one) * 1.0001);
}

#[test]
fn structured_columns_are_tested_by_prototypes() {
    let words = [
        "apple", "apples", "aple", "stone", "stones", "ston", "river", "rivers",
    ];
    let mut random = Generator::new(2, &[]);
    let (mut of, mut texts, mut y) = (Vec::new(), Vec::new(), Vec::new());
    for object in 0..60 {
        let mut fruit = false;
        for _ in 0..1 + random.below(3) {
            let word = random.below(words.len());
            fruit |= word < 3;
            of.push(object as f64);
            texts.push(kinwood_values::Value::Text(words[word].to_owned()));
        }
        y.push(if fruit { 5.0 } else { 1.0 });
    }
    let ids: Vec<f64> = (0..60).map(f64::from).collect();
    let mut thing = Table::new(
        "thing",
        vec![
            Attribute::new("id", Column::numeric(ids)).with_role(Role::Id),
            Attribute::new("y", Column::numeric(y)),
        ],
    )
    .unwrap();
    thing.set_key(Some(vec![0]));
    let text = Column::from_values(&kinwood_values::Type::String, &texts).unwrap();
    let word = Table::new(
        "word",
        vec![
            Attribute::new("of", Column::numeric(of)).with_role(Role::Id),
            Attribute::new("text", text),
        ],
    )
    .unwrap();
    let key = ForeignKey {
        name: "word_of".to_owned(),
        from: 1,
        from_columns: vec![0],
        to: 0,
        to_columns: vec![0],
        describes: None,
    };
    let view = View::new(
        Arc::new(Database::new(vec![thing, word], vec![key]).unwrap().0),
        0,
    );
    check_learner_with(&MIRT, &[], &view, &[1]);
    let model = fit(&view, &[1], &[]).unwrap();
    let said = model.predict(&view, &Context::new()).unwrap();
    let said = said.targets[0].output.numbers();
    let column = &view.database().table(0).attribute(1).column;
    assert!((0..60).all(|row| (said[row] - column.number(row).unwrap()).abs() < 1e-9));
}
