//! Places in a file: byte positions while reading, lines and columns in messages.

use kinwood_values::suggest;

use crate::error::Error;

/// The decoded text of a file, under its name.
pub(super) struct Document<'a> {
    pub(super) file: &'a str,
    pub(super) text: &'a str,
}

impl<'a> Document<'a> {
    /// Something else than expected at a byte position.
    pub(super) fn fail(&self, at: usize, expected: impl Into<String>, found: String) -> Error {
        self.fail_near(at, expected.into(), found, None)
    }

    pub(super) fn fail_near(
        &self,
        at: usize,
        expected: String,
        found: String,
        nearest: Option<String>,
    ) -> Error {
        let (line, column) = self.position(at);
        Error::Syntax {
            file: self.file.to_owned(),
            line,
            column,
            expected,
            found,
            nearest,
        }
    }

    /// Line and character of a byte position, both from 1.
    pub(super) fn position(&self, at: usize) -> (u64, u64) {
        let before = &self.text.as_bytes()[..at];
        let mut line = 1;
        let mut start = 0;
        for end in memchr::memchr2_iter(b'\n', b'\r', before) {
            // The first byte of `\r\n` ends no line of its own.
            if before[end] == b'\n' || self.text.as_bytes().get(end + 1) != Some(&b'\n') {
                line += 1;
                start = end + 1;
            }
        }
        (line, self.text[start..at].chars().count() as u64 + 1)
    }

    /// The line that begins at a byte position, without its end, and where the next one begins.
    pub(super) fn line_at(&self, start: usize) -> (Line<'_>, usize) {
        let bytes = self.text.as_bytes();
        let end =
            memchr::memchr2(b'\n', b'\r', &bytes[start..]).map_or(bytes.len(), |end| start + end);
        let next = match bytes.get(end) {
            Some(b'\r') if bytes.get(end + 1) == Some(&b'\n') => end + 2,
            Some(_) => end + 1,
            None => end,
        };
        let line = Line {
            text: &self.text[start..end],
            place: Place::File {
                document: self,
                start,
            },
        };
        (line, next)
    }
}

/// A line of the file, or of the text of a bag inside of a line.
#[derive(Clone, Copy)]
pub(super) struct Line<'a> {
    pub(super) text: &'a str,
    pub(super) place: Place<'a>,
}

/// Where a line stands.
#[derive(Clone, Copy)]
pub(super) enum Place<'a> {
    File {
        document: &'a Document<'a>,
        start: usize,
    },
    /// The text of a bag is unescaped: places in it can only be told by its row and by where the
    /// bag stands.
    Bag {
        outer: &'a Line<'a>,
        at: usize,
        bag: &'a str,
        row: usize,
    },
}

impl Line<'_> {
    /// Something else than expected at a byte of the line.
    pub(super) fn fail(&self, at: usize, expected: impl Into<String>, found: String) -> Error {
        self.fail_near(at, expected.into(), found, None)
    }

    pub(super) fn fail_near(
        &self,
        at: usize,
        expected: String,
        found: String,
        nearest: Option<String>,
    ) -> Error {
        match self.place {
            Place::File { document, start } => {
                document.fail_near(start + at, expected, found, nearest)
            }
            Place::Bag {
                outer,
                at,
                bag,
                row,
            } => {
                let expected = format!("{expected} in row {row} of `{bag}`");
                outer.fail_near(at, expected, found, nearest)
            }
        }
    }

    /// Another number of cells than expected.
    pub(super) fn ragged(&self, found: usize, expected: usize, hint: &str) -> Error {
        match self.place {
            Place::File { document, start } => Error::Ragged {
                file: document.file.to_owned(),
                line: document.position(start).0,
                found,
                expected,
                hint: hint.to_owned(),
            },
            Place::Bag {
                outer, bag, row, ..
            } => outer.ragged(found, expected, &format!(" in row {row} of `{bag}`{hint}")),
        }
    }

    /// The name of the file the line is of.
    pub(super) fn file(&self) -> &str {
        match self.place {
            Place::File { document, .. } => document.file,
            Place::Bag { outer, .. } => outer.file(),
        }
    }

    /// Whether the line ends where the file ends.
    pub(super) fn ends_file(&self) -> bool {
        match self.place {
            Place::File { document, start } => start + self.text.len() == document.text.len(),
            Place::Bag { .. } => false,
        }
    }
}

/// A text for a message: in backticks, long ones shortened.
pub(super) fn quote(text: &str) -> String {
    const SHOWN: usize = 40;
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("`{}…`", &text[..end]),
        None => format!("`{text}`"),
    }
}

/// The word at a byte of a line, for a message.
pub(super) fn found_at(text: &str, at: usize) -> String {
    let rest = &text[at..];
    let end = rest
        .find(['\n', '\r'])
        .map_or(rest, |end| &rest[..end])
        .trim_end();
    let Some(first) = end.chars().next() else {
        return "the end of the line".to_owned();
    };
    let word = end
        .find(|c: char| c.is_ascii_whitespace() || ",{}%".contains(c))
        .filter(|&length| length > 0)
        .map_or(end, |length| &end[..length]);
    if ",{}%".contains(first) {
        quote(&first.to_string())
    } else {
        quote(word)
    }
}

/// The nearest of the names. Long texts are nobody's typing error, and comparing them would take
/// long.
pub(super) fn nearest<'a>(wrong: &str, names: impl Iterator<Item = &'a str>) -> Option<String> {
    const LONGEST: usize = 100;
    if wrong.len() > LONGEST {
        return None;
    }
    suggest::nearest(wrong, names.filter(|name| name.len() <= LONGEST))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_line_end_counts_once() {
        let document = Document {
            file: "f",
            text: "a\nb\r\nc\rd\n\né!",
        };
        let places: Vec<(u64, u64)> = ["a", "b", "c", "d", "!"]
            .map(|letter| document.position(document.text.find(letter).unwrap()))
            .to_vec();
        assert_eq!(places, [(1, 1), (2, 1), (3, 1), (4, 1), (6, 2)]);
        let (mut at, mut lines) = (0, Vec::new());
        while at < document.text.len() {
            let (line, next) = document.line_at(at);
            lines.push(line.text);
            at = next;
        }
        assert_eq!(lines, ["a", "b", "c", "d", "", "é!"]);
    }

    #[test]
    fn words_are_shown_and_long_ones_cut() {
        assert_eq!(found_at("a bc,d", 2), "`bc`");
        assert_eq!(found_at("a,b", 1), "`,`");
        assert_eq!(found_at("ab", 2), "the end of the line");
        assert_eq!(
            found_at(&"é".repeat(50), 0),
            format!("`{}…`", "é".repeat(40))
        );
    }

    #[test]
    fn long_texts_are_not_compared() {
        let long = "x".repeat(101);
        assert_eq!(nearest(&long, [long.as_str()].into_iter()), None);
        assert_eq!(nearest("xy", ["xyz"].into_iter()), Some("xyz".into()));
    }
}
