//! Scales of many numbers at once, by sweeping the sorted stored values at levels of the rate.
//!
//! At a fixed rate `r` the sum of `exp(-r d)` over all values left of a point follows from that of
//! the point before, so one sweep to each side gives the sums of every query. Levels stand eight to
//! the doubling of the rate: `sum P^2` at a level is `sum P` eight levels on, and the factors of
//! the next eight are the squares of these, so there is hardly an exponential. Between levels the
//! effective number is a polynomial through twelve of them, right to about ten digits. A search
//! over all values for each query, as Weka does it, costs a few hundred times as much;
//! [`super::sphere`] keeps one as the oracle.
//!
//! Levels and factors depend on the stored values alone, never on which queries are asked together.

use super::line::{Line, Place};
use super::sphere::{STEEPEST, aim, gentle, root};

/// Levels to a doubling of the rate.
const STEPS: usize = 8;
/// Levels that a value between levels is taken from.
const NODES: usize = 12;
/// Nodes before the interval that is looked into.
const BEFORE: usize = NODES / 2 - 1;
/// Doublings after which factors are computed afresh: squaring doubles their relative error.
const FRESH: i32 = 16;
/// Where that is done first, so that the usual rates need it once.
const FRESH_AT: i32 = -4;
/// The gentlest rate, as a power of two to the range: below it every value weighs the same to
/// twelve digits.
const GENTLEST: i32 = -20;
/// Queries swept together: what they keep then fits in a cache.
const TOGETHER: usize = 1024;

/// Levels swept at most for rates that others ask for.
const MOST: f64 = 44.0 * STEPS as f64;

type Lanes = [f64; STEPS];

/// The scale of a query value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    /// The inverse of `x0`.
    pub rate: f64,
    /// The logarithm of the mean of `exp(-d / x0)` over the stored values.
    pub mean: f64,
}

impl Scale {
    /// Every stored value is as near as any other.
    pub const FLAT: Scale = Scale {
        rate: 0.0,
        mean: 0.0,
    };
}

/// The scale of each query value, by the blend; queries are sorted.
pub fn scales(line: &Line, sorted: &[f64], blend: f64) -> Vec<Scale> {
    if !line.measures() {
        return vec![Scale::FLAT; sorted.len()];
    }
    let mut found = Vec::with_capacity(sorted.len());
    for queries in sorted.chunks(TOGETHER) {
        let places: Vec<Place> = queries.iter().map(|&value| line.place(value)).collect();
        let gentlest = places
            .iter()
            .map(|place| gentle(place.nearest, line.total, blend, line.range))
            .fold(f64::INFINITY, f64::min);
        let mut levels = Levels::new(line, &places, gentlest);
        found.extend((0..places.len()).map(|query| levels.scale(query, blend)));
    }
    found
}

/// Sums of `exp(-r d)` of queries at levels of the rate, the smallest distance of each query taken
/// off.
pub struct Levels<'a> {
    line: &'a Line,
    places: &'a [Place],
    /// The doubling that the first level stands at.
    first: i32,
    /// By doubling, then by query.
    sums: Vec<Vec<Lanes>>,
    /// By gap between neighbouring points: the fall across it at the levels of the last doubling.
    across: Vec<Lanes>,
    /// By query: the fall from its nearer side to the other.
    aside: Vec<Lanes>,
}

impl<'a> Levels<'a> {
    /// Levels from a rate upwards, for places in order; none is computed yet.
    pub fn new(line: &'a Line, places: &'a [Place], from: f64) -> Self {
        let doubling = (from * line.range).log2().floor();
        let doubling = if doubling > f64::from(GENTLEST) {
            doubling as i32
        } else {
            GENTLEST
        };
        Self {
            line,
            places,
            // Nodes before the first interval.
            first: doubling - 1,
            sums: Vec::new(),
            across: vec![[1.0; STEPS]; line.points.len() - 1],
            aside: vec![[1.0; STEPS]; places.len()],
        }
    }

    fn rate_at(&self, level: f64) -> f64 {
        (level / STEPS as f64 + f64::from(self.first)).exp2() / self.line.range
    }

    /// The level of a rate; fractional.
    pub fn level_of(&self, rate: f64) -> f64 {
        ((rate * self.line.range).log2() - f64::from(self.first)) * STEPS as f64
    }

