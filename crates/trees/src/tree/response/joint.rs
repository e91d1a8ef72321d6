//! Several targets at once, classes and numbers together, any of them possibly unknown in a row.
//!
//! The spread is the mean over targets of each one's, relative to its impurity in the whole
//! training set: no target counts more for its unit or its number of classes. A target's spread is
//! that of the rows that know it, scaled so that a target known of few rows counts as much as the
//! others; rows that do not know it add nothing to it, or a test that only sets them apart would
//! seem to gain.

use super::answer::{Answer, Answers};
use super::classes::{heaviest, spread_of};
use super::grouped::{by_class, by_number};
use super::sums::Sums;
use super::{Examples, Grouping, Impurity, Response};
use crate::tree::code::UNKNOWN;

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

    /// By the target that is spread most.
    fn groups(&self, examples: &Examples<'_, Self::Summary>, most: usize) -> Grouping {
        let spread = |part: &Fitted| part.scale * self.spread_of(part, examples.whole);
        let widest = (1..self.parts.len()).fold(0, |widest, place| {
            if spread(&self.parts[place]) > spread(&self.parts[widest]) {
                place
            } else {
                widest
            }
        });
        let rows = examples.rows.iter().map(|&row| row as usize);
        match &self.parts[widest].part {
            Part::Classes { codes, count } => by_class(rows.map(|row| codes[row]), *count),
            Part::Numbers(values) => {
                let numbers: Vec<f64> = rows.map(|row| values[row]).collect();
                by_number(&numbers, |place| examples.weight(place), most)
            }
        }
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
        let spread = |(part, answer): (&Fitted, &Answer)| match answer.as_classes() {
            Some(weights) => part.scale * spread_of(weights, weights.iter().sum(), self.impurity),
            None => part.scale * answer.squares(),
        };
        self.parts.iter().zip(&answers.targets).map(spread).sum()
    }

    fn answers(&self, examples: &Examples<'_, JointSums>) -> Vec<Answer> {
        let summary = examples.whole;
        let answer = |part: &Fitted| match &part.part {
            Part::Classes { .. } => {
                let weights = self.sums(part, summary).iter();
                Answer::classes(weights.map(|weight| weight.max(0.0)).collect())
            }
            Part::Numbers(_) => self.number(part, summary).answer(part.centre),
        };
        self.parts.iter().map(answer).collect()
    }

    fn slack(&self) -> f64 {
        self.slack
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn summed(joint: &Joint, rows: &[u32]) -> JointSums {
        let mut sums = joint.empty();
        let local = joint.gather(rows);
        (0..rows.len()).for_each(|place| joint.add(&mut sums, &local, place, 1.0));
        sums
    }

    #[test]
    fn rows_that_do_not_know_a_target_gain_nothing_by_being_set_apart() {
        let numbers = vec![1.0, 2.0, 3.0, f64::NAN, f64::NAN, f64::NAN];
        let classes = Part::Classes {
            codes: vec![0, 1, 0, 1, 0, UNKNOWN],
            count: 2,
        };
        let parts = vec![(Part::Numbers(numbers), 1.0), (classes, 0.0)];
        let joint = Joint::new(parts, Impurity::Gini, 6, |_| 1.0);
        let whole = joint.spread(&summed(&joint, &[0, 1, 2, 3, 4, 5]));
        assert!((whole - 6.0).abs() < 1e-12, "{whole}");
        let known = joint.spread(&summed(&joint, &[0, 1, 2]));
        let unknown = joint.spread(&summed(&joint, &[3, 4, 5]));
        assert_eq!((known, unknown), (whole, 0.0));
        let sums = summed(&joint, &[0, 1, 3, 5]);
        let answers = Answers {
            weight: joint.weight(&sums),
            targets: joint.answers(&Examples {
                rows: &[],
                weights: None,
                whole: &sums,
            }),
        };
        assert!((joint.spread_behind(&answers) - joint.spread(&sums)).abs() < 1e-12);
    }

    #[test]
    fn targets_count_as_much_as_their_weights_say() {
        let parts = |weights: [f64; 2]| {
            vec![
                (Part::Numbers(vec![0.0, 0.0, 10.0, 10.0]), weights[0]),
                (Part::Numbers(vec![0.0, 1.0, 0.0, 1.0]), weights[1]),
            ]
        };
        for (weights, left) in [([1.0, 1.0], 0.5), ([3.0, 1.0], 0.25), ([0.0, 2.0], 1.0)] {
            let joint = Joint::new(parts(weights), Impurity::Gini, 4, |_| 1.0);
            let sides = [[0, 1], [2, 3]].map(|rows| joint.spread(&summed(&joint, &rows)));
            assert!(
                (sides[0] + sides[1] - 4.0 * left).abs() < 1e-12,
                "{weights:?}"
            );
        }
    }
}
