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

pub mod catalogue;

pub use kinwood_pages::{
    critical_difference, curves, dendrogram, describe, diagram, importance, map_page, page,
    picture, sheet,
};
pub use kinwood_studies::{compare, reproduce, results, tune};
pub use kinwood_workbench::{
    Choices, Data, Error, Opening, Origin, Problem, Provenance, Report, Result, Trained,
};
pub use kinwood_workbench::{
    clus, clusters, components, data, evaluate, fingerprint, matrix_file, memory, naming, objects,
    output, sample, trained,
};
pub use kinwood_workbench::{convert, open};

/// Reports of models and of results folders, as one page each.
pub mod report {
    pub use kinwood_pages::report::*;
    pub use kinwood_studies::of_results;
}
