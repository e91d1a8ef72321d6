//! The best division of a node by its histogram: thresholds on numbers, sets of labels, and where
//! rows without a value go.

use rayon::prelude::*;

use super::bins::{Binned, Cuts};
use super::histogram::{Histogram, Quantised, Sums};

/// Up to so many labels each is tried alone against all others.
const ALONE: usize = 4;
/// Sets have at most so many labels, or all but so many.
const MOST_LABELS: usize = 32;
/// Sums of a label are taken with so many rows of the node's mean, or those of few rows would
/// always come first.
const SMOOTHING: f64 = 10.0;
/// What of the squares of numbers drawn at random lies between the upper and the lower half of them
/// (2/π): as much of what labels that say nothing gain together is gained by the best two sets.
const BY_CHANCE: f64 = std::f64::consts::FRAC_2_PI;

/// What divisions must keep to.
#[derive(Clone, Debug, PartialEq)]
pub struct Rules {
    /// How much is taken off the sum of gradients.
    pub l1: f64,
    /// How much is added to the sum of curvatures.
    pub l2: f64,
    /// The least weight of a leaf.
    pub leaf: f64,
    /// The least sum of curvatures of a leaf.
    pub curvature: f64,
    /// The least gain.
    pub gain: f64,
    /// By feature: 1 where predictions may not fall as it rises, -1 where they may not rise.
    pub monotone: Vec<i8>,
}

/// Between which numbers the answers below a node must be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// The least.
    pub least: f64,
    /// The greatest.
    pub most: f64,
}

impl Bounds {
    /// Any number.
    pub const NONE: Bounds = Bounds {
        least: f64::NEG_INFINITY,
        most: f64::INFINITY,
    };
}

/// How a node may be divided.
#[derive(Clone, Debug, PartialEq)]
pub struct Division {
    /// The feature.
    pub feature: usize,
    /// The bins that go to the first branch: those above a place, or a set.
    pub among: Among,
    /// Whether rows without a value go to the first branch.
    pub missing: bool,
    /// By how much the loss falls.
    pub gain: f64,
    /// The first branch.
    pub yes: Sums,
    /// The other.
    pub no: Sums,
}

/// Bins.
#[derive(Clone, Debug, PartialEq)]
pub enum Among {
    /// Those above; `None` for all that are known.
    Above(Option<u8>),
    /// Those of labels.
    Labels(Vec<u8>),
}

impl Rules {
    /// The best answer for rows, within bounds.
    pub fn answer(&self, sums: &Sums, bounds: Bounds) -> f64 {
        let slope = soft(sums.gradient, self.l1);
        let curvature = sums.curvature + self.l2;
        match curvature > 0.0 {
            true => (-slope / curvature).clamp(bounds.least, bounds.most),
            false => 0.0,
        }
    }

    /// Twice by how much an answer lowers the loss.
    fn score(&self, sums: &Sums, l2: f64, bounds: Option<Bounds>) -> f64 {
        let curvature = sums.curvature + l2;
        if curvature <= 0.0 {
            return 0.0;
        }
        let slope = soft(sums.gradient, self.l1);
        match bounds {
            None => slope * slope / curvature,
            Some(bounds) => {
                let answer = (-slope / curvature).clamp(bounds.least, bounds.most);
                -(2.0 * slope * answer + curvature * answer * answer)
            }
        }
    }

    fn allows(&self, sums: &Sums) -> bool {
        sums.weight >= self.leaf && sums.curvature >= self.curvature
    }
}

fn soft(gradient: f64, l1: f64) -> f64 {
    match gradient.abs() > l1 {
        true => gradient - l1 * gradient.signum(),
        false => 0.0,
    }
}

/// A node to be divided.
pub struct Search<'a> {
    /// The rows.
    pub binned: &'a Binned,
    /// What whole numbers are worth.
    pub quantised: &'a Quantised,
    /// What divisions must keep to.
    pub rules: &'a Rules,
    /// The sums of the node.
    pub sums: Sums,
    /// What its answers must be between.
    pub bounds: Bounds,
}

