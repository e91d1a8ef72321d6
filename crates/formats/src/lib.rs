//! How data arrives: ARFF, CSV, folders of tables, SQL databases.

pub mod arff;
mod assemble;
pub mod csv;
pub mod dataset;
mod error;
pub mod folder;
mod magic;
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
