//! The prototypes that a model keeps: those its trees compare values with, each once.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use kinwood_similarity::rows::Reading;
use kinwood_values::View;

use super::columns::{Input, Inputs, Looks, Values};
use super::model::Member;
use super::terms::{Pool, Pooled, Source, Terms};
use super::{Test, Tree};

/// The trees with their tests speaking of the prototypes that any of them has, and these.
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
    let mut used: BTreeMap<u32, BTreeSet<u32>> = BTreeMap::new();
    for node in trees.iter().flat_map(|member| member.tree.nodes()) {
        if let Some(split) = &node.split
            && let Test::Nearest { column, nearest } = &split.test
            && structured(*column)
        {
            used.entry(*column).or_default().extend(&nearest.prototypes);
        }
    }
    if used.is_empty() {
        return (trees, Vec::new());
    }
    let used: BTreeMap<u32, Vec<u32>> = used
        .into_iter()
        .map(|(position, codes)| (position, codes.into_iter().collect()))
        .collect();
    let renamed = |member: Member<Terms>| {
        let nodes = member.tree.nodes().iter().cloned().map(|mut node| {
            if let Some(split) = &mut node.split
                && let Test::Nearest { column, nearest } = &mut split.test
                && let Some(codes) = used.get(column)
            {
                for code in &mut nearest.prototypes {
                    *code = codes.partition_point(|other| other < code) as u32;
                }
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
        let (Values::Kin(kin), Some(codes)) = (&input.values, used.get(&input.position)) else {
            return None;
        };
        let pool = Pool {
            values: kin.values.gather(codes),
            measure: kin.measure.clone(),
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
