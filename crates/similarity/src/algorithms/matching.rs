//! The matching distance: pair members of two sets as cheaply as possible, at a fixed price for
//! those left over.
//!
//! Least over the partial matchings, sum of matched distances + `most / 2` for each unmatched
//! member of either side. It is an assignment problem on the rectangle of the distances itself,
//! each cut to at most `most`:
//!
//! - A partial matching with k pairs of p and q members leaves p + q - 2k unmatched. Pair those of
//!   the shorter side arbitrarily with unmatched ones of the longer side: that adds min(p, q) - k
//!   pairs, each at a cut distance of at most `most`, and the |p - q| members now left over cost
//!   `most / 2` each. Two unmatched members cost `most` before and at most that now, so the full
//!   assignment, with |p - q| times `most / 2`, costs no more than the partial matching.
//! - Given a full assignment, unmatch the pairs whose distance is at least `most`: each was counted
//!   as `most`, its two members now cost `most / 2` each, so the partial matching costs the same.
//!
//! Hence both optima are equal, and pairs at a distance of at least `most` count as unmatched.
//!
//! Reference: J. Ramon and M. Bruynooghe, *A polynomial time computable metric between point sets*,
//! Acta Informatica 37, 765-780, 2001.

use super::assignment::Solver;
use super::sum::Sum;

/// Computes matching distances, one after another in the same memory.
///
/// ```
/// use kinwood_similarity::algorithms::matching::Matcher;
/// let mut matcher = Matcher::default();
/// // |a - b| for {1, 2, 3} and {1, 4}, and 3 as the most a pair may cost.
/// let best = matcher.solve(&[0.0, 3.0, 1.0, 2.0, 2.0, 1.0], 3, 2, 3.0);
/// assert_eq!(best.total, 2.5);
/// assert_eq!(best.pairs, [(0, 0), (2, 1)]);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Matcher {
    cut: Vec<f64>,
    least: Vec<f64>,
    pairs: Vec<(u32, u32)>,
    solver: Solver,
}

/// A cheapest partial matching.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Matching<'a> {
    /// The distances of the pairs, and half the most for each member left over.
    pub total: f64,
    /// The matched members, by row.
    pub pairs: &'a [(u32, u32)],
}

