//! The rows of a file into columns: numbers and short labels are taken where they stand, everything
//! else goes the general way.

use super::blocks::{Blocks, Halt};
use super::builder::{Builder, Refusal, Values};
use super::cell::{self, Torn};
use super::labels::short_cell;
use super::marks::Marks;
use super::number;
use crate::error::{Error, Result};

/// How rows are laid out.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    pub marks: Marks,
    /// How many rows stand before the data: one of names, and perhaps two of notes.
    pub header: usize,
    /// How many columns there are.
    pub width: usize,
    /// Whether a delimiter may end a row without another cell behind it.
    pub trailing: bool,
    /// What to say about rows of another width, as the end of a sentence.
    pub ragged_hint: String,
}

/// A pass over a file.
pub(super) struct Pass<'a> {
    file: &'a str,
    layout: &'a Layout,
    pub columns: Vec<Builder>,
    /// Rows read so far.
    pub rows: usize,
    /// Blank lines between rows.
    pub blank_lines: u64,
    /// Blank lines since the last row.
    blank_behind: u64,
    /// The line in which the next row begins, from 1.
    line: u64,
    /// Line ends inside of the row's quoted cells.
    lines_inside: u64,
    /// Rows before the data that are still to come.
    header_ahead: usize,
}

/// A cell that was taken.
#[derive(Clone, Copy)]
struct Taken {
    next: usize,
    ends_row: bool,
}

impl<'a> Pass<'a> {
    pub fn new(file: &'a str, layout: &'a Layout, columns: Vec<Builder>) -> Self {
        Self {
            file,
            layout,
            columns,
            rows: 0,
            blank_lines: 0,
            blank_behind: 0,
            line: 1,
            lines_inside: 0,
            header_ahead: layout.header,
        }
    }

    /// Reads all rows.
    pub fn run(&mut self, mut blocks: Blocks<'_>) -> Result<(), Halt> {
        let mut used = 0;
        while let Some((text, last)) = blocks.next(used, self.line)? {
            used = self.window(text, last)?;
        }
        Ok(())
    }

    /// Reads the rows that end in the window; how much of it they take.
    fn window(&mut self, text: &str, last: bool) -> Result<usize, Halt> {
        let bytes = text.as_bytes();
        let marks = self.layout.marks;
        let mut at = 0;
        while at < bytes.len() {
            if let Some(next) = cell::after_blank_line(bytes, at, marks) {
                self.blank_behind += 1;
                self.line += 1;
                at = next;
                continue;
            }
            self.lines_inside = 0;
            let read = if self.header_ahead > 0 {
                self.pass_header(text, at)
            } else {
                self.row(text, at)
            };
            match read {
                Ok(next) => {
                    at = next;
                    self.line += 1 + self.lines_inside;
                    self.rows += usize::from(self.header_ahead == 0);
                    self.header_ahead = self.header_ahead.saturating_sub(1);
                    self.blank_lines += std::mem::take(&mut self.blank_behind);
                    if self.rows == u32::MAX as usize {
                        return Err(self.too_many_rows().into());
                    }
                }
                Err(Stop::Torn(Torn::Open(_))) if !last => {
                    let rows = self.rows;
                    self.columns
                        .iter_mut()
                        .for_each(|column| column.forget_from(rows));
                    break;
                }
                Err(stop) => return Err(self.explain(text, at, stop)),
            }
        }
        Ok(at)
    }

    fn pass_header(&mut self, text: &str, start: usize) -> Result<usize, Stop> {
        let row = cell::row(text, start, self.layout.marks).map_err(Stop::Torn)?;
        let inside = row.cells.iter().map(|cell| cell.matches('\n').count());
        self.lines_inside = inside.sum::<usize>() as u64;
        Ok(row.next)
    }

    /// Reads the row that begins at `start`; where the next one begins.
    fn row(&mut self, text: &str, start: usize) -> Result<usize, Stop> {
        let width = self.layout.width;
        let row = self.rows;
        let mut at = start;
        for column in 0..width {
            let taken = self.take(text, at, column, row)?;
            at = taken.next;
            if taken.ends_row {
                if column + 1 < width {
                    return Err(Stop::Narrow { cells: column + 1 });
                }
                return Ok(at);
            }
        }
        let more = cell::cell(text, at, self.layout.marks).map_err(Stop::Torn)?;
        match (self.layout.trailing && more.ends_row, more.text.is_empty()) {
            (true, true) => Ok(more.next),
            (true, false) => Err(Stop::LastCellCounts),
            _ => Err(Stop::Wide { at }),
        }
    }

