//! Where numbers are cut and which labels are taken together.

use super::{Node, Rows};
use crate::mirt::response::Sums;
use crate::mirt::test::ABOUT;

/// The best place to cut.
pub(super) struct Cut {
    /// The last number of the side where the test holds.
    pub threshold: f64,
    /// The objects of that side.
    pub yes: Sums,
}

/// The best cut of the objects by a number each, the test holding for the small ones or with
/// `from_above` for the great ones. What is not a number is on the other side.
pub(super) fn cut(node: &Node<'_, '_>, numbers: Vec<f64>, from_above: bool) -> Option<Cut> {
    let (problem, rules) = (node.problem, node.problem.rules);
    let objects = &node.bags.objects;
    let mut order: Vec<(f64, u32)> = numbers
        .into_iter()
        .zip(0u32..)
        .filter(|(number, _)| !number.is_nan())
        .collect();
    order.sort_unstable_by(|a, b| {
        let numbers = a.0.total_cmp(&b.0);
        match from_above {
            true => numbers.reverse(),
            false => numbers,
        }
        .then(a.1.cmp(&b.1))
    });
    let width = problem.response.width();
    let mut yes = Sums::empty(width);
    let mut no = node.whole.clone();
    let mut best: Option<(f64, usize)> = None;
    for (place, &(number, object)) in order.iter().enumerate() {
        let object = objects[object as usize];
        let (own, weight) = (
            problem.response.of(object),
            problem.weights[object as usize],
        );
        yes.add(own, weight);
        no.add(own, -weight);
        // Numbers made of several may differ by rounding alone.
        let apart = |next: &(f64, u32)| {
            (next.0 - number).abs() > ABOUT * 4.0 * number.abs().max(next.0.abs())
        };
        let last = order.get(place + 1).is_none_or(apart);
        // What is left on the other side is rounding once all objects are on this one.
        if !last || place + 1 == objects.len() || yes.weight < rules.leaf {
            continue;
        }
        if no.weight < rules.leaf || no.weight <= 0.0 {
            break;
        }
        let score = yes.deviation(rules.variance) + no.deviation(rules.variance);
        if best.is_none_or(|(best, _)| score < best - 1e-12 * best.abs()) {
            best = Some((score, place));
        }
    }
    let (_, place) = best?;
    // Summed afresh: sums that were taken from keep no rounding this way.
    let taken: Vec<u32> = order[..=place]
        .iter()
        .map(|&(_, object)| objects[object as usize])
        .collect();
    Some(Cut {
        threshold: order[place].0,
        yes: problem.response.sums(&taken, problem.weights),
    })
}

/// Labels taken together, one after the other as long as that divides better, the one that divides
/// best first; and the objects that have one.
pub(super) fn subset(
    node: &Node<'_, '_>,
    rows: &Rows<'_>,
    count: usize,
    code: impl Fn(u32) -> Option<u32>,
) -> Option<(Vec<u32>, Sums)> {
    let (problem, rules) = (node.problem, node.problem.rules);
    // The objects that have each label, each once: slots stand by object.
    let mut holders: Vec<Vec<u32>> = vec![Vec::new(); count];
    for (place, &row) in rows.slots.rows.iter().enumerate() {
        let object = rows.slots.objects[place];
        if let Some(code) = code(row).filter(|code| rows.kept[place] && (*code as usize) < count)
            && holders[code as usize].last() != Some(&object)
        {
            holders[code as usize].push(object);
        }
    }
    let mut left: Vec<u32> = (0..count as u32)
        .filter(|&label| !holders[label as usize].is_empty())
        .collect();
    let objects = &node.bags.objects;
    let mut inside = vec![false; objects.len()];
    let mut yes = Sums::empty(problem.response.width());
    let mut taken: Vec<u32> = Vec::new();
    let mut best = f64::INFINITY;
    loop {
        let mut next: Option<(f64, usize, Sums)> = None;
        for (place, &label) in left.iter().enumerate() {
            let mut with = yes.clone();
            for &object in holders[label as usize]
                .iter()
                .filter(|&&object| !inside[object as usize])
            {
                let object = objects[object as usize];
                with.add(
                    problem.response.of(object),
                    problem.weights[object as usize],
                );
            }
            let mut no = node.whole.clone();
            no.subtract(&with);
            if no.weight < rules.leaf || no.weight <= 0.0 || with.weight <= 0.0 {
                continue;
            }
            let score = with.deviation(rules.variance) + no.deviation(rules.variance);
            let better = |than: f64| score < than - 1e-12 * than.abs();
            if next.as_ref().is_none_or(|next| better(next.0)) {
                next = Some((score, place, with));
            }
        }
        let Some((score, place, with)) = next else {
            break;
        };
        if score >= best - 1e-12 * best.abs() && !taken.is_empty() {
            break;
        }
        best = score;
        yes = with;
        let label = left.remove(place);
        for &object in &holders[label as usize] {
            inside[object as usize] = true;
        }
        taken.push(label);
    }
    taken.sort_unstable();
    (!taken.is_empty()).then_some((taken, yes))
}
