//! Learners whose model is trees.
//!
//! [`tree`] has the trees over columns, split by attributes or by prototypes, and their forests;
//! [`m5`] trees with linear formulas in their leaves; [`mirt`] trees over the foreign keys of a
//! database. Both ask what structured values contain by [`contents`].
#![forbid(unsafe_code)]

pub mod contents;
pub mod error;
mod learners;
pub mod m5;
pub mod mirt;
pub mod testing;
pub mod tree;

pub use error::TreeError;
pub use learners::choices::{
    Attraction, Boundary, Criterion, FirstTree, MissingBranch, NodeInputs, Threshold,
};
pub use learners::{
    DBDT, Dbdt, FOREST, Forest, ForestTests, LeafModel, MIRT, Mirt, Spread, Structured,
    StructuredKind, TREE, TargetWeights, TreeLearner,
};
pub use m5::M5;
pub use tree::{BeamSearch, Combine, Compared, PruningMethod, Sample, SearchMethod};
