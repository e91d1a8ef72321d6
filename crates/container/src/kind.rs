//! The kinds of elements that a section can hold.

use std::fmt;

/// What the elements of a section are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Bytes.
    U8,
    /// Unsigned 32-bit integers.
    U32,
    /// Unsigned 64-bit integers.
    U64,
    /// Signed 64-bit integers.
    I64,
    /// IEEE 754 double precision numbers, every bit kept.
    F64,
    /// UTF-8 strings.
    Text,
    /// One JSON document.
    Json,
}

impl Kind {
    /// All kinds; a kind's code in the file is its position here plus one, so that a zeroed table
    /// entry is not a valid one.
    const ALL: [Kind; 7] = [
        Kind::U8,
        Kind::U32,
        Kind::U64,
        Kind::I64,
        Kind::F64,
        Kind::Text,
        Kind::Json,
    ];

    pub(crate) fn code(self) -> u32 {
        self as u32 + 1
    }

    pub(crate) fn from_code(code: u32) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| kind.code() == code)
    }

    /// Whether `count` elements can take `length` bytes. For text this bounds the count only; the
    /// strings themselves are checked with the content.
    pub(crate) fn fits(self, count: u64, length: u64) -> bool {
        let exactly = |size: u64| count.checked_mul(size) == Some(length);
        match self {
            Kind::U8 => exactly(1),
            Kind::U32 => exactly(4),
            Kind::U64 | Kind::I64 | Kind::F64 => exactly(8),
            Kind::Text => count
                .checked_mul(8)
                .is_some_and(|ends| ends <= length && (count > 0 || length == 0)),
            Kind::Json => count == 1 && length > 0,
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Kind::U8 => "u8",
            Kind::U32 => "u32",
            Kind::U64 => "u64",
            Kind::I64 => "i64",
            Kind::F64 => "f64",
            Kind::Text => "text",
            Kind::Json => "json",
        })
    }
}

/// A number stored in a fixed number of little-endian bytes.
pub(crate) trait Element: Copy {
    /// The kind that marks arrays of this type.
    const KIND: Kind;
    /// Appends the array's bytes.
    fn encode(values: &[Self]) -> Vec<u8>;
    /// The array in `bytes`, whose length was checked by [`Kind::fits`].
    fn decode(bytes: &[u8]) -> Vec<Self>;
}

macro_rules! element {
    ($type:ty, $kind:expr) => {
        impl Element for $type {
            const KIND: Kind = $kind;

            fn encode(values: &[Self]) -> Vec<u8> {
                let mut bytes = Vec::with_capacity(size_of_val(values));
                for value in values {
                    bytes.extend_from_slice(&value.to_le_bytes());
                }
                bytes
            }

            fn decode(bytes: &[u8]) -> Vec<Self> {
                let (elements, _) = bytes.as_chunks();
                elements
                    .iter()
                    .map(|&element| Self::from_le_bytes(element))
                    .collect()
            }
        }
    };
}

element!(u8, Kind::U8);
element!(u32, Kind::U32);
element!(u64, Kind::U64);
element!(i64, Kind::I64);
element!(f64, Kind::F64);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_lead_back_to_their_kind() {
        for kind in Kind::ALL {
            assert_eq!(Kind::from_code(kind.code()), Some(kind));
        }
        assert_eq!(Kind::from_code(0), None);
        assert_eq!(Kind::from_code(8), None);
        assert_eq!(Kind::from_code(u32::MAX), None);
    }

    #[test]
    fn counts_that_overflow_do_not_fit() {
        assert!(Kind::F64.fits(2, 16));
        assert!(!Kind::F64.fits(2, 15));
        assert!(!Kind::F64.fits(1 << 61, 0));
        assert!(!Kind::Text.fits(1 << 61, 0));
        assert!(!Kind::Text.fits(0, 3));
        assert!(Kind::Text.fits(2, 19));
        assert!(!Kind::Json.fits(0, 0));
    }
}
