//! The beginning of a file, from which everything that nobody stated is decided.

use std::borrow::Cow;

use super::blocks::{Blocks, Encoding, Halt, LONGEST_ROW};
use super::cell::{self, Torn};
use super::marks::Marks;
use crate::error::{Error, Result};
use crate::magic;
use crate::schema::{Delimiter, Quote};
use crate::source::Source;

/// How many rows are looked at.
const ROWS: usize = 1000;
/// How many bytes are looked at, if that many rows are more.
const BYTES: usize = 1 << 18;

/// The beginning of a file, whole lines of it.
pub(super) struct Sample {
    text: String,
    /// Whether it is all there is.
    pub whole: bool,
}

/// The rows of a sample, split in one way.
#[derive(Debug)]
pub(super) struct Rows<'a> {
    /// The rows in order, blank lines left out.
    pub cells: Vec<Vec<Cow<'a, str>>>,
    /// The line of each row, from 1.
    pub lines: Vec<u64>,
    /// Bytes of all rows.
    pub bytes: usize,
    /// Rows with a quote that is not closed, or that does not end its cell.
    pub torn: usize,
    /// Cells in quotes.
    pub quoted: usize,
}

impl Sample {
    /// Takes the sample; files that are no text are refused here, from their control bytes.
    pub fn take(source: &Source, encoding: Encoding) -> Result<Self, Halt> {
        let mut bytes = BYTES;
        loop {
            let mut blocks = Blocks::new(source, encoding, bytes, LONGEST_ROW)?;
            let Some((text, whole)) = blocks.next(0, 1)? else {
                return Err(Halt::Error(Error::Empty {
                    file: source.name().to_owned(),
                    expected: "expected rows of cells".to_owned(),
                }));
            };
            refuse_controls(source, text)?;
            refuse_wide(source, text)?;
            bytes = bytes.saturating_mul(4);
            if whole || bytes > LONGEST_ROW || first_row_ends(text) {
                return Ok(Self {
                    text: text.to_owned(),
                    whole,
                });
            }
        }
    }

    /// The rows, split by these marks.
    pub fn rows(&self, marks: Marks) -> Rows<'_> {
        let mut rows = Rows {
            cells: Vec::new(),
            lines: Vec::new(),
            bytes: 0,
            torn: 0,
            quoted: 0,
        };
        let bytes = self.text.as_bytes();
        let (mut at, mut line) = (0, 1);
        while at < bytes.len() && rows.cells.len() < ROWS {
            if let Some(next) = cell::after_blank_line(bytes, at, marks) {
                (at, line) = (next, line + 1);
                continue;
            }
            match cell::row(&self.text, at, marks) {
                Ok(row) => {
                    rows.cells.push(row.cells);
                    rows.lines.push(line);
                    rows.bytes += row.next - at;
                    rows.quoted += row.quoted;
                    line += memchr::memchr_iter(b'\n', &bytes[at..row.next]).count() as u64;
                    at = row.next;
                }
                // The rest of the sample may well be inside of the quote.
                Err(Torn::Open(_)) if self.whole => {
                    rows.torn += 1;
                    break;
                }
                Err(Torn::Open(_)) => break,
                Err(Torn::Tail(_)) => {
                    rows.torn += 1;
                    let end = memchr::memchr(b'\n', &bytes[at..]).unwrap_or(bytes.len() - 1 - at);
                    (at, line) = (at + end + 1, line + 1);
                }
            }
        }
        rows
    }
}

/// Whether the first row ends in the text, whatever separates its cells: a quoted cell may be
/// longer.
fn first_row_ends(text: &str) -> bool {
    Delimiter::ALL.iter().all(|&delimiter| {
        let marks = Marks::new(delimiter, Quote::Double);
        let mut at = 0;
        while let Some(next) = text
            .as_bytes()
            .get(at)
            .and_then(|_| cell::after_blank_line(text.as_bytes(), at, marks))
        {
            at = next;
        }
        at == text.len() || !matches!(cell::row(text, at, marks), Err(Torn::Open(_)))
    })
}

/// The most cells that a row may have: each is a column with memory of its own.
const MOST_COLUMNS: usize = 1 << 20;

/// A first row of more cells than anybody has columns is refused before it is cut into them; blanks
/// are no sign of cells.
fn refuse_wide(source: &Source, text: &str) -> Result<()> {
    let start = text.find(|character: char| !character.is_whitespace());
    let line = &text.as_bytes()[start.unwrap_or(0)..];
    let end = memchr::memchr(b'\n', line).unwrap_or(line.len());
    let wide = |separator: &u8| {
        let cells = memchr::memchr_iter(*separator, &line[..end]);
        cells.take(MOST_COLUMNS).count() == MOST_COLUMNS
    };
    match [b',', b';', b'\t', b'|'].iter().any(wide) {
        true => Err(Error::ManyColumns {
            file: source.name().to_owned(),
            line: 1,
            limit: MOST_COLUMNS,
        }),
        false => Ok(()),
    }
}

/// Control characters are rare in text: one in 32 is too many.
fn refuse_controls(source: &Source, text: &str) -> Result<()> {
    let control = |byte: &u8| byte.is_ascii_control() && !matches!(byte, b'\t' | b'\n' | b'\r');
    let found = text.bytes().filter(control).count();
    if found < 4 || found * 32 < text.len() {
        return Ok(());
    }
    let position = text.bytes().position(|byte| control(&byte)).unwrap_or(0);
    Err(Error::Binary {
        file: source.name().to_owned(),
        position: position as u64 + 1,
        byte: text.as_bytes()[position],
        hint: magic::hint(&source.start()?),
    })
}
