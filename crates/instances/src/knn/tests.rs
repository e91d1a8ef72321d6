//! k-NN as a whole: the rules of learners, votes by hand, the choice of k, filters, explanations.

use kinwood_learning::testing::answers;
use std::sync::Arc;

use kinwood_similarity::{FittedRow, Measured, Missing, Registry, RowDistance, nearest};
use kinwood_values::container::Stored;
use kinwood_values::{Attribute, Column, Database, Table, Type, Value, View};
use proptest::prelude::*;

use super::KNN;
use crate::search::Search;
use kinwood_learning::context::Context;
use kinwood_learning::model::Model;
use kinwood_learning::random::Generator;
use kinwood_learning::task::Task;
use kinwood_learning::testing::{self, bytes, check_learner_with, check_weights_with};
use kinwood_testing::soak;

#[test]
fn knn_keeps_the_rules_of_learners() {
    let view = testing::mixed_view(80);
    let targets: [&[usize]; 3] = [
        &[testing::CLASS],
        &[testing::NUMBER],
        &[testing::CLASS, testing::NUMBER],
    ];
    for targets in targets {
        check_learner_with(&KNN, &[], &view, targets);
        // Two rows that are the same are two neighbours, one of twice the weight is one.
        check_weights_with(&KNN, &[("k", "1")], &view, targets);
    }
}

fn fit(view: &View, targets: &[usize], given: &[(&str, &str)]) -> Box<dyn Model> {
    let learner = (KNN.build)(&KNN.settings(given).unwrap()).unwrap();
    learner
        .fit(&Task::new(view, targets).unwrap(), &Context::new())
        .unwrap()
}

fn view(numbers: &[f64], labels: &[Option<&str>]) -> View {
    let attributes = vec![
        Attribute::new("x", Column::numeric(numbers.to_vec())),
        Attribute::new("class", Column::nominal(labels.iter().copied())),
    ];
    View::new(
        Arc::new(Database::single(Table::new("t", attributes).unwrap()).unwrap()),
        0,
    )
}

#[test]
fn votes_are_counted_by_hand() {
    let stored = view(
        &[0.0, 1.0, 2.0, 10.0],
        &[Some("a"), Some("b"), Some("b"), Some("a")],
    );
    let query = view(&[0.4], &[None]);
    let nearest = fit(&stored, &[1], &[]);
    assert_eq!(answers(&*nearest, &query), [1.0, 0.0]);
    let three = fit(&stored, &[1], &[("k", "3")]);
    assert_eq!(answers(&*three, &query), [1.0 / 3.0, 2.0 / 3.0]);
    let inverse = fit(&stored, &[1], &[("k", "2"), ("weights", "inverse")]);
    let found = answers(&*inverse, &query);
    assert!((found[0] - 0.6).abs() < 1e-12, "{found:?}");
    let exact = view(&[1.0], &[None]);
    assert_eq!(answers(&*inverse, &exact), [0.0, 1.0]);
}

#[test]
fn a_neighbour_without_the_target_has_no_vote() {
    let attributes = vec![
        Attribute::new("x", Column::numeric(vec![0.0, 1.0, 2.0])),
        Attribute::new("y", Column::numeric(vec![f64::NAN, 4.0, 6.0])),
        Attribute::new("z", Column::numeric(vec![1.0, 1.0, 1.0])),
    ];
    let database = Database::single(Table::new("t", attributes).unwrap()).unwrap();
    let stored = View::new(Arc::new(database), 0);
    let model = fit(&stored, &[1, 2], &[]);
    // The only neighbour does not know y: the mean of those who do answers.
    assert_eq!(answers(&*model, &stored.select(&[0])), [5.0]);
}

#[test]
fn appending_equals_fitting_on_everything() {
    let all = testing::mixed_view(60);
    let halves = [(0..30).collect::<Vec<u32>>(), (30..60).collect()];
    let targets = [testing::CLASS, testing::NUMBER];
    let mut grown = fit(&all.select(&halves[0]), &targets, &[("k", "3")]);
    grown
        .append(&Task::new(&all.select(&halves[1]), &targets).unwrap())
        .unwrap()
        .unwrap();
    let whole = fit(&all, &targets, &[("k", "3")]);
    let context = Context::new();
    assert_eq!(
        grown.predict(&all, &context).unwrap(),
        whole.predict(&all, &context).unwrap()
    );
}

