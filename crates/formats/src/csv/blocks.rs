//! The text of a source, block by block, so that a file of any size passes through a few megabytes.
//!
//! A window handed out always ends with a line end. What the reader does not use up, because a
//! quoted cell goes on behind it, is handed out again with more behind it.

use std::io::Read;

use memchr::{memchr, memrchr};

use crate::error::{Error, Result};
use crate::magic;
use crate::source::Source;

/// The most bytes a row may have: more is no row, and would take all memory.
pub(super) const LONGEST_ROW: usize = crate::source::LONGEST_LINE;

/// How bytes become characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Encoding {
    Utf8,
    /// One byte, one character: every file can be read so.
    Latin1,
}

/// What stops a pass: an error, or something that another pass would do better.
#[derive(Debug)]
pub(super) enum Halt {
    Error(Error),
    /// The byte at this position, from 1, is not UTF-8.
    NotUtf8 {
        position: u64,
    },
    /// The cell after the last delimiter, taken for nothing, holds a value.
    LastCellCounts,
}

impl From<Error> for Halt {
    fn from(error: Error) -> Self {
        Halt::Error(error)
    }
}

/// A source as windows of text.
pub(super) struct Blocks<'a> {
    source: &'a Source,
    reader: Box<dyn Read + Send>,
    encoding: Encoding,
    buffer: Vec<u8>,
    /// How much of the buffer is filled, and how much of that is used up.
    filled: usize,
    used: usize,
    /// How much was handed out last.
    window: usize,
    at_start: bool,
    ended: bool,
    /// Bytes taken from the source so far.
    taken: u64,
    longest: usize,
}

impl<'a> Blocks<'a> {
    pub fn new(
        source: &'a Source,
        encoding: Encoding,
        block: usize,
        longest: usize,
    ) -> Result<Self> {
        Ok(Self {
            source,
            reader: source.reader()?,
            encoding,
            buffer: vec![0; block.max(16)],
            filled: 0,
            used: 0,
            window: 0,
            at_start: true,
            ended: false,
            taken: 0,
            longest,
        })
    }

    /// The next window, and whether it is the last; `None` when there is nothing more. `used` is
    /// how much of the window before was used up, and `line` where this one begins, for messages.
    pub fn next(&mut self, used: usize, line: u64) -> Result<Option<(&str, bool)>, Halt> {
        let stuck = used == 0 && self.window > 0;
        self.used += used;
        self.buffer.copy_within(self.used..self.filled, 0);
        self.filled -= self.used;
        self.used = 0;
        if stuck {
            self.grow(line)?;
        }
        loop {
            self.fill()?;
            let end = if self.ended {
                (self.filled > 0).then_some(self.filled)
            } else {
                memrchr(b'\n', &self.buffer[..self.filled]).map(|end| end + 1)
            };
            match end {
                Some(end) => {
                    self.window = end;
                    break;
                }
                None if self.ended => return Ok(None),
                None => self.grow(line)?,
            }
        }
        match std::str::from_utf8(&self.buffer[..self.window]) {
            Ok(text) => Ok(Some((text, self.ended))),
            Err(error) => Err(Halt::NotUtf8 {
                position: self.taken - self.filled as u64 + error.valid_up_to() as u64 + 1,
            }),
        }
    }

    fn grow(&mut self, line: u64) -> Result<()> {
        if self.buffer.len() >= self.longest {
            return Err(Error::LongRow {
                file: self.source.name().to_owned(),
                line,
                limit: self.longest,
            });
        }
        let larger = (self.buffer.len() * 2).min(self.longest.max(16));
        self.buffer.resize(larger, 0);
        Ok(())
    }

