//! What can go wrong.

/// Why aggregates cannot be computed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The work was interrupted or its time is over.
    #[error("stopped")]
    Stopped,
    /// A plan, perhaps from a file, that the data do not have the tables, keys or columns for.
    #[error("{reason}")]
    Plan {
        /// What is wrong.
        reason: String,
    },
    /// A word of a list of kinds of aggregates that is none.
    #[error("there are no aggregates `{word}`: expected {valid}{}", .nearest.as_ref().map(|word| format!("; did you mean `{word}`?")).unwrap_or_default())]
    Family {
        /// The word.
        word: String,
        /// The valid words.
        valid: String,
        /// The valid word most like it.
        nearest: Option<String>,
    },
    /// A list of numbers that is none.
    #[error("`{text}` is not a list of {of}, such as `{example}`")]
    List {
        /// The text.
        text: String,
        /// Of what.
        of: &'static str,
        /// A list as it should be.
        example: &'static str,
    },
}

/// What may fail here.
pub type Result<T> = std::result::Result<T, Error>;
