//! Model trees as people and programs have them. Formulas with terms are numbered, from left to
//! right.

use std::fmt::Write;

use kinwood_values::datetime;
use serde_json::{Map, Value, json};

use super::super::formula::{Answer, Feature, Formula, Test};
use super::super::input::{Inputs, Kind};
use super::{Formulas, ModelTree};
use crate::tree::{Node, Tree};
use kinwood_learning::drawing::{amount, short};

/// What a leaf says: the number of its formula, or the only number it has.
pub(super) fn leaf(tree: &Tree<Test, Answer>, node: u32) -> String {
    let own = tree.node(node);
    let said = match has_number(own) {
        true => {
            let before = &tree.nodes()[..=node as usize];
            format!(
                "LM {}",
                before.iter().filter(|node| has_number(node)).count()
            )
        }
        false => brief(own.payload.formula.constant),
    };
    format!("[{said} of {}]", amount(own.payload.weight))
}

/// Whether a node is a leaf whose formula has terms.
fn has_number(node: &Node<Test, Answer>) -> bool {
    node.split.is_none() && !node.payload.formula.terms.is_empty()
}

/// Writes the formulas that have numbers.
pub(super) fn write_formulas(terms: &Formulas, tree: &Tree<Test, Answer>, text: &mut String) {
    let numbered = tree.nodes().iter().filter(|node| has_number(node));
    for (place, node) in numbered.enumerate() {
        let said = formula(&terms.inputs, &node.payload.formula, "\n    ");
        let target = &terms.targets[0].name;
        let _ = writeln!(text, "\nLM {}: {target} =\n    {said}", place + 1);
    }
}

/// A number to six digits.
fn brief(number: f64) -> String {
    short(number, 6, -5.0..15.0)
}

/// A formula in words, with something between the terms.
pub(super) fn formula(inputs: &Inputs, formula: &Formula, between: &str) -> String {
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
        let mut term = asked(&model.terms.inputs, feature);
        term.insert("coefficient".into(), json!(coefficient));
        Value::Object(term)
    };
    let nodes = model.tree().nodes().iter().map(|node| {
        let own = &node.payload;
        let terms: Vec<Value> = own.formula.terms.iter().map(term).collect();
        let mut told = json!({
            "weight": own.weight,
            "mean": own.mean,
            "sd": own.deviation,
            "formula": {"constant": own.formula.constant, "terms": terms},
        });
        if let Some(split) = &node.split {
            told["test"] = test_json(&model.terms.inputs, &split.test);
            for (branch, child) in ["yes", "no"].iter().zip(&split.children) {
                told[branch] = json!(child);
            }
        }
        told
    });
    let missing: Map<String, Value> = model
        .terms
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
        "target": model.target(),
        "size": model.tree().size(),
        "leaves": model.tree().leaves(),
        "depth": model.tree().depth(),
        "missing_taken_as": missing,
        "nodes": nodes.collect::<Vec<_>>(),
    })
}

/// A test: its feature, and what it is compared with.
pub(super) fn test_json(inputs: &Inputs, test: &Test) -> Value {
    let mut shown = asked(inputs, test.feature);
    if test.feature.from.is_none() {
        shown.insert("above".into(), json!(test.threshold));
    }
    Value::Object(shown)
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
