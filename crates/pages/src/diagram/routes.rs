//! Connectors: where they leave and arrive, and where they run upright between the layers.

use super::geometry::{APART, BESIDE, Connector, Passing, Place, arriving, leaving, port};
use super::layers::{Item, Layers};
use super::schema::Schema;

/// The room between a layer and the next: vertical runs of connectors from left to right, each with
/// the ways it serves.
pub(super) struct Gap {
    runs: Vec<Run>,
    /// Most self references of a table in the layer on the left.
    loops: usize,
}

/// A vertical piece of connectors that lead to the same place on the left.
struct Run {
    left: f64,
    right: Vec<f64>,
    /// (way, step) of the left end.
    ways: Vec<(usize, usize)>,
}

impl Gap {
    pub fn loop_room(&self) -> f64 {
        if self.loops > 0 {
            10.0 + self.loops as f64 * APART
        } else {
            0.0
        }
    }

    pub fn width(&self) -> f64 {
        let runs = self.runs.len().saturating_sub(1) as f64 * APART;
        self.loop_room() + 2.0 * BESIDE + runs
    }
}

fn height_of(
    schema: &Schema,
    layers: &Layers,
    places: &[Place],
    passing: &Passing,
    way: usize,
    step: usize,
) -> f64 {
    match layers.ways[way].items[step] {
        Item::Table(table) => places[table].y + port(schema, &layers.ways[way], step),
        Item::Passing(_) => passing[way][step],
    }
}

pub(super) fn gaps(
    schema: &Schema,
    layers: &Layers,
    places: &[Place],
    passing: &Passing,
) -> Vec<Gap> {
    let mut gaps: Vec<Gap> = layers
        .items
        .iter()
        .map(|items| {
            let loops = |item: &Item| match item {
                Item::Table(table) => {
                    let own = schema
                        .references
                        .iter()
                        .filter(|one| one.from == *table && one.to == *table);
                    own.count()
                }
                Item::Passing(_) => 0,
            };
            Gap {
                runs: Vec::new(),
                loops: items.iter().map(loops).max().unwrap_or(0),
            }
        })
        .collect();
    for (number, way) in layers.ways.iter().enumerate() {
        for step in 0..way.items.len() - 1 {
            let height = |step| height_of(schema, layers, places, passing, number, step);
            let (left, right) = (height(step), height(step + 1));
            let runs = &mut gaps[way.first + step].runs;
            // Connectors that leave a box at the same place are one until they part.
            match runs.iter_mut().find(|run| run.left == left) {
                Some(run) => {
                    run.right.push(right);
                    run.ways.push((number, step));
                }
                None => runs.push(Run {
                    left,
                    right: vec![right],
                    ways: vec![(number, step)],
                }),
            }
        }
    }
    for gap in &mut gaps {
        arrange_runs(&mut gap.runs);
    }
    gaps
}

impl Run {
    fn span(&self) -> (f64, f64) {
        let ends = || self.right.iter().copied().chain([self.left]);
        (
            ends().fold(f64::INFINITY, f64::min),
            ends().fold(f64::NEG_INFINITY, f64::max),
        )
    }

    /// How often the horizontal pieces of two runs cross the vertical ones if this one is on the
    /// left.
    fn crossings_left_of(&self, other: &Run) -> usize {
        let within = |(top, bottom): (f64, f64), height: f64| top <= height && height <= bottom;
        let own = self
            .right
            .iter()
            .filter(|&&right| within(other.span(), right))
            .count();
        own + usize::from(within(self.span(), other.left))
    }
}

/// Swaps neighbouring runs as long as that saves crossings.
fn arrange_runs(runs: &mut [Run]) {
    for _ in 0..runs.len() {
        let mut swapped = false;
        for position in 1..runs.len() {
            let (left, right) = (&runs[position - 1], &runs[position]);
            if right.crossings_left_of(left) < left.crossings_left_of(right) {
                runs.swap(position - 1, position);
                swapped = true;
            }
        }
        if !swapped {
            break;
        }
    }
}

pub(super) fn connect(
    schema: &Schema,
    layers: &Layers,
    gaps: &[Gap],
    places: &[Place],
    passing: &Passing,
) -> Vec<Connector> {
    // Where each layer ends, for every layer has a table or is passed between two that have.
    let ends: Vec<f64> = layers
        .items
        .iter()
        .map(|items| {
            let right = |item: &Item| match item {
                Item::Table(table) => places[*table].x + places[*table].width,
                Item::Passing(_) => 0.0,
            };
            items.iter().map(right).fold(0.0, f64::max)
        })
        .collect();
    let mut connectors: Vec<Connector> = Vec::new();
    for (number, way) in layers.ways.iter().enumerate() {
        let height = |step| height_of(schema, layers, places, passing, number, step);
        let mut corners = vec![(ends[way.first], height(0))];
        for step in 0..way.items.len() - 1 {
            let gap = &gaps[way.first + step];
            let serves = |run: &Run| run.ways.contains(&(number, step));
            let run = gap
                .runs
                .iter()
                .position(serves)
                .expect("every step has a run");
            let x = ends[way.first + step] + gap.loop_room() + BESIDE + run as f64 * APART;
            corners.push((x, height(step)));
            corners.push((x, height(step + 1)));
        }
        if let Some(&Item::Table(table)) = way.items.last() {
            corners.push((places[table].x, height(way.items.len() - 1)));
        }
        corners.dedup();
        if way.to_the_left {
            corners.reverse();
        }
        connectors.push(Connector {
            reference: way.reference,
            corners,
        });
    }
    let mut loops = vec![0usize; places.len()];
    for (number, reference) in schema.references.iter().enumerate() {
        if reference.from == reference.to {
            let place = places[reference.from];
            let side = place.x + place.width;
            let x = side + BESIDE - 6.0 + loops[reference.from] as f64 * APART;
            loops[reference.from] += 1;
            let (start, end) = (
                place.y + leaving(reference.from_line),
                place.y + arriving(reference.to_line),
            );
            let corners = vec![(side, start), (x, start), (x, end), (side, end)];
            connectors.push(Connector {
                reference: number,
                corners,
            });
        }
    }
    connectors
}
