//! Predictions: for each target a distribution over its classes, a number or the labels of a set,
//! for every row.

use std::sync::Arc;

use kinwood_values::{Dictionary, Value};

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
    /// A set of labels.
    Labels {
        /// The labels there are: at least one.
        labels: Arc<Dictionary>,
        /// Rows times labels, a row after the other: the probability that the set has the label. In
        /// a hierarchy it never rises from a label to one below it.
        shares: Vec<f64>,
    },
}

/// The least share of a label that is said to be in the set.
pub const PRESENT: f64 = 0.5;

impl Output {
    /// Number of rows.
    pub fn len(&self) -> usize {
        match self {
            Output::Classes { classes, shares } => shares.len() / classes.len().max(1),
            Output::Numbers(numbers) => numbers.len(),
            Output::Labels { labels, shares } => shares.len() / labels.len().max(1),
        }
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The most probable class of a row, the first of equals; `None` where no classes are
    /// predicted.
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

    /// The number predicted for a row; `None` where no numbers are predicted.
    pub fn number(&self, row: usize) -> Option<f64> {
        match self {
            Output::Numbers(numbers) => Some(numbers[row]),
            Output::Classes { .. } | Output::Labels { .. } => None,
        }
    }

    /// The labels predicted for a row, ascending: those with a share of at least [`PRESENT`];
    /// `None` where no sets are predicted.
    pub fn labels(&self, row: usize) -> Option<Vec<u32>> {
        let Output::Labels { labels, shares } = self else {
            return None;
        };
        let shares = &shares[row * labels.len()..(row + 1) * labels.len()];
        let present = (0..labels.len()).filter(|&label| shares[label] >= PRESENT);
        Some(present.map(|label| label as u32).collect())
    }

    /// The set of labels predicted for a row, as a value; `None` where no sets are predicted.
    pub fn set(&self, row: usize) -> Option<Value> {
        let (Output::Labels { labels, .. }, Some(present)) = (self, self.labels(row)) else {
            return None;
        };
        let symbols = present
            .into_iter()
            .map(|label| Value::Symbol(labels.label(label).to_owned()));
        Some(Value::set(symbols.collect()))
    }

    /// What is predicted for a row in numbers: its shares, or its number alone.
    pub fn row(&self, row: usize) -> &[f64] {
        let (width, numbers) = match self {
            Output::Classes { classes, shares } => (classes.len(), shares),
            Output::Numbers(numbers) => (1, numbers),
            Output::Labels { labels, shares } => (labels.len(), shares),
        };
        &numbers[row * width..(row + 1) * width]
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
    fn a_set_has_the_labels_that_are_as_likely_as_not() {
        let labels = Arc::new(Dictionary::from_labels(["a", "b/c"]));
        let output = Output::Labels {
            labels,
            shares: vec![0.5, 0.7, 0.49, 0.0],
        };
        assert_eq!((output.len(), output.class(0)), (2, None));
        assert_eq!(output.labels(0), Some(vec![0, 1]));
        assert_eq!(output.set(1), Some(Value::set(vec![])));
        assert_eq!(output.row(1), [0.49, 0.0]);
    }

    #[test]
    fn nothing_weighed_is_even() {
        assert_eq!(normalised(vec![0.0, 0.0]), [0.5, 0.5]);
        assert_eq!(normalised(vec![1.0, 3.0]), [0.25, 0.75]);
    }
}
