//! Places: nodes that the trees of a beam share.
//!
//! What can be done at a node depends on the path to it alone, not on the rest of its tree. So
//! trees that agree on a path share the node: its examples are divided once and its candidates
//! found once, however many trees have it.

use std::borrow::Cow;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};

use super::unlike::{Change, Yardstick};
use crate::tree::constraint::Sketch;
use crate::tree::presort::{Entry, picked};
use crate::tree::propose::{Candidate, Problem};
use crate::tree::region::{Lists, Region};
use crate::tree::response::Response;

/// The children by a candidate, as long as a tree has them.
type Children<R> = Vec<Weak<Place<R>>>;

/// A node that trees share.
pub struct Place<R: Response> {
    /// The examples.
    pub region: Region<R>,
    /// The spread of the examples.
    pub spread: f64,
    /// Number of tests above it.
    pub depth: usize,
    /// What the tests above it cost in sum.
    pub cost: f64,
    /// Where it stands in a tree: a hash of the branches from the root.
    pub path: u128,
    candidates: OnceLock<Vec<Candidate>>,
    children: Mutex<Vec<Option<Children<R>>>>,
    changes: Mutex<Vec<Option<Arc<Change>>>>,
    /// Kept while they fit into the memory for lists; otherwise made again when needed.
    lists: Option<Lists>,
    shelf: Arc<Shelf>,
}

/// The memory for lists, and the root's lists, from which all others can be made.
pub struct Shelf {
    root: Lists,
    rows: usize,
    used: AtomicUsize,
    most: usize,
}

impl Shelf {
    /// The lists of the root, which has so many rows; those of all other places may take so many
    /// bytes.
    pub fn new(root: Lists, rows: usize, most: usize) -> Self {
        Self {
            root,
            rows,
            used: AtomicUsize::new(0),
            most,
        }
    }

    /// The lists of some rows, picked from the root's.
    fn pick(&self, rows: &[u32]) -> Lists {
        let mut places = vec![u32::MAX; self.rows];
        for (place, &row) in rows.iter().enumerate() {
            places[row as usize] = place as u32;
        }
        let inside = |row: usize| Some(places[row]).filter(|place| *place != u32::MAX);
        self.root.iter().map(|list| picked(list, inside)).collect()
    }

    fn size(lists: &Lists) -> usize {
        lists
            .iter()
            .map(|list| list.len() * size_of::<Entry>())
            .sum()
    }

    /// The lists, if there is room for them.
    fn keep(&self, lists: Lists) -> Option<Lists> {
        let size = Self::size(&lists);
        if self.used.fetch_add(size, Ordering::Relaxed) + size <= self.most {
            return Some(lists);
        }
        self.used.fetch_sub(size, Ordering::Relaxed);
        None
    }
}

impl<R: Response> Drop for Place<R> {
    fn drop(&mut self) {
        let size = self.lists.as_ref().map_or(0, Shelf::size);
        self.shelf.used.fetch_sub(size, Ordering::Relaxed);
    }
}

impl<R: Response> Place<R> {
    /// The root of all trees.
    pub fn root(region: Region<R>, response: &R, shelf: Shelf) -> Self {
        Self::new(region, None, response, (0, 0.0, 1), &Arc::new(shelf))
    }

    fn new(
        region: Region<R>,
        lists: Option<Lists>,
        response: &R,
        (depth, cost, path): (usize, f64, u128),
        shelf: &Arc<Shelf>,
    ) -> Self {
        Self {
            spread: response.spread(&region.whole),
            region,
            depth,
            cost,
            path,
            candidates: OnceLock::new(),
            children: Mutex::new(Vec::new()),
            changes: Mutex::new(Vec::new()),
            lists: lists.and_then(|lists| shelf.keep(lists)),
            shelf: Arc::clone(shelf),
        }
    }

