//! An ordered labelled tree prepared for comparison: both postorders, with what decomposition asks
//! of them.

/// A tree prepared for [`Costs::distance`](super::Costs::distance).
#[derive(Clone, Debug)]
pub struct Tree {
    /// Children from left to right before their parent.
    pub(super) left: Order,
    /// Children from right to left before their parent: the preorder reversed.
    pub(super) right: Order,
    /// The place in the right order of each node of the left order.
    pub(super) to_right: Vec<u32>,
    /// The place in the left order of each node of the right order.
    pub(super) to_left: Vec<u32>,
    /// The number of ancestors of each node, in the left order.
    pub(super) depths: Vec<u32>,
    sorted: Vec<u32>,
}

/// The nodes of a tree in one of the postorders: a node's descendants lie right before it.
#[derive(Clone, Debug, Default)]
pub(super) struct Order {
    pub(super) labels: Vec<u32>,
    /// The first of each node's descendants, itself if it has none.
    pub(super) first: Vec<u32>,
    /// The nodes that are no first child, and the root: the ends of the paths of first children.
    pub(super) keyroots: Vec<u32>,
    /// How many subforests a decomposition along first children makes of each node's tree: the sum
    /// of the sizes of its keyroots.
    pub(super) forests: Vec<u64>,
}

impl Order {
    fn new(labels: Vec<u32>, first: Vec<u32>) -> Self {
        let mut seen = vec![false; labels.len()];
        let mut keyroots: Vec<u32> = Vec::new();
        for (node, &first) in first.iter().enumerate().rev() {
            if !std::mem::replace(&mut seen[first as usize], true) {
                keyroots.push(node as u32);
            }
        }
        keyroots.reverse();
        let mut order = Self {
            labels,
            first,
            keyroots,
            forests: Vec::new(),
        };
        for node in 0..order.labels.len() {
            let size = order.size(node) as u64;
            let below = |child: usize| match order.first[child] == order.first[node] {
                // The path goes on through a first child, whose own size is counted once, at its
                // end.
                true => order.forests[child] - order.size(child) as u64,
                false => order.forests[child],
            };
            let forests = size + order.children(node).map(below).sum::<u64>();
            order.forests.push(forests);
        }
        order
    }

    /// Number of nodes of the tree that a node is the root of.
    pub(super) fn size(&self, node: usize) -> usize {
        node + 1 - self.first[node] as usize
    }

    /// The children of a node, the last one first.
    pub(super) fn children(&self, node: usize) -> impl Iterator<Item = usize> + '_ {
        let first = self.first[node] as usize;
        let last = (first < node).then(|| node - 1);
        std::iter::successors(last, move |&child| {
            let start = self.first[child] as usize;
            (start > first).then(|| start - 1)
        })
    }

    /// The keyroots of the tree that a node is the root of.
    pub(super) fn keyroots_of(&self, node: usize) -> impl Iterator<Item = usize> + '_ {
        let first = self.first[node];
        let from = self.keyroots.partition_point(|&root| root < first);
        let inner = self.keyroots[from..].iter().map(|&root| root as usize);
        inner
            .take_while(move |&root| root < node)
            .chain(std::iter::once(node))
    }

    /// The roots of the trees that hang off the path of first children of a node.
    pub(super) fn hanging(&self, node: usize) -> impl Iterator<Item = usize> + '_ {
        let first = self.first[node];
        let path = std::iter::successors(Some(node), move |&node| {
            self.children(node)
                .find(|&child| self.first[child] == first)
        });
        path.flat_map(|node| self.children(node))
            .filter(move |&child| self.first[child] != first)
    }
}

impl Tree {
    /// Prepares a tree given in preorder by its labels and numbers of children.
    ///
    /// The numbers should describe one tree. Children that do not follow are taken not to exist,
    /// and nodes after the first whole tree are left out.
    pub fn new(labels: &[u32], arities: &[u32]) -> Self {
        let (ends, depths) = extents(labels.len().min(arities.len()), arities);
        let count = ends.len();
        let size = |node: usize| ends[node] as usize - node;
        // In postorder a node comes after its descendants and before its ancestors.
        let place = |node: usize| node + size(node) - 1 - depths[node] as usize;
        let mut to_right = vec![0; count];
        let mut to_left = vec![0; count];
        let mut left = (vec![0; count], vec![0; count]);
        let mut right = (vec![0; count], vec![0; count]);
        let mut left_depths = vec![0; count];
        for node in 0..count {
            let (l, r) = (place(node), count - 1 - node);
            to_right[l] = r as u32;
            to_left[r] = l as u32;
            left_depths[l] = depths[node];
            for (place, (order_labels, first)) in [(l, &mut left), (r, &mut right)] {
                order_labels[place] = labels[node];
                first[place] = (place + 1 - size(node)) as u32;
            }
        }
        let mut sorted = labels[..count].to_vec();
        sorted.sort_unstable();
        Self {
            left: Order::new(left.0, left.1),
            right: Order::new(right.0, right.1),
            to_right,
            to_left,
            depths: left_depths,
            sorted,
        }
    }

    /// Number of nodes.
    pub fn len(&self) -> usize {
        self.sorted.len()
    }

    /// Whether there are no nodes.
    pub fn is_empty(&self) -> bool {
        self.sorted.is_empty()
    }

    /// The place in preorder of a node of the left order.
    pub(super) fn preorder(&self, node: usize) -> usize {
        self.len() - 1 - self.to_right[node] as usize
    }

    /// How many labels two trees have in common, each as often as in both.
    pub(super) fn common_labels(&self, other: &Self) -> usize {
        let (mut i, mut j, mut common) = (0, 0, 0);
        while let (Some(a), Some(b)) = (self.sorted.get(i), other.sorted.get(j)) {
            common += usize::from(a == b);
            i += usize::from(a <= b);
            j += usize::from(b <= a);
        }
        common
    }
}

/// Where the tree of each node ends in preorder, and how many ancestors the node has.
fn extents(count: usize, arities: &[u32]) -> (Vec<u32>, Vec<u32>) {
    let mut ends: Vec<u32> = Vec::with_capacity(count);
    let mut depths = Vec::with_capacity(count);
    let mut open: Vec<(usize, u32)> = Vec::new();
    for (node, &arity) in arities[..count].iter().enumerate() {
        if node > 0 && open.is_empty() {
            break;
        }
        depths.push(open.len() as u32);
        ends.push(0);
        open.push((node, arity));
        // A node without further children ends here, and so may its ancestors.
        while let Some(&(ended, 0)) = open.last() {
            ends[ended] = node as u32 + 1;
            open.pop();
            if let Some((_, missing)) = open.last_mut() {
                *missing -= 1;
            }
        }
    }
    let end = ends.len() as u32;
    open.iter().for_each(|&(node, _)| ends[node] = end);
    (ends, depths)
}
