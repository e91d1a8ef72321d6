//! The critical-difference diagram: learners on an axis of mean ranks, those that do not differ
//! joined by bars.
//!
//! Two forms of one picture: [`svg`] for pages and papers, [`text`] for a terminal. The SVG stands
//! alone and is light or dark as its reader prefers. As in the paper the best learner is at the
//! right.
//!
//! Reference: J. Demsar, Statistical comparisons of classifiers over multiple data sets, JMLR 7,
//! 2006, figure 1.

mod svg;
mod text;

use kinwood_evaluation::significance::{Friedman, Nemenyi};
use serde::Serialize;

use crate::kit::Drawing;

/// What the diagram shows.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Ranked {
    /// The learners with their mean ranks, 1 being the best, in any order. Those without a finite
    /// rank are not drawn.
    pub learners: Vec<(String, f64)>,
    /// Learners whose mean ranks differ by at least this much differ.
    pub critical_difference: f64,
    /// The level at which they do.
    pub level: f64,
    /// Over how many data sets ranks were taken.
    pub data_sets: usize,
}

impl Ranked {
    /// What the tests say of learners with these names, in the order of the tests.
    pub fn of(names: &[String], friedman: &Friedman, nemenyi: &Nemenyi) -> Self {
        let ranks = friedman.mean_ranks.iter().copied();
        Ranked {
            learners: names.iter().cloned().zip(ranks).collect(),
            critical_difference: nemenyi.critical_difference,
            level: nemenyi.level,
            data_sets: friedman.data_sets,
        }
    }

    /// The learners that can be drawn, the best first; of equal ranks the one given first.
    fn in_order(&self) -> Vec<(&str, f64)> {
        let finite = self.learners.iter().filter(|(_, rank)| rank.is_finite());
        let mut order: Vec<(&str, f64)> =
            finite.map(|(name, rank)| (name.as_str(), *rank)).collect();
        order.sort_by(|a, b| a.1.total_cmp(&b.1));
        order
    }

    /// What the figures are of.
    fn heading(&self) -> String {
        let sets = match self.data_sets {
            1 => "data set",
            _ => "data sets",
        };
        format!("Mean ranks over {} {sets}, 1 is best", self.data_sets)
    }

    /// What the bars are of.
    fn legend(&self) -> String {
        format!(
            "joined learners do not differ at level {}: their ranks are closer than the critical difference {:.2}",
            self.level, self.critical_difference
        )
    }
}

/// Learners that do not differ from each other: the places of the first and the last of them in the
/// order of ranks.
type Joined = (usize, usize);

/// The largest sets of two or more learners whose ranks, given in ascending order, differ by less
/// than the critical difference.
fn joined(ranks: &[f64], critical_difference: f64) -> Vec<Joined> {
    let mut groups: Vec<Joined> = Vec::new();
    for (first, rank) in ranks.iter().enumerate() {
        let last = ranks.partition_point(|other| other - rank < critical_difference);
        let Some(last) = last.checked_sub(1).filter(|&last| last > first) else {
            continue;
        };
        // One that ends where the one before it ends is a part of it.
        if groups.last().is_none_or(|before| before.1 < last) {
            groups.push((first, last));
        }
    }
    groups
}

/// A level for each of several intervals, in the order of their starts, so that those of one level
/// do not touch.
fn levels(intervals: impl Iterator<Item = (f64, f64)>) -> Vec<usize> {
    let mut ends: Vec<f64> = Vec::new();
    intervals
        .map(|(start, end)| {
            let free = ends.iter().position(|taken| *taken < start);
            let level = free.unwrap_or(ends.len());
            match free {
                Some(level) => ends[level] = end,
                None => ends.push(end),
            }
            level
        })
        .collect()
}

/// Draws the diagram.
///
/// The axis of mean ranks has the best at the right; names stand left and right, the better half
/// right, each with a line to its rank. Bars below the axis join learners that do not differ; the
/// bar above it is as long as the critical difference. Long names are cut and told in full on
/// hover.
///
/// ```
/// use kinwood_pages::critical_difference::{Ranked, svg};
/// let learners = [("knn", 1.5), ("tree", 1.9), ("majority", 2.6)];
/// let drawn = svg(&Ranked {
///     learners: learners.map(|(name, rank)| (name.to_owned(), rank)).to_vec(),
///     critical_difference: 0.7,
///     level: 0.05,
///     data_sets: 20,
/// })
/// .alone();
/// assert!(drawn.starts_with("<svg") && drawn.contains("majority"));
/// ```
pub fn svg(ranked: &Ranked) -> Drawing {
    svg::draw(ranked)
}

/// Draws the diagram for a terminal: a learner a line, the best first, lines beside them joining
/// those that do not differ.
pub fn text(ranked: &Ranked) -> String {
    text::draw(ranked)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_example_of_the_paper() {
        // Demsar 2006, figure 1(a): all four within 1.25 of a neighbour, the ends 1.18 apart.
        let ranks = [1.964, 2.0, 2.893, 3.143];
        assert_eq!(joined(&ranks, 1.25), [(0, 3)]);
        assert_eq!(joined(&ranks, 1.0), [(0, 2), (2, 3)]);
        assert_eq!(joined(&ranks, 0.01), []);
        assert_eq!(joined(&ranks, f64::NAN), []);
    }

    proptest! {
        #[test]
        fn groups_are_the_maximal_sets_within_the_difference(
            ranks in prop::collection::vec(10..80_u32, 0..14),
            difference in 0..40_u32,
        ) {
            let mut ranks = ranks;
            ranks.sort_unstable();
            let numbers: Vec<f64> = ranks.iter().copied().map(f64::from).collect();
            let groups = joined(&numbers, f64::from(difference));
            let together = |i: usize, j: usize| i != j && ranks[i].abs_diff(ranks[j]) < difference;
            let mut expected = Vec::new();
            for i in 0..ranks.len() {
                for j in i + 1..ranks.len() {
                    let all = (i..=j).all(|a| (i..=j).all(|b| a == b || together(a, b)));
                    let more = (i > 0 && together(i - 1, j)) || (j + 1 < ranks.len() && together(i, j + 1));
                    if all && !more {
                        expected.push((i, j));
                    }
                }
            }
            prop_assert_eq!(groups, expected);
        }

        #[test]
        fn intervals_of_one_level_do_not_touch(
            intervals in prop::collection::vec((0..50_u32, 0..9_u32), 0..20),
        ) {
            let mut intervals: Vec<(f64, f64)> = intervals
                .iter()
                .map(|&(start, length)| (f64::from(start), f64::from(start + length)))
                .collect();
            intervals.sort_by(|a, b| a.0.total_cmp(&b.0));
            let placed = levels(intervals.iter().copied());
            for i in 0..intervals.len() {
                for j in 0..i {
                    prop_assert!(placed[i] != placed[j] || intervals[j].1 < intervals[i].0);
                }
            }
        }
    }
}
