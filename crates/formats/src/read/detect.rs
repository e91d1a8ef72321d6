//! What a file is: by its ending, then by what stands in it.

use std::path::Path;

use crate::csv;
use crate::error::{Error, Result};
use crate::format::{Confidence, FormatEntry, Formats, Start, ending_of};
use crate::magic;
use crate::source::Source;

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

/// The format of a file: the surest of all, by its ending and by how it begins.
pub(super) fn detect<'f>(
    formats: &'f Formats,
    source: &Source,
    path: &Path,
) -> Result<&'f FormatEntry> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let ending = ending_of(&name);
    let read = || formats.entries().filter(|entry| entry.read.is_some());
    if let Some(entry) = read().find(|entry| entry.ending_decides && entry.has_ending(&ending)) {
        return Ok(entry);
    }
    let start = source.start()?;
    let start = Start {
        ending: &ending,
        bytes: &start,
    };
    let mut best: Option<(Confidence, &FormatEntry)> = None;
    for entry in read() {
        let sure = entry.confidence(&start);
        if let Some(sure) = sure.filter(|&sure| best.is_none_or(|(other, _)| sure > other)) {
            best = Some((sure, entry));
        }
    }
    let unknown = |because: &str| Error::UnknownFormat {
        file: source.name().to_owned(),
        reason: format!("{because}; what is read: {}", formats.what_is_read()),
    };
    match best {
        Some((Confidence::Signature | Confidence::BinaryEnding, entry)) => return Ok(entry),
        _ => {
            if let Some(what) = magic::name(start.bytes) {
                return Err(unknown(&format!("it looks like {what}")));
            }
        }
    }
    match best {
        Some((Confidence::Guess, _)) | None => {
            let other = OTHER_ENDINGS.iter().find(|(other, _)| *other == ending);
            if let Some((_, what)) = other {
                return Err(unknown(&format!("its ending says {what}")));
            }
        }
        Some(_) => {}
    }
    if let Some((_, entry)) = best {
        return Ok(entry);
    }
    let cells = || {
        formats
            .find("CSV")
            .ok_or_else(|| unknown("nothing is known of it"))
    };
    if path == Path::new("-") {
        return cells();
    }
    match csv::looks_like_a_table(source) {
        Ok(true) => cells(),
        Ok(false) => Err(unknown(
            "no delimiter splits its first lines into equally many cells",
        )),
        Err(Error::Binary { position, byte, .. }) => Err(unknown(&format!(
            "it is no text (byte {position} is {byte:#04x})"
        ))),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn format(name: &str, content: &[u8]) -> Result<&'static str> {
        let source = Source::from_bytes(name, content);
        let formats = Formats::default();
        detect(&formats, &source, Path::new(name)).map(|entry| entry.name)
    }

    #[test]
    fn content_decides_where_the_ending_does_not() {
        for (name, content, expected) in [
            ("-", "{\"a\": 1}\n", "JSON"),
            ("-", " [ {\"a\": 1}]", "JSON"),
            ("-", "[1, 2]\n", "CSV"),
            ("-", "% facts\n/* of\n ours */ p(a, 1). % one\n", "Prolog"),
            ("x.unknown", ":- dynamic p/2.\np(a, 1).\n", "Prolog"),
            ("-", "name(s),b.\n1,2\n", "CSV"),
            ("x.csv", "{\"a\",1\n", "CSV"),
            ("x.JSONL.gz", "", "JSON lines"),
            ("x.pl", "whatever", "Prolog"),
            ("x.b", "@relation r\n", "ARFF"),
        ] {
            assert_eq!(
                format(name, content.as_bytes()).unwrap(),
                expected,
                "{name} {content}"
            );
        }
    }

    #[test]
    fn arrays_are_known_by_their_bytes() {
        for (name, content, expected) in [
            ("-", b"PAR1\x15\x04".as_slice(), "Parquet"),
            ("x.csv", b"ARROW1\0\0", "Arrow"),
            ("-", b"\xff\xff\xff\xff\x10\x01\0\0", "Arrow"),
            ("x.arrow", b"", "Arrow"),
            ("x.parquet", b"PAR", "Parquet"),
        ] {
            assert_eq!(format(name, content).unwrap(), expected, "{name}");
        }
        let message = format("x.arrow", b"%PDF-1.4").unwrap_err().to_string();
        assert!(
            message.contains("it looks like a PDF document"),
            "{message}"
        );
    }

    #[test]
    fn databases_are_known_by_bytes_or_ending() {
        for (name, content) in [
            ("x.csv", b"SQLite format 3\0".as_slice()),
            ("-", b"SQLite format 3\0"),
            ("x.sqlite", b"cut"),
            ("x.db", b""),
        ] {
            assert_eq!(format(name, content).unwrap(), "SQLite", "{name}");
        }
    }
}
