//! The model as a sum: where no tree tests more than two columns, the trees of the same columns are
//! one term, a curve or bars of one column, or a map of two.

use std::collections::BTreeMap;
use std::fmt::Write;

use kinwood_learning::drawing::{AxisDrawn, SumDrawn, SummandDrawn};
use kinwood_text::{Align, TextTable};
use kinwood_values::text::number_text;
use serde_json::{Value, json};

use super::words::{rounded, threshold_text};
use super::{BoostedModel, BoostedTarget};
use crate::features::{Features, InputKind};
use crate::tree::{KNOWN, Tree};

/// Larger sums are not written out.
const MOST_WORK: usize = 50_000_000;
/// A curve has at most so many steps in text.
const STEPS: usize = 12;
/// So many terms are written out in text.
const TERMS: usize = 30;
/// How long the longest bar is.
const BAR: f64 = 24.0;

/// What a column, or two, add to a score.
#[derive(Clone, Debug, PartialEq)]
pub struct Shape {
    /// The features: one or two.
    pub features: Vec<usize>,
    /// The cells of each feature.
    pub axes: Vec<Axis>,
    /// What is added in each cell, the cells of the second feature next to each other; the last
    /// cell of a feature is that of rows without a value.
    pub adds: Vec<f64>,
    /// How much that differs between the models whose mean it is: their standard deviation; empty
    /// where there is one model.
    pub sd: Vec<f64>,
    /// Its share of all that the trees gained.
    pub share: f64,
}

/// The cells of a feature.
#[derive(Clone, Debug, PartialEq)]
pub enum Axis {
    /// Between thresholds, and beyond them.
    Numbers(Vec<f64>),
    /// One a label, by code.
    Labels(Vec<u32>),
}

impl Axis {
    fn new<'t>(features: &Features, feature: usize, trees: impl Iterator<Item = &'t Tree>) -> Self {
        if let InputKind::Labels { labels, rare } = &features.input(feature).kind {
            let all = 0..labels.len() as u32;
            return Axis::Labels(
                all.filter(|code| rare.binary_search(code).is_err())
                    .collect(),
            );
        }
        let nodes = trees.flat_map(|tree| (0..tree.len()).map(move |node| (tree, node)));
        let own = nodes.filter(|(tree, node)| {
            !tree.is_leaf(*node) && tree.features[*node] as usize == feature
        });
        let mut thresholds: Vec<f64> = own
            .map(|(tree, node)| tree.thresholds[node])
            .filter(|own| *own != KNOWN)
            .collect();
        thresholds.sort_by(f64::total_cmp);
        thresholds.dedup();
        Axis::Numbers(thresholds)
    }

    /// A value of each cell, none for the last.
    fn values(&self) -> Vec<f64> {
        match self {
            Axis::Numbers(thresholds) => {
                let ends = thresholds.iter().copied();
                ends.chain([f64::MAX, f64::NAN]).collect()
            }
            Axis::Labels(codes) => {
                let codes = codes.iter().map(|code| f64::from(*code));
                codes.chain([f64::NAN]).collect()
            }
        }
    }

    /// The cells in words.
    pub fn words(&self, features: &Features, feature: usize) -> Vec<String> {
        let text = |threshold: &f64| threshold_text(features, feature, *threshold);
        let mut words = match (self, &features.input(feature).kind) {
            (Axis::Labels(codes), InputKind::Labels { labels, .. }) => codes
                .iter()
                .map(|code| labels.label(*code).to_owned())
                .collect(),
            (Axis::Numbers(_), _) if features.is_flag(feature) => {
                vec!["no".to_owned(), "yes".to_owned()]
            }
            (Axis::Numbers(thresholds), _) => match thresholds.as_slice() {
                [] => vec!["known".to_owned()],
                [first, .., last] | [first @ last] => {
                    let between = thresholds.windows(2);
                    let between =
                        between.map(|pair| format!("{} to {}", text(&pair[0]), text(&pair[1])));
                    std::iter::once(format!("up to {}", text(first)))
                        .chain(between)
                        .chain([format!("above {}", text(last))])
                        .collect()
                }
            },
            _ => Vec::new(),
        };
        words.push("missing".to_owned());
        words
    }
}

