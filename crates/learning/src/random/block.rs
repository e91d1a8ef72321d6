//! The beginning of a ChaCha8 key stream, computed alone.
//!
//! A generator computes four blocks of the key stream at a time. Where thousands of streams give
//! one number each, as the random tests of a forest do, that is most of the time; the first word
//! takes half a block.
//!
//! Reference: D. J. Bernstein, ChaCha, a variant of Salsa20, SASC 2008.

/// "expand 32-byte k", which every block begins with.
const CONSTANTS: [u32; 4] = [0x6170_7865, 0x3320_646e, 0x7962_2d32, 0x6b20_6574];

/// Four words of a block.
type Row = [u32; 4];

/// The first 64 bits of the key stream of a key, its counter and nonce being 0.
pub(super) fn first_bits(key: [u64; 4]) -> u64 {
    let halves = |a: u64, b: u64| [a as u32, (a >> 32) as u32, b as u32, (b >> 32) as u32];
    let mut a = CONSTANTS;
    let mut b = halves(key[0], key[1]);
    let mut c = halves(key[2], key[3]);
    let mut d = [0; 4];
    for _ in 0..4 {
        quarter_rounds(&mut a, &mut b, &mut c, &mut d);
        // The diagonals stand below each other while their rows are turned.
        b = turned::<1>(b);
        c = turned::<2>(c);
        d = turned::<3>(d);
        quarter_rounds(&mut a, &mut b, &mut c, &mut d);
        b = turned::<3>(b);
        c = turned::<2>(c);
        d = turned::<1>(d);
    }
    let word = |place: usize| u64::from(a[place].wrapping_add(CONSTANTS[place]));
    word(0) | word(1) << 32
}

/// A quarter round on each of the four columns.
#[inline(always)]
fn quarter_rounds(a: &mut Row, b: &mut Row, c: &mut Row, d: &mut Row) {
    step::<16>(a, b, d);
    step::<12>(c, d, b);
    step::<8>(a, b, d);
    step::<7>(c, d, b);
}

/// `x += y; z = (z ^ x) <<< BITS`, column by column.
#[inline(always)]
fn step<const BITS: u32>(x: &mut Row, y: &Row, z: &mut Row) {
    for column in 0..4 {
        x[column] = x[column].wrapping_add(y[column]);
        z[column] = (z[column] ^ x[column]).rotate_left(BITS);
    }
}

/// A row turned to the left by so many places.
#[inline(always)]
fn turned<const PLACES: usize>(row: Row) -> Row {
    [0, 1, 2, 3].map(|place: usize| row[(place + PLACES) % 4])
}
