//! A sequence prepared for many comparisons by bit-parallel Levenshtein and longest common
//! subsequences.

use super::strip::{STRIP_WORDS, Strip};

/// A sequence whose symbols are laid out as bit masks, to be compared with many others.
///
/// A column of the edit matrix is held as two bits a row (it rises or falls by one), 64 rows a
/// word.
///
/// ```
/// # use kinwood_similarity::algorithms::edit::Pattern;
/// let symbols = |text: &str| text.chars().map(u32::from).collect::<Vec<_>>();
/// let kitten = Pattern::new(&symbols("kitten"));
/// assert_eq!(kitten.distance(&symbols("sitting")), 3);
/// assert_eq!(kitten.within(&symbols("sitting"), 2), None);
/// ```
///
/// Cost: `ceil(m / 64) * n` word steps; memory linear in both sequences. References: G. Myers, A
/// fast bit-vector algorithm for approximate string matching based on dynamic programming, JACM
/// 46(3), 1999; H. Hyyrö, A bit-vector algorithm for computing Levenshtein and Damerau edit
/// distances, Nordic Journal of Computing 10, 2003; E. Ukkonen, Algorithms for approximate string
/// matching, Information and Control 64, 1985 (bounded search).
#[derive(Clone, Debug)]
pub struct Pattern {
    symbols: Vec<u32>,
    strips: Vec<Strip>,
}

impl Pattern {
    /// Prepares a sequence.
    pub fn new(symbols: &[u32]) -> Self {
        Self {
            symbols: symbols.to_vec(),
            strips: symbols.chunks(64 * STRIP_WORDS).map(Strip::new).collect(),
        }
    }

    /// The sequence.
    pub fn symbols(&self) -> &[u32] {
        &self.symbols
    }

    /// Number of symbols.
    pub fn len(&self) -> usize {
        self.symbols.len()
    }

    /// Whether there are no symbols.
    pub fn is_empty(&self) -> bool {
        self.symbols.is_empty()
    }

    /// Levenshtein distance: the least number of insertions, deletions and substitutions.
    pub fn distance(&self, text: &[u32]) -> usize {
        let [distance] = self.together([text]);
        distance
    }

