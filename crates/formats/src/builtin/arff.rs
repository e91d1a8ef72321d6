//! ARFF.

use crate::arff::{self, write};
use crate::draft::Draft;
use crate::error::Result;
use crate::format::{Confidence, Content, Ending, FormatEntry, Holds, Reading, Start, Writing};

pub(super) fn entry() -> FormatEntry {
    FormatEntry {
        ending_decides: true,
        ..FormatEntry::new("ARFF", [Ending::table("arff")], Holds::Table)
    }
    .sniffed(sniff)
    .read_by(from)
    .written_by(to)
}

/// Whether the first line that is neither blank nor a comment names a relation.
fn sniff(start: &Start<'_>) -> Option<Confidence> {
    let text = String::from_utf8_lossy(start.bytes);
    let text = text.trim_start_matches('\u{feff}');
    let mut lines = text.lines().map(str::trim_start);
    lines
        .find(|line| !line.is_empty() && !line.starts_with('%'))
        .and_then(|line| line.get(..9))
        .is_some_and(|word| word.eq_ignore_ascii_case("@relation"))
        .then_some(Confidence::Text)
}

fn from(reading: &Reading<'_>) -> Result<Draft> {
    let schema = reading.stated_table()?;
    let read = reading.overruled(arff::read(reading.source)?, schema)?;
    Ok(reading.one(read, "ARFF", schema))
}

fn to<'a>(writing: &mut Writing<'a>) -> Result<Content<'a>> {
    let document = write::Document::of(writing.only_table()?);
    document.state(&mut writing.schema.tables[0].options);
    writing.notices = document.notices();
    Ok(Box::new(move |out| document.write(out)))
}
