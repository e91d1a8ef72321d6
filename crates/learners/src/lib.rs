//! What can be learned: the [`Registry`] of all learners, and everything they are made of under one name.
//!
//! A learner is chosen by name, reads its settings from text, and fits a [`Task`] (a view with hidden targets) to
//! a [`Model`]. The crates behind are `learning` (what a learner is), `instances`, `trees` and `kernels`.
#![forbid(unsafe_code)]

mod registry;

pub use kinwood_instances as instances;
pub use kinwood_kernels as kernels;
pub use kinwood_learning as learning;
pub use kinwood_learning::{
    Allowed, Comparison, Context, Entry, Error, Explanation, Generator, Learner, Model, ModelFacts,
    Output, Parameter, Predictions, Preset, Progress, Result, Settings, Step, StopReason, Target,
    TargetPrediction, Targets, Task, Term, context, drawing, entry, explanation, facts, flatten,
    labels, model, predictions, random, settings, sql, task,
};
pub use kinwood_trees as trees;
pub use kinwood_trees::{m5, mirt, tree};
pub use registry::Registry;

/// Rules that every learner keeps, and rows and trees to try them on.
pub mod testing {
    pub use kinwood_learning::testing::*;
    pub use kinwood_trees::testing::*;
}
