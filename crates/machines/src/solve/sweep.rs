//! The loops that take the time: over the gradients of all active coefficients, twice an iteration.
//!
//! Whether a coefficient may rise or fall is not asked but added: `rise` is infinite where it may
//! not rise, `fall` is minus infinity where it may not fall, so that the loops have no branches and
//! the compiler can use wide registers. They work on blocks short enough for the nearest cache, and
//! an index is looked for only in a block whose best value is the best so far.

use std::ops::Range;

/// How many coefficients are looked at together.
pub(super) const BLOCK: usize = 128;

/// Values that are compared side by side; wider than the registers, to hide their latency.
const LANES: usize = 8;

/// What takes the place of a curvature that is not positive, so that a step goes to its bound.
pub(super) const LEAST_CURVATURE: f64 = 1e-12;

/// Where the objective falls most if a coefficient rises, and how much the gradients differ.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Extremes {
    /// The coefficient whose rise is worth most; of equal ones the last.
    pub leader: usize,
    /// Its gradient: the smallest of all that may rise.
    pub least: f64,
    /// The largest gradient of all that may fall.
    pub most: f64,
}

/// What is known of the active coefficients, by position.
pub(super) struct Field<'a> {
    pub rise: &'a [f64],
    pub fall: &'a [f64],
    pub diagonal: &'a [f64],
}

