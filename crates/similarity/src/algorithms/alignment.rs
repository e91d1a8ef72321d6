//! Local alignment: the best matching segments of two sequences.

use std::ops::Range;

use super::edit::{Edit, script_with};

/// What a pair of equal symbols, a pair of others and a symbol without partner score, linear in the
/// length of a gap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scores {
    /// Of two equal symbols.
    pub matched: f64,
    /// Of two different symbols.
    pub mismatched: f64,
    /// Of a symbol aligned with none.
    pub gap: f64,
}

impl Default for Scores {
    /// 2 for a match, -1 for a mismatch or a gap.
    fn default() -> Self {
        Self {
            matched: 2.0,
            mismatched: -1.0,
            gap: -1.0,
        }
    }
}

/// The segments that align best, and how.
#[derive(Clone, Debug, PartialEq)]
pub struct Alignment {
    /// The score.
    pub score: f64,
    /// The segment of the first sequence.
    pub left: Range<usize>,
    /// The segment of the second sequence.
    pub right: Range<usize>,
    /// How the first segment becomes the second, in places of the whole sequences.
    pub edits: Vec<Edit>,
}

/// Rows taken together: their chains of sums overlap.
const TOGETHER: usize = 4;

/// The greater of two numbers, as one instruction.
#[inline(always)]
fn greatest(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

impl Scores {
    #[inline(always)]
    fn pair(&self, a: u32, b: u32) -> f64 {
        if a == b {
            self.matched
        } else {
            self.mismatched
        }
    }

    /// Smith-Waterman score: that of the best alignment of a segment of `a` with a segment of `b`;
    /// zero if none is better than aligning nothing.
    ///
    /// ```
    /// # use kinwood_similarity::algorithms::alignment::Scores;
    /// assert_eq!(Scores::default().score(&[9, 1, 2, 3], &[1, 2, 2, 3, 7]), 5.0);
    /// ```
    ///
    /// Cost: `|a| * |b|`, memory linear. Reference: T. F. Smith and M. S. Waterman, Identification
    /// of common molecular subsequences, Journal of Molecular Biology 147, 1981.
    pub fn score(&self, a: &[u32], b: &[u32]) -> f64 {
        let mut row = vec![0.0; b.len()];
        let (groups, rest) = a.as_chunks::<TOGETHER>();
        let best = groups.iter().fold(0.0, |best, rows| {
            greatest(self.advance(&mut row, *rows, b), best)
        });
        rest.iter().fold(best, |best, &symbol| {
            greatest(self.advance(&mut row, [symbol], b), best)
        })
    }

    /// The score of a sequence with itself.
    pub fn self_score(&self, a: &[u32]) -> f64 {
        // Without gain from gaps or mismatches nothing beats the whole diagonal.
        match self.matched >= self.mismatched && self.matched >= 0.0 && self.gap <= 0.0 {
            true => a.len() as f64 * self.matched,
            false => self.score(a, a),
        }
    }

    fn advance<const R: usize>(&self, row: &mut [f64], rows: [u32; R], b: &[u32]) -> f64 {
        let (mut left, mut best) = ([0.0; R], [0.0; R]);
        let mut corner = 0.0;
        for (cell, &symbol) in row.iter_mut().zip(b) {
            let mut above = *cell;
            let mut diagonal = std::mem::replace(&mut corner, above);
            for r in 0..R {
                let paired = greatest(diagonal + self.pair(rows[r], symbol), 0.0);
                let alone = greatest(above, left[r]) + self.gap;
                above = greatest(paired, alone);
                diagonal = std::mem::replace(&mut left[r], above);
                best[r] = greatest(above, best[r]);
            }
            *cell = above;
        }
        best.into_iter().fold(0.0, greatest)
    }

    /// The best alignment itself; among equals the one that ends first in `a`, then in `b`, and of
    /// these the shortest.
    ///
    /// The end is found by the rows of the score, the start by rows that run back from the end, and
    /// the way between as an edit script; so memory stays linear.
    pub fn align(&self, a: &[u32], b: &[u32]) -> Alignment {
        let mut row = vec![0.0; b.len()];
        let (mut score, mut end) = (0.0, (0, 0));
        for (i, &symbol) in a.iter().enumerate() {
            if self.advance(&mut row, [symbol], b) > score {
                for (j, &cell) in row.iter().enumerate() {
                    if cell > score {
                        (score, end) = (cell, (i + 1, j + 1));
                    }
                }
            }
        }
        let start = self.start(&a[..end.0], &b[..end.1]);
        let (left, right) = (start.0..end.0, start.1..end.1);
        let (segment, other) = (&a[left.clone()], &b[right.clone()]);
        // Every symbol is worth half a match in advance; a script pays back what its pair or its
        // gap falls short.
        let top = greatest(self.matched, self.mismatched);
        let gap = top / 2.0 - self.gap;
        let mut edits = script_with(segment.len(), other.len(), gap, gap, |i, j| {
            top - self.pair(segment[i], other[j])
        });
        for edit in &mut edits {
            edit.left += left.start;
            edit.right += right.start;
        }
        Alignment {
            score,
            left,
            right,
            edits,
        }
    }

    /// Where the best alignment that ends with both sequences begins.
    fn start(&self, a: &[u32], b: &[u32]) -> (usize, usize) {
        let mut row: Vec<f64> = (0..=b.len()).map(|j| j as f64 * self.gap).collect();
        let (mut best, mut start) = (0.0, (a.len(), b.len()));
        for (i, &symbol) in a.iter().enumerate().rev() {
            let mut diagonal = row[0];
            row[0] = (a.len() - i) as f64 * self.gap;
            for (j, &other) in b.iter().enumerate().rev() {
                let place = b.len() - j;
                let alone = greatest(row[place], row[place - 1]) + self.gap;
                let paired = diagonal + self.pair(symbol, other);
                diagonal = std::mem::replace(&mut row[place], greatest(paired, alone));
                if row[place] > best {
                    (best, start) = (row[place], (i, j));
                }
            }
        }
        start
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;
    use crate::algorithms::edit::Step;

    fn naive(scores: Scores, a: &[u32], b: &[u32]) -> f64 {
        let mut table = vec![vec![0.0f64; b.len() + 1]; a.len() + 1];
        let mut best = 0.0f64;
        for i in 1..=a.len() {
            for j in 1..=b.len() {
                table[i][j] = (table[i - 1][j - 1] + scores.pair(a[i - 1], b[j - 1]))
                    .max(table[i - 1][j] + scores.gap)
                    .max(table[i][j - 1] + scores.gap)
                    .max(0.0);
                best = best.max(table[i][j]);
            }
        }
        best
    }

    #[test]
    fn edges() {
        let scores = Scores::default();
        assert_eq!(scores.score(&[], &[1]), 0.0);
        assert_eq!(scores.score(&[2], &[1]), 0.0);
        assert_eq!(scores.self_score(&[1, 1, 2]), 6.0);
        assert_eq!(scores.score(&[1; 3000], &[1; 2000]), 4000.0);
        let nothing = scores.align(&[1, 2], &[3]);
        assert_eq!(
            (nothing.score, nothing.left, nothing.right),
            (0.0, 0..0, 0..0)
        );
        assert!(nothing.edits.is_empty());
    }

    #[test]
    fn segments_are_found() {
        let found = Scores::default().align(&[8, 8, 1, 2, 3, 4, 8], &[9, 1, 2, 4, 9]);
        assert_eq!((found.score, found.left, found.right), (5.0, 2..6, 1..4));
        let steps: Vec<Step> = found.edits.iter().map(|edit| edit.step).collect();
        assert_eq!(steps, [Step::Keep, Step::Keep, Step::Delete, Step::Keep]);
        assert_eq!((found.edits[0].left, found.edits[0].right), (2, 1));
    }

    fn some_scores() -> impl Strategy<Value = Scores> {
        (1..8u8, -8..1i8, -8..1i8).prop_map(|(matched, mismatched, gap)| Scores {
            matched: f64::from(matched) / 2.0,
            mismatched: f64::from(mismatched) / 2.0,
            gap: f64::from(gap) / 2.0,
        })
    }

    kinwood_testing::soak! { 256;
        fn soak_agrees_with_the_matrix(a in vec(0..4u32, 0..30), b in vec(0..4u32, 0..30), scores in some_scores()) {
            let expected = naive(scores, &a, &b);
            prop_assert_eq!(scores.score(&a, &b), expected);
            prop_assert_eq!(scores.self_score(&a), naive(scores, &a, &a));
            let found = scores.align(&a, &b);
            prop_assert_eq!(found.score, expected);
            let (mut i, mut j, mut score) = (found.left.start, found.right.start, 0.0);
            for edit in &found.edits {
                prop_assert_eq!((edit.left, edit.right), (i, j));
                match edit.step {
                    Step::Insert | Step::Delete => score += scores.gap,
                    _ => score += scores.pair(a[i], b[j]),
                }
                i += usize::from(edit.step != Step::Insert);
                j += usize::from(edit.step != Step::Delete);
            }
            prop_assert_eq!((i, j), (found.left.end, found.right.end));
            prop_assert_eq!(score, expected);
        }
    }
}
