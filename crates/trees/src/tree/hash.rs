//! Hashes that are the same in every run and on every machine.

/// A hash of a hash and one more number.
pub(crate) fn mixed(hash: u128, more: u128) -> u128 {
    // Two rounds of multiplication and folding spread every bit over all others.
    const ODD: u128 = 0x9E37_79B9_7F4A_7C15_F39C_C060_5CED_C835;
    let mut mixed = (hash ^ more.wrapping_mul(ODD)).wrapping_add(ODD);
    for _ in 0..2 {
        mixed = (mixed ^ mixed >> 61).wrapping_mul(ODD);
        mixed ^= mixed >> 67;
    }
    mixed
}
