//! Growing a tree: the leaf that gains most is divided next, until there are as many as there may
//! be.

use super::bins::{Binned, Cuts};
use super::constraints::Together;
use super::features::Features;
use super::histogram::{Histogram, Quantised, Sums};
use super::rows::divide;
use super::split::{Among, Bounds, Division, Rules, Search};
use super::tree::{KNOWN, Tree};

/// Histograms of leaves are kept in so many bytes; beyond, both branches are added up.
const KEPT: usize = 1 << 30;

/// How trees grow.
pub struct Growth<'a> {
    /// The rows.
    pub binned: &'a Binned,
    /// What they are looked at.
    pub features: &'a Features,
    /// What divisions must keep to.
    pub rules: &'a Rules,
    /// Which features may be tested below which.
    pub together: &'a Together,
    /// The most leaves.
    pub leaves: usize,
    /// The most tests from the root to a leaf.
    pub depth: usize,
}

/// A tree with the rows of its leaves.
pub struct Grown {
    /// The tree; its leaves have no answers yet.
    pub tree: Tree,
    /// By leaf: its node, its rows among all, and what its answer must be between.
    pub leaves: Vec<Leaf>,
}

/// A leaf.
pub struct Leaf {
    /// Its node.
    pub node: usize,
    /// Where its rows begin and end.
    pub rows: std::ops::Range<usize>,
    /// What its answer must be between.
    pub bounds: Bounds,
}

struct Open {
    leaf: Leaf,
    depth: usize,
    /// The columns tested above.
    above: Vec<u32>,
    histogram: Option<Histogram>,
    division: Option<Division>,
}

