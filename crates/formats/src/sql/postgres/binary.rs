//! Rows as a binary `COPY` sends them, straight into columns.

use std::io::{self, BufRead, Read};

use super::numeric::{self, Numeric};
use crate::sql::builder::Builder;
use crate::sql::label::Cell;

const SIGNATURE: &[u8; 11] = b"PGCOPY\n\xff\r\n\0";
/// Microseconds from 1970 to 2000, PostgreSQL's beginning of time.
const EPOCH: i64 = 946_684_800_000_000;
const DAY: i64 = 86_400_000_000;

/// How values of a column are sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Wire {
    Truth,
    Int2,
    Int4,
    Int8,
    Oid,
    Float4,
    Float8,
    Numeric,
    Text,
    Date,
    Timestamp,
    Array(Box<Wire>),
}

/// Rows being received.
pub(super) struct Rows<R> {
    reader: R,
    bytes: Vec<u8>,
    scratch: String,
}

impl<R: BufRead> Rows<R> {
    /// Takes the rows that come behind the header.
    pub fn begin(mut reader: R) -> io::Result<Self> {
        let mut header = [0; 19];
        reader.read_exact(&mut header)?;
        let (signature, rest) = header.split_at(SIGNATURE.len());
        let extension = i32::from_be_bytes([rest[4], rest[5], rest[6], rest[7]]);
        if signature != SIGNATURE || extension < 0 {
            return Err(garbled("the beginning"));
        }
        let mut rows = Self {
            reader,
            bytes: Vec::new(),
            scratch: String::new(),
        };
        rows.receive(extension as usize)?;
        Ok(rows)
    }

    /// How many cells the next row has; `None` behind the last row.
    pub fn next_row(&mut self) -> io::Result<Option<usize>> {
        let mut count = [0; 2];
        self.reader.read_exact(&mut count)?;
        match i16::from_be_bytes(count) {
            -1 => {
                // The end is the end only when the server says so: it may still fail.
                let mut rest = Vec::new();
                self.reader.read_to_end(&mut rest)?;
                Ok(None)
            }
            count => match usize::try_from(count) {
                Ok(count) => Ok(Some(count)),
                Err(_) => Err(garbled("a row")),
            },
        }
    }

    /// Puts the next cell into its column.
    pub fn next_cell(&mut self, wire: &Wire, builder: &mut Builder) -> io::Result<()> {
        let mut length = [0; 4];
        self.reader.read_exact(&mut length)?;
        let Ok(length) = usize::try_from(i32::from_be_bytes(length)) else {
            builder.push(Cell::Null);
            return Ok(());
        };
        self.receive(length)?;
        if builder.passed() {
            return Ok(());
        }
        deliver(wire, &self.bytes, &mut self.scratch, builder).ok_or_else(|| garbled("a value"))
    }

    /// Receives so many bytes; what the server only promises takes no memory.
    fn receive(&mut self, length: usize) -> io::Result<()> {
        self.bytes.clear();
        let mut part = self.reader.by_ref().take(length as u64);
        part.read_to_end(&mut self.bytes)?;
        if self.bytes.len() < length {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        Ok(())
    }
}

fn garbled(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what.to_owned())
}

