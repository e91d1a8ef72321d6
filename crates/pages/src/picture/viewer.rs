//! Trees to look around in, as a part of a page: nodes open and close, are searched, show the way
//! of a row; trees stand beside each other.
//!
//! The page has the trees as data and draws what is open, so that large trees and forests stay
//! usable. Values are drawn here, each once, however many nodes speak of it.

use std::collections::BTreeMap;

use kinwood_learners::drawing::{
    Drawing, Mark, NodeDrawn, SchemaDrawn, StepDrawn, TestDrawn, TreeDrawn,
};
use kinwood_values::Value;
use maud::{Markup, PreEscaped};
use serde_json::{Map, Value as Json, json};

use super::card::{Scale, scales};
use super::joins;
use super::piece::Piece;
use super::rows::RowDrawn;
use super::svg::opposite;
use super::value::{Room, against, aligned, printed, value};
use super::words::said;
use crate::diagram::{Sketch, sketch};
use crate::kit::plot::colour;
use crate::kit::{Script, width, written};

/// How many alignments of rows with prototypes a page holds.
const ALIGNMENTS: usize = 2_000;
/// How much of a value is told as text, in pixels of ordinary letters.
const TOLD: f64 = 2_400.0;

/// Trees to look around in, as a part of a page: what it needs of style, what stands in the body,
/// and what runs at the end of it.
pub(crate) struct Viewer {
    /// The markup.
    pub markup: Markup,
    /// The data and the scripts.
    pub scripts: Vec<Script>,
}

/// The style of a [`Viewer`], which is that of a page with frame.
pub(crate) const STYLE: &str = include_str!("page/trees.css");

/// Draws the trees; `rows` are those whose way can be shown, and headings are of a level or the
/// next.
pub(crate) fn viewer(drawing: &Drawing, rows: &[RowDrawn], level: u8) -> Viewer {
    let mut pieces = Pieces::default();
    let mut joined = drawing.schema.as_ref().map(Joined::new);
    let trees: Vec<Json> = drawing
        .trees
        .iter()
        .map(|tree| tree_json(drawing, tree, &mut pieces, &mut joined))
        .collect();
    let mut room = ALIGNMENTS;
    let rows: Vec<Json> = rows
        .iter()
        .map(|row| row_json(drawing, row, &mut pieces, &mut room))
        .collect();
    let data = json!({
        "level": level,
        "targets": targets_json(drawing),
        "trees": trees,
        "rows": rows,
        "pieces": pieces.drawn,
        "joins": joined.map_or_else(Vec::new, |joined| joined.drawn),
    });
    let program = concat!(include_str!("page/tidy.js"), include_str!("page/trees.js"));
    Viewer {
        markup: PreEscaped(include_str!("page/trees.html").to_owned()),
        scripts: vec![Script::Data("data", data), Script::Program(program)],
    }
}

/// The values that were drawn, each once for what it is shown against.
#[derive(Default)]
struct Pieces {
    numbers: BTreeMap<(Value, Option<Value>), usize>,
    drawn: Vec<Json>,
}

impl Pieces {
    /// The number of a value's picture: a small one, and a large one where that shows more.
    fn of(&mut self, of: &Value, other: Option<&Value>) -> usize {
        let key = (of.clone(), other.cloned());
        if let Some(&number) = self.numbers.get(&key) {
            return number;
        }
        let large = value(of, Room::LARGE);
        let small = other
            .and_then(|other| against(of, other, Room::SMALL))
            .unwrap_or_else(|| value(of, Room::SMALL));
        self.drawn.push(match small == large {
            true => json!([piece_json(&small)]),
            false => json!([piece_json(&small), piece_json(&large)]),
        });
        self.numbers.insert(key, self.drawn.len() - 1);
        self.drawn.len() - 1
    }
}

/// The schemas with marked keys that were drawn, each once.
struct Joined<'a> {
    schema: &'a SchemaDrawn,
    sketch: Sketch,
    known: Vec<Vec<StepDrawn>>,
    drawn: Vec<Json>,
}

