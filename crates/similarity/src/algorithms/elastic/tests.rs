//! Whole tables as the definitions have them, and worked examples.

use proptest::prelude::*;

use super::bounds::{Envelope, Extremes};
use super::rules::{CommonSubsequence, MoveSplitMerge, RealPenalty, Squares, TimeWarpEdit};
use super::{Backward, Elastic, Onward, Rule, Ways};

fn least<R: Rule>(rule: R, a: &[f64], b: &[f64], window: Option<usize>, limit: f64) -> f64 {
    Elastic::default().least(
        rule,
        Ways {
            first: &Onward::new(a),
            second: &Backward::new(b),
            window,
            limit,
        },
    )
}

/// A table filled row by row. `costs` gives what a step of both, of the first and of the second
/// adds at a cell; `edges` whether one may begin without the other, at what its steps cost.
fn table(
    a: &[f64],
    b: &[f64],
    window: Option<usize>,
    costs: impl Fn(usize, usize) -> [f64; 3],
    edge: impl Fn(f64) -> f64,
) -> f64 {
    let (rows, columns) = (a.len(), b.len());
    let window = window.unwrap_or(usize::MAX).max(rows.abs_diff(columns));
    let mut table = vec![vec![f64::INFINITY; columns + 1]; rows + 1];
    table[0][0] = 0.0;
    for i in 1..=rows.min(window) {
        table[i][0] = table[i - 1][0] + edge(a[i - 1]);
    }
    for j in 1..=columns.min(window) {
        table[0][j] = table[0][j - 1] + edge(b[j - 1]);
    }
    for i in 1..=rows {
        for j in 1..=columns {
            if i.abs_diff(j) > window {
                continue;
            }
            let [both, first, second] = costs(i, j);
            table[i][j] = (table[i - 1][j - 1] + both)
                .min(table[i - 1][j] + first)
                .min(table[i][j - 1] + second);
        }
    }
    table[rows][columns]
}

fn nowhere(_: f64) -> f64 {
    f64::INFINITY
}

fn naive_squares(a: &[f64], b: &[f64], window: Option<usize>) -> f64 {
    let cost = |i: usize, j: usize| (a[i - 1] - b[j - 1]).powi(2);
    table(a, b, window, |i, j| [cost(i, j); 3], nowhere)
}

fn naive_penalty(a: &[f64], b: &[f64], window: Option<usize>, gap: f64) -> f64 {
    let costs = |i: usize, j: usize| {
        [
            (a[i - 1] - b[j - 1]).abs(),
            (a[i - 1] - gap).abs(),
            (b[j - 1] - gap).abs(),
        ]
    };
    table(a, b, window, costs, |number| (number - gap).abs())
}

/// As the paper has it: the fixed cost alone where the number lies between the two others, else the
/// way to the nearer of them as well.
fn naive_split(cost: f64, number: f64, one: f64, other: f64) -> f64 {
    let between = one <= number && number <= other || one >= number && number >= other;
    match between {
        true => cost,
        false => cost + (number - one).abs().min((number - other).abs()),
    }
}

fn naive_moves(a: &[f64], b: &[f64], window: Option<usize>, cost: f64) -> f64 {
    let before = |series: &[f64], place: usize| match place {
        1 => 0.0,
        place => series[place - 2],
    };
    let costs = |i: usize, j: usize| {
        [
            (a[i - 1] - b[j - 1]).abs(),
            naive_split(cost, a[i - 1], before(a, i), b[j - 1]),
            naive_split(cost, b[j - 1], a[i - 1], before(b, j)),
        ]
    };
    table(a, b, window, costs, nowhere)
}

fn naive_edits(a: &[f64], b: &[f64], window: Option<usize>, nu: f64, lambda: f64) -> f64 {
    let at = |series: &[f64], place: usize| match place {
        0 => 0.0,
        place => series[place - 1],
    };
    let costs = |i: usize, j: usize| {
        let (own, own_before) = (at(a, i), at(a, i - 1));
        let (other, other_before) = (at(b, j), at(b, j - 1));
        let apart = i.abs_diff(j) as f64;
        [
            (own - other).abs() + (own_before - other_before).abs() + 2.0 * nu * apart,
            (own - own_before).abs() + (nu + lambda),
            (other - other_before).abs() + (nu + lambda),
        ]
    };
    table(a, b, window, costs, nowhere)
}

fn naive_common(a: &[f64], b: &[f64], window: Option<usize>, near: f64) -> usize {
    let window = window.unwrap_or(usize::MAX);
    let window = window.max(a.len().abs_diff(b.len()));
    let mut table = vec![vec![0; b.len() + 1]; a.len() + 1];
    for i in 1..=a.len() {
        for j in 1..=b.len() {
            let matches = (a[i - 1] - b[j - 1]).abs() <= near && i.abs_diff(j) <= window;
            table[i][j] = match matches {
                true => table[i - 1][j - 1] + 1,
                false => table[i - 1][j].max(table[i][j - 1]),
            };
        }
    }
    table[a.len()][b.len()]
}

fn series() -> impl Strategy<Value = Vec<f64>> {
    prop::collection::vec(
        (-16i8..16).prop_map(|number| f64::from(number) / 4.0),
        1..24,
    )
}

fn window() -> impl Strategy<Value = Option<usize>> {
    prop::option::of(0usize..12)
}

