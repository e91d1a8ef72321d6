//! What data is: types, columns, tables, foreign keys, roles, views.
pub use kinwood_container as container;
