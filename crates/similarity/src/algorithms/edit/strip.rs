//! A piece of a pattern as bit masks, and the bit-parallel passes over it.
//!
//! A pattern is cut into strips of at most [`STRIP_WORDS`] words. Within a strip the whole column
//! of the edit matrix stays in registers, for the number of words is known to the compiler; between
//! strips two bits a column travel. Each strip has its own table of the symbols that occur in it,
//! so masks take memory linear in the pattern whatever its alphabet.

use std::ops::Range;

/// Words in a strip: enough work a column to hide the latency of the recurrence.
pub(super) const STRIP_WORDS: usize = 8;

/// Symbols below this are looked up directly, others by hashing.
const DIRECT: usize = 1024;

/// Which positions of a piece of a pattern each symbol holds.
#[derive(Clone, Debug)]
pub(super) struct Strip {
    length: usize,
    words: usize,
    /// The row of masks of each small symbol; row 0 for those that do not occur.
    direct: Vec<u16>,
    /// Open addressing over the larger symbols, a power of two in size and at most half full; row 0
    /// is a free slot.
    hashed: Vec<(u32, u16)>,
    /// `[row][word]`; row 0 is empty.
    masks: Vec<u64>,
}

impl Strip {
    /// The masks of at most `64 * STRIP_WORDS` symbols.
    pub(super) fn new(symbols: &[u32]) -> Self {
        let words = symbols.len().div_ceil(64).max(1);
        let small = |&&symbol: &&u32| (symbol as usize) < DIRECT;
        let reach = symbols.iter().filter(small).max();
        let large = symbols.iter().filter(|symbol| !small(symbol)).count();
        let slots = match large {
            0 => 0,
            _ => (2 * large).next_power_of_two(),
        };
        let mut strip = Self {
            length: symbols.len(),
            words,
            direct: vec![0; reach.map_or(0, |&symbol| symbol as usize + 1)],
            hashed: vec![(0, 0); slots],
            masks: vec![0; words],
        };
        for (position, &symbol) in symbols.iter().enumerate() {
            let row = strip.claim(symbol);
            strip.masks[row * words + position / 64] |= 1 << (position % 64);
        }
        strip
    }

    /// Number of symbols.
    pub(super) fn length(&self) -> usize {
        self.length
    }

    /// The row of a symbol of the pattern, a new one when it has none yet.
    fn claim(&mut self, symbol: u32) -> usize {
        let next = (self.masks.len() / self.words) as u16;
        let entry = match self.direct.get_mut(symbol as usize) {
            Some(entry) => entry,
            None => {
                let slot = self.slot(symbol);
                self.hashed[slot].0 = symbol;
                &mut self.hashed[slot].1
            }
        };
        if *entry == 0 {
            *entry = next;
            self.masks.resize(self.masks.len() + self.words, 0);
            return usize::from(next);
        }
        usize::from(*entry)
    }

    /// Where a symbol lies among the hashed ones, or the free slot it would take.
    fn slot(&self, symbol: u32) -> usize {
        let last = self.hashed.len() - 1;
        let mut slot = (symbol.wrapping_mul(0x9E37_79B1) >> 15) as usize & last;
        while self.hashed[slot].1 != 0 && self.hashed[slot].0 != symbol {
            slot = (slot + 1) & last;
        }
        slot
    }

    #[inline(always)]
    fn row(&self, symbol: u32) -> usize {
        match self.direct.get(symbol as usize) {
            Some(&row) => usize::from(row),
            None if self.hashed.is_empty() => 0,
            None => usize::from(self.hashed[self.slot(symbol)].1),
        }
    }

    /// The positions of a symbol within a word and the one before it; none outside the strip.
    #[inline]
    pub(super) fn two_words(&self, symbol: u32, word: usize) -> [u64; 2] {
        let row = self.row(symbol) * self.words;
        let masks = &self.masks[row..row + self.words];
        let at = |word: usize| masks.get(word).copied().unwrap_or(0);
        [at(word.wrapping_sub(1)), at(word)]
    }

    /// The bits of a word that are symbols of the strip.
    pub(super) fn used(&self, word: usize) -> u64 {
        match self.length.saturating_sub(word * 64) {
            0 => 0,
            bits @ 1..64 => !0 >> (64 - bits),
            _ => !0,
        }
    }

