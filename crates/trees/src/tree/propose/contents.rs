//! The best tests on what the values of an input contain.

use super::any_of::{AnyOf, AskedFor};
use super::{Candidate, Division, Problem};
use crate::contents::{Contents, Found, Item, calendar};
use crate::tree::code::UNKNOWN;
use crate::tree::kin::Kin;
use crate::tree::region::Region;
use crate::tree::response::Response;

/// The best test of each kind on structured values.
pub fn of_values<R: Response>(
    problem: &Problem<'_, R>,
    region: &Region<R>,
    input: usize,
    kin: &Kin,
    contents: &Contents,
) -> Vec<Candidate> {
    let code = |example: usize| {
        let code = kin.codes[region.rows[example] as usize];
        (code != UNKNOWN).then_some(code as usize)
    };
    let looked_into = LookedInto {
        code: &code,
        found: &contents.found,
        items: &contents.items,
        sizes: true,
    };
    propose(problem, region, input, &looked_into)
}

/// The best test of each kind on times: months, weekdays, hours.
pub fn of_moments<R: Response>(
    problem: &Problem<'_, R>,
    region: &Region<R>,
    input: usize,
    found: &Found,
) -> Vec<Candidate> {
    let code = |example: usize| {
        let row = region.rows[example] as usize;
        found.size(row).map(|_| row)
    };
    let looked_into = LookedInto {
        code: &code,
        found,
        items: calendar::items(),
        sizes: false,
    };
    propose(problem, region, input, &looked_into)
}

/// What the values of examples contain.
struct LookedInto<'a> {
    /// The value of an example; `None` where it has none.
    code: &'a dyn Fn(usize) -> Option<usize>,
    /// The items of each value.
    found: &'a Found,
    /// The items, by place.
    items: &'a [Item],
    /// Whether sizes are looked at.
    sizes: bool,
}

fn propose<R: Response>(
    problem: &Problem<'_, R>,
    region: &Region<R>,
    input: usize,
    contents: &LookedInto<'_>,
) -> Vec<Candidate> {
    let (response, code) = (&problem.response, contents.code);
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
        size: &|example| {
            let code = code(example).filter(|_| contents.sizes)?;
            contents.found.size(code)
        },
        items: contents.items,
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
