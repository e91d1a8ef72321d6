//! What every job starts with: reading data and giving columns their roles ([`Data`]), fitting and
//! keeping models ([`Trained`]), evaluating learners, and objects that are compared, grouped and
//! placed.
//!
//! Pages and studies are above: they need data and models, and this crate knows neither of them.

pub mod clus;
pub mod clusters;
pub mod components;
pub mod convert;
pub mod data;
pub mod error;
pub mod evaluate;
pub mod fingerprint;
pub mod held_out;
pub mod matrix_file;
pub mod members;
pub mod memory;
pub mod naming;
pub mod objects;
pub mod open;
pub mod output;
pub mod sample;
pub mod tasks;
pub mod time;
pub mod trained;

pub use convert::{convert, flatten};
pub use data::{Choices, Data, Problem};
pub use error::{Error, Result};
pub use evaluate::Report;
pub use open::{Opening, Purpose, open};
pub use trained::{Origin, Picked, Provenance, Trained};
