//! Measures of censored times. Rows whose truth is missing are left out; `weights` are those of all
//! rows.
//!
//! A prediction is a curve, the probability that the event has not happened by each of some times.
//! Whose expected time up to the last of them is shorter is said to be more at risk.

use kinwood_learning::target::{CENSORED, CensoredTime};

use super::answers::KindAnswers;
use super::entry::{Compute, Direction, Measure, MeasureEntry, Score};

/// See [`concordance`].
pub const CONCORDANCE: Measure = Measure::new(&MeasureEntry {
    key: "concordance",
    title: "concordance",
    doc: "the share of pairs of rows, of which it is known whose event came first, that are \
          predicted in this order; equal predictions count half, from 0 to 1",
    formula: "sum over comparable pairs w w' ([r > r'] + [r = r'] / 2) / sum w w', r the risk",
    direction: Direction::HigherIsBetter,
    compute: Compute::Of(&CENSORED, &|answers, weights| {
        let Some(seen) = Seen::of(answers, weights) else {
            return Ok(None);
        };
        Ok(concordance(
            &seen.times,
            &seen.events,
            &seen.risks,
            &seen.weights,
        ))
    }),
});

/// The Brier score of survival curves, integrated over the times of events (Graf et al., 1999).
pub const INTEGRATED_BRIER: Measure = Measure::new(&MeasureEntry {
    key: "integrated_brier",
    title: "integrated Brier score",
    doc: "the mean over time of the squared difference of the predicted curve and what has \
          happened, rows weighed by how probable it is that they are not censored, from 0 to 1",
    formula: "integral of sum w ([t <= u, event] S(u)^2 / G(t) + [t > u] (1 - S(u))^2 / G(u)) / W du \
              over the range of u",
    direction: Direction::LowerIsBetter,
    compute: Compute::Of(&CENSORED, &|answers, weights| {
        let Some(seen) = Seen::of(answers, weights) else {
            return Ok(None);
        };
        Ok(integrated_brier(&seen, &seen.grid))
    }),
});

/// The mean distance of the expected from the true time.
pub const TIME_ERROR: Measure = Measure::new(&MeasureEntry {
    key: "time_error",
    title: "time error",
    doc: "the mean difference of the expected time, up to the last time of any event, and the true \
          one; where the event has not happened only what it is expected too early",
    formula: "sum w |m - y| / W over events, sum w max(0, y - m) / W over others, m the expected time",
    direction: Direction::LowerIsBetter,
    compute: Compute::Of(&CENSORED, &time_error),
});

/// What is known of rows, and what is predicted of them.
struct Seen<'a> {
    times: Vec<f64>,
    events: Vec<bool>,
    risks: Vec<f64>,
    curves: Vec<&'a [f64]>,
    weights: Vec<f64>,
    /// The times of the curves.
    grid: Vec<f64>,
}

impl<'a> Seen<'a> {
    fn of(answers: &KindAnswers<'a>, weights: Option<&[f64]>) -> Option<Self> {
        let kind = answers.truth.kind().as_kind::<CensoredTime>()?;
        let mut seen = Seen {
            times: Vec::new(),
            events: Vec::new(),
            risks: Vec::new(),
            curves: Vec::new(),
            weights: Vec::new(),
            grid: kind.times().to_vec(),
        };
        for (row, curve) in answers.predicted.iter().enumerate() {
            if let Some([time, event]) = answers.truth.row(row) {
                seen.times.push(*time);
                seen.events.push(*event > 0.0);
                seen.risks.push(-kind.restricted_mean(curve));
                seen.curves.push(curve);
                seen.weights
                    .push(weights.map_or(1.0, |weights| weights[row]));
            }
        }
        Some(seen)
    }
}

/// Risks that differ by no more are equal.
const TIED: f64 = 1e-8;

/// The concordance index: of all pairs of which it is known whose event came first, the share in
/// which that row has the higher risk; ties of risks count half. A pair is comparable if the row
/// with the shorter time had its event; of equal times, if one had its event and the other is
/// censored.
///
/// Cost: quadratic. Reference: F. E. Harrell, R. M. Califf, D. B. Pryor, K. L. Lee and R. A.
/// Rosati, Evaluating the yield of medical tests, JAMA 247, 1982.
pub fn concordance(times: &[f64], events: &[bool], risks: &[f64], weights: &[f64]) -> Option<f64> {
    let (mut right, mut all) = (0.0, 0.0);
    for first in (0..times.len()).filter(|&row| events[row]) {
        for second in 0..times.len() {
            let later =
                times[second] > times[first] || (times[second] == times[first] && !events[second]);
            if !later {
                continue;
            }
            let weight = weights[first] * weights[second];
            all += weight;
            let difference = risks[first] - risks[second];
            if difference.abs() <= TIED {
                right += weight / 2.0;
            } else if difference > 0.0 {
                right += weight;
            }
        }
    }
    (all > 0.0).then(|| right / all)
}

