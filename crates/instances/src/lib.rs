//! Learners whose model is rows, or one number: nearest neighbours, K*, citations, centres, one
//! rule, and the baselines.
#![forbid(unsafe_code)]

mod ballot;
pub mod baseline;
pub mod centres;
pub mod citation;
pub mod knn;
pub mod kstar;
pub mod rule;
mod search;

pub use baseline::{Majority, Mean};
pub use centres::Centres;
pub use citation::CitationKnn;
pub use knn::{InstanceFilter, Knn, NeighbourWeights};
pub use kstar::{KStar, Lacking};
pub use rule::OneR;
