//! The learner `dbdt`: a tree that is divided by prototypes throughout.

use std::collections::BTreeMap;

use kinwood_similarity::Expression;

use super::choices::{Attraction, Boundary, Criterion, FirstTree, MissingBranch};
use super::grading::{Grading, TargetWeights};
use super::parameters::*;
use super::structured::{CORRECTED, LABELS, STOP_WORDS, STRUCTURED, Structured};
use super::{Planned, check_limits, check_number, constraint, looks, prototypes, written};
use crate::tree::SearchMethod;
use crate::tree::amounts::{amounts, check_amounts};
use crate::tree::constraint::Constraint;
use crate::tree::fit::Plan;
use crate::tree::grow::beam::BeamSearch;
use crate::tree::propose::Prototypes;
use crate::tree::pruning::{Pruning, PruningMethod};
use crate::tree::response::PREDICTED;
use crate::tree::tree_search::SearchPlan;
use crate::tree::{Along, Combine, TreeModel};
use kinwood_learning::context::Context;
use kinwood_learning::entry::Entry;
use kinwood_learning::error::Result;
use kinwood_learning::model::{Learner, Model};
use kinwood_learning::rows::follows;
use kinwood_learning::settings::{Allowed, Parameter, Preset, Settings};
use kinwood_learning::target::NUMBERS;
use kinwood_learning::task::{Target, Task};

/// The registry's entry of trees that are divided by prototypes throughout.
pub const DBDT: Entry = Entry {
    name: "dbdt",
    summary: "Grows a tree whose tests ask which prototype a value is nearest to, whatever the value is, or what it contains.",
    reference: "Estruch, Ferri, Hernandez-Orallo and Ramirez-Quintana, Similarity functions for structured data: an application to decision trees, Inteligencia Artificial 10, 2006",
    targets: PREDICTED,
    several_targets: true,
    follows_keys: |settings| follows(settings, "keys"),
    flat: true,
    parameters: &[
        Parameter {
            name: "preset",
            doc: "`paper` takes the choice of the paper for every setting that is not given: structured columns are tested by prototypes alone, gains are not corrected, and trees are not cut back.",
            allowed: Allowed::Preset(&[
                Preset {
                    name: "none",
                    settings: &[],
                },
                Preset {
                    name: "paper",
                    settings: &[
                        ("structured", "prototypes"),
                        ("corrected", "false"),
                        ("pruning", "none"),
                    ],
                },
            ]),
            default: "none",
        },
        PROTOTYPES,
        DISTANCE,
        Parameter {
            default: "1",
            ..KEYS
        },
        ATTRACTION,
        BOUNDARY,
        STRUCTURED,
        LABELS,
        STOP_WORDS,
        CORRECTED,
        Parameter {
            default: "largest",
            ..MISSING
        },
        GAIN,
        SEARCH,
        Parameter {
            default: "gain_ratio",
            ..HEURISTIC
        },
        Parameter {
            allowed: Allowed::Real {
                least: 0.0,
                most: f64::MAX,
            },
            default: "0",
            ..LEAF
        },
        SIZE,
        DEPTH,
        CONSTRAINTS,
        COSTS,
        Parameter {
            doc: "How trees are cut back: auto takes c45 for classes, cost_complexity for numbers and m5 for all else; the paper does not cut back.",
            default: "auto",
            ..PRUNING
        },
        CONFIDENCE,
        ONE_SE,
        SMOOTHING,
        WIDTH,
        ALPHA,
        BETA,
        SIMILARITY,
        MARGIN,
        EPSILON,
        FIRST,
        COMBINE,
        CLASS_WEIGHTS,
        TARGET_WEIGHTS,
        HIERARCHY_WEIGHT,
    ],
    build: |settings| Ok(Box::new(Dbdt::read(settings)?)),
    load: |stored| Ok(Box::new(TreeModel::read(stored)?)),
};

/// A tree whose tests ask which prototype a value is nearest to, whatever the value is.
#[derive(Clone, Debug, PartialEq)]
pub struct Dbdt {
    /// The most prototypes of a test, from 2 (the default); `None` for as many as there are
    /// classes.
    pub prototypes: Option<usize>,
    /// How far values are apart, of which each column's part is taken: `mean` by default.
    pub distance: Expression,
    /// How many foreign keys away rows are compared, up to 8: 1 by default.
    pub keys: usize,
    /// Which prototype attracts a value: the nearest by default.
    pub attraction: Attraction,
    /// How structured columns are tested.
    pub structured: Structured,
    /// Where the boundary between two prototypes that are numbers lies: midway by default.
    pub boundary: Boundary,
    /// Where a row goes whose value a test needs and does not have: where most rows went by
    /// default.
    pub missing: MissingBranch,
    /// Whether a test must gain something; without (the default), a node is divided until it is
    /// pure or nothing divides it.
    pub gain: bool,
    /// How trees are sought: node by node by default.
    pub search: SearchMethod,
    /// What makes a test good: the gain ratio by default; `None` for the gain in information for a
    /// class, else the fall of the variance.
    pub heuristic: Option<Criterion>,
    /// The least number of examples in a leaf: 0 by default.
    pub leaf: f64,
    /// The most nodes of a tree, leaves included; greedy trees are pruned to it.
    pub size: Option<usize>,
    /// The most tests from the root to a leaf.
    pub depth: Option<usize>,
    /// What every tree must keep to besides.
    pub constraints: Option<Constraint>,
    /// What a test on a column costs, by name; 1 for the others.
    pub costs: BTreeMap<String, f64>,
    /// How trees are cut back: by default not at all.
    pub pruning: PruningMethod,
    /// The confidence of c45 pruning, the smaller, the more is pruned: 0.25 by default.
    pub confidence: f64,
    /// Whether cost-complexity pruning takes the smallest tree within one standard error of the
    /// best.
    pub one_se: bool,
    /// For numbers, what a node predicts is mixed with what the node above it predicts, which
    /// counts as much as so many examples: 0 by default.
    pub smoothing: f64,
    /// How [`SearchMethod::Beam`] searches.
    pub beam: BeamSearch,
    /// Which tree of a beam with a size comes first: that of the best score by default.
    pub first: FirstTree,
    /// How the trees of a beam predict: as the best by default.
    pub combine: Combine,
    /// How much the examples of a class count, by label; 1 for the others.
    pub class_weights: BTreeMap<String, f64>,
    /// How much each of several targets counts.
    pub target_weights: TargetWeights,
    /// In a hierarchy, what a label counts relative to the one above it, up to 1: 0.75 by default.
    pub hierarchy_weight: f64,
}

