//! Relations between two sets that leave no member out, at the least total distance: linkings,
//! surjections, fair surjections, and the sum of minima. All are exact.
//!
//! Each but the last is an assignment problem once every member's nearest is known (proofs beside
//! the methods). Both sets have members: what an empty set means is for the measure to say.
//!
//! Reference: T. Eiter and H. Mannila, *Distance measures for point sets and their computation*,
//! Acta Informatica 34, 109-133, 1997.

use super::assignment::Solver;
use super::sum::Sum;

/// Computes cheapest relations, one after another in the same memory.
///
/// Its methods take `rows` times `columns` finite distances of at least 0, row by row, neither
/// number 0.
///
/// ```
/// use kinwood_similarity::algorithms::cover::Cover;
/// let mut cover = Cover::default();
/// // |a - b| for {0, 1, 9} and {0, 8}.
/// let distances = [0.0, 8.0, 1.0, 7.0, 9.0, 1.0];
/// assert_eq!(cover.link(&distances, 3, 2).total, 2.0);
/// assert_eq!(cover.link(&distances, 3, 2).pairs, [(0, 0), (1, 0), (2, 1)]);
/// assert_eq!(cover.sum_of_minima(&distances, 3, 2).total, 1.5);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Cover {
    near_row: Vec<Nearest>,
    near_column: Vec<Nearest>,
    work: Vec<f64>,
    taken: Vec<bool>,
    solver: Solver,
    pairs: Vec<(u32, u32)>,
}

/// A cheapest relation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Relation<'a> {
    /// What it costs.
    pub total: f64,
    /// The related members, by row and column.
    pub pairs: &'a [(u32, u32)],
}

/// The nearest member of the other side; the first of several.
#[derive(Clone, Copy, Debug)]
struct Nearest {
    distance: f64,
    at: u32,
}