/// Two coefficients change: their rows and by how much.
#[derive(Clone, Copy)]
pub(super) struct Change<'a> {
    pub first: (&'a [f64], f64),
    pub second: (&'a [f64], f64),
}

/// Updates the gradients of a range for a change, if there is one, and finds its extremes; `tops`
/// takes the largest gradient that may fall of each block.
pub(super) fn survey(
    gradient: &mut [f64],
    field: &Field<'_>,
    range: Range<usize>,
    change: Option<Change<'_>>,
    tops: &mut Vec<f64>,
) -> Extremes {
    tops.clear();
    let mut found = Extremes {
        leader: range.start,
        least: f64::INFINITY,
        most: f64::NEG_INFINITY,
    };
    let mut leading = None;
    for start in range.clone().step_by(BLOCK) {
        let block = start..(start + BLOCK).min(range.end);
        let here = &mut gradient[block.clone()];
        if let Some(change) = change {
            advance(
                here,
                (&change.first.0[block.clone()], change.first.1),
                (&change.second.0[block.clone()], change.second.1),
            );
        }
        let (least, most) = bounds(here, &field.rise[block.clone()], &field.fall[block.clone()]);
        if least <= found.least && least < f64::INFINITY {
            found.least = least;
            leading = Some(block);
        }
        found.most = if most > found.most { most } else { found.most };
        tops.push(most);
    }
    if let Some(block) = leading {
        let holds = |&position: &usize| gradient[position] + field.rise[position] == found.least;
        found.leader = block.rev().find(holds).unwrap_or(found.leader);
    }
    found
}

fn advance(gradient: &mut [f64], first: (&[f64], f64), second: (&[f64], f64)) {
    for ((gradient, one), two) in gradient.iter_mut().zip(first.0).zip(second.0) {
        *gradient += first.1 * one + second.1 * two;
    }
}

/// The least gradient that may rise and the largest that may fall.
fn bounds(gradient: &[f64], rise: &[f64], fall: &[f64]) -> (f64, f64) {
    let mut least = [f64::INFINITY; LANES];
    let mut most = [f64::NEG_INFINITY; LANES];
    let mut lanes = gradient.chunks_exact(LANES);
    let mut rises = rise.chunks_exact(LANES);
    let mut falls = fall.chunks_exact(LANES);
    for ((gradient, rise), fall) in (&mut lanes).zip(&mut rises).zip(&mut falls) {
        for lane in 0..LANES {
            let up = gradient[lane] + rise[lane];
            least[lane] = if up < least[lane] { up } else { least[lane] };
            let down = gradient[lane] + fall[lane];
            most[lane] = if down > most[lane] { down } else { most[lane] };
        }
    }
    let rest = lanes.remainder().iter();
    for ((gradient, rise), fall) in rest.zip(rises.remainder()).zip(falls.remainder()) {
        least[0] = least[0].min(gradient + rise);
        most[0] = most[0].max(gradient + fall);
    }
    let least = least.into_iter().fold(f64::INFINITY, f64::min);
    (least, most.into_iter().fold(f64::NEG_INFINITY, f64::max))
}

/// The partner of a leader: the coefficient that may fall and, with the leader rising by as much,
/// lowers the objective most by its quadratic model; of equal ones the last.
///
/// `row` is the leader's. Gives the gain and the position; `None` where no pair has a gain.
///
/// Reference: R.-E. Fan, P.-H. Chen, C.-J. Lin, Working set selection using second order
/// information for training support vector machines, Journal of Machine Learning Research 6, 2005.
pub(super) fn partner(
    gradient: &[f64],
    field: &Field<'_>,
    range: Range<usize>,
    row: &[f64],
    leader: Extremes,
    tops: &[f64],
) -> Option<(f64, usize)> {
    let own = field.diagonal[leader.leader];
    let mut best = 0.0;
    let mut found = None;
    let mut gains = [0.0; BLOCK];
    for (start, &top) in range.clone().step_by(BLOCK).zip(tops) {
        if top <= leader.least {
            continue;
        }
        let block = start..(start + BLOCK).min(range.end);
        let gains = &mut gains[..block.len()];
        gain(
            gains,
            (&gradient[block.clone()], &field.fall[block.clone()]),
            (&field.diagonal[block.clone()], &row[block]),
            (leader.least, own),
        );
        let most = largest(gains);
        if most > 0.0 && most >= best {
            best = most;
            let within = gains.iter().rposition(|&gain| gain == most);
            found = within.map(|within| start + within);
        }
    }
    found.map(|position| (best, position))
}

fn gain(
    gains: &mut [f64],
    (gradient, fall): (&[f64], &[f64]),
    (diagonal, row): (&[f64], &[f64]),
    (least, own): (f64, f64),
) {
    let places = gains.iter_mut().zip(gradient).zip(fall);
    for (((gain, gradient), fall), (diagonal, entry)) in places.zip(diagonal.iter().zip(row)) {
        let gap = gradient + fall - least;
        let curvature = own + diagonal - 2.0 * entry;
        let curvature = if curvature > 0.0 {
            curvature
        } else {
            LEAST_CURVATURE
        };
        let value = gap * gap / curvature;
        *gain = if gap > 0.0 { value } else { 0.0 };
    }
}

fn largest(numbers: &[f64]) -> f64 {
    let mut most = [0.0_f64; LANES];
    let mut lanes = numbers.chunks_exact(LANES);
    for numbers in &mut lanes {
        for lane in 0..LANES {
            let number = numbers[lane];
            most[lane] = if number > most[lane] {
                number
            } else {
                most[lane]
            };
        }
    }
    let rest = lanes.remainder().iter().copied();
    most.into_iter().chain(rest).fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn numbers(len: usize) -> impl Strategy<Value = Vec<f64>> {
        // Few distinct values, so that ties are common.
        prop::collection::vec((-4_i32..=4).prop_map(f64::from), len)
    }

    fn movable(len: usize, bound: f64) -> impl Strategy<Value = Vec<f64>> {
        prop::collection::vec(prop::sample::select(vec![0.0, bound]), len)
    }

    fn places() -> impl Strategy<Value = [Vec<f64>; 6]> {
        (1_usize..400).prop_flat_map(|len| {
            (
                numbers(len),
                movable(len, f64::INFINITY),
                movable(len, f64::NEG_INFINITY),
                numbers(len),
                numbers(len),
                numbers(len),
            )
                .prop_map(|(a, b, c, d, e, f)| [a, b, c, d, e, f])
        })
    }

    kinwood_testing::soak! { 256;
        fn soak_blocks_find_what_a_plain_loop_finds([gradient, rise, fall, diagonal, one, two] in places(), cut in 0.0..1.0) {
            let len = gradient.len();
            let range = (len as f64 * cut * 0.5) as usize..len;
            let field = Field { rise: &rise, fall: &fall, diagonal: &diagonal };
            let change = Change { first: (&one, 0.5), second: (&two, -0.25) };
            let mut updated = gradient.clone();
            let mut tops = Vec::new();
            let found = survey(&mut updated, &field, range.clone(), Some(change), &mut tops);

            let mut least = f64::INFINITY;
            let mut leader = range.start;
            let mut most = f64::NEG_INFINITY;
            for at in range.clone() {
                let here = gradient[at] + 0.5 * one[at] - 0.25 * two[at];
                prop_assert_eq!(updated[at], here);
                if here + rise[at] <= least && rise[at] == 0.0 {
                    (least, leader) = (here, at);
                }
                most = most.max(here + fall[at]);
            }
            prop_assert_eq!(found, Extremes { leader, least, most });

            let mut best = None;
            for at in range.clone() {
                let gap = updated[at] + fall[at] - least;
                let curvature = diagonal[leader] + diagonal[at] - 2.0 * one[at];
                let gain = gap * gap / if curvature > 0.0 { curvature } else { 1e-12 };
                if gap > 0.0 && best.is_none_or(|(value, _)| gain >= value) {
                    best = Some((gain, at));
                }
            }
            prop_assert_eq!(partner(&updated, &field, range, &one, found, &tops), best);
        }
    }
}
