//! Edit distances with other costs than one: by rows of the matrix where no faster way is known.
//!
//! The insertions exceed the deletions by the difference of the lengths, whatever the script. So
//! the sum of the costs of an insertion and a deletion matters, not their shares, and two cases are
//! a matter of bits: a substitution that costs half that sum (Levenshtein) and one that costs at
//! least that sum (never used: the longest common subsequence is kept).

use super::{Costs, Pattern};

/// Slack given to bounds derived by other sums than the distance itself, so that rounding never
/// hides a pair.
const SLACK: f64 = 1e-9;

/// A sequence prepared for weighted comparison with many.
///
/// ```
/// # use kinwood_similarity::algorithms::edit::{Costs, Query};
/// let costs = Costs { insert: 1.0, delete: 2.0, substitute: 1.5 };
/// let query = Query::new(costs, &[7, 8, 9]);
/// assert_eq!(query.distance(&[7, 9]), 2.0);
/// assert_eq!(query.within(&[7, 9], 1.0), None);
/// ```
///
/// Laws: a metric if insertion and deletion cost the same, more than nothing, and a substitution
/// costs something. Reference: R. A. Wagner and M. J. Fischer, The string-to-string correction
/// problem, JACM 21(1), 1974.
#[derive(Clone, Debug)]
pub struct Query {
    costs: Costs,
    method: Method,
    pattern: Pattern,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Method {
    Levenshtein,
    CommonSubsequence,
    Rows,
}

impl Query {
    /// Prepares a sequence for the costs.
    pub fn new(costs: Costs, symbols: &[u32]) -> Self {
        let both = costs.insert + costs.delete;
        let method = if 2.0 * costs.substitute == both {
            Method::Levenshtein
        } else if costs.substitute >= both {
            Method::CommonSubsequence
        } else {
            Method::Rows
        };
        Self {
            costs,
            method,
            pattern: Pattern::new(symbols),
        }
    }

    /// The sequence.
    pub fn symbols(&self) -> &[u32] {
        self.pattern.symbols()
    }

    /// The least cost of a script from the sequence to the text.
    pub fn distance(&self, text: &[u32]) -> f64 {
        match self.method {
            Method::Levenshtein => self.cost_of(self.pattern.distance(text), text.len()),
            Method::CommonSubsequence => {
                let common = self.pattern.common_subsequence(text);
                let (deleted, inserted) = (self.pattern.len() - common, text.len() - common);
                deleted as f64 * self.costs.delete + inserted as f64 * self.costs.insert
            }
            Method::Rows => {
                let (query, text) = self.without_shared_ends(text);
                let costs = self.costs;
                distance_with(
                    query.len(),
                    text.len(),
                    costs.insert,
                    costs.delete,
                    |i, j| substitution(costs, query[i] == text[j]),
                )
            }
        }
    }

    /// The distances to several texts, in their order, as many as there is room for.
    pub fn distances<'a>(&self, texts: impl IntoIterator<Item = &'a [u32]>, out: &mut [f64]) {
        if self.method != Method::Levenshtein {
            let pairs = texts.into_iter().zip(out);
            return pairs.for_each(|(text, out)| *out = self.distance(text));
        }
        let mut texts = texts.into_iter();
        let mut edits = [0; BATCH];
        for out in out.chunks_mut(BATCH) {
            let batch: Vec<&[u32]> = texts.by_ref().take(out.len()).collect();
            self.pattern
                .distances(batch.iter().copied(), &mut edits[..batch.len()]);
            for ((text, edits), out) in batch.iter().zip(edits).zip(out) {
                *out = self.cost_of(edits, text.len());
            }
        }
    }

    /// The sequence as a pattern, where its distances follow from numbers of unit edits:
    /// [`Self::cost_of`] has them.
    pub(crate) fn by_unit_edits(&self) -> Option<&Pattern> {
        (self.method == Method::Levenshtein).then_some(&self.pattern)
    }

    /// The distance if it is at most `bound`, giving up as soon as it cannot be.
    pub fn within(&self, text: &[u32], bound: f64) -> Option<f64> {
        let distance = match self.method {
            // Free substitutions leave nothing to bound but the lengths.
            Method::Levenshtein if self.costs.substitute > 0.0 => {
                let gap = self.cost_of(self.pattern.len().abs_diff(text.len()), text.len());
                if gap > bound + SLACK * gap {
                    return None;
                }
                // Edits beyond the gap, one more than the division says: it may have been rounded
                // down.
                let spare = ((bound - gap) / self.costs.substitute).max(0.0) as usize;
                let edits = spare.saturating_add(1 + self.pattern.len().abs_diff(text.len()));
                self.cost_of(self.pattern.within(text, edits)?, text.len())
            }
            Method::Levenshtein | Method::CommonSubsequence => self.distance(text),
            Method::Rows => {
                // The same symbols as for the distance, so that the same sums are rounded alike.
                let ((query, text), costs) = (self.without_shared_ends(text), self.costs);
                let (rows, columns) = (query.len(), text.len());
                within_with(rows, columns, costs.insert, costs.delete, bound, |i, j| {
                    substitution(costs, query[i] == text[j])
                })?
            }
        };
        (distance <= bound).then_some(distance)
    }

