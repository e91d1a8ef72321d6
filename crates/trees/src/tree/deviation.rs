//! Targets of every kind as numbers, and how far they deviate from their mean.
//!
//! A number is itself, in units of its deviation where there are several targets; a class or a
//! label is a 0 or 1 each. The spread of a set of examples is the sum of squared deviations from
//! their mean over all of these, or the weight times the standard deviation (A. Appice, M. Ceci and
//! D. Malerba, Top-down induction of relational model trees in multi-instance learning, ILP 2008).

use super::model::TargetOf;
use super::response::{
    Answer, Answers, Examples, Grouping, Impurity, PREDICTED, Response, by_number, classes_behind,
    spread_of,
};
use kinwood_learning::error::{Error, Result};
use kinwood_learning::task::Task;

/// The targets of a task's rows as numbers.
pub struct Deviation<'a> {
    task: &'a Task,
    kinds: &'a [TargetOf],
    /// Rows times width, a row after the other.
    numbers: Vec<f64>,
    width: usize,
    /// How much each row counts.
    weights: Vec<f64>,
    /// By target: the square of what its numbers were multiplied by.
    scales: Vec<f64>,
    /// By number: the mean that was subtracted from it.
    means: Vec<f64>,
    measure: SpreadMeasure,
    /// What the whole training set has.
    whole: Sums,
}

/// How unlike examples are measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpreadMeasure {
    /// The weight times the standard deviation.
    Deviation,
    /// The weight times the variance: of classes, Gini's index.
    Variance,
    /// The weight times the entropy in bits, of one class; the variance of other targets.
    Entropy,
}

/// What targets count.
#[derive(Clone, Debug, Default)]
pub struct TargetScales {
    /// By target; all the same where empty.
    pub targets: Vec<f64>,
    /// In a hierarchy, what a label counts relative to the one above it; 1 by default.
    pub below: Option<f64>,
}

/// Sums over examples.
#[derive(Clone, Debug, PartialEq)]
pub struct Sums {
    /// Of weights.
    weight: f64,
    /// Of each number.
    sums: Vec<f64>,
    /// Of all squares.
    squares: f64,
    /// A spread below this is rounding: what others were taken from keeps the last digits of what
    /// was there.
    slack: f64,
}

impl Sums {
    /// Sums over nothing.
    fn empty(width: usize) -> Self {
        Self {
            weight: 0.0,
            sums: vec![0.0; width],
            squares: 0.0,
            slack: 0.0,
        }
    }

    /// The same sums, from which others will be taken.
    fn dividing(mut self) -> Self {
        self.slack = 1e-13 * self.squares;
        self
    }

    /// Adds an example, or with a negative weight takes it away.
    #[inline]
    fn add(&mut self, numbers: &[f64], weight: f64) {
        self.weight += weight;
        for (sum, number) in self.sums.iter_mut().zip(numbers) {
            *sum += weight * number;
            self.squares += weight * number * number;
        }
    }

    /// Adds other sums, so many times.
    fn join(&mut self, other: &Self, times: f64) {
        self.weight += times * other.weight;
        self.squares += times * other.squares;
        for (sum, other) in self.sums.iter_mut().zip(&other.sums) {
            *sum += times * other;
        }
    }

    /// The sum of squared deviations.
    #[inline]
    fn spread(&self) -> f64 {
        if self.weight <= 0.0 {
            return 0.0;
        }
        let between: f64 = self.sums.iter().map(|sum| sum * sum).sum();
        let spread = self.squares - between / self.weight;
        if spread > self.slack { spread } else { 0.0 }
    }

    /// The weight times the standard deviation.
    #[inline]
    fn deviation(&self) -> f64 {
        (self.spread() * self.weight.max(0.0)).sqrt()
    }

    /// The share of the spread around the mean of the whole that is the difference of the means:
    /// the coefficient of determination of the paper. The numbers are centred on the whole, whose
    /// mean is 0.
    fn determined(&self) -> f64 {
        let between: f64 = self.sums.iter().map(|sum| sum * sum).sum();
        match self.squares > 0.0 && self.weight > 0.0 {
            true => between / self.weight / self.squares,
            false => 1.0,
        }
    }
}