/// Numbers with labels that mostly follow them.
fn noisy(rows: usize, stream: u64) -> View {
    let mut generator = Generator::new(3, &[stream]);
    let mut numbers = Vec::new();
    let mut labels = Vec::new();
    let mut amounts = Vec::new();
    for _ in 0..rows {
        // Coarse, so that many distances are equal.
        let x = generator.below(40) as f64 / 4.0;
        let high = (x > 5.0) != (generator.below(6) == 0);
        numbers.push(x);
        labels.push(Some(if high { "high" } else { "low" }));
        amounts.push(x * x + 4.0 * generator.normal());
    }
    let attributes = vec![
        Attribute::new("x", Column::numeric(numbers)),
        Attribute::new("class", Column::nominal(labels)),
        Attribute::new("amount", Column::numeric(amounts)),
    ];
    let table = Table::new("t", attributes).unwrap();
    View::new(Arc::new(Database::single(table).unwrap()), 0)
}

/// Compared by the plain difference of `x`, so that leaving a row out changes no range.
const PLAIN: (&str, &str) = ("distance", "sum(x: absolute)");

/// Leaves one out in earnest: a model for each row and each number of neighbours.
fn chosen_naively(view: &View, targets: &[usize], weights: &str, most: usize) -> u64 {
    let rows = view.len();
    let mut errors = vec![0.0; most];
    for (place, error) in errors.iter_mut().enumerate() {
        let k = (place + 1).to_string();
        for row in 0..rows as u32 {
            let others: Vec<u32> = (0..rows as u32).filter(|&other| other != row).collect();
            let given = [PLAIN, ("k", &k), ("weights", weights)];
            let model = fit(&view.select(&others), targets, &given);
            let predicted = model
                .predict(&view.select(&[row]), &Context::new())
                .unwrap();
            for (target, &column) in predicted.targets.iter().zip(targets) {
                let truth = &view.table().attribute(column).column;
                *error += match target.output.class(0) {
                    Some(class) => f64::from(u8::from(truth.code(row as usize) != Some(class))),
                    None => {
                        let numbers = truth.numbers().unwrap();
                        let mean = numbers.iter().sum::<f64>() / rows as f64;
                        let squares: f64 = numbers.iter().map(|y| (y - mean).powi(2)).sum();
                        let number = target.output.number(0).unwrap();
                        (numbers[row as usize] - number).powi(2) / (squares / rows as f64)
                    }
                };
            }
        }
    }
    let least = errors.iter().copied().fold(f64::INFINITY, f64::min);
    1 + errors
        .iter()
        .position(|&error| error <= least + 1e-9)
        .unwrap() as u64
}

#[test]
fn soak_the_number_of_neighbours_is_chosen_as_by_leaving_rows_out_in_earnest() {
    let name = "soak_the_number_of_neighbours_is_chosen_as_by_leaving_rows_out_in_earnest";
    soak(name, 36, |case| {
        let view = noisy(30, case / 9);
        // The third column is an input unless it is a target; it is not compared.
        let targets = [&[1][..], &[2], &[1, 2]][(case % 3) as usize];
        let weights = ["uniform", "inverse", "kernel"][(case / 3 % 3) as usize];
        let given = [PLAIN, ("k", "loo"), ("most", "9"), ("weights", weights)];
        let model = fit(&view, targets, &given);
        let chosen = model.to_json()["k"].as_u64().unwrap();
        let expected = chosen_naively(&view, targets, weights, 9);
        assert_eq!(chosen, expected, "{targets:?} {weights}");
    });
}

#[test]
fn different_rows_take_different_numbers_of_neighbours() {
    let chosen = |stream: u64| {
        let model = fit(
            &noisy(30, stream),
            &[1],
            &[PLAIN, ("k", "loo"), ("most", "9")],
        );
        model.to_json()["k"].as_u64().unwrap()
    };
    let seen: std::collections::BTreeSet<u64> = (0..12).map(chosen).collect();
    assert!(seen.len() > 2, "{seen:?}");
}

