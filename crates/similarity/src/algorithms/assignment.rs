//! Linear assignment: pair the rows of a cost matrix with its columns, each at most once, at the
//! least total.
//!
//! The method is that of Jonker and Volgenant, shortest augmenting paths after three cheap ways to
//! find most of the assignment (column reduction, reduction transfer, augmenting row reduction). It
//! works on any rectangle: every element of the shorter side is assigned. Where the matrix is not
//! square, a column left over must keep the price 0, so column reduction, which gives every column
//! a price, is left out, and the prices that the other steps set are never positive and belong to
//! assigned columns only.
//!
//! Reference: R. Jonker and A. Volgenant, *A shortest augmenting path algorithm for dense and
//! sparse linear assignment problems*, Computing 38, 325-340, 1987.

use super::sum::Sum;

/// Marks a row or column that is not assigned.
const FREE: u32 = u32::MAX;

/// Costs above this are scaled down, lest sums of them along a path overflow.
const HUGE: f64 = f64::MAX / (1u64 << 32) as f64;

/// Solves linear assignment problems, one after another in the same memory.
///
/// ```
/// use kinwood_similarity::algorithms::assignment::Solver;
/// let mut solver = Solver::default();
/// let solution = solver.solve(&[4.0, 1.0, 3.0, 2.0, 0.0, 5.0], 2, 3);
/// assert_eq!(solution.total, 3.0);
/// assert_eq!(solution.pairs, [(0, 1), (1, 0)]);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Solver {
    /// The costs, where they had to be turned on their side or scaled down.
    changed: Vec<f64>,
    search: Search,
    pairs: Vec<(u32, u32)>,
}

/// A least assignment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Solution<'a> {
    /// The sum of the costs of the pairs.
    pub total: f64,
    /// The pairs of row and column, by row.
    pub pairs: &'a [(u32, u32)],
}

impl Solver {
    /// The least total cost over all ways to pair every row with a column of its own, or, if there
    /// are more rows than columns, every column with a row of its own.
    ///
    /// `costs` holds `rows` times `columns` finite numbers, row by row; negative ones are ordinary.
    /// Costs whose sums are exact (whole numbers below 2^53 divided by the number of rows, say)
    /// give the exact optimum; with others the result may fall short of it by the rounding of sums
    /// of the largest costs. The same matrix always gives the same pairs. Cost: cubic at worst,
    /// close to quadratic on random costs.
    pub fn solve(&mut self, costs: &[f64], rows: usize, columns: usize) -> Solution<'_> {
        self.solve_from(costs, rows, columns, rows == columns)
    }

    /// The same without column reduction. Where many costs are equal and largest, prices for every
    /// column only get in the way (measured: 500 rows, most costs the same, 0.8 ms against 14 ms).
    pub(crate) fn solve_unpriced(
        &mut self,
        costs: &[f64],
        rows: usize,
        columns: usize,
    ) -> Solution<'_> {
        self.solve_from(costs, rows, columns, false)
    }

    fn solve_from(
        &mut self,
        costs: &[f64],
        rows: usize,
        columns: usize,
        priced: bool,
    ) -> Solution<'_> {
        self.pairs.clear();
        let turned = rows > columns;
        let largest = costs.iter().fold(0.0f64, |most, cost| most.max(cost.abs()));
        let scale = if largest > HUGE {
            1.0 / (1u64 << 32) as f64
        } else {
            1.0
        };
        let (short, long) = (rows.min(columns), rows.max(columns));
        if short > 0 {
            let matrix = if turned || scale != 1.0 {
                self.changed.clear();
                if turned {
                    for column in 0..columns {
                        let entries = costs[column..].iter().step_by(columns);
                        self.changed.extend(entries.map(|cost| cost * scale));
                    }
                } else {
                    self.changed.extend(costs.iter().map(|cost| cost * scale));
                }
                &self.changed
            } else {
                costs
            };
            self.search.run(matrix, short, long, priced);
        }
        let assigned = if turned {
            &self.search.row_of
        } else {
            &self.search.column_of
        };
        let mut total = Sum::default();
        if short > 0 {
            for (row, &column) in assigned.iter().enumerate() {
                if column != FREE {
                    total.add(costs[row * columns + column as usize]);
                    self.pairs.push((row as u32, column));
                }
            }
        }
        Solution {
            total: total.value(),
            pairs: &self.pairs,
        }
    }
}

