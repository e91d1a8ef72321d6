//! Predictions: for each target a distribution over its classes or a number, for every row.

use std::sync::Arc;

use kinwood_values::Dictionary;

/// Predictions of every target for the rows of a view, in the view's order.
#[derive(Clone, Debug, PartialEq)]
pub struct Predictions {
    /// One a target, in the task's order.
    pub targets: Vec<TargetPrediction>,
}

/// Predictions of one target.
#[derive(Clone, Debug, PartialEq)]
pub struct TargetPrediction {
    /// The target's name.
    pub name: String,
    /// What is predicted, row by row.
    pub output: Output,
}

/// What is predicted, row by row.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Output {
    /// A distribution over classes.
    Classes {
        /// The classes.
        classes: Arc<Dictionary>,
        /// Rows times classes, a row after the other; each row adds up to one.
        shares: Vec<f64>,
    },
    /// A number.
    Numbers(Vec<f64>),
}

impl Output {
    /// Number of rows.
    pub fn len(&self) -> usize {
        match self {
            Output::Classes { classes, shares } => shares.len() / classes.len().max(1),
            Output::Numbers(numbers) => numbers.len(),
        }
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The most probable class of a row, the first of equals; `None` where numbers are predicted.
    pub fn class(&self, row: usize) -> Option<u32> {
        let Output::Classes { classes, shares } = self else {
            return None;
        };
        let shares = &shares[row * classes.len()..(row + 1) * classes.len()];
        // Strictly greater replaces: the first of equals stays.
        let best = (1..shares.len()).fold(0, |best, class| {
            if shares[class] > shares[best] {
                class
            } else {
                best
            }
        });
        Some(best as u32)
    }

    /// The number predicted for a row; `None` where classes are.
    pub fn number(&self, row: usize) -> Option<f64> {
        match self {
            Output::Numbers(numbers) => Some(numbers[row]),
            Output::Classes { .. } => None,
        }
    }
}

/// Weights of classes as shares that add up to one; even shares where nothing weighs anything.
pub fn normalised(mut weights: Vec<f64>) -> Vec<f64> {
    let total: f64 = weights.iter().sum();
    if total > 0.0 {
        weights.iter_mut().for_each(|weight| *weight /= total);
    } else {
        let even = 1.0 / weights.len().max(1) as f64;
        weights.fill(even);
    }
    weights
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_equally_probable_classes_is_chosen() {
        let classes = Arc::new(Dictionary::from_labels(["a", "b", "c"]));
        let output = Output::Classes {
            classes,
            shares: vec![0.2, 0.4, 0.4, 0.5, 0.5, 0.0],
        };
        assert_eq!(
            (output.class(0), output.class(1), output.len()),
            (Some(1), Some(0), 2)
        );
    }

    #[test]
    fn nothing_weighed_is_even() {
        assert_eq!(normalised(vec![0.0, 0.0]), [0.5, 0.5]);
        assert_eq!(normalised(vec![1.0, 3.0]), [0.25, 0.75]);
    }
}
