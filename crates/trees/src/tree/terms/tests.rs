//! Trees made by hand and at random: what they predict, show, explain, and how their files stand up
//! to forgers.

use crate::tree::SearchMethod;
use kinwood_learning::StopReason;
use std::sync::Arc;

use kinwood_values::container::{Sections, Stored};
use kinwood_values::{Attribute, Column, Database, Table, Type, Value, View};
use proptest::prelude::*;

use super::walk::answer;
use super::*;
use crate::testing::random_trees;
use crate::tree::{Answer, Answers, Node, Split, Tree};
use kinwood_learning::context::Context;
use kinwood_learning::model::Model;
use kinwood_learning::predictions::Predictions;
use kinwood_learning::testing::{CLASS, NUMBER, mixed_view};

fn answers(weights: [f64; 2]) -> Answers {
    Answers {
        weight: weights.iter().sum(),
        targets: vec![Answer::classes(weights.to_vec())],
    }
}

/// A threshold on `x`, below it a subset of `colour`.
fn hand_made() -> (View, TreeModel) {
    let attributes = vec![
        Attribute::new("x", Column::numeric(vec![1.0, 3.0, 3.0, f64::NAN, 3.0])),
        Attribute::new(
            "colour",
            Column::nominal([Some("red"), Some("red"), Some("blue"), Some("red"), None]),
        ),
        Attribute::new(
            "class",
            Column::nominal([Some("a"), Some("b"), Some("b"), None, None]),
        ),
    ];
    let table = Table::new("t", attributes).unwrap();
    let view = View::new(Arc::new(Database::single(table).unwrap()), 0);
    let split = |test, children: [u32; 2], shares: [f64; 2]| {
        Some(Split {
            test,
            children: children.to_vec(),
            shares: shares.to_vec(),
        })
    };
    let above = Test::Above {
        column: 0,
        threshold: 2.0,
    };
    let among = Test::Among {
        column: 1,
        values: vec![0],
    };
    let node = |weights, split| Node {
        payload: answers(weights),
        split,
    };
    let nodes = vec![
        node([6.0, 4.0], split(above, [1, 4], [0.5, 0.5])),
        node([1.0, 4.0], split(among, [2, 3], [0.25, 0.75])),
        node([0.0, 4.0], None),
        node([1.0, 0.0], None),
        node([5.0, 0.0], None),
    ];
    let task = kinwood_learning::task::Task::new(&view, &[2]).unwrap();
    let targets = task.targets().iter().filter_map(TargetOf::of).collect();
    let member = Member {
        tree: Arc::new(Tree::new(nodes).unwrap()),
        score: None,
    };
    let report = Report {
        search: SearchMethod::Greedy,
        evaluated: 2,
        stopped: StopReason::Complete,
        notes: vec![],
        ..Report::default()
    };
    let model = TreeModel::new(
        &view,
        Vec::new(),
        targets,
        vec![member],
        Combine::Best,
        Along::Leaf,
        report,
    )
    .unwrap();
    (view, model)
}

fn predict(model: &dyn Model, view: &View) -> Predictions {
    model.predict(view, &Context::new()).unwrap()
}

fn bytes(model: &dyn Model) -> Vec<u8> {
    let mut sections = Sections::new();
    model.write(&mut sections).unwrap();
    sections.to_bytes().unwrap()
}

#[test]
fn what_is_missing_mixes_the_leaves() {
    let (view, model) = hand_made();
    let output = &predict(&model, &view).targets[0].output;
    let rows: Vec<&[f64]> = (0..5).map(|row| output.row(row)).collect();
    let expected = [
        [1.0, 0.0],
        [0.0, 1.0],
        [1.0, 0.0],
        // Half goes up, where red is known to be b.
        [0.5, 0.5],
        // A quarter of what lies above 2 went with the red ones.
        [0.75, 0.25],
    ];
    assert_eq!(rows, expected);
}

#[test]
fn a_hidden_column_decides_nothing() {
    let (view, model) = hand_made();
    let output = &predict(&model, &view.hiding(0, 0)).targets[0].output;
    assert_eq!(output.row(1), [0.5, 0.5]);
}