/// The search for a least assignment of a matrix with at least as many columns as rows.
///
/// Throughout, a row's columns are compared by cost less price, and an assigned row holds a column
/// that is least for it: once every row is assigned, that makes the assignment a least one.
#[derive(Clone, Debug, Default)]
struct Search {
    price: Vec<f64>,
    column_of: Vec<u32>,
    row_of: Vec<u32>,
    free: Vec<u32>,
    /// Length of the shortest path found to each column.
    reach: Vec<f64>,
    /// The row from which that path enters the column.
    before: Vec<u32>,
    /// The columns: those whose shortest path is known, then those next to be scanned, then the
    /// rest.
    order: Vec<u32>,
}

fn refill<T: Clone>(vector: &mut Vec<T>, length: usize, value: T) {
    vector.clear();
    vector.resize(length, value);
}

impl Search {
    fn run(&mut self, costs: &[f64], rows: usize, columns: usize, priced: bool) {
        refill(&mut self.price, columns, 0.0);
        refill(&mut self.column_of, rows, FREE);
        refill(&mut self.row_of, columns, FREE);
        self.free.clear();
        if columns == 1 {
            self.column_of[0] = 0;
            self.row_of[0] = 0;
            return;
        }
        if priced {
            self.reduce_columns(costs, columns);
        } else {
            self.free.extend(0..rows as u32);
        }
        // A second round pays: rows that lost a tie in the first often find a free column.
        for _ in 0..2 {
            self.reduce_rows(costs, columns);
        }
        refill(&mut self.reach, columns, 0.0);
        refill(&mut self.before, columns, 0);
        self.order.clear();
        self.order.extend(0..columns as u32);
        for k in 0..self.free.len() {
            self.augment(costs, columns, self.free[k] as usize);
        }
    }

    /// Prices every column at its least cost, gives it to the row that has it, and lets rows with
    /// one column pass on what they have to spare.
    fn reduce_columns(&mut self, costs: &[f64], columns: usize) {
        self.price.copy_from_slice(&costs[..columns]);
        refill(&mut self.before, columns, 0);
        for (row, entries) in costs.chunks_exact(columns).enumerate().skip(1) {
            let least = self.price.iter_mut().zip(&mut self.before);
            for ((price, holder), &cost) in least.zip(entries) {
                if cost < *price {
                    *price = cost;
                    *holder = row as u32;
                }
            }
        }
        for column in (0..columns).rev() {
            let row = self.before[column] as usize;
            if self.column_of[row] == FREE {
                self.column_of[row] = column as u32;
                self.row_of[column] = row as u32;
            }
        }
        // How many columns each row could have had.
        refill(&mut self.order, columns, 0);
        for &row in &self.before {
            self.order[row as usize] += 1;
        }
        for (row, entries) in costs.chunks_exact(columns).enumerate() {
            let column = self.column_of[row] as usize;
            match self.order[row] {
                0 => self.free.push(row as u32),
                1 => {
                    let spare = least_but_one(entries, &self.price, column);
                    self.price[column] -= spare;
                }
                _ => {}
            }
        }
    }

