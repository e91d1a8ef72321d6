//! How data arrives and leaves: ARFF, CSV, JSON, Parquet, Arrow, Prolog facts, SQL databases, folders of tables.

pub mod arff;
#[cfg(feature = "arrow")]
pub mod arrow;
mod assemble;
pub mod clus;
pub mod csv;
pub mod dataset;
mod error;
pub mod folder;
pub mod guard;
pub mod json;
mod magic;
pub mod prolog;
pub mod read;
mod restate;
pub mod schema;
pub mod source;
pub mod sql;
pub mod write;

pub use dataset::{Dataset, FactsRead, Origin, TableRead};
pub use error::{Error, Result};
pub use read::{ReadOptions, read};
pub use restate::restate;
pub use schema::Schema;
pub use source::Source;
pub use write::{WriteOptions, Written, write};
