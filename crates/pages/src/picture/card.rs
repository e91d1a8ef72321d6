//! A node as a card: its test or its answer, and the distribution of each target as a bar.

use kinwood_learners::drawing::{Drawing, Mark, NodeDrawn, TargetDrawn};

use maud::html;

use super::joins;
use super::piece::Piece;
use super::words::{cut_within, lines, said, wrapped};
use crate::kit::number::Figure;
use crate::kit::plot::colour;
use crate::kit::width;

const PADDING: f64 = 9.0;
const TITLE: f64 = 12.5;
const CAPTION: f64 = 10.5;
const WIDEST: f64 = 210.0;
const NARROWEST: f64 = 104.0;
/// How many lines a sentence has.
const TITLES: usize = 4;
/// How many targets a card shows.
pub(super) const TARGETS: usize = 4;
/// How many labels of a set a card shows, the most frequent ones.
const LABELS: usize = 24;

/// A range before anything is in it.
const EMPTY: (f64, f64) = (f64::INFINITY, f64::NEG_INFINITY);
/// How high a line is drawn.
const HIGH: f64 = 30.0;

/// What bars are measured by: the same in every node, so that they can be compared.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Scale {
    /// Shares of a whole.
    Whole,
    /// From the least to the greatest number within a deviation of some node's mean.
    Numbers { least: f64, greatest: f64 },
    /// The labels that are shown.
    Labels(Vec<usize>),
    /// The room that all lines need: from left to right and from bottom to top.
    Lines { x: (f64, f64), y: (f64, f64) },
}

/// The scale of each target.
pub(super) fn scales(drawing: &Drawing) -> Vec<Scale> {
    let targets = drawing.targets.iter().enumerate();
    targets
        .map(|(place, target)| scale(drawing, place, target))
        .collect()
}

fn scale(drawing: &Drawing, place: usize, target: &TargetDrawn) -> Scale {
    let nodes = drawing.trees.iter().flat_map(|tree| &tree.nodes);
    let mut marks = nodes.filter_map(|node| node.answers.get(place)).peekable();
    match marks.peek() {
        None | Some(Mark::Stack { .. }) => Scale::Whole,
        Some(Mark::Number { .. }) => {
            let (mut least, mut greatest) = (f64::INFINITY, f64::NEG_INFINITY);
            for answer in marks {
                if let Mark::Number {
                    mean, deviation, ..
                } = answer
                {
                    least = least.min(mean - deviation);
                    greatest = greatest.max(mean + deviation);
                }
            }
            match least < greatest {
                true => Scale::Numbers { least, greatest },
                false => Scale::Numbers {
                    least: 0.0,
                    greatest: 1.0,
                },
            }
        }
        Some(Mark::Shares(shares)) => {
            let mut shown: Vec<usize> = (0..target.labels.len()).collect();
            let share = |label: &usize| shares.get(*label).copied().unwrap_or(0.0);
            shown.sort_by(|a, b| share(b).total_cmp(&share(a)).then(a.cmp(b)));
            shown.truncate(LABELS);
            Scale::Labels(shown)
        }
        Some(Mark::Line { .. }) => {
            let (mut x, mut y) = (EMPTY, EMPTY);
            for (at, height) in marks.flat_map(Mark::corners) {
                x = (x.0.min(at), x.1.max(at));
                y = (y.0.min(height), y.1.max(height));
            }
            Scale::Lines { x, y }
        }
    }
}

/// Draws a node.
pub(super) fn card(drawing: &Drawing, scales: &[Scale], node: &NodeDrawn) -> Piece {
    let (title, captions) = told(drawing, node);
    // Tests along keys and formulas are sentences.
    let titles = match drawing.schema.is_some() || node.test.is_none() {
        true => wrapped(&title, TITLE * 1.06, WIDEST, TITLES),
        false => vec![cut_within(&title, TITLE * 1.06, WIDEST)],
    };
    let captions: Vec<String> = captions
        .iter()
        .map(|caption| width::cut(caption, CAPTION, WIDEST))
        .collect();
    let path = drawing
        .schema
        .as_ref()
        .and_then(|schema| joins::words(schema, &node.steps))
        .map(|path| cut_within(&path, CAPTION, WIDEST));
    let widest = captions
        .iter()
        .chain(&path)
        .map(|caption| width::of(caption, CAPTION))
        .chain(titles.iter().map(|title| width::of(title, TITLE * 1.06)))
        .fold(0.0, f64::max);
    let inner = widest.max(NARROWEST);
    let mut body = Piece::default();
    let mut y = PADDING;
    for (place, title) in titles.iter().enumerate() {
        y += if place == 0 { TITLE } else { TITLE + 3.0 };
        body.text("title", TITLE, (PADDING, y), "start", title);
    }
    y += 7.0;
    for ((answer, scale), caption) in node.answers.iter().zip(scales).zip(&captions) {
        let bar = bar(answer, scale, inner);
        body.put(PADDING, y, &bar);
        y += bar.height + CAPTION + 2.0;
        body.text("soft", CAPTION, (PADDING, y), "start", caption);
        y += 6.0;
    }
    if node.answers.len() > TARGETS {
        y += CAPTION - 2.0;
        let more = format!("+{} more targets", node.answers.len() - TARGETS);
        body.text("soft", CAPTION, (PADDING, y), "start", &more);
        y += 6.0;
    }
    if let Some(path) = &path {
        y += CAPTION - 2.0;
        body.text("soft", CAPTION, (PADDING, y), "start", path);
        y += 6.0;
    }
    let class = if node.test.is_some() {
        "card"
    } else {
        "card leaf"
    };
    let mut card = Piece::empty(inner + 2.0 * PADDING, y + 2.0);
    card.draw(html! {
        rect class=(class) width=(Figure(card.width)) height=(Figure(card.height)) rx="7" {}
        (body.body)
    });
    card
}

