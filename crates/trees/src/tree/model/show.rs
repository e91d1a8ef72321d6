//! Trees as people and programs read them.
//!
//! What lies deeper than people read is counted, not drawn; for programs it is moved out of the
//! nesting, as readers of JSON stop at some depth.

use crate::tree::SearchMethod;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use serde_json::{Map, Value, json};

use super::{Along, Answers, Combine, Member, ModelTerms, OutOfBag, Outline, Report, TreeSet};
use crate::tree::text::{self, Words, measures};
use kinwood_learning::DRAWN_MEMBERS;
use kinwood_learning::drawing::{self, amount};

/// How many tests below each other are nested in JSON.
pub(crate) const NESTED: usize = 50;
/// How many inputs are listed with their importance.
const LISTED_INPUTS: usize = 30;

/// For people.
pub(super) fn text<T: ModelTerms>(model: &TreeSet<T>) -> String {
    let terms = &*model.terms;
    let mut text = heading(&model.report);
    text += &forest_lines(&model.report);
    text += &occurrence_lines(&model.report, &tests(model));
    if let Some(along) = along(model) {
        let _ = writeln!(text, "{along}");
    }
    if let [member] = model.trees.as_slice() {
        let weight = terms.answers(&member.tree.node(0).payload).weight;
        let examples = terms.examples_words(weight);
        let examples = examples.map_or_else(String::new, |words| format!(", {words}"));
        let _ = writeln!(text, "{}{examples}\n", measures(&member.tree));
        tree_text(terms, member, model.along, &mut text);
        return text;
    }
    text += &listed(model);
    if model.trees.len() > DRAWN_MEMBERS {
        return text;
    }
    for (place, member) in model.trees.iter().enumerate() {
        let _ = writeln!(text, "\ntree {}\n", place + 1);
        tree_text(terms, member, model.along, &mut text);
    }
    text
}

fn tree_text<T: ModelTerms>(terms: &T, member: &Member<T>, along: Along, text: &mut String) {
    let outline = Outline::new(terms, &*member.tree);
    let words = Words {
        numbered: T::NUMBERED,
        test: &|node, test| terms.test_words(&outline.above[node as usize], test),
        branch: &|test, branch| terms.branch_words(test, branch),
        leaf: &|node| terms.leaf_words(&outline, node),
    };
    text::draw(&member.tree, &words, text);
    terms.write_below(&outline, along, text);
}

/// How the nodes of a path answer together, where several do.
pub(super) fn along<T: ModelTerms>(model: &TreeSet<T>) -> Option<String> {
    let mut targets = model.terms.targets().iter();
    match model.along {
        // Classes and labels are answered by the leaf alone.
        _ if !targets.any(|target| target.kind.is_number()) => None,
        Along::Leaf => None,
        Along::Smoothed(by) => Some(format!(
            "what a node says is mixed with what the node above says, which counts as much as {} {}",
            amount(by),
            if T::NUMBERED { "objects" } else { "rows" }
        )),
        Along::Summed => {
            Some("what the nodes on the way to a leaf say is added up, the leaf's too".to_owned())
        }
    }
}

