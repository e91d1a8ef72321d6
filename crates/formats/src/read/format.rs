//! What a file is: by its ending, then by what stands in it.

use std::path::Path;

#[cfg(feature = "arrow")]
use crate::arrow::Form;
use crate::csv;
use crate::error::{Error, Result};
use crate::magic;
use crate::prolog;
use crate::source::Source;

/// What is read, for messages that refuse the rest.
const WHAT_IS_READ: &str = "what is read: CSV, TSV and other tables of text, ARFF, JSON, Parquet, Arrow and Prolog \
                            facts, each also as .gz, folders of them, \
                            and SQLite and PostgreSQL databases";

/// Endings of files that hold rows of cells.
const TEXT_ENDINGS: [&str; 9] = [
    "csv", "tsv", "tab", "data", "asc", "dat", "txt", "train", "test",
];

/// Endings of files that hold objects one a line.
const LINES_ENDINGS: [&str; 2] = ["jsonl", "ndjson"];

/// Endings of database files; others of their kind go by the same names, so that content is asked first.
#[cfg(feature = "sqlite")]
const SQLITE_ENDINGS: [&str; 3] = ["sqlite", "sqlite3", "db"];

/// Endings of files that are text without being tables, so that nobody learns from them by mistake.
const OTHER_ENDINGS: [(&str, &str); 9] = [
    ("xml", "XML"),
    ("html", "HTML"),
    ("md", "a text document"),
    ("names", "a description of data"),
    ("info", "a description of data"),
    ("toml", "TOML, but no schema"),
    ("yaml", "YAML"),
    ("sql", "SQL"),
    ("py", "Python"),
];

/// How a file's tables are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    Arff,
    Csv,
    Tsv,
    Json,
    JsonLines,
    Prolog,
    #[cfg(feature = "arrow")]
    Arrow(Form),
    #[cfg(feature = "sqlite")]
    Sqlite,
}

impl Format {
    /// Whether it holds a database with declared keys, of which tables can be chosen.
    pub fn is_database(self) -> bool {
        match self {
            #[cfg(feature = "sqlite")]
            Format::Sqlite => true,
            _ => false,
        }
    }
}

/// The format of a file.
pub(super) fn format_of(source: &Source, path: &Path) -> Result<Format> {
    let name = path
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .to_lowercase();
    let name = name.strip_suffix(".gz").unwrap_or(&name);
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    if ending == "arff" {
        return Ok(Format::Arff);
    }
    if ending == "json" {
        return Ok(Format::Json);
    }
    if LINES_ENDINGS.contains(&ending) {
        return Ok(Format::JsonLines);
    }
    let start = source.start()?;
    #[cfg(feature = "arrow")]
    if let Some(form) = arrow_form(&start, ending) {
        return Ok(Format::Arrow(form));
    }
    #[cfg(feature = "sqlite")]
    if start.starts_with(b"SQLite format 3\0") || SQLITE_ENDINGS.contains(&ending) {
        return Ok(Format::Sqlite);
    }
    if let Some(what) = magic::name(&start) {
        return Err(unknown(source, &format!("it looks like {what}")));
    }
    if begins_like_arff(&start) {
        return Ok(Format::Arff);
    }
    if prolog::ENDINGS.contains(&ending) {
        return Ok(Format::Prolog);
    }
    if matches!(ending, "tsv" | "tab") {
        return Ok(Format::Tsv);
    }
    if TEXT_ENDINGS.contains(&ending) {
        return Ok(Format::Csv);
    }
    if let Some((_, what)) = OTHER_ENDINGS.iter().find(|(other, _)| *other == ending) {
        return Err(unknown(source, &format!("its ending says {what}")));
    }
    if begins_like_json(&start) {
        return Ok(Format::Json);
    }
    if begins_like_prolog(&start) {
        return Ok(Format::Prolog);
    }
    if path == Path::new("-") {
        return Ok(Format::Csv);
    }
    match csv::looks_like_a_table(source) {
        Ok(true) => Ok(Format::Csv),
        Ok(false) => Err(unknown(
            source,
            "no delimiter splits its first lines into equally many cells",
        )),
        Err(Error::Binary { position, byte, .. }) => Err(unknown(
            source,
            &format!("it is no text (byte {position} is {byte:#04x})"),
        )),
        Err(error) => Err(error),
    }
}

fn unknown(source: &Source, because: &str) -> Error {
    Error::UnknownFormat {
        file: source.name().to_owned(),
        reason: format!("{because}; {WHAT_IS_READ}"),
    }
}

