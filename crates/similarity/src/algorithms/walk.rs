//! The walk kernel: pairs of walks, one in each graph, that read the same labels.
//!
//! Such pairs are the walks of the product graph, whose nodes are the pairs of nodes with equal
//! labels and whose edges the pairs of edges with equal labels between them; with A its adjacency
//! matrix, the kernel is the sum over lengths `k >= 1` of `weight(k) 1'A^k 1`. An undirected edge
//! is walked both ways, a loop one way.
//!
//! The product is never built. Both graphs keep their edges by kind (label of the node left, of the
//! edge, of the node reached), so that A times a vector is a few nested loops over the edges of
//! common kinds; edges into one node of the first graph share the sum over the second where that is
//! less work. If both graphs are undirected, A is symmetric, `1'A^(i+j) 1` is the product of
//! `A^i 1` and `A^j 1`, and half the multiplications do.
//!
//! When a series may end. Let x_k = A^k 1, t_k its weighted sum, and b the largest entry of A^2 1.
//! Entries are not negative, so from A^2 1 <= b 1 follows 1'A^(k+2) 1 <= b 1'A^k 1. With weights
//! 1/k!, then, the terms after t_(k-1) and t_k fall, taken in turn, at least by r = b / (k (k + 1))
//! each time, and what is left is at most (t_(k-1) + t_k) r / (1 - r) once r < 1. For weights w^k
//! the same holds with r = w^2 b. There, moreover, from lo x_k <= w A x_k <= hi x_k (entry by
//! entry) the same follows for every later k, so that what is left lies between t lo / (1 - lo) and
//! t hi / (1 - hi), t the last term: on regular graphs, where the series is slow, the two meet at
//! once.
//!
//! Reference: T. Gaertner, P. Flach and S. Wrobel, *On graph kernels: hardness results and
//! efficient alternatives*, COLT 2003, 129-143.

use std::ops::Range;

use super::graph::LabelledGraph;

/// Geometric weights times the largest product degree must not exceed this: nearer to 1, the series
/// takes millions of steps.
pub const LIMIT: f64 = 1.0 - 1e-6;

/// A graph prepared for walking: nodes by label, edges by kind.
///
/// Nodes without edges begin no walk and are left out.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct WalkGraph {
    /// The steps: an undirected edge is two.
    sources: Vec<u32>,
    targets: Vec<u32>,
    kinds: Vec<Kind>,
    /// Number of nodes with each label, by label.
    group_sizes: Vec<u32>,
    directed: bool,
    largest_degree: usize,
}

/// Steps that read the same: label of the node left, of the edge, of the node reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Kind {
    labels: (u32, u32, u32),
    from_group: u32,
    to_group: u32,
    /// Where its steps end; they are by target, then by source, each a rank within its group.
    end: u32,
}

impl WalkGraph {
    /// Prepares a graph.
    pub fn new(graph: &LabelledGraph) -> WalkGraph {
        let labels = graph.node_labels();
        let walked =
            |node: usize| !graph.outgoing(node).is_empty() || !graph.incoming(node).is_empty();
        let mut nodes: Vec<usize> = (0..labels.len()).filter(|&node| walked(node)).collect();
        nodes.sort_by_key(|&node| labels[node]);
        let mut place = vec![(0, 0); labels.len()];
        let mut group_sizes: Vec<u32> = Vec::new();
        let mut last = None;
        for &node in &nodes {
            if last != Some(labels[node]) {
                last = Some(labels[node]);
                group_sizes.push(0);
            }
            let group = group_sizes.len() - 1;
            place[node] = (group as u32, group_sizes[group]);
            group_sizes[group] += 1;
        }
        let mut steps = Vec::new();
        for &node in &nodes {
            for step in graph.outgoing(node) {
                let to = step.node as usize;
                let kind = (labels[node], step.label, labels[to]);
                steps.push((kind, place[to].1, place[node].1, place[node].0, place[to].0));
            }
        }
        steps.sort_unstable();
        let mut kinds: Vec<Kind> = Vec::new();
        for (at, &(labels, _, _, from_group, to_group)) in steps.iter().enumerate() {
            let end = at as u32 + 1;
            match kinds.last_mut() {
                Some(kind) if kind.labels == labels => kind.end = end,
                _ => kinds.push(Kind {
                    labels,
                    from_group,
                    to_group,
                    end,
                }),
            }
        }
        WalkGraph {
            sources: steps.iter().map(|step| step.2).collect(),
            targets: steps.iter().map(|step| step.1).collect(),
            kinds,
            group_sizes,
            directed: graph.directed(),
            largest_degree: graph.largest_degree(),
        }
    }

