//! Labels to codes: the path that every cell of a text column takes.
//!
//! Most labels are short and repeat, so the cell's bytes, as one word of 16, are looked up in a
//! small table before the dictionary is asked.

use kinwood_values::Dictionary;

/// The code of a missing cell while the column is being read.
pub(super) const MISSING: u32 = u32::MAX;

/// The longest cell that the small table knows.
const WORD: usize = 16;
const SLOTS: usize = 256;

/// The codes of a text column and what they mean.
#[derive(Debug)]
pub(super) struct Labels {
    pub codes: Vec<u32>,
    pub dictionary: Dictionary,
    /// Cells seen before and their codes, by a hash of the cell.
    slots: Box<[(u128, u32)]>,
}

/// A short cell: its bytes as one word. Text holds no zeros, so the word tells its length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Word(u128);

impl Labels {
    pub fn new(dictionary: Dictionary) -> Self {
        Self {
            codes: Vec::new(),
            dictionary,
            // No cell is this word: text holds no zeros inside.
            slots: vec![(1 << 64, 0); SLOTS].into_boxed_slice(),
        }
    }

    /// The code of a short cell seen before.
    #[inline]
    pub fn known(&self, word: Word) -> Option<u32> {
        let (key, code) = self.slots[slot(word.0)];
        (key == word.0).then_some(code)
    }

    /// Keeps the code of a short cell.
    pub fn keep(&mut self, word: Word, code: u32) {
        self.slots[slot(word.0)] = (word.0, code);
    }
}

#[inline]
fn slot(key: u128) -> usize {
    let mixed =
        (key as u64 ^ ((key >> 64) as u64).rotate_left(29)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (mixed >> 56) as usize % SLOTS
}

const ONES: u64 = u64::MAX / 255;
const HIGHS: u64 = ONES << 7;

/// The cell at `at`, if it ends within a word: up to the delimiter or line end, a carriage return
/// before it left out.
#[inline]
pub(super) fn short_cell(bytes: &[u8], at: usize, delimiter: u8) -> Option<(Word, usize)> {
    let window: &[u8; WORD] = bytes.get(at..at + WORD)?.try_into().ok()?;
    let (low, high) = window.split_at(8);
    let low = u64::from_le_bytes(low.try_into().ok()?);
    let first = first_of(low, delimiter);
    let (key, end) = if first < 8 {
        (u128::from(low & below(first)), first)
    } else {
        let high = u64::from_le_bytes(high.try_into().ok()?);
        let second = first_of(high, delimiter);
        if second == 8 {
            return None;
        }
        (
            u128::from(high & below(second)) << 64 | u128::from(low),
            8 + second,
        )
    };
    if end > 0 && window[end] == b'\n' && window[end - 1] == b'\r' {
        let kept = (1 << (8 * (end - 1))) - 1;
        return Some((Word(key & kept), end));
    }
    Some((Word(key), end))
}

/// Position of the first byte that is the delimiter or a line end; 8 if none is.
#[inline]
fn first_of(word: u64, delimiter: u8) -> usize {
    let zeros = |x: u64| x.wrapping_sub(ONES) & !x & HIGHS;
    // Above a byte that is found, others may be found wrongly; the first is right.
    let found =
        zeros(word ^ (ONES * u64::from(delimiter))) | zeros(word ^ (ONES * u64::from(b'\n')));
    found.trailing_zeros() as usize / 8
}

/// A mask of so many low bytes, fewer than 8.
#[inline]
fn below(bytes: usize) -> u64 {
    (1 << (8 * bytes)) - 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_cells_end_where_they_end() {
        let text = b"red,a longer one,\r\nx\r\n0123456789abcdef,                ";
        let at = |start: usize| {
            short_cell(text, start, b',').map(|(word, end)| (word.0.to_le_bytes(), end))
        };
        let word = |text: &str| {
            let mut bytes = [0; WORD];
            bytes[..text.len()].copy_from_slice(text.as_bytes());
            bytes
        };
        assert_eq!(at(0), Some((word("red"), 3)));
        assert_eq!(at(4), Some((word("a longer one"), 12)));
        assert_eq!(at(17), Some((word(""), 1)));
        assert_eq!(at(19), Some((word("x"), 2)));
        assert_eq!(at(22), None);
        assert_eq!(at(text.len() - 5), None);
    }

    #[test]
    fn cells_are_known_by_all_their_bytes() {
        let mut labels = Labels::new(Dictionary::new());
        let word = |text: &str| {
            let padded = format!("{text},                ");
            short_cell(padded.as_bytes(), 0, b',').unwrap().0
        };
        assert!(labels.known(word("")).is_none());
        for (code, text) in ["", "a", "abcdefgh", "abcdefghi", "abcdefghijklmno"]
            .iter()
            .enumerate()
        {
            assert_eq!(labels.known(word(text)), None, "{text}");
            labels.keep(word(text), code as u32);
            assert_eq!(labels.known(word(text)), Some(code as u32));
        }
    }
}
