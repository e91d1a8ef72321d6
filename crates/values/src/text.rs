//! What all text forms share: one error with positions, one scanner, one way to quote.
//!
//! Types, trees and terms are small languages with the same tokens (words, quotes, brackets), so
//! that a user learns one rule: a name that could be misread stands in `'…'`, and a quote inside is
//! doubled.

use std::fmt::{self, Write};

use crate::cursor::Cursor;
use crate::suggest::did_you_mean;

/// The text form an error is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// `list<nominal>`
    Type,
    /// `a(b,c)`
    Tree,
    /// `p(f(a),X)`
    Term,
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Form::Type => "type",
            Form::Tree => "tree",
            Form::Term => "term",
        })
    }
}

/// Why a text, a JSON value or a set of parts is not the value it should be. Columns count bytes
/// from 1.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ParseError {
    /// The text goes on with something else than its grammar allows.
    #[error("expected {expected} at column {column} of the {form}, found {found}")]
    Unexpected {
        /// The text form being read.
        form: Form,
        /// Where the unexpected text begins.
        column: usize,
        /// The unexpected text, or the end of it.
        found: String,
        /// What could have stood there.
        expected: &'static str,
    },
    /// A quote is opened and never closed.
    #[error("the quote opened at column {column} of the {form} is never closed")]
    UnclosedQuote {
        /// The text form being read.
        form: Form,
        /// Where the quote opens.
        column: usize,
    },
    /// A word stands where a type should, and names none.
    #[error("unknown type `{name}` at column {column}{}", did_you_mean(.nearest))]
    UnknownType {
        /// The word found.
        name: String,
        /// Where it begins.
        column: usize,
        /// The type name most like it.
        nearest: Option<String>,
    },
    /// Two fields of a tuple have one name.
    #[error("field `{name}` at column {column} is already a field of this tuple")]
    RepeatedField {
        /// The name.
        name: String,
        /// Where its second field begins.
        column: usize,
    },
    /// A type is nested deeper than any type may be.
    #[error("type nested more than {limit} levels deep at column {column}")]
    TooDeep {
        /// The deepest level allowed.
        limit: usize,
        /// Where the type below it begins.
        column: usize,
    },
    /// A number is infinite, not a number, or too large to be held.
    #[error("`{found}` is not a finite number")]
    NotFinite {
        /// The number as written.
        found: String,
    },
    /// A text is no date.
    #[error(
        "`{found}` is not a date: expected ISO 8601 such as `2024-05-01` or `2024-05-01T12:30:00Z`"
    )]
    NotADate {
        /// The text.
        found: String,
    },
    /// Numbers of children do not add up to one tree.
    #[error("{nodes} nodes whose numbers of children do not make one tree")]
    NotOneTree {
        /// How many nodes there are.
        nodes: usize,
    },
    /// A tree has more labels than nodes, or fewer.
    #[error("{labels} labels for {nodes} nodes")]
    LabelCount {
        /// How many labels were given.
        labels: usize,
        /// How many numbers of children were given.
        nodes: usize,
    },
    /// A variable does not begin with an upper-case letter or `_`, or is only `_`.
    #[error(
        "`{name}` is not a variable: expected an upper-case letter or `_`, then letters, digits or `_`"
    )]
    NotAVariable {
        /// The name.
        name: String,
    },
    /// Two nodes of a graph have one identifier.
    #[error("node `{id}` is already a node of this graph")]
    RepeatedNode {
        /// The identifier.
        id: String,
    },
    /// An edge begins or ends at a node number that the graph does not have.
    #[error(
        "edge {edge} touches node {node}, but the graph has {nodes} nodes (both counted from 0)"
    )]
    EdgeOutOfRange {
        /// Position of the edge.
        edge: usize,
        /// The node it touches.
        node: u32,
        /// How many nodes there are.
        nodes: usize,
    },
    /// An edge names a node that the graph does not declare.
    #[error("unknown node `{id}`{}", did_you_mean(.nearest))]
    UnknownNode {
        /// The name used by the edge.
        id: String,
        /// The declared node most like it.
        nearest: Option<String>,
    },
    /// A JSON value is of another kind than its type asks for.
    #[error("expected {expected}, found {found}")]
    Mismatch {
        /// The JSON value found, described.
        found: String,
        /// What the type asks for.
        expected: &'static str,
    },
    /// A JSON object has a key that its type does not know.
    #[error("unknown field `{name}`{}", did_you_mean(.nearest))]
    UnknownField {
        /// The key.
        name: String,
        /// The field most like it.
        nearest: Option<String>,
    },
    /// A JSON array has more or fewer elements than the tuple has fields.
    #[error("expected {expected} fields, found {found}")]
    FieldCount {
        /// Elements of the array.
        found: usize,
        /// Fields of the tuple.
        expected: usize,
    },
    /// An error inside of a structured value.
    #[error("at `{path}`: {source}")]
    At {
        /// Where, as in `[2].charge`; elements count from 0 as in JSON paths.
        path: String,
        /// What is wrong there.
        source: Box<ParseError>,
    },
}

