//! The characters of a source, block by block, with the line and column of the next one.
//!
//! Facts can stand in lines of any length, so nothing here waits for a line end. Which bytes are
//! characters is settled by a pass of its own, before the first fact is kept.

use std::io::{self, Read};

use crate::error::{Error, Result};
use crate::magic;
use crate::source::Source;

/// Bytes in memory at a time.
const BLOCK: usize = 1 << 16;
/// The mark with which some editors begin UTF-8.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// How bytes become characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Encoding {
    Utf8,
    /// One byte, one character: every text can be read so.
    Latin1,
}

/// How the bytes of the source become characters; a zero among them is refused.
pub(crate) fn encoding(source: &Source) -> Result<Encoding> {
    let mut reader = source.text_reader()?;
    let mut buffer = vec![0; BLOCK];
    let mut encoding = Encoding::Utf8;
    // Bytes of a character that the last block cut.
    let mut kept = 0;
    let mut passed = 0u64;
    loop {
        let read = read_some(&mut reader, &mut buffer[kept..]).map_err(|e| source.failed(e))?;
        let filled = kept + read;
        let fresh = &buffer[kept..filled];
        if let Some(position) = memchr::memchr(0, fresh) {
            return Err(Error::Binary {
                file: source.name().to_owned(),
                position: passed + position as u64 + 1,
                byte: 0,
                hint: magic::hint(&source.start()?),
            });
        }
        passed += read as u64;
        if encoding == Encoding::Latin1 || read == 0 {
            kept = if encoding == Encoding::Utf8 { kept } else { 0 };
        } else {
            match std::str::from_utf8(&buffer[..filled]) {
                Ok(_) => kept = 0,
                Err(error) if error.error_len().is_none() => {
                    let valid = error.valid_up_to();
                    buffer.copy_within(valid..filled, 0);
                    kept = filled - valid;
                }
                Err(_) => {
                    encoding = Encoding::Latin1;
                    kept = 0;
                }
            }
        }
        if read == 0 {
            return Ok(if kept > 0 { Encoding::Latin1 } else { encoding });
        }
    }
}

/// At least one byte unless the source ends.
fn read_some(reader: &mut dyn Read, into: &mut [u8]) -> io::Result<usize> {
    loop {
        match reader.read(into) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            done => return done,
        }
    }
}

/// The characters of a source.
pub(crate) struct Characters {
    reader: Box<dyn Read + Send>,
    encoding: Encoding,
    buffer: Vec<u8>,
    at: usize,
    filled: usize,
    ended: bool,
    /// Why reading ended before the end.
    failure: Option<io::Error>,
    /// The line of the next character, from 1.
    pub line: u64,
    /// The column of the next character, from 1.
    pub column: u64,
}

impl Characters {
    pub fn new(source: &Source, encoding: Encoding) -> Result<Self> {
        let mut characters = Self {
            reader: source.reader()?,
            encoding,
            buffer: vec![0; BLOCK],
            at: 0,
            filled: 0,
            ended: false,
            failure: None,
            line: 1,
            column: 1,
        };
        if characters.peek() == Some(BYTE_ORDER_MARK) {
            characters.next();
            characters.column = 1;
        }
        Ok(characters)
    }

    /// Why the characters ended before their end, if they did.
    pub fn failure(&mut self) -> Option<io::Error> {
        self.failure.take()
    }

    /// The byte so many bytes ahead.
    #[inline]
    pub fn byte(&mut self, ahead: usize) -> Option<u8> {
        if self.at + ahead >= self.filled {
            self.fill(ahead);
        }
        self.buffer[..self.filled].get(self.at + ahead).copied()
    }

    /// Reads on until a byte so far ahead is there or the source ends.
    fn fill(&mut self, ahead: usize) {
        self.buffer.copy_within(self.at..self.filled, 0);
        self.filled -= self.at;
        self.at = 0;
        while !self.ended && self.filled <= ahead {
            match read_some(&mut self.reader, &mut self.buffer[self.filled..]) {
                Ok(0) => self.ended = true,
                Ok(read) => self.filled += read,
                Err(error) => {
                    self.failure = Some(error);
                    self.ended = true;
                }
            }
        }
    }

