//! Growing: which node is divided next, and until when.

pub mod beam;
mod best_first;
mod depth_first;
#[cfg(test)]
mod naive;
mod place;
#[cfg(test)]
mod tests;
pub mod unlike;

pub use best_first::best_first;
pub use depth_first::depth_first;
pub(crate) use place::mixed;

use super::FlatTree;
use super::columns::Inputs;
use super::constraint::{Constraints, Growth, Sketch};
use super::presort::Entry;
use super::propose::{Candidate, LEAST_GAIN, Problem};
use super::region::Region;
use super::response::Answers;
use super::response::Response;
use kinwood_learning::StopReason;

/// By what the best of the candidates of a node is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heuristic {
    /// By how much the spread falls.
    Gain,
    /// By the fall of the spread relative to the information in the division itself, among
    /// candidates of at least average gain (Quinlan 1993).
    GainRatio,
}

/// How far trees may grow, and from where.
#[derive(Clone, Debug)]
pub struct Limited<'a> {
    /// What every tree keeps to.
    pub constraints: &'a Constraints,
    /// What a test on each column costs, by its position in the table.
    pub costs: &'a [f64],
    /// What every tree begins with.
    pub sketch: &'a Sketch,
}

impl Limited<'_> {
    /// What a test of an input costs.
    pub fn cost(&self, inputs: &Inputs<'_>, input: usize) -> f64 {
        let position = inputs.all[input].position as usize;
        self.costs.get(position).copied().unwrap_or(0.0)
    }

    /// A node as a candidate would divide it: the tests above it, what they cost, and the node's
    /// weight.
    pub fn growth(
        &self,
        inputs: &Inputs<'_>,
        candidate: &Candidate,
        (depth, cost, weight): (usize, f64, f64),
    ) -> Growth {
        Growth {
            depth,
            cost: cost + self.cost(inputs, candidate.input),
            column: inputs.all[candidate.input].position,
            leaf: weight
                * candidate
                    .shares
                    .iter()
                    .copied()
                    .fold(f64::INFINITY, f64::min),
            branches: candidate.shares.len(),
        }
    }

    /// Whether nodes below so many tests may be divided.
    fn deepens(&self, depth: usize) -> bool {
        let mut alternatives = self.constraints.alternatives().iter();
        alternatives.any(|limits| limits.depth.is_none_or(|most| depth < most))
    }
}

/// What a sketch says of a branch: of a test that has more than two it says nothing of the others.
pub(super) fn branch_of(sketch: &Sketch, branch: usize) -> &Sketch {
    match (sketch, branch) {
        (Sketch::Split { yes, .. }, 0) => yes,
        (Sketch::Split { no, .. }, 1) => no,
        (Sketch::Split { .. }, _) => &Sketch::Open,
        (Sketch::Open | Sketch::Closed, _) => sketch,
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
    pub stopped: StopReason,
}

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
    let always = problem.rules.always;
    let gaining = |gain: f64| always || gain > LEAST_GAIN * weight;
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
            let average = match always {
                true => f64::NEG_INFINITY,
                false => positive.clone().sum::<f64>() / (positive.count().max(1) as f64),
            };
            let mut most = f64::NEG_INFINITY;
            for (place, &gain) in gains.iter().enumerate() {
                if !gaining(gain) || gain < average - LEAST_GAIN * weight {
                    continue;
                }
                let ratio = gain / weight / information(&candidates[place].shares);
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
fn information(shares: &[f64]) -> f64 {
    let bits: f64 = shares
        .iter()
        .filter(|share| **share > 0.0)
        .map(|share| -share * share.log2())
        .sum();
    bits.max(f64::MIN_POSITIVE)
}

/// A node to be divided: its examples, where it stands, and what the sketch says of it.
struct Standing<'a, R: Response> {
    region: &'a Region<R>,
    lists: &'a [Vec<Entry>],
    depth: usize,
    cost: f64,
    sketch: &'a Sketch,
}

/// How a node is divided and what that gains; of a sketched test without end, so that it comes
/// first. Also how many candidates there were.
fn division<R: Response>(
    problem: &Problem<'_, R>,
    limited: &Limited<'_>,
    heuristic: Heuristic,
    here: &Standing<'_, R>,
) -> (Option<(Candidate, f64)>, u64) {
    match here.sketch {
        Sketch::Closed => (None, 0),
        Sketch::Split { .. } => {
            let candidate = problem.sketched(here.region, here.lists, here.sketch);
            (candidate.map(|candidate| (candidate, f64::INFINITY)), 1)
        }
        Sketch::Open => {
            if !limited.deepens(here.depth) || !divisible(problem, &here.region.whole) {
                return (None, 0);
            }
            let mut candidates = problem.candidates(here.region, here.lists);
            let weight = problem.response.weight(&here.region.whole);
            candidates.retain(|candidate| {
                let standing = (here.depth, here.cost, weight);
                limited
                    .constraints
                    .allows(&limited.growth(&problem.inputs, candidate, standing))
            });
            let evaluated = candidates.len() as u64;
            let best = chosen(problem, here.region, &candidates, heuristic);
            (
                best.map(|(best, gain)| (candidates.swap_remove(best), gain)),
                evaluated,
            )
        }
    }
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
