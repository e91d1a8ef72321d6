//! How trees are to be cut back, and where that cannot be.

use super::model::TargetOf;
use super::prune::PruningEntry;
use kinwood_learning::error::{Error, Result};

/// How trees are to be cut back.
#[derive(Clone, Debug, PartialEq)]
pub struct Pruning {
    /// By which method.
    pub method: PruningMethod,
    /// The confidence of c45: the smaller, the more is pruned.
    pub confidence: f64,
    /// Whether cost-complexity pruning takes the smallest tree within one standard error of the
    /// best.
    pub one_se: bool,
}

/// By which method trees are cut back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PruningMethod {
    /// To the size that is asked for; without one by [`PruningMethod::C45`] for classes and
    /// [`PruningMethod::M5`] for all else.
    Auto,
    /// Not at all, but to a size that is asked for.
    None,
    /// By pessimistic errors of classes.
    C45,
    /// By M5's adjusted error of constants.
    M5,
    /// To the size that is asked for alone, with the least error in training.
    Size,
    /// By rows that were held out.
    ReducedError,
    /// As far as folds find best.
    CostComplexity,
    /// By what nodes err on examples left out in turn.
    Models,
    /// As a method says that the program has added.
    Own(PruningEntry),
}

impl PruningMethod {
    /// The names in settings, in the order they are explained, without those of added methods.
    pub const NAMES: &'static [&'static str] = &[
        "auto",
        "none",
        "c45",
        "m5",
        "size",
        "reduced_error",
        "cost_complexity",
        "models",
    ];

    /// The one of that name.
    pub fn named(name: &str) -> Option<Self> {
        Some(match name {
            "auto" => Self::Auto,
            "none" => Self::None,
            "c45" => Self::C45,
            "m5" => Self::M5,
            "size" => Self::Size,
            "reduced_error" => Self::ReducedError,
            "cost_complexity" => Self::CostComplexity,
            "models" => Self::Models,
            _ => return PruningEntry::find(name).map(Self::Own),
        })
    }

    /// The name in settings.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::None => "none",
            Self::C45 => "c45",
            Self::M5 => "m5",
            Self::Size => "size",
            Self::ReducedError => "reduced_error",
            Self::CostComplexity => "cost_complexity",
            Self::Models => "models",
            Self::Own(entry) => entry.name,
        }
    }
}

impl Pruning {
    /// Whether a method is asked for, and not left to what fits.
    pub fn explicit(&self) -> bool {
        self.method != PruningMethod::Auto
    }

    /// Refuses a method that cannot be used for these targets, or on the trees of a beam.
    pub fn check(&self, targets: &[TargetOf], beam: bool) -> Result<()> {
        let refused = |expected: &str| {
            Err(Error::SettingValue {
                name: "pruning".to_owned(),
                value: self.method.name().to_owned(),
                expected: expected.to_owned(),
                nearest: None,
            })
        };
        let other = targets.iter().find(|target| !target.leaf().rates());
        match (self.method, other) {
            (PruningMethod::C45, Some(other)) => refused(&format!(
                "another method for {}, such as `m5`: c45 counts wrong classes",
                other.kind.entry().one
            )),
            (PruningMethod::ReducedError | PruningMethod::CostComplexity, _) if beam => refused(
                "`c45`, `m5` or `none` for the trees of a beam, which are grown on all rows",
            ),
            _ => Ok(()),
        }
    }
}
