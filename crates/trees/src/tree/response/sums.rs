//! Sums of a number: weight, mean and spread of the examples added so far.

use super::answer::Answer;

/// Sums of a number.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sums {
    /// The sum of weights.
    pub weight: f64,
    /// The weighted sum of values.
    pub sum: f64,
    /// The weighted sum of squares.
    pub squares: f64,
}

impl Sums {
    /// Adds a value, so many times.
    #[inline]
    pub fn add(&mut self, value: f64, weight: f64) {
        self.weight += weight;
        self.sum += weight * value;
        self.squares += weight * value * value;
    }

    /// The sum of squared deviations from the mean.
    #[inline]
    pub fn deviations(&self) -> f64 {
        if self.weight > 0.0 {
            (self.squares - self.sum * self.sum / self.weight).max(0.0)
        } else {
            0.0
        }
    }

    /// The mean; 0 of nothing.
    pub fn mean(&self) -> f64 {
        if self.weight > 0.0 {
            self.sum / self.weight
        } else {
            0.0
        }
    }

    /// Adds other sums, so many times.
    pub fn join(&mut self, other: &Self, times: f64) {
        self.weight += times * other.weight;
        self.sum += times * other.sum;
        self.squares += times * other.squares;
    }

    /// As an answer, the values having been centred.
    pub fn answer(&self, centre: f64) -> Answer {
        // What is left of larger numbers that cancel is rounding: nobody should read it as a value.
        let settled = |number: f64, of: f64| {
            if number.abs() < 1e-14 * of {
                0.0
            } else {
                number
            }
        };
        let mean = self.mean() + centre;
        Answer::number(
            self.weight.max(0.0),
            settled(mean, centre.abs()),
            settled(self.deviations(), self.squares),
        )
    }
}