/// Puts a value into its column; `None` where the bytes are not of the type.
fn deliver(wire: &Wire, bytes: &[u8], scratch: &mut String, builder: &mut Builder) -> Option<()> {
    let cell = match wire {
        Wire::Truth => Cell::Truth(*bytes.first()? != 0),
        Wire::Int2 => Cell::Integer(i16::from_be_bytes(bytes.try_into().ok()?).into()),
        Wire::Int4 => Cell::Integer(i32::from_be_bytes(bytes.try_into().ok()?).into()),
        Wire::Int8 => Cell::Integer(i64::from_be_bytes(bytes.try_into().ok()?)),
        Wire::Oid => Cell::Integer(u32::from_be_bytes(bytes.try_into().ok()?).into()),
        Wire::Float4 => {
            // The shortest decimal text of a single is what its owner wrote; as a double it is
            // another number.
            let number = f32::from_be_bytes(bytes.try_into().ok()?);
            Cell::Real(match number.is_finite() {
                true => number.to_string().parse().ok()?,
                false => f64::from(number),
            })
        }
        Wire::Float8 => Cell::Real(f64::from_be_bytes(bytes.try_into().ok()?)),
        Wire::Numeric => match numeric::write(bytes, scratch)? {
            Numeric::Number => Cell::Decimal(scratch),
            Numeric::NotFinite => Cell::Real(f64::NAN),
        },
        Wire::Text => Cell::Text(bytes),
        Wire::Date => match i32::from_be_bytes(bytes.try_into().ok()?) {
            i32::MIN | i32::MAX => Cell::Never,
            days => instant(i64::from(days) * DAY),
        },
        Wire::Timestamp => match i64::from_be_bytes(bytes.try_into().ok()?) {
            i64::MIN | i64::MAX => Cell::Never,
            microseconds => instant(microseconds),
        },
        Wire::Array(of) => return deliver_members(of, bytes, scratch, builder),
    };
    builder.push(cell);
    Some(())
}

fn instant(since_2000: i64) -> Cell<'static> {
    since_2000
        .checked_add(EPOCH)
        .map_or(Cell::Never, Cell::Instant)
}

/// An array: dimensions, flags, the type of members; each dimension's length and first index; the
/// members.
fn deliver_members(
    of: &Wire,
    bytes: &[u8],
    scratch: &mut String,
    builder: &mut Builder,
) -> Option<()> {
    let mut rest = bytes;
    let mut number = || -> Option<i32> {
        let (first, after) = rest.split_first_chunk::<4>()?;
        rest = after;
        Some(i32::from_be_bytes(*first))
    };
    let dimensions = number()?;
    let (_flags, _type) = (number()?, number()?);
    for _ in 0..dimensions {
        let (_length, _first) = (number()?, number()?);
    }
    builder.told.flattened += usize::from(dimensions > 1);
    while !rest.is_empty() {
        let (length, after) = rest.split_first_chunk::<4>()?;
        rest = after;
        let members = builder.members()?;
        match usize::try_from(i32::from_be_bytes(*length)) {
            Err(_) => members.push(Cell::Null),
            Ok(length) => {
                let (member, after) = rest.split_at_checked(length)?;
                rest = after;
                deliver(of, member, scratch, members)?;
            }
        }
    }
    builder.close_list(true);
    Some(())
}

#[cfg(test)]
mod tests {
    use kinwood_values::Column;
    use proptest::prelude::*;

    use super::*;
    use crate::sql::builder::{Built, Plan};

    /// A binary copy of rows of cells.
    fn copy(rows: &[&[Option<&[u8]>]]) -> Vec<u8> {
        let mut bytes = SIGNATURE.to_vec();
        bytes.extend([0; 8]);
        for row in rows {
            bytes.extend((row.len() as i16).to_be_bytes());
            for cell in *row {
                bytes.extend(cell.map_or(-1, |cell| cell.len() as i32).to_be_bytes());
                bytes.extend(cell.unwrap_or_default());
            }
        }
        bytes.extend((-1i16).to_be_bytes());
        bytes
    }

    fn column(wire: &Wire, plan: Plan, cells: &[Option<&[u8]>]) -> io::Result<Column> {
        let rows: Vec<&[Option<&[u8]>]> = cells.iter().map(std::slice::from_ref).collect();
        let bytes = copy(&rows);
        let mut rows = Rows::begin(bytes.as_slice())?;
        let mut builder = Builder::new(plan, false, 0);
        while rows.next_row()?.is_some() {
            rows.next_cell(wire, &mut builder)?;
        }
        match builder.finish() {
            Some((_, Built::Column(column), _)) => Ok(column),
            other => panic!("{other:?}"),
        }
    }

    fn texts(column: &Column) -> Vec<String> {
        (0..column.len())
            .map(|row| column.value(row).to_string())
            .collect()
    }

