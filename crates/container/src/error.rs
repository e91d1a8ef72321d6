//! What can be wrong with a `.kin` file, and where in it.
//!
//! Every error about a file's content carries its [`Place`], because "the model is damaged" helps
//! nobody while "section `references/age` is damaged" tells which part of which model to rebuild.

use std::fmt;
use std::io;
use std::path::PathBuf;

use thiserror::Error;

use crate::kind::Kind;
use crate::name::NameFault;
use crate::signature::{FORMAT_VERSION, Resemblance};

/// The result of container operations.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// The system's words for a failed read or write, without its error number, which says nothing to
/// most.
///
/// ```
/// let failed = std::fs::read("no/such/file").unwrap_err();
/// assert_eq!(kinwood_container::reason(&failed), "no such file or directory");
/// ```
pub fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    let text = text.split(" (os error").next().unwrap_or_default();
    let mut characters = text.chars();
    characters
        .next()
        .map(|first| first.to_lowercase().chain(characters).collect())
        .unwrap_or_default()
}

/// A part of a `.kin` file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// The fixed bytes at the start of the file.
    Header,
    /// The readable JSON object.
    Manifest,
    /// The list of sections.
    SectionTable,
    /// A section, by its full name.
    Section(String),
}

impl fmt::Display for Place {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Header => out.write_str("header"),
            Place::Manifest => out.write_str("manifest"),
            Place::SectionTable => out.write_str("section table"),
            Place::Section(name) => write!(out, "section `{name}`"),
        }
    }
}

impl From<&str> for Place {
    fn from(name: &str) -> Place {
        Place::Section(name.to_owned())
    }
}

impl From<String> for Place {
    fn from(name: String) -> Place {
        Place::Section(name)
    }
}

/// How the bytes of a file contradict the format.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Damage {
    /// The file ends before the part does: a copy or download was cut off.
    #[error("it ends at byte {needed}, the file has only {found} bytes")]
    Truncated {
        /// The length the file must have at least.
        needed: u64,
        /// The length it has.
        found: u64,
    },
    /// The file does not end where the header says.
    #[error("the file has {found} bytes, the header states {stated}")]
    FileLength {
        /// The length in the header.
        stated: u64,
        /// The real length.
        found: u64,
    },
    /// Content and checksum differ.
    #[error("its content does not match its checksum")]
    Checksum,
    /// The bytes that fill up to the next multiple of eight are not the prescribed ones.
    #[error("its padding is not as prescribed")]
    Padding,
    /// A section does not follow its predecessor directly.
    #[error("it is said to start at byte {found}, expected {expected}")]
    Offset {
        /// Where the predecessor ends.
        expected: u64,
        /// Where the table puts it.
        found: u64,
    },
    /// Count and byte length of a section exclude each other.
    #[error("{count} elements of kind {kind} cannot take {found} bytes")]
    ByteLength {
        /// The element kind.
        kind: Kind,
        /// The stated number of elements.
        count: u64,
        /// The stated number of bytes.
        found: u64,
    },
    /// The code of the element kind is not one of this version.
    #[error("unknown element kind {found}")]
    UnknownKind {
        /// The code in the table.
        found: u32,
    },
    /// The table does not hold as many entries as the header states.
    #[error("it does not hold exactly the {stated} entries that the header states")]
    EntryCount {
        /// The number in the header.
        stated: u32,
    },
    /// A section's name breaks the naming rule.
    #[error("the name of entry {entry} {fault}")]
    Name {
        /// Position in the table, from 0.
        entry: u32,
        /// The broken rule.
        fault: NameFault,
    },
    /// Bytes that must be text are not.
    #[error("it is not valid UTF-8")]
    Utf8,
    /// The ends of the strings of a text section are not ascending, or leave bytes over.
    #[error("the end of string {string} is out of order")]
    TextEnds {
        /// Position of the string, from 0.
        string: u64,
    },
}