    /// Gives each free row its least column, at a price that makes the second least as good; who
    /// held the column is free instead and, if the price fell, goes next.
    fn reduce_rows(&mut self, costs: &[f64], columns: usize) {
        let waiting = self.free.len();
        // Prices may fall by ever so little, time and again: paths settle what is left (measured:
        // twice this patience changes nothing, eight times makes 500 rows of uniform costs a third
        // slower).
        let mut patience = columns;
        let (mut next, mut kept) = (0, 0);
        while next < waiting {
            let row = self.free[next] as usize;
            next += 1;
            let entries = &costs[row * columns..][..columns];
            let least = two_least(entries, &self.price);
            let mut column = least.first_at;
            let lowered = self.price[column] - (least.second - least.first);
            let falls = lowered < self.price[column];
            if falls {
                self.price[column] = lowered;
            } else if self.row_of[column] != FREE {
                column = least.second_at;
            }
            let former = self.row_of[column];
            self.row_of[column] = row as u32;
            self.column_of[row] = column as u32;
            if former == FREE {
                continue;
            }
            self.column_of[former as usize] = FREE;
            if falls && patience > 0 {
                patience -= 1;
                next -= 1;
                self.free[next] = former;
            } else {
                self.free[kept] = former;
                kept += 1;
            }
        }
        self.free.truncate(kept);
    }

    /// Assigns a free row along a shortest path to a free column.
    fn augment(&mut self, costs: &[f64], columns: usize, free_row: usize) {
        let Search {
            price,
            column_of,
            row_of,
            reach,
            before,
            order,
            ..
        } = self;
        let entries = &costs[free_row * columns..][..columns];
        for ((reach, &cost), &price) in reach.iter_mut().zip(entries).zip(price.iter()) {
            *reach = cost - price;
        }
        before.fill(free_row as u32);
        let (mut scanned, mut found, mut settled) = (0, 0, 0);
        let mut least = 0.0;
        let end = 'search: loop {
            if scanned == found {
                settled = scanned;
                least = reach[order[found] as usize];
                found += 1;
                let rest = found;
                for k in rest..columns {
                    let column = order[k];
                    let length = reach[column as usize];
                    if length <= least {
                        if length < least {
                            found = scanned;
                            least = length;
                        }
                        order[k] = order[found];
                        order[found] = column;
                        found += 1;
                    }
                }
                let free = order[scanned..found]
                    .iter()
                    .find(|&&column| row_of[column as usize] == FREE);
                if let Some(&column) = free {
                    break column;
                }
            }
            let through = order[scanned] as usize;
            scanned += 1;
            let row = row_of[through];
            let entries = &costs[row as usize * columns..][..columns];
            let excess = entries[through] - price[through] - least;
            let rest = found;
            for k in rest..columns {
                let column = order[k];
                let at = column as usize;
                let length = entries[at] - price[at] - excess;
                if length < reach[at] {
                    before[at] = row;
                    // No path is shorter than those already known, whatever rounding says.
                    reach[at] = length.max(least);
                    if length <= least {
                        if row_of[at] == FREE {
                            break 'search column;
                        }
                        order[k] = order[found];
                        order[found] = column;
                        found += 1;
                    }
                }
            }
        };
        for &column in &order[..settled] {
            price[column as usize] += reach[column as usize] - least;
        }
        let mut column = end;
        loop {
            let row = before[column as usize];
            row_of[column as usize] = row;
            std::mem::swap(&mut column_of[row as usize], &mut column);
            if row as usize == free_row {
                break;
            }
        }
    }
}

/// The two least of a row, costs less prices.
struct TwoLeast {
    first: f64,
    first_at: usize,
    second: f64,
    second_at: usize,
}

fn two_least(costs: &[f64], prices: &[f64]) -> TwoLeast {
    let mut least = TwoLeast {
        first: f64::INFINITY,
        first_at: 0,
        second: f64::INFINITY,
        second_at: 0,
    };
    for (at, (cost, price)) in costs.iter().zip(prices).enumerate() {
        let reduced = cost - price;
        if reduced < least.second {
            if reduced < least.first {
                (least.second, least.second_at) = (least.first, least.first_at);
                (least.first, least.first_at) = (reduced, at);
            } else {
                (least.second, least.second_at) = (reduced, at);
            }
        }
    }
    least
}

