//! Parquet and Arrow files. A program that is built without them knows them, but refuses them.

use crate::format::{Confidence, Ending, FormatEntry, Holds, Start};
use crate::magic;

pub(super) fn parquet_entry() -> FormatEntry {
    let entry = FormatEntry {
        keeps_schema: true,
        ..FormatEntry::new("Parquet", [Ending::table("parquet")], Holds::Table)
    };
    let entry = known_by(entry, |bytes| bytes.starts_with(magic::PARQUET));
    #[cfg(feature = "arrow")]
    return present::parquet(entry);
    #[cfg(not(feature = "arrow"))]
    super::absent(entry, "Parquet and Arrow")
}

pub(super) fn arrow_entry() -> FormatEntry {
    let endings = ["arrow", "feather", "ipc"].map(Ending::table);
    let entry = FormatEntry {
        keeps_schema: true,
        ..FormatEntry::new("Arrow", endings, Holds::Table)
    };
    let entry = known_by(entry, |bytes| {
        bytes.starts_with(magic::ARROW) || is_stream(bytes)
    });
    #[cfg(feature = "arrow")]
    return present::arrow(entry);
    #[cfg(not(feature = "arrow"))]
    super::absent(entry, "Parquet and Arrow")
}

/// Arrays say what they are by their first bytes; the ending is believed where those say nothing
/// else.
fn known_by(entry: FormatEntry, signature: fn(&[u8]) -> bool) -> FormatEntry {
    let endings = entry.endings.clone();
    entry.sniffed(move |start: &Start<'_>| {
        let named = endings.iter().any(|own| own.name == start.ending);
        match (signature(start.bytes), named) {
            (true, _) => Some(Confidence::Signature),
            (false, true) if magic::name(start.bytes).is_none() => Some(Confidence::BinaryEnding),
            _ => None,
        }
    })
}

fn is_stream(start: &[u8]) -> bool {
    start.starts_with(&[0xff; 4]) && start.get(7).is_some_and(|&byte| byte == 0)
}

#[cfg(feature = "arrow")]
mod present {
    use super::is_stream;
    use crate::arrow::{self, Form, write};
    use crate::draft::Draft;
    use crate::error::Result;
    use crate::format::{Content, FormatEntry, Reading, Writing};

    pub(super) fn parquet(entry: FormatEntry) -> FormatEntry {
        entry
            .read_by(|reading| from(reading, Form::Parquet))
            .written_by(to_parquet)
    }

    pub(super) fn arrow(entry: FormatEntry) -> FormatEntry {
        entry
            .read_by(|reading| {
                let form = match is_stream(&reading.source.start()?) {
                    true => Form::Stream,
                    false => Form::File,
                };
                from(reading, form)
            })
            .written_by(to_arrow)
    }

    fn from(reading: &Reading<'_>, form: Form) -> Result<Draft> {
        let schema = reading.stated_table()?;
        let found = arrow::read(reading.source, form)?;
        let within = found.schema.filter(|_| schema.is_none());
        let own = within.as_ref().and_then(|schema| schema.tables.first());
        let stated = schema.or(own);
        let read = reading.overruled(found.read, stated)?;
        let mut draft = reading.one(read, form.name(), stated);
        draft.schema = within;
        Ok(draft)
    }

    fn to_parquet<'a>(writing: &mut Writing<'a>) -> Result<Content<'a>> {
        let batch = batch(writing)?;
        Ok(Box::new(move |out| write::write_parquet(out, &batch)))
    }

    fn to_arrow<'a>(writing: &mut Writing<'a>) -> Result<Content<'a>> {
        let batch = batch(writing)?;
        Ok(Box::new(move |out| write::write_ipc(out, &batch)))
    }

    fn batch(writing: &Writing<'_>) -> Result<arrow_array::RecordBatch> {
        let table = writing.only_table()?;
        write::batch(table, &writing.schema.to_toml()).map_err(|reason| writing.refused(reason))
    }
}
