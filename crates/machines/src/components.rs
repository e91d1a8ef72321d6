//! Kernel principal components: few numbers for each object that keep most of what inner products
//! say.

use crate::{Centring, Dense, Error};

/// Directions of largest variance among the training objects.
#[derive(Debug, Clone, PartialEq)]
pub struct Components {
    centring: Centring,
    eigenvalues: Vec<f64>,
    shares: Vec<f64>,
    directions: Vec<f64>,
}

/// Finds the leading components, at most `most` of them: those without variance are left out, so
/// that there can be fewer, or none where all objects are the same.
///
/// The matrix is as the kernel gives it: centring is learned here. Each direction's entry of
/// largest size is positive (of equal ones the first), so that signs are not a matter of chance.
///
/// Reference: B. Schölkopf, A. Smola, K.-R. Müller, Nonlinear component analysis as a kernel
/// eigenvalue problem, Neural Computation 10, 1998.
pub fn fit(matrix: &Dense, most: usize) -> Result<Components, Error> {
    let _ = (matrix, most);
    unimplemented!()
}

impl Components {
    /// Components as the four accessors gave them.
    pub fn from_parts(
        centring: Centring,
        eigenvalues: Vec<f64>,
        shares: Vec<f64>,
        directions: Vec<f64>,
    ) -> Result<Components, Error> {
        let _ = (centring, eigenvalues, shares, directions);
        unimplemented!()
    }

    /// How many components there are.
    pub fn count(&self) -> usize {
        self.eigenvalues.len()
    }

    /// The origin, learned from the training objects.
    pub fn centring(&self) -> &Centring {
        &self.centring
    }

    /// The eigenvalue of each component, falling.
    pub fn eigenvalues(&self) -> &[f64] {
        &self.eigenvalues
    }

    /// The share of all variance that each component has.
    pub fn shares(&self) -> &[f64] {
        &self.shares
    }

    /// The directions, one after the other, each as weights of training objects.
    pub fn directions(&self) -> &[f64] {
        &self.directions
    }

    /// The coordinates of an object from its inner products with the training objects, as the
    /// kernel gives them.
    pub fn project(&self, row: &[f64]) -> Vec<f64> {
        let _ = row;
        unimplemented!()
    }
}
