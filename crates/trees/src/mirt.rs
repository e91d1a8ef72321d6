//! Relational model trees over the foreign keys of a database: MIRT, and what goes beyond it.
//!
//! Reference: A. Appice, M. Ceci and D. Malerba, Top-down induction of relational model trees in
//! multi-instance learning, ILP 2008. An object is a row of one table; its bag is all that foreign
//! keys lead to. Tests follow keys and ask for rows that are so and so; where one holds, the bag is
//! narrowed to what satisfies it. Leaves are linear in values of the bag, one of which is
//! responsible for an object.

mod attach;
pub mod bags;
pub(crate) mod em;
mod evaluate;
pub(crate) mod fit;
pub mod leaf;
pub mod model;
#[cfg(test)]
mod naive;
mod nearest;
pub(crate) mod propose;
pub(crate) mod prototypes;
mod region;
pub(crate) mod regress;
pub(crate) mod relations;
mod ridge;
pub(crate) mod sketch;
mod smoti;
pub mod terms;
pub mod test;
#[cfg(test)]
pub(crate) mod tests;
pub(crate) mod values;
mod variables;

pub use model::MirtModel;

use crate::tree::Tree;
use leaf::Content;
use test::Test;

/// The tree that is learned from a database.
pub type RelationalTree = Tree<Test, Content>;