impl ParseError {
    /// The same error seen from one level further out.
    pub(crate) fn within(self, step: String) -> ParseError {
        match self {
            ParseError::At { path, source } => ParseError::At {
                path: step + &path,
                source,
            },
            error => ParseError::At {
                path: step,
                source: Box::new(error),
            },
        }
    }
}

/// Whether a name needs no quotes wherever identifiers stand: a letter or `_`, then letters,
/// digits, `_`.
pub fn identifier_like(name: &str) -> bool {
    let mut characters = name.chars();
    characters.next().is_some_and(opens_word) && characters.all(continues_word)
}

fn opens_word(c: char) -> bool {
    c.is_alphabetic() || c == '_'
}

fn continues_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Writes a name in `'…'`, quotes inside doubled.
pub(crate) fn write_quoted(out: &mut impl Write, name: &str) -> fmt::Result {
    out.write_char('\'')?;
    for c in name.chars() {
        if c == '\'' {
            out.write_char('\'')?;
        }
        out.write_char(c)?;
    }
    out.write_char('\'')
}

/// Writes a name as it is if `bare`, else quoted.
pub(crate) fn write_name(out: &mut impl Write, name: &str, bare: bool) -> fmt::Result {
    if bare {
        out.write_str(name)
    } else {
        write_quoted(out, name)
    }
}

/// The shortest text that reads back as the same number: `1`, `0.1`, `1e300`.
pub fn number_text(number: f64) -> String {
    // `{:?}` switches to exponents where `{}` would write hundreds of digits; adding zero drops a
    // minus zero.
    let mut text = format!("{:?}", number + 0.0);
    if text.ends_with(".0") {
        text.truncate(text.len() - 2);
    }
    text
}

/// A number that values may hold: finite, and never minus zero.
pub(crate) fn finite(number: f64) -> Result<f64, ParseError> {
    if number.is_finite() {
        Ok(number + 0.0)
    } else {
        Err(ParseError::NotFinite {
            found: number.to_string(),
        })
    }
}

/// The beginning of a long text, for messages.
pub(crate) fn excerpt(text: &str) -> String {
    const SHOWN: usize = 40;
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// A cursor over a text form, whose columns count bytes.
pub(crate) struct Scanner<'a> {
    form: Form,
    cursor: Cursor<'a>,
}

impl<'a> Scanner<'a> {
    pub(crate) fn new(form: Form, text: &'a str) -> Self {
        let cursor = Cursor::new(text);
        Scanner { form, cursor }
    }

    /// Byte column of the next character, from 1.
    pub(crate) fn column(&self) -> usize {
        self.cursor.at() + 1
    }