    /// The most ways on from any node. The product of two graphs has no larger degree than theirs
    /// multiplied.
    pub fn largest_degree(&self) -> usize {
        self.largest_degree
    }

    /// The kinds and where the steps of each lie.
    fn kinds(&self) -> impl Iterator<Item = (&Kind, Range<usize>)> {
        let starts = [0]
            .into_iter()
            .chain(self.kinds.iter().map(|kind| kind.end as usize));
        self.kinds
            .iter()
            .zip(starts)
            .map(|(kind, start)| (kind, start..kind.end as usize))
    }
}

/// Whether the geometric series is sure to converge on graphs whose largest degrees are these.
pub fn converges(weight: f64, degree_a: usize, degree_b: usize) -> bool {
    weight >= 0.0 && weight * (degree_a as f64 * degree_b as f64) <= LIMIT
}

/// Computes walk kernels, one pair of graphs after another in the same memory.
///
/// ```
/// use kinwood_similarity::algorithms::graph::{LabelledEdge, LabelledGraph, UNLABELLED};
/// use kinwood_similarity::algorithms::walk::{WalkGraph, Walker};
/// let graph = |edges: &[(u32, u32)]| {
///     let edge = |&(from, to)| LabelledEdge { from, to, label: UNLABELLED };
///     let edges: Vec<LabelledEdge> = edges.iter().map(edge).collect();
///     WalkGraph::new(&LabelledGraph::new(true, vec![0, 1, 2, 3], &edges))
/// };
/// let (a, b) = (graph(&[(0, 1), (1, 2), (0, 3)]), graph(&[(0, 1), (0, 3)]));
/// assert_eq!(Walker::default().factorial(&a, &b), 2.0);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Walker {
    product: Product,
    x: Vec<f64>,
    y: Vec<f64>,
}

impl Walker {
    /// The kernel with weight `1 / length!`.
    ///
    /// Exact to rounding, the same whichever graph comes first; infinite where it exceeds every
    /// number.
    pub fn factorial(&mut self, a: &WalkGraph, b: &WalkGraph) -> f64 {
        let (a, b) = in_order(a, b);
        if !self.start(a, b) {
            return 0.0;
        }
        if a.directed || b.directed {
            self.factorial_directed(a, b)
        } else {
            self.factorial_undirected(a, b)
        }
    }

    /// The kernel with weight `weight^length`, to 14 digits.
    ///
    /// `None` if `weight` is negative or, times the largest degree of the product graph, exceeds
    /// [`LIMIT`]; never where [`converges`] holds for the largest degrees of the graphs.
    pub fn geometric(&mut self, a: &WalkGraph, b: &WalkGraph, weight: f64) -> Option<f64> {
        let (a, b) = in_order(a, b);
        if weight.is_nan() || weight < 0.0 {
            return None;
        }
        if !self.start(a, b) {
            return Some(0.0);
        }
        self.step(a, b, weight);
        (largest(&self.x) <= LIMIT).then(|| self.sum_geometric(a, b, weight))
    }

    /// The largest degree of the product graph: the least upper bound on what [`Walker::geometric`]
    /// admits is its inverse.
    pub fn largest_product_degree(&mut self, a: &WalkGraph, b: &WalkGraph) -> f64 {
        let (a, b) = in_order(a, b);
        if !self.start(a, b) {
            return 0.0;
        }
        self.step(a, b, 1.0);
        largest(&self.x)
    }

    /// Sets out with one walk of length 0 at each node of the product; tells whether any goes on.
    fn start(&mut self, a: &WalkGraph, b: &WalkGraph) -> bool {
        self.product.join(a, b);
        self.x.clear();
        self.x.resize(self.product.nodes, 1.0);
        self.y.clear();
        self.y.resize(self.product.nodes, 0.0);
        self.product.nodes > 0
    }

    /// Replaces x by `factor A x`; y holds the former x.
    fn step(&mut self, a: &WalkGraph, b: &WalkGraph, factor: f64) {
        std::mem::swap(&mut self.x, &mut self.y);
        self.product.multiply(a, b, &self.y, &mut self.x);
        if factor != 1.0 {
            self.x.iter_mut().for_each(|entry| *entry *= factor);
        }
    }

