//! The door for formats: what a format is called, which files are of it, and how they are read and
//! written.
//!
//! Opening, writing, folders of tables and the messages that list what there is derive from the
//! entries of a [`Formats`] list. A format of one's own is one entry more:
//!
//! ```
//! use kinwood_formats::format::{Confidence, Ending, FormatEntry, Holds};
//! use kinwood_formats::{Formats, ReadOptions, TableRead, read};
//! use kinwood_values::{Attribute, Column, Table};
//!
//! /// A number a line.
//! let lines = FormatEntry::new("Lines", [Ending::table("lines")], Holds::Table)
//!     .sniffed(|start| start.bytes.starts_with(b"#lines").then_some(Confidence::Signature))
//!     .read_by(|reading| {
//!         let text = String::from_utf8_lossy(&reading.source.read()?).into_owned();
//!         let numbers = text.lines().filter_map(|line| line.parse().ok());
//!         let column = Attribute::new("number", Column::numeric(numbers.collect()));
//!         let table = Table::new(reading.source.table_name(), vec![column]);
//!         let table = table.map_err(|error| reading.failed(error))?;
//!         reading.draft(vec![TableRead::new(table)])
//!     });
//! let formats = Formats::default().with(lines)?;
//!
//! let folder = tempfile::tempdir()?;
//! let path = folder.path().join("heights.lines");
//! std::fs::write(&path, "#lines\n1.5\n2\n")?;
//! let dataset = read(&path, &ReadOptions { formats, ..ReadOptions::default() })?;
//! assert_eq!(dataset.database.table(0).rows(), 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod chosen;
mod reading;
mod registry;
mod stated;
mod writing;

use std::fmt;
use std::sync::Arc;

use crate::draft::Draft;
use crate::error::Result;
pub use chosen::SqlOptions;
pub use reading::Reading;
pub use registry::Formats;
pub(crate) use stated::Stated;
pub use writing::{Content, Writing};

/// What looks at the beginning of a file.
type Sniff = dyn Fn(&Start<'_>) -> Option<Confidence> + Send + Sync;
/// What reads a file.
type Read = dyn Fn(&Reading<'_>) -> Result<Draft> + Send + Sync;
/// What prepares a database to be written.
type Write = dyn for<'a> Fn(&mut Writing<'a>) -> Result<Content<'a>> + Send + Sync;

/// A format of files: its name, its endings, and what reads and writes it.
#[derive(Clone)]
pub struct FormatEntry {
    /// What it is called; unique among formats.
    pub name: &'static str,
    /// How the list of what is read names it; nothing if another entry's words cover it.
    pub listed: Option<&'static str>,
    /// The endings of its files, without the dot, the usual one first.
    pub endings: Vec<Ending>,
    /// Whether an ending decides, so that the content is not looked at and its reader says what is
    /// wrong with it.
    pub ending_decides: bool,
    /// How much a file holds.
    pub holds: Holds,
    /// Whether the file itself takes the schema, so that none is written beside it.
    pub keeps_schema: bool,
    pub(crate) sniff: Option<Arc<Sniff>>,
    pub(crate) read: Option<Arc<Read>>,
    pub(crate) write: Option<Arc<Write>>,
}

/// An ending of files, and where it counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ending {
    /// The ending in lower case, without the dot.
    pub name: &'static str,
    /// What a folder's file of that ending is.
    pub in_folder: InFolder,
    /// Whether files of that ending are written.
    pub written: bool,
}

/// What a file in a folder is by its ending.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InFolder {
    /// A table.
    Table,
    /// A table, but beside tables of other formats rather a description of them.
    TableAlone,
    /// Nothing that is read, unless a schema names it.
    Other,
}

/// How much a file of a format holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holds {
    /// One table.
    Table,
    /// Any number of tables.
    Tables,
    /// Tables with keys, of which some can be chosen.
    Database,
}

/// How sure it is that a file is of a format; the surest of all formats takes it, the first of
/// those that are equally sure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Confidence {
    /// The text looks like it: believed where the ending names no format.
    Guess,
    /// The ending names it: the least that is assumed of an ending.
    Ending,
    /// The text says so, whatever the ending names.
    Text,
    /// The ending names it, and is believed even of bytes that look like something else.
    BinaryEnding,
    /// The first bytes are the format's own.
    Signature,
}

/// The beginning of a file, by which formats are told apart.
pub struct Start<'a> {
    /// The ending in lower case, without `.gz`.
    pub ending: &'a str,
    /// The first bytes, decompressed.
    pub bytes: &'a [u8],
}

impl Ending {
    /// The ending of a file that is a table wherever it lies, also written.
    pub const fn table(name: &'static str) -> Self {
        Self {
            name,
            in_folder: InFolder::Table,
            written: true,
        }
    }

    /// The ending of a file that a folder does not count among its tables, also written.
    pub const fn file(name: &'static str) -> Self {
        Self {
            in_folder: InFolder::Other,
            ..Self::table(name)
        }
    }

    /// The same ending for files that are only read.
    pub const fn only_read(self) -> Self {
        Self {
            written: false,
            ..self
        }
    }
}

impl FormatEntry {
    /// A format that is neither read nor written yet. Its ending decides until something sniffs.
    pub fn new(
        name: &'static str,
        endings: impl IntoIterator<Item = Ending>,
        holds: Holds,
    ) -> Self {
        Self {
            name,
            listed: Some(name),
            endings: endings.into_iter().collect(),
            ending_decides: false,
            holds,
            keeps_schema: false,
            sniff: None,
            read: None,
            write: None,
        }
    }

    /// The format with what tells its files by their beginning. Its endings are
    /// [`Confidence::Ending`] in any case.
    pub fn sniffed(
        self,
        sniff: impl Fn(&Start<'_>) -> Option<Confidence> + Send + Sync + 'static,
    ) -> Self {
        Self {
            sniff: Some(Arc::new(sniff)),
            ..self
        }
    }

    /// The format with its reader.
    pub fn read_by(
        self,
        read: impl Fn(&Reading<'_>) -> Result<Draft> + Send + Sync + 'static,
    ) -> Self {
        Self {
            read: Some(Arc::new(read)),
            ..self
        }
    }

    /// The format with its writer: it checks that the database can be held, states in the schema
    /// and the notices what the file cannot say, and gives what writes the bytes.
    pub fn written_by(
        self,
        write: impl for<'a> Fn(&mut Writing<'a>) -> Result<Content<'a>> + Send + Sync + 'static,
    ) -> Self {
        Self {
            write: Some(Arc::new(write)),
            ..self
        }
    }

    /// Whether files of that ending are of the format.
    pub fn has_ending(&self, ending: &str) -> bool {
        self.endings.iter().any(|own| own.name == ending)
    }

    /// How sure it is that a file that begins so is of the format.
    pub(crate) fn confidence(&self, start: &Start<'_>) -> Option<Confidence> {
        let sniffed = self.sniff.as_ref().and_then(|sniff| sniff(start));
        let named = self.has_ending(start.ending).then_some(Confidence::Ending);
        sniffed.max(named)
    }
}

impl fmt::Debug for FormatEntry {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = formatter.debug_struct("FormatEntry");
        shown.field("name", &self.name);
        shown.field("endings", &self.endings);
        shown.finish_non_exhaustive()
    }
}

/// The ending of a path in lower case, without `.gz`; empty if it has none.
pub(crate) fn ending_of(file: &str) -> String {
    let name = file.to_lowercase();
    let name = name.strip_suffix(".gz").unwrap_or(&name);
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    ending.to_owned()
}