    /// Sweeps the levels of one more doubling.
    fn grow(&mut self) {
        let doubling = self.first + self.sums.len() as i32;
        let fresh = (doubling - FRESH_AT).div_euclid(FRESH) * FRESH + FRESH_AT;
        let squarings = if doubling == fresh || self.sums.is_empty() {
            let rates: Lanes = std::array::from_fn(|lane| {
                (f64::from(fresh) + lane as f64 / STEPS as f64).exp2() / self.line.range
            });
            let fall = |distance: f64| rates.map(|rate| (-rate * distance).exp());
            for (factors, pair) in self.across.iter_mut().zip(self.line.points.windows(2)) {
                *factors = fall(pair[1] - pair[0]);
            }
            for (factors, place) in self.aside.iter_mut().zip(self.places) {
                *factors = fall(place.further);
            }
            doubling - fresh
        } else {
            1
        };
        for _ in 0..squarings {
            for factors in self.across.iter_mut().chain(&mut self.aside) {
                // Subnormal numbers are slow, and nothing beside what they are added to.
                *factors = factors.map(|f| if f > 1e-140 { f * f } else { 0.0 });
            }
        }
        self.sums.push(self.sweep());
    }

    /// The sums of every query: what lies to its left by a sweep upwards, to its right by a sweep
    /// downwards.
    fn sweep(&self) -> Vec<Lanes> {
        let mut sums = vec![[0.0; STEPS]; self.places.len()];
        let weighed = |sum: &Lanes, query: usize, near: bool| -> Lanes {
            if near {
                *sum
            } else {
                std::array::from_fn(|lane| sum[lane] * self.aside[query][lane])
            }
        };
        let mut sum = [0.0; STEPS];
        let mut query = 0;
        for (point, &mass) in self.line.masses.iter().enumerate() {
            if point > 0 {
                let factors = &self.across[point - 1];
                for lane in 0..STEPS {
                    sum[lane] *= factors[lane];
                }
            }
            for lane in &mut sum {
                *lane += mass;
            }
            while query < self.places.len() && self.places[query].left == point {
                sums[query] = weighed(&sum, query, self.places[query].left_is_near);
                query += 1;
            }
        }
        // Queries at the last point have nothing to their right.
        query = self
            .places
            .partition_point(|place| place.left + 1 < self.line.points.len());
        sum = [0.0; STEPS];
        for point in (1..self.line.points.len()).rev() {
            for lane in &mut sum {
                *lane += self.line.masses[point];
            }
            while query > 0 && self.places[query - 1].left + 1 == point {
                query -= 1;
                let right = weighed(&sum, query, !self.places[query].left_is_near);
                for lane in 0..STEPS {
                    sums[query][lane] += right[lane];
                }
            }
            let factors = &self.across[point - 1];
            for lane in 0..STEPS {
                sum[lane] *= factors[lane];
            }
        }
        sums
    }

    /// Sweeps until a level has a sum.
    fn reach(&mut self, level: usize) {
        while self.sums.len() * STEPS <= level {
            self.grow();
        }
    }

    fn sum(&self, query: usize, level: usize) -> f64 {
        self.sums[level / STEPS][query][level % STEPS]
    }

    /// The effective number of instances at a level.
    fn effective(&mut self, query: usize, level: usize) -> f64 {
        self.reach(level + STEPS);
        let sum = self.sum(query, level);
        sum * sum / self.sum(query, level + STEPS)
    }

    /// The sums at the nodes around the interval above a level, and on to what the effective
    /// numbers there need.
    fn around(&mut self, query: usize, level: usize) -> Window {
        let start = level.saturating_sub(BEFORE);
        self.reach(start + NODES + STEPS - 1);
        Window {
            start,
            sums: std::array::from_fn(|node| self.sum(query, start + node)),
        }
    }

    /// The effective number of a query at any rate from the gentlest of the levels upwards; none
    /// for rates so steep that sweeping up to them would not pay.
    pub fn effective_at(&mut self, query: usize, rate: f64) -> Option<f64> {
        let level = self.level_of(rate).max(0.0);
        (level < MOST).then(|| self.around(query, level as usize).effective().at(level))
    }