/// Why a `.kin` file could not be read or written.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// The operating system refused to read the file.
    #[error("cannot read `{}`: {}", path.display(), reason(source))]
    Read {
        /// The file.
        path: PathBuf,
        /// What the operating system said.
        source: io::Error,
    },
    /// The operating system refused to write the file; what was there before is untouched.
    #[error("cannot write `{}`: {}", path.display(), reason(source))]
    Write {
        /// The file.
        path: PathBuf,
        /// What the operating system said.
        source: io::Error,
    },
    /// The file is of another kind altogether.
    #[error("not a kinwood model file: it {looks_like}")]
    NotModel {
        /// What its first bytes suggest.
        looks_like: Resemblance,
    },
    /// The file was written in a version of the format that this program does not know.
    #[error("header: found format version {found}, this program reads version {FORMAT_VERSION}")]
    Version {
        /// The version in the header.
        found: u32,
    },
    /// The bytes contradict the format: the file was cut, altered or never right.
    #[error("{place} is damaged: {damage}")]
    Damaged {
        /// The part concerned.
        place: Place,
        /// What is wrong with it.
        damage: Damage,
    },
    /// JSON text does not parse, or does not have the expected shape.
    #[error("{place}: {source}")]
    Json {
        /// The part concerned.
        place: Place,
        /// Line, column and reason.
        source: serde_json::Error,
    },
    /// A part that would hold a number which is not finite, so that it could not be read again.
    #[error("{place} {found}: the numbers it comes from are too large or too far apart")]
    NotFinite {
        /// The part concerned.
        place: Place,
        /// What it would hold.
        found: String,
    },
    /// JSON is nested so deeply that reading it could exhaust the stack.
    #[error("{place}: JSON nested deeper than {limit} levels")]
    TooDeep {
        /// The part concerned.
        place: Place,
        /// The deepest nesting allowed.
        limit: usize,
    },
    /// A part is larger than the format allows.
    #[error("{place} is too large: found {found}, at most {limit} allowed")]
    TooLarge {
        /// The part concerned.
        place: Place,
        /// The largest size allowed, in bytes or entries.
        limit: u64,
        /// The size found.
        found: u64,
    },
    /// Two sections have one name.
    #[error("duplicate section `{name}`")]
    Duplicate {
        /// The full name.
        name: String,
    },
    /// A name given to a section breaks the naming rule.
    #[error("the section name `{}` {fault}", name.escape_debug())]
    Name {
        /// The full name.
        name: String,
        /// The broken rule.
        fault: NameFault,
    },
    /// A section that the reader needs is not in the file.
    #[error("missing section `{name}`{}", suggestion(nearest.as_deref()))]
    Missing {
        /// The full name asked for.
        name: String,
        /// The most similar name in the file.
        nearest: Option<String>,
    },
    /// A section holds elements of another kind than the reader asked for.
    #[error("section `{name}` holds {found}, expected {expected}")]
    Kind {
        /// The full name.
        name: String,
        /// The kind asked for.
        expected: Kind,
        /// The kind in the file.
        found: Kind,
    },
    /// A section holds another number of elements than the rest of the model implies.
    #[error("section `{name}` has length {found}, expected {expected}")]
    Length {
        /// The full name.
        name: String,
        /// The number the reader needs.
        expected: u64,
        /// The number in the file.
        found: u64,
    },
    /// An index stored in a section points outside of what it indexes.
    #[error("section `{name}` holds index {found} at position {position}, expected below {bound}")]
    Index {
        /// The full name.
        name: String,
        /// Position in the section, from 0.
        position: usize,
        /// The stored index.
        found: u32,
        /// The number of things indexed.
        bound: usize,
    },
    /// The bytes are intact but do not make sense to the crate that reads them.
    #[error("{section}: {reason}")]
    Invalid {
        /// The part concerned.
        section: Place,
        /// What is wrong, in that crate's words.
        reason: String,
    },
}

/// The error by which upper crates report intact bytes that make no sense to them.
///
/// `section` is a section's full name (see [`Stored::full_name`](crate::Stored::full_name)) or a
/// [`Place`].
///
/// ```
/// use kinwood_container::{Place, invalid};
/// let error = invalid("tree/split", "no column 7");
/// assert_eq!(error.to_string(), "section `tree/split`: no column 7");
/// assert_eq!(invalid(Place::Manifest, "no learner").to_string(), "manifest: no learner");
/// ```
pub fn invalid(section: impl Into<Place>, reason: impl Into<String>) -> Error {
    Error::Invalid {
        section: section.into(),
        reason: reason.into(),
    }
}

impl Error {
    /// The part of the file that the error is about; none if the file itself is out of reach.
    pub fn place(&self) -> Option<Place> {
        match self {
            Error::Read { .. } | Error::Write { .. } => None,
            Error::NotModel { .. } | Error::Version { .. } => Some(Place::Header),
            Error::Damaged { place, .. }
            | Error::Json { place, .. }
            | Error::NotFinite { place, .. }
            | Error::TooDeep { place, .. }
            | Error::TooLarge { place, .. }
            | Error::Invalid { section: place, .. } => Some(place.clone()),
            Error::Duplicate { name }
            | Error::Name { name, .. }
            | Error::Missing { name, .. }
            | Error::Kind { name, .. }
            | Error::Length { name, .. }
            | Error::Index { name, .. } => Some(Place::Section(name.clone())),
        }
    }
}

/// Shorthand for the commonest error of the reader.
pub(crate) fn damaged(place: impl Into<Place>, damage: Damage) -> Error {
    Error::Damaged {
        place: place.into(),
        damage,
    }
}

fn suggestion(nearest: Option<&str>) -> String {
    nearest
        .map(|name| format!("; did you mean `{name}`?"))
        .unwrap_or_default()
}
