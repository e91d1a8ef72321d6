//! Relational trees as people and programs read them: the tests in words, each node as a query in
//! the paper's notation, each model as a formula.

use std::fmt::Write;

use serde_json::{Map, Value, json};

use super::notation::query;
use super::words::{Occurrences, objects, steps, ways};
use super::{Along, Member, MirtModel};
use crate::mirt::RelationalTree;
use crate::mirt::leaf::{Content, Linear, Variable};
use crate::mirt::relations::{attributes, mentions};
use crate::mirt::terms::{Kind, Terms};
use crate::mirt::test::{Condition, Is, Step, Test};
use crate::tree::TargetOf;
use crate::tree::constraint::Input;
use crate::tree::model::show::{
    answer_json, forest_json, forest_lines, heading, listed, occurrence_json, occurrence_lines,
    said, shown,
};
use crate::tree::text::{measures, sizes};
use kinwood_learning::DRAWN_MEMBERS;
use kinwood_learning::drawing::amount;

/// How many tests below each other are drawn.
const DRAWN: usize = 40;
/// How many tests below each other are nested in JSON.
const NESTED: usize = 50;
/// A line of a query or formula that would be wider goes on in the next.
const WIDE: usize = 110;

/// For people.
pub(super) fn text(model: &MirtModel) -> String {
    let mut text = heading(&model.report);
    text += &forest_lines(&model.report);
    text += &occurrence_lines(&model.report, &tests(model));
    if let Some(along) = along(model) {
        let _ = writeln!(text, "{along}");
    }
    if let [member] = model.trees.as_slice() {
        let _ = writeln!(
            text,
            "{}, {}\n",
            measures(&member.tree),
            objects(&model.terms, member.tree.node(0).payload.answers.weight)
        );
        tree(&model.terms, &member.tree, model.along, &mut text);
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
        tree(&model.terms, &member.tree, model.along, &mut text);
    }
    text
}

/// The tests of each tree: what they look at and their words, where they are listed.
fn tests(model: &MirtModel) -> Vec<Vec<(String, String)>> {
    let names: Vec<Input> = attributes(&model.terms);
    let of_tree = |member: &Member| {
        let ways = ways(&member.tree);
        let nodes = member.tree.nodes().iter().zip(&ways);
        let named = nodes.filter_map(|(node, way)| {
            let test = &node.split.as_ref()?.test;
            let path = steps(way);
            let last = mentions(&model.terms, &path, test).last().copied();
            let name = names.iter().find(|input| Some(input.position) == last);
            let name = name.map_or_else(String::new, |input| input.name.clone());
            Some((name, Occurrences::new(&model.terms, &path).test(test)))
        });
        named.collect()
    };
    match model.report.epsilon {
        Some(_) => model.trees.iter().map(of_tree).collect(),
        None => Vec::new(),
    }
}

/// How the nodes of a path answer together, where several do.
pub(super) fn along(model: &MirtModel) -> Option<String> {
    let numbers = |target: &TargetOf| target.kind.is_number();
    match model.along {
        // Classes and labels have no models: the leaf alone answers.
        _ if !model.terms.targets.iter().any(numbers) => None,
        Along::Leaf => None,
        Along::Smoothed(by) => Some(format!(
            "what a node says is mixed with what the node above says, which counts as much as {} objects",
            amount(by)
        )),
        Along::Summed => {
            Some("what the nodes on the way to a leaf say is added up, the leaf's too".to_owned())
        }
    }
}

