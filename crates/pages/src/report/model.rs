//! The model: its trees to look around in, the values and rows it goes by, and all of it as text.

use kinwood_learners::drawing::Drawing;
use kinwood_values::Value;
use maud::{Markup, html};
use serde_json::Value as Json;

use super::markup::{TableShown, beginning, details, notes, percent, short, verbatim};
use crate::kit::Script;
use crate::picture::RowDrawn;
use crate::picture::viewer::viewer;
use kinwood_workbench::error::Result;
use kinwood_workbench::trained::Trained;

/// How much of a model is told as text, in characters.
const TEXT: usize = 200_000;
/// How many prototypes are drawn, each once.
const PROTOTYPES: usize = 60;
/// How many of them are seen at first.
const AT_FIRST: usize = 12;
/// How many leaves have their primary instances told, and how many of each.
const LEAVES: usize = 30;
const INSTANCES: usize = 8;

/// What is to be said of a model.
#[derive(Clone, Debug, Default)]
pub struct ModelSection {
    /// Its trees, where it has any.
    pub drawing: Option<Drawing>,
    /// The rows whose way can be shown.
    pub rows: Vec<RowDrawn>,
    /// The rows, objects or instances it goes by.
    pub tables: Vec<TableShown>,
    /// The model as text.
    pub text: String,
}

impl ModelSection {
    /// What a model is; `rows` are those whose way can be shown.
    pub fn of(trained: &Trained, rows: Vec<RowDrawn>) -> Result<Self> {
        let drawing = trained
            .model()
            .drawing()
            .is_some()
            .then(|| trained.drawing());
        Ok(Self {
            drawing: drawing.transpose()?,
            rows,
            tables: primary(&trained.model().to_json()).into_iter().collect(),
            text: trained.model().show(),
        })
    }
}

/// The markup of a model, and what runs at the end of the page.
pub(super) fn section(section: &ModelSection) -> (Markup, Vec<Script>) {
    let drawing = section.drawing.as_ref();
    let viewer = drawing.map(|drawing| viewer(drawing, &section.rows, 3));
    let (trees, scripts) =
        viewer.map_or_else(Default::default, |viewer| (viewer.markup, viewer.scripts));
    let text = verbatim(&beginning(&section.text, TEXT));
    let markup = html! {
        @if let Some(drawing) = drawing {
            (notes("soft-text", &drawing.notes))
            (trees)
            (prototypes(drawing))
        }
        @for shown in &section.tables {
            h3 { (shown.title) } "\n"
            p { (shown.caption) } "\n"
            (shown.markup())
        }
        @if drawing.is_some() {
            (details("The model as text", text))
        } @else {
            h3 { "As text" } "\n" (text) "\n"
        }
    };
    (markup, scripts)
}

/// The prototypes of tests, each drawn once, with where it stands.
fn prototypes(drawing: &Drawing) -> Markup {
    let (known, left_out) = distinct(drawing);
    if known.is_empty() {
        return Markup::default();
    }
    let (first, others) = known.split_at(known.len().min(AT_FIRST));
    html! {
        h3 { "Prototypes" } "\n"
        p {
            "Rows go to the branch whose prototype they are nearest to; beside each stands the "
            "share of the training rows at the node."
        } "\n"
        (gallery(first))
        @if !others.is_empty() {
            (details(&format!("{} more prototypes", others.len()), gallery(others)))
        }
        @if left_out > 0 {
            p class="soft-text" { (left_out) " branches further down have others." } "\n"
        }
    }
}

fn gallery(prototypes: &[(&Value, Vec<String>)]) -> Markup {
    html! {
        div class="prototypes" { "\n"
            @for (value, places) in prototypes {
                figure class="prototype" {
                    (crate::picture::drawn_value(value))
                    figcaption {
                        (places[..places.len().min(4)].join("; "))
                        @if places.len() > 4 { " and " (places.len() - 4) " more" }
                    }
                } "\n"
            }
        } "\n"
    }
}

