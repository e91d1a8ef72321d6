//! Subsets of labels, grown greedily from the empty one while the spread falls.
//!
//! Where a region has more labels than growing can try in reasonable time, they are put in the
//! order of their responses and the order is cut: for two classes or a number no subset is better
//! (Breiman et al. 1984).
//!
//! Of a column of many labels some subset always fits: with a name for every row, one that divides
//! perfectly. There each label that a test names has to gain what the best of as many labels gains
//! by chance. Columns of few labels are left alone, as their gains are far above that.

use super::any_of::gain_by_chance;
use super::{Candidate, Division, Problem};
use crate::tree::code::UNKNOWN;
use crate::tree::region::Region;
use crate::tree::response::Response;

/// More labels than this are put in order instead of being tried in every step of growing.
const MANY: usize = 128;

/// From so many labels on a column has many.
pub const MANY_LABELS: usize = 33;

/// The best subset of an input's labels.
pub fn propose<R: Response>(
    problem: &Problem<'_, R>,
    region: &Region<R>,
    input: usize,
    codes: &[u32],
    count: usize,
) -> Option<Candidate> {
    let response = &problem.response;
    let groups = groups(region, response, codes, count);
    if groups.known.len() < 2 {
        return None;
    }
    let mut decided = response.empty();
    for (_, summary) in &groups.known {
        response.join(&mut decided, summary, 1.0);
    }
    let search = Search {
        problem,
        decided: &decided,
        undecided: groups.unknown.as_ref(),
    };
    let each = match problem.rules.corrected && count >= MANY_LABELS {
        true => {
            let (impurity, weight) = (
                response.spread(&region.whole),
                response.weight(&region.whole),
            );
            gain_by_chance(impurity, weight, groups.known.len())
        }
        false => 0.0,
    };
    let (inside, spread, shares) = if groups.known.len() > MANY && problem.rules.subsets {
        search.cut(&groups.known)
    } else {
        search.grown(&groups.known, each)
    }?;
    let mut values: Vec<u32> = inside
        .into_iter()
        .map(|group| groups.known[group].0)
        .collect();
    values.sort_unstable();
    // The test can name the labels of either branch.
    let named = values.len().min(groups.known.len() - values.len());
    let chance = each * named as f64;
    Some(Candidate {
        input,
        division: Division::Among { values },
        spread,
        shares: shares.to_vec(),
        chance,
    })
}

struct Groups<S> {
    /// The labels of the region with their sums, by rising code.
    known: Vec<(u32, S)>,
    /// The sums of the examples without a label.
    unknown: Option<S>,
}

fn groups<R: Response>(
    region: &Region<R>,
    response: &R,
    codes: &[u32],
    count: usize,
) -> Groups<R::Summary> {
    let mut unknown = None;
    let add = |summary: &mut R::Summary, place: usize| {
        response.add(summary, &region.local, place, region.weight(place));
    };
    let mut known: Vec<(u32, R::Summary)> = Vec::new();
    if count <= 4 * region.len() {
        let mut by_code: Vec<Option<R::Summary>> = vec![None; count];
        for (place, &row) in region.rows.iter().enumerate() {
            let group = match codes[row as usize] {
                UNKNOWN => &mut unknown,
                code => &mut by_code[code as usize],
            };
            add(group.get_or_insert_with(|| response.empty()), place);
        }
        let present = by_code.into_iter().enumerate();
        known.extend(present.filter_map(|(code, summary)| Some((code as u32, summary?))));
    } else {
        let mut places: Vec<(u32, u32)> = region
            .rows
            .iter()
            .enumerate()
            .map(|(place, &row)| (codes[row as usize], place as u32))
            .collect();
        places.sort_unstable();
        for (code, place) in places {
            if code == UNKNOWN {
                add(
                    unknown.get_or_insert_with(|| response.empty()),
                    place as usize,
                );
                continue;
            }
            if known.last().is_none_or(|(last, _)| *last != code) {
                known.push((code, response.empty()));
            }
            if let Some((_, summary)) = known.last_mut() {
                add(summary, place as usize);
            }
        }
    }
    Groups { known, unknown }
}

struct Search<'a, 'p, R: Response> {
    problem: &'a Problem<'p, R>,
    decided: &'a R::Summary,
    undecided: Option<&'a R::Summary>,
}

/// The groups for which the test holds, the spread, and the branches' shares.
type Found = (Vec<usize>, f64, [f64; 2]);

impl<R: Response> Search<'_, '_, R> {
    /// The spread if the test holds for the examples summed up; `None` if a branch is too light.
    fn divided(&self, inside: &R::Summary) -> Option<(f64, [f64; 2])> {
        let response = &self.problem.response;
        let mut outside = self.decided.clone();
        response.join(&mut outside, inside, -1.0);
        let least = self.problem.rules.least;
        if response.rows(inside) < least || response.rows(&outside) < least {
            return None;
        }
        Some(self.problem.spreads([inside, &outside], self.undecided))
    }

    /// A label is taken as long as that gains more than `chance`.
    fn grown(&self, groups: &[(u32, R::Summary)], chance: f64) -> Option<Found> {
        let response = &self.problem.response;
        let mut inside = response.empty();
        let mut chosen: Vec<usize> = Vec::new();
        let mut best: Option<(f64, [f64; 2])> = None;
        let most = if self.problem.rules.subsets {
            groups.len() - 1
        } else {
            1
        };
        while chosen.len() < most {
            let mut step: Option<(usize, R::Summary)> = None;
            for (group, (_, summary)) in groups.iter().enumerate() {
                if chosen.contains(&group) {
                    continue;
                }
                let mut larger = inside.clone();
                response.join(&mut larger, summary, 1.0);
                let Some(divided) = self.divided(&larger) else {
                    continue;
                };
                let bound = match &step {
                    Some(_) => best.map(|best| best.0),
                    None => best.map(|best| best.0 - chance),
                };
                if bound.is_none_or(|bound| divided.0 < bound - response.slack()) {
                    best = Some(divided);
                    step = Some((group, larger));
                }
            }
            let Some((group, larger)) = step else {
                break;
            };
            chosen.push(group);
            inside = larger;
        }
        let (spread, shares) = best?;
        Some((chosen, spread, shares))
    }

    fn cut(&self, groups: &[(u32, R::Summary)]) -> Option<Found> {
        let response = &self.problem.response;
        let mut order: Vec<usize> = (0..groups.len()).collect();
        let level = |group: usize| response.level(&groups[group].1, self.decided);
        order.sort_by(|&a, &b| level(a).total_cmp(&level(b)).then(a.cmp(&b)));
        let mut inside = response.empty();
        let mut best: Option<(usize, f64, [f64; 2])> = None;
        for (place, &group) in order.iter().enumerate().take(groups.len() - 1) {
            response.join(&mut inside, &groups[group].1, 1.0);
            let Some((spread, shares)) = self.divided(&inside) else {
                continue;
            };
            if best.is_none_or(|(_, least, _)| spread < least - response.slack()) {
                best = Some((place + 1, spread, shares));
            }
        }
        let (count, spread, shares) = best?;
        Some((order[..count].to_vec(), spread, shares))
    }
}