    /// The distances to several texts, in their order, as many as there is room for.
    ///
    /// Faster than one by one: several texts are taken at a time, for one alone leaves the
    /// processor waiting for its own results. Texts of like length in a row gain most.
    pub fn distances<'a>(&self, texts: impl IntoIterator<Item = &'a [u32]>, out: &mut [usize]) {
        // Measured: four lanes of any number of words become vector code but for three words, which
        // need eight.
        match self.len() {
            129..=192 => self.in_groups::<8>(texts.into_iter(), out),
            _ => self.in_groups::<4>(texts.into_iter(), out),
        }
    }

    fn in_groups<'a, const L: usize>(
        &self,
        mut texts: impl Iterator<Item = &'a [u32]>,
        out: &mut [usize],
    ) {
        for group in out.chunks_mut(L) {
            let mut taken = 0;
            let texts: [&[u32]; L] = std::array::from_fn(|lane| match lane < group.len() {
                true => texts.next().inspect(|_| taken += 1).unwrap_or_default(),
                false => &[],
            });
            if taken == L {
                group.copy_from_slice(&self.together(texts));
            } else {
                // An absent text would end the common part at once: what is left goes alone.
                let alone = texts.iter().zip(group).take(taken);
                alone.for_each(|(text, out)| *out = self.distance(text));
            }
        }
    }

    fn together<const L: usize>(&self, texts: [&[u32]; L]) -> [usize; L] {
        let mut distances = texts.map(<[u32]>::len);
        let mut carried = match self.strips.len() {
            0 | 1 => None,
            _ => Some(texts.map(|text| vec![0u8; text.len()])),
        };
        for strip in &self.strips {
            let edges = carried
                .as_mut()
                .map(|edges| edges.each_mut().map(Vec::as_mut_slice));
            strip.levenshtein(texts, edges, |lane, word, rises, falls| {
                let used = strip.used(word);
                distances[lane] += (rises & used).count_ones() as usize;
                distances[lane] -= (falls & used).count_ones() as usize;
            });
        }
        distances
    }

    /// The distances of every prefix of the sequence, the empty one first, to the whole text.
    pub(super) fn prefix_distances(&self, text: &[u32]) -> Vec<usize> {
        let mut distances = Vec::with_capacity(self.len() + 1);
        let mut distance = text.len();
        distances.push(distance);
        let mut carried = vec![0u8; text.len()];
        for strip in &self.strips {
            strip.levenshtein([text], Some([&mut carried]), |_, word, rises, falls| {
                for bit in 0..strip.used(word).count_ones() {
                    distance += (rises >> bit & 1) as usize;
                    distance -= (falls >> bit & 1) as usize;
                    distances.push(distance);
                }
            });
        }
        distances
    }

    /// The distance if it is at most `bound`, giving up as soon as it cannot be.
    ///
    /// Only diagonals of the matrix that a script of that cost can reach are computed: they are
    /// `bound + 1` at most, so that up to a bound of 63 one word holds a column.
    pub fn within(&self, text: &[u32], bound: usize) -> Option<usize> {
        let (longer, gap) = (self.len().max(text.len()), self.len().abs_diff(text.len()));
        if gap > bound {
            return None;
        }
        match bound {
            0 => (self.symbols == text).then_some(0),
            _ if bound >= longer => Some(self.distance(text)),
            1..64 => self.within_word(text, bound),
            _ => self.within_strips(text, bound),
        }
    }

    /// Bounded search along diagonals, the word moving down one row a column.
    ///
    /// Rows above the pattern start at zero and match nothing, so they hold the column's number as
    /// the true first row does; rows below it match nothing and cannot reach back. The diagonal
    /// that ends in the last cell never decreases: once beyond the bound the search is over.
    fn within_word(&self, text: &[u32], bound: usize) -> Option<usize> {
        let (rows, columns) = (self.len(), text.len());
        // How far below the main diagonal a script may lead; the last cell's diagonal lies `above`
        // the lowest.
        let below = (bound + rows - columns) / 2;
        let above = (bound + columns - rows) / 2;
        let followed = 63 - above;
        let mut rises = !0u64 << (63 - below);
        let mut falls = 0u64;
        let mut distance = rows.saturating_sub(columns);
        for (place, &symbol) in text.iter().enumerate() {
            let matches = self.window(symbol, place + below);
            let diagonal = ((matches & rises).wrapping_add(rises) ^ rises) | matches | falls;
            let rising = falls | !(diagonal | rises);
            let falling = diagonal & rises;
            distance += (!diagonal >> followed & 1) as usize;
            if distance > bound {
                return None;
            }
            rises = falling | !(diagonal >> 1 | rising);
            falls = diagonal >> 1 & rising;
        }
        Some(distance)
    }

    /// The positions of a symbol among the 64 that end with `last`.
    fn window(&self, symbol: u32, last: usize) -> u64 {
        let (high, kept) = (last / 64, last % 64 + 1);
        let (strip, word) = (high / STRIP_WORDS, high % STRIP_WORDS);
        let [before, here] = match self.strips.get(strip) {
            Some(strip) => strip.two_words(symbol, word),
            None => [0; 2],
        };
        let before = match (
            word,
            strip
                .checked_sub(1)
                .and_then(|above| self.strips.get(above)),
        ) {
            (0, Some(above)) => above.two_words(symbol, STRIP_WORDS)[0],
            _ => before,
        };
        match kept {
            64 => here,
            _ => here << (64 - kept) | before >> kept,
        }
    }

    /// Bounded search strip by strip: each meets only the columns that its rows can reach. Beyond
    /// them the row above is taken to rise by one a column and the column before to rise by one a
    /// row: costs that some script has, so nothing is underestimated, and a script within the bound
    /// never leaves the band.
    fn within_strips(&self, text: &[u32], bound: usize) -> Option<usize> {
        let (rows, columns) = (self.len(), text.len());
        let below = (bound + rows - columns) / 2;
        let above = (bound + columns - rows) / 2;
        let mut edges = vec![0u8; columns];
        let rise = |edge: u8| 1 - i64::from(edge >> 1) - i64::from(edge & 1);
        let (mut start, mut corner, mut top) = (0, 0i64, 0);
        let mut distance = 0i64;
        for strip in &self.strips {
            let bottom = top + strip.length();
            let begin = top.saturating_sub(below).min(columns);
            let end = (bottom + above).min(columns);
            // The corner moves along the row above the strip, whose steps are still in `edges`.
            corner += edges[start..begin]
                .iter()
                .map(|&edge| rise(edge))
                .sum::<i64>();
            start = begin;
            distance = corner;
            if bottom == rows {
                distance += edges[begin..].iter().map(|&edge| rise(edge)).sum::<i64>();
            }
            strip.levenshtein(
                [&text[begin..end]],
                Some([&mut edges[begin..end]]),
                |_, word, rises, falls| {
                    let used = strip.used(word);
                    distance += i64::from((rises & used).count_ones());
                    distance -= i64::from((falls & used).count_ones());
                },
            );
            corner += strip.length() as i64;
            top = bottom;
            if bottom < rows && !self.reachable(&edges, begin..end, corner, bottom, bound) {
                return None;
            }
        }
        usize::try_from(distance)
            .ok()
            .filter(|&distance| distance <= bound)
    }

    /// Whether some cell of a row may still lead to the last cell within the bound; `cost` is that
    /// of the cell before `columns`.
    fn reachable(
        &self,
        edges: &[u8],
        columns: std::ops::Range<usize>,
        mut cost: i64,
        row: usize,
        bound: usize,
    ) -> bool {
        let left = |column: usize| (self.len() - row).abs_diff(edges.len() - column) as i64;
        let bound = bound as i64;
        let first = columns.start;
        cost + left(first) <= bound
            || columns.into_iter().any(|column| {
                cost += 1 - i64::from(edges[column] >> 1) - i64::from(edges[column] & 1);
                cost + left(column + 1) <= bound
            })
    }

    /// The length of the longest common subsequence.
    pub fn common_subsequence(&self, text: &[u32]) -> usize {
        let mut carried = match self.strips.len() {
            0 | 1 => None,
            _ => Some(vec![0u8; text.len()]),
        };
        let add = |strip: &Strip| strip.common_subsequence(text, carried.as_deref_mut());
        self.strips.iter().map(add).sum()
    }
}
