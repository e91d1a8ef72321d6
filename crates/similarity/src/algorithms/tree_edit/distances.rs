//! The recurrence of Zhang and Shasha for a pair of keyroots, and the orders in which pairs are
//! taken.

use super::strategy::{Path, Scratch, choose};
use super::tree::{Order, Tree};

/// Numbers that distances are computed in.
pub(super) trait Number: Copy + PartialOrd + Default {
    fn plus(self, other: Self) -> Self;
}

impl Number for i32 {
    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        self.wrapping_add(other)
    }
}

impl Number for f64 {
    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        self + other
    }
}

/// The lesser of two numbers, as one instruction.
#[inline(always)]
pub(super) fn least<N: Number>(a: N, b: N) -> N {
    if a < b { a } else { b }
}

/// How two trees are decomposed.
pub(super) enum Plan<'a> {
    /// Both along first children.
    Left,
    /// Both along last children.
    Right,
    /// Each pair of subtrees by its own choice.
    Mixed(&'a [Path]),
}

/// Subforest pairs per node pair from which on it pays to count the cost of each choice for each
/// pair of subtrees.
const DEAR: u64 = 24;

/// How many times fewer the subforest pairs must be for choices of their own: both orders are then
/// written, in smaller pieces.
const DETOUR: f32 = 1.5;

impl<'a> Plan<'a> {
    pub(super) fn new(a: &Tree, b: &Tree, scratch: &'a mut Scratch) -> Self {
        let forests = |order: &Order| order.forests.last().copied().unwrap_or(0);
        let left = forests(&a.left).saturating_mul(forests(&b.left));
        let right = forests(&a.right).saturating_mul(forests(&b.right));
        let nodes = (a.len() as u64).saturating_mul(b.len() as u64);
        let least = left.min(right);
        if least > nodes.saturating_mul(DEAR) {
            let (paths, forests) = choose(a, b, scratch);
            if forests * DETOUR < least as f32 {
                return Plan::Mixed(paths);
            }
        }
        if left <= right {
            Plan::Left
        } else {
            Plan::Right
        }
    }
}

/// The distances of all pairs of subtrees, in the orders the plan needs, and of the forests of one
/// pair of keyroots.
#[derive(Clone, Debug, Default)]
pub(super) struct Buffers<N> {
    pub(super) left: Vec<N>,
    pub(super) right: Vec<N>,
    pub(super) forests: Vec<N>,
}

impl<N: Number> Buffers<N> {
    /// The distance of two trees that have nodes; costs are of an insertion, a deletion and a
    /// relabelling.
    pub(super) fn distance(&mut self, a: &Tree, b: &Tree, costs: [N; 3], plan: &Plan<'_>) -> N {
        let size = a.len() * b.len();
        let Self {
            left,
            right,
            forests,
        } = self;
        let trees = match plan {
            Plan::Left => {
                all_keyroots(&Sides::left(a, b, costs), left, forests);
                left
            }
            Plan::Right => {
                all_keyroots(&Sides::right(a, b, costs), right, forests);
                right
            }
            Plan::Mixed(paths) => {
                grow(left, size);
                grow(right, size);
                self.mixed(a, b, costs, paths);
                &mut self.left
            }
        };
        trees[size - 1]
    }

    /// Solves pairs of subtrees each by its own path, those that hang off the path first.
    fn mixed(&mut self, a: &Tree, b: &Tree, costs: [N; 3], paths: &[Path]) {
        let width = b.len();
        let mut open = vec![(a.len() - 1, width - 1, false)];
        while let Some((v, w, ready)) = open.pop() {
            let path = paths[v * width + w];
            if ready {
                self.along(a, b, costs, path, v, w);
                continue;
            }
            open.push((v, w, true));
            let mirrored = |tree: &Tree, node: usize| tree.to_right[node] as usize;
            let back = |tree: &Tree, node: usize| tree.to_left[node] as usize;
            match path {
                Path::FirstLeft => open.extend(a.left.hanging(v).map(|x| (x, w, false))),
                Path::SecondLeft => open.extend(b.left.hanging(w).map(|y| (v, y, false))),
                Path::FirstRight => {
                    let hanging = a.right.hanging(mirrored(a, v));
                    open.extend(hanging.map(|x| (back(a, x), w, false)));
                }
                Path::SecondRight => {
                    let hanging = b.right.hanging(mirrored(b, w));
                    open.extend(hanging.map(|y| (v, back(b, y), false)));
                }
            }
        }
    }

