//! Model trees as people, programs and pictures have them. Formulas with terms are numbered, from
//! left to right.

use std::fmt::Write;

use kinwood_values::datetime;
use serde_json::{Map, Value, json};

use super::super::formula::{Feature, Formula, Test};
use super::super::input::{Inputs, Kind};
use super::ModelTree;
use crate::tree::Split;
use crate::tree::text::{Words, draw, measures};
use kinwood_learning::drawing::{
    BranchDrawn, Drawing, Mark, NodeDrawn, TargetDrawn, TestDrawn, TreeDrawn, amount, short,
};
use kinwood_learning::target::TargetKind;

/// What the branches of a test are called.
const BRANCHES: [&str; 2] = ["yes", "no"];

/// For people.
pub(super) fn text(model: &ModelTree) -> String {
    let numbers = numbered(model);
    let mut text = format!("{}\n\n", measures(&model.tree));
    let leaf = |node: u32| {
        let own = &model.tree.node(node).payload;
        let said = match numbers[node as usize] {
            Some(number) => format!("LM {number}"),
            None => brief(own.formula.constant),
        };
        format!("[{said} of {}]", amount(own.weight))
    };
    let words = Words {
        test: &|test| model.words(test),
        branch: &|_, branch| BRANCHES[branch].to_owned(),
        leaf: &leaf,
    };
    draw(&model.tree, &words, &mut text);
    for (node, number) in model.tree.nodes().iter().zip(&numbers) {
        if let Some(number) = number {
            let said = formula(&model.inputs, &node.payload.formula, "\n    ");
            let _ = writeln!(text, "\nLM {number}: {} =\n    {said}", model.target);
        }
    }
    text
}

/// By node, the number of the formula of a leaf with terms.
fn numbered(model: &ModelTree) -> Vec<Option<usize>> {
    let mut count = 0;
    let number = |node: &crate::tree::Node<Test, super::super::formula::Answer>| {
        let formula = node.split.is_none() && !node.payload.formula.terms.is_empty();
        formula.then(|| {
            count += 1;
            count
        })
    };
    model.tree.nodes().iter().map(number).collect()
}

/// A number to six digits.
fn brief(number: f64) -> String {
    short(number, 6, -5.0..15.0)
}

/// A formula in words, with something between the terms.
fn formula(inputs: &Inputs, formula: &Formula, between: &str) -> String {
    let mut text = brief(formula.constant);
    for &(feature, coefficient) in &formula.terms {
        let sign = if coefficient < 0.0 { '-' } else { '+' };
        let name = match feature.from {
            None => inputs.words(feature),
            Some(_) => format!("({})", inputs.words(feature)),
        };
        let _ = write!(
            text,
            "{between}{sign} {} * {name}",
            brief(coefficient.abs())
        );
    }
    text
}

/// For programs: the nodes in preorder, branches by place.
pub(super) fn json(model: &ModelTree) -> Value {
    let term = |&(feature, coefficient): &(Feature, f64)| {
        let mut term = asked(&model.inputs, feature);
        term.insert("coefficient".into(), json!(coefficient));
        Value::Object(term)
    };
    let nodes = model.tree.nodes().iter().map(|node| {
        let own = &node.payload;
        let terms: Vec<Value> = own.formula.terms.iter().map(term).collect();
        let mut told = json!({
            "weight": own.weight,
            "mean": own.mean,
            "sd": own.deviation,
            "formula": {"constant": own.formula.constant, "terms": terms},
        });
        if let Some(split) = &node.split {
            let mut test = asked(&model.inputs, split.test.feature);
            if split.test.feature.from.is_none() {
                test.insert("above".into(), json!(split.test.threshold));
            }
            told["test"] = Value::Object(test);
            for (branch, child) in BRANCHES.iter().zip(&split.children) {
                told[branch] = json!(child);
            }
        }
        told
    });
    let missing: Map<String, Value> = model
        .inputs
        .all
        .iter()
        .map(|input| {
            let taken = match &input.kind {
                Kind::Number { mean } => json!(mean),
                Kind::Moment { mean } => json!(datetime::print(*mean as i64)),
                Kind::Labels { labels, mode, .. } => match (*mode as usize) < labels.len() {
                    true => json!(labels.label(*mode)),
                    false => Value::Null,
                },
            };
            (input.name.clone(), taken)
        })
        .collect();
    json!({
        "target": model.target,
        "size": model.tree.size(),
        "leaves": model.tree.leaves(),
        "depth": model.tree.depth(),
        "missing_taken_as": missing,
        "nodes": nodes.collect::<Vec<_>>(),
    })
}

/// A feature: its column, and the labels that are asked for.
fn asked(inputs: &Inputs, feature: Feature) -> Map<String, Value> {
    let input = inputs.of(feature);
    let mut told = Map::new();
    told.insert("column".into(), json!(input.name));
    if let (Kind::Labels { labels, .. }, Some(from)) = (&input.kind, feature.from) {
        let among = input.last(from);
        let among: Vec<&str> = among.iter().map(|&code| labels.label(code)).collect();
        told.insert("among".into(), json!(among));
    }
    told
}

/// For pictures: leaves say their formulas.
pub(super) fn drawing(model: &ModelTree) -> Drawing {
    let tree = &model.tree;
    let mut parents = vec![None; tree.size()];
    for (place, node) in tree.nodes().iter().enumerate() {
        let children = node.split.iter().flat_map(|split| &split.children);
        for (branch, &child) in children.enumerate() {
            parents[child as usize] = Some((place as u32, branch));
        }
    }
    let test = |split: &Split<Test>| TestDrawn {
        words: model.words(&split.test),
        column: model.inputs.of(split.test.feature).name.clone(),
        distance: None,
        branches: BRANCHES
            .iter()
            .zip(&split.shares)
            .map(|(words, share)| BranchDrawn {
                words: (*words).to_owned(),
                prototype: None,
                share: *share,
            })
            .collect(),
    };
    let nodes = tree.nodes().iter().zip(parents).map(|(node, parent)| {
        let own = &node.payload;
        let said = node.split.is_none();
        NodeDrawn {
            parent,
            test: node.split.as_ref().map(test),
            weight: own.weight,
            answers: vec![Mark::Number {
                mean: own.mean,
                deviation: own.deviation,
                weight: own.weight,
                formula: said.then(|| formula(&model.inputs, &own.formula, " ")),
            }],
            ..NodeDrawn::default()
        }
    });
    Drawing {
        title: model.target.clone(),
        targets: vec![TargetDrawn::new(&model.target, &TargetKind::number())],
        trees: vec![TreeDrawn {
            name: "tree 1".to_owned(),
            score: None,
            nodes: nodes.collect(),
        }],
        ..Drawing::default()
    }
}
