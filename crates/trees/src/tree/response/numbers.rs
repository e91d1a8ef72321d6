//! One numeric target: the variance, relative to that of the whole training set.

use kinwood_learning::drawing::{Mark, amount, short};
use kinwood_learning::target::{KindEntry, NUMBERS, TargetKind};
use kinwood_learning::task::Target;
use serde_json::{Value, json};

use super::answer::{Answer, Answers, Fields, LeafNumbers, LeafObjects, LeafWords, Unlikeness};
use super::grouped::by_number;
use super::sums::Sums;
use super::{Cut, Examples, Grouping, OfTarget, Ordered, Response, Single};
use crate::tree::presort::{rises, row_of};

/// One numeric target. The numbers are centred, so that sums of squares keep their digits.
pub struct Numbers {
    values: Vec<f64>,
    centre: f64,
    /// One over the variance of the training set.
    scale: f64,
    slack: f64,
}

impl Numbers {
    /// The numbers of the rows with their weights.
    pub fn new(mut values: Vec<f64>, weight: impl Fn(usize) -> f64) -> Self {
        let (mut total, mut sum) = (0.0, 0.0);
        for (row, value) in values.iter().enumerate() {
            total += weight(row);
            sum += weight(row) * value;
        }
        let centre = if total > 0.0 { sum / total } else { 0.0 };
        let mut sums = Sums::default();
        for (row, value) in values.iter_mut().enumerate() {
            *value -= centre;
            sums.add(*value, weight(row));
        }
        let deviations = sums.deviations();
        Self {
            values,
            centre,
            scale: if deviations > 0.0 {
                total / deviations
            } else {
                1.0
            },
            slack: 1e-12 * total,
        }
    }
}

impl Numbers {
    /// Squared deviations in the unit of the spread.
    pub fn scaled(&self, squares: f64) -> f64 {
        squares * self.scale
    }
}

impl OfTarget for Numbers {
    fn of_target(single: &Single<'_>) -> Option<Self> {
        single.kind.is_number().then(|| {
            let number = |row| single.target.number(row).unwrap_or(f64::NAN);
            let numbers = (0..single.rows).map(number).collect();
            Numbers::new(numbers, |row| single.weight(row))
        })
    }
}

impl Response for Numbers {
    type Local = Vec<f64>;
    type Summary = Sums;

    fn gather(&self, rows: &[u32]) -> Vec<f64> {
        rows.iter().map(|&row| self.values[row as usize]).collect()
    }

    fn groups(&self, examples: &Examples<'_, Self::Summary>, most: usize) -> Grouping {
        let numbers: Vec<f64> = examples
            .rows
            .iter()
            .map(|&row| self.values[row as usize])
            .collect();
        by_number(&numbers, |place| examples.weight(place), most)
    }

    fn empty(&self) -> Sums {
        Sums::default()
    }

    #[inline]
    fn add(&self, summary: &mut Sums, local: &Vec<f64>, place: usize, weight: f64) {
        summary.add(local[place], weight);
    }

    #[inline]
    fn remove(&self, summary: &mut Sums, local: &Vec<f64>, place: usize, weight: f64) {
        summary.add(local[place], -weight);
    }

    fn join(&self, summary: &mut Sums, other: &Sums, times: f64) {
        summary.join(other, times);
    }

    fn weight(&self, summary: &Sums) -> f64 {
        summary.weight
    }

    fn spread(&self, summary: &Sums) -> f64 {
        summary.deviations() * self.scale
    }

    fn level(&self, summary: &Sums, _: &Sums) -> f64 {
        summary.mean()
    }

    fn spread_behind(&self, answers: &Answers) -> f64 {
        let own = answers.targets.first().and_then(Answer::as_number);
        own.map_or(0.0, |number| number.squares * self.scale)
    }

    fn answers(&self, examples: &Examples<'_, Sums>) -> Vec<Answer> {
        let summary = examples.whole;
        vec![summary.answer(self.centre)]
    }

    fn slack(&self) -> f64 {
        self.slack
    }

    fn cut(&self, list: &Ordered<'_, Vec<f64>>, whole: &Sums, least: f64) -> Option<Cut> {
        // The squares are the same on either side of any cut: the means decide.
        let (mut weight, mut sum) = (0.0, 0.0);
        let slack = self.slack / self.scale;
        let mut best: Option<(usize, f64)> = None;
        for (place, pair) in list.entries.windows(2).enumerate() {
            let example = row_of(pair[0]);
            let counts = list.weight(example);
            weight += counts;
            sum += counts * list.local[example];
            let above = whole.weight - weight;
            if !rises(pair[1]) || weight < least {
                continue;
            }
            if above < least {
                break;
            }
            let rest = whole.sum - sum;
            let explained = sum * sum / weight + rest * rest / above;
            if best.is_none_or(|(_, most)| explained >= most - slack) {
                best = Some((place + 1, explained));
            }
        }
        best.map(|(below, explained)| Cut {
            below,
            spread: (whole.squares - explained).max(0.0) * self.scale,
        })
    }
}

/// A number in a leaf: the weight of the examples that know it, their mean, and the sum of their
/// squared deviations from it.
pub struct NumberLeaf;

