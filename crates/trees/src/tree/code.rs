//! Codes: labels, ranks and groups by number.

/// The code of a row without a value.
pub const UNKNOWN: u32 = u32::MAX;
