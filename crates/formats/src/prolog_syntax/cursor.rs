//! Where a source is read: its characters, the text and place of the last token, and errors that
//! name the place.

use super::characters::{Characters, Encoding};
use crate::error::{Error, Result};
use crate::source::Source;

/// Where something begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Spot {
    pub line: u64,
    pub column: u64,
}

/// A source while its tokens are read.
pub(crate) struct Tokens<'a> {
    pub source: &'a Source,
    pub(crate) characters: Characters,
    /// The text of the last token, if it has one.
    pub text: String,
    /// Where the last token begins.
    pub spot: Spot,
    /// Whether the last token stands right behind the one before it.
    pub attached: bool,
    /// Where the clause begins in which the last token is.
    pub clause: Spot,
}

impl<'a> Tokens<'a> {
    /// The source from its beginning.
    pub fn new(source: &'a Source, encoding: Encoding) -> Result<Self> {
        let start = Spot { line: 1, column: 1 };
        Ok(Self {
            source,
            characters: Characters::new(source, encoding)?,
            text: String::new(),
            spot: start,
            attached: false,
            clause: start,
        })
    }

    /// Where the next character stands.
    pub(crate) fn here(&self) -> Spot {
        Spot {
            line: self.characters.line,
            column: self.characters.column,
        }
    }

    /// The error of a source that ends too early; what begins at `spot` is not complete.
    pub fn cut_off(&mut self, spot: Spot, expected: &str) -> Error {
        match self.characters.failure() {
            Some(failure) => self.source.failed(failure),
            None => self.unexpected(spot, expected, "the end of the file".to_owned()),
        }
    }

    /// The error that something else was expected.
    pub fn unexpected(&self, spot: Spot, expected: &str, found: String) -> Error {
        Error::Syntax {
            file: self.source.name().to_owned(),
            line: spot.line,
            column: spot.column,
            expected: expected.to_owned(),
            found,
            nearest: None,
        }
    }
}

/// The beginning of a long text, for messages.
pub(crate) fn excerpt(text: &str) -> String {
    const SHOWN: usize = 60;
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
