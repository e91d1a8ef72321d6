//! Models as SQL: expressions over the columns of a table, which SQLite and PostgreSQL read the
//! same.

use kinwood_similarity::sql::Refused;
use kinwood_values::Remedy;

pub use kinwood_values::sql::{double, identifier, moment, number, numeric, text, textual};

/// What expressions are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    /// What is predicted of each target.
    Answers,
    /// What is predicted, and the share of each class.
    Shares,
    /// What is predicted, and nothing (`NULL`) where a value is missing that the prediction needs:
    /// shorter than the answers.
    Known,
}

/// An expression over the columns of a table, and the name of what it says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expression {
    /// The name, as the heading of predictions has it.
    pub name: String,
    /// The expression.
    pub sql: String,
}

/// By when objects see rows of other tables.
#[derive(Clone, Debug, PartialEq)]
pub struct Seen {
    /// By when.
    pub cutoff: CutoffIn,
    /// Nothing of this long before the cutoff is seen.
    pub gap: f64,
    /// Nothing older than this, counted back from the cutoff, is seen.
    pub window: Option<f64>,
    /// Whether times are dates, and lengths milliseconds; else both are numbers.
    pub dates: bool,
    /// By table of the model's schema.
    pub tables: Vec<TableSeen>,
}

/// Where cutoffs are.
#[derive(Clone, Debug, PartialEq)]
pub enum CutoffIn {
    /// In a column of the objects' table.
    Column(String),
    /// It is the same for all.
    At(f64),
}

/// When the rows of a table are seen.
#[derive(Clone, Debug, PartialEq)]
pub struct TableSeen {
    /// The table in the database: a table of past targets is the objects' own.
    pub name: String,
    /// The columns since when and until when its rows are there.
    pub time: Option<(String, Option<String>)>,
    /// How much later they are known.
    pub later: f64,
    /// Columns of which one must be known.
    pub known: Vec<String>,
}

/// Why a model cannot be written as SQL.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Gap {
    /// Several trees answer together.
    #[error("{trees} trees answer together and only one can be written: choose it")]
    Several {
        /// How many.
        trees: usize,
    },
    /// The probabilities of the model are put right by curves.
    #[error("its probabilities are put right by curves: fit it without `calibrate`")]
    Calibrated,
    /// The model is of a table that linked tables were flattened to.
    #[error(
        "it was fitted with flatten={flatten}, on columns of linked tables that its own table does not have"
    )]
    Flattened {
        /// The kind of flattening.
        flatten: &'static str,
    },
    /// An aggregate of linked rows that databases do not compute alike.
    #[error(
        "it looks at `{name}`, which SQLite and PostgreSQL have no common expression for: leave such aggregates out by the setting `aggregates`"
    )]
    Aggregate {
        /// Its name.
        name: String,
    },
    /// The target is of a kind that SQL has no value for.
    #[error("the target `{target}` is {kind}, which SQL has no value for")]
    Target {
        /// The target.
        target: String,
        /// What it is, with an article.
        kind: &'static str,
    },
    /// A time in a model tree or a relational tree, which write values wherever they need them:
    /// what reads a time in any database is too long for that.
    #[error("it tests the time `{column}`, and databases do not agree on how times are written")]
    Moment {
        /// The column.
        column: String,
    },
    /// A test by prototypes whose distance cannot be written.
    #[error("it compares `{column}` with prototypes, and {why}")]
    Prototypes {
        /// The column.
        column: String,
        /// Why the distance cannot be written.
        why: Refused,
    },
    /// A column of a type that no column of SQL holds.
    #[error("it looks at `{column}`, which is neither a number nor a label")]
    Column {
        /// The column.
        column: String,
    },
    /// A test on what a structured value contains that SQL cannot ask alike everywhere.
    #[error(
        "it asks of `{column}` {what}, which SQLite and PostgreSQL have no common expression for"
    )]
    Contents {
        /// The column.
        column: String,
        /// What is asked.
        what: &'static str,
    },
    /// A label that SQL has no way to write.
    #[error("the label {label:?} has a character of code 0, which PostgreSQL cannot hold")]
    Character {
        /// The label.
        label: String,
    },
    /// Rows of the objects' table that have no key, where an object sees itself and not others of
    /// its time.
    #[error(
        "its objects see rows of `{table}` by time and themselves at any, and `{table}` has no key to tell them apart"
    )]
    Itself {
        /// The table.
        table: String,
    },
    /// Tests too far below each other.
    #[error(
        "it has {found} tests below each other, and databases take {most}; a tree fitted with a `depth` is not so deep"
    )]
    Deep {
        /// How many there are.
        found: usize,
        /// How many there may be.
        most: usize,
    },
    /// More of something than databases take.
    #[error(
        "it has {found} {what}, and databases take {most} where rows with missing values are to be answered; \
         a tree fitted with a `size` is smaller"
    )]
    Large {
        /// Of what.
        what: &'static str,
        /// How many there are.
        found: usize,
        /// How many there may be.
        most: usize,
    },
}

impl Gap {
    /// What the user can do about it, for an interface to word.
    pub fn remedy(&self) -> Option<Remedy> {
        match self {
            Gap::Several { .. } => Some(Remedy::ChooseMember),
            Gap::Large { .. } => Some(Remedy::AnswerKnown),
            _ => None,
        }
    }
}
