//! The targets of the objects as numbers, and how spread they are.
//!
//! A number is itself, in units of its deviation where there are several targets; a class or a
//! label is a 0 or 1 each. The spread of a set of objects is the sum of squared deviations from
//! their mean over all of these, so that one sweep serves every kind of target.

use crate::tree::response::PREDICTED;
use crate::tree::{Answer, Answers, TargetOf};
use kinwood_learning::error::{Error, Result};
use kinwood_learning::task::Task;

/// The targets of a task's objects.
pub struct Response<'a> {
    task: &'a Task,
    kinds: &'a [TargetOf],
    /// Objects times width, an object after the other.
    numbers: Vec<f64>,
    width: usize,
    /// What the whole training set has.
    pub whole: Sums,
}

/// Sums over objects.
#[derive(Clone, Debug, PartialEq)]
pub struct Sums {
    /// Of weights.
    pub weight: f64,
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
    pub fn empty(width: usize) -> Self {
        Self {
            weight: 0.0,
            sums: vec![0.0; width],
            squares: 0.0,
            slack: 0.0,
        }
    }

    /// The same sums, from which others will be taken.
    pub fn dividing(mut self) -> Self {
        self.slack = 1e-13 * self.squares;
        self
    }

    /// Adds an object, or with a negative weight takes it away.
    #[inline]
    pub fn add(&mut self, numbers: &[f64], weight: f64) {
        self.weight += weight;
        for (sum, number) in self.sums.iter_mut().zip(numbers) {
            *sum += weight * number;
            self.squares += weight * number * number;
        }
    }

    /// Takes away what was added.
    pub fn subtract(&mut self, other: &Self) {
        self.weight -= other.weight;
        self.squares -= other.squares;
        for (sum, other) in self.sums.iter_mut().zip(&other.sums) {
            *sum -= other;
        }
    }

    /// The sum of squared deviations.
    #[inline]
    pub fn spread(&self) -> f64 {
        if self.weight <= 0.0 {
            return 0.0;
        }
        let between: f64 = self.sums.iter().map(|sum| sum * sum).sum();
        let spread = self.squares - between / self.weight;
        if spread > self.slack { spread } else { 0.0 }
    }

    /// The weight times the standard deviation, or with `variance` times the variance.
    #[inline]
    pub fn deviation(&self, variance: bool) -> f64 {
        match variance {
            true => self.spread(),
            false => (self.spread() * self.weight.max(0.0)).sqrt(),
        }
    }

    /// The share of the spread around the mean of the whole that is the difference of the means:
    /// the coefficient of determination of the paper. The numbers are centred on the whole, whose
    /// mean is 0.
    pub fn determined(&self) -> f64 {
        let between: f64 = self.sums.iter().map(|sum| sum * sum).sum();
        match self.squares > 0.0 && self.weight > 0.0 {
            true => between / self.weight / self.squares,
            false => 1.0,
        }
    }
}

impl<'a> Response<'a> {
    /// The targets of a task.
    pub fn new(task: &'a Task, kinds: &'a [TargetOf], weights: &[f64]) -> Result<Self> {
        let objects = task.view().len();
        let each = task.targets().iter().zip(kinds);
        let points = each.map(|(target, of)| {
            let points = of.leaf().points(&of.kind, target, weights);
            points.ok_or_else(|| Error::TargetType {
                learner: "mirt",
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
        centre(&mut numbers, width, weights);
        if kinds.len() > 1 {
            scale(&mut numbers, width, &widths, weights);
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
            whole,
        })
    }

    /// The same objects with one number each instead of their targets.
    pub fn with_numbers(&self, mut numbers: Vec<f64>) -> Self {
        let weights: Vec<f64> = (0..numbers.len())
            .map(|object| self.task.weight(object))
            .collect();
        centre(&mut numbers, 1, &weights);
        let mut whole = Sums::empty(1);
        for (number, &weight) in numbers.iter().zip(&weights) {
            whole.add(std::slice::from_ref(number), weight);
        }
        Self {
            numbers,
            width: 1,
            whole,
            ..*self
        }
    }

    /// How many numbers an object has.
    pub fn width(&self) -> usize {
        self.width
    }

    /// The numbers of an object.
    #[inline]
    pub fn of(&self, object: u32) -> &[f64] {
        &self.numbers[object as usize * self.width..][..self.width]
    }

    /// The sums over objects.
    pub fn sums(&self, objects: &[u32], weights: &[f64]) -> Sums {
        let mut sums = Sums::empty(self.width);
        for &object in objects {
            sums.add(self.of(object), weights[object as usize]);
        }
        sums
    }

    /// What a node of these objects says.
    pub fn answers(&self, objects: &[u32], weights: &[f64]) -> Answers {
        let weight = |object: u32| weights[object as usize];
        let each = self.task.targets().iter().zip(self.kinds);
        let targets = each.map(|(target, of)| {
            let leaf = of.leaf();
            Answer::new(leaf, leaf.gathered(&of.kind, target, objects, weights))
        });
        Answers {
            weight: objects.iter().map(|&object| weight(object)).sum(),
            targets: targets.collect(),
        }
    }
}

/// Subtracts the mean of each number; what is missing counts as the mean.
fn centre(numbers: &mut [f64], width: usize, weights: &[f64]) {
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
    }
}

/// Divides the numbers of each target by their deviation, so that every target counts the same.
fn scale(numbers: &mut [f64], width: usize, widths: &[usize], weights: &[f64]) {
    let mut start = 0;
    for own in widths {
        let end = start + own;
        let squares: f64 = numbers
            .chunks(width)
            .zip(weights)
            .map(|(own, weight)| weight * own[start..end].iter().map(|x| x * x).sum::<f64>())
            .sum();
        let unit = (squares / weights.iter().sum::<f64>()).sqrt();
        if unit > 0.0 {
            for own in numbers.chunks_mut(width) {
                own[start..end]
                    .iter_mut()
                    .for_each(|number| *number /= unit);
            }
        }
        start = end;
    }
}