#[test]
fn a_tree_is_drawn() {
    let (_, model) = hand_made();
    assert_eq!(
        model.show(),
        "greedy search, 2 models evaluated, no split improves the tree\n\
         5 nodes, 3 leaves, depth 2\n\
         \n\
         x > 2\n\
         +--yes: colour = red\n\
         |       +--yes: [b 4 of 4]\n\
         |       +--no:  [a 1 of 1]\n\
         +--no:  [a 5 of 5]\n"
    );
    let json = model.to_json();
    assert_eq!(json["trees"][0]["root"]["test"]["above"], 2.0);
    assert_eq!(json["trees"][0]["root"]["yes"]["test"]["among"][0], "red");
    assert_eq!(json["trees"][0]["root"]["no"]["targets"][0]["class"], "a");
    assert!(model.members().is_none());
}

#[test]
fn an_explanation_tells_the_way() {
    let (view, model) = hand_made();
    let explained = model.explain(&view, 3, 5).unwrap().unwrap();
    assert_eq!(
        explained.to_text(),
        "class: a 0.500000, b 0.500000\n  test          value  holds    share\n  \
         x > 2         ?      unknown  1.000000\n  \
         colour = red  red    yes      0.500000\n"
    );
    let json = explained.to_json();
    assert_eq!(json[0]["path"][1]["depth"], 1);
    assert_eq!(json[0]["others"]["contribution"]["a"], 0.5);
}

/// Rows whose target is a set of labels that are paths.
fn labelled(rows: usize) -> View {
    let mixed = mixed_view(rows);
    let mut attributes = mixed.table().attributes().to_vec();
    let paths = ["a/b/c", "a/b", "a/d", "e"];
    let sets: Vec<Value> = (0..rows)
        .map(|row| {
            let chosen = paths
                .iter()
                .enumerate()
                .filter(|(at, _)| (row >> at) & 1 == 1);
            Value::set(
                chosen
                    .map(|(_, path)| Value::Symbol((*path).to_owned()))
                    .collect(),
            )
        })
        .collect();
    let of = Type::Set(Box::new(Type::Nominal));
    let mut labels = Attribute::new("labels", Column::from_values(&of, &sets).unwrap());
    labels.hierarchy = Some('/');
    attributes.push(labels);
    let table = Table::new("mixed", attributes).unwrap();
    View::new(Arc::new(Database::single(table).unwrap()), 0)
}

const LABELS: usize = 6;

#[test]
fn a_set_of_trees_answers_in_three_ways() {
    let view = labelled(80);
    let targets = [CLASS, NUMBER, LABELS];
    let with = |combine| random_trees(&view, &targets, 3, 15, combine, 7);
    let best = with(Combine::Best);
    let members = best.members().unwrap();
    assert_eq!(members.len(), 3);
    let alone: Vec<Predictions> = members
        .iter()
        .map(|member| predict(&**member, &view))
        .collect();
    assert_eq!(predict(&best, &view), alone[0]);
    let (average, vote) = (with(Combine::Average), with(Combine::Vote));
    let (average, vote) = (predict(&average, &view), predict(&vote, &view));
    for (target, found) in average.targets.iter().enumerate() {
        for row in 0..view.len() {
            let parts = alone.iter().map(|one| one.targets[target].output.row(row));
            let mut sums = vec![0.0; found.output.row(row).len()];
            for part in parts {
                sums.iter_mut()
                    .zip(part)
                    .for_each(|(sum, part)| *sum += part);
            }
            for (sum, found) in sums.iter().zip(found.output.row(row)) {
                assert!((sum / 3.0 - found).abs() < 1e-12);
            }
        }
    }
    let (classes, labels) = (&vote.targets[0].output, &vote.targets[2].output);
    for row in 0..view.len() {
        for class in 0..3 {
            let votes = alone
                .iter()
                .filter(|one| one.targets[0].output.class(row) == Some(class));
            assert_eq!(classes.row(row)[class as usize], votes.count() as f64 / 3.0);
        }
        for (label, share) in labels.row(row).iter().enumerate() {
            let votes = alone.iter().filter(|one| {
                let said = one.targets[2].output.labels(row).unwrap();
                said.contains(&(label as u32))
            });
            assert_eq!(*share, votes.count() as f64 / 3.0);
        }
    }
    assert_eq!(vote.targets[1], average.targets[1]);
}

