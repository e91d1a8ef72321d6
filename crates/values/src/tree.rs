//! Ordered trees with labels, `a(b,c(d))`.
//!
//! Nodes are held in preorder: one node after the other, each with its number of children. A tree
//! is so a few flat arrays, quick to compare and to drop, and no depth can exhaust the stack.

use std::fmt::{self, Write};
use std::iter;
use std::str::FromStr;

use crate::text::{Form, ParseError, Scanner, write_name};

/// An ordered tree whose nodes have labels; never empty. Nodes are numbered in preorder from 0, the
/// root.
///
/// ```
/// use kinwood_values::Tree;
/// let tree: Tree = "a(b,c(d))".parse()?;
/// let children: Vec<&str> = tree.children(tree.root()).map(|child| tree.label(child)).collect();
/// assert_eq!(children, ["b", "c"]);
/// # Ok::<(), kinwood_values::ParseError>(())
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Tree {
    labels: Vec<String>,
    arities: Vec<u32>,
    sizes: Vec<u32>,
}

impl Tree {
    /// A tree from the label and the number of children of each node in preorder.
    pub fn new(labels: Vec<String>, arities: Vec<u32>) -> Result<Tree, ParseError> {
        if labels.len() != arities.len() {
            return Err(ParseError::LabelCount {
                labels: labels.len(),
                nodes: arities.len(),
            });
        }
        let sizes = subtree_sizes(&arities)?;
        Ok(Tree {
            labels,
            arities,
            sizes,
        })
    }

    /// Number of nodes.
    #[expect(clippy::len_without_is_empty, reason = "no tree is empty")]
    pub fn len(&self) -> usize {
        self.labels.len()
    }

    /// The root, node 0.
    pub fn root(&self) -> usize {
        0
    }

    /// Label of a node.
    pub fn label(&self, node: usize) -> &str {
        &self.labels[node]
    }

    /// Labels of all nodes in preorder.
    pub fn labels(&self) -> &[String] {
        &self.labels
    }

    /// Number of children of a node.
    pub fn arity(&self, node: usize) -> usize {
        self.arities[node] as usize
    }

    /// Numbers of children of all nodes in preorder.
    pub fn arities(&self) -> &[u32] {
        &self.arities
    }

    /// Number of nodes of the subtree that a node is the root of: nodes `node..node + size(node)`.
    pub fn size(&self, node: usize) -> usize {
        self.sizes[node] as usize
    }

    /// The children of a node from first to last.
    pub fn children(&self, node: usize) -> impl Iterator<Item = usize> + '_ {
        children(&self.sizes, node)
    }

    /// Number of nodes on the longest way from the root to a leaf: 1 for a single node.
    pub fn depth(&self) -> usize {
        deepest(&self.arities)
    }
}

/// Sizes of the subtrees of a preorder given by numbers of children, if it describes exactly one
/// tree.
pub(crate) fn subtree_sizes(arities: &[u32]) -> Result<Vec<u32>, ParseError> {
    let not_one_tree = || ParseError::NotOneTree {
        nodes: arities.len(),
    };
    if u32::try_from(arities.len()).is_err() {
        return Err(not_one_tree());
    }
    let mut sizes = vec![0; arities.len()];
    // From the last node back, the subtrees still without a parent are on a stack, the leftmost on
    // top.
    let mut orphans: Vec<u32> = Vec::new();
    for (node, &arity) in arities.iter().enumerate().rev() {
        let kept = orphans
            .len()
            .checked_sub(arity as usize)
            .ok_or_else(not_one_tree)?;
        let size = 1 + orphans.drain(kept..).sum::<u32>();
        sizes[node] = size;
        orphans.push(size);
    }
    if orphans.len() == 1 {
        Ok(sizes)
    } else {
        Err(not_one_tree())
    }
}

/// The children of a node of a preorder with the given subtree sizes.
pub(crate) fn children(sizes: &[u32], node: usize) -> impl Iterator<Item = usize> + '_ {
    let end = node + sizes[node] as usize;
    let step = move |child: usize| Some(child).filter(|&child| child < end);
    iter::successors(step(node + 1), move |&child| {
        step(child + sizes[child] as usize)
    })
}

/// Number of levels of a preorder given by numbers of children.
pub(crate) fn deepest(arities: impl IntoIterator<Item = impl std::borrow::Borrow<u32>>) -> usize {
    let mut deepest = 0;
    let mut awaited: Vec<u32> = Vec::new();
    for arity in arities {
        deepest = deepest.max(awaited.len() + 1);
        awaited.push(*arity.borrow());
        while awaited.last() == Some(&0) {
            awaited.pop();
            if let Some(left) = awaited.last_mut() {
                *left -= 1;
            }
        }
    }
    deepest
}

