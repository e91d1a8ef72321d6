//! What files that are no text begin with, so that a refusal can name what the file is.

/// What every SQLite file begins with.
pub(crate) const SQLITE: &[u8] = b"SQLite format 3\0";
/// What every Parquet file begins with.
pub(crate) const PARQUET: &[u8] = b"PAR1";
/// What every Arrow file with a footer begins with.
pub(crate) const ARROW: &[u8] = b"ARROW1";

/// Beginnings of well-known binary formats, and their names.
const BEGINNINGS: [(&[u8], &str); 17] = [
    (SQLITE, "an SQLite database"),
    (PARQUET, "a Parquet file"),
    (
        b"PK\x03\x04",
        "a zip archive, as Excel and OpenDocument files are",
    ),
    (b"\xD0\xCF\x11\xE0", "an old Excel or Word file"),
    (b"\x1f\x8b", "a gzip file inside of a gzip file"),
    (b"BZh", "a bzip2 file"),
    (b"\xFD7zXZ\0", "an xz file"),
    (b"\x28\xB5\x2F\xFD", "a Zstandard file"),
    (ARROW, "an Arrow file"),
    (b"Obj\x01", "an Avro file"),
    (b"\x89HDF", "an HDF5 file"),
    (b"\x93NUMPY", "a NumPy array"),
    (b"RDX", "an R data file"),
    (b"\x89PNG", "a PNG picture"),
    (b"%PDF", "a PDF document"),
    (b"\xFF\xFE", "text in UTF-16; save it as UTF-8"),
    (b"\xFE\xFF", "text in UTF-16; save it as UTF-8"),
];

/// What a file that begins so is, if it is known and no text.
pub(crate) fn name(start: &[u8]) -> Option<&'static str> {
    BEGINNINGS
        .iter()
        .find(|(beginning, _)| start.starts_with(beginning))
        .map(|(_, name)| *name)
        .or_else(|| utf16(start).then_some("text in UTF-16; save it as UTF-8"))
}

/// Whether every second byte of the beginning is zero, as in Western text of two bytes a character.
fn utf16(start: &[u8]) -> bool {
    let zeros = |from: usize| start.iter().skip(from).step_by(2).take(16).all(|&b| b == 0);
    start.len() >= 8 && zeros(0) != zeros(1)
}

/// The end of a message that says what a binary file looks like.
pub(crate) fn hint(start: &[u8]) -> String {
    name(start).map_or_else(String::new, |name| format!("; it looks like {name}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn well_known_formats_are_named() {
        assert_eq!(name(b"PAR1\x15\x04"), Some("a Parquet file"));
        assert_eq!(
            name(b"a\0,\0b\0\n\0"),
            Some("text in UTF-16; save it as UTF-8")
        );
        assert_eq!(name(b"a,b\n1,2\n"), None);
        assert_eq!(name(b"\0\0\0\0\0\0\0\0"), None);
        assert_eq!(hint(b""), "");
    }
}
