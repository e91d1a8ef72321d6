//! The prototypes and items that a model keeps: those its trees compare values with and look for in
//! them, each once.

use std::sync::Arc;

use kinwood_similarity::rows::Reading;
use kinwood_values::View;

use super::Tree;
use super::columns::{Input, Inputs, Looks, Values};
use super::model::Member;
use super::terms::{Named, Pool, Pooled, Source, Terms};

/// The trees with their tests speaking of the prototypes and items that any of them has, and these.
pub fn pooled(
    trees: Vec<Member<Terms>>,
    inputs: &Inputs<'_>,
    view: &View,
    looks: &Looks,
) -> (Vec<Member<Terms>>, Vec<Pooled>) {
    let structured = |column: u32| {
        let mut all = inputs.all.iter();
        all.any(|input| input.position == column && matches!(input.values, Values::Kin(_)))
    };
    let mut used = Named::default();
    for node in trees.iter().flat_map(|member| member.tree.nodes()) {
        if let Some(split) = &node.split
            && structured(split.test.column())
        {
            used.add(&split.test);
        }
    }
    if used.is_empty() {
        return (trees, Vec::new());
    }
    let renamed = |member: Member<Terms>| {
        let nodes = member.tree.nodes().iter().cloned().map(|mut node| {
            if let Some(split) = &mut node.split {
                used.renumber(&mut split.test);
            }
            node
        });
        Member {
            tree: Arc::new(Tree::new(nodes.collect()).expect("the structure is the same")),
            ..member
        }
    };
    let beyond = view.table().attributes().len() as u32;
    let depth = looks.distance.depth;
    let pool = |input: &Input<'_>| {
        let (Values::Kin(kin), Some((prototypes, items))) =
            (&input.values, used.of(input.position))
        else {
            return None;
        };
        let all = kin.contents.as_ref().map(|contents| &contents.items);
        let pool = Pool {
            values: kin.values.gather(prototypes),
            items: match all {
                Some(all) => items
                    .iter()
                    .map(|&item| all[item as usize].clone())
                    .collect(),
                None => Vec::new(),
            },
            measure: kin.measure.clone(),
            more: kin.more.iter().map(|more| more.0.clone()).collect(),
            source: match input.position {
                _ if inputs.whole => Source::Row(Reading::of(&kin.measure.expression(), depth)),
                position if position >= beyond => Source::Linked(depth),
                _ => Source::Column,
            },
        };
        Some((input.position, input.name.clone(), pool))
    };
    let pools = inputs.all.iter().filter_map(pool).collect();
    (trees.into_iter().map(renamed).collect(), pools)
}
