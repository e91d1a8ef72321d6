//! What can go wrong, from the file to the prediction.

use kinwood_container::reason;
use kinwood_values::Remedy;
use kinwood_values::notice::counted;
use kinwood_values::suggest::did_you_mean;

/// What can go wrong, from the file to the prediction.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file cannot be read or does not hold what it should.
    #[error(transparent)]
    Formats(#[from] kinwood_formats::Error),
    /// Values, tables or keys do not hold together.
    #[error(transparent)]
    Values(#[from] kinwood_values::Error),
    /// A model file is damaged, or is none.
    #[error(transparent)]
    Container(#[from] kinwood_container::Error),
    /// A learner cannot do what it was asked.
    #[error(transparent)]
    Learners(#[from] kinwood_learners::Error),
    /// What went wrong in a kernel machine.
    #[error(transparent)]
    Machines(#[from] kinwood_machines::Error),
    /// An evaluation could not be run.
    #[error(transparent)]
    Evaluation(#[from] kinwood_evaluation::run::RunError),
    /// A splitting plan that does not fit the data.
    #[error(transparent)]
    Plan(#[from] kinwood_evaluation::Error),
    /// A CLUS settings file without data.
    #[error("`{file}` names no data: CLUS settings do so by `File = …` in the section `[Data]`")]
    ClusData {
        /// The settings file.
        file: String,
    },
    /// A member that a set of models does not have.
    #[error("there is no member {member}: the model has {}, counted from 1", counted(*members, "member"))]
    NoMember {
        /// What was asked for.
        member: usize,
        /// How many there are.
        members: usize,
    },
    /// A set whose models are not models of their own.
    #[error("the models inside of a `{learner}` model cannot be used alone")]
    Inseparable {
        /// The learner, with how it looks at the data where that is why.
        learner: String,
    },
    /// A model without trees is to be drawn.
    #[error(
        "a `{learner}` model has no tree to draw; what can be drawn are the trees, forests and beams of learners such as `tree`"
    )]
    NoTrees {
        /// The learner.
        learner: String,
    },
    /// Nobody said what to predict.
    #[error("no target is named; {candidates}: name one")]
    NoTarget {
        /// Columns that could be it.
        candidates: String,
    },
    /// A column that is in no table, or in several.
    #[error("unknown column `{column}`{}", place(nearest, tables))]
    UnknownColumn {
        /// What was written.
        column: String,
        /// What was perhaps meant, with its table where there are several.
        nearest: Option<String>,
        /// The tables looked in.
        tables: Vec<String>,
    },
    /// An object that is not there.
    #[error(
        "there is no object `{name}`{}; objects are named by their key, or by their row from 1",
        did_you_mean(nearest)
    )]
    UnknownObject {
        /// What was written.
        name: String,
        /// What was perhaps meant.
        nearest: Option<String>,
    },
    /// Several tables, and nobody said which one is meant.
    #[error("{}", table_wanted(found, nearest, tables))]
    WhichTable {
        /// What was written.
        found: Option<String>,
        /// What was perhaps meant.
        nearest: Option<String>,
        /// The tables.
        tables: Vec<String>,
    },
    /// More memory than is allowed.
    #[error("{what} needs {needed} bytes, and {allowed} are allowed; {advice}")]
    Memory {
        /// What does.
        what: String,
        /// How much.
        needed: u64,
        /// How much may be.
        allowed: u64,
        /// What can be done.
        advice: &'static str,
    },
    /// A model file that names other targets than its model predicts.
    #[error(
        "the model file is damaged: it names {}, and its model predicts {predicted}",
        counted(*named, "target")
    )]
    OtherTargets {
        /// How many the file names.
        named: usize,
        /// How many the model predicts.
        predicted: usize,
    },
    /// A kernel that places no objects.
    #[error(
        "the kernel `{kernel}` is not symmetric, and only a symmetric one places objects: make it from a distance whose both directions are the same"
    )]
    AsymmetricKernel {
        /// The kernel.
        kernel: String,
    },
    /// A file of a matrix that cannot be written as asked.
    #[error("{0}")]
    MatrixFile(String),
    /// A column name that several tables have.
    #[error("column `{column}` is in several tables: say {}", choices.join(" or "))]
    AmbiguousColumn {
        /// What was written.
        column: String,
        /// The complete names.
        choices: Vec<String>,
    },
    /// Targets in different tables.
    #[error("targets must be in one table; `{first}` and `{second}` are not")]
    TargetTables {
        /// The first target.
        first: String,
        /// The one elsewhere.
        second: String,
    },
    /// A target that names rows.
    #[error("column `{column}` is an id ({because}) and cannot be the target")]
    TargetIsId {
        /// The column.
        column: String,
        /// Why it is an id.
        because: String,
    },
    /// A target named twice.
    #[error("target `{column}` is named twice")]
    RepeatedTarget {
        /// The column.
        column: String,
    },
    /// Two columns with a role that one can have.
    #[error("columns `{first}` and `{second}` both have the role `{role}`")]
    RepeatedRole {
        /// The role.
        role: kinwood_values::Role,
        /// The first column.
        first: String,
        /// The second.
        second: String,
    },
    /// A condition on rows where it is not clear of which table.
    #[error(
        "a condition on rows needs to know their table: name a target, the tables are {tables}"
    )]
    RowsOfWhat {
        /// The tables.
        tables: String,
    },
    /// Bags are made of one flat table.
    #[error("bags are made of one flat table; the tables are {}", tables.join(", "))]
    BagsOfWhat {
        /// The tables.
        tables: Vec<String>,
    },
    /// No row satisfies the condition.
    #[error("no row of `{table}` satisfies `{condition}`")]
    NoRows {
        /// The table.
        table: String,
        /// The condition.
        condition: String,
    },
    /// Rows to measure a model by, without what it should have said of them.
    #[error("the data has no values of the target `{target}`, by which the model is measured")]
    NoTruth {
        /// The target.
        target: String,
    },
    /// A row of which it is not clear what it is for.
    #[error(
        "row {row} has `{found}` in the column `{column}`, expected `train`, `val` or `validation`, or `test`{}",
        did_you_mean(nearest)
    )]
    SplitLabel {
        /// The row, from 1.
        row: usize,
        /// The column.
        column: String,
        /// What it has.
        found: String,
        /// What was perhaps meant.
        nearest: Option<String>,
    },
    /// Rows divided so that there is nothing to learn from, or nothing to test.
    #[error("column `{column}` has no {part} rows")]
    EmptyPart {
        /// What there is none of.
        part: &'static str,
        /// The column.
        column: String,
    },
    /// Rows without cutoffs are to see nothing after an instant.
    #[error("nothing can be frozen where rows have no cutoffs: state by when each row sees")]
    FreezeWithoutCutoff,
    /// What should be the instant after which nothing is seen.
    #[error("`{found}` is no date and no number after which nothing is seen, such as 2010-01-01")]
    FreezeDate {
        /// What was written.
        found: String,
    },
    /// A fold column with a missing value.
    #[error("row {row} has no value in the fold column `{column}`")]
    NoFold {
        /// The row, from 1.
        row: usize,
        /// The column.
        column: String,
    },
    /// A row without a value in a column whose values are to be kept apart.
    #[error("row {row} has no value of `{column}`, by which rows are kept apart")]
    NoObject {
        /// The row, from 1.
        row: usize,
        /// The column.
        column: String,
    },
    /// A row without a value in the column of times.
    #[error("row {row} has no value of `{column}`, by which rows are ordered")]
    NoTime {
        /// The row, from 1.
        row: usize,
        /// The column.
        column: String,
    },
    /// Times that have no order.
    #[error("column `{column}` is a `{found}`; rows are ordered by numeric and datetime columns")]
    TimeType {
        /// The column.
        column: String,
        /// Its type.
        found: String,
    },
    /// Something of time without cutoffs.
    #[error("nobody says by when rows see others: name a column of cutoffs, or a date")]
    NoCutoff,
    /// A cutoff that is neither a column nor an instant.
    #[error("`{found}` is neither a date, such as 2024-12-31, nor a number")]
    NotAnInstant {
        /// What was written.
        found: String,
    },
    /// Cutoffs of another table than that of the rows.
    #[error(
        "the cutoffs of rows of `{table}` are in a column of it, and `{column}` is of another table"
    )]
    CutoffTable {
        /// The column.
        column: String,
        /// The table of the rows.
        table: String,
    },
    /// Cutoffs that are to be predicted.
    #[error("`{column}` cannot be both the target and the cutoff")]
    CutoffIsTarget {
        /// The column.
        column: String,
    },
    /// What is only known later, as an input.
    #[error(
        "`{column}` says until when rows are valid, which is only known later: it cannot be an input"
    )]
    EndIsInput {
        /// The column.
        column: String,
    },
    /// A length of time that is none.
    #[error("a {what} of {found} days cannot be: {}", if *what == "gap" { "0 or more" } else { "more than 0" })]
    Days {
        /// Of what.
        what: &'static str,
        /// What was written.
        found: f64,
    },
    /// Times that cannot be compared with the cutoffs.
    #[error(
        "`{column}` has {found} for times and {cutoffs} is by {expected}: they cannot be compared"
    )]
    OtherTimes {
        /// The column.
        column: String,
        /// What its times are.
        found: &'static str,
        /// The cutoffs.
        cutoffs: String,
        /// What they are.
        expected: &'static str,
    },
    /// A horizon where all rows have one cutoff.
    #[error(
        "all rows see by one date: no target of another row is known by then, whatever the horizon"
    )]
    HorizonOfOneCutoff,
    /// Past targets of a table that refers to no other.
    #[error(
        "`{table}` refers to no other table: no earlier row of it is about the same object, so there are no past targets"
    )]
    NothingPast {
        /// The table.
        table: String,
    },
    /// Something of time that a model was fitted with, or without.
    #[error("the model was fitted {}: its {what} cannot be changed", if *timed { "with cutoffs" } else { "without cutoffs" })]
    TimeKept {
        /// What is to be changed.
        what: &'static str,
        /// Whether the model has cutoffs.
        timed: bool,
    },
    /// A model file whose description is not one.
    #[error("`{file}` is not a model this version can use: {reason}")]
    Model {
        /// The file.
        file: String,
        /// What is wrong.
        reason: String,
    },
    /// The output cannot be written.
    #[error("cannot write `{file}`: {}", reason(source))]
    Write {
        /// The file.
        file: String,
        /// What the system said.
        source: std::io::Error,
    },
    /// Results that cannot be read.
    #[error("cannot read `{file}`: {reason}")]
    ReadResults {
        /// The file, with its line where it has some.
        file: String,
        /// Why.
        reason: String,
    },
    /// A folder that is not one of results.
    #[error("`{folder}` {reason}")]
    ResultsFolder {
        /// The folder.
        folder: String,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// A folder without results where some are wanted.
    #[error("`{folder}` holds no results")]
    NoResults {
        /// The folder.
        folder: String,
    },
    /// Something is wrong with one of several data sets.
    #[error("data set `{name}`: {source}")]
    DataSet {
        /// Its name.
        name: String,
        /// What is wrong with it.
        source: Box<Error>,
    },
    /// A comparison that does not hold together.
    #[error("{place}: {reason}")]
    Comparison {
        /// The study file, or the word of the command line.
        place: String,
        /// What is wrong.
        reason: String,
    },
    /// A sample that does not exist.
    #[error("there is no sample `{sample}`{hint}")]
    Sample {
        /// What was written.
        sample: String,
        /// The samples there are, and the nearest.
        hint: String,
    },
    /// A task over time that does not hold together.
    #[error("the task cannot be made: {reason}")]
    Task {
        /// What is wrong.
        reason: String,
    },
    /// A study that is not right.
    #[error("study `{study}`: {reason}")]
    Study {
        /// The study.
        study: String,
        /// What is wrong.
        reason: String,
    },
    /// A study whose data is not there.
    #[error(
        "study `{study}`: {} data files are not in `{folder}`:\n  {}",
        lacking.len(),
        lacking.join("\n  ")
    )]
    StudyData {
        /// The study.
        study: String,
        /// Where the data was looked for.
        folder: String,
        /// The files, each with where it comes from.
        lacking: Vec<String>,
    },
}

