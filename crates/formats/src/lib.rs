//! How data arrives: ARFF, CSV, JSON, Prolog facts, folders of tables, SQL databases.

pub mod arff;
mod assemble;
pub mod csv;
pub mod dataset;
mod error;
pub mod folder;
pub mod json;
mod magic;
pub mod prolog;
pub mod read;
pub mod schema;
pub mod source;
#[cfg(any(feature = "sqlite", feature = "postgres"))]
pub mod sql;

pub use dataset::{Dataset, Origin, TableRead};
pub use error::{Error, Result};
pub use read::{ReadOptions, read};
pub use schema::Schema;
pub use source::Source;
