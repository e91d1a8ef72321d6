//! Remedies: what the user can do about an error or a notice.
//!
//! A library cannot know how its user says things: the command has flags, Python has keywords, Rust
//! has fields. So its messages say what is wrong and carry what can be done as a value, and each
//! interface ends the sentence in its own words. The enumeration is complete on purpose: an
//! interface that forgets one does not compile.

use crate::role::Role;
use crate::types::Type;

/// What the user can do about an error or a notice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Remedy {
    /// Leave a column out.
    LeaveOut {
        /// The column.
        column: String,
    },
    /// Give a column another role than the one it has.
    ChangeRole {
        /// The column; none where any will do.
        column: Option<String>,
        /// The role.
        role: Role,
    },
    /// Say that a column is the target, although it looks like an id.
    StateTarget {
        /// The column.
        column: String,
    },
    /// Ignore all columns but one of those with a role that one can have.
    IgnoreOthers,
    /// Give a column another type than the one it has.
    StateType {
        /// The column.
        column: String,
        /// The type.
        of: Type,
    },
    /// Name a target.
    NameTarget,
    /// Name the table that is meant.
    NameTable,
    /// Read a table of the database that is not read.
    ReadTable {
        /// Whether it is in a schema that is not read.
        other_schema: bool,
    },
    /// Read a schema of the database that is not read.
    ReadSchema {
        /// The schema.
        schema: String,
    },
    /// Read no views of the database.
    LeaveOutViews,
    /// Make bags of the rows of a flat table.
    MakeBags,
    /// Divide into so many folds.
    DivideIntoFolds {
        /// How many.
        folds: usize,
    },
    /// Choose one of a set of models.
    ChooseMember,
    /// Look at one of a set of models.
    ShowMember,
    /// Say by when rows see others: by a column of cutoffs, or a date.
    StateCutoff,
    /// Say in a schema when the rows of a table are.
    StateTime {
        /// The table; none where any will do.
        table: Option<String>,
    },
    /// Choose other rows than those that a condition kept with a model chooses.
    ChooseRows,
    /// Have SQL leave rows unanswered in which a needed value is missing.
    AnswerKnown,
}
