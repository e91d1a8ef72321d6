//! The first bytes of a `.kin` file, signature and version, and what other files look like.

use std::fmt;

/// The first eight bytes of every version: readable, and ended by a line feed so that the manifest
/// starts on a line of its own in a terminal.
pub(crate) const SIGNATURE: [u8; 8] = *b"KINWOOD\n";

/// The version of the format that is written, and the only one that is read so far.
pub const FORMAT_VERSION: u32 = 1;

/// What the first bytes of a file that is not a model suggest it to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Resemblance {
    /// No bytes at all.
    Empty,
    /// Readable text, for instance a data file given in place of a model.
    Text,
    /// A gzip archive.
    Gzip,
    /// A zip archive.
    Zip,
    /// Bytes of no recognised kind.
    Unknown,
}

impl Resemblance {
    /// Judges a file by its first bytes.
    pub(crate) fn of(start: &[u8]) -> Resemblance {
        if start.is_empty() {
            Resemblance::Empty
        } else if start.starts_with(&[0x1f, 0x8b]) {
            Resemblance::Gzip
        } else if start.starts_with(b"PK\x03\x04") || start.starts_with(b"PK\x05\x06") {
            Resemblance::Zip
        } else if readable(start) {
            Resemblance::Text
        } else {
            Resemblance::Unknown
        }
    }
}

/// Whether the bytes are text; a character cut off at the end does not count against it.
fn readable(start: &[u8]) -> bool {
    let text = match std::str::from_utf8(start) {
        Ok(text) => text,
        Err(error) if error.error_len().is_none() => {
            std::str::from_utf8(&start[..error.valid_up_to()]).unwrap_or_default()
        }
        Err(_) => return false,
    };
    text.chars()
        .all(|letter| !letter.is_control() || letter.is_whitespace())
}

impl fmt::Display for Resemblance {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Resemblance::Empty => "is empty",
            Resemblance::Text => "looks like text",
            Resemblance::Gzip => "looks like a gzip archive",
            Resemblance::Zip => "looks like a zip archive",
            Resemblance::Unknown => "does not start with the signature `KINWOOD`",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_told_apart_by_their_first_bytes() {
        assert_eq!(Resemblance::of(b""), Resemblance::Empty);
        assert_eq!(Resemblance::of(b"\x1f\x8b\x08\0"), Resemblance::Gzip);
        assert_eq!(Resemblance::of(b"PK\x03\x04\x14"), Resemblance::Zip);
        assert_eq!(Resemblance::of(b"@relation iris\r\n\tx"), Resemblance::Text);
        assert_eq!(Resemblance::of("größe".as_bytes()), Resemblance::Text);
        assert_eq!(Resemblance::of(&"xß".as_bytes()[..2]), Resemblance::Text);
        assert_eq!(Resemblance::of(b"\xff\xfe"), Resemblance::Unknown);
        assert_eq!(Resemblance::of(b"\x7fELF\x02"), Resemblance::Unknown);
    }
}