    fn factorial_directed(&mut self, a: &WalkGraph, b: &WalkGraph) -> f64 {
        let (mut sum, mut before, mut most) = (0.0, 0.0, f64::INFINITY);
        let mut length = 0.0;
        loop {
            length += 1.0;
            self.step(a, b, 1.0 / length);
            let term = total(&self.x);
            sum += term;
            if length == 2.0 {
                most = 2.0 * largest(&self.x);
            }
            if ended(sum, before, term, most / (length * (length + 1.0)), 1e-16) {
                return sum;
            }
            before = term;
        }
    }

    /// With `x_k = A^k 1 / (2^k k!)` and `c_k = 4^k k! k! / (2k)!`, the terms are
    /// `t_2k = c_k x_k'x_k` and `t_(2k-1) = c_k x_(k-1)'x_k`. The powers of two keep the products
    /// within range where the kernel is.
    fn factorial_undirected(&mut self, a: &WalkGraph, b: &WalkGraph) -> f64 {
        let (mut sum, mut most, mut scale) = (0.0, f64::INFINITY, 1.0);
        let mut half = 0.0;
        loop {
            half += 1.0;
            self.step(a, b, 0.5 / half);
            scale *= 2.0 * half / (2.0 * half - 1.0);
            let odd = scale * product(&self.y, &self.x);
            let even = scale * product(&self.x, &self.x);
            sum += odd + even;
            if half == 2.0 {
                most = 8.0 * largest(&self.x);
            }
            let length = 2.0 * half;
            if ended(sum, odd, even, most / (length * (length + 1.0)), 1e-16) {
                return sum;
            }
        }
    }

    /// Continues after the first step.
    fn sum_geometric(&mut self, a: &WalkGraph, b: &WalkGraph, weight: f64) -> f64 {
        let directed = a.directed || b.directed;
        let (mut sum, mut most) = (0.0, f64::INFINITY);
        let mut before = 0.0;
        for steps in 1u64.. {
            let term;
            if directed {
                term = total(&self.x);
                sum += term;
            } else {
                before = product(&self.y, &self.x);
                term = product(&self.x, &self.x);
                sum += before + term;
            }
            if steps == 2 {
                most = largest(&self.x);
            }
            if ended(sum, before, term, most, 1e-14) {
                break;
            }
            // Told by a division an entry, so asked now and then only.
            if steps % 4 == 0 {
                let (low, high) = ratios(&self.y, &self.x);
                let (least, most) = (term * low / (1.0 - low), term * high / (1.0 - high));
                if most - least <= 1e-14 * (sum + least) {
                    return sum + (least + most) / 2.0;
                }
            }
            before = term;
            self.step(a, b, weight);
        }
        sum
    }
}

/// The same order whichever comes first, so that rounding cannot tell.
fn in_order<'a>(a: &'a WalkGraph, b: &'a WalkGraph) -> (&'a WalkGraph, &'a WalkGraph) {
    let size = |graph: &WalkGraph| graph.sources.len();
    if (size(a), a) <= (size(b), b) {
        (a, b)
    } else {
        (b, a)
    }
}

/// Whether what is left after two terms, which fall by `ratio`, no longer counts.
fn ended(sum: f64, before: f64, term: f64, ratio: f64, tolerance: f64) -> bool {
    term == 0.0
        || !sum.is_finite()
        || (ratio < 1.0 && (before + term) * ratio <= tolerance * sum * (1.0 - ratio))
}

fn largest(x: &[f64]) -> f64 {
    x.iter()
        .fold(0.0, |most, &entry| if entry > most { entry } else { most })
}

/// The least and largest growth of an entry that is not zero.
fn ratios(before: &[f64], after: &[f64]) -> (f64, f64) {
    let pairs = before
        .iter()
        .zip(after)
        .filter(|(before, _)| **before > 0.0);
    pairs.fold((f64::INFINITY, 0.0), |(low, high), (before, after)| {
        let ratio = after / before;
        (low.min(ratio), high.max(ratio))
    })
}

fn total(x: &[f64]) -> f64 {
    let (blocks, rest) = x.as_chunks::<4>();
    let mut sums = [0.0; 4];
    for block in blocks {
        for (sum, entry) in sums.iter_mut().zip(block) {
            *sum += entry;
        }
    }
    sums.iter().sum::<f64>() + rest.iter().sum::<f64>()
}

