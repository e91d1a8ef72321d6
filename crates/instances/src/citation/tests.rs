//! Citation k-NN as a whole: the rules of learners, a worked example, a naive oracle on random
//! bags, ties, explanations.

use kinwood_learning::testing::answers;
use std::sync::Arc;

use kinwood_values::{Attribute, Column, Database, Role, Table, Type, Value, View};

use super::CITATION_KNN;
use kinwood_learning::context::Context;
use kinwood_learning::explanation::Reason;
use kinwood_learning::model::Model;
use kinwood_learning::random::Generator;
use kinwood_learning::task::Task;
use kinwood_learning::testing::{self, bytes, check_learner, linked_view};

fn learner(given: &[(&str, &str)]) -> Box<dyn kinwood_learning::model::Learner> {
    (CITATION_KNN.build)(&CITATION_KNN.settings(given).unwrap()).unwrap()
}

fn fit(view: &View, targets: &[usize], given: &[(&str, &str)]) -> Box<dyn Model> {
    let task = Task::new(view, targets).unwrap();
    learner(given).fit(&task, &Context::new()).unwrap()
}

/// Bags of numbers in a column, with a class and an amount.
fn bags(bags: &[Vec<f64>], labels: &[&str]) -> View {
    let mut column = Column::empty(&"bag<numeric>".parse::<Type>().unwrap());
    for bag in bags {
        let members = bag.iter().map(|&member| Value::Number(member)).collect();
        column.push(&Value::bag(members)).unwrap();
    }
    let amounts = bags.iter().map(|bag| bag[0] * 3.0 + bag.len() as f64);
    let attributes = vec![
        Attribute::new("bag", column),
        Attribute::new(
            "class",
            Column::nominal(labels.iter().map(|&label| Some(label))),
        )
        .with_role(Role::Target),
        Attribute::new("amount", Column::numeric(amounts.collect())).with_role(Role::Target),
    ];
    let table = Table::new("t", attributes).unwrap();
    View::new(Arc::new(Database::single(table).unwrap()), 0)
}

#[test]
fn citation_knn_keeps_the_rules_of_learners() {
    let view = testing::mixed_view(80);
    check_learner(&CITATION_KNN, &view, &[testing::CLASS]);
    check_learner(&CITATION_KNN, &view, &[testing::NUMBER]);
    check_learner(&CITATION_KNN, &view, &[testing::CLASS, testing::NUMBER]);
}

/// One number a bag, 0 and 2 of class b, 5, 9 and 10 of class a; asked about 3. The references are
/// 2 and 5. The two nearest others are at 2 and 5 from 0, at 2 and 3 from 2, at 3 and 4 from 5, at
/// 1 and 4 from 9, at 1 and 5 from 10: so 3, at 3, 1, 2, 6 and 7 from them, is cited by 0, 2 and 5.
#[test]
fn votes_by_hand() {
    let stored = bags(
        &[vec![0.0], vec![2.0], vec![5.0], vec![9.0], vec![10.0]],
        &["b", "b", "a", "a", "a"],
    );
    let given = [
        ("references", "2"),
        ("citers", "2"),
        ("distance", "sum(bag: min_hausdorff(absolute))"),
    ];
    let model = fit(&stored, &[1], &given);
    let query = bags(&[vec![3.0]], &["a"]);
    let told = model.explain(&query, 0, 9).unwrap().unwrap();
    let mut voters: Vec<(usize, f64, f64, &str)> = told.targets[0]
        .influences()
        .iter()
        .map(|influence| match influence.reason {
            Reason::Near {
                distance: kinwood_similarity::Measured::Number(distance),
                weight,
                role: Some(role),
            } => (influence.row, distance, weight, role),
            _ => panic!("voters have a distance and a role"),
        })
        .collect();
    voters.sort_by_key(|voter| voter.0);
    assert_eq!(
        voters,
        [
            (1, 3.0, 1.0, "citer"),
            (2, 1.0, 2.0, "reference, citer"),
            (3, 2.0, 2.0, "reference, citer"),
        ]
    );
    assert_eq!(answers(&*model, &query), [0.6, 0.4]);
}

/// The definition, with ranks by sorting; among the equally near the row asked about comes first.
fn naive(stored: &[Vec<f64>], query: &[f64], references: usize, citers: usize) -> Vec<f64> {
    let distance = |a: &[f64], b: &[f64]| {
        let pairs = a.iter().flat_map(|x| b.iter().map(move |y| (x - y).abs()));
        pairs.fold(f64::INFINITY, f64::min)
    };
    let mut votes = vec![0.0; stored.len()];
    let mut order: Vec<usize> = (0..stored.len()).collect();
    order.sort_by(|&a, &b| distance(query, &stored[a]).total_cmp(&distance(query, &stored[b])));
    for &row in order.iter().take(references) {
        votes[row] += 1.0;
    }
    for (row, bag) in stored.iter().enumerate() {
        let own = distance(bag, query);
        let nearer = stored
            .iter()
            .enumerate()
            .filter(|&(other, _)| other != row)
            .filter(|(_, other)| distance(bag, other) < own)
            .count();
        if nearer < citers {
            votes[row] += 1.0;
        }
    }
    votes
}

