//! The settings of tree learners, each written once: learners choose among them and set their own
//! defaults.

use super::choices::{Attraction, Boundary, FirstTree, MissingBranch, Threshold};
use crate::tree::SearchMethod;
use crate::tree::grow::unlike::Compared;
use crate::tree::model::Combine;
use crate::tree::prune::PruningEntry;
use crate::tree::pruning::PruningMethod;
use kinwood_learning::settings::{Allowed, Parameter, Preset};
use kinwood_values::parameter::AddedWords;

/// A whole number from 1.
pub const POSITIVE: Allowed = Allowed::Whole {
    least: 1,
    most: u64::MAX,
};
const NOT_NEGATIVE: Allowed = Allowed::Real {
    least: 0.0,
    most: f64::MAX,
};

/// The setting `search`.
pub const SEARCH: Parameter = Parameter {
    name: "search",
    doc: "How trees are sought: node by node (greedy), the most gaining leaf first (best_first), or several trees at once (beam).",
    allowed: Allowed::Choice(SearchMethod::NAMES),
    default: "greedy",
};

/// The setting `search` of learners that can also enumerate trees.
pub const SEARCH_OR_ALL: Parameter = Parameter {
    doc: "How trees are sought: node by node (greedy), the most gaining leaf first (best_first), several trees at once (beam), or not at all: every tree up to a size is made (exhaustive), of which there must not be too many.",
    allowed: Allowed::Choice(SearchMethod::ALL_NAMES),
    ..SEARCH
};

/// The setting `preset`.
pub const PRESET: Parameter = Parameter {
    name: "preset",
    doc: "`paper` takes the choices of the beam-search paper for every setting that is not given: thresholds are values of the data, structured columns are tested by prototypes alone, gains are not corrected, and the tree of a beam that errs least in training answers.",
    allowed: Allowed::Preset(&[
        Preset {
            name: "none",
            settings: &[],
        },
        Preset {
            name: "paper",
            settings: &[
                ("threshold", "value"),
                ("first", "error"),
                ("structured", "prototypes"),
                ("corrected", "false"),
            ],
        },
    ]),
    default: "none",
};

/// The setting `heuristic`.
pub const HEURISTIC: Parameter = Parameter {
    name: "heuristic",
    doc: "What makes a test good: by default the gain in information for a class, else the fall of the variance.",
    allowed: Allowed::Choice(&["auto", "gain", "gain_ratio", "gini", "variance"]),
    default: "auto",
};

/// The setting `leaf`.
pub const LEAF: Parameter = Parameter {
    name: "leaf",
    doc: "The least number of examples in a leaf; rows with weights count as rows.",
    allowed: Allowed::Real {
        least: 1e-6,
        most: f64::MAX,
    },
    default: "2",
};

/// The setting `size`.
pub const SIZE: Parameter = Parameter {
    name: "size",
    doc: "The most nodes of a tree, leaves included, or `none`; greedy trees are pruned to it.",
    allowed: Allowed::WholeOr {
        least: 1,
        words: &["none"],
    },
    default: "none",
};

/// The setting `depth`.
pub const DEPTH: Parameter = Parameter {
    name: "depth",
    doc: "The most tests from the root to a leaf, or `none`.",
    allowed: Allowed::WholeOr {
        least: 0,
        words: &["none"],
    },
    default: "none",
};

/// The setting `constraints`.
pub const CONSTRAINTS: Parameter = Parameter {
    name: "constraints",
    doc: "What every tree must keep to, such as `size <= 11 and (depth <= 4 or cost <= 2.5)`, `uses(age)`, `accuracy >= 0.9`, `like(FILE)`.",
    allowed: Allowed::Text,
    default: "",
};

/// The setting `costs`.
pub const COSTS: Parameter = Parameter {
    name: "costs",
    doc: "What a test on a column costs, as `column=2.5, ...`; 1 for the others.",
    allowed: Allowed::Text,
    default: "",
};

/// The setting `pruning`.
pub const PRUNING: Parameter = Parameter {
    name: "pruning",
    doc: "How trees are cut back: by default to the size asked for, without one by c45 for classes and m5 for all else.",
    allowed: Allowed::ChoiceOrAdded {
        words: PruningMethod::NAMES,
        added: AddedWords(PruningEntry::names),
    },
    default: "auto",
};

/// The setting `smoothing`.
pub const SMOOTHING: Parameter = Parameter {
    name: "smoothing",
    doc: "For numbers, what a node predicts is mixed with what the node above it predicts, which counts as much as so many examples; 0 lets the leaf answer alone.",
    allowed: NOT_NEGATIVE,
    default: "0",
};

/// The setting `confidence`.
pub const CONFIDENCE: Parameter = Parameter {
    name: "confidence",
    doc: "The confidence of c45 pruning: the smaller, the more is pruned.",
    allowed: Allowed::Real {
        least: 1e-6,
        most: 1.0,
    },
    default: "0.25",
};

/// The setting `one_se`.
pub const ONE_SE: Parameter = Parameter {
    name: "one_se",
    doc: "Whether cost_complexity takes the smallest tree within one standard error of the best.",
    allowed: Allowed::Flag,
    default: "false",
};

/// The setting `subsets`.
pub const SUBSETS: Parameter = Parameter {
    name: "subsets",
    doc: "Whether labels are divided by subsets, or by one label against the others.",
    allowed: Allowed::Flag,
    default: "true",
};

/// The setting `threshold`.
pub const THRESHOLD: Parameter = Parameter {
    name: "threshold",
    doc: "Whether a threshold lies midway between two values of the data or is the lower one.",
    allowed: Allowed::Choice(Threshold::NAMES),
    default: "middle",
};

