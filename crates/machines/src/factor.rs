//! Eigenvectors and Cholesky factors of symmetric matrices, and least squares by QR: all that is
//! asked of `faer`.
//!
//! On one thread: the way work is divided would show in the last digits, and results are not to
//! depend on the number of threads.

use std::cmp::Ordering;

use faer::diag::DiagMut;
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::llt;
use faer::linalg::evd::{ComputeEigenvectors, self_adjoint_evd, self_adjoint_evd_scratch};
use faer::linalg::matmul::matmul;
use faer::linalg::qr::no_pivoting as qr;
use faer::{Accum, MatMut, MatRef, Par};

use crate::{Dense, Error};

/// Eigenvalues below this share of the largest are rounding.
pub(crate) const ROUNDING: f64 = 1e-10;

/// A column less what those before it explain is rounding where its squares are no more than this
/// share of the column's own.
const UNEXPLAINED: f64 = 1e-20;

/// The eigenvalues of a matrix and their vectors.
#[derive(Debug, Clone, PartialEq)]
pub struct Eigen {
    /// The eigenvalues, rising.
    pub values: Vec<f64>,
    /// The vectors, of length one, one after the other.
    pub vectors: Vec<f64>,
}

impl Eigen {
    /// The largest size of an eigenvalue.
    pub(crate) fn largest_size(&self) -> f64 {
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
///
/// ```
/// use kinwood_machines::{Dense, factor};
/// let found = factor::eigen(&Dense::new(2, vec![3.0, 0.0, 0.0, 1.0])?)?;
/// assert_eq!(found.values, [1.0, 3.0]);
/// # Ok::<(), kinwood_machines::Error>(())
/// ```
pub fn eigen(matrix: &Dense) -> Result<Eigen, Error> {
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

/// Solves `(matrix + ridge I) x = b` for some right-hand sides, each in place; where that is an
/// error, they stay as they are. The matrix comes row after row.
pub(crate) fn solve(
    entries: &[f64],
    len: usize,
    ridge: f64,
    sides: &mut [Vec<f64>],
) -> Result<(), Error> {
    let mut factor = entries.to_vec();
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

/// Finds the multiples of some columns whose sum is nearest to a right-hand side. The columns come
/// one after the other, each as long as that side. The error is the first column that those before
/// it explain.
pub(crate) fn least_squares(mut columns: Vec<f64>, mut side: Vec<f64>) -> Result<Vec<f64>, usize> {
    let rows = side.len();
    let count = columns.len().checked_div(rows).unwrap_or(0);
    // As many columns as there are rows explain all others.
    let most = count.min(rows);
    if most == 0 {
        return Ok(Vec::new());
    }
    columns.truncate(most * rows);
    let squares: Vec<f64> = columns
        .chunks_exact(rows)
        .map(|column| column.iter().map(|entry| entry * entry).sum())
        .collect();
    let block = qr::factor::recommended_block_size::<f64>(rows, most);
    let factoring =
        qr::factor::qr_in_place_scratch::<f64>(rows, most, block, Par::Seq, Default::default());
    let solving = qr::solve::solve_lstsq_in_place_scratch::<f64>(rows, most, block, 1, Par::Seq);
    let mut memory = MemBuffer::new(factoring.or(solving));
    let mut blocks = vec![0.0; block * most];
    let mut blocks = MatMut::from_column_major_slice_mut(&mut blocks, block, most);
    qr::factor::qr_in_place(
        MatMut::from_column_major_slice_mut(&mut columns, rows, most),
        blocks.as_mut(),
        Par::Seq,
        MemStack::new(&mut memory),
        Default::default(),
    );
    // What is not a number is left out too.
    let explained = |place: &usize| {
        let own = columns[place * rows + place];
        let least = UNEXPLAINED * squares[*place];
        (own * own).partial_cmp(&least) != Some(Ordering::Greater)
    };
    if let Some(place) = (0..most).find(explained) {
        return Err(place);
    }
    if count > most {
        return Err(most);
    }
    let factor = MatRef::from_column_major_slice(&columns, rows, most);
    qr::solve::solve_lstsq_in_place(
        factor,
        blocks.as_ref(),
        factor.get(..most, ..),
        MatMut::from_column_major_slice_mut(&mut side, rows, 1),
        Par::Seq,
        MemStack::new(&mut memory),
    );
    side.truncate(most);
    Ok(side)
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
