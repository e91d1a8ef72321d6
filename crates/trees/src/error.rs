//! What can go wrong with the constraints that a user puts on trees.

use kinwood_values::suggest::did_you_mean;

/// What only a tree learner can have to complain of. Functions return the error of all learners,
/// which carries it.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum TreeError {
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
    /// All trees are wanted, and they have no bound.
    #[error("there are endlessly many trees: bound their size or depth to have all of them")]
    UnboundedTrees,
    /// All trees are wanted, and there are too many.
    #[error(
        "there are about {estimate:.3e} trees of at most {size} nodes, and at most {most} are enumerated: bound size or depth more, or let leaves have more examples"
    )]
    TooManyTrees {
        /// About how many there are.
        estimate: f64,
        /// How many may be.
        most: usize,
        /// The most nodes of one.
        size: usize,
    },
    /// The file of a partial tree cannot be read.
    #[error("cannot read the partial tree `{file}` of `like`: {reason}")]
    SketchFile {
        /// The file.
        file: String,
        /// What the system says.
        reason: String,
    },
}

impl From<TreeError> for kinwood_learning::Error {
    fn from(error: TreeError) -> Self {
        Self::Own {
            error: Box::new(error),
            remedy: None,
        }
    }
}

/// What functions return that complain of constraints only.
pub(crate) type Result<T, E = TreeError> = std::result::Result<T, E>;
