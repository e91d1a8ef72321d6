//! The settings of `mirt` as a value.

use std::collections::BTreeMap;

use kinwood_similarity::Expression;

use super::MIRT;
use crate::learners::{Structured, check_limits, check_number, written};
use crate::tree::constraint::Constraint;
use crate::tree::{BeamSearch, Combine, PruningMethod, SearchMethod, amounts, check_amounts};
use kinwood_learning::error::Result;
use kinwood_learning::named;
use kinwood_learning::settings::Settings;

/// What tests are compared by: the weighted mean over the two sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spread {
    /// Of the standard deviations.
    Deviation,
    /// Of the variances.
    Variance,
}

named!(Spread { Deviation => "deviation", Variance => "variance" });

/// How leaves answer for numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeafModel {
    /// By stepwise regression over primary instances.
    Em,
    /// By ridge regression over aggregates.
    Linear,
    /// By the mean.
    Constant,
    /// By regressions between the tests; for one number and greedy search only.
    Smoti,
}

named!(LeafModel {
    Em => "em",
    Linear => "linear",
    Constant => "constant",
    Smoti => "smoti",
});

/// A tree over the foreign keys of a database, with linear leaves for numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Mirt {
    /// How trees are sought: node by node by default.
    pub search: SearchMethod,
    /// The most foreign keys that one test follows, up to 4: 2 by default.
    pub keys: usize,
    /// Whether a test may follow keys and put a condition on what they lead to: it may by default.
    pub combined: bool,
    /// Whether X >= a is tried besides X <= a.
    pub at_least: bool,
    /// Whether linked rows are counted.
    pub counts: bool,
    /// Whether conditions on all linked rows are tried.
    pub every: bool,
    /// Whether the mean, the least and the greatest value of linked rows are tested.
    pub aggregates: bool,
    /// How many prototypes of a structured column tests may ask to be near of, up to 64: 8 by
    /// default.
    pub prototypes: usize,
    /// How structured columns are tested.
    pub structured: Structured,
    /// How far structured values are apart, where the schema does not say.
    pub distance: Expression,
    /// What tests are compared by: standard deviations by default.
    pub heuristic: Spread,
    /// Only nodes with more objects than this are divided; by default the root of the number of
    /// training objects.
    pub objects: Option<usize>,
    /// Only nodes whose coefficient of determination is not above this are divided, from 0 to 1:
    /// 0.8 by default.
    pub determined: f64,
    /// The least weight of the objects in a leaf, from 0.000001: 1 by default.
    pub leaf: f64,
    /// How leaves answer for numbers: by stepwise regression over primary instances by default.
    pub leaf_model: LeafModel,
    /// How many random choices of primary instances are started from: 5 by default.
    pub restarts: usize,
    /// The level of the F-test by which a variable enters a leaf, 1 letting all enter: 0.05 by
    /// default.
    pub significance: f64,
    /// Whether labels are variables of linear leaves.
    pub leaf_labels: bool,
    /// Whether aggregates over the rows of the path are variables of linear leaves.
    pub leaf_aggregates: bool,
    /// How many keys away from the object linear leaves make aggregates over, whatever the path, up
    /// to 4: 0 by default.
    pub around: usize,
    /// What a node says is mixed with what the one above says, which counts as much as so many
    /// objects: 0 by default.
    pub smoothing: f64,
    /// Whether linear leaves say nothing beyond what they saw in training.
    pub clip: bool,
    /// How trees are cut back: by default not at all.
    pub pruning: PruningMethod,
    /// Whether cost-complexity pruning takes the smallest tree within one standard error of the
    /// best.
    pub one_se: bool,
    /// The most nodes of a tree, leaves included; greedy trees are pruned to it.
    pub size: Option<usize>,
    /// The most tests from the root to a leaf.
    pub depth: Option<usize>,
    /// What every tree must keep to besides.
    pub constraints: Option<Constraint>,
    /// What a test on a table or column costs, by name; 1 for the others.
    pub costs: BTreeMap<String, f64>,
    /// How [`SearchMethod::Beam`] searches.
    pub beam: BeamSearch,
    /// How the trees of a beam predict: as the best by default.
    pub combine: Combine,
    /// The most linked rows that a key followed from all objects of a node may make; by default 20
    /// times the rows of the database, at least a million.
    pub bindings: Option<usize>,
}

impl Default for Mirt {
    fn default() -> Self {
        Self::read(&MIRT.defaults()).expect("the defaults are settings")
    }
}

impl Mirt {
    /// As the settings of the registry's entry have it.
    pub fn read(settings: &Settings) -> Result<Self> {
        Ok(Self {
            constraints: written(settings)?,
            search: SearchMethod::read(settings),
            keys: settings.whole("keys"),
            combined: settings.flag("combined"),
            at_least: settings.flag("at_least"),
            counts: settings.flag("counts"),
            every: settings.flag("every"),
            aggregates: settings.flag("aggregates"),
            prototypes: settings.whole("prototypes"),
            structured: Structured::read(settings),
            heuristic: settings.word("heuristic", Spread::named),
            objects: settings.number("objects"),
            determined: settings.real("determined"),
            leaf: settings.real("leaf"),
            leaf_model: settings.word("leaf_model", LeafModel::named),
            restarts: settings.whole("restarts"),
            significance: settings.real("significance"),
            leaf_labels: settings.flag("leaf_labels"),
            leaf_aggregates: settings.flag("leaf_aggregates"),
            around: settings.whole("around"),
            smoothing: settings.real("smoothing"),
            clip: settings.flag("clip"),
            pruning: settings.word("pruning", PruningMethod::named),
            one_se: settings.flag("one_se"),
            size: settings.number("size"),
            depth: settings.number("depth"),
            costs: amounts(settings, "costs")?,
            distance: settings.text("distance").parse()?,
            beam: BeamSearch::read(settings),
            combine: settings.word("combine", Combine::named),
            bindings: settings.number("bindings"),
        })
    }

    /// What was found to predict better than MIRT as published: further tests, ridge leaves over
    /// aggregates, smoothing, pruning.
    pub fn best() -> Self {
        let settings = MIRT.settings(&[("preset", "best")]);
        let learner = settings.and_then(|settings| Self::read(&settings));
        learner.expect("the preset has settings")
    }

    /// MIRT as published: structured columns are tested by prototypes alone.
    pub fn paper() -> Self {
        let settings = MIRT.settings(&[("preset", "paper")]);
        let learner = settings.and_then(|settings| Self::read(&settings));
        learner.expect("the preset has settings")
    }

    /// Fails on settings that are out of range.
    pub(super) fn check(&self) -> Result<()> {
        MIRT.check("search", self.search)?;
        MIRT.check("keys", self.keys)?;
        MIRT.check("prototypes", self.prototypes)?;
        self.structured.check(&MIRT)?;
        MIRT.check("determined", self.determined)?;
        MIRT.check("leaf", self.leaf)?;
        MIRT.check("restarts", self.restarts)?;
        MIRT.check("significance", self.significance)?;
        MIRT.check("around", self.around)?;
        MIRT.check("smoothing", self.smoothing)?;
        check_number(&MIRT, "bindings", self.bindings)?;
        check_limits(&MIRT, self.size, self.depth, self.constraints.as_ref())?;
        self.beam.check(&MIRT)?;
        check_amounts("costs", &self.costs)
    }
}
