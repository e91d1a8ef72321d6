//! What a node says of each target: the training examples that reached it, as far as a prediction
//! needs them.

use serde::{Deserialize, Serialize};

/// What a node says of each target.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Answers {
    /// The weight of the training examples that reached the node, whether a target is known of them
    /// or not.
    pub weight: f64,
    /// A target each, in the task's order.
    pub targets: Vec<Answer>,
}

/// What a node says of a target.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// The weight of each class.
    Classes(Vec<f64>),
    /// A number.
    Number {
        /// The weight of the examples whose number is known.
        weight: f64,
        /// Their mean.
        mean: f64,
        /// The sum of their squared deviations from it.
        squares: f64,
    },
    /// A set of labels.
    Labels {
        /// The weight of the examples whose labels are known.
        weight: f64,
        /// The share of them that has each label.
        shares: Vec<f64>,
    },
}

impl Answer {
    /// How many numbers a prediction is: a share for each class or label, or the number alone.
    pub fn width(&self) -> usize {
        match self {
            Answer::Classes(weights) => weights.len(),
            Answer::Number { .. } => 1,
            Answer::Labels { shares, .. } => shares.len(),
        }
    }

    /// The weight of the examples whose target is known.
    pub fn weight(&self) -> f64 {
        match self {
            Answer::Classes(weights) => weights.iter().sum(),
            Answer::Number { weight, .. } | Answer::Labels { weight, .. } => *weight,
        }
    }

    /// The heaviest class, the first of equals; `None` for other targets.
    pub fn class(&self) -> Option<u32> {
        let Answer::Classes(weights) = self else {
            return None;
        };
        let best = (1..weights.len()).fold(0, |best, class| {
            if weights[class] > weights[best] {
                class
            } else {
                best
            }
        });
        Some(best as u32)
    }

    /// How wrong the answer is on the examples it was made from: the weight of the other classes,
    /// the sum of squared deviations, or the weight of labels wrongly said present or absent.
    pub fn error(&self) -> f64 {
        match self {
            Answer::Classes(weights) => {
                let most = weights.iter().copied().fold(0.0, f64::max);
                weights.iter().sum::<f64>() - most
            }
            Answer::Number { squares, .. } => *squares,
            Answer::Labels { weight, shares } => {
                weight
                    * shares
                        .iter()
                        .map(|share| share.min(1.0 - share))
                        .sum::<f64>()
            }
        }
    }
}

impl Answer {
    /// How wrong the answer would be on its examples if each were left out of it in turn; of
    /// classes and labels half an error more, for they have no squares to leave out of.
    pub fn error_left_out(&self) -> f64 {
        match self {
            Answer::Number {
                weight, squares, ..
            } => mean_left_out(*squares, *weight),
            answer => answer.error() + 0.5,
        }
    }
}

/// The squared errors of the mean, each example left out in turn.
pub fn mean_left_out(squares: f64, weight: f64) -> f64 {
    match weight > 1.0 {
        true => squares * (weight / (weight - 1.0)).powi(2),
        false => f64::INFINITY,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_what_the_answer_misses() {
        let classes = Answer::Classes(vec![2.0, 3.0, 3.0]);
        assert_eq!(
            (classes.class(), classes.error(), classes.weight()),
            (Some(1), 5.0, 8.0)
        );
        let labels = Answer::Labels {
            weight: 4.0,
            shares: vec![0.25, 0.75, 1.0],
        };
        assert_eq!(labels.error(), 2.0);
    }
}
