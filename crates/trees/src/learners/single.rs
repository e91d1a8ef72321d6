//! The learner `tree`: a tree, or by beam search a set of trees.

use std::collections::BTreeMap;

use kinwood_similarity::Expression;

use super::choices::{Attraction, Criterion, FirstTree, MissingBranch, Threshold};
use super::grading::{Grading, TargetWeights};
use super::linked::unused;
use super::parameters::*;
use super::structured::{CORRECTED, LABELS, STOP_WORDS, STRUCTURED, Structured};
use super::{
    Planned, check_limits, check_number, constraint, follows_links, links_followed, load, looks,
    prototypes, written,
};
use crate::tree::SearchMethod;
use crate::tree::amounts::{amounts, check_amounts};
use crate::tree::constraint::Constraint;
use crate::tree::fit::Plan;
use crate::tree::grow::beam::BeamSearch;
use crate::tree::model::{Along, Combine};
use crate::tree::pruning::{Pruning, PruningMethod};
use crate::tree::response::PREDICTED;
use crate::tree::tree_search::SearchPlan;
use kinwood_learning::context::Context;
use kinwood_learning::entry::Entry;
use kinwood_learning::error::Result;
use kinwood_learning::model::{Learner, Model};
use kinwood_learning::rows::follows;
use kinwood_learning::settings::Settings;
use kinwood_learning::task::Task;

