//! The keys followed on the way to a node, on a sketch of the schema and in words.

use kinwood_learners::drawing::{SchemaDrawn, StepDrawn};

use maud::{Markup, html};

use super::piece::Piece;
use crate::diagram::{Sketch, TableSketched};
use crate::kit::number::Figure;
use crate::kit::width;

/// How much smaller than a drawing of a schema alone.
const SCALE: f64 = 0.78;
const NAME: f64 = 15.0;
const SMALL: f64 = 11.5;
const PADDING: f64 = 12.0;

/// What was followed from the object on, as `molecule › atom › bond`; `None` where nothing was.
pub(super) fn words(schema: &SchemaDrawn, steps: &[StepDrawn]) -> Option<String> {
    let own: Vec<&StepDrawn> = steps.iter().filter(|step| !step.asked).collect();
    let root = schema.tables.get(schema.root)?;
    let name = |occurrence: u32| match occurrence.checked_sub(1) {
        None => root.as_str(),
        Some(place) => own
            .get(place as usize)
            .map_or("", |step| step.name.as_str()),
    };
    let mut words = String::new();
    for (place, step) in own.iter().enumerate() {
        if place == 0 || step.from as usize != place {
            if place > 0 {
                words += ", ";
            }
            words += name(step.from);
        }
        words += " › ";
        words += &step.name;
    }
    (!words.is_empty()).then_some(words)
}

/// The schema with the keys that were followed, and those that a test asks for, marked.
pub(super) fn piece(sketch: &Sketch, schema: &SchemaDrawn, steps: &[StepDrawn]) -> Piece {
    let mut piece = Piece::default();
    let by = |key: usize| {
        let own = || steps.iter().filter(|step| step.key == key);
        match (own().any(|step| !step.asked), own().any(|step| step.asked)) {
            (true, _) => "way followed",
            (false, true) => "way asked",
            (false, false) => "way",
        }
    };
    // What is marked lies above what is not.
    let mut keys: Vec<&(usize, String)> = sketch.keys.iter().collect();
    keys.sort_by_key(|(key, _)| by(*key) != "way");
    for (key, path) in keys {
        piece.draw(html! { path class=(by(*key)) d=(path) {} });
    }
    for (place, table) in sketch.tables.iter().enumerate() {
        let reached = || steps.iter().filter(|step| step.table == place);
        let here = place == schema.root || reached().any(|step| !step.asked);
        let class = match (here, reached().next().is_some()) {
            (true, _) => "card reached",
            (false, true) => "card sought",
            (false, false) => "card",
        };
        let root = (place == schema.root).then_some("the object");
        let names = reached().map(|step| step.name.as_str());
        let names: Vec<&str> = root.into_iter().chain(names).collect();
        // A table that is there once needs no other name.
        let names = match names.as_slice() {
            [only] if *only == table.name => Vec::new(),
            _ => names,
        };
        draw_table(&mut piece, table, class, &names.join(", "));
    }
    let scale = format_args!("scale({SCALE})");
    let body: Markup = html! { g transform=(scale) { (piece.body) } };
    Piece {
        width: sketch.width * SCALE,
        height: sketch.height * SCALE,
        body,
    }
}

fn draw_table(piece: &mut Piece, table: &TableSketched, class: &str, names: &str) {
    piece.draw(html! {
        rect class=(class) x=(Figure(table.x)) y=(Figure(table.y))
            width=(Figure(table.width)) height=(Figure(table.height)) rx="7" {}
    });
    let inner = table.width - 2.0 * PADDING;
    let (x, y) = (table.x + PADDING, table.y);
    let name = width::cut(&table.name, NAME * 1.08, inner);
    piece.text("title", NAME, (x, y + 20.0), "start", &name);
    let names = width::cut(names, SMALL, inner);
    piece.text("soft", SMALL, (x, y + 37.0), "start", &names);
    for (middle, column) in &table.columns {
        let column = width::cut(column, SMALL, inner);
        piece.text("value", SMALL, (x, middle + 4.0), "start", &column);
    }
}
