//! Where the nodes of a tree stand: levels from top to bottom, subtrees as close as their outlines
//! allow, parents above the middle.
//!
//! Reingold and Tilford, *Tidier drawings of trees*, IEEE Transactions on Software Engineering
//! 7(2), 1981, for nodes of any width and any number of branches. The outline of a subtree is a
//! linked list, a level an entry, that the outline of the whole tree shares: joining two costs as
//! many steps as the shallower has levels, so all of it takes linear time. Children are pushed
//! together once from the left and once from the right; the mean of both keeps every distance and
//! leaves small subtrees between large ones in the middle.

/// The room that a node takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Size {
    pub width: f64,
    pub height: f64,
}

/// The room between nodes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Gaps {
    /// Between nodes of a level.
    pub across: f64,
    /// Between levels.
    pub down: f64,
}

/// Where nodes stand.
#[derive(Debug)]
pub(super) struct Layout {
    /// The middle of each node.
    pub x: Vec<f64>,
    /// The upper edge of each node.
    pub y: Vec<f64>,
    /// How wide the tree is.
    pub width: f64,
    /// How high it is.
    pub height: f64,
    /// Entries of outlines that were made: what the time is measured by.
    #[cfg(test)]
    steps: usize,
}

/// One level of an outline: how far the next one is beside it, and where it goes on.
#[derive(Clone, Copy)]
struct Entry {
    aside: f64,
    next: Option<u32>,
}

/// An outline from some level down.
#[derive(Clone, Copy)]
struct Outline {
    x: f64,
    entry: u32,
}

impl Outline {
    fn moved(self, by: f64) -> Self {
        Self {
            x: self.x + by,
            ..self
        }
    }
}

struct Outlines(Vec<Entry>);

impl Outlines {
    fn next(&self, outline: Outline) -> Option<Outline> {
        let Entry { aside, next } = self.0[outline.entry as usize];
        next.map(|entry| Outline {
            x: outline.x + aside,
            entry,
        })
    }

    /// An outline one level higher.
    fn above(&mut self, x: f64, below: Option<Outline>) -> Outline {
        let entry = self.0.len() as u32;
        self.0.push(Entry {
            aside: below.map_or(0.0, |below| below.x - x),
            next: below.map(|below| below.entry),
        });
        Outline { x, entry }
    }

    /// The outline of two subtrees beside each other: that of the nearer one, and below it what the
    /// farther one has more.
    fn joined(&mut self, nearer: Outline, farther: Outline) -> Outline {
        let (mut levels, mut rest) = (vec![nearer.x], Some(farther));
        let mut at = nearer;
        loop {
            rest = rest.and_then(|rest| self.next(rest));
            match (self.next(at), rest) {
                // What is as deep as the other hides it.
                (_, None) => return nearer,
                (None, Some(_)) => break,
                (Some(below), Some(_)) => {
                    levels.push(below.x);
                    at = below;
                }
            }
        }
        let last = rest.expect("the loop ends above where there is a rest");
        levels
            .into_iter()
            .rev()
            .fold(last, |below, x| self.above(x, Some(below)))
    }

    /// How far the right one must stand from the left one, by the levels that both have.
    fn apart(&self, left: Outline, right: Outline) -> f64 {
        let (mut left, mut right) = (Some(left), Some(right));
        let mut apart = f64::NEG_INFINITY;
        while let (Some(l), Some(r)) = (left, right) {
            apart = apart.max(l.x - r.x);
            (left, right) = (self.next(l), self.next(r));
        }
        apart
    }
}

/// The left and the right outline of a subtree, from the middle of its root.
#[derive(Clone, Copy)]
struct Sides {
    left: Outline,
    right: Outline,
}

