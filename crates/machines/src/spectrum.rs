//! Matrices that are no inner products, and what can be done about them.
//!
//! A similarity need not be an inner product: its matrix can have negative eigenvalues, and a
//! machine then has no largest margin to find. A [`Correction`] changes the training matrix to one
//! without negative eigenvalues, and what was changed is kept so that rows of new objects are
//! changed alike.
//!
//! Reference: Y. Chen, E. Garcia, M. Gupta, A. Rahimi, L. Cazzanti, Similarity-based
//! classification: concepts and algorithms, Journal of Machine Learning Research 10, 2009.

use crate::{Dense, Error};

/// What is done about negative eigenvalues.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Correction {
    /// Nothing: the machine finds a stationary point, which need not be the best.
    #[default]
    AsIs,
    /// The smallest eigenvalue is taken from all of them: objects become more like themselves,
    /// and no more or less like others.
    Shift,
    /// Negative eigenvalues become zero: the nearest matrix of inner products.
    Clip,
    /// Negative eigenvalues lose their sign.
    Flip,
}

/// A training matrix after a correction.
#[derive(Debug, Clone, PartialEq)]
pub struct Corrected {
    /// The corrected matrix.
    pub matrix: Dense,
    /// The smallest eigenvalue before the correction; `None` for [`Correction::AsIs`], which does
    /// not ask.
    pub smallest: Option<f64>,
    /// The largest eigenvalue before the correction, likewise.
    pub largest: Option<f64>,
    /// How many eigenvalues were negative, beyond what rounding explains.
    pub negative: usize,
    /// What has to be done to rows of new objects.
    pub rows: RowCorrection,
}

/// What a correction does to the row of an object, its inner products with the training objects.
///
/// `row - weight * V' V row`, where the rows of `V` are the eigenvectors of the negative
/// eigenvalues. A training object's row before the correction becomes its row after it, but for
/// [`Correction::Shift`], which leaves rows alone and adds to a training object's product with
/// itself.
#[derive(Debug, Clone, PartialEq)]
pub struct RowCorrection {
    len: usize,
    weight: f64,
    directions: Vec<f64>,
}

impl RowCorrection {
    /// A correction as [`len`](Self::len), [`weight`](Self::weight) and
    /// [`directions`](Self::directions) gave it.
    pub fn from_parts(
        len: usize,
        weight: f64,
        directions: Vec<f64>,
    ) -> Result<RowCorrection, Error> {
        let _ = (len, weight, directions);
        unimplemented!()
    }

    /// How many training objects there are.
    #[expect(clippy::len_without_is_empty, reason = "there is at least one object")]
    pub fn len(&self) -> usize {
        self.len
    }

    /// How much of each direction is taken away: 1 to clip, 2 to flip.
    pub fn weight(&self) -> f64 {
        self.weight
    }

    /// The eigenvectors of negative eigenvalues, one after the other; none where rows stay as
    /// they are.
    pub fn directions(&self) -> &[f64] {
        &self.directions
    }

    /// Corrects the row of one object.
    pub fn apply(&self, row: &mut [f64]) {
        let _ = row;
        unimplemented!()
    }
}

/// Corrects a training matrix.
pub fn correct(matrix: Dense, correction: Correction) -> Result<Corrected, Error> {
    let _ = (matrix, correction);
    unimplemented!()
}

/// The eigenvalues of a matrix, rising.
pub fn eigenvalues(matrix: &Dense) -> Result<Vec<f64>, Error> {
    let _ = matrix;
    unimplemented!()
}
