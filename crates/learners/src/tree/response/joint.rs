//! Several targets at once, classes and numbers together, any of them possibly unknown in a row.
//!
//! The spread is the mean over targets of each one's, relative to its impurity in the whole training set: no target
//! counts more for its unit or its number of classes. A target's spread is that of the rows that know it, scaled so that
//! a target known of few rows counts as much as the others; rows that do not know it add nothing to it, or a test
//! that only sets them apart would seem to gain.

use super::classes::{heaviest, spread_of};
use super::numbers::Sums;
use super::{Impurity, Response};
use crate::tree::answer::{Answer, Answers};
use crate::tree::columns::UNKNOWN;

/// A target of several.
pub enum Part {
    /// Classes by row; [`UNKNOWN`] where there is none.
    Classes {
        /// The class of each row.
        codes: Vec<u32>,
        /// How many classes there are.
        count: usize,
    },
    /// Numbers by row; not a number where there is none.
    Numbers(Vec<f64>),
}

/// Several targets.
pub struct Joint {
    parts: Vec<Fitted>,
    impurity: Impurity,
    slots: usize,
    slack: f64,
}

struct Fitted {
    part: Part,
    /// Where the target's sums stand in a summary.
    start: usize,
    centre: f64,
    /// The target's weight over its spread in the whole training set, times the weight of that set.
    scale: f64,
}

/// Sums of several targets.
#[derive(Clone, Debug)]
pub struct JointSums {
    weight: f64,
    /// A target after the other: weights of classes, or weight, sum and squares of a number.
    sums: Vec<f64>,
}

impl Joint {
    /// Targets with how much each counts, and the weight of each row.
    pub fn new(
        parts: Vec<(Part, f64)>,
        impurity: Impurity,
        rows: usize,
        weight: impl Fn(usize) -> f64,
    ) -> Self {
        let mut joint = Self {
            parts: Vec::new(),
            impurity,
            slots: 0,
            slack: 0.0,
        };
        let among: f64 = parts.iter().map(|part| part.1).sum();
        let mut emphases = Vec::new();
        for (mut part, emphasis) in parts {
            emphases.push(if among > 0.0 { emphasis / among } else { 0.0 });
            let mut centre = 0.0;
            let start = joint.slots;
            match &mut part {
                Part::Classes { count, .. } => joint.slots += *count,
                Part::Numbers(values) => {
                    let mut sums = Sums::default();
                    let known = values
                        .iter()
                        .enumerate()
                        .filter(|(_, value)| !value.is_nan());
                    known.for_each(|(row, value)| sums.add(*value, weight(row)));
                    if sums.weight > 0.0 {
                        centre = sums.sum / sums.weight;
                    }
                    values.iter_mut().for_each(|value| *value -= centre);
                    joint.slots += 3;
                }
            }
            joint.parts.push(Fitted {
                part,
                start,
                centre,
                scale: 1.0,
            });
        }
        let everything: Vec<u32> = (0..rows as u32).collect();
        let mut whole = joint.empty();
        (0..rows).for_each(|row| joint.add(&mut whole, &everything, row, weight(row)));
        let spreads: Vec<f64> = joint
            .parts
            .iter()
            .map(|part| joint.spread_of(part, &whole))
            .collect();
        for ((part, spread), emphasis) in joint.parts.iter_mut().zip(spreads).zip(emphases) {
            part.scale = if spread > 0.0 {
                emphasis * whole.weight / spread
            } else {
                0.0
            };
        }
        joint.slack = 1e-12 * whole.weight;
        joint
    }