    fn scale(&mut self, query: usize, blend: f64) -> Scale {
        let place = self.places[query];
        let Some(gap) = place.gap else {
            return Scale::FLAT;
        };
        let total = self.line.total;
        let gentlest = gentle(place.nearest, total, blend, self.line.range);
        if gentlest * self.line.range <= f64::from(GENTLEST).exp2() {
            return Scale::FLAT;
        }
        let aim = aim(place.nearest, total, blend);
        let steepest = self.level_of(STEEPEST / gap);
        // The effective number falls with the rate: leap by doublings, then step.
        let mut level = STEPS;
        while (level as f64) < steepest && self.effective(query, level + STEPS) >= aim {
            level += STEPS;
        }
        while (level as f64) < steepest && self.effective(query, level + 1) >= aim {
            level += 1;
        }
        let window;
        let level = if level as f64 >= steepest {
            window = self.around(query, steepest as usize);
            steepest
        } else {
            window = self.around(query, level);
            let effective = window.effective();
            let (low, high) = (level as f64, level as f64 + 1.0);
            root(low, high, |at| effective.at(at) - aim).min(steepest)
        };
        let rate = self.rate_at(level);
        Scale {
            rate,
            mean: (window.sum().at(level) / total).ln() - rate * (place.near + place.outside),
        }
    }
}

/// Sums of a query at neighbouring levels.
struct Window {
    start: usize,
    sums: [f64; NODES + STEPS],
}

impl Window {
    fn effective(&self) -> Polynomial {
        let effective = |node: usize| self.sums[node] * self.sums[node] / self.sums[node + STEPS];
        Polynomial::new(self.start, effective)
    }

    fn sum(&self) -> Polynomial {
        Polynomial::new(self.start, |node| self.sums[node])
    }
}

/// The polynomial through values at neighbouring levels, in Newton's form.
struct Polynomial {
    start: f64,
    coefficients: [f64; NODES],
}

impl Polynomial {
    fn new(start: usize, value: impl FnMut(usize) -> f64) -> Self {
        let mut coefficients: [f64; NODES] = std::array::from_fn(value);
        for order in 1..NODES {
            let share = 1.0 / order as f64;
            for node in (order..NODES).rev() {
                coefficients[node] = (coefficients[node] - coefficients[node - 1]) * share;
            }
        }
        Self {
            start: start as f64,
            coefficients,
        }
    }

