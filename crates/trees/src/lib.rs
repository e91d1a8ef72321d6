//! Learners whose model is trees.
//!
//! [`tree`] has the trees over columns, split by attributes or by prototypes, and their forests;
//! [`m5`] trees with linear formulas in their leaves; [`mirt`] trees over the foreign keys of a
//! database.
#![forbid(unsafe_code)]

pub mod error;
pub mod m5;
pub mod mirt;
pub mod testing;
pub mod tree;

pub use error::TreeError;
pub use m5::M5;
pub use mirt::{LeafModel, Mirt, MirtPruning, Spread};
pub use tree::{
    Attraction, BeamSearch, Boundary, Combine, Compared, Criterion, Dbdt, FirstTree, Forest,
    ForestTests, MissingBranch, NodeInputs, PruningMethod, Sample, SearchMethod, TargetWeights,
    Threshold, TreeLearner,
};