    /// Levenshtein's recurrence for `L` texts at once: reads what enters each column from the strip
    /// above, leaves what passes to the strip below, and hands the last column's vertical steps to
    /// `last` as `(text, word, rises, falls)`.
    pub(super) fn levenshtein<const L: usize>(
        &self,
        texts: [&[u32]; L],
        edges: Option<[&mut [u8]; L]>,
        last: impl FnMut(usize, usize, u64, u64),
    ) {
        match self.words {
            1 => self.levenshtein_words::<1, L>(texts, edges, last),
            2 => self.levenshtein_words::<2, L>(texts, edges, last),
            3 => self.levenshtein_words::<3, L>(texts, edges, last),
            4 => self.levenshtein_words::<4, L>(texts, edges, last),
            5 => self.levenshtein_words::<5, L>(texts, edges, last),
            6 => self.levenshtein_words::<6, L>(texts, edges, last),
            7 => self.levenshtein_words::<7, L>(texts, edges, last),
            _ => self.levenshtein_words::<STRIP_WORDS, L>(texts, edges, last),
        }
    }

    fn levenshtein_words<const W: usize, const L: usize>(
        &self,
        texts: [&[u32]; L],
        mut edges: Option<[&mut [u8]; L]>,
        mut last: impl FnMut(usize, usize, u64, u64),
    ) {
        let common = texts.iter().map(|text| text.len()).min().unwrap_or(0);
        let mut column = Column::<W, L>::start();
        column.advance(self, texts, 0..common, &mut edges);
        for (lane, text) in texts.into_iter().enumerate() {
            let mut alone = column.lane(lane);
            let mut edge = edges.as_mut().map(|edges| [&mut *edges[lane]]);
            alone.advance(self, [text], common..text.len(), &mut edge);
            for word in 0..W {
                last(lane, word, alone.rises[word][0], alone.falls[word][0]);
            }
        }
    }

    /// The longest common subsequence's recurrence: the length it adds within this strip.
    ///
    /// Reference: H. Hyyrö, Bit-parallel LCS-length computation revisited, AWOCA 2004.
    pub(super) fn common_subsequence(&self, text: &[u32], edge: Option<&mut [u8]>) -> usize {
        match self.words {
            1 => self.common_subsequence_words::<1>(text, edge),
            2 => self.common_subsequence_words::<2>(text, edge),
            3 => self.common_subsequence_words::<3>(text, edge),
            4 => self.common_subsequence_words::<4>(text, edge),
            5 => self.common_subsequence_words::<5>(text, edge),
            6 => self.common_subsequence_words::<6>(text, edge),
            7 => self.common_subsequence_words::<7>(text, edge),
            _ => self.common_subsequence_words::<STRIP_WORDS>(text, edge),
        }
    }

    fn common_subsequence_words<const W: usize>(
        &self,
        text: &[u32],
        mut edge: Option<&mut [u8]>,
    ) -> usize {
        let (masks, _) = self.masks.as_chunks::<W>();
        let mut column = [!0u64; W];
        for (place, &symbol) in text.iter().enumerate() {
            let Some(mask) = masks.get(self.row(symbol)) else {
                continue;
            };
            let mut carry = edge.as_ref().is_some_and(|edge| edge[place] != 0);
            for (word, &matches) in column.iter_mut().zip(mask) {
                let (sum, first) = word.overflowing_add(*word & matches);
                let (sum, second) = sum.overflowing_add(u64::from(carry));
                carry = first | second;
                *word = sum | (*word & !matches);
            }
            if let Some(edge) = edge.as_mut() {
                edge[place] = u8::from(carry);
            }
        }
        let unmatched = |(word, bits): (usize, &u64)| (!bits & self.used(word)).count_ones();
        column.iter().enumerate().map(unmatched).sum::<u32>() as usize
    }
}

/// One column of the edit matrix of `L` texts, as the rows where it rises by one and where it falls
/// by one.
struct Column<const W: usize, const L: usize> {
    rises: [[u64; L]; W],
    falls: [[u64; L]; W],
}

/// Lane-wise arithmetic, written so that the compiler keeps the lanes in vector registers.
#[inline(always)]
fn each<const L: usize>(a: [u64; L], b: [u64; L], f: impl Fn(u64, u64) -> u64) -> [u64; L] {
    let mut out = [0; L];
    for lane in 0..L {
        out[lane] = f(a[lane], b[lane]);
    }
    out
}

