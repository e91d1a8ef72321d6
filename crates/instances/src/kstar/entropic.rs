//! The automatic blend: for each attribute and query value the blend that tells most about the
//! targets.
//!
//! Weka compares the entropy of the classes in the sphere with that under five shuffles of the
//! class column, so its answer depends on the order of the rows. Here the entropy to be expected of
//! unrelated classes is computed: that of the classes overall, less the bias `(C - 1) / (2 n ln 2)`
//! of an entropy estimated from `n` effective instances (Miller, Note on the bias of information
//! estimates, 1955). Numeric targets are cut into at most ten intervals that hold as many rows
//! each, which then are classes; several targets add up. Where no blend tells anything, the
//! attribute is silent on the value.

use kinwood_values::Column;

use super::levels::{Scale, scales};
use super::probability::{stop, symbol};
use super::sphere;
use super::stored::{Numbers, Symbols};

/// The blends that are tried.
const BLENDS: [f64; 12] = [
    0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9,
];
/// Intervals that a numeric target is cut into, at most.
const INTERVALS: usize = 10;

/// The targets of stored rows as groups: classes, or intervals of numbers.
pub struct Groups {
    targets: Vec<Group>,
}

/// One target.
pub struct Group {
    /// By row; none where the target is not known.
    pub of: Vec<Option<u32>>,
    /// How many groups there are.
    pub count: usize,
}

impl Groups {
    /// The groups of targets.
    pub fn new<'a>(targets: impl Iterator<Item = &'a Column>) -> Self {
        let group = |target: &Column| match target.codes() {
            Some((_, classes)) => Group {
                of: (0..target.len()).map(|row| target.code(row)).collect(),
                count: classes.len(),
            },
            None => intervals(target),
        };
        Self {
            targets: targets.map(group).collect(),
        }
    }

    /// The first target.
    pub fn first(&self) -> Option<&Group> {
        self.targets.first()
    }

    /// The weights of groups by place: a distinct value, a symbol, a row.
    pub fn by_place(
        &self,
        weights: &[f64],
        places: usize,
        place: impl Fn(usize) -> Option<usize>,
    ) -> Grouped {
        let mut whole = vec![0.0; places];
        let rows: Vec<(usize, usize)> = (0..weights.len())
            .filter_map(|row| Some((row, place(row)?)))
            .collect();
        for &(row, at) in &rows {
            whole[at] += weights[row];
        }
        let targets = self.targets.iter().map(|target| {
            let mut masses = vec![0.0; places * target.count];
            for &(row, at) in &rows {
                if let Some(group) = target.of[row] {
                    masses[at * target.count + group as usize] += weights[row];
                }
            }
            (target.count, masses)
        });
        Grouped {
            targets: targets.collect(),
            whole,
        }
    }
}

/// Intervals of a numeric target that hold as many rows each; equal numbers stay together.
fn intervals(target: &Column) -> Group {
    let mut numbers: Vec<f64> = (0..target.len())
        .filter_map(|row| target.number(row))
        .collect();
    numbers.sort_by(f64::total_cmp);
    let mut cuts: Vec<f64> = (1..INTERVALS)
        .filter_map(|cut| numbers.get(cut * numbers.len() / INTERVALS).copied())
        .collect();
    cuts.dedup();
    let of = |row| {
        let number = target.number(row)?;
        Some(cuts.partition_point(|cut| *cut <= number) as u32)
    };
    Group {
        of: (0..target.len()).map(of).collect(),
        count: cuts.len() + 1,
    }
}

/// Weights of groups by place.
pub struct Grouped {
    /// The number of groups, and the weights place by place.
    targets: Vec<(usize, Vec<f64>)>,
    whole: Vec<f64>,
}

