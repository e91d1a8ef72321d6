//! Trees in words and numbers, for whoever draws them in Python.

use kinwood::learners::drawing::{BranchDrawn, Drawing, Mark, NodeDrawn, TreeDrawn};
use serde_json::{Value, json};

/// The trees as JSON.
pub(crate) fn to_json(drawing: &Drawing) -> Value {
    let targets = drawing.targets.iter().map(|target| {
        let mut told = json!({"kind": target.kind, "name": target.name});
        if !target.labels.is_empty() {
            told["labels"] = json!(target.labels);
        }
        told
    });
    json!({
        "title": drawing.title,
        "targets": targets.collect::<Vec<_>>(),
        "trees": drawing.trees.iter().map(tree).collect::<Vec<_>>(),
        "notes": drawing.notes,
    })
}

fn tree(tree: &TreeDrawn) -> Value {
    json!({
        "name": tree.name,
        "score": tree.score,
        "nodes": tree.nodes.iter().map(node).collect::<Vec<_>>(),
    })
}

fn node(node: &NodeDrawn) -> Value {
    let test = node.test.as_ref().map(|test| {
        json!({
            "words": test.words,
            "column": test.column,
            "distance": test.distance,
            "branches": test.branches.iter().map(branch).collect::<Vec<_>>(),
        })
    });
    json!({
        "parent": node.parent.map(|(parent, _)| parent),
        "branch": node.parent.map(|(_, branch)| branch),
        "test": test,
        "weight": node.weight,
        "answers": node.answers.iter().map(answer).collect::<Vec<_>>(),
    })
}

fn branch(branch: &BranchDrawn) -> Value {
    let prototype = branch.prototype.as_ref().map(ToString::to_string);
    json!({"words": branch.words, "prototype": prototype, "share": branch.share})
}

fn answer(answer: &Mark) -> Value {
    match answer {
        Mark::Stack { weights, .. } => json!({"classes": weights}),
        Mark::Shares(shares) => json!({"labels": shares}),
        Mark::Line { said, ground, .. } => {
            json!({"line": answer.corners(), "said": said, "ground": ground})
        }
        Mark::Number {
            mean,
            deviation,
            weight,
            formula,
        } => json!({"mean": mean, "deviation": deviation, "weight": weight, "formula": formula}),
    }
}