    fn at(&self, level: f64) -> f64 {
        let x = level - self.start;
        let (last, others) = self
            .coefficients
            .split_last()
            .expect("there are twelve coefficients");
        others
            .iter()
            .enumerate()
            .rev()
            .fold(*last, |value, (node, coefficient)| {
                value * (x - node as f64) + coefficient
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kstar::sphere;
    use kinwood_learning::random::Generator;

    /// Distances sorted, with their masses, as the oracle takes them.
    fn distances(line: &Line, value: f64) -> (Vec<f64>, Vec<f64>) {
        let mut pairs: Vec<(f64, f64)> = line
            .points
            .iter()
            .zip(&line.masses)
            .map(|(point, mass)| ((point - value).abs(), *mass))
            .collect();
        pairs.sort_by(|a, b| a.0.total_cmp(&b.0));
        pairs.into_iter().unzip()
    }

    fn agrees(line: &Line, queries: &[f64]) {
        for blend in [0.0, 0.001, 0.05, 0.2, 0.6, 0.95, 0.9999, 1.0] {
            let found = scales(line, queries, blend);
            for (&query, scale) in queries.iter().zip(&found) {
                let (distances, masses) = distances(line, query);
                let expected = sphere::rate(&distances, &masses, blend);
                let close = (scale.rate - expected).abs() <= 1e-6 * expected;
                assert!(close, "{query} at {blend}: {} not {expected}", scale.rate);
                if scale.rate > 0.0 && blend > 0.0 {
                    let (nearest, total) = (line.place(query).nearest, line.total);
                    let effective = sphere::effective(&distances, &masses, scale.rate);
                    let wanted = aim(nearest, total, blend);
                    let reached =
                        scale.rate * line.place(query).gap.unwrap() >= STEEPEST * 0.999_999;
                    assert!(
                        (effective - wanted).abs() < 1e-7 * total || reached,
                        "{query} at {blend}: {effective} not {wanted}"
                    );
                }
                let sum: f64 = distances
                    .iter()
                    .zip(&masses)
                    .map(|(d, mass)| mass * (-scale.rate * d).exp())
                    .sum();
                let mean = (sum / line.total).ln();
                assert!(
                    (scale.mean - mean).abs() < 1e-7 || sum < 1e-300,
                    "{query} at {blend}: {} not {mean}",
                    scale.mean
                );
            }
        }
    }

    #[test]
    fn levels_agree_with_the_search_over_all_distances() {
        let mut generator = Generator::new(3, &[]);
        let spread = |generator: &mut Generator| generator.normal() * 10.0;
        let values: Vec<(f64, f64)> = (0..200).map(|_| (spread(&mut generator), 1.0)).collect();
        let line = Line::new(values.into_iter());
        let mut queries: Vec<f64> = (0..40).map(|_| 1.3 * spread(&mut generator)).collect();
        queries.extend([-1e4, 1e4, line.points[0], line.points[7], line.points[199]]);
        queries.sort_by(f64::total_cmp);
        agrees(&line, &queries);
        let whole = Line::new((0..300).map(|i| (f64::from(i % 7 * i % 11), f64::from(1 + i % 2))));
        agrees(&whole, &[-1.0, 0.0, 0.5, 1.0, 3.3, 9.0, 10.0, 20.0]);
    }

    #[test]
    fn soak_levels_agree_on_any_line() {
        kinwood_testing::soak("soak_levels_agree_on_any_line", 12, |case| {
            let mut generator = Generator::new(case, &[]);
            let unit = [1.0, 1e-3, 1e4][generator.below(3)];
            let coarse = generator.below(2) == 0;
            let value = |generator: &mut Generator| {
                let value = generator.normal() * 5.0;
                unit * if coarse { value.round() } else { value }
            };
            let count = 2 + generator.below(60);
            let weighted = generator.below(2) == 0;
            let values: Vec<(f64, f64)> = (0..count)
                .map(|_| {
                    let mass = match weighted {
                        true => [0.5, 1.0, 3.0][generator.below(3)],
                        false => 1.0,
                    };
                    (value(&mut generator), mass)
                })
                .collect();
            let mut queries: Vec<f64> = (0..8).map(|_| 1.5 * value(&mut generator)).collect();
            queries.extend(values.iter().take(3).map(|(value, _)| *value));
            queries.sort_by(f64::total_cmp);
            agrees(&Line::new(values.into_iter()), &queries);
        });
    }

    #[test]
    fn far_clusters_and_tiny_gaps_are_no_trouble() {
        let clusters = (0..40).map(|i| (f64::from(i % 2) * 1e6 + 1e-3 * f64::from(i), 1.0));
        agrees(
            &Line::new(clusters),
            &[-5.0, 0.0, 1e3, 5e5, 1e6 + 0.0201, 2e6],
        );
        agrees(
            &Line::new([(1.0, 1.0), (2.0, 3.0)].into_iter()),
            &[0.0, 1.0, 1.5, 1.7, 2.0],
        );
        assert_eq!(
            scales(&Line::new([(1.0, 5.0)].into_iter()), &[3.0], 0.2),
            [Scale::FLAT]
        );
        assert_eq!(
            scales(&Line::new(std::iter::empty()), &[3.0], 0.2),
            [Scale::FLAT]
        );
        let minute = Line::new([(0.0, 1.0), (5e-324, 1.0), (1e-320, 1.0)].into_iter());
        assert_eq!(scales(&minute, &[0.0], 0.0), [Scale::FLAT]);
        let enormous = Line::new([(-1e308, 1.0), (1e308, 1.0)].into_iter());
        assert_eq!(scales(&enormous, &[0.0], 0.2), [Scale::FLAT]);
    }

    #[test]
    fn a_scale_does_not_depend_on_what_else_is_asked() {
        let line = Line::new((0..100).map(|i| (f64::from(i * i % 37), 1.0)));
        let queries: Vec<f64> = (0..80).map(|i| f64::from(i) * 0.51).collect();
        let together = scales(&line, &queries, 0.2);
        for (query, scale) in queries.iter().zip(together) {
            assert_eq!(scales(&line, &[*query], 0.2), [scale]);
        }
    }
}
