//! Tests drawn at random: a threshold anywhere between the least and the greatest number, any
//! subset of the labels (Geurts, Ernst and Wehenkel, Extremely randomized trees, Machine Learning
//! 63, 2006).

use super::{Candidate, Problem};
use crate::tree::code::UNKNOWN;
use crate::tree::columns::Values;
use crate::tree::presort::{Entry, row_of};
use crate::tree::region::Region;
use crate::tree::response::Response;
use crate::tree::test::Test;

/// A test of an input, drawn at random.
pub fn propose<R: Response>(
    problem: &Problem<'_, R>,
    region: &Region<R>,
    lists: &[Vec<Entry>],
    input: usize,
) -> Option<Candidate> {
    let of = &problem.inputs.all[input];
    let mut random = problem.random(region, 0x7465_7374 ^ (input as u64) << 32);
    let test = match &of.values {
        Values::Ordered(_) | Values::Ranked { .. } => {
            let (least, greatest) = range(problem, region, lists, input)?;
            let threshold = least + random.unit() * (greatest - least);
            Test::Above {
                column: of.position,
                threshold: if threshold < greatest {
                    threshold
                } else {
                    least
                },
            }
        }
        Values::Labels { codes, .. } => {
            let mut present: Vec<u32> =
                region.rows.iter().map(|&row| codes[row as usize]).collect();
            present.retain(|code| *code != UNKNOWN);
            present.sort_unstable();
            present.dedup();
            if present.len() < 2 {
                return None;
            }
            // Neither all labels nor none.
            let (inside, outside) = (random.below(present.len()), random.below(present.len() - 1));
            let outside = outside + usize::from(outside >= inside);
            let mut values = Vec::new();
            for (place, code) in present.into_iter().enumerate() {
                let drawn = random.below(2) == 0;
                if place == inside || (drawn && place != outside) {
                    values.push(code);
                }
            }
            Test::Among {
                column: of.position,
                values,
            }
        }
        Values::Kin(_) => return None,
    };
    problem.given(region, lists, input, &test, problem.rules.least)
}

/// The least and the greatest number of a region; `None` where they are equal.
fn range<R: Response>(
    problem: &Problem<'_, R>,
    region: &Region<R>,
    lists: &[Vec<Entry>],
    input: usize,
) -> Option<(f64, f64)> {
    let of_entry = |entry: &Entry| problem.inputs.number(input, region.rows[row_of(*entry)]);
    let (least, greatest) = match &problem.inputs.all[input].values {
        Values::Ordered(list) => {
            let list = &lists[*list];
            (of_entry(list.first()?), of_entry(list.last()?))
        }
        Values::Ranked { ranks, numbers } => {
            // An unknown rank is the greatest of all; one more makes it the least.
            let (mut least, mut above) = (u16::MAX, 0);
            for &row in &region.rows {
                let rank = ranks[row as usize];
                least = least.min(rank);
                above = above.max(rank.wrapping_add(1));
            }
            let greatest = above.checked_sub(1)?;
            (numbers[least as usize], numbers[greatest as usize])
        }
        _ => return None,
    };
    (least < greatest).then_some((least, greatest))
}
