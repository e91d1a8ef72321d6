//! The edits that turn one sequence into another, in memory linear in their lengths.
//!
//! Where the matrix of choices fits a fixed budget it is kept and walked back; larger problems are
//! halved by Hirschberg's method: the best way through the middle row is the sum of a forward and a
//! backward pass.

use std::ops::Range;

use super::{Costs, Pattern, shared_ends, weighted};

/// What is done at one place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// The items are the same.
    Keep,
    /// The item of the first becomes that of the second.
    Substitute,
    /// The item of the second is new.
    Insert,
    /// The item of the first goes.
    Delete,
}

/// A step with its places: the item of each sequence that it uses, or would use next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edit {
    /// What is done.
    pub step: Step,
    /// The place in the first sequence.
    pub left: usize,
    /// The place in the second sequence.
    pub right: usize,
}

/// Cells whose choices are kept at a time, one byte each.
const BUDGET: usize = 1 << 22;

/// A cheapest script from `a` to `b`, from the start to the end; among equals always the same one.
///
/// Cost: that of the distance twice; memory linear. Reference: D. S. Hirschberg, A linear space
/// algorithm for computing maximal common subsequences, CACM 18(6), 1975.
///
/// ```
/// # use kinwood_similarity::algorithms::edit::{Costs, Step, script};
/// let edits = script(Costs::default(), &[1, 2, 3], &[1, 3]);
/// let steps: Vec<Step> = edits.iter().map(|e| e.step).collect();
/// assert_eq!(steps, [Step::Keep, Step::Delete, Step::Keep]);
/// ```
pub fn script(costs: Costs, a: &[u32], b: &[u32]) -> Vec<Edit> {
    with_budget(costs, a, b, BUDGET)
}

pub(super) fn with_budget(costs: Costs, a: &[u32], b: &[u32], budget: usize) -> Vec<Edit> {
    let (start, end) = shared_ends(a, b);
    let (inner_a, inner_b) = (&a[start..a.len() - end], &b[start..b.len() - end]);
    let substitute = |i: usize, j: usize| match inner_a[i] == inner_b[j] {
        true => 0.0,
        false => costs.substitute,
    };
    let problem = Problem {
        insert: costs.insert,
        delete: costs.delete,
        substitute,
        symbols: (costs == Costs::default()).then_some((inner_a, inner_b)),
        budget,
    };
    let mut edits = Vec::with_capacity(a.len().max(b.len()));
    let keep = |left, right| Edit {
        step: Step::Keep,
        left,
        right,
    };
    edits.extend((0..start).map(|place| keep(place, place)));
    let mut found = Vec::new();
    problem.solve(0..inner_a.len(), 0..inner_b.len(), &mut found);
    edits.extend(found.into_iter().map(|(choice, i, j)| Edit {
        step: choice.step(|| inner_a[i] == inner_b[j]),
        left: start + i,
        right: start + j,
    }));
    edits.extend((0..end).map(|place| keep(a.len() - end + place, b.len() - end + place)));
    edits
}

/// A cheapest script between sequences of `rows` and `columns` items by item distances; items at no
/// distance are kept.
pub fn script_with(
    rows: usize,
    columns: usize,
    insert: f64,
    delete: f64,
    substitute: impl Fn(usize, usize) -> f64,
) -> Vec<Edit> {
    let problem = Problem {
        insert,
        delete,
        substitute: &substitute,
        symbols: None,
        budget: BUDGET,
    };
    let mut found = Vec::with_capacity(rows.max(columns));
    problem.solve(0..rows, 0..columns, &mut found);
    let edit = |(choice, left, right): (Choice, usize, usize)| Edit {
        step: choice.step(|| substitute(left, right) == 0.0),
        left,
        right,
    };
    found.into_iter().map(edit).collect()
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Choice {
    Pair,
    Delete,
    Insert,
}

impl Choice {
    fn step(self, same: impl FnOnce() -> bool) -> Step {
        match self {
            Choice::Pair if same() => Step::Keep,
            Choice::Pair => Step::Substitute,
            Choice::Delete => Step::Delete,
            Choice::Insert => Step::Insert,
        }
    }
}

struct Problem<'a, F> {
    insert: f64,
    delete: f64,
    substitute: F,
    /// The sequences themselves where all costs are one: the passes go by bits.
    symbols: Option<(&'a [u32], &'a [u32])>,
    budget: usize,
}

