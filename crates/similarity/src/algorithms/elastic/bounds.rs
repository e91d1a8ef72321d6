//! Bounds from below on the cost of warping, far cheaper than the cost: by the ends and extremes of
//! both series (after Kim, Park and Chu 2001), and by the envelope of one around the other (Keogh
//! 2002).

use std::collections::VecDeque;

use super::{Backward, Onward};

/// What is known of a series at once.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Extremes {
    pub(crate) first: f64,
    pub(crate) last: f64,
    pub(crate) least: f64,
    pub(crate) greatest: f64,
}

impl Extremes {
    /// Of a series; zeros of an empty one.
    pub(crate) fn of(numbers: &[f64]) -> Self {
        let ends = (numbers.first(), numbers.last());
        let (Some(&first), Some(&last)) = ends else {
            return Self {
                first: 0.0,
                last: 0.0,
                least: 0.0,
                greatest: 0.0,
            };
        };
        let fold = |by: fn(f64, f64) -> f64| numbers.iter().copied().fold(first, by);
        Self {
            first,
            last,
            least: fold(f64::min),
            greatest: fold(f64::max),
        }
    }

    /// No warping of two series, neither of them empty, costs less: both begin and end together,
    /// and what is greatest or least in one is met by something in the other. `alone` says that
    /// both are of one number, whose beginning is its end.
    pub(crate) fn least_cost(&self, other: &Extremes, alone: bool) -> f64 {
        let square = |a: f64, b: f64| (a - b) * (a - b);
        let mut ends = square(self.first, other.first);
        if !alone {
            ends += square(self.last, other.last);
        }
        ends.max(square(self.least, other.least))
            .max(square(self.greatest, other.greatest))
    }
}

/// Between what numbers a series lies around each place.
#[derive(Clone, Debug, Default)]
pub(crate) struct Envelope {
    /// How many places around, and of how many places it is.
    of: Option<(usize, usize)>,
    lower: Vec<f64>,
    upper: Vec<f64>,
}

impl Envelope {
    /// Makes it the envelope of a series at places from 1 to `count`, each with the numbers at most
    /// `window` places away; every place must have some.
    pub(crate) fn around(&mut self, series: &Onward, window: usize, count: usize) {
        if self.of == Some((window, count)) {
            return;
        }
        self.of = Some((window, count));
        let numbers = series.numbers();
        extremes_around(numbers, window, count, &mut self.lower, |a, b| a <= b);
        extremes_around(numbers, window, count, &mut self.upper, |a, b| a >= b);
    }

    /// The squares of what a series lies outside of the envelope, added up: no warping within the
    /// window costs less. It stops beyond the limit.
    pub(crate) fn outside(&self, series: &Backward, limit: f64) -> f64 {
        let mut sum = 0.0;
        for ((number, lower), upper) in series.numbers().zip(&self.lower).zip(&self.upper) {
            let beyond = (lower - number).max(number - upper).max(0.0);
            sum += beyond * beyond;
            if sum > limit {
                break;
            }
        }
        sum
    }
}

/// Of each place the number that `beats` all others around it, each looked at twice at most (after
/// Lemire 2009).
fn extremes_around(
    numbers: &[f64],
    window: usize,
    count: usize,
    out: &mut Vec<f64>,
    beats: impl Fn(f64, f64) -> bool,
) {
    out.clear();
    // Places that no later one beats, the best first.
    let mut best: VecDeque<usize> = VecDeque::new();
    let mut next = 0;
    for place in 0..count {
        while next < numbers.len() && next <= place.saturating_add(window) {
            while best
                .back()
                .is_some_and(|&at| beats(numbers[next], numbers[at]))
            {
                best.pop_back();
            }
            best.push_back(next);
            next += 1;
        }
        while best.front().is_some_and(|&at| at + window < place) {
            best.pop_front();
        }
        out.push(best.front().map_or(0.0, |&at| numbers[at]));
    }
}