/// How probable it is that a row is not censored by a time: the Kaplan-Meier estimate with events
/// and censoring exchanged, where events come before censoring at the same time.
struct Uncensored {
    steps: Vec<(f64, f64)>,
}

impl Uncensored {
    fn new(times: &[f64], events: &[bool], weights: &[f64]) -> Self {
        let mut order: Vec<usize> = (0..times.len()).collect();
        order.sort_by(|&a, &b| times[a].total_cmp(&times[b]));
        let mut risk: f64 = weights.iter().sum();
        let mut free = 1.0;
        let mut steps = Vec::new();
        for same in order.chunk_by(|&a, &b| times[a] == times[b]) {
            let of = |event: bool| -> f64 {
                let rows = same.iter().filter(|&&row| events[row] == event);
                rows.map(|&row| weights[row]).sum()
            };
            let (happened, censored) = (of(true), of(false));
            if censored > 0.0 {
                free *= 1.0 - censored / (risk - happened);
            }
            risk -= happened + censored;
            steps.push((times[same[0]], f64::max(free, 0.0)));
        }
        Self { steps }
    }

    fn at(&self, time: f64) -> f64 {
        let before = self.steps.partition_point(|step| step.0 <= time);
        before
            .checked_sub(1)
            .map_or(1.0, |place| self.steps[place].1)
    }
}

/// The integrated Brier score over the times of curves that lie within the times of the rows:
/// squared differences of what is predicted and what has happened at a time, each row weighed by
/// one over the probability of not being censored, integrated by straight lines between times and
/// divided by their range. `None` where fewer than two times lie there.
///
/// Reference: E. Graf, C. Schmoor, W. Sauerbrei and M. Schumacher, Assessment and comparison of
/// prognostic classification schemes for survival data, Statistics in Medicine 18, 1999.
fn integrated_brier(seen: &Seen<'_>, grid: &[f64]) -> Option<f64> {
    let uncensored = Uncensored::new(&seen.times, &seen.events, &seen.weights);
    let total: f64 = seen.weights.iter().sum();
    let least = seen.times.iter().copied().reduce(f64::min)?;
    let greatest = seen.times.iter().copied().reduce(f64::max)?;
    // A weight of one over nothing is none: nobody was left to be seen.
    let over = |square: f64, free: f64| if free > 0.0 { square / free } else { 0.0 };
    let brier = |place: usize| {
        let now = uncensored.at(grid[place]);
        let rows = (0..seen.times.len()).map(|row| {
            let alive = seen.curves[row][place];
            let square = if seen.times[row] > grid[place] {
                over((1.0 - alive).powi(2), now)
            } else if seen.events[row] {
                over(alive.powi(2), uncensored.at(seen.times[row]))
            } else {
                0.0
            };
            seen.weights[row] * square
        });
        rows.sum::<f64>() / total
    };
    let inside: Vec<usize> = (0..grid.len())
        .filter(|&place| grid[place] >= least && grid[place] < greatest)
        .collect();
    let (first, last) = (*inside.first()?, *inside.last()?);
    let scores: Vec<f64> = inside.iter().map(|&place| brier(place)).collect();
    let area: f64 = inside
        .windows(2)
        .zip(scores.windows(2))
        .map(|(places, scores)| (grid[places[1]] - grid[places[0]]) * (scores[0] + scores[1]) / 2.0)
        .sum();
    (first < last && total > 0.0).then(|| area / (grid[last] - grid[first]))
}

fn time_error(answers: &KindAnswers<'_>, weights: Option<&[f64]>) -> Score {
    let kind = answers.truth.kind();
    let (mut sum, mut total) = (0.0, 0.0);
    for (row, curve) in answers.predicted.iter().enumerate() {
        if let Some(truth) = answers.truth.row(row) {
            let weight = weights.map_or(1.0, |weights| weights[row]);
            sum += weight * kind.distance(truth, curve);
            total += weight;
        }
    }
    Ok((total > 0.0).then(|| sum / total))
}

#[cfg(test)]
mod tests;
