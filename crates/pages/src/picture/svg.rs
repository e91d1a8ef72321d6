//! Trees as one SVG document that needs nothing else: a card a node, ways as wide as what goes
//! there, prototypes as values.

use kinwood_learners::drawing::{BranchDrawn, Drawing, NodeDrawn, StepDrawn, TestDrawn, TreeDrawn};
use kinwood_values::Value;
use maud::html;

use super::card::{Scale, card, scales};
use super::joins;
use super::layout::{Gaps, Size, tidy};
use super::piece::Piece;
use super::style;
use super::value::{Room, against, value};
use super::words::{cut_within, lines, measures};
use crate::diagram::sketch;
use crate::kit::number::{Figure, whole};
use crate::kit::plot::colour;
use crate::kit::{self, width};

const MARGIN: f64 = 24.0;
const HEADING: f64 = 14.0;
const NOTE: f64 = 11.0;
/// The room between what is said of a branch and the card below it.
const BELOW_LABEL: f64 = 5.0;
const GAPS: Gaps = Gaps {
    across: 16.0,
    down: 34.0,
};
/// How many ways of joining tables are drawn.
const JOINS: usize = 12;
/// How many classes the legend names.
const LEGEND: usize = 24;

/// Draws all trees, one below another.
pub fn svg(drawing: &Drawing) -> kit::Drawing {
    let scales = scales(drawing);
    let mut pieces = vec![heading(drawing)];
    for tree in &drawing.trees {
        let name = Piece::words("title", HEADING, f64::MAX, &tree.name);
        let about = Piece::words("soft", NOTE, f64::MAX, &measures(tree));
        let drawn = trunk(drawing, &scales, tree);
        let mut parts = vec![Piece::stack(&[name, about], 1.0), drawn];
        parts.extend(joined(drawing, tree));
        pieces.push(Piece::stack(&parts, 12.0));
    }
    let all = Piece::stack(&pieces, 30.0);
    let moved = format_args!("translate({MARGIN},{MARGIN})");
    kit::Drawing {
        title: title(drawing),
        style: style::alone(),
        body: html! { g transform=(moved) { (all.body) } "\n" },
        size: whole(all.width + 2.0 * MARGIN, all.height + 2.0 * MARGIN),
    }
}

/// The schema for each way that nodes of a tree join tables, the keys marked; `None` where no key
/// is followed.
fn joined(drawing: &Drawing, tree: &TreeDrawn) -> Option<Piece> {
    let schema = drawing.schema.as_ref()?;
    let sketch = sketch(schema);
    let mut ways: Vec<(String, Vec<StepDrawn>)> = Vec::new();
    for node in &tree.nodes {
        let own: Vec<StepDrawn> = node
            .steps
            .iter()
            .filter(|step| !step.asked)
            .cloned()
            .collect();
        if let Some(words) = joins::words(schema, &own)
            && !ways.iter().any(|(_, known)| *known == own)
        {
            ways.push((words, own));
        }
    }
    let more = ways.len().saturating_sub(JOINS);
    let each = ways.iter().take(JOINS).map(|(words, own)| {
        let piece = joins::piece(&sketch, schema, own);
        let words = cut_within(words, NOTE, piece.width.max(160.0));
        let words = Piece::words("title", NOTE, f64::MAX, &words);
        Piece::stack(&[words, piece], 2.0)
    });
    let each: Vec<Piece> = each.collect();
    if each.is_empty() {
        return None;
    }
    let said = match more {
        0 => "The keys followed".to_owned(),
        more => format!("The keys followed, and {more} more ways"),
    };
    let heading = Piece::words("title", HEADING, f64::MAX, &said);
    Some(Piece::stack(
        &[heading, Piece::flow(&each, 1100.0, 26.0)],
        8.0,
    ))
}

/// What is drawn, in a line.
pub(super) fn title(drawing: &Drawing) -> String {
    match drawing.trees.len() {
        1 => format!("Tree for {}", drawing.title),
        count => format!("{count} trees for {}", drawing.title),
    }
}

fn heading(drawing: &Drawing) -> Piece {
    let mut pieces = vec![Piece::words("title", 17.0, f64::MAX, &title(drawing))];
    let notes = drawing.notes.iter();
    pieces.extend(notes.map(|note| Piece::words("soft", NOTE, 900.0, note)));
    for target in &drawing.targets {
        let labels = &target.labels;
        if !labels.is_empty() {
            let mut entries = vec![Piece::words("title", NOTE, 200.0, &target.name)];
            entries.extend(labels.iter().take(LEGEND).enumerate().map(entry));
            if labels.len() > LEGEND {
                let more = format!("+{} more", labels.len() - LEGEND);
                entries.push(Piece::words("soft", NOTE, f64::MAX, &more));
            }
            pieces.push(Piece::flow(&entries, 900.0, 12.0));
        }
    }
    Piece::stack(&pieces, 5.0)
}

