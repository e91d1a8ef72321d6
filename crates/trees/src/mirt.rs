//! Relational model trees over the foreign keys of a database: MIRT, and what goes beyond it.
//!
//! Reference: A. Appice, M. Ceci and D. Malerba, Top-down induction of relational model trees in
//! multi-instance learning, ILP 2008. An object is a row of one table; its bag is all that foreign
//! keys lead to. Tests follow keys and ask for rows that are so and so; where one holds, the bag is
//! narrowed to what satisfies it. Leaves are linear in values of the bag, one of which is
//! responsible for an object.

mod attach;
pub mod bags;
mod beam;
mod em;
mod evaluate;
mod fit;
mod grow;
pub mod leaf;
mod learner;
mod limits;
pub mod model;
#[cfg(test)]
mod naive;
mod nearest;
mod propose;
mod prototypes;
mod pruning;
mod regress;
mod response;
mod ridge;
mod smoti;
pub mod terms;
pub mod test;
#[cfg(test)]
mod tests;
mod trim;
mod values;
mod variables;

pub use learner::{LeafModel, MIRT, Mirt, Spread};
pub use model::MirtModel;
pub use pruning::MirtPruning;

use crate::tree::Tree;
use leaf::Content;
use test::Test;

/// The tree that is learned from a database.
pub type RelationalTree = Tree<Test, Content>;
