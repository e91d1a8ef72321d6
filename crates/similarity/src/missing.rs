//! What a distance does with a missing value.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::laws::Laws;

/// What a distance does with a missing value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Missing {
    /// One more point: 0 to itself and as far from every value as the largest distance. The laws
    /// hold.
    #[default]
    Own,
    /// As far as can be, from itself too (IB1 of Aha, Kibler and Albert 1991). Not zero on self.
    Max,
    /// The field is left out and the rest scaled up to stand for it. No triangle, no separation.
    Skip,
}

impl Missing {
    /// The names, in the order they are explained.
    pub const NAMES: &'static [&'static str] = &["own", "max", "skip"];

    /// The name in expressions and settings.
    pub fn name(self) -> &'static str {
        match self {
            Missing::Own => "own",
            Missing::Max => "max",
            Missing::Skip => "skip",
        }
    }

    /// What is left of a distance's laws when values may be missing.
    pub fn laws_of(self, laws: Laws) -> Laws {
        match self {
            Missing::Own => laws,
            Missing::Max => Laws {
                zero_on_self: false,
                ..laws
            },
            // With every field left out, nothing says that two things are the same.
            Missing::Skip => Laws {
                zero_on_self: false,
                separates: false,
                triangle: false,
                ..laws
            },
        }
    }
}

impl fmt::Display for Missing {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

impl FromStr for Missing {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        [Missing::Own, Missing::Max, Missing::Skip]
            .into_iter()
            .find(|policy| policy.name() == text)
            .ok_or(())
    }
}
