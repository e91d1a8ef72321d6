//! Elastic measures of two series: the least cost of a way through the table of their places, where
//! either may stand still, skip or be edited. What a step costs is a [`Rule`].
//!
//! The table is filled one antidiagonal at a time. The cells of an antidiagonal do not depend on
//! each other, so that one instruction works on as many of them as the processor's registers hold,
//! and each cell is the same number as in a table filled row by row. Costs never fall along a way:
//! with a limit, the ends of an antidiagonal beyond it are left out, and where two in a row have
//! nothing left there is no way within it.

pub(crate) mod bounds;
pub(crate) mod rules;

#[cfg(test)]
mod tests;

/// What the steps to a cell of the table cost.
pub(crate) trait Rule: Copy {
    /// The cost of the cell by the cheapest of the ways that lead to it.
    fn cell(&self, step: Step) -> f64;

    /// The cost of going on to a number in one series while the other has not begun; infinite where
    /// both must begin together.
    fn alone(&self, _before: f64, _own: f64) -> f64 {
        f64::INFINITY
    }
}

/// What is known where the cost of a cell is asked for.
#[derive(Clone, Copy)]
pub(crate) struct Step {
    /// The number of the first series, and the one before it; 0 before the first.
    pub(crate) own: f64,
    pub(crate) own_before: f64,
    /// The same of the second series.
    pub(crate) other: f64,
    pub(crate) other_before: f64,
    /// How many places both are apart.
    pub(crate) apart: f64,
    /// The cost where both were before.
    pub(crate) both: f64,
    /// The cost where only the first was before.
    pub(crate) first: f64,
    /// The cost where only the second was before.
    pub(crate) second: f64,
}

/// The lesser of two numbers, by one instruction.
#[inline(always)]
pub(crate) fn lesser(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}

/// The larger of two numbers, by one instruction.
#[inline(always)]
pub(crate) fn larger(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

/// A first series: its numbers in order, behind a zero.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Onward(Vec<f64>);

impl Onward {
    pub(crate) fn new(numbers: &[f64]) -> Self {
        let mut padded = Vec::with_capacity(numbers.len() + 1);
        padded.push(0.0);
        padded.extend_from_slice(numbers);
        Self(padded)
    }

    /// How many numbers there are.
    pub(crate) fn len(&self) -> usize {
        self.0.len() - 1
    }

    /// The numbers, in order.
    pub(crate) fn numbers(&self) -> &[f64] {
        &self.0[1..]
    }
}

/// A second series: its numbers from the last to the first, before a zero, so that an antidiagonal
/// meets them in ascending places.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Backward(Vec<f64>);

impl Backward {
    pub(crate) fn new(numbers: &[f64]) -> Self {
        let mut padded: Vec<f64> = numbers.iter().rev().copied().collect();
        padded.push(0.0);
        Self(padded)
    }

    /// How many numbers there are.
    pub(crate) fn len(&self) -> usize {
        self.0.len() - 1
    }

    /// The numbers, in order.
    pub(crate) fn numbers(&self) -> impl Iterator<Item = f64> {
        self.0[..self.len()].iter().rev().copied()
    }

    /// The number at a place, from 1; 0 at 0.
    fn at(&self, place: usize) -> f64 {
        self.0[self.len() - place]
    }
}

/// Working memory, used again from pair to pair.
#[derive(Clone, Debug, Default)]
pub(crate) struct Elastic {
    /// Three antidiagonals in turn. The cell of place `i` of the first series is at `i + 1`, and
    /// beside those that were computed stand infinities.
    diagonals: [Vec<f64>; 3],
    /// 0, 1, 2 and so on.
    places: Vec<f64>,
}

/// Two series and what ways are wanted.
#[derive(Clone, Copy)]
pub(crate) struct Ways<'a> {
    pub(crate) first: &'a Onward,
    pub(crate) second: &'a Backward,
    /// How many places both may be apart; never less than their lengths are.
    pub(crate) window: Option<usize>,
    /// Ways that cost more are not looked for.
    pub(crate) limit: f64,
}

impl Elastic {
    /// The least cost of a way through two series, neither of them empty; more than the limit,
    /// perhaps infinite, where none is within it. A finite limit needs costs that are not negative.
    pub(crate) fn least<R: Rule>(&mut self, rule: R, ways: Ways<'_>) -> f64 {
        let (rows, columns) = (ways.first.len(), ways.second.len());
        let window = ways.window.unwrap_or(usize::MAX);
        let window = window.max(rows.abs_diff(columns)).min(rows + columns);
        if window == 0 {
            return straight(rule, ways);
        }
        for diagonal in &mut self.diagonals {
            diagonal.clear();
            diagonal.resize(rows + 3, f64::INFINITY);
        }
        let known = self.places.len();
        self.places.extend((known..=rows).map(|place| place as f64));
        wide::least(rule, ways, window, self)
    }
}

/// The cost of the one way that never leaves the diagonal.
fn straight<R: Rule>(rule: R, ways: Ways<'_>) -> f64 {
    let mut cost = 0.0;
    for place in 1..=ways.first.len() {
        cost = rule.cell(Step {
            own: ways.first.0[place],
            own_before: ways.first.0[place - 1],
            other: ways.second.at(place),
            other_before: ways.second.at(place - 1),
            apart: 0.0,
            both: cost,
            first: f64::INFINITY,
            second: f64::INFINITY,
        });
        if cost > ways.limit {
            break;
        }
    }
    cost
}

/// Places of the first series, both ends included.
type Range = (usize, usize);

mod wide {
    //! The one loop, compiled for wider registers where the processor has them.

    use super::{Elastic, Range, Rule, Step, Ways};

