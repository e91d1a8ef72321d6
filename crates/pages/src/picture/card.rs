//! A node as a card: its test or its answer, and the distribution of each target as a bar.

use kinwood_learners::drawing::{AnswerDrawn, Drawing, KindDrawn, NodeDrawn, TargetDrawn};

use super::joins;
use super::piece::{Figure, Piece};
use super::words::{cut_within, lines, said, wrapped};
use crate::diagram::width;
use crate::map_page::colour;

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

/// What bars are measured by: the same in every node, so that they can be compared.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Scale {
    /// Shares of a whole.
    Whole,
    /// From the least to the greatest number within a deviation of some node's mean.
    Numbers { least: f64, greatest: f64 },
    /// The labels that are shown.
    Labels(Vec<usize>),
}

/// The scale of each target.
pub(super) fn scales(drawing: &Drawing) -> Vec<Scale> {
    let targets = drawing.targets.iter().enumerate();
    targets
        .map(|(place, target)| scale(drawing, place, target))
        .collect()
}

fn scale(drawing: &Drawing, place: usize, target: &TargetDrawn) -> Scale {
    match &target.kind {
        KindDrawn::Classes(_) => Scale::Whole,
        KindDrawn::Number => {
            let nodes = drawing.trees.iter().flat_map(|tree| &tree.nodes);
            let (mut least, mut greatest) = (f64::INFINITY, f64::NEG_INFINITY);
            for answer in nodes.filter_map(|node| node.answers.get(place)) {
                if let AnswerDrawn::Number {
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
        KindDrawn::Labels(labels) => {
            let mut shown: Vec<usize> = (0..labels.len()).collect();
            let root = drawing.trees.first().and_then(|tree| tree.nodes.first());
            if let Some(AnswerDrawn::Labels(shares)) = root.and_then(|root| root.answers.get(place))
            {
                let share = |label: &usize| shares.get(*label).copied().unwrap_or(0.0);
                shown.sort_by(|a, b| share(b).total_cmp(&share(a)).then(a.cmp(b)));
            }
            shown.truncate(LABELS);
            Scale::Labels(shown)
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
    let mut card = Piece {
        width: inner + 2.0 * PADDING,
        height: y + 2.0,
        body: String::new(),
    };
    let class = if node.test.is_some() {
        "card"
    } else {
        "card leaf"
    };
    card.draw(format_args!(
        "<rect class=\"{class}\" width=\"{}\" height=\"{}\" rx=\"7\"/>",
        Figure(card.width),
        Figure(card.height)
    ));
    card.body.push_str(&body.body);
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
pub(super) fn bar(answer: &AnswerDrawn, scale: &Scale, wide: f64) -> Piece {
    let mut bar = Piece {
        width: wide,
        height: 8.0,
        body: String::new(),
    };
    let part = |bar: &mut Piece, class: &str, x: f64, width: f64| {
        bar.draw(format_args!(
            "<rect {class} x=\"{}\" width=\"{}\" height=\"8\"/>",
            Figure(x),
            Figure(width)
        ));
    };
    match (answer, scale) {
        (AnswerDrawn::Classes(weights), _) => {
            part(&mut bar, "class=\"track\"", 0.0, wide);
            let total: f64 = weights.iter().sum();
            let mut x = 0.0;
            for (class, weight) in weights.iter().enumerate() {
                if *weight > 0.0 {
                    let width = wide * weight / total;
                    part(&mut bar, &format!("fill=\"{}\"", colour(class)), x, width);
                    x += width;
                }
            }
        }
        (
            AnswerDrawn::Number {
                mean, deviation, ..
            },
            Scale::Numbers { least, greatest },
        ) => {
            let at = |number: f64| wide * ((number - least) / (greatest - least)).clamp(0.0, 1.0);
            let (from, to) = (at(mean - deviation), at(mean + deviation));
            bar.draw(format_args!(
                "<rect class=\"track\" y=\"2\" width=\"{}\" height=\"4\"/>",
                Figure(wide)
            ));
            part(&mut bar, "class=\"spread\"", from, to - from);
            part(
                &mut bar,
                "class=\"mean\"",
                (at(*mean) - 1.0).clamp(0.0, wide - 2.0),
                2.0,
            );
        }
        (AnswerDrawn::Labels(shares), Scale::Labels(shown)) => {
            bar.height = 16.0;
            let step = (wide / shown.len().max(1) as f64).min(12.0);
            for (place, &label) in shown.iter().enumerate() {
                let share = shares.get(label).copied().unwrap_or(0.0).clamp(0.0, 1.0);
                let (x, high) = (place as f64 * step, 16.0 * share);
                bar.draw(format_args!(
                    "<rect class=\"track\" x=\"{}\" width=\"{}\" height=\"16\"/><rect fill=\"{}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>",
                    Figure(x),
                    Figure(step - 1.0),
                    colour(label),
                    Figure(x),
                    Figure(16.0 - high),
                    Figure(step - 1.0),
                    Figure(high)
                ));
            }
        }
        _ => {}
    }
    bar
}
