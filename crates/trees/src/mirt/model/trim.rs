//! The items that the trees of a model ask for: the others, which growing looked at, are not kept.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::mirt::terms::Terms;
use crate::mirt::test::{Condition, Is, Step, Test};
use crate::tree::Tree;
use crate::tree::model::{Member, Outline};

/// The place of a pool, and the items that tests ask for, rising.
type Asked = BTreeMap<(usize, u32), Vec<u32>>;

/// Terms with the items that trees ask for alone, and the trees in them.
pub(super) fn trimmed(terms: Terms, trees: Vec<Member<Terms>>) -> (Terms, Vec<Member<Terms>>) {
    if terms.pools.iter().all(|pool| pool.items.is_empty()) {
        return (terms, trees);
    }
    let mut asked = Asked::new();
    for member in &trees {
        let outline = Outline::new(&terms, &*member.tree);
        for (node, above) in member.tree.nodes().iter().zip(&outline.above) {
            let Some(split) = &node.split else { continue };
            if let Some((place, items)) = has(&terms, above, &split.test) {
                let own = asked.entry(place).or_default();
                own.extend(items);
                own.sort_unstable();
                own.dedup();
            }
        }
    }
    let trees = trees.into_iter().map(|member| {
        let outline = Outline::new(&terms, &*member.tree);
        let nodes = member.tree.nodes().iter().zip(&outline.above);
        let nodes = nodes.map(|(node, above)| {
            let mut node = node.clone();
            if let Some(split) = &mut node.split
                && let Some((place, _)) = has(&terms, above, &split.test)
                && let Some(Condition::Some {
                    is: Is::Has(items), ..
                }) = &mut split.test.condition
                && let Some(kept) = asked.get(&place)
            {
                for item in items {
                    *item = kept.partition_point(|other| other < item) as u32;
                }
            }
            node
        });
        Member {
            tree: Arc::new(Tree::new(nodes.collect()).expect("the structure is the same")),
            score: member.score,
        }
    });
    let trees = trees.collect();
    let mut terms = terms;
    for pool in &mut terms.pools {
        let kept = asked.get(&(pool.table, pool.column));
        let kept = kept.map_or(&[][..], Vec::as_slice);
        pool.items = pool.named(kept).cloned().collect();
    }
    (terms, trees)
}

/// The items that a test asks for, and of which column.
fn has<'t>(terms: &Terms, above: &[Step], test: &'t Test) -> Option<((usize, u32), &'t [u32])> {
    let condition = test.condition.as_ref()?;
    let (Some(Is::Has(items)), Some(column)) = (condition.is(), condition.column()) else {
        return None;
    };
    let steps: Vec<Step> = above.iter().chain(&test.steps).copied().collect();
    let table = terms.table_of(&steps, condition.occurrence());
    // What times have is numbered once for all of them.
    terms.pool(table, column)?;
    Some(((table, column), items))
}
