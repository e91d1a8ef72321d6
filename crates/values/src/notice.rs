//! Notices: what was decided without being asked, so that it can be told and overruled.

use std::fmt;

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
