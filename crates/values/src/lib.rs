//! What data is: types, columns, tables, foreign keys, roles, views.
pub use kinwood_container as container;

pub mod datetime;
pub mod graph;
pub mod json;
pub mod term;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
pub mod text;
pub mod tree;
pub mod types;
pub mod value;

pub use graph::{Edge, Graph, GraphNode};
pub use term::Term;
pub use text::ParseError;
pub use tree::Tree;
pub use types::{Field, Type};
pub use value::Value;
