//! Curves that put probabilities right: what is said to happen so often, and how often it does.

use serde::{Deserialize, Serialize};

/// Probabilities are not taken nearer to 0 and 1 than this before they become log-odds.
const NEAREST: f64 = 1e-9;
/// Newton's steps end after so many.
const STEPS: usize = 100;

/// How probabilities are put right.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Calibration {
    /// By the rising step function of least squares, with straight lines between its steps.
    Isotonic,
    /// By a logistic curve over log-odds.
    Platt,
}

impl Calibration {
    /// By name.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "isotonic" => Some(Self::Isotonic),
            "platt" => Some(Self::Platt),
            _ => None,
        }
    }

    /// The name in settings.
    pub fn name(self) -> &'static str {
        match self {
            Self::Isotonic => "isotonic",
            Self::Platt => "platt",
        }
    }
}

/// A curve from a probability to a better one. It never falls.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Curve {
    /// Straight lines between points, whose places rise; level beyond them.
    Steps {
        /// Probabilities as predicted.
        at: Vec<f64>,
        /// What they become.
        becomes: Vec<f64>,
    },
    /// A logistic function of log-odds.
    Logistic {
        /// What log-odds are multiplied by.
        slope: f64,
        /// What is added.
        offset: f64,
    },
}

/// A row that a curve is fitted to.
#[derive(Clone, Copy, Debug)]
pub struct Point {
    /// What was predicted.
    pub predicted: f64,
    /// Whether it happened.
    pub happened: bool,
    /// How much it counts.
    pub weight: f64,
}

fn log_odds(probability: f64) -> f64 {
    let inside = probability.clamp(NEAREST, 1.0 - NEAREST);
    (inside / (1.0 - inside)).ln()
}

impl Curve {
    /// The curve of rows; `None` where all or none of them happened.
    pub fn fit(how: Calibration, points: &[Point]) -> Option<Self> {
        let counted = points.iter().filter(|point| point.weight > 0.0);
        let points: Vec<Point> = counted.copied().collect();
        let happened = points.iter().filter(|point| point.happened).count();
        if happened == 0 || happened == points.len() {
            return None;
        }
        Some(match how {
            Calibration::Isotonic => Self::isotonic(points),
            Calibration::Platt => Self::platt(&points),
        })
    }

    /// Pools neighbours that are out of order (Ayer and others 1955). Probabilities stay so far
    /// from 0 and 1 as so many rows can tell.
    fn isotonic(mut points: Vec<Point>) -> Self {
        points.sort_by(|a, b| a.predicted.total_cmp(&b.predicted));
        let total: f64 = points.iter().map(|point| point.weight).sum();
        let least = 1.0 / (total + 2.0);
        // By prediction: the sum of what happened, the weight, the first and the last prediction.
        let mut distinct: Vec<(f64, f64, f64, f64)> = Vec::new();
        for point in points {
            let sum = if point.happened { point.weight } else { 0.0 };
            match distinct.last_mut() {
                Some(last) if last.3 == point.predicted => {
                    last.0 += sum;
                    last.1 += point.weight;
                }
                _ => distinct.push((sum, point.weight, point.predicted, point.predicted)),
            }
        }
        let mut blocks: Vec<(f64, f64, f64, f64)> = Vec::new();
        for own in distinct {
            blocks.push(own);
            while let [.., before, last] = blocks.as_mut_slice()
                && before.0 * last.1 >= last.0 * before.1
            {
                *before = (before.0 + last.0, before.1 + last.1, before.2, last.3);
                blocks.pop();
            }
        }
        let (mut at, mut becomes) = (Vec::new(), Vec::new());
        for (sum, weight, first, last) in blocks {
            let mean = (sum / weight).clamp(least, 1.0 - least);
            at.push(first);
            becomes.push(mean);
            if last > first {
                at.push(last);
                becomes.push(mean);
            }
        }
        Self::Steps { at, becomes }
    }

    /// A logistic regression of what happened on the log-odds that were predicted, by Newton's
    /// steps, towards targets a little inside of 0 and 1 (Platt 1999; Lin, Lin and Weng 2007).
    fn platt(points: &[Point]) -> Self {
        let sum = |happened: bool| -> f64 {
            let own = points.iter().filter(|point| point.happened == happened);
            own.map(|point| point.weight).sum()
        };
        let (yes, no) = (sum(true), sum(false));
        let (high, low) = ((yes + 1.0) / (yes + 2.0), 1.0 / (no + 2.0));
        let rows: Vec<(f64, f64, f64)> = points
            .iter()
            .map(|point| {
                let target = if point.happened { high } else { low };
                (log_odds(point.predicted), target, point.weight)
            })
            .collect();
        let loss = |slope: f64, offset: f64| -> f64 {
            let each = rows.iter().map(|(x, target, weight)| {
                let score = slope * x + offset;
                weight * (score.max(0.0) - target * score + (-score.abs()).exp().ln_1p())
            });
            each.sum()
        };
        let (mut slope, mut offset) = (1.0, 0.0);
        let mut now = loss(slope, offset);
        for _ in 0..STEPS {
            let (mut g, mut h) = ([0.0; 2], [1e-12, 0.0, 1e-12]);
            for (x, target, weight) in &rows {
                let p = 1.0 / (1.0 + (-(slope * x + offset)).exp());
                let (first, second) = (weight * (p - target), weight * p * (1.0 - p));
                g[0] += first * x;
                g[1] += first;
                h[0] += second * x * x;
                h[1] += second * x;
                h[2] += second;
            }
            let determinant = h[0] * h[2] - h[1] * h[1];
            if determinant.abs() < 1e-300 {
                break;
            }
            let step = [
                (h[2] * g[0] - h[1] * g[1]) / determinant,
                (h[0] * g[1] - h[1] * g[0]) / determinant,
            ];
            let mut share = 1.0;
            let mut better = None;
            while share > 1e-10 {
                let (a, b) = (slope - share * step[0], offset - share * step[1]);
                let then = loss(a, b);
                if then < now {
                    better = Some((a, b, then));
                    break;
                }
                share /= 2.0;
            }
            let Some((a, b, then)) = better else { break };
            let gained = now - then;
            (slope, offset, now) = (a, b, then);
            if gained <= 1e-12 * now.abs() {
                break;
            }
        }
        // What is predicted says nothing, or the contrary: how often it happens is left.
        if slope < 0.0 {
            (slope, offset) = (0.0, log_odds(yes / (yes + no)));
        }
        Self::Logistic { slope, offset }
    }

