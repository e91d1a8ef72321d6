//! What pictures show of trees, and the nodes that a row lights up.

use super::*;
use crate::TREE;
use kinwood_learning::context::Context;
use kinwood_learning::drawing::Mark;
use kinwood_learning::task::Task;
use kinwood_learning::testing::{CLASS, NUMBER, mixed_view};

#[test]
fn thresholds_are_drawn_without_the_dust_of_arithmetic() {
    let view = mixed_view(3);
    let name = view.table().attribute(NUMBER).name.clone();
    let terms = Terms {
        inputs: vec![Input {
            column: NUMBER as u32,
            name: name.clone(),
            kind: InputKind::Number,
        }],
        targets: Vec::new(),
    };
    let drawn = |threshold: f64| {
        let column = NUMBER as u32;
        terms.drawn_words(&Test::Above { column, threshold })
    };
    assert_eq!(drawn(14.399999999999999), format!("{name} > 14.4"));
    assert_eq!(drawn(1.517155), format!("{name} > 1.517155"));
}

#[test]
fn the_leaves_that_a_row_lights_up_say_what_is_predicted() {
    let view = mixed_view(60);
    let task = Task::new(&view, &[CLASS, NUMBER]).unwrap();
    // Nothing is pruned and nothing costs: the beam stays full.
    let settings = [
        ("search", "beam"),
        ("width", "3"),
        ("pruning", "none"),
        ("alpha", "0"),
    ];
    let learner = (TREE.build)(&TREE.settings(&settings).unwrap()).unwrap();
    let model = learner.fit(&task, &Context::new()).unwrap();
    let drawing = model.drawing().unwrap();
    assert_eq!((drawing.trees.len(), drawing.targets.len()), (3, 2));
    let view = task.view();
    let predictions = model.predict(view, &Context::new()).unwrap();
    for position in 0..view.len() {
        let passed = model.visited(view, position).unwrap().unwrap();
        for (number, tree) in drawing.trees.iter().enumerate() {
            let own: Vec<_> = passed.iter().filter(|step| step.0 == number).collect();
            assert_eq!(*own[0], (number, 0, 1.0));
            let leaf = |node: u32| tree.nodes[node as usize].test.is_none();
            let leaves = own.iter().filter(|step| leaf(step.1));
            let whole: f64 = leaves.map(|step| step.2).sum();
            assert!((whole - 1.0).abs() < 1e-9);
        }
        let (mut shares, mut number) = (Vec::new(), 0.0);
        for &(_, node, share) in passed.iter().filter(|step| step.0 == 0) {
            let node = &drawing.trees[0].nodes[node as usize];
            if node.test.is_some() {
                continue;
            }
            let [Mark::Stack { weights, .. }, Mark::Number { mean, .. }] = node.answers.as_slice()
            else {
                panic!("a class and a number")
            };
            shares.resize(weights.len(), 0.0);
            let total: f64 = weights.iter().sum();
            for (sum, weight) in shares.iter_mut().zip(weights) {
                *sum += share * weight / total;
            }
            number += share * mean;
        }
        let said = |target: usize| predictions.targets[target].output.row(position);
        for (drawn, said) in shares.iter().zip(said(0)) {
            assert!((drawn - said).abs() < 1e-9);
        }
        assert!((number - said(1)[0]).abs() < 1e-9);
    }
}
