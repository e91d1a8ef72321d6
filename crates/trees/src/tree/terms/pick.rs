//! A tree taken out of its set: its terms hold nothing of the other trees.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::{Input, InputKind, Member, Pool, Terms};
use crate::tree::{FlatTree, Test, Tree};

/// The prototypes that a tree names, by column, rising.
type Named = BTreeMap<u32, Vec<u32>>;

/// The terms of one tree of a set, and the tree in them.
pub(super) fn picked(all: &Terms, member: &Member<Terms>) -> (Terms, Member<Terms>) {
    let mut tested = BTreeSet::new();
    let mut named: BTreeMap<u32, BTreeSet<u32>> = BTreeMap::new();
    let splits = member.tree.nodes().iter().filter_map(|n| n.split.as_ref());
    for split in splits {
        tested.insert(split.test.column());
        if let Test::Nearest { column, nearest } = &split.test
            && let Some(InputKind::Kin(_)) = all.input(*column).map(|input| &input.kind)
        {
            let of_column = named.entry(*column).or_default();
            of_column.extend(&nearest.prototypes);
        }
    }
    let named: Named = named
        .into_iter()
        .map(|(column, places)| (column, places.into_iter().collect()))
        .collect();
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

/// An input with those of its prototypes that the tree names.
fn narrowed(input: &Input, named: &Named) -> Input {
    match (&input.kind, named.get(&input.column)) {
        (InputKind::Kin(pool), Some(places)) => Input {
            kind: InputKind::Kin(Arc::new(Pool {
                values: pool.values.gather(places),
                ..(**pool).clone()
            })),
            ..input.clone()
        },
        _ => input.clone(),
    }
}

/// The tree with its tests speaking of the prototypes that are left.
fn renumbered(tree: &FlatTree, named: &Named) -> FlatTree {
    let nodes = tree.nodes().iter().cloned().map(|mut node| {
        if let Some(split) = &mut node.split
            && let Test::Nearest { column, nearest } = &mut split.test
            && let Some(places) = named.get(column)
        {
            for place in &mut nearest.prototypes {
                *place = places.partition_point(|other| other < place) as u32;
            }
        }
        node
    });
    Tree::new(nodes.collect()).expect("the structure is the same")
}
