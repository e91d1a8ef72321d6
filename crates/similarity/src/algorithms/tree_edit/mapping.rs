//! Which nodes of two trees correspond under a cheapest set of edits.

use super::distances::{Buffers, Number, Plan, Sides, pair_of_keyroots};
use super::tree::Tree;

/// A cheapest set of edits, nodes by their places in preorder and all lists in the order of these.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mapping {
    /// Nodes that correspond and have the same label: of the first tree, of the second.
    pub kept: Vec<(usize, usize)>,
    /// Nodes that correspond and have other labels.
    pub relabelled: Vec<(usize, usize)>,
    /// Nodes that only the first tree has.
    pub deleted: Vec<usize>,
    /// Nodes that only the second tree has.
    pub inserted: Vec<usize>,
}

impl Mapping {
    /// Sorts pairs of nodes of the left orders out.
    pub(super) fn of_pairs(a: &Tree, b: &Tree, mut pairs: Vec<(usize, usize)>) -> Self {
        let mut mapping = Self::default();
        let (mut gone, mut new) = (vec![true; a.len()], vec![true; b.len()]);
        pairs.sort_unstable_by_key(|&(x, _)| a.preorder(x));
        for (x, y) in pairs {
            let same = a.left.labels[x] == b.left.labels[y];
            let (x, y) = (a.preorder(x), b.preorder(y));
            (gone[x], new[y]) = (false, false);
            match same {
                true => mapping.kept.push((x, y)),
                false => mapping.relabelled.push((x, y)),
            }
        }
        let chosen = |flags: &[bool]| {
            let places = flags.iter().enumerate().filter(|&(_, &chosen)| chosen);
            places.map(|(place, _)| place).collect()
        };
        mapping.deleted = chosen(&gone);
        mapping.inserted = chosen(&new);
        mapping
    }
}

/// The corresponding nodes, by the left orders.
pub(super) fn pairs<N: Number>(
    buffers: &mut Buffers<N>,
    a: &Tree,
    b: &Tree,
    costs: [N; 3],
    plan: &Plan<'_>,
) -> Vec<(usize, usize)> {
    buffers.distance(a, b, costs, plan);
    let Buffers {
        left,
        right,
        forests,
    } = buffers;
    match plan {
        Plan::Right => {
            let pairs = trace(&Sides::right(a, b, costs), right, forests);
            let back = |(x, y): (usize, usize)| (a.to_left[x] as usize, b.to_left[y] as usize);
            pairs.into_iter().map(back).collect()
        }
        Plan::Left | Plan::Mixed(_) => trace(&Sides::left(a, b, costs), left, forests),
    }
}

/// Follows the choices back, pair of subtrees by pair: a pair of nodes before a deletion before an
/// insertion.
fn trace<N: Number>(
    sides: &Sides<'_, N>,
    trees: &mut [N],
    forests: &mut Vec<N>,
) -> Vec<(usize, usize)> {
    let (a, b) = (sides.a, sides.b);
    let [insert, delete, relabel] = sides.costs;
    let stride = b.labels.len();
    let mut found = Vec::new();
    let mut open = vec![(a.labels.len() - 1, stride - 1)];
    while let Some((v, w)) = open.pop() {
        pair_of_keyroots(sides, (v, w), trees, forests, |_, _, _| ());
        let (start, from) = (a.first[v] as usize, b.first[w] as usize);
        let width = w + 2 - from;
        let (mut i, mut j) = (v + 1 - start, w + 1 - from);
        while i > 0 && j > 0 {
            let (x, y) = (start + i - 1, from + j - 1);
            let (before, earlier) = (a.first[x] as usize - start, b.first[y] as usize - from);
            let nodes = before == 0 && earlier == 0;
            let paired = match nodes {
                true if a.labels[x] == b.labels[y] => forests[(i - 1) * width + j - 1],
                true => forests[(i - 1) * width + j - 1].plus(relabel),
                false => forests[before * width + earlier].plus(trees[x * stride + y]),
            };
            let gone = forests[(i - 1) * width + j].plus(delete);
            let new = forests[i * width + j - 1].plus(insert);
            if paired <= gone && paired <= new {
                match nodes {
                    true => {
                        found.push((x, y));
                        (i, j) = (i - 1, j - 1);
                    }
                    false => {
                        open.push((x, y));
                        (i, j) = (before, earlier);
                    }
                }
            } else if gone <= new {
                i -= 1;
            } else {
                j -= 1;
            }
        }
    }
    found
}
