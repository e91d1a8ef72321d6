//! The list of formats, and what derives from it: which files are tables, what is written, what is
//! read.

use std::sync::Arc;

use super::{Ending, FormatEntry, Holds, InFolder};
use crate::error::{Error, Result};

/// Formats in the order in which messages list them.
///
/// [`Formats::default`] has those of this crate, and those that [`register`](crate::register) added
/// for the whole program.
#[derive(Clone, Debug)]
pub struct Formats {
    entries: Vec<Arc<FormatEntry>>,
}

/// The same entries, whatever is in them.
impl PartialEq for Formats {
    fn eq(&self, other: &Self) -> bool {
        self.entries.len() == other.entries.len()
            && self
                .entries
                .iter()
                .zip(&other.entries)
                .all(|(a, b)| Arc::ptr_eq(a, b))
    }
}

impl Formats {
    /// A list of formats.
    pub(crate) fn new(entries: Vec<FormatEntry>) -> Self {
        Self {
            entries: entries.into_iter().map(Arc::new).collect(),
        }
    }

    /// The formats and one more; its name and its endings are its own.
    pub fn with(mut self, entry: FormatEntry) -> Result<Self> {
        for own in &self.entries {
            let ending = entry.endings.iter().find(|of| own.has_ending(of.name));
            if own.name == entry.name || ending.is_some() {
                return Err(Error::FormatTaken {
                    name: entry.name,
                    what: match ending {
                        Some(ending) => format!("the ending `.{}`", ending.name),
                        None => "that name".to_owned(),
                    },
                    by: own.name,
                });
            }
        }
        self.entries.push(Arc::new(entry));
        Ok(self)
    }

    /// The formats.
    pub fn entries(&self) -> impl Iterator<Item = &FormatEntry> {
        self.entries.iter().map(Arc::as_ref)
    }

    /// The format of that name.
    pub fn find(&self, name: &str) -> Option<&FormatEntry> {
        self.entries().find(|entry| entry.name == name)
    }

    /// The format that has an ending.
    pub fn by_ending(&self, ending: &str) -> Option<&FormatEntry> {
        self.entries().find(|entry| entry.has_ending(ending))
    }

    fn endings(&self) -> impl Iterator<Item = (&FormatEntry, &Ending)> {
        self.entries()
            .flat_map(|entry| entry.endings.iter().map(move |ending| (entry, ending)))
    }

    /// What a folder's file of an ending is.
    pub fn in_folder(&self, ending: &str) -> InFolder {
        self.endings()
            .find(|(_, own)| own.name == ending)
            .map_or(InFolder::Other, |(_, own)| own.in_folder)
    }

    /// The endings of a folder's files that are read as tables.
    pub fn table_endings(&self) -> Vec<&'static str> {
        self.endings()
            .filter(|(_, ending)| ending.in_folder != InFolder::Other)
            .map(|(_, ending)| ending.name)
            .collect()
    }

    /// The endings of what is written.
    pub fn written_endings(&self) -> Vec<&'static str> {
        self.endings()
            .filter(|(entry, ending)| entry.write.is_some() && ending.written)
            .map(|(_, ending)| ending.name)
            .collect()
    }

    /// What is read, in words: formats whose files are tables of folders, then the other ones, then
    /// databases.
    pub fn what_is_read(&self) -> String {
        let words = |of: &dyn Fn(&FormatEntry) -> bool| -> Vec<&'static str> {
            self.entries()
                .filter(|entry| of(entry))
                .filter_map(|entry| entry.listed)
                .collect()
        };
        let in_folders = |entry: &FormatEntry| {
            let mut endings = entry.endings.iter();
            endings.any(|ending| ending.in_folder != InFolder::Other)
        };
        let database = |entry: &FormatEntry| entry.holds == Holds::Database;
        let mut files = words(&|entry| in_folders(entry) && !database(entry));
        files.extend(words(&|entry| !in_folders(entry) && !database(entry)));
        let mut databases = words(&database);
        if cfg!(feature = "postgres") {
            databases.push("PostgreSQL");
        }
        let files = joined(&files, "and");
        match databases.is_empty() {
            true => format!("{files}, each also as .gz, and folders of them"),
            false => format!(
                "{files}, each also as .gz, folders of them, and {} databases",
                joined(&databases, "and")
            ),
        }
    }

    /// What can be written that holds several tables: a folder, and files, those with keys first.
    pub(crate) fn of_several_tables(&self) -> String {
        let usual = |holds: Holds| {
            let of = self.entries().filter(move |entry| entry.holds == holds);
            of.filter(|entry| entry.write.is_some())
                .filter_map(|entry| entry.endings.iter().find(|ending| ending.written))
                .map(|ending| format!(".{}", ending.name))
        };
        let files: Vec<String> = usual(Holds::Database).chain(usual(Holds::Tables)).collect();
        format!("a folder or a {} file", joined(&files, "or"))
    }
}

/// `a, b and c`.
fn joined<T: AsRef<str>>(words: &[T], last: &str) -> String {
    match words {
        [] => String::new(),
        [only] => only.as_ref().to_owned(),
        [first @ .., end] => {
            let first: Vec<&str> = first.iter().map(AsRef::as_ref).collect();
            format!("{} {last} {}", first.join(", "), end.as_ref())
        }
    }
}
