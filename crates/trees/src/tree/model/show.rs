//! Trees as people and programs read them.
//!
//! What lies deeper than people read is counted, not drawn; for programs it is moved out of the
//! nesting, as readers of JSON stop at some depth.

use crate::tree::SearchMethod;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use serde_json::{Map, Value, json};

use super::{Combine, InputKind, Member, OutOfBag, Report, TargetOf, Terms, TreeModel};
use crate::tree::text::{self, Words, measures};
use crate::tree::{Answer, Answers, FlatTree, Test};
use kinwood_learning::DRAWN_MEMBERS;
use kinwood_learning::drawing;

/// How many tests below each other are nested in JSON.
const NESTED: usize = 50;
/// How many inputs are listed with their importance.
const LISTED_INPUTS: usize = 30;

/// For people.
pub(super) fn text(model: &TreeModel) -> String {
    let mut text = heading(&model.report);
    text += &forest_lines(&model.report);
    text += &occurrence_lines(&model.report, &tests(model));
    if let [member] = model.trees.as_slice() {
        let _ = writeln!(text, "{}\n", measures(&member.tree));
        draw(&model.terms, &member.tree, &mut text);
        return text;
    }
    let measures = |member: &Member| {
        let tree = &member.tree;
        (member.score, [tree.size(), tree.leaves(), tree.depth()])
    };
    let members: Vec<_> = model.trees.iter().map(measures).collect();
    text += &listed(&members, model.combine);
    if model.trees.len() > DRAWN_MEMBERS {
        return text;
    }
    for (place, member) in model.trees.iter().enumerate() {
        let _ = writeln!(text, "\ntree {}\n", place + 1);
        draw(&model.terms, &member.tree, &mut text);
    }
    text
}

/// What is known of a forest: its error out of bag, and how much each input matters.
pub(crate) fn forest_lines(report: &Report) -> String {
    let mut text = String::new();
    for OutOfBag {
        target,
        measure,
        value,
        rows,
    } in &report.out_of_bag
    {
        let _ = writeln!(
            text,
            "out of bag: {measure} of {target} {} over {rows} rows",
            short(*value)
        );
    }
    if !report.importances.is_empty() {
        let _ = writeln!(text, "\nimportance  input");
        for importance in report.importances.iter().take(LISTED_INPUTS) {
            let _ = writeln!(text, "{:<10.6}  {}", importance.share, importance.input);
        }
        let more = report.importances.len().saturating_sub(LISTED_INPUTS);
        if more > 0 {
            let _ = writeln!(text, "... {more} more");
        }
        let _ = writeln!(text);
    }
    text
}

/// How often each column and each test occurs in the trees of a set: in how many of them. `tests`
/// are those of each tree, a column and words each.
pub(crate) fn occurrences(tests: &[Vec<(String, String)>]) -> [Vec<(String, usize)>; 2] {
    let count = |name: &dyn Fn(&(String, String)) -> String| {
        let mut trees: BTreeMap<String, usize> = BTreeMap::new();
        for tests in tests {
            let distinct: BTreeSet<String> = tests.iter().map(name).collect();
            for name in distinct {
                *trees.entry(name).or_default() += 1;
            }
        }
        let mut counted: Vec<(String, usize)> = trees.into_iter().collect();
        // The most frequent first, of equals in the order of their names.
        counted.sort_by_key(|(_, trees)| std::cmp::Reverse(*trees));
        counted
    };
    [count(&|test| test.0.clone()), count(&|test| test.1.clone())]
}

/// What the trees near the best have in common.
pub(crate) fn occurrence_lines(report: &Report, tests: &[Vec<(String, String)>]) -> String {
    let Some(epsilon) = report.epsilon else {
        return String::new();
    };
    let mut text = format!(
        "{} trees whose error is at most {epsilon} above the least\n",
        tests.len()
    );
    for (what, counted) in ["column", "test"].into_iter().zip(occurrences(tests)) {
        let _ = writeln!(text, "\ntrees  {what}");
        for (name, trees) in counted.iter().take(LISTED_INPUTS) {
            let _ = writeln!(text, "{trees:<5}  {name}");
        }
        let more = counted.len().saturating_sub(LISTED_INPUTS);
        if more > 0 {
            let _ = writeln!(text, "... {more} more");
        }
    }
    text + "\n"
}

