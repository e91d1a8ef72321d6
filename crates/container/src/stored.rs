//! The reader: a file that was checked as a whole, and typed access to its sections.
//!
//! All checks of the bytes happen when the file is opened. What remains to be checked afterwards
//! is what the reader expects: that a section exists, holds the right kind and the right number.

use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::error::{Error, Place, Result};
use crate::header::{HEADER_LENGTH, Header};
use crate::kind::{Element, Kind};
use crate::table::Entry;

mod check;

use check::Checked;

/// A `.kin` file, checked; cheap to clone and to narrow.
#[derive(Clone)]
pub struct Stored {
    file: Arc<Checked>,
    /// Empty, or ended by a slash.
    prefix: String,
}

/// Shows the manifest and what sections there are; their content would fill pages.
impl fmt::Debug for Stored {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Stored")
            .field("manifest", self.manifest())
            .field("prefix", &self.prefix)
            .field("names", &self.names().collect::<Vec<_>>())
            .finish()
    }
}

impl Stored {
    /// Reads and checks the file at `path`. Memory is bounded by the real size of the file, not by
    /// what the file says about itself.
    pub fn open(path: impl AsRef<Path>) -> Result<Stored> {
        let path = path.as_ref();
        let unreadable = |source| Error::Read {
            path: path.to_owned(),
            source,
        };
        let mut file = File::open(path).map_err(unreadable)?;
        let mut bytes = Vec::new();
        file.by_ref()
            .take(HEADER_LENGTH as u64)
            .read_to_end(&mut bytes)
            .map_err(unreadable)?;
        let header = Header::decode(&bytes)?;
        // One byte more than stated is enough to see that the file is too long.
        let rest = header
            .file_length
            .saturating_sub(HEADER_LENGTH as u64)
            .saturating_add(1);
        let metadata = file.metadata().map_err(unreadable)?;
        if metadata.is_file() {
            let expected = usize::try_from(rest.min(metadata.len())).unwrap_or(usize::MAX);
            bytes
                .try_reserve_exact(expected)
                .map_err(|_| unreadable(io::ErrorKind::OutOfMemory.into()))?;
        }
        file.take(rest)
            .read_to_end(&mut bytes)
            .map_err(unreadable)?;
        Stored::from_bytes(bytes)
    }

    /// Checks the bytes of a file.
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Stored> {
        Ok(Stored {
            file: Arc::new(Checked::new(bytes)?),
            prefix: String::new(),
        })
    }

    /// The readable JSON object at the start of the file; the same one in every scope.
    pub fn manifest(&self) -> &Map<String, Value> {
        &self.file.manifest
    }

    /// The same file seen from below `name`: every name is looked up as `name/…`.
    ///
    /// What reads a model therefore also reads a part of one.
    pub fn scope(&self, name: &str) -> Stored {
        Stored {
            file: Arc::clone(&self.file),
            prefix: format!("{}{name}/", self.prefix),
        }
    }