fn bare(c: char) -> bool {
    !matches!(c, '(' | ')' | ',' | '\'') && !c.is_whitespace() && !c.is_control()
}

impl fmt::Display for Tree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut awaited: Vec<u32> = Vec::new();
        for (label, &arity) in self.labels.iter().zip(&self.arities) {
            write_name(f, label, !label.is_empty() && label.chars().all(bare))?;
            if arity > 0 {
                f.write_char('(')?;
                awaited.push(arity);
                continue;
            }
            while let Some(left) = awaited.last_mut() {
                *left -= 1;
                if *left > 0 {
                    f.write_char(',')?;
                    break;
                }
                f.write_char(')')?;
                awaited.pop();
            }
        }
        Ok(())
    }
}

impl FromStr for Tree {
    type Err = ParseError;

    /// Labels stand as they are unless they hold brackets, commas, quotes or blanks: those stand in
    /// `'…'`.
    fn from_str(text: &str) -> Result<Tree, ParseError> {
        let mut scanner = Scanner::new(Form::Tree, text);
        let mut labels = Vec::new();
        let mut arities: Vec<u32> = Vec::new();
        let mut open: Vec<usize> = Vec::new();
        loop {
            scanner.skip_blanks();
            labels.push(match scanner.quoted('\'') {
                Some(quoted) => quoted?,
                None if scanner.peek().is_some_and(bare) => scanner.take_while(bare).to_owned(),
                None => return Err(scanner.unexpected("a label")),
            });
            arities.push(0);
            if let Some(&parent) = open.last() {
                arities[parent] += 1;
            }
            if scanner.eat('(') {
                open.push(labels.len() - 1);
                continue;
            }
            while !open.is_empty() && scanner.eat(')') {
                open.pop();
            }
            if open.is_empty() {
                scanner.end()?;
                return Tree::new(labels, arities);
            }
            if !scanner.eat(',') {
                return Err(scanner.unexpected("`,` or `)`"));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(text: &str) -> Tree {
        text.parse().unwrap()
    }

    #[test]
    fn reads_and_walks() {
        let tree = tree("a(b, c ( d,'e f') ,g)");
        assert_eq!(tree.labels(), ["a", "b", "c", "d", "e f", "g"]);
        assert_eq!(tree.arities(), [3, 0, 2, 0, 0, 0]);
        assert_eq!(tree.children(0).collect::<Vec<_>>(), [1, 2, 5]);
        assert_eq!(tree.children(2).collect::<Vec<_>>(), [3, 4]);
        assert_eq!(tree.children(5).count(), 0);
        assert_eq!((tree.len(), tree.depth(), tree.size(2)), (6, 3, 3));
        assert_eq!(tree.to_string(), "a(b,c(d,'e f'),g)");
    }

    #[test]
    fn errors_say_where_and_what() {
        for (text, expected) in [
            (
                "",
                "expected a label at column 1 of the tree, found the end",
            ),
            (
                "a(",
                "expected a label at column 3 of the tree, found the end",
            ),
            ("a()", "expected a label at column 3 of the tree, found `)`"),
            (
                "a(b",
                "expected `,` or `)` at column 4 of the tree, found the end",
            ),
            (
                "a(b c)",
                "expected `,` or `)` at column 5 of the tree, found `c`",
            ),
            (
                "a(b))",
                "expected the end at column 5 of the tree, found `)`",
            ),
            (
                "'a'(,)",
                "expected a label at column 5 of the tree, found `,`",
            ),
            (
                "a('b)",
                "the quote opened at column 3 of the tree is never closed",
            ),
        ] {
            assert_eq!(
                text.parse::<Tree>().unwrap_err().to_string(),
                expected,
                "{text}"
            );
        }
    }

    #[test]
    fn refuses_what_is_no_tree() {
        let labels = |n: usize| vec!["a".to_owned(); n];
        for arities in [vec![], vec![1], vec![0, 0], vec![1, 0, 0], vec![u32::MAX]] {
            let nodes = arities.len();
            assert_eq!(
                Tree::new(labels(nodes), arities),
                Err(ParseError::NotOneTree { nodes })
            );
        }
        assert_eq!(
            Tree::new(labels(2), vec![0]),
            Err(ParseError::LabelCount {
                labels: 2,
                nodes: 1
            })
        );
    }

    #[test]
    fn a_very_deep_tree_is_no_problem() {
        let text = format!("{}a{}", "a(".repeat(99_999), ")".repeat(99_999));
        let deep = tree(&text);
        assert_eq!(deep.depth(), 100_000);
        assert_eq!(deep.to_string(), text);
        assert!(deep == deep.clone() && deep <= deep.clone());
    }
}
