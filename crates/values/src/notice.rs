//! Notices: what was decided without being asked, so that it can be told and overruled.

use std::fmt;

use crate::remedy::Remedy;

/// So many things, in words that fit one of them too.
///
/// ```
/// use kinwood_values::notice::counted;
/// assert_eq!(counted(1, "row"), "1 row");
/// assert_eq!(counted(3, "row"), "3 rows");
/// ```
pub fn counted(count: usize, thing: &str) -> String {
    match count {
        1 => format!("1 {thing}"),
        _ => format!("{count} {thing}s"),
    }
}

/// What a notice is about, so that interfaces can group notices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum NoticeKind {
    /// Which files are read, and how their bytes and lines are.
    File,
    /// What columns are, or what their values became.
    Type,
    /// Which keys there are, and where they lead nowhere.
    Key,
    /// A key that nobody declared and that the values suggest.
    InferredKey,
    /// A role that nobody stated and that the values suggest.
    InferredRole,
    /// What is left out of what is read.
    LeftOut,
    /// What a written file cannot hold.
    Loss,
    /// Anything else.
    #[default]
    Other,
}

/// Something decided, converted or skipped without being asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    kind: NoticeKind,
    message: String,
    remedy: Option<Remedy>,
}

impl Notice {
    /// A notice in one sentence, lower case, without a full stop.
    pub fn new(message: impl Into<String>) -> Self {
        Self::about(NoticeKind::Other, message)
    }

    /// A notice of a kind, in one such sentence.
    pub fn about(kind: NoticeKind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
            remedy: None,
        }
    }

    /// The same notice with what the user can do about it.
    pub fn with_remedy(self, remedy: Remedy) -> Self {
        Self {
            remedy: Some(remedy),
            ..self
        }
    }

    /// What it is about.
    pub fn kind(&self) -> NoticeKind {
        self.kind
    }

    /// The sentence.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// What the user can do about it, for an interface to word.
    pub fn remedy(&self) -> Option<&Remedy> {
        self.remedy.as_ref()
    }
}

impl fmt::Display for Notice {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}
