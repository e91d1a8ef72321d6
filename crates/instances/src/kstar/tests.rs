//! K* as a whole: the rules of learners, values by hand, invariance, structured attributes,
//! explanations.

use kinwood_learning::testing::answers;
use std::sync::Arc;

use kinwood_values::{Attribute, Column, Database, Role, Table, Type, Value, View};

use super::KSTAR;
use super::probability::{real, symbol};
use super::sphere;
use kinwood_learning::context::Context;
use kinwood_learning::explanation::Reason;
use kinwood_learning::model::Model;
use kinwood_learning::random::Generator;
use kinwood_learning::task::Task;
use kinwood_learning::testing::{self, check_learner, linked_view};

fn view(attributes: Vec<Attribute>) -> View {
    let table = Table::new("t", attributes).unwrap();
    View::new(Arc::new(Database::single(table).unwrap()), 0)
}

fn fit(view: &View, targets: &[usize], given: &[(&str, &str)]) -> Box<dyn Model> {
    let learner = (KSTAR.build)(&KSTAR.settings(given).unwrap()).unwrap();
    learner
        .fit(&Task::new(view, targets).unwrap(), &Context::new())
        .unwrap()
}

fn near(found: &[f64], expected: &[f64], within: f64) {
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(expected) {
        assert!(
            (found - expected).abs() < within,
            "{found} is not {expected}"
        );
    }
}

#[test]
fn kstar_keeps_the_rules_of_learners() {
    let view = testing::mixed_view(80);
    check_learner(&KSTAR, &view, &[testing::CLASS]);
    check_learner(&KSTAR, &view, &[testing::NUMBER]);
    check_learner(&KSTAR, &view, &[testing::CLASS, testing::NUMBER]);
}

/// The paper's formulas, product by product, in plain numbers.
#[test]
fn answers_are_those_of_the_paper_in_plain_numbers() {
    let sizes = [1.0, 2.0, f64::NAN, 4.0, 7.0];
    let colours = [Some("red"), Some("red"), Some("blue"), None, Some("green")];
    let amounts = [10.0, 20.0, 30.0, 40.0, 50.0];
    let classes = ["a", "a", "b", "b", "b"];
    let stored = view(vec![
        Attribute::new("size", Column::numeric(sizes.to_vec())),
        Attribute::new("colour", Column::nominal(colours)),
        Attribute::new("class", Column::nominal(classes.map(Some))),
        Attribute::new("amount", Column::numeric(amounts.to_vec())),
    ]);
    let query = stored.select(&[1]);
    let blend = 0.3;
    let known = [0.0, 1.0, 2.0, 5.0];
    let scale = 1.0 / sphere::rate(&known, &[1.0; 4], blend);
    let mean = known.iter().map(|d| real(*d, scale)).sum::<f64>() / 4.0;
    // Sorted distances from 2 to 1, 2, 4 and 7 are 0, 1, 2, 5; frequencies are 1/2, 1/4, 1/4.
    let numbers = [
        real(1.0, scale),
        real(0.0, scale),
        mean,
        real(2.0, scale),
        real(5.0, scale),
    ];
    let stop = 1.0 - blend;
    let (red, other) = (symbol(true, stop, 0.5), symbol(false, stop, 0.25));
    let lacking = 0.5 * red + 2.0 * 0.25 * other;
    let symbols = [red, red, other, lacking, other];
    let products: Vec<f64> = numbers.iter().zip(symbols).map(|(n, s)| n * s).collect();
    let total: f64 = products.iter().sum();
    let a = (products[0] + products[1]) / total;
    let both = fit(&stored, &[2, 3], &[("blend", "0.3")]);
    near(&answers(&*both, &query), &[a, 1.0 - a], 1e-9);
    let expected: f64 = products
        .iter()
        .zip(amounts)
        .map(|(p, y)| p * y)
        .sum::<f64>()
        / total;
    let number = both.predict(&query, &Context::new()).unwrap().targets[1]
        .output
        .number(0);
    near(&[number.unwrap()], &[expected], 1e-7);
}

#[test]
fn an_attribute_the_query_lacks_is_left_out() {
    let view = testing::mixed_view(60);
    let whole = fit(&view, &[testing::CLASS], &[]);
    let lacking: Vec<u32> = (0..60u32)
        .filter(|&row| !view.table().attribute(2).column.is_present(row as usize))
        .collect();
    assert!(!lacking.is_empty());
    let without = fit(&view.hiding(0, 2), &[testing::CLASS], &[]);
    let asked = view.select(&lacking);
    near(
        &answers(&*whole, &asked),
        &answers(&*without, &asked),
        1e-12,
    );
}

