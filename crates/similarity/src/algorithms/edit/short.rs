//! Short sequences side by side: each has a lane of narrow words, and a query passes all lanes of a
//! block at once.
//!
//! One query against one reference leaves most of a word empty where both are short, and looks up
//! the masks of every symbol for every reference. Here the references are what is prepared, 32 of
//! them a block, each in words no wider than the longest of the block needs: a symbol of the query
//! then is one look-up for all of them.

use std::collections::HashMap;

use super::Pattern;

/// References of a block.
pub(crate) const BLOCK: usize = 32;
/// Different symbols of references that have a table.
const SYMBOLS: usize = 1024;
/// The longest query: distances to it fit the narrowest word.
const LONGEST: usize = 255;
/// The longest reference that has a lane.
const WIDEST: usize = 32;
/// The bytes that all tables may have.
const ROOM: usize = 1 << 28;

/// References, the short ones of them in lanes.
pub(crate) struct Shorts {
    /// The numbers of symbols, from 1.
    numbers: HashMap<u32, u16>,
    /// Those of small symbols, by symbol; 0 for those that no short reference has.
    small: Vec<u16>,
    /// The number of the last.
    known: u16,
    blocks: Vec<Block>,
}

/// Some references in a row.
enum Block {
    UpTo8(Lanes<u8>),
    UpTo16(Lanes<u16>),
    UpTo32(Lanes<u32>),
    /// One of them is longer.
    Long,
}

/// References in lanes, and for each symbol where it stands in them.
struct Lanes<W> {
    /// By the number of a symbol, the row of its masks; row 0 for those that none of them has.
    rows: Vec<u16>,
    masks: Vec<[W; BLOCK]>,
    /// The bit of the last symbol of each.
    last: [W; BLOCK],
    lengths: [W; BLOCK],
}

/// Words of some width as lanes.
trait Word: Copy {
    const NONE: Self;
    fn bit(place: usize) -> Self;
    fn number(number: usize) -> Self;
    fn to_usize(self) -> usize;
    fn with(self, other: Self) -> Self;
    fn column(matches: Self, rises: &mut Self, falls: &mut Self, distance: &mut Self, last: Self);
}

macro_rules! word {
    ($of:ty) => {
        impl Word for $of {
            const NONE: Self = 0;

            fn bit(place: usize) -> Self {
                1 << place
            }

            fn number(number: usize) -> Self {
                number as Self
            }

            fn to_usize(self) -> usize {
                self as usize
            }

            fn with(self, other: Self) -> Self {
                self | other
            }

            /// Myers' step in the form of Hyyrö; the distance is followed in the row of the last
            /// symbol.
            #[inline(always)]
            fn column(
                matches: Self,
                rises: &mut Self,
                falls: &mut Self,
                distance: &mut Self,
                last: Self,
            ) {
                let diagonal =
                    ((matches & *rises).wrapping_add(*rises) ^ *rises) | matches | *falls;
                let rising = *falls | !(diagonal | *rises);
                let falling = diagonal & *rises;
                let up = <$of>::from(rising & last != 0);
                let down = <$of>::from(falling & last != 0);
                *distance = distance.wrapping_add(up).wrapping_sub(down);
                let above = rising << 1 | 1;
                *rises = falling << 1 | !(diagonal | above);
                *falls = above & diagonal;
            }
        }
    };
}

word!(u8);
word!(u16);
word!(u32);

impl Shorts {
    /// Prepares references, which are given by place; nothing where they have too many different
    /// symbols, or none is short.
    pub(crate) fn new<'a>(reference: impl Fn(usize) -> &'a [u32], count: usize) -> Option<Self> {
        let mut made = Self {
            numbers: HashMap::new(),
            small: vec![0; SYMBOLS],
            known: 0,
            blocks: Vec::with_capacity(count.div_ceil(BLOCK)),
        };
        let block = |first: usize| -> Vec<&[u32]> {
            (first..count.min(first + BLOCK)).map(&reference).collect()
        };
        let mut any = false;
        for first in (0..count).step_by(BLOCK) {
            let own = block(first);
            if own.iter().any(|own| own.len() > WIDEST) {
                continue;
            }
            any = true;
            own.into_iter()
                .flatten()
                .for_each(|&symbol| made.know(symbol));
            if usize::from(made.known) > SYMBOLS {
                return None;
            }
        }
        if !any {
            return None;
        }
        let mut room = 0;
        for first in (0..count).step_by(BLOCK) {
            let block = made.block(&block(first));
            room += block.room();
            made.blocks.push(block);
            if room > ROOM {
                return None;
            }
        }
        Some(made)
    }

    /// Gives a symbol a number, if it has none.
    fn know(&mut self, symbol: u32) {
        let own = match self.small.get_mut(symbol as usize) {
            Some(own) => own,
            None => self.numbers.entry(symbol).or_insert(0),
        };
        if *own == 0 {
            // A block has fewer symbols than would make this overflow.
            self.known += 1;
            *own = self.known;
        }
    }

    fn block(&self, references: &[&[u32]]) -> Block {
        let longest = references.iter().map(|own| own.len()).max().unwrap_or(0);
        match longest {
            0..=8 => Block::UpTo8(self.lanes(references)),
            9..=16 => Block::UpTo16(self.lanes(references)),
            17..=WIDEST => Block::UpTo32(self.lanes(references)),
            _ => Block::Long,
        }
    }

    fn lanes<W: Word>(&self, references: &[&[u32]]) -> Lanes<W> {
        let mut lanes = Lanes {
            rows: vec![0; usize::from(self.known) + 1],
            masks: vec![[W::NONE; BLOCK]],
            last: [W::NONE; BLOCK],
            lengths: [W::NONE; BLOCK],
        };
        for (lane, reference) in references.iter().enumerate() {
            lanes.lengths[lane] = W::number(reference.len());
            if let Some(last) = reference.len().checked_sub(1) {
                lanes.last[lane] = W::bit(last);
            }
            for (place, &symbol) in reference.iter().enumerate() {
                let row = &mut lanes.rows[usize::from(self.number(symbol))];
                if *row == 0 {
                    *row = lanes.masks.len() as u16;
                    lanes.masks.push([W::NONE; BLOCK]);
                }
                let mask = &mut lanes.masks[usize::from(*row)][lane];
                *mask = mask.with(W::bit(place));
            }
        }
        lanes
    }

    fn number(&self, symbol: u32) -> u16 {
        match self.small.get(symbol as usize) {
            Some(&number) => number,
            None => self.numbers.get(&symbol).copied().unwrap_or(0),
        }
    }

    /// A query in the numbers of the references' symbols; nothing where it is too long for lanes.
    pub(crate) fn query(&self, symbols: &[u32]) -> Option<Vec<u16>> {
        let numbers = || symbols.iter().map(|&symbol| self.number(symbol)).collect();
        (symbols.len() <= LONGEST).then(numbers)
    }

    /// The distances of a query to the references of a block; `false` where they are too long for
    /// lanes.
    pub(crate) fn distances(&self, query: &[u16], block: usize, out: &mut [u32; BLOCK]) -> bool {
        match &self.blocks[block] {
            Block::UpTo8(lanes) => lanes.distances(query, out),
            Block::UpTo16(lanes) => lanes.distances(query, out),
            Block::UpTo32(lanes) => lanes.distances(query, out),
            Block::Long => return false,
        }
        true
    }
}

