//! What can go wrong between data and a model.

use kinwood_values::notice::counted;
use kinwood_values::suggest::did_you_mean;
use kinwood_values::{Remedy, Role};

/// What can go wrong between data and a model.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Something is wrong with values, tables or keys.
    #[error(transparent)]
    Values(#[from] kinwood_values::Error),
    /// A distance does not fit the data.
    #[error(transparent)]
    Similarity(#[from] kinwood_similarity::Error),
    /// A training matrix that does not fit in memory, and has to.
    #[error(
        "{what} of {rows} rows needs {} MB of memory, {} MB are allowed: {advice}, or allow more",
        needed.div_ceil(1 << 20), allowed >> 20
    )]
    KernelMemory {
        /// What is to be done with it.
        what: &'static str,
        /// How many rows the matrix has.
        rows: usize,
        /// The bytes it takes.
        needed: u64,
        /// The bytes it may take.
        allowed: u64,
        /// What to do about it.
        advice: &'static str,
    },
    /// What a learner has to say that no other learner has: its own crate words it.
    #[error("{error}")]
    Own {
        /// What it says.
        error: Box<dyn std::error::Error + Send + Sync>,
        /// What the user can do about it.
        remedy: Option<Remedy>,
    },
    /// A learner that does not exist.
    #[error(
        "unknown learner `{name}` (the learners are {valid}){}",
        did_you_mean(nearest)
    )]
    UnknownLearner {
        /// What was written.
        name: String,
        /// What was perhaps meant.
        nearest: Option<String>,
        /// All learners.
        valid: String,
    },
    /// A setting the learner does not have.
    #[error(
        "`{learner}` has no setting `{name}` (its settings are {valid}){}",
        did_you_mean(nearest)
    )]
    UnknownSetting {
        /// The learner.
        learner: String,
        /// What was written.
        name: String,
        /// What was perhaps meant.
        nearest: Option<String>,
        /// All settings of the learner.
        valid: String,
    },
    /// A setting given twice.
    #[error("setting `{name}` is given twice")]
    RepeatedSetting {
        /// The setting.
        name: String,
    },
    /// A setting with a value it cannot have.
    #[error(
        "setting `{name}` cannot be `{value}`: expected {expected}{}",
        did_you_mean(nearest)
    )]
    SettingValue {
        /// The setting.
        name: String,
        /// What was written.
        value: String,
        /// What it may be.
        expected: String,
        /// What was perhaps meant.
        nearest: Option<String>,
    },
    /// A target of a type the learner does not predict.
    #[error("`{learner}` predicts {expected} targets, and `{target}` is {found}{hint}")]
    TargetType {
        /// The learner.
        learner: &'static str,
        /// What it can predict.
        expected: String,
        /// The target.
        target: String,
        /// Its type.
        found: String,
        /// What to use instead, as the end of a sentence; may be empty.
        hint: &'static str,
    },
    /// A target that is also something else.
    #[error("column `{column}` is the target and cannot also be {role}")]
    TargetRole {
        /// The column.
        column: String,
        /// Its other role.
        role: String,
    },
    /// A target none of whose values is known.
    #[error("the target `{target}` has no known value in {}", counted(*rows, "row"))]
    NoResponse {
        /// The target.
        target: String,
        /// How many rows there are.
        rows: usize,
    },
    /// No rows to learn from.
    #[error("table `{table}` has no rows to learn from")]
    NoRows {
        /// The table.
        table: String,
    },
    /// A learner that looks at attributes was given none.
    #[error(
        "`{learner}` finds no input column in table `{table}`; every column is the target, an id or ignored"
    )]
    NoInputs {
        /// The learner.
        learner: &'static str,
        /// The table.
        table: String,
    },
    /// A column of a type the learner cannot look at.
    #[error(
        "`{learner}` cannot use column `{column}`, a `{found}`: it reads {expected}; leave it out"
    )]
    InputType {
        /// The learner.
        learner: &'static str,
        /// The column.
        column: String,
        /// Its type.
        found: String,
        /// What the learner reads.
        expected: &'static str,
    },
    /// A weight that is none.
    #[error(
        "the weight in row {row} of column `{column}` is {found}; weights are numbers that are not negative"
    )]
    Weight {
        /// The column.
        column: String,
        /// The row, from 1.
        row: usize,
        /// What stands there.
        found: String,
    },
    /// Sums that no double holds.
    #[error(
        "the numbers or weights of `{table}` are too large or too far apart to be added up: {reason}"
    )]
    TooLarge {
        /// The table.
        table: String,
        /// Where it showed.
        reason: String,
    },
    /// Rows none of which counts.
    #[error("the rows of table `{table}` all have weight 0: there is nothing to learn from")]
    NoWeight {
        /// The table.
        table: String,
    },
    /// A model that cannot take more examples without being fitted anew.
    #[error("a `{learner}` model cannot be appended to: fit it again on all the data")]
    CannotAppend {
        /// The learner.
        learner: String,
    },
    /// A model that cannot say why it predicts what it predicts.
    #[error("a `{learner}` model cannot explain its predictions")]
    CannotExplain {
        /// The learner.
        learner: String,
    },
    /// A model of a kind that SQL has no words for.
    #[error("a `{learner}` model cannot be written as SQL")]
    CannotWriteSql {
        /// The learner.
        learner: String,
    },
    /// A model that cannot be written as SQL, though others of its kind can.
    #[error("the model cannot be written as SQL: {0}")]
    Sql(#[from] crate::sql::Gap),
    /// A database other than the one a model was fitted on.
    #[error("the data is of another database than the model's: {what} differs")]
    OtherDatabase {
        /// What differs.
        what: String,
    },
    /// Joined tables of too many rows.
    #[error(
        "joining the tables makes {rows} rows, more than flatten_rows={limit}; most of an object are the {most} of {object}: use `flatten=p2`, which has one row an object, or a smaller `flatten_depth`, or allow more by `flatten_rows`"
    )]
    FlattenedRows {
        /// How many rows there would be.
        rows: u64,
        /// How many there may be.
        limit: u64,
        /// The object with most of them.
        object: String,
        /// How many it has.
        most: u64,
    },
    /// Foreign keys that make too many paths.
    #[error(
        "the foreign keys make more than {limit} paths from the target's table: use a smaller `flatten_depth`"
    )]
    FlattenedPaths {
        /// How many there may be.
        limit: usize,
    },
    /// An average over rows that has no explanation of its own.
    #[error(
        "the prediction is the average over the {rows} joined rows of the object, for which there is no one reason; fit with `flatten=p2` to have one row an object explained"
    )]
    FlattenedExplanation {
        /// How many rows the object has.
        rows: usize,
    },
    /// Examples of another kind than the model's.
    #[error("the appended data does not fit the model: {reason}")]
    AppendedData {
        /// What differs.
        reason: String,
    },
    /// The user or the time limit stopped the work.
    #[error("interrupted")]
    Interrupted,
    /// The time limit was reached before there was anything to return.
    #[error("the time limit was reached before the work was done")]
    OutOfTime,
}

impl Error {
    /// What a learner of another crate has to say, if it is of this type.
    pub fn own<E: std::error::Error + 'static>(&self) -> Option<&E> {
        match self {
            Error::Own { error, .. } => error.downcast_ref(),
            _ => None,
        }
    }

    /// What the user can do about it, for an interface to word.
    pub fn remedy(&self) -> Option<Remedy> {
        match self {
            Error::Similarity(error) => error.remedy(),
            Error::Own { remedy, .. } => remedy.clone(),
            Error::NoInputs { .. } => Some(Remedy::ChangeRole {
                column: None,
                role: Role::Input,
            }),
            Error::InputType { column, .. } => Some(Remedy::LeaveOut {
                column: column.clone(),
            }),
            Error::Sql(gap) => gap.remedy(),
            _ => None,
        }
    }
}

impl From<kinwood_values::container::Error> for Error {
    fn from(error: kinwood_values::container::Error) -> Self {
        Error::Values(error.into())
    }
}

/// What this crate's functions return.
pub type Result<T, E = Error> = std::result::Result<T, E>;
