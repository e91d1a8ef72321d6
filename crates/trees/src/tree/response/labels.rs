//! A set of labels, perhaps of a hierarchy: the weighted variance of the labels' indicators.
//!
//! In a hierarchy a label brings its ancestors with it, and weighs less the deeper it is (Vens et
//! al., Decision trees for hierarchical multi-label classification, Machine Learning 73, 2008).

use kinwood_values::Column;

use super::classes::heaviest;
use super::grouped::by_class;
use super::{Examples, Grouping, Response};
use crate::tree::answer::{Answer, Answers};

/// Sets of labels by row.
pub struct Labels {
    /// Where each row's labels begin among `members`.
    offsets: Vec<u32>,
    members: Vec<u32>,
    /// How much each label counts.
    weights: Vec<f64>,
    scale: f64,
    slack: f64,
}

/// Sums over sets of labels.
#[derive(Clone, Debug)]
pub struct LabelSums {
    weight: f64,
    /// How often each label occurs.
    sums: Vec<f64>,
    /// The sum of weights of labels over the examples.
    occurring: f64,
    /// The sum over labels of their weight times the square of their sum.
    squares: f64,
}

impl Labels {
    /// The label sets of a column, in terms of these labels, which count so much each; `weight` is
    /// how much each row counts.
    pub fn new(
        known: &kinwood_learning::labels::Labels,
        column: &Column,
        weights: Vec<f64>,
        weight: impl Fn(usize) -> f64,
    ) -> Self {
        let mut offsets = vec![0];
        let mut members = Vec::new();
        for row in 0..column.len() {
            members.extend(known.of_row(column, row).unwrap_or_default());
            offsets.push(members.len() as u32);
        }
        let mut labels = Self {
            offsets,
            members,
            weights,
            scale: 1.0,
            slack: 0.0,
        };
        let everything: Vec<u32> = (0..column.len() as u32).collect();
        let mut whole = labels.empty();
        (0..column.len()).for_each(|row| labels.add(&mut whole, &everything, row, weight(row)));
        let spread = labels.spread(&whole);
        if spread > 0.0 {
            labels.scale = whole.weight / spread;
        }
        labels.slack = 1e-12 * whole.weight;
        labels
    }

    fn shift(&self, summary: &mut LabelSums, row: usize, weight: f64) {
        summary.weight += weight;
        let (start, end) = (self.offsets[row] as usize, self.offsets[row + 1] as usize);
        for &label in &self.members[start..end] {
            let (sum, counts) = (
                &mut summary.sums[label as usize],
                self.weights[label as usize],
            );
            summary.squares += counts * weight * (2.0 * *sum + weight);
            summary.occurring += counts * weight;
            *sum += weight;
        }
    }
}

impl Response for Labels {
    type Local = Vec<u32>;
    type Summary = LabelSums;

    fn gather(&self, rows: &[u32]) -> Vec<u32> {
        rows.to_vec()
    }

    /// By having or not having the label whose indicator is spread most.
    fn groups(&self, examples: &Examples<'_, Self::Summary>, _most: usize) -> Grouping {
        let total = examples.whole.weight;
        let spread = |label: usize| {
            let sum = examples.whole.sums[label];
            self.weights[label] * sum * (total - sum)
        };
        let widest = (1..self.weights.len()).fold(0, |widest, label| {
            if spread(label) > spread(widest) {
                label
            } else {
                widest
            }
        });
        let has = |&row: &u32| {
            let own = self.offsets[row as usize] as usize..self.offsets[row as usize + 1] as usize;
            u32::from(self.members[own].contains(&(widest as u32)))
        };
        by_class(examples.rows.iter().map(has), 2)
    }

    fn empty(&self) -> LabelSums {
        LabelSums {
            weight: 0.0,
            sums: vec![0.0; self.weights.len()],
            occurring: 0.0,
            squares: 0.0,
        }
    }

    fn add(&self, summary: &mut LabelSums, local: &Vec<u32>, place: usize, weight: f64) {
        self.shift(summary, local[place] as usize, weight);
    }

    fn remove(&self, summary: &mut LabelSums, local: &Vec<u32>, place: usize, weight: f64) {
        self.shift(summary, local[place] as usize, -weight);
    }

    fn join(&self, summary: &mut LabelSums, other: &LabelSums, times: f64) {
        summary.weight += times * other.weight;
        summary.occurring += times * other.occurring;
        summary.squares = 0.0;
        for ((sum, other), counts) in summary.sums.iter_mut().zip(&other.sums).zip(&self.weights) {
            *sum += times * other;
            summary.squares += counts * *sum * *sum;
        }
    }

    fn weight(&self, summary: &LabelSums) -> f64 {
        summary.weight
    }

    fn spread(&self, summary: &LabelSums) -> f64 {
        if summary.weight <= 0.0 {
            return 0.0;
        }
        // An indicator is its own square.
        (summary.occurring - summary.squares / summary.weight).max(0.0) * self.scale
    }

    fn level(&self, summary: &LabelSums, whole: &LabelSums) -> f64 {
        // By the label that varies most in the whole.
        let variance = |label: usize| {
            let share = whole.sums[label] / whole.weight.max(f64::MIN_POSITIVE);
            self.weights[label] * share * (1.0 - share)
        };
        let variances: Vec<f64> = (0..whole.sums.len()).map(variance).collect();
        let label = heaviest(&variances);
        summary.sums.get(label).copied().unwrap_or(0.0) / summary.weight.max(f64::MIN_POSITIVE)
    }

    fn spread_behind(&self, answers: &Answers) -> f64 {
        let Some(Answer::Labels { weight, shares }) = answers.targets.first() else {
            return 0.0;
        };
        let variances = shares.iter().zip(&self.weights);
        let variance: f64 = variances
            .map(|(share, counts)| counts * share * (1.0 - share))
            .sum();
        weight * variance * self.scale
    }

    fn answers(&self, examples: &Examples<'_, LabelSums>) -> Vec<Answer> {
        let summary = examples.whole;
        let share = |sum: &f64| (sum / summary.weight).clamp(0.0, 1.0);
        let shares = summary.sums.iter().map(share);
        vec![Answer::Labels {
            weight: summary.weight.max(0.0),
            shares: if summary.weight > 0.0 {
                shares.collect()
            } else {
                vec![0.0; summary.sums.len()]
            },
        }]
    }

    fn slack(&self) -> f64 {
        self.slack
    }
}
