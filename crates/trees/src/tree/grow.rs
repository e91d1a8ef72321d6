//! Growing: which node is divided next, and until when.

pub mod beam;
mod best_first;
mod depth_first;
pub mod exhaustive;
#[cfg(test)]
mod naive;
mod place;
#[cfg(test)]
mod tests;
pub mod unlike;

pub use best_first::best_first;
pub use depth_first::depth_first;

use super::constraint::{Constraints, Growth, Sketch};
use super::language::{Language, Mentions};
use super::response::Answers;
use super::structure::Tree;
use super::watch::{Bounds, Watch};
use kinwood_learning::StopReason;

/// How far trees may grow, and from where.
#[derive(Clone)]
pub struct GrowthLimits<'a, T> {
    /// What every tree keeps to.
    pub constraints: &'a Constraints,
    /// What every tree begins with.
    pub sketch: &'a Sketch<T>,
    /// Whether a test of the sketch that divides nothing of a node is passed over, the node staying
    /// a leaf; if not, growing ends there.
    pub skips: bool,
    /// Whether tests on what must be used, and is not yet on the way to a node, come first.
    pub required_first: bool,
    /// What is watched as trees grow.
    pub watch: &'a Watch,
}

impl<T> GrowthLimits<'_, T> {
    /// Whether nodes below so many tests may be divided.
    fn deepens(&self, depth: usize) -> bool {
        let mut alternatives = self.constraints.alternatives().iter();
        alternatives.any(|limits| limits.depth.is_none_or(|most| depth < most))
    }

    /// Whether a test looks at something that must be used and is not yet on the way to a node.
    fn wants(&self, mentions: &[u32], position: &Position) -> bool {
        let alternatives = self.constraints.alternatives();
        mentions.iter().any(|column| {
            let mut alternatives = alternatives.iter();
            !position.used.contains(column)
                && alternatives.any(|limits| limits.required.contains(*column))
        })
    }
}

/// Where a node stands.
#[derive(Clone, Debug, Default)]
pub struct Position {
    /// How many tests stand above it.
    pub depth: usize,
    /// What they cost.
    pub cost: f64,
    /// What they look at, where that matters.
    used: Mentions,
    /// What may be predicted there, where that is bounded.
    bounds: Bounds,
}

impl Position {
    /// Where the children stand once the node is divided, by branch.
    fn below<L: Language>(
        &self,
        language: &L,
        limits: &GrowthLimits<'_, L::Test>,
        region: &L::Region,
        candidate: &L::Candidate,
    ) -> Vec<Self> {
        let growth = growth(language, region, candidate, self);
        let mut used = self.used.clone();
        if limits.required_first {
            used.extend_from_slice(&growth.columns);
        }
        let child = Self {
            depth: self.depth + 1,
            cost: growth.cost,
            used,
            bounds: self.bounds.clone(),
        };
        let mut children = vec![child; growth.branches];
        if limits.watch.bounds_predictions() {
            let watch = limits.watch;
            let bounds = watch.divided(language, region, candidate, &self.bounds);
            for (child, bounds) in children.iter_mut().zip(bounds.into_iter().flatten()) {
                child.bounds = bounds;
            }
        }
        children
    }
}

/// Whether a node may be divided so: by what the constraints say of a node, and by what is watched.
fn may_divide<L: Language>(
    language: &L,
    limits: &GrowthLimits<'_, L::Test>,
    region: &L::Region,
    candidate: &L::Candidate,
    position: &Position,
) -> bool {
    let growth = growth(language, region, candidate, position);
    limits.constraints.allows(&growth)
        && keeps_bounds(language, limits, region, candidate, position)
}

/// Whether what is predicted on either side stays within its bounds.
fn keeps_bounds<L: Language>(
    language: &L,
    limits: &GrowthLimits<'_, L::Test>,
    region: &L::Region,
    candidate: &L::Candidate,
    position: &Position,
) -> bool {
    let watch = limits.watch;
    !watch.bounds_predictions()
        || watch
            .divided(language, region, candidate, &position.bounds)
            .is_some()
}

/// A node as a candidate would divide it.
fn growth<L: Language>(
    language: &L,
    region: &L::Region,
    candidate: &L::Candidate,
    position: &Position,
) -> Growth {
    let columns = language.mentions(region, candidate);
    Growth {
        depth: position.depth,
        cost: position.cost + language.cost(&columns),
        leaf: language.lightest(region, candidate),
        branches: language.branches(candidate),
        columns,
    }
}

/// A tree grown by itself.
#[derive(Clone, Debug)]
pub struct Single<T> {
    /// The tree.
    pub tree: Tree<T, Answers>,
    /// How many tests were weighed against others.
    pub evaluated: u64,
    /// Why growing ended.
    pub stopped: StopReason,
}

/// How a node is divided and what that gains; of a sketched test without end, so that it comes
/// first. Also how many candidates there were.
fn division<L: Language>(
    language: &L,
    limits: &GrowthLimits<'_, L::Test>,
    region: &L::Region,
    position: &Position,
    sketch: &Sketch<L::Test>,
) -> (Option<(L::Candidate, f64)>, u64) {
    match sketch {
        Sketch::Closed => (None, 0),
        Sketch::Split { column, test, .. } => {
            let candidate = language.given(region, *column, test.as_ref());
            (candidate.map(|candidate| (candidate, f64::INFINITY)), 1)
        }
        Sketch::Open => {
            if !limits.deepens(position.depth) || !language.divisible(region) {
                return (None, 0);
            }
            let mut candidates = language.candidates(region);
            candidates
                .retain(|candidate| may_divide(language, limits, region, candidate, position));
            let evaluated = candidates.len() as u64;
            if limits.required_first {
                let wanted = |candidate: &L::Candidate| {
                    limits.wants(&language.mentions(region, candidate), position)
                };
                if candidates.iter().any(wanted) {
                    candidates.retain(wanted);
                }
            }
            let best = language.best(region, &candidates);
            (
                best.map(|(best, gain)| (candidates.swap_remove(best), gain)),
                evaluated,
            )
        }
    }
}
