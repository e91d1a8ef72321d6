//! JSON: tables in one value, or objects one a line.

use kinwood_values::Type;

use crate::draft::Draft;
use crate::error::Result;
use crate::format::{
    Confidence, Content, Ending, FormatEntry, Holds, InFolder, Reading, Start, Writing,
};
use crate::json::{self, StatedTable, write};
use crate::schema::TableSchema;

pub(super) fn entry() -> FormatEntry {
    let ending = Ending {
        in_folder: InFolder::TableAlone,
        ..Ending::table("json")
    };
    FormatEntry {
        ending_decides: true,
        ..FormatEntry::new("JSON", [ending], Holds::Tables)
    }
    .sniffed(sniff)
    .read_by(from)
    .written_by(to)
}

pub(super) fn lines_entry() -> FormatEntry {
    let endings = ["jsonl", "ndjson"].map(Ending::table);
    FormatEntry {
        ending_decides: true,
        listed: None,
        ..FormatEntry::new("JSON lines", endings, Holds::Table)
    }
    .read_by(from_lines)
    .written_by(to_lines)
}

/// Whether an object begins, or an array of objects.
fn sniff(start: &Start<'_>) -> Option<Confidence> {
    let start = start.bytes;
    let start = start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(start);
    let mut marks = start.iter().filter(|byte| !byte.is_ascii_whitespace());
    matches!(
        (marks.next(), marks.next()),
        (Some(b'{'), Some(b'"')) | (Some(b'['), Some(b'{'))
    )
    .then_some(Confidence::Guess)
}

fn from(reading: &Reading<'_>) -> Result<Draft> {
    let read = json::read_database_typed(reading.source, &stated_types(reading))?;
    let mut draft = reading.draft(read.tables)?;
    draft.notices = read.notices;
    Ok(draft)
}

fn from_lines(reading: &Reading<'_>) -> Result<Draft> {
    let schema = reading.stated_table()?;
    let types = schema.map(types).unwrap_or_default();
    let read = reading.overruled(json::read_typed(reading.source, &types)?, schema)?;
    Ok(reading.one(read, "JSON", schema))
}

/// The types that are stated, by table; the only table of a file goes by the file's name too.
fn stated_types(reading: &Reading<'_>) -> Vec<StatedTable> {
    let tables = reading.stated.tables();
    let mut stated: Vec<StatedTable> = tables
        .iter()
        .map(|table| StatedTable {
            name: table.name.clone(),
            columns: types(table),
        })
        .collect();
    if let [only] = tables {
        stated.push(StatedTable {
            name: reading.source.table_name(),
            columns: types(only),
        });
    }
    stated
}

fn types(table: &TableSchema) -> Vec<(String, Type)> {
    let columns = table.options.columns.iter();
    columns
        .filter_map(|column| Some((column.name.clone(), column.type_of()?)))
        .collect()
}

fn to<'a>(writing: &mut Writing<'a>) -> Result<Content<'a>> {
    let tables = writing.database.tables();
    Ok(Box::new(move |out| write::write(out, tables)))
}

fn to_lines<'a>(writing: &mut Writing<'a>) -> Result<Content<'a>> {
    let table = writing.only_table()?;
    Ok(Box::new(move |out| write::write_lines(out, table)))
}
