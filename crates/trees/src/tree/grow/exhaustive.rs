//! Every tree up to a size: no search, but an enumeration.
//!
//! A tree at a node is a leaf, or a test with a tree at each branch. What stands below a node
//! depends on the path to it alone, so trees below one branch are found once and joined with those
//! below the others. Tests are all that the language can count at the node: every threshold between
//! two values and every subset of labels of columns, and of anything else the tests that a beam
//! weighs there. Constraints that growth cannot mend (size, depth, cost, the weight of leaves,
//! columns that are banned) cut the enumeration short; all others are for the caller to check.

use std::sync::Arc;

use super::place::Place;
use super::{GrowthLimits, may_divide};
use crate::tree::language::Language;
use crate::tree::response::Answers;
use crate::tree::structure::{Node, Split, Tree};
use kinwood_learning::context::Context;

/// The most trees that are enumerated.
pub const MOST: usize = 100_000;
/// Estimates beyond this many times that are believed; below it, trees are counted by making them.
const DOUBTED: f64 = 10_000.0;

/// Why trees are not enumerated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Refused {
    /// There would be too many; about so many.
    TooMany(f64),
    /// The work was stopped.
    Stopped,
}

/// A tree below a node.
struct Below<L: Language> {
    size: usize,
    answers: Arc<Answers>,
    split: Option<Arc<Division<L>>>,
    children: Vec<Shared<L>>,
}

/// A tree that several may have below them.
type Shared<L> = Arc<Below<L>>;

/// How a node is divided.
struct Division<L: Language> {
    test: L::Test,
    shares: Vec<f64>,
}

/// All trees of at most so many nodes that keep to what growth cannot mend.
pub fn every_tree<L: Language>(
    language: &L,
    root: L::Region,
    size: usize,
    limits: &GrowthLimits<'_, L::Test>,
    context: &Context,
) -> Result<Vec<Tree<L::Test, Answers>>, Refused> {
    let memory = context
        .memory()
        .map_or(1 << 28, |memory| memory as usize / 2);
    let root = Arc::new(Place::root(language, language.shared(root, memory)));
    let tests = language.every(&root.region).len();
    let estimate = estimate(tests, size, language.most_branches());
    if estimate > DOUBTED * MOST as f64 {
        return Err(Refused::TooMany(estimate));
    }
    let enumeration = Enumeration {
        language,
        limits,
        estimate,
        context,
    };
    let all = enumeration.below(&root, size)?;
    Ok(all.iter().map(|below| tree(below)).collect())
}

/// About how many trees there are if every node has as many tests as the root: with `k` tests in
/// them as many shapes as Catalan's number, each test one of `tests`.
fn estimate(tests: usize, size: usize, branches: usize) -> f64 {
    let most = size.saturating_sub(1) / branches.clamp(2, size.max(2));
    let most = most.max(size.saturating_sub(1) / 2);
    let (mut shapes, mut total) = (1.0, 1.0);
    for inner in 1..=most.min(1000) {
        let inner = inner as f64;
        shapes *= 2.0 * (2.0 * inner - 1.0) / (inner + 1.0) * tests as f64;
        total += shapes;
        if shapes == 0.0 || !total.is_finite() {
            break;
        }
    }
    total
}

struct Enumeration<'a, 'l, L: Language> {
    language: &'a L,
    limits: &'a GrowthLimits<'l, L::Test>,
    estimate: f64,
    context: &'a Context,
}

impl<L: Language> Enumeration<'_, '_, L> {
    /// The trees below a place of at most so many nodes: the leaf first, then by test.
    fn below(&self, place: &Arc<Place<L>>, room: usize) -> Result<Vec<Shared<L>>, Refused> {
        let language = self.language;
        let answers = Arc::new(language.answers(&place.region));
        let leaf = Below {
            size: 1,
            answers: Arc::clone(&answers),
            split: None,
            children: Vec::new(),
        };
        let mut all = vec![Arc::new(leaf)];
        if room < 3 || !self.limits.deepens(place.position.depth) {
            return Ok(all);
        }
        if self.context.check().is_err() {
            return Err(Refused::Stopped);
        }
        for candidate in language.every(&place.region) {
            let branches = language.branches(&candidate);
            let (region, position) = (&place.region, &place.position);
            if branches + 1 > room
                || !may_divide(language, self.limits, region, &candidate, position)
            {
                continue;
            }
            let children = place.divided(language, self.limits, &candidate);
            // Each other branch has a leaf at least.
            let each: Vec<Vec<Shared<L>>> = children
                .iter()
                .map(|child| self.below(child, room - branches))
                .collect::<Result<_, _>>()?;
            let division = Arc::new(Division {
                test: language.test(&candidate),
                shares: language.shares(&candidate),
            });
            let mut chosen = Vec::with_capacity(branches);
            self.join(&each, room - 1, &mut chosen, &mut |children, size| {
                all.push(Arc::new(Below {
                    size: size + 1,
                    answers: Arc::clone(&answers),
                    split: Some(Arc::clone(&division)),
                    children: children.to_vec(),
                }));
                all.len() <= MOST
            })?;
        }
        Ok(all)
    }

    /// One tree below each branch, in all ways that have room.
    fn join(
        &self,
        each: &[Vec<Shared<L>>],
        room: usize,
        chosen: &mut Vec<Shared<L>>,
        take: &mut dyn FnMut(&[Shared<L>], usize) -> bool,
    ) -> Result<(), Refused> {
        let Some(trees) = each.get(chosen.len()) else {
            let size = chosen.iter().map(|below| below.size).sum();
            return match take(chosen, size) {
                true => Ok(()),
                false => Err(Refused::TooMany(self.estimate)),
            };
        };
        let left = each.len() - chosen.len() - 1;
        for below in trees {
            if below.size + left <= room {
                chosen.push(Arc::clone(below));
                self.join(each, room - below.size, chosen, take)?;
                chosen.pop();
            }
        }
        Ok(())
    }
}

/// A tree of its own, its nodes in preorder.
fn tree<L: Language>(root: &Shared<L>) -> Tree<L::Test, Answers> {
    let mut nodes: Vec<Node<L::Test, Answers>> = Vec::with_capacity(root.size);
    let mut pending: Vec<(_, Option<(usize, usize)>)> = vec![(root, None)];
    while let Some((below, above)) = pending.pop() {
        let place = nodes.len();
        if let Some((parent, branch)) = above {
            let split = nodes[parent].split.as_mut().expect("a parent is split");
            split.children[branch] = place as u32;
        }
        let children = below.children.iter().enumerate().rev();
        pending.extend(children.map(|(branch, child)| (child, Some((place, branch)))));
        let split = below.split.as_ref().map(|division| Split {
            test: division.test.clone(),
            children: vec![0; below.children.len()],
            shares: division.shares.clone(),
        });
        nodes.push(Node {
            payload: Answers::clone(&below.answers),
            split,
        });
    }
    Tree::new(nodes).expect("nodes are in preorder")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn estimates_are_exact_where_all_nodes_have_as_many_tests() {
        assert_eq!(estimate(5, 1, 2), 1.0);
        assert_eq!(estimate(5, 3, 2), 6.0);
        assert_eq!(estimate(5, 5, 2), 1.0 + 5.0 + 2.0 * 25.0);
        assert_eq!(estimate(5, 7, 2), 1.0 + 5.0 + 50.0 + 5.0 * 125.0);
        assert_eq!(estimate(0, 99, 2), 1.0);
    }
}
