//! Instance-based learners: the stored rows are the model.

pub mod knn;
pub mod kstar;
