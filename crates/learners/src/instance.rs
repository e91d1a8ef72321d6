//! Instance-based learners: the stored rows are the model.

mod ballot;
pub mod citation;
mod examples;
pub mod knn;
pub mod kstar;
mod search;
