//! One numeric target: the variance, relative to that of the whole training set.

use super::grouped::by_number;
use super::{Cut, Grouping, Ordered, Response};
use crate::tree::answer::{Answer, Answers};
use crate::tree::presort::{rises, row_of};
use crate::tree::region::Region;

/// One numeric target. The numbers are centred, so that sums of squares keep their digits.
pub struct Numbers {
    values: Vec<f64>,
    centre: f64,
    /// One over the variance of the training set.
    scale: f64,
    slack: f64,
}

/// Sums of a number.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sums {
    /// The sum of weights.
    pub weight: f64,
    /// The weighted sum of values.
    pub sum: f64,
    /// The weighted sum of squares.
    pub squares: f64,
}

impl Sums {
    /// Adds a value, so many times.
    #[inline]
    pub fn add(&mut self, value: f64, weight: f64) {
        self.weight += weight;
        self.sum += weight * value;
        self.squares += weight * value * value;
    }

    /// The sum of squared deviations from the mean.
    #[inline]
    pub fn deviations(&self) -> f64 {
        if self.weight > 0.0 {
            (self.squares - self.sum * self.sum / self.weight).max(0.0)
        } else {
            0.0
        }
    }

    /// The mean; 0 of nothing.
    pub fn mean(&self) -> f64 {
        if self.weight > 0.0 {
            self.sum / self.weight
        } else {
            0.0
        }
    }

    /// Adds other sums, so many times.
    pub fn join(&mut self, other: &Self, times: f64) {
        self.weight += times * other.weight;
        self.sum += times * other.sum;
        self.squares += times * other.squares;
    }

    /// As an answer, the values having been centred.
    pub fn answer(&self, centre: f64) -> Answer {
        // What is left of larger numbers that cancel is rounding: nobody should read it as a value.
        let settled = |number: f64, of: f64| {
            if number.abs() < 1e-14 * of {
                0.0
            } else {
                number
            }
        };
        let mean = self.mean() + centre;
        Answer::Number {
            weight: self.weight.max(0.0),
            mean: settled(mean, centre.abs()),
            squares: settled(self.deviations(), self.squares),
        }
    }
}

impl Numbers {
    /// The numbers of the rows with their weights.
    pub fn new(mut values: Vec<f64>, weight: impl Fn(usize) -> f64) -> Self {
        let (mut total, mut sum) = (0.0, 0.0);
        for (row, value) in values.iter().enumerate() {
            total += weight(row);
            sum += weight(row) * value;
        }
        let centre = if total > 0.0 { sum / total } else { 0.0 };
        let mut sums = Sums::default();
        for (row, value) in values.iter_mut().enumerate() {
            *value -= centre;
            sums.add(*value, weight(row));
        }
        let deviations = sums.deviations();
        Self {
            values,
            centre,
            scale: if deviations > 0.0 {
                total / deviations
            } else {
                1.0
            },
            slack: 1e-12 * total,
        }
    }
}

impl Response for Numbers {
    type Local = Vec<f64>;
    type Summary = Sums;

    fn gather(&self, rows: &[u32]) -> Vec<f64> {
        rows.iter().map(|&row| self.values[row as usize]).collect()
    }

    fn groups(&self, region: &Region<Self>, most: usize) -> Grouping {
        let numbers: Vec<f64> = region
            .rows
            .iter()
            .map(|&row| self.values[row as usize])
            .collect();
        by_number(&numbers, |place| region.weight(place), most)
    }

    fn empty(&self) -> Sums {
        Sums::default()
    }

    #[inline]
    fn add(&self, summary: &mut Sums, local: &Vec<f64>, place: usize, weight: f64) {
        summary.add(local[place], weight);
    }

    #[inline]
    fn remove(&self, summary: &mut Sums, local: &Vec<f64>, place: usize, weight: f64) {
        summary.add(local[place], -weight);
    }

    fn join(&self, summary: &mut Sums, other: &Sums, times: f64) {
        summary.join(other, times);
    }

    fn weight(&self, summary: &Sums) -> f64 {
        summary.weight
    }

    fn spread(&self, summary: &Sums) -> f64 {
        summary.deviations() * self.scale
    }

    fn level(&self, summary: &Sums, _: &Sums) -> f64 {
        summary.mean()
    }

    fn spread_behind(&self, answers: &Answers) -> f64 {
        match answers.targets.first() {
            Some(Answer::Number { squares, .. }) => squares * self.scale,
            _ => 0.0,
        }
    }

    fn answers(&self, summary: &Sums) -> Vec<Answer> {
        vec![summary.answer(self.centre)]
    }

    fn slack(&self) -> f64 {
        self.slack
    }

    fn cut(&self, list: &Ordered<'_, Vec<f64>>, whole: &Sums, least: f64) -> Option<Cut> {
        // The squares are the same on either side of any cut: the means decide.
        let (mut weight, mut sum) = (0.0, 0.0);
        let slack = self.slack / self.scale;
        let mut best: Option<(usize, f64)> = None;
        for (place, pair) in list.entries.windows(2).enumerate() {
            let example = row_of(pair[0]);
            let counts = list.weight(example);
            weight += counts;
            sum += counts * list.local[example];
            let above = whole.weight - weight;
            if !rises(pair[1]) || weight < least {
                continue;
            }
            if above < least {
                break;
            }
            let rest = whole.sum - sum;
            let explained = sum * sum / weight + rest * rest / above;
            if best.is_none_or(|(_, most)| explained >= most - slack) {
                best = Some((place + 1, explained));
            }
        }
        best.map(|(below, explained)| Cut {
            below,
            spread: (whole.squares - explained).max(0.0) * self.scale,
        })
    }
}