    fn sums<'s>(&self, part: &Fitted, summary: &'s JointSums) -> &'s [f64] {
        let length = match &part.part {
            Part::Classes { count, .. } => *count,
            Part::Numbers(_) => 3,
        };
        &summary.sums[part.start..part.start + length]
    }

    fn number(&self, part: &Fitted, summary: &JointSums) -> Sums {
        let sums = self.sums(part, summary);
        Sums {
            weight: sums[0],
            sum: sums[1],
            squares: sums[2],
        }
    }

    /// The spread of a target over the examples that know it.
    fn spread_of(&self, part: &Fitted, summary: &JointSums) -> f64 {
        match &part.part {
            Part::Classes { .. } => {
                let weights = self.sums(part, summary);
                spread_of(weights, weights.iter().sum(), self.impurity)
            }
            Part::Numbers(_) => self.number(part, summary).deviations(),
        }
    }

    fn shift(&self, summary: &mut JointSums, row: usize, weight: f64) {
        summary.weight += weight;
        for part in &self.parts {
            match &part.part {
                Part::Classes { codes, .. } if codes[row] != UNKNOWN => {
                    summary.sums[part.start + codes[row] as usize] += weight;
                }
                Part::Numbers(values) if !values[row].is_nan() => {
                    let value = values[row];
                    let sums = &mut summary.sums[part.start..part.start + 3];
                    sums[0] += weight;
                    sums[1] += weight * value;
                    sums[2] += weight * value * value;
                }
                _ => {}
            }
        }
    }
}

impl Response for Joint {
    type Local = Vec<u32>;
    type Summary = JointSums;

    fn gather(&self, rows: &[u32]) -> Vec<u32> {
        rows.to_vec()
    }

    fn empty(&self) -> JointSums {
        JointSums {
            weight: 0.0,
            sums: vec![0.0; self.slots],
        }
    }

    fn add(&self, summary: &mut JointSums, local: &Vec<u32>, place: usize, weight: f64) {
        self.shift(summary, local[place] as usize, weight);
    }

    fn remove(&self, summary: &mut JointSums, local: &Vec<u32>, place: usize, weight: f64) {
        self.shift(summary, local[place] as usize, -weight);
    }

    fn join(&self, summary: &mut JointSums, other: &JointSums, times: f64) {
        summary.weight += times * other.weight;
        for (sum, other) in summary.sums.iter_mut().zip(&other.sums) {
            *sum += times * other;
        }
    }

    fn weight(&self, summary: &JointSums) -> f64 {
        summary.weight
    }

    fn spread(&self, summary: &JointSums) -> f64 {
        let parts = self.parts.iter();
        parts
            .map(|part| part.scale * self.spread_of(part, summary))
            .sum()
    }

    fn level(&self, summary: &JointSums, whole: &JointSums) -> f64 {
        // By the first target: several cannot be put in one order.
        let Some(first) = self.parts.first() else {
            return 0.0;
        };
        match &first.part {
            Part::Classes { .. } => {
                let weights = self.sums(first, summary);
                let total: f64 = weights.iter().sum();
                weights[heaviest(self.sums(first, whole))] / total.max(f64::MIN_POSITIVE)
            }
            Part::Numbers(_) => self.number(first, summary).mean(),
        }
    }

    fn spread_behind(&self, answers: &Answers) -> f64 {
        let spread = |(part, answer): (&Fitted, &Answer)| match answer {
            Answer::Classes(weights) => {
                part.scale * spread_of(weights, weights.iter().sum(), self.impurity)
            }
            Answer::Number { squares, .. } => part.scale * squares,
            Answer::Labels { .. } => 0.0,
        };
        self.parts.iter().zip(&answers.targets).map(spread).sum()
    }

    fn answers(&self, summary: &JointSums) -> Vec<Answer> {
        let answer = |part: &Fitted| match &part.part {
            Part::Classes { .. } => {
                let weights = self.sums(part, summary).iter();
                Answer::Classes(weights.map(|weight| weight.max(0.0)).collect())
            }
            Part::Numbers(_) => self.number(part, summary).answer(part.centre),
        };
        self.parts.iter().map(answer).collect()
    }

    fn slack(&self) -> f64 {
        self.slack
    }
}
