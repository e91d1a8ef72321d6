//! A measure: its name, what is said about it, and how it is computed, in one entry.

use std::fmt;
use std::hash::{Hash, Hasher};

use serde::{Serialize, Serializer};

use super::answers::{Answers, ClassAnswers, KindAnswers, LabelAnswers, NumberAnswers};
use crate::error::Error;
use crate::target::{CLASSES, LABELS, NUMBERS, Target};

/// Which of two values of a measure is better.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    /// The higher one.
    HigherIsBetter,
    /// The lower one.
    LowerIsBetter,
}

/// The value of a measure; none where the rows do not define it.
pub type Score = Result<Option<f64>, Error>;

/// Computes a score from classes and the weights of rows, where they have any.
pub type FromClasses = dyn Fn(&ClassAnswers<'_>, Option<&[f64]>) -> Score + Send + Sync;
/// Computes a score from numbers and the weights of rows, where they have any.
pub type FromNumbers = dyn Fn(&NumberAnswers<'_>, Option<&[f64]>) -> Score + Send + Sync;
/// Computes a score from sets of labels and the weights of rows, where they have any.
pub type FromLabels = dyn Fn(&LabelAnswers<'_>, Option<&[f64]>) -> Score + Send + Sync;

/// Computes a score from values of any other kind and the weights of rows, where they have any.
pub type FromKind = dyn Fn(&KindAnswers<'_>, Option<&[f64]>) -> Score + Send + Sync;

/// How a measure is computed, which also says what kind of target it needs.
///
/// Rows whose truth is missing are for the function to leave out. A function that captures
/// something is leaked, as in `Compute::Numbers(Box::leak(Box::new(function)))`: a registered
/// measure lasts as long as the program.
#[derive(Clone, Copy)]
pub enum Compute {
    /// From classes.
    Classes(&'static FromClasses),
    /// From numbers.
    Numbers(&'static FromNumbers),
    /// From sets of labels.
    Labels(&'static FromLabels),
    /// From values of the kind that is given.
    Of(Target, &'static FromKind),
}

impl Compute {
    /// What kind of target is needed.
    pub fn needs(&self) -> Target {
        match self {
            Compute::Classes(_) => &CLASSES,
            Compute::Numbers(_) => &NUMBERS,
            Compute::Labels(_) => &LABELS,
            Compute::Of(target, _) => target,
        }
    }
}

/// A measure of the quality of predictions: all there is to know about it.
#[derive(Clone, Copy)]
pub struct MeasureEntry {
    /// Its name in commands, queries and JSON: lower-case letters, digits and `_`.
    pub key: &'static str,
    /// Its heading in tables.
    pub title: &'static str,
    /// What it is, in one sentence without a full stop.
    pub doc: &'static str,
    /// Its formula, with weights `w` summing to `W`, truths `y` and predictions `p`.
    pub formula: &'static str,
    /// Which values are better.
    pub direction: Direction,
    /// How it is computed, and from what.
    pub compute: Compute,
}

impl fmt::Debug for MeasureEntry {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("MeasureEntry")
            .field("key", &self.key)
            .field("direction", &self.direction)
            .field("needs", &self.compute.needs())
            .finish_non_exhaustive()
    }
}

/// A measure that is known by its name: one of the built-in ones, or one that was registered.
///
/// Two measures are equal if they have one name.
#[derive(Clone, Copy)]
pub struct Measure(&'static MeasureEntry);

impl Measure {
    /// The measure of an entry that is in the list.
    pub(super) const fn new(entry: &'static MeasureEntry) -> Self {
        Self(entry)
    }

    /// What is said about this measure.
    pub fn description(self) -> &'static MeasureEntry {
        self.0
    }

    /// The name in commands, queries and JSON.
    pub fn key(self) -> &'static str {
        self.0.key
    }

    /// What kind of target it needs.
    pub fn target(self) -> Target {
        self.0.compute.needs()
    }

    /// Whether value `a` is strictly better than value `b`.
    pub fn better(self, a: f64, b: f64) -> bool {
        match self.0.direction {
            Direction::HigherIsBetter => a > b,
            Direction::LowerIsBetter => a < b,
        }
    }

    /// The value of this measure; none where the rows do not define it.
    ///
    /// ```
    /// use kinwood_evaluation::measures::{Answers, CORRELATION, MAE, NumberAnswers};
    /// let answers = NumberAnswers { truth: &[Some(1.0), None], predicted: &[3.0, 9.0] };
    /// assert_eq!(MAE.of(&Answers::Numbers(answers), None)?, Some(2.0));
    /// assert_eq!(CORRELATION.of(&Answers::Numbers(answers), None)?, None);
    /// # Ok::<(), kinwood_evaluation::Error>(())
    /// ```
    pub fn of(self, answers: &Answers<'_>, weights: Option<&[f64]>) -> Score {
        match (self.0.compute, answers) {
            (Compute::Classes(compute), Answers::Classes(answers)) => compute(answers, weights),
            (Compute::Numbers(compute), Answers::Numbers(answers)) => compute(answers, weights),
            (Compute::Labels(compute), Answers::Labels(answers)) => compute(answers, weights),
            (Compute::Of(target, compute), Answers::Of(own)) if target == answers.target() => {
                compute(own, weights)
            }
            _ => Err(self.wrong_for(answers.target())),
        }
    }

    /// That it is asked of a kind of target that it is not for.
    pub fn wrong_for(self, found: Target) -> Error {
        Error::WrongTarget {
            measure: self.key(),
            expected: self.target(),
            found,
        }
    }
}

impl PartialEq for Measure {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

impl Eq for Measure {}

impl Hash for Measure {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key().hash(state);
    }
}

impl fmt::Debug for Measure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("Measure").field(&self.key()).finish()
    }
}

impl fmt::Display for Measure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.key())
    }
}

impl Serialize for Measure {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.key())
    }
}
