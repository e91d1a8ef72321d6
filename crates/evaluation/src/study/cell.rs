//! Cells: our figure beside the paper's, and what is to be said of the two.

use serde::Serialize;

use super::figure::Held;
use super::{Column, Group, Row, Study};
use crate::measures::Direction;

/// One figure of ours beside the paper's.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Cell {
    /// The row's heading.
    pub row: String,
    /// The heading that the column stands under, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    /// The column's heading.
    pub column: String,
    /// Our figure, in the paper's unit.
    pub ours: Option<f64>,
    /// Our standard deviation over splits (n-1), where the figure comes from splits.
    pub sd: Option<f64>,
    /// The paper's figure.
    pub paper: Option<f64>,
    /// How they compare.
    pub verdict: Verdict,
}

/// A figure of ours, in the paper's unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ours {
    /// The figure.
    pub figure: f64,
    /// Its standard deviation over splits, if it comes from splits.
    pub sd: Option<f64>,
    /// How many splits it comes from.
    pub scores: usize,
}

/// How our figure and the paper's compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Verdict {
    /// No further apart than the choice of splits explains.
    #[serde(rename = "within noise")]
    WithinNoise,
    /// Ours is better.
    #[serde(rename = "better")]
    Better,
    /// Ours is worse.
    #[serde(rename = "worse")]
    Worse,
    /// Ours is the paper's, in a figure without chance.
    #[serde(rename = "same")]
    Same,
    /// Ours is another, where none is better.
    #[serde(rename = "differs")]
    Differs,
    /// The figures are of different machines, or of data that only stand in for the paper's.
    #[serde(rename = "not compared")]
    NotCompared,
    /// The data cannot be had.
    #[serde(rename = "no data")]
    NoData,
    /// The paper has no figure.
    #[serde(rename = "no figure")]
    NoFigure,
}

impl Study {
    /// A cell of the table from what was measured.
    pub fn cell(&self, row: &Row, group: &Group, column: &Column, ours: Option<Ours>) -> Cell {
        let paper = self.paper(row, group, column);
        let verdict = match (ours, paper) {
            (None, _) => Verdict::NoData,
            (Some(_), None) => Verdict::NoFigure,
            (Some(_), Some(_)) if row.stand_in => Verdict::NotCompared,
            (Some(ours), Some(paper)) => self.verdict(group, ours, paper),
        };
        Cell {
            row: row.name.clone(),
            group: (!self.groups.is_empty()).then(|| group.name.clone()),
            column: column.name.clone(),
            ours: ours.map(|ours| ours.figure),
            sd: ours.and_then(|ours| ours.sd),
            paper,
            verdict,
        }
    }

    /// Whether our figure and the paper's differ by more than the choice of splits explains.
    ///
    /// Given the data, splits are drawn independently: the mean of `n` scores varies by `sd / sqrt(n)`, the
    /// difference of two such means by `sd sqrt(2 / n)`. Beyond 2.576 of that (99 of 100 pairs are within), plus what
    /// the paper's rounding hides, it is a difference. A figure without chance is the same as rounded, or differs.
    fn verdict(&self, group: &Group, ours: Ours, paper: f64) -> Verdict {
        let Ours { figure, sd, scores } = ours;
        let rounding = 0.5 * 0.1f64.powi(self.decimals_of(group) as i32);
        let noise = 2.576 * sd.unwrap_or(0.0) * (2.0 / scores.max(1) as f64).sqrt() + rounding;
        let gain = match self.measure.description().direction {
            Direction::HigherIsBetter => figure - paper,
            Direction::LowerIsBetter => paper - figure,
        };
        match (self.figure_of(group).held(), gain.abs() <= noise) {
            (Held::Not, _) => Verdict::NotCompared,
            (Held::Exactly, true) => Verdict::Same,
            (_, true) => Verdict::WithinNoise,
            (Held::AsMeasure, false) if gain > 0.0 => Verdict::Better,
            (Held::AsMeasure, false) => Verdict::Worse,
            (Held::WithinNoise | Held::Exactly, false) => Verdict::Differs,
        }
    }
}

impl std::fmt::Display for Verdict {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.pad(match self {
            Verdict::WithinNoise => "within noise",
            Verdict::Better => "better",
            Verdict::Worse => "worse",
            Verdict::Same => "same",
            Verdict::Differs => "differs",
            Verdict::NotCompared => "not compared",
            Verdict::NoData => "no data",
            Verdict::NoFigure => "no figure",
        })
    }
}