#[test]
fn a_tree_as_deep_as_a_list_does_not_end_the_program() {
    let (view, _) = hand_made();
    let inner = 100_000u32;
    let mut nodes = Vec::new();
    for at in 0..inner {
        let test = Test::Above {
            column: 0,
            threshold: f64::from(at) / f64::from(inner),
        };
        nodes.push(Node {
            payload: answers([1.0, 2.0]),
            split: Some(Split {
                test,
                children: vec![at + 1, 2 * inner - at],
                shares: vec![0.999, 0.001],
            }),
        });
    }
    nodes.extend((0..=inner).map(|_| Node {
        payload: answers([2.0, 1.0]),
        split: None,
    }));
    let task = kinwood_learning::task::Task::new(&view, &[2]).unwrap();
    let targets = task.targets().iter().filter_map(TargetOf::of).collect();
    let member = Member {
        tree: Arc::new(Tree::new(nodes).unwrap()),
        score: None,
    };
    let model = TreeModel::new(
        &view,
        Vec::new(),
        targets,
        vec![member],
        Combine::Best,
        Along::Leaf,
        Report::default(),
    )
    .unwrap();
    let output = &predict(&model, &view).targets[0].output;
    assert!((output.row(3)[0] - 2.0 / 3.0).abs() < 1e-9);
    assert!(model.show().len() < 1_000_000);
    let json = model.to_json();
    let subtrees = json["trees"][0]["subtrees"].as_array().unwrap();
    assert_eq!(subtrees.len(), 2 * inner as usize / 50);
    let written = serde_json::to_string(&json).unwrap();
    assert_eq!(
        serde_json::from_str::<serde_json::Value>(&written).unwrap(),
        json
    );
    let loaded = TreeModel::read(&Stored::from_bytes(bytes(&model)).unwrap()).unwrap();
    assert_eq!(loaded.trees(), model.trees());
}

#[test]
fn a_smoothed_leaf_is_mixed_with_the_nodes_above_it() {
    let (view, _) = hand_made();
    let node = |weight: f64, mean: f64, split| Node {
        payload: Answers {
            weight,
            targets: vec![Answer::number(weight, mean, 1.0)],
        },
        split,
    };
    let above = |threshold: f64, children: [u32; 2]| {
        Some(Split {
            test: Test::Above {
                column: 0,
                threshold,
            },
            children: children.to_vec(),
            shares: vec![0.5, 0.5],
        })
    };
    let nodes = vec![
        node(20.0, 4.0, above(0.0, [1, 4])),
        node(10.0, 6.0, above(2.0, [2, 3])),
        node(5.0, 10.0, None),
        node(5.0, 2.0, None),
        node(10.0, 2.0, None),
    ];
    let member = Member {
        tree: Arc::new(Tree::new(nodes).unwrap()),
        score: None,
    };
    let target = TargetOf {
        name: "y".to_owned(),
        kind: crate::tree::TargetKind::number(),
    };
    let (along, report) = (Along::Smoothed(15.0), Report::default());
    let members = vec![member];
    let model = TreeModel::new(
        &view,
        vec![],
        vec![target],
        members,
        Combine::Best,
        along,
        report,
    )
    .unwrap();
    let smoothed = |leaf: f64| {
        let inner = (5.0 * leaf + 15.0 * 6.0) / 20.0;
        (10.0 * inner + 15.0 * 4.0) / 25.0
    };
    let (low, high) = (smoothed(2.0), smoothed(10.0));
    let unknown = 0.5 * (0.5 * high + 0.5 * low) + 0.5 * ((10.0 * 2.0 + 15.0 * 4.0) / 25.0);
    let output = &predict(&model, &view).targets[0].output;
    for (row, expected) in [low, high, high, unknown, high].into_iter().enumerate() {
        let said = output.number(row).unwrap();
        assert!(
            (said - expected).abs() < 1e-12,
            "{row}: {said} is not {expected}"
        );
        let told = model.explain(&view, row, 1).unwrap().unwrap();
        assert_eq!(told.targets[0].prediction[0].1, said);
    }
    let sql = &model.sql(Asked::Known).unwrap().unwrap()[0].sql;
    assert!(sql.contains(&kinwood_learning::sql::double(high)), "{sql}");
    let loaded = TreeModel::read(&Stored::from_bytes(bytes(&model)).unwrap()).unwrap();
    assert_eq!(predict(&loaded, &view), predict(&model, &view));
    assert_eq!(loaded.to_json()["along"]["by"], 15.0);
    assert!(
        model.show().contains("which counts as much as 15 rows"),
        "{}",
        model.show()
    );
}

