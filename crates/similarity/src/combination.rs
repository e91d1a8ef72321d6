//! How the distances of fields become one distance: shared by the distances of tuples and the
//! accounts of them.

use serde::Serialize;

/// How the distances of the fields become one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Combination {
    /// Their sum.
    Sum,
    /// Their mean.
    Mean,
    /// The root of the sum of their squares.
    Euclidean,
    /// The root of the mean of their squares.
    Rms,
}

impl Combination {
    /// The name in expressions.
    pub fn name(self) -> &'static str {
        match self {
            Combination::Sum => "sum",
            Combination::Mean => "mean",
            Combination::Euclidean => "euclidean",
            Combination::Rms => "rms",
        }
    }

    /// Whether distances are squared before they are added up.
    pub(crate) fn squares(self) -> bool {
        matches!(self, Combination::Euclidean | Combination::Rms)
    }

    /// Whether the sum is divided by the weights.
    pub(crate) fn averages(self) -> bool {
        matches!(self, Combination::Mean | Combination::Rms)
    }

    /// What a distance of a field with this weight adds.
    pub(crate) fn added(self, distance: f64, weight: f64) -> f64 {
        match self.squares() {
            true => distance * distance * weight,
            false => distance * weight,
        }
    }

    /// What a weighted sum of (squared) distances with this total weight becomes.
    pub(crate) fn finish(self, sum: f64, weight: f64) -> f64 {
        let sum = if self.averages() { sum / weight } else { sum };
        if self.squares() { sum.sqrt() } else { sum }
    }
}