#[test]
fn units_and_the_order_of_columns_do_not_matter() {
    let view = testing::mixed_view(70);
    let attributes = view.table().attributes().to_vec();
    let changed = |number: &dyn Fn(f64) -> f64| {
        let mut attributes = attributes.clone();
        for attribute in &mut attributes[1..3] {
            let numbers = attribute.column.numbers().unwrap();
            let changed = numbers.iter().map(|x| number(*x)).collect();
            attribute.column = Arc::new(Column::numeric(changed));
        }
        attributes
    };
    for given in [
        [("auto_blend", "false")],
        [("auto_blend", "true")],
        [("blend", "0")],
    ] {
        for target in [testing::CLASS, testing::NUMBER] {
            let expected = answers(&*fit(&view, &[target], &given), &view);
            for unit in [1e-6, 2.54, 1e5] {
                let changed = self::view(changed(&|x| unit * x + 32.0));
                let found = answers(&*fit(&changed, &[target], &given), &changed);
                near(&found, &expected, 1e-6);
            }
        }
    }
    let mut turned = attributes.clone();
    turned[1..4].reverse();
    let turned = self::view(turned);
    let expected = answers(&*fit(&view, &[testing::CLASS], &[]), &view);
    near(
        &answers(&*fit(&turned, &[testing::CLASS], &[]), &turned),
        &expected,
        1e-12,
    );
}

#[test]
fn three_hundred_attributes_still_rank_the_classes() {
    let mut generator = Generator::new(5, &[]);
    let rows = 60;
    let class = |row: usize| row % 2;
    let mut attributes: Vec<Attribute> = (0..300)
        .map(|column| {
            let number = |row| generator.normal() + 0.8 * class(row) as f64;
            let numbers: Vec<f64> = (0..rows).map(number).collect();
            Attribute::new(format!("x{column}"), Column::numeric(numbers))
        })
        .collect();
    let labels = (0..rows).map(|row| Some(["no", "yes"][class(row)]));
    attributes.push(Attribute::new("class", Column::nominal(labels)));
    let view = view(attributes);
    let train: Vec<u32> = (0..40).collect();
    let test: Vec<u32> = (40..60).collect();
    for given in [[("blend", "0.2")], [("blend", "0.1")], [("compat", "weka")]] {
        let model = fit(&view.select(&train), &[300], &given);
        let shares = answers(&*model, &view.select(&test));
        for (place, shares) in shares.chunks(2).enumerate() {
            assert!(shares[class(place)] > 0.9, "{given:?} {place}: {shares:?}");
        }
    }
}

#[test]
fn rows_where_weka_underflows_are_counted() {
    let mut generator = Generator::new(6, &[]);
    let mut attributes: Vec<Attribute> = (0..300)
        .map(|column| {
            let numbers: Vec<f64> = (0..30).map(|_| generator.normal()).collect();
            Attribute::new(format!("x{column}"), Column::numeric(numbers))
        })
        .collect();
    attributes.push(Attribute::new(
        "class",
        Column::nominal((0..30).map(|row| Some(["no", "yes"][row % 2]))),
    ));
    let view = view(attributes);
    let context = Context::new();
    let train: Vec<u32> = (0..20).collect();
    let model = fit(
        &view.select(&train),
        &[300],
        &[("compat", "weka"), ("blend", "0")],
    );
    model.predict(&view.select(&[25, 26]), &context).unwrap();
    let told = context.counted();
    assert!(
        told[0].to_string().starts_with("2 rows answered in log"),
        "{told:?}"
    );
}

#[test]
fn missing_values_by_rule() {
    // One row knows the attribute as asked, one knows it otherwise, one does not.
    let stored = view(vec![
        Attribute::new("x", Column::nominal([Some("u"), Some("v"), None])),
        Attribute::new("class", Column::nominal([Some("a"), Some("b"), Some("c")])),
    ]);
    let shares = |missing: &str| {
        let model = fit(&stored, &[1], &[("missing", missing), ("blend", "0.5")]);
        answers(&*model, &stored.select(&[0]))
    };
    let (same, other) = (0.75, 0.25);
    let expected = |lacking: f64| {
        let total = same + other + lacking;
        [same / total, other / total, lacking / total]
    };
    near(&shares("average"), &expected(0.5), 1e-12);
    near(&shares("ignore"), &expected(0.0), 1e-12);
    near(&shares("maximal"), &expected(0.25), 1e-12);
    near(&shares("none"), &expected(0.75), 1e-12);
}

