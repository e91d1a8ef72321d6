//! What can go wrong in a query.

use kinwood_values::suggest::did_you_mean;

/// What can go wrong in a query.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The data cannot be opened, or a learner cannot do what is demanded.
    #[error(transparent)]
    Workbench(#[from] kinwood_workbench::Error),
    /// The SQL is wrong somewhere.
    #[error(
        "line {line}, column {column} of the query: {message}{}\n{excerpt}",
        did_you_mean(nearest)
    )]
    Sql {
        /// The line, from 1.
        line: usize,
        /// The character in the line, from 1.
        column: usize,
        /// What is wrong.
        message: String,
        /// The nearest valid name, where a name is wrong.
        nearest: Option<String>,
        /// The line with a mark below the place.
        excerpt: String,
    },
    /// SQLite fails without saying where.
    #[error("{message}{}", did_you_mean(nearest))]
    Sqlite {
        /// What it says.
        message: String,
        /// The nearest valid name, where a name is wrong.
        nearest: Option<String>,
    },
    /// A statement that the connection must not run.
    #[error("the query may not {0}")]
    Refused(String),
    /// A statement that writes, where only reading is allowed.
    #[error("the query may only read: it would {0}")]
    ReadOnly(String),
    /// An argument of a table or function that is not what it should be.
    #[error("`{name}` wants {expected}, found {found}{}", did_you_mean(nearest))]
    Argument {
        /// Its name.
        name: String,
        /// What it should be.
        expected: String,
        /// What it is.
        found: String,
        /// What was perhaps meant.
        nearest: Option<String>,
    },
    /// An answer that does not fit into memory.
    #[error(
        "the answer takes more than the {allowed} bytes that are allowed: a `LIMIT` makes it shorter"
    )]
    Large {
        /// How much it may take.
        allowed: u64,
    },
    /// A mistake of ours, which ended the work on a table or function.
    #[error("internal error: the work on the query panicked")]
    Panicked,
    /// Something beside the data cannot be read or written.
    #[error("{0}")]
    Side(String),
}

/// What this crate's functions return.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// An argument that is not what it should be.
    pub(crate) fn argument(name: &str, expected: &str, found: &str) -> Self {
        Error::Argument {
            name: name.to_owned(),
            expected: expected.to_owned(),
            found: found.to_owned(),
            nearest: None,
        }
    }

    /// Whether the user stopped the work.
    pub fn interrupted(&self) -> bool {
        matches!(self, Error::Workbench(error) if error.interrupted())
    }
}

macro_rules! through_workbench {
    ($($error:ty),* $(,)?) => {$(
        impl From<$error> for Error {
            fn from(error: $error) -> Self {
                Error::Workbench(error.into())
            }
        }
    )*};
}

through_workbench!(
    kinwood_learners::Error,
    kinwood_values::Error,
    kinwood_formats::Error,
    kinwood_similarity::Error,
    kinwood_evaluation::run::RunError,
);
