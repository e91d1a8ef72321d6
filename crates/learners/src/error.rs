//! What can go wrong between data and a model.

use kinwood_values::notice::counted;
use kinwood_values::suggest::{did_you_mean, nearest};

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
    /// A file with a matrix that cannot be used.
    #[error("cannot use the Gram matrix `{file}`: {fault}")]
    GramFile {
        /// The file.
        file: String,
        /// What is wrong with it.
        fault: crate::svm::Fault,
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
        expected: &'static str,
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
        "`{learner}` finds no input column in table `{table}`; every column is the target, an id or ignored (`--role COLUMN=input` changes that)"
    )]
    NoInputs {
        /// The learner.
        learner: &'static str,
        /// The table.
        table: String,
    },
    /// A column of a type the learner cannot look at.
    #[error(
        "`{learner}` cannot use column `{column}`, a `{found}`: it reads {expected}; leave it out with `--ignore {column}`"
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
    /// A constraint that is not in the language of constraints.
    #[error(
        "expected {expected} at column {column} of the constraints, found {found}{}",
        did_you_mean(nearest)
    )]
    ConstraintSyntax {
        /// Where, in characters from 1.
        column: usize,
        /// What could stand there.
        expected: String,
        /// What does.
        found: String,
        /// What was perhaps meant.
        nearest: Option<String>,
    },
    /// A constraint that `not` stands before and whose contrary is none.
    #[error(
        "the `not` before `{constraint}` at column {column} of the constraints has no meaning: only `uses` can be denied"
    )]
    ConstraintNegation {
        /// Where the constraint stands, in characters from 1.
        column: usize,
        /// The constraint.
        constraint: String,
    },
    /// A constraint on an attribute that is no input.
    #[error(
        "unknown attribute `{name}` at column {column} of the constraints{}",
        did_you_mean(nearest)
    )]
    ConstraintAttribute {
        /// What was written.
        name: String,
        /// Where, in characters from 1.
        column: usize,
        /// What was perhaps meant.
        nearest: Option<String>,
    },
    /// Constraints that are too many conjunctions when written without parentheses.
    #[error("the constraints, without parentheses, are more than {limit} alternatives")]
    ConstraintAlternatives {
        /// How many are allowed.
        limit: usize,
    },
    /// Constraints that no tree meets, or that the search found no tree for.
    #[error("infeasible: `{constraints}`: {reason}")]
    Infeasible {
        /// The constraints.
        constraints: String,
        /// Which of them do not hold, or cannot, and why.
        reason: String,
    },
    /// A partial tree that cannot be read.
    #[error(
        "{file}, line {line}, column {column}: expected {expected}, found {found}{}",
        did_you_mean(nearest)
    )]
    Sketch {
        /// The file.
        file: String,
        /// The line, from 1.
        line: usize,
        /// Where in the line, in characters from 1.
        column: usize,
        /// What could stand there.
        expected: String,
        /// What does.
        found: String,
        /// What was perhaps meant.
        nearest: Option<String>,
    },
    /// The file of a partial tree cannot be read.
    #[error("cannot read the partial tree `{file}` of `like`: {reason}")]
    SketchFile {
        /// The file.
        file: String,
        /// What the system says.
        reason: String,
    },
    /// The user or the time limit stopped the work.
    #[error("interrupted")]
    Interrupted,
    /// The time limit was reached before there was anything to return.
    #[error("the time limit was reached before the work was done")]
    OutOfTime,
}

impl From<kinwood_values::container::Error> for Error {
    fn from(error: kinwood_values::container::Error) -> Self {
        Error::Values(error.into())
    }
}

/// What this crate's functions return.
pub type Result<T, E = Error> = std::result::Result<T, E>;
