//! From rows to a tree of centres.

use kinwood_similarity::FittedRow;
use kinwood_values::{Column, Value};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::CENTRES;
use super::place::Place;
use super::response::{Group, Response};
use kinwood_learning::context::Context;
use kinwood_learning::error::{Error, Result};

/// How far a tree grows.
#[derive(Clone, Copy)]
pub struct Limits {
    /// The least weight of the rows in a leaf.
    pub leaf: f64,
    /// The most centres on the way to a leaf.
    pub levels: Option<usize>,
}

/// Some of the training rows, what they predict, and how they are divided.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Node {
    /// How many rows there are.
    pub rows: usize,
    /// The shares of the classes, or the mean alone.
    pub answer: Vec<f64>,
    /// How they are divided; a leaf is not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub split: Option<Split>,
}

/// Centres, in the order of ties.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Split {
    /// The place of the first centre among all, the others behind it.
    pub first: usize,
    /// Whose centre each is.
    pub groups: Vec<Group>,
    /// The node of those that are nearest to each.
    pub children: Vec<usize>,
}

/// A tree and its centres.
pub struct Grown {
    /// The nodes in preorder, the root first.
    pub nodes: Vec<Node>,
    /// The centres as rows.
    pub centres: Column,
}

/// The place of the least distance, the first of equals up to rounding.
pub fn nearest(distances: &[f64]) -> usize {
    let mut best = (0, f64::INFINITY);
    for (place, &distance) in distances.iter().enumerate() {
        if distance < best.1 * (1.0 - TOLERANCE) {
            best = (place, distance);
        }
    }
    best.0
}

/// How much less a distance must be, relative to it, to be less: means are rounded, and halfway is
/// halfway.
const TOLERANCE: f64 = 1e-9;

/// Rows compared by one thread at a time.
const BATCH: usize = 256;

/// Divides rows until they are pure, cannot be divided, or a limit is met. When the work is asked
/// to stop, what is not divided yet stays whole.
pub fn grow(
    rows: &Column,
    weights: &[f64],
    response: &Response,
    fitted: &FittedRow,
    limits: Limits,
    context: &Context,
) -> Result<Grown> {
    let growing = Growing {
        rows,
        weights,
        response,
        fitted,
        place: Place::of(&rows.type_of()),
        leaf: limits.leaf,
        context,
    };
    let counted: Vec<u32> = (0..rows.len() as u32)
        .filter(|&row| weights[row as usize] > 0.0)
        .collect();
    let running = context.progress("dividing rows", counted.len() as u64);
    let mut nodes: Vec<Node> = Vec::new();
    let mut centres: Vec<Value> = Vec::new();
    let mut pending: Vec<Pending> = vec![Pending {
        rows: counted,
        level: 0,
        above: None,
    }];
    let mut stopped = false;
    while let Some(part) = pending.pop() {
        let number = nodes.len();
        if let Some((parent, branch)) = part.above
            && let Some(split) = &mut nodes[parent].split
        {
            split.children[branch] = number;
        }
        let mut node = Node {
            rows: part.rows.len(),
            answer: response.answer(&part.rows, weights),
            split: None,
        };
        let divided = match limits.levels.is_some_and(|most| part.level >= most) || stopped {
            true => Ok(None),
            false => growing.divide(&part.rows),
        };
        match divided {
            Ok(Some(divided)) => {
                node.split = Some(Split {
                    first: centres.len(),
                    groups: divided.iter().map(|part| part.group).collect(),
                    children: vec![0; divided.len()],
                });
                // The last is taken first: the nodes come in preorder.
                let mut below = Vec::with_capacity(divided.len());
                for (branch, child) in divided.into_iter().enumerate() {
                    centres.push(child.centre);
                    below.push(Pending {
                        rows: child.rows,
                        level: part.level + 1,
                        above: Some((number, branch)),
                    });
                }
                pending.extend(below.into_iter().rev());
            }
            Ok(None) => running.advance(part.rows.len() as u64),
            Err(Error::Interrupted | Error::OutOfTime) => {
                context.cut_short();
                stopped = true;
            }
            Err(error) => return Err(error),
        }
        nodes.push(node);
    }
    Ok(Grown {
        nodes,
        centres: Column::from_values(&rows.type_of(), &centres)?,
    })
}

/// Rows that are not looked at yet.
struct Pending {
    rows: Vec<u32>,
    level: usize,
    /// The node above, and which of its centres they are nearest to.
    above: Option<(usize, usize)>,
}

/// A centre and the rows that are nearest to it.
struct Part {
    group: Group,
    centre: Value,
    rows: Vec<u32>,
}

struct Growing<'a> {
    rows: &'a Column,
    weights: &'a [f64],
    response: &'a Response,
    fitted: &'a FittedRow,
    place: Place,
    leaf: f64,
    context: &'a Context,
}

impl Growing<'_> {
    /// The rows by nearest centre; nothing if they are pure, all nearest to one, or too few to one.
    fn divide(&self, rows: &[u32]) -> Result<Option<Vec<Part>>> {
        self.context.check()?;
        let groups = self.response.groups(rows, self.weights);
        if groups.len() < 2 {
            return Ok(None);
        }
        let mut parts = Vec::with_capacity(groups.len());
        for (group, members) in groups {
            let centre =
                self.place
                    .centre(self.rows, &members, self.weights, self.fitted, self.context)?;
            parts.push(Part {
                group,
                centre,
                rows: Vec::new(),
            });
        }
        let chosen = self.choose(rows, &parts)?;
        for (&row, part) in rows.iter().zip(chosen) {
            parts[part].rows.push(row);
        }
        // A centre that attracts nobody is none: rows to come go where those went that were there.
        parts.retain(|part| !part.rows.is_empty());
        let weight = |part: &Part| -> f64 {
            let weights = part.rows.iter().map(|&row| self.weights[row as usize]);
            weights.sum()
        };
        let enough = parts.iter().all(|part| weight(part) >= self.leaf);
        Ok((parts.len() > 1 && enough).then_some(parts))
    }

    /// The nearest centre of each row.
    fn choose(&self, rows: &[u32], parts: &[Part]) -> Result<Vec<usize>> {
        let centres = parts.iter().map(|part| &part.centre);
        let centres = Column::from_values(&self.rows.type_of(), centres)?;
        let compared = self.rows.gather(rows);
        let pairs = self.fitted.bind_real(&compared, &centres, CENTRES.name)?;
        let places: Vec<usize> = (0..rows.len()).collect();
        let chosen: Vec<Vec<usize>> = self.context.install(|| {
            places
                .par_chunks(BATCH)
                .map(|places| {
                    self.context.check()?;
                    let mut distances = vec![0.0; parts.len()];
                    Ok(places
                        .iter()
                        .map(|&place| {
                            pairs.prepare(place).fill(0..parts.len(), &mut distances);
                            nearest(&distances)
                        })
                        .collect())
                })
                .collect::<Result<_>>()
        })?;
        Ok(chosen.concat())
    }
}
