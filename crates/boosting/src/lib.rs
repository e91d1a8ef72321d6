//! Gradient boosting: many small trees, each fitted to what those before it leave unexplained.
//!
//! Whatever a row holds becomes numbers and labels first (`features`): numbers and labels as they
//! are, of structured values what they contain and how far they are from a few prototypes. Values
//! are put into at most 255 bins, and trees are grown on sums by bin (`histogram`). The sums are
//! of whole numbers, so that neither the order of rows nor the number of threads changes a bit of
//! a model.
//!
//! Reference: J. Friedman, *Greedy function approximation: a gradient boosting machine*, Annals of
//! Statistics 29, 2001; T. Chen and C. Guestrin, *XGBoost*, KDD 2016 (second-order leaf values); G.
//! Ke and others, *LightGBM*, NIPS 2017 (growth by leaves on histograms).
#![forbid(unsafe_code)]

mod bins;
mod boosting;
mod constraints;
pub mod error;
mod features;
mod fit;
mod gradients;
mod grow;
mod histogram;
mod loss;
mod model;
mod prototypes;
mod rows;
mod settings;
mod split;
mod tree;

#[cfg(test)]
mod tests;

pub use error::BoostError;
pub use loss::Loss;
pub use settings::{BOOST, Boost, BoostClassWeights, BoostCombine, Stopping};
