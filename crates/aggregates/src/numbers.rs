//! Sums over parts of a list of numbers, and what is made of them.
//!
//! What is computed of the first numbers of a list depends on those alone, bit by bit: later ones
//! may be of the future. A list that is longer gives the same.

use std::ops::Range;

/// Below this length, parts are added up anew rather than as a difference of two sums, which is
/// exact to the size of all numbers before and not to that of the part.
const SHORT: usize = 64;

/// The sums of the first numbers of a list.
#[derive(Default)]
pub(crate) struct Sums {
    first: Vec<f64>,
}

impl Sums {
    pub fn fill(&mut self, values: impl Iterator<Item = f64>) {
        self.first.clear();
        let mut sum = 0.0;
        self.first.push(sum);
        self.first.extend(values.map(|value| {
            sum += value;
            sum
        }));
    }

    /// The sum of a part; NaN where no number holds it.
    pub fn sum(&self, values: &[f64], part: Range<usize>) -> f64 {
        if part.start == 0 {
            return self.first[part.end];
        }
        let difference = self.first[part.end] - self.first[part.start];
        match part.len() > SHORT && difference.is_finite() {
            true => difference,
            false => values[part].iter().sum(),
        }
    }

    /// The mean of a part; NaN where it is empty.
    pub fn mean(&self, values: &[f64], part: Range<usize>) -> f64 {
        let count = part.len() as f64;
        let sum = self.sum(values, part.clone());
        match sum.is_finite() {
            true => sum / count,
            // Numbers whose sum no double holds still have a mean.
            false => values[part].iter().map(|value| value / count).sum(),
        }
    }
}

/// The spread of numbers that come in one after the other (Welford's recurrence).
#[derive(Clone, Copy, Default)]
pub(crate) struct Spread {
    count: f64,
    mean: f64,
    squares: f64,
}

impl Spread {
    pub fn add(&mut self, value: f64) {
        self.count += 1.0;
        let step = value - self.mean;
        self.mean += step / self.count;
        self.squares += step * (value - self.mean);
    }

    /// The standard deviation of a sample; NaN of fewer than two numbers.
    pub fn deviation(&self) -> f64 {
        match self.count < 2.0 {
            true => f64::NAN,
            false => (self.squares / (self.count - 1.0)).max(0.0).sqrt(),
        }
    }
}

/// The line of least squares through points that come in one after the other.
#[derive(Clone, Copy, Default)]
pub(crate) struct Slope {
    count: f64,
    time: f64,
    value: f64,
    times: f64,
    both: f64,
}

impl Slope {
    pub fn add(&mut self, time: f64, value: f64) {
        self.count += 1.0;
        let step = time - self.time;
        self.time += step / self.count;
        self.times += step * (time - self.time);
        self.value += (value - self.value) / self.count;
        self.both += step * (value - self.value);
    }

    /// NaN where all points are of one time.
    pub fn slope(&self) -> f64 {
        match self.times > 0.0 {
            true => self.both / self.times,
            false => f64::NAN,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_add_up() {
        let values: Vec<f64> = (0..300).map(|i| f64::from(i % 7) + 0.5).collect();
        let mut sums = Sums::default();
        sums.fill(values.iter().copied());
        for part in [0..0, 0..300, 3..9, 10..200, 299..300] {
            let direct: f64 = values[part.clone()].iter().sum();
            assert!((sums.sum(&values, part.clone()) - direct).abs() < 1e-9);
        }
        assert!(sums.mean(&values, 0..0).is_nan());
        let huge = [1e308, 1e308, 1e308];
        sums.fill(huge.into_iter());
        assert!((sums.mean(&huge, 0..3) / 1e308 - 1.0).abs() < 1e-12);
        assert!((sums.mean(&huge, 1..3) / 1e308 - 1.0).abs() < 1e-12);
    }

    #[test]
    fn a_line_is_found_again() {
        let mut slope = Slope::default();
        assert!(slope.slope().is_nan());
        for time in [3.0, 4.0, 10.0, 11.0] {
            slope.add(time, 2.0 - 0.5 * time);
        }
        assert!((slope.slope() + 0.5).abs() < 1e-12);
        let mut spread = Spread::default();
        [1.0, 2.0, 3.0, 4.0]
            .iter()
            .for_each(|&value| spread.add(value));
        assert!((spread.deviation() - (5.0f64 / 3.0).sqrt()).abs() < 1e-12);
    }
}
