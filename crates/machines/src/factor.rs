//! Eigenvectors and Cholesky factors of symmetric matrices.
//!
//! On one thread: the way work is divided would show in the last digits, and results are not to
//! depend on the number of threads.

use faer::diag::DiagMut;
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::llt;
use faer::linalg::evd::{ComputeEigenvectors, self_adjoint_evd, self_adjoint_evd_scratch};
use faer::linalg::matmul::matmul;
use faer::{Accum, MatMut, MatRef, Par};

use crate::{Dense, Error};

/// Eigenvalues below this share of the largest are rounding.
pub(crate) const ROUNDING: f64 = 1e-10;

/// The eigenvalues of a matrix, rising, and their vectors one after the other.
pub(crate) struct Eigen {
    pub values: Vec<f64>,
    pub vectors: Vec<f64>,
}

impl Eigen {
    /// The largest size of an eigenvalue.
    pub fn largest_size(&self) -> f64 {
        largest_size(&self.values)
    }
}

/// The largest size of a number of a list.
pub(crate) fn largest_size(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |most, value| value.abs().max(most))
}

/// Finds the eigenvalues of a matrix, rising.
pub(crate) fn eigenvalues(matrix: &Dense) -> Result<Vec<f64>, Error> {
    let mut values = vec![0.0; matrix.len()];
    decompose(matrix, &mut values, None)?;
    Ok(values)
}

/// Finds the eigenvalues and eigenvectors of a matrix.
pub(crate) fn eigen(matrix: &Dense) -> Result<Eigen, Error> {
    let len = matrix.len();
    let mut values = vec![0.0; len];
    let mut vectors = vec![0.0; len * len];
    let columns = MatMut::from_column_major_slice_mut(&mut vectors, len, len);
    decompose(matrix, &mut values, Some(columns))?;
    Ok(Eigen { values, vectors })
}

fn decompose(
    matrix: &Dense,
    values: &mut [f64],
    vectors: Option<MatMut<'_, f64>>,
) -> Result<(), Error> {
    let len = matrix.len();
    let wanted = match vectors {
        Some(_) => ComputeEigenvectors::Yes,
        None => ComputeEigenvectors::No,
    };
    let scratch = self_adjoint_evd_scratch::<f64>(len, wanted, Par::Seq, Default::default());
    let mut memory = MemBuffer::new(scratch);
    self_adjoint_evd(
        MatRef::from_column_major_slice(matrix.entries(), len, len),
        DiagMut::from_slice_mut(values),
        vectors,
        Par::Seq,
        MemStack::new(&mut memory),
        Default::default(),
    )
    .map_err(|_| Error::NoEigenvalues { len })
}

/// Solves `(matrix + ridge I) x = b` for some right-hand sides, each in place.
pub(crate) fn solve(matrix: &Dense, ridge: f64, sides: &mut [Vec<f64>]) -> Result<(), Error> {
    let len = matrix.len();
    let mut factor = matrix.entries().to_vec();
    for at in 0..len {
        factor[at * len + at] += ridge;
    }
    let mut columns = MatMut::from_column_major_slice_mut(&mut factor, len, len);
    let factoring =
        llt::factor::cholesky_in_place_scratch::<f64>(len, Par::Seq, Default::default());
    let solving = llt::solve::solve_in_place_scratch::<f64>(len, sides.len(), Par::Seq);
    let mut memory = MemBuffer::new(factoring.or(solving));
    llt::factor::cholesky_in_place(
        columns.as_mut(),
        Default::default(),
        Par::Seq,
        MemStack::new(&mut memory),
        Default::default(),
    )
    .map_err(|_| Error::NotPositiveDefinite { ridge })?;
    for side in sides {
        llt::solve::solve_in_place(
            columns.as_ref(),
            MatMut::from_column_major_slice_mut(side, len, 1),
            Par::Seq,
            MemStack::new(&mut memory),
        );
    }
    Ok(())
}

/// Adds `weight * sum_k scale_k v_k v_k'` to a matrix; the vectors come one after the other.
pub(crate) fn add_outer(matrix: &mut Dense, vectors: &[f64], scales: &[f64], weight: f64) {
    let len = matrix.len();
    let scaled: Vec<f64> = vectors
        .chunks_exact(len)
        .zip(scales)
        .flat_map(|(vector, scale)| vector.iter().map(move |entry| entry * scale))
        .collect();
    matmul(
        MatMut::from_column_major_slice_mut(matrix.entries_mut(), len, len),
        Accum::Add,
        MatRef::from_column_major_slice(&scaled, len, scales.len()),
        MatRef::from_column_major_slice(vectors, len, scales.len()).transpose(),
        weight,
        Par::Seq,
    );
    // Rounding may differ on either side of the diagonal.
    let entries = matrix.entries_mut();
    for row in 0..len {
        for column in 0..row {
            entries[column * len + row] = entries[row * len + column];
        }
    }
}
