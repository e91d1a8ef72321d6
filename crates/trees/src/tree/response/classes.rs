//! One nominal target of examples that count differently, or by fractions where values are missing.

use kinwood_learning::drawing::{Mark, amount};
use kinwood_learning::target::{CLASSES, KindEntry, TargetKind, first_greatest};
use kinwood_learning::task::Target;
use rayon::prelude::*;
use serde_json::{Map, Value, json};

use super::answer::{Answer, Answers, Fields, LeafNumbers, LeafObjects, LeafWords, Unlikeness};
use super::grouped::by_class;
use super::{Examples, Grouping, Impurity, OfTarget, Response, Single};
use crate::tree::code::UNKNOWN;

/// One nominal target of weighed examples.
pub struct Classes {
    codes: Vec<u32>,
    classes: usize,
    impurity: Impurity,
    slack: f64,
}

/// Weights of classes.
#[derive(Clone, Debug)]
pub struct Weights {
    weights: Vec<f64>,
    total: f64,
}

impl Classes {
    /// The classes of the rows, by code; `total` is the weight of all of them.
    pub fn new(codes: Vec<u32>, classes: usize, impurity: Impurity, total: f64) -> Self {
        Self {
            codes,
            classes,
            impurity,
            slack: 1e-12 * total,
        }
    }
}

/// The spread of weights of classes, whose sum is given: impurity times weight.
pub fn spread_of(weights: &[f64], total: f64, impurity: Impurity) -> f64 {
    if total <= 0.0 {
        return 0.0;
    }
    let spread = match impurity {
        Impurity::Entropy => {
            let power = |x: f64| if x > 0.0 { x * x.log2() } else { 0.0 };
            power(total) - weights.iter().map(|&weight| power(weight)).sum::<f64>()
        }
        Impurity::Gini => total - weights.iter().map(|weight| weight * weight).sum::<f64>() / total,
    };
    spread.max(0.0)
}

/// The spread of the classes of a single target.
pub fn classes_behind(answers: &Answers, impurity: Impurity) -> f64 {
    let weights = answers.targets.first().and_then(Answer::as_classes);
    weights.map_or(0.0, |weights| {
        spread_of(weights, weights.iter().sum(), impurity)
    })
}

/// The place of the greatest, the first of equals.
pub fn heaviest<N: PartialOrd>(weights: &[N]) -> usize {
    (1..weights.len()).fold(0, |best, place| {
        if weights[place] > weights[best] {
            place
        } else {
            best
        }
    })
}

/// The classes of a target by code.
pub fn codes(target: &Target, rows: usize) -> Vec<u32> {
    let rows = (0..rows).into_par_iter();
    rows.map(|row| target.class(row).unwrap_or(UNKNOWN))
        .collect()
}

impl OfTarget for Classes {
    fn of_target(single: &Single<'_>) -> Option<Self> {
        let classes = single.kind.as_classes()?;
        let total = (single.weights?).iter().sum();
        let impurity = single.impurity.unwrap_or(Impurity::Entropy);
        let codes = codes(single.target, single.rows);
        Some(Classes::new(codes, classes.len(), impurity, total))
    }
}

impl Response for Classes {
    type Local = Vec<u32>;
    type Summary = Weights;

    fn gather(&self, rows: &[u32]) -> Vec<u32> {
        rows.iter().map(|&row| self.codes[row as usize]).collect()
    }

    fn groups(&self, examples: &Examples<'_, Self::Summary>, _most: usize) -> Grouping {
        by_class(
            examples.rows.iter().map(|&row| self.codes[row as usize]),
            self.classes,
        )
    }

    fn empty(&self) -> Weights {
        Weights {
            weights: vec![0.0; self.classes],
            total: 0.0,
        }
    }

    fn add(&self, summary: &mut Weights, local: &Vec<u32>, place: usize, weight: f64) {
        summary.weights[local[place] as usize] += weight;
        summary.total += weight;
    }

    fn remove(&self, summary: &mut Weights, local: &Vec<u32>, place: usize, weight: f64) {
        summary.weights[local[place] as usize] -= weight;
        summary.total -= weight;
    }

    fn join(&self, summary: &mut Weights, other: &Weights, times: f64) {
        for (weight, other) in summary.weights.iter_mut().zip(&other.weights) {
            *weight += times * other;
        }
        summary.total += times * other.total;
    }

    fn weight(&self, summary: &Weights) -> f64 {
        summary.total
    }

    fn spread(&self, summary: &Weights) -> f64 {
        spread_of(&summary.weights, summary.total, self.impurity)
    }

    fn level(&self, summary: &Weights, whole: &Weights) -> f64 {
        let class = heaviest(&whole.weights);
        summary.weights[class] / summary.total.max(f64::MIN_POSITIVE)
    }

    fn spread_behind(&self, answers: &Answers) -> f64 {
        classes_behind(answers, self.impurity)
    }

    fn answers(&self, examples: &Examples<'_, Weights>) -> Vec<Answer> {
        let summary = examples.whole;
        let weights = summary.weights.iter().map(|weight| weight.max(0.0));
        vec![Answer::classes(weights.collect())]
    }

    fn slack(&self) -> f64 {
        self.slack
    }
}

/// A class in a leaf: the weight of each.
pub struct ClassLeaf;

