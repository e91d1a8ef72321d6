//! What is known of a model beside what it predicts, whatever it is: how large it is, and how it
//! was found.

use serde::{Deserialize, Serialize};

use crate::context::Context;
use crate::error::Error;

/// What is known of a model. A field is `None` where the method has no such thing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ModelFacts {
    /// The nodes of the tree it answers by.
    pub size: Option<u64>,
    /// How many models it is a set of.
    pub members: Option<usize>,
    /// How many models its search evaluated.
    pub evaluated: Option<u64>,
    /// Why its search ended.
    pub stopped: Option<StopReason>,
    /// The settings that were chosen by inner validation, if any were.
    pub tuned: Option<Vec<(String, String)>>,
    /// How it compares rows, if it does.
    pub compares: Option<Comparison>,
    /// The tree that it is, if it is one.
    pub tree: Option<TreeFacts>,
}

/// What a tree is known to be without any rows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TreeFacts {
    /// Its nodes.
    pub size: usize,
    /// Its leaves.
    pub leaves: usize,
    /// The most tests from the root to a leaf.
    pub depth: usize,
    /// How good its search found it, lower being better; `None` where no search compared trees.
    pub score: Option<f64>,
    /// What its tests and formulas look at, each once, in the order of the data: columns by their
    /// name, those of another table than the predicted rows' with the table's before it.
    pub columns: Vec<String>,
    /// The tables that its tests and formulas follow keys to, each once, in the order of the data;
    /// `None` where that is not known.
    pub tables: Option<Vec<String>>,
    /// What `uses` of a constraint holds for: the columns and tables that its tests look at, by
    /// every name that they go by.
    pub uses: Vec<String>,
    /// What constraints call its error, by the examples that its leaves were made from: the share
    /// of wrong classes or labels, the root of the mean squared error of a number, or of several
    /// targets the mean of their errors relative to that of a tree of one leaf.
    pub error: Option<f64>,
    /// What constraints call its accuracy: the share of examples that it gets right, of classes.
    pub accuracy: Option<f64>,
    /// How good it is by the examples that its leaves were made from, a target each; none of a
    /// target whose leaves do not hold that.
    pub training: Vec<TrainingScore>,
}

/// How good a tree is by the examples that its leaves were made from.
#[derive(Clone, Debug, PartialEq)]
pub struct TrainingScore {
    /// The target.
    pub target: String,
    /// The measure of quality: `accuracy`, `rmse` or `hamming_loss`.
    pub measure: &'static str,
    /// What it is.
    pub value: f64,
}

/// How a model compares rows: an expression, as in settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// By a distance.
    Distance(String),
    /// By a kernel.
    Kernel(String),
}

/// Why a search ended. The words are those of model files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum StopReason {
    /// There was no search.
    #[default]
    #[serde(rename = "")]
    NoSearch,
    /// Nothing was left to divide, or nothing improved.
    #[serde(rename = "nothing improved")]
    Complete,
    /// The given partial tree has a test that divides nothing.
    #[serde(rename = "a test of the given tree divides nothing")]
    Sketch,
    /// The tree had as many nodes as it may have.
    #[serde(rename = "the size limit was reached")]
    Size,
    /// The time limit was reached.
    #[serde(rename = "the time limit was reached")]
    Time,
    /// The user interrupted.
    #[serde(rename = "interrupted")]
    Interrupted,
}

impl StopReason {
    /// In words, as they stand behind `stopped because`.
    pub fn name(self) -> &'static str {
        match self {
            StopReason::NoSearch => "",
            StopReason::Complete => "no split improves the tree",
            StopReason::Sketch => "a test of the given tree divides nothing",
            StopReason::Size => "the size limit was reached",
            StopReason::Time => "the time limit was reached",
            StopReason::Interrupted => "it was interrupted",
        }
    }

    /// Whether the work was cut short, so that the result is partial.
    pub fn cut_short(self) -> bool {
        matches!(self, StopReason::Time | StopReason::Interrupted)
    }

    /// Why work must end now; `None` while it may go on.
    pub fn requested(context: &Context) -> Option<Self> {
        match context.check() {
            Ok(()) => None,
            Err(Error::OutOfTime) => Some(StopReason::Time),
            Err(_) => Some(StopReason::Interrupted),
        }
    }
}

impl std::fmt::Display for StopReason {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_hold_the_words() {
        for (reason, words) in [
            (StopReason::NoSearch, ""),
            (StopReason::Complete, "nothing improved"),
            (
                StopReason::Sketch,
                "a test of the given tree divides nothing",
            ),
            (StopReason::Size, "the size limit was reached"),
            (StopReason::Time, "the time limit was reached"),
            (StopReason::Interrupted, "interrupted"),
        ] {
            let stored = serde_json::to_value(reason).unwrap();
            assert_eq!(stored, words);
            assert_eq!(
                serde_json::from_value::<StopReason>(stored).unwrap(),
                reason
            );
        }
    }
}
