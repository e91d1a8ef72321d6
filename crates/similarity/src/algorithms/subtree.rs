//! The subtree kernel: how many fragments two trees share.
//!
//! A fragment is a node with all its children, each with all its own or without. Only pairs of
//! nodes that have the same label and the same children's labels share any, so nodes are grouped by
//! these once a tree, and the groups of two trees are merged.

use std::cmp::Ordering;

use super::scaled::{Number, Scaled};

/// A tree prepared for the subtree kernel.
///
/// ```
/// # use kinwood_similarity::algorithms::subtree::Fragments;
/// let tree = Fragments::new(&[0, 1, 2], &[2, 0, 0]); // a(b, c)
/// assert_eq!(tree.inner(&tree, 1.0).value(), 6.0);
/// ```
#[derive(Clone, Debug)]
pub struct Fragments {
    /// The children of each node, nodes in preorder: `children[starts[node]..starts[node + 1]]`.
    starts: Vec<u32>,
    children: Vec<u32>,
    /// Each node's label followed by those of its children:
    /// `key[starts[node] + node..][..1 + arity]`.
    keys: Vec<u32>,
    /// The nodes by their keys, ties by preorder.
    sorted: Vec<u32>,
    /// Where among `sorted` the group of each node begins, and the node's place in its group.
    groups: Vec<(u32, u32)>,
}

impl Fragments {
    /// Prepares a tree given in preorder by its labels and numbers of children.
    ///
    /// The numbers should describe one tree. Children that do not follow are taken not to exist,
    /// and nodes after the first whole tree are left out.
    pub fn new(labels: &[u32], arities: &[u32]) -> Self {
        let parents = parents(labels.len().min(arities.len()), arities);
        let count = parents.len();
        let mut starts = vec![0u32; count + 1];
        for &parent in parents.iter().flatten() {
            starts[parent as usize + 1] += 1;
        }
        for node in 0..count {
            starts[node + 1] += starts[node];
        }
        let mut next = starts.clone();
        let mut children = vec![0; count.saturating_sub(1)];
        for (node, parent) in parents.iter().enumerate() {
            if let Some(parent) = *parent {
                children[next[parent as usize] as usize] = node as u32;
                next[parent as usize] += 1;
            }
        }
        let mut keys = Vec::with_capacity(2 * count);
        for node in 0..count {
            keys.push(labels[node]);
            let own = &children[starts[node] as usize..starts[node + 1] as usize];
            keys.extend(own.iter().map(|&child| labels[child as usize]));
        }
        let mut fragments = Self {
            starts,
            children,
            keys,
            sorted: Vec::new(),
            groups: Vec::new(),
        };
        let mut sorted: Vec<u32> = (0..count).map(|node| node as u32).collect();
        sorted.sort_by(|&a, &b| fragments.key(a).cmp(fragments.key(b)));
        let mut groups = vec![(0, 0); count];
        let mut begin = 0;
        for group in sorted.chunk_by(|&a, &b| fragments.key(a) == fragments.key(b)) {
            for (place, &node) in group.iter().enumerate() {
                groups[node as usize] = (begin, place as u32);
            }
            begin += group.len() as u32;
        }
        (fragments.sorted, fragments.groups) = (sorted, groups);
        fragments
    }

    /// Number of nodes.
    pub fn len(&self) -> usize {
        self.sorted.len()
    }

    /// Whether there are no nodes.
    pub fn is_empty(&self) -> bool {
        self.sorted.is_empty()
    }

    fn key(&self, node: u32) -> &[u32] {
        let node = node as usize;
        let end = self.starts[node + 1] as usize + node + 1;
        &self.keys[self.starts[node] as usize + node..end]
    }

    fn children(&self, node: u32) -> &[u32] {
        let node = node as usize;
        &self.children[self.starts[node] as usize..self.starts[node + 1] as usize]
    }

    /// The kernel: over all pairs of nodes, the sum of `C`, which is 0 if the nodes' labels or
    /// their children's differ, and else `decay` times the product of `1 + C` over the pairs of
    /// children.
    ///
    /// The sum is taken in plain numbers, and again in scaled ones if it exceeds their range: it
    /// may double with every level of a tree's nodes squared.
    ///
    /// Laws: positive semi-definite. Cost: the number of pairs of like nodes, times their children;
    /// memory that of the pairs whose parents are still to come. Reference: M. Collins and N.
    /// Duffy, Convolution kernels for natural language, NIPS 2001.
    pub fn inner(&self, other: &Self, decay: f64) -> Scaled {
        let partners = self.partners(other);
        let sum = self.sum::<f64>(other, decay, &partners);
        match sum.is_finite() {
            true => Scaled::from(sum),
            false => self.sum::<Scaled>(other, decay, &partners),
        }
    }