    /// What a probability becomes.
    pub fn at(&self, probability: f64) -> f64 {
        match self {
            Curve::Logistic { slope, offset } => {
                1.0 / (1.0 + (-(slope * log_odds(probability) + offset)).exp())
            }
            Curve::Steps { at, becomes } => {
                let above = at.partition_point(|place| *place < probability);
                match (above.checked_sub(1), at.get(above)) {
                    (_, Some(&place)) if place == probability => becomes[above],
                    (None, _) => becomes.first().copied().unwrap_or(probability),
                    (Some(below), None) => becomes[below],
                    (Some(below), Some(&place)) => {
                        let share = (probability - at[below]) / (place - at[below]);
                        becomes[below] + share * (becomes[above] - becomes[below])
                    }
                }
            }
        }
    }

    /// Whether it is a curve: files may hold anything.
    pub fn is_sound(&self) -> bool {
        match self {
            Curve::Logistic { slope, offset } => {
                slope.is_finite() && *slope >= 0.0 && offset.is_finite()
            }
            Curve::Steps { at, becomes } => {
                !at.is_empty()
                    && at.len() == becomes.len()
                    && at.windows(2).all(|pair| pair[0] < pair[1])
                    && becomes.iter().all(|own| (0.0..=1.0).contains(own))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(pairs: &[(f64, bool)]) -> Vec<Point> {
        let point = |&(predicted, happened): &(f64, bool)| Point {
            predicted,
            happened,
            weight: 1.0,
        };
        pairs.iter().map(point).collect()
    }

    #[test]
    fn neighbours_out_of_order_are_pooled() {
        let rows = points(&[
            (0.1, false),
            (0.2, true),
            (0.3, false),
            (0.8, true),
            (0.9, true),
        ]);
        let curve = Curve::fit(Calibration::Isotonic, &rows).unwrap();
        let least = 1.0 / 7.0;
        assert_eq!(curve.at(0.0), least);
        assert_eq!(curve.at(0.2), 0.5);
        assert_eq!(curve.at(0.25), 0.5);
        assert!((curve.at(0.55) - (0.5 + (1.0 - least - 0.5) / 2.0)).abs() < 1e-12);
        assert_eq!(curve.at(1.0), 1.0 - least);
        assert!(curve.is_sound());
        assert_eq!(
            Curve::fit(Calibration::Isotonic, &points(&[(0.5, true)])),
            None
        );
    }

    /// The curve is the best of all rising ones: no other fits better in squares.
    #[test]
    fn the_isotonic_curve_is_the_least_squares_one() {
        let pairs = [
            (0.1, true),
            (0.2, false),
            (0.2, false),
            (0.4, true),
            (0.5, false),
            (0.7, true),
        ];
        let curve = Curve::fit(Calibration::Isotonic, &points(&pairs)).unwrap();
        // By hand: {0.1, 0.2, 0.2} pool to 1/3, {0.4, 0.5} to 1/2, the last alone, less a margin.
        assert!((curve.at(0.15) - 1.0 / 3.0).abs() < 1e-12);
        assert!((curve.at(0.45) - 0.5).abs() < 1e-12);
        assert!((curve.at(0.7) - 7.0 / 8.0).abs() < 1e-12);
    }

    #[test]
    fn a_logistic_curve_finds_what_log_odds_were_multiplied_by() {
        // What happens with log-odds x / 2 was predicted with log-odds x.
        let mut rows = Vec::new();
        for step in -40..=40 {
            let x = f64::from(step) / 10.0;
            let p = 1.0 / (1.0 + (-x / 2.0).exp());
            let predicted = 1.0 / (1.0 + (-x).exp());
            for (happened, weight) in [(true, 1000.0 * p), (false, 1000.0 * (1.0 - p))] {
                rows.push(Point {
                    predicted,
                    happened,
                    weight,
                });
            }
        }
        let Some(Curve::Logistic { slope, offset }) = Curve::fit(Calibration::Platt, &rows) else {
            panic!("a curve of both kinds of rows");
        };
        assert!(
            (slope - 0.5).abs() < 1e-3 && offset.abs() < 1e-3,
            "{slope} {offset}"
        );
    }

    #[test]
    fn a_curve_never_falls() {
        let rows = points(&[(0.1, true), (0.2, true), (0.8, false), (0.9, false)]);
        for how in [Calibration::Isotonic, Calibration::Platt] {
            let curve = Curve::fit(how, &rows).unwrap();
            let at: Vec<f64> = (0..=10)
                .map(|step| curve.at(f64::from(step) / 10.0))
                .collect();
            assert!(at.windows(2).all(|pair| pair[0] <= pair[1]), "{at:?}");
            assert!((at[5] - 0.5).abs() < 1e-9);
        }
    }
}