#[test]
fn a_blend_for_a_column_of_its_own() {
    let view = testing::mixed_view(60);
    let common = answers(&*fit(&view, &[testing::CLASS], &[("blend", "0.4")]), &view);
    let written = "0.1, size=0.4, age=0.4, colour=0.4, amount=0.4";
    let own = answers(
        &*fit(&view, &[testing::CLASS], &[("blend", written)]),
        &view,
    );
    assert_eq!(common, own);
    let silent = answers(
        &*fit(&view, &[testing::CLASS], &[("blend", "0.2, size=1")]),
        &view,
    );
    let hidden = answers(&*fit(&view.hiding(0, 1), &[testing::CLASS], &[]), &view);
    near(&silent, &hidden, 1e-9);
}

#[test]
fn appending_equals_fitting_on_everything() {
    let all = testing::mixed_view(60);
    let halves = [(0..30).collect::<Vec<u32>>(), (30..60).collect()];
    let targets = [testing::CLASS, testing::NUMBER];
    for given in [
        [("compat", "none")],
        [("compat", "weka")],
        [("auto_blend", "true")],
    ] {
        let mut grown = fit(&all.select(&halves[0]), &targets, &given);
        let more = Task::new(&all.select(&halves[1]), &targets).unwrap();
        grown.append(&more).unwrap().unwrap();
        let whole = fit(&all, &targets, &given);
        let context = Context::new();
        assert_eq!(
            grown.predict(&all, &context).unwrap(),
            whole.predict(&all, &context).unwrap()
        );
    }
}

/// Rows that hold a set of numbers, small ones in class `low`.
fn sets() -> View {
    let mut generator = Generator::new(9, &[]);
    let mut sets = Column::empty(&"set<numeric>".parse::<Type>().unwrap());
    let mut labels = Vec::new();
    for row in 0..40 {
        let high = row % 2 == 1;
        let member = |_| Value::Number(generator.unit() + f64::from(u8::from(high)));
        let members = (0..1 + row % 4).map(member).collect();
        sets.push(&if row % 10 == 9 {
            Value::Missing
        } else {
            Value::set(members)
        })
        .unwrap();
        labels.push(Some(if high { "high" } else { "low" }));
    }
    view(vec![
        Attribute::new("members", sets),
        Attribute::new("class", Column::nominal(labels)),
    ])
}

#[test]
fn structured_attributes_are_compared_by_their_distance() {
    let view = sets();
    let train: Vec<u32> = (0..30).collect();
    let test: Vec<u32> = (30..39).collect();
    for distance in ["", "members: hausdorff(absolute)"] {
        let model = fit(&view.select(&train), &[1], &[("distance", distance)]);
        let shares = answers(&*model, &view.select(&test));
        for (place, shares) in shares.chunks(2).enumerate() {
            let class = view.table().attribute(1).column.code(30 + place).unwrap();
            assert!(
                shares[class as usize] > 0.5,
                "{distance} {place}: {shares:?}"
            );
        }
    }
    check_learner(&KSTAR, &view, &[1]);
}

/// Molecules with atoms behind a foreign key: those of class `heavy` have one heavy atom among
/// light ones.
fn molecules() -> View {
    let mut generator = Generator::new(11, &[]);
    let (mut owners, mut masses) = (Vec::new(), Vec::new());
    for molecule in 0..40u32 {
        for atom in 0..2 + molecule % 3 {
            let heavy = molecule % 2 == 1 && atom == 0;
            owners.push(f64::from(molecule));
            masses.push(generator.unit() + if heavy { 5.0 } else { 0.0 });
        }
    }
    let labels = (0..40).map(|row| Some(["light", "heavy"][row % 2]));
    linked_view(
        vec![Attribute::new("class", Column::nominal(labels))],
        ("atom", owners),
        vec![Attribute::new("mass", Column::numeric(masses))],
    )
}

