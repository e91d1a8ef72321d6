//! The primary instance of an object: of all combinations of its values the one nearest to an
//! instance of training.
//!
//! The squared distance is a sum over the variables, so for a stored instance the nearest
//! combination takes the nearest value of each variable: combinations are never enumerated. Stored
//! instances lie in a tree of boxes; one whose box is too far is not looked into.

use super::variables::nearest;

/// At most so many instances in a box that is not divided.
const FEW: usize = 16;

/// Stored instances in boxes.
pub struct Nearest<'a> {
    width: usize,
    points: &'a [f64],
    /// The instances, those of a box side by side.
    order: Vec<u32>,
    boxes: Vec<Box>,
    /// The least and greatest value of each variable.
    ranges: Vec<(f64, f64)>,
}

struct Box {
    from: u32,
    to: u32,
    /// The boxes within, if it is divided: this one and the next.
    within: Option<[u32; 2]>,
    bounds: Vec<(f64, f64)>,
}

impl<'a> Nearest<'a> {
    /// Instances of so many numbers each, one after the other.
    pub fn new(points: &'a [f64], width: usize) -> Self {
        let count = points.len() / width.max(1);
        let mut index = Self {
            width,
            points,
            order: (0..count as u32).collect(),
            boxes: Vec::new(),
            ranges: Vec::new(),
        };
        if count > 0 {
            index.enclose(0, count);
            index.ranges = index.boxes[0].bounds.clone();
        }
        index
    }

