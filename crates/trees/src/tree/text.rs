//! Trees as text, whatever they test and say: as CLUS draws them, a test a line, its branches
//! indented below.

use std::fmt::Write;

use super::Tree;

/// How many tests below each other are drawn; what lies deeper is counted.
pub(crate) const DRAWN: usize = 40;
/// How many labels of a test are listed.
const LISTED: usize = 12;

/// What the parts of a tree are called.
pub(crate) struct Words<'a, T> {
    /// Whether each node has its number, from 1, before it.
    pub numbered: bool,
    /// A test, with its node.
    pub test: &'a dyn Fn(u32, &T) -> String,
    /// A branch of a test.
    pub branch: &'a dyn Fn(&T, usize) -> String,
    /// What a leaf says, by its node.
    pub leaf: &'a dyn Fn(u32) -> String,
}

/// Size, leaves and depth of a tree in words.
pub(crate) fn measures<T, P>(tree: &Tree<T, P>) -> String {
    let count = |count: usize, one: &str, many: &str| match count {
        1 => format!("1 {one}"),
        count => format!("{count} {many}"),
    };
    format!(
        "{}, {}, depth {}",
        count(tree.size(), "node", "nodes"),
        count(tree.leaves(), "leaf", "leaves"),
        tree.depth()
    )
}

/// Draws a tree.
pub(crate) fn draw<T, P>(tree: &Tree<T, P>, words: &Words<'_, T>, text: &mut String) {
    let sizes = sizes(tree);
    // A node, what stands before its lines, before its own line beyond that, and how deep it is.
    let mut pending = vec![(0u32, String::new(), String::new(), true, 0)];
    while let Some((node, before, own, last, depth)) = pending.pop() {
        let _ = write!(text, "{before}{own}");
        if words.numbered {
            let _ = write!(text, "({}) ", node + 1);
        }
        let Some(split) = &tree.node(node).split else {
            let _ = writeln!(text, "{}", (words.leaf)(node));
            continue;
        };
        if depth == DRAWN {
            let _ = writeln!(text, "... {} nodes", sizes[node as usize]);
            continue;
        }
        let _ = writeln!(text, "{}", (words.test)(node, &split.test));
        let below = match (own.is_empty(), last) {
            (true, _) => before,
            (false, false) => format!("{before}|       "),
            (false, true) => format!("{before}        "),
        };
        let count = split.children.len();
        for (branch, &child) in split.children.iter().enumerate().rev() {
            let own = format!("+--{}: ", (words.branch)(&split.test, branch));
            let own = format!("{own:<8}");
            pending.push((child, below.clone(), own, branch + 1 == count, depth + 1));
        }
    }
}

/// The number of nodes below each node, itself included.
pub(crate) fn sizes<T, P>(tree: &Tree<T, P>) -> Vec<usize> {
    let mut sizes = vec![1; tree.size()];
    for (place, node) in tree.nodes().iter().enumerate().rev() {
        let children = node.split.iter().flat_map(|split| &split.children);
        sizes[place] += children.map(|&child| sizes[child as usize]).sum::<usize>();
    }
    sizes
}

/// That a column has one of some labels, in words.
pub(crate) fn among<'a>(
    name: &str,
    labels: impl IntoIterator<Item = &'a str, IntoIter: ExactSizeIterator>,
) -> String {
    let labels = labels.into_iter();
    let more = labels.len().saturating_sub(LISTED);
    let listed: Vec<&str> = labels.take(LISTED).collect();
    match (listed.as_slice(), more) {
        ([only], 0) => format!("{name} = {only}"),
        (listed, 0) => format!("{name} in {{{}}}", listed.join(", ")),
        (listed, more) => format!("{name} in {{{}, and {more} more}}", listed.join(", ")),
    }
}