fn product(x: &[f64], y: &[f64]) -> f64 {
    let ((left, left_rest), (right, right_rest)) = (x.as_chunks::<4>(), y.as_chunks::<4>());
    let mut sums = [0.0; 4];
    for (x, y) in left.iter().zip(right) {
        for (sum, (x, y)) in sums.iter_mut().zip(x.iter().zip(y)) {
            *sum += x * y;
        }
    }
    let rest = left_rest.iter().zip(right_rest).map(|(x, y)| x * y);
    sums.iter().sum::<f64>() + rest.sum::<f64>()
}

/// The product graph of two graphs, told by the kinds they share.
///
/// Nodes with the same label form a block, those of the first graph its rows, those of the second
/// its columns.
#[derive(Clone, Debug, Default)]
struct Product {
    nodes: usize,
    /// Where the block of each group of the first graph begins, once a shared kind needs it.
    blocks: Vec<Option<usize>>,
    shared: Vec<SharedKind>,
    gathered: Vec<f64>,
}

#[derive(Clone, Debug)]
struct SharedKind {
    from: Block,
    to: Block,
    left: Range<usize>,
    right: Range<usize>,
}

#[derive(Clone, Copy, Debug)]
struct Block {
    start: usize,
    width: usize,
}

impl Block {
    fn row(self, rank: u32) -> Range<usize> {
        let start = self.start + rank as usize * self.width;
        start..start + self.width
    }
}

impl Product {
    fn join(&mut self, a: &WalkGraph, b: &WalkGraph) {
        self.nodes = 0;
        self.shared.clear();
        self.blocks.clear();
        self.blocks.resize(a.group_sizes.len(), None);
        let mut others = b.kinds().peekable();
        for (kind, left) in a.kinds() {
            while others
                .next_if(|(other, _)| other.labels < kind.labels)
                .is_some()
            {}
            let Some((other, right)) = others.next_if(|(other, _)| other.labels == kind.labels)
            else {
                continue;
            };
            let from = self.block(a, b, kind.from_group, other.from_group);
            let to = self.block(a, b, kind.to_group, other.to_group);
            self.shared.push(SharedKind {
                from,
                to,
                left,
                right,
            });
        }
        let widest = self.shared.iter().map(|kind| kind.from.width).max();
        self.gathered.resize(widest.unwrap_or(0), 0.0);
    }

    fn block(&mut self, a: &WalkGraph, b: &WalkGraph, group: u32, other: u32) -> Block {
        let width = b.group_sizes[other as usize] as usize;
        let nodes = &mut self.nodes;
        let start = *self.blocks[group as usize].get_or_insert_with(|| {
            let start = *nodes;
            *nodes += a.group_sizes[group as usize] as usize * width;
            start
        });
        Block { start, width }
    }