/// The setting `width`.
pub const WIDTH: Parameter = Parameter {
    name: "width",
    doc: "How many trees a beam holds.",
    allowed: POSITIVE,
    default: "10",
};

/// The setting `alpha`.
pub const ALPHA: Parameter = Parameter {
    name: "alpha",
    doc: "What each node adds to the score of a tree in a beam.",
    allowed: NOT_NEGATIVE,
    default: "0.00001",
};

/// The setting `beta`.
pub const BETA: Parameter = Parameter {
    name: "beta",
    doc: "How much similarity to the other trees adds to the score of a tree in a beam; 1 in the paper, 0 leaves it out.",
    allowed: NOT_NEGATIVE,
    default: "0",
};

/// The setting `similarity`.
pub const SIMILARITY: Parameter = Parameter {
    name: "similarity",
    doc: "What makes trees similar: their predictions, or their distributions of classes, which is smoother.",
    allowed: Allowed::Choice(Compared::NAMES),
    default: "predictions",
};

/// The setting `epsilon`.
pub const EPSILON: Parameter = Parameter {
    name: "epsilon",
    doc: "Keep every tree whose error in training is at most so much above the least: with search=exhaustive of all trees there are, with search=beam of those that were in the beam, 10000 besides the last at most. The error is the share of wrong classes, of numbers relative to that of a tree of one leaf; 0 keeps the last beam, or all trees.",
    allowed: Allowed::Real {
        least: 0.0,
        most: 1.0,
    },
    default: "0",
};

/// The setting `margin`.
pub const MARGIN: Parameter = Parameter {
    name: "margin",
    doc: "By how much a tree must beat the worst of a full beam to enter.",
    allowed: NOT_NEGATIVE,
    default: "0.000001",
};

/// The setting `first`.
pub const FIRST: Parameter = Parameter {
    name: "first",
    doc: "Which tree of a beam with a size comes first: that of the best score, or the one that errs least in training.",
    allowed: Allowed::Choice(FirstTree::NAMES),
    default: "score",
};

/// The setting `combine`.
pub const COMBINE: Parameter = Parameter {
    name: "combine",
    doc: "How the trees of a beam predict: as the best, by vote, or by the average of all.",
    allowed: Allowed::Choice(Combine::NAMES),
    default: "best",
};

/// The setting `class_weights`.
pub const CLASS_WEIGHTS: Parameter = Parameter {
    name: "class_weights",
    doc: "How much the examples of a class count, as `label=3, ...`; 1 for the others.",
    allowed: Allowed::Text,
    default: "",
};

/// The setting `target_weights`.
pub const TARGET_WEIGHTS: Parameter = Parameter {
    name: "target_weights",
    doc: "How much each of several targets counts, as `target=3, ...`, 1 for the others, or as numbers in the order of the targets.",
    allowed: Allowed::Text,
    default: "",
};

/// The setting `hierarchy_weight`.
pub const HIERARCHY_WEIGHT: Parameter = Parameter {
    name: "hierarchy_weight",
    doc: "In a hierarchy, what a label counts relative to the one above it.",
    allowed: Allowed::Real {
        least: 1e-6,
        most: 1.0,
    },
    default: "0.75",
};

/// The setting `prototypes`.
pub const PROTOTYPES: Parameter = Parameter {
    name: "prototypes",
    doc: "The most prototypes of a test, one a class; `all` for as many as there are classes. A numeric target is cut into as many ranges.",
    allowed: Allowed::WholeOr {
        least: 2,
        words: &["all"],
    },
    default: "2",
};

/// The setting `attraction`.
pub const ATTRACTION: Parameter = Parameter {
    name: "attraction",
    doc: "Which prototype attracts a value: the nearest, or the nearest in units of how widely its class lies around it (density).",
    allowed: Allowed::Choice(Attraction::NAMES),
    default: "nearest",
};

/// The setting `boundary`.
pub const BOUNDARY: Parameter = Parameter {
    name: "boundary",
    doc: "Where the boundary between two prototypes that are numbers lies: midway, or where the branches are least spread (best).",
    allowed: Allowed::Choice(Boundary::NAMES),
    default: "middle",
};

/// The setting `distance`.
pub const DISTANCE: Parameter = Parameter {
    name: "distance",
    doc: "How far values are apart: an expression over the columns (see the catalogue of distances), of which each column's part is taken; a name alone takes the default distance of every column.",
    allowed: Allowed::Text,
    default: "mean",
};

/// The setting `keys`.
pub const KEYS: Parameter = Parameter {
    name: "keys",
    doc: "How many foreign keys away rows are compared: what a key leads to is one more column.",
    allowed: Allowed::Whole { least: 0, most: 8 },
    default: "0",
};

/// The setting `missing`.
pub const MISSING: Parameter = Parameter {
    name: "missing",
    doc: "Where a row goes whose value a test needs and does not have: into every branch by its share (divide), or where most rows went (largest).",
    allowed: Allowed::Choice(MissingBranch::NAMES),
    default: "divide",
};

/// The setting `follow`.
pub const FOLLOW: Parameter = Parameter {
    name: "follow",
    doc: "On a database, the most foreign keys that one test follows to linked rows; 0 looks at the columns of the target's table alone.",
    allowed: Allowed::Whole { least: 0, most: 4 },
    default: "2",
};

/// The setting `gain`.
pub const GAIN: Parameter = Parameter {
    name: "gain",
    doc: "Whether a test must gain something: without, a node is divided until it is pure or nothing divides it.",
    allowed: Allowed::Flag,
    default: "false",
};
