//! Where in a source its next byte stands: serde_json tells places of its own errors only.

use std::cell::Cell;
use std::io::{self, BufReader, Cursor, Read};
use std::rc::Rc;

use crate::error::{Error, Result};
use crate::magic;
use crate::source::{LONGEST_LINE, Source, too_long};

/// Bytes in memory at a time.
const BLOCK: usize = 1 << 16;
/// The mark with which some editors begin UTF-8.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// A line and a character in it, both from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub line: u64,
    pub column: u64,
}

/// The bytes of a source, and the place of the next one for all who hold it.
pub(super) struct Counting {
    reader: BufReader<Box<dyn Read>>,
    next: Rc<Cell<Place>>,
    piece: Piece,
}

/// A text or another piece between marks, while it is read: it is held in memory as a whole.
#[derive(Default)]
struct Piece {
    quoted: bool,
    escaped: bool,
    length: usize,
}

impl Piece {
    /// Takes a byte; says whether the piece has become too long.
    fn take(&mut self, byte: u8) -> bool {
        self.length += 1;
        match byte {
            _ if self.escaped => self.escaped = false,
            b'\\' if self.quoted => self.escaped = true,
            b'"' => {
                self.quoted = !self.quoted;
                self.length = 0;
            }
            b',' | b':' | b'[' | b']' | b'{' | b'}' | b' ' | b'\n' if !self.quoted => {
                self.length = 0;
            }
            _ => {}
        }
        self.length > LONGEST_LINE
    }
}

impl Counting {
    pub fn new(source: &Source) -> Result<Self> {
        let mut bytes = source.reader()?;
        let mut start = Vec::new();
        bytes
            .by_ref()
            .take(BYTE_ORDER_MARK.len() as u64)
            .read_to_end(&mut start)
            .map_err(|error| source.failed(error))?;
        if start == BYTE_ORDER_MARK {
            start.clear();
        }
        let bytes: Box<dyn Read> = Box::new(Cursor::new(start).chain(bytes));
        let reader = BufReader::with_capacity(BLOCK, bytes);
        let next = Rc::new(Cell::new(Place { line: 1, column: 1 }));
        Ok(Self {
            reader,
            next,
            piece: Piece::default(),
        })
    }

    /// The place of the next byte, as it will be.
    pub fn next(&self) -> Rc<Cell<Place>> {
        Rc::clone(&self.next)
    }
}

impl Read for Counting {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.reader.read(buffer)?;
        let mut place = self.next.get();
        for &byte in &buffer[..read] {
            if self.piece.take(byte) {
                return Err(too_long("a text", LONGEST_LINE));
            }
            if byte == b'\n' {
                place.line += 1;
                place.column = 1;
            } else {
                // Bytes that go on with a character are no characters.
                place.column += u64::from(byte & 0xc0 != 0x80);
            }
        }
        self.next.set(place);
        Ok(read)
    }
}

/// The first byte that is no blank, and where it stands; a source that is no text is refused.
pub(super) fn first(source: &Source) -> Result<Option<(u8, Place)>> {
    let start = source.start()?;
    if let Some(position) = memchr::memchr(0, &start) {
        return Err(Error::Binary {
            file: source.name().to_owned(),
            position: position as u64 + 1,
            byte: 0,
            hint: magic::hint(&start),
        });
    }
    let mut reader = Counting::new(source)?;
    let next = reader.next();
    let mut byte = [0];
    loop {
        let place = next.get();
        match reader
            .read(&mut byte)
            .map_err(|error| source.failed(error))?
        {
            0 => return Ok(None),
            _ if byte[0].is_ascii_whitespace() => {}
            _ => return Ok(Some((byte[0], place))),
        }
    }
}
