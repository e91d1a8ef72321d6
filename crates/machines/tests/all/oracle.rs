//! A naive solver of the dual problems: accelerated projected gradients, restarted when they rise.

use kinwood_machines::Dense;

/// `minimise 1/2 b' K b + slopes' b` within bounds, the sum of each group of coefficients given.
pub struct Quadratic<'a> {
    pub matrix: &'a Dense,
    pub slopes: Vec<f64>,
    pub low: Vec<f64>,
    pub high: Vec<f64>,
    pub groups: Vec<(Vec<usize>, f64)>,
}

impl Quadratic<'_> {
    /// The least value.
    pub fn least(&self) -> f64 {
        let len = self.slopes.len();
        // No eigenvalue is above the largest sum of sizes of a row.
        let rows = (0..len).map(|row| self.matrix.at(row).iter().map(|entry| entry.abs()).sum());
        let step = 1.0 / rows.fold(1e-9, f64::max);
        let mut current = self.project(&vec![0.0; len]);
        let mut ahead = current.clone();
        let mut pace = 1.0_f64;
        for _ in 0..20_000 {
            let gradient = self.gradient(&ahead);
            let moved: Vec<f64> = (ahead.iter().zip(&gradient))
                .map(|(value, slope)| value - step * slope)
                .collect();
            let next = self.project(&moved);
            if self.value(&next) > self.value(&current) {
                pace = 1.0;
                ahead.clone_from(&current);
                continue;
            }
            let faster = (1.0 + (1.0 + 4.0 * pace * pace).sqrt()) / 2.0;
            let weight = (pace - 1.0) / faster;
            ahead = (next.iter().zip(&current))
                .map(|(next, current)| next + weight * (next - current))
                .collect();
            let change = (next.iter().zip(&current)).map(|(a, b)| (a - b).abs());
            let largest = change.fold(0.0, f64::max);
            (current, pace) = (next, faster);
            if largest < 1e-13 {
                break;
            }
        }
        self.value(&current)
    }

    fn products(&self, at: &[f64]) -> Vec<f64> {
        let row = |row: usize| self.matrix.at(row).iter().zip(at);
        (0..at.len())
            .map(|index| row(index).map(|(entry, value)| entry * value).sum())
            .collect()
    }

    fn gradient(&self, at: &[f64]) -> Vec<f64> {
        let products = self.products(at);
        products
            .iter()
            .zip(&self.slopes)
            .map(|(a, b)| a + b)
            .collect()
    }

    fn value(&self, at: &[f64]) -> f64 {
        let products = self.products(at);
        (0..at.len())
            .map(|index| at[index] * (0.5 * products[index] + self.slopes[index]))
            .sum()
    }

    /// The nearest feasible point: each group is moved until its sum within bounds is right.
    fn project(&self, point: &[f64]) -> Vec<f64> {
        let mut projected = point.to_vec();
        for (members, sum) in &self.groups {
            let placed = |shift: f64| {
                let moved =
                    move |&at: &usize| (point[at] + shift).clamp(self.low[at], self.high[at]);
                members.iter().map(moved)
            };
            let reach = members
                .iter()
                .map(|&at| point[at].abs() + self.low[at].abs() + self.high[at].abs());
            let reach = reach.fold(0.0, f64::max);
            let (mut below, mut above) = (-reach, reach);
            for _ in 0..80 {
                let middle = (below + above) / 2.0;
                if placed(middle).sum::<f64>() < *sum {
                    below = middle;
                } else {
                    above = middle;
                }
            }
            for (&at, value) in members.iter().zip(placed(above)) {
                projected[at] = value;
            }
        }
        projected
    }
}
