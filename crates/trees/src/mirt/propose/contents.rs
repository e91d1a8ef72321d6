//! The best conditions on what the values of a structured column contain.

use super::{Candidate, Node, Rows, Way};
use crate::contents::Item;
use crate::mirt::test::{Condition, Is};
use crate::tree::propose::any_of::{AnyOf, AskedFor};
use crate::tree::response::Response;

/// The best condition of each kind; an object has what any of its rows has, and is as large as the
/// largest of them.
pub(super) fn propose<R: Response>(
    node: &Node<'_, '_, R>,
    way: &Way,
    rows: &Rows<'_>,
    column: u32,
    items: &[Item],
    sized: bool,
) -> Vec<Candidate> {
    let problem = node.problem;
    let (response, rules) = (problem.response, problem.rules);
    let Some(found) = problem
        .values
        .found(rows.table, column)
        .filter(|_| rules.items > 0)
    else {
        return Vec::new();
    };
    let objects = node.bags.objects.len();
    let (mut starts, mut own) = (vec![0], Vec::new());
    let mut sizes: Vec<Option<u32>> = vec![None; objects];
    // Slots stand by object.
    let mut slot = 0;
    for (object, size) in sizes.iter_mut().enumerate() {
        let from = own.len();
        while slot < rows.slots.rows.len() && rows.slots.objects[slot] as usize == object {
            if rows.kept[slot] {
                let row = rows.slots.rows[slot] as usize;
                own.extend_from_slice(found.items(row));
                *size = (*size).max(found.size(row));
            }
            slot += 1;
        }
        own[from..].sort_unstable();
        let mut kept = from;
        for place in from..own.len() {
            if place == from || own[place] != own[kept - 1] {
                own[kept] = own[place];
                kept += 1;
            }
        }
        own.truncate(kept);
        starts.push(kept);
    }
    let any_of = AnyOf {
        response,
        local: &node.region.local,
        examples: objects,
        weight: &|object| node.region.weight(object),
        has: &|object| &own[starts[object]..starts[object + 1]],
        size: &|object| sizes[object].filter(|_| sized),
        items,
        least: rules.leaf,
        most: rules.items,
        divided: &|inside| {
            let outside = node.others(inside);
            let heavy = |weight: f64| weight > 0.0 && weight >= rules.leaf;
            let both = heavy(response.weight(inside)) && heavy(response.weight(&outside));
            both.then(|| response.spread(inside) + response.spread(&outside))
        },
        whole: (
            response.spread(&node.region.whole),
            response.weight(&node.region.whole),
        ),
    };
    let candidate = |found: crate::tree::propose::any_of::FoundTest<R::Summary>| {
        let condition = Condition::Some {
            occurrence: rows.occurrence,
            column,
            is: match found.asked {
                AskedFor::Items(items) => Is::Has(items),
                AskedFor::Size(least) => Is::Sized(least),
            },
        };
        let candidate = node.candidate(&found.inside, way, Some(condition))?;
        Some(Candidate {
            chance: found.chance,
            ..candidate
        })
    };
    any_of.best().into_iter().filter_map(candidate).collect()
}