/// The first prototypes, each once with where it stands, and how many branches have others.
fn distinct(drawing: &Drawing) -> (Vec<(&Value, Vec<String>)>, usize) {
    let mut known: Vec<(&Value, Vec<String>)> = Vec::new();
    let mut left_out = 0;
    for (place, tree) in drawing.trees.iter().enumerate() {
        for (number, node) in tree.nodes.iter().enumerate() {
            let Some(test) = &node.test else { continue };
            for (value, share) in test
                .branches
                .iter()
                .filter_map(|branch| Some((branch.prototype.as_ref()?, branch.share)))
            {
                let of = match drawing.trees.len() {
                    1 => String::new(),
                    _ => format!("tree {}, ", place + 1),
                };
                let said = format!(
                    "{of}node {}, {}: {}",
                    number + 1,
                    test.column,
                    percent(share)
                );
                match known.iter().position(|(other, _)| *other == value) {
                    Some(place) => known[place].1.push(said),
                    None if known.len() < PROTOTYPES => known.push((value, vec![said])),
                    None => left_out += 1,
                }
            }
        }
    }
    (known, left_out)
}

/// The primary instances of leaves with formulas: of an object that has several rows behind a key,
/// the one that its formula was fitted to.
fn primary(model: &Json) -> Option<TableShown> {
    let mut found = Vec::new();
    for (tree, root) in model["trees"].as_array()?.iter().enumerate() {
        collect(&root["root"], tree, &mut found);
    }
    if found.is_empty() {
        return None;
    }
    let several = found.iter().any(|(tree, ..)| *tree > 0);
    let rows = found
        .iter()
        .take(LEAVES)
        .map(|(tree, node, formula, instances)| {
            let place = match several {
                true => format!("tree {}, node {node}", tree + 1),
                false => format!("node {node}"),
            };
            let told: Vec<String> = instances.iter().take(INSTANCES).cloned().collect();
            let more = match instances.len() > INSTANCES {
                true => format!(" and {} more", instances.len() - INSTANCES),
                false => String::new(),
            };
            vec![
                place,
                formula.clone(),
                instances.len().to_string(),
                told.join("; ") + &more,
            ]
        });
    let left = match found.len() > LEAVES {
        true => format!(" The first {LEAVES} of {} leaves.", found.len()),
        false => String::new(),
    };
    Some(TableShown {
        title: "Primary instances".to_owned(),
        caption: format!(
            "Of an object that has several rows behind a key, one is its primary instance: the row that the formula of the leaf was fitted to. What those rows of training hold, in the order of the formula's terms.{left}"
        ),
        headers: ["leaf", "formula", "instances", "values"]
            .map(str::to_owned)
            .to_vec(),
        rows: rows.collect(),
    })
}

/// The tree, the number of a node, its formula, and the instances it was fitted to.
type Instances = (usize, u64, String, Vec<String>);

/// Looks through a tree as programs read it: a part with `primary` belongs to the nearest part
/// above that has a number.
fn collect(root: &Json, tree: usize, found: &mut Vec<Instances>) {
    let mut pending = vec![(root, 0)];
    while let Some((part, node)) = pending.pop() {
        match part {
            Json::Object(fields) => {
                let node = fields.get("node").and_then(Json::as_u64).unwrap_or(node);
                if let Some(Json::Array(instances)) = fields.get("primary") {
                    let formula = fields
                        .get("formula")
                        .and_then(Json::as_str)
                        .unwrap_or_default();
                    let told = |instance: &Json| {
                        let numbers = instance
                            .as_array()
                            .into_iter()
                            .flatten()
                            .filter_map(Json::as_f64);
                        numbers.map(short).collect::<Vec<_>>().join(", ")
                    };
                    found.push((
                        tree,
                        node,
                        formula.to_owned(),
                        instances.iter().map(told).collect(),
                    ));
                }
                pending.extend(fields.values().rev().map(|part| (part, node)));
            }
            Json::Array(parts) => pending.extend(parts.iter().rev().map(|part| (part, node))),
            _ => {}
        }
    }
    found.sort_by_key(|(tree, node, ..)| (*tree, *node));
}
