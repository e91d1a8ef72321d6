//! What can be wrong with a line of a CLUS settings file.

use kinwood_values::suggest::did_you_mean;

/// What is wrong with a line of a settings file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ClusFault {
    /// Neither a section nor a setting.
    #[error("expected `[Section]` or `Key = Value`, found `{0}`")]
    Line(String),
    /// A setting before the first section.
    #[error("the setting `{0}` stands in no section")]
    NoSection(String),
    /// A section that CLUS does not have.
    #[error("CLUS has no section `[{name}]`{}", did_you_mean(nearest))]
    Section {
        /// What was written.
        name: String,
        /// What was perhaps meant.
        nearest: Option<String>,
    },
    /// A key that CLUS does not have there.
    #[error(
        "the section `[{section}]` has no key `{key}`{}",
        did_you_mean(nearest)
    )]
    Key {
        /// The section.
        section: &'static str,
        /// What was written.
        key: String,
        /// What was perhaps meant.
        nearest: Option<String>,
    },
    /// A key given twice.
    #[error("`{key}` was given in line {first} already")]
    Repeated {
        /// The key.
        key: String,
        /// Where it was given first.
        first: usize,
    },
    /// A value that the key cannot have.
    #[error(
        "`{key}` cannot be `{value}`: expected {expected}{}",
        did_you_mean(nearest)
    )]
    Value {
        /// The key.
        key: String,
        /// What was written.
        value: String,
        /// What it may be.
        expected: String,
        /// What was perhaps meant.
        nearest: Option<String>,
    },
}