impl<'a> Deviation<'a> {
    /// The targets of a task, whose rows have these weights.
    pub fn new(
        task: &'a Task,
        kinds: &'a [TargetOf],
        weights: &[f64],
        measure: SpreadMeasure,
        counts: &TargetScales,
    ) -> Result<Self> {
        let objects = task.view().len();
        let each = task.targets().iter().zip(kinds);
        let points = each.map(|(target, of)| {
            let points = of.leaf().points(&of.kind, target, weights);
            points.ok_or_else(|| Error::TargetType {
                learner: "a relational tree",
                expected: PREDICTED.name(),
                target: target.name().to_owned(),
                found: target.found(),
                hint: ", whose examples are no points",
            })
        });
        let points: Vec<Vec<f64>> = points.collect::<Result<_>>()?;
        let widths: Vec<usize> = points
            .iter()
            .map(|points| points.len() / objects.max(1))
            .collect();
        let width: usize = widths.iter().sum();
        let mut numbers = vec![f64::NAN; objects * width];
        let mut start = 0;
        for (points, own) in points.iter().zip(&widths) {
            for (object, numbers) in numbers.chunks_mut(width.max(1)).enumerate() {
                let point = &points[object * own..(object + 1) * own];
                numbers[start..start + own].copy_from_slice(point);
            }
            start += own;
        }
        let means = centre(&mut numbers, width, weights);
        let (scales, targets) = scales(&numbers, &widths, kinds, weights, counts);
        if scales.iter().any(|scale| *scale != 1.0) {
            let factors: Vec<f64> = scales.iter().map(|scale| scale.sqrt()).collect();
            for own in numbers.chunks_mut(width) {
                let each = own.iter_mut().zip(&factors);
                each.for_each(|(number, factor)| *number *= factor);
            }
        }
        let mut whole = Sums::empty(width);
        for (numbers, &weight) in numbers.chunks(width).zip(weights) {
            whole.add(numbers, weight);
        }
        if !whole.squares.is_finite() {
            return Err(Error::TooLarge {
                table: task.view().table().name().to_owned(),
                reason: "the squares of the target are no number".to_owned(),
            });
        }
        // Sums that cancel leave dust, which is not to be taken for a mean.
        whole.sums.fill(0.0);
        Ok(Self {
            task,
            kinds,
            numbers,
            width,
            weights: weights.to_vec(),
            scales: targets,
            means,
            measure: match kinds {
                [one] if one.kind.as_classes().is_some() => measure,
                _ if measure == SpreadMeasure::Entropy => SpreadMeasure::Variance,
                _ => measure,
            },
            whole,
        })
    }

    /// The same rows with one number each instead of their targets; what is left of a target that
    /// is explained in part.
    pub fn with_numbers(&self, mut numbers: Vec<f64>) -> Self {
        let weights: Vec<f64> = (0..numbers.len())
            .map(|row| self.task.weight(row))
            .collect();
        let means = centre(&mut numbers, 1, &weights);
        let mut whole = Sums::empty(1);
        for (number, &weight) in numbers.iter().zip(&weights) {
            whole.add(std::slice::from_ref(number), weight);
        }
        Self {
            numbers,
            width: 1,
            weights,
            scales: vec![1.0],
            means,
            whole,
            ..*self
        }
    }

    /// What a node of these rows says, whose weights stand by row of the task.
    pub fn answers_of(&self, rows: &[u32], weights: &[f64]) -> Answers {
        Answers {
            weight: rows.iter().map(|&row| weights[row as usize]).sum(),
            targets: self.targets_of(rows, weights),
        }
    }

    fn targets_of(&self, rows: &[u32], weights: &[f64]) -> Vec<Answer> {
        let each = self.task.targets().iter().zip(self.kinds);
        let answers = each.map(|(target, of)| {
            let leaf = of.leaf();
            Answer::new(leaf, leaf.gathered(&of.kind, target, rows, weights))
        });
        answers.collect()
    }
}

