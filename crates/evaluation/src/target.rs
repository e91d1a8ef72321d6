//! What is predicted: one of several classes, a number or a set of labels. Measures are of one of
//! these.

use std::fmt;

use serde::Serialize;

/// What is predicted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Target {
    /// One of several classes.
    Classes,
    /// A number.
    Numbers,
    /// A set of labels.
    Labels,
}

impl fmt::Display for Target {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Target::Classes => "classes",
            Target::Numbers => "numbers",
            Target::Labels => "sets of labels",
        })
    }
}
