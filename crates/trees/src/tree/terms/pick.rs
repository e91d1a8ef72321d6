//! A tree taken out of its set: its terms hold nothing of the other trees.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::{Input, InputKind, Member, Named, Pool, Terms};
use crate::tree::{FlatTree, Tree};

/// The terms of one tree of a set, and the tree in them.
pub(super) fn picked(all: &Terms, member: &Member<Terms>) -> (Terms, Member<Terms>) {
    let mut tested = BTreeSet::new();
    let mut named = Named::default();
    let splits = member.tree.nodes().iter().filter_map(|n| n.split.as_ref());
    for split in splits {
        let column = split.test.column();
        tested.insert(column);
        if let Some(InputKind::Kin(_)) = all.input(column).map(|input| &input.kind) {
            named.add(&split.test);
        }
    }
    let inputs = all.inputs.iter();
    let inputs = inputs.filter(|input| tested.contains(&input.column));
    let terms = Terms {
        inputs: inputs.map(|input| narrowed(input, &named)).collect(),
        targets: all.targets.clone(),
    };
    let member = Member {
        tree: match named.is_empty() {
            true => Arc::clone(&member.tree),
            false => Arc::new(renumbered(&member.tree, &named)),
        },
        score: member.score,
    };
    (terms, member)
}

/// An input with those of its prototypes and items that the tree names.
fn narrowed(input: &Input, named: &Named) -> Input {
    match (&input.kind, named.of(input.column)) {
        (InputKind::Kin(pool), Some((prototypes, items))) => Input {
            kind: InputKind::Kin(Arc::new(Pool {
                values: pool.values.gather(prototypes),
                items: pool.named(items).cloned().collect(),
                ..(**pool).clone()
            })),
            ..input.clone()
        },
        _ => input.clone(),
    }
}

/// The tree with its tests speaking of the prototypes and items that are left.
fn renumbered(tree: &FlatTree, named: &Named) -> FlatTree {
    let nodes = tree.nodes().iter().cloned().map(|mut node| {
        if let Some(split) = &mut node.split {
            named.renumber(&mut split.test);
        }
        node
    });
    Tree::new(nodes.collect()).expect("the structure is the same")
}
