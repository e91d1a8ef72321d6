//! Stored numbers on a line: sorted once, so that a query finds its nearest values by halving and
//! its scale by sweeps.

use super::sphere::{SAME, SMALLEST};

/// Values closer than this share of the range are one point.
const MERGED: f64 = 1e-12;

/// Distinct stored values in order, each with the weight of the rows that hold it.
#[derive(Clone, Debug)]
pub struct Line {
    pub points: Vec<f64>,
    pub masses: Vec<f64>,
    pub total: f64,
    /// From the first point to the last; 0 if there is nothing to measure.
    pub range: f64,
}

/// Where a query stands among the points.
///
/// A query beyond the ends stands at the end: all its distances are larger by the same amount,
/// which changes neither the effective number of instances nor which value is nearest.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// The last point not above the query.
    pub left: usize,
    /// How far beyond the ends it is.
    pub outside: f64,
    /// The distance to the nearest point, from the end if it is outside.
    pub near: f64,
    /// How much further the neighbour on the other side is; infinite if there is none.
    pub further: f64,
    /// Whether the left neighbour is the nearest.
    pub left_is_near: bool,
    /// The weight at the smallest distance.
    pub nearest: f64,
    /// From the smallest distance to the next one; none if all are the same.
    pub gap: Option<f64>,
}

impl Line {
    /// The line of values with weights; those that weigh nothing are left out.
    pub fn new(values: impl Iterator<Item = (f64, f64)>) -> Self {
        let mut values: Vec<(f64, f64)> = values.filter(|(_, mass)| *mass > 0.0).collect();
        if values.iter().all(|(_, mass)| *mass == 1.0) {
            // Numbers alone are sorted in half the time.
            let mut numbers: Vec<f64> = values.iter().map(|(value, _)| *value).collect();
            numbers.sort_unstable_by(f64::total_cmp);
            values = numbers.into_iter().map(|value| (value, 1.0)).collect();
        } else {
            values.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
        }
        let range = match (values.first(), values.last()) {
            (Some(first), Some(last)) if (last.0 - first.0).is_finite() => last.0 - first.0,
            _ => 0.0,
        };
        let mut line = Self {
            points: Vec::new(),
            masses: Vec::new(),
            total: 0.0,
            range,
        };
        for (value, mass) in values {
            line.total += mass;
            match (line.points.last(), line.masses.last_mut()) {
                (Some(last), Some(known)) if value - last <= MERGED * range => *known += mass,
                _ => {
                    line.points.push(value);
                    line.masses.push(mass);
                }
            }
        }
        line
    }

    /// Whether distances along the line tell rows apart.
    pub fn measures(&self) -> bool {
        self.range > SMALLEST && self.points.len() > 1
    }

    /// Where a value stands. The line has points.
    pub fn place(&self, value: f64) -> Place {
        let (first, last) = (self.points[0], self.points[self.points.len() - 1]);
        let inside = value.clamp(first, last);
        let left = self.points.partition_point(|&point| point <= inside).max(1) - 1;
        let at = |position: Option<usize>| position.and_then(|i| self.points.get(i)).copied();
        let before = |steps: usize| at(left.checked_sub(steps)).map(|point| inside - point);
        let after = |steps: usize| at(Some(left + steps)).map(|point| point - inside);
        let (to_left, to_right) = (inside - self.points[left], after(1));
        let left_is_near = to_right.is_none_or(|to_right| to_left <= to_right);
        let near = to_right.map_or(to_left, |to_right| to_left.min(to_right));
        let further = to_right.map_or(f64::INFINITY, |to_right| (to_left - to_right).abs());
        let tolerance = SAME * self.range;
        let least = |a: Option<f64>, b: Option<f64>| match (a, b) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        let (nearest, next) = if further <= tolerance {
            (
                self.masses[left] + self.masses[left + 1],
                least(before(1), after(2)),
            )
        } else if left_is_near {
            (self.masses[left], least(before(1), to_right))
        } else {
            (self.masses[left + 1], least(Some(to_left), after(2)))
        };
        Place {
            left,
            outside: (value - inside).abs(),
            near,
            further,
            left_is_near,
            nearest,
            gap: next.map(|next| (next - near).max(tolerance)),
        }
    }

    /// The distance from a value to the furthest point.
    pub fn furthest(&self, value: f64) -> f64 {
        match (self.points.first(), self.points.last()) {
            (Some(first), Some(last)) => (value - first).abs().max((last - value).abs()),
            _ => 0.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_found_by_hand() {
        let line =
            Line::new([(4.0, 1.0), (1.0, 1.0), (2.0, 1.0), (4.0, 2.0), (9.0, 0.0)].into_iter());
        assert_eq!(line.points, [1.0, 2.0, 4.0]);
        assert_eq!(line.masses, [1.0, 1.0, 3.0]);
        let tie = line.place(3.0);
        assert_eq!((tie.nearest, tie.gap, tie.near), (4.0, Some(1.0), 1.0));
        let exact = line.place(2.0);
        assert_eq!(
            (exact.nearest, exact.gap, exact.near),
            (1.0, Some(1.0), 0.0)
        );
        let beyond = line.place(10.0);
        assert_eq!(
            (beyond.nearest, beyond.gap, beyond.outside),
            (3.0, Some(2.0), 6.0)
        );
        let right = line.place(3.5);
        assert_eq!(
            (right.left_is_near, right.further, right.gap),
            (false, 1.0, Some(1.0))
        );
    }
}
