//! How alike things are: scores, laws, distances, kernels, pairs, neighbours.
//!
//! A distance or kernel is declared by an [`Expression`], resolved by a [`Registry`] against a type
//! and, where it needs them, training values ([`DistanceOn`], [`KernelOn`]: kept in models as
//! text), bound to queries and references, and then computed row by row. Learners see [`Pairs`] or
//! [`Gram`] and nothing else.

pub mod account;
pub mod algorithms;
mod builtin;
pub mod cluster;
pub mod coefficient;
pub mod combination;
mod comparison;
pub mod declaration;
pub mod defaults;
pub mod distance;
pub mod distances;
pub mod entry;
mod error;
pub mod expression;
mod facts;
pub mod gaps;
pub mod gram;
mod kernels;
mod lacking;
pub mod laws;
pub mod matrix;
pub mod measure;
pub mod missing;
pub mod nearer;
pub mod neighbours;
pub mod pairs;
mod profile;
pub mod registry;
mod resolve;
pub mod row;
pub mod rows;
pub mod score;
pub mod sql;
pub mod suggested;
mod symbols;
pub mod testing;
mod weights;
mod words;

pub use account::{Account, Detail};
pub use distance::Distance;
pub use error::Error;
pub use expression::Expression;
pub use gaps::Gaps;
pub use gram::{Gram, KernelLaws};
pub use laws::Laws;
pub use measure::{Bound, DistanceOn, KernelOn, Measured};
pub use missing::Missing;
pub use neighbours::{Neighbour, nearest};
pub use pairs::{Pairs, Row};
pub use registry::Registry;
pub use row::kernel::{FittedRowKernel, RowKernel};
pub use row::{FittedRow, RowDistance};
pub use score::{Score, TermSize};

/// The manual's example is run.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/similarity.md")]
struct Manual;
