//! SQLite files. A program that is built without them knows their endings.

use crate::format::{Ending, FormatEntry, Holds};

/// Other databases go by the same endings, so that bytes are looked at first.
const ENDINGS: [&str; 3] = ["sqlite", "sqlite3", "db"];

pub(super) fn entry() -> FormatEntry {
    let entry = FormatEntry::new("SQLite", ENDINGS.map(Ending::file), Holds::Database);
    #[cfg(feature = "sqlite")]
    return present::filled(entry);
    #[cfg(not(feature = "sqlite"))]
    super::absent(entry, "SQLite")
}

#[cfg(feature = "sqlite")]
mod present {
    use super::ENDINGS;
    use crate::draft::Draft;
    use crate::error::Result;
    use crate::format::{Confidence, Content, FormatEntry, Reading, Start, Writing};
    use crate::magic;
    use crate::sql::sqlite;

    pub(super) fn filled(entry: FormatEntry) -> FormatEntry {
        entry.sniffed(sniff).read_by(from).written_by(to)
    }

    fn sniff(start: &Start<'_>) -> Option<Confidence> {
        match start.bytes.starts_with(magic::SQLITE) {
            true => Some(Confidence::Signature),
            false => ENDINGS
                .contains(&start.ending)
                .then_some(Confidence::BinaryEnding),
        }
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
