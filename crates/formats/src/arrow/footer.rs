//! How deep a Parquet file's schema is nested, found out before anybody recurses into it.
//!
//! The schema lies in the file's footer as a flat list of elements, each with its number of
//! children; decoders build a tree of it recursively, and a few kilobytes suffice to exhaust their
//! stack. Only as much of the footer's encoding (Thrift's compact protocol) is read here as leads
//! to these numbers.

/// Levels that no table of ours has: each list takes up to three of them.
pub(super) const DEEPEST: usize = 256;

/// Structures inside of structures; a schema's elements have two levels.
const DEEPEST_STRUCTURE: usize = 16;

const STOP: u8 = 0;
const TRUE: u8 = 1;
const FALSE: u8 = 2;
const BYTE: u8 = 3;
const DOUBLE: u8 = 7;
const BINARY: u8 = 8;
const LIST: u8 = 9;
const SET: u8 = 10;
const MAP: u8 = 11;
const STRUCT: u8 = 12;

/// The field of the footer that holds the schema, and the field of an element that counts its
/// children.
const SCHEMA: i64 = 2;
const CHILDREN: i64 = 5;

/// Fails when the schema is nested too deep, or the footer is none.
pub(super) fn check(footer: &[u8]) -> Result<(), String> {
    let levels = depth(&mut Cursor(footer)).ok_or("its footer is none")?;
    match levels <= DEEPEST {
        true => Ok(()),
        false => Err(format!(
            "its schema is nested more than {DEEPEST} levels deep"
        )),
    }
}

/// The levels of the schema; more than allowed as soon as that is clear.
fn depth(cursor: &mut Cursor<'_>) -> Option<usize> {
    let mut field = 0;
    loop {
        let (id, of) = cursor.field(field)?;
        field = id;
        match of {
            STOP => return Some(0),
            LIST if id == SCHEMA => return schema_depth(cursor),
            of => cursor.skip(of, 0)?,
        }
    }
}

fn schema_depth(cursor: &mut Cursor<'_>) -> Option<usize> {
    let (elements, of) = cursor.list()?;
    if of != STRUCT {
        return None;
    }
    // How many children of each open element are still to come.
    let mut open: Vec<i64> = Vec::new();
    let mut deepest = 0;
    for _ in 0..elements {
        let children = cursor.children()?;
        while open.last() == Some(&0) {
            open.pop();
        }
        if let Some(left) = open.last_mut() {
            *left -= 1;
        }
        if children > 0 {
            open.push(children);
        }
        deepest = deepest.max(open.len());
        if deepest > DEEPEST {
            break;
        }
    }
    Some(deepest)
}

struct Cursor<'a>(&'a [u8]);

impl Cursor<'_> {
    fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(*first)
    }

    fn pass(&mut self, bytes: u64) -> Option<()> {
        self.0 = self.0.get(usize::try_from(bytes).ok()?..)?;
        Some(())
    }

    fn varint(&mut self) -> Option<u64> {
        let mut number = 0u64;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Some(number);
            }
        }
        None
    }

    fn integer(&mut self) -> Option<i64> {
        let number = self.varint()?;
        Some((number >> 1) as i64 ^ -((number & 1) as i64))
    }

    /// The number and type of the next field.
    fn field(&mut self, before: i64) -> Option<(i64, u8)> {
        let byte = self.byte()?;
        let (step, of) = (byte >> 4, byte & 15);
        match (step, of) {
            (_, STOP) => Some((before, STOP)),
            (0, of) => Some((self.integer()?, of)),
            (step, of) => Some((before.checked_add(step.into())?, of)),
        }
    }

    /// The length and type of a list.
    fn list(&mut self) -> Option<(u64, u8)> {
        let byte = self.byte()?;
        match byte >> 4 {
            15 => Some((self.varint()?, byte & 15)),
            length => Some((length.into(), byte & 15)),
        }
    }

    /// Passes an element of the schema; its number of children.
    fn children(&mut self) -> Option<i64> {
        let (mut field, mut children) = (0, 0);
        loop {
            let (id, of) = self.field(field)?;
            field = id;
            match of {
                STOP => return Some(children),
                4..=6 if id == CHILDREN => children = self.integer()?,
                of => self.skip(of, 0)?,
            }
        }
    }

    fn skip(&mut self, of: u8, level: usize) -> Option<()> {
        if level > DEEPEST_STRUCTURE {
            return None;
        }
        match of {
            TRUE | FALSE => Some(()),
            BYTE => self.pass(1),
            4..=6 => self.varint().map(drop),
            DOUBLE => self.pass(8),
            BINARY => {
                let length = self.varint()?;
                self.pass(length)
            }
            LIST | SET => {
                let (length, of) = self.list()?;
                (0..length).try_for_each(|_| self.element(of, level + 1))
            }
            MAP => {
                let length = self.varint()?;
                if length == 0 {
                    return Some(());
                }
                let types = self.byte()?;
                (0..length).try_for_each(|_| {
                    self.element(types >> 4, level + 1)?;
                    self.element(types & 15, level + 1)
                })
            }
            STRUCT => {
                let mut field = 0;
                loop {
                    let (id, of) = self.field(field)?;
                    field = id;
                    match of {
                        STOP => return Some(()),
                        of => self.skip(of, level + 1)?,
                    }
                }
            }
            _ => None,
        }
    }

    /// An element of a list or map: truth values take a byte there.
    fn element(&mut self, of: u8, level: usize) -> Option<()> {
        match of {
            TRUE | FALSE => self.pass(1),
            of => self.skip(of, level),
        }
    }
}
