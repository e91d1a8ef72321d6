//! Where an input is best cut in two: one sweep over its sorted values.

/// Tests of which one is better by less than this share of the node's spread are as good as each
/// other, and the first is taken.
pub const ALIKE: f64 = 1e-6;
/// The same between thresholds of one number: only rounding tells these apart.
const ROUNDING: f64 = 1e-10;
/// A variance of less than this share of the node's is none: the fifth root would make much of
/// rounding.
const NOTHING: f64 = 1e-12;
/// At least so large a share of a node goes either way, and one row more.
const SIDE: f64 = 0.2;

/// The best place to cut an input.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cut {
    /// By how much the spread falls.
    pub gain: f64,
    /// The greatest value of the lower side and the least of the upper.
    pub between: (f64, f64),
    /// The weight of the lower side.
    pub below: f64,
    /// The squared deviations on both sides, each from its own mean.
    pub squares: f64,
}

/// The rows of a node as sweeps see them.
pub struct Node {
    weight: f64,
    mean: f64,
    variance: f64,
    /// The spread of all.
    pub spread: f64,
    least: f64,
}

impl Node {
    /// Sums up rows of numbers and weights.
    pub fn new(rows: impl Iterator<Item = (f64, f64)> + Clone) -> Self {
        let weight: f64 = rows.clone().map(|(_, weight)| weight).sum();
        let mean = rows
            .clone()
            .map(|(number, weight)| weight * number)
            .sum::<f64>()
            / weight;
        let squares = rows.map(|(number, weight)| weight * (number - mean) * (number - mean));
        let variance = squares.sum::<f64>() / weight;
        // A sum of parts that should be a whole number may be a little less.
        let share = (SIDE * weight + 1e-9).floor().max(1.0);
        Self {
            weight,
            mean,
            variance,
            spread: variance.powf(ROOT),
            least: share + 1.0 - 1e-9,
        }
    }

    /// The weight of the rows.
    pub fn weight(&self) -> f64 {
        self.weight
    }

    /// The mean of their numbers.
    pub fn mean(&self) -> f64 {
        self.mean
    }

    /// The standard deviation.
    pub fn deviation(&self) -> f64 {
        self.variance.sqrt()
    }

    /// The squared deviations from the mean.
    pub fn squares(&self) -> f64 {
        self.variance * self.weight
    }

    /// The best cut of rows that are sorted by value, each with its value, number and weight; the
    /// first of equals.
    pub fn best(&self, rows: impl Iterator<Item = (f64, f64, f64)>, ranked: bool) -> Option<Cut> {
        let margin = self.spread * if ranked { ALIKE } else { ROUNDING };
        let whole = self.variance * self.weight;
        let (mut weight, mut sum, mut squares) = (0.0, 0.0, 0.0);
        let mut before: Option<f64> = None;
        let mut best: Option<Cut> = None;
        for (value, number, own) in rows {
            if let Some(before) = before.filter(|&before| before < value) {
                let rest = self.weight - weight;
                if rest < self.least {
                    break;
                }
                if weight >= self.least {
                    // Around the mean of the node the sum of the upper side is that of the lower,
                    // turned round.
                    let lower = weight * self.part(weight, sum, squares);
                    let upper = rest * self.part(rest, sum, whole - squares);
                    let gain = self.spread - (lower + upper) / self.weight;
                    if best.is_none_or(|best| gain > best.gain + margin) {
                        best = Some(Cut {
                            gain,
                            between: (before, value),
                            below: weight,
                            squares: (whole - sum * sum * (1.0 / weight + 1.0 / rest)).max(0.0),
                        });
                    }
                }
            }
            let apart = number - self.mean;
            weight += own;
            sum += own * apart;
            squares += own * apart * apart;
            before = Some(value);
        }
        best
    }

    /// The spread of a part.
    fn part(&self, weight: f64, sum: f64, squares: f64) -> f64 {
        let mean = sum / weight;
        let variance = squares / weight - mean * mean;
        match variance <= NOTHING * self.variance {
            true => 0.0,
            false => variance.powf(ROOT),
        }
    }
}

/// A spread is the fifth root of a variance: less than the deviation it depends on rows that are
/// far from the others.
const ROOT: f64 = 0.2;

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Every cut, computed on its own.
    fn tried(rows: &[(f64, f64, f64)]) -> Option<f64> {
        let spread = |part: &[(f64, f64, f64)]| {
            let weight: f64 = part.iter().map(|row| row.2).sum();
            let mean = part.iter().map(|row| row.1 * row.2).sum::<f64>() / weight;
            let squares: f64 = part.iter().map(|row| row.2 * (row.1 - mean).powi(2)).sum();
            (weight, (squares / weight).powf(0.2))
        };
        let (total, whole) = spread(rows);
        let least = (total / 5.0).floor().max(1.0) + 1.0;
        let cuts = 1..rows.len();
        let gains = cuts
            .filter(|&at| rows[at - 1].0 < rows[at].0)
            .filter_map(|at| {
                let ((low, lower), (high, upper)) = (spread(&rows[..at]), spread(&rows[at..]));
                (low >= least && high >= least)
                    .then(|| whole - low / total * lower - high / total * upper)
            });
        gains.max_by(f64::total_cmp)
    }

    kinwood_testing::soak! { 256;
        fn soak_a_sweep_finds_what_trying_every_cut_finds(
            rows in prop::collection::vec((0i32..9, -20i32..20, 1u8..4), 1..40)
        ) {
            let mut rows: Vec<(f64, f64, f64)> = rows
                .into_iter()
                .map(|(value, number, weight)| (f64::from(value), f64::from(number), f64::from(weight)))
                .collect();
            rows.sort_by(|a, b| a.0.total_cmp(&b.0));
            let node = Node::new(rows.iter().map(|row| (row.1, row.2)));
            let cut = node.best(rows.iter().copied(), false);
            let expected = tried(&rows);
            prop_assert_eq!(cut.is_some(), expected.is_some());
            if let (Some(cut), Some(expected)) = (cut, expected) {
                prop_assert!((cut.gain - expected).abs() < 1e-6, "{} {}", cut.gain, expected);
            }
        }
    }

    #[test]
    fn both_sides_have_a_fifth_of_the_rows_and_one_more() {
        // The best cut by far would leave one row alone.
        let rows: Vec<(f64, f64, f64)> = (0..10)
            .map(|row| {
                (
                    f64::from(row),
                    if row == 0 { 100.0 } else { f64::from(row) },
                    1.0,
                )
            })
            .collect();
        let node = Node::new(rows.iter().map(|row| (row.1, row.2)));
        let cut = node.best(rows.into_iter(), false).unwrap();
        assert_eq!(cut.between, (2.0, 3.0));
    }
}
