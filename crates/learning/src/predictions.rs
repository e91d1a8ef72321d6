//! Predictions: for each target and every row numbers in the terms of the target's kind, such as
//! the probability of each class, a number, or the probability of each label of a set.

use std::sync::Arc;

use kinwood_values::{Dictionary, Value};

use crate::labels::Labels;
use crate::ranges::Ranges;
pub use crate::target::PRESENT;
use crate::target::{LabelSets, TargetKind};

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

/// What is predicted, row by row: numbers in the terms of the target's kind.
#[derive(Clone, Debug, PartialEq)]
pub struct Output {
    kind: TargetKind,
    /// Rows times the kind's width, a row after the other.
    numbers: Vec<f64>,
    /// Where the truth of each row lies, where the model was fitted to say so.
    ranges: Option<Ranges>,
}

impl Output {
    /// Predictions of a kind of target, a row after the other.
    pub fn new(kind: TargetKind, numbers: Vec<f64>) -> Self {
        Self {
            kind,
            numbers,
            ranges: None,
        }
    }

    /// The same predictions, with where the truth of each row lies.
    pub fn with_ranges(self, ranges: Option<Ranges>) -> Self {
        Self { ranges, ..self }
    }

    /// Where the truth of each row lies; `None` where the model was not fitted to say so.
    pub fn ranges(&self) -> Option<&Ranges> {
        self.ranges.as_ref()
    }

    /// The probability of each class, a row after the other; each row adds up to one.
    pub fn of_classes(classes: Arc<Dictionary>, probabilities: Vec<f64>) -> Self {
        Self::new(TargetKind::classes(classes), probabilities)
    }

    /// A number a row.
    pub fn of_numbers(numbers: Vec<f64>) -> Self {
        Self::new(TargetKind::number(), numbers)
    }

    /// The probability that the set has each label, a row after the other. In a hierarchy it never
    /// rises from a label to one below it.
    pub fn of_labels(labels: &Dictionary, probabilities: Vec<f64>) -> Self {
        let kind = TargetKind::new(LabelSets {
            labels: Labels::new(labels, None),
            hierarchy: None,
        });
        Self::new(kind, probabilities)
    }

    /// What the target is.
    pub fn kind(&self) -> &TargetKind {
        &self.kind
    }

    /// All numbers, a row after the other.
    pub fn numbers(&self) -> &[f64] {
        &self.numbers
    }

    /// All numbers, a row after the other.
    pub fn into_numbers(self) -> Vec<f64> {
        self.numbers
    }

    /// Adds predictions of further rows of the same target.
    pub fn extend(&mut self, more: Output) {
        self.ranges = match (self.ranges.take(), more.ranges) {
            (Some(mut own), Some(more)) => {
                own.extend(more);
                Some(own)
            }
            _ => None,
        };
        self.numbers.extend(more.numbers);
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.numbers.len() / self.kind.width().max(1)
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The class of a row, the most probable and the first of equals; `None` where no classes are
    /// predicted.
    pub fn class(&self, row: usize) -> Option<u32> {
        self.kind.class(self.row(row))
    }

    /// The number predicted for a row; `None` where no numbers are predicted.
    pub fn number(&self, row: usize) -> Option<f64> {
        self.kind.is_number().then(|| self.numbers[row])
    }

    /// The labels predicted for a row, ascending: those with a probability of at least
    /// [`PRESENT`]; `None` where no sets are predicted.
    pub fn labels(&self, row: usize) -> Option<Vec<u32>> {
        self.kind.as_labels()?;
        Some(LabelSets::present(self.row(row)))
    }

    /// What is predicted for a row.
    pub fn value(&self, row: usize) -> Value {
        self.kind.value(self.row(row))
    }

    /// What is predicted for a row in numbers: its probabilities, or its number alone.
    pub fn row(&self, row: usize) -> &[f64] {
        let width = self.kind.width();
        &self.numbers[row * width..(row + 1) * width]
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
        let output = Output::of_classes(classes, vec![0.2, 0.4, 0.4, 0.5, 0.5, 0.0]);
        assert_eq!(
            (output.class(0), output.class(1), output.len()),
            (Some(1), Some(0), 2)
        );
    }

    #[test]
    fn a_set_has_the_labels_that_are_as_likely_as_not() {
        let labels = Dictionary::from_labels(["a", "b/c"]);
        let output = Output::of_labels(&labels, vec![0.5, 0.7, 0.49, 0.0]);
        assert_eq!((output.len(), output.class(0)), (2, None));
        assert_eq!(output.labels(0), Some(vec![0, 1]));
        assert_eq!(output.value(1), Value::set(vec![]));
        assert_eq!(output.row(1), [0.49, 0.0]);
    }

    #[test]
    fn nothing_weighed_is_even() {
        assert_eq!(normalised(vec![0.0, 0.0]), [0.5, 0.5]);
        assert_eq!(normalised(vec![1.0, 3.0]), [0.25, 0.75]);
    }
}
