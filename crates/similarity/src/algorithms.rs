//! Algorithms that distances and kernels rest on: pure functions over numbers, without names or
//! columns.
//!
//! They cannot fail; what they expect of their input is said where they are declared and checked by
//! whoever binds a measure to data. Those that need working memory keep it in a value that is used
//! again.

pub mod alignment;
pub mod assignment;
pub mod cover;
pub mod edit;
pub(crate) mod elastic;
pub mod graph;
pub mod graph_edit;
pub mod histogram;
pub mod matching;
pub mod scaled;
pub mod spectrum;
pub mod subsequence;
pub mod subtree;
pub(crate) mod sum;
pub mod term;
pub mod tree_edit;
pub mod walk;
pub mod warping;