/// The terms of a score, those that gained most first, and the number that it begins at: the mean
/// of each term over the training rows is 0. `None` where a tree tests more than two features.
pub fn shapes(
    features: &Features,
    target: &BoostedTarget,
    output: usize,
) -> Option<(f64, Vec<Shape>)> {
    let mut begins = target.base[output];
    // With the model that a tree is of.
    let mut groups: BTreeMap<Vec<u32>, Vec<(usize, &Tree)>> = BTreeMap::new();
    for (place, tree) in target.trees_of(output).enumerate() {
        let inner = (0..tree.len()).filter(|&node| !tree.is_leaf(node));
        let mut tested: Vec<u32> = inner.map(|node| tree.features[node]).collect();
        tested.sort_unstable();
        tested.dedup();
        begins += tree.means()[0];
        match tested.len() {
            0 => {}
            1 | 2 => {
                let own = (place % target.models, tree);
                groups.entry(tested).or_default().push(own);
            }
            _ => return None,
        }
    }
    let gained =
        |trees: &[(usize, &Tree)]| -> f64 { trees.iter().flat_map(|(_, tree)| &tree.gains).sum() };
    let all: f64 = groups.values().map(|trees| gained(trees)).sum();
    let mut found = Vec::new();
    let mut work = 0_usize;
    let mut row = vec![f64::NAN; features.all.len()];
    for (tested, trees) in groups {
        let own: Vec<usize> = tested.iter().map(|feature| *feature as usize).collect();
        let axes: Vec<Axis> = own
            .iter()
            .map(|&feature| Axis::new(features, feature, trees.iter().map(|(_, tree)| *tree)))
            .collect();
        let cells: Vec<Vec<f64>> = axes.iter().map(Axis::values).collect();
        let count = cells
            .iter()
            .fold(1_usize, |count, own| count.saturating_mul(own.len()));
        work = work.saturating_add(count.saturating_mul(trees.len()));
        if work > MOST_WORK {
            return None;
        }
        // By model.
        let mut means = vec![0.0; target.models];
        for (model, tree) in &trees {
            means[*model] += tree.means()[0];
        }
        let (mut adds, mut sd) = (Vec::with_capacity(count), Vec::new());
        for &first in &cells[0] {
            row[own[0]] = first;
            let second = cells.get(1).map_or(&[f64::NAN][..], Vec::as_slice);
            for &value in second {
                if let Some(&feature) = own.get(1) {
                    row[feature] = value;
                }
                let mut each: Vec<f64> = means.iter().map(|mean| -mean).collect();
                for (model, tree) in &trees {
                    each[*model] += tree.values[tree.leaf(&row)];
                }
                adds.push(each.iter().sum());
                sd.extend(deviation(&each));
            }
        }
        found.push(Shape {
            share: if all > 0.0 { gained(&trees) / all } else { 0.0 },
            features: own,
            axes,
            adds,
            sd,
        });
    }
    found.sort_by(|a, b| {
        b.share
            .total_cmp(&a.share)
            .then_with(|| a.features.cmp(&b.features))
    });
    Some((begins, found))
}

/// The standard deviation of what models say, of each of which a part is given that adds up with
/// the others; `None` for one model.
fn deviation(parts: &[f64]) -> Option<f64> {
    let models = parts.len() as f64;
    if parts.len() < 2 {
        return None;
    }
    let mean = parts.iter().sum::<f64>() / models;
    let squares = parts.iter().map(|part| (part - mean).powi(2));
    Some(models * (squares.sum::<f64>() / (models - 1.0)).sqrt())
}

/// The scores as sums to be drawn; `None` where a tree tests more than two features, or where
/// nothing is tested.
pub(super) fn drawn(model: &BoostedModel) -> Option<Vec<SumDrawn>> {
    let features = &model.features;
    let mut sums = Vec::new();
    for target in &model.targets {
        for output in 0..target.outputs() {
            let (begins, shapes) = shapes(features, target, output)?;
            let terms = shapes.into_iter().map(|shape| {
                let axes = shape.axes.iter().zip(&shape.features);
                let axes = axes.map(|(axis, &feature)| AxisDrawn {
                    name: features.words(feature),
                    thresholds: match axis {
                        Axis::Numbers(thresholds) if !features.is_flag(feature) => {
                            thresholds.clone()
                        }
                        _ => Vec::new(),
                    },
                    cells: axis.words(features, feature),
                });
                SummandDrawn {
                    share: shape.share,
                    axes: axes.collect(),
                    adds: shape.adds,
                    sd: shape.sd,
                }
            });
            sums.push(SumDrawn {
                target: target.name.clone(),
                of: target.scale(output),
                begins,
                terms: terms.collect(),
            });
        }
    }
    let any = sums.iter().any(|sum| !sum.terms.is_empty());
    any.then_some(sums)
}

/// The terms for programs.
pub(super) fn json(
    features: &Features,
    target: &BoostedTarget,
    output: usize,
) -> Option<(f64, Value)> {
    let (begins, shapes) = shapes(features, target, output)?;
    let cells = |axis: &Axis, feature: usize| -> Vec<Value> {
        let words = axis.words(features, feature);
        match axis {
            Axis::Labels(_) => words[..words.len() - 1]
                .iter()
                .map(|label| json!({"label": label}))
                .chain([json!({"missing": true})])
                .collect(),
            Axis::Numbers(thresholds) => {
                let above =
                    std::iter::once(Value::Null).chain(thresholds.iter().map(|own| json!(own)));
                let up_to = thresholds.iter().map(|own| json!(own)).chain([Value::Null]);
                let known = above
                    .zip(up_to)
                    .map(|(above, up_to)| json!({"above": above, "up_to": up_to}));
                known.chain([json!({"missing": true})]).collect()
            }
        }
    };
    let term = |shape: &Shape| {
        let axes: Vec<Value> = shape
            .axes
            .iter()
            .zip(&shape.features)
            .map(|(axis, &feature)| {
                json!({
                    "column": features.input(feature).name,
                    "term": features.words(feature),
                    "cells": cells(axis, feature),
                })
            })
            .collect();
        let mut term = json!({"share": shape.share, "of": axes, "adds": shape.adds});
        if !shape.sd.is_empty() {
            term["sd"] = json!(shape.sd);
        }
        term
    };
    Some((begins, shapes.iter().map(term).collect()))
}