impl<'a> Joined<'a> {
    fn new(schema: &'a SchemaDrawn) -> Self {
        Self {
            schema,
            sketch: sketch(schema),
            known: Vec::new(),
            drawn: Vec::new(),
        }
    }

    /// What was followed in words, and the number of its picture.
    fn of(&mut self, steps: &[StepDrawn]) -> Json {
        let words = joins::words(self.schema, steps);
        let known = self.known.iter().position(|known| known == steps);
        let number = known.unwrap_or_else(|| {
            let piece = joins::piece(&self.sketch, self.schema, steps);
            self.known.push(steps.to_vec());
            self.drawn.push(piece_json(&piece));
            self.drawn.len() - 1
        });
        json!([words, number])
    }
}

fn piece_json(piece: &Piece) -> Json {
    let body = written(piece.body.clone());
    json!([piece.width.ceil(), piece.height.ceil(), body])
}

fn targets_json(drawing: &Drawing) -> Vec<Json> {
    let targets = drawing.targets.iter().zip(scales(drawing));
    targets
        .map(|(target, scale)| {
            // The script knows marks, whatever kind of target they are made for.
            let kind = match scale {
                Scale::Whole => "classes",
                Scale::Numbers { .. } => "number",
                Scale::Labels(_) => "labels",
                Scale::Lines { .. } => "line",
            };
            let labels = &target.labels;
            let colours: Vec<String> = (0..labels.len()).map(colour).collect();
            let mut json =
                json!({"name": target.name, "kind": kind, "labels": labels, "colours": colours});
            match scale {
                Scale::Whole => {}
                Scale::Numbers { least, greatest } => json["scale"] = json!([least, greatest]),
                Scale::Labels(shown) => json["shown"] = json!(shown),
                Scale::Lines { x, y } => {
                    json["scale"] = json!([x.0, x.1, y.0, y.1]);
                    json["stroke"] = json!(colour(0));
                }
            }
            json
        })
        .collect()
}

fn tree_json(
    drawing: &Drawing,
    tree: &TreeDrawn,
    pieces: &mut Pieces,
    joined: &mut Option<Joined<'_>>,
) -> Json {
    let nodes: Vec<Json> = tree
        .nodes
        .iter()
        .map(|node| {
            let mut json = node_json(drawing, node, pieces);
            if let (Some(joined), Json::Array(parts)) = (joined.as_mut(), &mut json) {
                parts.push(joined.of(&node.steps));
            }
            json
        })
        .collect();
    let mut json = json!({
        "name": tree.name,
        "score": tree.score,
        "leaves": tree.leaves(),
        "depth": tree.depth(),
        "nodes": nodes,
    });
    let tests = tree.nodes.iter().enumerate();
    let alignments: Map<String, Json> = tests
        .filter_map(|(place, node)| Some((place, node.test.as_ref()?)))
        .flat_map(|(place, test)| alignments(place, test))
        .take(ALIGNMENTS)
        .collect();
    if !alignments.is_empty() {
        json["aligned"] = alignments.into();
    }
    json
}

/// Each prototype but the first below the first, where they are sequences, by node and branch.
fn alignments(place: usize, test: &TestDrawn) -> Vec<(String, Json)> {
    let prototypes = test.branches.iter().map(|branch| branch.prototype.as_ref());
    let prototypes: Vec<Option<&Value>> = prototypes.collect();
    let Some(first) = prototypes.first().copied().flatten() else {
        return Vec::new();
    };
    let others = prototypes.iter().enumerate().skip(1);
    others
        .filter_map(|(branch, other)| {
            let piece = aligned(first, (*other)?, Room::LARGE)?;
            Some((format!("{place}.{branch}"), piece_json(&piece)))
        })
        .collect()
}