/// The title of a card, and a caption for each target that it shows.
fn told(drawing: &Drawing, node: &NodeDrawn) -> (String, Vec<String>) {
    let mut captions = lines(drawing, node);
    captions.truncate(TARGETS);
    match (&node.test, drawing.targets.as_slice(), node.answers.first()) {
        (Some(test), ..) => (test.words.clone(), captions),
        (None, [target], Some(answer)) => {
            let (what, ground) = said(target, answer, node.weight);
            (what, vec![ground])
        }
        (None, ..) => (
            format!("leaf, {}", super::words::amount(node.weight)),
            captions,
        ),
    }
}

/// The distribution of a target.
pub(super) fn bar(answer: &Mark, scale: &Scale, wide: f64) -> Piece {
    match (answer, scale) {
        (Mark::Stack { weights, .. }, _) => classes(weights, wide),
        (
            Mark::Number {
                mean, deviation, ..
            },
            Scale::Numbers { least, greatest },
        ) => {
            let at = |number: f64| wide * ((number - least) / (greatest - least)).clamp(0.0, 1.0);
            let (from, to) = (at(mean - deviation), at(mean + deviation));
            let middle = (at(*mean) - 1.0).clamp(0.0, wide - 2.0);
            let mut bar = Piece::empty(wide, 8.0);
            bar.draw(html! {
                rect class="track" y="2" width=(Figure(wide)) height="4" {}
                rect class="spread" x=(Figure(from)) width=(Figure(to - from)) height="8" {}
                rect class="mean" x=(Figure(middle)) width="2" height="8" {}
            });
            bar
        }
        (Mark::Shares(shares), Scale::Labels(shown)) => labels(shares, shown, wide),
        (Mark::Line { .. }, Scale::Lines { x, y }) => line(&answer.corners(), *x, *y, wide),
        _ => Piece::empty(wide, 8.0),
    }
}

/// A line in the room that all lines need.
fn line(corners: &[(f64, f64)], x: (f64, f64), y: (f64, f64), wide: f64) -> Piece {
    let within = |number: f64, (least, greatest): (f64, f64)| match least < greatest {
        true => ((number - least) / (greatest - least)).clamp(0.0, 1.0),
        false => 0.5,
    };
    let places = corners.iter().map(|&(at, height)| {
        let (left, top) = (wide * within(at, x), HIGH * (1.0 - within(height, y)));
        format!("{},{}", Figure(left), Figure(top))
    });
    let places = places.collect::<Vec<_>>().join(" ");
    let mut line = Piece::empty(wide, HIGH);
    line.draw(html! {
        rect class="track" y=(Figure(HIGH - 1.0)) width=(Figure(wide)) height="1" {}
        polyline fill="none" stroke=(colour(0)) stroke-width="1.5" points=(places) {}
    });
    line
}

/// Each class as wide as its share.
fn classes(weights: &[f64], wide: f64) -> Piece {
    let total: f64 = weights.iter().sum();
    let mut bar = Piece::empty(wide, 8.0);
    bar.draw(html! { rect class="track" x="0" width=(Figure(wide)) height="8" {} });
    let mut x = 0.0;
    for (class, weight) in weights.iter().enumerate() {
        if *weight > 0.0 {
            let width = wide * weight / total;
            bar.draw(html! {
                rect fill=(colour(class)) x=(Figure(x)) width=(Figure(width)) height="8" {}
            });
            x += width;
        }
    }
    bar
}

/// A column a label, as high as its share.
fn labels(shares: &[f64], shown: &[usize], wide: f64) -> Piece {
    let step = (wide / shown.len().max(1) as f64).min(12.0);
    let mut bar = Piece::empty(wide, 16.0);
    for (place, &label) in shown.iter().enumerate() {
        let share = shares.get(label).copied().unwrap_or(0.0).clamp(0.0, 1.0);
        let (x, width, high) = (
            Figure(place as f64 * step),
            Figure(step - 1.0),
            16.0 * share,
        );
        bar.draw(html! {
            rect class="track" x=(x) width=(width) height="16" {}
            rect fill=(colour(label)) x=(x) y=(Figure(16.0 - high)) width=(width) height=(Figure(high)) {}
        });
    }
    bar
}