    fn lists(&self) -> Cow<'_, Lists> {
        match &self.lists {
            Some(lists) => Cow::Borrowed(lists),
            None if self.region.len() == self.shelf.rows => Cow::Borrowed(&self.shelf.root),
            None => Cow::Owned(self.shelf.pick(&self.region.rows)),
        }
    }

    /// The best test of each input here; none where the examples are too few.
    pub fn candidates(&self, problem: &Problem<'_, R>) -> &[Candidate] {
        self.candidates.get_or_init(|| {
            if problem.response.weight(&self.region.whole) < 2.0 * problem.rules.least {
                return Vec::new();
            }
            problem.candidates(&self.region, &self.lists())
        })
    }

    /// Whether the candidates are known already.
    pub fn explored(&self) -> bool {
        self.candidates.get().is_some()
    }

    /// The children by a candidate, by branch; `cost` is that of the test.
    pub fn children(
        &self,
        problem: &Problem<'_, R>,
        candidate: usize,
        cost: f64,
    ) -> Vec<Arc<Self>> {
        let candidates = self.candidates(problem);
        let mut known = self.children.lock().unwrap_or_else(PoisonError::into_inner);
        known.resize(candidates.len(), None);
        let alive = known[candidate]
            .as_ref()
            .and_then(|children| children.iter().map(Weak::upgrade).collect());
        if let Some(children) = alive {
            return children;
        }
        let children = self.divided(problem, &candidates[candidate], cost);
        known[candidate] = Some(children.iter().map(Arc::downgrade).collect());
        children
    }

    /// The children by any candidate, made anew.
    pub fn divided(
        &self,
        problem: &Problem<'_, R>,
        division: &Candidate,
        cost: f64,
    ) -> Vec<Arc<Self>> {
        let lists = self.lists();
        let branches = self.region.branches(&lists, &problem.inputs, division);
        let lent: Vec<&Vec<Entry>> = lists.iter().collect();
        let response = &problem.response;
        let shares = problem.rules.passed(&division.shares);
        let divided = self
            .region
            .divide(lent, &branches, &shares, response, |_, _| true);
        let child = |(branch, (region, lists))| {
            let path = mixed(self.path, branch as u128 + 1);
            let place = (self.depth + 1, self.cost + cost, path);
            Arc::new(Self::new(region, Some(lists), response, place, &self.shelf))
        };
        divided.into_iter().enumerate().map(child).collect()
    }

    /// The candidate by which a sketch begins here.
    pub fn sketched(&self, problem: &Problem<'_, R>, sketch: &Sketch) -> Option<Candidate> {
        problem.sketched(&self.region, &self.lists(), sketch)
    }
}

impl<R: Response> Place<R> {
    /// What a candidate changes in the predictions of a tree that has this leaf, no example
    /// standing in several leaves.
    pub fn change(
        &self,
        problem: &Problem<'_, R>,
        candidate: usize,
        yardstick: &Yardstick,
    ) -> Arc<Change> {
        let candidates = self.candidates(problem);
        let mut known = self.changes.lock().unwrap_or_else(PoisonError::into_inner);
        known.resize(candidates.len(), None);
        let change = known[candidate].get_or_insert_with(|| {
            Arc::new(self.changed(problem, &candidates[candidate], yardstick))
        });
        Arc::clone(change)
    }

    /// What any candidate changes in them.
    pub fn changed(
        &self,
        problem: &Problem<'_, R>,
        candidate: &Candidate,
        yardstick: &Yardstick,
    ) -> Change {
        let before = yardstick.said(&problem.response.answers(&self.region.whole));
        let parts = self.parts(problem, candidate);
        let after = parts.iter().map(|part| {
            let said = yardstick.said(&problem.response.answers(&part.whole));
            (part.rows.as_slice(), said)
        });
        yardstick.change(&before, &after.collect::<Vec<_>>())
    }

    /// The examples of each branch of a candidate.
    pub fn parts(&self, problem: &Problem<'_, R>, candidate: &Candidate) -> Vec<Region<R>> {
        let branches = self
            .region
            .branches(&self.lists(), &problem.inputs, candidate);
        let none: Vec<Vec<Entry>> = Vec::new();
        let parts = self.region.divide(
            none,
            &branches,
            &problem.rules.passed(&candidate.shares),
            &problem.response,
            |_, _| false,
        );
        parts.into_iter().map(|part| part.0).collect()
    }
}

/// A hash of a hash and one more number.
pub fn mixed(hash: u128, more: u128) -> u128 {
    // Two rounds of multiplication and folding spread every bit over all others.
    const ODD: u128 = 0x9E37_79B9_7F4A_7C15_F39C_C060_5CED_C835;
    let mut mixed = (hash ^ more.wrapping_mul(ODD)).wrapping_add(ODD);
    for _ in 0..2 {
        mixed = (mixed ^ mixed >> 61).wrapping_mul(ODD);
        mixed ^= mixed >> 67;
    }
    mixed
}
