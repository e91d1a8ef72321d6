//! Relational trees as people and programs read them: the tests in words, each node as a query in
//! the paper's notation, each model as a formula.

use std::fmt::Write;

use serde_json::{Map, Value, json};

use super::notation::query;
use super::words::Occurrences;
use crate::contents::{calendar, items_json};
use crate::mirt::leaf::{Content, Linear, Variable};
use crate::mirt::terms::{Kind, Terms};
use crate::mirt::test::{Condition, Is, Step, Test};
use crate::tree::model::show::{NESTED, along_json, answers_json};
use crate::tree::model::{Along, Outline};
use crate::tree::text::DRAWN;
use kinwood_learning::drawing::amount;

/// A line of a query or formula that would be wider goes on in the next.
const WIDE: usize = 110;

/// Writes leaves, and nodes that have models, as queries with their formulas.
pub(super) fn write_queries(
    outline: &Outline<'_, Terms>,
    terms: &Terms,
    along: Along,
    text: &mut String,
) {
    let tree = outline.tree;
    let _ = writeln!(text, "\nas queries, with the objects that reach them:");
    for place in (0..tree.size()).filter(|&place| outline.depths[place] <= DRAWN) {
        let node = tree.node(place as u32);
        if node.split.is_some() && node.payload.models.is_empty() {
            continue;
        }
        let number = format!("({})", place + 1);
        let weight = node.payload.answers.weight;
        let _ = writeln!(text, "{number} {}", terms.objects(weight));
        wrapped(&query(terms, &outline.way(place as u32)), ", ", text);
        let names = Occurrences::new(terms, &outline.above[place]);
        for (target, model) in terms.targets.iter().zip(&node.payload.models) {
            let Some(model) = model else { continue };
            let formula = names.formula(&target.name, model);
            let adds = match (along, &node.split) {
                (Along::Summed, Some(_)) => "adds ",
                _ => "",
            };
            wrapped(&format!("{adds}{formula}"), " ", text);
            if let Some(chosen) = chosen(&names, model) {
                wrapped(&chosen, " ", text);
            }
        }
    }
}

/// From how many primary instances values are chosen.
fn chosen(names: &Occurrences<'_>, model: &Linear) -> Option<String> {
    let width = model.chosen();
    let names = names.clone().with_beyond(&model.beyond);
    let of = model
        .terms
        .iter()
        .map(|term| term.variable)
        .filter(|variable| variable.is_chosen() && variable.occurrence() > 0);
    let of: Vec<String> = of.map(|variable| names.variable(variable)).collect();
    (!of.is_empty()).then(|| {
        format!(
            "where {} of an object that has several is the one nearest to the {} primary instances of training",
            of.join(", "),
            model.primary.len() / width.max(1)
        )
    })
}

/// Writes a text in lines that are not too long, indented.
fn wrapped(whole: &str, at: &str, text: &mut String) {
    let mut line = String::new();
    let mut indent = "    ";
    for part in whole.split_inclusive(at) {
        if !line.is_empty() && line.chars().count() + part.trim_end().chars().count() > WIDE {
            let _ = writeln!(text, "{indent}{}", line.trim_end());
            line.clear();
            indent = "      ";
        }
        line += part;
    }
    let _ = writeln!(text, "{indent}{}", line.trim_end());
}

/// What a leaf says: the beginning of its formula, or its answer in brackets.
pub(super) fn leaf(terms: &Terms, names: &Occurrences<'_>, content: &Content) -> String {
    let several = terms.targets.len() > 1;
    let each = terms.targets.iter().zip(&content.answers.targets);
    let each =
        each.enumerate().map(
            |(place, (target, answer))| match (content.model(place), several) {
                (Some(model), _) => {
                    let weight = amount(answer.weight());
                    format!("{} [{weight}]", names.brief(&target.name, model))
                }
                (None, true) => format!("[{} {}]", target.name, answer.words(&target.kind)),
                (None, false) => format!("[{}]", answer.words(&target.kind)),
            },
        );
    each.collect::<Vec<_>>().join("; ")
}

/// Adds the objects' table and the keys.
pub(super) fn terms_json(terms: &Terms, along: Along, shown: &mut Value) {
    shown["table"] = json!(terms.tables[terms.root].name);
    shown["along"] = along_json(along);
    let keys = terms.keys.iter().map(|key| {
        json!({
            "name": key.name,
            "from": terms.tables[key.from].name,
            "from_columns": terms.names(key.from, &key.from_columns),
            "to": terms.tables[key.to].name,
            "to_columns": terms.names(key.to, &key.to_columns),
        })
    });
    shown["keys"] = keys.collect();
}