impl Block {
    /// The bytes of its table.
    fn room(&self) -> usize {
        match self {
            Block::UpTo8(lanes) => lanes.room(),
            Block::UpTo16(lanes) => lanes.room(),
            Block::UpTo32(lanes) => lanes.room(),
            Block::Long => 0,
        }
    }
}

impl<W: Word> Lanes<W> {
    fn room(&self) -> usize {
        size_of_val(&self.rows[..]) + size_of_val(&self.masks[..])
    }

    fn distances(&self, query: &[u16], out: &mut [u32; BLOCK]) {
        let found = passed::lanes(self, query);
        for ((out, found), length) in out.iter_mut().zip(found).zip(self.lengths) {
            *out = match length.to_usize() {
                // Nothing has no last row.
                0 => query.len() as u32,
                _ => found.to_usize() as u32,
            };
        }
    }
}

/// The columns of a query, by the widest registers that the processor has: the results are the
/// same.
mod passed {
    use super::{BLOCK, Lanes, Word};

    #[inline(always)]
    fn any<W: Word>(lanes: &Lanes<W>, query: &[u16]) -> [W; BLOCK] {
        let mut rises = [W::NONE; BLOCK];
        let mut falls = [W::NONE; BLOCK];
        for own in &mut rises {
            *own = W::number(usize::MAX);
        }
        let mut distances = lanes.lengths;
        for &symbol in query {
            let masks = &lanes.masks[usize::from(lanes.rows[usize::from(symbol)])];
            for lane in 0..BLOCK {
                W::column(
                    masks[lane],
                    &mut rises[lane],
                    &mut falls[lane],
                    &mut distances[lane],
                    lanes.last[lane],
                );
            }
        }
        distances
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn avx2<W: Word>(lanes: &Lanes<W>, query: &[u16]) -> [W; BLOCK] {
        any(lanes, query)
    }

    /// The distance of the query to what is in each lane.
    #[inline]
    pub(super) fn lanes<W: Word>(lanes: &Lanes<W>, query: &[u16]) -> [W; BLOCK] {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") {
            #[allow(unsafe_code)]
            // SAFETY: the processor has the feature; the function is otherwise the same safe code.
            return unsafe { avx2(lanes, query) };
        }
        any(lanes, query)
    }
}

/// A query beside references of which the short ones are in lanes.
pub(crate) struct ShortQuery<'a> {
    shorts: &'a Shorts,
    numbers: Vec<u16>,
}

impl<'a> ShortQuery<'a> {
    /// Prepares a query; nothing where it is too long for lanes.
    pub(crate) fn new(shorts: &'a Shorts, symbols: &[u32]) -> Option<Self> {
        let numbers = shorts.query(symbols)?;
        Some(Self { shorts, numbers })
    }

    /// Unit edits between the query and some references; `long` has the pattern of the query, and
    /// `reference` those that are too long for lanes.
    pub(crate) fn distances<'b>(
        &self,
        references: std::ops::Range<usize>,
        long: &Pattern,
        reference: impl Fn(usize) -> &'b [u32],
        mut each: impl FnMut(usize, u32),
    ) {
        let mut found = [0; BLOCK];
        let mut from = references.start;
        while from < references.end {
            let block = from / BLOCK;
            let to = references.end.min((block + 1) * BLOCK);
            if self.shorts.distances(&self.numbers, block, &mut found) {
                for own in from..to {
                    each(own, found[own % BLOCK]);
                }
            } else {
                let mut edits = [0; BLOCK];
                let edits = &mut edits[..to - from];
                long.distances((from..to).map(&reference), edits);
                for (own, &edits) in (from..to).zip(&*edits) {
                    each(own, edits as u32);
                }
            }
            from = to;
        }
    }
}
