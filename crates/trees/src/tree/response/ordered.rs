//! One target of classes in an order: half the mean difference of two ranks.
//!
//! The impurity is the sum over classes of `F (1 - F)`, where `F` is the share of examples that
//! come no later than the class: half the mean absolute difference of the ranks of two examples,
//! and the variance of the indicators of coming no later than each class. Confusing neighbours
//! costs less than confusing the ends.
//!
//! Reference: R. Piccarreta, Classification trees for ordinal variables, Computational Statistics
//! 23, 2008.

use kinwood_learning::drawing::{Mark, amount};
use kinwood_learning::target::{KindEntry, ORDERED, OrderedClasses, TargetKind};
use kinwood_learning::task::Target;
use serde_json::{Value, json};

use super::answer::{Answer, Answers, Fields, LeafNumbers, LeafObjects, LeafWords, Unlikeness};
use super::classes::{codes, gathered, named, weigh};
use super::grouped::by_class;
use super::{Examples, Grouping, OfTarget, Response, Single};

/// One target of classes in an order.
pub struct Ranks {
    codes: Vec<u32>,
    classes: usize,
    slack: f64,
}

/// Weights of classes, in their order.
#[derive(Clone, Debug)]
pub struct RankSums {
    weights: Vec<f64>,
    total: f64,
}

/// The sum over classes of the weight up to it times the weight beyond it, over the whole weight.
fn spread_of(weights: &[f64], total: f64) -> f64 {
    if total <= 0.0 {
        return 0.0;
    }
    let mut below = 0.0;
    let mut sum = 0.0;
    for weight in weights {
        below += weight;
        sum += below * (total - below);
    }
    (sum / total).max(0.0)
}

/// The weight up to each class.
fn cumulative(weights: &[f64]) -> impl Iterator<Item = f64> {
    weights.iter().scan(0.0, |sum, weight| {
        *sum += weight;
        Some(*sum)
    })
}

/// The probabilities of coming no later than each class; even ones where nothing weighs anything.
fn probabilities(weights: &[f64]) -> Vec<f64> {
    let total: f64 = weights.iter().sum();
    let count = weights.len().max(1) as f64;
    let shares = cumulative(weights).enumerate();
    let mut shares: Vec<f64> = shares
        .map(|(place, below)| match total > 0.0 {
            true => (below / total).min(1.0),
            false => (place + 1) as f64 / count,
        })
        .collect();
    if let Some(last) = shares.last_mut() {
        *last = 1.0;
    }
    shares
}

/// The class in the middle of the weight.
fn median(weights: &[f64]) -> usize {
    OrderedClasses::median(&probabilities(weights))
}

impl OfTarget for Ranks {
    fn of_target(single: &Single<'_>) -> Option<Self> {
        let classes = single.kind.as_kind::<OrderedClasses>()?.0.len();
        let total: f64 = (0..single.rows).map(|row| single.weight(row)).sum();
        Some(Self {
            codes: codes(single.target, single.rows),
            classes,
            slack: 1e-12 * total,
        })
    }
}

impl Response for Ranks {
    type Local = Vec<u32>;
    type Summary = RankSums;

    fn gather(&self, rows: &[u32]) -> Vec<u32> {
        rows.iter().map(|&row| self.codes[row as usize]).collect()
    }

    fn groups(&self, examples: &Examples<'_, RankSums>, _most: usize) -> Grouping {
        let codes = examples.rows.iter().map(|&row| self.codes[row as usize]);
        by_class(codes, self.classes)
    }

    fn empty(&self) -> RankSums {
        RankSums {
            weights: vec![0.0; self.classes],
            total: 0.0,
        }
    }

    fn add(&self, summary: &mut RankSums, local: &Vec<u32>, place: usize, weight: f64) {
        summary.weights[local[place] as usize] += weight;
        summary.total += weight;
    }

    fn remove(&self, summary: &mut RankSums, local: &Vec<u32>, place: usize, weight: f64) {
        summary.weights[local[place] as usize] -= weight;
        summary.total -= weight;
    }

    fn join(&self, summary: &mut RankSums, other: &RankSums, times: f64) {
        for (weight, other) in summary.weights.iter_mut().zip(&other.weights) {
            *weight += times * other;
        }
        summary.total += times * other.total;
    }

    fn weight(&self, summary: &RankSums) -> f64 {
        summary.total
    }

    fn spread(&self, summary: &RankSums) -> f64 {
        spread_of(&summary.weights, summary.total)
    }

    /// By the mean rank.
    fn level(&self, summary: &RankSums, _: &RankSums) -> f64 {
        let ranks = summary.weights.iter().enumerate();
        let sum: f64 = ranks.map(|(rank, weight)| rank as f64 * weight).sum();
        sum / summary.total.max(f64::MIN_POSITIVE)
    }

    fn spread_behind(&self, answers: &Answers) -> f64 {
        answers.targets.first().map_or(0.0, Answer::squares)
    }

    fn answers(&self, examples: &Examples<'_, RankSums>) -> Vec<Answer> {
        let summary = examples.whole;
        let weights = summary.weights.iter().map(|weight| weight.max(0.0));
        vec![Answer::new(&OrderedLeaf, weights.collect())]
    }

    fn slack(&self) -> f64 {
        self.slack
    }
}

/// An ordered class in a leaf: the weight of each.
pub struct OrderedLeaf;