fn place(nearest: &Option<String>, tables: &[String]) -> String {
    match (nearest, tables) {
        (Some(_), [table]) => format!(" in table `{table}`{}", did_you_mean(nearest)),
        (Some(_), _) => did_you_mean(nearest),
        (None, tables) => format!(" (tables: {})", tables.join(", ")),
    }
}

impl Error {
    /// Whether the user stopped the work.
    pub fn interrupted(&self) -> bool {
        use kinwood_evaluation::run::RunError;
        matches!(
            self,
            Error::Learners(kinwood_learners::Error::Interrupted)
                | Error::Evaluation(RunError::Learner(kinwood_learners::Error::Interrupted))
                | Error::Formats(kinwood_formats::Error::Halted {
                    halted: kinwood_formats::Halted::Interrupted,
                    ..
                })
        )
    }

    /// What the user can do about it: an interface ends the message with it, in its own words.
    pub fn remedy(&self) -> Option<Remedy> {
        match self {
            Error::Formats(error) => error.remedy(),
            Error::Learners(error) => error.remedy(),
            Error::Evaluation(error) => error.remedy(),
            Error::Plan(error) => error.remedy(),
            Error::DataSet { source, .. } => source.remedy(),
            Error::NoTarget { .. } => Some(Remedy::NameTarget),
            Error::NoCutoff => Some(Remedy::StateCutoff),
            Error::WhichTable { found: None, .. } => Some(Remedy::NameTable),
            Error::TargetIsId { column, .. } => Some(Remedy::StateTarget {
                column: column.clone(),
            }),
            Error::RepeatedRole { .. } => Some(Remedy::IgnoreOthers),
            _ => None,
        }
    }
}

/// What this crate's functions return.
pub type Result<T, E = Error> = std::result::Result<T, E>;

fn table_wanted(found: &Option<String>, nearest: &Option<String>, tables: &[String]) -> String {
    let tables = tables.join(", ");
    match (found, nearest) {
        (Some(found), Some(_)) => format!("there is no table `{found}`{}", did_you_mean(nearest)),
        (Some(found), None) => format!("there is no table `{found}` (tables: {tables})"),
        (None, _) => format!("the data has several tables, {tables}: name one"),
    }
}
