//! The Python package: estimators, structured data and distances over the library.
//!
//! Here is what Python cannot do itself: values and columns ([`cells`], [`column`], [`arrow`]),
//! work without the interpreter's lock ([`work`]), models and matrices. Estimators, frames and
//! pictures are Python, in `python/kinwood`.

mod arrow;
mod bag;
mod cells;
mod column;
mod data;
mod drawing;
mod error;
mod foreign;
mod measures;
mod model;
mod precomputed;
mod quality;
mod queries;
mod remedy;
mod structures;
mod threads;
mod work;

use pyo3::prelude::*;

/// What the package `kinwood` is made of; use that.
#[pymodule]
mod _kinwood {
    use kinwood::catalogue;
    use pyo3::prelude::*;
    use serde_json::Value;

    #[pymodule_export]
    use crate::column::Column;
    #[pymodule_export]
    use crate::data::Data;
    #[pymodule_export]
    use crate::foreign::register_distance;
    #[pymodule_export]
    use crate::measures::{laws, map, measure, medoids, names_kernel, pairwise};
    #[pymodule_export]
    use crate::model::{Model, fit};
    #[pymodule_export]
    use crate::quality::{quality_measures, register_measure, score_classes, score_numbers};
    #[pymodule_export]
    use crate::queries::Queries;
    #[pymodule_export]
    use crate::structures::{Bag, Graph, Moment, Term, Tree};
    #[pymodule_export]
    use crate::work::Work;

    /// The learners and their settings, as JSON.
    #[pyfunction]
    fn learners() -> String {
        let registry = kinwood::learners::Registry::new();
        let all: Vec<Value> = registry.entries().iter().map(catalogue::learner).collect();
        Value::from(all).to_string()
    }

    /// The distances and kernels, as JSON.
    #[pyfunction]
    fn measures() -> String {
        let known = kinwood::similarity::Registry::known();
        let all: Vec<Value> = known.entries().map(catalogue::measure).collect();
        Value::from(all).to_string()
    }

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        crate::precomputed::register()?;
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