#[test]
fn a_chosen_number_is_shown_kept_and_the_same_for_any_number_of_threads() {
    let view = noisy(700, 9);
    let learner = (KNN.build)(&KNN.settings(&[PLAIN, ("k", "loo")]).unwrap()).unwrap();
    let task = Task::new(&view, &[1]).unwrap();
    let mut models = [1, 2].map(|threads| {
        let context = Context::new().with_threads(threads);
        learner.fit(&task, &context).unwrap()
    });
    assert_eq!(bytes(&*models[0]), bytes(&*models[1]));
    let k = models[0].to_json()["k"].as_u64().unwrap();
    assert!(k > 1, "noise takes more than one neighbour, not {k}");
    let shown = models[0].show();
    assert!(
        shown.starts_with(&format!("{k} nearest of 700 stored rows")),
        "{shown}"
    );
    assert!(
        shown.contains("k: chosen by leave-one-out from 1 to 30"),
        "{shown}"
    );
    models[0]
        .append(&Task::new(&view.select(&[1, 2]), &[1]).unwrap())
        .unwrap()
        .unwrap();
    assert_eq!(models[0].to_json()["k"], k);
    assert_eq!(models[0].to_json()["chosen"]["to"], 30);
    let one = fit(&view.select(&[0]), &[1], &[("k", "loo")]);
    assert_eq!(one.to_json()["k"], 1);
}

#[test]
fn a_kernel_counts_the_near_ones_more() {
    let stored = view(
        &[0.0, 2.0, 4.0, 10.0],
        &[Some("a"), Some("b"), Some("b"), Some("a")],
    );
    let query = view(&[1.0], &[None]);
    let model = fit(&stored, &[1], &[("k", "3"), ("weights", "kernel")]);
    // At 1/9, 1/9 and 3/9 of the distance to the fourth.
    let weight = |share: f64| (1.0 - share.powi(3)).powi(3);
    let (near, far) = (weight(1.0 / 9.0), weight(1.0 / 3.0));
    let found = answers(&*model, &query);
    assert!(
        (found[0] - near / (2.0 * near + far)).abs() < 1e-12,
        "{found:?}"
    );
}

#[test]
fn ib1_is_a_preset_that_given_settings_overrule() {
    let of = |given: &[(&str, &str)]| {
        let settings = KNN.settings(given).unwrap();
        let named = ["k", "weights", "filter", "distance", "missing"];
        named.map(|name| settings.text(name).to_owned())
    };
    let ib1 = ["1", "uniform", "none", "euclidean", "max"].map(str::to_owned);
    assert_eq!(of(&[("preset", "ib1")]), ib1);
    let [k, .., missing] = of(&[("preset", "ib1"), ("k", "3"), ("missing", "own")]);
    assert_eq!((k.as_str(), missing.as_str()), ("3", "own"));
    let view = testing::mixed_view(60);
    let preset = fit(&view, &[testing::CLASS], &[("preset", "ib1")]);
    assert_eq!(
        bytes(&*preset),
        bytes(&*fit(
            &view,
            &[testing::CLASS],
            &[("k", "1"), ("missing", "max")]
        ))
    );
}

/// The numbers of the kept rows, from 1, as a file has them.
fn kept(model: &dyn Model) -> Vec<u64> {
    let stored = Stored::from_bytes(bytes(model)).unwrap();
    let description: serde_json::Value = stored.json("neighbours").unwrap();
    let records = description["filter"]["records"].as_array().unwrap();
    records
        .iter()
        .map(|record| record["row"].as_u64().unwrap())
        .collect()
}

