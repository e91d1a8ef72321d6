//! How relational trees are cut back.

use crate::tree::prune::PruningEntry;

/// How trees are cut back.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MirtPruning {
    /// Not at all, but to a size that is asked for.
    None,
    /// By pessimistic errors of classes.
    C45,
    /// By M5's adjusted error of constants.
    M5,
    /// By a third of the objects, held out.
    ReducedError,
    /// As far as five folds find best, or with `one_se` as far as is within one standard error of
    /// that.
    CostComplexity {
        /// Whether the smallest such tree is taken.
        one_se: bool,
    },
    /// By what models err on objects left out.
    Models,
    /// As a method says that the program has added, by what the constants of the nodes answer.
    Own(PruningEntry),
}

impl MirtPruning {
    /// The names in settings, in the order they are explained.
    pub const NAMES: &'static [&'static str] = &[
        "none",
        "c45",
        "m5",
        "models",
        "reduced_error",
        "cost_complexity",
    ];

    /// The one of that name; `one_se` is for cost-complexity pruning.
    pub fn named(name: &str, one_se: bool) -> Option<Self> {
        match name {
            "none" => Some(Self::None),
            "c45" => Some(Self::C45),
            "m5" => Some(Self::M5),
            "models" => Some(Self::Models),
            "reduced_error" => Some(Self::ReducedError),
            "cost_complexity" => Some(Self::CostComplexity { one_se }),
            _ => PruningEntry::find(name).map(Self::Own),
        }
    }

    /// The name in settings.
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::C45 => "c45",
            Self::M5 => "m5",
            Self::Models => "models",
            Self::ReducedError => "reduced_error",
            Self::CostComplexity { .. } => "cost_complexity",
            Self::Own(entry) => entry.name,
        }
    }
}
