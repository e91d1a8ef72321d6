//! What nearly every program needs: `use kinwood::prelude::*;`.
//!
//! [`Registry`] is that of learners; that of distances and kernels is
//! [`crate::similarity::Registry`].

pub use kinwood_evaluation::measures::Measure;
pub use kinwood_learners::{Context, Learner, Model, Predictions, Registry, Task};
pub use kinwood_similarity::{Distance, Expression, Laws};
pub use kinwood_values::{Attribute, Column, Database, Role, Table, Type, Value, View};
pub use kinwood_workbench::evaluate::{Division, evaluate};
pub use kinwood_workbench::memory::{Tables, gather};
pub use kinwood_workbench::{
    Choices, Data, Error, Opening, Origin, Problem, Purpose, Result, Trained, open, sample,
};