#[test]
fn ib2_keeps_what_it_misclassifies() {
    let stored = view(
        &[1.0, 2.0, 8.0, 9.0, 4.0, 5.5, 1.5],
        &[
            Some("a"),
            Some("a"),
            Some("b"),
            Some("b"),
            Some("a"),
            Some("b"),
            Some("b"),
        ],
    );
    let model = fit(&stored, &[1], &[("filter", "ib2")]);
    // 2 is like 1, 9 like 8, 4 nearer to 1; 5.5 lies between 1 and 8, nearer to 8; 1.5 is near 1,
    // and of the other class.
    assert_eq!(kept(&*model), [1, 3, 7]);
    assert!(
        model.show().contains("filter ib2: kept 3 of 7 rows\n"),
        "{}",
        model.show()
    );
    assert_eq!(answers(&*model, &view(&[1.4], &[None])), [0.0, 1.0]);
    let told = model
        .explain(&view(&[1.4], &[None]), 0, 3)
        .unwrap()
        .unwrap();
    assert_eq!(told.targets[0].influences()[0].row, 7);
}

/// IB3 as the paper's table has it, with plain lists.
fn ib3_naively(numbers: &[f64], labels: &[u32], seed: u64) -> (Vec<u64>, Vec<u64>) {
    struct Saved {
        row: usize,
        right: f64,
        tested: f64,
    }
    let ends = |right: f64, tested: f64, z: f64| {
        if tested == 0.0 {
            return (0.0, 1.0);
        }
        let p = right / tested;
        let root = z * (p * (1.0 - p) / tested + z * z / (4.0 * tested * tested)).sqrt();
        let middle = p + z * z / (2.0 * tested);
        let scale = 1.0 + z * z / tested;
        ((middle - root) / scale, (middle + root) / scale)
    };
    let frequency = |class: u32, seen: usize, z: f64| {
        let count = labels[..seen]
            .iter()
            .filter(|&&other| other == class)
            .count();
        ends(count as f64, seen as f64, z)
    };
    let acceptable = |saved: &Saved, seen: usize| {
        ends(saved.right, saved.tested, 1.6448536).0
            > frequency(labels[saved.row], seen, 1.6448536).1
    };
    let mut saved: Vec<Saved> = Vec::new();
    for x in 0..numbers.len() {
        let mut order: Vec<usize> = (0..saved.len()).collect();
        let distance = |saved: &Saved| (numbers[saved.row] - numbers[x]).abs();
        order.sort_by(|&a, &b| distance(&saved[a]).total_cmp(&distance(&saved[b])));
        let judge = order.iter().copied().find(|&y| acceptable(&saved[y], x));
        let judge = judge.or_else(|| {
            let rank = |count| Generator::new(seed, &[0x6962_3300, x as u64]).below(count);
            (!order.is_empty()).then(|| order[rank(order.len())])
        });
        let mut right = false;
        if let Some(judge) = judge {
            right = labels[saved[judge].row] == labels[x];
            let reach = distance(&saved[judge]);
            for y in &mut saved {
                if distance(y) <= reach {
                    y.tested += 1.0;
                    y.right += f64::from(u8::from(labels[y.row] == labels[x]));
                }
            }
            saved.retain(|y| {
                let low = frequency(labels[y.row], x + 1, 1.1503494).0;
                ends(y.right, y.tested, 1.1503494).1 >= low
            });
        }
        if !right {
            saved.push(Saved {
                row: x,
                right: 0.0,
                tested: 0.0,
            });
        }
    }
    let number = |saved: &Saved| saved.row as u64 + 1;
    let good = saved
        .iter()
        .filter(|saved| acceptable(saved, numbers.len()));
    (
        saved.iter().map(number).collect(),
        good.map(number).collect(),
    )
}

#[test]
fn soak_ib3_keeps_what_the_papers_table_keeps() {
    soak("soak_ib3_keeps_what_the_papers_table_keeps", 5, |stream| {
        let view = noisy(150, stream);
        let table = view.table();
        let numbers = table.attribute(0).column.numbers().unwrap();
        let labels = table.attribute(1).column.codes().unwrap().0;
        let (saved, good) = ib3_naively(numbers, labels, 1);
        let model = fit(&view, &[1], &[PLAIN, ("filter", "ib3")]);
        assert_eq!(kept(&*model), saved, "stream {stream}");
        // Where none is acceptable, all answer.
        if good.is_empty() {
            return;
        }
        assert_eq!(model.to_json()["filter"]["answering"], good.len());
        for row in 0..150 {
            let told = model.explain(&view, row, 1).unwrap().unwrap();
            let nearest = told.targets[0].influences()[0].row as u64;
            assert!(good.contains(&nearest), "only acceptable rows answer");
        }
    });
}

