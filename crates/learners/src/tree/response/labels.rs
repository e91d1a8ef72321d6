//! A set of labels, perhaps of a hierarchy: the weighted variance of the labels' indicators.
//!
//! In a hierarchy a label brings its ancestors with it, and weighs less the deeper it is (Vens et al., Decision trees
//! for hierarchical multi-label classification, Machine Learning 73, 2008).

use kinwood_values::{Column, Dictionary};

use super::Response;
use super::classes::heaviest;
use crate::tree::answer::Answer;

/// Sets of labels by row.
pub struct Labels {
    /// Where each row's labels begin among `members`.
    offsets: Vec<u32>,
    members: Vec<u32>,
    /// How much each label counts.
    weights: Vec<f64>,
    scale: f64,
    slack: f64,
}

/// Sums over sets of labels.
#[derive(Clone, Debug)]
pub struct LabelSums {
    weight: f64,
    /// How often each label occurs.
    sums: Vec<f64>,
    /// The sum of weights of labels over the examples.
    occurring: f64,
    /// The sum over labels of their weight times the square of their sum.
    squares: f64,
}

/// The labels with their ancestors, and how deep each is: 1 at the top. Without a separator every label is at the top.
pub fn closed(labels: &Dictionary, separator: Option<char>) -> (Dictionary, Vec<u32>) {
    let mut all = Dictionary::new();
    let mut depths = Vec::new();
    for label in labels.labels() {
        for (path, depth) in ancestry(label, separator) {
            if all.intern(path) as usize == depths.len() {
                depths.push(depth);
            }
        }
    }
    (all, depths)
}

/// A label's ancestors from the top, itself last, with their depth.
fn ancestry(label: &str, separator: Option<char>) -> impl Iterator<Item = (&str, u32)> {
    let ends = label
        .char_indices()
        .filter(move |(place, mark)| Some(*mark) == separator && *place > 0)
        .map(|(place, _)| place)
        .chain([label.len()]);
    ends.zip(1..).map(|(end, depth)| (&label[..end], depth))
}

impl Labels {
    /// The label sets of a column, in terms of the closed labels; `weight` is how much each row counts.
    ///
    /// # Panics
    /// If the column does not hold sets of labels: the caller looks at its type.
    pub fn new(
        column: &Column,
        separator: Option<char>,
        closed: &Dictionary,
        weights: Vec<f64>,
        weight: impl Fn(usize) -> f64,
    ) -> Self {
        let kinwood_values::Cells::Collection { members: sets, .. } = column.cells() else {
            panic!("a column of label sets");
        };
        let (codes, dictionary) = sets.child.codes().expect("members are labels");
        let lineages: Vec<Vec<u32>> = dictionary
            .labels()
            .map(|label| {
                let lineage = ancestry(label, separator);
                lineage.filter_map(|(path, _)| closed.code(path)).collect()
            })
            .collect();
        let mut offsets = vec![0];
        let mut members = Vec::new();
        for row in 0..column.len() {
            let mut own: Vec<u32> = sets
                .range(row)
                .flat_map(|member| lineages[codes[member] as usize].iter().copied())
                .collect();
            own.sort_unstable();
            own.dedup();
            members.extend(own);
            offsets.push(members.len() as u32);
        }
        let mut labels = Self {
            offsets,
            members,
            weights,
            scale: 1.0,
            slack: 0.0,
        };
        let everything: Vec<u32> = (0..column.len() as u32).collect();
        let mut whole = labels.empty();
        (0..column.len()).for_each(|row| labels.add(&mut whole, &everything, row, weight(row)));
        let spread = labels.spread(&whole);
        if spread > 0.0 {
            labels.scale = whole.weight / spread;
        }
        labels.slack = 1e-12 * whole.weight;
        labels
    }

    fn shift(&self, summary: &mut LabelSums, row: usize, weight: f64) {
        summary.weight += weight;
        let (start, end) = (self.offsets[row] as usize, self.offsets[row + 1] as usize);
        for &label in &self.members[start..end] {
            let (sum, counts) = (
                &mut summary.sums[label as usize],
                self.weights[label as usize],
            );
            summary.squares += counts * weight * (2.0 * *sum + weight);
            summary.occurring += counts * weight;
            *sum += weight;
        }
    }
}

impl Response for Labels {
    type Local = Vec<u32>;
    type Summary = LabelSums;

    fn gather(&self, rows: &[u32]) -> Vec<u32> {
        rows.to_vec()
    }

    fn empty(&self) -> LabelSums {
        LabelSums {
            weight: 0.0,
            sums: vec![0.0; self.weights.len()],
            occurring: 0.0,
            squares: 0.0,
        }
    }

    fn add(&self, summary: &mut LabelSums, local: &Vec<u32>, place: usize, weight: f64) {
        self.shift(summary, local[place] as usize, weight);
    }

    fn remove(&self, summary: &mut LabelSums, local: &Vec<u32>, place: usize, weight: f64) {
        self.shift(summary, local[place] as usize, -weight);
    }

    fn join(&self, summary: &mut LabelSums, other: &LabelSums, times: f64) {
        summary.weight += times * other.weight;
        summary.occurring += times * other.occurring;
        summary.squares = 0.0;
        for ((sum, other), counts) in summary.sums.iter_mut().zip(&other.sums).zip(&self.weights) {
            *sum += times * other;
            summary.squares += counts * *sum * *sum;
        }
    }

    fn weight(&self, summary: &LabelSums) -> f64 {
        summary.weight
    }

    fn spread(&self, summary: &LabelSums) -> f64 {
        if summary.weight <= 0.0 {
            return 0.0;
        }
        // An indicator is its own square.
        (summary.occurring - summary.squares / summary.weight).max(0.0) * self.scale
    }

    fn level(&self, summary: &LabelSums, whole: &LabelSums) -> f64 {
        // By the label that varies most in the whole.
        let variance = |label: usize| {
            let share = whole.sums[label] / whole.weight.max(f64::MIN_POSITIVE);
            self.weights[label] * share * (1.0 - share)
        };
        let variances: Vec<f64> = (0..whole.sums.len()).map(variance).collect();
        let label = heaviest(&variances);
        summary.sums.get(label).copied().unwrap_or(0.0) / summary.weight.max(f64::MIN_POSITIVE)
    }

    fn answers(&self, summary: &LabelSums) -> Vec<Answer> {
        let share = |sum: &f64| (sum / summary.weight).clamp(0.0, 1.0);
        let shares = summary.sums.iter().map(share);
        vec![Answer::Labels {
            weight: summary.weight.max(0.0),
            shares: if summary.weight > 0.0 {
                shares.collect()
            } else {
                vec![0.0; summary.sums.len()]
            },
        }]
    }

    fn slack(&self) -> f64 {
        self.slack
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_brings_its_ancestors() {
        let labels = Dictionary::from_labels(["a/b", "c", "a/d/e"]);
        let (all, depths) = closed(&labels, Some('/'));
        assert_eq!(
            all.labels().collect::<Vec<_>>(),
            ["a", "a/b", "c", "a/d", "a/d/e"]
        );
        assert_eq!(depths, [1, 2, 1, 2, 3]);
        let (flat, depths) = closed(&labels, None);
        assert_eq!((flat.len(), depths), (3, vec![1, 1, 1]));
    }
}
