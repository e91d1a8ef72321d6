//! The algorithms behind the measures: pure functions on slices that cannot fail, prepared where one value meets many.

pub mod alignment;
pub mod edit;
pub mod scaled;
pub mod spectrum;
pub mod subsequence;
pub mod subtree;
pub mod tree_edit;
