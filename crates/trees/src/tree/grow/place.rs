//! Places: nodes that the trees of a beam share.
//!
//! What can be done at a node depends on the path to it alone, not on the rest of its tree. So
//! trees that agree on a path share the node: its examples are divided once and its candidates
//! found once, however many trees have it.

use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};

use super::unlike::{Change, Yardstick};
use super::{GrowthLimits, Position, growth, keeps_bounds};
use crate::tree::constraint::Growth;
use crate::tree::hash::mixed;
use crate::tree::language::Language;
use crate::tree::watch::{Rates, Watch};

/// The children by a candidate, as long as a tree has them.
type Children<L> = Vec<Weak<Place<L>>>;

/// A node that trees share.
pub struct Place<L: Language> {
    /// The examples.
    pub region: L::Region,
    /// Impurity times weight of the examples.
    pub spread: f64,
    /// Where it stands.
    pub position: Position,
    /// Where it stands in a tree: a hash of the branches from the root.
    pub path: u128,
    candidates: OnceLock<Vec<L::Candidate>>,
    children: Mutex<Vec<Option<Children<L>>>>,
    changes: Mutex<Vec<Option<Arc<Change>>>>,
    rates: OnceLock<Vec<Rates>>,
}

impl<L: Language> Place<L> {
    /// The root of all trees.
    pub fn root(language: &L, region: L::Region) -> Self {
        Self::new(language, region, Position::default(), 1)
    }

    fn new(language: &L, region: L::Region, position: Position, path: u128) -> Self {
        Self {
            spread: language.impurity(&region),
            region,
            position,
            path,
            candidates: OnceLock::new(),
            children: Mutex::new(Vec::new()),
            changes: Mutex::new(Vec::new()),
            rates: OnceLock::new(),
        }
    }

    /// The rates of the node as a leaf, where groups are compared.
    pub fn rates(&self, language: &L, watch: &Watch) -> &[Rates] {
        self.rates
            .get_or_init(|| watch.rates(language, &self.region))
    }

    /// Whether what is predicted by a candidate's branches stays within the node's bounds.
    pub fn keeps_bounds(
        &self,
        language: &L,
        limits: &GrowthLimits<'_, L::Test>,
        candidate: &L::Candidate,
    ) -> bool {
        keeps_bounds(language, limits, &self.region, candidate, &self.position)
    }

    /// The tests that trees may be refined by here.
    pub fn candidates(&self, language: &L) -> &[L::Candidate] {
        self.candidates
            .get_or_init(|| language.refinements(&self.region))
    }

    /// Whether the candidates are known already.
    pub fn explored(&self) -> bool {
        self.candidates.get().is_some()
    }

    /// The node as a candidate would divide it.
    pub fn growth(&self, language: &L, candidate: &L::Candidate) -> Growth {
        growth(language, &self.region, candidate, &self.position)
    }

    /// The children by a candidate, by branch.
    pub fn children(
        &self,
        language: &L,
        limits: &GrowthLimits<'_, L::Test>,
        candidate: usize,
    ) -> Vec<Arc<Self>> {
        let candidates = self.candidates(language);
        let mut known = self.children.lock().unwrap_or_else(PoisonError::into_inner);
        known.resize(candidates.len(), None);
        let alive = known[candidate]
            .as_ref()
            .and_then(|children| children.iter().map(Weak::upgrade).collect());
        if let Some(children) = alive {
            return children;
        }
        let children = self.divided(language, limits, &candidates[candidate]);
        known[candidate] = Some(children.iter().map(Arc::downgrade).collect());
        children
    }

    /// The children by any candidate, made anew.
    pub fn divided(
        &self,
        language: &L,
        limits: &GrowthLimits<'_, L::Test>,
        candidate: &L::Candidate,
    ) -> Vec<Arc<Self>> {
        let below = self
            .position
            .below(language, limits, &self.region, candidate);
        let child = |(branch, (region, position))| {
            let path = mixed(self.path, branch as u128 + 1);
            Arc::new(Self::new(language, region, position, path))
        };
        let children = language.children(&self.region, candidate);
        let children = children.into_iter().zip(below);
        children.enumerate().map(child).collect()
    }

    /// What a candidate changes in the predictions of a tree that has this leaf, no example
    /// standing in several leaves.
    pub fn change(&self, language: &L, candidate: usize, yardstick: &Yardstick) -> Arc<Change> {
        let candidates = self.candidates(language);
        let mut known = self.changes.lock().unwrap_or_else(PoisonError::into_inner);
        known.resize(candidates.len(), None);
        let change = known[candidate].get_or_insert_with(|| {
            Arc::new(self.changed(language, &candidates[candidate], yardstick))
        });
        Arc::clone(change)
    }

    /// What any candidate changes in them.
    pub fn changed(&self, language: &L, candidate: &L::Candidate, yardstick: &Yardstick) -> Change {
        let before = yardstick.said(&language.answers(&self.region).targets);
        let parts = language.parts(&self.region, candidate);
        let after = parts.iter().map(|part| {
            let said = yardstick.said(&language.answers(part).targets);
            (language.rows(part), said)
        });
        yardstick.change(&before, &after.collect::<Vec<_>>())
    }
}