impl Default for Dbdt {
    fn default() -> Self {
        Self::read(&DBDT.defaults()).expect("the defaults are settings")
    }
}

impl Dbdt {
    /// As the settings of the registry's entry have it.
    pub fn read(settings: &Settings) -> Result<Self> {
        Ok(Self {
            constraints: written(settings)?,
            prototypes: settings.number("prototypes"),
            distance: settings.text("distance").parse()?,
            keys: settings.whole("keys"),
            attraction: settings.word("attraction", Attraction::named),
            structured: Structured::read(settings),
            boundary: settings.word("boundary", Boundary::named),
            missing: settings.word("missing", MissingBranch::named),
            gain: settings.flag("gain"),
            search: SearchMethod::read(settings),
            heuristic: Criterion::named(settings.text("heuristic")),
            leaf: settings.real("leaf"),
            size: settings.number("size"),
            depth: settings.number("depth"),
            pruning: settings.word("pruning", PruningMethod::named),
            confidence: settings.real("confidence"),
            one_se: settings.flag("one_se"),
            smoothing: settings.real("smoothing"),
            beam: BeamSearch::read(settings),
            first: settings.word("first", FirstTree::named),
            combine: settings.word("combine", Combine::named),
            class_weights: amounts(settings, "class_weights")?,
            target_weights: TargetWeights::read(settings)?,
            hierarchy_weight: settings.real("hierarchy_weight"),
            costs: amounts(settings, "costs")?,
        })
    }

    /// As in the paper: structured columns are tested by prototypes alone.
    pub fn paper() -> Self {
        Self {
            structured: Structured::paper(),
            ..Self::default()
        }
    }

    fn check(&self) -> Result<()> {
        DBDT.check("search", self.search)?;
        DBDT.check("leaf", self.leaf)?;
        DBDT.check("confidence", self.confidence)?;
        DBDT.check("smoothing", self.smoothing)?;
        DBDT.check("keys", self.keys)?;
        DBDT.check("hierarchy_weight", self.hierarchy_weight)?;
        check_number(&DBDT, "prototypes", self.prototypes)?;
        check_limits(&DBDT, self.size, self.depth, self.constraints.as_ref())?;
        self.structured.check(&DBDT)?;
        self.beam.check(&DBDT)?;
        check_amounts("class_weights", &self.class_weights)?;
        self.target_weights.check()?;
        check_amounts("costs", &self.costs)
    }

    fn planned(&self) -> Planned {
        Planned {
            entry: &DBDT,
            unused: Vec::new(),
            structured: self.structured.clone(),
            plan: Plan {
                search: SearchPlan {
                    method: self.search,
                    constraint: constraint(self.size, self.depth, self.constraints.as_ref()),
                    beam: self.beam.clone(),
                    pruning: Pruning {
                        method: self.pruning,
                        confidence: self.confidence,
                        one_se: self.one_se,
                    },
                    ranking: self.first.ranking(),
                },
                heuristic: Criterion::heuristic(self.heuristic),
                leaf: self.leaf,
                subsets: true,
                middle: true,
                looks: looks(&self.distance, self.keys, true, &self.structured),
                prototypes: Prototypes {
                    best_boundary: self.boundary == Boundary::Best,
                    ..prototypes(self.prototypes, self.attraction)
                },
                together: self.missing == MissingBranch::Largest,
                always: !self.gain,
                combine: self.combine,
                along: Along::smoothed(self.smoothing),
            },
            grading: Grading {
                impurity: self.heuristic.map(Criterion::impurity),
                class_weights: self.class_weights.clone(),
                target_weights: self.target_weights.clone(),
                hierarchy_weight: self.hierarchy_weight,
            },
        }
    }
}

impl Learner for Dbdt {
    fn fit(&self, task: &Task, context: &Context) -> Result<Box<dyn Model>> {
        self.check()?;
        let mut planned = self.planned();
        // Leaves of one number each have no error of their own to estimate another by: folds tell.
        let numbers = |target: &Target| target.kind().is_some_and(|kind| kind.is(&NUMBERS));
        if self.pruning == PruningMethod::Auto
            && self.search != SearchMethod::Beam
            && self.search != SearchMethod::Exhaustive
            && self.size.is_none()
            && self.constraints.is_none()
            && task.targets().iter().any(numbers)
        {
            planned.plan.search.pruning.method = PruningMethod::CostComplexity;
        }
        planned.fit(&self.costs, 0, task, context)
    }
}
