//! SQLite files. A program that is built without them knows them, but refuses them.

use crate::format::{Confidence, Ending, FormatEntry, Holds, Start};
use crate::magic;

/// Other databases go by the same endings, so that bytes are looked at first.
const ENDINGS: [&str; 3] = ["sqlite", "sqlite3", "db"];

pub(super) fn entry() -> FormatEntry {
    let entry =
        FormatEntry::new("SQLite", ENDINGS.map(Ending::file), Holds::Database).sniffed(sniff);
    #[cfg(feature = "sqlite")]
    return present::filled(entry);
    #[cfg(not(feature = "sqlite"))]
    super::absent(entry, "SQLite")
}

fn sniff(start: &Start<'_>) -> Option<Confidence> {
    match start.bytes.starts_with(magic::SQLITE) {
        true => Some(Confidence::Signature),
        false => ENDINGS
            .contains(&start.ending)
            .then_some(Confidence::BinaryEnding),
    }
}

#[cfg(feature = "sqlite")]
mod present {
    use crate::draft::Draft;
    use crate::error::Result;
    use crate::format::{Content, FormatEntry, Reading, Writing};
    use crate::sql::sqlite;

    pub(super) fn filled(entry: FormatEntry) -> FormatEntry {
        entry.read_by(from).written_by(to)
    }

    fn from(reading: &Reading<'_>) -> Result<Draft> {
        let draft = sqlite::read_source(reading.source, reading.sql)?;
        reading.stated.of_database(draft, reading.source.name())
    }

    fn to<'a>(writing: &mut Writing<'a>) -> Result<Content<'a>> {
        let (database, path) = (writing.database, writing.path);
        Ok(Box::new(move |out| {
            sqlite::write::content(database, path, out)
        }))
    }
}
