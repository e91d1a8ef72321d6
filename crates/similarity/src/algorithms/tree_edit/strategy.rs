//! Which path each pair of subtrees is decomposed along, so that the subforests compared are
//! fewest.
//!
//! A pair may follow the left or the right path of either tree. Then every tree that hangs off the
//! path meets the whole other tree, by its own choice, and the path's tree meets every subforest of
//! the other's decomposition to that side. The counts of a pair follow from those of smaller pairs,
//! so one sweep in postorder finds the best choices. Paths through the middle of both trees would
//! guard against zigzag shapes, at several times the cost a step.

use super::tree::Tree;

/// The path that a pair of subtrees is decomposed along.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Path {
    FirstLeft,
    FirstRight,
    SecondLeft,
    SecondRight,
}

/// Buffers that choices share from pair to pair.
#[derive(Clone, Debug, Default)]
pub(super) struct Scratch {
    paths: Vec<Path>,
    /// What hangs off the left and right paths of the open subtree of the first tree at each depth.
    hanging: Vec<[f32; 2]>,
    /// The same of each subtree of the second tree.
    other: Vec<[f32; 2]>,
}

/// The best path of every pair of subtrees, by the left orders of both trees, and how many pairs of
/// subforests that makes.
///
/// Counts are held in single precision: a choice that is worse in the seventh place costs nothing.
pub(super) fn choose<'a>(a: &Tree, b: &Tree, scratch: &'a mut Scratch) -> (&'a [Path], f32) {
    let width = b.len();
    let levels = a.depths.iter().max().map_or(0, |&depth| depth as usize + 1);
    scratch.paths.clear();
    scratch.paths.reserve(a.len() * width);
    scratch.hanging.clear();
    scratch.hanging.resize((levels + 1) * width, [0.0; 2]);
    let (first_places, second_places) = (places(a), places(b));
    let sides = |tree: &Tree, node: usize| {
        let right = tree.right.forests[tree.to_right[node] as usize];
        [tree.left.forests[node] as f32, right as f32]
    };
    let second: Vec<([f32; 2], f32)> = (0..width)
        .map(|w| (sides(b, w), b.left.size(w) as f32))
        .collect();
    let mut all = 0.0;
    for v in 0..a.len() {
        let depth = a.depths[v] as usize;
        let [left, right] = sides(a, v);
        let size = a.left.size(v) as f32;
        let place = first_places.get(v).copied();
        let (above, own) = scratch.hanging.split_at_mut(depth * width);
        let above = &mut above[depth.saturating_sub(1) * width..];
        scratch.other.clear();
        scratch.other.resize(width, [0.0; 2]);
        for w in 0..width {
            let (sides, other_size) = second[w];
            let hanging = std::mem::take(&mut own[w]);
            let other = scratch.other[w];
            let options = [
                (size * sides[0] + hanging[0], Path::FirstLeft),
                (size * sides[1] + hanging[1], Path::FirstRight),
                (other_size * left + other[0], Path::SecondLeft),
                (other_size * right + other[1], Path::SecondRight),
            ];
            let (cost, path) =
                options.into_iter().fold(
                    options[0],
                    |best, option| {
                        if option.0 < best.0 { option } else { best }
                    },
                );
            scratch.paths.push(path);
            all = cost;
            if let Some((_, first, last)) = place {
                let above = &mut above[w];
                above[0] += if first { hanging[0] } else { cost };
                above[1] += if last { hanging[1] } else { cost };
            }
            if let Some(&(parent, first, last)) = second_places.get(w) {
                let above = &mut scratch.other[parent as usize];
                above[0] += if first { other[0] } else { cost };
                above[1] += if last { other[1] } else { cost };
            }
        }
    }
    (&scratch.paths, all)
}

/// The parent of every node but the root, and whether the node is its first and its last child.
fn places(tree: &Tree) -> Vec<(u32, bool, bool)> {
    let mut places = vec![(0, false, false); tree.len() - 1];
    for node in 0..tree.len() {
        for child in tree.left.children(node) {
            let first = tree.left.first[child] == tree.left.first[node];
            places[child] = (node as u32, first, child + 1 == node);
        }
    }
    places
}
