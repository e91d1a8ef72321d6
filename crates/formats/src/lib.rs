//! How data arrives: ARFF, CSV, folders of tables.

pub mod arff;
pub mod csv;
pub mod dataset;
mod error;
pub mod json;
mod magic;
pub mod prolog;
pub mod source;

pub use dataset::{Dataset, TableRead};
pub use error::{Error, Result};
pub use source::Source;
