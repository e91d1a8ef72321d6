//! Cells: our figure beside the paper's, and what is to be said of the two.

use serde::{Deserialize, Serialize};

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
    /// Why they differ, as far as that is known.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub why: Vec<String>,
}

/// Why figures differ from the paper's.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Why {
    /// The rows it is said of, if not all.
    #[serde(default)]
    pub rows: Option<Vec<String>>,
    /// The columns it is said of, if not all.
    #[serde(default)]
    pub columns: Option<Vec<String>>,
    /// The headings it is said of, if not all.
    #[serde(default)]
    pub groups: Option<Vec<String>>,
    /// The verdicts it is said of, if not of all figures that differ.
    #[serde(default)]
    pub verdicts: Option<Vec<Verdict>>,
    /// The reason, in one sentence.
    pub text: String,
}

impl Why {
    /// Whether it is said of a cell.
    fn holds(&self, row: &str, group: &str, column: &str, verdict: Verdict) -> bool {
        let among = |names: &Option<Vec<String>>, name: &str| {
            let names = names.as_ref();
            names.is_none_or(|names| names.iter().any(|other| other == name))
        };
        let verdicts = self.verdicts.as_ref();
        among(&self.rows, row)
            && among(&self.groups, group)
            && among(&self.columns, column)
            && verdicts.is_none_or(|verdicts| verdicts.contains(&verdict))
    }

    /// The first name that a study does not have.
    pub(super) fn unknown(&self, study: &Study) -> Option<String> {
        let rows = study.rows.iter().map(|row| &row.name).collect::<Vec<_>>();
        let columns = study.columns.iter().map(|column| &column.name).collect();
        let groups = study.groups.iter().map(|group| &group.name).collect();
        let lists = [
            (&self.rows, rows),
            (&self.columns, columns),
            (&self.groups, groups),
        ];
        lists.into_iter().find_map(|(named, known)| {
            let mut named = named.iter().flatten();
            named.find(|name| !known.contains(name)).cloned()
        })
    }
}

/// A figure of ours, in the paper's unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ours {
    /// The figure.
    pub figure: f64,
    /// Its standard deviation over splits, if it comes from splits.
    pub sd: Option<f64>,
    /// Its standard error by the choice of splits, if it comes from splits: see [`super::noise`].
    pub error: Option<f64>,
}

/// How our figure and the paper's compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
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

impl Verdict {
    /// All of them, in the order in which they are counted.
    pub const ALL: [Verdict; 8] = [
        Verdict::WithinNoise,
        Verdict::Same,
        Verdict::Better,
        Verdict::Worse,
        Verdict::Differs,
        Verdict::NotCompared,
        Verdict::NoData,
        Verdict::NoFigure,
    ];
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
        let differs = matches!(verdict, Verdict::Better | Verdict::Worse | Verdict::Differs);
        let why = self.why.iter();
        let why =
            why.filter(|why| differs && why.holds(&row.name, &group.name, &column.name, verdict));
        Cell {
            why: why.map(|why| why.text.clone()).collect(),
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
    /// The paper divided the same rows as we, by other splits: the difference of the two figures
    /// varies by `sqrt(2)` standard errors of either. Beyond 2.576 of that (99 of 100 pairs are
    /// within), plus what the paper's rounding hides, it is a difference. A figure without chance
    /// is the same as rounded, or differs.
    fn verdict(&self, group: &Group, ours: Ours, paper: f64) -> Verdict {
        let Ours { figure, error, .. } = ours;
        let rounding = 0.5 * 0.1f64.powi(self.decimals_of(group) as i32);
        let noise = 2.576 * 2f64.sqrt() * error.unwrap_or(0.0) + rounding;
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
