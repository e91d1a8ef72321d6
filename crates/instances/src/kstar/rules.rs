//! The rules a K* model answers by.

use serde::{Deserialize, Serialize};

/// What a stored row that lacks an attribute is taken to have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Lacking {
    /// Any of the values of the others: the mean of their probabilities, as in the paper.
    Average,
    /// Nothing: the row is left out.
    Ignore,
    /// The least probable of the values of the others.
    Maximal,
    /// The value asked about (as Weka has it: a probability of one).
    None,
}

impl Lacking {
    /// The names, the default first.
    pub const NAMES: &[&str] = &["average", "ignore", "maximal", "none"];

    /// By name.
    pub fn named(name: &str) -> Self {
        match name {
            "ignore" => Lacking::Ignore,
            "maximal" => Lacking::Maximal,
            "none" => Lacking::None,
            _ => Lacking::Average,
        }
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Lacking::Average => "average",
            Lacking::Ignore => "ignore",
            Lacking::Maximal => "maximal",
            Lacking::None => "none",
        }
    }
}

/// The rules a K* model answers by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rules {
    /// What is done about missing stored values.
    pub lacking: Lacking,
    /// Whether to compute as Weka 3.9.7 does.
    pub weka: bool,
    /// Whether the blend of each attribute and value is chosen by the entropy of the targets.
    pub auto_blend: bool,
}