    /// The next character.
    #[inline]
    pub fn peek(&mut self) -> Option<char> {
        self.decode().map(|(character, _)| character)
    }

    #[inline]
    fn decode(&mut self) -> Option<(char, usize)> {
        let first = self.byte(0)?;
        if first.is_ascii() || self.encoding == Encoding::Latin1 {
            return Some((char::from(first), 1));
        }
        let length = match first {
            0xf0.. => 4,
            0xe0.. => 3,
            _ => 2,
        };
        self.byte(length - 1);
        let end = (self.at + length).min(self.filled);
        let decoded = std::str::from_utf8(&self.buffer[self.at..end]).ok();
        // Not to be decoded is only what changed since the encoding was settled.
        let character = decoded.and_then(|text| text.chars().next());
        Some(character.map_or((char::REPLACEMENT_CHARACTER, 1), |c| (c, c.len_utf8())))
    }

    /// Takes the next character.
    #[inline]
    pub fn next(&mut self) -> Option<char> {
        let (character, length) = self.decode()?;
        self.at += length;
        if character == '\n' {
            self.line += 1;
            self.column = 1;
        } else {
            self.column += 1;
        }
        Some(character)
    }

    /// Takes the character if it is the next.
    pub fn eat(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted);
        if found {
            self.next();
        }
        found
    }

    /// Takes letters, digits and `_`.
    pub fn word(&mut self, into: &mut String) {
        loop {
            let rest = &self.buffer[self.at..self.filled];
            let run = rest.iter().take_while(|byte| is_word_byte(**byte)).count();
            into.push_str(std::str::from_utf8(&rest[..run]).expect("word bytes are ASCII"));
            self.at += run;
            self.column += run as u64;
            match self.peek() {
                Some(character) if character.is_alphanumeric() || character == '_' => {
                    into.push(character);
                    self.next();
                }
                _ => return,
            }
        }
    }
}

fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(bytes: &[u8]) -> Source {
        Source::from_bytes("f.pl", bytes)
    }

    fn all(bytes: &[u8]) -> String {
        let source = source(bytes);
        let mut characters = Characters::new(&source, encoding(&source).unwrap()).unwrap();
        std::iter::from_fn(|| characters.next()).collect()
    }

    #[test]
    fn characters_may_straddle_blocks() {
        for padding in BLOCK - 4..BLOCK + 2 {
            let text = format!("{}é€𝄞.", "x".repeat(padding));
            assert_eq!(all(text.as_bytes()), text);
        }
    }

    #[test]
    fn what_is_not_utf_8_is_latin_1() {
        assert_eq!(all(b"\xef\xbb\xbfa(\xc3\xa9)."), "a(é).");
        assert_eq!(all(b"a(\xe9)."), "a(é).");
        assert_eq!(all(b"a\xc3"), "aÃ");
        let mut late = vec![b'x'; BLOCK - 1];
        late.extend(b"\xc3(");
        assert_eq!(encoding(&source(&late)).unwrap(), Encoding::Latin1);
        late.extend(vec![b'x'; BLOCK]);
        assert_eq!(encoding(&source(&late)).unwrap(), Encoding::Latin1);
    }

    #[test]
    fn zeros_are_no_text() {
        let message = encoding(&source(b"SQLite format 3\0"))
            .unwrap_err()
            .to_string();
        assert_eq!(
            message,
            "`f.pl` is not a text file: byte 16 is 0x00; it looks like an SQLite database"
        );
        let mut late = "é".repeat(BLOCK).into_bytes();
        late.push(0);
        let message = encoding(&source(&late)).unwrap_err().to_string();
        assert_eq!(message, "`f.pl` is not a text file: byte 131073 is 0x00");
    }

    #[test]
    fn places_count_characters() {
        let source = source("é\nab".as_bytes());
        let mut characters = Characters::new(&source, Encoding::Utf8).unwrap();
        let mut word = String::new();
        characters.word(&mut word);
        assert_eq!((characters.line, characters.column), (1, 2));
        characters.next();
        characters.word(&mut word);
        assert_eq!((characters.line, characters.column), (2, 3));
        assert_eq!(word, "éab");
        assert_eq!(characters.next(), None);
    }
}