/// Places a tree given by the parents of its nodes in preorder.
pub(super) fn tidy(parents: &[Option<u32>], sizes: &[Size], gaps: Gaps) -> Layout {
    let count = parents.len();
    let mut children: Vec<Vec<u32>> = vec![Vec::new(); count];
    let mut levels = vec![0; count];
    for (node, parent) in parents.iter().enumerate() {
        if let Some(parent) = parent {
            children[*parent as usize].push(node as u32);
            levels[node] = levels[*parent as usize] + 1;
        }
    }
    let mut outlines = Outlines(Vec::with_capacity(2 * count));
    let mut sides: Vec<Option<Sides>> = vec![None; count];
    let mut beside = vec![0.0; count];
    // Children stand after their parents: from the end on, all below a node is placed when it is.
    for node in (0..count).rev() {
        let below: Vec<Sides> = children[node]
            .iter()
            .filter_map(|&child| sides[child as usize].take())
            .collect();
        let places = spread(&mut outlines, &below, gaps.across);
        for (&child, place) in children[node].iter().zip(&places) {
            beside[child as usize] = *place;
        }
        let placed = || below.iter().zip(&places);
        let left = placed().rev().fold(None, |farther, (side, &place)| {
            let nearer = side.left.moved(place);
            Some(farther.map_or(nearer, |farther| outlines.joined(nearer, farther)))
        });
        let right = placed().fold(None, |farther, (side, &place)| {
            let nearer = side.right.moved(place);
            Some(farther.map_or(nearer, |farther| outlines.joined(nearer, farther)))
        });
        let half = sizes[node].width / 2.0;
        sides[node] = Some(Sides {
            left: outlines.above(-half, left),
            right: outlines.above(half, right),
        });
    }
    let mut x = vec![0.0; count];
    for node in 0..count {
        if let Some(parent) = parents[node] {
            x[node] = x[parent as usize] + beside[node];
        }
    }
    let edge = |side: f64| {
        let edges = x.iter().zip(sizes);
        edges.map(move |(x, size)| x + side * size.width / 2.0)
    };
    let left = edge(-1.0).fold(f64::INFINITY, f64::min);
    let right = edge(1.0).fold(f64::NEG_INFINITY, f64::max);
    let (tops, height) = tops(&levels, sizes, gaps.down);
    Layout {
        x: x.iter().map(|x| x - left).collect(),
        y: levels.iter().map(|&level| tops[level]).collect(),
        width: (right - left).max(0.0),
        height,
        #[cfg(test)]
        steps: outlines.0.len(),
    }
}

/// Where subtrees stand beside each other, from the middle between the first and the last.
fn spread(outlines: &mut Outlines, below: &[Sides], gap: f64) -> Vec<f64> {
    let Some(first) = below.first() else {
        return Vec::new();
    };
    let mut from_left = vec![0.0; below.len()];
    let mut so_far = first.right;
    for (place, side) in below.iter().enumerate().skip(1) {
        from_left[place] = outlines.apart(so_far, side.left) + gap;
        so_far = outlines.joined(side.right.moved(from_left[place]), so_far);
    }
    let last = below.len() - 1;
    let mut from_right = from_left.clone();
    let mut so_far = below[last].left.moved(from_left[last]);
    for place in (0..last).rev() {
        from_right[place] = -(outlines.apart(below[place].right, so_far) + gap);
        so_far = outlines.joined(below[place].left.moved(from_right[place]), so_far);
    }
    let places = from_left.iter().zip(&from_right);
    let mut places: Vec<f64> = places.map(|(left, right)| (left + right) / 2.0).collect();
    let middle = (places[0] + places[last]) / 2.0;
    places.iter_mut().for_each(|place| *place -= middle);
    places
}

