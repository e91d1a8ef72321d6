//! Notices: what was decided without being asked, so that it can be told and overruled.

use std::fmt;

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

/// Something decided, converted or skipped without being asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    message: String,
}

impl Notice {
    /// A notice in one sentence, lower case, without a full stop.
    pub fn new(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
        }
    }

    /// The sentence.
    pub fn message(&self) -> &str {
        &self.message
    }
}

impl fmt::Display for Notice {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}