impl Search<'_> {
    /// The best division by any of these features, the first of equals.
    pub fn best(&self, histogram: &Histogram, features: &[u32]) -> Option<Division> {
        let one = |&feature: &u32| self.by_feature(histogram, feature as usize);
        let found: Vec<Option<Division>> = match self.binned.cells() > 4096 {
            true => features.par_iter().with_min_len(4).map(one).collect(),
            false => features.iter().map(one).collect(),
        };
        let better = |best: Option<Division>, own: Division| match best {
            Some(best) if best.gain >= own.gain => Some(best),
            _ => Some(own),
        };
        found.into_iter().flatten().fold(None, better)
    }

    fn by_feature(&self, histogram: &Histogram, feature: usize) -> Option<Division> {
        let range = self.binned.offsets[feature]..self.binned.offsets[feature + 1];
        let cells = Cells {
            gradients: &histogram.gradients[range.clone()],
            curvatures: &histogram.curvatures[range.clone()],
            weights: histogram.weights.get(range).unwrap_or(&[]),
            units: self.quantised.units,
            per_curvature: match self.sums.curvature > 0.0 {
                true => self.sums.weight / self.sums.curvature,
                false => 0.0,
            },
        };
        match &self.binned.cuts[feature] {
            Cuts::Numbers(_) => self.by_threshold(&cells, feature),
            Cuts::Labels(_) => self.by_labels(&cells, feature),
        }
    }

    fn by_threshold(&self, cells: &Cells<'_>, feature: usize) -> Option<Division> {
        let known = cells.gradients.len() - 1;
        let missing = cells.at(known);
        let direction = self.rules.monotone.get(feature).copied().unwrap_or(0);
        let bounds = self.bounded(direction);
        let parent = self.rules.score(&self.sums, self.rules.l2, bounds);
        let mut best: Option<(f64, Option<u8>, bool, Sums)> = None;
        // Without missing values here, later ones go where more rows go.
        let gaps = missing.weight > 0.0 || missing.curvature > 0.0;
        let mut consider = |below: &Whole, cut: Option<u8>, with_missing: bool| {
            // The other branch: `below` are the rows that do not go to the first.
            let no = cells.sums(below);
            let yes = self.without(&no);
            if !self.rules.allows(&yes) || !self.rules.allows(&no) {
                return;
            }
            let Some(gain) = self.gain(&yes, &no, parent, self.rules.l2, bounds, direction) else {
                return;
            };
            if best.as_ref().is_none_or(|(most, ..)| gain > *most) {
                let missing = match gaps {
                    true => with_missing,
                    false => yes.weight > no.weight,
                };
                best = Some((gain, cut, missing, yes));
            }
        };
        let mut below = Whole::default();
        let absent = cells.whole(known);
        if gaps {
            consider(&absent, None, false);
        }
        for bin in 0..known.saturating_sub(1) {
            let own = cells.whole(bin);
            below.add(&own);
            if own.curvature == 0 && own.weight == 0 {
                continue;
            }
            consider(&below, Some(bin as u8), true);
            if gaps {
                let mut with = below;
                with.add(&absent);
                consider(&with, Some(bin as u8), false);
            }
        }
        let (gain, cut, missing, yes) = best?;
        (gain > self.rules.gain).then(|| Division {
            feature,
            among: Among::Above(cut),
            missing,
            gain,
            no: self.without(&yes),
            yes,
        })
    }

    fn by_labels(&self, cells: &Cells<'_>, feature: usize) -> Option<Division> {
        let known = cells.gradients.len() - 1;
        let present = |bin: &usize| cells.curvatures[*bin] > 0 || cells.at(*bin).weight > 0.0;
        // What is missing is a label like any other.
        let mut bins: Vec<usize> = (0..=known).filter(present).collect();
        if bins.len() < 2 {
            return None;
        }
        let bounds = self.bounded(0);
        let alone = bins.len() <= ALONE;
        let rows = match self.sums.weight > 0.0 {
            true => self.sums.curvature / self.sums.weight,
            false => 1.0,
        };
        let l2 = match alone {
            true => self.rules.l2,
            false => self.rules.l2 + SMOOTHING * rows,
        };
        let parent = self.rules.score(&self.sums, l2, bounds);
        let mut best: Option<(f64, Vec<usize>, Sums)> = None;
        let mut consider = |set: &[usize], yes: Sums| {
            let no = self.without(&yes);
            if !self.rules.allows(&yes) || !self.rules.allows(&no) {
                return;
            }
            let Some(gain) = self.gain(&yes, &no, parent, l2, bounds, 0) else {
                return;
            };
            if best.as_ref().is_none_or(|(most, ..)| gain > *most) {
                best = Some((gain, set.to_vec(), yes));
            }
        };
        if alone {
            for &bin in &bins {
                consider(&[bin], cells.at(bin));
            }
        } else {
            let mean = self.sums.gradient / self.sums.weight.max(f64::MIN_POSITIVE);
            let key = |bin: usize| {
                let own = cells.at(bin);
                (own.gradient + SMOOTHING * mean) / (own.curvature + SMOOTHING * rows)
            };
            let mut keyed: Vec<(f64, usize)> = bins.iter().map(|&bin| (key(bin), bin)).collect();
            keyed.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            bins = keyed.into_iter().map(|(_, bin)| bin).collect();
            for _ in 0..2 {
                let mut whole = Whole::default();
                for count in 1..bins.len().min(MOST_LABELS + 1) {
                    whole.add(&cells.whole(bins[count - 1]));
                    consider(&bins[..count], cells.sums(&whole));
                }
                bins.reverse();
            }
        }
        let (gain, set, yes) = best?;
        // Of many labels some sets are good by chance: that is no gain.
        let chance = match alone {
            true => 0.0,
            false => BY_CHANCE * self.quantised.noise * (bins.len() - 1) as f64,
        };
        let gain = gain - chance;
        if gain <= self.rules.gain {
            return None;
        }
        let gaps = bins.contains(&known);
        let no = self.without(&yes);
        let missing = match gaps {
            true => set.contains(&known),
            false => yes.weight > no.weight,
        };
        let labels = set.into_iter().filter(|bin| *bin != known);
        let mut labels: Vec<u8> = labels.map(|bin| bin as u8).collect();
        labels.sort_unstable();
        Some(Division {
            feature,
            among: Among::Labels(labels),
            missing,
            gain,
            yes,
            no,
        })
    }

    /// The bounds, where they are to be looked at.
    fn bounded(&self, direction: i8) -> Option<Bounds> {
        (direction != 0 || self.bounds != Bounds::NONE).then_some(self.bounds)
    }

    fn gain(
        &self,
        yes: &Sums,
        no: &Sums,
        parent: f64,
        l2: f64,
        bounds: Option<Bounds>,
        direction: i8,
    ) -> Option<f64> {
        if direction != 0 {
            let rise = self.rules.answer(yes, self.bounds) - self.rules.answer(no, self.bounds);
            if rise * f64::from(direction) < 0.0 {
                return None;
            }
        }
        let score = |sums| self.rules.score(sums, l2, bounds);
        let gain = score(yes) + score(no) - parent;
        gain.is_finite().then_some(gain)
    }

    fn without(&self, part: &Sums) -> Sums {
        Sums {
            gradient: self.sums.gradient - part.gradient,
            curvature: self.sums.curvature - part.curvature,
            weight: self.sums.weight - part.weight,
        }
    }
}

