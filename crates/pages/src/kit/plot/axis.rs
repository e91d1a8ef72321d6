//! Axes from tick to tick.

use crate::kit::number::{ends, short};

/// A direction of a chart.
#[derive(Clone, Debug)]
pub(crate) struct Axis {
    /// What it is of; nothing where the chart says so elsewhere.
    pub label: String,
    pub least: f64,
    greatest: f64,
    step: f64,
}

impl Axis {
    /// Shares, from none to all.
    pub fn shares(label: &str) -> Self {
        Self {
            label: label.to_owned(),
            least: 0.0,
            greatest: 1.0,
            step: 0.2,
        }
    }

    /// An axis on which all of these numbers have their place.
    pub fn around(label: &str, numbers: impl IntoIterator<Item = f64>) -> Self {
        let finite = numbers.into_iter().filter(|number| number.is_finite());
        let (least, greatest) = match ends(finite) {
            (least, greatest) if least <= greatest => (least, greatest),
            _ => (0.0, 1.0),
        };
        // One number alone stands in the middle.
        let half = match greatest > least {
            true => 0.0,
            false => (least.abs() * 0.1).max(0.5),
        };
        let step = tick_step((greatest - least) + 2.0 * half);
        let steps = |number: f64| number / step;
        let (low, high) = (steps(least - half).floor(), steps(greatest + half).ceil());
        Self {
            label: label.to_owned(),
            ..Self::of_steps(step, low, high)
        }
    }

    /// An axis from one multiple of a step to another.
    pub fn of_steps(step: f64, low: f64, high: f64) -> Self {
        Self {
            label: String::new(),
            least: low * step,
            greatest: high * step,
            step,
        }
    }

    /// How far along a number stands, 0 to 1.
    pub fn along(&self, number: f64) -> f64 {
        let along = number / 2.0 - self.least / 2.0;
        let along = along / (self.greatest / 2.0 - self.least / 2.0);
        // What is no number has no place; it stands at the beginning.
        if along.is_nan() {
            0.0
        } else {
            along.clamp(0.0, 1.0)
        }
    }

    /// The numbers that have a tick.
    pub fn ticks(&self) -> impl Iterator<Item = f64> + use<> {
        let count = ((self.greatest - self.least) / self.step).round() as usize;
        let (least, step) = (self.least, self.step);
        (0..=count.min(20)).map(move |tick| least + tick as f64 * step)
    }

    /// A tick in as many digits as the step needs.
    pub fn digits(&self, tick: f64) -> String {
        rounded(tick, self.step)
    }

    /// A tick in few characters: large numbers by their powers of ten, and nothing as 0.
    pub fn words(&self, tick: f64) -> String {
        let text = match self.least.abs().max(self.greatest.abs()) >= 1e6 {
            true => short(tick),
            false => self.digits(tick),
        };
        // Nothing below zero is not a number to read.
        match text.trim_start_matches('-').trim_matches(['0', '.']) {
            "" => "0".to_owned(),
            _ => text,
        }
    }
}

/// The distance of ticks for about five of them: 1, 2 or 5 times a power of ten.
pub(crate) fn tick_step(range: f64) -> f64 {
    if !(range > 0.0 && range.is_finite()) {
        return 1.0;
    }
    let rough = range / 5.0;
    let power = 10f64.powf(rough.log10().floor());
    let factor = [1.0, 2.0, 5.0, 10.0];
    let wanted = factor
        .iter()
        .find(|factor| **factor * power >= rough * 0.999);
    // A range below what numbers can tell apart has no finer ticks.
    (wanted.unwrap_or(&10.0) * power).max(f64::MIN_POSITIVE)
}

/// A number in as many digits as a step needs.
pub(crate) fn rounded(value: f64, step: f64) -> String {
    let digits = (-step.log10().floor()).clamp(0.0, 12.0) as usize;
    format!("{value:.digits$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round() {
        let steps = [1.0, 0.43, 73.0, 0.0, f64::INFINITY].map(tick_step);
        assert_eq!(steps, [0.2, 0.1, 20.0, 1.0, 1.0]);
        assert_eq!(rounded(0.30000000000000004, 0.1), "0.3");
        assert_eq!(rounded(40.0, 20.0), "40");
    }

    #[test]
    fn axes_hold_all_numbers_and_begin_at_ticks() {
        let axis = Axis::around("x", [3.2, f64::NAN, 17.0]);
        assert_eq!((axis.least, axis.greatest, axis.step), (0.0, 20.0, 5.0));
        let alone = Axis::around("x", [4.0]);
        assert!(alone.least < 4.0 && alone.greatest > 4.0);
        let none = Axis::around("x", [f64::INFINITY]);
        assert_eq!((none.least, none.greatest), (0.0, 1.0));
        let axis = Axis::around("x", [-0.4, 0.4]);
        let texts: Vec<String> = axis.ticks().map(|tick| axis.words(tick)).collect();
        assert_eq!(texts, ["-0.4", "-0.2", "0", "0.2", "0.4"]);
        assert_eq!(axis.digits(0.0), "0.0");
    }

    #[test]
    fn what_is_no_number_stands_at_the_beginning() {
        let axis = Axis::of_steps(0.5, -1.0, 3.0);
        let places = [f64::NAN, -9.0, 0.5, 9.0].map(|number| axis.along(number));
        assert_eq!(places, [0.0, 0.0, 0.5, 1.0]);
    }
}
