//! What can be learned: the [`Registry`] of all learners, and everything they are made of under one
//! name.
//!
//! A learner is a struct with its settings, such as [`Knn`], [`TreeLearner`] or [`Svm`], or is
//! chosen by name and reads them from text; it fits a [`Task`] (a view with hidden targets) to a
//! [`Model`]. The crates behind are `learning` (what a learner is), `instances`, `trees`,
//! `boosting` and `kernels`.
#![forbid(unsafe_code)]

pub mod auto;
mod builtin;
mod complete;
mod registry;

pub use auto::{Answer, Auto};
pub use kinwood_boosting as boosting;
pub use kinwood_boosting::{Boost, BoostClassWeights, BoostCombine, Loss, Stopping};
pub use kinwood_instances as instances;
pub use kinwood_instances::{
    Centres, CitationKnn, InstanceFilter, KStar, Knn, Lacking, Majority, Mean, NeighbourWeights,
    OneR,
};
pub use kinwood_kernels as kernels;
pub use kinwood_kernels::{
    BagForm, ClassWeights, Correction, Gamma, MiSvm, Ridge, Svm, SvmForm, Svr, SvrForm, Tune,
};
pub use kinwood_learning as learning;
pub use kinwood_learning::adjust::{Adjust, Calibration};
pub use kinwood_learning::flatten::Flatten;
pub use kinwood_learning::ranges::{Ranges, RangesOf};
pub use kinwood_learning::{
    Allowed, Comparison, Context, Entry, Error, Explanation, Generator, Kind, KindEntry, Learner,
    Model, ModelFacts, Output, Parameter, Predictions, Preset, Progress, Result, Settings, Step,
    StopReason, Target, TargetKind, TargetPrediction, Targets, Task, Term, TrainingScore,
    TreeFacts, adjust, context, drawing, entry, explanation, facts, flatten, inner, labels, model,
    predictions, random, settings, sql, target, task,
};
pub use kinwood_trees as trees;
pub use kinwood_trees::{
    Attraction, BeamSearch, Boundary, Combine, Compared, Criterion, Dbdt, FirstTree, Forest,
    ForestTests, LeafModel, M5, Mirt, MissingBranch, NodeInputs, PruningMethod, Sample,
    SearchMethod, Spread, TargetWeights, Threshold, TreeLearner, m5, mirt, tree,
};
pub use registry::Registry;

/// Rules that every learner keeps, and rows and trees to try them on.
pub mod testing {
    pub use kinwood_learning::testing::*;
    pub use kinwood_trees::testing::*;
}
