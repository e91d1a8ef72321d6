//! Trees: grown top down, best first or by beam search, under constraints, for any kind of target.
//!
//! A tree learner is a few small things. A [`Test`] divides rows; a summary of the responses says
//! how spread a set of rows is; proposers find the best test of an attribute; a grower decides
//! which node is split next; limits say how much may grow; pruning is a function afterwards. The
//! tree itself knows none of them.

pub(crate) mod amounts;
pub mod attributes;
mod block;
pub mod code;
pub mod columns;
pub mod constraint;
pub(crate) mod deviation;
pub mod division;
pub(crate) mod fit;
pub(crate) mod flat_forest;
pub(crate) mod forest;
pub mod grow;
pub(crate) mod hash;
pub mod heuristic;
pub(crate) mod identifiers;
pub mod kin;
#[cfg(test)]
mod kin_tests;
pub mod language;
mod list_cache;
pub mod model;
#[cfg(test)]
mod naive_dbdt;
mod pools;
mod prescribed;
pub mod presort;
pub mod propose;
pub mod prune;
pub mod pruning;
pub mod region;
mod required;
pub(crate) mod respond;
pub mod response;
pub mod search;
pub mod structure;
pub mod terms;
pub mod test;
#[cfg(test)]
mod tests;
pub(crate) mod text;
pub(crate) mod training;
pub(crate) mod tree_search;
mod trim;
pub(crate) mod watch;

pub(crate) use amounts::{amounts, check_amounts};
pub use forest::Sample;
pub use grow::beam::BeamSearch;
pub use grow::unlike::Compared;
pub use model::{Along, Combine, Member, Report, TargetKind, TargetOf};
pub use pruning::PruningMethod;
pub use response::{Answer, Answers};
pub use search::SearchMethod;
pub use structure::{Node, Split, Tree};
pub use terms::TreeModel;
pub use test::Test;

/// The tree that is learned from flat rows: tests on columns, answers for each target in every
/// node.
pub type FlatTree = Tree<Test, Answers>;
