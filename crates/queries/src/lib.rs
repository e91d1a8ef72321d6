//! Models are rows: SQL over data, and over the trees, predictions and neighbours that follow from
//! it.
//!
//! A [`Connection`] is SQLite over the tables of some data, beside which stand virtual tables:
//! `trees` searches for trees as its `WHERE` demands, `nodes`, `leaves` and `leaf_rows` say what is
//! in them, `neighbours` and `clusters` compare rows, and `CREATE VIRTUAL TABLE … USING kinwood`
//! keeps a model. SQLite gives the conditions of a query to those tables before anything is
//! computed, so that the query is the constraint of the search. What cannot be a constraint is
//! filtered by SQLite afterwards.
//!
//! Statements can only read, unless the connection may write; see `guard`.
#![cfg(feature = "sqlite")]

mod answer;
mod cells;
mod completion;
mod conditions;
mod connection;
mod created;
mod error;
mod functions;
mod guard;
pub mod host;
mod kept;
mod near;
mod place;
mod plan;
mod request;
mod rewrite;
mod search;
mod session;
mod side;
mod source;
mod state;
mod table;
mod tables;
mod trees;
mod walk;

pub use answer::Answer;
pub use completion::{Names, is_complete};
pub use connection::{Connection, Described, Options};
pub use error::{Error, Result};
pub use guard::Access;

/// Values of SQL.
pub mod value {
    pub use rusqlite::types::Value;
}