    /// Sets `out` to A x.
    fn multiply(&mut self, a: &WalkGraph, b: &WalkGraph, x: &[f64], out: &mut [f64]) {
        out.fill(0.0);
        for kind in &self.shared {
            let (right_sources, right_targets) = (
                &b.sources[kind.right.clone()],
                &b.targets[kind.right.clone()],
            );
            let along = |into: &mut [f64], from: &[f64]| {
                for (&source, &target) in right_sources.iter().zip(right_targets) {
                    into[source as usize] += from[target as usize];
                }
            };
            let mut start = kind.left.start;
            while start < kind.left.end {
                let target = a.targets[start];
                let here = &a.targets[start..kind.left.end];
                let length = here.iter().take_while(|other| **other == target).count();
                let sources = &a.sources[start..start + length];
                start += length;
                let reached = &x[kind.to.row(target)];
                if (length - 1) * right_sources.len() <= length * kind.from.width {
                    for &source in sources {
                        along(&mut out[kind.from.row(source)], reached);
                    }
                    continue;
                }
                let gathered = &mut self.gathered[..kind.from.width];
                gathered.fill(0.0);
                along(gathered, reached);
                for &source in sources {
                    let row = &mut out[kind.from.row(source)];
                    row.iter_mut()
                        .zip(&*gathered)
                        .for_each(|(entry, more)| *entry += more);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::graph::{LabelledEdge, UNLABELLED, tests::any_graph};
    use super::*;
    use proptest::prelude::*;

    /// The adjacency matrix of the product graph, by comparing every two edges.
    fn product_matrix(a: &LabelledGraph, b: &LabelledGraph) -> Vec<Vec<f64>> {
        let (n, m) = (a.node_labels().len(), b.node_labels().len());
        let mut matrix = vec![vec![0.0; n * m]; n * m];
        let alike = |i: usize, j: usize| a.node_labels()[i] == b.node_labels()[j];
        for i in 0..n {
            for j in 0..m {
                for left in a.outgoing(i) {
                    for right in b.outgoing(j) {
                        let (k, l) = (left.node as usize, right.node as usize);
                        if left.label == right.label && alike(i, j) && alike(k, l) {
                            matrix[i * m + j][k * m + l] += 1.0;
                        }
                    }
                }
            }
        }
        matrix
    }

    /// The series as defined, to so many terms that no more can count.
    fn by_definition(
        a: &LabelledGraph,
        b: &LabelledGraph,
        weight: impl Fn(u32) -> f64,
        terms: u32,
    ) -> f64 {
        let matrix = product_matrix(a, b);
        let mut x = vec![1.0; matrix.len()];
        let mut sum = 0.0;
        for length in 1..=terms {
            x = matrix
                .iter()
                .map(|row| row.iter().zip(&x).map(|(a, x)| a * x).sum::<f64>())
                .collect();
            x.iter_mut().for_each(|entry| *entry *= weight(length));
            sum += x.iter().sum::<f64>();
        }
        sum
    }

    fn graph(directed: bool, labels: Vec<u32>, edges: &[(u32, u32)]) -> LabelledGraph {
        let edge = |&(from, to)| LabelledEdge {
            from,
            to,
            label: UNLABELLED,
        };
        let edges: Vec<LabelledEdge> = edges.iter().map(edge).collect();
        LabelledGraph::new(directed, labels, &edges)
    }

    fn factorial(a: &LabelledGraph, b: &LabelledGraph) -> f64 {
        Walker::default().factorial(&WalkGraph::new(a), &WalkGraph::new(b))
    }

    fn geometric(a: &LabelledGraph, b: &LabelledGraph, weight: f64) -> Option<f64> {
        Walker::default().geometric(&WalkGraph::new(a), &WalkGraph::new(b), weight)
    }

    fn close(a: f64, b: f64, tolerance: f64) -> bool {
        a == b || (a - b).abs() <= tolerance * a.abs().max(b.abs())
    }

    fn two_graphs(nodes: usize) -> impl Strategy<Value = (LabelledGraph, LabelledGraph)> {
        (any::<bool>(), any::<bool>())
            .prop_flat_map(move |(a, b)| (any_graph(a, nodes), any_graph(b, nodes)))
    }

    #[test]
    fn graphs_without_common_walks_are_orthogonal() {
        let empty = graph(true, vec![], &[]);
        let alone = graph(true, vec![0], &[]);
        let arrow = graph(true, vec![0, 1], &[(0, 1)]);
        let back = graph(true, vec![0, 1], &[(1, 0)]);
        for (a, b) in [
            (&empty, &empty),
            (&empty, &arrow),
            (&alone, &arrow),
            (&arrow, &back),
        ] {
            assert_eq!(factorial(a, b), 0.0);
            assert_eq!(geometric(a, b, 0.5), Some(0.0));
        }
    }

    #[test]
    fn cyclic_graphs_are_ordinary() {
        let turn = graph(true, vec![0], &[(0, 0)]);
        assert!(close(factorial(&turn, &turn), 1f64.exp() - 1.0, 1e-15));
        assert!(close(geometric(&turn, &turn, 0.5).unwrap(), 1.0, 1e-14));
        let edge = graph(false, vec![0, 1], &[(0, 1)]);
        assert!(close(
            factorial(&edge, &edge),
            2.0 * (1f64.exp() - 1.0),
            1e-15
        ));
        assert!(close(geometric(&edge, &edge, 0.5).unwrap(), 2.0, 1e-14));
    }

    #[test]
    fn a_series_that_diverges_is_refused() {
        let star = graph(false, vec![0, 1, 1, 1], &[(0, 1), (0, 2), (0, 3)]);
        let prepared = WalkGraph::new(&star);
        assert_eq!(prepared.largest_degree(), 3);
        assert_eq!(
            Walker::default().largest_product_degree(&prepared, &prepared),
            9.0
        );
        assert!(converges(0.11, 3, 3) && !converges(0.12, 3, 3) && !converges(-0.1, 1, 1));
        assert!(geometric(&star, &star, 0.11).is_some());
        for weight in [1.0 / 9.0, 0.2, -0.1, f64::NAN, f64::INFINITY] {
            assert_eq!(geometric(&star, &star, weight), None, "{weight}");
        }
    }

    #[test]
    fn a_slow_series_on_a_regular_graph_ends_at_once() {
        let ring: Vec<(u32, u32)> = (0..30).map(|i| (i, (i + 1) % 30)).collect();
        for directed in [false, true] {
            let ring = graph(directed, vec![0; 30], &ring);
            let degree: f64 = if directed { 1.0 } else { 4.0 };
            let weight = (1.0 - 2e-6) / degree;
            let rate = weight * degree;
            assert!(close(
                geometric(&ring, &ring, weight).unwrap(),
                900.0 * rate / (1.0 - rate),
                1e-9
            ));
        }
    }

    #[test]
    fn too_large_a_kernel_is_infinite() {
        let edges: Vec<(u32, u32)> = (0..40).flat_map(|i| (0..40).map(move |j| (i, j))).collect();
        for directed in [false, true] {
            let complete = graph(directed, vec![0; 40], &edges);
            assert_eq!(factorial(&complete, &complete), f64::INFINITY);
        }
    }

    #[test]
    fn large_kernels_stay_in_range() {
        // Degree 20 each: the kernel is 400 (e^400 - 1), beyond the root of the largest number.
        let edges: Vec<(u32, u32)> = (0..20).flat_map(|i| (0..20).map(move |j| (i, j))).collect();
        let expected = 400.0 * 400f64.exp();
        let complete = graph(true, vec![0; 20], &edges);
        assert!(close(factorial(&complete, &complete), expected, 1e-12));
        let once: Vec<(u32, u32)> = edges
            .iter()
            .copied()
            .filter(|(from, to)| from <= to)
            .collect();
        let complete = graph(false, vec![0; 20], &once);
        assert!(close(factorial(&complete, &complete), expected, 1e-12));
    }

    kinwood_testing::soak! { 256;
        fn soak_factorial_agrees_with_its_definition((a, b) in two_graphs(6)) {
            let expected = by_definition(&a, &b, |length| 1.0 / f64::from(length), 250);
            prop_assert!(close(factorial(&a, &b), expected, 1e-13), "{} {expected}", factorial(&a, &b));
        }

        fn soak_geometric_agrees_with_its_definition((a, b) in two_graphs(5), share in 0.0..0.9f64) {
            let (left, right) = (WalkGraph::new(&a), WalkGraph::new(&b));
            let degree = Walker::default().largest_product_degree(&left, &right);
            let rows = product_matrix(&a, &b);
            let largest = rows.iter().map(|row| row.iter().sum::<f64>()).fold(0.0, f64::max);
            prop_assert_eq!(degree, largest);
            let weight = share / degree.max(1.0);
            let expected = by_definition(&a, &b, |_| weight, 400);
            let found = geometric(&a, &b, weight).unwrap();
            prop_assert!(close(found, expected, 1e-12), "{found} {expected}");
            if degree > 0.0 {
                prop_assert_eq!(geometric(&a, &b, 1.0 / degree), None);
            }
        }

        fn soak_the_order_of_the_graphs_does_not_show((a, b) in two_graphs(6)) {
            prop_assert_eq!(factorial(&a, &b), factorial(&b, &a));
            prop_assert_eq!(geometric(&a, &b, 0.01), geometric(&b, &a, 0.01));
        }

        fn soak_memory_used_before_does_not_show((a, b) in two_graphs(6), (c, d) in two_graphs(6)) {
            let [a, b, c, d] = [a, b, c, d].map(|graph| WalkGraph::new(&graph));
            let mut used = Walker::default();
            used.factorial(&c, &d);
            used.geometric(&c, &d, 0.01);
            prop_assert_eq!(used.factorial(&a, &b), Walker::default().factorial(&a, &b));
        }

        fn soak_cauchy_and_schwarz_hold((a, b) in two_graphs(6)) {
            let bound = factorial(&a, &a) * factorial(&b, &b);
            prop_assert!(factorial(&a, &b).powi(2) <= bound * (1.0 + 1e-9));
        }
    }
}
