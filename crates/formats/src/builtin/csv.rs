//! Cells in rows: CSV, TSV and their relatives.

use crate::csv::{self, write};
use crate::dataset::Origin;
use crate::draft::Draft;
use crate::error::Result;
use crate::format::{Content, Ending, FormatEntry, Holds, Reading, Writing, ending_of};
use crate::schema::{CsvOptions, Delimiter, Header};

pub(super) fn entry() -> FormatEntry {
    let read = |name| Ending::table(name).only_read();
    let beside = |name| Ending::file(name).only_read();
    let endings = [
        Ending::table("csv"),
        read("tsv"),
        read("tab"),
        read("data"),
        read("asc"),
        beside("dat"),
        beside("txt"),
        beside("train"),
        beside("test"),
    ];
    FormatEntry {
        listed: Some("CSV, TSV and other tables of text"),
        ..FormatEntry::new("CSV", endings, Holds::Table)
    }
    .read_by(from)
    .written_by(to)
}

fn from(reading: &Reading<'_>) -> Result<Draft> {
    let schema = reading.stated_table()?;
    let stated = schema.map(|schema| schema.options.clone());
    let mut stated = stated.unwrap_or_default();
    let cells = reading.cells.clone();
    if cells.header != Header::Detect {
        stated.header = cells.header;
    }
    stated.delimiter = cells.delimiter.or(stated.delimiter);
    stated.quote = cells.quote.or(stated.quote);
    stated.missing = cells.missing.or(stated.missing);
    stated.types = cells.types;
    stated.texts = cells.texts;
    let origin = Origin {
        file: reading.file.to_owned(),
        options: CsvOptions {
            columns: Vec::new(),
            types: Vec::new(),
            texts: Vec::new(),
            ..stated.clone()
        },
    };
    let tabs = matches!(ending_of(reading.file).as_str(), "tsv" | "tab");
    if tabs {
        stated.delimiter = stated.delimiter.or(Some(Delimiter::Tab));
    }
    let read = csv::read(reading.source, &stated)?;
    let name = if tabs { "TSV" } else { "CSV" };
    Ok(reading.one(read, name, schema).with_origin(origin))
}

fn to<'a>(writing: &mut Writing<'a>) -> Result<Content<'a>> {
    let table = writing.only_table()?;
    let dialect = write::Dialect::of(table);
    writing.notices = write::losses(table);
    dialect.state(table, &mut writing.schema.tables[0].options);
    Ok(Box::new(move |out| write::write(out, table, &dialect)))
}