    /// The names in this scope, in the order of the file.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.file
            .entries
            .iter()
            .filter_map(|entry| entry.name.strip_prefix(&self.prefix))
    }

    /// Whether there is a section of this name.
    pub fn has(&self, name: &str) -> bool {
        self.file.find(&self.full_name(name)).is_some()
    }

    /// The name in the file, as error messages give it, of a name in this scope.
    pub fn full_name(&self, name: &str) -> String {
        format!("{}{name}", self.prefix)
    }

    /// The kind of a section's elements and their number.
    pub fn shape(&self, name: &str) -> Result<(Kind, u64)> {
        self.entry(name).map(|entry| (entry.kind, entry.count))
    }

    /// An array of numbers.
    pub fn f64s(&self, name: &str) -> Result<Vec<f64>> {
        self.elements(name, None)
    }

    /// An array of numbers that must have `expected` elements.
    pub fn f64s_len(&self, name: &str, expected: usize) -> Result<Vec<f64>> {
        self.elements(name, Some(expected))
    }

    /// An array of unsigned 32-bit integers.
    pub fn u32s(&self, name: &str) -> Result<Vec<u32>> {
        self.elements(name, None)
    }

    /// An array of unsigned 32-bit integers that must have `expected` elements.
    pub fn u32s_len(&self, name: &str, expected: usize) -> Result<Vec<u32>> {
        self.elements(name, Some(expected))
    }

    /// An array of indices, each below `bound`: what it points to is sure to exist.
    pub fn indices(&self, name: &str, bound: usize) -> Result<Vec<u32>> {
        let indices = self.u32s(name)?;
        let outside = |&index: &u32| usize::try_from(index).map_or(true, |index| index >= bound);
        match indices.iter().position(outside) {
            None => Ok(indices),
            Some(position) => Err(Error::Index {
                name: self.full_name(name),
                position,
                found: indices[position],
                bound,
            }),
        }
    }

    /// An array of unsigned 64-bit integers.
    pub fn u64s(&self, name: &str) -> Result<Vec<u64>> {
        self.elements(name, None)
    }

    /// An array of unsigned 64-bit integers that must have `expected` elements.
    pub fn u64s_len(&self, name: &str, expected: usize) -> Result<Vec<u64>> {
        self.elements(name, Some(expected))
    }

    /// An array of signed 64-bit integers.
    pub fn i64s(&self, name: &str) -> Result<Vec<i64>> {
        self.elements(name, None)
    }

    /// An array of signed 64-bit integers that must have `expected` elements.
    pub fn i64s_len(&self, name: &str, expected: usize) -> Result<Vec<i64>> {
        self.elements(name, Some(expected))
    }

    /// Bytes.
    pub fn bytes(&self, name: &str) -> Result<Vec<u8>> {
        self.elements(name, None)
    }

    /// Bytes of which there must be `expected`.
    pub fn bytes_len(&self, name: &str, expected: usize) -> Result<Vec<u8>> {
        self.elements(name, Some(expected))
    }

    /// An array of strings.
    pub fn text(&self, name: &str) -> Result<Vec<String>> {
        self.strings(name, None)
    }

    /// An array of strings that must have `expected` elements.
    pub fn text_len(&self, name: &str, expected: usize) -> Result<Vec<String>> {
        self.strings(name, Some(expected))
    }

    /// A value stored as JSON.
    pub fn json<T: DeserializeOwned>(&self, name: &str) -> Result<T> {
        let entry = self.expect(name, Kind::Json, None)?;
        serde_json::from_slice(self.file.content(entry)).map_err(|source| Error::Json {
            place: Place::Section(entry.name.clone()),
            source,
        })
    }

    fn elements<T: Element>(&self, name: &str, expected: Option<usize>) -> Result<Vec<T>> {
        let entry = self.expect(name, T::KIND, expected)?;
        Ok(T::decode(self.file.content(entry)))
    }

    fn strings(&self, name: &str, expected: Option<usize>) -> Result<Vec<String>> {
        let entry = self.expect(name, Kind::Text, expected)?;
        check::strings(entry, self.file.content(entry))
            .map(|string| string.map(str::to_owned))
            .collect()
    }

    /// The entry of a section that must hold `kind` and, if given, `length` elements.
    fn expect(&self, name: &str, kind: Kind, length: Option<usize>) -> Result<&Entry> {
        let entry = self.entry(name)?;
        if entry.kind != kind {
            return Err(Error::Kind {
                name: entry.name.clone(),
                expected: kind,
                found: entry.kind,
            });
        }
        match length {
            Some(length) if entry.count != length as u64 => Err(Error::Length {
                name: entry.name.clone(),
                expected: length as u64,
                found: entry.count,
            }),
            _ => Ok(entry),
        }
    }

    fn entry(&self, name: &str) -> Result<&Entry> {
        let name = self.full_name(name);
        self.file.find(&name).ok_or_else(|| {
            let nearest = self.file.nearest(&name).map(str::to_owned);
            Error::Missing { name, nearest }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sections::Sections;

    fn stored() -> Stored {
        let mut sections = Sections::new();
        sections.put_u32("tree/columns", &[2, 0, 1]).unwrap();
        sections.put_text("classes", &["yes", "", "nö"]).unwrap();
        sections.put_json("settings", &vec![1, 2]).unwrap();
        Stored::from_bytes(sections.to_bytes().unwrap()).unwrap()
    }

    #[test]
    fn expectations_are_reported_with_the_full_name() {
        let stored = stored();
        let tree = stored.scope("tree");
        let message = |error: Error| error.to_string();
        assert_eq!(
            message(tree.f64s("columns").unwrap_err()),
            "section `tree/columns` holds u32, expected f64"
        );
        assert_eq!(
            message(tree.u32s_len("columns", 4).unwrap_err()),
            "section `tree/columns` has length 3, expected 4"
        );
        assert_eq!(
            message(tree.indices("columns", 2).unwrap_err()),
            "section `tree/columns` holds index 2 at position 0, expected below 2"
        );
        assert_eq!(
            message(tree.u32s("column").unwrap_err()),
            "missing section `tree/column`; did you mean `tree/columns`?"
        );
        assert_eq!(
            message(stored.u32s("zzz").unwrap_err()),
            "missing section `zzz`"
        );
        let misshapen = stored.json::<String>("settings").unwrap_err();
        assert!(message(misshapen).starts_with("section `settings`: invalid type"));
    }

    #[test]
    fn scopes_see_what_lies_below_them() {
        let stored = stored();
        assert_eq!(
            stored.names().collect::<Vec<_>>(),
            ["tree/columns", "classes", "settings"]
        );
        assert_eq!(
            stored.scope("tree").names().collect::<Vec<_>>(),
            ["columns"]
        );
        assert_eq!(stored.scope("tre").names().count(), 0);
        assert!(stored.has("tree/columns") && stored.scope("tree").has("columns"));
        assert!(!stored.has("tree") && !stored.has("columns"));
        assert_eq!(
            stored.scope("tree").indices("columns", 3).unwrap(),
            [2, 0, 1]
        );
        assert_eq!(stored.text_len("classes", 3).unwrap(), ["yes", "", "nö"]);
        assert_eq!(stored.shape("classes").unwrap(), (Kind::Text, 3));
    }
}
