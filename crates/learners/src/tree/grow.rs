//! Growing: which node is divided next, and until when.

pub mod beam;
mod best_first;
mod depth_first;
mod place;
pub mod unlike;

pub use best_first::best_first;
pub use depth_first::depth_first;

use super::FlatTree;
use super::answer::Answers;
use super::propose::{Candidate, Problem};
use super::region::Region;
use super::response::Response;
use crate::context::Context;
use crate::error::Error;

/// By what the best of the candidates of a node is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heuristic {
    /// By how much the spread falls.
    Gain,
    /// By the fall of the spread relative to the information in the division itself, among candidates of at least average gain
    /// (Quinlan 1993).
    GainRatio,
}

/// How far a tree may grow at any node, whatever the rest of it is.
#[derive(Clone, Debug)]
pub struct Bounds {
    /// The most tests on a path.
    pub depth: usize,
    /// The most that the tests on a path may cost in sum.
    pub cost: f64,
    /// What a test of each input costs.
    pub costs: Vec<f64>,
    /// The most nodes; only best-first growth and the beam keep to it.
    pub size: usize,
}

impl Bounds {
    /// No bounds.
    pub fn none(inputs: usize) -> Self {
        Self {
            depth: usize::MAX,
            cost: f64::INFINITY,
            costs: vec![1.0; inputs],
            size: usize::MAX,
        }
    }
}

/// Why growing ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// Nothing was left to divide, or nothing improved.
    Complete,
    /// The tree had as many nodes as it may have.
    Size,
    /// The time was over.
    Time,
    /// The user interrupted.
    Interrupted,
}

impl Stopped {
    /// In words.
    pub fn name(self) -> &'static str {
        match self {
            Stopped::Complete => "nothing improved",
            Stopped::Size => "the size limit was reached",
            Stopped::Time => "the time limit was reached",
            Stopped::Interrupted => "interrupted",
        }
    }

    /// Whether the context asks to stop.
    fn asked(context: &Context) -> Option<Self> {
        match context.check() {
            Ok(()) => None,
            Err(Error::OutOfTime) => Some(Stopped::Time),
            Err(_) => Some(Stopped::Interrupted),
        }
    }
}

/// A tree grown by itself.
#[derive(Clone, Debug)]
pub struct Single {
    /// The tree.
    pub tree: FlatTree,
    /// How many tests were weighed against others.
    pub evaluated: u64,
    /// Why growing ended.
    pub stopped: Stopped,
}

/// A gain must be more than this per example: rounding is less, and no division worth having gains as little.
const LEAST_GAIN: f64 = 1e-9;

/// The candidate by which a region is divided, if any gains; and its gain.
fn chosen<R: Response>(
    problem: &Problem<'_, R>,
    region: &Region<R>,
    candidates: &[Candidate],
    heuristic: Heuristic,
) -> Option<(usize, f64)> {
    let response = &problem.response;
    let (whole, weight) = (
        response.spread(&region.whole),
        response.weight(&region.whole),
    );
    let slack = response.slack();
    let gains: Vec<f64> = candidates
        .iter()
        .map(|candidate| whole - candidate.spread)
        .collect();
    let gaining = |gain: f64| gain > LEAST_GAIN * weight;
    let mut best: Option<(usize, f64)> = None;
    match heuristic {
        Heuristic::Gain => {
            for (place, &gain) in gains.iter().enumerate() {
                if gaining(gain) && best.is_none_or(|(_, most)| gain > most + slack) {
                    best = Some((place, gain));
                }
            }
        }
        Heuristic::GainRatio => {
            let positive = gains.iter().copied().filter(|&gain| gaining(gain));
            let average = positive.clone().sum::<f64>() / (positive.count().max(1) as f64);
            let mut most = f64::NEG_INFINITY;
            for (place, &gain) in gains.iter().enumerate() {
                if !gaining(gain) || gain < average - LEAST_GAIN * weight {
                    continue;
                }
                let ratio = gain / weight / information(candidates[place].shares);
                if ratio > most + 1e-12 {
                    most = ratio;
                    best = Some((place, gain));
                }
            }
        }
    }
    best
}

/// The bits in a division of these shares.
fn information(shares: [f64; 2]) -> f64 {
    let bits: f64 = shares
        .iter()
        .filter(|share| **share > 0.0)
        .map(|share| -share * share.log2())
        .sum();
    bits.max(f64::MIN_POSITIVE)
}

/// What a node of a region says.
fn answers<R: Response>(response: &R, region: &Region<R>) -> Answers {
    Answers {
        weight: response.weight(&region.whole),
        targets: response.answers(&region.whole),
    }
}

/// Whether a node of these examples can be divided at all.
fn divisible<R: Response>(problem: &Problem<'_, R>, summary: &R::Summary) -> bool {
    let weight = problem.response.weight(summary);
    weight >= 2.0 * problem.rules.least && problem.response.spread(summary) > LEAST_GAIN * weight
}
