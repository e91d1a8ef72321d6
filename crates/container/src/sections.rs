//! The writer: named sections collected in memory, then written at once.

use std::collections::HashSet;
use std::io::Write;
use std::ops::{Deref, DerefMut};
use std::path::Path;

use serde::Serialize;
use serde_json::{Map, Value};

use crate::error::{Error, Place, Result};
use crate::finite;
use crate::header::{HEADER_LENGTH, Header, LARGEST_MANIFEST, checksum, padding};
use crate::kind::{Element, Kind};
use crate::name;
use crate::nesting;
use crate::replace::replace;
use crate::table::Entry;

/// A `.kin` file in the making.
///
/// The bytes depend only on the manifest, the sections and the order in which they were put.
#[derive(Debug, Default)]
pub struct Sections {
    manifest: Map<String, Value>,
    sections: Vec<Section>,
    /// Only asked whether a name is taken; its order never matters.
    taken: HashSet<String>,
    /// Empty, or ended by a slash; changed by [`Sections::scope`].
    prefix: String,
}

#[derive(Debug)]
struct Section {
    name: String,
    kind: Kind,
    count: u64,
    bytes: Vec<u8>,
}

impl Sections {
    /// No sections and an empty manifest.
    pub fn new() -> Sections {
        Sections::default()
    }

    /// The readable JSON object at the start of the file; the same one in every scope.
    pub fn manifest_mut(&mut self) -> &mut Map<String, Value> {
        &mut self.manifest
    }

    /// The same sections with `name/` put before every name, until the scope is dropped.
    ///
    /// A scope can be passed on as `&mut Sections`: what writes a model also writes a part of one.
    ///
    /// ```
    /// # use kinwood_container::{Result, Sections};
    /// fn write_member(sections: &mut Sections) -> Result<()> {
    ///     sections.put_u32("sizes", &[3, 1])
    /// }
    /// let mut sections = Sections::new();
    /// write_member(&mut sections.scope("members/0"))?;
    /// write_member(&mut sections.scope("members").scope("1"))?;
    /// assert!(write_member(&mut sections.scope("members/1")).is_err());
    /// # Ok::<(), kinwood_container::Error>(())
    /// ```
    pub fn scope(&mut self, name: &str) -> Scope<'_> {
        let outer = self.prefix.len();
        self.prefix.push_str(name);
        self.prefix.push('/');
        Scope {
            sections: self,
            outer,
        }
    }

    /// Adds an array of numbers; every bit is kept, also of NaN.
    pub fn put_f64(&mut self, name: &str, values: &[f64]) -> Result<()> {
        self.put_elements(name, values)
    }

    /// Adds an array of unsigned 32-bit integers.
    pub fn put_u32(&mut self, name: &str, values: &[u32]) -> Result<()> {
        self.put_elements(name, values)
    }

    /// Adds an array of unsigned 64-bit integers.
    pub fn put_u64(&mut self, name: &str, values: &[u64]) -> Result<()> {
        self.put_elements(name, values)
    }

    /// Adds an array of signed 64-bit integers.
    pub fn put_i64(&mut self, name: &str, values: &[i64]) -> Result<()> {
        self.put_elements(name, values)
    }

    /// Adds bytes.
    pub fn put_u8(&mut self, name: &str, values: &[u8]) -> Result<()> {
        self.put_elements(name, values)
    }

    /// Adds an array of strings.
    pub fn put_text(&mut self, name: &str, values: &[impl AsRef<str>]) -> Result<()> {
        let mut ends = Vec::with_capacity(values.len());
        let mut end = 0u64;
        for value in values {
            end += value.as_ref().len() as u64;
            ends.push(end);
        }
        let mut bytes = u64::encode(&ends);
        for value in values {
            bytes.extend_from_slice(value.as_ref().as_bytes());
        }
        self.put(name, Kind::Text, values.len() as u64, bytes)
    }

    /// Adds a value as JSON, for small irregular things such as settings.
    ///
    /// JSON has no NaN and no infinities: a value that holds one is refused. Numbers that may be
    /// such belong into [`Sections::put_f64`]. For reproducible bytes the value must serialise in a
    /// fixed order.
    pub fn put_json(&mut self, name: &str, value: &impl Serialize) -> Result<()> {
        let place = || Place::Section(format!("{}{name}", self.prefix));
        finite::check(value).map_err(|found| Error::NotFinite {
            place: place(),
            found: found.to_string(),
        })?;
        let bytes = serde_json::to_vec(value).map_err(|source| Error::Json {
            place: place(),
            source,
        })?;
        nesting::check(place, &bytes)?;
        self.put(name, Kind::Json, 1, bytes)
    }

    /// The whole file.
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        let mut file = self.head()?;
        for section in &self.sections {
            file.extend_from_slice(&section.bytes);
            file.resize(file.len() + padding(section.bytes.len() as u64), 0);
        }
        Ok(file)
    }

    /// Writes the file whole or not at all: on failure, what was at `path` stays as it was.
    pub fn write_to(&self, path: impl AsRef<Path>) -> Result<()> {
        let path = path.as_ref();
        let head = self.head()?;
        replace(path, |out| {
            out.write_all(&head)?;
            for section in &self.sections {
                out.write_all(&section.bytes)?;
                out.write_all(&[0; 8][..padding(section.bytes.len() as u64)])?;
            }
            Ok(())
        })
        .map_err(|source| Error::Write {
            path: path.to_owned(),
            source,
        })
    }

    fn put_elements<T: Element>(&mut self, name: &str, values: &[T]) -> Result<()> {
        self.put(name, T::KIND, values.len() as u64, T::encode(values))
    }

    fn put(&mut self, name: &str, kind: Kind, count: u64, bytes: Vec<u8>) -> Result<()> {
        let name = format!("{}{name}", self.prefix);
        if let Err(fault) = name::check(&name) {
            return Err(Error::Name { name, fault });
        }
        if !self.taken.insert(name.clone()) {
            return Err(Error::Duplicate { name });
        }
        self.sections.push(Section {
            name,
            kind,
            count,
            bytes,
        });
        Ok(())
    }

    /// Everything before the first section: header, manifest and section table.
    fn head(&self) -> Result<Vec<u8>> {
        let manifest = self.manifest_text()?;
        let section_count = u32::try_from(self.sections.len()).map_err(|_| Error::TooLarge {
            place: Place::SectionTable,
            limit: u64::from(u32::MAX),
            found: self.sections.len() as u64,
        })?;
        let manifest_length = manifest.len() as u64;
        let manifest_padding = padding(manifest_length);
        let table_length: u64 = self
            .sections
            .iter()
            .map(|section| Entry::encoded_length(&section.name))
            .sum();

        let mut offset =
            HEADER_LENGTH as u64 + manifest_length + manifest_padding as u64 + table_length;
        let mut table = Vec::new();
        for section in &self.sections {
            let length = section.bytes.len() as u64;
            let entry = Entry {
                name: section.name.clone(),
                kind: section.kind,
                count: section.count,
                offset,
                length,
                checksum: checksum(&section.bytes),
            };
            entry.encode(&mut table);
            offset += length + padding(length) as u64;
        }

        let header = Header {
            section_count,
            file_length: offset,
            manifest_length,
            table_length,
            manifest_checksum: checksum(&manifest),
            table_checksum: checksum(&table),
        };
        let mut head = header.encode();
        head.extend_from_slice(&manifest);
        head.resize(head.len() + manifest_padding, 0);
        head.extend_from_slice(&table);
        Ok(head)
    }

    fn manifest_text(&self) -> Result<Vec<u8>> {
        let mut text = serde_json::to_vec_pretty(&self.manifest).map_err(|source| Error::Json {
            place: Place::Manifest,
            source,
        })?;
        text.push(b'\n');
        nesting::check(|| Place::Manifest, &text)?;
        let found = text.len() as u64;
        if found > LARGEST_MANIFEST {
            return Err(Error::TooLarge {
                place: Place::Manifest,
                limit: LARGEST_MANIFEST,
                found,
            });
        }
        Ok(text)
    }
}