#[test]
fn rows_behind_a_foreign_key_are_a_bag_with_a_distance() {
    let view = molecules();
    let train: Vec<u32> = (0..30).collect();
    let test: Vec<u32> = (30..40).collect();
    let model = fit(&view.select(&train), &[1], &[]);
    let shares = answers(&*model, &view.select(&test));
    for (place, shares) in shares.chunks(2).enumerate() {
        assert!(shares[place % 2] > 0.8, "{place}: {shares:?}");
    }
    let told = model.explain(&view, 31, 3).unwrap().unwrap();
    assert_eq!(told.attributes, ["atom"]);
    let learner = (KSTAR.build)(&KSTAR.settings(&[("depth", "0")]).unwrap()).unwrap();
    let task = Task::new(&view, &[1]).unwrap();
    let alone = learner
        .fit(&task, &Context::new())
        .err()
        .unwrap()
        .to_string();
    assert!(alone.contains("finds no input column"), "{alone}");
}

#[test]
fn a_number_by_its_own_distance_is_the_same_number() {
    let view = testing::mixed_view(50);
    let plain = answers(&*fit(&view, &[testing::CLASS], &[]), &view);
    let given = [("distance", "size: absolute, age: absolute(range=train)")];
    near(
        &answers(&*fit(&view, &[testing::CLASS], &given), &view),
        &plain,
        1e-6,
    );
}

#[test]
fn explanations_add_up() {
    let view = testing::mixed_view(60);
    let targets = [testing::CLASS, testing::NUMBER];
    for given in [
        [("compat", "none")],
        [("compat", "weka")],
        [("missing", "ignore")],
    ] {
        let model = fit(&view, &targets, &given);
        let predictions = model.predict(&view, &Context::new()).unwrap();
        for row in 0..60 {
            let explanation = model.explain(&view, row, 4).unwrap().unwrap();
            for (target, predicted) in explanation.targets.iter().zip(&predictions.targets) {
                let mut parts = target.others.parts.clone();
                let shares: f64 = target.influences().iter().map(|i| i.share).sum();
                assert!((shares + target.others.share - 1.0).abs() < 1e-9);
                for influence in target.influences() {
                    let best = &target.influences()[0];
                    let [bits, best_bits] = [influence, best].map(|influence| {
                        let Reason::Bits { bits, by_attribute } = &influence.reason else {
                            panic!("K* explains in bits");
                        };
                        let sum: f64 = by_attribute.iter().flatten().sum();
                        assert!((sum - bits).abs() < 1e-9);
                        *bits
                    });
                    let ratio = (best_bits - bits).exp2();
                    assert!((influence.share - best.share * ratio).abs() < 1e-9);
                    let at = target
                        .prediction
                        .iter()
                        .position(|(name, _)| *name == influence.answer);
                    parts[at.unwrap_or(0)] += influence.contribution;
                }
                near(&parts, predicted.output.row(row), 1e-9);
                let told: Vec<f64> = target.prediction.iter().map(|(_, part)| *part).collect();
                near(&told, predicted.output.row(row), 1e-9);
            }
            assert!(explanation.to_text().contains("others"));
            assert_eq!(
                explanation.to_json()[0]["influences"]
                    .as_array()
                    .unwrap()
                    .len(),
                4
            );
        }
    }
}

#[test]
fn the_blend_is_chosen_on_the_training_rows() {
    let view = testing::mixed_view(60);
    let chosen = fit(&view, &[testing::NUMBER], &[("blend", "cross_validation")]);
    let blend = chosen.to_json()["attributes"][0]["blend"].as_f64().unwrap();
    assert!((0.05..=0.9).contains(&blend));
    let one = fit(
        &view.select(&[0]),
        &[testing::CLASS],
        &[("blend", "cross_validation")],
    );
    assert_eq!(one.to_json()["attributes"][0]["blend"], 0.2);
}

#[test]
fn columns_without_a_known_value_and_infinite_numbers_are_no_trouble() {
    let stored = view(vec![
        Attribute::new("x", Column::numeric(vec![f64::NAN; 4])),
        Attribute::new("s", Column::nominal([None; 4])),
        Attribute::new(
            "y",
            Column::numeric(vec![f64::INFINITY, 1.0, 2.0, f64::NEG_INFINITY]),
        ),
        Attribute::new("w", Column::numeric(vec![0.0, 0.0, 1.0, 0.0])).with_role(Role::Weight),
        Attribute::new(
            "class",
            Column::nominal([Some("a"), Some("b"), Some("a"), Some("a")]),
        ),
    ]);
    for compat in ["none", "weka"] {
        for missing in ["average", "ignore", "maximal", "none"] {
            let model = fit(&stored, &[4], &[("missing", missing), ("compat", compat)]);
            let shares = answers(&*model, &stored);
            assert!(
                shares.iter().all(|share| share.is_finite()),
                "{missing} {compat}: {shares:?}"
            );
        }
    }
}
