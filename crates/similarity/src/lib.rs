//! How alike things are: scores, laws, distances, pairs, neighbours.
//!
//! A distance is declared by name, fitted on training data (ranges), bound to queries and references, and then
//! computed row by row. Learners see [`Pairs`] and nothing else.

pub mod algorithms;
pub mod distance;
pub mod distances;
mod error;
pub mod laws;
pub mod missing;
pub mod neighbours;
pub mod pairs;
pub mod row;
pub mod score;

pub use distance::Distance;
pub use error::Error;
pub use laws::Laws;
pub use missing::Missing;
pub use neighbours::{Neighbour, nearest};
pub use pairs::{Pairs, Row};
pub use row::{Combination, FittedRow, RowDistance};
pub use score::{Score, TermSize};
