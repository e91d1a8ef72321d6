//! Groups, maps and outliers from any distance: k-medoids, hierarchies, classical scaling,
//! neighbour distances.
//!
//! All work on a condensed matrix, so any distance will do; what asks for more says so.

pub mod hierarchy;
pub mod medoids;
pub mod outliers;
pub mod scaling;