    fn point(&self, instance: u32) -> &'a [f64] {
        &self.points[instance as usize * self.width..][..self.width]
    }

    fn enclose(&mut self, from: usize, to: usize) {
        // An explicit stack: equal instances make no tree deeper than it must be, but nothing
        // bounds it otherwise.
        let mut pending = vec![(from, to, None::<(usize, usize)>)];
        while let Some((from, to, above)) = pending.pop() {
            let mut bounds = vec![(f64::INFINITY, f64::NEG_INFINITY); self.width];
            for &instance in &self.order[from..to] {
                for (bound, &value) in bounds.iter_mut().zip(self.point(instance)) {
                    *bound = (bound.0.min(value), bound.1.max(value));
                }
            }
            let place = self.boxes.len();
            if let Some((parent, side)) = above {
                self.boxes[parent].within.get_or_insert([0, 0])[side] = place as u32;
            }
            let widest = (0..self.width).max_by(|&a, &b| {
                let span = |place: usize| bounds[place].1 - bounds[place].0;
                span(a).total_cmp(&span(b)).then(b.cmp(&a))
            });
            let divided =
                widest.filter(|&widest| to - from > FEW && bounds[widest].1 > bounds[widest].0);
            self.boxes.push(Box {
                from: from as u32,
                to: to as u32,
                within: None,
                bounds,
            });
            if let Some(axis) = divided {
                let middle = (to - from) / 2;
                let (points, width) = (self.points, self.width);
                let value = |instance: u32| points[instance as usize * width + axis];
                self.order[from..to].select_nth_unstable_by(middle, |&a, &b| {
                    value(a).total_cmp(&value(b)).then(a.cmp(&b))
                });
                pending.push((from + middle, to, Some((place, 1))));
                pending.push((from, from + middle, Some((place, 0))));
            }
        }
    }

    /// The nearest stored instance and the place of the value chosen of each variable; of instances
    /// as near the first. Every variable has a value, rising ones if several. Differences count in
    /// units of the range of a variable's values, stored and asked.
    pub fn find(&self, values: &[&[f64]]) -> Option<(u32, Vec<usize>)> {
        if self.boxes.is_empty() {
            return None;
        }
        let units: Vec<f64> = self
            .ranges
            .iter()
            .zip(values)
            .map(|(range, values)| {
                let least = values.first().map_or(range.0, |first| range.0.min(*first));
                let most = values.last().map_or(range.1, |last| range.1.max(*last));
                if most > least {
                    most - least
                } else {
                    f64::INFINITY
                }
            })
            .collect();
        let mut best = (f64::INFINITY, u32::MAX);
        let mut pending = vec![(self.bound(0, values, &units), 0u32)];
        while let Some((bound, place)) = pending.pop() {
            if bound > best.0 {
                continue;
            }
            let own = &self.boxes[place as usize];
            let Some(within) = own.within else {
                for &instance in &self.order[own.from as usize..own.to as usize] {
                    let far = self.distance(instance, values, &units);
                    if far < best.0 || (far == best.0 && instance < best.1) {
                        best = (far, instance);
                    }
                }
                continue;
            };
            let mut next = within.map(|place| (self.bound(place, values, &units), place));
            // The nearer one last: it is looked into first.
            if next[0].0 < next[1].0 {
                next.swap(0, 1);
            }
            pending.extend(next);
        }
        // Infinite values are no distance from each other: the first instance is as good as any.
        if best.1 == u32::MAX {
            best.1 = 0;
        }
        let point = self.point(best.1);
        let chosen = values
            .iter()
            .zip(point)
            .map(|(values, &to)| nearest(values, to));
        Some((best.1, chosen.collect()))
    }

    fn distance(&self, instance: u32, values: &[&[f64]], units: &[f64]) -> f64 {
        let each = self.point(instance).iter().zip(values).zip(units);
        each.map(|((&to, values), unit)| {
            let difference = (values[nearest(values, to)] - to) / unit;
            difference * difference
        })
        .sum()
    }

    /// No instance of the box is nearer than this.
    fn bound(&self, place: u32, values: &[&[f64]], units: &[f64]) -> f64 {
        let each = self.boxes[place as usize]
            .bounds
            .iter()
            .zip(values)
            .zip(units);
        each.map(|((&(low, high), values), unit)| {
            let after = values.partition_point(|value| *value < low);
            let above = values
                .get(after)
                .map_or(f64::INFINITY, |value| (value - high).max(0.0));
            let below = after
                .checked_sub(1)
                .map_or(f64::INFINITY, |place| low - values[place]);
            let difference = above.min(below) / unit;
            difference * difference
        })
        .sum()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    kinwood_testing::soak! { 256;
        fn soak_the_nearest_of_all_combinations_is_found(
            width in 1usize..4,
            points in proptest::collection::vec(-9i32..9, 3..240),
            asked in proptest::collection::vec(proptest::collection::btree_set(-12i32..12, 1..5), 3),
        ) {
            let points: Vec<f64> = points.iter().map(|&x| f64::from(x)).collect();
            let points = &points[..points.len() / width * width];
            let values: Vec<Vec<f64>> = asked[..width].iter().map(|own| own.iter().map(|&x| f64::from(x)).collect()).collect();
            let values: Vec<&[f64]> = values.iter().map(Vec::as_slice).collect();
            let index = Nearest::new(points, width);
            let (instance, chosen) = index.find(&values).unwrap();
            let mut combinations: Vec<Vec<f64>> = vec![Vec::new()];
            for own in &values {
                combinations = combinations.iter().flat_map(|before| own.iter().map(move |&x| [before.clone(), vec![x]].concat())).collect();
            }
            let unit = |place: usize| {
                let all = || points.iter().skip(place).step_by(width).chain(values[place]);
                let (low, high) = (all().copied().fold(f64::INFINITY, f64::min), all().copied().fold(f64::NEG_INFINITY, f64::max));
                if high > low { high - low } else { f64::INFINITY }
            };
            let far = |point: &[f64], own: &[f64]| -> f64 {
                (0..width).map(|place| ((own[place] - point[place]) / unit(place)).powi(2)).sum()
            };
            let least = points.chunks(width).flat_map(|point| combinations.iter().map(move |own| far(point, own))).fold(f64::INFINITY, f64::min);
            let own: Vec<f64> = (0..width).map(|place| values[place][chosen[place]]).collect();
            let found = far(&points[instance as usize * width..][..width], &own);
            prop_assert!((found - least).abs() < 1e-12);
            let first = points.chunks(width).position(|point| combinations.iter().any(|own| far(point, own) == found));
            prop_assert_eq!(first, Some(instance as usize));
        }
    }
}