/// The cells of a feature.
struct Cells<'a> {
    gradients: &'a [i64],
    curvatures: &'a [i64],
    weights: &'a [i64],
    units: [f64; 3],
    /// The mean weight of a curvature, where weights are not counted.
    per_curvature: f64,
}

/// Sums as whole numbers.
#[derive(Clone, Copy, Default)]
struct Whole {
    gradient: i64,
    curvature: i64,
    weight: i64,
}

impl Whole {
    fn add(&mut self, other: &Whole) {
        self.gradient += other.gradient;
        self.curvature += other.curvature;
        self.weight += other.weight;
    }
}

impl Cells<'_> {
    #[inline]
    fn whole(&self, bin: usize) -> Whole {
        Whole {
            gradient: self.gradients[bin],
            curvature: self.curvatures[bin],
            weight: self.weights.get(bin).copied().unwrap_or(0),
        }
    }

    #[inline]
    fn sums(&self, whole: &Whole) -> Sums {
        let curvature = whole.curvature as f64 * self.units[1];
        Sums {
            gradient: whole.gradient as f64 * self.units[0],
            curvature,
            weight: match self.weights.is_empty() {
                true => curvature * self.per_curvature,
                false => whole.weight as f64 * self.units[2],
            },
        }
    }

    fn at(&self, bin: usize) -> Sums {
        self.sums(&self.whole(bin))
    }
}
