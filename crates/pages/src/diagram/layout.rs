//! Where boxes and connectors go.
//!
//! Boxes stand on a grid as high as a line, references leave a line a little below its middle and
//! arrive a little above, and pass through layers in between on lines of their own: so connectors
//! to different keys hardly ever run along each other, and none runs through a box.

use super::geometry::{
    Connector, FOOT, HEAD, LINE, MARGIN, MARK, NAME_SIZE, PADDING, Passing, Place, SMALL_SIZE,
    TITLE_SIZE, WIDEST_NAME, WIDEST_TYPE, port,
};
use super::layers::{Item, Layers, Way, arrange};
use super::routes::{Gap, connect, gaps};
use super::schema::{Line, Schema, TableBox};
use crate::kit::width;

/// Passes over the layers: places settle after a few.
const PASSES: usize = 10;

/// The drawing.
pub(super) struct Layout {
    pub places: Vec<Place>,
    pub connectors: Vec<Connector>,
    pub width: f64,
    pub height: f64,
}

impl Layout {
    /// Lays a schema out.
    pub fn of(schema: &Schema) -> Self {
        let mut places: Vec<Place> = schema.tables.iter().map(size).collect();
        let heights: Vec<f64> = places.iter().map(|place| place.height).collect();
        let ends: Vec<(usize, usize)> = schema
            .references
            .iter()
            .map(|one| (one.from, one.to))
            .collect();
        let layers = arrange(&heights, &ends);
        let heights_above = stack(schema, &layers, &mut places);
        let gaps = gaps(schema, &layers, &places, &heights_above);
        let right = spread(&layers, &gaps, &mut places);
        let connectors = connect(schema, &layers, &gaps, &places, &heights_above);
        let boxes = places.iter().map(|place| place.y + place.height);
        let corners = connectors.iter().flat_map(|connector| &connector.corners);
        let lowest = boxes
            .chain(corners.map(|corner| corner.1))
            .fold(0.0, f64::max);
        Self {
            places,
            connectors,
            width: right + MARGIN,
            height: lowest + MARGIN,
        }
    }
}

/// How large a box is.
fn size(table: &TableBox) -> Place {
    let marks = marks(table) as f64 * MARK;
    let name = |line: &Line| width::of(&line.name, NAME_SIZE).min(WIDEST_NAME);
    let of = |line: &Line| {
        let role = line
            .role
            .map_or(0.0, |role| width::of(role, SMALL_SIZE) + 20.0);
        width::of(&line.of, SMALL_SIZE).min(WIDEST_TYPE) + role
    };
    let names = table.lines.iter().map(name).fold(60.0, f64::max);
    let types = table.lines.iter().map(of).fold(0.0, f64::max);
    let title = width::of(&table.name, TITLE_SIZE * 1.08).min(WIDEST_NAME + WIDEST_TYPE);
    let size = width::of(&table.size, SMALL_SIZE);
    let inner = (marks + names + 18.0 + types).max(title).max(size);
    let lines = table.lines.len() + usize::from(table.more > 0);
    Place {
        width: (inner + 2.0 * PADDING).ceil(),
        height: HEAD + lines as f64 * LINE + FOOT,
        ..Place::default()
    }
}

/// How many marks lines of the table have at most.
pub(super) fn marks(table: &TableBox) -> usize {
    let lines = table.lines.iter();
    lines
        .map(|line| usize::from(line.key) + usize::from(line.foreign))
        .max()
        .unwrap_or(0)
}

/// Gives boxes and passing references their height: near what they are connected with, in the order
/// of the layer.
fn stack(schema: &Schema, layers: &Layers, places: &mut [Place]) -> Passing {
    let mut tops: Vec<Vec<f64>> = layers
        .items
        .iter()
        .map(|items| {
            let mut next = 0.0;
            let height = |item: &Item| room(item, places);
            items
                .iter()
                .map(|item| {
                    let top = next;
                    next += height(item);
                    top
                })
                .collect()
        })
        .collect();
    for pass in 0..PASSES {
        let count = layers.items.len();
        for step in 0..count {
            let layer = if pass % 2 == 0 {
                step
            } else {
                count - 1 - step
            };
            let wanted = wanted(schema, layers, &tops, layer);
            let rooms: Vec<f64> = layers.items[layer]
                .iter()
                .map(|item| room(item, places))
                .collect();
            tops[layer] = settle(&wanted, &rooms);
        }
    }
    let highest = tops.iter().flatten().copied().fold(f64::INFINITY, f64::min);
    for top in tops.iter_mut().flatten() {
        *top = MARGIN + ((*top - highest) / LINE).round() * LINE;
    }
    for (items, tops) in layers.items.iter().zip(&tops) {
        for (item, &top) in items.iter().zip(tops) {
            if let Item::Table(table) = item {
                places[*table].y = top;
            }
        }
    }
    layers
        .ways
        .iter()
        .map(|way| {
            let at = |step: usize| tops[way.first + step][position(layers, way, step)] + LINE / 2.0;
            (0..way.items.len()).map(at).collect()
        })
        .collect()
}