    /// The distances of the subtrees rooted on one path to all subtrees of the other tree.
    fn along(&mut self, a: &Tree, b: &Tree, costs: [N; 3], path: Path, v: usize, w: usize) {
        let Self {
            left,
            right,
            forests,
        } = self;
        let width = b.len();
        let (mirrored_v, mirrored_w) = (a.to_right[v] as usize, b.to_right[w] as usize);
        let mut from_left = |v: usize, w: usize| {
            let sides = Sides::left(a, b, costs);
            pair_of_keyroots(&sides, (v, w), left, forests, |x, y, distance| {
                right[a.to_right[x] as usize * width + b.to_right[y] as usize] = distance;
            });
        };
        match path {
            Path::FirstLeft => b.left.keyroots_of(w).for_each(|w| from_left(v, w)),
            Path::SecondLeft => a.left.keyroots_of(v).for_each(|v| from_left(v, w)),
            Path::FirstRight | Path::SecondRight => {
                let sides = Sides::right(a, b, costs);
                let mut from_right = |v: usize, w: usize| {
                    pair_of_keyroots(&sides, (v, w), right, forests, |x, y, distance| {
                        left[a.to_left[x] as usize * width + b.to_left[y] as usize] = distance;
                    });
                };
                match path {
                    Path::FirstRight => {
                        let roots = b.right.keyroots_of(mirrored_w);
                        roots.for_each(|w| from_right(mirrored_v, w));
                    }
                    _ => {
                        let roots = a.right.keyroots_of(mirrored_v);
                        roots.for_each(|v| from_right(v, mirrored_w));
                    }
                }
            }
        }
    }
}

/// Makes room without clearing: every cell is written before it is read.
fn grow<N: Number>(buffer: &mut Vec<N>, size: usize) {
    if buffer.len() < size {
        buffer.resize(size, N::default());
    }
}

fn all_keyroots<N: Number>(sides: &Sides<'_, N>, trees: &mut Vec<N>, forests: &mut Vec<N>) {
    grow(trees, sides.a.labels.len() * sides.b.labels.len());
    for &v in &sides.a.keyroots {
        for &w in &sides.b.keyroots {
            let roots = (v as usize, w as usize);
            pair_of_keyroots(sides, roots, trees, forests, |_, _, _| ());
        }
    }
}

/// Two trees in the same order, and what an insertion, a deletion and a relabelling cost.
pub(super) struct Sides<'a, N> {
    pub(super) a: &'a Order,
    pub(super) b: &'a Order,
    pub(super) costs: [N; 3],
}

impl<'a, N> Sides<'a, N> {
    pub(super) fn left(a: &'a Tree, b: &'a Tree, costs: [N; 3]) -> Self {
        let (a, b) = (&a.left, &b.left);
        Self { a, b, costs }
    }

    pub(super) fn right(a: &'a Tree, b: &'a Tree, costs: [N; 3]) -> Self {
        let (a, b) = (&a.right, &b.right);
        Self { a, b, costs }
    }
}

/// Distances between the forests of two keyroots' trees, a row for each node of the first:
/// `forests[i][j]` compares the first `i` nodes of one with the first `j` of the other. Distances
/// of whole subtrees are read from `trees`, and those that are found here are left there and handed
/// to `store`.
#[inline(always)]
pub(super) fn pair_of_keyroots<N: Number>(
    sides: &Sides<'_, N>,
    (v, w): (usize, usize),
    trees: &mut [N],
    forests: &mut Vec<N>,
    mut store: impl FnMut(usize, usize, N),
) {
    let (a, b) = (sides.a, sides.b);
    let [insert, delete, relabel] = sides.costs;
    let (start, from) = (a.first[v] as usize, b.first[w] as usize);
    let width = w + 2 - from;
    let stride = b.labels.len();
    grow(forests, (v + 2 - start) * width);
    let mut cost = N::default();
    for cell in &mut forests[..width] {
        *cell = cost;
        cost = cost.plus(insert);
    }
    let (firsts, labels) = (&b.first[from..=w], &b.labels[from..=w]);
    for x in start..=v {
        let row = x - start + 1;
        let (done, rest) = forests.split_at_mut(row * width);
        let above = &done[(row - 1) * width..];
        let here = &mut rest[..width];
        let before = a.first[x] as usize - start;
        let earlier = &done[before * width..][..width];
        let trees = &mut trees[x * stride + from..=x * stride + w];
        let mut left = above[0].plus(delete);
        here[0] = left;
        let cells = here[1..].iter_mut().zip(&above[1..]).zip(firsts);
        if before > 0 {
            for ((cell, &above), (&first, &tree)) in
                cells.zip(&*trees).map(|((c, f), t)| (c, (f, t)))
            {
                let whole = earlier[first as usize - from].plus(tree);
                left = least(left.plus(insert), least(above.plus(delete), whole));
                *cell = left;
            }
            continue;
        }
        let label = a.labels[x];
        let mut corner = above[0];
        for (y, (((cell, &above), &first), tree)) in cells.zip(trees).enumerate() {
            let without = least(above.plus(delete), left.plus(insert));
            if first as usize == from {
                let change = if labels[y] == label {
                    N::default()
                } else {
                    relabel
                };
                left = least(without, corner.plus(change));
                *tree = left;
                store(x, from + y, left);
            } else {
                left = least(without, earlier[first as usize - from].plus(*tree));
            }
            corner = above;
            *cell = left;
        }
    }
}
