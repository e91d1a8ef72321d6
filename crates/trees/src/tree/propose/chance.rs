//! Tests drawn at random: a threshold anywhere between the least and the greatest number, any
//! subset of the labels (Geurts, Ernst and Wehenkel, Extremely randomized trees, Machine Learning
//! 63, 2006).

use std::cell::RefCell;

use super::{Candidate, Division, Problem};
use crate::tree::code::UNKNOWN;
use crate::tree::columns::{Input, Values};
use crate::tree::presort::{Entry, row_of};
use crate::tree::region::Region;
use crate::tree::response::Response;
use crate::tree::test::Test;
use kinwood_learning::random::Generator;
use kinwood_values::Cells;

thread_local! {
    /// Room for the examples of a region, which are looked at anew for every input.
    static ROOM: RefCell<Room> = RefCell::default();
}

#[derive(Default)]
struct Room {
    /// The number of each example.
    numbers: Vec<f64>,
    /// 1 for the examples that are not above the threshold.
    second: Vec<u8>,
}

/// A test of an input, drawn at random.
pub fn propose<R: Response>(
    problem: &Problem<'_, R>,
    region: &Region<R>,
    lists: &[Vec<Entry>],
    input: usize,
) -> Option<Candidate> {
    let of = &problem.inputs.all[input];
    let stream = problem.stream(region, 0x7465_7374 ^ (input as u64) << 32);
    let between = |least: f64, greatest: f64| {
        let unit = Generator::first_unit(problem.rules.seed, &stream);
        let threshold = least + unit * (greatest - least);
        match threshold < greatest {
            true => threshold,
            false => least,
        }
    };
    let test = match &of.values {
        Values::Ranked { .. } if region.weights.is_none() && complete(of).is_some() => {
            let numbers = complete(of)?;
            let found =
                ROOM.with_borrow_mut(|room| room.halved(problem, region, input, numbers, between));
            match found {
                Found::Candidate(candidate) => return candidate,
                Found::Threshold(threshold) => Test::Above {
                    column: of.position,
                    threshold,
                },
            }
        }
        Values::Ordered(_) | Values::Ranked { .. } => {
            let (least, greatest) = range(problem, region, lists, input)?;
            Test::Above {
                column: of.position,
                threshold: between(least, greatest),
            }
        }
        Values::Labels { codes, .. } => {
            let mut random = Generator::new(problem.rules.seed, &stream);
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

/// What comes of a threshold between numbers that none of the examples lacks.
enum Found {
    /// The candidate; none where all numbers are equal or a branch is too light.
    Candidate(Option<Candidate>),
    /// The threshold, where the response has to see example after example.
    Threshold(f64),
}

/// The numbers of an input by row of the table, where none is missing.
fn complete<'a>(input: &Input<'a>) -> Option<&'a [f64]> {
    let column = input.column.filter(|_| !input.gaps)?;
    match column.cells() {
        Cells::Numeric(numbers) => Some(numbers),
        _ => None,
    }
}

impl Room {
    /// A threshold that is drawn between the numbers of a region, all of which count the same.
    ///
    /// Examples are compared by their numbers and not by their ranks: to find the rank of a
    /// threshold takes longer than a small region has examples.
    fn halved<R: Response>(
        &mut self,
        problem: &Problem<'_, R>,
        region: &Region<R>,
        input: usize,
        numbers: &[f64],
        between: impl Fn(f64, f64) -> f64,
    ) -> Found {
        self.numbers.clear();
        let rows = &problem.inputs.rows;
        let number = |&row: &u32| numbers[rows[row as usize] as usize];
        self.numbers.extend(region.rows.iter().map(number));
        let (least, greatest) = ends(&self.numbers);
        if least >= greatest {
            return Found::Candidate(None);
        }
        let threshold = between(least, greatest);
        self.second.clear();
        let below = |number: &f64| u8::from(*number <= threshold);
        self.second.extend(self.numbers.iter().map(below));
        let response = &problem.response;
        let Some(halved) = response.halved(&self.second, &region.local, &region.whole) else {
            return Found::Threshold(threshold);
        };
        let [one, other] = halved.weights;
        if one < problem.rules.least || other < problem.rules.least {
            return Found::Candidate(None);
        }
        Found::Candidate(Some(Candidate {
            input,
            division: Division::Above {
                below: 0,
                threshold,
            },
            spread: halved.spread,
            shares: vec![one / (one + other), other / (one + other)],
            chance: 0.0,
        }))
    }
}

/// The least and the greatest of numbers, in four lanes that do not wait for each other.
fn ends(numbers: &[f64]) -> (f64, f64) {
    let (mut least, mut greatest) = ([f64::INFINITY; 4], [f64::NEG_INFINITY; 4]);
    let mut take = |lane: usize, number: f64| {
        least[lane] = if number < least[lane] {
            number
        } else {
            least[lane]
        };
        greatest[lane] = if number > greatest[lane] {
            number
        } else {
            greatest[lane]
        };
    };
    let fours = numbers.chunks_exact(4);
    let rest = fours.remainder();
    for four in fours {
        (0..4).for_each(|lane| take(lane, four[lane]));
    }
    rest.iter().for_each(|&number| take(0, number));
    let least = least.into_iter().fold(f64::INFINITY, f64::min);
    (
        least,
        greatest.into_iter().fold(f64::NEG_INFINITY, f64::max),
    )
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
