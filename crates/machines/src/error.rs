//! What can go wrong in a kernel machine, in one enumeration for the crate.
//!
//! Rows and columns are positions in the matrix, of a part in the whole: a caller who knows the
//! objects behind them can name them.

/// Why a machine could not be fitted.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A matrix without rows.
    #[error("the matrix has no rows")]
    Empty,
    /// The entries do not fill a square.
    #[error("{found} entries found, a matrix of {len} rows has {expected}", expected = (*len as u128) * (*len as u128))]
    NotSquare {
        /// How many entries were given.
        found: usize,
        /// How many rows the matrix has.
        len: usize,
    },
    /// An inner product that is no number.
    #[error("the entry at row {row}, column {column} is {found}, a finite number is needed")]
    Entry {
        /// The row, counted from 0.
        row: usize,
        /// The column, counted from 0.
        column: usize,
        /// What is there.
        found: f64,
    },
    /// A list beside the matrix has another length than the matrix.
    #[error("{found} {what} found, the matrix has {expected} rows")]
    Length {
        /// What the list holds.
        what: &'static str,
        /// Its length.
        found: usize,
        /// The length of the matrix.
        expected: usize,
    },
    /// A value beside the matrix (a target, a cost, a decision) is outside its range.
    #[error("{what} {position} is {found}, {expected} is needed")]
    Value {
        /// What the value is.
        what: &'static str,
        /// Its position, counted from 0.
        position: usize,
        /// The value.
        found: f64,
        /// What would do.
        expected: &'static str,
    },
    /// A setting outside its range.
    #[error("{name} is {found}, {expected} is needed")]
    Setting {
        /// The setting's name.
        name: &'static str,
        /// The value given.
        found: f64,
        /// What would do.
        expected: &'static str,
    },
    /// Nothing to separate: all objects that count are of one class.
    #[error("all objects are of one class, two classes are needed")]
    OneClass,
    /// The smaller class has too few objects for this share of support vectors.
    #[error("nu is {found}, with these classes it is {largest} at most")]
    InfeasibleNu {
        /// The value given.
        found: f64,
        /// The largest value that has a solution.
        largest: f64,
    },
    /// The matrix plus the ridge has a direction without positive length.
    #[error("the matrix with {ridge} added to its diagonal is not positive definite")]
    NotPositiveDefinite {
        /// What was added to the diagonal.
        ridge: f64,
    },
    /// The eigenvalues were not found; no matrix of finite numbers is known to cause it.
    #[error("the eigenvalues of a matrix of {len} rows were not found")]
    NoEigenvalues {
        /// How many rows the matrix has.
        len: usize,
    },
    /// Entries, costs or targets so large that their sums are no numbers.
    #[error("the numbers are too large: their sums are not finite")]
    Overflow,
    /// Errors of held-out objects need objects to learn from.
    #[error("{found} objects found, at least {needed} are needed")]
    TooFew {
        /// How many objects there are.
        found: usize,
        /// How many are needed.
        needed: usize,
    },
    /// What was kept of a fitted machine does not fit together.
    #[error("{found} {what} found, {expected} expected")]
    Kept {
        /// What does not fit.
        what: &'static str,
        /// How many numbers there are.
        found: usize,
        /// How many there should be.
        expected: usize,
    },
    /// The caller asked to stop.
    #[error("stopped after {iterations} iterations")]
    Stopped {
        /// How many iterations were done.
        iterations: u64,
    },
}

/// The first value of a list that is not a finite number.
pub(crate) fn check_finite(what: &'static str, values: &[f64]) -> Result<(), Error> {
    match values.iter().position(|value| !value.is_finite()) {
        None => Ok(()),
        Some(position) => Err(Error::Value {
            what,
            position,
            found: values[position],
            expected: "a finite number",
        }),
    }
}