/// The registry's entry.
pub const TREE: Entry = Entry {
    name: "tree",
    summary: "Grows a tree, or by beam search a set of trees, for classes, numbers, labels, or several targets at once.",
    reference: "Kocev, Struyf and Dzeroski, Beam search induction and similarity constraints for predictive clustering trees, KDID 2006; Blockeel, De Raedt and Ramon, Top-down induction of clustering trees, ICML 1998",
    targets: PREDICTED,
    several_targets: true,
    follows_keys: |settings| follows(settings, "keys") || follows_links(settings),
    flat: true,
    parameters: &[
        SEARCH_OR_ALL,
        PRESET,
        HEURISTIC,
        LEAF,
        SIZE,
        DEPTH,
        CONSTRAINTS,
        COSTS,
        PRUNING,
        CONFIDENCE,
        ONE_SE,
        SMOOTHING,
        SUBSETS,
        THRESHOLD,
        MISSING,
        FOLLOW,
        DISTANCE,
        KEYS,
        PROTOTYPES,
        ATTRACTION,
        STRUCTURED,
        LABELS,
        STOP_WORDS,
        CORRECTED,
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
    build: |settings| Ok(Box::new(TreeLearner::read(settings)?)),
    load,
};

/// A tree, or by beam search a set of trees, for classes, numbers, labels, or several targets at
/// once.
///
/// ```
/// use kinwood_learning::{Context, Learner, Task, testing::{CLASS, mixed_view}};
/// use kinwood_trees::{PruningMethod, TreeLearner};
///
/// let view = mixed_view(60);
/// let pruning = PruningMethod::None;
/// let tree = TreeLearner { depth: Some(1), pruning, ..TreeLearner::default() };
/// let model = tree.fit(&Task::new(&view, &[CLASS])?, &Context::new())?;
/// assert_eq!(model.drawing().map(|drawing| drawing.trees[0].nodes.len()), Some(3));
/// # Ok::<(), kinwood_learning::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct TreeLearner {
    /// How trees are sought: node by node by default.
    pub search: SearchMethod,
    /// What makes a test good; by default the gain in information for a class, else the fall of the
    /// variance.
    pub heuristic: Option<Criterion>,
    /// The least number of examples in a leaf, from 0.000001: 2 by default.
    pub leaf: f64,
    /// The most nodes of a tree, leaves included; greedy trees are pruned to it.
    pub size: Option<usize>,
    /// The most tests from the root to a leaf.
    pub depth: Option<usize>,
    /// What every tree must keep to besides.
    pub constraints: Option<Constraint>,
    /// What a test on a column costs, by name; 1 for the others.
    pub costs: BTreeMap<String, f64>,
    /// How trees are cut back.
    pub pruning: PruningMethod,
    /// The confidence of c45 pruning, the smaller, the more is pruned: 0.25 by default.
    pub confidence: f64,
    /// Whether cost-complexity pruning takes the smallest tree within one standard error of the
    /// best.
    pub one_se: bool,
    /// For numbers, what a node predicts is mixed with what the node above it predicts, which
    /// counts as much as so many examples: 0 by default.
    pub smoothing: f64,
    /// Whether labels are divided by subsets (the default), or by one label against the others.
    pub subsets: bool,
    /// Where a threshold lies: midway by default.
    pub threshold: Threshold,
    /// Where a row goes whose value a test needs and does not have: into every branch by default.
    pub missing: MissingBranch,
    /// On a database, the most foreign keys that one test follows to linked rows, up to 4: 2 by
    /// default, unless rows are compared over [`keys`](Self::keys).
    pub follow: usize,
    /// How far values are apart, of which each column's part is taken: `mean` by default.
    pub distance: Expression,
    /// How many foreign keys away rows are compared, up to 8: 0 by default.
    pub keys: usize,
    /// The most prototypes of a test, from 2 (the default); `None` for as many as there are
    /// classes.
    pub prototypes: Option<usize>,
    /// Which prototype attracts a value: the nearest by default.
    pub attraction: Attraction,
    /// How structured columns are tested.
    pub structured: Structured,
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

impl Default for TreeLearner {
    fn default() -> Self {
        Self::read(&TREE.defaults()).expect("the defaults are settings")
    }
}

impl TreeLearner {
    /// As the settings of the registry's entry have it.
    pub fn read(settings: &Settings) -> Result<Self> {
        Ok(Self {
            search: SearchMethod::read(settings),
            heuristic: Criterion::named(settings.text("heuristic")),
            leaf: settings.real("leaf"),
            size: settings.number("size"),
            depth: settings.number("depth"),
            constraints: written(settings)?,
            pruning: settings.word("pruning", PruningMethod::named),
            confidence: settings.real("confidence"),
            one_se: settings.flag("one_se"),
            smoothing: settings.real("smoothing"),
            subsets: settings.flag("subsets"),
            threshold: settings.word("threshold", Threshold::named),
            missing: settings.word("missing", MissingBranch::named),
            follow: settings.whole("follow"),
            distance: settings.text("distance").parse()?,
            keys: settings.whole("keys"),
            prototypes: settings.number("prototypes"),
            attraction: settings.word("attraction", Attraction::named),
            structured: Structured::read(settings),
            beam: BeamSearch::read(settings),
            first: settings.word("first", FirstTree::named),
            combine: settings.word("combine", Combine::named),
            class_weights: amounts(settings, "class_weights")?,
            target_weights: TargetWeights::read(settings)?,
            hierarchy_weight: settings.real("hierarchy_weight"),
            costs: amounts(settings, "costs")?,
        })
    }

    /// The choices of the beam-search paper: thresholds are values of the data, structured columns
    /// are tested by prototypes alone, and the tree of a beam that errs least in training answers.
    pub fn paper() -> Self {
        Self {
            threshold: Threshold::Value,
            first: FirstTree::Error,
            structured: Structured::paper(),
            ..Self::default()
        }
    }

    fn check(&self) -> Result<()> {
        TREE.check("search", self.search)?;
        TREE.check("leaf", self.leaf)?;
        TREE.check("confidence", self.confidence)?;
        TREE.check("smoothing", self.smoothing)?;
        TREE.check("follow", self.follow)?;
        TREE.check("keys", self.keys)?;
        TREE.check("hierarchy_weight", self.hierarchy_weight)?;
        check_number(&TREE, "prototypes", self.prototypes)?;
        check_limits(&TREE, self.size, self.depth, self.constraints.as_ref())?;
        self.structured.check(&TREE)?;
        self.beam.check(&TREE)?;
        check_amounts("class_weights", &self.class_weights)?;
        self.target_weights.check()?;
        check_amounts("costs", &self.costs)
    }

    fn planned(&self) -> Planned {
        Planned {
            entry: &TREE,
            unused: unused(self.subsets, self.threshold, self.missing),
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
                subsets: self.subsets,
                middle: self.threshold == Threshold::Middle,
                looks: looks(&self.distance, self.keys, false, &self.structured),
                prototypes: prototypes(self.prototypes, self.attraction),
                together: self.missing == MissingBranch::Largest,
                always: false,
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

impl Learner for TreeLearner {
    fn fit(&self, task: &Task, context: &Context) -> Result<Box<dyn Model>> {
        self.check()?;
        let follow = links_followed(self.follow, self.keys, &self.distance);
        self.planned().fit(&self.costs, follow, task, context)
    }
}