fn least_but_one(costs: &[f64], prices: &[f64], but: usize) -> f64 {
    let least = |costs: &[f64], prices: &[f64]| {
        let reduced = costs.iter().zip(prices).map(|(cost, price)| cost - price);
        reduced.fold(f64::INFINITY, |a, b| if b < a { b } else { a })
    };
    least(&costs[..but], &prices[..but]).min(least(&costs[but + 1..], &prices[but + 1..]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The least total by trying every way.
    fn by_trial(costs: &[f64], rows: usize, columns: usize) -> f64 {
        fn extend(costs: &[f64], columns: usize, row: usize, used: &mut [bool]) -> f64 {
            if row * columns == costs.len() {
                return 0.0;
            }
            let mut least = f64::INFINITY;
            for column in 0..columns {
                if !used[column] {
                    used[column] = true;
                    let rest = extend(costs, columns, row + 1, used);
                    least = least.min(costs[row * columns + column] + rest);
                    used[column] = false;
                }
            }
            least
        }
        if rows == 0 || columns == 0 {
            return 0.0;
        }
        if rows <= columns {
            return extend(costs, columns, 0, &mut vec![false; columns]);
        }
        let turned: Vec<f64> = (0..columns)
            .flat_map(|column| (0..rows).map(move |row| costs[row * columns + column]))
            .collect();
        extend(&turned, rows, 0, &mut vec![false; rows])
    }

    fn check_shape(solution: Solution<'_>, costs: &[f64], rows: usize, columns: usize) {
        assert_eq!(solution.pairs.len(), rows.min(columns));
        assert!(solution.pairs.windows(2).all(|w| w[0].0 < w[1].0));
        let mut chosen: Vec<u32> = solution.pairs.iter().map(|pair| pair.1).collect();
        chosen.sort_unstable();
        chosen.dedup();
        assert_eq!(chosen.len(), rows.min(columns));
        let sum: f64 = solution
            .pairs
            .iter()
            .map(|&(row, column)| costs[row as usize * columns + column as usize])
            .sum();
        let slack = 1e-12 * solution.total.abs().max(1.0);
        assert!(sum == solution.total || (sum - solution.total).abs() <= slack);
    }

    /// Whether the prices prove the assignment least: each row holds a least column, leftovers are
    /// unpriced.
    fn proven(search: &Search, costs: &[f64], columns: usize, slack: f64) -> bool {
        let rows_hold = search.column_of.iter().enumerate().all(|(row, &column)| {
            let entries = &costs[row * columns..][..columns];
            let reduced = |at: usize| entries[at] - search.price[at];
            (0..columns).all(|at| reduced(column as usize) <= reduced(at) + slack)
        });
        let square = search.column_of.len() == columns;
        rows_hold
            && (square
                || search
                    .price
                    .iter()
                    .zip(&search.row_of)
                    .all(|(&price, &row)| price <= slack && (row != FREE || price.abs() <= slack)))
    }

    fn matrix(
        entry: impl Strategy<Value = f64> + Clone,
    ) -> impl Strategy<Value = (Vec<f64>, usize, usize)> {
        (0..=6usize, 0..=6usize).prop_flat_map(move |(rows, columns)| {
            (
                prop::collection::vec(entry.clone(), rows * columns),
                Just(rows),
                Just(columns),
            )
        })
    }

    #[test]
    fn empty_sides_cost_nothing() {
        let mut solver = Solver::default();
        solver.solve(&[1.0], 1, 1);
        for (rows, columns) in [(0, 0), (0, 3), (3, 0)] {
            let solution = solver.solve(&[], rows, columns);
            assert_eq!((solution.total, solution.pairs.len()), (0.0, 0));
        }
        assert_eq!(solver.solve(&[-7.0], 1, 1).total, -7.0);
    }

    #[test]
    fn extreme_costs_do_not_overflow() {
        let mut solver = Solver::default();
        let most = f64::MAX;
        let solution = solver.solve(
            &[most, -most, 0.0, most, most, -most, -most, most, most],
            3,
            3,
        );
        assert_eq!(solution.pairs, [(0, 1), (1, 2), (2, 0)]);
        assert_eq!(solution.total, f64::NEG_INFINITY);
        let solution = solver.solve(&[most, most / 2.0, most / 2.0, most], 2, 2);
        assert_eq!(
            (solution.total, solution.pairs),
            (most, &[(0, 1), (1, 0)][..])
        );
    }

    #[test]
    fn forbidding_costs_do_not_blur_the_others() {
        let no = 1e300;
        let costs = [
            no, 1.0, no, 2.0, //
            no, 3.0, no, 5.0, //
            1.0, no, 2.0, no, //
            2.0, no, 4.0, no,
        ];
        assert_eq!(Solver::default().solve(&costs, 4, 4).total, 9.0);
    }

    #[test]
    fn large_problems_are_proven_least() {
        let mut state = 7u64;
        let mut random = move || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (state >> 33) as f64 / (1u64 << 31) as f64
        };
        for (rows, columns) in [(60, 60), (60, 61), (40, 90), (1, 50), (100, 100)] {
            for whole in [false, true] {
                let costs: Vec<f64> = (0..rows * columns)
                    .map(|_| {
                        if whole {
                            (random() * 20.0).floor()
                        } else {
                            random()
                        }
                    })
                    .collect();
                let mut solver = Solver::default();
                let solution = solver.solve(&costs, rows, columns);
                check_shape(solution, &costs, rows, columns);
                let slack = if whole { 0.0 } else { 1e-12 };
                assert!(proven(&solver.search, &costs, columns, slack));
            }
        }
    }

    /// Costs `(row + 1) * (column + 1)` are the classical hard case for reductions.
    #[test]
    fn products_of_ranks_pair_first_with_last() {
        let n = 70;
        let costs: Vec<f64> = (0..n * n)
            .map(|k| ((k / n + 1) * (k % n + 1)) as f64)
            .collect();
        let mut solver = Solver::default();
        let solution = solver.solve(&costs, n, n);
        assert!(
            solution
                .pairs
                .iter()
                .all(|&(row, column)| row + column == n as u32 - 1)
        );
    }

    kinwood_testing::soak! { 256;
        fn soak_whole_costs_give_the_exact_optimum((costs, rows, columns) in matrix((-4i32..8).prop_map(f64::from))) {
            let mut solver = Solver::default();
            let solution = solver.solve(&costs, rows, columns);
            check_shape(solution, &costs, rows, columns);
            let total = solution.total;
            prop_assert_eq!(total, by_trial(&costs, rows, columns));
            prop_assert_eq!(total, solver.solve_unpriced(&costs, rows, columns).total);
        }

        fn soak_any_costs_give_the_optimum((costs, rows, columns) in matrix(-1e3..1e3)) {
            let mut solver = Solver::default();
            let solution = solver.solve(&costs, rows, columns);
            check_shape(solution, &costs, rows, columns);
            let least = by_trial(&costs, rows, columns);
            prop_assert!((solution.total - least).abs() <= 1e-9, "{} {}", solution.total, least);
        }

        fn soak_magnitudes_may_differ_wildly((costs, rows, columns) in matrix((0..3u8, 0.0..10.0f64).prop_map(|(size, cost)| cost * [1.0, 1e12, 1e300][size as usize]))) {
            let mut solver = Solver::default();
            let solution = solver.solve(&costs, rows, columns);
            let least = by_trial(&costs, rows, columns);
            prop_assert!(solution.total <= least * (1.0 + 1e-9), "{} {}", solution.total, least);
        }

        fn soak_memory_used_before_does_not_show(
            (costs, rows, columns) in matrix((0i32..5).prop_map(f64::from)),
            (before, rows_before, columns_before) in matrix((0i32..5).prop_map(f64::from)),
        ) {
            let mut used = Solver::default();
            used.solve(&before, rows_before, columns_before);
            let mut fresh = Solver::default();
            prop_assert_eq!(used.solve(&costs, rows, columns), fresh.solve(&costs, rows, columns));
        }
    }
}
