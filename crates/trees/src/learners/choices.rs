//! What the settings of tree learners choose from.

use crate::tree::heuristic::Heuristic;
use crate::tree::response::Impurity;
use crate::tree::tree_search::Ranking;
use kinwood_learning::named;

/// What makes a test good.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Criterion {
    /// The gain in information.
    Gain,
    /// The gain in information relative to the information in the division itself.
    GainRatio,
    /// The fall of Gini's index.
    Gini,
    /// The fall of the variance.
    Variance,
}

named!(Criterion {
    Gain => "gain",
    GainRatio => "gain_ratio",
    Gini => "gini",
    Variance => "variance",
});

impl Criterion {
    /// By what the best of the candidates of a node is chosen.
    pub(crate) fn heuristic(criterion: Option<Self>) -> Heuristic {
        match criterion {
            Some(Criterion::GainRatio) => Heuristic::GainRatio,
            _ => Heuristic::Gain,
        }
    }

    /// How unlike classes are measured.
    pub(crate) fn impurity(self) -> Impurity {
        match self {
            Criterion::Gain | Criterion::GainRatio => Impurity::Entropy,
            Criterion::Gini | Criterion::Variance => Impurity::Gini,
        }
    }
}

/// Where a threshold between two values of the data lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Threshold {
    /// Midway.
    Middle,
    /// At the lower one.
    Value,
}

named!(Threshold { Middle => "middle", Value => "value" });

/// Where a row goes whose value a test needs and does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MissingBranch {
    /// Into every branch, by its share.
    Divide,
    /// Where most rows went.
    Largest,
}

named!(MissingBranch { Divide => "divide", Largest => "largest" });

/// Which prototype attracts a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Attraction {
    /// The nearest.
    Nearest,
    /// The nearest in units of how widely its class lies around it.
    Density,
}

named!(Attraction { Nearest => "nearest", Density => "density" });

/// Where the boundary between two prototypes that are numbers lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Boundary {
    /// Midway.
    Middle,
    /// Where the branches are least spread.
    Best,
}

named!(Boundary { Middle => "middle", Best => "best" });

/// How many columns a node looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeInputs {
    /// The root of their number for classes, a third of it for numbers.
    Auto,
    /// All.
    All,
    /// So many, from 1.
    Number(usize),
}

/// Which tree of a beam with a size comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FirstTree {
    /// That of the best score.
    Score,
    /// The one that errs least in training.
    Error,
}

named!(FirstTree { Score => "score", Error => "error" });

impl FirstTree {
    /// How the trees of a beam are put in order.
    pub(crate) fn ranking(self) -> Ranking {
        match self {
            FirstTree::Score => Ranking::ScoreIfSized,
            FirstTree::Error => Ranking::Error,
        }
    }
}
