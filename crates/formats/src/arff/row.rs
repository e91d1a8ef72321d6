//! Rows: cells between commas or blanks, sparse rows in braces, and the weight after either.
//!
//! Weka separates by commas and blanks alike. Here commas separate, and values may contain blanks,
//! unless the row has no comma: then blanks separate. A `%` begins a comment where a cell could
//! begin, so that `50%` is a value and `50 % half` is one with a comment.

use std::borrow::Cow;

use super::document::{Line, found_at, quote};
use super::quote::quoted;
use crate::error::{Error, Result};

/// One value of a row, unquoted.
pub(super) struct Cell<'a> {
    pub(super) text: Cow<'a, str>,
    /// The byte of the line it begins at.
    pub(super) at: usize,
    quoted: bool,
}

impl Cell<'_> {
    /// Whether it is an unquoted `?`.
    pub(super) fn is_missing(&self) -> bool {
        !self.quoted && self.text == "?"
    }
}

/// Takes the cells of a row; the columns may come in any order, each at most once.
pub(super) trait Sink {
    /// The value of a column.
    fn put(&mut self, column: usize, cell: &Cell<'_>, line: &Line<'_>) -> Result<()>;
    /// A column that a sparse row leaves out.
    fn leave_out(&mut self, column: usize);
}

/// Whether the line holds neither values nor a weight.
pub(super) fn is_blank(line: &str) -> bool {
    matches!(line.bytes().find(|&byte| !blank(byte)), None | Some(b'%'))
}

/// Reads a row of so many columns; its weight, if it has one.
pub(super) fn read(line: &Line<'_>, width: usize, sink: &mut impl Sink) -> Result<Option<f64>> {
    let mut cells = Cells {
        line,
        at: 0,
        separator: separator(line.text, width),
    };
    cells.skip_blanks();
    if cells.peek() == Some(b'{') {
        return cells.sparse(width, sink);
    }
    let mut found = 0;
    while let Some(cell) = cells.next()? {
        if found < width {
            sink.put(found, &cell, line)?;
        }
        found += 1;
    }
    if found != width {
        let hint = match found > width {
            true => "; values with commas or blanks in them need quotes",
            false if line.ends_file() => "; the file may be cut off",
            false => "",
        };
        return Err(line.ragged(found, width, hint));
    }
    cells.weight()
}

/// The values of a list on one line, such as the class paths of a hierarchy.
pub(super) fn list<'a>(line: &'a Line<'a>) -> Result<Vec<Cell<'a>>> {
    let mut cells = Cells {
        line,
        at: 0,
        separator: separator(line.text, usize::MAX),
    };
    let mut values = Vec::new();
    while let Some(cell) = cells.next()? {
        values.push(cell);
    }
    match cells.peek() {
        Some(b'{') => Err(cells.unexpected("a value")),
        _ => Ok(values),
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Separator {
    Comma,
    Blank,
}

fn blank(byte: u8) -> bool {
    byte <= b' '
}

/// Blanks where the line has no comma but those in quotes, in comments and before a weight.
fn separator(text: &str, width: usize) -> Separator {
    let bytes = text.as_bytes();
    if width == 1 {
        return Separator::Comma;
    }
    if memchr::memchr(b',', bytes).is_none() {
        return Separator::Blank;
    }
    let special = |byte: &u8| matches!(byte, b'\'' | b'"' | b'%' | b'{');
    if !bytes.iter().any(special) {
        return Separator::Comma;
    }
    let mut at = 0;
    let mut between = true;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'%' if between => break,
            b'\'' | b'"' if between => match quoted(text, at) {
                Some((_, after)) => {
                    at = after;
                    between = false;
                    continue;
                }
                None => return Separator::Comma,
            },
            b',' => {
                let next = bytes[at + 1..].iter().find(|&&byte| !blank(byte));
                if next != Some(&b'{') {
                    return Separator::Comma;
                }
                between = true;
            }
            _ => between = blank(byte),
        }
        at += 1;
    }
    Separator::Blank
}

/// A cursor over the cells of a line.
struct Cells<'a> {
    line: &'a Line<'a>,
    at: usize,
    separator: Separator,
}

impl<'a> Cells<'a> {
    fn peek(&self) -> Option<u8> {
        self.line.text.as_bytes().get(self.at).copied()
    }

    fn skip_blanks(&mut self) {
        while self.peek().is_some_and(blank) {
            self.at += 1;
        }
    }

    fn ended(&self) -> bool {
        matches!(self.peek(), None | Some(b'%'))
    }

    fn unexpected(&self, expected: &str) -> Error {
        self.line
            .fail(self.at, expected, found_at(self.line.text, self.at))
    }