    #[test]
    fn values_are_read_by_their_types() {
        let read =
            |wire, plan, cells: &[Option<&[u8]>]| texts(&column(&wire, plan, cells).unwrap());
        let number = |wire, bytes: &[u8]| read(wire, Plan::Number, &[Some(bytes), None]);
        assert_eq!(number(Wire::Int2, &[0xff, 0xfe]), ["-2", "?"]);
        assert_eq!(number(Wire::Int4, &[0, 0, 1, 0]), ["256", "?"]);
        assert_eq!(number(Wire::Oid, &[0xff; 4]), ["4294967295", "?"]);
        assert_eq!(number(Wire::Float4, &0.1f32.to_be_bytes()), ["0.1", "?"]);
        assert_eq!(number(Wire::Float8, &0.1f64.to_be_bytes()), ["0.1", "?"]);
        assert_eq!(number(Wire::Float8, &f64::NAN.to_be_bytes()), ["?", "?"]);
        assert_eq!(read(Wire::Truth, Plan::Truth, &[Some(&[1])]), ["true"]);
        assert_eq!(read(Wire::Text, Plan::Text, &[Some(b"a")]), ["a"]);
        let day = |wire, bytes: &[u8]| read(wire, Plan::Date, &[Some(bytes)]);
        assert_eq!(day(Wire::Date, &1i32.to_be_bytes()), ["2000-01-02"]);
        assert_eq!(day(Wire::Date, &i32::MAX.to_be_bytes()), ["?"]);
        assert_eq!(
            day(Wire::Timestamp, &(-1i64).to_be_bytes()),
            ["1999-12-31T23:59:59.999Z"]
        );
        assert_eq!(day(Wire::Timestamp, &(i64::MAX - 1).to_be_bytes()), ["?"]);
    }

    #[test]
    fn arrays_are_lists() {
        let mut array = Vec::new();
        for word in [1, 1, 23, 2, 1, 4, 7, -1] {
            array.extend(i32::to_be_bytes(word));
        }
        let mut empty = Vec::new();
        for word in [0, 0, 23] {
            empty.extend(i32::to_be_bytes(word));
        }
        let wire = Wire::Array(Box::new(Wire::Int4));
        let plan = Plan::List(Box::new(Plan::Number));
        let cells = [Some(array.as_slice()), None, Some(&empty)];
        let column = column(&wire, plan, &cells).unwrap();
        assert_eq!(texts(&column), ["[7, ?]", "?", "[]"]);
    }

    #[test]
    fn what_is_cut_off_or_garbled_is_refused() {
        let bytes = copy(&[&[Some(b"abcd")]]);
        for end in 0..bytes.len() {
            let read = || -> io::Result<()> {
                let mut rows = Rows::begin(&bytes[..end])?;
                let mut builder = Builder::new(Plan::Number, false, 0);
                while rows.next_row()?.is_some() {
                    rows.next_cell(&Wire::Int4, &mut builder)?;
                }
                Ok(())
            };
            let kind = read().unwrap_err().kind();
            assert_eq!(kind, io::ErrorKind::UnexpectedEof, "{end}");
        }
        let wrong = column(&Wire::Int4, Plan::Number, &[Some(b"abc")]);
        assert_eq!(wrong.unwrap_err().kind(), io::ErrorKind::InvalidData);
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..40)) {
            let array = |of| Wire::Array(Box::new(of));
            for wire in [
                Wire::Truth, Wire::Int2, Wire::Int8, Wire::Float4, Wire::Numeric, Wire::Timestamp,
                array(Wire::Int4), array(Wire::Text), array(Wire::Numeric),
            ] {
                let plan = match &wire {
                    Wire::Array(_) => Plan::List(Box::new(Plan::Any)),
                    _ => Plan::Any,
                };
                let mut builder = Builder::new(plan, false, 0);
                let mut scratch = String::new();
                if deliver(&wire, &bytes, &mut scratch, &mut builder).is_some() {
                    prop_assert!(builder.finish().is_some() || wire == Wire::Truth);
                }
            }
        }
    }
}
