//! The numerical engines of kernel machines, and the least squares of linear models.
//!
//! What machines learn from is a symmetric matrix of inner products between training objects
//! ([`Matrix`]), and what they predict from is a new object's row of inner products with those
//! objects. They know nothing of tables, views or learners: names, classes and files are somebody
//! else's concern, and so is where an inner product comes from.
//!
//! - [`solve`]: support vector machines for classes, numbers and one class.
//! - [`calibrate`]: decision values become probabilities, of two classes and of several.
//! - [`Centring`]: the matrix as if the objects' mean were the origin.
//! - [`spectrum`]: matrices that are no inner products, and what can be done about them.
//! - [`components`]: kernel principal components.
//! - [`ridge`]: kernel ridge regression and its leave-one-out errors.
//! - [`least_squares`]: linear models of columns of numbers.
//! - [`factor`]: eigenvectors, for the three above and for ridge regression on columns.
//!
//! All results depend on the input alone, not on the number of threads.

pub mod calibrate;
mod centring;
#[cfg(feature = "spectrum")]
pub mod components;
mod error;
#[cfg(feature = "spectrum")]
pub mod factor;
#[cfg(feature = "spectrum")]
pub mod least_squares;
mod matrix;
#[cfg(feature = "spectrum")]
pub mod ridge;
pub mod solve;
#[cfg(feature = "spectrum")]
pub mod spectrum;

pub use centring::Centring;
pub use error::Error;
pub use matrix::{Dense, Matrix, Part};
pub use solve::{Limits, Solution};