impl Cover {
    /// The least total over relations in which every member of both sets occurs: a cheapest edge
    /// cover.
    ///
    /// A cover with no pair to spare consists of stars: pairs of which one end occurs nowhere else.
    /// In each star keep one pair; every other pair is there for its outer end only and may as well
    /// be that member's nearest. So a cheapest cover is a matching plus the nearest of each member
    /// left over: `sum of all nearest + sum over matched pairs of (distance - nearest of either
    /// end)`, the second sum least over partial matchings. It gains only by pairs where the term is
    /// negative, hence the assignment of `min(0, term)`.
    pub fn link(&mut self, distances: &[f64], rows: usize, columns: usize) -> Relation<'_> {
        self.find_nearest(distances, rows, columns);
        self.work.clear();
        for (row, near_row) in distances.chunks_exact(columns).zip(&self.near_row) {
            let terms = row.iter().zip(&self.near_column);
            self.work.extend(terms.map(|(distance, near_column)| {
                (distance - near_row.distance - near_column.distance).min(0.0)
            }));
        }
        let solution = self.solver.solve_unpriced(&self.work, rows, columns);
        let work = &self.work;
        let gains =
            |&&(row, column): &&(u32, u32)| work[row as usize * columns + column as usize] < 0.0;
        self.pairs.clear();
        self.pairs.extend(solution.pairs.iter().filter(gains));
        let matched = self.pairs.len();
        self.taken.clear();
        self.taken.resize(rows + columns, false);
        for &(row, column) in &self.pairs[..matched] {
            self.taken[row as usize] = true;
            self.taken[rows + column as usize] = true;
        }
        for (row, near) in self.near_row.iter().enumerate() {
            if !self.taken[row] {
                self.pairs.push((row as u32, near.at));
            }
        }
        for (column, near) in self.near_column.iter().enumerate() {
            if !self.taken[rows + column] {
                self.pairs.push((near.at, column as u32));
            }
        }
        self.add_up(distances, columns)
    }

    /// The least total over maps of the larger set onto the smaller.
    ///
    /// In such a map choose one member of each preimage; the others may as well go to their
    /// nearest. So the value is `sum of nearest over the larger set + sum over the chosen of
    /// (distance - nearest)`, the second sum least over assignments of the smaller set to distinct
    /// members of the larger. Between sets of equal size it is the least bijection.
    pub fn surjection(&mut self, distances: &[f64], rows: usize, columns: usize) -> Relation<'_> {
        self.find_nearest(distances, rows, columns);
        let onto_columns = rows >= columns;
        self.work.clear();
        for (row, near_row) in distances.chunks_exact(columns).zip(&self.near_row) {
            let entries = row.iter().zip(&self.near_column);
            self.work.extend(entries.map(|(distance, near_column)| {
                let near = if onto_columns { near_row } else { near_column };
                distance - near.distance
            }));
        }
        let solution = self.solver.solve(&self.work, rows, columns);
        self.pairs.clear();
        self.pairs.extend_from_slice(solution.pairs);
        self.taken.clear();
        self.taken.resize(rows.max(columns), false);
        for &(row, column) in solution.pairs {
            self.taken[if onto_columns { row } else { column } as usize] = true;
        }
        let near = if onto_columns {
            &self.near_row
        } else {
            &self.near_column
        };
        for (member, near) in near
            .iter()
            .enumerate()
            .filter(|(member, _)| !self.taken[*member])
        {
            let member = member as u32;
            self.pairs.push(if onto_columns {
                (member, near.at)
            } else {
                (near.at, member)
            });
        }
        self.add_up(distances, columns)
    }

    /// The least total over maps of the larger set onto the smaller whose preimages differ in size
    /// by at most one.
    ///
    /// With `larger = smaller * share + rest`, each member of the smaller set has `share` places to
    /// be filled and one more that may stay empty, and `smaller - rest` of these do. Stand-ins fill
    /// the latter at no cost; a cost above that of every map keeps them out of the others.
    pub fn fair_surjection(
        &mut self,
        distances: &[f64],
        rows: usize,
        columns: usize,
    ) -> Relation<'_> {
        let onto_columns = rows >= columns;
        let (smaller, larger) = (rows.min(columns), rows.max(columns));
        let (share, rest) = (larger / smaller, larger % smaller);
        let filled = smaller * share;
        let places = if rest == 0 { filled } else { filled + smaller };
        let largest = distances.iter().fold(0.0f64, |a, &b| a.max(b));
        // Keeps the prohibitive cost finite.
        let scale = if largest > f64::MAX / 2f64.powi(80) {
            2f64.powi(-80)
        } else {
            1.0
        };
        let prohibitive = (2.0 * larger as f64 * largest * scale).max(1.0);
        self.work.clear();
        for member in 0..larger {
            self.work.extend((0..places).map(|place| {
                let other = place % smaller;
                let at = if onto_columns {
                    member * columns + other
                } else {
                    other * columns + member
                };
                distances[at] * scale
            }));
        }
        for _ in larger..places {
            self.work
                .extend((0..places).map(|place| if place < filled { prohibitive } else { 0.0 }));
        }
        let solution = self.solver.solve(&self.work, places, places);
        self.pairs.clear();
        self.pairs
            .extend(solution.pairs[..larger].iter().map(|&(member, place)| {
                let other = place % smaller as u32;
                if onto_columns {
                    (member, other)
                } else {
                    (other, member)
                }
            }));
        self.add_up(distances, columns)
    }

    /// Half the sum, over both sets, of each member's distance to the other set.
    ///
    /// The pairs are those of each member with its nearest, each once.
    pub fn sum_of_minima(
        &mut self,
        distances: &[f64],
        rows: usize,
        columns: usize,
    ) -> Relation<'_> {
        self.find_nearest(distances, rows, columns);
        let mut total = Sum::default();
        total.extend(
            self.near_row
                .iter()
                .chain(&self.near_column)
                .map(|near| near.distance / 2.0),
        );
        self.pairs.clear();
        let of_rows = self
            .near_row
            .iter()
            .enumerate()
            .map(|(row, near)| (row as u32, near.at));
        self.pairs.extend(of_rows);
        let of_columns = self.near_column.iter().enumerate();
        self.pairs
            .extend(of_columns.map(|(column, near)| (near.at, column as u32)));
        self.pairs.sort_unstable();
        self.pairs.dedup();
        Relation {
            total: total.value(),
            pairs: &self.pairs,
        }
    }

    fn find_nearest(&mut self, distances: &[f64], rows: usize, columns: usize) {
        let none = Nearest {
            distance: f64::INFINITY,
            at: 0,
        };
        self.near_row.clear();
        self.near_row.resize(rows, none);
        self.near_column.clear();
        self.near_column.resize(columns, none);
        let by_row = distances.chunks_exact(columns).zip(&mut self.near_row);
        for (row, (entries, near_row)) in by_row.enumerate() {
            for (column, (&distance, near_column)) in
                entries.iter().zip(&mut self.near_column).enumerate()
            {
                if distance < near_row.distance {
                    *near_row = Nearest {
                        distance,
                        at: column as u32,
                    };
                }
                if distance < near_column.distance {
                    *near_column = Nearest {
                        distance,
                        at: row as u32,
                    };
                }
            }
        }
    }

    fn add_up(&mut self, distances: &[f64], columns: usize) -> Relation<'_> {
        self.pairs.sort_unstable();
        // Two members at distance 0 may each have the other as nearest.
        self.pairs.dedup();
        let mut total = Sum::default();
        total.extend(
            self.pairs
                .iter()
                .map(|&(row, column)| distances[row as usize * columns + column as usize]),
        );
        Relation {
            total: total.value(),
            pairs: &self.pairs,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn cost(distances: &[f64], columns: usize, pairs: &[(u32, u32)]) -> f64 {
        pairs
            .iter()
            .map(|&(row, column)| distances[row as usize * columns + column as usize])
            .sum()
    }

    /// The least cover, trying for each row every set of columns: the cheapest way to cover each
    /// set of columns.
    fn link_by_trial(distances: &[f64], rows: usize, columns: usize) -> f64 {
        let mut cheapest = vec![f64::INFINITY; 1 << columns];
        cheapest[0] = 0.0;
        for row in 0..rows {
            let mut next = vec![f64::INFINITY; 1 << columns];
            for (covered, &so_far) in cheapest.iter().enumerate() {
                for chosen in 1..1usize << columns {
                    let added: f64 = (0..columns)
                        .filter(|column| chosen >> column & 1 == 1)
                        .map(|column| distances[row * columns + column])
                        .sum();
                    let entry = &mut next[covered | chosen];
                    *entry = entry.min(so_far + added);
                }
            }
            cheapest = next;
        }
        cheapest[(1 << columns) - 1]
    }

    /// The least over maps of the larger set into the smaller whose preimage sizes are admissible.
    fn map_by_trial(
        distances: &[f64],
        rows: usize,
        columns: usize,
        admissible: impl Fn(&[usize]) -> bool,
    ) -> f64 {
        let (smaller, larger) = (rows.min(columns), rows.max(columns));
        let mut least = f64::INFINITY;
        for code in 0..smaller.pow(larger as u32) {
            let mut sizes = vec![0; smaller];
            let (mut rest, mut total) = (code, 0.0);
            for member in 0..larger {
                let image = rest % smaller;
                rest /= smaller;
                sizes[image] += 1;
                let (row, column) = if rows >= columns {
                    (member, image)
                } else {
                    (image, member)
                };
                total += distances[row * columns + column];
            }
            if admissible(&sizes) {
                least = least.min(total);
            }
        }
        least
    }

    fn sizes(relation: Relation<'_>, rows: usize, columns: usize) -> Vec<usize> {
        let mut sizes = vec![0; rows.min(columns)];
        for &(row, column) in relation.pairs {
            sizes[if rows >= columns { column } else { row } as usize] += 1;
        }
        sizes
    }

    fn onto(sizes: &[usize]) -> bool {
        sizes.iter().all(|&size| size > 0)
    }

    fn fair(sizes: &[usize]) -> bool {
        onto(sizes) && sizes.iter().max().unwrap() - sizes.iter().min().unwrap() <= 1
    }

    fn turned(distances: &[f64], rows: usize, columns: usize) -> Vec<f64> {
        (0..columns)
            .flat_map(|column| (0..rows).map(move |row| distances[row * columns + column]))
            .collect()
    }

    fn problem() -> impl Strategy<Value = (Vec<f64>, usize, usize)> {
        (1..=5usize, 1..=5usize).prop_flat_map(|(rows, columns)| {
            let distance = (0..9u8).prop_map(f64::from);
            (
                prop::collection::vec(distance, rows * columns),
                Just(rows),
                Just(columns),
            )
        })
    }

    #[test]
    fn one_member_is_related_to_all() {
        let mut cover = Cover::default();
        let distances = [3.0, 1.0, 2.0];
        for (rows, columns) in [(1, 3), (3, 1)] {
            assert_eq!(cover.link(&distances, rows, columns).total, 6.0);
            assert_eq!(cover.surjection(&distances, rows, columns).total, 6.0);
            assert_eq!(cover.fair_surjection(&distances, rows, columns).total, 6.0);
            assert_eq!(cover.sum_of_minima(&distances, rows, columns).total, 3.5);
        }
    }

    #[test]
    fn fairness_costs() {
        // Three members near the first of two, one near neither.
        let distances = [0.0, 9.0, 0.0, 9.0, 0.0, 8.0, 5.0, 6.0];
        let mut cover = Cover::default();
        assert_eq!(cover.surjection(&distances, 4, 2).total, 6.0);
        assert_eq!(cover.fair_surjection(&distances, 4, 2).total, 14.0);
    }

    #[test]
    fn extreme_distances_do_not_overflow() {
        let mut cover = Cover::default();
        let most = f64::MAX;
        let distances = [most, 0.0, 0.0, most, most, 1.0];
        assert_eq!(cover.link(&distances, 3, 2).total, 1.0);
        assert_eq!(cover.surjection(&distances, 3, 2).total, 1.0);
        assert_eq!(cover.fair_surjection(&distances, 3, 2).total, 1.0);
    }

    kinwood_testing::soak! { 256;
        fn soak_link_is_the_least_cover((distances, rows, columns) in problem()) {
            let mut cover = Cover::default();
            let relation = cover.link(&distances, rows, columns);
            prop_assert_eq!(relation.total, link_by_trial(&distances, rows, columns));
            prop_assert_eq!(relation.total, cost(&distances, columns, relation.pairs));
            prop_assert!((0..rows as u32).all(|row| relation.pairs.iter().any(|pair| pair.0 == row)));
            prop_assert!((0..columns as u32).all(|column| relation.pairs.iter().any(|pair| pair.1 == column)));
        }

        fn soak_surjection_is_the_least((distances, rows, columns) in problem()) {
            let mut cover = Cover::default();
            let relation = cover.surjection(&distances, rows, columns);
            prop_assert_eq!(relation.total, map_by_trial(&distances, rows, columns, onto));
            prop_assert_eq!(relation.total, cost(&distances, columns, relation.pairs));
            prop_assert_eq!(relation.pairs.len(), rows.max(columns));
            prop_assert!(onto(&sizes(relation, rows, columns)));
        }

        fn soak_fair_surjection_is_the_least((distances, rows, columns) in problem()) {
            let mut cover = Cover::default();
            let relation = cover.fair_surjection(&distances, rows, columns);
            prop_assert_eq!(relation.total, map_by_trial(&distances, rows, columns, fair));
            prop_assert_eq!(relation.total, cost(&distances, columns, relation.pairs));
            prop_assert_eq!(relation.pairs.len(), rows.max(columns));
            prop_assert!(fair(&sizes(relation, rows, columns)));
        }

        fn soak_sides_may_be_exchanged((distances, rows, columns) in problem()) {
            let mut cover = Cover::default();
            let other = turned(&distances, rows, columns);
            for family in [Cover::link, Cover::surjection, Cover::fair_surjection, Cover::sum_of_minima] {
                let total = family(&mut cover, &distances, rows, columns).total;
                prop_assert_eq!(total, family(&mut cover, &other, columns, rows).total);
            }
        }

        fn soak_the_families_are_ordered((distances, rows, columns) in problem()) {
            let mut cover = Cover::default();
            let minima = cover.sum_of_minima(&distances, rows, columns).total;
            let link = cover.link(&distances, rows, columns).total;
            let surjection = cover.surjection(&distances, rows, columns).total;
            let fair = cover.fair_surjection(&distances, rows, columns).total;
            prop_assert!(minima <= link && link <= surjection && surjection <= fair);
        }
    }
}
