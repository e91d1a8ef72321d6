//! One numeric target: the variance, relative to that of the whole training set.

use super::grouped::by_number;
use super::sums::Sums;
use super::{Cut, Examples, Grouping, Ordered, Response};
use crate::tree::answer::{Answer, Answers};
use crate::tree::presort::{rises, row_of};

/// One numeric target. The numbers are centred, so that sums of squares keep their digits.
pub struct Numbers {
    values: Vec<f64>,
    centre: f64,
    /// One over the variance of the training set.
    scale: f64,
    slack: f64,
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

    fn groups(&self, examples: &Examples<'_, Self::Summary>, most: usize) -> Grouping {
        let numbers: Vec<f64> = examples
            .rows
            .iter()
            .map(|&row| self.values[row as usize])
            .collect();
        by_number(&numbers, |place| examples.weight(place), most)
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

    fn answers(&self, examples: &Examples<'_, Sums>) -> Vec<Answer> {
        let summary = examples.whole;
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