fn tree(terms: &Terms, tree: &RelationalTree, along: Along, text: &mut String) {
    draw(terms, tree, text);
    let _ = writeln!(text, "\nas queries, with the objects that reach them:");
    for (place, way) in ways(tree).iter().enumerate() {
        if way.len() > DRAWN {
            continue;
        }
        let node = tree.node(place as u32);
        if node.split.is_some() && node.payload.models.is_empty() {
            continue;
        }
        let number = format!("({})", place + 1);
        let _ = writeln!(
            text,
            "{number} {}",
            objects(terms, node.payload.answers.weight)
        );
        wrapped(&query(terms, way), ", ", text);
        let names = Occurrences::new(terms, &steps(way));
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

fn draw(terms: &Terms, tree: &RelationalTree, text: &mut String) {
    let sizes = sizes(tree);
    let ways = ways(tree);
    // A node, what stands before its lines, before its own line beyond that, and whether it is the
    // last branch.
    let mut pending = vec![(0u32, String::new(), String::new(), true)];
    while let Some((node, before, own, last)) = pending.pop() {
        let at = tree.node(node);
        let way = &ways[node as usize];
        let number = node + 1;
        let _ = write!(text, "{before}{own}({number}) ");
        let names = Occurrences::new(terms, &steps(way));
        let Some(split) = &at.split else {
            let _ = writeln!(text, "{}", leaf(terms, &names, &at.payload));
            continue;
        };
        if way.len() == DRAWN {
            let _ = writeln!(text, "... {} nodes", sizes[node as usize]);
            continue;
        }
        let _ = writeln!(text, "{}", names.test(&split.test));
        let below = match (own.is_empty(), last) {
            (true, _) => before,
            (false, false) => format!("{before}|       "),
            (false, true) => format!("{before}        "),
        };
        pending.push((
            split.children[1],
            below.clone(),
            "+--no:  ".to_owned(),
            true,
        ));
        pending.push((split.children[0], below, "+--yes: ".to_owned(), false));
    }
}

/// What a leaf says: the beginning of its formula, or its answer in brackets.
fn leaf(terms: &Terms, names: &Occurrences<'_>, content: &Content) -> String {
    let several = terms.targets.len() > 1;
    let each = terms.targets.iter().zip(&content.answers.targets);
    let each =
        each.enumerate().map(
            |(place, (target, answer))| match (content.model(place), several) {
                (Some(model), _) => {
                    let weight = amount(answer.weight());
                    format!("{} [{weight}]", names.brief(&target.name, model))
                }
                (None, true) => format!("[{} {}]", target.name, said(target, answer)),
                (None, false) => format!("[{}]", said(target, answer)),
            },
        );
    each.collect::<Vec<_>>().join("; ")
}

/// For programs.
pub(super) fn json(model: &MirtModel) -> Value {
    let terms = &model.terms;
    let mut shown = shown(&terms.targets, &model.report, model.combine);
    shown["size"] = json!(model.trees[0].tree.size());
    forest_json(&model.report, &mut shown);
    occurrence_json(&model.report, &tests(model), &mut shown);
    shown["table"] = json!(terms.tables[terms.root].name);
    shown["along"] = match model.along {
        Along::Leaf => json!({"of": "leaf"}),
        Along::Smoothed(by) => json!({"of": "smoothed", "by": by}),
        Along::Summed => json!({"of": "summed"}),
    };
    let keys = terms.keys.iter().map(|key| {
        let columns = |table: usize, columns: &[u32]| -> Vec<&str> {
            let columns = columns.iter();
            columns
                .map(|&column| terms.column(table, column).name.as_str())
                .collect()
        };
        json!({
            "name": key.name,
            "from": terms.tables[key.from].name,
            "from_columns": columns(key.from, &key.from_columns),
            "to": terms.tables[key.to].name,
            "to_columns": columns(key.to, &key.to_columns),
        })
    });
    shown["keys"] = keys.collect();
    if model.trees.len() > 1 {
        let about = |member: &Member| json!({"size": member.tree.size(), "score": member.score});
        shown["models"] = model.trees.iter().map(about).collect();
    }
    let tree = |member| tree_json(terms, member);
    shown["trees"] = model.trees.iter().map(tree).collect();
    shown
}

fn tree_json(terms: &Terms, member: &Member) -> Value {
    let tree: &RelationalTree = &member.tree;
    let ways = ways(tree);
    let mut built: Vec<Value> = vec![Value::Null; tree.size()];
    let mut subtrees = Vec::new();
    // Children stand after their parents: from the end on, all below a node is there when it is.
    for (place, node) in tree.nodes().iter().enumerate().rev() {
        let way = &ways[place];
        let path = steps(way);
        let names = Occurrences::new(terms, &path);
        let mut object = Map::new();
        object.insert("node".into(), json!(place + 1));
        object.insert("weight".into(), json!(node.payload.answers.weight));
        if way.len() <= NESTED {
            object.insert("query".into(), json!(query(terms, way)));
        }
        let said = terms.targets.iter().zip(&node.payload.answers.targets);
        let said: Vec<Value> = said
            .map(|(target, answer)| answer_json(target, answer))
            .collect();
        object.insert("targets".into(), said.into());
        if !node.payload.models.is_empty() {
            let models = terms.targets.iter().zip(&node.payload.models);
            let models = models.map(|(target, model)| {
                let model = model.as_ref()?;
                Some(model_json(terms, &path, &names, &target.name, model))
            });
            object.insert("models".into(), json!(models.collect::<Vec<_>>()));
        }
        if let Some(split) = &node.split {
            object.insert("test".into(), test_json(terms, &path, &names, &split.test));
            object.insert("shares".into(), json!(split.shares));
            for (branch, &child) in ["yes", "no"].into_iter().zip(&split.children) {
                object.insert(branch.into(), built[child as usize].take());
            }
        }
        built[place] = object.into();
        if !way.is_empty() && way.len().is_multiple_of(NESTED) {
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

fn test_json(terms: &Terms, path: &[Step], names: &Occurrences<'_>, test: &Test) -> Value {
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
