//! A set of labels, perhaps of a hierarchy: the weighted variance of the labels' indicators.
//!
//! In a hierarchy a label brings its ancestors with it, and weighs less the deeper it is (Vens et
//! al., Decision trees for hierarchical multi-label classification, Machine Learning 73, 2008).

use kinwood_learning::drawing::{Mark, amount};
use kinwood_learning::predictions::PRESENT;
use kinwood_learning::target::{KindEntry, LABELS, TargetKind};
use kinwood_learning::task::Target;
use kinwood_values::Column;
use serde_json::{Value, json};

use super::answer::{Answer, Answers, Fields, LeafNumbers, LeafObjects, LeafWords, Unlikeness};
use super::classes::{heaviest, named};
use super::grouped::by_class;
use super::{Examples, Grouping, OfTarget, Response, Single};

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

impl Labels {
    /// The label sets of a column, in terms of these labels, which count so much each; `weight` is
    /// how much each row counts.
    pub fn new(
        known: &kinwood_learning::labels::Labels,
        column: &Column,
        weights: Vec<f64>,
        weight: impl Fn(usize) -> f64,
    ) -> Self {
        let mut offsets = vec![0];
        let mut members = Vec::new();
        for row in 0..column.len() {
            members.extend(known.of_row(column, row).unwrap_or_default());
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

impl OfTarget for Labels {
    fn of_target(single: &Single<'_>) -> Option<Self> {
        let labels = single.kind.as_labels()?;
        let depth = |label: u32| {
            let above = std::iter::successors(Some(label), |&label| labels.parent(label));
            above.count() as i32 - 1
        };
        let counts = (0..labels.dictionary().len() as u32)
            .map(|label| single.hierarchy_weight.powi(depth(label)))
            .collect();
        let column = &single.target.values().column;
        Some(Labels::new(labels, column, counts, |row| {
            single.weight(row)
        }))
    }
}

impl Response for Labels {
    type Local = Vec<u32>;
    type Summary = LabelSums;

    fn gather(&self, rows: &[u32]) -> Vec<u32> {
        rows.to_vec()
    }

    /// By having or not having the label whose indicator is spread most.
    fn groups(&self, examples: &Examples<'_, Self::Summary>, _most: usize) -> Grouping {
        let total = examples.whole.weight;
        let spread = |label: usize| {
            let sum = examples.whole.sums[label];
            self.weights[label] * sum * (total - sum)
        };
        let widest = (1..self.weights.len()).fold(0, |widest, label| {
            if spread(label) > spread(widest) {
                label
            } else {
                widest
            }
        });
        let has = |&row: &u32| {
            let own = self.offsets[row as usize] as usize..self.offsets[row as usize + 1] as usize;
            u32::from(self.members[own].contains(&(widest as u32)))
        };
        by_class(examples.rows.iter().map(has), 2)
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

    fn spread_behind(&self, answers: &Answers) -> f64 {
        let own = answers.targets.first().and_then(Answer::as_labels);
        let Some((weight, shares)) = own else {
            return 0.0;
        };
        let variances = shares.iter().zip(&self.weights);
        let variance: f64 = variances
            .map(|(share, counts)| counts * share * (1.0 - share))
            .sum();
        weight * variance * self.scale
    }

    fn answers(&self, examples: &Examples<'_, LabelSums>) -> Vec<Answer> {
        let summary = examples.whole;
        let share = |sum: &f64| (sum / summary.weight).clamp(0.0, 1.0);
        let shares = summary.sums.iter().map(share);
        let shares = match summary.weight > 0.0 {
            true => shares.collect(),
            false => vec![0.0; summary.sums.len()],
        };
        vec![Answer::labels(summary.weight.max(0.0), shares)]
    }

    fn slack(&self) -> f64 {
        self.slack
    }
}

/// A set of labels in a leaf: the weight of the examples that know it, and the share of them that
/// has each label.
pub struct LabelLeaf;

/// How many labels are listed of a set.
const LISTED: usize = 8;

impl Answer {
    /// A set of labels: the weight of the examples that know it, and the share of them that has
    /// each label.
    pub fn labels(weight: f64, shares: Vec<f64>) -> Self {
        let mut numbers = vec![weight];
        numbers.extend(shares);
        Self::new(&LabelLeaf, numbers)
    }

    /// The weight and the share of each label, if it is a set of labels.
    pub fn as_labels(&self) -> Option<(f64, &[f64])> {
        let (weight, shares) = self.numbers().split_first()?;
        self.is(&LABELS).then_some((*weight, shares))
    }
}

/// The labels that are wrongly said present or absent.
fn wrong(kind: &TargetKind, target: &Target, row: usize, shares: &[f64]) -> Option<usize> {
    let own = kind.as_labels()?.of_row(&target.values().column, row)?;
    let places = shares.iter().enumerate();
    let wrong =
        places.filter(|(label, share)| (**share >= PRESENT) != own.contains(&(*label as u32)));
    Some(wrong.count())
}

impl LeafNumbers for LabelLeaf {
    fn entry(&self) -> &'static KindEntry {
        &LABELS
    }

    fn fields(&self) -> Fields {
        Fields {
            first: &["weight"],
            others: "shares",
        }
    }

    fn length(&self, kind: &TargetKind) -> usize {
        kind.width() + 1
    }

    fn fault(&self, kind: &TargetKind, numbers: &[f64]) -> Option<&'static str> {
        let fits = numbers.split_first().is_some_and(|(weight, shares)| {
            weight.is_finite()
                && *weight >= 0.0
                && shares.len() == kind.width()
                && shares.iter().all(|share| (0.0..=1.0).contains(share))
                && kind
                    .as_labels()
                    .is_some_and(|labels| labels.rising(shares).is_none())
        });
        (!fits).then_some("no shares of its labels")
    }

    fn weight(&self, numbers: &[f64]) -> f64 {
        numbers[0]
    }

    fn error(&self, numbers: &[f64]) -> f64 {
        let each = numbers[1..].iter().map(|share| share.min(1.0 - share));
        numbers[0] * each.sum::<f64>()
    }

    fn squares(&self, numbers: &[f64]) -> f64 {
        let each = numbers[1..].iter().map(|share| share * (1.0 - share));
        numbers[0] * each.sum::<f64>()
    }

    fn tallies(&self, numbers: &[f64]) -> Vec<[f64; 2]> {
        let weight = numbers[0];
        let each = numbers[1..].iter();
        each.map(|share| [weight, weight * share.min(1.0 - share)])
            .collect()
    }

    fn rates(&self) -> bool {
        true
    }

    fn mean_error(&self, numbers: &[f64], mean: f64) -> f64 {
        mean / (numbers.len() - 1).max(1) as f64
    }

    fn width(&self, numbers: &[f64]) -> usize {
        numbers.len() - 1
    }

    fn say(&self, numbers: &[f64], share: f64, out: &mut [f64]) {
        for (out, part) in out.iter_mut().zip(&numbers[1..]) {
            *out += share * part;
        }
    }

    fn compared(&self, numbers: &[f64], whole: bool) -> (Unlikeness, Vec<f64>) {
        let shares = &numbers[1..];
        let said = match whole {
            true => shares.to_vec(),
            false => {
                let present = |share: &f64| f64::from(u8::from(*share >= PRESENT));
                shares.iter().map(present).collect()
            }
        };
        (Unlikeness::Squared, said)
    }

    fn loss(&self, kind: &TargetKind, target: &Target, row: usize, numbers: &[f64]) -> f64 {
        let shares = &numbers[1..];
        match wrong(kind, target, row, shares) {
            Some(wrong) => wrong as f64,
            // Whoever has no known labels has none.
            None => shares.iter().filter(|share| **share >= PRESENT).count() as f64,
        }
    }

    fn loss_of(&self, kind: &TargetKind, target: &Target, row: usize, said: &[f64]) -> Option<f64> {
        let wrong = wrong(kind, target, row, said)?;
        Some(wrong as f64 / said.len().max(1) as f64)
    }

    fn measured(&self, mean: f64) -> (&'static str, f64) {
        ("hamming_loss", mean)
    }
}

impl LeafWords for LabelLeaf {
    fn words(&self, kind: &TargetKind, numbers: &[f64]) -> String {
        let Some(dictionary) = kind.dictionary() else {
            return String::new();
        };
        let present: Vec<&str> = dictionary
            .labels()
            .zip(&numbers[1..])
            .filter(|(_, share)| **share >= PRESENT)
            .map(|(label, _)| label)
            .collect();
        let listed = present[..present.len().min(LISTED)].join(", ");
        let more = match present.len().saturating_sub(LISTED) {
            0 => String::new(),
            more => format!(", and {more} more"),
        };
        format!("{{{listed}{more}}} of {}", amount(numbers[0]))
    }

    fn json(&self, kind: &TargetKind, numbers: &[f64]) -> Value {
        json!({"weight": numbers[0], "shares": named(kind, &numbers[1..])})
    }

    fn mark(&self, _kind: &TargetKind, numbers: &[f64]) -> Mark {
        Mark::Shares(numbers[1..].to_vec())
    }
}

impl LeafObjects for LabelLeaf {
    /// An indicator for each label.
    fn points(&self, kind: &TargetKind, target: &Target, weights: &[f64]) -> Option<Vec<f64>> {
        let (labels, width) = (kind.as_labels()?, kind.width());
        let mut points = vec![f64::NAN; weights.len() * width];
        for (object, point) in points.chunks_mut(width.max(1)).enumerate() {
            if let Some(own) = labels.of_row(&target.values().column, object) {
                point.fill(0.0);
                own.iter().for_each(|&label| point[label as usize] = 1.0);
            }
        }
        Some(points)
    }

    fn gathered(
        &self,
        kind: &TargetKind,
        target: &Target,
        objects: &[u32],
        weights: &[f64],
    ) -> Vec<f64> {
        let mut shares = vec![0.0; kind.width()];
        let mut total = 0.0;
        for &object in objects {
            let column = &target.values().column;
            let labels = kind.as_labels();
            let own = labels.and_then(|labels| labels.of_row(column, object as usize));
            let Some(own) = own else {
                continue;
            };
            let weight = weights[object as usize];
            total += weight;
            own.iter()
                .for_each(|&label| shares[label as usize] += weight);
        }
        if total > 0.0 {
            shares.iter_mut().for_each(|share| *share /= total);
        }
        shares.insert(0, total);
        shares
    }
}