    /// For each node, the range of the other tree's sorted nodes that are like it.
    fn partners(&self, other: &Self) -> Vec<(u32, u32)> {
        let mut partners = vec![(0, 0); self.len()];
        let same = |tree: &Self, from: usize| {
            let begin = tree.groups[tree.sorted[from] as usize].0;
            let like = tree.sorted[from..].iter();
            from + like
                .take_while(|&&node| tree.groups[node as usize].0 == begin)
                .count()
        };
        let (mut i, mut j) = (0, 0);
        while i < self.len() && j < other.len() {
            let (mine, theirs) = (self.key(self.sorted[i]), other.key(other.sorted[j]));
            match mine.cmp(theirs) {
                Ordering::Less => i = same(self, i),
                Ordering::Greater => j = same(other, j),
                Ordering::Equal => {
                    let (end, other_end) = (same(self, i), same(other, j));
                    for &node in &self.sorted[i..end] {
                        partners[node as usize] = (j as u32, other_end as u32);
                    }
                    (i, j) = (end, other_end);
                }
            }
        }
        partners
    }

    fn sum<N: Number>(&self, other: &Self, decay: f64, partners: &[(u32, u32)]) -> N {
        let (one, decay) = (N::of(1.0), N::of(decay));
        // The values of each node whose parent is still to come, with its partners in their order.
        let mut values: Vec<N> = Vec::new();
        let mut rows = vec![0usize; self.len()];
        let mut total = N::of(0.0);
        // Preorder backwards: children come before their parents, and no depth is too deep.
        for node in (0..self.len() as u32).rev() {
            let (from, to) = partners[node as usize];
            let own = values.len();
            for &partner in &other.sorted[from as usize..to as usize] {
                let mut product = decay;
                let pairs = self.children(node).iter().zip(other.children(partner));
                for (&child, &other_child) in pairs {
                    let (begin, place) = other.groups[other_child as usize];
                    let (from, to) = partners[child as usize];
                    // Like nodes of the other tree are one group: the child is among them if its
                    // group is theirs.
                    if from < to && from == begin {
                        let row = rows[child as usize];
                        product = product.times(one.plus(values[row + place as usize]));
                    }
                }
                values.push(product);
                total = total.plus(product);
            }
            // The children's values, the last child's lowest, have served; the node's own take
            // their place.
            let last = self.children(node).last();
            let row = last.map_or(own, |&child| rows[child as usize]);
            values.copy_within(own.., row);
            values.truncate(row + (to - from) as usize);
            rows[node as usize] = row;
        }
        total
    }
}

