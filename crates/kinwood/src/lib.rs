//! Learning from data that is not a flat table: structured values, bags, databases, logical facts.
//!
//! This crate brings the others together: reading data and giving columns their roles ([`Data`]), fitting and
//! keeping models ([`Trained`]), evaluating learners, and running studies.

pub use kinwood_container as container;
pub use kinwood_evaluation as evaluation;
pub use kinwood_formats as formats;
pub use kinwood_learners as learners;
pub use kinwood_similarity as similarity;
pub use kinwood_values as values;

#[cfg(test)]
mod browsing;
pub mod catalogue;
pub mod clus;
pub mod clusters;
mod columns;
pub mod compare;
pub mod components;
pub mod convert;
pub mod critical_difference;
pub mod curves;
pub mod data;
pub mod dendrogram;
pub mod describe;
pub mod diagram;
mod error;
pub mod evaluate;
pub mod fingerprint;
pub mod importance;
pub mod map_page;
pub mod matrix_file;
pub mod memory;
pub mod naming;
pub mod objects;
pub mod open;
pub mod output;
pub mod page;
pub mod picture;
mod plot;
pub mod report;
pub mod reproduce;
pub mod results;
pub mod sample;
pub mod sheet;
pub mod trained;
pub mod tune;

pub use convert::convert;
pub use data::{Choices, Data, Problem};
pub use error::{Error, Result};
pub use evaluate::Report;
pub use open::{Opening, open};
pub use trained::{Origin, Provenance, Trained};