impl Answer {
    /// A class: the weight of each.
    pub fn classes(weights: Vec<f64>) -> Self {
        Self::new(&ClassLeaf, weights)
    }

    /// The weight of each class, if it is one.
    pub fn as_classes(&self) -> Option<&[f64]> {
        self.is(&CLASSES).then(|| self.numbers())
    }

    /// The heaviest class, the first of equals; `None` for other targets.
    pub fn class(&self) -> Option<u32> {
        self.as_classes()
            .map(|weights| first_greatest(weights) as u32)
    }
}

/// Adds a share of the shares of classes; even ones where nothing weighs anything.
pub fn add_shares(weights: &[f64], share: f64, out: &mut [f64]) {
    let total: f64 = weights.iter().sum();
    let even = 1.0 / weights.len().max(1) as f64;
    for (out, weight) in out.iter_mut().zip(weights) {
        *out += share * if total > 0.0 { weight / total } else { even };
    }
}

/// Whether numbers are weights.
pub fn weigh(numbers: &[f64]) -> bool {
    numbers
        .iter()
        .all(|number| number.is_finite() && *number >= 0.0)
}

/// Numbers by names, for programs.
pub fn named(kind: &TargetKind, numbers: &[f64]) -> Map<String, Value> {
    let names = kind.dictionary().map(|names| names.labels());
    let names = names.into_iter().flatten().map(str::to_owned);
    names
        .zip(numbers.iter().map(|number| json!(number)))
        .collect()
}

/// The weight of each class over objects.
pub fn gathered(width: usize, target: &Target, objects: &[u32], weights: &[f64]) -> Vec<f64> {
    let mut sums = vec![0.0; width];
    for &object in objects {
        if let Some(class) = target.class(object as usize) {
            sums[class as usize] += weights[object as usize];
        }
    }
    sums
}

impl LeafNumbers for ClassLeaf {
    fn entry(&self) -> &'static KindEntry {
        &CLASSES
    }

    fn stored_name(&self) -> &'static str {
        "class"
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
        (!fits).then_some("no weights of its classes")
    }

    fn weight(&self, numbers: &[f64]) -> f64 {
        numbers.iter().sum()
    }

    fn error(&self, numbers: &[f64]) -> f64 {
        let most = numbers.iter().copied().fold(0.0, f64::max);
        numbers.iter().sum::<f64>() - most
    }

    fn squares(&self, numbers: &[f64]) -> f64 {
        let weight = self.weight(numbers);
        let squares: f64 = numbers.iter().map(|own| own * own).sum();
        weight - squares / weight.max(f64::MIN_POSITIVE)
    }

    fn counts_wrong(&self) -> bool {
        true
    }

    fn width(&self, numbers: &[f64]) -> usize {
        numbers.len()
    }

    fn say(&self, numbers: &[f64], share: f64, out: &mut [f64]) {
        add_shares(numbers, share, out);
    }

    fn compared(&self, numbers: &[f64], whole: bool) -> (Unlikeness, Vec<f64>) {
        if !whole {
            let same = Unlikeness::Same { of: numbers.len() };
            return (same, vec![first_greatest(numbers) as f64]);
        }
        let total = self.weight(numbers).max(f64::MIN_POSITIVE);
        let shares = numbers.iter().map(|weight| weight / total);
        (Unlikeness::Squared, shares.collect())
    }

    fn loss(&self, _kind: &TargetKind, target: &Target, row: usize, numbers: &[f64]) -> f64 {
        let wrong = |class: u32| f64::from(u8::from(first_greatest(numbers) != class as usize));
        target.class(row).map_or(0.0, wrong)
    }

    fn loss_of(
        &self,
        _kind: &TargetKind,
        target: &Target,
        row: usize,
        said: &[f64],
    ) -> Option<f64> {
        let class = target.class(row)?;
        Some(f64::from(u8::from(first_greatest(said) != class as usize)))
    }

    fn measured(&self, mean: f64) -> (&'static str, f64) {
        ("accuracy", 1.0 - mean)
    }
}

impl LeafWords for ClassLeaf {
    fn words(&self, kind: &TargetKind, numbers: &[f64]) -> String {
        let class = first_greatest(numbers);
        let (own, all) = (amount(numbers[class]), amount(self.weight(numbers)));
        match kind.dictionary() {
            Some(classes) => format!("{} {own} of {all}", classes.label(class as u32)),
            None => String::new(),
        }
    }

    fn json(&self, kind: &TargetKind, numbers: &[f64]) -> Value {
        let class = first_greatest(numbers) as u32;
        let class = kind.dictionary().map(|classes| classes.label(class));
        json!({"class": class, "weights": named(kind, numbers)})
    }

    fn mark(&self, _kind: &TargetKind, numbers: &[f64]) -> Mark {
        Mark::stack(numbers.to_vec())
    }
}

impl LeafObjects for ClassLeaf {
    /// An indicator for each class.
    fn points(&self, kind: &TargetKind, target: &Target, weights: &[f64]) -> Option<Vec<f64>> {
        let width = kind.width();
        let mut points = vec![f64::NAN; weights.len() * width];
        for (object, point) in points.chunks_mut(width.max(1)).enumerate() {
            if let Some(class) = target.class(object) {
                point.fill(0.0);
                point[class as usize] = 1.0;
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
