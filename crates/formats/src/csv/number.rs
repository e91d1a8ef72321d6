//! Numbers as files write them: `3`, `+3`, `1.`, `.5`, `1e5`; finite, and without thousands
//! separators.

use super::marks::Marks;

/// The number that the whole text is; padding does not count.
pub(super) fn read(text: &str) -> Option<f64> {
    let text = text.trim_matches([' ', '\t']);
    fast_float2::parse::<f64, _>(text)
        .ok()
        .filter(|number| number.is_finite())
        .map(|number| number + 0.0)
}

/// The number that a cell at the start of `bytes` begins with, and its length.
#[inline]
pub(super) fn prefix(bytes: &[u8]) -> Option<(f64, usize)> {
    match fast_float2::parse_partial::<f64, _>(bytes) {
        // `nan`, `inf` and what overflows are no numbers here. Adding zero drops a minus zero.
        Ok((number, length)) if number.is_finite() => Some((number + 0.0, length)),
        _ => None,
    }
}

/// A cell that is nothing but a number: the number, where the next cell or row begins, whether the
/// row ends.
#[inline]
pub(super) fn cell(bytes: &[u8], at: usize, marks: Marks) -> Option<(f64, usize, bool)> {
    let (number, length) = prefix(&bytes[at..])?;
    let end = at + length;
    match bytes[end] {
        byte if byte == marks.delimiter => Some((number, end + 1, false)),
        b'\n' => Some((number, end + 1, true)),
        b'\r' if bytes[end + 1] == b'\n' => Some((number, end + 2, true)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::{Delimiter, Quote};

    #[test]
    fn finite_numbers_only() {
        for (text, number) in [
            ("1.", 1.0),
            ("+3", 3.0),
            ("1e5", 1e5),
            (".5", 0.5),
            (" -2 ", -2.0),
        ] {
            assert_eq!(read(text), Some(number), "{text}");
        }
        for text in [
            "inf",
            "nan",
            "-Infinity",
            "1e999",
            "1,000",
            "0x10",
            "1e",
            "",
            "1 2",
            "--1",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
        assert!(read("-0").unwrap().is_sign_positive());
    }

    #[test]
    fn a_number_must_fill_its_cell() {
        let marks = Marks::new(Delimiter::Comma, Quote::Double);
        assert_eq!(cell(b"1.5,2\n", 0, marks), Some((1.5, 4, false)));
        assert_eq!(cell(b"1.5,2\n", 4, marks), Some((2.0, 6, true)));
        assert_eq!(cell(b"2\r\n", 0, marks), Some((2.0, 3, true)));
        assert_eq!(cell(b"2 \n", 0, marks), None);
        assert_eq!(cell(b"2a\n", 0, marks), None);
        assert_eq!(cell(b"nan\n", 0, marks), None);
    }
}