impl Grouped {
    /// How many bits less than unrelated targets would have is the entropy of the targets under
    /// these probabilities of places.
    fn gain(&self, probabilities: &[f64]) -> f64 {
        let (mut sum, mut squares) = (0.0, 0.0);
        for (probability, mass) in probabilities.iter().zip(&self.whole) {
            sum += mass * probability;
            squares += mass * probability * probability;
        }
        let effective = sum * sum / squares;
        let gain = |(count, masses): &(usize, Vec<f64>)| {
            let (mut inside, mut overall) = (vec![0.0; *count], vec![0.0; *count]);
            for (masses, probability) in masses.chunks(*count).zip(probabilities) {
                for group in 0..*count {
                    inside[group] += probability * masses[group];
                    overall[group] += masses[group];
                }
            }
            let present = overall.iter().filter(|mass| **mass > 0.0).count() as f64;
            let bias = (present - 1.0) / (2.0 * effective * std::f64::consts::LN_2);
            (entropy(&overall) - bias).max(0.0) - entropy(&inside)
        };
        let gain: f64 = self
            .targets
            .iter()
            .filter(|target| target.0 > 0)
            .map(gain)
            .sum();
        if gain.is_nan() { 0.0 } else { gain }
    }
}

/// Bits.
fn entropy(masses: &[f64]) -> f64 {
    let total: f64 = masses.iter().sum();
    masses
        .iter()
        .filter(|mass| **mass > 0.0)
        .map(|mass| -(mass / total) * (mass / total).log2())
        .sum()
}

/// The scale of each query value; queries are sorted.
pub fn number_scales(
    stored: &Numbers,
    sorted: &[f64],
    weights: &[f64],
    groups: &Groups,
) -> Vec<Scale> {
    let points = &stored.line.points;
    let grouped = groups.by_place(weights, points.len(), |row| {
        let value = stored.values[row];
        (!value.is_nan()).then(|| points.partition_point(|point| *point <= value).max(1) - 1)
    });
    let mut best = vec![(0.0, Scale::FLAT); sorted.len()];
    let mut probabilities = vec![0.0; points.len()];
    for blend in BLENDS {
        let scales = scales(&stored.line, sorted, blend);
        for ((best, scale), query) in best.iter_mut().zip(scales).zip(sorted) {
            let near = stored.line.place(*query);
            for (probability, point) in probabilities.iter_mut().zip(points) {
                let distance = (point - query).abs() - near.near - near.outside;
                *probability = (-scale.rate * distance).exp();
            }
            let gain = grouped.gain(&probabilities);
            if gain > best.0 {
                *best = (gain, scale);
            }
        }
    }
    best.into_iter().map(|(_, scale)| scale).collect()
}

/// The blend for a symbol.
pub fn symbol_blend(stored: &Symbols, own: Option<u32>, grouped: &Grouped) -> f64 {
    let gain = |blend: f64| {
        let chance =
            |(code, share): (usize, &f64)| symbol(Some(code as u32) == own, stop(blend), *share);
        let probabilities: Vec<f64> = stored.frequencies.iter().enumerate().map(chance).collect();
        grouped.gain(&probabilities)
    };
    most(BLENDS.into_iter().map(|blend| (gain(blend), blend))).unwrap_or(1.0)
}

/// The rate for rows at these distances, NaN where there is none; `ordered` holds those that are
/// known, sorted.
pub fn distance_rate(
    distances: &[f64],
    ordered: &[f64],
    masses: &[f64],
    weights: &[f64],
    groups: &Groups,
) -> f64 {
    let grouped = groups.by_place(weights, distances.len(), |row| {
        (!distances[row].is_nan()).then_some(row)
    });
    let gain = |blend: f64| {
        let rate = sphere::rate(ordered, masses, blend);
        let fall = |distance: &f64| {
            if distance.is_nan() {
                0.0
            } else {
                (-rate * (distance - ordered[0])).exp()
            }
        };
        let probabilities: Vec<f64> = distances.iter().map(fall).collect();
        (grouped.gain(&probabilities), rate)
    };
    most(BLENDS.into_iter().map(gain)).unwrap_or(0.0)
}

/// What gains most, the first of equals; none if nothing gains.
fn most(gains: impl Iterator<Item = (f64, f64)>) -> Option<f64> {
    gains
        .fold((0.0, None), |best, (gain, of)| {
            if gain > best.0 {
                (gain, Some(of))
            } else {
                best
            }
        })
        .1
}