    /// The next cell, if there is one before the end, a comment or a weight.
    fn next(&mut self) -> Result<Option<Cell<'a>>> {
        self.skip_blanks();
        if self.separator == Separator::Blank {
            // The only comma of such a row is one before its weight.
            while self.peek().is_some_and(|byte| blank(byte) || byte == b',') {
                self.at += 1;
            }
        }
        let cell = match self.peek() {
            None | Some(b'%' | b'{') => return Ok(None),
            Some(b',') => {
                return Err(self.unexpected("a value, or `?` for one that is missing"));
            }
            Some(b'\'' | b'"') => self.quoted()?,
            Some(_) => self.bare(),
        };
        if self.separator == Separator::Comma {
            self.skip_blanks();
            match self.peek() {
                Some(b',') => self.at += 1,
                None | Some(b'%' | b'{') => {}
                Some(_) => return Err(self.unexpected("`,`")),
            }
        }
        Ok(Some(cell))
    }

    fn quoted(&mut self) -> Result<Cell<'a>> {
        let at = self.at;
        let Some((text, after)) = quoted(self.line.text, at) else {
            let mark = if self.peek() == Some(b'"') { '"' } else { '\'' };
            return Err(self.line.fail(
                at,
                format!("a closing `{mark}` for this quote"),
                "the end of the line".to_owned(),
            ));
        };
        self.at = after;
        Ok(Cell {
            text,
            at,
            quoted: true,
        })
    }

    /// A value up to the next separator. A comment or a weight ends it only after a blank.
    fn bare(&mut self) -> Cell<'a> {
        let bytes = self.line.text.as_bytes();
        let at = self.at;
        let length = match self.separator {
            Separator::Comma => bytes[at..].iter().enumerate().position(|(i, &byte)| {
                byte == b',' || i > 0 && matches!(byte, b'%' | b'{') && blank(bytes[at + i - 1])
            }),
            Separator::Blank => bytes[at..]
                .iter()
                .position(|&byte| blank(byte) || byte == b','),
        };
        self.at = length.map_or(bytes.len(), |length| at + length);
        let text = self.line.text[at..self.at].trim_end_matches(|c: char| c <= ' ');
        Cell {
            text: Cow::Borrowed(text),
            at,
            quoted: false,
        }
    }

    /// `{0.5}` at the end of a row, and the end.
    fn weight(&mut self) -> Result<Option<f64>> {
        self.skip_blanks();
        if self.ended() {
            return Ok(None);
        }
        if self.peek() != Some(b'{') {
            return Err(self.unexpected("the end of the row or its weight, as `{0.5}`"));
        }
        let text = self.line.text;
        let inner = self.at + 1;
        let Some(length) = memchr::memchr(b'}', &text.as_bytes()[inner..]) else {
            return Err(self.unexpected("a weight that is closed by `}`"));
        };
        let found = text[inner..inner + length].trim();
        let weight = fast_float2::parse::<f64, _>(found)
            .ok()
            .filter(|weight| weight.is_finite() && *weight >= 0.0)
            .ok_or_else(|| {
                self.line
                    .fail(inner, "a weight of at least 0", quote(found))
            })?;
        self.at = inner + length + 1;
        self.skip_blanks();
        if !self.ended() {
            return Err(self.unexpected("the end of the row after its weight"));
        }
        Ok(Some(weight + 0.0))
    }

    /// `{1 X, 3 Y}`: columns counted from 0, those not named left out.
    fn sparse(&mut self, width: usize, sink: &mut impl Sink) -> Result<Option<f64>> {
        self.at += 1;
        let mut given: Vec<(usize, usize)> = Vec::new();
        loop {
            self.skip_blanks();
            match self.peek() {
                Some(b'}') => break,
                Some(b',') if !given.is_empty() => {
                    self.at += 1;
                    continue;
                }
                _ => {}
            }
            let at = self.at;
            let column = self.column(width)?;
            self.skip_blanks();
            let cell = match self.peek() {
                None | Some(b',' | b'}' | b'{' | b'%') => {
                    return Err(self.unexpected("a value after the column's number"));
                }
                Some(b'\'' | b'"') => self.quoted()?,
                Some(_) => self.bare_in_braces(),
            };
            self.skip_blanks();
            if !matches!(self.peek(), Some(b',' | b'}')) {
                return Err(self.unexpected("`,` or `}`"));
            }
            given.push((column, at));
            sink.put(column, &cell, self.line)?;
        }
        self.at += 1;
        self.leave_out_others(given, width, sink)?;
        self.skip_blanks();
        if self.peek() == Some(b',') {
            self.at += 1;
        }
        self.weight()
    }

    fn column(&mut self, width: usize) -> Result<usize> {
        let at = self.at;
        let digits = self.line.text.as_bytes()[at..]
            .iter()
            .take_while(|byte| byte.is_ascii_digit())
            .count();
        let text = &self.line.text[at..at + digits];
        self.at += digits;
        match text.parse() {
            Ok(column) if column < width && self.peek().is_none_or(blank) => Ok(column),
            _ => {
                let expected = if self.line.text[at..].is_empty() {
                    "`}`".to_owned()
                } else {
                    format!("a column's number from 0 to {}", width.saturating_sub(1))
                };
                Err(self.line.fail(at, expected, found_at(self.line.text, at)))
            }
        }
    }

    fn bare_in_braces(&mut self) -> Cell<'a> {
        let at = self.at;
        while self
            .peek()
            .is_some_and(|byte| !blank(byte) && byte != b',' && byte != b'}')
        {
            self.at += 1;
        }
        Cell {
            text: Cow::Borrowed(&self.line.text[at..self.at]),
            at,
            quoted: false,
        }
    }

    fn leave_out_others(
        &self,
        mut given: Vec<(usize, usize)>,
        width: usize,
        sink: &mut impl Sink,
    ) -> Result<()> {
        given.sort_unstable();
        let mut next = 0;
        for &(column, at) in &given {
            if column < next {
                let found = format!("`{column}` again");
                return Err(self
                    .line
                    .fail(at, "a column's number not given before", found));
            }
            (next..column).for_each(|left_out| sink.leave_out(left_out));
            next = column + 1;
        }
        (next..width).for_each(|left_out| sink.leave_out(left_out));
        Ok(())
    }
}
