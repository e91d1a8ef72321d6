//! What can be wrong between a distance and the data it meets.

/// What can be wrong between a distance and the data it meets.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A column of a type without a distance.
    #[error(
        "there is no distance for column `{column}`, a `{found}`: rows are compared by nominal, numeric and datetime columns; leave it out with `--ignore {column}`"
    )]
    NoDistance {
        /// The column.
        column: String,
        /// Its type.
        found: String,
    },
    /// Nothing to compare.
    #[error("table `{table}` has no input column to compare rows by")]
    NoColumns {
        /// The table.
        table: String,
    },
    /// The data is not in the terms of the data the distance was fitted on.
    #[error("column `{column}` is not there as it was when the distance was fitted")]
    Layout {
        /// The first column that is lacking, hidden or of another type.
        column: String,
    },
}
