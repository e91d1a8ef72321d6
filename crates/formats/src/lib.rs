//! How data arrives and leaves: ARFF, CSV, JSON, Parquet, Arrow, Prolog facts, SQL databases,
//! folders of tables.

pub mod allowance;
pub mod arff;
#[cfg(feature = "arrow")]
pub mod arrow;
mod builtin;
mod cells;
pub mod clus;
pub mod csv;
pub mod dataset;
#[cfg(feature = "sqlite")]
mod derive;
mod describe;
mod draft;
mod error;
pub mod folder;
pub mod format;
pub mod guard;
pub mod json;
mod magic;
pub mod prolog;
mod prolog_syntax;
pub mod read;
mod restate;
pub mod schema;
#[cfg(feature = "sqlite")]
mod select;
pub mod source;
pub mod sql;
pub mod write;

pub use allowance::{Allowance, Halted};
pub use builtin::register;
pub use dataset::{Dataset, FactsRead, Origin, TableRead};
#[cfg(feature = "sqlite")]
pub use derive::derive;
pub use draft::Draft;
pub use error::{Error, Result};
pub use format::Formats;
pub use read::{ReadOptions, read};
pub use restate::restate;
pub use schema::Schema;
#[cfg(feature = "sqlite")]
pub use select::{Found, select};
pub use source::Source;
pub use write::{WriteOptions, Written, write};
