//! What can go wrong with kernels, matrices and bags.

use kinwood_values::Remedy;
use kinwood_values::suggest::{did_you_mean, nearest};

/// What is wrong with the file of a matrix.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// It cannot be read.
    #[error("{0}")]
    Unreadable(String),
    /// Its name does not say what it is.
    #[error("a Gram matrix is read from .npy or .csv")]
    Ending,
    /// It is not what its name says.
    #[error("not a NumPy file of doubles in rows (format 1, `<f8`, C order): {0}")]
    Header(String),
    /// Another number of rows or columns than the table has rows.
    #[error(
        "{rows} rows of {columns} numbers found, {expected} of {expected} expected: one for each row of the table"
    )]
    Shape {
        /// How many rows the file has.
        rows: usize,
        /// How many numbers its rows have.
        columns: usize,
        /// How many rows the table has.
        expected: usize,
    },
    /// An entry that is no finite number.
    #[error("row {row}, column {column} is {found}, a finite number is needed")]
    Entry {
        /// The row, from 1.
        row: usize,
        /// The column, from 1.
        column: usize,
        /// What stands there.
        found: String,
    },
    /// Two entries that should be the same.
    #[error(
        "not symmetric: row {row}, column {column} is {found}, and row {column}, column {row} is {mirrored}"
    )]
    Asymmetric {
        /// The row, from 1.
        row: usize,
        /// The column, from 1.
        column: usize,
        /// What stands there.
        found: f64,
        /// What stands opposite.
        mirrored: f64,
    },
}

/// What only a kernel machine can have to complain of. Functions return the error of all learners,
/// which carries it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum KernelError {
    /// A kernel machine cannot be fitted.
    #[error("the machine cannot be fitted: {0}")]
    Machine(#[from] kinwood_machines::Error),
    /// A kernel that gives no number.
    #[error(
        "the kernel between training rows {first} and {second} is {found}, a finite number is needed"
    )]
    KernelValue {
        /// A row, from 1.
        first: usize,
        /// The other.
        second: usize,
        /// What the kernel gives.
        found: f64,
    },
    /// A kernel that depends on the order of two rows.
    #[error(
        "the kernel `{kernel}` is not symmetric, and a machine needs one that is: make it from a distance whose both directions are the same"
    )]
    AsymmetricKernel {
        /// The kernel.
        kernel: String,
    },
    /// A kernel that gives no number for a row asked about.
    #[error(
        "the kernel between row {row} and the stored rows adds up to {found}, a finite number is needed"
    )]
    KernelQuery {
        /// The row, from 1.
        row: usize,
        /// The sum.
        found: f64,
    },
    /// A file with a matrix that cannot be used.
    #[error("cannot use the Gram matrix `{file}`: {fault}")]
    GramFile {
        /// The file.
        file: String,
        /// What is wrong with it.
        fault: Fault,
    },
    /// Rows that a given matrix says nothing of.
    #[error(
        "the model was fitted on the matrix `{file}` and knows no kernel: other rows cannot be compared with the stored ones; `evaluate` tests on rows of the matrix, and `kernel` instead of `gram` predicts any"
    )]
    GramUnseen {
        /// The file.
        file: String,
    },
    /// No bags to learn from, or none of the name given, or several.
    #[error(
        "{}",
        match (found.as_slice(), wanted) {
            ([], _) => format!("`{table}` has no bags: no column of sets, bags or lists, and no table that refers to it within `depth`"),
            (all, Some(name)) => format!("`{table}` has no bags `{name}` (there are {}){}", all.join(", "), did_you_mean(&nearest(name, all))),
            (all, None) => format!("`{table}` has several bags, {}: say which by `bags`", all.join(", ")),
        }
    )]
    Bags {
        /// The table.
        table: String,
        /// The columns and tables that could be.
        found: Vec<String>,
        /// The one that was asked for.
        wanted: Option<String>,
    },
    /// Weights that a method cannot respect.
    #[error(
        "`{learner}` with {form} cannot count some rows more than others: its bounds are shares of rows"
    )]
    UnequalWeights {
        /// The learner.
        learner: &'static str,
        /// The setting.
        form: &'static str,
    },
}

impl KernelError {
    /// What the user can do about it, for an interface to word.
    fn remedy(&self) -> Option<Remedy> {
        match self {
            KernelError::Bags { found, .. } if found.is_empty() => Some(Remedy::MakeBags),
            _ => None,
        }
    }
}

impl From<KernelError> for kinwood_learning::Error {
    fn from(error: KernelError) -> Self {
        Self::Own {
            remedy: error.remedy(),
            error: Box::new(error),
        }
    }
}