    #[inline]
    fn take(&mut self, text: &str, at: usize, column: usize, row: usize) -> Result<Taken, Stop> {
        let bytes = text.as_bytes();
        let marks = self.layout.marks;
        let builder = &mut self.columns[column];
        let mut word = None;
        match &mut builder.values {
            Values::Numeric(numbers) if !marks.blank => {
                if let Some((number, next, ends_row)) = number::cell(bytes, at, marks)
                    && !builder.missing.numbers()
                {
                    numbers.push(number);
                    return Ok(Taken { next, ends_row });
                }
            }
            Values::Labels(labels) if !marks.blank => {
                word = short_cell(bytes, at, marks.delimiter);
                if let Some((short, end)) = word
                    && let Some(code) = labels.known(short)
                {
                    labels.codes.push(code);
                    let next = at + end + 1;
                    let ends_row = bytes[next - 1] == b'\n';
                    return Ok(Taken { next, ends_row });
                }
            }
            _ => {}
        }
        self.take_any(text, at, column, row, word)
    }

    /// Takes a cell the general way.
    fn take_any(
        &mut self,
        text: &str,
        at: usize,
        column: usize,
        row: usize,
        word: Option<(super::labels::Word, usize)>,
    ) -> Result<Taken, Stop> {
        let cell = cell::cell(text, at, self.layout.marks).map_err(Stop::Torn)?;
        let builder = &mut self.columns[column];
        let refused = |refusal| Stop::Refused {
            at,
            refusal,
            text: cell.text.to_string(),
        };
        match word {
            // The cell is exactly the word: no delimiter or line end stood inside of quotes.
            Some((word, end)) if cell.next == at + end + 1 => {
                let code = builder.code(&cell.text).map_err(refused)?;
                if let Values::Labels(labels) = &mut builder.values {
                    labels.keep(word, code);
                    labels.codes.push(code);
                }
            }
            _ => builder.push(&cell.text, row).map_err(refused)?,
        }
        self.lines_inside += memchr::memchr_iter(b'\n', cell.text.as_bytes()).count() as u64;
        Ok(Taken {
            next: cell.next,
            ends_row: cell.ends_row,
        })
    }

    fn too_many_rows(&self) -> Error {
        Error::Syntax {
            file: self.file.to_owned(),
            line: self.line,
            column: 1,
            expected: format!("at most {} rows", u32::MAX - 1),
            found: "another".to_owned(),
            nearest: None,
        }
    }

    /// The error of a row that begins at `start` and cannot be read.
    fn explain(&self, text: &str, start: usize, stop: Stop) -> Halt {
        let file = self.file.to_owned();
        let ragged = |found| Error::Ragged {
            file: self.file.to_owned(),
            line: self.line,
            found,
            expected: self.layout.width,
            hint: self.layout.ragged_hint.clone(),
        };
        Halt::Error(match stop {
            Stop::LastCellCounts => return Halt::LastCellCounts,
            Stop::Narrow { cells } => ragged(cells),
            Stop::Wide { at } => {
                let beyond =
                    cell::row(text, at, self.layout.marks).map_or(1, |row| row.cells.len());
                ragged(self.layout.width + beyond)
            }
            Stop::Torn(Torn::Open(at)) => {
                let (line, column) = self.place(text, start, at);
                let quote = char::from(text.as_bytes()[at]);
                Error::UnclosedQuote {
                    file,
                    line,
                    column,
                    quote,
                    hint: "; if quotes are ordinary characters here, say that the quote is `none`"
                        .into(),
                }
            }
            Stop::Torn(Torn::Tail(at)) => {
                let (line, column) = self.place(text, start, at);
                let found = text[at..].chars().next().unwrap_or_default();
                Error::Syntax {
                    file,
                    line,
                    column,
                    expected: "a delimiter or the end of the line after the closing quote".into(),
                    found: format!("`{found}`"),
                    nearest: None,
                }
            }
            Stop::Refused {
                at,
                refusal,
                text: found,
            } => {
                let (line, column) = self.place(text, start, at);
                Error::Syntax {
                    file,
                    line,
                    column,
                    expected: refusal.expected,
                    found: format!("`{}`", excerpt(&found)),
                    nearest: refusal.nearest,
                }
            }
        })
    }

    /// Line and character of a place in the row that begins at `start`.
    fn place(&self, text: &str, start: usize, at: usize) -> (u64, u64) {
        let before = &text[start..at];
        let line = before.rfind('\n').map_or(0, |end| end + 1);
        let column = before[line..].chars().count() as u64 + 1;
        (self.line + before.matches('\n').count() as u64, column)
    }
}

/// Why a row cannot be read.
enum Stop {
    Torn(Torn),
    Narrow {
        cells: usize,
    },
    Wide {
        at: usize,
    },
    LastCellCounts,
    Refused {
        at: usize,
        refusal: Refusal,
        text: String,
    },
}

/// The beginning of a long cell, for messages.
fn excerpt(text: &str) -> String {
    const SHOWN: usize = 40;
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
