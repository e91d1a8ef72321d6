//! What facts do not have that a schema declares.

use kinwood_values::notice::counted;
use kinwood_values::suggest::did_you_mean;

/// What a schema's `[facts]` asks for and the facts do not have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FactsFault {
    /// A text that is no rule.
    #[error("expected {expected}, found {found}")]
    Rule {
        /// What could have stood there.
        expected: String,
        /// What stands there.
        found: String,
    },
    /// A predicate without facts.
    #[error("there are no facts `{predicate}` of {}{}", counted(*arity, "argument"), did_you_mean(nearest))]
    UnknownPredicate {
        /// Its name.
        predicate: String,
        /// Its number of arguments.
        arity: usize,
        /// The nearest name that has facts.
        nearest: Option<String>,
    },
    /// A predicate whose facts have other numbers of arguments.
    #[error(
        "there are no facts `{predicate}` of {}: those of that name have {}",
        counted(*expected, "argument"),
        found.iter().map(usize::to_string).collect::<Vec<_>>().join(" and ")
    )]
    OtherArity {
        /// Its name.
        predicate: String,
        /// The number of arguments that the rule or pattern has.
        expected: usize,
        /// Those that facts of the name have.
        found: Vec<usize>,
    },
}