    fn rest(&self) -> &'a str {
        self.cursor.rest()
    }

    pub(crate) fn peek(&self) -> Option<char> {
        self.cursor.peek()
    }

    pub(crate) fn skip_blanks(&mut self) {
        self.cursor.skip_blanks();
    }

    /// The longest run of characters that satisfy a condition, possibly empty.
    pub(crate) fn take_while(&mut self, holds: impl Fn(char) -> bool) -> &'a str {
        self.cursor.take_while(holds)
    }

    /// An identifier, if one comes next.
    pub(crate) fn word(&mut self) -> Option<&'a str> {
        self.peek()
            .filter(|&c| opens_word(c))
            .map(|_| self.take_while(continues_word))
    }

    /// Skips blanks, then the character if it comes next.
    pub(crate) fn eat(&mut self, wanted: char) -> bool {
        self.cursor.take(wanted.encode_utf8(&mut [0; 4]))
    }

    /// A number without plus sign, as in `-1.5e3`, if one comes next.
    pub(crate) fn number(&mut self) -> Option<Result<f64, ParseError>> {
        let digits = |from: &str| from.bytes().take_while(u8::is_ascii_digit).count();
        let rest = self.rest();
        let mut end = usize::from(rest.starts_with('-'));
        let whole = digits(&rest[end..]);
        if whole == 0 {
            return None;
        }
        end += whole;
        if rest[end..].starts_with('.') {
            let fraction = digits(&rest[end + 1..]);
            end += if fraction > 0 { 1 + fraction } else { 0 };
        }
        if rest[end..].starts_with(['e', 'E']) {
            let sign = usize::from(rest[end + 1..].starts_with(['+', '-']));
            let exponent = digits(&rest[end + 1 + sign..]);
            end += if exponent > 0 { 1 + sign + exponent } else { 0 };
        }
        let text = &rest[..end];
        self.cursor.advance(end);
        let parsed = text.parse::<f64>().ok().filter(|number| number.is_finite());
        let not_finite = || ParseError::NotFinite {
            found: excerpt(text),
        };
        Some(parsed.map(|number| number + 0.0).ok_or_else(not_finite))
    }

    /// The inside of a text between two of the given quote, if one opens here.
    pub(crate) fn quoted(&mut self, quote: char) -> Option<Result<String, ParseError>> {
        let (form, column) = (self.form, self.column());
        let inside = self.cursor.quoted(quote)?;
        Some(inside.map_err(|_| ParseError::UnclosedQuote { form, column }))
    }

    /// The error that something else was expected at this place.
    pub(crate) fn unexpected(&self, expected: &'static str) -> ParseError {
        let found = match self.peek() {
            None => "the end".to_owned(),
            Some(c) if continues_word(c) => {
                format!("`{}`", excerpt(self.cursor.peek_while(continues_word)))
            }
            Some(c) => format!("`{c}`"),
        };
        ParseError::Unexpected {
            form: self.form,
            column: self.column(),
            found,
            expected,
        }
    }

    /// Fails unless only blanks are left.
    pub(crate) fn end(&mut self) -> Result<(), ParseError> {
        self.skip_blanks();
        if self.rest().is_empty() {
            Ok(())
        } else {
            Err(self.unexpected("the end"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn numbers_print_short_and_without_minus_zero() {
        for (number, text) in [
            (1.0, "1"),
            (-0.0, "0"),
            (0.1, "0.1"),
            (1e300, "1e300"),
            (-2.5e-9, "-2.5e-9"),
        ] {
            assert_eq!(number_text(number), text);
        }
    }

    #[test]
    fn unclosed_quotes_point_at_their_opening() {
        let mut scanner = Scanner::new(Form::Tree, "'it''s");
        assert_eq!(
            scanner.quoted('\''),
            Some(Err(ParseError::UnclosedQuote {
                form: Form::Tree,
                column: 1
            }))
        );
    }

    #[test]
    fn paths_grow_outwards() {
        let error = ParseError::NotFinite {
            found: "inf".into(),
        };
        let error = error.within(".charge".into()).within("[2]".into());
        assert_eq!(
            error.to_string(),
            "at `[2].charge`: `inf` is not a finite number"
        );
    }

    proptest! {
        #[test]
        fn quoted_names_read_back(name in "('|\\PC){0,5}") {
            let mut text = String::new();
            write_quoted(&mut text, &name).unwrap();
            let mut scanner = Scanner::new(Form::Tree, &text);
            prop_assert_eq!(scanner.quoted('\''), Some(Ok(name)));
            prop_assert_eq!(scanner.peek(), None);
        }

        #[test]
        fn numbers_read_back(number in prop::num::f64::NORMAL | prop::num::f64::SUBNORMAL) {
            let text = number_text(number);
            let mut scanner = Scanner::new(Form::Term, &text);
            prop_assert_eq!(scanner.number(), Some(Ok(number)));
            prop_assert_eq!(scanner.peek(), None);
        }
    }
}