/// A node, with its query and its models.
pub(super) fn node_json(
    terms: &Terms,
    outline: &Outline<'_, Terms>,
    node: u32,
) -> Map<String, Value> {
    let content = &outline.tree.node(node).payload;
    let mut object = Map::new();
    object.insert("node".into(), json!(node + 1));
    object.insert("weight".into(), json!(content.answers.weight));
    if outline.depths[node as usize] <= NESTED {
        object.insert("query".into(), json!(query(terms, &outline.way(node))));
    }
    object.insert("targets".into(), answers_json(terms, &content.answers));
    if !content.models.is_empty() {
        let path = &outline.above[node as usize];
        let names = Occurrences::new(terms, path);
        let models = terms.targets.iter().zip(&content.models);
        let models = models.map(|(target, model)| {
            let model = model.as_ref()?;
            Some(model_json(terms, path, &names, &target.name, model))
        });
        object.insert("models".into(), json!(models.collect::<Vec<_>>()));
    }
    object
}

/// The keys that a test or model follows, with the occurrence that each leads to.
fn steps_json(terms: &Terms, path: &[Step], more: &[Step]) -> Value {
    let each = more.iter().enumerate();
    each.map(|(place, step)| {
        json!({
            "from": step.from,
            "key": terms.keys[step.key as usize].name,
            "backward": step.backward,
            "table": terms.tables[terms.reached(*step)].name,
            "occurrence": path.len() + 1 + place,
        })
    })
    .collect()
}

/// A test.
pub(super) fn test_json(terms: &Terms, path: &[Step], test: &Test) -> Value {
    let names = Occurrences::new(terms, path);
    let all: Vec<Step> = path.iter().chain(&test.steps).copied().collect();
    let mut shown = json!({
        "words": names.test(test),
        "steps": steps_json(terms, path, &test.steps),
    });
    let Some(condition) = &test.condition else {
        return shown;
    };
    let occurrence = condition.occurrence();
    let table = terms.table_of(&all, occurrence);
    let mut asked = json!({
        "occurrence": occurrence,
        "table": terms.tables[table].name,
    });
    asked["of"] = json!(match condition {
        Condition::Some { .. } => "some",
        Condition::Every { .. } => "every",
        Condition::Count { .. } => "count",
        Condition::Aggregate { function, .. } => function.name(),
    });
    if let Condition::Count { least, .. } = condition {
        asked["at_least"] = json!(least);
    }
    if let (Some(column), Some(is)) = (condition.column(), condition.is()) {
        let of = terms.column(table, column);
        asked["column"] = json!(of.name);
        match (is, &of.kind) {
            (Is::AtMost(bound), _) => asked["at_most"] = json!(bound),
            (Is::AtLeast(bound), _) => asked["at_least"] = json!(bound),
            (Is::Among(codes), Kind::Labels(labels)) => {
                let among = codes.iter().map(|&code| labels.label(code));
                asked["among"] = among.collect();
            }
            (Is::Near { prototype, radius }, _) => {
                asked["radius"] = json!(radius);
                if let Some(pool) = terms.pool(table, column) {
                    asked["prototype"] = pool.values.value(*prototype as usize).to_json();
                    asked["distance"] = json!(pool.measure.expression().to_string());
                }
            }
            (Is::Has(items), Kind::Moment) => {
                let (key, items) = items_json(calendar::named(items));
                asked[key] = items;
            }
            (Is::Has(items), _) => {
                if let Some(pool) = terms.pool(table, column) {
                    let (key, items) = items_json(pool.named(items));
                    asked[key] = items;
                }
            }
            (Is::Sized(least), _) => asked["size_at_least"] = json!(least),
            (Is::Among(_), _) => {}
        }
    }
    shown["condition"] = asked;
    shown
}

fn model_json(
    terms: &Terms,
    path: &[Step],
    names: &Occurrences<'_>,
    target: &str,
    model: &Linear,
) -> Value {
    let all = model.steps(path);
    let wide = names.clone().with_beyond(&model.beyond);
    let term = |term: &crate::mirt::leaf::Term| {
        let variable = term.variable;
        let table = terms.table_of(&all, variable.occurrence());
        let mut shown = json!({
            "words": wide.variable(variable),
            "coefficient": term.coefficient,
            "otherwise": term.otherwise,
            "occurrence": variable.occurrence(),
            "table": terms.tables[table].name,
        });
        shown["of"] = json!(match variable {
            Variable::Value { .. } => "value",
            Variable::Label { .. } => "share",
            Variable::Aggregate { function, .. } => function.name(),
            Variable::Count { .. } => "count",
        });
        if let Some(column) = variable.column() {
            let of = terms.column(table, column);
            shown["column"] = json!(of.name);
            if let (Variable::Label { label, .. }, Kind::Labels(labels)) = (variable, &of.kind) {
                shown["label"] = json!(labels.label(label));
            }
        }
        shown
    };
    let mut shown = json!({
        "formula": names.formula(target, model),
        "intercept": model.intercept,
        "terms": model.terms.iter().map(term).collect::<Vec<_>>(),
        "squares": model.squares,
    });
    if !model.beyond.is_empty() {
        shown["beyond"] = steps_json(terms, path, &model.beyond);
    }
    let width = model.chosen();
    if width > 0 {
        let instances: Vec<&[f64]> = model.primary.chunks(width).collect();
        shown["primary"] = json!(instances);
    }
    if let Some((least, most)) = model.range {
        shown["range"] = json!([least, most]);
    }
    shown
}