/// The upper edge of each level, and the lower edge of the last.
fn tops(levels: &[usize], sizes: &[Size], gap: f64) -> (Vec<f64>, f64) {
    let count = levels.iter().max().map_or(0, |deepest| deepest + 1);
    let mut heights = vec![0.0_f64; count];
    for (&level, size) in levels.iter().zip(sizes) {
        heights[level] = heights[level].max(size.height);
    }
    let mut top = 0.0;
    let mut tops = Vec::with_capacity(count);
    for height in &heights {
        tops.push(top);
        top += height + gap;
    }
    (tops, (top - gap).max(0.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const GAPS: Gaps = Gaps {
        across: 10.0,
        down: 20.0,
    };

    /// Trees in preorder: each node hangs below one of the nodes on the way to the one before it.
    fn any_tree() -> impl Strategy<Value = (Vec<Option<u32>>, Vec<Size>)> {
        prop::collection::vec(
            (any::<prop::sample::Index>(), 1.0..200.0, 1.0..90.0),
            1..120,
        )
        .prop_map(|drawn| {
            let mut way: Vec<u32> = Vec::new();
            let mut parents = Vec::new();
            for (node, (parent, ..)) in drawn.iter().enumerate() {
                if !way.is_empty() {
                    way.truncate(parent.index(way.len()) + 1);
                }
                parents.push(way.last().copied());
                way.push(node as u32);
            }
            let size = |&(_, width, height): &(_, f64, f64)| Size { width, height };
            (parents, drawn.iter().map(size).collect())
        })
    }

    proptest! {
        #[test]
        fn nodes_never_overlap_and_parents_stand_in_the_middle((parents, sizes) in any_tree()) {
            let layout = tidy(&parents, &sizes, GAPS);
            let count = parents.len();
            for a in 0..count {
                for b in a + 1..count {
                    if layout.y[a] == layout.y[b] {
                        // Preorder runs from left to right on each level.
                        let apart = layout.x[b] - layout.x[a];
                        let least = (sizes[a].width + sizes[b].width) / 2.0 + GAPS.across;
                        prop_assert!(apart >= least - 1e-6, "{a} and {b}: {apart} < {least}");
                    } else {
                        let (upper, lower) = match layout.y[a] < layout.y[b] {
                            true => (a, b),
                            false => (b, a),
                        };
                        prop_assert!(layout.y[upper] + sizes[upper].height <= layout.y[lower]);
                    }
                }
                let below: Vec<usize> = (0..count).filter(|&b| parents[b] == Some(a as u32)).collect();
                if let (Some(&first), Some(&last)) = (below.first(), below.last()) {
                    let middle = (layout.x[first] + layout.x[last]) / 2.0;
                    prop_assert!((layout.x[a] - middle).abs() < 1e-6);
                }
                prop_assert!(layout.x[a] - sizes[a].width / 2.0 >= -1e-6);
                prop_assert!(layout.x[a] + sizes[a].width / 2.0 <= layout.width + 1e-6);
                prop_assert!(layout.y[a] + sizes[a].height <= layout.height + 1e-6);
            }
        }
    }

    fn even(parents: &[Option<u32>]) -> Layout {
        let sizes = vec![
            Size {
                width: 10.0,
                height: 10.0
            };
            parents.len()
        ];
        tidy(parents, &sizes, GAPS)
    }

    #[test]
    fn branches_of_one_width_stand_evenly() {
        let layout = even(&[None, Some(0), Some(0), Some(0), Some(0)]);
        assert_eq!(layout.x, [35.0, 5.0, 25.0, 45.0, 65.0]);
        assert_eq!(layout.y, [0.0, 30.0, 30.0, 30.0, 30.0]);
        assert_eq!((layout.width, layout.height), (70.0, 40.0));
    }

    #[test]
    fn a_leaf_between_large_subtrees_stands_in_the_middle() {
        let wide = |node: u32| [Some(0), Some(node), Some(node), Some(node)];
        let mut parents = vec![None];
        parents.extend(wide(1));
        parents.push(Some(0));
        parents.extend(wide(6));
        let layout = even(&parents);
        assert_eq!(layout.x[5], layout.x[0]);
        assert!(layout.x[5] > layout.x[1] && layout.x[5] < layout.x[6]);
    }

    #[test]
    fn deep_trees_take_linear_time() {
        // Each test has a leaf on one side and the rest of the tree on the other.
        let mut parents = vec![None];
        for level in 0..50_000_u32 {
            parents.extend([Some(2 * level), Some(2 * level)]);
        }
        // In preorder the leaf comes first: the test that goes on is the second child.
        let layout = even(&parents);
        assert!(layout.steps <= 8 * parents.len(), "{}", layout.steps);
    }
}
