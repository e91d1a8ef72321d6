//! The checks that a file must pass before anything is taken from it.
//!
//! They go from the outside in: each part is measured against the real length of the file, then
//! compared with its checksum, then understood. Memory is reserved only for what was measured.

use serde::de::IgnoredAny;
use serde_json::{Map, Value};

use crate::error::{Damage, Error, Place, Result, damaged};
use crate::header::{Checksum, HEADER_LENGTH, Header, checksum, padding};
use crate::kind::Kind;
use crate::nesting;
use crate::table::{self, Entry};

/// A whole file that is what it says.
pub(super) struct Checked {
    bytes: Vec<u8>,
    pub(super) manifest: Map<String, Value>,
    /// In the order of the file.
    pub(super) entries: Vec<Entry>,
    /// Positions in `entries`, by name.
    by_name: Vec<usize>,
}

impl Checked {
    pub(super) fn new(bytes: Vec<u8>) -> Result<Checked> {
        let header = Header::decode(&bytes)?;
        let start = HEADER_LENGTH as u64;
        let (manifest, start) = padded(&bytes, start, header.manifest_length, Place::Manifest)?;
        verify(manifest, header.manifest_checksum, || Place::Manifest)?;
        let (table, start) = padded(&bytes, start, header.table_length, Place::SectionTable)?;
        verify(table, header.table_checksum, || Place::SectionTable)?;
        let entries = table::decode(table, header.section_count)?;
        let by_name = distinct(&entries)?;
        let end = in_sequence(&bytes, start, &entries)?;
        let found = bytes.len() as u64;
        if end != header.file_length || end != found {
            let damage = Damage::FileLength {
                stated: header.file_length,
                found,
            };
            return Err(damaged(Place::Header, damage));
        }
        let manifest = parse_manifest(manifest)?;
        let checked = Checked {
            bytes,
            manifest,
            entries,
            by_name,
        };
        for entry in &checked.entries {
            check_content(entry, checked.content(entry))?;
        }
        Ok(checked)
    }

    /// The section's bytes.
    pub(super) fn content(&self, entry: &Entry) -> &[u8] {
        slice(&self.bytes, entry.offset, entry.length)
            .expect("every entry was found to lie inside the file when it was checked")
    }

    /// The entry of this full name.
    pub(super) fn find(&self, name: &str) -> Option<&Entry> {
        self.by_name
            .binary_search_by(|&position| self.entries[position].name.as_str().cmp(name))
            .ok()
            .map(|found| &self.entries[self.by_name[found]])
    }

    /// The most similar name in the file, if any is similar at all.
    pub(super) fn nearest(&self, name: &str) -> Option<&str> {
        self.entries
            .iter()
            .map(|entry| (strsim::levenshtein(&entry.name, name), entry.name.as_str()))
            .min()
            .filter(|&(edits, _)| edits <= 2.max(name.len() / 4))
            .map(|(_, nearest)| nearest)
    }
}

/// The bytes from `offset` on, if the file is that long.
fn slice(bytes: &[u8], offset: u64, length: u64) -> Option<&[u8]> {
    let start = usize::try_from(offset).ok()?;
    let end = usize::try_from(offset.checked_add(length)?).ok()?;
    bytes.get(start..end)
}

/// The part at `start`, and where the next one starts; the padding between them must be zero.
fn padded(bytes: &[u8], start: u64, length: u64, place: impl Into<Place>) -> Result<(&[u8], u64)> {
    let fill = padding(length) as u64;
    // A length close to 2^64 can only be a lie: the file is too short for it in any case.
    let end = start.saturating_add(length);
    let next = end.saturating_add(fill);
    match (slice(bytes, start, length), slice(bytes, end, fill)) {
        (Some(part), Some(fill)) if fill.iter().all(|&byte| byte == 0) => Ok((part, next)),
        (Some(_), Some(_)) => Err(damaged(place, Damage::Padding)),
        _ => {
            let damage = Damage::Truncated {
                needed: next,
                found: bytes.len() as u64,
            };
            Err(damaged(place, damage))
        }
    }
}

fn verify(part: &[u8], stated: Checksum, place: impl FnOnce() -> Place) -> Result<()> {
    if checksum(part) == stated {
        Ok(())
    } else {
        Err(damaged(place(), Damage::Checksum))
    }
}

/// The positions of the entries by name, no name twice.
fn distinct(entries: &[Entry]) -> Result<Vec<usize>> {
    let name = |position: usize| entries[position].name.as_str();
    let mut by_name: Vec<usize> = (0..entries.len()).collect();
    by_name.sort_by(|&a, &b| name(a).cmp(name(b)));
    match by_name
        .windows(2)
        .find(|pair| name(pair[0]) == name(pair[1]))
    {
        Some(pair) => Err(Error::Duplicate {
            name: name(pair[0]).to_owned(),
        }),
        None => Ok(by_name),
    }
}

/// Where the last section ends; each one must start where its predecessor ends.
fn in_sequence(bytes: &[u8], start: u64, entries: &[Entry]) -> Result<u64> {
    let mut expected = start;
    for entry in entries {
        if entry.offset != expected {
            let damage = Damage::Offset {
                expected,
                found: entry.offset,
            };
            return Err(damaged(entry.name.as_str(), damage));
        }
        (_, expected) = padded(bytes, entry.offset, entry.length, entry.name.as_str())?;
    }
    Ok(expected)
}

fn parse_manifest(text: &[u8]) -> Result<Map<String, Value>> {
    let text = str::from_utf8(text).map_err(|_| damaged(Place::Manifest, Damage::Utf8))?;
    nesting::check(|| Place::Manifest, text.as_bytes())?;
    serde_json::from_str(text).map_err(|source| Error::Json {
        place: Place::Manifest,
        source,
    })
}

fn check_content(entry: &Entry, bytes: &[u8]) -> Result<()> {
    let place = || Place::Section(entry.name.clone());
    verify(bytes, entry.checksum, place)?;
    match entry.kind {
        Kind::U8 | Kind::U32 | Kind::U64 | Kind::I64 | Kind::F64 => Ok(()),
        Kind::Text => strings(entry, bytes).try_for_each(|string| string.map(drop)),
        Kind::Json => {
            let text = str::from_utf8(bytes).map_err(|_| damaged(place(), Damage::Utf8))?;
            nesting::check(place, bytes)?;
            serde_json::from_str::<IgnoredAny>(text).map_err(|source| Error::Json {
                place: place(),
                source,
            })?;
            Ok(())
        }
    }
}

/// The strings of a text section: first where each ends, then their bytes.
pub(super) fn strings<'a>(
    entry: &'a Entry,
    bytes: &'a [u8],
) -> impl Iterator<Item = Result<&'a str>> {
    let (ends, content) = bytes.split_at(entry.count as usize * size_of::<u64>());
    let last = entry.count.saturating_sub(1);
    let mut start = 0;
    ends.as_chunks()
        .0
        .iter()
        .zip(0..)
        .map(move |(&end, position): (&[u8; 8], u64)| {
            let end = u64::from_le_bytes(end);
            let fault = |damage| damaged(entry.name.as_str(), damage);
            let string = end
                .checked_sub(start)
                .and_then(|length| slice(content, start, length))
                .filter(|_| position < last || end == content.len() as u64)
                .ok_or_else(|| fault(Damage::TextEnds { string: position }))?;
            start = end;
            str::from_utf8(string).map_err(|_| fault(Damage::Utf8))
        })
}