impl Growth<'_> {
    /// Grows a tree on rows, which are put into the order of its leaves; `room` is as long.
    pub fn tree(
        &self,
        quantised: &Quantised,
        rows: &mut [u32],
        room: &mut [u32],
        weight: f64,
        columns: &[u32],
    ) -> Grown {
        let mut tree = Tree::default();
        let node = tree.push(0.0, weight);
        let histogram = quantised.histogram(self.binned, rows);
        let sums = quantised.sums(self.binned, &histogram, weight);
        let mut root = Open {
            leaf: Leaf {
                node,
                rows: 0..rows.len(),
                bounds: Bounds::NONE,
            },
            depth: 0,
            above: Vec::new(),
            histogram: Some(histogram),
            division: None,
        };
        self.search(quantised, &mut root, sums, columns);
        let mut open = vec![root];
        let most = KEPT / Histogram::memory(self.binned).max(1);
        while open.len() < self.leaves {
            let Some(place) = most_gaining(&open) else {
                break;
            };
            let Some(division) = open[place].division.take() else {
                break;
            };
            let parent = &open[place];
            let range = parent.leaf.rows.clone();
            let first = self.first(&division);
            let bins = &self.binned.columns[division.feature];
            let count = divide(
                &mut rows[range.clone()],
                &mut room[range.clone()],
                bins,
                &first,
            );
            if count == 0 || count == range.len() {
                // Weights that were estimated promised rows that are not there.
                continue;
            }
            let parent = open.swap_remove(place);
            let last = open.len() + 2 >= self.leaves;
            let [yes, no] = self.children(
                &mut tree, parent, division, count, quantised, rows, columns, last,
            );
            // The order of open leaves decides between equals, and is that of their nodes.
            open.push(yes);
            open.push(no);
            open.sort_by_key(|open| open.leaf.node);
            let held = open.iter().filter(|open| open.histogram.is_some()).count();
            if held > most {
                let least = open
                    .iter_mut()
                    .filter(|open| open.histogram.is_some())
                    .min_by_key(|open| open.leaf.rows.len());
                least.into_iter().for_each(|open| open.histogram = None);
            }
        }
        let leaves = open.into_iter().map(|open| open.leaf).collect();
        Grown { tree, leaves }
    }

    /// The bins that go to the first branch.
    fn first(&self, division: &Division) -> [bool; 256] {
        let known = self.binned.cuts[division.feature].bins();
        let mut first = [false; 256];
        match &division.among {
            Among::Above(cut) => {
                let from = cut.map_or(0, |cut| cut as usize + 1);
                first[from..known].fill(true);
            }
            Among::Labels(labels) => labels
                .iter()
                .for_each(|&label| first[label as usize] = true),
        }
        first[known] = division.missing;
        first
    }

    #[expect(clippy::too_many_arguments, reason = "the state of one step")]
    fn children(
        &self,
        tree: &mut Tree,
        mut parent: Open,
        division: Division,
        count: usize,
        quantised: &Quantised,
        rows: &[u32],
        columns: &[u32],
        last: bool,
    ) -> [Open; 2] {
        let range = parent.leaf.rows.clone();
        let yes = tree.push(0.0, division.yes.weight);
        let no = tree.push(0.0, division.no.weight);
        self.write(tree, parent.leaf.node, &division, [yes, no]);
        let bounds = self.bounds(&parent, &division);
        parent.above.push(self.features.all[division.feature].input);
        parent.above.sort_unstable();
        parent.above.dedup();
        let middle = range.start + count;
        let open = |node: usize, rows: std::ops::Range<usize>, bounds: Bounds| Open {
            leaf: Leaf { node, rows, bounds },
            depth: parent.depth + 1,
            above: parent.above.clone(),
            histogram: None,
            division: None,
        };
        let mut children = [
            open(yes, range.start..middle, bounds[0]),
            open(no, middle..range.end, bounds[1]),
        ];
        let sums = [division.yes, division.no];
        let wanted = |place: usize| {
            let own: &Sums = &sums[place];
            !last && parent.depth + 1 < self.depth && own.weight >= 2.0 * self.rules.leaf
        };
        if wanted(0) || wanted(1) {
            let (small, large) = match children[0].leaf.rows.len() <= children[1].leaf.rows.len() {
                true => (0, 1),
                false => (1, 0),
            };
            let of = |open: &Open| quantised.histogram(self.binned, &rows[open.leaf.rows.clone()]);
            match parent.histogram.take() {
                Some(mut histogram) if wanted(large) => {
                    let own = of(&children[small]);
                    histogram.subtract(&own);
                    children[large].histogram = Some(histogram);
                    children[small].histogram = Some(own);
                }
                _ => {
                    for place in [small, large] {
                        if wanted(place) {
                            children[place].histogram = Some(of(&children[place]));
                        }
                    }
                }
            }
            for (place, child) in children.iter_mut().enumerate() {
                if wanted(place) {
                    self.search(quantised, child, sums[place], columns);
                }
                if child.division.is_none() {
                    child.histogram = None;
                }
            }
        }
        children
    }

    fn search(&self, quantised: &Quantised, open: &mut Open, sums: Sums, columns: &[u32]) {
        let Some(histogram) = open.histogram.as_ref().filter(|_| self.depth > open.depth) else {
            return;
        };
        let allowed = self.together.allowed(self.features, &open.above, columns);
        let search = Search {
            binned: self.binned,
            quantised,
            rules: self.rules,
            sums,
            bounds: open.leaf.bounds,
        };
        open.division = search.best(histogram, allowed.as_deref().unwrap_or(columns));
    }

    /// What the answers of both branches must be between.
    fn bounds(&self, parent: &Open, division: &Division) -> [Bounds; 2] {
        let own = parent.leaf.bounds;
        let direction = self
            .rules
            .monotone
            .get(division.feature)
            .copied()
            .unwrap_or(0);
        if direction == 0 {
            return [own, own];
        }
        let yes = self.rules.answer(&division.yes, own);
        let no = self.rules.answer(&division.no, own);
        let middle = yes / 2.0 + no / 2.0;
        let (above, below) = (
            Bounds {
                least: middle,
                ..own
            },
            Bounds {
                most: middle,
                ..own
            },
        );
        match direction > 0 {
            true => [above, below],
            false => [below, above],
        }
    }

    fn write(&self, tree: &mut Tree, node: usize, division: &Division, branches: [usize; 2]) {
        tree.features[node] = division.feature as u32;
        tree.branches[node] = branches.map(|branch| branch as u32);
        tree.missing[node] = division.missing;
        tree.gains[node] = division.gain;
        match (&division.among, &self.binned.cuts[division.feature]) {
            (Among::Above(Some(cut)), Cuts::Numbers(cuts)) => {
                tree.thresholds[node] = cuts[*cut as usize];
            }
            (Among::Labels(bins), _) => {
                let from = tree.labels.len() as u32;
                let labels = &self.binned.labels[division.feature];
                tree.labels
                    .extend(bins.iter().map(|&bin| labels[bin as usize]));
                tree.sets[node] = Some((from, tree.labels.len() as u32));
            }
            _ => tree.thresholds[node] = KNOWN,
        }
    }
}

fn most_gaining(open: &[Open]) -> Option<usize> {
    let mut best: Option<(usize, f64)> = None;
    for (place, open) in open.iter().enumerate() {
        if let Some(division) = &open.division
            && best.is_none_or(|(_, gain)| division.gain > gain)
        {
            best = Some((place, division.gain));
        }
    }
    best.map(|(place, _)| place)
}
