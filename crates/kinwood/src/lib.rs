//! Learning from data that is not a flat table: structured values, bags, databases, logical facts.
//!
//! Data is read ([`open()`], [`memory::gather`]) and its columns get roles ([`Data`]); what is to
//! be predicted makes it a [`Problem`]; a learner of the [registry](learners::Registry) is
//! [evaluated](mod@evaluate) on it, or fitted to it. What comes out, [`Trained`], predicts,
//! explains itself, is drawn ([`picture`], [`report`]) and is kept in a file. All of it in a few
//! lines, on a built-in database of molecules, their atoms and bonds:
//!
//! ```no_run
#![doc = include_str!("../tests/all/front_page.rs")]
//! ```
//!
//! `examples/` has five jobs as programs of their own: a flat table, a database, a structured
//! column, a distance of one's own and a learner of one's own. `cargo run --example database` runs
//! one.
//!
//! This crate is a front: it has no code of its own besides the [`catalogue`]. Each module is of
//! the crate that it comes from: `kinwood-workbench` (data, models, evaluation), `kinwood-pages`
//! (all that is looked at) or `kinwood-studies` (comparisons, tuning, published tables).
//!
//! Features, all on by default: `arrow` (Parquet and Arrow files), `sqlite`, `postgres`. Without
//! them such data is refused with an error that says so.

pub use kinwood_container as container;
pub use kinwood_evaluation as evaluation;
pub use kinwood_formats as formats;
pub use kinwood_learners as learners;
pub use kinwood_similarity as similarity;
pub use kinwood_text as text;
pub use kinwood_values as values;

pub mod catalogue;
pub mod prelude;

pub use kinwood_pages::{
    Drawing, Style, critical_difference, curves, dendrogram, describe, diagram, importance,
    map_page, page, picture, sheet,
};
#[cfg(feature = "sqlite")]
pub use kinwood_queries as queries;
pub use kinwood_studies::{compare, over_time, reproduce, results, tune};
pub use kinwood_workbench::{
    Choices, Data, Error, Opening, Origin, Picked, Problem, Provenance, Purpose, Report, Result,
    Trained,
};
pub use kinwood_workbench::{
    clus, clusters, components, data, evaluate, fingerprint, held_out, matrix_file, members,
    memory, naming, objects, output, sample, tasks, time, trained,
};
pub use kinwood_workbench::{convert, flatten, open};

/// Reports of models and of results folders, as one page each.
pub mod report {
    pub use kinwood_pages::report::*;
    pub use kinwood_studies::of_results;
}

/// The Rust in the README compiles.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
pub struct Readme;
