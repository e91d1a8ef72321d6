//! The syntax of Prolog as far as facts need it: characters, tokens, clauses, and the patterns and
//! rules of schemas.
//!
//! Schemas and the reader of facts both stand on it, so that a schema knows what it states without
//! knowing the reader.

pub(crate) mod cells;
pub(crate) mod characters;
pub(crate) mod clause;
pub(crate) mod cursor;
mod number;
pub(crate) mod pattern;
pub(crate) mod print;
mod quoted;
pub(crate) mod rule;
mod token;