/// What is found within a limit: the same number, or something beyond the limit.
fn within_limits(full: f64, find: impl Fn(f64) -> f64) -> Result<(), TestCaseError> {
    prop_assert_eq!(find(f64::INFINITY), full);
    prop_assert_eq!(find(full), full);
    for share in [0.0, 0.3, 0.9, 1.5, 4.0] {
        let (limit, found) = (full * share, find(full * share));
        match full <= limit {
            true => prop_assert_eq!(found, full),
            false => prop_assert!(found > limit, "{} within {}: {}", full, limit, found),
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_000, ..ProptestConfig::default() })]

    #[test]
    fn antidiagonals_give_what_the_table_gives(a in series(), b in series(), window in window()) {
        let (gap, cost, nu, lambda) = (0.5, 0.25, 0.125, 0.75);
        within_limits(naive_squares(&a, &b, window), |limit| least(Squares, &a, &b, window, limit))?;
        within_limits(naive_penalty(&a, &b, window, gap), |limit| {
            least(RealPenalty { gap }, &a, &b, window, limit)
        })?;
        within_limits(naive_moves(&a, &b, window, cost), |limit| {
            least(MoveSplitMerge { cost }, &a, &b, window, limit)
        })?;
        let rule = TimeWarpEdit { stiffness: nu, penalty: lambda };
        within_limits(naive_edits(&a, &b, window, nu, lambda), |limit| {
            least(rule, &a, &b, window, limit)
        })?;
        let near = 0.75;
        let common = least(CommonSubsequence { near }, &a, &b, window, f64::INFINITY);
        prop_assert_eq!(-common, naive_common(&a, &b, window, near) as f64);
    }

    #[test]
    fn bounds_are_never_above(a in series(), b in series(), window in window()) {
        let full = naive_squares(&a, &b, window);
        let (rows, columns) = (a.len(), b.len());
        let alone = rows == 1 && columns == 1;
        let kim = Extremes::of(&a).least_cost(&Extremes::of(&b), alone);
        prop_assert!(kim <= full, "{} {}", kim, full);
        let places = window.unwrap_or(usize::MAX).max(rows.abs_diff(columns)).min(rows + columns);
        let mut envelope = Envelope::default();
        envelope.around(&Onward::new(&a), places, columns);
        // By the definition: what each number is outside of all that it may meet.
        let outside: f64 = (0..columns).map(|j| {
            let near = a[j.saturating_sub(places)..rows.min(j + places + 1)].iter().copied();
            let least = near.clone().fold(f64::INFINITY, f64::min);
            let greatest = near.fold(f64::NEG_INFINITY, f64::max);
            (least - b[j]).max(b[j] - greatest).max(0.0).powi(2)
        }).sum();
        let keogh = envelope.outside(&Backward::new(&b), f64::INFINITY);
        prop_assert_eq!(keogh, outside);
        prop_assert!(keogh <= full, "{} {}", keogh, full);
    }
}

#[test]
fn worked_examples() {
    let full = f64::INFINITY;
    // 1 waits for both 1s, 2 for the first 3, the second 3 meets 5: 0 + 0 + 0 + 1 + 4.
    let (a, b) = ([1.0, 2.0, 3.0, 3.0], [1.0, 1.0, 2.0, 5.0]);
    assert_eq!(least(Squares, &a, &b, None, full), 5.0);
    // On the diagonal: 0 + 1 + 1 + 4.
    assert_eq!(least(Squares, &a, &b, Some(0), full), 6.0);
    // 1 is left out at |1 - 0|, the rest match.
    let rule = RealPenalty { gap: 0.0 };
    assert_eq!(least(rule, &[1.0, 2.0, 3.0], &[2.0, 3.0], None, full), 1.0);
    // 2 splits at 0.5; then the second 2 moves to 3 at 1.
    let rule = MoveSplitMerge { cost: 0.5 };
    assert_eq!(least(rule, &[1.0, 2.0], &[1.0, 2.0, 3.0], None, full), 1.5);
    // 1 meets 1, 2 meets 3, both after 1: 0 + 1 + 0. Then 3 is left out: |3 - 2| + 0.1 + 1.
    let rule = TimeWarpEdit {
        stiffness: 0.1,
        penalty: 1.0,
    };
    let found = least(rule, &[1.0, 2.0, 3.0], &[1.0, 3.0], None, full);
    assert!((found - 3.1).abs() < 1e-12, "{found}");
    // 1 and 3 are common, 2 and 9 are not.
    let rule = CommonSubsequence { near: 0.1 };
    let found = least(rule, &[1.0, 2.0, 3.0], &[1.0, 9.0, 3.05], None, full);
    assert_eq!(found, -2.0);
}

/// Series long enough that the loop is in the middle of wide registers, and its ends are not.
#[test]
fn long_series_give_what_the_table_gives() {
    let wave = |count: usize, step: f64| -> Vec<f64> {
        (0..count)
            .map(|place| (place as f64 * step).sin())
            .collect()
    };
    for (rows, columns) in [(100, 100), (97, 131), (1, 50), (50, 1), (64, 63)] {
        let (a, b) = (wave(rows, 0.31), wave(columns, 0.29));
        for window in [None, Some(0), Some(1), Some(7), Some(40)] {
            let full = naive_squares(&a, &b, window);
            assert_eq!(least(Squares, &a, &b, window, f64::INFINITY), full);
            assert_eq!(least(Squares, &a, &b, window, full), full);
        }
    }
}
