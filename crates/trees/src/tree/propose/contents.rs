//! The best tests on what the values of an input contain.

use super::any_of::{AnyOf, AskedFor};
use super::{Candidate, Division, Problem};
use crate::contents::Contents;
use crate::tree::code::UNKNOWN;
use crate::tree::kin::Kin;
use crate::tree::region::Region;
use crate::tree::response::Response;

/// The best test of each kind.
pub fn propose<R: Response>(
    problem: &Problem<'_, R>,
    region: &Region<R>,
    input: usize,
    kin: &Kin,
    contents: &Contents,
) -> Vec<Candidate> {
    let response = &problem.response;
    let code = |example: usize| {
        let code = kin.codes[region.rows[example] as usize];
        (code != UNKNOWN).then_some(code as usize)
    };
    let mut undecided = None;
    let mut decided = response.empty();
    for example in 0..region.len() {
        let sum = match code(example) {
            Some(_) => &mut decided,
            None => undecided.get_or_insert_with(|| response.empty()),
        };
        response.add(sum, &region.local, example, region.weight(example));
    }
    // What rounding leaves of parts of examples is nothing.
    let least = problem.rules.least.max(1e-9 * response.rows(&decided));
    let outside = |inside: &R::Summary| {
        let mut outside = decided.clone();
        response.join(&mut outside, inside, -1.0);
        let heavy = |sum: &R::Summary| {
            let rows = response.rows(sum);
            rows > 0.0 && rows >= least
        };
        (heavy(inside) && heavy(&outside)).then_some(outside)
    };
    let any_of = AnyOf {
        response,
        local: &region.local,
        examples: region.len(),
        weight: &|example| region.weight(example),
        has: &|example| code(example).map_or(&[][..], |code| contents.found.items(code)),
        size: &|example| contents.found.size(code(example)?),
        items: &contents.items,
        least,
        most: problem.rules.items,
        divided: &|inside| {
            let outside = outside(inside)?;
            Some(problem.spreads([inside, &outside], undecided.as_ref()).0)
        },
        whole: (
            response.spread(&region.whole),
            response.weight(&region.whole),
        ),
    };
    let candidate = |found: super::any_of::FoundTest<R::Summary>| {
        let outside = outside(&found.inside)?;
        let (spread, shares) = problem.spreads([&found.inside, &outside], undecided.as_ref());
        Some(Candidate {
            input,
            division: match found.asked {
                AskedFor::Items(items) => Division::Has(items),
                AskedFor::Size(least) => Division::Size(least),
            },
            spread,
            shares: shares.to_vec(),
            chance: found.chance,
        })
    };
    any_of.best().into_iter().filter_map(candidate).collect()
}
