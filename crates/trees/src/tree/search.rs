//! How trees are sought.

use kinwood_learning::settings::Settings;
use serde::{Deserialize, Serialize};

/// How trees are sought. The words are those of settings and model files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SearchMethod {
    /// Not at all: the trees were made otherwise.
    #[default]
    #[serde(rename = "")]
    None,
    /// Node by node, depth first.
    Greedy,
    /// The leaf that gains most first.
    BestFirst,
    /// Several trees at once.
    Beam,
    /// Every tree up to a size.
    Exhaustive,
}

impl SearchMethod {
    /// The names in settings.
    pub const NAMES: &'static [&'static str] = &["greedy", "best_first", "beam"];
    /// The names in settings of learners that can also enumerate trees.
    pub const ALL_NAMES: &'static [&'static str] = &["greedy", "best_first", "beam", "exhaustive"];

    /// As the setting `search` has it.
    pub fn read(settings: &Settings) -> Self {
        settings.word("search", Self::named)
    }

    /// The one of that name.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "greedy" => Some(Self::Greedy),
            "best_first" => Some(Self::BestFirst),
            "beam" => Some(Self::Beam),
            "exhaustive" => Some(Self::Exhaustive),
            _ => None,
        }
    }

    /// The name.
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "",
            Self::Greedy => "greedy",
            Self::BestFirst => "best_first",
            Self::Beam => "beam",
            Self::Exhaustive => "exhaustive",
        }
    }
}

impl std::fmt::Display for SearchMethod {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(self.name())
    }
}