impl<F: Fn(usize, usize) -> f64> Problem<'_, F> {
    fn solve(
        &self,
        rows: Range<usize>,
        columns: Range<usize>,
        found: &mut Vec<(Choice, usize, usize)>,
    ) {
        let cells = (rows.len() + 1).saturating_mul(columns.len() + 1);
        if cells <= self.budget || rows.len() < 2 || columns.len() < 2 {
            return self.walk(rows, columns, found);
        }
        let middle = rows.start + rows.len() / 2;
        let forward = self.forward(rows.start..middle, columns.clone());
        let backward = self.backward(middle..rows.end, columns.clone());
        let mut best = (f64::INFINITY, 0);
        for (prefix, (before, after)) in forward.iter().zip(backward.iter().rev()).enumerate() {
            if before + after < best.0 {
                best = (before + after, prefix);
            }
        }
        let cut = columns.start + best.1;
        self.solve(rows.start..middle, columns.start..cut, found);
        self.solve(middle..rows.end, cut..columns.end, found);
    }

    /// The costs of turning the rows into each prefix of the columns.
    fn forward(&self, rows: Range<usize>, columns: Range<usize>) -> Vec<f64> {
        if let Some((a, b)) = self.symbols {
            let distances = Pattern::new(&b[columns]).prefix_distances(&a[rows]);
            return distances.into_iter().map(|edits| edits as f64).collect();
        }
        let (i, j) = (rows.start, columns.start);
        weighted::last_row(
            rows.len(),
            columns.len(),
            self.insert,
            self.delete,
            |r, c| (self.substitute)(i + r, j + c),
        )
    }

    /// The costs of turning the rows into each suffix of the columns, the empty one first.
    fn backward(&self, rows: Range<usize>, columns: Range<usize>) -> Vec<f64> {
        if let Some((a, b)) = self.symbols {
            let reversed = |symbols: &[u32]| symbols.iter().rev().copied().collect::<Vec<_>>();
            let pattern = Pattern::new(&reversed(&b[columns]));
            let distances = pattern.prefix_distances(&reversed(&a[rows]));
            return distances.into_iter().map(|edits| edits as f64).collect();
        }
        let (i, j) = (rows.end, columns.end);
        weighted::last_row(
            rows.len(),
            columns.len(),
            self.insert,
            self.delete,
            |r, c| (self.substitute)(i - 1 - r, j - 1 - c),
        )
    }

    /// Fills the matrix of choices and follows them back from the end: a pair before a deletion, a
    /// deletion before an insertion.
    fn walk(
        &self,
        rows: Range<usize>,
        columns: Range<usize>,
        found: &mut Vec<(Choice, usize, usize)>,
    ) {
        let width = columns.len();
        let mut choices = vec![Choice::Delete; rows.len() * width];
        let mut costs: Vec<f64> = (0..=width).map(|j| j as f64 * self.insert).collect();
        for (r, i) in rows.clone().enumerate() {
            let mut corner = costs[0];
            costs[0] = (r + 1) as f64 * self.delete;
            for (c, j) in columns.clone().enumerate() {
                let pair = corner + (self.substitute)(i, j);
                let (gone, new) = (costs[c + 1] + self.delete, costs[c] + self.insert);
                corner = costs[c + 1];
                let (cost, choice) = if pair <= gone && pair <= new {
                    (pair, Choice::Pair)
                } else if gone <= new {
                    (gone, Choice::Delete)
                } else {
                    (new, Choice::Insert)
                };
                costs[c + 1] = cost;
                choices[r * width + c] = choice;
            }
        }
        let (mut r, mut c) = (rows.len(), width);
        let from = found.len();
        while r > 0 || c > 0 {
            let choice = match (r, c) {
                (0, _) => Choice::Insert,
                (_, 0) => Choice::Delete,
                _ => choices[(r - 1) * width + c - 1],
            };
            r -= usize::from(choice != Choice::Insert);
            c -= usize::from(choice != Choice::Delete);
            found.push((choice, rows.start + r, columns.start + c));
        }
        found[from..].reverse();
    }
}
