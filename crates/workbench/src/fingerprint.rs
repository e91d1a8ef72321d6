//! Fingerprints: which data a model was made from, as a short text.
//!
//! Hashing all values takes longer than fitting many a model, and most models of a search or of a
//! program that fits again and again are never written. So a model keeps its data until somebody
//! looks at the fingerprint, and lets go of it then.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use kinwood_values::{Cells, Column, Database, ForeignKey};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sha2::{Digest, Sha256};

/// The fingerprint of the data of a model, hashed when it is first looked at.
///
/// It is text to everyone else: it is written, compared and serialised as such. Data that was
/// appended to stands behind a semicolon.
///
/// ```
/// use kinwood_workbench::fingerprint::Fingerprint;
/// use kinwood_values::Database;
///
/// let database = Database::single(kinwood_workbench::sample::table(20, 0.0, 1))?;
/// let print = Fingerprint::of(database.into());
/// assert!(!print.is_computed());
/// assert_eq!(print.to_string().len(), 64);
/// assert!(print.is_computed());
/// # Ok::<(), kinwood_values::Error>(())
/// ```
#[derive(Clone, Default)]
pub struct Fingerprint {
    /// Shared by copies, so that what one has hashed all have.
    parts: Vec<Arc<Mutex<Part>>>,
}

enum Part {
    Text(String),
    /// Data that is not hashed yet.
    Data(Arc<Database>),
}

impl Fingerprint {
    /// That of a database, hashed when it is first looked at; until then the data is kept.
    pub fn of(database: Arc<Database>) -> Self {
        Self::from(Part::Data(database))
    }

    /// Adds what a model was given more. It is hashed at once: a model that is given rows one by
    /// one must not keep them all.
    pub fn append(&mut self, database: &Database) {
        let more = Self::from(fingerprint(database));
        self.parts.extend(more.parts);
    }

    /// Whether all of it is hashed, so that no data is kept.
    pub fn is_computed(&self) -> bool {
        self.parts
            .iter()
            .all(|part| matches!(*locked(part), Part::Text(_)))
    }

    /// The text, which has what is not hashed yet hashed.
    pub fn text(&self) -> String {
        let texts: Vec<String> = self.parts.iter().map(text_of).collect();
        texts.join("; ")
    }
}

fn locked(part: &Mutex<Part>) -> MutexGuard<'_, Part> {
    // A part is replaced as a whole, so that a panic leaves none half done.
    part.lock().unwrap_or_else(PoisonError::into_inner)
}

fn text_of(part: &Arc<Mutex<Part>>) -> String {
    let mut part = locked(part);
    let text = match &*part {
        Part::Text(text) => return text.clone(),
        Part::Data(database) => fingerprint(database),
    };
    *part = Part::Text(text.clone());
    text
}

impl From<Part> for Fingerprint {
    fn from(part: Part) -> Self {
        Self {
            parts: vec![Arc::new(Mutex::new(part))],
        }
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.text())
    }
}

impl fmt::Debug for Fingerprint {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Fingerprint({self})")
    }
}

impl From<String> for Fingerprint {
    fn from(text: String) -> Self {
        Self::from(Part::Text(text))
    }
}

impl PartialEq for Fingerprint {
    fn eq(&self, other: &Self) -> bool {
        // One after the other: a fingerprint may be compared with itself.
        self.text() == other.text()
    }
}

impl Eq for Fingerprint {}

impl PartialEq<Fingerprint> for String {
    fn eq(&self, other: &Fingerprint) -> bool {
        *self == other.text()
    }
}

impl Serialize for Fingerprint {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Fingerprint {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(Self::from)
    }
}

/// SHA-256 over the tables' names, types, roles and values, in order.
pub fn fingerprint(database: &Database) -> String {
    let mut hash = Sha256::new();
    for table in database.tables() {
        text(&mut hash, table.name());
        for attribute in table.attributes() {
            text(&mut hash, &attribute.name);
            text(&mut hash, &attribute.type_of().to_string());
            text(&mut hash, attribute.role.name());
            column(&mut hash, &attribute.column);
        }
    }
    for key in database.foreign_keys() {
        let ForeignKey {
            name,
            from,
            from_columns,
            to,
            to_columns,
            describes,
        } = key;
        // Written out, so that what nobody states leaves the fingerprints of older models as they
        // are.
        let described = describes.map_or(String::new(), |told| format!(", describes: {told}"));
        let key = format!(
            "ForeignKey {{ name: {name:?}, from: {from}, from_columns: {from_columns:?}, to: {to}, to_columns: {to_columns:?}{described} }}"
        );
        text(&mut hash, &key);
    }
    hexadecimal(&hash.finalize())
}

/// The digest in lower-case hexadecimal digits.
pub fn hexadecimal(digest: &[u8]) -> String {
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Lengths go in before contents, so that no two sequences of texts look alike.
fn text(hash: &mut Sha256, text: &str) {
    hash.update((text.len() as u64).to_le_bytes());
    hash.update(text.as_bytes());
}

fn column(hash: &mut Sha256, column: &Column) {
    hash.update((column.len() as u64).to_le_bytes());
    match column.cells() {
        Cells::Numeric(numbers) => {
            for (row, number) in numbers.iter().enumerate() {
                let number = if column.is_present(row) {
                    *number
                } else {
                    f64::NAN
                };
                hash.update(number.to_le_bytes());
            }
        }
        Cells::Nominal { codes, dictionary } => {
            for label in dictionary.labels() {
                text(hash, label);
            }
            for (row, code) in codes.iter().enumerate() {
                let code = if column.is_present(row) {
                    *code
                } else {
                    u32::MAX
                };
                hash.update(code.to_le_bytes());
            }
        }
        _ => (0..column.len()).for_each(|row| text(hash, &column.value(row).to_string())),
    }
}

#[cfg(test)]
mod tests {
    use kinwood_values::{Attribute, Table};

    use super::*;

    #[test]
    fn what_is_looked_at_late_is_what_was_hashed_early() {
        let database = Database::single(crate::sample::table(30, 0.1, 2)).unwrap();
        let early = fingerprint(&database);
        let mut late = Fingerprint::of(database.clone().into());
        let copy = late.clone();
        late.append(&database);
        assert!(!late.is_computed() && !copy.is_computed());
        assert_eq!(late.to_string(), format!("{early}; {early}"));
        assert!(copy.is_computed(), "copies share what is hashed");
        assert_eq!(serde_json::to_value(&copy).unwrap(), early);
        assert!(late.is_computed());
        let read: Fingerprint = serde_json::from_value(early.clone().into()).unwrap();
        assert_eq!(read, copy);
        assert_eq!(early, copy);
    }

    #[test]
    fn what_a_key_says_of_descriptions_counts_only_where_it_is_said() {
        let with = |describes| {
            let column = Attribute::new("a", Column::nominal([Some("x")]));
            let key = ForeignKey {
                name: "k".to_owned(),
                from: 0,
                from_columns: vec![0],
                to: 0,
                to_columns: vec![0],
                describes,
            };
            let table = Table::new("t", vec![column]).unwrap();
            fingerprint(&Database::new(vec![table], vec![key]).unwrap().0)
        };
        // As it was before keys could say so.
        let hash = "5a417b9332d4340b70d154f2d47aaa64fff9573ccdcce0c71e57c1e61b318ee1";
        assert_eq!(with(None), hash);
        assert_ne!(with(Some(true)), hash);
        assert_ne!(with(Some(true)), with(Some(false)));
    }
}