/// Arrays say what they are by their first bytes; the ending is believed where those say nothing else.
#[cfg(feature = "arrow")]
fn arrow_form(start: &[u8], ending: &str) -> Option<Form> {
    let continued = start.starts_with(&[0xff; 4]) && start.get(7).is_some_and(|&byte| byte == 0);
    match ending {
        _ if start.starts_with(b"PAR1") => Some(Form::Parquet),
        _ if start.starts_with(b"ARROW1") => Some(Form::File),
        _ if continued => Some(Form::Stream),
        _ if magic::name(start).is_some() => None,
        "parquet" => Some(Form::Parquet),
        "arrow" | "feather" | "ipc" => Some(Form::File),
        _ => None,
    }
}

/// Whether the first line that is neither blank nor a comment names a relation.
fn begins_like_arff(start: &[u8]) -> bool {
    let text = String::from_utf8_lossy(start);
    let text = text.trim_start_matches('\u{feff}');
    let mut lines = text.lines().map(str::trim_start);
    lines
        .find(|line| !line.is_empty() && !line.starts_with('%'))
        .and_then(|line| line.get(..9))
        .is_some_and(|word| word.eq_ignore_ascii_case("@relation"))
}

/// Whether an object begins, or an array of objects.
fn begins_like_json(start: &[u8]) -> bool {
    let start = start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(start);
    let mut marks = start.iter().filter(|byte| !byte.is_ascii_whitespace());
    matches!(
        (marks.next(), marks.next()),
        (Some(b'{'), Some(b'"')) | (Some(b'['), Some(b'{'))
    )
}

/// Whether the first line that is neither blank nor a comment is a fact or a directive.
fn begins_like_prolog(start: &[u8]) -> bool {
    let text = String::from_utf8_lossy(start);
    let mut rest = text.trim_start_matches('\u{feff}').trim_start();
    loop {
        let after = match rest {
            _ if rest.starts_with('%') => rest.split_once('\n').map(|(_, after)| after),
            _ if rest.starts_with("/*") => rest.split_once("*/").map(|(_, after)| after),
            _ => break,
        };
        match after {
            Some(after) => rest = after.trim_start(),
            None => return false,
        }
    }
    let line = rest.lines().next().unwrap_or_default().trim_end();
    let named = |(name, _): (&str, &str)| {
        name.starts_with(|c: char| c.is_ascii_lowercase())
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    };
    let ends = line.ends_with(").") || line.contains("). ") || line.contains(").%");
    let directive = line.starts_with(":-") && line.ends_with('.');
    directive || (ends && line.split_once('(').is_some_and(named))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn format(name: &str, content: &[u8]) -> Result<Format> {
        format_of(&Source::from_bytes(name, content), Path::new(name))
    }

    #[test]
    fn content_decides_where_the_ending_does_not() {
        for (name, content, expected) in [
            ("-", "{\"a\": 1}\n", Format::Json),
            ("-", " [ {\"a\": 1}]", Format::Json),
            ("-", "[1, 2]\n", Format::Csv),
            (
                "-",
                "% facts\n/* of\n ours */ p(a, 1). % one\n",
                Format::Prolog,
            ),
            ("x.unknown", ":- dynamic p/2.\np(a, 1).\n", Format::Prolog),
            ("-", "name(s),b.\n1,2\n", Format::Csv),
            ("x.csv", "{\"a\",1\n", Format::Csv),
            ("x.JSONL.gz", "", Format::JsonLines),
            ("x.pl", "whatever", Format::Prolog),
            ("x.b", "@relation r\n", Format::Arff),
        ] {
            assert_eq!(
                format(name, content.as_bytes()).unwrap(),
                expected,
                "{name} {content}"
            );
        }
    }

    #[cfg(feature = "arrow")]
    #[test]
    fn arrays_are_known_by_their_bytes() {
        for (name, content, expected) in [
            ("-", b"PAR1\x15\x04".as_slice(), Form::Parquet),
            ("x.csv", b"ARROW1\0\0", Form::File),
            ("-", b"\xff\xff\xff\xff\x10\x01\0\0", Form::Stream),
            ("x.arrow", b"", Form::File),
            ("x.parquet", b"PAR", Form::Parquet),
        ] {
            assert_eq!(
                format(name, content).unwrap(),
                Format::Arrow(expected),
                "{name}"
            );
        }
        let message = format("x.arrow", b"%PDF-1.4").unwrap_err().to_string();
        assert!(
            message.contains("it looks like a PDF document"),
            "{message}"
        );
    }

    #[cfg(feature = "sqlite")]
    #[test]
    fn databases_are_known_by_bytes_or_ending() {
        for (name, content) in [
            ("x.csv", b"SQLite format 3\0".as_slice()),
            ("-", b"SQLite format 3\0"),
            ("x.sqlite", b"cut"),
            ("x.db", b""),
        ] {
            assert_eq!(format(name, content).unwrap(), Format::Sqlite, "{name}");
        }
    }
}
