//! What data is: types, columns, tables, foreign keys, roles, views.
//!
//! Everything above this crate sees data as a [`View`] of a [`Database`]: tables of typed columns,
//! connected by foreign keys. Nothing here knows how data arrives or what is learned from it.

pub use kinwood_container as container;

pub mod as_of;
pub mod bags;
pub mod column;
pub mod condition;
pub mod conform;
pub mod cursor;
pub mod database;
pub mod datetime;
pub mod defaults;
pub mod dictionary;
mod error;
pub mod graph;
pub mod json;
pub mod keys;
pub mod link;
pub mod notation;
pub mod notice;
pub mod offsets;
pub mod parameter;
pub mod remedy;
pub mod resolve;
pub mod role;
pub mod sql;
mod store;
pub mod suggest;
pub mod table;
pub mod term;
pub mod text;
pub mod tree;
pub mod types;
pub mod validity;
pub mod value;
pub mod view;

pub use as_of::AsOf;
pub use column::{Cells, Column, Kind};
pub use condition::Condition;
pub use conform::conform;
pub use database::{Database, ForeignKey};
pub use dictionary::Dictionary;
pub use error::Error;
pub use graph::{Edge, Graph, GraphNode};
pub use link::Link;
pub use notice::{Notice, NoticeKind};
pub use remedy::Remedy;
pub use role::Role;
pub use table::{Attribute, Table, TableTime};
pub use term::Term;
pub use text::ParseError;
pub use tree::Tree;
pub use types::{Field, Type};
pub use validity::Validity;
pub use value::Value;
pub use view::{Direction, View};
