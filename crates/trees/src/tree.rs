//! Trees: grown top down, best first or by beam search, under constraints, for any kind of target.
//!
//! A tree learner is a few small things. A [`Test`] divides rows; a summary of the responses says
//! how spread a set of rows is; proposers find the best test of an attribute; a grower decides
//! which node is split next; limits say how much may grow; pruning is a function afterwards. The
//! tree itself knows none of them.

mod amounts;
mod block;
pub mod code;
pub mod columns;
pub mod constraint;
pub mod division;
mod fit;
mod forest;
pub mod grow;
pub mod kin;
#[cfg(test)]
mod kin_tests;
mod learner;
pub mod model;
#[cfg(test)]
mod naive_dbdt;
mod pools;
pub mod presort;
pub mod propose;
pub mod prune;
pub mod pruning;
pub mod region;
mod required;
mod respond;
pub mod response;
pub mod search;
pub mod structure;
pub mod test;
#[cfg(test)]
mod tests;
pub(crate) mod text;
pub(crate) mod training;
mod training_set;
mod trim;

pub(crate) use amounts::{amounts, check_amounts};
pub use forest::Sample;
pub use grow::beam::BeamSearch;
pub use grow::unlike::Compared;
pub use learner::choices::{Attraction, Boundary, Criterion, FirstTree, MissingBranch, Threshold};
pub(crate) use learner::parameters::{
    ALPHA, BETA, COMBINE, CONSTRAINTS, COSTS, DEPTH, MARGIN, ONE_SE, SEARCH, SIMILARITY, SIZE,
    WIDTH,
};
pub use learner::{
    DBDT, Dbdt, FOREST, Forest, ForestTests, NodeInputs, TREE, TargetWeights, TreeLearner,
};
pub(crate) use learner::{check_limits, check_number, constraint, written};
pub use model::{Combine, Member, Report, TargetKind, TargetOf, TreeModel};
pub use pruning::PruningMethod;
pub use response::{Answer, Answers};
pub use search::SearchMethod;
pub use structure::{Node, Split, Tree};
pub use test::Test;

/// The tree that is learned from flat rows: tests on columns, answers for each target in every
/// node.
pub type FlatTree = Tree<Test, Answers>;