/// The terms for people: nothing where some tree tests more than two features, or pairs alone.
pub(super) fn text(features: &Features, target: &BoostedTarget) -> String {
    let mut text = String::new();
    for output in 0..target.outputs() {
        let Some((begins, shapes)) = shapes(features, target, output) else {
            return String::new();
        };
        if shapes.is_empty() {
            continue;
        }
        let _ = writeln!(
            text,
            "\nthe {} is {} and what each column adds:",
            target.scale(output),
            number_text(rounded(begins))
        );
        let ones = shapes.iter().filter(|shape| shape.features.len() == 1);
        for shape in ones.clone().take(TERMS) {
            text += &curve(features, shape);
        }
        let more = ones.count().saturating_sub(TERMS);
        if more > 0 {
            let _ = writeln!(text, "\n... {more} more columns");
        }
        for shape in shapes
            .iter()
            .filter(|shape| shape.features.len() == 2)
            .take(TERMS)
        {
            let range = shape
                .adds
                .iter()
                .fold((0.0, 0.0), |(least, most): (f64, f64), own| {
                    (least.min(*own), most.max(*own))
                });
            let names: Vec<String> = shape
                .features
                .iter()
                .map(|&feature| features.words(feature))
                .collect();
            let _ = writeln!(
                text,
                "\n{} together add {:+.4} to {:+.4}",
                names.join(" and "),
                range.0,
                range.1
            );
        }
    }
    text
}

/// A step of a curve.
struct Level {
    words: String,
    adds: f64,
    sd: Option<f64>,
}

/// Steps of a curve, the most alike joined until they are few.
fn curve(features: &Features, shape: &Shape) -> String {
    let feature = shape.features[0];
    let known = shape.adds.len() - 1;
    let sd = |place: usize| shape.sd.get(place).copied();
    let level = |(words, place): (String, usize)| Level {
        words,
        adds: shape.adds[place],
        sd: sd(place),
    };
    let mut levels: Vec<Level> = match &shape.axes[0] {
        Axis::Numbers(thresholds) if !features.is_flag(feature) => {
            let mut cuts: Vec<f64> = thresholds.clone();
            // By step: what is added, its deviation, and of how many cells it is the mean.
            let mut steps: Vec<(f64, f64, f64)> = (0..known)
                .map(|place| (shape.adds[place], sd(place).unwrap_or(0.0), 1.0))
                .collect();
            while steps.len() > STEPS {
                let closest = (0..cuts.len()).min_by(|&a, &b| {
                    let gap = |place: usize| (steps[place].0 - steps[place + 1].0).abs();
                    gap(a).total_cmp(&gap(b))
                });
                let Some(place) = closest else { break };
                let (first, second) = (steps[place], steps.remove(place + 1));
                let both = first.2 + second.2;
                let mean = |a: f64, b: f64| (a * first.2 + b * second.2) / both;
                steps[place] = (mean(first.0, second.0), mean(first.1, second.1), both);
                cuts.remove(place);
            }
            let words = Axis::Numbers(cuts).words(features, feature);
            let steps = words.into_iter().zip(steps);
            steps
                .map(|(words, (adds, deviation, _))| Level {
                    words,
                    adds,
                    sd: (!shape.sd.is_empty()).then_some(deviation),
                })
                .collect()
        }
        axis => {
            let words = axis.words(features, feature).into_iter();
            words.zip(0..known).map(level).collect()
        }
    };
    levels.push(level(("missing".to_owned(), known)));
    let most = levels
        .iter()
        .fold(0.0, |most: f64, level| most.max(level.adds.abs()));
    let aligns = vec![Align::Left, Align::Right, Align::Left, Align::Left];
    let mut table = TextTable::new(aligns).indented(2);
    for Level { words, adds, sd } in levels {
        let length = if most > 0.0 {
            (adds.abs() / most * BAR).round() as usize
        } else {
            0
        };
        let mark = if adds < 0.0 { "-" } else { "+" };
        let around = sd.map_or(String::new(), |sd| format!("± {sd:.4}"));
        table.line([words, format!("{adds:+.4}"), around, mark.repeat(length)]);
    }
    format!(
        "\n{} ({:.1} %)\n{table}",
        features.words(feature),
        100.0 * shape.share
    )
}