#[test]
fn ib3_is_not_misled_by_noise() {
    let (train, clean) = (noisy(600, 20), noisy(300, 21));
    let accuracy = |filter: &str| {
        let model = fit(&train, &[1], &[PLAIN, ("filter", filter)]);
        let predictions = model.predict(&clean, &Context::new()).unwrap();
        let numbers = clean.table().attribute(0).column.numbers().unwrap();
        let classes = train.table().attribute(1).column.codes().unwrap().1;
        let right = (0..300).filter(|&row| {
            let truth = if numbers[row] > 5.0 { "high" } else { "low" };
            predictions.targets[0].output.class(row) == classes.code(truth)
        });
        (right.count(), model.to_json()["rows"].as_u64().unwrap())
    };
    let (ib2, ib3) = (accuracy("ib2"), accuracy("ib3"));
    assert!(ib3.0 > 280 && ib3.0 > ib2.0 + 30, "{ib2:?} {ib3:?}");
    assert!(ib3.1 < 60 && ib2.1 < 400, "{ib2:?} {ib3:?}");
}

#[test]
fn appended_rows_are_filtered_as_if_they_had_been_there() {
    let view = noisy(120, 5);
    for filter in ["ib2", "ib3"] {
        let given = [PLAIN, ("filter", filter)];
        let mut grown = fit(&view.select(&(0..50).collect::<Vec<u32>>()), &[1], &given);
        let more = view.select(&(50..120).collect::<Vec<u32>>());
        grown
            .append(&Task::new(&more, &[1]).unwrap())
            .unwrap()
            .unwrap();
        assert_eq!(
            bytes(&*grown),
            bytes(&*fit(&view, &[1], &given)),
            "{filter}"
        );
        let loaded = (KNN.load)(&Stored::from_bytes(bytes(&*grown)).unwrap()).unwrap();
        assert_eq!(answers(&*loaded, &view), answers(&*grown, &view));
        assert_eq!(bytes(&*loaded), bytes(&*grown));
    }
}

#[test]
fn what_filters_cannot_do_is_said() {
    let view = noisy(20, 1);
    let message = |targets: &[usize], given: &[(&str, &str)]| {
        let built = (KNN.build)(&KNN.settings(given).unwrap());
        let fitted = built
            .and_then(|learner| learner.fit(&Task::new(&view, targets).unwrap(), &Context::new()));
        fitted.err().unwrap().to_string()
    };
    assert_eq!(
        message(&[2], &[("filter", "ib3")]),
        "`knn with filter=ib3` predicts nominal targets, and `amount` is numeric; filter=none predicts it"
    );
    assert_eq!(
        message(&[1, 2], &[("filter", "ib2")]),
        "setting `filter` cannot be `ib2`: expected `none` where several targets are predicted"
    );
    assert_eq!(
        message(&[1], &[("filter", "ib2"), ("k", "loo")]),
        "setting `k` cannot be `loo`: expected a whole number where `filter` keeps some rows only"
    );
}

/// Rows that hold a term, of classes that differ in its functor.
fn terms() -> View {
    let mut terms = Column::empty(&Type::Term);
    let mut labels = Vec::new();
    for row in 0..24 {
        let functor = ["p", "q"][row % 2];
        let (a, b) = (["a", "b", "X"][row % 3], ["a", "b", "c", "f(a)"][row % 4]);
        let text = format!("{functor}({a},{b})");
        terms.push(&Value::Term(text.parse().unwrap())).unwrap();
        labels.push(Some(["even", "odd"][row % 2]));
    }
    let attributes = vec![
        Attribute::new("term", terms),
        Attribute::new("class", Column::nominal(labels)),
    ];
    View::new(
        Arc::new(Database::single(Table::new("t", attributes).unwrap()).unwrap()),
        0,
    )
}