/// The same for programs.
pub(crate) fn occurrence_json(report: &Report, tests: &[Vec<(String, String)>], shown: &mut Value) {
    if let Some(epsilon) = report.epsilon {
        let [columns, tests] = occurrences(tests).map(|counted| {
            let each = counted.into_iter();
            each.map(|(name, trees)| json!({"name": name, "trees": trees}))
                .collect::<Vec<_>>()
        });
        shown["near_best"] = json!({"epsilon": epsilon, "columns": columns, "tests": tests});
    }
}

/// The trees of a set: the score, size, leaves and depth of each.
pub(crate) fn listed(members: &[(Option<f64>, [usize; 3])], combine: Combine) -> String {
    let mut text = String::new();
    let answers = match combine {
        Combine::Best => "the best answers",
        Combine::Vote => "they vote",
        Combine::Average => "their average answers",
    };
    let order = match members.first() {
        Some((Some(_), _)) => ", best first",
        _ => "",
    };
    let _ = writeln!(text, "{} trees{order}; {answers}\n", members.len());
    let _ = writeln!(text, "tree  score         nodes   leaves  depth");
    for (place, (score, [size, leaves, depth])) in members.iter().enumerate() {
        let score = match score {
            Some(score) => format!("{score:.6}"),
            None => "-".to_owned(),
        };
        let place = place + 1;
        let _ = writeln!(
            text,
            "{place:<4}  {score:<12}  {size:<6}  {leaves:<6}  {depth}"
        );
    }
    text
}

/// How the trees were found.
pub(crate) fn heading(report: &Report) -> String {
    let mut text = String::new();
    let evaluated = match report.evaluated {
        1 => "1 model evaluated".to_owned(),
        count => format!("{count} models evaluated"),
    };
    if report.search != SearchMethod::None {
        let _ = writeln!(
            text,
            "{} search, {evaluated}, {}",
            report.search, report.stopped
        );
    }
    for note in &report.notes {
        let _ = writeln!(text, "{note}");
    }
    text
}

/// The tests of each tree: the column and the words of each, where they are listed.
fn tests(model: &TreeModel) -> Vec<Vec<(String, String)>> {
    let of_tree = |member: &Member| {
        let splits = member.tree.nodes().iter();
        let splits = splits.filter_map(|node| node.split.as_ref());
        let named = splits.map(|split| {
            let input = model.terms.input(split.test.column());
            let column = input.map_or_else(String::new, |input| input.name.clone());
            (column, model.terms.words(&split.test))
        });
        named.collect()
    };
    match model.report.epsilon {
        Some(_) => model.trees.iter().map(of_tree).collect(),
        None => Vec::new(),
    }
}

fn draw(terms: &Terms, tree: &FlatTree, text: &mut String) {
    let words = Words {
        test: &|test| terms.words(test),
        branch: &|test, branch| terms.branch(test, branch),
        leaf: &|node| leaf(terms, &tree.node(node).payload),
    };
    text::draw(tree, &words, text);
}

/// What a leaf says, in brackets.
fn leaf(terms: &Terms, answers: &Answers) -> String {
    let several = terms.targets.len() > 1;
    let said: Vec<String> = terms
        .targets
        .iter()
        .zip(&answers.targets)
        .map(|(target, answer)| match several {
            true => format!("{} {}", target.name, said(target, answer)),
            false => said(target, answer),
        })
        .collect();
    format!("[{}]", said.join("; "))
}

/// What an answer says, and of how many examples.
pub(crate) fn said(target: &TargetOf, answer: &Answer) -> String {
    answer.leaf().words(&target.kind, answer.numbers())
}

/// A number to six digits.
fn short(number: f64) -> String {
    drawing::short(number, 6, -5.0..15.0)
}

/// What trees are of and how they were found, for programs.
pub(crate) fn shown(targets: &[TargetOf], report: &Report, combine: Combine) -> Value {
    let targets = targets
        .iter()
        .map(|target| json!({"target": target.name, "kind": target.kind.entry().shown}));
    json!({
        "targets": targets.collect::<Vec<_>>(),
        "search": report.search,
        "models_evaluated": report.evaluated,
        "stopped": report.stopped,
        "notes": report.notes,
        "combine": combine.name(),
    })
}

/// Adds what is known of a forest.
pub(crate) fn forest_json(report: &Report, shown: &mut Value) {
    if !report.out_of_bag.is_empty() {
        shown["out_of_bag"] = json!(report.out_of_bag);
    }
    if !report.importances.is_empty() {
        shown["importances"] = json!(report.importances);
    }
}