/// What is known of a forest: its error out of bag, and how much each input matters.
fn forest_lines(report: &Report) -> String {
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
fn occurrences(tests: &[Vec<(String, String)>]) -> [Vec<(String, usize)>; 2] {
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
fn occurrence_lines(report: &Report, tests: &[Vec<(String, String)>]) -> String {
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
fn occurrence_json(report: &Report, tests: &[Vec<(String, String)>], shown: &mut Value) {
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
fn listed<T: ModelTerms>(model: &TreeSet<T>) -> String {
    let mut text = String::new();
    let answers = match model.combine {
        Combine::Best => "the best answers",
        Combine::Vote => "they vote",
        Combine::Average => "their average answers",
    };
    let order = match model.trees[0].score {
        Some(_) => ", best first",
        None => "",
    };
    let _ = writeln!(text, "{} trees{order}; {answers}\n", model.trees.len());
    let _ = writeln!(text, "tree  score         nodes   leaves  depth");
    for (place, Member { tree, score }) in model.trees.iter().enumerate() {
        let score = match score {
            Some(score) => format!("{score:.6}"),
            None => "-".to_owned(),
        };
        let (place, size, leaves) = (place + 1, tree.size(), tree.leaves());
        let depth = tree.depth();
        let _ = writeln!(
            text,
            "{place:<4}  {score:<12}  {size:<6}  {leaves:<6}  {depth}"
        );
    }
    text
}

/// How the trees were found.
fn heading(report: &Report) -> String {
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

/// The tests of each tree: what they look at and their words, where they are listed.
fn tests<T: ModelTerms>(model: &TreeSet<T>) -> Vec<Vec<(String, String)>> {
    let terms = &*model.terms;
    let of_tree = |member: &Member<T>| {
        let outline = Outline::new(terms, &*member.tree);
        let nodes = member.tree.nodes().iter().zip(&outline.above);
        let named = nodes.filter_map(|(node, above)| {
            let test = &node.split.as_ref()?.test;
            Some((terms.subject(above, test), terms.test_words(above, test)))
        });
        named.collect()
    };
    match model.report.epsilon {
        Some(_) => model.trees.iter().map(of_tree).collect(),
        None => Vec::new(),
    }
}

/// A number to six digits.
fn short(number: f64) -> String {
    drawing::short(number, 6, -5.0..15.0)
}

/// For programs.
pub(crate) fn json<T: ModelTerms>(model: &TreeSet<T>) -> Value {
    let terms = &*model.terms;
    let report = &model.report;
    let targets = terms.targets().iter();
    let targets =
        targets.map(|target| json!({"target": target.name, "kind": target.kind.entry().shown}));
    let mut shown = json!({
        "targets": targets.collect::<Vec<_>>(),
        "search": report.search,
        "models_evaluated": report.evaluated,
        "stopped": report.stopped,
        "notes": report.notes,
        "combine": model.combine.name(),
        "size": model.trees[0].tree.size(),
    });
    if !report.out_of_bag.is_empty() {
        shown["out_of_bag"] = json!(report.out_of_bag);
    }
    if !report.importances.is_empty() {
        shown["importances"] = json!(report.importances);
    }
    occurrence_json(report, &tests(model), &mut shown);
    terms.terms_json(model.along, &mut shown);
    if model.trees.len() > 1 {
        let about = |member: &Member<T>| json!({"size": member.tree.size(), "score": member.score});
        shown["models"] = model.trees.iter().map(about).collect();
    }
    shown["trees"] = model
        .trees
        .iter()
        .map(|one| tree_json(terms, one))
        .collect();
    shown
}

/// How the nodes of a path answer together, for programs.
pub(crate) fn along_json(along: Along) -> Value {
    match along {
        Along::Leaf => json!({"of": "leaf"}),
        Along::Smoothed(by) => json!({"of": "smoothed", "by": by}),
        Along::Summed => json!({"of": "summed"}),
    }
}

fn tree_json<T: ModelTerms>(terms: &T, member: &Member<T>) -> Value {
    let tree = &*member.tree;
    let outline = Outline::new(terms, tree);
    let mut built: Vec<Value> = vec![Value::Null; tree.size()];
    let mut subtrees = Vec::new();
    // Children stand after their parents: from the end on, all below a node is there when it is.
    for (place, node) in tree.nodes().iter().enumerate().rev() {
        let mut object: Map<String, Value> = terms.node_json(&outline, place as u32);
        if let Some(split) = &node.split {
            let test = terms.test_json(&outline.above[place], &split.test);
            object.insert("test".into(), test);
            object.insert("shares".into(), json!(split.shares));
            let children = split.children.iter();
            let mut below = children.map(|&child| built[child as usize].take());
            if terms.lists_branches(&split.test) {
                object.insert("branches".into(), below.collect::<Vec<_>>().into());
            } else {
                for branch in ["yes", "no"] {
                    object.insert(branch.into(), below.next().unwrap_or_default());
                }
            }
        }
        built[place] = object.into();
        let depth = outline.depths[place];
        if depth > 0 && depth.is_multiple_of(NESTED) {
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

/// What a node says of every target, for programs.
pub(crate) fn answers_json<T: ModelTerms>(terms: &T, answers: &Answers) -> Value {
    let said = terms.targets().iter().zip(&answers.targets);
    said.map(|(target, answer)| answer.leaf().json(&target.kind, answer.numbers()))
        .collect()
}