fn node_json(drawing: &Drawing, node: &NodeDrawn, pieces: &mut Pieces) -> Json {
    let (parent, branch) = match node.parent {
        Some((parent, branch)) => (i64::from(parent), branch),
        None => (-1, 0),
    };
    let answers: Vec<Json> = node.answers.iter().map(answer_json).collect();
    let said: Vec<(String, String)> = drawing
        .targets
        .iter()
        .zip(&node.answers)
        .map(|(target, answer)| said(target, answer, node.weight))
        .collect();
    let test = node.test.as_ref().map(|test| {
        let branches: Vec<Json> = test
            .branches
            .iter()
            .enumerate()
            .map(|(place, branch)| {
                let other = opposite(test, place);
                let piece = branch.prototype.as_ref().map(|own| pieces.of(own, other));
                json!([branch.words, rounded(branch.share), piece])
            })
            .collect();
        json!([test.words, test.column, test.distance, branches])
    });
    json!([parent, branch, rounded(node.weight), answers, said, test])
}

/// Numbers as such; of classes and labels those that occur, each followed by its weight or share.
fn answer_json(answer: &Mark) -> Json {
    match answer {
        Mark::Number {
            mean,
            deviation,
            weight,
            ..
        } => json!([mean, deviation, weight]),
        Mark::Line { .. } => answer
            .corners()
            .iter()
            .flat_map(|&(x, y)| [rounded(x), rounded(y)])
            .collect(),
        Mark::Stack {
            weights: numbers, ..
        }
        | Mark::Shares(numbers) => numbers
            .iter()
            .enumerate()
            .filter(|(_, number)| **number > 0.0)
            .flat_map(|(place, number)| [json!(place), rounded(*number)])
            .collect(),
    }
}

/// A number to six digits after the point: nobody sees more, and pages are large enough.
fn rounded(number: f64) -> Json {
    let rounded = (number * 1e6).round() / 1e6;
    match rounded.fract() == 0.0 && rounded.abs() < 1e15 {
        true => json!(rounded as i64),
        false => json!(rounded),
    }
}

fn row_json(drawing: &Drawing, row: &RowDrawn, pieces: &mut Pieces, room: &mut usize) -> Json {
    let values: Vec<Json> = row
        .values
        .iter()
        .map(|(column, value)| {
            let structured = !matches!(
                value,
                Value::Missing
                    | Value::Symbol(_)
                    | Value::Number(_)
                    | Value::DateTime(_)
                    | Value::Ref(_)
            );
            let piece = structured.then(|| pieces.of(value, None));
            json!([column, width::cut(&printed(value), 12.0, TOLD), piece])
        })
        .collect();
    let ways: Vec<Json> = (0..drawing.trees.len())
        .map(|tree| {
            let own = || row.passed.iter().filter(|(of, ..)| *of == tree);
            let nodes: Vec<u32> = own().map(|(_, node, _)| *node).collect();
            let divided = own().any(|(.., share)| *share < 1.0);
            let shares =
                divided.then(|| own().map(|(.., share)| rounded(*share)).collect::<Json>());
            json!([nodes, shares])
        })
        .collect();
    let mut beside = Map::new();
    for &(tree, node, _) in &row.passed {
        if *room == 0 {
            break;
        }
        let drawn = drawing.trees.get(tree);
        if let Some((parent, piece)) = drawn.and_then(|tree| with_prototype(tree, row, node)) {
            beside.insert(format!("{tree}.{parent}"), piece);
            *room -= 1;
        }
    }
    let mut json = json!({"name": row.name, "values": values, "ways": ways});
    if !beside.is_empty() {
        json["aligned"] = beside.into();
    }
    json
}

/// The row's value below the prototype of the branch that leads to a node, and the node above.
fn with_prototype(tree: &TreeDrawn, row: &RowDrawn, node: u32) -> Option<(u32, Json)> {
    let (parent, branch) = tree.nodes.get(node as usize)?.parent?;
    let test = tree.nodes.get(parent as usize)?.test.as_ref()?;
    let prototype = test.branches.get(branch)?.prototype.as_ref()?;
    let (_, own) = row
        .values
        .iter()
        .find(|(column, _)| *column == test.column)?;
    let piece = aligned(prototype, own, Room::LARGE)?;
    Some((parent, piece_json(&piece)))
}
