//! Where numbers are cut and which labels are taken together.

use super::{Node, Rows};
use crate::mirt::test::ABOUT;
use crate::tree::propose::MANY_LABELS;
use crate::tree::propose::any_of::gain_by_chance;
use crate::tree::response::Response;

/// The best place to cut.
pub(super) struct Cut<R: Response> {
    /// The last number of the side where the test holds.
    pub threshold: f64,
    /// The objects of that side.
    pub yes: R::Summary,
}

/// The best cut of the objects by a number each, the test holding for the small ones or with
/// `from_above` for the great ones. What is not a number is on the other side.
pub(super) fn cut<R: Response>(
    node: &Node<'_, '_, R>,
    numbers: Vec<f64>,
    from_above: bool,
) -> Option<Cut<R>> {
    let (response, rules) = (node.problem.response, node.problem.rules);
    let objects = node.bags.objects.len();
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
    let local = &node.region.local;
    let mut yes = response.empty();
    let mut no = node.whole.clone();
    let drawn = drawn(node, &order);
    let mut best: Option<(f64, usize)> = None;
    for (place, &(number, object)) in order.iter().enumerate() {
        let weight = node.region.weight(object as usize);
        response.add(&mut yes, local, object as usize, weight);
        response.remove(&mut no, local, object as usize, weight);
        // Numbers made of several may differ by rounding alone.
        let apart = |next: &(f64, u32)| {
            (next.0 - number).abs() > ABOUT * 4.0 * number.abs().max(next.0.abs())
        };
        let last = order.get(place + 1).is_none_or(apart);
        // What is left on the other side is rounding once all objects are on this one.
        if !last || place + 1 == objects || response.weight(&yes) < rules.leaf {
            continue;
        }
        let others = response.weight(&no);
        if others < rules.leaf || others <= 0.0 {
            break;
        }
        if drawn.is_some_and(|drawn| place < drawn) {
            continue;
        }
        let score = response.spread(&yes) + response.spread(&no);
        if best.is_none_or(|(best, _)| score < best - 1e-12 * best.abs()) {
            best = Some((score, place));
        }
        if drawn.is_some() {
            break;
        }
    }
    let (_, place) = best?;
    // Summed afresh: sums that were taken from keep no rounding this way.
    let mut yes = response.empty();
    for &(_, object) in &order[..=place] {
        node.add(&mut yes, object as usize);
    }
    Some(Cut {
        threshold: order[place].0,
        yes,
    })
}

/// From which place on numbers are cut where thresholds are drawn: behind a number between the
/// least and the greatest.
fn drawn<R: Response>(node: &Node<'_, '_, R>, order: &[(f64, u32)]) -> Option<usize> {
    let chance = node.problem.rules.chance.as_ref()?;
    let ((first, _), (last, _)) = (order.first()?, order.last()?);
    chance.tests.then(|| {
        let purpose = first.to_bits() ^ last.to_bits().rotate_left(17) ^ order.len() as u64;
        let share = node.random(chance, purpose).unit();
        let threshold = first + share * (last - first);
        let before = |number: f64| match first <= last {
            true => number < threshold,
            false => number > threshold,
        };
        order.partition_point(|&(number, _)| before(number))
    })
}

/// Labels taken together, one after the other as long as that divides better, the one that divides
/// best first; the objects that have one; and what such a test gains by chance, which of many
/// labels each has to exceed.
pub(super) fn subset<R: Response>(
    node: &Node<'_, '_, R>,
    rows: &Rows<'_>,
    count: usize,
    code: impl Fn(u32) -> Option<u32>,
) -> Option<(Vec<u32>, R::Summary, f64)> {
    let (response, rules) = (node.problem.response, node.problem.rules);
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
    if let Some(chance) = rules.chance.as_ref().filter(|chance| chance.tests) {
        let mut random = node.random(chance, count as u64 ^ 0x6c61_6265);
        left.retain(|_| random.below(2) == 0);
    }
    let chance = match rules.corrected && count >= MANY_LABELS {
        true => {
            // A name that one object has tells nothing of others.
            left.retain(|&label| holders[label as usize].len() > 1);
            let whole = &node.region.whole;
            gain_by_chance(response.spread(whole), response.weight(whole), left.len())
        }
        false => 0.0,
    };
    let mut inside = vec![false; node.bags.objects.len()];
    let mut yes = response.empty();
    let mut taken: Vec<u32> = Vec::new();
    let mut best = f64::INFINITY;
    loop {
        let mut next: Option<(f64, usize, R::Summary)> = None;
        for (place, &label) in left.iter().enumerate() {
            let mut with = yes.clone();
            for &object in holders[label as usize]
                .iter()
                .filter(|&&object| !inside[object as usize])
            {
                node.add(&mut with, object as usize);
            }
            let no = node.others(&with);
            let weights = [&with, &no].map(|sums| response.weight(sums));
            if weights[1] < rules.leaf || weights[1] <= 0.0 || weights[0] <= 0.0 {
                continue;
            }
            let score = response.spread(&with) + response.spread(&no);
            let better = |than: f64| score < than - 1e-12 * than.abs();
            if next.as_ref().is_none_or(|next| better(next.0)) {
                next = Some((score, place, with));
            }
        }
        let Some((score, place, with)) = next else {
            break;
        };
        if score >= best - chance - 1e-12 * best.abs() && !taken.is_empty() {
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
    let chance = chance * taken.len() as f64;
    (!taken.is_empty()).then_some((taken, yes, chance))
}