kinwood_testing::soak! { 24;
    fn soak_any_trees_keep_the_rules_of_models(
        seed in any::<u64>(),
        trees in 1..4_usize,
        nodes in 1..40_usize,
        way in 0..3_usize,
    ) {
        let combine = [Combine::Best, Combine::Vote, Combine::Average][way];
        let view = labelled(70);
        let model = random_trees(&view, &[CLASS, NUMBER, LABELS], trees, nodes, combine, seed);
        let predictions = model.predict(&view, &Context::new().with_threads(1)).unwrap();
        let two = model.predict(&view, &Context::new().with_threads(2)).unwrap();
        prop_assert_eq!(&predictions, &two);
        let written = bytes(&model);
        let loaded = TreeModel::read(&Stored::from_bytes(written.clone()).unwrap()).unwrap();
        prop_assert_eq!(&bytes(&loaded), &written);
        prop_assert_eq!(&predict(&loaded, &view), &predictions);
        prop_assert_eq!((loaded.show(), loaded.to_json()), (model.show(), model.to_json()));
        let labels = model.terms.targets[2].kind.as_labels().unwrap();
        // Row by row and node by node, without the flat form.
        let columns = tested(&model.terms, &view).unwrap();
        let walk = |member| Walk::new(member, &model);
        let walks: Vec<Walk<'_>> = model.answering().iter().map(walk).collect();
        for row in 0..view.len() {
            let outputs = predictions.targets.iter().map(|target| target.output.row(row));
            let flat: Vec<u64> = outputs.flatten().map(|part| part.to_bits()).collect();
            let slow = answer(&model, &walks, &columns, At::new(&view, row));
            prop_assert_eq!(slow.iter().map(|part| part.to_bits()).collect::<Vec<_>>(), flat);
            let [classes, _, sets] = [0, 1, 2].map(|at| predictions.targets[at].output.row(row));
            prop_assert!((classes.iter().sum::<f64>() - 1.0).abs() < 1e-9);
            prop_assert_eq!(labels.rising(sets), None);
            let explained = model.explain(&view, row, 1).unwrap().unwrap();
            let said: Vec<f64> = explained.targets[0].prediction.iter().map(|part| part.1).collect();
            prop_assert_eq!(said, classes);
        }
    }

    /// One number of one section of a file is another: the file is refused, or predicts without
    /// harm.
    fn soak_forged_files_do_no_harm(seed in any::<u64>(), place in any::<usize>(), what in 0..6_usize) {
        let view = labelled(30);
        let model = random_trees(&view, &[CLASS, NUMBER, LABELS], 2, 9, Combine::Average, seed);
        let stored = Stored::from_bytes(bytes(&model)).unwrap();
        let names: Vec<String> = stored.names().map(str::to_owned).collect();
        let changed = &names[place % names.len()];
        let real = [f64::NAN, -1.0, f64::INFINITY, 1e300, 0.5, 2.0][what];
        let whole = [0, 1, 7, 1 << 20, u32::MAX, 3][what];
        let mut sections = Sections::new();
        for name in &names {
            let own = name == changed;
            if let Ok(mut numbers) = stored.f64s(name) {
                if own && !numbers.is_empty() {
                    let at = place % numbers.len();
                    numbers[at] = real;
                }
                sections.put_f64(name, &numbers).unwrap();
            } else if let Ok(mut numbers) = stored.u32s(name) {
                if own && !numbers.is_empty() {
                    let at = place % numbers.len();
                    numbers[at] = whole;
                }
                sections.put_u32(name, &numbers).unwrap();
            } else if let Ok(mut numbers) = stored.u64s(name) {
                if own && !numbers.is_empty() {
                    let at = place % numbers.len();
                    numbers[at] = u64::from(whole) << 20;
                }
                sections.put_u64(name, &numbers).unwrap();
            } else if let Ok(mut numbers) = stored.bytes(name) {
                if own && !numbers.is_empty() {
                    let at = place % numbers.len();
                    numbers[at] = whole as u8;
                }
                sections.put_u8(name, &numbers).unwrap();
            } else if let Ok(mut labels) = stored.text(name) {
                if own && labels.len() > 1 {
                    labels[0] = labels[1].clone();
                }
                sections.put_text(name, &labels).unwrap();
            } else {
                let mut json: serde_json::Value = stored.json(name).unwrap();
                if own {
                    json["inputs"][0]["column"] = whole.into();
                    json["targets"][0]["says"] = ["number", "labels", "class"][what % 3].into();
                }
                sections.put_json(name, &json).unwrap();
            }
        }
        let stored = Stored::from_bytes(sections.to_bytes().unwrap()).unwrap();
        if let Ok(model) = TreeModel::read(&stored) {
            model.show();
            model.to_json();
            if let Ok(predictions) = model.predict(&view, &Context::new()) {
                for target in &predictions.targets {
                    let finite = (0..view.len()).all(|row| {
                        target.output.row(row).iter().all(|number| number.is_finite())
                    });
                    prop_assert!(finite || target.output.kind().is_number());
                }
            }
        }
    }
}