/// The height an item takes with the space below it, in whole lines.
fn room(item: &Item, places: &[Place]) -> f64 {
    match item {
        Item::Table(table) => ((places[*table].height + 1.2 * LINE) / LINE).ceil() * LINE,
        Item::Passing(_) => LINE,
    }
}

fn position(layers: &Layers, way: &Way, step: usize) -> usize {
    let items = &layers.items[way.first + step];
    items
        .iter()
        .position(|item| *item == way.items[step])
        .expect("a way's items are in their layers")
}

/// Where the items of a layer would be if each were alone: level with what they are connected with.
fn wanted(schema: &Schema, layers: &Layers, tops: &[Vec<f64>], layer: usize) -> Vec<f64> {
    let mut sums = vec![(0.0, 0.0); layers.items[layer].len()];
    for way in &layers.ways {
        let Some(step) = layer
            .checked_sub(way.first)
            .filter(|step| *step < way.items.len())
        else {
            continue;
        };
        let own = position(layers, way, step);
        for beside in [step.wrapping_sub(1), step + 1] {
            if beside < way.items.len() {
                let other = tops[way.first + beside][position(layers, way, beside)];
                let level = other + port(schema, way, beside) - port(schema, way, step);
                // Straight long connectors matter more than level boxes.
                let weight = if matches!(way.items[step], Item::Passing(_)) {
                    3.0
                } else {
                    1.0
                };
                sums[own].0 += weight * level;
                sums[own].1 += weight;
            }
        }
    }
    let current = tops[layer].iter();
    sums.iter()
        .zip(current)
        .map(|(&(sum, weight), &top)| if weight > 0.0 { sum / weight } else { top })
        .collect()
}

/// The places nearest to those wanted (least squares) that keep the order and leave everyone room.
///
/// Minus the room above, places need only ascend: isotonic regression by pooling neighbours that do
/// not.
fn settle(wanted: &[f64], rooms: &[f64]) -> Vec<f64> {
    let mut above = 0.0;
    let mut pools: Vec<(f64, usize)> = Vec::new();
    let mut offsets = Vec::with_capacity(wanted.len());
    for (&wanted, room) in wanted.iter().zip(rooms) {
        offsets.push(above);
        pools.push((wanted - above, 1));
        while let [.., (first, count), (second, more)] = pools.as_slice()
            && first > second
        {
            let together = count + more;
            let mean = (first * *count as f64 + second * *more as f64) / together as f64;
            pools.truncate(pools.len() - 2);
            pools.push((mean, together));
        }
        above += room;
    }
    let settled = pools
        .iter()
        .flat_map(|&(place, count)| std::iter::repeat_n(place, count));
    settled
        .zip(offsets)
        .map(|(place, offset)| place + offset)
        .collect()
}

/// Gives layers their place from left to right; returns where the last ends.
fn spread(layers: &Layers, gaps: &[Gap], places: &mut [Place]) -> f64 {
    let mut x = MARGIN;
    let mut right = MARGIN;
    for (items, gap) in layers.items.iter().zip(gaps) {
        let tables = || {
            items.iter().filter_map(|item| {
                if let Item::Table(table) = item {
                    Some(*table)
                } else {
                    None
                }
            })
        };
        let widest = tables()
            .map(|table| places[table].width)
            .fold(0.0, f64::max);
        for table in tables() {
            places[table].x = x;
            places[table].width = widest;
        }
        right = x + widest + gap.loop_room();
        x += widest + gap.width();
    }
    right
}
