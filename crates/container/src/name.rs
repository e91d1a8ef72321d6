//! The rule for section names, the same for writer and reader.

use thiserror::Error;

/// The longest name in bytes; nested models stay far below it.
pub(crate) const LONGEST_NAME: usize = 1024;

/// How a section name breaks the rule: one or more segments joined by `/`, none empty, no control
/// characters, at most 1024 bytes of UTF-8.
///
/// Names are chosen by programs, not by users: what a user names (columns, classes) belongs into
/// the content of a section.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum NameFault {
    /// The name, or a part of it between slashes, has no characters.
    #[error("has an empty segment")]
    EmptySegment,
    /// The name has more than 1024 bytes.
    #[error("is longer than {LONGEST_NAME} bytes")]
    TooLong,
    /// The name could not be shown in a message as it is.
    #[error("has a control character")]
    ControlCharacter,
    /// The name's bytes are not text.
    #[error("is not valid UTF-8")]
    Utf8,
}

/// Refuses a name that breaks the rule.
pub(crate) fn check(name: &str) -> Result<(), NameFault> {
    if name.len() > LONGEST_NAME {
        Err(NameFault::TooLong)
    } else if name.split('/').any(str::is_empty) {
        Err(NameFault::EmptySegment)
    } else if name.chars().any(char::is_control) {
        Err(NameFault::ControlCharacter)
    } else {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rule_is_checked() {
        assert_eq!(check("a"), Ok(()));
        assert_eq!(check("forest/0/größe"), Ok(()));
        for name in ["", "/", "a//b", "/a", "a/"] {
            assert_eq!(check(name), Err(NameFault::EmptySegment), "{name:?}");
        }
        assert_eq!(check("a\nb"), Err(NameFault::ControlCharacter));
        assert_eq!(check(&"a".repeat(LONGEST_NAME)), Ok(()));
        assert_eq!(
            check(&"a".repeat(LONGEST_NAME + 1)),
            Err(NameFault::TooLong)
        );
    }
}
