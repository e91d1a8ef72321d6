//! Truth and prediction side by side: what a measure is computed from.

use crate::target::{CLASSES, LABELS, NUMBERS, Target};
use crate::true_values::TrueValues;

/// Truth and prediction for the same rows, in order.
#[derive(Debug, Clone, Copy)]
pub enum Answers<'a> {
    /// Predicted classes.
    Classes(ClassAnswers<'a>),
    /// Predicted numbers.
    Numbers(NumberAnswers<'a>),
    /// Predicted sets of labels.
    Labels(LabelAnswers<'a>),
    /// Predictions of any other kind.
    Of(KindAnswers<'a>),
}

/// True and predicted classes of the same rows.
#[derive(Debug, Clone, Copy)]
pub struct ClassAnswers<'a> {
    /// The true class of each row, as a position in `classes`; none where it is missing.
    pub truth: &'a [Option<u32>],
    /// The predicted class of each row.
    pub predicted: &'a [u32],
    /// The probability of each class, row after row.
    pub probabilities: &'a [f64],
    /// The names of the classes.
    pub classes: &'a [String],
}

/// True and predicted numbers of the same rows.
#[derive(Debug, Clone, Copy)]
pub struct NumberAnswers<'a> {
    /// The true number of each row; none where it is missing.
    pub truth: &'a [Option<f64>],
    /// The predicted number of each row.
    pub predicted: &'a [f64],
}

/// True and predicted sets of labels of the same rows.
#[derive(Debug, Clone, Copy)]
pub struct LabelAnswers<'a> {
    /// The true labels of each row, ascending; none where they are missing.
    pub truth: &'a [Option<Vec<u32>>],
    /// The share of each label, row after row.
    pub shares: &'a [f64],
    /// How many labels, hence shares per row, there are.
    pub labels: usize,
}

/// True and predicted values of the same rows, in the numbers of their kind.
#[derive(Debug, Clone, Copy)]
pub struct KindAnswers<'a> {
    /// The true values.
    pub truth: &'a TrueValues,
    /// The predictions, in the terms of the truth.
    pub predicted: &'a [Vec<f64>],
}

impl Answers<'_> {
    /// What is predicted.
    pub fn target(&self) -> Target {
        match self {
            Answers::Classes(_) => &CLASSES,
            Answers::Numbers(_) => &NUMBERS,
            Answers::Labels(_) => &LABELS,
            Answers::Of(answers) => answers.truth.kind().entry(),
        }
    }
}
