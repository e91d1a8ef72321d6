//! Kernel ridge regression.
//!
//! `(K + lambda I) c = y - mean(y)`: the mean is the offset, so that a large `lambda` shrinks
//! towards it and not towards zero. Several targets share the one factorisation.
//!
//! Reference: C. Saunders, A. Gammerman, V. Vovk, Ridge regression learning algorithm in dual
//! variables, ICML 1998.

use crate::{Dense, Error};

/// What ridge regression has learned.
#[derive(Debug, Clone, PartialEq)]
pub struct Ridge {
    /// For each target a coefficient for each training object.
    pub coefficients: Vec<Vec<f64>>,
    /// For each target what is added to the weighted sum of inner products.
    pub offsets: Vec<f64>,
}

impl Ridge {
    /// The value of each target from an object's inner products with the training objects.
    pub fn predict(&self, row: &[f64]) -> Vec<f64> {
        let _ = row;
        unimplemented!()
    }
}

/// Solves for all targets, by a Cholesky factor.
pub fn solve(matrix: &Dense, targets: &[&[f64]], lambda: f64) -> Result<Ridge, Error> {
    let _ = (matrix, targets, lambda);
    unimplemented!()
}

/// A ridge chosen by leave-one-out errors.
#[derive(Debug, Clone, PartialEq)]
pub struct Choice {
    /// The chosen ridge.
    pub lambda: f64,
    /// For each ridge asked about the mean squared leave-one-out error over objects and targets;
    /// `None` where the matrix with that ridge is not positive definite.
    pub errors: Vec<Option<f64>>,
}

/// Chooses the ridge of least leave-one-out error, of equal ones the largest.
///
/// The errors are exact, the offset of each held-out object's model being the mean of the others,
/// and all come from one eigendecomposition. Targets are weighed by their own variance, so that
/// none rules the others by its unit.
///
/// Reference: R. Rifkin, R. Lippert, Notes on regularized least-squares, MIT 2007.
pub fn choose(matrix: &Dense, targets: &[&[f64]], lambdas: &[f64]) -> Result<Choice, Error> {
    let _ = (matrix, targets, lambdas);
    unimplemented!()
}