#[test]
fn soak_votes_are_those_of_the_definition() {
    kinwood_testing::soak("soak_votes_are_those_of_the_definition", 40, |case| {
        let mut generator = Generator::new(case, &[]);
        let trial = (case % 1_000) as usize;
        let mut bag = || -> Vec<f64> {
            let members = 1 + generator.below(4);
            (0..members).map(|_| generator.below(60) as f64).collect()
        };
        let stored: Vec<Vec<f64>> = (0..3 + trial % 20).map(|_| bag()).collect();
        let queries: Vec<Vec<f64>> = (0..6).map(|_| bag()).collect();
        let label = |place: usize| ["u", "v", "w"][place % 3];
        let labels: Vec<&str> = (0..stored.len()).map(label).collect();
        let (references, citers) = (1 + trial % 4, trial % 6);
        let (r, c) = (references.to_string(), citers.to_string());
        let given = [("references", r.as_str()), ("citers", c.as_str())];
        let view = bags(&stored, &labels);
        let asked = bags(&queries, &labels[..1].repeat(6));
        let classes = fit(&view, &[1], &given);
        let numbers = fit(&view, &[2], &given);
        let (shares, amounts) = (answers(&*classes, &asked), answers(&*numbers, &asked));
        let column = &view.table().attribute(2).column;
        for (query, shares) in shares.chunks(3.min(stored.len())).enumerate() {
            let votes = naive(&stored, &queries[query], references, citers);
            let total: f64 = votes.iter().sum();
            for (class, share) in shares.iter().enumerate() {
                let own: f64 = votes.iter().skip(class).step_by(3).sum();
                // The winner of a tie has a little more.
                assert!(
                    (share - own / total).abs() < 2e-6,
                    "{trial} {query} {class}"
                );
            }
            let sum: f64 = votes
                .iter()
                .enumerate()
                .map(|(row, vote)| vote * column.number(row).unwrap())
                .sum();
            assert!(
                (amounts[query] - sum / total).abs() < 1e-9,
                "{trial} {query}"
            );
        }
    });
}

#[test]
fn ties_go_to_the_nearest_or_to_the_class_named() {
    let stored = bags(&[vec![0.0], vec![3.0]], &["yes", "no"]);
    let query = bags(&[vec![2.0]], &["yes"]);
    let class = |ties: &str| {
        let given = [("references", "2"), ("citers", "0"), ("ties", ties)];
        let model = fit(&stored, &[1], &given);
        testing::check_explanations(&*model, &query, 1);
        let shares = answers(&*model, &query);
        assert!((shares[0] - 0.5).abs() < 1e-5 && shares[0] != 0.5);
        ["yes", "no"][usize::from(shares[1] > shares[0])]
    };
    assert_eq!(
        (class("nearest"), class("yes"), class("no")),
        ("no", "yes", "no")
    );
    let message = learner(&[("ties", "yess")])
        .fit(&Task::new(&stored, &[1]).unwrap(), &Context::new())
        .err()
        .unwrap()
        .to_string();
    assert_eq!(
        message,
        "setting `ties` cannot be `yess`: expected `nearest` or a class of the target; did you mean `yes`?"
    );
}

/// Bags behind a foreign key, with two numbers a member: those of class `musk` have one member near
/// (5, 5).
fn molecules() -> View {
    let mut generator = Generator::new(11, &[]);
    let mut columns: [Vec<f64>; 3] = Default::default();
    for molecule in 0..40u32 {
        for shape in 0..2 + molecule % 3 {
            let special = molecule % 2 == 1 && shape == 1;
            columns[0].push(f64::from(molecule));
            for column in &mut columns[1..] {
                column.push(if special {
                    5.0 + 0.1 * generator.unit()
                } else {
                    3.0 * generator.unit()
                });
            }
        }
    }
    let [owner, x, y] = columns;
    let labels = (0..40).map(|row| Some(["not", "musk"][row % 2]));
    linked_view(
        vec![Attribute::new("class", Column::nominal(labels))],
        ("shape", owner),
        vec![
            Attribute::new("x", Column::numeric(x)),
            Attribute::new("y", Column::numeric(y)),
        ],
    )
}

#[test]
fn bags_behind_a_key_are_compared_by_their_nearest_members() {
    let view = molecules();
    let train: Vec<u32> = (0..30).collect();
    let test: Vec<u32> = (30..40).collect();
    let model = fit(&view.select(&train), &[1], &[]);
    let distance = model.to_json()["distance"]["expression"].to_string();
    assert!(
        distance.contains("shape: min_hausdorff(euclidean("),
        "{distance}"
    );
    let told = answers(&*model, &view.select(&test));
    let right = told
        .chunks(2)
        .enumerate()
        .filter(|(place, shares)| shares[place % 2] > 0.5);
    // A musk is always told by its special shape; others are near to anything.
    assert!(right.count() >= 7, "{told:?}");
    for (bags, expected) in [
        ("hausdorff", "shape: hausdorff(euclidean("),
        ("matching(mean(absolute), M=2)", "shape: matching(mean("),
    ] {
        let other = fit(&view.select(&train), &[1], &[("bags", bags)]);
        let distance = other.to_json()["distance"]["expression"].to_string();
        assert!(distance.contains(expected), "{distance}");
    }
    testing::check_explanations(&*model, &view, 3);
}

#[test]
fn appending_equals_fitting_on_everything() {
    let all = testing::mixed_view(60);
    let targets = [testing::CLASS, testing::NUMBER];
    let rows = |range: std::ops::Range<u32>| all.select(&range.collect::<Vec<u32>>());
    let mut grown = fit(&rows(0..30), &targets, &[]);
    let more = Task::new(&rows(30..60), &targets).unwrap();
    grown.append(&more).unwrap().unwrap();
    assert_eq!(bytes(&*grown), bytes(&*fit(&all, &targets, &[])));
    testing::check_explanations(&*grown, &all, 4);
}
