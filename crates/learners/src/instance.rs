//! Instance-based learners: the stored rows are the model.

mod ballot;
pub mod citation;
pub(crate) mod examples;
pub mod knn;
pub mod kstar;
mod search;

use crate::settings::{Allowed, Parameter};
use examples::DEEPEST;

/// The setting of how many foreign keys away rows are compared.
pub(crate) const DEPTH: Parameter = Parameter {
    name: "depth",
    doc: "How many foreign keys away rows are compared: 0 for the row alone.",
    allowed: Allowed::Whole {
        least: 0,
        most: DEEPEST as u64,
    },
    default: "1",
};

/// The setting of how far rows are apart.
pub(crate) const DISTANCE: Parameter = Parameter {
    name: "distance",
    doc: "How far rows are apart: an expression over their columns (see `kinwood distances`); a name alone joins the default distance of every column.",
    allowed: Allowed::Text,
    default: "euclidean",
};