/// What a leaf knows of a number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NumberAnswer {
    /// The weight of the examples whose number is known.
    pub weight: f64,
    /// Their mean.
    pub mean: f64,
    /// The sum of their squared deviations from it.
    pub squares: f64,
}

impl NumberAnswer {
    fn of(numbers: &[f64]) -> Self {
        Self {
            weight: numbers[0],
            mean: numbers[1],
            squares: numbers[2],
        }
    }

    /// The standard deviation.
    pub fn deviation(&self) -> f64 {
        match self.weight > 0.0 {
            true => (self.squares / self.weight).sqrt(),
            false => 0.0,
        }
    }
}

impl Answer {
    /// A number: the weight of the examples that know it, their mean, and the sum of their squared
    /// deviations from it.
    pub fn number(weight: f64, mean: f64, squares: f64) -> Self {
        Self::new(&NumberLeaf, vec![weight, mean, squares])
    }

    /// What is known of a number, if it is one.
    pub fn as_number(&self) -> Option<NumberAnswer> {
        self.is(&NUMBERS).then(|| NumberAnswer::of(self.numbers()))
    }
}

impl LeafNumbers for NumberLeaf {
    fn entry(&self) -> &'static KindEntry {
        &NUMBERS
    }

    fn fields(&self) -> Fields {
        Fields {
            first: &["weight", "mean", "squares"],
            others: "",
        }
    }

    fn length(&self, _kind: &TargetKind) -> usize {
        3
    }

    fn fault(&self, _kind: &TargetKind, numbers: &[f64]) -> Option<&'static str> {
        let known = |number: f64| number.is_finite() && number >= 0.0;
        let fits = known(numbers[0]) && numbers[1].is_finite() && known(numbers[2]);
        (!fits).then_some("no mean and squares of numbers")
    }

    fn weight(&self, numbers: &[f64]) -> f64 {
        numbers[0]
    }

    fn error(&self, numbers: &[f64]) -> f64 {
        numbers[2]
    }

    fn squares(&self, numbers: &[f64]) -> f64 {
        numbers[2]
    }

    /// The variance.
    fn unit(&self, numbers: &[f64]) -> f64 {
        match numbers[2] > 0.0 {
            true => numbers[2] / numbers[0],
            false => 1.0,
        }
    }

    fn mean_error(&self, _numbers: &[f64], mean: f64) -> f64 {
        mean.sqrt()
    }

    fn width(&self, _numbers: &[f64]) -> usize {
        1
    }

    fn say(&self, numbers: &[f64], share: f64, out: &mut [f64]) {
        out[0] += share * numbers[1];
    }

    fn compared(&self, numbers: &[f64], _whole: bool) -> (Unlikeness, Vec<f64>) {
        (Unlikeness::Ranged, vec![numbers[1]])
    }

    fn loss(&self, _kind: &TargetKind, target: &Target, row: usize, numbers: &[f64]) -> f64 {
        let squared = |number: f64| (number - numbers[1]).powi(2);
        target.number(row).map_or(0.0, squared)
    }

    fn loss_of(
        &self,
        _kind: &TargetKind,
        target: &Target,
        row: usize,
        said: &[f64],
    ) -> Option<f64> {
        Some((target.number(row)? - said[0]).powi(2))
    }

    fn measured(&self, mean: f64) -> (&'static str, f64) {
        ("rmse", mean.sqrt())
    }
}

impl LeafWords for NumberLeaf {
    fn words(&self, _kind: &TargetKind, numbers: &[f64]) -> String {
        let own = NumberAnswer::of(numbers);
        let digits = |number: f64| short(number, 6, -5.0..15.0);
        format!(
            "{} sd {} of {}",
            digits(own.mean),
            digits(own.deviation()),
            amount(own.weight)
        )
    }

    fn json(&self, _kind: &TargetKind, numbers: &[f64]) -> Value {
        let own = NumberAnswer::of(numbers);
        json!({"weight": own.weight, "mean": own.mean, "sd": own.deviation()})
    }

    fn mark(&self, _kind: &TargetKind, numbers: &[f64]) -> Mark {
        let own = NumberAnswer::of(numbers);
        Mark::Number {
            mean: own.mean,
            deviation: own.deviation(),
            weight: own.weight,
            formula: None,
        }
    }
}

impl LeafObjects for NumberLeaf {
    fn points(&self, _kind: &TargetKind, target: &Target, weights: &[f64]) -> Option<Vec<f64>> {
        let number = |object| target.number(object).unwrap_or(f64::NAN);
        Some((0..weights.len()).map(number).collect())
    }

    fn gathered(
        &self,
        _kind: &TargetKind,
        target: &Target,
        objects: &[u32],
        weights: &[f64],
    ) -> Vec<f64> {
        let known = || {
            let known = objects.iter().map(|&object| object as usize);
            known.filter_map(|object| Some((target.number(object)?, weights[object])))
        };
        let total: f64 = known().map(|(_, weight)| weight).sum();
        let mean = match total > 0.0 {
            true => known().map(|(number, weight)| number * weight).sum::<f64>() / total,
            false => 0.0,
        };
        let squares = known().map(|(number, weight)| weight * (number - mean).powi(2));
        vec![total, mean, squares.sum()]
    }
}