impl LeafNumbers for OrderedLeaf {
    fn entry(&self) -> &'static KindEntry {
        &ORDERED
    }

    fn fields(&self) -> Fields {
        Fields {
            first: &[],
            others: "",
        }
    }

    fn length(&self, kind: &TargetKind) -> usize {
        kind.width()
    }

    fn fault(&self, kind: &TargetKind, numbers: &[f64]) -> Option<&'static str> {
        let sum: f64 = numbers.iter().sum();
        let fits = numbers.len() == kind.width() && weigh(numbers) && sum.is_finite();
        (!fits).then_some("no weights of its ordered classes")
    }

    fn weight(&self, numbers: &[f64]) -> f64 {
        numbers.iter().sum()
    }

    /// The sum of how many ranks the examples are from the median.
    fn error(&self, numbers: &[f64]) -> f64 {
        let median = median(numbers);
        let ranks = numbers.iter().enumerate();
        ranks
            .map(|(rank, weight)| rank.abs_diff(median) as f64 * weight)
            .sum()
    }

    fn squares(&self, numbers: &[f64]) -> f64 {
        spread_of(numbers, numbers.iter().sum())
    }

    fn width(&self, numbers: &[f64]) -> usize {
        numbers.len()
    }

    fn say(&self, numbers: &[f64], share: f64, out: &mut [f64]) {
        for (out, probability) in out.iter_mut().zip(probabilities(numbers)) {
            *out += share * probability;
        }
    }

    fn compared(&self, numbers: &[f64], whole: bool) -> (Unlikeness, Vec<f64>) {
        match whole {
            true => (Unlikeness::Squared, probabilities(numbers)),
            false => {
                let same = Unlikeness::Same { of: numbers.len() };
                (same, vec![median(numbers) as f64])
            }
        }
    }

    fn loss(&self, _kind: &TargetKind, target: &Target, row: usize, numbers: &[f64]) -> f64 {
        let ranks = |class: u32| (class as usize).abs_diff(median(numbers)) as f64;
        target.class(row).map_or(0.0, ranks)
    }

    fn loss_of(
        &self,
        _kind: &TargetKind,
        target: &Target,
        row: usize,
        said: &[f64],
    ) -> Option<f64> {
        let class = target.class(row)? as usize;
        Some(class.abs_diff(OrderedClasses::median(said)) as f64)
    }

    fn measured(&self, mean: f64) -> (&'static str, f64) {
        ("rank_error", mean)
    }
}

impl LeafWords for OrderedLeaf {
    fn words(&self, kind: &TargetKind, numbers: &[f64]) -> String {
        let class = median(numbers);
        let (own, all) = (amount(numbers[class]), amount(self.weight(numbers)));
        match kind.dictionary() {
            Some(classes) => format!("{} {own} of {all}", classes.label(class as u32)),
            None => String::new(),
        }
    }

    fn json(&self, kind: &TargetKind, numbers: &[f64]) -> Value {
        let class = median(numbers) as u32;
        let class = kind.dictionary().map(|classes| classes.label(class));
        json!({"class": class, "weights": named(kind, numbers)})
    }

    fn mark(&self, _kind: &TargetKind, numbers: &[f64]) -> Mark {
        Mark::Stack {
            weights: numbers.to_vec(),
            chosen: (self.weight(numbers) > 0.0).then(|| median(numbers)),
        }
    }
}

impl LeafObjects for OrderedLeaf {
    /// An indicator for each class: whether the object comes no later. The squared distance of two
    /// objects is then the difference of their ranks.
    fn points(&self, kind: &TargetKind, target: &Target, weights: &[f64]) -> Option<Vec<f64>> {
        let width = kind.width();
        let mut points = vec![f64::NAN; weights.len() * width];
        for (object, point) in points.chunks_mut(width.max(1)).enumerate() {
            if let Some(class) = target.class(object) {
                point.fill(0.0);
                point[class as usize..].fill(1.0);
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
        gathered(kind.width(), target, objects, weights)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    kinwood_testing::soak! { 256;
        fn soak_impurity_is_half_the_mean_difference_of_ranks(ranks in prop::collection::vec(0usize..5, 1..30)) {
            let mut weights = vec![0.0; 5];
            ranks.iter().for_each(|&rank| weights[rank] += 1.0);
            let count = ranks.len() as f64;
            let pairs = ranks.iter().flat_map(|a| ranks.iter().map(move |b| a.abs_diff(*b)));
            let naive = pairs.sum::<usize>() as f64 / (2.0 * count);
            prop_assert!((spread_of(&weights, count) - naive).abs() < 1e-9);
        }

        fn soak_the_median_errs_least_in_ranks(weights in prop::collection::vec(0u8..9, 1..6)) {
            let weights: Vec<f64> = weights.into_iter().map(f64::from).collect();
            let errs = |at: usize| -> f64 {
                let ranks = weights.iter().enumerate();
                ranks.map(|(rank, weight)| rank.abs_diff(at) as f64 * weight).sum()
            };
            let least = (0..weights.len()).map(errs).fold(f64::INFINITY, f64::min);
            prop_assert_eq!(OrderedLeaf.error(&weights), least);
        }
    }

    #[test]
    fn the_ends_are_further_apart_than_neighbours() {
        let near = spread_of(&[2.0, 2.0, 0.0], 4.0);
        let far = spread_of(&[2.0, 0.0, 2.0], 4.0);
        assert_eq!((near, far), (1.0, 2.0));
        assert_eq!(probabilities(&[1.0, 0.0, 3.0]), [0.25, 0.25, 1.0]);
    }
}
