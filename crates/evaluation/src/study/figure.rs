//! Figures: what a cell of a table shows, and by which run it is found.

use serde::Deserialize;

/// What a cell shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Figure {
    /// The mean of the measure over splits.
    #[default]
    Mean,
    /// The measure over the test predictions of all splits together.
    Pooled,
    /// The mean over splits of the mean measure of the models of a set.
    MembersMean,
    /// The mean over splits of how much the worst model of a set is worse than its answer.
    MembersWorst,
    /// The mean over splits of how much the best model of a set is better than its answer.
    MembersBest,
    /// The mean over splits of the similarity of the models of a set.
    MembersSimilarity,
    /// The nodes of a tree fitted on all rows.
    Nodes,
    /// The models evaluated by a search on all rows.
    Evaluated,
    /// The seconds that fitting on all rows takes.
    Seconds,
}

/// The run that a figure comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// Predictions of test rows, split by split.
    Splits,
    /// Predictions of test rows by every model of a set, split by split.
    Members,
    /// A model fitted on all rows.
    Whole,
}

/// How a figure is held against the paper's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Held {
    /// More or less of it is better, as the measure says, beyond the noise of splits.
    AsMeasure,
    /// It differs or not, beyond the noise of splits.
    WithinNoise,
    /// It is the same or not: there is no chance in it.
    Exactly,
    /// Not at all: another machine has another figure.
    Not,
}

impl Figure {
    /// The run it comes from.
    pub fn source(self) -> Source {
        match self {
            Figure::Mean | Figure::Pooled => Source::Splits,
            Figure::MembersMean
            | Figure::MembersWorst
            | Figure::MembersBest
            | Figure::MembersSimilarity => Source::Members,
            Figure::Nodes | Figure::Evaluated | Figure::Seconds => Source::Whole,
        }
    }

    pub(super) fn held(self) -> Held {
        match self {
            Figure::Mean | Figure::Pooled | Figure::MembersMean => Held::AsMeasure,
            Figure::MembersWorst | Figure::MembersBest | Figure::MembersSimilarity => {
                Held::WithinNoise
            }
            Figure::Nodes | Figure::Evaluated => Held::Exactly,
            Figure::Seconds => Held::Not,
        }
    }
}