    /// The cells of an antidiagonal that are no edge, from those of the two before it.
    #[inline(always)]
    fn inner<R: Rule>(
        rule: R,
        ways: Ways<'_>,
        diagonal: usize,
        (from, to): Range,
        (before, one, out): (&[f64], &[f64], &mut [f64]),
        places: &[f64],
    ) {
        let count = to + 1 - from;
        let at = ways.second.len() + from - diagonal;
        let numbers = Numbers {
            own: &ways.first.0[from..][..count],
            own_before: &ways.first.0[from - 1..][..count],
            other: &ways.second.0[at..][..count],
            other_before: &ways.second.0[at + 1..][..count],
            places: &places[from..][..count],
        };
        cells(
            rule,
            numbers,
            diagonal as f64,
            &before[from..][..count],
            &one[from..][..count],
            &one[from + 1..][..count],
            &mut out[from + 1..][..count],
        );
    }

    /// What an antidiagonal meets.
    struct Numbers<'a> {
        own: &'a [f64],
        own_before: &'a [f64],
        other: &'a [f64],
        other_before: &'a [f64],
        places: &'a [f64],
    }

    #[inline(always)]
    fn cells<R: Rule>(
        rule: R,
        numbers: Numbers<'_>,
        diagonal: f64,
        both: &[f64],
        first: &[f64],
        second: &[f64],
        out: &mut [f64],
    ) {
        let count = out.len();
        let Numbers {
            own,
            own_before,
            other,
            other_before,
            places,
        } = numbers;
        // Known lengths: no place is checked in the loop.
        let (own, own_before) = (&own[..count], &own_before[..count]);
        let (other, other_before) = (&other[..count], &other_before[..count]);
        let (places, both) = (&places[..count], &both[..count]);
        let (first, second) = (&first[..count], &second[..count]);
        for (place, out) in out.iter_mut().enumerate() {
            *out = rule.cell(Step {
                own: own[place],
                own_before: own_before[place],
                other: other[place],
                other_before: other_before[place],
                apart: (2.0 * places[place] - diagonal).abs(),
                both: both[place],
                first: first[place],
                second: second[place],
            });
        }
    }

    #[inline(always)]
    fn any<R: Rule>(rule: R, ways: Ways<'_>, window: usize, memory: &mut Elastic) -> f64 {
        let (rows, columns) = (ways.first.len(), ways.second.len());
        let Elastic { diagonals, places } = memory;
        let [mut before, mut one, mut out] = diagonals.each_mut();
        // Both have yet to begin.
        one[1] = 0.0;
        let (mut edge, mut side) = (0.0, 0.0);
        let (mut reached_before, mut reached): (Option<Range>, Option<Range>) =
            (None, Some((0, 0)));
        let mut last = f64::INFINITY;
        for diagonal in 1..=rows + columns {
            if diagonal <= columns {
                let number = ways.second.at(diagonal);
                edge += rule.alone(ways.second.at(diagonal - 1), number);
            }
            if diagonal <= rows {
                side += rule.alone(ways.first.0[diagonal - 1], ways.first.0[diagonal]);
            }
            // Cells that a way within the limit leads to, the table and the window.
            let low =
                |range: Option<Range>, step: usize| range.map_or(usize::MAX, |of| of.0 + step);
            let high = |range: Option<Range>| range.map_or(0, |of| of.1 + 1);
            let from = low(reached, 0)
                .min(low(reached_before, 1))
                .max(diagonal.saturating_sub(columns))
                .max(diagonal.saturating_sub(window).div_ceil(2));
            let to = high(reached)
                .max(high(reached_before))
                .min(rows)
                .min(diagonal)
                .min((diagonal + window) / 2);
            let now = if from > to {
                // Whatever is read of this antidiagonal next was never computed.
                if let Some((low, high)) = reached {
                    out[low + 1..=high + 2].fill(f64::INFINITY);
                }
                last = f64::INFINITY;
                None
            } else {
                let within = (from.max(1), to.min(diagonal - 1));
                if within.0 <= within.1 {
                    inner(
                        rule,
                        ways,
                        diagonal,
                        within,
                        (&*before, &*one, &mut *out),
                        places,
                    );
                }
                if from == 0 {
                    out[1] = edge;
                }
                if to == diagonal {
                    out[to + 1] = side;
                }
                out[from] = f64::INFINITY;
                out[to + 2] = f64::INFINITY;
                last = out[to + 1];
                kept(&out[from + 1..=to + 1], from, ways.limit)
            };
            if now.is_none() && reached.is_none() {
                return f64::INFINITY;
            }
            (reached_before, reached) = (reached, now);
            (before, one, out) = (one, out, before);
        }
        last
    }

    /// The cells between the first and the last that are within the limit.
    #[inline(always)]
    fn kept(cells: &[f64], from: usize, limit: f64) -> Option<Range> {
        let within = |cell: &f64| *cell <= limit;
        let first = cells.iter().position(within)?;
        let last = cells.iter().rposition(within)?;
        Some((from + first, from + last))
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn avx2<R: Rule>(rule: R, ways: Ways<'_>, window: usize, memory: &mut Elastic) -> f64 {
        any(rule, ways, window, memory)
    }

    /// The least cost of a way; the same to the last bit on every processor.
    #[inline]
    pub(super) fn least<R: Rule>(
        rule: R,
        ways: Ways<'_>,
        window: usize,
        memory: &mut Elastic,
    ) -> f64 {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") {
            #[allow(unsafe_code)]
            // SAFETY: the processor has the feature; the function is otherwise the same safe code.
            return unsafe { avx2(rule, ways, window, memory) };
        }
        any(rule, ways, window, memory)
    }
}