    /// The sequence and the text but for what they share at their starts and ends.
    fn without_shared_ends<'a>(&'a self, text: &'a [u32]) -> (&'a [u32], &'a [u32]) {
        let query = self.symbols();
        let (start, end) = super::shared_ends(query, text);
        let inner = start..query.len() - end;
        (&query[inner], &text[start..text.len() - end])
    }

    /// The cost of a number of unit edits: those that bridge the lengths cost what they are, the
    /// others half the sum of an insertion and a deletion.
    pub(crate) fn cost_of(&self, edits: usize, length: usize) -> f64 {
        let (gap, cost) = match length.checked_sub(self.pattern.len()) {
            Some(inserted) => (inserted, self.costs.insert),
            None => (self.pattern.len() - length, self.costs.delete),
        };
        (edits - gap) as f64 * self.costs.substitute + gap as f64 * cost
    }
}

/// Texts whose distances are computed at a time.
const BATCH: usize = 64;

fn substitution(costs: Costs, same: bool) -> f64 {
    match same {
        true => 0.0,
        false => costs.substitute,
    }
}

/// The lesser of two numbers, as one instruction.
#[inline(always)]
fn least(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}

/// The edit distance of sequences of `rows` and `columns` items, `substitute(i, j)` being the cost
/// of turning item `i` of the first into item `j` of the second.
///
/// Cost: `rows * columns` item distances, memory one row.
pub fn distance_with(
    rows: usize,
    columns: usize,
    insert: f64,
    delete: f64,
    substitute: impl Fn(usize, usize) -> f64,
) -> f64 {
    let last = last_row(rows, columns, insert, delete, substitute);
    last.last().copied().unwrap_or(0.0)
}

/// The costs of turning the whole first sequence into each prefix of the second, the empty one
/// first.
pub(super) fn last_row(
    rows: usize,
    columns: usize,
    insert: f64,
    delete: f64,
    substitute: impl Fn(usize, usize) -> f64,
) -> Vec<f64> {
    let mut row: Vec<f64> = (0..=columns).map(|j| j as f64 * insert).collect();
    let mut done = 0;
    // Four rows at a time, each cell a few steps behind the one above it: the chains of additions
    // along the rows overlap, where one row alone would wait for itself.
    while done + 4 <= rows {
        advance::<4>(&mut row, done, insert, delete, &substitute);
        done += 4;
    }
    while done < rows {
        advance::<1>(&mut row, done, insert, delete, &substitute);
        done += 1;
    }
    row
}

fn advance<const R: usize>(
    row: &mut [f64],
    done: usize,
    insert: f64,
    delete: f64,
    substitute: &impl Fn(usize, usize) -> f64,
) {
    let mut left: [f64; R] = std::array::from_fn(|r| (done + r + 1) as f64 * delete);
    let mut corner = row[0];
    row[0] = left[R - 1];
    for (j, cell) in row[1..].iter_mut().enumerate() {
        let (mut above, mut before) = (*cell, corner);
        corner = above;
        for (r, left) in left.iter_mut().enumerate() {
            let changed = least(before + substitute(done + r, j), above + delete);
            above = least(changed, *left + insert);
            before = std::mem::replace(left, above);
        }
        *cell = above;
    }
}

/// The edit distance by item distances if it is at most `bound`, giving up as soon as it cannot be.
pub fn within_with(
    rows: usize,
    columns: usize,
    insert: f64,
    delete: f64,
    bound: f64,
    substitute: impl Fn(usize, usize) -> f64,
) -> Option<f64> {
    let limit = bound + SLACK * bound.abs();
    let (below, above) = band(rows, columns, insert, delete, limit)?;
    let mut row: Vec<f64> = (0..=columns).map(|j| j as f64 * insert).collect();
    row.iter_mut()
        .skip(above.saturating_add(1))
        .for_each(|cell| *cell = f64::INFINITY);
    for i in 0..rows {
        let first = (i + 1).saturating_sub(below);
        let last = (i + 1).saturating_add(above).min(columns);
        let mut least_here = f64::INFINITY;
        let (mut left, mut corner) = (f64::INFINITY, f64::INFINITY);
        if first == 0 {
            corner = row[0];
            left = (i + 1) as f64 * delete;
            row[0] = left;
            least_here = left;
        } else if let Some(cell) = row.get_mut(first - 1) {
            corner = std::mem::replace(cell, f64::INFINITY);
        }
        let first = first.max(1);
        let cells = row.get_mut(first..=last).unwrap_or_default();
        for (j, cell) in (first - 1..).zip(cells) {
            let changed = least(corner + substitute(i, j), *cell + delete);
            left = least(changed, left + insert);
            corner = std::mem::replace(cell, left);
            least_here = least(left, least_here);
        }
        if least_here > limit {
            return None;
        }
    }
    row.last().copied().filter(|&distance| distance <= bound)
}

/// How many diagonals below and above the main one a script within the limit can reach; none if the
/// difference of the lengths alone costs more.
fn band(
    rows: usize,
    columns: usize,
    insert: f64,
    delete: f64,
    limit: f64,
) -> Option<(usize, usize)> {
    let (surplus, missing) = (rows.saturating_sub(columns), columns.saturating_sub(rows));
    let gap = surplus as f64 * delete + missing as f64 * insert;
    if gap > limit {
        return None;
    }
    // A detour of one diagonal costs a deletion and an insertion; free ones, or a limit without
    // end, reach all.
    let detours = ((limit - gap) / (insert + delete)).max(0.0);
    let detours = if detours.is_nan() {
        usize::MAX
    } else {
        detours as usize
    };
    let reach = |needed: usize| needed.saturating_add(detours).saturating_add(1);
    Some((reach(surplus), reach(missing)))
}