/// [`Sections`] with a prefix before every name; the prefix ends with it.
#[derive(Debug)]
pub struct Scope<'a> {
    sections: &'a mut Sections,
    /// Length of the prefix outside of the scope.
    outer: usize,
}

impl Deref for Scope<'_> {
    type Target = Sections;

    fn deref(&self) -> &Sections {
        self.sections
    }
}

impl DerefMut for Scope<'_> {
    fn deref_mut(&mut self) -> &mut Sections {
        self.sections
    }
}

impl Drop for Scope<'_> {
    fn drop(&mut self) {
        self.sections.prefix.truncate(self.outer);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::name::NameFault;

    #[test]
    fn a_name_is_taken_once() {
        let mut sections = Sections::new();
        sections.put_u32("a/b", &[1]).unwrap();
        let error = sections.scope("a").put_f64("b", &[]).unwrap_err();
        assert_eq!(error.to_string(), "duplicate section `a/b`");
    }

    #[test]
    fn a_scope_ends_with_its_value() {
        let mut sections = Sections::new();
        {
            let mut outer = sections.scope("outer");
            outer.scope("inner").put_u8("x", &[]).unwrap();
            outer.put_u8("x", &[]).unwrap();
        }
        sections.put_u8("x", &[]).unwrap();
        let names: Vec<&str> = sections
            .sections
            .iter()
            .map(|section| section.name.as_str())
            .collect();
        assert_eq!(names, ["outer/inner/x", "outer/x", "x"]);
    }

    #[test]
    fn an_empty_scope_is_an_invalid_name() {
        for scope in ["", "a/"] {
            let error = Sections::new().scope(scope).put_u8("x", &[]).unwrap_err();
            assert!(
                matches!(
                    error,
                    Error::Name {
                        fault: NameFault::EmptySegment,
                        ..
                    }
                ),
                "{error}"
            );
        }
    }

    #[test]
    fn what_could_not_be_read_is_not_written() {
        let nested = (0..200).fold(Value::Null, |inner, _| Value::Array(vec![inner]));
        let mut sections = Sections::new();
        assert!(matches!(
            sections.put_json("deep", &nested),
            Err(Error::TooDeep { .. })
        ));
        sections.manifest_mut().insert("deep".into(), nested);
        assert!(matches!(sections.to_bytes(), Err(Error::TooDeep { .. })));

        let mut sections = Sections::new();
        let long = "x".repeat(LARGEST_MANIFEST as usize);
        sections.manifest_mut().insert("long".into(), long.into());
        assert!(matches!(sections.to_bytes(), Err(Error::TooLarge { .. })));
    }
}