#[test]
fn pairs_are_enough_for_equal_votes() {
    let view = terms();
    let rest: Vec<u32> = (4..24).collect();
    for given in [[("k", "3")], [("k", "loo")], [("filter", "ib3")]] {
        let [given] = given;
        let given = [("distance", "lgg"), given];
        let model = fit(&view.select(&rest), &[1], &given);
        let loaded = (KNN.load)(&Stored::from_bytes(bytes(&*model)).unwrap()).unwrap();
        for (row, shares) in answers(&*loaded, &view.select(&[0, 1, 2, 3]))
            .chunks(2)
            .enumerate()
        {
            assert!(shares[row % 2] > 0.6, "{given:?} {row}: {shares:?}");
        }
        let told = model.explain(&view, 0, 1).unwrap().unwrap().to_text();
        assert!(told.contains("(0, 0)") || told.contains("(2, "), "{told}");
    }
    let learner = KNN
        .settings(&[("distance", "lgg"), ("weights", "inverse")])
        .unwrap();
    let message = (KNN.build)(&learner)
        .unwrap()
        .fit(&Task::new(&view, &[1]).unwrap(), &Context::new())
        .err()
        .unwrap()
        .to_string();
    assert!(
        message.ends_with("`knn` with weights=inverse needs a number"),
        "{message}"
    );
}

#[test]
fn explanations_add_up() {
    let view = testing::mixed_view(60);
    let targets = [testing::CLASS, testing::NUMBER];
    for given in [
        [("k", "1"), ("weights", "uniform")],
        [("k", "7"), ("weights", "inverse")],
        [("k", "7"), ("weights", "kernel")],
        [("k", "100"), ("weights", "uniform")],
    ] {
        let model = fit(
            &view.select(&(0..50).collect::<Vec<u32>>()),
            &targets,
            &given,
        );
        testing::check_explanations(&*model, &view, 4);
    }
}

/// Points on a grid, so that many are equally far, and the distance between them.
fn grid(rows: usize, side: usize, seed: u64) -> (FittedRow, Column) {
    let mut generator = Generator::new(seed, &[]);
    let mut numbers = || {
        let number = |_| generator.below(side) as f64 / 7.0;
        Column::numeric((0..rows).map(number).collect())
    };
    let attributes = vec![
        Attribute::new("x", numbers()),
        Attribute::new("y", numbers()),
    ];
    let table = Table::new("t", attributes).unwrap();
    let view = View::new(Arc::new(Database::single(table).unwrap()), 0);
    let distance = RowDistance {
        expression: "euclidean".parse().unwrap(),
        missing: Missing::Own,
        depth: 0,
    };
    let fitted = distance.fit(&view, Registry::builtin()).unwrap();
    let rows = fitted.rows(&view).unwrap();
    (fitted, rows)
}

kinwood_testing::soak! { 24;
    fn soak_a_tree_finds_what_brute_force_finds(seed in any::<u64>(), side in 30usize..90, k in 1usize..9) {
        let (fitted, rows) = grid(2500, side, seed);
        let search = Search::new(&fitted, &rows, &rows).unwrap();
        prop_assert!(search.indexed());
        let pairs = fitted.bind_real(&rows, &rows, "a test").unwrap();
        for query in (0..rows.len()).step_by(31) {
            let expected: Vec<(usize, Measured)> = nearest(&*pairs.prepare(query), rows.len(), k)
                .into_iter()
                .map(|found| (found.reference, Measured::Number(found.distance)))
                .collect();
            let found: Vec<(usize, Measured)> = search
                .nearest(query, k)
                .into_iter()
                .map(|found| (found.reference, found.distance))
                .collect();
            prop_assert_eq!(found, expected);
        }
    }
}

#[test]
fn a_tree_is_not_tried_for_few_queries() {
    let (fitted, rows) = grid(2500, 60, 1);
    let few = rows.gather(&[0, 1, 2]);
    assert!(!Search::new(&fitted, &few, &rows).unwrap().indexed());
}
