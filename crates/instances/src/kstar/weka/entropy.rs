//! Weka's automatic blend: a walk along the scale to where the classes in the sphere are least like
//! shuffled ones.

use super::super::entropic::Group;
use super::super::stored::{Numbers, Symbols};
use super::{HIGH, LOW, entropies};

/// Shuffles of the class column.
pub const SHUFFLES: usize = 5;
/// The logarithm of 2 as Weka has it.
#[allow(
    clippy::approx_constant,
    reason = "the ninth digit is Weka's, and is to be reproduced"
)]
const LN_2: f64 = 0.693_147_181;
/// Steps of a walk, at most.
const STEPS: usize = 41;
/// A walk ends when it turns with a smaller step than this.
const SMALLEST_STEP: f64 = 0.01;
/// Differences below this count as this, for numbers.
const FLOOR: f64 = 0.1;

/// The entropy of shares of a total.
pub fn bits(masses: &[f64], total: f64) -> f64 {
    masses
        .iter()
        .map(|mass| mass / total)
        .filter(|share| *share > 0.0)
        .map(|share| -share * share.ln() / LN_2)
        .sum()
}

/// The scale of a number.
pub fn number_scale(
    stored: &Numbers,
    value: f64,
    gap: f64,
    group: &Group,
    shuffled: &[Vec<Option<u32>>],
) -> f64 {
    let known: Vec<(usize, f64)> = stored
        .values
        .iter()
        .enumerate()
        .filter(|(_, x)| !x.is_nan())
        .map(|(row, x)| (row, (x - value).abs()))
        .collect();
    let at = |scale: f64| {
        let probabilities: Vec<(usize, f64)> = known
            .iter()
            .map(|&(row, distance)| (row, scale * (-2.0 * scale * distance).exp()))
            .collect();
        entropies(probabilities.iter().copied(), group, shuffled)
    };
    let high = 8.0 / gap;
    let (actual_high, random_high) = at(high);
    let (_, random_low) = at(LOW);
    let unit = random_low - random_high;
    let mut step = (high - LOW) / 20.0;
    let mut position = LOW;
    let (mut current, mut best) = (FLOOR, (FLOOR, LOW));
    for _ in 0..STEPS {
        let last = current;
        position += (position + 1.0).ln() * step;
        let change;
        if position <= LOW || position >= high {
            position = if position <= LOW { LOW } else { high };
            (current, change) = (0.0, -1.0);
        } else {
            let (actual, random) = at(position);
            current = (random - random_high) / unit - (actual - actual_high) / unit;
            if current < FLOOR {
                current = FLOOR;
                if step < 0.0 {
                    return LOW;
                }
            }
            change = current - last;
        }
        if current > best.0 {
            best = (current, position);
        }
        if change < 0.0 {
            if step.abs() < SMALLEST_STEP {
                break;
            }
            step /= -4.0;
        }
    }
    best.1
}

/// The probability of staying a symbol.
pub fn symbol_stay(
    stored: &Symbols,
    own: Option<u32>,
    group: &Group,
    shuffled: &[Vec<Option<u32>>],
) -> f64 {
    let labels = stored.frequencies.len();
    let known: Vec<(usize, bool)> = stored
        .codes
        .iter()
        .enumerate()
        .filter(|(_, code)| (**code as usize) < labels)
        .map(|(row, code)| (row, Some(*code) == own))
        .collect();
    let at = |stay: f64| {
        let change = (1.0 - stay) / labels as f64;
        let probabilities = known
            .iter()
            .map(|&(row, same)| (row, if same { stay + change } else { change }));
        let (actual, random) = entropies(probabilities, group, shuffled);
        random - actual
    };
    let initial = 0.05;
    let (at_low, at_high) = (at(LOW), at(HIGH));
    let (mut position, mut step) = if at_low > at_high && at_low > 0.0 {
        (LOW, initial)
    } else {
        (HIGH, -initial)
    };
    let (mut current, mut best) = (0.0, (0.0, position));
    for _ in 0..STEPS {
        let last = current;
        position += step;
        let change;
        if position <= LOW || position >= HIGH {
            position = if position <= LOW { LOW } else { HIGH };
            (current, change) = (0.0, -1.0);
        } else {
            current = at(position);
            if current < 0.0 {
                current = 0.0;
                if step.abs() < initial && best.0 == 0.0 {
                    return LOW;
                }
            }
            change = current - last;
        }
        if current > best.0 {
            best = (current, position);
        }
        if change < 0.0 {
            if step.abs() < SMALLEST_STEP {
                break;
            }
            step /= -2.0;
        }
    }
    best.1
}
