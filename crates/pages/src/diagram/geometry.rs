//! Sizes of the drawing, and the shapes that it is made of: boxes, connectors, and where they meet.

use super::layers::{Item, Way};
use super::schema::Schema;

/// Height of a line, and of the grid.
pub(super) const LINE: f64 = 22.0;
/// Height of a box above its first line; half a line more than a whole number, so that middles fall
/// on the grid.
pub(super) const HEAD: f64 = 55.0;
/// Below the last line.
pub(super) const FOOT: f64 = 8.0;
/// Around the drawing.
pub(super) const MARGIN: f64 = 22.0;
/// Sizes of letters.
pub(super) const NAME_SIZE: f64 = 13.0;
pub(super) const TITLE_SIZE: f64 = 15.0;
pub(super) const SMALL_SIZE: f64 = 11.5;
/// Room of a mark like `PK`.
pub(super) const MARK: f64 = 26.0;
/// Room at the sides of a box.
pub(super) const PADDING: f64 = 12.0;
/// Names and types are cut beyond.
pub(super) const WIDEST_NAME: f64 = 230.0;
pub(super) const WIDEST_TYPE: f64 = 170.0;
/// How far off the middle of a line references leave and arrive.
const OFF_MIDDLE: f64 = 4.0;
/// Between a box and the first connector beside it: room for the ends.
pub(super) const BESIDE: f64 = 26.0;
/// Between connectors.
pub(super) const APART: f64 = 11.0;

/// A box.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Place {
    pub x: f64,
    pub y: f64,
    pub width: f64,
    pub height: f64,
}

/// A connector: corners from the referring line to the line referred to.
pub(super) struct Connector {
    pub reference: usize,
    pub corners: Vec<(f64, f64)>,
}

/// Where the connectors of a reference that passes layers are in them: by way and step.
pub(super) type Passing = Vec<Vec<f64>>;

/// Where a reference meets an item, below the item's top.
pub(super) fn port(schema: &Schema, way: &Way, step: usize) -> f64 {
    let reference = &schema.references[way.reference];
    match way.items[step] {
        Item::Passing(_) => LINE / 2.0,
        Item::Table(_) => {
            let referring = (step > 0) == way.to_the_left;
            if referring {
                leaving(reference.from_line)
            } else {
                arriving(reference.to_line)
            }
        }
    }
}

/// Where a reference leaves a line of a box, below the top of the box.
pub(super) fn leaving(line: usize) -> f64 {
    HEAD + line as f64 * LINE + LINE / 2.0 + OFF_MIDDLE
}

/// Where a reference arrives at a line of a box, below the top of the box.
pub(super) fn arriving(line: usize) -> f64 {
    HEAD + line as f64 * LINE + LINE / 2.0 - OFF_MIDDLE
}
