//! Delimiter and quote as bytes.

use crate::schema::{Delimiter, Quote};

/// Delimiter and quote as the bytes that the reader looks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Marks {
    pub delimiter: u8,
    pub quote: Option<u8>,
    /// Whether any number of blanks separates.
    pub blank: bool,
}

impl Marks {
    pub fn new(delimiter: Delimiter, quote: Quote) -> Self {
        Self {
            delimiter: delimiter.byte(),
            quote: quote.byte(),
            blank: delimiter == Delimiter::Blank,
        }
    }

    /// Whether the byte may surround a cell without belonging to it.
    #[inline]
    pub fn pads(self, byte: u8) -> bool {
        byte == b' ' || (byte == b'\t' && self.delimiter != b'\t')
    }
}