/// For programs.
pub(super) fn json(model: &TreeModel) -> Value {
    let mut shown = shown(&model.terms.targets, &model.report, model.combine);
    shown["size"] = json!(model.trees[0].tree.size());
    forest_json(&model.report, &mut shown);
    occurrence_json(&model.report, &tests(model), &mut shown);
    if model.trees.len() > 1 {
        let about = |member: &Member| json!({"size": member.tree.size(), "score": member.score});
        shown["models"] = model.trees.iter().map(about).collect();
    }
    let tree = |member| tree_json(&model.terms, member);
    shown["trees"] = model.trees.iter().map(tree).collect();
    shown
}

fn tree_json(terms: &Terms, member: &Member) -> Value {
    let tree: &FlatTree = &member.tree;
    let mut depths = vec![0usize; tree.size()];
    for (place, node) in tree.nodes().iter().enumerate() {
        for &child in node.split.iter().flat_map(|split| &split.children) {
            depths[child as usize] = depths[place] + 1;
        }
    }
    let mut built: Vec<Value> = vec![Value::Null; tree.size()];
    let mut subtrees = Vec::new();
    // Children stand after their parents: from the end on, all below a node is there when it is.
    for (place, node) in tree.nodes().iter().enumerate().rev() {
        let mut object = Map::new();
        object.insert("weight".into(), json!(node.payload.weight));
        let said = terms.targets.iter().zip(&node.payload.targets);
        let said: Vec<Value> = said
            .map(|(target, answer)| answer_json(target, answer))
            .collect();
        object.insert("targets".into(), said.into());
        if let Some(split) = &node.split {
            object.insert("test".into(), test_json(terms, &split.test));
            object.insert("shares".into(), json!(split.shares));
            let mut below = split
                .children
                .iter()
                .map(|&child| built[child as usize].take());
            if split.test.has_prototypes() {
                object.insert("branches".into(), below.collect::<Vec<_>>().into());
            } else {
                for branch in ["yes", "no"] {
                    object.insert(branch.into(), below.next().unwrap_or_default());
                }
            }
        }
        built[place] = object.into();
        if depths[place] > 0 && depths[place].is_multiple_of(NESTED) {
            subtrees.push(built[place].take());
            built[place] = json!({"subtree": subtrees.len() - 1});
        }
    }
    json!({
        "score": member.score,
        "size": tree.size(),
        "leaves": tree.leaves(),
        "depth": tree.depth(),
        "root": built[0].take(),
        "subtrees": subtrees,
    })
}

fn test_json(terms: &Terms, test: &Test) -> Value {
    let input = terms.input(test.column());
    let name = input.map_or("", |input| input.name.as_str());
    match (test, input.map(|input| &input.kind)) {
        (Test::Among { values, .. }, Some(InputKind::Labels(labels))) => {
            let among: Vec<&str> = values.iter().map(|&value| labels.label(value)).collect();
            json!({"column": name, "among": among})
        }
        (Test::Above { threshold, .. }, _) => json!({"column": name, "above": threshold}),
        (Test::Around { cells, .. }, _) => {
            let prototypes: Vec<Value> = (0..cells.prototypes.len())
                .filter_map(|branch| Some(terms.prototype(test, branch)?.to_json()))
                .collect();
            json!({"column": name, "prototypes": prototypes, "bounds": cells.bounds, "cells": cells.branches})
        }
        (Test::Nearest { nearest, .. }, kind) => {
            let prototypes: Vec<Value> = (0..nearest.prototypes.len())
                .filter_map(|branch| Some(terms.prototype(test, branch)?.to_json()))
                .collect();
            let distance = match kind {
                Some(InputKind::Kin(pool)) => pool.measure.expression().to_string(),
                _ => "discrete".to_owned(),
            };
            let mut shown = json!({"column": name, "prototypes": prototypes, "distance": distance});
            if !nearest.reach.is_empty() {
                shown["reach"] = json!(nearest.reach);
            }
            shown
        }
        (Test::Among { .. }, _) => json!({"column": name}),
    }
}

/// An answer for programs.
pub(crate) fn answer_json(target: &TargetOf, answer: &Answer) -> Value {
    answer.leaf().json(&target.kind, answer.numbers())
}