impl Matcher {
    /// The matching distance of two sets and the pairs that give it.
    ///
    /// `distances` holds `rows` times `columns` finite numbers of at least 0, row by row; `most` is
    /// finite and at least 0. An empty side leaves the other unmatched.
    pub fn solve(
        &mut self,
        distances: &[f64],
        rows: usize,
        columns: usize,
        most: f64,
    ) -> Matching<'_> {
        self.cut(distances, most);
        self.match_cut(rows, columns, most)
    }

    /// The matching distance, if it is at most `bound`; often told without matching anything.
    pub fn within(
        &mut self,
        distances: &[f64],
        rows: usize,
        columns: usize,
        most: f64,
        bound: f64,
    ) -> Option<Matching<'_>> {
        // Rounding may lift a bound from below over the value it bounds.
        let exceeds = |lower: f64| lower * (1.0 - 1e-12) > bound;
        let left_over = rows.abs_diff(columns) as f64 * (most / 2.0);
        if exceeds(left_over) {
            return None;
        }
        self.cut(distances, most);
        // Every member of a side that is not the longer one is paired, at its least cut distance or
        // more.
        if rows <= columns && exceeds(left_over + self.row_minima(columns)) {
            return None;
        }
        if columns <= rows && exceeds(left_over + self.column_minima(columns)) {
            return None;
        }
        let matching = self.match_cut(rows, columns, most);
        (matching.total <= bound).then_some(matching)
    }

    fn cut(&mut self, distances: &[f64], most: f64) {
        self.cut.clear();
        self.cut.extend(
            distances
                .iter()
                .map(|&distance| if distance < most { distance } else { most }),
        );
    }

    fn row_minima(&self, columns: usize) -> f64 {
        let mut sum = Sum::default();
        if columns > 0 {
            let rows = self.cut.chunks_exact(columns);
            sum.extend(rows.map(|row| row.iter().fold(f64::INFINITY, |a, &b| a.min(b))));
        }
        sum.value()
    }

    fn column_minima(&mut self, columns: usize) -> f64 {
        let mut sum = Sum::default();
        if columns > 0 && !self.cut.is_empty() {
            self.least.clear();
            self.least.extend_from_slice(&self.cut[..columns]);
            for row in self.cut.chunks_exact(columns).skip(1) {
                for (least, &distance) in self.least.iter_mut().zip(row) {
                    *least = least.min(distance);
                }
            }
            sum.extend(self.least.iter().copied());
        }
        sum.value()
    }

    fn match_cut(&mut self, rows: usize, columns: usize, most: f64) -> Matching<'_> {
        let solution = self.solver.solve_unpriced(&self.cut, rows, columns);
        self.pairs.clear();
        let cut = &self.cut;
        let cost = |&(row, column): &(u32, u32)| cut[row as usize * columns + column as usize];
        self.pairs
            .extend(solution.pairs.iter().filter(|pair| cost(pair) < most));
        // The unmatched are counted first: summed like this, the total does not depend on which
        // side is which.
        let unmatched = rows + columns - 2 * self.pairs.len();
        let mut total = Sum::default();
        total.add(unmatched as f64 * (most / 2.0));
        total.extend(self.pairs.iter().map(cost));
        Matching {
            total: total.value(),
            pairs: &self.pairs,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The least over all partial matchings, by trying each.
    fn by_trial(distances: &[f64], rows: usize, columns: usize, most: f64) -> f64 {
        fn extend(
            distances: &[f64],
            columns: usize,
            most: f64,
            row: usize,
            rows: usize,
            used: &mut [bool],
        ) -> f64 {
            if row == rows {
                return used.iter().filter(|used| !**used).count() as f64 * most / 2.0;
            }
            let mut least = most / 2.0 + extend(distances, columns, most, row + 1, rows, used);
            for column in 0..columns {
                if !used[column] {
                    used[column] = true;
                    let rest = extend(distances, columns, most, row + 1, rows, used);
                    least = least.min(distances[row * columns + column] + rest);
                    used[column] = false;
                }
            }
            least
        }
        extend(distances, columns, most, 0, rows, &mut vec![false; columns])
    }

    fn turned(distances: &[f64], rows: usize, columns: usize) -> Vec<f64> {
        (0..columns)
            .flat_map(|column| (0..rows).map(move |row| distances[row * columns + column]))
            .collect()
    }

    fn problem() -> impl Strategy<Value = (Vec<f64>, usize, usize, f64)> {
        (0..=5usize, 0..=5usize, 0..12u8).prop_flat_map(|(rows, columns, most)| {
            let distance = (0..10u8).prop_map(f64::from);
            (
                prop::collection::vec(distance, rows * columns),
                Just(rows),
                Just(columns),
                Just(f64::from(most)),
            )
        })
    }

    #[test]
    fn an_empty_side_leaves_the_other_unmatched() {
        let mut matcher = Matcher::default();
        assert_eq!(matcher.solve(&[], 0, 3, 2.0).total, 3.0);
        assert_eq!(matcher.solve(&[], 3, 0, 2.0).total, 3.0);
        assert_eq!(matcher.solve(&[], 0, 0, 2.0).total, 0.0);
        assert!(matcher.within(&[], 0, 3, 2.0, 2.5).is_none());
    }

    #[test]
    fn members_as_far_as_the_most_stay_unmatched() {
        let mut matcher = Matcher::default();
        let best = matcher.solve(&[3.0], 1, 1, 3.0);
        assert_eq!((best.total, best.pairs.len()), (3.0, 0));
        let best = matcher.solve(&[0.0], 1, 1, 0.0);
        assert_eq!((best.total, best.pairs.len()), (0.0, 0));
    }

    kinwood_testing::soak! { 256;
        fn soak_is_the_least_over_partial_matchings((distances, rows, columns, most) in problem()) {
            let mut matcher = Matcher::default();
            let best = matcher.solve(&distances, rows, columns, most);
            prop_assert_eq!(best.total, by_trial(&distances, rows, columns, most));
            let told: f64 = best.pairs.iter().map(|&(r, c)| distances[r as usize * columns + c as usize]).sum();
            let unmatched = rows + columns - 2 * best.pairs.len();
            prop_assert_eq!(best.total, told + unmatched as f64 * most / 2.0);
            let total = best.total;
            prop_assert_eq!(total, matcher.solve(&turned(&distances, rows, columns), columns, rows, most).total);
        }

        fn soak_within_agrees_at_every_bound((distances, rows, columns, most) in problem(), bound in 0.0..30.0f64) {
            let mut matcher = Matcher::default();
            let total = matcher.solve(&distances, rows, columns, most).total;
            for bound in [bound, bound.floor(), total, total - 0.25] {
                let found = matcher.within(&distances, rows, columns, most, bound).map(|best| best.total);
                prop_assert_eq!(found, (total <= bound).then_some(total));
            }
        }
    }
}