/// The parent of each node of the first whole tree in preorder, none for the root.
fn parents(count: usize, arities: &[u32]) -> Vec<Option<u32>> {
    let mut parents = Vec::with_capacity(count);
    let mut open: Vec<(u32, u32)> = Vec::new();
    for (node, &arity) in arities[..count].iter().enumerate() {
        while open.pop_if(|(_, missing)| *missing == 0).is_some() {}
        let parent = open.last_mut().map(|(parent, missing)| {
            *missing -= 1;
            *parent
        });
        if node > 0 && parent.is_none() {
            break;
        }
        parents.push(parent);
        open.push((node as u32, arity));
    }
    parents
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    /// Labels and numbers of children in preorder.
    type Flat = (Vec<u32>, Vec<u32>);

    fn grown(nodes: &[(u32, u8)]) -> Flat {
        let (mut labels, mut arities, mut open) = (Vec::new(), Vec::new(), Vec::<usize>::new());
        for (node, &(label, up)) in nodes.iter().enumerate() {
            open.truncate(open.len().saturating_sub(usize::from(up)).max(1));
            if let Some(&parent) = open.last() {
                arities[parent] += 1;
            }
            labels.push(label);
            arities.push(0);
            open.push(node);
        }
        (labels, arities)
    }

    fn flat() -> impl Strategy<Value = Flat> {
        (1..5u8)
            .prop_flat_map(|bushy| vec((0..2u32, 0..bushy), 0..14))
            .prop_map(|nodes| grown(&nodes))
    }

    /// The label and the children of a node, straight from the flat form.
    fn node((labels, arities): &Flat, at: usize) -> (u32, Vec<usize>) {
        fn end(arities: &[u32], at: usize) -> usize {
            (0..arities[at]).fold(at + 1, |next, _| end(arities, next))
        }
        let mut next = at + 1;
        let mut children = Vec::new();
        for _ in 0..arities[at] {
            children.push(next);
            next = end(arities, next);
        }
        (labels[at], children)
    }

    fn common(a: &Flat, b: &Flat, x: usize, y: usize, decay: f64) -> f64 {
        let ((label, children), (other_label, other_children)) = (node(a, x), node(b, y));
        let labels = |flat: &Flat, nodes: &[usize]| -> Vec<u32> {
            nodes.iter().map(|&node| flat.0[node]).collect()
        };
        if label != other_label || labels(a, &children) != labels(b, &other_children) {
            return 0.0;
        }
        let pairs = children.iter().zip(&other_children);
        decay
            * pairs
                .map(|(&x, &y)| 1.0 + common(a, b, x, y, decay))
                .product::<f64>()
    }

    fn naive(a: &Flat, b: &Flat, decay: f64) -> f64 {
        let pairs = (0..a.0.len()).flat_map(|x| (0..b.0.len()).map(move |y| (x, y)));
        pairs.map(|(x, y)| common(a, b, x, y, decay)).sum()
    }

    fn prepared((labels, arities): &Flat) -> Fragments {
        Fragments::new(labels, arities)
    }

    #[test]
    fn golden_values_and_edges() {
        let tree = Fragments::new(&[0, 1, 2], &[2, 0, 0]);
        assert_eq!(tree.inner(&tree, 1.0).value(), 6.0);
        assert_eq!(tree.inner(&tree, 0.5).value(), 0.5 + 0.5 + 0.5 * 1.5 * 1.5);
        let turned = Fragments::new(&[0, 2, 1], &[2, 0, 0]);
        assert_eq!(tree.inner(&turned, 1.0).value(), 2.0);
        let none = Fragments::new(&[], &[]);
        assert_eq!(none.inner(&tree, 1.0).value(), 0.0);
        assert_eq!(none.inner(&none, 1.0).value(), 0.0);
        assert_eq!(Fragments::new(&[1, 2], &[7, u32::MAX]).len(), 2);
        assert_eq!(Fragments::new(&[1, 2], &[0, 0]).len(), 1);
    }

    #[test]
    fn deep_trees() {
        // A path of n equal nodes: a node k levels above the leaf shares min(k, l) + 1 fragments
        // with one l above it, but the leaf is like none but itself.
        let count = 2000u32;
        let mut arities = vec![1; count as usize];
        arities[count as usize - 1] = 0;
        let path = Fragments::new(&vec![3; count as usize], &arities);
        let distinct: Vec<u32> = (0..100_000).collect();
        let mut long = vec![1; 100_000];
        long[99_999] = 0;
        let unlike = Fragments::new(&distinct, &long);
        // Each of n nodes shares its height with itself and nothing with others.
        assert_eq!(
            unlike.inner(&unlike, 1.0).value(),
            100_000.0 * 100_001.0 / 2.0
        );
        let naive: f64 = (0..u64::from(count))
            .flat_map(|k| (0..u64::from(count)).map(move |l| (k, l)))
            .map(|(k, l)| match (k, l) {
                (0, 0) => 1.0,
                (0, _) | (_, 0) => 0.0,
                // Where one path ends before the other, its leaf is not like the other's inner
                // node.
                (k, l) if k == l => k as f64 + 1.0,
                (k, l) => k.min(l) as f64,
            })
            .sum();
        assert_eq!(path.inner(&path, 1.0).value(), naive);
    }

    #[test]
    fn beyond_the_range_of_f64() {
        // A whole binary tree of 12 levels: ln(1 + C) doubles with every level.
        fn build(levels: u32, arities: &mut Vec<u32>) {
            arities.push(if levels == 1 { 0 } else { 2 });
            for _ in 0..arities[arities.len() - 1] {
                build(levels - 1, arities);
            }
        }
        let mut arities = Vec::new();
        build(12, &mut arities);
        // Labels tell the levels apart, so that only nodes of the same level are like.
        let mut depths = vec![0u32; arities.len()];
        let mut open: Vec<(u32, u32)> = Vec::new();
        for (node, &arity) in arities.iter().enumerate() {
            while open.pop_if(|(_, missing)| *missing == 0).is_some() {}
            depths[node] = open.last().map_or(0, |&(depth, _)| depth + 1);
            if let Some((_, missing)) = open.last_mut() {
                *missing -= 1;
            }
            open.push((depths[node], arity));
        }
        let tree = Fragments::new(&depths, &arities);
        let found = tree.inner(&tree, 1.0);
        assert_eq!(found.value(), f64::INFINITY);
        // C at the root alone outweighs the rest: C = (1 + C')^2 from C = 1 at the leaves.
        let mut logarithm = 0.0f64;
        for _ in 1..12 {
            logarithm = 2.0 * (logarithm + (-logarithm).exp().ln_1p());
        }
        assert!((found.ln() - logarithm).abs() < 1e-9 * logarithm);
        assert_eq!(Scaled::normalised(found, found, found), 1.0);
    }

    kinwood_testing::soak! { 256;
        fn soak_agrees_with_the_recursion(a in flat(), b in flat(), decay in 0.1..1.0f64) {
            let (x, y) = (prepared(&a), prepared(&b));
            let expected = naive(&a, &b, decay);
            prop_assert!((x.inner(&y, decay).value() - expected).abs() <= 1e-9 * (1.0 + expected));
            prop_assert!((y.inner(&x, decay).value() - expected).abs() <= 1e-9 * (1.0 + expected));
            let whole = x.sum::<Scaled>(&y, 1.0, &x.partners(&y)).value();
            prop_assert_eq!(whole, naive(&a, &b, 1.0));
        }
    }
}