/// What crosses from the strip above and to the strip below, a column at a time: whether the row
/// falls, and whether it does not rise.
trait Boundary<const L: usize> {
    fn enter(&self, place: usize) -> ([u64; L], [u64; L]);
    fn leave(&mut self, place: usize, falls: [u64; L], keeps: [u64; L]);
}

/// The boundary of a lone strip: the row above it rises everywhere, and no one asks for the row
/// below.
struct Top;

impl<const L: usize> Boundary<L> for Top {
    #[inline(always)]
    fn enter(&self, _: usize) -> ([u64; L], [u64; L]) {
        ([0; L], [0; L])
    }

    #[inline(always)]
    fn leave(&mut self, _: usize, _: [u64; L], _: [u64; L]) {}
}

impl<const L: usize> Boundary<L> for [&mut [u8]; L] {
    #[inline(always)]
    fn enter(&self, place: usize) -> ([u64; L], [u64; L]) {
        let edges: [u64; L] = std::array::from_fn(|lane| u64::from(self[lane][place]));
        (edges.map(|edge| edge & 1), edges.map(|edge| edge >> 1))
    }

    #[inline(always)]
    fn leave(&mut self, place: usize, falls: [u64; L], keeps: [u64; L]) {
        for lane in 0..L {
            self[lane][place] = (falls[lane] | keeps[lane] << 1) as u8;
        }
    }
}

impl<const W: usize, const L: usize> Column<W, L> {
    /// The column before the text, which rises in every row.
    fn start() -> Self {
        Self {
            rises: [[!0; L]; W],
            falls: [[0; L]; W],
        }
    }

    fn lane(&self, lane: usize) -> Column<W, 1> {
        Column {
            rises: self.rises.map(|lanes| [lanes[lane]]),
            falls: self.falls.map(|lanes| [lanes[lane]]),
        }
    }

    fn advance(
        &mut self,
        strip: &Strip,
        texts: [&[u32]; L],
        places: Range<usize>,
        edges: &mut Option<[&mut [u8]; L]>,
    ) {
        match edges {
            None => self.columns(strip, texts, places, &mut Top),
            Some(edges) => self.columns(strip, texts, places, edges),
        }
    }

    /// Myers' step in the form of Hyyrö, word by word. What crosses a boundary between rows is one
    /// bit for a horizontal fall and one for the absence of a rise: the complement saves a negation
    /// a word.
    #[inline(always)]
    fn columns(
        &mut self,
        strip: &Strip,
        texts: [&[u32]; L],
        places: Range<usize>,
        boundary: &mut impl Boundary<L>,
    ) {
        let (masks, _) = strip.masks.as_chunks::<W>();
        let nothing = [0; W];
        let texts = texts.map(|text| &text[..places.end]);
        let (mut rises, mut falls) = (self.rises, self.falls);
        for place in places {
            let rows: [&[u64; W]; L] = std::array::from_fn(|lane| {
                masks.get(strip.row(texts[lane][place])).unwrap_or(&nothing)
            });
            let (mut fall, mut keep) = boundary.enter(place);
            for word in 0..W {
                let (rise_here, fall_here) = (rises[word], falls[word]);
                let matches = std::array::from_fn(|lane| rows[lane][word]);
                let matches = each(matches, fall, |a, b| a | b);
                let ripple = each(matches, rise_here, |a, b| (a & b).wrapping_add(b) ^ b);
                let diagonal = each(ripple, matches, |a, b| a | b);
                let diagonal = each(diagonal, fall_here, |a, b| a | b);
                let reached = each(diagonal, rise_here, |a, b| a | b);
                let not_rising = each(reached, fall_here, |a, b| a & !b);
                let falling = each(diagonal, rise_here, |a, b| a & b);
                let above_keeps = each(not_rising, keep, |a, b| a << 1 | b);
                let above_falls = each(falling, fall, |a, b| a << 1 | b);
                keep = not_rising.map(|bits| bits >> 63);
                fall = falling.map(|bits| bits >> 63);
                falls[word] = each(diagonal, above_keeps, |a, b| a & !b);
                let rising = each(above_keeps, diagonal, |a, b| a & !b);
                rises[word] = each(rising, above_falls, |a, b| a | b);
            }
            boundary.leave(place, fall, keep);
        }
        (self.rises, self.falls) = (rises, falls);
    }
}
