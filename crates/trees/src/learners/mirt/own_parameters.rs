//! The settings of `mirt` that other tree learners do not have, or have otherwise.

use super::settings::{LeafModel, Spread};
use crate::tree::PruningMethod;
use crate::tree::prune::PruningEntry;
use kinwood_learning::settings::{Allowed, Parameter, Preset};
use kinwood_values::parameter::AddedWords;

/// A setting that is `true` or `false`.
pub const fn flag(name: &'static str, doc: &'static str, default: &'static str) -> Parameter {
    Parameter {
        name,
        doc,
        allowed: Allowed::Flag,
        default,
    }
}

/// The setting `preset`.
pub const PRESET: Parameter = Parameter {
    name: "preset",
    doc: "`paper` is MIRT as published, with structured columns tested by prototypes alone and gains as they are; `best` takes what was found to predict better: further tests, ridge leaves over aggregates, smoothing, pruning.",
    allowed: Allowed::Preset(&[
        Preset {
            name: "none",
            settings: &[],
        },
        Preset {
            name: "paper",
            settings: &[("structured", "prototypes"), ("corrected", "false")],
        },
        Preset {
            name: "best",
            settings: &[
                ("at_least", "true"),
                ("counts", "true"),
                ("aggregates", "true"),
                ("leaf_model", "linear"),
                ("leaf_labels", "true"),
                ("leaf_aggregates", "true"),
                ("around", "2"),
                ("clip", "true"),
                ("pruning", "models"),
                ("smoothing", "15"),
            ],
        },
    ]),
    default: "none",
};

/// The setting `keys`.
pub const KEYS: Parameter = Parameter {
    name: "keys",
    doc: "The most foreign keys that one test follows.",
    allowed: Allowed::Whole { least: 0, most: 4 },
    default: "2",
};

/// The setting `prototypes`.
pub const PROTOTYPES: Parameter = Parameter {
    name: "prototypes",
    doc: "How many prototypes of a structured column tests may ask to be near of; with 0 only what values contain is tested.",
    allowed: Allowed::Whole { least: 0, most: 64 },
    default: "8",
};

/// The setting `distance`.
pub const DISTANCE: Parameter = Parameter {
    name: "distance",
    doc: "How far structured values are apart, where the schema does not say: an expression (see the catalogue of distances).",
    allowed: Allowed::Text,
    default: "default",
};

/// The setting `heuristic`.
pub const HEURISTIC: Parameter = Parameter {
    name: "heuristic",
    doc: "What tests are compared by: the weighted mean of the standard deviations of the two sides, or of the variances.",
    allowed: Allowed::Choice(Spread::NAMES),
    default: "deviation",
};

/// The setting `objects`.
pub const OBJECTS: Parameter = Parameter {
    name: "objects",
    doc: "Only nodes with more objects than this are divided; sqrt is the root of the number of training objects.",
    allowed: Allowed::WholeOr {
        least: 0,
        words: &["sqrt"],
    },
    default: "sqrt",
};

/// The setting `determined`.
pub const DETERMINED: Parameter = Parameter {
    name: "determined",
    doc: "Only nodes whose coefficient of determination is not above this are divided.",
    allowed: Allowed::Real {
        least: 0.0,
        most: 1.0,
    },
    default: "0.8",
};

/// The setting `leaf`.
pub const LEAF: Parameter = Parameter {
    name: "leaf",
    doc: "The least weight of the objects in a leaf.",
    allowed: Allowed::Real {
        least: 1e-6,
        most: f64::MAX,
    },
    default: "1",
};

/// The setting `leaf_model`.
pub const LEAF_MODEL: Parameter = Parameter {
    name: "leaf_model",
    doc: "How leaves answer for numbers: by stepwise regression over primary instances (em), ridge regression over aggregates (linear), the mean (constant), or regressions between the tests (smoti).",
    allowed: Allowed::Choice(LeafModel::NAMES),
    default: "em",
};

/// The setting `restarts`.
pub const RESTARTS: Parameter = Parameter {
    name: "restarts",
    doc: "How many random choices of primary instances are started from.",
    allowed: Allowed::Whole {
        least: 1,
        most: 10_000,
    },
    default: "5",
};

/// The setting `significance`.
pub const SIGNIFICANCE: Parameter = Parameter {
    name: "significance",
    doc: "The level of the F-test by which a variable enters a leaf; 1 lets all enter.",
    allowed: Allowed::Real {
        least: 0.0,
        most: 1.0,
    },
    default: "0.05",
};

/// The setting `around`.
pub const AROUND: Parameter = Parameter {
    name: "around",
    doc: "How many keys away from the object linear leaves make aggregates over, whatever the path.",
    allowed: Allowed::Whole { least: 0, most: 4 },
    default: "0",
};

/// The setting `smoothing`.
pub const SMOOTHING: Parameter = Parameter {
    name: "smoothing",
    doc: "What a node says is mixed with what the one above says, which counts as much as so many objects; 0 for none.",
    allowed: Allowed::Real {
        least: 0.0,
        most: f64::MAX,
    },
    default: "0",
};

/// The setting `pruning`.
pub const PRUNING: Parameter = Parameter {
    name: "pruning",
    doc: "How trees are cut back: not at all, by c45 for classes, by m5, to a size alone (size), by what the models of nodes err on objects left out (models), by a third of the objects (reduced_error), by five folds (cost_complexity), or by c45 for classes and m5 for the rest unless a size is given (auto).",
    allowed: Allowed::ChoiceOrAdded {
        words: PruningMethod::NAMES,
        added: AddedWords(PruningEntry::names),
    },
    default: "none",
};

/// The setting `constraints`.
pub const CONSTRAINTS: Parameter = Parameter {
    doc: "What trees must keep to, as `size <= 11 and uses(bond) and not uses(atom.charge)`.",
    ..crate::learners::parameters::CONSTRAINTS
};

/// The setting `bindings`.
pub const BINDINGS: Parameter = Parameter {
    name: "bindings",
    doc: "The most linked rows that a key followed from all objects of a node may make; a key that makes more is not tried there. auto is 20 times the rows of the database, at least a million; a memory limit lowers it.",
    allowed: Allowed::WholeOr {
        least: 1,
        words: &["auto"],
    },
    default: "auto",
};
