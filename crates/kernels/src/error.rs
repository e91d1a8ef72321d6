//! What can go wrong with kernels, matrices and bags.

use kinwood_values::suggest::{did_you_mean, nearest};

/// What only a kernel machine can have to complain of. Functions return the error of all learners, which carries it.
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
        fault: crate::gram_file::Fault,
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
            ([], _) => format!("`{table}` has no bags: no column of sets, bags or lists, and no table that refers to it within `depth` (`--bag COLUMN` makes bags of the rows of a flat table)"),
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

impl From<KernelError> for kinwood_learning::Error {
    fn from(error: KernelError) -> Self {
        Self::Own(Box::new(error))
    }
}
