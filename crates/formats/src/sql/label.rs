//! Values as labels: one text for one value, so that keys of different types meet by their text.

use std::borrow::Cow;
use std::fmt::Write;

use chrono::DateTime;
use kinwood_values::datetime;

/// A value as a database hands it over.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Cell<'a> {
    Null,
    Integer(i64),
    Real(f64),
    /// A decimal number of any length, without superfluous zeros: the text that its number prints
    /// as, if one is it.
    Decimal(&'a str),
    Text(&'a [u8]),
    Truth(bool),
    /// Microseconds since 1970-01-01 UTC.
    Instant(i64),
    /// A date beyond all dates.
    Never,
    Blob(&'a [u8]),
}

/// Writes the label of a value that is neither null nor text.
pub(super) fn write(cell: Cell<'_>, label: &mut String) {
    let written = match cell {
        Cell::Null | Cell::Never => Ok(()),
        Cell::Integer(number) => write!(label, "{number}"),
        Cell::Real(number) => write!(label, "{}", number + 0.0),
        Cell::Decimal(text) => label.write_str(text),
        Cell::Text(bytes) => label.write_str(&decode(bytes).0),
        Cell::Truth(truth) => write!(label, "{truth}"),
        Cell::Instant(microseconds) => label.write_str(&instant(microseconds)),
        Cell::Blob(bytes) => bytes
            .iter()
            .try_for_each(|byte| write!(label, "{byte:02x}")),
    };
    written.expect("writing to a string does not fail");
}

/// The text of these bytes, and whether they are UTF-8; others are taken for Latin-1, which keeps
/// different ones different.
pub(super) fn decode(bytes: &[u8]) -> (Cow<'_, str>, bool) {
    match std::str::from_utf8(bytes) {
        Ok(text) => (Cow::Borrowed(text), true),
        Err(_) => (bytes.iter().map(|&byte| char::from(byte)).collect(), false),
    }
}

/// The ISO text of a point in time, with microseconds only where there are some.
fn instant(microseconds: i64) -> String {
    if microseconds % 1000 == 0 {
        return datetime::print(microseconds / 1000);
    }
    match DateTime::from_timestamp_micros(microseconds) {
        Some(time) => time.format("%Y-%m-%dT%H:%M:%S%.6fZ").to_string(),
        None => format!("{microseconds} µs"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn label(cell: Cell<'_>) -> String {
        let mut label = String::new();
        write(cell, &mut label);
        label
    }

    #[test]
    fn equal_values_have_equal_labels_whatever_their_type() {
        assert_eq!(label(Cell::Integer(5)), "5");
        assert_eq!(label(Cell::Real(5.0)), "5");
        assert_eq!(label(Cell::Decimal("5")), "5");
        assert_eq!(label(Cell::Real(-0.0)), "0");
        assert_eq!(label(Cell::Integer(i64::MIN)), "-9223372036854775808");
    }

    #[test]
    fn instants_keep_their_microseconds() {
        assert_eq!(label(Cell::Instant(86_400_000_000)), "1970-01-02");
        assert_eq!(label(Cell::Instant(-1)), "1969-12-31T23:59:59.999999Z");
        assert_eq!(label(Cell::Instant(1000)), "1970-01-01T00:00:00.001Z");
    }

    #[test]
    fn bytes_and_foreign_text_stay_distinct() {
        assert_eq!(label(Cell::Blob(&[0, 0xff])), "00ff");
        assert_eq!(label(Cell::Text(b"caf\xe9")), "café");
        assert_ne!(label(Cell::Text(b"\xe9")), label(Cell::Text(b"\xe8")));
    }
}