impl Response for Deviation<'_> {
    type Local = Vec<f64>;
    type Summary = Sums;

    fn gather(&self, rows: &[u32]) -> Vec<f64> {
        let each = rows.iter();
        each.flat_map(|&row| &self.numbers[row as usize * self.width..][..self.width])
            .copied()
            .collect()
    }

    fn empty(&self) -> Sums {
        Sums::empty(self.width)
    }

    fn dividing(&self, summary: &Sums) -> Sums {
        summary.clone().dividing()
    }

    #[inline]
    fn add(&self, summary: &mut Sums, local: &Vec<f64>, place: usize, weight: f64) {
        summary.add(&local[place * self.width..][..self.width], weight);
    }

    #[inline]
    fn remove(&self, summary: &mut Sums, local: &Vec<f64>, place: usize, weight: f64) {
        summary.add(&local[place * self.width..][..self.width], -weight);
    }

    fn join(&self, summary: &mut Sums, other: &Sums, times: f64) {
        summary.join(other, times);
    }

    fn weight(&self, summary: &Sums) -> f64 {
        summary.weight
    }

    fn spread(&self, summary: &Sums) -> f64 {
        match self.measure {
            SpreadMeasure::Deviation => summary.deviation(),
            SpreadMeasure::Variance => summary.spread(),
            SpreadMeasure::Entropy => {
                let known = summary.sums.iter().zip(&self.means);
                let weights = known.map(|(sum, mean)| (sum + mean * summary.weight).max(0.0));
                let weights: Vec<f64> = weights.collect();
                spread_of(&weights, weights.iter().sum(), Impurity::Entropy)
            }
        }
    }

    fn is_pure(&self, summary: &Sums) -> bool {
        summary.spread() <= 1e-12 * self.whole.spread() / self.whole.weight
    }

    fn determined(&self, summary: &Sums) -> f64 {
        summary.determined()
    }

    fn answers(&self, examples: &Examples<'_, Sums>) -> Vec<Answer> {
        let own =
            |(place, &row): (usize, &u32)| examples.weight(place) == self.weights[row as usize];
        if examples.rows.iter().enumerate().all(own) {
            return self.targets_of(examples.rows, &self.weights);
        }
        // In a sample of a forest an example counts as often as it was drawn.
        let mut weights = vec![0.0; self.weights.len()];
        for (place, &row) in examples.rows.iter().enumerate() {
            weights[row as usize] = examples.weight(place);
        }
        self.targets_of(examples.rows, &weights)
    }

    fn spread_behind(&self, answers: &Answers) -> f64 {
        if self.measure == SpreadMeasure::Entropy {
            return classes_behind(answers, Impurity::Entropy);
        }
        let each = answers.targets.iter().zip(&self.scales);
        let spread: f64 = each.map(|(answer, scale)| scale * answer.squares()).sum();
        match self.measure {
            SpreadMeasure::Deviation => (spread * answers.weight).sqrt(),
            SpreadMeasure::Variance | SpreadMeasure::Entropy => spread,
        }
    }

    fn level(&self, summary: &Sums, _: &Sums) -> f64 {
        summary.sums[0] / summary.weight.max(f64::MIN_POSITIVE)
    }

    fn groups(&self, examples: &Examples<'_, Sums>, most: usize) -> Grouping {
        let first = |&row: &u32| self.numbers[row as usize * self.width];
        let numbers: Vec<f64> = examples.rows.iter().map(first).collect();
        by_number(&numbers, |place| examples.weight(place), most)
    }
}

/// Subtracts the mean of each number; what is missing counts as the mean. The means.
fn centre(numbers: &mut [f64], width: usize, weights: &[f64]) -> Vec<f64> {
    let mut means = Vec::with_capacity(width);
    for place in 0..width {
        let (mut sum, mut total) = (0.0, 0.0);
        for (own, &weight) in numbers.chunks(width).zip(weights) {
            if !own[place].is_nan() {
                sum += weight * own[place];
                total += weight;
            }
        }
        let mean = if total > 0.0 { sum / total } else { 0.0 };
        for own in numbers.chunks_mut(width) {
            own[place] = match own[place].is_nan() {
                true => 0.0,
                false => own[place] - mean,
            };
        }
        means.push(mean);
    }
    means
}

/// By number and by target, the square of what it is multiplied by: of several targets each counts
/// the same in units of its variance, times what it is to count. In a hierarchy labels further down
/// count less.
fn scales(
    numbers: &[f64],
    widths: &[usize],
    kinds: &[TargetOf],
    weights: &[f64],
    counts: &TargetScales,
) -> (Vec<f64>, Vec<f64>) {
    let width: usize = widths.iter().sum();
    let (mut scales, mut targets) = (Vec::with_capacity(width), Vec::new());
    for (target, (kind, &own)) in kinds.iter().zip(widths).enumerate() {
        let start = scales.len();
        let squares = |(row, weight): (&[f64], &f64)| {
            let own = row[start..start + own].iter();
            weight * own.map(|x| x * x).sum::<f64>()
        };
        let variance = match kinds.len() > 1 {
            true => {
                let squares = numbers.chunks(width).zip(weights).map(squares);
                squares.sum::<f64>() / weights.iter().sum::<f64>()
            }
            false => 1.0,
        };
        let unit = if variance > 0.0 { variance } else { 1.0 };
        let counted = counts.targets.get(target).copied().unwrap_or(1.0);
        targets.push(counted / unit);
        scales.extend(std::iter::repeat_n(counted / unit, own));
        if let (Some(labels), Some(below)) = (kind.kind.as_labels(), counts.below) {
            for (label, scale) in (0u32..).zip(&mut scales[start..]) {
                let parent = |&label: &u32| labels.parent(label);
                let above = std::iter::successors(Some(label), parent).count() as i32 - 1;
                *scale *= below.powi(above);
            }
        }
    }
    (scales, targets)
}
