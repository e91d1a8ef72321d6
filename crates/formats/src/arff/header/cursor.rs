//! A cursor over the header: words, quoted names, lists in braces.

use std::borrow::Cow;

use crate::arff::document::{Document, found_at, quote};
use crate::arff::quote::quoted;
use crate::error::{Error, Result};

pub(super) struct Cursor<'a> {
    pub(super) document: &'a Document<'a>,
    pub(super) at: usize,
}

/// A value of a list, with the commas before it.
struct Word<'a> {
    text: Cow<'a, str>,
    start: usize,
    end: usize,
    quoted: bool,
    commas: usize,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(document: &'a Document<'a>) -> Self {
        Self { document, at: 0 }
    }

    pub(super) fn peek(&self) -> Option<u8> {
        self.document.text.as_bytes().get(self.at).copied()
    }

    /// Steps over blanks of the line.
    pub(super) fn skip_blanks(&mut self) {
        while self
            .peek()
            .is_some_and(|byte| byte <= b' ' && byte != b'\n' && byte != b'\r')
        {
            self.at += 1;
        }
    }

    /// Steps over blanks, line ends and comments.
    pub(super) fn skip_lines(&mut self) {
        while let Some(byte) = self.peek() {
            match byte {
                b'%' => self.skip_to_line_end(),
                0..=b' ' => self.at += 1,
                _ => break,
            }
        }
    }

    /// Whether nothing but a comment is left of the line.
    pub(super) fn at_line_end(&self) -> bool {
        matches!(self.peek(), None | Some(b'\n' | b'\r' | b'%'))
    }

    pub(super) fn skip_to_line_end(&mut self) {
        let bytes = self.document.text.as_bytes();
        self.at =
            memchr::memchr2(b'\n', b'\r', &bytes[self.at..]).map_or(bytes.len(), |n| self.at + n);
    }

    /// Steps over the line and its end.
    pub(super) fn skip_rest_of_line(&mut self) {
        self.at = self.document.line_at(self.at).1;
    }

    /// What stands up to the next blank or one of the stops, possibly nothing.
    pub(super) fn word(&mut self, stops: &[u8]) -> &'a str {
        let start = self.at;
        while self
            .peek()
            .is_some_and(|byte| byte > b' ' && !stops.contains(&byte))
        {
            self.at += 1;
        }
        &self.document.text[start..self.at]
    }

    /// A quoted text or a word.
    pub(super) fn name(&mut self, stops: &[u8]) -> Result<Cow<'a, str>> {
        match self.peek() {
            Some(b'\'' | b'"') => self.quoted(),
            _ => Ok(Cow::Borrowed(self.word(stops))),
        }
    }

    fn quoted(&mut self) -> Result<Cow<'a, str>> {
        let Some((text, after)) = quoted(self.document.text, self.at) else {
            let mark = if self.peek() == Some(b'"') { '"' } else { '\'' };
            let expected = format!("a closing `{mark}` for this quote");
            let found = "the end of the line".to_owned();
            return Err(self.document.fail(self.at, expected, found));
        };
        self.at = after;
        Ok(text)
    }

    /// What stands here, for a message.
    pub(super) fn found(&self) -> String {
        found_at(self.document.text, self.at)
    }

    pub(super) fn unexpected(&self, expected: &str) -> Error {
        self.document.fail(self.at, expected, self.found())
    }

    /// The values of `{a, 'b c', d}`, over several lines if need be. Blanks separate where no comma
    /// does.
    pub(super) fn braces(&mut self) -> Result<Vec<Cow<'a, str>>> {
        let (words, commas) = self.words()?;
        if commas == 0 {
            return Ok(words.into_iter().map(|word| word.text).collect());
        }
        let mut values: Vec<Cow<'a, str>> = Vec::new();
        for value in words.chunk_by(|a, b| a.commas == b.commas) {
            match value {
                [word] => values.push(word.text.clone()),
                [first, .., last] => {
                    if let Some(place) = value.iter().position(|word| word.quoted) {
                        let at = value[place.max(1)].start;
                        let found = found_at(self.document.text, at);
                        return Err(self.document.fail(at, "`,` or `}`", found));
                    }
                    let span = &self.document.text[first.start..last.end];
                    values.push(match span.contains(['\n', '\r']) {
                        false => Cow::Borrowed(span),
                        true => {
                            let words: Vec<&str> = value.iter().map(|word| &*word.text).collect();
                            Cow::Owned(words.join(" "))
                        }
                    });
                }
                [] => {}
            }
        }
        Ok(values)
    }

    /// The words of a list, and its number of commas.
    fn words(&mut self) -> Result<(Vec<Word<'a>>, usize)> {
        let open = self.at;
        let unclosed = |found: String| {
            self.document
                .fail(open, "a closing `}` for this `{`", found)
        };
        let mut words = Vec::new();
        let mut commas = 0;
        let mut cursor = Cursor {
            document: self.document,
            at: open + 1,
        };
        loop {
            cursor.skip_lines();
            let start = cursor.at;
            let quoted = matches!(cursor.peek(), Some(b'\'' | b'"'));
            let text = match cursor.peek() {
                None => return Err(unclosed("the end of the file".to_owned())),
                Some(b'}') => break,
                Some(b'{') => return Err(cursor.unexpected("`,` or `}`")),
                Some(b',') => {
                    commas += 1;
                    cursor.at += 1;
                    continue;
                }
                Some(b'\'' | b'"') => cursor.quoted()?,
                Some(b'@') => {
                    let word = cursor.word(b",}{");
                    let keyword = ["@attribute", "@data", "@end"];
                    if keyword.iter().any(|name| word.eq_ignore_ascii_case(name)) {
                        return Err(unclosed(quote(word)));
                    }
                    Cow::Borrowed(word)
                }
                Some(_) => Cow::Borrowed(cursor.word(b",}{")),
            };
            words.push(Word {
                text,
                start,
                end: cursor.at,
                quoted,
                commas,
            });
        }
        self.at = cursor.at + 1;
        Ok((words, commas))
    }
}
