//! A tree as flat arrays: a node is a place in each of them, and stands behind the node above it.

/// A tree whose leaves add a number to a score.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tree {
    /// By node: the feature that is tested.
    pub features: Vec<u32>,
    /// By node: the threshold of a number, above which rows go to the first branch.
    pub thresholds: Vec<f64>,
    /// By node: where the set of labels that go to the first branch begins and ends; nothing where
    /// numbers are tested.
    pub sets: Vec<Option<(u32, u32)>>,
    /// The labels of all sets, those of a set rising.
    pub labels: Vec<u32>,
    /// By node: the first branch and the other; 0 for leaves.
    pub branches: Vec<[u32; 2]>,
    /// By node: whether rows without a value go to the first branch.
    pub missing: Vec<bool>,
    /// By node: what a leaf adds.
    pub values: Vec<f64>,
    /// By node: the weight of the training rows.
    pub weights: Vec<f64>,
    /// By node: by how much its test lowered the loss.
    pub gains: Vec<f64>,
}

/// The threshold below every number: whether a value is known.
pub const KNOWN: f64 = f64::MIN;

impl Tree {
    /// Number of nodes.
    pub fn len(&self) -> usize {
        self.features.len()
    }

    /// Number of leaves.
    pub fn leaves(&self) -> usize {
        self.len().div_ceil(2)
    }

    /// Whether a node is a leaf.
    pub fn is_leaf(&self, node: usize) -> bool {
        self.branches[node][0] == 0
    }

    /// Adds a leaf.
    pub fn push(&mut self, value: f64, weight: f64) -> usize {
        self.features.push(0);
        self.thresholds.push(0.0);
        self.sets.push(None);
        self.branches.push([0, 0]);
        self.missing.push(false);
        self.values.push(value);
        self.weights.push(weight);
        self.gains.push(0.0);
        self.len() - 1
    }

    /// The set of labels of a node; `None` where numbers are tested.
    pub fn set(&self, node: usize) -> Option<&[u32]> {
        self.sets[node].map(|(from, to)| &self.labels[from as usize..to as usize])
    }

    /// Whether a value of the tested feature goes to the first branch.
    #[inline]
    pub fn takes_first(&self, node: usize, value: f64) -> bool {
        if value.is_nan() {
            return self.missing[node];
        }
        match self.sets[node] {
            None => value > self.thresholds[node],
            Some((from, to)) => {
                let set = &self.labels[from as usize..to as usize];
                set.binary_search(&(value as u32)).is_ok()
            }
        }
    }

    /// The leaf of a row, whose values are given by feature.
    #[inline]
    pub fn leaf(&self, values: &[f64]) -> usize {
        let mut node = 0;
        while self.branches[node][0] != 0 {
            let first = self.takes_first(node, values[self.features[node] as usize]);
            node = self.branches[node][usize::from(!first)] as usize;
        }
        node
    }

    /// The share of the rows of a node that a branch has.
    pub fn share(&self, node: usize, branch: usize) -> f64 {
        match self.weights[node] > 0.0 {
            true => self.weights[self.branches[node][branch] as usize] / self.weights[node],
            false => 0.5,
        }
    }

    /// By node: the mean answer of the leaves below.
    pub fn means(&self) -> Vec<f64> {
        let mut means = self.values.clone();
        for node in (0..self.len()).rev().filter(|&node| !self.is_leaf(node)) {
            let one = |branch: usize| {
                self.share(node, branch) * means[self.branches[node][branch] as usize]
            };
            means[node] = one(0) + one(1);
        }
        means
    }

    /// The depth of each node.
    pub fn depths(&self) -> Vec<usize> {
        let mut depths = vec![0; self.len()];
        for node in 0..self.len() {
            for &child in self.branches[node].iter().filter(|child| **child != 0) {
                depths[child as usize] = depths[node] + 1;
            }
        }
        depths
    }

    /// What is wrong with a tree over so many features, if anything is; `labels` says how many
    /// labels a feature has, and 0 for numbers.
    pub fn fault(
        &self,
        features: usize,
        labels: impl Fn(usize) -> Option<usize>,
    ) -> Option<&'static str> {
        let len = self.len();
        let each = [
            self.thresholds.len(),
            self.sets.len(),
            self.branches.len(),
            self.missing.len(),
            self.values.len(),
            self.weights.len(),
            self.gains.len(),
        ];
        if len == 0 || each.iter().any(|own| *own != len) {
            return Some("arrays of different lengths");
        }
        let mut above = vec![false; len];
        above[0] = true;
        for node in 0..len {
            if !self.values[node].is_finite() || !self.gains[node].is_finite() {
                return Some("an answer that is not finite");
            }
            if !(self.weights[node].is_finite() && self.weights[node] >= 0.0) {
                return Some("a weight that is none");
            }
            if !above[node] {
                return Some("a node that no other leads to");
            }
            if self.branches[node] == [0, 0] {
                continue;
            }
            for child in self.branches[node] {
                let child = child as usize;
                if child <= node || child >= len || above[child] {
                    return Some("branches that make no tree");
                }
                above[child] = true;
            }
            let [yes, no] = self.branches[node].map(|branch| self.weights[branch as usize]);
            let off = (self.weights[node] - yes - no).abs();
            if off > 1e-6 * self.weights[node].max(1.0) {
                return Some("branches that do not weigh what their node does");
            }
            let feature = self.features[node] as usize;
            if feature >= features {
                return Some("a test of what is not there");
            }
            match (self.sets[node], labels(feature)) {
                (None, None) if self.thresholds[node].is_finite() => {}
                (Some((from, to)), Some(count)) => {
                    let Some(set) = self.labels.get(from as usize..to as usize) else {
                        return Some("a set of labels that is not there");
                    };
                    let rising = set.windows(2).all(|pair| pair[0] < pair[1]);
                    if !rising || set.last().is_some_and(|last| *last as usize >= count) {
                        return Some("a set of labels that are not there");
                    }
                }
                _ => return Some("a test of another type than its column"),
            }
        }
        None
    }
}