    /// Fills the buffer, or as much of it as there is left to read; one byte stays free for a last
    /// line end.
    fn fill(&mut self) -> Result<()> {
        let end = self.buffer.len() - 1;
        while !self.ended && self.filled < end {
            let free = &mut self.buffer[self.filled..end];
            // Latin-1 characters become two bytes at most.
            let room = match self.encoding {
                Encoding::Utf8 => free.len(),
                Encoding::Latin1 if free.len() < 2 => break,
                Encoding::Latin1 => free.len() / 2,
            };
            let read = match self.reader.read(&mut free[..room]) {
                Ok(read) => read,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(self.source.failed(error)),
            };
            let fresh = &free[..read];
            if let Some(zero) = memchr(0, fresh) {
                return Err(Error::Binary {
                    file: self.source.name().to_owned(),
                    position: self.taken + zero as u64 + 1,
                    byte: 0,
                    hint: magic::hint(&self.source.start()?),
                });
            }
            self.taken += read as u64;
            self.filled += match self.encoding {
                Encoding::Utf8 => read,
                Encoding::Latin1 => widen(free, read),
            };
            if read == 0 {
                self.ended = true;
                if self.filled > 0 && self.buffer[self.filled - 1] != b'\n' {
                    self.buffer[self.filled] = b'\n';
                    self.filled += 1;
                    // Counted, so that positions stay those of the file.
                    self.taken += 1;
                }
            }
        }
        if self.at_start && self.buffer[..self.filled].starts_with(b"\xEF\xBB\xBF") {
            self.buffer.copy_within(3..self.filled, 0);
            self.filled -= 3;
        }
        self.at_start = false;
        Ok(())
    }
}

/// Turns the first `read` bytes from Latin-1 into UTF-8, in place and from the back; how many bytes
/// that makes.
fn widen(bytes: &mut [u8], read: usize) -> usize {
    let wide = bytes[..read].iter().filter(|byte| **byte >= 0x80).count();
    let mut to = read + wide;
    for from in (0..read).rev() {
        let byte = bytes[from];
        if byte < 0x80 {
            to -= 1;
            bytes[to] = byte;
        } else {
            to -= 2;
            bytes[to] = 0xC0 | byte >> 6;
            bytes[to + 1] = 0x80 | byte & 0x3F;
        }
    }
    read + wide
}

#[cfg(test)]
mod tests {
    use super::*;

    fn windows(bytes: &[u8], encoding: Encoding, block: usize) -> Result<Vec<String>, Halt> {
        let source = Source::from_bytes("x", bytes);
        let mut blocks = Blocks::new(&source, encoding, block, 64)?;
        let mut windows = Vec::new();
        let mut used = 0;
        while let Some((text, _)) = blocks.next(used, 1)? {
            used = text.len();
            windows.push(text.to_owned());
        }
        Ok(windows)
    }

    #[test]
    fn windows_end_with_lines_and_lose_nothing() {
        let text = "first line\nsecond\n\nthe third line of text\nno end";
        for block in [16, 17, 23, 40, 1000] {
            let windows = windows(text.as_bytes(), Encoding::Utf8, block).unwrap();
            assert!(windows.iter().all(|window| window.ends_with('\n')));
            assert_eq!(windows.concat(), format!("{text}\n"));
        }
        assert!(windows(b"", Encoding::Utf8, 16).unwrap().is_empty());
    }

    #[test]
    fn byte_order_marks_are_dropped() {
        assert_eq!(
            windows(b"\xEF\xBB\xBFa\n", Encoding::Utf8, 16).unwrap(),
            ["a\n"]
        );
    }

    #[test]
    fn latin_1_is_widened() {
        let windows = windows(b"caf\xe9,\xff\xe4\xf6\xfc\n\xe9", Encoding::Latin1, 16).unwrap();
        assert_eq!(windows.concat(), "café,ÿäöü\né\n");
    }

    #[test]
    fn what_is_not_utf_8_is_told_with_its_place() {
        let halt = windows(b"some more text\ncaf\xe9\n", Encoding::Utf8, 16).unwrap_err();
        assert!(matches!(halt, Halt::NotUtf8 { position: 19 }));
    }

    #[test]
    fn zeros_and_endless_lines_are_refused() {
        let message = |bytes: &[u8]| match windows(bytes, Encoding::Utf8, 16).unwrap_err() {
            Halt::Error(error) => error.to_string(),
            other => panic!("{other:?}"),
        };
        assert_eq!(message(b"ab\0c"), "`x` is not a text file: byte 3 is 0x00");
        assert_eq!(
            message(b"PAR1\x15\0\x15\0"),
            "`x` is not a text file: byte 6 is 0x00; it looks like a Parquet file"
        );
        assert_eq!(
            message(&[b'a'; 100]),
            "x:1: the row is longer than 0 MB; perhaps a quote in it is never closed, or the file has no lines"
        );
    }
}
