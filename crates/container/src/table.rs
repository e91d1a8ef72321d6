//! The section table: one entry per section, in the order of the sections.

use crate::error::{Damage, Place, Result, damaged};
use crate::header::{Checksum, Cursor, padding};
use crate::kind::Kind;
use crate::name::{self, NameFault};

/// One entry of the section table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) name: String,
    pub(crate) kind: Kind,
    /// Number of elements.
    pub(crate) count: u64,
    /// Where the section starts in the file.
    pub(crate) offset: u64,
    /// Its length in bytes, without padding.
    pub(crate) length: u64,
    pub(crate) checksum: Checksum,
}

impl Entry {
    /// Bytes of an entry before its name.
    const FIXED: u64 = 64;

    /// The bytes that the entry of a section with this name takes.
    pub(crate) fn encoded_length(name: &str) -> u64 {
        let length = Entry::FIXED + name.len() as u64;
        length + padding(length) as u64
    }

    /// Appends the entry as it stands in the file.
    pub(crate) fn encode(&self, table: &mut Vec<u8>) {
        table.extend_from_slice(&(self.name.len() as u32).to_le_bytes());
        table.extend_from_slice(&self.kind.code().to_le_bytes());
        table.extend_from_slice(&self.count.to_le_bytes());
        table.extend_from_slice(&self.offset.to_le_bytes());
        table.extend_from_slice(&self.length.to_le_bytes());
        table.extend_from_slice(&self.checksum);
        table.extend_from_slice(self.name.as_bytes());
        table.resize(table.len() + padding(self.name.len() as u64), 0);
    }
}

/// The bytes of an entry as read, before they are judged.
struct RawEntry<'a> {
    kind: u32,
    count: u64,
    offset: u64,
    length: u64,
    checksum: Checksum,
    name: &'a [u8],
    padding: &'a [u8],
}

impl<'a> RawEntry<'a> {
    fn read(cursor: &mut Cursor<'a>) -> Option<RawEntry<'a>> {
        let name_length = cursor.u32()?;
        Some(RawEntry {
            kind: cursor.u32()?,
            count: cursor.u64()?,
            offset: cursor.u64()?,
            length: cursor.u64()?,
            checksum: cursor.take()?,
            name: cursor.slice(usize::try_from(name_length).ok()?)?,
            padding: cursor.slice(padding(u64::from(name_length)))?,
        })
    }

    fn judge(&self, position: u32) -> Result<Entry> {
        let misnamed = |fault| {
            damaged(
                Place::SectionTable,
                Damage::Name {
                    entry: position,
                    fault,
                },
            )
        };
        let name = std::str::from_utf8(self.name).map_err(|_| misnamed(NameFault::Utf8))?;
        name::check(name).map_err(misnamed)?;
        if self.padding.iter().any(|&byte| byte != 0) {
            return Err(damaged(Place::SectionTable, Damage::Padding));
        }
        let kind = Kind::from_code(self.kind)
            .ok_or_else(|| damaged(name, Damage::UnknownKind { found: self.kind }))?;
        if !kind.fits(self.count, self.length) {
            let damage = Damage::ByteLength {
                kind,
                count: self.count,
                found: self.length,
            };
            return Err(damaged(name, damage));
        }
        Ok(Entry {
            name: name.to_owned(),
            kind,
            count: self.count,
            offset: self.offset,
            length: self.length,
            checksum: self.checksum,
        })
    }
}

/// Reads all entries; `table` must hold exactly `stated` of them.
pub(crate) fn decode(table: &[u8], stated: u32) -> Result<Vec<Entry>> {
    let miscounted = || damaged(Place::SectionTable, Damage::EntryCount { stated });
    let mut cursor = Cursor::new(table);
    // Grown by what is really there: the stated number is only compared, never reserved.
    let mut entries = Vec::new();
    for position in 0..stated {
        let raw = RawEntry::read(&mut cursor).ok_or_else(miscounted)?;
        entries.push(raw.judge(position)?);
    }
    if cursor.at_end() {
        Ok(entries)
    } else {
        Err(miscounted())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decoding_undoes_encoding() {
        let entry = |name: &str, count| Entry {
            name: name.to_owned(),
            kind: Kind::F64,
            count,
            offset: 400,
            length: count * 8,
            checksum: [7; 32],
        };
        let entries = [
            entry("a", 0),
            entry("references/x", 5),
            entry("12345678", 1),
        ];
        let mut table = Vec::new();
        for entry in &entries {
            let before = table.len() as u64;
            entry.encode(&mut table);
            assert_eq!(
                table.len() as u64 - before,
                Entry::encoded_length(&entry.name)
            );
        }
        assert_eq!(decode(&table, 3).unwrap(), entries);
        assert!(decode(&table, 2).is_err());
        assert!(decode(&table, 4).is_err());
    }
}
