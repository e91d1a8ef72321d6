//! What a column is for, and what it is for when nobody has said.

use std::fmt;
use std::str::FromStr;

use crate::error::Error;
use crate::suggest::nearest;

/// What a column is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Role {
    /// Learners may look at it.
    Input,
    /// It names rows; learners do not look at it, predictions repeat it.
    Id,
    /// Nobody looks at it.
    Ignore,
    /// How much a row counts.
    Weight,
    /// Rows with the same value stay on one side of a split.
    Group,
    /// The fold a row is tested in.
    Fold,
    /// To be predicted.
    Target,
    /// Whether what a numeric target is the time of has happened: 0, false, no or censored where
    /// it has not.
    Event,
    /// By when a row sees others: nothing that was known later.
    Cutoff,
}

impl Role {
    /// Every role, in the order they are explained.
    pub const ALL: [Role; 9] = [
        Role::Input,
        Role::Id,
        Role::Ignore,
        Role::Weight,
        Role::Group,
        Role::Fold,
        Role::Target,
        Role::Event,
        Role::Cutoff,
    ];

    /// The name used in schema files and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Role::Input => "input",
            Role::Id => "id",
            Role::Ignore => "ignore",
            Role::Weight => "weight",
            Role::Group => "group",
            Role::Fold => "fold",
            Role::Target => "target",
            Role::Event => "event",
            Role::Cutoff => "cutoff",
        }
    }
}

impl fmt::Display for Role {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.name())
    }
}

impl FromStr for Role {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        Role::ALL
            .into_iter()
            .find(|role| role.name() == text)
            .ok_or_else(|| Error::UnknownRole {
                role: text.to_owned(),
                nearest: nearest(text, Role::ALL.map(Role::name)),
                valid: Role::ALL.map(Role::name).join(", "),
            })
    }
}