fn entry((class, label): (usize, &String)) -> Piece {
    let mut entry = Piece::default();
    entry.draw(html! { rect fill=(colour(class)) y="2" width="10" height="10" rx="2" {} });
    entry.put(14.0, 0.0, &Piece::words("value", NOTE, 200.0, label));
    entry
}

/// What stands on the way to a node: the prototype, else the words of its branch.
fn label(tree: &TreeDrawn, node: &NodeDrawn) -> Option<Piece> {
    let (parent, number) = node.parent?;
    let test = tree.nodes.get(parent as usize)?.test.as_ref()?;
    let branch = test.branches.get(number)?;
    Some(match &branch.prototype {
        Some(own) => opposite(test, number)
            .and_then(|other| against(own, other, Room::SMALL))
            .unwrap_or_else(|| value(own, Room::SMALL)),
        None => {
            let words = width::cut(&branch.words, NOTE, 150.0);
            let mut piece = Piece::empty(width::of(&words, NOTE), NOTE * 1.35);
            // The room is an estimate: from the middle it is off by half as much.
            let middle = piece.width / 2.0;
            piece.text("soft", NOTE, (middle, NOTE), "middle", &words);
            piece
        }
    })
}

/// The sequence that the prototype of a branch is shown against: of two the other, of several the
/// first.
pub(super) fn opposite(test: &TestDrawn, branch: usize) -> Option<&Value> {
    let other = match (test.branches.len(), branch) {
        (2, branch) => 1 - branch.min(1),
        (_, 0) => return None,
        _ => 0,
    };
    let prototype = test.branches.get(other)?.prototype.as_ref();
    prototype.filter(|value| matches!(value, Value::Text(_) | Value::List(_)))
}

/// The branch that leads to a node.
pub(super) fn branch<'a>(tree: &'a TreeDrawn, node: &NodeDrawn) -> Option<&'a BranchDrawn> {
    let (parent, branch) = node.parent?;
    let test = tree.nodes.get(parent as usize)?.test.as_ref()?;
    test.branches.get(branch)
}

/// Draws a tree.
fn trunk(drawing: &Drawing, scales: &[Scale], tree: &TreeDrawn) -> Piece {
    let branches: Vec<Option<&BranchDrawn>> =
        tree.nodes.iter().map(|node| branch(tree, node)).collect();
    let labels: Vec<Option<Piece>> = tree.nodes.iter().map(|node| label(tree, node)).collect();
    let cards: Vec<Piece> = tree
        .nodes
        .iter()
        .map(|node| card(drawing, scales, node))
        .collect();
    let lead = |place: usize| {
        labels[place]
            .as_ref()
            .map_or(0.0, |label| label.height + BELOW_LABEL)
    };
    let sizes: Vec<Size> = cards
        .iter()
        .enumerate()
        .map(|(place, card)| Size {
            width: card
                .width
                .max(labels[place].as_ref().map_or(0.0, |label| label.width)),
            height: card.height + lead(place),
        })
        .collect();
    let parents: Vec<Option<u32>> = tree
        .nodes
        .iter()
        .map(|node| node.parent.map(|(parent, _)| parent))
        .collect();
    let layout = tidy(&parents, &sizes, GAPS);
    let mut trunk = Piece::empty(layout.width, layout.height);
    for (place, parent) in parents.iter().enumerate() {
        if let (Some(parent), Some(branch)) =
            (parent.map(|parent| parent as usize), branches[place])
        {
            let from = layout.y[parent] + lead(parent) + cards[parent].height;
            let to = layout.y[place];
            let wide = Figure(1.0 + 5.0 * branch.share.clamp(0.0, 1.0));
            let way = format_args!(
                "M{x} {from}C{x} {middle} {end} {middle} {end} {to}V{card}",
                x = Figure(layout.x[parent]),
                from = Figure(from),
                middle = Figure((from + to) / 2.0),
                end = Figure(layout.x[place]),
                to = Figure(to),
                card = Figure(to + lead(place)),
            );
            trunk.draw(html! { path class="way" stroke-width=(wide) d=(way) {} "\n" });
        }
    }
    for (place, card) in cards.iter().enumerate() {
        let (x, y) = (layout.x[place], layout.y[place]);
        if let Some(label) = &labels[place] {
            let left = x - label.width / 2.0;
            // Words would not be read across the way behind them.
            trunk.draw(html! {
                rect class="behind" x=(Figure(left - 2.0)) y=(Figure(y))
                    width=(Figure(label.width + 4.0)) height=(Figure(label.height)) {}
            });
            trunk.put(left, y, label);
        }
        let node = &tree.nodes[place];
        let test = node.test.iter().map(|test| test.words.clone());
        let whole: Vec<String> = test.chain(lines(drawing, node)).collect();
        let mut placed = Piece::default();
        placed.put(x - card.width / 2.0, y + lead(place), card);
        trunk.draw(html! { g { title { (whole.join("; ")) } (placed.body) } "\n" });
    }
    // A root narrower than its heading says nothing of the room.
    trunk.width = trunk.width.max(width::of(&tree.name, HEADING));
    trunk
}
