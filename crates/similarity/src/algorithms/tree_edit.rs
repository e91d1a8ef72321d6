//! Edit distance of ordered labelled trees: exact, by decomposing both along left and right paths.
//!
//! A tree is prepared once ([`Tree`]), buffers are reused from pair to pair ([`Workspace`]). Zhang
//! and Shasha's algorithm decomposes both trees to the left; mirrored, it decomposes both to the
//! right. The cheaper of the two is taken, and where both are dear, each pair of subtrees gets the
//! cheapest of the four choices (left or right, of the first tree or of the second), found
//! beforehand by counting (Pawlik and Augsten).

mod distances;
mod mapping;
mod strategy;
#[cfg(test)]
mod tests;
mod tree;

pub use mapping::Mapping;
pub use tree::Tree;

use distances::{Buffers, Plan};

use super::edit::{self, Query};

/// What each edit of a node costs, on the way from the first tree to the second.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Costs {
    /// Of a node that only the second tree has.
    pub insert: f64,
    /// Of a node that only the first tree has: its children take its place.
    pub delete: f64,
    /// Of a node that gets another label.
    pub relabel: f64,
}

impl Default for Costs {
    /// Each edit costs one.
    fn default() -> Self {
        Self {
            insert: 1.0,
            delete: 1.0,
            relabel: 1.0,
        }
    }
}

/// Buffers that comparisons share, so that a comparison allocates nothing once they have grown.
#[derive(Clone, Debug, Default)]
pub struct Workspace {
    whole: Buffers<i32>,
    real: Buffers<f64>,
    plan: strategy::Scratch,
}

/// Distances below this are computed in whole numbers where all costs are whole.
const WHOLE: f64 = (1 << 30) as f64;

/// Slack given to bounds derived by other sums than the distance itself, so that rounding never
/// hides a pair.
const SLACK: f64 = 1e-9;

impl Costs {
    /// Tai's tree edit distance: the least cost of a sequence of insertions, deletions and
    /// relabellings of nodes.
    ///
    /// ```
    /// # use kinwood_similarity::algorithms::tree_edit::{Costs, Tree, Workspace};
    /// // a(b, c(d)) and a(b, d): c goes.
    /// let first = Tree::new(&[0, 1, 2, 3], &[2, 0, 1, 0]);
    /// let second = Tree::new(&[0, 1, 3], &[2, 0, 0]);
    /// assert_eq!(Costs::default().distance(&first, &second, &mut Workspace::default()), 1.0);
    /// ```
    ///
    /// Laws: a metric if insertion and deletion cost the same, more than nothing, and a relabelling
    /// costs something. Cost: at most that of Zhang and Shasha in either direction; memory
    /// `|a| * |b|`. References: K.-C. Tai, The tree-to-tree correction problem, JACM 26(3), 1979;
    /// K. Zhang and D. Shasha, Simple fast algorithms for the editing distance between trees and
    /// related problems, SIAM Journal on Computing 18(6), 1989; M. Pawlik and N. Augsten, RTED: a
    /// robust algorithm for the tree edit distance, PVLDB 5(4), 2011.
    pub fn distance(&self, a: &Tree, b: &Tree, workspace: &mut Workspace) -> f64 {
        if a.is_empty() || b.is_empty() {
            return a.len() as f64 * self.delete + b.len() as f64 * self.insert;
        }
        let plan = Plan::new(a, b, &mut workspace.plan);
        match self.whole(a, b) {
            Some(costs) => f64::from(workspace.whole.distance(a, b, costs, &plan)),
            None => workspace.real.distance(a, b, self.parts(), &plan),
        }
    }

    /// The distance if it is at most `bound`; most pairs that are not are told by cheaper measures:
    /// the sizes, the labels as bags, and the edit distances of the labels as sequences, in both
    /// orders.
    ///
    /// Reference for the latter: S. Guha, H. V. Jagadish, N. Koudas, D. Srivastava and T. Yu,
    /// Approximate XML joins, SIGMOD 2002.
    pub fn within(&self, a: &Tree, b: &Tree, bound: f64, workspace: &mut Workspace) -> Option<f64> {
        let limit = bound + SLACK * bound.abs();
        if self.least(a, b) > limit {
            return None;
        }
        let costs = edit::Costs {
            insert: self.insert,
            delete: self.delete,
            substitute: self.relabel,
        };
        for (first, second) in [(&a.left, &b.left), (&a.right, &b.right)] {
            Query::new(costs, &first.labels).within(&second.labels, limit)?;
        }
        let distance = self.distance(a, b, workspace);
        (distance <= bound).then_some(distance)
    }

    /// A cheapest set of edits: which nodes correspond, and which are new or gone; among equals
    /// always the same.
    pub fn mapping(&self, a: &Tree, b: &Tree, workspace: &mut Workspace) -> Mapping {
        if a.is_empty() || b.is_empty() {
            return Mapping::of_pairs(a, b, Vec::new());
        }
        let plan = Plan::new(a, b, &mut workspace.plan);
        let pairs = match self.whole(a, b) {
            Some(costs) => mapping::pairs(&mut workspace.whole, a, b, costs, &plan),
            None => mapping::pairs(&mut workspace.real, a, b, self.parts(), &plan),
        };
        Mapping::of_pairs(a, b, pairs)
    }

    /// What the sizes and the labels alone make necessary: as many pairs of nodes as there can be,
    /// those beyond the labels in common at the cost of a relabelling.
    fn least(&self, a: &Tree, b: &Tree) -> f64 {
        let pairs = a.len().min(b.len());
        let changed = pairs - a.common_labels(b);
        let change = self.relabel.min(self.insert + self.delete);
        (a.len() - pairs) as f64 * self.delete
            + (b.len() - pairs) as f64 * self.insert
            + changed as f64 * change
    }

    fn parts(&self) -> [f64; 3] {
        [self.insert, self.delete, self.relabel]
    }

    /// The costs as whole numbers, if they are and no sum of them leaves the range.
    fn whole(&self, a: &Tree, b: &Tree) -> Option<[i32; 3]> {
        let nodes = (a.len() + b.len() + 1) as f64;
        let whole = |cost: f64| cost.fract() == 0.0 && (cost * nodes).abs() < WHOLE;
        let parts = self.parts();
        let all = parts.iter().all(|&cost| whole(cost));
        all.then(|| parts.map(|cost| cost as i32))
    }
}
